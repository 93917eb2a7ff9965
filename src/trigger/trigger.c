// SPDX-License-Identifier: GPL-2.0-only
/*
 * Triggers of an event in an instance: parse, remove, show. The file of a kind has its
 * struct kpt_trigger_ops.
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/rculist.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "event/event_filter.h"
#include "event/snapshot.h"
#include "kernel/scratch.h"
#include "lib/base/similar.h"
#include "part.h"
#include "trigger/ops.h"

#define TRIGGER_OPS(KIND, name, when) &kpt_trigger_##name##_ops,
static const struct kpt_trigger_ops *const trigger_ops[KPT_NR_TRIGGERS] = {
	KPT_TRIGGERS(TRIGGER_OPS)
};

/**
 * kpt_trigger_ops_of() - the functions of the kind of a trigger
 * @t: the trigger
 *
 * Context: any.
 * Return: the functions.
 */
const struct kpt_trigger_ops *kpt_trigger_ops_of(const struct kpt_trigger *t)
{
	return trigger_ops[t->kind];
}

/**
 * kpt_trigger_fini() - free what a trigger has besides its struct
 * @t: the trigger, which no hit runs
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_trigger_fini(struct kpt_trigger *t)
{
	if (kpt_trigger_ops_of(t)->free)
		kpt_trigger_ops_of(t)->free(t);
	kpt_event_filter_free(t->filter);
	if (t->arms_snapshot)
		kpt_snapshot_disarm(t->file->instance);
}

/**
 * kpt_trigger_same_filter() - have two triggers the same filter?
 * @a: the one
 * @b: the other
 *
 * Context: process context, kpt_mutex held.
 * Return: true if the texts of their filters are equal, or none has one.
 */
bool kpt_trigger_same_filter(const struct kpt_trigger *a, const struct kpt_trigger *b)
{
	if (!a->filter || !b->filter)
		return a->filter == b->filter;
	return !strcmp(a->filter->text, b->filter->text);
}

static void trigger_free(struct kpt_trigger *t)
{
	kpt_trigger_fini(t);
	kvfree(t);
}

/**
 * kpt_trigger_arm_snapshot() - prepare for snapshots that hits of a trigger request
 * @t: a new trigger; kpt_trigger_fini() ends this
 * @r: its command
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -ENOMEM; or -EBUSY, with the reason in error_log, if kpt_buffer_is_fixed().
 */
int kpt_trigger_arm_snapshot(struct kpt_trigger *t, const struct kpt_trigger_request *r)
{
	int err = t->arms_snapshot ? 0 : kpt_snapshot_arm(t->file->instance);

	if (err == -EBUSY)
		return kpt_trigger_refuse(r, KPT_E_SNAPSHOT_FIXED, r->cut, err);
	if (!err)
		t->arms_snapshot = true;
	return err;
}

/* The event that a trigger keeps armed besides its own, or NULL. */
static struct kpt_event_file *trigger_held(const struct kpt_trigger *t)
{
	return t->target == t->file ? NULL : t->target;
}

/* Triggers that are removed together: kpt_trigger.gone, and their number. */
struct trigger_set {
	struct list_head list;
	unsigned int nr;
};

static void trigger_choose(struct kpt_trigger *t, struct trigger_set *set)
{
	list_add_tail(&t->gone, &set->list);
	set->nr++;
}

/*
 * Triggers of an event run in the order of its list, the oldest first. But one that
 * switches histograms runs before them, as in mainline: so a hit that switches those of
 * its own event is already counted, or not counted any more. It stays behind each older
 * limit, whose hits no trigger behind it sees. Returns what @t goes before.
 */
static struct list_head *trigger_place(const struct kpt_trigger *t)
{
	struct kpt_event_file *file = t->file;
	struct list_head *place = &file->triggers.list;
	struct kpt_trigger *other;

	if (t->kind != KPT_TRIGGER_ENABLE_HIST && t->kind != KPT_TRIGGER_DISABLE_HIST)
		return place;
	list_for_each_entry(other, &file->triggers.list, list)
		if (other->kind == KPT_TRIGGER_LIMIT)
			place = &file->triggers.list;
		else if (other->kind == KPT_TRIGGER_HIST && place == &file->triggers.list)
			place = &other->list;
	return place;
}

/* Note what a trigger wants, as struct kpt_file_conditions. */
static void trigger_add_condition(struct kpt_file_conditions *c, const struct kpt_trigger *t)
{
	const struct kpt_filter *filter = t->filter ? &t->filter->prog : NULL;
	const struct kpt_arch_hist *hist = t->kind == KPT_TRIGGER_HIST ?
					   kpt_trigger_ops_of(t)->recorded(t) : NULL;

	if (hist && c->hists < ARRAY_SIZE(c->hist)) {
		c->hist[c->hists].filter = filter;
		c->hist[c->hists++].hist = hist;
	} else if (t->kind == KPT_TRIGGER_STACKTRACE && !t->limited && !c->stack) {
		c->stack = (struct kpt_trigger *)t;
		c->stack_filter = filter;
	} else if (!hist && filter && t->kind != KPT_TRIGGER_LIMIT &&
		   c->others < ARRAY_SIZE(c->other)) {
		c->other[c->others++] = filter;
	} else {
		c->not_for_code = true;
	}
}

/*
 * Find out what the triggers of an event want, with one that comes or NULL, for lists of
 * handlers that are made now. A limit lets lines be recorded, also when it is gone.
 */
static void trigger_find_conditions(struct kpt_event_file *file,
				    const struct kpt_trigger *comes)
{
	struct kpt_file_conditions *c = &file->triggers.conditions;
	const struct kpt_trigger *t;

	memset(c, 0, sizeof(*c));
	c->not_for_code = file->triggers.after & KPT_AFTER_LIMIT;
	list_for_each_entry(t, &file->triggers.list, list)
		trigger_add_condition(c, t);
	if (comes)
		trigger_add_condition(c, comes);
}

/* Put a trigger on the list of its event, or take it off. */
static void trigger_list(struct kpt_trigger *t, bool on)
{
	if (on)
		list_add_tail_rcu(&t->list, trigger_place(t));
	else
		list_del_rcu(&t->list);
}

/*
 * Code that stubs run has conditions of triggers in it, and is of use while the list of
 * triggers is the one that it was made for. So @is_changing is set before the list changes,
 * and cleared when the new lists of handlers are published: then no hit runs older code.
 * Hits that had found it clear before have ended when a trigger that they would run without
 * registers is on the list, or is freed. tests/litmus/trigger-list.litmus.
 */
static void trigger_change(struct trigger_set *set, bool is_changing)
{
	struct kpt_trigger *t;

	list_for_each_entry(t, &set->list, gone)
		WRITE_ONCE(t->file->triggers.is_changing, is_changing);
}

/* Take triggers off the lists. @held gets their events; returns how many. */
static unsigned int trigger_unlist(struct trigger_set *set,
				   struct kpt_event_file **held)
{
	struct kpt_trigger *t;
	unsigned int nr = 0;

	list_for_each_entry(t, &set->list, gone) {
		trigger_list(t, false);
		trigger_find_conditions(t->file, NULL);
		held[nr++] = t->file;
		if (trigger_held(t))
			held[nr++] = trigger_held(t);
	}
	return nr;
}

static void trigger_refer(struct trigger_set *set, int by)
{
	struct kpt_trigger *t;

	list_for_each_entry(t, &set->list, gone)
		if (kpt_trigger_ops_of(t)->refer)
			kpt_trigger_ops_of(t)->refer(t, by);
}

/* Find the event that has a trigger which uses @t. */
static const struct kpt_event *trigger_find_user(const struct kpt_trigger *t)
{
	const struct kpt_event_file *file;
	const struct kpt_trigger *user;

	list_for_each_entry(file, &t->file->instance->files, instance_link)
		list_for_each_entry(user, &file->triggers.list, list)
			if (kpt_trigger_ops_of(user)->uses &&
			    kpt_trigger_ops_of(user)->uses(user, t))
				return file->event;
	return NULL;
}

/* Say in error_log which event uses @t, which cannot be removed. */
static void trigger_log_busy(const struct kpt_trigger *t)
{
	const struct kpt_event *event = t->file->event, *user = trigger_find_user(t);
	char loc[2 * KPT_NAME_MAX + 8], *text = kmalloc(SZ_8K, GFP_KERNEL);
	struct kpt_strbuf sb;
	struct kpt_diag diag;

	if (!text)
		return;
	kpt_strbuf_init(&sb, text, SZ_8K);
	kpt_trigger_show(&sb, t);
	kpt_diag_set(&diag, KPT_E_HIST_IN_USE, 0, 0);
	if (user)
		scnprintf(diag.detail, sizeof(diag.detail),
			  "by a trigger of %s:%s", user->group, user->name);
	scnprintf(loc, sizeof(loc), "hist:%s:%s", event->group, event->name);
	kpt_errlog_add(&t->file->instance->errlog, loc, strim(text), &diag);
	kfree(text);
}

/*
 * Drop what the triggers of a set use. Returns -EBUSY, with an entry in error_log, if
 * a trigger that stays uses one of them; then nothing is dropped.
 */
static int trigger_drop_refs(struct trigger_set *set)
{
	struct kpt_trigger *t;

	trigger_refer(set, -1);
	list_for_each_entry(t, &set->list, gone) {
		if (!kpt_trigger_ops_of(t)->is_used || !kpt_trigger_ops_of(t)->is_used(t))
			continue;
		trigger_refer(set, 1);
		trigger_log_busy(t);
		return -EBUSY;
	}
	return 0;
}

/*
 * Remove the triggers of a set, with one wait for hits and one batch for all. First
 * take them off the lists: a hit that runs a trigger uses the events that it holds.
 * Returns 0; or -EBUSY or -ENOMEM, and then no trigger is removed.
 */
static int trigger_remove(struct trigger_set *set)
{
	struct kpt_event_file **held;
	struct kpt_trigger *t, *next;
	unsigned int nr;
	int err;

	if (!set->nr)
		return 0;
	held = kvmalloc_array(set->nr, 2 * sizeof(*held), GFP_KERNEL);
	if (!held)
		return -ENOMEM;
	err = trigger_drop_refs(set);
	if (err) {
		kvfree(held);
		return err;
	}
	trigger_change(set, true);
	nr = trigger_unlist(set, held);
	/* Wait for hits that run them: hits have interrupts masked. */
	kpt_arch_quiesce();
	err = kpt_event_file_release(held, nr);
	if (err)
		trigger_refer(set, 1);
	list_for_each_entry(t, &set->list, gone) {
		if (!err)
			continue;
		trigger_list(t, true);
		trigger_find_conditions(t->file, NULL);
	}
	trigger_change(set, false);
	if (!err)
		list_for_each_entry_safe(t, next, &set->list, gone)
			trigger_free(t);
	kvfree(held);
	return err;
}

/* Remove the triggers that were made for other triggers, which are gone. */
static void trigger_remove_spare(struct kpt_instance *instance)
{
	struct trigger_set set = { LIST_HEAD_INIT(set.list) };
	struct kpt_event_file *file;
	struct kpt_trigger *t;

	list_for_each_entry(file, &instance->files, instance_link)
		list_for_each_entry(t, &file->triggers.list, list)
			if (kpt_trigger_ops_of(t)->is_spare &&
			    kpt_trigger_ops_of(t)->is_spare(t))
				trigger_choose(t, &set);
	/* Without memory they stay until the next command. */
	trigger_remove(&set);
}

/**
 * kpt_trigger_truncate() - remove the triggers that O_TRUNC removes
 * @file: the event whose trigger file is opened with O_TRUNC
 *
 * Removes hist triggers and those that switch them, and keeps the others, as
 * mainline does.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or -EBUSY if triggers that stay use one of them, or -ENOMEM, and then no
 * trigger is removed.
 */
int kpt_trigger_truncate(struct kpt_event_file *file)
{
	struct trigger_set set = { LIST_HEAD_INIT(set.list) };
	struct kpt_trigger *t;
	int err;

	list_for_each_entry(t, &file->triggers.list, list)
		if (kpt_trigger_ops_of(t)->is_hist)
			trigger_choose(t, &set);
	err = trigger_remove(&set);
	trigger_remove_spare(file->instance);
	return err;
}

static void trigger_choose_all(struct kpt_instance *instance,
			       struct trigger_set *set)
{
	struct kpt_event_file *file;
	struct kpt_trigger *t;

	list_for_each_entry(file, &instance->files, instance_link)
		list_for_each_entry(t, &file->triggers.list, list)
			trigger_choose(t, set);
}

/**
 * kpt_trigger_remove_all() - remove all triggers of events of an instance
 * @instance: the instance
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or -ENOMEM or -EIO, and then none is removed.
 */
int kpt_trigger_remove_all(struct kpt_instance *instance)
{
	struct trigger_set set = { LIST_HEAD_INIT(set.list) };

	trigger_choose_all(instance, &set);
	return trigger_remove(&set);
}

/**
 * kpt_trigger_free_all() - free all triggers of all instances
 *
 * Allocates no memory. The events stay armed, but their hits run no triggers.
 *
 * Context: module unload; sleeps, kpt_mutex held.
 */
void kpt_trigger_free_all(void)
{
	struct trigger_set set = { LIST_HEAD_INIT(set.list) };
	struct kpt_instance *instance;
	struct kpt_trigger *t, *next;

	list_for_each_entry(instance, &kpt_instances, list)
		trigger_choose_all(instance, &set);
	trigger_change(&set, true);
	list_for_each_entry(t, &set.list, gone) {
		trigger_list(t, false);
		trigger_find_conditions(t->file, NULL);
	}
	kpt_arch_quiesce();
	list_for_each_entry_safe(t, next, &set.list, gone)
		trigger_free(t);
}

static bool trigger_in_way(const struct kpt_trigger *old,
			   const struct kpt_trigger *t)
{
	const struct kpt_trigger_ops *ops = kpt_trigger_ops_of(t);

	if (kpt_trigger_ops_of(old)->family != ops->family)
		return false;
	return ops->same ? ops->same(old, t) : old->target == t->target;
}

/* Find the trigger of the event that excludes @t, see kpt_trigger_ops.same. */
static struct kpt_trigger *trigger_find(const struct kpt_trigger *t)
{
	struct kpt_trigger *old;

	list_for_each_entry(old, &t->file->triggers.list, list)
		if (trigger_in_way(old, t))
			return old;
	return NULL;
}

/* The column of a mistake: @at in r->cut, or behind the end if it is NULL. */
static unsigned int request_column(const struct kpt_trigger_request *r, const char *at)
{
	unsigned int end = strlen(r->command);
	unsigned int column = at ? at - r->cut : end;

	return column < end ? column : end + 1;
}

/**
 * kpt_trigger_complain() - note a reason in error_log
 * @r: the command that is refused
 * @diag: the reason; its column is set
 * @at: in @r->cut: the place of the mistake; its end, or NULL, if something is
 *	missing at the end
 *
 * Without memory nothing is noted.
 *
 * Context: process context, sleeps.
 */
void kpt_trigger_complain(const struct kpt_trigger_request *r, struct kpt_diag *diag,
			  const char *at)
{
	const struct kpt_event *event = r->file->event;
	char *loc = r->log ? kstrdup(r->log, GFP_KERNEL) :
		    kasprintf(GFP_KERNEL, "trigger:%s:%s", event->group, event->name);

	diag->column = request_column(r, at);
	if (loc)
		kpt_errlog_add(&r->file->instance->errlog, loc, r->command, diag);
	kfree(loc);
}

/**
 * kpt_trigger_refuse() - note in error_log why a command is refused
 * @r: the command
 * @code: the reason
 * @at: as for kpt_trigger_complain()
 * @err: errno to return
 *
 * Context: process context, sleeps.
 * Return: @err.
 */
int kpt_trigger_refuse(const struct kpt_trigger_request *r,
		       enum kpt_diag_code code, const char *at, int err)
{
	struct kpt_diag diag;

	kpt_diag_set(&diag, code, 0, 0);
	kpt_trigger_complain(r, &diag, at);
	return err;
}

/**
 * kpt_trigger_no_field() - refuse a command that names no field it can be about
 * @r: the command
 * @code: the reason
 * @name: the name
 * @len: its characters
 * @at: as for kpt_trigger_complain()
 *
 * Context: process context, sleeps.
 * Return: -EINVAL.
 */
int kpt_trigger_no_field(const struct kpt_trigger_request *r, enum kpt_diag_code code,
			 const char *name, size_t len, const char *at)
{
	struct kpt_diag diag;

	kpt_diag_set(&diag, code, 0, 0);
	kpt_field_tell_similar(r->file->event->fields, true, name, len, &diag);
	kpt_trigger_complain(r, &diag, at);
	return -EINVAL;
}

/**
 * kpt_trigger_no_kind() - refuse a command whose first word is no kind of triggers
 * @r: the command
 * @code: the reason
 * @name: the word
 * @of_functions: the command is one of functions, not of an event
 *
 * Context: process context, sleeps.
 * Return: -EINVAL.
 */
int kpt_trigger_no_kind(const struct kpt_trigger_request *r, enum kpt_diag_code code,
			const char *name, bool of_functions)
{
	const struct kpt_trigger_ops *ops;
	struct kpt_similar like;
	struct kpt_diag diag;
	unsigned int i;

	kpt_similar_begin(&like, name, strlen(name));
	for (i = 0; i < KPT_NR_TRIGGERS; i++) {
		ops = trigger_ops[i];
		if (of_functions ? ops->of_functions : !ops->only_functions)
			kpt_similar_see(&like, ops->name);
	}
	kpt_diag_set(&diag, code, 0, 0);
	kpt_similar_tell(&like, &diag);
	kpt_trigger_complain(r, &diag, name);
	return -EINVAL;
}

/**
 * kpt_trigger_set_count() - take the count of a command
 * @t: the trigger
 * @r: the command
 *
 * Context: process context, sleeps.
 * Return: 0; or -EINVAL or -ERANGE, with the reason in error_log.
 */
int kpt_trigger_set_count(struct kpt_trigger *t, const struct kpt_trigger_request *r)
{
	unsigned long n;
	int err;

	if (!r->count)
		return 0;
	err = kstrtoul(r->count, 0, &n);
	if (!err && n > LONG_MAX)
		err = -EINVAL;
	if (err)
		return kpt_trigger_refuse(r, KPT_E_TRIGGER_BAD_COUNT, r->count,
					  err);
	t->limited = true;
	atomic64_set(&t->left, n);
	return 0;
}

static int trigger_set_filter(struct kpt_trigger *t, const char *text)
{
	struct kpt_diag diag = { 0 };
	int err;

	t->filter = kpt_event_filter_make(text, t->file->event->fields, &diag,
					 &err);
	if (err && diag.code)
		kpt_errlog_add(&t->file->instance->errlog,
			       "event filter parse error", text, &diag);
	return err;
}

/* Cut off "COUNT", which begins with a digit. */
static void request_read_count(struct kpt_trigger_request *r)
{
	if (r->params && isdigit(*r->params))
		r->count = strsep(&r->params, " \t");
}

/* Is @word, which is not "if", in the place of a count? */
static bool request_is_count(const struct kpt_trigger_request *r,
			     const char *word)
{
	return !r->count && r->command[word - r->cut - 1] == ':';
}

/* Cut off "if FILTER". */
static int request_read_filter(struct kpt_trigger_request *r)
{
	const char *word;

	if (r->filter || !r->params)
		return 0;
	r->params = skip_spaces(r->params);
	word = strsep(&r->params, " \t");
	if (strcmp(word, "if"))
		return kpt_trigger_refuse(r, request_is_count(r, word) ?
					  KPT_E_TRIGGER_BAD_COUNT :
					  KPT_E_TRIGGER_NO_IF, word, -EINVAL);
	if (!r->params)
		return kpt_trigger_refuse(r, KPT_E_TRIGGER_NO_FILTER, NULL,
					  -EINVAL);
	r->filter = skip_spaces(r->params);
	return 0;
}

/* Fill in the parts that all kinds have. */
static int trigger_complete(struct kpt_trigger *t, struct kpt_trigger_request *r)
{
	const struct kpt_trigger_ops *ops = kpt_trigger_ops_of(t);
	int err = ops->check ? ops->check(r) : 0;

	if (!err)
		err = kpt_trigger_set_count(t, r);
	if (!err)
		err = request_read_filter(r);
	if (!err && r->filter)
		err = trigger_set_filter(t, r->filter);
	return err;
}

/* Arm the event of a new trigger, and let hits find it then. */
static int trigger_list_new(struct kpt_trigger *t)
{
	struct kpt_file_triggers *triggers = &t->file->triggers;
	int err;

	WRITE_ONCE(triggers->is_changing, true);
	trigger_find_conditions(t->file, t);
	err = kpt_event_file_hold(t->file, trigger_held(t));
	if (!err)
		trigger_list(t, true);
	else
		trigger_find_conditions(t->file, NULL);
	/* Pairs with the address dependencies of hits that find new code. */
	smp_store_release(&triggers->is_changing, false);
	return err;
}

/* Let hits run a new trigger. */
static int trigger_add(struct kpt_trigger *t, const struct kpt_trigger_request *r)
{
	const struct kpt_trigger_ops *ops = kpt_trigger_ops_of(t);
	const struct kpt_fields *fields = t->file->event->fields;
	int err = ops->prepare ? ops->prepare(t, r) : 0;

	if (!err && (fields->has_dynamic || fields->size > KPT_SCRATCH_RECORD))
		err = kpt_scratch_grow(false);
	if (!err)
		err = trigger_list_new(t);
	if (!err && ops->added)
		ops->added(t);
	return err;
}

static struct kpt_trigger *trigger_alloc(struct kpt_event_file *file,
					 enum kpt_trigger_kind kind)
{
	struct kpt_trigger *t = kvzalloc(trigger_ops[kind]->size, GFP_KERNEL);

	if (t) {
		t->file = file;
		t->kind = kind;
	}
	return t;
}

/* Make a trigger, or remove or change the one that excludes it. */
static int request_run(struct kpt_trigger_request *r, enum kpt_trigger_kind kind)
{
	struct trigger_set gone = { LIST_HEAD_INIT(gone.list) };
	const struct kpt_trigger_ops *ops = trigger_ops[kind];
	struct kpt_trigger *t, *old = NULL;
	int err = 0;

	t = trigger_alloc(r->file, kind);
	if (!t)
		return -ENOMEM;
	if (ops->parse)
		err = ops->parse(t, r);
	else
		request_read_count(r);
	/* The target identifies the trigger to remove, or all of it if ops->same. */
	if (!err && (!r->remove || ops->same))
		err = trigger_complete(t, r);
	if (!err)
		old = trigger_find(t);
	if (!err && !r->remove && !old) {
		err = trigger_add(t, r);
		if (!err)
			return 0;
	} else if (old && r->remove) {
		trigger_choose(old, &gone);
		err = trigger_remove(&gone);
	} else if (old) {
		err = ops->again ? ops->again(old, t, r) :
		      kpt_trigger_refuse(r, KPT_E_TRIGGER_EXISTS, r->cut,
					 -EEXIST);
	}
	trigger_free(t);
	return err;
}

/**
 * kpt_trigger_find_kind() - find a kind of triggers by the word of its commands
 * @name: the word
 * @kind: result
 *
 * Context: any.
 * Return: 0; -EINVAL if there is none; -EOPNOTSUPP if it belongs to a part that is left
 * out, and then @kind is set, too.
 */
int kpt_trigger_find_kind(const char *name, enum kpt_trigger_kind *kind)
{
	unsigned int i;

	for (i = 0; i < KPT_NR_TRIGGERS; i++) {
		if (!strcmp(name, trigger_ops[i]->name)) {
			*kind = i;
			return trigger_ops[i]->left_out ? -EOPNOTSUPP : 0;
		}
	}
	return -EINVAL;
}

/* Cut off the first word of a command, which names the kind. */
static int request_read_kind(struct kpt_trigger_request *r,
			     enum kpt_trigger_kind *kind)
{
	struct kpt_diag diag;
	const char *name;
	int err;

	r->remove = *r->cut == '!';
	r->params = r->cut + r->remove;
	name = strsep(&r->params, ": \t");
	err = kpt_trigger_find_kind(name, kind);
	if (err == -EOPNOTSUPP) {
		kpt_part_refuse(&diag, 0, trigger_ops[*kind]->left_out);
		kpt_trigger_complain(r, &diag, name);
		return err;
	}
	if (err || trigger_ops[*kind]->only_functions)
		return kpt_trigger_no_kind(r, KPT_E_TRIGGER_UNKNOWN, name, false);
	if (r->params) {
		r->params = skip_spaces(r->params);
		r->text = r->command + (r->params - r->cut);
	}
	return 0;
}

/**
 * kpt_trigger_make() - run a command
 * @file: the event
 * @text: the command, blanks at both ends cut off; overwritten
 * @is_helper: kpt_trigger_request.is_helper
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: as kpt_trigger_command().
 */
int kpt_trigger_make(struct kpt_event_file *file, char *text, bool is_helper)
{
	struct kpt_trigger_request r = {
		.file = file, .cut = text, .is_helper = is_helper,
	};
	enum kpt_trigger_kind kind;
	int err;

	r.command = kstrdup(text, GFP_KERNEL);
	if (!r.command)
		return -ENOMEM;
	err = request_read_kind(&r, &kind);
	if (!err)
		err = request_run(&r, kind);
	kfree(r.command);
	return err;
}

/**
 * kpt_trigger_command() - run a command that was written to a trigger file
 * @file: the event
 * @text: the command, blanks at both ends cut off; overwritten
 *
 * Mainline's rules: CMD[:GRP:EVENT][:COUNT][ if FILTER]; "!" in front removes the
 * trigger, with any count and filter. The instance's error_log names a mistake.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EINVAL; -ERANGE for a count that is too large; -EEXIST if the event
 * has a trigger of this family; -ENOENT for clearing or continuing a histogram that
 * does not exist; -E2BIG for a filter; -EBUSY if other code has patched a place of
 * an event that must be armed; -EPERM if that is needed while the kernel is locked
 * down; -EIO if text cannot be written; -ENOMEM; -EOPNOTSUPP for stacktrace on a
 * kernel that cannot walk its stacks.
 */
int kpt_trigger_command(struct kpt_event_file *file, char *text)
{
	int err = kpt_trigger_make(file, text, false);

	trigger_remove_spare(file->instance);
	return err;
}

/**
 * kpt_trigger_show() - write the line of a trigger in its file
 * @sb: gets the text
 * @t: the trigger
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_trigger_show(struct kpt_strbuf *sb, const struct kpt_trigger *t)
{
	const struct kpt_trigger_ops *ops = kpt_trigger_ops_of(t);

	if (ops->show) {
		ops->show(sb, t);
		return;
	}
	kpt_strbuf_puts(sb, ops->name);
	if (t->target)
		kpt_strbuf_printf(sb, ":%s:%s", t->target->event->group,
				  t->target->event->name);
	if (t->limited)
		kpt_strbuf_printf(sb, ":count=%lld",
				  (long long)atomic64_read(&t->left));
	else
		kpt_strbuf_puts(sb, ":unlimited");
	if (t->filter)
		kpt_strbuf_printf(sb, " if %s", t->filter->text);
	kpt_strbuf_putc(sb, '\n');
}

/**
 * kpt_trigger_show_commands() - write the text of a trigger file without triggers
 * @sb: gets the text
 *
 * Context: any.
 */
void kpt_trigger_show_commands(struct kpt_strbuf *sb)
{
	unsigned int i;

	kpt_strbuf_puts(sb, "# Available triggers:\n#");
	for (i = 0; i < KPT_NR_TRIGGERS; i++)
		if (!trigger_ops[i]->only_functions && !trigger_ops[i]->left_out)
			kpt_strbuf_printf(sb, " %s", trigger_ops[i]->name);
	kpt_strbuf_putc(sb, '\n');
}
