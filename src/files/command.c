// SPDX-License-Identifier: GPL-2.0-only
/*
 * One line of definitions: it makes an event with its directories, or deletes
 * events. Lines are written to kprobe_events, dynamic_events and synthetic_events, or
 * given in the parameter kprobe_event= of the module.
 */
#include "kernel/compat.h"
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "event/class.h"
#include "fs/fs.h"
#include "kernel/symbol/similar_function.h"
#include "lib/base/glob.h"

/* Is a name of the definition the name of a file of the table? */
static bool names_file(const struct kpt_def *def, const struct kpt_span *span,
		       const struct kpt_fs_table *entries)
{
	unsigned int i;

	for (i = 0; i < entries->nr; i++)
		if (kpt_def_is(def, span, entries->entry[i].name))
			return true;
	return false;
}

/* The same of files of parts in events/. */
static bool names_file_of_part(const struct kpt_def *def, const struct kpt_span *span)
{
	const struct kpt_fs_table *table;
	unsigned int nth;

	for (nth = 0; (table = kpt_parts_table(KPT_DIR_EVENTS, nth)); nth++)
		if (names_file(def, span, table))
			return true;
	return false;
}

/* Delete the event that was made last. */
static void command_undefine(struct kpt_event *event)
{
	LIST_HEAD(dead);

	if (!kpt_event_remove(event, &dead))
		kpt_tree_free_events(&dead);
}

/**
 * kpt_command_define() - make a probe, and its event with files in all instances
 * @def: a parsed definition, not a delete line
 * @diag: on failure the reason
 * @event: result: the event, if it is new; else NULL
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or an errno of kpt_event_define(), and then nothing has changed.
 */
int kpt_command_define(const struct kpt_def *def, struct kpt_diag *diag,
		       struct kpt_event **event)
{
	int err;

	/* Its directory would have the name of a file. */
	if (names_file(def, &def->group, &kpt_all_events_entries) ||
	    names_file_of_part(def, &def->group) ||
	    names_file(def, &def->event, &kpt_group_entries) ||
	    ((def->of_tracepoint || def->of_data) && !def->event.len &&
	     names_file(def, &def->symbol, &kpt_group_entries)))
		return kpt_diag_set(diag, KPT_E_EVENT_EXIST, 0, -EEXIST);

	err = kpt_event_define(def, diag, event);
	if (err || !*event)
		return err;
	err = kpt_event_files_add(*event);
	if (err)
		command_undefine(*event);
	return err;
}

/**
 * kpt_command_delete_pieces() - delete what a delete line names, in pieces
 * @def: as for kpt_event_delete(); NULL: everything
 * @file: as for kpt_event_delete()
 * @diag: as for kpt_event_delete()
 *
 * Deletes what there is now. Others may take kpt_mutex in between, so after an error in a
 * later piece some events are deleted.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -ENOENT if nothing matches; -EBUSY if an event is in use; -EINTR if the task
 * is being killed; -ENOMEM.
 */
int kpt_command_delete_pieces(const struct kpt_def *def, enum kpt_listing file,
			      struct kpt_diag *diag)
{
	LIST_HEAD(dead);
	int err, nr;
	u64 last;

	kpt_parts_before_delete();
	err = kpt_event_may_delete(def, file, diag);
	if (err)
		return err;
	last = list_last_entry(&kpt_events, struct kpt_event, list)->seq;
	do {
		nr = kpt_event_delete_some(def, file, last, diag, &dead);
		kpt_tree_free_events(&dead);
	} while (nr == KPT_PIECE && !(err = kpt_mutex_yield()));
	return nr < 0 ? nr : err;
}

static int command_delete(const struct kpt_def *def, enum kpt_listing file,
		  struct kpt_diag *diag)
{
	LIST_HEAD(dead);
	int err;

	if (def->is_synthetic)
		file = KPT_LISTS_SYNTHETIC;
	/* Without the name of an event there may be any number of them. */
	if (!def->event.len)
		return kpt_command_delete_pieces(def, file, diag);
	kpt_parts_before_delete();
	err = kpt_event_delete(def, file, diag, &dead);
	kpt_tree_free_events(&dead);
	return err;
}

/* Say in a reason what may be wrong with the name of a function. */
static void command_tell_function(const struct kpt_def *def, struct kpt_diag *diag)
{
	char *module = kpt_probe_dup_span(def, &def->module);
	char *name = kpt_probe_dup_span(def, &def->symbol);

	/* kpt_mutex is not lost: kpt_lock_keep(). */
	if (name && (module || !def->module.len))
		kpt_similar_tell_function(module, name, diag);
	kfree(module);
	kfree(name);
}

/* Mainline has one text for all reasons why a place is not there: which one is it? */
static void command_tell_place(const struct kpt_def *def, struct kpt_diag *diag)
{
	const struct kpt_span *symbol = &def->symbol;
	bool is_pattern = false;

	if (diag->code != KPT_E_BAD_PROBE_ADDR || diag->column != def->place.at ||
	    !symbol->len || def->of_data)
		return;
	kpt_glob_list_check(def->text + symbol->at, symbol->len, &is_pattern);
	if (!is_pattern)
		command_tell_function(def, diag);
	else if (!def->of_function)
		kpt_diag_detail(diag, "patterns are for f events");
	else
		kpt_diag_detail(diag, def->module.len ?
				"the module has no such function" :
				"no function matches; MODULE:PATTERN waits for a module");
}

static int command_run_line(struct kpt_def *def, const char *line, size_t len,
		    enum kpt_listing file, struct kpt_diag *diag)
{
	const struct kpt_event_class *class;
	struct kpt_event *event;
	bool is_other;
	int err;

	if (file == KPT_LISTS_SYNTHETIC)
		err = kpt_def_parse_synthetic(def, line, len, diag);
	else
		err = kpt_def_parse(def, line, len, diag);
	class = kpt_class_of(def);
	is_other = class ? !class->in_kprobe_events :
		   def->kind == KPT_DEF_SYNTHETIC || def->kind == KPT_DEF_USER;
	if (is_other && file == KPT_LISTS_KPROBE)
		return kpt_diag_set(diag, KPT_E_OTHER_FILE, 0, -EINVAL);
	if (err)
		return err;
	switch (def->kind) {
	case KPT_DEF_NONE:	/* blank */
		return 0;
	case KPT_DEF_DELETE:
		if (def->by_command && file == KPT_LISTS_KPROBE)
			return -EINVAL;
		return command_delete(def, file, diag);
	default:
		/* What a definition has taken is given back under kpt_mutex. */
		kpt_lock_keep();
		if (class && class->define)
			err = class->define(def, diag);
		else
			err = kpt_command_define(def, diag, &event);
		if (err)
			command_tell_place(def, diag);
		return err;
	}
}

/* Of a line that is no definition, mainline notes nothing in most files. */
static void command_why(const struct kpt_def *def, enum kpt_listing file, int err,
			struct kpt_diag *diag)
{
	const char *line = def->text, *blank = strchr(line, ' ');
	enum kpt_diag_code code = KPT_E_BAD_LINE;
	unsigned int column = 0;

	if (def->kind == KPT_DEF_DELETE) {
		code = KPT_E_BAD_DELETE;
	} else if (strchr("prftewc", *line) && !blank) {
		code = KPT_E_NO_PLACE;
		column = strlen(line);
	} else if (strchr("pr", *line) && strchr(blank, '/')) {
		code = KPT_E_USER_PLACE;
		column = blank + 1 - line;
	} else if (file == KPT_LISTS_DYNAMIC) {
		code = KPT_E_NO_DYNEVENT;
	}
	kpt_diag_set(diag, code, column, err);
}

static void command_log_mistake(const struct kpt_def *def, enum kpt_listing file,
				unsigned int nr, int err, struct kpt_diag *diag)
{
	const struct kpt_event_class *class = kpt_class_of(def);
	const char *loc = class ? class->log_name : kpt_class_kprobe.log_name;

	if (file == KPT_LISTS_SYNTHETIC)
		loc = "synthetic_events";
	if (diag->code == KPT_E_NONE && err == -EINVAL)
		command_why(def, file, err, diag);
	if (diag->code == KPT_E_NO_DYNEVENT)
		loc = "dynevent";
	diag->line = nr;
	if (diag->code != KPT_E_NONE)
		kpt_errlog_add(&kpt_top_instance.errlog, loc, def->text, diag);
}

/*
 * What a line is parsed into, too large for the stack; made once, as that takes long. It belongs to
 * whose line has set the bit, who may have let others take kpt_mutex.
 */
static struct kpt_def *usual;
static unsigned long usual_is_used;

/**
 * kpt_command_exit() - free it
 *
 * Context: module unload.
 */
void kpt_command_exit(void)
{
	kvfree(usual);
	usual = NULL;
}

/**
 * kpt_command_run() - run one line of a file of definitions
 * @line: the line, comment and newline already cut off
 * @len: its characters
 * @file: the file
 * @nr: its number in the write, from 1
 *
 * A mistake is noted in error_log. Others may take kpt_mutex in between, if the line is
 * about many functions or events; a task that is killed then has lost it.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or an errno, and then nothing has changed, except by
 * kpt_command_delete_pieces(): that of kpt_event_define(), kpt_event_delete() or
 * kpt_command_delete_pieces(), -EINVAL for a line that cannot be parsed, -E2BIG for too
 * many arguments, -EINTR if the task is being killed, -ENOMEM.
 */
int kpt_command_run(const char *line, size_t len, enum kpt_listing file,
		    unsigned int nr)
{
	struct kpt_diag diag = { .code = KPT_E_NONE };
	bool is_usual = !test_and_set_bit(0, &usual_is_used);
	struct kpt_def *def = is_usual ? usual : NULL;
	int err = -ENOMEM;

	lockdep_assert_held(&kpt_mutex);
	def = def ?: kvmalloc(sizeof(*def), GFP_KERNEL);
	if (def)
		err = command_run_line(def, line, len, file, &diag);
	if (def && err)
		command_log_mistake(def, file, nr, err, &diag);
	if (!is_usual) {
		kvfree(def);
		return err;
	}
	usual = def;
	clear_bit_unlock(0, &usual_is_used);
	return err;
}

/*
 * kprobe_event= has the form of the kernel's parameter of that name: a comma for
 * each blank, a semicolon between definitions. The events are defined and enabled
 * at module load, before the file system is mounted.
 */

/* The definitions of all parameters, as one list. */
static char *given;

static int param_set(const char *val, const struct kernel_param *kp)
{
	char *all;

	all = kasprintf(GFP_KERNEL, "%s%s%s", given ?: "", given ? ";" : "",
			val);
	if (!all)
		return -ENOMEM;
	kfree(given);
	given = all;
	return 0;
}

static void param_free(void *arg)
{
	kfree(given);
	given = NULL;
}

static const struct kernel_param_ops param_ops = {
	.set = param_set,
	.free = param_free,
};

module_param_cb(kprobe_event, &param_ops, NULL, 0);
MODULE_PARM_DESC(kprobe_event,
		 "definitions, as dynamic_events takes them: ',' for ' ', ';' between them");

/* The rest of the list is run after a mistake all the same. */
static void command_define_given(const char *line, unsigned int nr)
{
	const struct kpt_errlog *log = &kpt_top_instance.errlog;
	unsigned long noted = READ_ONCE(log->added);
	int err = kpt_command_run(line, strlen(line), KPT_LISTS_DYNAMIC, nr);

	/* A mistake that is noted is in the kernel log by that. */
	if (err && READ_ONCE(log->added) == noted)
		pr_warn("kprobe_event: %s: error %d\n", line, err);
}

/**
 * kpt_boot_init() - define and enable the events of the parameter kprobe_event
 *
 * error_log and the kernel log report mistakes; the other definitions take effect.
 *
 * Context: module load.
 * Return: 0.
 */
int kpt_boot_init(void)
{
	char *rest = given, *line;
	unsigned int nr = 0;
	int err;

	if (!given)
		return 0;
	mutex_lock(&kpt_mutex);
	strreplace(given, ',', ' ');
	while ((line = strsep(&rest, ";")) != NULL)
		command_define_given(line, ++nr);
	err = kpt_events_switch(&kpt_top_instance, true);
	mutex_unlock(&kpt_mutex);
	if (err)
		pr_warn("kprobe_event: not enabled: error %d\n", err);
	param_free(NULL);
	return 0;
}
