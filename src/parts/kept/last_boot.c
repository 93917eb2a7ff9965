// SPDX-License-Identifier: GPL-2.0-only
/* instances/last_boot: what is known of the boot before this one. */
#include "parts/kept/persist.h"
#include "fs/fs.h"

static int info_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	kpt_past_show(node->instance, m);
	return 0;
}

static const struct kpt_fs_file entries[] = {
	{
		.name = "last_boot_info",
		.mode = 0440,
		.lockless = true,
		.show = info_show,
	},
};

const struct kpt_fs_table kpt_last_boot_entries = KPT_FS_TABLE(entries);
