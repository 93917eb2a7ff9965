// SPDX-License-Identifier: GPL-2.0-only
/* Triggers of an event in an instance: made from text, removed, shown. */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "event/class.h"
#include "event/filter.h"
#include "event/snapshot.h"
#include "kernel/ksyms.h"
#include "trigger/trigger.h"

/**
 * struct command - a word that a trigger begins with
 * @name: the word
 * @family: an event has one trigger of a family, or of a family and target;
 *	they remove each other
 */
struct command {
	const char *name;
	enum kpt_trigger_kind family;
};

static const struct command commands[KPT_NR_TRIGGERS] = {
	[KPT_TRIGGER_TRACEON] = { "traceon", KPT_TRIGGER_TRACEON },
	[KPT_TRIGGER_TRACEOFF] = { "traceoff", KPT_TRIGGER_TRACEON },
	[KPT_TRIGGER_SNAPSHOT] = { "snapshot", KPT_TRIGGER_SNAPSHOT },
	[KPT_TRIGGER_STACKTRACE] = { "stacktrace", KPT_TRIGGER_STACKTRACE },
	[KPT_TRIGGER_ENABLE_EVENT] = {
		"enable_event", KPT_TRIGGER_ENABLE_EVENT
	},
	[KPT_TRIGGER_DISABLE_EVENT] = {
		"disable_event", KPT_TRIGGER_ENABLE_EVENT
	},
	[KPT_TRIGGER_ENABLE_HIST] = {
		"enable_hist", KPT_TRIGGER_ENABLE_HIST
	},
	[KPT_TRIGGER_DISABLE_HIST] = {
		"disable_hist", KPT_TRIGGER_ENABLE_HIST
	},
	[KPT_TRIGGER_HIST] = { "hist", KPT_TRIGGER_HIST },
};

/**
 * struct request - a trigger as it was written
 * @file: the event
 * @kind: its command
 * @target: the event it names, or NULL
 * @count: how often, or NULL
 * @filter: what stands behind the command, or NULL
 */
struct request {
	struct kpt_event_file *file;
	enum kpt_trigger_kind kind;
	struct kpt_event_file *target;
	const char *count;
	char *filter;
};

/**
 * kpt_trigger_free() - free a trigger that no hit runs
 * @t: the trigger
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_trigger_free(struct kpt_trigger *t)
{
	kpt_trigger_hist_free(t->hist);
	kpt_event_filter_free(t->filter);
	kfree(t);
}

/* What it holds besides its own event. */
static struct kpt_event_file *held(const struct kpt_trigger *t)
{
	return t->target == t->file ? NULL : t->target;
}

/**
 * kpt_trigger_remove() - take a trigger from its event and free it
 * @t: the trigger
 *
 * Off the list first: a hit that runs it may want what it holds.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM; then it is still there.
 */
int kpt_trigger_remove(struct kpt_trigger *t)
{
	int err;

	list_del_rcu(&t->list);
	/* Hits run with interrupts masked: none uses it after this. */
	kpt_arch_quiesce();
	err = kpt_event_file_release(t->file, held(t));
	if (err)
		list_add_tail_rcu(&t->list, &t->file->triggers);
	else
		kpt_trigger_free(t);
	return err;
}

/**
 * kpt_trigger_truncate() - the trigger file was opened with O_TRUNC
 * @file: the event
 *
 * Hist triggers and those that switch them go, others stay, as in mainline.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM; then some are left.
 */
int kpt_trigger_truncate(struct kpt_event_file *file)
{
	struct kpt_trigger *t, *next;
	int err = 0;

	list_for_each_entry_safe(t, next, &file->triggers, list) {
		if (t->kind >= KPT_TRIGGER_ENABLE_HIST)
			err = kpt_trigger_remove(t);
		if (err)
			break;
	}
	return err;
}

/**
 * kpt_trigger_remove_all() - remove all triggers of an instance
 * @instance: the instance
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM; then some are left.
 */
int kpt_trigger_remove_all(struct kpt_instance *instance)
{
	struct kpt_trigger *t, *next;
	struct kpt_event_file *file;
	int err;

	list_for_each_entry(file, &instance->files, instance_link) {
		list_for_each_entry_safe(t, next, &file->triggers, list) {
			err = kpt_trigger_remove(t);
			if (err)
				return err;
		}
	}
	return 0;
}

/**
 * kpt_trigger_free_all() - free all triggers of all instances
 *
 * Needs no memory. Their events stay armed, but run no trigger any more.
 *
 * Context: module unload; sleeps, kpt_mutex held.
 */
void kpt_trigger_free_all(void)
{
	struct kpt_instance *instance;
	struct kpt_trigger *t, *next;
	struct kpt_event_file *file;
	LIST_HEAD(all);

	list_for_each_entry(instance, &kpt_instances, list)
		list_for_each_entry(file, &instance->files, instance_link)
			list_splice_tail_init_rcu(&file->triggers, &all,
						  kpt_arch_quiesce);
	list_for_each_entry_safe(t, next, &all, list)
		kpt_trigger_free(t);
}

/* The trigger that stands in the way of the wanted one. */
static struct kpt_trigger *find_trigger(const struct request *r)
{
	struct kpt_trigger *t;

	list_for_each_entry(t, &r->file->triggers, list)
		if (commands[t->kind].family == commands[r->kind].family &&
		    t->target == r->target)
			return t;
	return NULL;
}

static int set_count(struct kpt_trigger *t, const char *count)
{
	unsigned long n;
	int err;

	if (!count)
		return 0;
	err = kstrtoul(count, 0, &n);
	if (err)
		return err;
	if (n > LONG_MAX)
		return -EINVAL;
	t->limited = true;
	atomic64_set(&t->left, n);
	return 0;
}

/**
 * kpt_trigger_set_filter() - give a new trigger its filter
 * @t: a trigger with its event
 * @text: what stands behind "if"
 *
 * Mistakes go to the instance's error_log.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, -EINVAL, -E2BIG or -ENOMEM.
 */
int kpt_trigger_set_filter(struct kpt_trigger *t, const char *text)
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

/* "if FILTER" */
static int set_filter(struct kpt_trigger *t, char *text)
{
	const char *word;

	if (!text)
		return 0;
	word = strsep(&text, " \t");
	if (strcmp(word, "if") || !text)
		return -EINVAL;
	return kpt_trigger_set_filter(t, skip_spaces(text));
}

static int check_kernel(const struct request *r)
{
	struct kpt_diag diag;

	if (r->kind != KPT_TRIGGER_STACKTRACE || kpt_ksyms.stack_walk)
		return 0;
	kpt_diag_set(&diag, KPT_E_NO_STACK_WALK, 0, 0);
	kpt_errlog_add(&r->file->instance->errlog, "trigger",
		       commands[r->kind].name, &diag);
	return -EOPNOTSUPP;
}

static int fill_trigger(struct kpt_trigger *t, const struct request *r)
{
	int err;

	t->file = r->file;
	t->kind = r->kind;
	t->target = r->target;
	err = check_kernel(r);
	if (!err)
		err = set_count(t, r->count);
	if (!err)
		err = set_filter(t, r->filter);
	if (!err && find_trigger(r))
		err = -EEXIST;
	if (!err && r->kind == KPT_TRIGGER_SNAPSHOT)
		err = kpt_snapshot_alloc(r->file->instance);
	return err;
}

/**
 * kpt_trigger_publish() - let hits run a new trigger
 * @t: the trigger
 *
 * Hits find it once the event is armed.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -errno; then nothing has changed.
 */
int kpt_trigger_publish(struct kpt_trigger *t)
{
	int err;

	err = kpt_trigger_scratch_get(t->file->event->fields);
	if (!err)
		err = kpt_event_file_hold(t->file, held(t));
	if (!err)
		list_add_tail_rcu(&t->list, &t->file->triggers);
	return err;
}

static int add_trigger(const struct request *r)
{
	struct kpt_trigger *t;
	int err;

	t = kzalloc(sizeof(*t), GFP_KERNEL);
	if (!t)
		return -ENOMEM;
	err = fill_trigger(t, r);
	if (!err)
		err = kpt_trigger_publish(t);
	if (err)
		kpt_trigger_free(t);
	else if (t->kind == KPT_TRIGGER_ENABLE_EVENT)
		t->target->was_enabled = true;
	return err;
}

static int find_command(const char *name, enum kpt_trigger_kind *kind)
{
	unsigned int i;

	for (i = 0; i < KPT_NR_TRIGGERS; i++) {
		if (!strcmp(name, commands[i].name)) {
			*kind = i;
			return 0;
		}
	}
	return -EINVAL;
}

/* "[COUNT][ if FILTER]"; a count begins with a digit. */
static void split(struct request *r, char *text)
{
	r->filter = text;
	if (!text || !isdigit(*text))
		return;
	r->count = strsep(&r->filter, " \t");
	if (r->filter)
		r->filter = skip_spaces(r->filter);
}

static bool has_target(enum kpt_trigger_kind kind)
{
	return kind >= KPT_TRIGGER_ENABLE_EVENT &&
	       kind <= KPT_TRIGGER_DISABLE_HIST;
}

static struct kpt_event_file *find_file(const struct kpt_instance *instance,
				  const char *group, const char *name)
{
	struct kpt_event_file *file;

	list_for_each_entry(file, &instance->files, instance_link)
		if (!kpt_event_is_builtin(file->event) &&
		    !strcmp(file->event->group, group) &&
		    !strcmp(file->event->name, name))
			return file;
	return NULL;
}

/* "GRP:EVENT[:COUNT][ if FILTER]" */
static int split_target(struct request *r, char *text)
{
	char *group, *name;

	r->filter = text;
	text = strsep(&r->filter, " \t");
	group = strsep(&text, ":");
	name = strsep(&text, ":");
	if (!name)
		return -EINVAL;
	r->count = text;
	if (r->filter)
		r->filter = skip_spaces(r->filter);
	r->target = find_file(r->file->instance, group, name);
	return r->target ? 0 : -EINVAL;
}

/**
 * kpt_trigger_command() - obey what was written to a trigger file
 * @file: the event
 * @text: the command, blanks at both ends cut off; is taken apart
 *
 * Mainline's rules: CMD[:GRP:EVENT][:COUNT][ if FILTER]; "!" in front removes, whatever
 * count and filter say. Mistakes in a filter go to the instance's error_log.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EINVAL; -EEXIST if the event has a trigger of this sort; -ENOMEM;
 * -EOPNOTSUPP for stacktrace on a kernel that can not walk its stacks.
 */
int kpt_trigger_command(struct kpt_event_file *file, char *text)
{
	struct request r = { .file = file };
	bool remove = *text == '!';
	struct kpt_trigger *old;
	const char *name;
	int err;

	text += remove;
	name = strsep(&text, ": \t");
	if (text)
		text = skip_spaces(text);
	err = find_command(name, &r.kind);
	if (err)
		return err;
	if (r.kind == KPT_TRIGGER_HIST)
		return kpt_trigger_hist_command(file, text, remove);
	if (has_target(r.kind))
		err = split_target(&r, text);
	else
		split(&r, text);
	if (err || !remove)
		return err ?: add_trigger(&r);
	old = find_trigger(&r);
	return old ? kpt_trigger_remove(old) : 0;
}

/**
 * kpt_trigger_show() - the line of a trigger in its file
 * @sb: where to
 * @t: the trigger
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_trigger_show(struct kpt_strbuf *sb, const struct kpt_trigger *t)
{
	if (t->kind == KPT_TRIGGER_HIST) {
		kpt_hist_show_trigger(sb, &t->hist->hist,
				      t->filter ? t->filter->text : NULL,
				      t->hist->paused);
		return;
	}
	kpt_strbuf_puts(sb, commands[t->kind].name);
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
 * kpt_trigger_show_commands() - what a trigger file says if there is none
 * @sb: where to
 *
 * Context: any.
 */
void kpt_trigger_show_commands(struct kpt_strbuf *sb)
{
	unsigned int i;

	kpt_strbuf_puts(sb, "# Available triggers:\n#");
	for (i = 0; i < KPT_NR_TRIGGERS; i++)
		kpt_strbuf_printf(sb, " %s", commands[i].name);
	kpt_strbuf_putc(sb, '\n');
}
