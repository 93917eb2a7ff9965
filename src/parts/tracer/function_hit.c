// SPDX-License-Identifier: GPL-2.0-only
/* Triggers of functions. Runs in BRK context, see hit_point.c. */
#include "hit/internal.h"
#include "parts/tracer/function_command.h"

/**
 * kpt_hit_trigger() - a function that has a trigger is called
 * @handler: the handler, in role KPT_ROLE_TRIGGER
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_hit_trigger(const struct kpt_handler *handler, const struct kpt_hit *hit)
{
	struct kpt_record_head head;
	const struct kpt_hit call = {
		.record = &head,
		.size = sizeof(head),
		.regs = hit->regs,
		.caller = kpt_arch_return_address(hit->regs),
	};

	this_cpu_ptr(handler->hits)->hits++;
	kpt_hit_fill_head(&head, handler->type, hit->regs, hit->context);
	kpt_function_trigger_run(handler->probe, &call);
}
