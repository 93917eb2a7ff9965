// SPDX-License-Identifier: GPL-2.0-only
/*
 * All handlers of a point, those of return events included that keep something of a
 * call from its entry to its return. Runs in BRK context, see hit.c.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include "event/task_filter.h"
#include "hit/internal.h"
#include "kernel/comms.h"
#include "kernel/ksyms.h"

static bool needs_rcu(const struct kpt_handlers *handlers)
{
	return handlers->needs_rcu || READ_ONCE(kpt_task_filter_needs_rcu);
}

/* A function is entered whose return is of interest. */
static void handle_entry(const struct kpt_handlers *handlers, const struct kpt_handler *handler,
		      struct pt_regs *regs)
{
	const struct kpt_handler *end = handlers->handler + handlers->nr, *t;

	if (!handler->hits)
		return;
	if (kpt_call_push(handler->calls, handlers->hook, regs)) {
		if (handler->role == KPT_ROLE_REPLACE)
			kpt_arch_replace_return(regs);
		return;
	}
	/* The return will not be seen. A return instruction misses the call itself. */
	if (handler->role != KPT_ROLE_REPLACE)
		return;
	for (t = handler; t < end && t->probe == handler->probe; t++)
		kpt_hit_handler_missed(t);
}

/* Is an address in none of the texts that have symbols? */
static bool is_no_text(unsigned long addr)
{
	return !kpt_ksyms.core_kernel_text(addr) &&
	       !kpt_ksyms.module_text_address(addr);
}

/* The call that is at its return instruction. */
static struct kpt_call *call_of(const struct kpt_call_owner *owner,
				const struct kpt_hit *hit)
{
	struct kpt_call *call = kpt_call_pop(owner, hit->regs->sp);

	if (likely(call) || !is_no_text(hit->ret_ip))
		return call;
	return kpt_call_pop_behind(owner, hit->regs->regs[29]);
}

/* A return instruction is reached. */
static void handle_return(const struct kpt_handler *handler, struct kpt_hit *hit)
{
	if (!handler->calls) {
		kpt_hit_handler(handler, hit);
		return;
	}
	/* Handlers of one probe stand together and share the call. */
	if (handler->hits) {
		if (hit->call)
			kpt_call_free(hit->call);
		hit->call = call_of(handler->calls, hit);
	}
	if (hit->call)
		kpt_hit_handler(handler, hit);
	else
		kpt_hit_handler_missed(handler);
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
	struct kpt_hit hit = { .regs = regs, .preempt = preempt_count() - bias };
	const struct kpt_handler *handler;

	if (!handlers)
		return true;
	if (needs_rcu(handlers) && !rcu_is_watching())
		return false;
	kpt_comm_note();
	for (handler = handlers->handler; handler < handlers->handler + handlers->nr; handler++) {
		switch (handler->role) {
		case KPT_ROLE_HIT:
			hit.is_return = false;
			kpt_hit_handler(handler, &hit);
			break;
		case KPT_ROLE_ENTRY:
		case KPT_ROLE_REPLACE:
			handle_entry(handlers, handler, hit.regs);
			break;
		case KPT_ROLE_RETURN:
			hit.is_return = true;
			hit.ret_ip = kpt_call_true_return(
				kpt_arch_return_address(hit.regs), hit.regs);
			handle_return(handler, &hit);
			break;
		}
	}
	if (hit.call)
		kpt_call_free(hit.call);
	return true;
}

/* The handlers at the function's entry that the call was kept for. */
static void record_return(struct kpt_hit *hit)
{
	const struct kpt_call *call = hit->call;
	const struct kpt_handlers *handlers =
		rcu_dereference_raw(call->hook->handlers);
	const struct kpt_handler *handler;
	bool miss;

	if (!handlers)
		return;
	miss = needs_rcu(handlers) && !rcu_is_watching();
	for (handler = handlers->handler; handler < handlers->handler + handlers->nr; handler++) {
		if (handler->calls != call->owner)
			continue;
		if (miss)
			kpt_hit_handler_missed(handler);
		else
			kpt_hit_handler(handler, hit);
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
		.preempt = preempt_count(),
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
		record_return(&hit);
	}
	kpt_call_free(call);
	return ret;
}
