// SPDX-License-Identifier: GPL-2.0-only
/* Sizes of rings and pages, buffer_percent, and stats of a CPU. */
#include "kernel/compat.h"
#include <linux/math64.h>
#include <linux/mm.h>
#include "event/snapshot.h"
#include "fs/fs.h"

/*
 * Sizes: of all CPUs in an instance's directory, of one in per_cpu/cpuN.
 */

static int size_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	unsigned long kb;

	kb = kpt_buffer_size_kb(&node->instance->buffer, node->cpu);
	if (kb)
		seq_printf(m, "%lu\n", kb);
	else
		seq_puts(m, "X\n");
	return 0;
}

static int size_store(const struct kpt_fs_node *node, char *text)
{
	unsigned long kb;
	int err;

	err = kstrtoul(text, 10, &kb);
	if (err)
		return err;
	return kpt_buffer_resize(&node->instance->buffer, node->cpu, kb);
}

static int total_size_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	unsigned long kb = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		kb += kpt_buffer_size_kb(&node->instance->buffer, cpu);
	seq_printf(m, "%lu\n", kb);
	return 0;
}

/*
 * free_buffer: a program that wants the records holds it open. When it ends, the
 * file is closed, and the records and their memory are freed.
 */

static int free_buffer_open(struct inode *inode, struct file *file)
{
	struct kpt_fs_node *node = kpt_fs_node_open(inode);

	return IS_ERR(node) ? PTR_ERR(node) : stream_open(inode, file);
}

static ssize_t free_buffer_write(struct file *file, const char __user *from,
				 size_t count, loff_t *pos)
{
	return count;
}

static int free_buffer_release(struct inode *inode, struct file *file)
{
	struct kpt_fs_node *node = kpt_fs_node_of(file);
	struct kpt_buffer *buf = &node->instance->buffer;

	if (node->instance->options & KPT_OPT_DISABLE_ON_FREE) {
		kpt_buffer_switch(buf, false);
		kpt_buffer_wake(buf);
	}
	kpt_buffer_reset(buf, -1);
	kpt_buffer_resize(buf, -1, 1);
	kpt_snapshot_free(node->instance);
	kpt_fs_node_release(node);
	return 0;
}

static const struct file_operations free_buffer_fops = {
	.owner = THIS_MODULE,
	.open = free_buffer_open,
	.write = free_buffer_write,
	.splice_write = kpt_fs_splice_write,
	.release = free_buffer_release,
};

/*
 * stats of one CPU.
 */

static void put_time(struct seq_file *m, const char *what, enum kpt_clock clock,
		     u64 ts)
{
	u32 rest;

	if (!kpt_clock_in_ns(clock)) {
		seq_printf(m, "%s: %llu\n", what, ts);
		return;
	}
	/* Rounded, as in the lines of trace. */
	ts = div_u64_rem(div_u64(ts + 500, NSEC_PER_USEC), USEC_PER_SEC, &rest);
	seq_printf(m, "%s: %5llu.%06u\n", what, ts, rest);
}

static int cpu_stats_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	struct kpt_buffer *buf = &node->instance->buffer;
	enum kpt_clock clock = buf->clock;
	struct kpt_ring_stats s;

	kpt_buffer_stats(buf, node->cpu, &s);
	seq_printf(m, "entries: %llu\n", s.entries);
	seq_printf(m, "overrun: %llu\n", s.overrun);
	seq_printf(m, "commit overrun: %llu\n",
		   s.dropped[KPT_RING_DROP_OPEN] +
		   s.dropped[KPT_RING_DROP_NESTED]);
	seq_printf(m, "bytes: %llu\n", s.bytes);
	put_time(m, "oldest event ts", clock,
		 s.entries ? kpt_clock_convert(clock, s.oldest_ts) : 0);
	put_time(m, "now ts", clock,
		 kpt_clock_convert(clock, kpt_clock_stamp(clock)));
	seq_printf(m, "dropped events: %llu\n",
		   s.dropped[KPT_RING_DROP_FULL] +
		   s.dropped[KPT_RING_DROP_BIG]);
	seq_printf(m, "read events: %llu\n", s.read);
	if (node->instance->is_past)
		kpt_past_show_cpu(node->instance, node->cpu, m);
	return 0;
}

/*
 * Pages of trace_pipe_raw, and when their readers are woken.
 */

static int page_size_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_printf(m, "%zu\n",
		   (size_t)node->instance->buffer.page_size / SZ_1K);
	return 0;
}

/* Rounded up to a power of two of pages; the limit is mainline's. */
static int page_size_store(const struct kpt_fs_node *node, char *text)
{
	unsigned long kb;
	u32 size;
	int err;

	err = kstrtoul(text, 10, &kb);
	if (err)
		return err;
	if (!kb || kb > 128 * PAGE_SIZE / SZ_1K)
		return -EINVAL;
	if (kpt_buffer_is_mapped(&node->instance->buffer, -1))
		return -EBUSY;
	size = PAGE_SIZE << get_order(kb * SZ_1K);
	WRITE_ONCE(node->instance->buffer.page_size, size);
	WRITE_ONCE(node->instance->snapshot.buffer.page_size, size);
	return 0;
}

static int percent_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_printf(m, "%u\n", node->instance->buffer.percent);
	return 0;
}

static int percent_store(const struct kpt_fs_node *node, char *text)
{
	unsigned long n;
	int err;

	err = kstrtoul(text, 10, &n);
	if (err)
		return err;
	if (n > 100)
		return -EINVAL;
	WRITE_ONCE(node->instance->buffer.percent, n);
	kpt_buffer_wake(&node->instance->buffer);
	return 0;
}

/* Each record of a page has the time since the record before it. */
static int timestamp_mode_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_puts(m, "[delta] absolute\n");
	return 0;
}

/* Events of system calls have the words that the call was given, not what they point to. */
static int user_buf_size_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_puts(m, "0\n");
	return 0;
}

static int user_buf_size_store(const struct kpt_fs_node *node, char *text)
{
	unsigned long n;

	return kstrtoul(text, 10, &n) ?: n ? -EINVAL : 0;
}

static const struct kpt_fs_file size_files[] = {
	{
		.name = "buffer_size_kb",
		.takes = "a number of KiB, at most 2097152",
		.mode = 0640,
		.lockless = true,
		.show = size_show,
		.store = size_store,
	},
	{
		.name = "buffer_total_size_kb",
		.mode = 0440,
		.lockless = true,
		.show = total_size_show,
	},
	{ .name = "free_buffer", .mode = 0200, .fops = &free_buffer_fops },
	{
		.name = "buffer_subbuf_size_kb",
		.takes = "a number of KiB, from 1 to 128 pages",
		.mode = 0640,
		.lockless = true,
		.show = page_size_show,
		.store = page_size_store,
	},
	{
		.name = "buffer_percent",
		.takes = "0 to 100",
		.mode = 0640,
		.lockless = true,
		.show = percent_show,
		.store = percent_store,
	},
	{
		.name = "timestamp_mode",
		.mode = 0440,
		.lockless = true,
		.show = timestamp_mode_show,
	},
	{
		.name = "syscall_user_buf_size",
		.mode = 0640,
		.lockless = true,
		.takes = "0, as nothing is copied from memory of programs",
		.show = user_buf_size_show,
		.store = user_buf_size_store,
	},
};

static const struct kpt_fs_file cpu_entries[] = {
	{
		.name = "stats",
		.mode = 0440,
		.lockless = true,
		.show = cpu_stats_show,
	},
	{
		.name = "buffer_size_kb",
		.takes = "a number of KiB, at most 2097152",
		.mode = 0640,
		.lockless = true,
		.show = size_show,
		.store = size_store,
	},
};

const struct kpt_fs_table kpt_size_entries = KPT_FS_TABLE(size_files);
const struct kpt_fs_table kpt_cpu_size_entries = KPT_FS_TABLE(cpu_entries);
