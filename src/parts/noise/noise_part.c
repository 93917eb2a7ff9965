// SPDX-License-Identifier: GPL-2.0-only
/* The part noise: the tracers osnoise and timerlat. Needs: tracer. */
#include "parts/noise/noise_events.h"
#include "part.h"

const struct kpt_part kpt_part_noise = {
	.name = "noise",
	.stage[KPT_STAGE_EVENTS] = { .init = kpt_noise_events_init },
};
