// SPDX-License-Identifier: GPL-2.0-only
/* The part bridge: events as the kernel's own tracing sees them. Needs: perf. */
#include "parts/bridge/bridge.h"
#include "part.h"

const struct kpt_part kpt_part_bridge = {
	.name = "bridge",
	.stage[KPT_STAGE_WORK] = { .init = kpt_bridge_init, .exit = kpt_bridge_exit },
};
