// SPDX-License-Identifier: GPL-2.0-only
/* The part static: the kernel's own events, such as sched:sched_switch. Kernel: fields_array. */
#include <linux/seq_file.h>
#include "parts/static/static.h"
#include "event/class.h"
#include "part.h"

static void static_status(struct seq_file *m)
{
	const struct kpt_event *event;
	unsigned int used = 0;

	list_for_each_entry(event, &kpt_events, list)
		used += event->class->is_static;
	seq_printf(m, "static events: %s\n",
		   kpt_static_why_none() ?: "recorded by redirected functions");
	seq_printf(m, "static events used: %u\n", used);
}

#ifndef CONFIG_EVENT_TRACING
/**
 * kpt_static_why_none() - why are there no static events?
 *
 * Context: any.
 * Return: a constant string.
 */
const char *kpt_static_why_none(void)
{
	return "this kernel has no event tracing";
}
#endif

KPT_PART(static) = {
	.name = "static",
	.status = static_status,
#ifdef CONFIG_EVENT_TRACING
	.stage[KPT_STAGE_NAMES] = { .init = kpt_static_init, .exit = kpt_static_exit },
	.declare = kpt_static_declare,
	.choose = kpt_static_make_chosen,
	.module_coming = kpt_static_coming,
	.module_gone = kpt_static_going,
	.readme = {
[KPT_README_EVENT] =
"  static_events=0	- A parameter of the module: without it available_events has the\n"
"			  kernel's own events, too\n",
	},
#endif
};
