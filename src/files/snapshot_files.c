// SPDX-License-Identifier: GPL-2.0-only
/* snapshot files; trace.c and raw.c show their records. */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "event/snapshot.h"
#include "fs/fs.h"

/* Read by people and by scripts: mainline's text. */
static const char help_all[] =
	"# Snapshot commands:\n"
	"# echo 0 > snapshot : Clears and frees snapshot buffer\n"
	"# echo 1 > snapshot : Allocates snapshot buffer, if not already allocated.\n"
	"#                      Takes a snapshot of the main buffer.\n"
	"# echo 2 > snapshot : Clears snapshot buffer (but does not allocate or free)\n";

/* The text of kernels that can take a snapshot of one CPU. */
static const char help_cpu[] =
	"# Snapshot commands:\n"
	"# echo 0 > snapshot : Invalid for per_cpu snapshot file.\n"
	"# echo 1 > snapshot : Allocates snapshot buffer, if not already allocated.\n"
	"#                      Takes a snapshot of the main buffer for this cpu.\n"
	"# echo 2 > snapshot : Clears this cpu's snapshot buffer (but does not allocate)\n";

static const char help_end[] =
	"#                      (Doesn't have to be '2' works with any number that\n"
	"#                       is not a '0' or '1')\n";

/**
 * kpt_snapshot_show_help() - write the text of an empty snapshot file
 * @sb: gets the text
 * @node: the file
 *
 * Context: process context.
 */
void kpt_snapshot_show_help(struct kpt_strbuf *sb, const struct kpt_fs_node *node)
{
	kpt_strbuf_printf(sb, "# tracer: %s\n#\n#\n# * Snapshot is %s *\n#\n",
			  kpt_tracer_name(node->instance),
			  node->instance->snapshot.is_full ? "allocated" : "freed");
	kpt_strbuf_puts(sb, node->cpu < 0 ? help_all : help_cpu);
	kpt_strbuf_puts(sb, help_end);
}

/**
 * kpt_snapshot_write() - run a command that was written to a snapshot file
 * @node: the file
 * @from: the text
 * @count: its characters
 *
 * Context: process context, sleeps.
 * Return: @count; -EINVAL, -ERANGE or -EFAULT for a wrong text, as one that would free one
 * CPU's snapshot; -EBUSY if a CPU was always in the middle of a record, or if
 * programs map pages of the buffer; -ENOMEM.
 */
ssize_t kpt_snapshot_write(const struct kpt_fs_node *node, const char __user *from,
			   size_t count)
{
	bool is_of_cpu = node->cpu >= 0;
	unsigned long n = 0;
	char text[24] = "";
	int err;

	if (copy_from_user(text, from, min(count, sizeof(text) - 1)))
		return -EFAULT;
	err = count < sizeof(text) ? kstrtoul(strim(text), 10, &n) : -EINVAL;
	if (!err && !n && is_of_cpu)
		err = -EINVAL;
	if (err) {
		kpt_fs_node_note(node, text, is_of_cpu ? "1 or 2" : "0, 1 or 2");
		return err;
	}
	if (n > 1)
		kpt_snapshot_clear(node->instance, node->cpu);
	else if (n)
		err = kpt_snapshot_make(node->instance, node->cpu);
	else
		err = kpt_snapshot_free(node->instance);
	return err ?: (ssize_t)count;
}

static const struct kpt_fs_file snapshot_files[] = {
	{
		.name = "snapshot",
		.mode = 0640,
		.arg = KPT_OF_SNAPSHOT,
		.fops = &kpt_trace_fops,
	},
};

/* Of an instance, and of one of its CPUs. */
const struct kpt_fs_table kpt_snapshot_entries = KPT_FS_TABLE(snapshot_files);
