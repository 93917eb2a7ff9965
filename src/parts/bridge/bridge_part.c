// SPDX-License-Identifier: GPL-2.0-only
/*
 * The part bridge: events as the kernel's own tracing sees them. Needs: perf. Slots: event.
 * Kernel: fields_array.
 */
#include <linux/seq_file.h>
#include "parts/bridge/bridge.h"
#include "part.h"

static void bridge_status(struct seq_file *m)
{
	const char *why = kpt_bridge_why_none();

	if (why)
		seq_printf(m, "bridges: %s\n", why);
	else
		seq_printf(m, "bridges: %u\n", kpt_bridges_nr());
}

static const struct kpt_part_files files[] = {
	{ KPT_DIR_EVENT, &kpt_bridge_entries },
	{ }
};

static void bridge_wait(void)
{
	kpt_bridge_wait();
}

KPT_PART(bridge) = {
	.name = "bridge",
	.stage[KPT_STAGE_WORK] = { .init = kpt_bridge_init, .exit = kpt_bridge_exit },
	.files = files,
	.status = bridge_status,
	.event_made = kpt_bridge_event_added,
	.event_gone = kpt_bridge_event_removed,
	.event_user = kpt_bridge_user,
	.wait = bridge_wait,
	.readme = {
#ifdef KPT_BRIDGES
[KPT_README_EVENT] =
"	bridge		- Write 1 to have the event in the kernel's own tracing, too:\n"
"			  perf -e <group>:<event>, bpftrace, its filters and rings\n",
#endif
	},
};
