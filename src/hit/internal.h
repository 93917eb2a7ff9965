/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations shared by the files of hit/. Every hit runs the inline functions.
 */
#ifndef KPTRACE_HIT_INTERNAL_H
#define KPTRACE_HIT_INTERNAL_H

#include <linux/context_tracking_state.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include "buffer/write.h"
#include "engine/calls.h"
#include "arming/handlers.h"
#include "event/hit.h"
#include "event/task_filter.h"
#include "kernel/compat.h"

void kpt_hit_deliver_made(const struct kpt_handler *handler, struct kpt_hit *hit);
void kpt_hit_deliver_from(const struct kpt_handler *handler, const struct kpt_sink *sink,
			  struct kpt_hit *hit);
void kpt_hit_deliver_after(struct kpt_event_file *file, const struct kpt_hit *hit,
			   u32 after);
void kpt_hit_deliver_followers(const struct kpt_handler *handler, struct kpt_hit *hit,
			       const struct kpt_handlers *followers, unsigned int from);
void kpt_hit_find_caller(const struct kpt_handlers *handlers, const struct kpt_event_file *file,
			 struct kpt_hit *hit);
bool kpt_hit_set_aside(const struct kpt_handler *handler, const struct kpt_sink *sink,
		       struct kpt_hit *hit);
void kpt_hit_missed_by(const struct kpt_handler *handler);
void kpt_hit_missed_from(const struct kpt_handler *handler, const struct kpt_sink *sink);
void kpt_hit_lost(const struct kpt_handler *handler, const struct kpt_sink *sink);
void kpt_hit_filtered_shared(const struct kpt_handler *handler,
			     const struct kpt_sink *sink);
bool kpt_hit_is_no_text(unsigned long addr);
bool kpt_hit_any(const struct kpt_handlers *handlers, struct pt_regs *regs,
		 unsigned int bias);

/*
 * What parts do at a hit: roles of handlers, and sinks. The calls are direct, and src/absent.c
 * has what they do in a kptrace without the part.
 */

void kpt_hit_watch(const struct kpt_handler *handler, struct kpt_hit *hit);
void kpt_hit_max_stack(const struct pt_regs *regs);
void kpt_hit_trigger(const struct kpt_handler *handler, const struct kpt_hit *hit);
void kpt_hit_graph_enter(const struct kpt_handlers *handlers,
			 const struct kpt_handler *handler, const struct kpt_hit *hit);
void kpt_hit_graph_return(const struct kpt_handler *handler, const struct kpt_hit *hit);
void kpt_hit_profile_enter(const struct kpt_handlers *handlers,
			   const struct kpt_handler *handler, const struct kpt_hit *hit);
void kpt_hit_profile_return(const struct kpt_handler *handler, const struct kpt_hit *hit);
void kpt_hit_repeats(const struct kpt_handler *handler, struct kpt_hit *hit);
struct kpt_bridge;
bool kpt_hit_bridge_wants(const struct kpt_bridge *bridge);
void kpt_hit_bridge(struct kpt_bridge *bridge, const struct kpt_hit *hit);
void kpt_hit_perf(const struct kpt_handler *handler, const struct kpt_sink *sink,
		  struct kpt_hit *hit);

/**
 * kpt_hit_deliver() - build the record of a hit and give it to a handler's sinks
 * @handler: the handler
 * @hit: the hit; @record and @size are set for this handler
 *
 * Context: BRK.
 */
static inline void kpt_hit_deliver(const struct kpt_handler *handler,
				   struct kpt_hit *hit)
{
	hit->record = NULL;
	hit->size = 0;
	kpt_hit_deliver_made(handler, hit);
}

/**
 * kpt_hit_count() - count a hit of a handler
 * @handler: the handler; if it has no counters of hits, their outcomes are counted alone
 *
 * Context: BRK.
 */
static __always_inline void kpt_hit_count(const struct kpt_handler *handler)
{
	if (handler->hits)
		SHIFT_PERCPU_PTR(handler->hits, __my_cpu_offset)->hits++;
}

/**
 * kpt_hit_count_filtered() - count a hit that is not wanted
 * @handler: its handler, for which kpt_hit_count() was called
 * @sink: the ring that does not get it
 *
 * Context: BRK.
 */
static __always_inline void kpt_hit_count_filtered(const struct kpt_handler *handler,
						   const struct kpt_sink *sink)
{
	u64 __percpu *filtered = READ_ONCE(handler->probe->own_filtered);

	if (handler->hits)
		SHIFT_PERCPU_PTR(kpt_sink_counts(sink), __my_cpu_offset)->outcomes.filtered++;
	else if (likely(filtered))
		(*SHIFT_PERCPU_PTR(filtered, __my_cpu_offset))++;
	else
		kpt_hit_filtered_shared(handler, sink);
}

/**
 * kpt_hit_add_call() - let a program fetch what was kept of a call
 * @src: where the program fetches from
 * @prog: the program
 * @call: the call, which returns now
 *
 * Context: BRK.
 */
static __always_inline void kpt_hit_add_call(struct kpt_fetch_source *src,
					     const struct kpt_fetch_prog *prog,
					     const struct kpt_call *call)
{
	src->entry = call->value;
	if (prog->needs_elapsed)
		src->elapsed = kpt_clock_elapsed(call->start);
}

/**
 * kpt_hit_copy_record() - copy a record
 * @to: room for it
 * @from: the record, which ends with a whole word
 * @size: its bytes
 *
 * In words of 8 bytes, because it is small as a rule.
 *
 * Context: BRK.
 */
static __always_inline void kpt_hit_copy_record(u64 *to, const u64 *from, size_t size)
{
	size_t i;

	if (size > 64)
		memcpy(to, from, size);
	else
		for (i = 0; i < size; i += sizeof(u64))
			*to++ = *from++;
}

/* Thread flags that say the task should give up the CPU. */
#ifdef _TIF_NEED_RESCHED_LAZY
#define KPT_TIF_RESCHED (_TIF_NEED_RESCHED | _TIF_NEED_RESCHED_LAZY)
#else
#define KPT_TIF_RESCHED _TIF_NEED_RESCHED
#endif

/*
 * Is the probed code a task with preemption, softirqs and migration on, and without
 * a request to give up the CPU? Its kpt_hit.context is 0. @bias is what was added to
 * preempt_count() on the way here. False if it was more, which hides the task's own count.
 */
static __always_inline bool kpt_hit_is_calm_but(unsigned int bias)
{
	struct thread_info *ti = current_thread_info();

	/* The depth and, inverted, the request to give up the CPU. */
	return READ_ONCE(ti->preempt_count) == PREEMPT_ENABLED + bias &&
	       !(READ_ONCE(ti->flags) & KPT_TIF_RESCHED) &&
	       !kpt_softirq_count(0) &&
	       !kpt_migration_disabled();
}

static __always_inline bool kpt_hit_is_calm(void)
{
	return kpt_hit_is_calm_but(0);
}

/* What was added to preempt_count() on the way to a hit of a tracepoint. */
static __always_inline unsigned int kpt_hit_tracepoint_bias(void)
{
	/* Tracepoints of system calls leave preemption on in all newer kernels. */
	return KPT_TRACEPOINT_BIAS && preempt_count() & PREEMPT_MASK ? KPT_TRACEPOINT_BIAS : 0;
}

/*
 * Does RCU watch this CPU for sure? It always does but in the idle task and, where the
 * kernel tracks the way to user space, on that way.
 */
static __always_inline bool kpt_hit_is_rcu_sure(void)
{
	return !is_idle_task(current) && !context_tracking_enabled();
}

static __always_inline bool kpt_hit_rcu_watches(void)
{
	return likely(kpt_hit_is_rcu_sure()) || rcu_is_watching();
}

/**
 * kpt_hit_needs_rcu() - must RCU watch this CPU while a list runs?
 * @handlers: the list
 *
 * Context: BRK.
 * Return: true if it must.
 */
static __always_inline bool kpt_hit_needs_rcu(const struct kpt_handlers *handlers)
{
	return handlers->needs_rcu || READ_ONCE(kpt_task_filter_needs_rcu);
}

/**
 * kpt_hit_find_pc() - find where a hit of a recorder is
 * @handlers: the list
 * @hit: the hit; all of @regs but the PC is set. The PC is then, and @call. If the return address
 *	was replaced, the CPU has returned
 *
 * Context: BRK.
 */
static inline void kpt_hit_find_pc(const struct kpt_handlers *handlers, struct kpt_hit *hit)
{
	hit->call = handlers->list.calls ? kpt_call_returning() : NULL;
	hit->regs->pc = hit->call ? hit->regs->regs[30] : kpt_hook_address(handlers->hook);
}

/* A depth in 4 bits, for kpt_record_head.preempt_count; 15 means 15 or more. */
static __always_inline u16 kpt_hit_nibble(unsigned int depth)
{
	return depth < 0xf ? depth : 0xf;
}

/*
 * Flags and nesting depths of the probed code, which are struct kpt_hit.context.
 * @bias is what the exception path has added to preempt_count(). Every probe under a
 * spinlock and in an interrupt needs this, so no function is called.
 */
static __always_inline u16 kpt_hit_context(unsigned int bias)
{
	unsigned long ti = READ_ONCE(current_thread_info()->flags);
	unsigned int preempt = preempt_count() - bias;
	unsigned int softirq = kpt_softirq_count(preempt);
	u16 flags = 0;

	if (ti & _TIF_NEED_RESCHED)
		flags |= KPT_FLAG_NEED_RESCHED;
#ifdef _TIF_NEED_RESCHED_LAZY
	if (ti & _TIF_NEED_RESCHED_LAZY)
		flags |= KPT_FLAG_NEED_RESCHED_LAZY;
#endif
	if (test_preempt_need_resched())
		flags |= KPT_FLAG_PREEMPT_RESCHED;
	if (preempt & NMI_MASK)
		flags |= KPT_FLAG_NMI;
	if (preempt & HARDIRQ_MASK)
		flags |= KPT_FLAG_HARDIRQ;
	if (softirq & SOFTIRQ_OFFSET)
		flags |= KPT_FLAG_SOFTIRQ;
	if (softirq & ~SOFTIRQ_OFFSET)
		flags |= KPT_FLAG_BH_OFF;
	return flags | kpt_hit_nibble(preempt & PREEMPT_MASK) << 8 |
	       kpt_hit_nibble(kpt_migration_disabled()) << 12;
}

/*
 * Write the common fields as one word. They describe the probed code, not the
 * exception that it took. @context is kpt_hit.context.
 */
static __always_inline void kpt_hit_fill_head_as(struct kpt_record_head *head,
						 u16 type, bool irqs_off,
						 u16 context)
{
	u64 word = type | (u32)context << 16 | (u64)current->pid << 32;

	static_assert(offsetof(struct kpt_record_head, flags) == 2);
	static_assert(offsetof(struct kpt_record_head, preempt_count) == 3);
	static_assert(offsetof(struct kpt_record_head, pid) == 4);
	if (irqs_off)
		word |= KPT_FLAG_IRQS_OFF << 16;
	memcpy(head, &word, sizeof(word));
}

/* The same for code with these registers. */
static __always_inline void kpt_hit_fill_head(struct kpt_record_head *head,
					      u16 type,
					      const struct pt_regs *regs,
					      u16 context)
{
	kpt_hit_fill_head_as(head, type, !interrupts_enabled(regs), context);
}

/**
 * kpt_hit_begin_record() - write a record, except its arguments
 * @rec: the record
 * @handler: its handler
 * @regs: registers at the probed address
 * @context: kpt_hit.context
 * @ret_ip: the address that the function returns to; 0: the hit is no return
 *
 * Context: BRK.
 */
static __always_inline void kpt_hit_begin_record(void *rec,
						 const struct kpt_handler *handler,
						 const struct pt_regs *regs,
						 u16 context, unsigned long ret_ip)
{
	struct kpt_record_return *ret = rec;
	struct kpt_record_probe *probe = rec;

	kpt_hit_fill_head(rec, handler->type, regs, context);
	if (likely(!ret_ip)) {
		probe->ip = regs->pc;
	} else {
		ret->func = handler->func;
		ret->ret_ip = ret_ip;
	}
}

/**
 * kpt_hit_begin_cut() - write what a ring has of a record, except its arguments
 * @rec: room in the ring
 * @handler: its handler, which has a place
 * @regs: registers at the probed address
 * @context: kpt_hit.context
 * @ret_ip: the address that the function returns to; 0: the hit is no return
 *
 * Context: BRK.
 * Return: where the record would begin if it were whole: the arguments are where they are then.
 */
static __always_inline void *kpt_hit_begin_cut(void *rec, const struct kpt_handler *handler,
					       const struct pt_regs *regs, u16 context,
					       unsigned long ret_ip)
{
	kpt_hit_fill_head(rec, handler->place, regs, context);
	rec -= KPT_RECORD_LEFT_OUT;
	if (ret_ip)
		((struct kpt_record_return *)rec)->ret_ip = ret_ip;
	return rec;
}

/**
 * kpt_hit_cut_record() - copy to a ring what that has of a record
 * @to: room in the ring
 * @handler: its handler, which has a place
 * @from: the whole record, which ends with a whole word
 * @size: its bytes
 *
 * Context: BRK.
 */
static __always_inline void kpt_hit_cut_record(u64 *to, const struct kpt_handler *handler,
					       const u64 *from, size_t size)
{
	struct kpt_record_head *head = (struct kpt_record_head *)to;
	size_t left_out = sizeof(*head) + KPT_RECORD_LEFT_OUT;

	*to = *from;
	head->type = handler->place;
	kpt_hit_copy_record(to + 1, from + left_out / sizeof(u64), size - left_out);
}

#endif
