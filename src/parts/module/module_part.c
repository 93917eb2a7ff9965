// SPDX-License-Identifier: GPL-2.0-only
/* The part module: other modules have probes whose hits call their functions. */
#include <linux/seq_file.h>
#include "parts/module/module_probe.h"
#include "part.h"

static void module_status(struct seq_file *m)
{
	seq_printf(m, "probes of other modules: %u\n", kpt_module_probes_nr());
}

KPT_PART(module) = {
	.name = "module",
	.status = module_status,
	.functions = kpt_module_probes_functions,
	.text_leave = kpt_module_probes_leave,
	.text_detach = kpt_module_probes_detach,
	.module_ending = kpt_module_probes_end,
};
