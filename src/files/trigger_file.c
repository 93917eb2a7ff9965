// SPDX-License-Identifier: GPL-2.0-only
/* The trigger file of an event. */
#include "fs/fs.h"
#include "kernel/compat.h"
#include "trigger/trigger.h"

/**
 * kpt_trigger_file_show() - write the triggers of an event, or a list of commands
 * @m: gets the text
 * @node: the file
 *
 * Context: process context, kpt_mutex held.
 * Return: 0.
 */
int kpt_trigger_file_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	const struct kpt_trigger *t;
	struct kpt_strbuf sb;

	kpt_seq_begin(m, &sb);
	if (list_empty(&node->file->triggers.list))
		kpt_trigger_show_commands(&sb);
	list_for_each_entry(t, &node->file->triggers.list, list)
		kpt_trigger_show(&sb, t);
	kpt_seq_end(m, &sb);
	return 0;
}

/**
 * kpt_trigger_file_store() - make or remove a trigger
 * @node: the file
 * @text: the command
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or the errno of kpt_trigger_command(): -EINVAL, -ERANGE, -EEXIST,
 * -ENOENT, -E2BIG, -EBUSY, -EPERM, -EIO, -ENOMEM, -EOPNOTSUPP.
 */
int kpt_trigger_file_store(const struct kpt_fs_node *node, char *text)
{
	/* As in mainline, "echo > trigger", which has removed histograms, notes no mistake. */
	return *text ? kpt_trigger_command(node->file, text) : -EINVAL;
}

/**
 * kpt_trigger_file_truncate() - remove hist triggers and those that switch them
 * @node: the file
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or the errno of kpt_trigger_truncate(): -EBUSY or -ENOMEM.
 */
int kpt_trigger_file_truncate(const struct kpt_fs_node *node)
{
	return kpt_trigger_truncate(node->file);
}
