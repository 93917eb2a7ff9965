// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprobe_events, dynamic_events and synthetic_events: lines become events;
 * kprobe_profile.
 */
#include "kernel/compat.h"
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "event/class.h"
#include "fs/fs.h"
#include "kernel/symbol/blacklist.h"
#include "kernel/symbol/symbol.h"

/* Most characters of a line, as in the kernel's kprobe_events. */
#define LINE_MAX	(KPT_DEF_MAX - 2)

/* Characters of a line; few definitions are longer. */
#define LINE_USUAL	64

/*
 * One write: many lines.
 */

static int definitions_run_line(struct kpt_fs_node *node, const char *line, size_t len,
		    unsigned int nr)
{
	const char *comment = memchr(line, '#', len);
	int err;

	if (comment)
		len = comment - line;
	err = kpt_fs_node_lock(node);
	if (err)
		return err;
	err = kpt_command_run(line, len, node->entry->arg, nr);
	kpt_unlock();
	return err;
}

/*
 * Run the complete lines of a chunk; the end of the last chunk also ends a line.
 * @nr counts the lines of the write. Returns the number of characters in the lines
 * that were run, or -errno.
 */
static ssize_t definitions_run_chunk(struct kpt_fs_node *node, const char *chunk,
			 size_t size, bool last, unsigned int *nr)
{
	size_t done = 0, len;
	const char *end;
	int err;

	while (done < size) {
		end = memchr(chunk + done, '\n', size - done);
		if (!end && !last)
			break;
		len = end ? end - (chunk + done) : size - done;
		if (fatal_signal_pending(current))
			return -EINTR;
		err = definitions_run_line(node, chunk + done, len, ++*nr);
		if (err)
			return err;
		done += len + !!end;
	}
	return done;
}

static int definitions_write(struct kpt_fs_node *node, const char __user *from,
		       size_t count)
{
	size_t done = 0, size;
	unsigned int nr = 0;
	ssize_t used = 0;
	char *chunk;

	chunk = kmalloc(LINE_MAX + 1, GFP_KERNEL);
	if (!chunk)
		return -ENOMEM;
	kpt_probe_compile_begin();
	if (count / LINE_USUAL >= KPT_BLACKLIST_MANY) {
		kpt_blacklist_prepare();
		kpt_symbol_expect_many();
	}
	while (done < count) {
		size = min_t(size_t, count - done, LINE_MAX + 1);
		used = -EFAULT;
		if (copy_from_user(chunk, from + done, size))
			break;
		used = definitions_run_chunk(node, chunk, size, done + size == count,
				 &nr);
		if (used <= 0)
			break;
		done += used;
	}
	kpt_probe_compile_end();
	kfree(chunk);
	if (!used && done < count) {
		pr_warn("a line has more than %d characters\n", LINE_MAX);
		return -EINVAL;
	}
	return min_t(ssize_t, used, 0);
}

static int definitions_delete_all(const struct kpt_fs_node *node)
{
	struct kpt_diag diag = { .code = KPT_E_NONE };
	int err;

	err = kpt_command_delete_pieces(NULL, node->entry->arg, &diag);
	/* There was none. */
	if (err == -ENOENT)
		err = 0;
	if (err && diag.code != KPT_E_NONE)
		kpt_errlog_add(&kpt_top_instance.errlog, node->entry->name, "",
			       &diag);
	return err;
}

/*
 * Reading: one line per probe.
 */

static struct list_head *definitions_list(const struct kpt_fs_node *node)
{
	return &kpt_probes;
}

static bool is_spared(const struct kpt_fs_node *node,
		      const struct kpt_event *event)
{
	return !kpt_event_is_listed(event, node->entry->arg);
}

static int definition_row(struct seq_file *m, const struct kpt_fs_node *node,
			  struct list_head *at)
{
	const struct kpt_probe *probe = list_entry(at, struct kpt_probe, list);
	const struct kpt_event *event = probe->event;
	const char *waits_for;

	if (is_spared(node, event))
		return SEQ_SKIP;
	if (event->class->in_synthetic_events && node->entry->arg == KPT_LISTS_DYNAMIC)
		seq_puts(m, "s:synthetic/");
	if (event->class->list) {
		event->class->list(probe, m);
		return 0;
	}
	event->class->prefix(probe, m);
	seq_printf(m, ":%s/%s %s%s", event->group, event->name,
		   probe->place, probe->args);
	waits_for = kpt_probe_waits_for(probe);
	if (waits_for && node->entry->arg == KPT_LISTS_DYNAMIC)
		seq_printf(m, " # waits for module %s", waits_for);
	else if (event->class->remark &&
		 node->entry->arg == KPT_LISTS_DYNAMIC)
		event->class->remark(probe, m);
	seq_putc(m, '\n');
	return 0;
}

static int profile_row(struct seq_file *m, const struct kpt_fs_node *node,
		       struct list_head *at)
{
	struct kpt_probe *probe = list_entry(at, struct kpt_probe, list);
	struct kpt_probe_counts counts;

	if (is_spared(node, probe->event))
		return SEQ_SKIP;
	kpt_probe_read_counts(probe, &counts);
	seq_printf(m, "  %-44s %15llu %15llu\n", probe->event->name,
		   counts.hits, counts.missed);
	return 0;
}

static const struct kpt_fs_file definition_files[] = {
	{
		.name = "kprobe_events",
		.mode = 0640,
		.list = definitions_list,
		.row = definition_row,
		.write = definitions_write,
		.truncate = definitions_delete_all,
	},
	{
		.name = "dynamic_events",
		.mode = 0640,
		.arg = KPT_LISTS_DYNAMIC,
		.list = definitions_list,
		.row = definition_row,
		.write = definitions_write,
		.truncate = definitions_delete_all,
	},
	{
		.name = "synthetic_events",
		.mode = 0640,
		.arg = KPT_LISTS_SYNTHETIC,
		.list = definitions_list,
		.row = definition_row,
		.write = definitions_write,
		.truncate = definitions_delete_all,
	},
	{
		.name = "kprobe_profile",
		.mode = 0440,
		.list = definitions_list,
		.row = profile_row,
	},
};

const struct kpt_fs_table kpt_definition_entries = KPT_FS_TABLE(definition_files);
