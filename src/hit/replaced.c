// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls whose return address is replaced: the entry keeps the call, its return is the
 * hit. Runs in BRK context, see hit_point.c.
 *
 * Here is the shortest way, for a function with one such event and nothing else; that of
 * the entry is for stubs alone. roles.c replaces the address in all other cases.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include "hit/simple.h"
#include "kernel/comms.h"

/**
 * kpt_hit_replace_only() - run the list that a stub has found, which does only that
 * @ap: the point
 * @regs: as for kpt_hit_point()
 * @recorder: part of the list, which has one handler; valid until kpt_arch_quiesce()
 *
 * Nothing is recorded yet, so it does not matter whether RCU watches.
 *
 * Context: BRK, as for kpt_hit_point().
 * Return: true.
 */
bool kpt_hit_replace_only(struct kpt_arch_point *ap, struct pt_regs *regs,
			  const struct kpt_arch_recorder *recorder)
{
	const struct kpt_handlers *handlers = kpt_handlers_of(recorder);
	const struct kpt_handler *handler = &handlers->first;

	if (likely(kpt_call_push(handler->calls, handlers->hook, regs)))
		kpt_arch_replace_return(regs);
	else
		kpt_hit_missed_by(handler);
	return true;
}

/* Run the handler of a list that the call was kept for. */
static noinline void replaced_run(const struct kpt_handlers *handlers,
				  struct kpt_call *call, struct pt_regs *regs,
				  u16 context, unsigned long ret_ip)
{
	bool miss = kpt_hit_needs_rcu(handlers) && !kpt_hit_rcu_watches();
	struct kpt_hit hit = {
		.regs = regs,
		.context = context,
		.is_return = true,
		.ret_ip = ret_ip,
		.call = call,
	};
	const struct kpt_handler *handler;

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

/* The record holds other values than registers. Returns false also if its size is not known. */
static noinline bool replaced_known_size(const struct kpt_handler *handler,
					 const struct kpt_call *call,
					 const struct pt_regs *regs, u16 context,
					 unsigned long ret_ip, void **made)
{
	return !handler->prog->has_strings && !handler->prog->has_symbols &&
	       kpt_hit_record_simple(handler, handler->sink->buffer, regs, context,
				     ret_ip, call, false, made);
}

/*
 * The handler is the only one, with one ring. Returns false, with no side effects, if the ring
 * has no room, or if there is more to ask or to do.
 */
static __always_inline bool replaced_record(const struct kpt_handler *handler,
					    const struct kpt_call *call,
					    const struct pt_regs *regs, u16 context,
					    unsigned long ret_ip)
{
	struct kpt_buffer *buf = handler->sink->buffer;
	void *made;

	if (unlikely(atomic_read(&buf->stops)))
		return false;
	if (unlikely(!(handler->prog->only_registers ?
		       kpt_hit_record_simple(handler, buf, regs, context, ret_ip, NULL,
					     true, &made) :
		       replaced_known_size(handler, call, regs, context, ret_ip,
					   &made))))
		return false;
	return kpt_buffer_published(buf);
}

/* The entry may have another list by now, or none. */
static __always_inline void replaced_deliver(struct kpt_call *call, struct pt_regs *regs)
{
	const struct kpt_handlers *handlers =
		rcu_dereference_raw(call->hook->handlers);
	unsigned long ret_ip = kpt_call_true_return(call->ret, regs);
	u16 context;

	if (!handlers)
		return;
	kpt_comm_note();
	context = likely(kpt_hit_is_calm()) ? 0 : kpt_hit_context(0);
	if (unlikely(handlers->nr_rings != 1 ||
		     handlers->first.calls != call->owner ||
		     !replaced_record(&handlers->first, call, regs, context, ret_ip)))
		replaced_run(handlers, call, regs, context, ret_ip);
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
