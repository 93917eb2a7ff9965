// SPDX-License-Identifier: GPL-2.0-only
/*
 * Switches of an instance, of one CPU of it, and what there is once for the
 * whole module.
 */
#include "kernel/compat.h"
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/security.h>
#include <linux/string.h>
#include <linux/threads.h>
#include "engine/calls.h"
#include "event/snapshot.h"
#include "fs/fs.h"
#include "kernel/comms.h"

/*
 * tracing_on, current_tracer.
 */

static int tracing_on_show(struct seq_file *m, const struct kpt_node *node)
{
	bool on = kpt_buffer_is_on(&node->instance->buffer);

	seq_puts(m, on ? "1\n" : "0\n");
	return 0;
}

static int tracing_on_store(const struct kpt_node *node, char *text)
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

static int tracer_show(struct seq_file *m, const struct kpt_node *node)
{
	seq_puts(m, "nop\n");
	return 0;
}

static int tracer_store(const struct kpt_node *node, char *text)
{
	return strcmp(text, "nop") ? -EINVAL : 0;
}

/*
 * trace_clock.
 */

static int clock_show(struct seq_file *m, const struct kpt_node *node)
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

static int clock_store(const struct kpt_node *node, char *text)
{
	int i;

	for (i = 0; i < KPT_NR_CLOCKS; i++) {
		if (!kpt_clock_name(i) || strcmp(text, kpt_clock_name(i)))
			continue;
		kpt_instance_set_clock(node->instance, i);
		return 0;
	}
	return -EINVAL;
}

/*
 * Sizes: of all CPUs in an instance's directory, of one in per_cpu/cpuN.
 */

static int size_show(struct seq_file *m, const struct kpt_node *node)
{
	unsigned long kb;

	kb = kpt_buffer_size_kb(&node->instance->buffer, node->cpu);
	if (kb)
		seq_printf(m, "%lu\n", kb);
	else
		seq_puts(m, "X\n");
	return 0;
}

static int size_store(const struct kpt_node *node, char *text)
{
	unsigned long kb;
	int err;

	err = kstrtoul(text, 10, &kb);
	if (err)
		return err;
	return kpt_buffer_resize(&node->instance->buffer, node->cpu, kb);
}

static int total_size_show(struct seq_file *m, const struct kpt_node *node)
{
	unsigned long kb = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		kb += kpt_buffer_size_kb(&node->instance->buffer, cpu);
	seq_printf(m, "%lu\n", kb);
	return 0;
}

/*
 * free_buffer: held open by whom the records are for. When that ends, so do
 * they.
 */

static int free_buffer_open(struct inode *inode, struct file *file)
{
	struct kpt_node *node = kpt_node_open(inode);

	return IS_ERR(node) ? PTR_ERR(node) : stream_open(inode, file);
}

static ssize_t free_buffer_write(struct file *file, const char __user *from,
				 size_t count, loff_t *pos)
{
	return count;
}

static int free_buffer_release(struct inode *inode, struct file *file)
{
	struct kpt_node *node = kpt_node_of(file);
	struct kpt_buffer *buf = &node->instance->buffer;

	if (node->instance->options & KPT_OPT_DISABLE_ON_FREE)
		kpt_buffer_switch(buf, false);
	kpt_buffer_reset(buf, -1);
	kpt_buffer_resize(buf, -1, 1);
	kpt_snapshot_free(node->instance);
	kpt_node_release(node);
	return 0;
}

static const struct file_operations free_buffer_fops = {
	.owner = THIS_MODULE,
	.open = free_buffer_open,
	.write = free_buffer_write,
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

static int cpu_stats_show(struct seq_file *m, const struct kpt_node *node)
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
	return 0;
}

/*
 * error_log.
 */

static int error_log_show(struct seq_file *m, const struct kpt_node *node)
{
	kpt_errlog_show(&node->instance->errlog, m);
	return 0;
}

/* What is written does not matter: opening it with O_TRUNC clears. */
static int error_log_store(const struct kpt_node *node, char *text)
{
	return 0;
}

static int error_log_truncate(const struct kpt_node *node)
{
	kpt_errlog_clear(&node->instance->errlog);
	return 0;
}

/*
 * Names of tasks.
 */

static void *tasks_start(struct seq_file *m, loff_t *pos)
{
	char comm[TASK_COMM_LEN];
	int err = kpt_seq_lock(m);
	s32 pid, tgid;

	if (err)
		return ERR_PTR(err);
	/* The number of an entry, plus one: never NULL. */
	return kpt_comm_at(*pos, &pid, comm, &tgid) ?
		       (void *)(unsigned long)(*pos + 1) : NULL;
}

static void *tasks_next(struct seq_file *m, void *v, loff_t *pos)
{
	char comm[TASK_COMM_LEN];
	s32 pid, tgid;

	++*pos;
	return kpt_comm_at(*pos, &pid, comm, &tgid) ? v + 1 : NULL;
}

static int cmdline_show(struct seq_file *m, void *v)
{
	char comm[TASK_COMM_LEN];
	s32 pid, tgid;

	if (kpt_comm_at((unsigned long)v - 1, &pid, comm, &tgid) && pid)
		seq_printf(m, "%d %s\n", pid, comm);
	return 0;
}

static int tgid_show(struct seq_file *m, void *v)
{
	char comm[TASK_COMM_LEN];
	s32 pid, tgid;

	if (kpt_comm_at((unsigned long)v - 1, &pid, comm, &tgid) && pid)
		seq_printf(m, "%d %d\n", pid, tgid);
	return 0;
}

static const struct seq_operations cmdlines_seq = {
	.start = tasks_start,
	.next = tasks_next,
	.stop = kpt_seq_unlock,
	.show = cmdline_show,
};

static const struct seq_operations tgids_seq = {
	.start = tasks_start,
	.next = tasks_next,
	.stop = kpt_seq_unlock,
	.show = tgid_show,
};

static int cmdlines_size_show(struct seq_file *m, const struct kpt_node *node)
{
	seq_printf(m, "%u\n", kpt_comms_size());
	return 0;
}

static int cmdlines_size_store(const struct kpt_node *node, char *text)
{
	unsigned long n;
	int err;

	err = kstrtoul(text, 10, &n);
	if (err)
		return err;
	if (!n || n > PID_MAX_DEFAULT)
		return -EINVAL;
	return kpt_comms_resize(n);
}

/* No record of ours has the address of a text instead of the text. */
static int formats_show(struct seq_file *m, const struct kpt_node *node)
{
	return 0;
}

/*
 * README, status.
 */

static int readme_show(struct seq_file *m, const struct kpt_node *node)
{
	seq_puts(m, kpt_readme);
	return 0;
}

static unsigned int count(const struct list_head *list)
{
	const struct list_head *at;
	unsigned int nr = 0;

	list_for_each(at, list)
		nr++;
	return nr;
}

static int status_show(struct seq_file *m, const struct kpt_node *node)
{
	struct kpt_strbuf sb;

	kpt_seq_begin(m, &sb);
	kpt_arch_status(&sb);
	kpt_seq_end(m, &sb);
	seq_printf(m, "counter: %s\n",
		   kpt_clock_unstable ? "read by the kernel's workaround" :
					"read directly");
	seq_printf(m, "lockdown: %s\n",
		   security_locked_down(LOCKDOWN_KPROBES) ? "yes" : "no");
	seq_printf(m, "file system: %s\n",
		   node->instance->dir->d_sb->s_type->name);
	seq_printf(m, "machine stops: %lu\n", kpt_arch_machine_stops());
	seq_printf(m, "replaced return addresses: %u\n", kpt_calls_replaced());
	seq_printf(m, "events: %u\n", count(&kpt_events));
	seq_printf(m, "probes: %u\n", count(&kpt_probes));
	seq_printf(m, "instances: %u\n", count(&kpt_instances) - 1);
	return 0;
}

static const struct kpt_entry control_entries[] = {
	{
		.name = "tracing_on",
		.mode = 0640,
		.lockless = true,
		.show = tracing_on_show,
		.store = tracing_on_store,
	},
	{ .name = "trace", .mode = 0640, .fops = &kpt_trace_fops },
	{ .name = "trace_pipe", .mode = 0440, .fops = &kpt_trace_pipe_fops },
	{
		.name = "trace_clock",
		.mode = 0640,
		.show = clock_show,
		.store = clock_store,
	},
	{
		.name = "buffer_size_kb",
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
	{
		.name = "current_tracer",
		.mode = 0640,
		.show = tracer_show,
		.store = tracer_store,
	},
	{ .name = "free_buffer", .mode = 0200, .fops = &free_buffer_fops },
	{
		.name = "available_tracers",
		.mode = 0440,
		.lockless = true,
		.show = tracer_show,
	},
	{
		.name = "error_log",
		.mode = 0640,
		.lockless = true,
		.show = error_log_show,
		.store = error_log_store,
		.truncate = error_log_truncate,
	},
};

static const struct kpt_entry cpu_entries[] = {
	{ .name = "trace", .mode = 0640, .fops = &kpt_trace_fops },
	{ .name = "trace_pipe", .mode = 0440, .fops = &kpt_trace_pipe_fops },
	{
		.name = "trace_pipe_raw",
		.mode = 0440,
		.fops = &kpt_trace_pipe_raw_fops,
	},
	{
		.name = "stats",
		.mode = 0440,
		.lockless = true,
		.show = cpu_stats_show,
	},
	{
		.name = "buffer_size_kb",
		.mode = 0640,
		.lockless = true,
		.show = size_show,
		.store = size_store,
	},
};

static const struct kpt_entry module_entries[] = {
	{
		.name = "README",
		.mode = 0440,
		.lockless = true,
		.show = readme_show,
	},
	{ .name = "status", .mode = 0440, .show = status_show },
	{
		.name = "available_events",
		.mode = 0440,
		.seq = &kpt_available_events_seq,
	},
	{ .name = "saved_cmdlines", .mode = 0440, .seq = &cmdlines_seq },
	{ .name = "saved_tgids", .mode = 0440, .seq = &tgids_seq },
	{
		.name = "saved_cmdlines_size",
		.mode = 0640,
		.show = cmdlines_size_show,
		.store = cmdlines_size_store,
	},
	{ .name = "printk_formats", .mode = 0440, .show = formats_show },
};

const struct kpt_entries kpt_control_entries = KPT_ENTRIES(control_entries);
const struct kpt_entries kpt_cpu_entries = KPT_ENTRIES(cpu_entries);
const struct kpt_entries kpt_module_entries = KPT_ENTRIES(module_entries);
