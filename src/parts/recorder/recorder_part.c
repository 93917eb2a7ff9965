// SPDX-License-Identifier: GPL-2.0-only
/* The part recorder: hits as code, of which arch/arm64/recorder/ writes the instructions. */
#include "parts/recorder/plan.h"
#include "part.h"

KPT_PART(recorder) = {
	.name = "recorder",
	.stage[KPT_STAGE_SYMBOLS] = { .exit = kpt_plan_exit },
};
