// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack_trace, stack_max_size and stack_tracer_enabled: the largest stack. Where the kernel
 * has no stack tracer of its own, the last one is the sysctl kernel.stack_tracer_enabled,
 * too.
 *
 * Formats: Documentation/trace/ftrace.rst, "Stack trace".
 */
#include "kernel/compat.h"
#include <linux/slab.h>
#include <linux/sysctl.h>
#include "parts/tracer/max_stack.h"
#include "parts/tracer/tracer.h"
#include "fs/fs.h"
#include "kernel/ksyms.h"
#include "kernel/lock.h"

static const char disabled[] =
"#\n"
"#  Stack tracer disabled\n"
"#\n"
"# To enable the stack tracer, either add 'stacktrace' to the\n"
"# kernel command line\n"
"# or 'echo 1 > /proc/sys/kernel/stack_tracer_enabled'\n"
"#\n";

static void trace_put_row(struct seq_file *m, const struct kpt_max_stack *max,
			  unsigned int i)
{
	const struct kpt_arch_frame *frame = &max->frame[i];
	unsigned long end = i + 1 < max->nr ? frame[1].sp : max->top;

	seq_printf(m, i && kpt_top_instance.options & KPT_OPT_SYM_CALLER ?
			  "%3u) %8lu   %5lu   %pB\n" : "%3u) %8lu   %5lu   %pS\n",
		   i, max->top - frame->sp, end - frame->sp, (void *)frame->addr);
}

static int trace_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	struct kpt_max_stack max;
	unsigned int i;

	max.frame = kmalloc_array(KPT_MAX_STACK_FRAMES, sizeof(*max.frame), GFP_KERNEL_ACCOUNT);
	if (!max.frame)
		return -ENOMEM;
	kpt_max_stack_copy(&max);
	seq_printf(m, "        Depth    Size   Location    (%u entries)\n"
		   "        -----    ----   --------\n", max.nr);
	if (!max.size && !kpt_tracer_is_measuring())
		seq_puts(m, disabled);
	for (i = 0; i < max.nr; i++)
		trace_put_row(m, &max, i);
	kfree(max.frame);
	return 0;
}

static int size_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_printf(m, "%lu\n", kpt_max_stack_size());
	return 0;
}

static int size_store(const struct kpt_fs_node *node, char *text)
{
	unsigned long size;
	int err = kstrtoul(text, 10, &size);

	if (!err)
		kpt_max_stack_set_size(size);
	return err;
}

static int max_stack_enabled_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_printf(m, "%u\n", kpt_tracer_is_measuring());
	return 0;
}

static int max_stack_enabled_store(const struct kpt_fs_node *node, char *text)
{
	int on, err = kstrtoint(text, 10, &on);

	return err ?: kpt_tracer_measure(on);
}

static const struct kpt_fs_file max_stack_files[] = {
	{
		.name = "stack_trace",
		.mode = 0440,
		.lockless = true,
		.show = trace_show,
	},
	{
		.name = "stack_max_size",
		.takes = "a number of bytes",
		.mode = 0640,
		.lockless = true,
		.show = size_show,
		.store = size_store,
	},
	{
		.name = "stack_tracer_enabled",
		.takes = KPT_TAKES_SWITCH,
		.mode = 0640,
		.show = max_stack_enabled_show,
		.store = max_stack_enabled_store,
	},
};

const struct kpt_fs_table kpt_max_stack_entries = KPT_FS_TABLE(max_stack_files);

/*
 * The sysctl.
 */

static int sysctl_handle(kpt_ctl_table_t *table, int write, void *buffer, size_t *len,
			 loff_t *pos)
{
	int on = kpt_tracer_is_measuring(), err;
	struct ctl_table number = { .data = &on, .maxlen = sizeof(on) };

	err = proc_dointvec(&number, write, buffer, len, pos);
	if (err || !write)
		return err;
	if (kpt_lock())
		return -EINTR;
	err = kpt_tracer_measure(on);
	kpt_unlock();
	return err;
}

static struct ctl_table sysctls[] = {
	{
		.procname = "stack_tracer_enabled",
		.mode = 0644,
		.proc_handler = sysctl_handle,
	},
	{ }
};

static struct ctl_table_header *registered;

/**
 * kpt_max_stack_init() - register the sysctl, if the kernel has none of that name
 *
 * Context: module load.
 * Return: 0, also if it cannot be registered: the file is enough.
 */
int kpt_max_stack_init(void)
{
	if (!kpt_ksyms_addr("stack_trace_sysctl"))
		registered = kpt_sysctl_register("kernel", sysctls);
	return 0;
}

/**
 * kpt_max_stack_exit() - take it back; waits for those who read or write it
 *
 * Context: module unload.
 */
void kpt_max_stack_exit(void)
{
	if (registered)
		unregister_sysctl_table(registered);
}
