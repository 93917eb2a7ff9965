// SPDX-License-Identifier: GPL-2.0-only
/* The part boot: a boot configuration defines and enables events. */
#include "fs/fs.h"
#include "part.h"

const struct kpt_part kpt_part_boot = {
	.name = "boot",
	.stage[KPT_STAGE_PARAMETERS] = { .init = kpt_boot_config_init },
};
