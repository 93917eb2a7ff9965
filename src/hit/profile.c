// SPDX-License-Identifier: GPL-2.0-only
/* The profile of functions: count calls, and the time that they take. In BRK context. */
#include "kernel/compat.h"
#include "event/graph.h"
#include "event/profile.h"
#include "hit/internal.h"
#include "kernel/clock.h"

/**
 * kpt_hit_profile_enter() - a function is entered
 * @handlers: the list of the point
 * @handler: the profile's
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_hit_profile_enter(const struct kpt_handlers *handlers,
			   const struct kpt_handler *handler, const struct kpt_hit *hit)
{
	struct kpt_call *call;

	this_cpu_ptr(handler->calls->counts)->hits++;
	call = kpt_call_push(handler->calls, handlers->hook, hit->regs);
	if (!call) {
		kpt_hit_missed_by(handler);
		return;
	}
	call->value[KPT_GRAPH_VALUE_INNER] = 0;
	call->value[KPT_GRAPH_VALUE_SLEPT] = kpt_graph_slept();
	if (handler->role == KPT_ROLE_REPLACE)
		kpt_arch_replace_return(hit->regs);
}

/* Does the time count while the task does not run? That is an option of tracers. */
static bool profile_counts_sleep(void)
{
	return READ_ONCE(kpt_top_instance.options) & KPT_OPT_SLEEP_TIME;
}

/**
 * kpt_hit_profile_leave() - a function returns
 * @handler: the profile's
 * @hit: the hit, with the call; it is freed by the caller
 *
 * Context: BRK.
 */
void kpt_hit_profile_leave(const struct kpt_handler *handler, const struct kpt_hit *hit)
{
	struct kpt_profile_counts *counts = this_cpu_ptr(handler->calls->counts);
	const struct kpt_call *call = hit->call;
	u64 time = kpt_clock_elapsed(call->start), slept;

	if (!profile_counts_sleep()) {
		slept = kpt_graph_slept() - call->value[KPT_GRAPH_VALUE_SLEPT];
		time -= min(slept, time);
	}
	if (!READ_ONCE(kpt_profile_options.inner)) {
		kpt_call_add_innermost(handler->calls->group, hit->regs->sp, time);
		time -= min(call->value[KPT_GRAPH_VALUE_INNER], time);
	}
	/* It began on another CPU, where it was counted: there is no row for it here. */
	if (!counts->hits)
		return;
	counts->time += time;
	counts->squares += time * time;
}
