// SPDX-License-Identifier: GPL-2.0-only
/* trace_marker, trace_marker_raw, and events/ftrace: what is no probe. */
#include "event/marker.h"
#include "fs/fs.h"
#include "kernel/compat.h"

static int marker_open(struct inode *inode, struct file *file)
{
	struct kpt_node *node = kpt_node_open(inode);

	if (IS_ERR(node))
		return PTR_ERR(node);
	return stream_open(inode, file);
}

static int marker_release(struct inode *inode, struct file *file)
{
	kpt_node_release(kpt_node_of(file));
	return 0;
}

static ssize_t marker_write(struct file *file, const char __user *from,
			    size_t count, loff_t *pos)
{
	return kpt_marker_write(kpt_node_of(file)->instance, from, count);
}

static ssize_t marker_write_raw(struct file *file, const char __user *from,
				size_t count, loff_t *pos)
{
	return kpt_marker_write_raw(kpt_node_of(file)->instance, from, count);
}

static const struct file_operations marker_fops = {
	.owner = THIS_MODULE,
	.open = marker_open,
	.write = marker_write,
	.release = marker_release,
};

static const struct file_operations marker_raw_fops = {
	.owner = THIS_MODULE,
	.open = marker_open,
	.write = marker_write_raw,
	.release = marker_release,
};

static int format_show(struct seq_file *m, const struct kpt_node *node)
{
	struct kpt_strbuf sb;

	kpt_seq_begin(m, &sb);
	kpt_format_other_file(&sb, node->entry->arg);
	kpt_seq_end(m, &sb);
	return 0;
}

static int id_show(struct seq_file *m, const struct kpt_node *node)
{
	seq_printf(m, "%u\n", node->entry->arg);
	return 0;
}

#define FORMAT(type) \
	{ .name = "format", .mode = 0440, .arg = type, .show = format_show }, \
	{ .name = "id", .mode = 0440, .arg = type, .show = id_show }

static const struct kpt_entry marker_entries[] = {
	{ .name = "trace_marker", .mode = 0220, .fops = &marker_fops },
	{ .name = "trace_marker_raw", .mode = 0220, .fops = &marker_raw_fops },
};

static const struct kpt_entry print_entries[] = {
	FORMAT(KPT_RECORD_PRINT),
	{ .name = "hist", .mode = 0440, .fops = &kpt_hist_fops },
	{
		.name = "trigger",
		.mode = 0640,
		.show = kpt_trigger_file_show,
		.store = kpt_trigger_file_store,
		.truncate = kpt_trigger_file_truncate,
	},
};

static const struct kpt_entry stack_entries[] = { FORMAT(KPT_RECORD_STACK) };
static const struct kpt_entry raw_entries[] = { FORMAT(KPT_RECORD_RAW_DATA) };

const struct kpt_entries kpt_marker_entries = KPT_ENTRIES(marker_entries);
const struct kpt_entries kpt_print_entries = KPT_ENTRIES(print_entries);

static const struct {
	const char *name;
	struct kpt_entries entries;
} others[] = {
	{ "kernel_stack", KPT_ENTRIES(stack_entries) },
	{ "raw_data", KPT_ENTRIES(raw_entries) },
};

/**
 * kpt_marker_dirs() - the directories of records that are neither hits nor print
 * @group: events/ftrace
 * @node: what they are about
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_marker_dirs(struct dentry *group, const struct kpt_node *node)
{
	struct dentry *dir;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(others); i++) {
		dir = kpt_fs_dir(group, others[i].name, node);
		if (!dir || kpt_fs_files(dir, &others[i].entries, node))
			return -ENOMEM;
	}
	return 0;
}
