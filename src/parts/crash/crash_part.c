// SPDX-License-Identifier: GPL-2.0-only
/* The part crash: records on the console, at an oops and on request, and in a vmcore. */
#include "parts/crash/crash.h"
#include "part.h"

/* Readers of a vmcore find no table if kptrace_init() fails. */
static int crash_begin(void)
{
	return kpt_crash_init() ?: kpt_vmcore_init();
}

KPT_PART(crash) = {
	.name = "crash",
	.stage[KPT_STAGE_EVENTS] = { .init = kpt_crash_alloc, .exit = kpt_crash_free },
	.stage[KPT_STAGE_TRIGGERS] = { .init = crash_begin, .exit = kpt_crash_exit },
};
