// SPDX-License-Identifier: GPL-2.0-only
/* The part tracer: function, function_graph, the profile, and the largest stack. */
#include "fs/fs.h"
#include "kernel/lock.h"
#include "parts/tracer/function_set.h"
#include "parts/tracer/profile.h"
#include "part.h"

/* No event counts calls any more. */
static void tracer_end(void)
{
	mutex_lock(&kpt_mutex);
	kpt_profile_reset();
	mutex_unlock(&kpt_mutex);
	kpt_function_set_exit();
}

const struct kpt_part kpt_part_tracer = {
	.name = "tracer",
	.stage[KPT_STAGE_POINTS] = { .exit = tracer_end },
	.stage[KPT_STAGE_PARAMETERS] = {
		.init = kpt_max_stack_init,
		.exit = kpt_max_stack_exit,
	},
};
