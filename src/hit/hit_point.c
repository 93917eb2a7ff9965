// SPDX-License-Identifier: GPL-2.0-only
/*
 * From an armed point to a record in the ring. All of this runs in BRK
 * context: interrupts masked, one hit at a time per CPU, no lock, no sleep,
 * no fault that is not fixed up. Hits that cannot be recorded are counted.
 *
 * Here is what recorders (arch/arm64/recorder/) do not do. roles.c runs all handlers, and
 * calls deliver.c, which gives the record to the sinks.
 */
#include "kernel/compat.h"
#include <linux/rcupdate.h>
#include <kptrace.h>
#include "engine/tracepoint.h"
#include "hit/internal.h"

/* Run the handlers of a hook. */
static __always_inline bool hit_hook(const struct kpt_hook *hook, struct pt_regs *regs,
				     unsigned int bias)
{
	/* Freed only after kpt_arch_quiesce(), which waits for this hit. */
	const struct kpt_handlers *handlers = rcu_dereference_raw(hook->handlers);

	return !handlers || kpt_hit_any(handlers, regs, bias);
}

/**
 * kpt_hit_point() - run the handlers of an armed point
 * @ap: the point
 * @regs: registers at the probed address. kpt_arch_replace_return() changes x30; a
 *	handler with KPTRACE_PC may change any, and the PC
 * @bias: what the exception path has added to preempt_count()
 *
 * Context: BRK. RCU need not be watching this CPU.
 * Return: true; or false, with no side effects, if a handler needs RCU and RCU is
 * not watching.
 */
bool kpt_hit_point(struct kpt_arch_point *ap, struct pt_regs *regs, unsigned int bias)
{
	return hit_hook(&container_of(ap, struct kpt_point, arch)->hook, regs,
			bias);
}

/**
 * kpt_hit_current() - kpt_hit_point() for a hit of a stub
 * @ap: the point
 * @regs: as for kpt_hit_point()
 * @recorder: part of the list that the stub has found, or &kpt_recorder_none. @ap may have
 *	another list by now, which is the one that runs
 *
 * Context: BRK, as for kpt_hit_point().
 * Return: as kpt_hit_point().
 */
bool kpt_hit_current(struct kpt_arch_point *ap, struct pt_regs *regs,
		     const struct kpt_arch_recorder *recorder)
{
	return kpt_hit_point(ap, regs, 0);
}

/**
 * kpt_hit_function_only() - run the list that a stub has found, of a module's function alone
 * @ap: the point
 * @regs: as for kpt_hit_point()
 * @recorder: part of the list; valid until kpt_arch_quiesce()
 *
 * Context: BRK, as for kpt_hit_point().
 * Return: as kpt_hit_point().
 */
bool kpt_hit_function_only(struct kpt_arch_point *ap, struct pt_regs *regs,
			   const struct kpt_arch_recorder *recorder)
{
	const struct kpt_handlers *handlers = kpt_handlers_of(recorder);
	struct kptrace_probe *functions;

	if (unlikely(!kpt_hit_is_rcu_sure()))
		return kpt_hit_point(ap, regs, 0);
	functions = handlers->first.sink->functions;
	SHIFT_PERCPU_PTR(handlers->first.hits, __my_cpu_offset)->hits++;
	functions->pre(functions, regs);
	return true;
}

/**
 * kpt_hit_wake() - wake readers after a stub has recorded a hit by itself
 * @buffer: the struct kpt_buffer
 *
 * Context: BRK.
 */
void kpt_hit_wake(void *buffer)
{
	kpt_buffer_notify(buffer);
}

/**
 * kpt_hit_after() - run what handlers do after the instruction of a point
 * @ap: the point
 * @regs: registers after the instruction
 *
 * Context: BRK.
 * Return: true; or false, with no side effects, if RCU is not watching.
 */
bool kpt_hit_after(struct kpt_arch_point *ap, struct pt_regs *regs)
{
	const struct kpt_hook *hook =
		&container_of(ap, struct kpt_point, arch)->hook;
	const struct kpt_handlers *handlers =
		rcu_dereference_raw(hook->handlers);
	const struct kpt_handler *handler;
	struct kptrace_probe *functions;

	if (!handlers)
		return true;
	if (!kpt_hit_rcu_watches())
		return false;
	kpt_for_each_handler(handler, handlers) {
		if (handler->role != KPT_ROLE_AFTER)
			continue;
		functions = handler->sink->functions;
		functions->post(functions, regs);
	}
	return true;
}

static void missed_hook(const struct kpt_hook *hook)
{
	const struct kpt_handlers *handlers =
		rcu_dereference_raw(hook->handlers);
	const struct kpt_handler *handler;

	if (!handlers)
		return;
	/* What is entered where no hit runs returns there, too, and is counted then. */
	kpt_for_each_handler(handler, handlers)
		if (handler->role != KPT_ROLE_ENTRY)
			kpt_hit_missed_by(handler);
}

/**
 * kpt_hit_missed() - count a hit inside another hit
 * @ap: the point; its handlers do not run
 *
 * Context: BRK, nested.
 */
void kpt_hit_missed(struct kpt_arch_point *ap)
{
	missed_hook(&container_of(ap, struct kpt_point, arch)->hook);
}

/**
 * kpt_hit_tracepoint() - run the handlers of a tracepoint
 * @data: the struct kpt_tracepoint
 * @regs: registers at the call of our function; @pc is set here
 *
 * Context: like BRK: interrupts masked, hits on this CPU off.
 */
void kpt_hit_tracepoint(void *data, struct pt_regs *regs)
{
	const struct kpt_tracepoint *tracepoint = data;

	regs->pc = tracepoint->func;
	if (unlikely(!hit_hook(&tracepoint->hook, regs, kpt_hit_tracepoint_bias())))
		missed_hook(&tracepoint->hook);
}

/**
 * kpt_hit_tracepoint_missed() - count a hit of a tracepoint inside another hit
 * @data: the struct kpt_tracepoint; its handlers do not run
 *
 * Context: like BRK, nested.
 */
void kpt_hit_tracepoint_missed(void *data)
{
	const struct kpt_tracepoint *tracepoint = data;

	missed_hook(&tracepoint->hook);
}
