// SPDX-License-Identifier: GPL-2.0-only
/* The part kept: records that survive a reboot. */
#include "parts/kept/memory.h"
#include "parts/kept/persist.h"
#include "part.h"

static const struct kpt_part_files files[] = {
	{ KPT_DIR_LAST_BOOT, &kpt_last_boot_entries },
	{ }
};

static void kept_armed(struct kpt_event_file *file)
{
	if (file->instance->is_kept)
		kpt_persist_note_event(file->event);
}

KPT_PART(kept) = {
	.name = "kept",
	.stage[KPT_STAGE_SYMBOLS] = { .init = kpt_persist_init, .exit = kpt_persist_exit },
	.stage[KPT_STAGE_FILES] = {
		.init = kpt_persist_instances_init,
		.exit = kpt_persist_instances_exit,
	},
	.files = files,
	.armed = kept_armed,
	.instance_exit = kpt_past_drop,
	.readme = {
[KPT_README_INSTANCES] =
"  instances/persist, last_boot - With persist=: records that survive a reboot, and\n"
"			  those of the boot before\n",
	},
};
