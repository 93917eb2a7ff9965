// SPDX-License-Identifier: GPL-2.0-only
/* The part boot: a boot configuration defines and enables events. */
#include "parts/boot/boot_config.h"
#include "part.h"

KPT_PART(boot) = {
	.name = "boot",
	.stage[KPT_STAGE_PARAMETERS] = { .init = kpt_boot_config_init },
	.readme = {
[KPT_README_LOADING] =
"  config=<file> names a boot configuration:\n"
"	kptrace[.instance.<name>].{options,tracing_on,buffer_size,events,...} and\n"
"	kptrace[.instance.<name>].event.<group>.<event>.{probes,filter,actions,hist,\n"
"	enable} mean what the kernel's own keys below ftrace mean\n",
	},
};
