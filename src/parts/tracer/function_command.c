// SPDX-License-Identifier: GPL-2.0-only
/*
 * Triggers of functions, the commands of set_ftrace_filter: FUNCTIONS:COMMAND[:COUNT].
 * Each function has a trigger of its own, with a count of its own, and a probe at its
 * entry. A command arms or disarms all its functions in one batch.
 */
#include "kernel/compat.h"
#include <linux/delay.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "arming/handlers.h"
#include "arming/sites.h"
#include "event/class.h"
#include "event/use.h"
#include "lib/base/glob.h"
#include "parts/tracer/function_command.h"
#include "trigger/ops.h"
#include "parts/tracer/tracer.h"
#include "kernel/symbol/symbol.h"

static struct kpt_function_trigger *function_of(const struct kpt_trigger *t)
{
	return container_of(t, struct kpt_function_trigger, trigger);
}

/*
 * The event. It has no records; its file in an instance has the triggers.
 */

static void function_detach(struct kpt_probe *base, const struct module *mod,
			    kpt_going_t is_going);

static const struct kpt_event_class class_function = {
	.letters = "",
	.log_name = "set_ftrace_filter",
	.is_unlisted = true,
	.arm = kpt_sites_arm,
	.disarm = kpt_sites_disarm,
	.detach = function_detach,
};

static struct kpt_event event_function = {
	.name = "set_ftrace_filter",
	.id = KPT_RECORD_FUNCTION,
	.class = &class_function,
	.fields = &kpt_fields_function,
	.of = &kpt_group_builtin,
	.refs = REFCOUNT_INIT(1),
	.probes = LIST_HEAD_INIT(event_function.probes),
	.followers = LIST_HEAD_INIT(event_function.followers),
	.files = LIST_HEAD_INIT(event_function.files),
};

/**
 * kpt_function_trigger_event() - the event whose probes are the triggers of functions
 *
 * Context: any.
 * Return: the event, which is in no list.
 */
const struct kpt_event *kpt_function_trigger_event(void)
{
	return &event_function;
}

/* The file of an instance, made for its first command; NULL without memory. */
static struct kpt_event_file *function_file(struct kpt_instance *instance)
{
	struct kpt_event_file *file = kpt_tracer_of(instance)->functions;

	if (file)
		return file;
	file = kpt_event_file_add_unlisted(&event_function, instance);
	if (!file)
		return NULL;
	/* It is always held: its sinks are of triggers, and nothing is recorded. */
	file->soft = 1;
	file->is_tracer = true;
	kpt_tracer_of(instance)->functions = file;
	return file;
}

/*
 * Ending.
 */

static void function_free(struct kpt_function_trigger *f)
{
	kpt_trigger_fini(&f->trigger);
	kpt_sites_put(&f->base);
	kpt_probe_fini(&f->base);
	kfree(f);
}

static void functions_free(struct list_head *list)
{
	struct kpt_trigger *t, *next;

	list_for_each_entry_safe(t, next, list, gone)
		function_free(function_of(t));
}

/* Put references on an event. This cannot fail: it is tried until it has worked. */
static void function_release(struct kpt_event_file *target, unsigned int nr)
{
	while (nr) {
		if (kpt_event_file_release(&target, 1))
			msleep(20);
		else
			nr--;
	}
}

/* Remove triggers, kpt_trigger.gone, that are disarmed. */
static void functions_drop(struct list_head *gone)
{
	struct kpt_trigger *t;

	list_for_each_entry(t, gone, gone) {
		list_del(&t->list);
		list_del(&function_of(t)->base.list);
		list_del(&function_of(t)->base.sibling);
		if (t->target)
			function_release(t->target, 1);
	}
	functions_free(gone);
}

/* The same, of triggers that are armed. Returns 0; or -ENOMEM, and then none is removed. */
static int functions_remove(struct list_head *gone, struct kpt_instance *instance)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	struct kpt_trigger *t;
	int err = 0;

	list_for_each_entry(t, gone, gone)
		err = err ?: kpt_sites_disarm(&function_of(t)->base, t->file, &batch);
	err = kpt_event_file_batch_finish(&batch, err, &instance->errlog);
	if (!err)
		functions_drop(gone);
	return err;
}

/* The trigger goes with the module that has its function. */
static void function_detach(struct kpt_probe *base, const struct module *mod,
			    kpt_going_t is_going)
{
	LIST_HEAD(gone);

	list_add(&container_of(base, struct kpt_function_trigger, base)->trigger.gone,
		 &gone);
	functions_drop(&gone);
}

/**
 * kpt_function_trigger_remove_all() - remove all triggers of functions of an instance
 * @instance: the instance
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or -ENOMEM or -EIO, and then no trigger is removed.
 */
int kpt_function_trigger_remove_all(struct kpt_instance *instance)
{
	const struct kpt_event_file *file = kpt_tracer_of(instance)->functions;
	struct kpt_trigger *t;
	LIST_HEAD(gone);

	lockdep_assert_held(&kpt_mutex);
	if (!file)
		return 0;
	list_for_each_entry(t, &file->triggers.list, list)
		list_add_tail(&t->gone, &gone);
	return functions_remove(&gone, instance);
}

/**
 * kpt_function_trigger_free_all() - remove all triggers of functions of all instances
 *
 * This cannot fail: it is tried until it has worked.
 *
 * Context: module unload; sleeps, kpt_mutex held.
 */
void kpt_function_trigger_free_all(void)
{
	struct kpt_instance *instance;

	list_for_each_entry(instance, &kpt_instances, list)
		while (kpt_function_trigger_remove_all(instance))
			msleep(20);
}

/*
 * Commands.
 */

/* Commands differ by what they do, and by whether they count. */
static bool function_same(const struct kpt_trigger *a, const struct kpt_trigger *b)
{
	return a->kind == b->kind && a->target == b->target && a->limited == b->limited;
}

/* The functions that have a command already. */
static int functions_with(const struct kpt_trigger *like, struct kpt_function_set *set)
{
	struct kpt_symbol_list *list = &set->list;
	const struct kpt_trigger *t;
	int err = 0;

	kpt_function_set_init(set);
	list_for_each_entry(t, &like->file->triggers.list, list)
		if (!err && function_same(t, like))
			err = kpt_symbol_list_add(list, function_of(t)->func);
	kpt_symbol_list_sort_unique(list);
	return err;
}

/* Find the functions of a command. Returns -EINVAL with a reason if there are none. */
static int function_find(struct kpt_symbol_list *list, const char *names,
			 struct kpt_diag *diag)
{
	unsigned long modules;
	int err;

	/* Again, if modules came or went in between. */
	do {
		modules = kpt_symbol_modules_seq();
		kpt_symbol_list_free(list);
		err = kpt_function_list(list, NULL, names, diag);
		if (fatal_signal_pending(current))
			err = -EINTR;
	} while (err != -EINTR && modules != kpt_symbol_modules_seq());
	return err ?: list->nr ? 0 : -EINVAL;
}

static const struct kpt_use use_trigger = {
	.role = KPT_ROLE_TRIGGER,
};

/* Make the trigger of one function, as @like. Without one, @func cannot be probed. */
static int function_make(unsigned long func, const struct kpt_trigger *like,
			 struct list_head *made)
{
	struct kpt_function_trigger *f = kzalloc(sizeof(*f), GFP_KERNEL);
	struct kpt_diag why = { 0 };
	int err;

	if (!f)
		return -ENOMEM;
	f->func = func;
	f->trigger = *like;
	f->base.event = &event_function;
	f->base.use = &use_trigger;
	err = kpt_probe_init_shaped(&f->base, &kpt_fields_function);
	err = err ?: kpt_sites_get_hit(&f->base, func, func, &why);
	if (err) {
		function_free(f);
		return err == -EINVAL ? 0 : err;
	}
	list_add_tail(&f->trigger.gone, made);
	cond_resched();
	return 0;
}

/* Make the triggers of those functions that have none as @like yet. */
static int functions_make(const struct kpt_symbol_list *list,
			  const struct kpt_trigger *like, struct list_head *made,
			  const struct kpt_trigger_request *r)
{
	struct kpt_function_set with;
	int err = functions_with(like, &with);
	unsigned int i;

	for (i = 0; !err && i < list->nr; i++)
		if (!kpt_function_set_has(&with, list->addr[i]))
			err = kpt_lock_is_killed() ?:
			      function_make(list->addr[i], like, made);
	kpt_function_set_free(&with);
	if (!err && list_empty(made))
		err = kpt_trigger_refuse(r, KPT_E_FUNCTION_EXISTS, r->cut, -EEXIST);
	return err;
}

/* Arm all but those whose entry other code has patched, which are freed. */
static int functions_arm(struct list_head *made, struct kpt_event_file *file,
			 const struct kpt_trigger_request *r)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	int err = security_locked_down(LOCKDOWN_KPROBES);
	struct kpt_trigger *t, *next;
	struct kpt_diag diag = { 0 };
	LIST_HEAD(busy);

	/* stacktrace records, and nothing else may in this instance. */
	err = err ?: kpt_buffer_use(&file->instance->buffer);
	list_for_each_entry_safe(t, next, made, gone) {
		if (err)
			break;
		err = kpt_sites_arm(&function_of(t)->base, file, &batch, &diag);
		if (err != -EBUSY)
			continue;
		err = 0;
		list_move(&t->gone, &busy);
	}
	if (!err && list_empty(made))
		err = kpt_trigger_refuse(r, diag.code, r->cut, -EBUSY);
	err = kpt_event_file_batch_finish(&batch, err, &file->instance->errlog);
	functions_free(&busy);
	return err;
}

static void functions_add(struct list_head *made, struct kpt_event_file *file)
{
	struct kpt_trigger *t;

	list_for_each_entry(t, made, gone) {
		kpt_event_add_probe(&event_function, &function_of(t)->base);
		list_add_tail(&t->list, &file->triggers.list);
	}
}

/* Hold the target once for each function that will run the trigger. */
static int functions_hold(const struct list_head *made, struct kpt_event_file *target,
			  unsigned int *nr)
{
	const struct kpt_trigger *t;
	int err = 0;

	*nr = 0;
	list_for_each_entry(t, made, gone) {
		err = err ?: kpt_event_file_hold(target, NULL);
		*nr += !err;
	}
	return err;
}

static int functions_begin(struct list_head *made, struct kpt_trigger *like,
			   const struct kpt_trigger_request *r)
{
	const struct kpt_trigger_ops *ops = kpt_trigger_ops_of(like);
	struct kpt_trigger *t;
	unsigned int held = 0;
	int err = 0;

	if (ops->prepare)
		list_for_each_entry(t, made, gone)
			err = err ?: ops->prepare(t, r);
	if (!err && like->target)
		err = functions_hold(made, like->target, &held);
	err = err ?: functions_arm(made, like->file, r);
	if (!err) {
		list_for_each_entry(t, made, gone)
			held -= !!like->target;
		functions_add(made, like->file);
		if (ops->added)
			ops->added(like);
	}
	/* Those of functions that were not armed. */
	if (held)
		function_release(like->target, held);
	return err;
}

static int functions_add_new(const struct kpt_symbol_list *list, struct kpt_trigger *like,
			     const struct kpt_trigger_request *r)
{
	LIST_HEAD(made);
	int err = functions_make(list, like, &made, r);

	err = err ?: functions_begin(&made, like, r);
	if (err)
		functions_free(&made);
	return err;
}

/* Is the name of a function one of @names? @buf has room for any name. */
static bool function_is_named(const struct kpt_trigger *t, const char *names, char *buf)
{
	sprint_symbol_no_offset(buf, function_of(t)->func);
	buf[strcspn(buf, " ")] = '\0';
	return kpt_glob_list_match(names, strlen(names), buf, strlen(buf));
}

static int functions_remove_named(const struct kpt_trigger *like, const char *names,
				  const struct kpt_trigger_request *r)
{
	char *buf = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);
	struct kpt_trigger *t;
	LIST_HEAD(gone);
	int err = 0;

	if (!buf)
		return -ENOMEM;
	list_for_each_entry(t, &like->file->triggers.list, list) {
		err = kpt_lock_is_killed();
		if (err)
			break;
		if (function_same(t, like) && function_is_named(t, names, buf))
			list_add_tail(&t->gone, &gone);
		cond_resched();
	}
	kfree(buf);
	if (err)
		return err;
	if (list_empty(&gone))
		return kpt_trigger_refuse(r, KPT_E_FUNCTION_HAS_NONE, r->cut, -EINVAL);
	return functions_remove(&gone, like->file->instance);
}

/* Take "COMMAND[:GRP:EVENT][:COUNT]" apart. */
static int function_parse(struct kpt_trigger *t, struct kpt_trigger_request *r)
{
	const char *name = strsep(&r->params, ":");
	const struct kpt_trigger_ops *ops;
	int err;

	if (kpt_trigger_find_kind(name, &t->kind))
		return kpt_trigger_no_kind(r, KPT_E_FUNCTION_NO_COMMAND, name, true);
	ops = kpt_trigger_ops_of(t);
	if (!ops->of_functions)
		return kpt_trigger_no_kind(r, KPT_E_FUNCTION_NO_COMMAND, name, true);
	r->count = ops->parse ? NULL : r->params;
	err = ops->parse ? ops->parse(t, r) : 0;
	if (r->count && !*r->count)
		r->count = NULL;
	if (!err && r->remove)
		t->limited = r->count;
	else if (!err)
		err = (ops->check ? ops->check(r) : 0) ?: kpt_trigger_set_count(t, r);
	return err;
}

/*
 * Others may take kpt_mutex while functions are found, and delete the event that a command
 * names: so function_parse() is later. Its errors come first.
 */
static int function_add(const char *names, struct kpt_trigger_request *r)
{
	struct kpt_trigger like = { .file = r->file };
	struct kpt_symbol_list list = { 0 };
	struct kpt_diag diag;
	int found = function_find(&list, names, &diag);
	int err = found == -EINTR ? found : function_parse(&like, r);

	if (!err && found == -EINVAL)
		kpt_trigger_complain(r, &diag, names);
	err = err ?: found ?: functions_add_new(&list, &like, r);
	kpt_symbol_list_free(&list);
	return err;
}

static int function_remove(const char *names, struct kpt_trigger_request *r)
{
	struct kpt_trigger like = { .file = r->file };

	return function_parse(&like, r) ?: functions_remove_named(&like, names, r);
}

static int function_run(struct kpt_trigger_request *r)
{
	const char *blank = strpbrk(r->cut, " \t\n"), *names;

	if (blank)
		return kpt_trigger_refuse(r, KPT_E_FUNCTION_NOT_ALONE,
					  skip_spaces(blank), -EINVAL);
	r->remove = *r->cut == '!';
	r->params = r->cut + r->remove;
	names = strsep(&r->params, ":");
	return r->remove ? function_remove(names, r) : function_add(names, r);
}

/**
 * kpt_function_trigger_is() - is a command in what was written to set_ftrace_filter?
 * @text: words
 *
 * Context: any.
 * Return: true; false if all words choose functions, perhaps those of a module.
 */
bool kpt_function_trigger_is(const char *text)
{
	while ((text = strchr(text, ':'))) {
		if (strncmp(++text, "mod:", 4))
			return true;
		text += strlen("mod:");
	}
	return false;
}

/**
 * kpt_function_trigger_command() - add triggers to functions, or remove some
 * @instance: the instance
 * @file: name of the file that was written to, for error_log
 * @text: FUNCTIONS:COMMAND[:GRP:EVENT][:COUNT], where FUNCTIONS is a name or a pattern;
 *	"!" in front removes. Overwritten
 *
 * Mainline's rules: a command with a count and the same without one are two, and only
 * those like the one behind "!" are removed. Functions that cannot be probed are left out.
 * Others may take kpt_mutex while functions are found.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or, with the reason in error_log, -EINVAL, -ERANGE for a count that is too
 * large, -EEXIST if all functions have that command, -EBUSY if other code has patched all
 * of them; -EPERM while the kernel is locked down; -EOPNOTSUPP for stacktrace on a kernel
 * that cannot walk its stacks; -ENOMEM; -EIO if text cannot be written; -EINTR if the task
 * is being killed. Then nothing has changed.
 */
int kpt_function_trigger_command(struct kpt_instance *instance, const char *file,
				 char *text)
{
	struct kpt_trigger_request r = {
		.file = function_file(instance), .log = file, .cut = text,
	};
	int err;

	lockdep_assert_held(&kpt_mutex);
	if (!r.file)
		return -ENOMEM;
	r.command = kstrdup(text, GFP_KERNEL);
	if (!r.command)
		return -ENOMEM;
	err = function_run(&r);
	kfree(r.command);
	return err;
}

/**
 * kpt_function_trigger_show() - write the triggers of functions, one in a line
 * @m: gets the text
 * @instance: the instance
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_function_trigger_show(struct seq_file *m, const struct kpt_instance *instance)
{
	const struct kpt_event_file *file = kpt_tracer_of(instance)->functions;
	char text[2 * KPT_NAME_MAX + 64];
	const struct kpt_trigger *t;
	struct kpt_strbuf sb;

	if (!file)
		return;
	list_for_each_entry(t, &file->triggers.list, list) {
		kpt_strbuf_init(&sb, text, sizeof(text));
		kpt_trigger_show(&sb, t);
		seq_printf(m, "%ps:%s", (void *)function_of(t)->func, text);
	}
}
