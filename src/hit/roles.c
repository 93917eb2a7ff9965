// SPDX-License-Identifier: GPL-2.0-only
/*
 * All handlers of a hook, each in its role: a hit that is recorded, the entry of a
 * function whose return is wanted, a return. Runs in BRK context, see hit.c.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include "event/task_filter.h"
#include "hit/internal.h"
#include "kernel/comms.h"
#include "kernel/ksyms.h"

static bool list_needs_rcu(const struct kpt_handlers *handlers)
{
	return handlers->needs_rcu || READ_ONCE(kpt_task_filter_needs_rcu);
}

/* A function is entered whose return address is to be replaced. */
static void role_replace(const struct kpt_handlers *handlers,
			 const struct kpt_handler *handler,
			 struct pt_regs *regs)
{
	if (kpt_call_push(handler->calls, handlers->hook, regs))
		kpt_arch_replace_return(regs);
	else
		kpt_hit_missed_by(handler);
}

/* Is an address in none of the texts that have symbols? */
static bool is_no_text(unsigned long addr)
{
	return !kpt_ksyms.core_kernel_text(addr) &&
	       !kpt_ksyms.module_text_address(addr);
}

/* The call that is at its return instruction. */
static struct kpt_call *role_find_call(const struct kpt_call_owner *owner,
				       const struct kpt_hit *hit)
{
	struct kpt_call *call = kpt_call_pop(owner, hit->regs->sp);

	if (likely(call) || !is_no_text(hit->ret_ip))
		return call;
	return kpt_call_pop_behind(owner, hit->regs->regs[29]);
}

/* A return instruction is reached. */
static void role_return(const struct kpt_handler *handler, struct kpt_hit *hit)
{
	hit->is_return = true;
	hit->ret_ip = kpt_call_true_return(kpt_arch_return_address(hit->regs),
					   hit->regs);
	if (!handler->calls) {
		kpt_hit_deliver(handler, hit);
		return;
	}
	hit->call = role_find_call(handler->calls, hit);
	if (!hit->call) {
		kpt_hit_missed_by(handler);
		return;
	}
	kpt_hit_deliver(handler, hit);
	kpt_call_free(hit->call);
	hit->call = NULL;
}

/**
 * kpt_hit_any() - a hit of any kind
 * @handlers: what the point has to do
 * @regs: registers at the probed address
 * @bias: as for kpt_hit()
 *
 * Context: BRK.
 * Return: as kpt_hit().
 */
bool kpt_hit_any(const struct kpt_handlers *handlers, struct pt_regs *regs,
		 unsigned int bias)
{
	struct kpt_hit hit = { .regs = regs };
	const struct kpt_handler *handler;

	if (!handlers)
		return true;
	if (list_needs_rcu(handlers) && !rcu_is_watching())
		return false;
	kpt_comm_note();
	if (unlikely(!kpt_hit_is_calm()))
		hit.context = kpt_hit_context(preempt_count() - bias);
	kpt_for_each_handler(handler, handlers) {
		switch (handler->role) {
		case KPT_ROLE_HIT:
			hit.is_return = false;
			kpt_hit_deliver(handler, &hit);
			break;
		case KPT_ROLE_ENTRY:
			/* Without a call, its return is missed. */
			kpt_call_push(handler->calls, handlers->hook, regs);
			break;
		case KPT_ROLE_REPLACE:
			role_replace(handlers, handler, regs);
			break;
		case KPT_ROLE_RETURN:
			role_return(handler, &hit);
			break;
		}
	}
	return true;
}

/* The handler at the function's entry that the call was kept for. */
static void role_replaced(struct kpt_hit *hit)
{
	const struct kpt_call *call = hit->call;
	const struct kpt_handlers *handlers =
		rcu_dereference_raw(call->hook->handlers);
	const struct kpt_handler *handler;
	bool miss;

	if (!handlers)
		return;
	miss = list_needs_rcu(handlers) && !rcu_is_watching();
	kpt_for_each_handler(handler, handlers) {
		if (handler->calls != call->owner)
			continue;
		if (miss)
			kpt_hit_missed_by(handler);
		else
			kpt_hit_deliver(handler, hit);
	}
}

/**
 * kpt_hit_return() - a function returned whose return address was replaced
 * @regs: registers after its return instruction; the PC and x30 become what they
 *	would have been
 *
 * Context: like BRK: interrupts masked, hits of this CPU turned away.
 * Return: the address it would have returned to.
 */
unsigned long kpt_hit_return(struct pt_regs *regs)
{
	struct kpt_call *call = kpt_call_pop(NULL, regs->sp);
	struct kpt_hit hit = {
		.regs = regs,
		.call = call,
		.is_return = true,
	};
	unsigned long ret;

	/* There is nowhere to go: the return address is lost. */
	if (unlikely(!call))
		panic("kptrace: a return at SP %llx that no entry is known of\n",
		      regs->sp);
	ret = call->ret;
	hit.ret_ip = kpt_call_true_return(ret, regs);
	regs->pc = ret;
	regs->regs[30] = ret;
	if (call->owner) {
		kpt_comm_note();
		if (unlikely(!kpt_hit_is_calm()))
			hit.context = kpt_hit_context(preempt_count());
		role_replaced(&hit);
	}
	kpt_call_free(call);
	return ret;
}
