// SPDX-License-Identifier: GPL-2.0-only
/*
 * set_wprobe, clear_wprobe: a hit of any event has an event on data watch an object, whose
 * address is a field of the hit's record, or stop watching it.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "event/class.h"
#include "lib/base/lex.h"
#include "parts/watch/wprobe.h"
#include "trigger/ops.h"

/**
 * struct watch_trigger - a trigger
 * @common: the part that all triggers have; its target is the event on data
 * @probe: the probe of the target
 * @text: the field as the command has it; NULL: all objects, of clear_wprobe
 * @field: the field
 * @adjust: added to it
 * @is_added: the trigger is one of its event's
 */
struct watch_trigger {
	struct kpt_trigger common;
	struct kpt_wprobe *probe;
	char *text;
	struct kpt_field_ref field;
	s64 adjust;
	bool is_added;
};

static struct watch_trigger *watch_trigger_of(const struct kpt_trigger *t)
{
	return container_of(t, struct watch_trigger, common);
}

/*
 * Hits.
 */

/*
 * Held while objects are set or cleared, with interrupts masked and hits off: so its holder
 * never waits, and no address is set twice.
 */
static unsigned long is_setting;

static __always_inline void setting_lock(void)
{
	while (unlikely(test_and_set_bit_lock(0, &is_setting)))
		cpu_relax();
}

static __always_inline void setting_unlock(void)
{
	__clear_bit_unlock(0, &is_setting);
}

/* Addresses may have a tag, which debug registers do not know. */
static unsigned long object_address(const struct watch_trigger *w, const struct kpt_hit *hit)
{
	unsigned long addr = kpt_field_number(&w->field, hit->record) + w->adjust;

	return addr & BIT(55) ? addr | GENMASK(63, 56) : addr;
}

static bool may_watch(const struct kpt_wprobe *probe, unsigned long addr)
{
	u32 length = probe->watch[0].length;

	return addr & BIT(55) && !IS_ERR_VALUE(addr) &&
	       kpt_arch_watch_is_block(addr, length) && kpt_arch_is_memory(addr) &&
	       (length <= 8 || kpt_arch_is_memory(addr + length - 1));
}

/* Find the watch of an address, or else a free one. */
static struct kpt_arch_watch *find_watch(struct kpt_wprobe *probe, unsigned long addr)
{
	struct kpt_arch_watch *free = NULL;
	unsigned int i;

	for (i = 0; i < probe->nr; i++) {
		if (probe->watch[i].addr == addr)
			return &probe->watch[i];
		if (!free && !kpt_arch_watch_is_set(&probe->watch[i]))
			free = &probe->watch[i];
	}
	return free;
}

/* An object that is watched already stays, and uses up no count. */
static void set_locked(struct watch_trigger *w, unsigned long addr)
{
	struct kpt_arch_watch *watch = find_watch(w->probe, addr);

	if (watch && watch->addr == addr)
		return;
	if (watch && !kpt_trigger_spend(&w->common))
		return;
	if (watch && kpt_arch_watch_move(watch, addr)) {
		WRITE_ONCE(w->common.target->enabled, true);
		return;
	}
	if (watch)
		kpt_trigger_unspend(&w->common);
	atomic64_inc(&w->probe->full);
}

/**
 * kpt_trigger_set_wprobe_run() - watch an object, and record accesses to it
 * @t: the trigger
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_trigger_set_wprobe_run(struct kpt_trigger *t, const struct kpt_hit *hit)
{
	struct watch_trigger *w = watch_trigger_of(t);
	unsigned long addr = object_address(w, hit);

	if (!may_watch(w->probe, addr)) {
		atomic64_inc(&w->probe->passed);
		return;
	}
	setting_lock();
	set_locked(w, addr);
	setting_unlock();
}

/* Returns true if the last object was cleared now. One hit uses up one count. */
static bool clear_locked(struct watch_trigger *w, unsigned long addr)
{
	struct kpt_wprobe *probe = w->probe;
	struct kpt_arch_watch *watch;
	unsigned int set = 0, cleared = 0;

	for (watch = probe->watch; watch < probe->watch + probe->nr; watch++) {
		if (!kpt_arch_watch_is_set(watch))
			continue;
		set++;
		if ((w->text && watch->addr != addr) ||
		    (!cleared && !kpt_trigger_spend(&w->common)))
			continue;
		kpt_arch_watch_clear(watch);
		cleared++;
	}
	return cleared && cleared == set;
}

/**
 * kpt_trigger_clear_wprobe_run() - watch an object, or all, no more
 * @t: the trigger
 * @hit: the hit
 *
 * With the last one the event is not recorded any more, but a hit of it that clears is.
 * Events may have more triggers of this kind, and kpt_trigger_run_after() asks no filter.
 *
 * Context: BRK.
 */
void kpt_trigger_clear_wprobe_run(struct kpt_trigger *t, const struct kpt_hit *hit)
{
	struct watch_trigger *w = watch_trigger_of(t);
	unsigned long addr = w->text ? object_address(w, hit) : 0;

	if (!kpt_trigger_wants(t, hit))
		return;
	setting_lock();
	if (clear_locked(w, addr))
		WRITE_ONCE(t->target->enabled, false);
	setting_unlock();
}

/*
 * The command.
 */

/* "EVENT", of group wprobes, or "GROUP/EVENT". */
static int watch_parse_event(struct watch_trigger *w, const struct kpt_trigger_request *r,
			     char *text)
{
	const char *group = kpt_class_wprobe.default_group, *name = text;
	char *slash = text ? strchr(text, '/') : NULL;
	struct kpt_event_file *file;

	if (!text || !*text)
		return kpt_trigger_refuse(r, KPT_E_WATCH_NO_EVENT, text, -EINVAL);
	if (slash) {
		*slash = '\0';
		group = text;
		name = slash + 1;
	}
	file = kpt_trigger_find_target(r->file->instance, group, name);
	if (file && file->event->class == &kpt_class_wprobe)
		w->probe = kpt_wprobe_of(list_first_entry(&file->event->probes,
							  struct kpt_probe, sibling));
	/* A group that was not named is not misspelt. */
	if (!slash && !kpt_group_find(group))
		return kpt_trigger_refuse(r, KPT_E_WATCH_BAD_EVENT, text, -EINVAL);
	if (!w->probe || !w->probe->watch[0].by_hits)
		return kpt_trigger_no_target(r, KPT_E_WATCH_BAD_EVENT, group, name, text);
	w->common.target = file;
	return 0;
}

static int watch_find_field(struct watch_trigger *w, const struct kpt_trigger_request *r,
			    const char *name, size_t len)
{
	if (kpt_field_find_own(r->file->event->fields, name, len, &w->field) &&
	    kpt_field_is_number(&w->field) && w->field.size == sizeof(u64))
		return 0;
	return kpt_trigger_no_field(r, KPT_E_WATCH_BAD_FIELD, name, len, name);
}

/* "(STRUCT)FIELD->MEMBER[.MEMBER]...", whose first character was cut off */
static int watch_parse_cast(struct watch_trigger *w, const struct kpt_trigger_request *r,
			    char *type)
{
	char *field = strchr(type, ')'), *arrow = field ? strstr(field, "->") : NULL;
	u64 offset, size;
	int err;

	if (!arrow)
		return kpt_trigger_refuse(r, KPT_E_WATCH_CAST, type, -EINVAL);
	*field++ = '\0';
	*arrow = '\0';
	err = kpt_btf_offset(type, arrow + 2, &offset, &size);
	if (err == -EOPNOTSUPP)
		return kpt_trigger_refuse(r, KPT_E_WATCH_NO_TYPES, type, err);
	if (err)
		return kpt_trigger_refuse(r, KPT_E_WATCH_MEMBER, type, -EINVAL);
	w->adjust = offset;
	return watch_find_field(w, r, field, strlen(field));
}

/* "FIELD[+|-ADJUST]", or as above */
static int watch_parse_field(struct watch_trigger *w, const struct kpt_trigger_request *r,
			     char *text)
{
	size_t len = strcspn(text, "+-");

	w->text = kstrdup(text, GFP_KERNEL);
	if (!w->text)
		return -ENOMEM;
	if (*text == '(')
		return watch_parse_cast(w, r, text + 1);
	if (text[len] && kpt_lex_s64(text + len, strlen(text + len), 0, &w->adjust))
		return kpt_trigger_refuse(r, KPT_E_WATCH_ADJUST, text + len, -EINVAL);
	return watch_find_field(w, r, text, len);
}

/* "N", or what the trigger file shows in its place: "count=N" or "unlimited" */
static bool watch_is_count(const char *text)
{
	return isdigit(*text) || !strncmp(text, "count=", 6) || !strcmp(text, "unlimited");
}

static void watch_take_count(struct kpt_trigger_request *r, const char *text)
{
	if (text && strcmp(text, "unlimited"))
		r->count = text + (strncmp(text, "count=", 6) ? 0 : 6);
}

/*
 * "EVENT:FIELD[+|-ADJUST][:COUNT]", where FIELD may be a cast; of clear_wprobe also
 * "EVENT[:COUNT]"
 */
static int watch_parse(struct kpt_trigger *t, struct kpt_trigger_request *r)
{
	struct watch_trigger *w = watch_trigger_of(t);
	char *text = strsep(&r->params, " \t"), *event, *field;
	bool needs_field = t->kind == KPT_TRIGGER_SET_WPROBE && !r->remove;
	int err;

	event = strsep(&text, ":");
	err = watch_parse_event(w, r, event);
	if (err)
		return err;
	field = strsep(&text, ":");
	if (needs_field && (!field || !*field))
		return kpt_trigger_refuse(r, KPT_E_WATCH_NO_FIELD, field, -EINVAL);
	if (field && !needs_field && !text && watch_is_count(field)) {
		text = field;
		field = NULL;
	}
	watch_take_count(r, text);
	return field ? watch_parse_field(w, r, field) : 0;
}

/* From now on the buffer may hold records of the event on data. */
static void watch_added(struct kpt_trigger *t)
{
	watch_trigger_of(t)->is_added = true;
	t->target->was_enabled = true;
}

static void watch_show(struct kpt_strbuf *sb, const struct kpt_trigger *t)
{
	const struct kpt_event *event = t->target->event;

	kpt_strbuf_printf(sb, "%s:", kpt_trigger_ops_of(t)->name);
	if (strcmp(event->group, kpt_class_wprobe.default_group))
		kpt_strbuf_printf(sb, "%s/", event->group);
	kpt_strbuf_puts(sb, event->name);
	if (watch_trigger_of(t)->text)
		kpt_strbuf_printf(sb, ":%s", watch_trigger_of(t)->text);
	if (t->limited)
		kpt_strbuf_printf(sb, ":count=%lld", (long long)atomic64_read(&t->left));
	else
		kpt_strbuf_puts(sb, ":unlimited");
	if (t->filter)
		kpt_strbuf_printf(sb, " if %s", t->filter->text);
	kpt_strbuf_putc(sb, '\n');
}

/* When nothing holds the event on data any more, no object is set: disable it. */
static void watch_free(struct kpt_trigger *t)
{
	struct watch_trigger *w = watch_trigger_of(t);
	struct kpt_event_file *file = t->target;

	if (w->is_added && !file->soft)
		kpt_event_file_set_enabled(&file, 1, false);
	kfree(w->text);
}

#define WATCH_TRIGGER(KIND, word)						\
	const struct kpt_trigger_ops kpt_trigger_##word##_ops = {		\
		.name = #word,							\
		.family = KPT_TRIGGER_##KIND,					\
		.size = sizeof(struct watch_trigger),				\
		.parse = watch_parse,						\
		.added = watch_added,						\
		.show = watch_show,						\
		.free = watch_free,						\
	}

WATCH_TRIGGER(SET_WPROBE, set_wprobe);
WATCH_TRIGGER(CLEAR_WPROBE, clear_wprobe);
