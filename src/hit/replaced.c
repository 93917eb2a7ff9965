// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls whose return address is replaced: the return of the call is the hit. Runs in BRK
 * context, see hit_point.c. Here is what recorders do not do: see list_add_returns().
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include "hit/internal.h"
#include "kernel/comms.h"

/*
 * Run the handler of a list that the call was kept for. The entry may have another list by
 * now, or none.
 */
static void replaced_deliver(struct kpt_call *call, struct pt_regs *regs)
{
	const struct kpt_handlers *handlers = rcu_dereference_raw(call->hook->handlers);
	struct kpt_hit hit = {
		.regs = regs,
		.is_return = true,
		.ret_ip = kpt_call_true_return(call->ret, regs),
		.call = call,
	};
	const struct kpt_handler *handler;
	bool miss;

	if (!handlers)
		return;
	miss = kpt_hit_needs_rcu(handlers) && !kpt_hit_rcu_watches();
	kpt_comm_note();
	if (unlikely(!kpt_hit_is_calm()))
		hit.context = kpt_hit_context(0);
	kpt_for_each_handler(handler, handlers) {
		if (handler->calls != call->owner)
			continue;
		if (miss)
			kpt_hit_missed_by(handler);
		else if (handler->does == KPT_ROLE_GRAPH_ENTER)
			kpt_hit_graph_return(handler, &hit);
		else if (handler->does == KPT_ROLE_PROFILE_ENTER)
			kpt_hit_profile_return(handler, &hit);
		else
			kpt_hit_deliver(handler, &hit);
	}
}

/**
 * kpt_hit_return() - handle the return of a function with a replaced return address
 * @regs: registers after its return instruction; the PC and x30 are set to the
 *	original return address
 *
 * Context: like BRK: interrupts masked, hits on this CPU off.
 * Return: the original return address.
 */
unsigned long kpt_hit_return(struct pt_regs *regs)
{
	struct kpt_call *call = kpt_call_pop_replaced(regs->sp);
	unsigned long ret;

	/* The task cannot continue: its return address is lost. */
	if (unlikely(!call))
		panic("kptrace: a return at SP %llx that no entry is known of\n",
		      regs->sp);
	ret = call->ret;
	regs->pc = ret;
	regs->regs[30] = ret;
	if (call->owner)
		replaced_deliver(call, regs);
	return ret;
}
