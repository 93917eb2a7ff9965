// SPDX-License-Identifier: GPL-2.0-only
/* The part noise: the tracers osnoise and timerlat. Needs: tracer. */
#include "parts/noise/noise_events.h"
#include "parts/noise/noise.h"
#include "event/builtin.h"
#include "event/class.h"
#include "part.h"

static struct kpt_event builtins[] = {
	KPT_BUILTIN(KPT_RECORD_OSNOISE, kpt_fields_osnoise, "osnoise", &kpt_class_builtin),
	KPT_BUILTIN(KPT_RECORD_TIMERLAT, kpt_fields_timerlat, "timerlat", &kpt_class_builtin),
	{ }
};

static const struct kpt_tracer_kind tracers[] = {
	{
		.name = "timerlat",
		.type = KPT_RECORD_TIMERLAT,
		.ops = &kpt_timerlat_ops,
		.put_header = kpt_format_timerlat_header,
	},
	{
		.name = "osnoise",
		.type = KPT_RECORD_OSNOISE,
		.ops = &kpt_osnoise_ops,
		.put_header = kpt_format_osnoise_header,
	},
	{ }
};

KPT_PART(noise) = {
	.name = "noise",
	.stage[KPT_STAGE_EVENTS] = { .init = kpt_noise_events_init },
	.make_dirs = kpt_noise_make_dirs,
	.builtins = builtins,
	.tracers = tracers,
	.readme = {
[KPT_README_TRACERS] =
"  osnoise/		- Settings of the tracers osnoise and timerlat; threads that\n"
"			  read per_cpu/cpuN/timerlat_fd are measured by timerlat\n"
"  tracing_thresh	- Of osnoise: the shortest gap\n"
"  tracing_max_latency	- Their longest gap or latency, in microseconds\n",
	},
};
