// SPDX-License-Identifier: GPL-2.0-only
/* The part kept: records that survive a reboot. */
#include "parts/kept/memory.h"
#include "parts/kept/persist.h"
#include "part.h"

const struct kpt_part kpt_part_kept = {
	.name = "kept",
	.stage[KPT_STAGE_SYMBOLS] = { .init = kpt_persist_init, .exit = kpt_persist_exit },
	.stage[KPT_STAGE_FILES] = {
		.init = kpt_persist_instances_init,
		.exit = kpt_persist_instances_exit,
	},
};
