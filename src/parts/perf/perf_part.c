// SPDX-License-Identifier: GPL-2.0-only
/* The part perf: events as those of a PMU. Slots: event file. */
#include <linux/seq_file.h>
#include "parts/perf/perf.h"
#include "parts/perf/perf_hit.h"
#include "part.h"

static void perf_status(struct seq_file *m)
{
	seq_printf(m, "perf: %s, %llu hits lost\n",
		   kpt_perf_why_none() ?: "listens by a PMU", kpt_hit_perf_lost());
}

static const char *perf_user(const struct kpt_event *event)
{
	return "is open in perf";
}

KPT_PART(perf) = {
	.name = "perf",
	.stage[KPT_STAGE_POINTS] = { .init = kpt_perf_init, .exit = kpt_perf_exit },
	.status = perf_status,
	.event_make = kpt_perf_name_add,
	.event_gone = kpt_perf_name_remove,
	.event_user = perf_user,
	.file_free = kpt_perf_file_free,
	.readme = {
[KPT_README_LISTENERS] =
"\nFor perf:\n\n"
"  Each event is one of the PMU kptrace: perf stat|record|top -e kptrace/<event>/,\n"
"  or kptrace/<group>.<event>/ if its group is not kprobes. It needs not be enabled\n",
	},
};
