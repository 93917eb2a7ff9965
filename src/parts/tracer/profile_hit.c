// SPDX-License-Identifier: GPL-2.0-only
/* The profile of functions: count calls, and the time that they take. In BRK context. */
#include "kernel/compat.h"
#include "parts/tracer/graph.h"
#include "parts/tracer/profile.h"
#include "hit/internal.h"
#include "parts/tracer/graph_hit.h"
#include "kernel/clock.h"

/* Does the time count while the task does not run? That is an option of tracers. */
static bool profile_counts_sleep(void)
{
	return READ_ONCE(kpt_top_instance.options) & KPT_OPT_SLEEP_TIME;
}

/**
 * kpt_hit_profile_leave() - a function returns
 * @handler: the profile's
 * @chain: the chain of the current task
 * @call: the call, which is no longer in its chain
 * @sp: the stack pointer at the return
 *
 * Context: BRK.
 */
void kpt_hit_profile_leave(const struct kpt_handler *handler, struct kpt_chain *chain,
			   const struct kpt_chain_call *call, unsigned long sp)
{
	struct kpt_profile_counts *counts = this_cpu_ptr(handler->calls->counts);
	u64 time = kpt_clock_elapsed(call->start), slept;

	if (!profile_counts_sleep()) {
		slept = kpt_graph_slept() - call->slept;
		time -= min(slept, time);
	}
	if (!READ_ONCE(kpt_profile_options.inner)) {
		kpt_hit_call_around(handler, chain, sp)->value += time;
		time -= min(call->value, time);
	}
	/* It began on another CPU, where it was counted: there is no row for it here. */
	if (!counts->hits)
		return;
	counts->time += time;
	counts->squares += time * time;
}
