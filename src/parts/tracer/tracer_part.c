// SPDX-License-Identifier: GPL-2.0-only
/* The part tracer: function, function_graph, profile, largest stack. Slots: instance. */
#include "fs/fs.h"
#include "kernel/lock.h"
#include "parts/tracer/function_set.h"
#include "parts/tracer/profile.h"
#include "parts/tracer/max_stack.h"
#include "parts/tracer/touched.h"
#include "parts/tracer/tracer.h"
#include <linux/slab.h>
#include "event/builtin.h"
#include "event/class.h"
#include "parts/tracer/function_command.h"
#include "part.h"

/* No event counts calls any more. */
static void tracers_end(void)
{
	mutex_lock(&kpt_mutex);
	kpt_profile_reset();
	kpt_touched_exit();
	kpt_max_stack_free();
	mutex_unlock(&kpt_mutex);
	kpt_function_set_exit();
}

/* trace_stat/function<N>, of each CPU. */
static int tracer_make_dirs(struct dentry *root, const struct kpt_fs_node *top)
{
	struct dentry *dir = kpt_fs_dir(root, "trace_stat", top, 0);
	struct kpt_fs_node node = *top;
	char name[24];

	if (!dir)
		return -ENOMEM;
	node.entry = &kpt_profile_entry;
	for_each_possible_cpu(node.cpu) {
		snprintf(name, sizeof(name), "function%d", node.cpu);
		if (!kpt_fs_add(dir, name, &node))
			return -ENOMEM;
	}
	return 0;
}

static const struct kpt_part_files files[] = {
	{ KPT_DIR_TOP, &kpt_function_entries },
	{ KPT_DIR_TOP, &kpt_profile_entries },
	{ KPT_DIR_TOP, &kpt_tracer_top_entries },
	{ KPT_DIR_TOP, &kpt_max_stack_entries },
	{ KPT_DIR_INSTANCE, &kpt_tracer_entries },
	{ }
};

static struct kpt_event builtins[] = {
	KPT_BUILTIN(KPT_RECORD_FUNCTION, kpt_fields_function, "function", &kpt_class_tracer),
	KPT_BUILTIN(KPT_RECORD_FUNC_REPEATS, kpt_fields_func_repeats, "func_repeats",
		    &kpt_class_tracer),
	KPT_BUILTIN(KPT_RECORD_GRAPH_ENTRY, kpt_fields_graph_entry, "funcgraph_entry",
		    &kpt_class_tracer),
	KPT_BUILTIN(KPT_RECORD_GRAPH_RETADDR, kpt_fields_graph_retaddr,
		    "fgraph_retaddr_entry", &kpt_class_tracer),
	KPT_BUILTIN(KPT_RECORD_GRAPH_EXIT, kpt_fields_graph_exit, "funcgraph_exit",
		    &kpt_class_tracer),
	{ }
};

static int tracer_stop(struct kpt_instance *instance)
{
	return kpt_function_trigger_remove_all(instance) ?: kpt_tracer_set(instance, "nop");
}

static void tracer_exit(struct kpt_instance *instance)
{
	kfree(instance->slot.tracer);
	instance->slot.tracer = NULL;
}

/* Event files of tracers and of triggers of functions are in no list of the instance. */
static int tracer_rearm(struct kpt_instance *instance, struct kpt_batch *batch)
{
	struct kpt_event_file *const files[] = {
		kpt_tracer_of(instance)->run.file, kpt_tracer_of(instance)->functions,
	};
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < ARRAY_SIZE(files); i++)
		err = files[i] ? kpt_event_file_rearm(files[i], batch) : 0;
	return err;
}

static int tracer_option_set(struct kpt_instance *instance, u64 option)
{
	if (option & (KPT_OPT_FUNC_ARGS | KPT_OPT_FUNC_NO_REPEATS))
		return kpt_tracer_renew(instance);
	kpt_tracer_update_graph_limits(instance);
	return 0;
}

static void tracer_text_left(const struct module *mod, kpt_going_t is_going)
{
	kpt_tracers_going(mod, is_going);
	kpt_touched_forget(mod, is_going);
}

static void tracer_triggers_end(void)
{
	mutex_lock(&kpt_mutex);
	kpt_function_trigger_free_all();
	mutex_unlock(&kpt_mutex);
}

KPT_PART(tracer) = {
	.name = "tracer",
	.stage[KPT_STAGE_POINTS] = { .exit = tracers_end },
	.stage[KPT_STAGE_PARAMETERS] = {
		.init = kpt_max_stack_init,
		.exit = kpt_max_stack_exit,
	},
	.files = files,
	.make_dirs = tracer_make_dirs,
	.stage[KPT_STAGE_TRIGGERS] = { .exit = tracer_triggers_end },
	.builtins = builtins,
	.instance_init = kpt_tracer_init,
	.instance_stop = tracer_stop,
	.instance_disarmed = kpt_tracer_forget,
	.instance_exit = tracer_exit,
	.rearm = tracer_rearm,
	.option_set = tracer_option_set,
	.module_coming = kpt_tracers_coming,
	.text_left = tracer_text_left,
	.readme = {
[KPT_README_FILES] =
"  available_filter_functions - Functions that can be probed\n",
[KPT_README_TRACERS] =
"  available_tracers	- Those that current_tracer takes; nop is none\n"
"  current_tracer	- The one that traces: write its name\n"
"  function_profile_enabled - Counts calls of the functions below, and their time\n"
"  trace_stat/function<cpu> - What it has counted there\n"
"  stack_trace		- The largest stack of a call, and who had used it\n"
"  stack_max_size	- Its size; write 0 to begin again\n"
"  stack_trace_filter	- Only these functions look at the stack. Words as below\n"
"  stack_tracer_enabled	- Write 0/1, as to /proc/sys/kernel/stack_tracer_enabled\n"
"  set_ftrace_filter	- Only these functions are traced; > chooses, >> adds\n"
"	 accepts: func_full_name or glob-matching-pattern\n"
"	 modules: Can select a group via module command :mod:\n"
"	     Format: :mod:<module-name>, alone or behind a name or pattern\n"
"	 ! in front of a word takes functions out\n"
"	    triggers: a command to perform when function is hit\n"
"	      Format: <function>:<trigger>[:count]\n"
"	     trigger: traceon, traceoff\n"
"		      enable_event:<system>:<event>\n"
"		      disable_event:<system>:<event>\n"
"		      stacktrace\n"
"		      snapshot\n"
"		      dump\n"
"		      cpudump\n"
"	     example: echo 'vfs_fsync*:traceoff:1' >> set_ftrace_filter\n"
"	     ! in front removes it; with a count if it has one\n"
"  set_ftrace_notrace	- These functions are not traced. Words as above\n"
"  set_ftrace_pid	- Only functions of these tasks are traced\n"
"  set_ftrace_notrace_pid - Functions of these tasks are not traced\n"
"  set_graph_function	- function_graph traces only these, and what they call\n"
"  set_graph_notrace	- It traces neither these nor what they call\n"
"  max_graph_depth	- How deep it traces; 0: all\n"
"  tracing_thresh	- It traces only calls that take so many microseconds\n"
"  enabled_functions	- The functions that are traced or probed now\n"
"  touched_functions	- Those, and functions that were since kptrace was loaded\n",
	},
};
