// SPDX-License-Identifier: GPL-2.0-only
/* The part sample: events that see at a rate what each CPU does. */
#include "parts/sample/sample.h"
#include "part.h"

KPT_PART(sample) = {
	.name = "sample",
	.stage[KPT_STAGE_NAMES] = { .init = kpt_samples_init, .exit = kpt_samples_exit },
	.class = &kpt_class_sample,
	.readme = {
[KPT_README_LINES] =
"	           c[:[<group>/][<event>]] <rate> [<args>]\n"
"	           (in dynamic_events: what each CPU does, 1 to 10000 times a second;\n"
"	           args as of p, of the interrupted code)\n",
	},
};
