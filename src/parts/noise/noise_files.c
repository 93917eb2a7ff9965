// SPDX-License-Identifier: GPL-2.0-only
/*
 * osnoise/: the settings of the tracers osnoise and timerlat, and the files of threads that
 * timerlat measures.
 */
#include "kernel/compat.h"
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/string.h>
#include "fs/fs.h"
#include "parts/noise/noise.h"
#include "parts/noise/timerlat_user.h"

/*
 * Numbers.
 */

/**
 * struct number_range - what a number may be
 * @min: the least; if @least is another number, that one
 * @max: the largest; if @most is another number, that one
 * @least: number of a setting, or KPT_NOISE_NUMBERS
 * @most: number of a setting, or KPT_NOISE_NUMBERS
 */
struct number_range {
	u64 min, max;
	enum kpt_noise_number least, most;
};

#define ANY { 0, U64_MAX, KPT_NOISE_NUMBERS, KPT_NOISE_NUMBERS }

static const struct number_range ranges[KPT_NOISE_NUMBERS] = {
	[KPT_NOISE_PERIOD] = { 0, U64_MAX, KPT_NOISE_RUNTIME, KPT_NOISE_NUMBERS },
	[KPT_NOISE_RUNTIME] = { 0, U64_MAX, KPT_NOISE_NUMBERS, KPT_NOISE_PERIOD },
	[KPT_NOISE_STOP] = ANY,
	[KPT_NOISE_STOP_TOTAL] = ANY,
	[KPT_NOISE_PRINT_STACK] = ANY,
	[KPT_NOISE_TIMERLAT_PERIOD] = { 100, USEC_PER_SEC, KPT_NOISE_NUMBERS,
					KPT_NOISE_NUMBERS },
	[KPT_NOISE_TIMERLAT_ALIGN] = ANY,
};

static int number_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_printf(m, "%llu\n", kpt_noise_settings.number[node->entry->arg]);
	return 0;
}

static int number_store(const struct kpt_fs_node *node, char *text)
{
	const struct number_range *range = &ranges[node->entry->arg];
	u64 *number = kpt_noise_settings.number;
	u64 n;
	int err = kstrtou64(text, 10, &n);

	if (err)
		return err;
	if (n < range->min || n > range->max ||
	    (range->least < KPT_NOISE_NUMBERS && n < number[range->least]) ||
	    (range->most < KPT_NOISE_NUMBERS && n > number[range->most]))
		return -EINVAL;
	WRITE_ONCE(number[node->entry->arg], n);
	return 0;
}

/*
 * cpus.
 */

static int cpus_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_printf(m, "%*pbl\n", cpumask_pr_args(&kpt_noise_settings.cpus));
	return 0;
}

static int cpus_store(const struct kpt_fs_node *node, char *text)
{
	static struct cpumask cpus;
	int err = cpulist_parse(text, &cpus);

	/* It takes a text of blanks for no CPU. */
	if (!err && cpumask_empty(&cpus))
		err = -EINVAL;
	return err ?: kpt_noise_set_cpus(&cpus);
}

/*
 * options.
 */

static const struct {
	const char *name;
	u32 option;
} options[] = {
	{ "OSNOISE_WORKLOAD", KPT_NOISE_WORKLOAD },
	{ "PANIC_ON_STOP", KPT_NOISE_PANIC },
	{ "OSNOISE_PREEMPT_DISABLE", KPT_NOISE_PREEMPT_OFF },
	{ "OSNOISE_IRQ_DISABLE", KPT_NOISE_IRQ_OFF },
	{ "TIMERLAT_ALIGN", KPT_NOISE_ALIGN },
};

static int options_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	u32 now = kpt_noise_settings.options;
	unsigned int i;

	seq_printf(m, "%sDEFAULTS ", now == KPT_NOISE_DEFAULTS ? "" : "NO_");
	for (i = 0; i < ARRAY_SIZE(options); i++)
		seq_printf(m, "%s%s ", now & options[i].option ? "" : "NO_",
			   options[i].name);
	seq_putc(m, '\n');
	return 0;
}

static int options_store(const struct kpt_fs_node *node, char *text)
{
	u32 now = kpt_noise_settings.options;
	bool off = strstarts(text, "NO_");
	unsigned int i;

	if (!strcmp(text, "DEFAULTS"))
		return kpt_noise_set_options(KPT_NOISE_DEFAULTS);
	if (off)
		text += strlen("NO_");
	for (i = 0; i < ARRAY_SIZE(options); i++) {
		if (strcmp(text, options[i].name))
			continue;
		now &= ~options[i].option;
		return kpt_noise_set_options(now | (off ? 0 : options[i].option));
	}
	return -EINVAL;
}

#define NUMBER(file, which) {		\
	.name = file,			\
	.mode = 0640,			\
	.arg = which,			\
	.takes = "a number in the range of this file", \
	.show = number_show,		\
	.store = number_store,		\
}

static const struct kpt_fs_file entries[] = {
	{
		.name = "cpus",
		.mode = 0640,
		.may_be_empty = true,
		.takes = "a list of CPUs, as 0-3,8",
		.show = cpus_show,
		.store = cpus_store,
	},
	{
		.name = "options",
		.mode = 0640,
		.takes = "a name that this file shows, with or without NO_",
		.show = options_show,
		.store = options_store,
	},
	NUMBER("period_us", KPT_NOISE_PERIOD),
	NUMBER("runtime_us", KPT_NOISE_RUNTIME),
	NUMBER("stop_tracing_us", KPT_NOISE_STOP),
	NUMBER("stop_tracing_total_us", KPT_NOISE_STOP_TOTAL),
	NUMBER("print_stack", KPT_NOISE_PRINT_STACK),
	NUMBER("timerlat_period_us", KPT_NOISE_TIMERLAT_PERIOD),
	NUMBER("timerlat_align_us", KPT_NOISE_TIMERLAT_ALIGN),
};

static const struct kpt_fs_table table = KPT_FS_TABLE(entries);

/*
 * per_cpu/cpuN/timerlat_fd.
 */

static int timerlat_open(struct inode *inode, struct file *file)
{
	struct kpt_fs_node *node = kpt_fs_node_open(inode);
	struct kpt_timerlat_user *user;

	if (IS_ERR(node))
		return PTR_ERR(node);
	user = kpt_timerlat_user_open(node->cpu);
	if (IS_ERR(user)) {
		kpt_fs_node_release(node);
		return PTR_ERR(user);
	}
	file->private_data = user;
	return 0;
}

static ssize_t timerlat_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	return kpt_timerlat_user_read(file->private_data);
}

static int timerlat_release(struct inode *inode, struct file *file)
{
	kpt_timerlat_user_release(file->private_data);
	kpt_fs_node_release(kpt_fs_node_of(file));
	return 0;
}

static const struct file_operations timerlat_fops = {
	.owner = THIS_MODULE,
	.open = timerlat_open,
	.read = timerlat_read,
	.llseek = noop_llseek,
	.release = timerlat_release,
};

static const struct kpt_fs_file cpu_entries[] = {
	{ .name = "timerlat_fd", .mode = 0440, .fops = &timerlat_fops },
};

static const struct kpt_fs_table cpu_table = KPT_FS_TABLE(cpu_entries);

/**
 * kpt_noise_make_dirs() - make osnoise/
 * @root: the top directory
 * @top: its node
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_noise_make_dirs(struct dentry *root, const struct kpt_fs_node *top)
{
	static const struct kpt_fs_table *const of_cpu[] = { &cpu_table, NULL };
	struct dentry *dir = kpt_fs_dir(root, "osnoise", top, 0);

	if (!dir || kpt_fs_files(dir, &table, top))
		return -ENOMEM;
	return kpt_tree_add_cpu_dirs(dir, of_cpu, top, KPT_DIR_NONE);
}
