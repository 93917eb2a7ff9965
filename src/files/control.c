// SPDX-License-Identifier: GPL-2.0-only
/* Switches of an instance, and its error_log. */
#include "kernel/compat.h"
#include <linux/string.h>
#include "event/instance_clock.h"
#include "fs/fs.h"

/*
 * tracing_on.
 */

static int tracing_on_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	bool on = kpt_buffer_is_on(&node->instance->buffer);

	seq_puts(m, on ? "1\n" : "0\n");
	return 0;
}

static int tracing_on_store(const struct kpt_fs_node *node, char *text)
{
	unsigned long n;
	int err;

	err = kstrtoul(text, 10, &n);
	if (err)
		return err;
	kpt_buffer_switch(&node->instance->buffer, n);
	if (!n)
		kpt_buffer_wake(&node->instance->buffer);
	return 0;
}

/*
 * trace_clock.
 */

static int clock_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	bool current_one;
	int i;

	for (i = 0; i < KPT_NR_CLOCKS; i++) {
		if (!kpt_clock_name(i))
			continue;
		current_one = node->instance->buffer.clock == i;
		seq_printf(m, "%s%s%s%s", i ? " " : "", current_one ? "[" : "",
			   kpt_clock_name(i), current_one ? "]" : "");
	}
	seq_putc(m, '\n');
	return 0;
}

static int clock_store(const struct kpt_fs_node *node, char *text)
{
	int i;

	for (i = 0; i < KPT_NR_CLOCKS; i++) {
		if (!kpt_clock_name(i) || strcmp(text, kpt_clock_name(i)))
			continue;
		kpt_instance_set_clock(node->instance, i, true);
		return 0;
	}
	return -EINVAL;
}

/*
 * error_log.
 */

static int error_log_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	kpt_errlog_show(&node->instance->errlog, m);
	return 0;
}

/* Opening with O_TRUNC clears the log; the text of a write is ignored, however long. */
static int error_log_write(struct kpt_fs_node *node, const char __user *from, size_t count)
{
	return 0;
}

static int error_log_truncate(const struct kpt_fs_node *node)
{
	kpt_errlog_clear(&node->instance->errlog);
	return 0;
}

static const struct kpt_fs_file control_files[] = {
	{
		.name = "tracing_on",
		.takes = "a number, 0 is off",
		.mode = 0640,
		.lockless = true,
		.show = tracing_on_show,
		.store = tracing_on_store,
	},
	{
		.name = "trace_clock",
		.takes = "a name that this file shows",
		.mode = 0640,
		.show = clock_show,
		.store = clock_store,
	},
	{
		.name = "error_log",
		.mode = 0640,
		.lockless = true,
		.show = error_log_show,
		.write = error_log_write,
		.truncate = error_log_truncate,
	},
};

const struct kpt_fs_table kpt_control_entries = KPT_FS_TABLE(control_files);
