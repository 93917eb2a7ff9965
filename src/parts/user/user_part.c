// SPDX-License-Identifier: GPL-2.0-only
/* The part user: events that programs write. */
#include "fs/fs.h"
#include "part.h"

const struct kpt_part kpt_part_user = {
	.name = "user",
	.stage[KPT_STAGE_WORK] = { .init = kpt_user_events_init, .exit = kpt_user_events_exit },
};
