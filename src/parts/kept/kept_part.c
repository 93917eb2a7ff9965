// SPDX-License-Identifier: GPL-2.0-only
/* The part kept: records that survive a reboot. Slots: instance. */
#include "parts/kept/memory.h"
#include "parts/kept/persist.h"
#include "part.h"

static const struct kpt_part_files files[] = {
	{ KPT_DIR_LAST_BOOT, &kpt_last_boot_entries },
	{ }
};

KPT_PART(kept) = {
	.name = "kept",
	.stage[KPT_STAGE_SYMBOLS] = { .init = kpt_persist_init, .exit = kpt_persist_exit },
	.stage[KPT_STAGE_FILES] = {
		.init = kpt_persist_instances_init,
		.exit = kpt_persist_instances_exit,
	},
	.files = files,
	.armed = kpt_persist_armed,
	.instance_exit = kpt_past_drop,
	.readme = {
[KPT_README_INSTANCES] =
"  instances/persist, last_boot - With persist=: records that survive a reboot, and\n"
"			  those of the boot before\n",
	},
};
