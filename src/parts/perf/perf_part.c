// SPDX-License-Identifier: GPL-2.0-only
/* The part perf: events as those of a PMU. */
#include "parts/perf/perf.h"
#include "part.h"

const struct kpt_part kpt_part_perf = {
	.name = "perf",
	.stage[KPT_STAGE_POINTS] = { .init = kpt_perf_init, .exit = kpt_perf_exit },
};
