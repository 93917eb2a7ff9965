// SPDX-License-Identifier: GPL-2.0-only
/* The part static: the kernel's own events, such as sched:sched_switch. */
#include "parts/static/static.h"
#include "part.h"

const struct kpt_part kpt_part_static = {
	.name = "static",
	.stage[KPT_STAGE_NAMES] = { .init = kpt_static_init, .exit = kpt_static_exit },
};
