// SPDX-License-Identifier: GPL-2.0-only
/*
 * objtrace: a hit makes the value of a field an object, whose way through the functions
 * that are watched is recorded as objtrace:object, or takes it out again.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "event/class.h"
#include "event/event_filter.h"
#include "hit/limited.h"
#include "parts/objtrace/watch.h"
#include "kernel/symbol/symbol.h"
#include "parts/objtrace/objtrace_command.h"
#include "trigger/ops.h"

/**
 * struct objtrace - an objtrace trigger
 * @common: the part that all triggers have
 * @text: its parameters
 * @param: what they say; its texts are parts of @text
 * @at: column of @text in the command, while that is run
 * @field: the field that is the address of an object
 * @watcher: with its pool; NULL of a trigger that removes objects
 * @is_added: the trigger is one of its event's
 */
struct objtrace {
	struct kpt_trigger common;
	char *text;
	struct kpt_objtrace param;
	unsigned int at;
	struct kpt_field_ref field;
	struct kpt_watcher *watcher;
	bool is_added;
};

static struct objtrace *objtrace_of(const struct kpt_trigger *t)
{
	return container_of(t, struct objtrace, common);
}

/*
 * Hits.
 */

/*
 * An object that is known stays as it is, and uses up no count. It does not even take one
 * for a moment, as that may be the last one, which another CPU needs for a new object.
 */
static void objtrace_add(struct objtrace *o, const struct kpt_hit *hit, u64 object)
{
	struct kpt_watcher *watcher = o->watcher;

	if (o->common.limited && kpt_pool_has(&watcher->pool, object))
		return;
	if (!kpt_trigger_spend(&o->common))
		return;
	switch (kpt_pool_add(&watcher->pool, object,
			     kpt_watch_read(&watcher->value, object))) {
	case KPT_POOL_ADDED:
		return;
	case KPT_POOL_FULL_FIRST:
		kpt_hit_tell(o->common.file, hit, "objtrace: %d OBJECTS, NO ROOM FOR MORE",
			     KPT_POOL_OBJECTS);
		break;
	default:
		break;
	}
	kpt_trigger_unspend(&o->common);
}

/**
 * kpt_trigger_objtrace_run() - add an object to the trigger's pool, or remove it from all
 * @t: the trigger
 * @hit: the hit
 *
 * Context: BRK. Uses port_scratch().
 */
void kpt_trigger_objtrace_run(struct kpt_trigger *t, const struct kpt_hit *hit)
{
	struct objtrace *o = objtrace_of(t);
	u64 object = kpt_field_number(&o->field, hit->record);

	/* Pools have no room for NULL and 1. */
	if (object <= 1)
		return;
	if (o->watcher)
		objtrace_add(o, hit, object);
	else if (kpt_trigger_spend(t))
		kpt_watch_forget(t->file->instance, object);
}

/*
 * The command.
 */

/* Where in the command @at of its text is. */
static const char *objtrace_place(const struct objtrace *o, const struct kpt_trigger_request *r,
				  const char *at)
{
	return r->cut + o->at + (at - o->text);
}

static int objtrace_refuse(const struct objtrace *o, const struct kpt_trigger_request *r,
			   enum kpt_diag_code code, const char *at, int err)
{
	return kpt_trigger_refuse(r, code, objtrace_place(o, r, at), err);
}

static int objtrace_find_field(struct objtrace *o, const struct kpt_trigger_request *r)
{
	const struct kpt_objtrace_text *field = &o->param.field;

	if (kpt_field_find_own(r->file->event->fields, field->at, field->len,
			       &o->field) &&
	    kpt_field_is_number(&o->field) && o->field.size == sizeof(u64))
		return 0;
	return kpt_trigger_no_field(r, KPT_E_OBJTRACE_BAD_FIELD, field->at, field->len,
				    objtrace_place(o, r, field->at));
}

/* "add:…" or "remove:…", see kpt_objtrace_parse() */
static int objtrace_parse(struct kpt_trigger *t, struct kpt_trigger_request *r)
{
	struct objtrace *o = objtrace_of(t);
	char *word = strsep(&r->params, " \t");
	struct kpt_diag diag = { 0 };

	if (!word)
		return kpt_trigger_refuse(r, KPT_E_OBJTRACE_NO_ACTION, NULL, -EINVAL);
	o->at = word - r->cut;
	o->text = kstrdup(word, GFP_KERNEL);
	if (!o->text)
		return -ENOMEM;
	if (kpt_objtrace_parse(&o->param, o->text, strlen(o->text), &diag))
		return kpt_trigger_refuse(r, diag.code,
					  word + min_t(size_t, diag.column, strlen(word)),
					  -EINVAL);
	t->limited = o->param.is_limited;
	atomic64_set(&t->left, o->param.count);
	return objtrace_find_field(o, r);
}

/* An event has one trigger that adds a field, and one that removes it. */
static bool objtrace_same(const struct kpt_trigger *a, const struct kpt_trigger *b)
{
	const struct kpt_objtrace *x = &objtrace_of(a)->param;
	const struct kpt_objtrace *y = &objtrace_of(b)->param;

	return x->removes == y->removes && x->field.len == y->field.len &&
	       !memcmp(x->field.at, y->field.at, x->field.len);
}

/* The only module that functions of a probe are in, or one more. False: they differ. */
static bool objtrace_same_module(const struct kpt_probe *probe, char *module)
{
	const char *waits_for = kpt_probe_waits_for(probe);
	char other[MODULE_NAME_LEN];
	unsigned long func;
	unsigned int at = 0;

	if (waits_for)
		strscpy(module, waits_for, MODULE_NAME_LEN);
	while ((func = kpt_probe_function(probe, &at))) {
		if (!kpt_symbol_module_of(func, other) ||
		    (*module && strcmp(module, other)))
			return false;
		strscpy(module, other, MODULE_NAME_LEN);
	}
	return true;
}

/*
 * The module that has all functions of an event; "" if there is no such module. Not
 * inline, because frames of this file have to be small.
 */
static noinline void objtrace_find_module(const struct kpt_event *event, char *module)
{
	const struct kpt_probe *probe;

	*module = '\0';
	while (event->source)
		event = event->source;
	list_for_each_entry(probe, &event->probes, sibling) {
		if (objtrace_same_module(probe, module))
			continue;
		*module = '\0';
		return;
	}
}

static char *objtrace_dup(const struct kpt_objtrace_text *t)
{
	return t->at ? kmemdup_nul(t->at, t->len, GFP_KERNEL) : NULL;
}

/*
 * Watch the functions of "where=", or else those of the event's module, or all. noinline:
 * frames of this file are small, as hits run code of it.
 */
static noinline int objtrace_watch(struct objtrace *o, const struct kpt_trigger_request *r,
				   struct kpt_diag *diag)
{
	const struct kpt_type_info *type = &kpt_type_info[o->param.type];
	char of[MODULE_NAME_LEN] = "";
	char *module = objtrace_dup(&o->param.module);
	char *names = objtrace_dup(&o->param.names);
	struct kpt_watch watch = {
		.module = module,
		.names = names,
		.size = o->param.size,
		.value = {
			.offset = o->param.offset,
			.size = type->size,
			.is_signed = type->is_signed,
			.changes = o->param.changes,
		},
	};
	int err = -ENOMEM;

	if (!o->param.where.at) {
		objtrace_find_module(r->file->event, of);
		watch.module = *of ? of : NULL;
		watch.names = "*";
	}
	if (watch.names && (watch.module || !o->param.module.at)) {
		o->watcher = kpt_watch_begin(o->common.target, &watch, diag);
		err = PTR_ERR_OR_ZERO(o->watcher);
	}
	if (err)
		o->watcher = NULL;
	kfree(module);
	kfree(names);
	return diag->code ? objtrace_refuse(o, r, diag->code, o->param.where.at ?: o->text,
					    err) : err;
}

static int objtrace_prepare(struct kpt_trigger *t, const struct kpt_trigger_request *r)
{
	struct objtrace *o = objtrace_of(t);
	struct kpt_diag diag = { 0 };

	if (o->param.removes)
		return 0;
	t->target = kpt_watch_file(t->file->instance, &diag);
	if (!IS_ERR(t->target))
		return objtrace_watch(o, r, &diag);
	if (diag.code)
		objtrace_refuse(o, r, diag.code, o->text, 0);
	return PTR_ERR(t->target);
}

/* The lines are wanted: nobody should have to enable an event to see them. */
static void objtrace_added(struct kpt_trigger *t)
{
	objtrace_of(t)->is_added = true;
	if (!t->target)
		return;
	t->target->was_enabled = true;
	WRITE_ONCE(t->target->enabled, true);
}

static void objtrace_show(struct kpt_strbuf *sb, const struct kpt_trigger *t)
{
	kpt_strbuf_puts(sb, "objtrace:");
	kpt_objtrace_show(sb, &objtrace_of(t)->param, atomic64_read(&t->left));
	if (t->filter)
		kpt_strbuf_printf(sb, " if %s", t->filter->text);
	kpt_strbuf_putc(sb, '\n');
}

/* The last one of an instance disables the event, if that is still enabled. */
static void objtrace_free(struct kpt_trigger *t)
{
	struct objtrace *o = objtrace_of(t);
	struct kpt_event_file *file = t->target;

	if (o->watcher) {
		kpt_watch_end(o->watcher);
		if (o->is_added && !file->soft)
			kpt_event_file_set_enabled(&file, 1, false);
	}
	kfree(o->text);
}

const struct kpt_trigger_ops kpt_trigger_objtrace_ops = {
	.name = "objtrace",
	.family = KPT_TRIGGER_OBJTRACE,
	.size = sizeof(struct objtrace),
	.parse = objtrace_parse,
	.same = objtrace_same,
	.prepare = objtrace_prepare,
	.added = objtrace_added,
	.show = objtrace_show,
	.free = objtrace_free,
};
