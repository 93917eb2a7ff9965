// SPDX-License-Identifier: GPL-2.0-only
/*
 * current_tracer, available_tracers, set_ftrace_filter and other sets of functions, and
 * the limits of function_graph.
 */
#include "kernel/compat.h"
#include <linux/string.h>
#include "parts/tracer/tracer.h"
#include "fs/fs.h"
#include "parts/tracer/function_command.h"

static int current_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_printf(m, "%s\n", kpt_tracer_name(node->instance));
	return 0;
}

static int current_store(const struct kpt_fs_node *node, char *text)
{
	return kpt_tracer_set(node->instance, text);
}

static int available_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	const char *name, *before = "";
	unsigned int at = 0;

	for (; (name = kpt_tracer_next_name(&at)); before = " ")
		seq_printf(m, "%s%s", before, name);
	seq_putc(m, '\n');
	return 0;
}

static int functions_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	const struct kpt_function_set *set =
		&kpt_tracer_of(node->instance)->set[node->entry->arg];
	int err = 0;

	if (set->is_set)
		err = kpt_function_set_show(set, m);
	else if (node->entry->arg == KPT_TRACER_NOTRACE ||
		 node->entry->arg == KPT_TRACER_GRAPH_NOTRACE)
		seq_puts(m, "#### no functions disabled ####\n");
	else
		seq_puts(m, "#### all functions enabled ####\n");
	if (!err && node->entry->arg == KPT_TRACER_FILTER)
		kpt_function_trigger_show(m, node->instance);
	return err;
}

static bool functions_is_command(const struct kpt_fs_node *node, const char *text)
{
	return node->entry->arg == KPT_TRACER_FILTER && kpt_function_trigger_is(text);
}

static int functions_command(const struct kpt_fs_node *node, char *text)
{
	return kpt_function_trigger_command(node->instance, node->entry->name, text);
}

static int functions_store(const struct kpt_fs_node *node, char *text)
{
	if (functions_is_command(node, text))
		return functions_command(node, text);
	return kpt_tracer_choose(node->instance, node->entry->arg,
				 node->entry->name, text, false);
}

/* A command chooses no functions: the first text that does replaces the set. */
static int functions_replace(const struct kpt_fs_node *node, char *text)
{
	if (functions_is_command(node, text))
		return functions_command(node, text) ?: 1;
	return kpt_tracer_choose(node->instance, node->entry->arg,
				 node->entry->name, text, true);
}

static int depth_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_printf(m, "%u\n", kpt_tracer_of(node->instance)->limits.max_depth);
	return 0;
}

static int depth_store(const struct kpt_fs_node *node, char *text)
{
	unsigned int depth;
	int err = kstrtouint(text, 10, &depth);

	return err ?: kpt_tracer_set_depth(node->instance, depth);
}

static int thresh_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_printf(m, "%llu\n", kpt_tracer_of(node->instance)->limits.thresh / NSEC_PER_USEC);
	return 0;
}

static int thresh_store(const struct kpt_fs_node *node, char *text)
{
	unsigned int us;
	int err = kstrtouint(text, 10, &us);

	if (err)
		return err;
	WRITE_ONCE(kpt_tracer_of(node->instance)->limits.thresh, (u64)us * NSEC_PER_USEC);
	kpt_tracer_update_graph_limits(node->instance);
	return 0;
}

static int worst_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	u64 ns = atomic64_read(&kpt_tracer_of(node->instance)->worst);

	seq_printf(m, "%llu\n", ns / NSEC_PER_USEC);
	return 0;
}

static int worst_store(const struct kpt_fs_node *node, char *text)
{
	unsigned int us;
	int err = kstrtouint(text, 10, &us);

	if (!err)
		atomic64_set(&kpt_tracer_of(node->instance)->worst, (u64)us * NSEC_PER_USEC);
	return err;
}

#define FUNCTIONS(file, which) {		\
	.name = file,				\
	.mode = 0640,				\
	.joins = true,				\
	.arg = which,				\
	.show = functions_show,			\
	.store = functions_store,		\
	.replace = functions_replace,		\
}

static const struct kpt_fs_file tracer_files[] = {
	{
		.name = "current_tracer",
		.mode = 0640,
		.show = current_show,
		.store = current_store,
	},
	{
		.name = "available_tracers",
		.mode = 0440,
		.lockless = true,
		.show = available_show,
	},
	FUNCTIONS("set_ftrace_filter", KPT_TRACER_FILTER),
	FUNCTIONS("set_ftrace_notrace", KPT_TRACER_NOTRACE),
	FUNCTIONS("set_graph_function", KPT_TRACER_GRAPH),
	FUNCTIONS("set_graph_notrace", KPT_TRACER_GRAPH_NOTRACE),
	{
		.name = "max_graph_depth",
		.takes = "a number",
		.mode = 0640,
		.show = depth_show,
		.store = depth_store,
	},
	{
		.name = "tracing_thresh",
		.takes = "a number of us",
		.mode = 0640,
		.show = thresh_show,
		.store = thresh_store,
	},
	{
		.name = "tracing_max_latency",
		.takes = "a number of us",
		.mode = 0640,
		.show = worst_show,
		.store = worst_store,
	},
};

const struct kpt_fs_table kpt_tracer_entries = KPT_FS_TABLE(tracer_files);

static const struct kpt_fs_file top_entries[] = {
	FUNCTIONS("stack_trace_filter", KPT_TRACER_MAX_STACK),
};

const struct kpt_fs_table kpt_tracer_top_entries = KPT_FS_TABLE(top_entries);
