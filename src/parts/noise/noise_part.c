// SPDX-License-Identifier: GPL-2.0-only
/* The part noise: the tracers osnoise and timerlat. Needs: tracer. */
#include "parts/noise/noise_events.h"
#include "parts/noise/noise.h"
#include "part.h"

const struct kpt_part kpt_part_noise = {
	.name = "noise",
	.stage[KPT_STAGE_EVENTS] = { .init = kpt_noise_events_init },
	.make_dirs = kpt_noise_make_dirs,
	.readme = {
[KPT_README_TRACERS] =
"  osnoise/		- Settings of the tracers osnoise and timerlat; threads that\n"
"			  read per_cpu/cpuN/timerlat_fd are measured by timerlat\n"
"  tracing_max_latency	- Their longest gap or latency, in microseconds\n",
	},
};
