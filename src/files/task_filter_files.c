// SPDX-License-Identifier: GPL-2.0-only
/* set_event_pid, set_ftrace_pid, their reverses, tracing_cpumask. */
#include "kernel/compat.h"
#include <linux/bitmap.h>
#include <linux/string.h>
#include "event/instance_clock.h"
#include "event/task_filter.h"
#include "fs/fs.h"

static int pids_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	unsigned int which = node->entry->arg;
	s32 pid = -1;

	if (which >= KPT_PIDS_TRACER && !kpt_pids_are_set(node->instance, which))
		seq_puts(m, "no pid\n");
	while ((pid = kpt_pids_next(node->instance, which, pid)) >= 0)
		seq_printf(m, "%d\n", pid);
	return 0;
}

/* What is written after a truncation decides: until then recorders are not made again. */
static int pids_store(const struct kpt_fs_node *node, char *text)
{
	int err = kpt_pids_add(node->instance, node->entry->arg, text);

	if (!err)
		kpt_instance_ask_tasks(node->instance);
	return err;
}

static int pids_truncate(const struct kpt_fs_node *node)
{
	return kpt_pids_clear(node->instance, node->entry->arg);
}

static int cpumask_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_printf(m, "%*pb\n", nr_cpu_ids, cpumask_bits(&node->instance->cpus));
	return 0;
}

static int cpumask_store(const struct kpt_fs_node *node, char *text)
{
	struct kpt_instance *instance = node->instance;
	struct cpumask cpus;
	int err;

	/* It takes a text without any digit for 0. */
	if (!strpbrk(text, "0123456789abcdefABCDEF"))
		return -EINVAL;
	cpumask_clear(&cpus);
	err = bitmap_parse(text, UINT_MAX, cpumask_bits(&cpus), nr_cpu_ids);
	if (err)
		return err;
	cpumask_copy(&instance->cpus, &cpus);
	kpt_task_filter_update(instance);
	return 0;
}

#define PIDS(file, which) {		\
	.name = file,			\
	.mode = 0640,			\
	.words = true,			\
	.takes = "numbers of tasks",	\
	.arg = which,			\
	.show = pids_show,		\
	.store = pids_store,		\
	.truncate = pids_truncate,	\
}

static const struct kpt_fs_file task_filter_files[] = {
	PIDS("set_event_pid", KPT_PIDS_WANTED),
	PIDS("set_event_notrace_pid", KPT_PIDS_UNWANTED),
	PIDS("set_ftrace_pid", KPT_PIDS_TRACER + KPT_PIDS_WANTED),
	PIDS("set_ftrace_notrace_pid", KPT_PIDS_TRACER + KPT_PIDS_UNWANTED),
	{
		.name = "tracing_cpumask",
		.takes = "a hexadecimal mask of CPUs",
		.mode = 0640,
		.show = cpumask_show,
		.store = cpumask_store,
	},
};

const struct kpt_fs_table kpt_task_filter_entries = KPT_FS_TABLE(task_filter_files);
