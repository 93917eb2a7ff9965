// SPDX-License-Identifier: GPL-2.0-only
/* Names of tasks: saved_cmdlines, saved_tgids. */
#include "kernel/compat.h"
#include <linux/threads.h>
#include "fs/fs.h"
#include "kernel/comms.h"

/* kpt_fs_file.arg: a line has the number of the thread group, not the name. */
#define COMMS_TGID 1

static int comms_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	char comm[TASK_COMM_LEN];
	unsigned int n;
	s32 pid, tgid;

	for (n = 0; kpt_comm_at(n, &pid, comm, &tgid); n++) {
		if (pid && node->entry->arg == COMMS_TGID)
			seq_printf(m, "%d %d\n", pid, tgid);
		else if (pid)
			seq_printf(m, "%d %s\n", pid, comm);
		if (seq_has_overflowed(m))
			break;
	}
	return 0;
}

static int comms_size_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_printf(m, "%u\n", kpt_comms_size());
	return 0;
}

static int comms_size_store(const struct kpt_fs_node *node, char *text)
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

static const struct kpt_fs_file comms_files[] = {
	{ .name = "saved_cmdlines", .mode = 0440, .show = comms_show },
	{
		.name = "saved_tgids",
		.mode = 0440,
		.arg = COMMS_TGID,
		.show = comms_show,
	},
	{
		.name = "saved_cmdlines_size",
		.takes = "1 to 32768",
		.mode = 0640,
		.show = comms_size_show,
		.store = comms_size_store,
	},
};

const struct kpt_fs_table kpt_comm_entries = KPT_FS_TABLE(comms_files);
