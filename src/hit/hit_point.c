// SPDX-License-Identifier: GPL-2.0-only
/*
 * From an armed point to a record in the ring. All of this runs in BRK
 * context: interrupts masked, one hit at a time per CPU, no lock, no sleep,
 * no fault that is not fixed up. Hits that cannot be recorded are counted.
 *
 * This file alone records most hits. For all others it calls roles.c, which runs all
 * handlers, and that calls deliver.c, which gives the record to the sinks.
 */
#include "kernel/compat.h"
#include <linux/rcupdate.h>
#include <kptrace.h>
#include "engine/tracepoint.h"
#include "event/task_filter.h"
#include "hit/copy.h"
#include "hit/follow.h"
#include "hit/simple.h"
#include "kernel/comms.h"
#include "kernel/scratch.h"
#include "trigger/trigger.h"

/*
 * Is the hit one of the fast path: the task's comm is the one noted last, and the return
 * address is not replaced? @ret_ip gets that address at a return, else 0.
 */
static __always_inline bool hit_is_simple(const struct kpt_handler *handler,
					  const struct pt_regs *regs,
					  unsigned long *ret_ip)
{
	*ret_ip = 0;
	if (unlikely(!kpt_comm_is_noted()))
		return false;
	if (handler->role == KPT_ROLE_HIT)
		return true;
	*ret_ip = kpt_arch_return_address(regs);
	return likely(!kpt_arch_hides_caller(*ret_ip));
}

/*
 * Fast path: hit_is_simple(), and the ring has room. Returns false, with no side effects,
 * if any of this does not hold. @made is the record, valid until the ring is written to
 * again. With @only_registers no function is called, so no stack frame is needed.
 */
static __always_inline bool hit_record_simple(const struct kpt_handler *handler,
					      struct kpt_buffer *buf,
					      struct pt_regs *regs, u16 context,
					      const bool only_registers,
					      void **made)
{
	unsigned long ret_ip;

	return likely(hit_is_simple(handler, regs, &ret_ip)) &&
	       kpt_hit_record_simple(handler, buf, regs, context, ret_ip, NULL,
				     only_registers, made);
}

/* The point's only handler has a fast path, but this hit cannot take it. */
static noinline bool hit_slow(const struct kpt_handlers *handlers,
			      struct pt_regs *regs, unsigned int bias)
{
	const struct kpt_sink *sink = handlers->first.sink;

	if (!(atomic_read(&sink->buffer->stops) & KPT_STOP_SWITCH))
		return kpt_hit_any(handlers, regs, bias);
	/* tracing_on is 0: record nothing. */
	kpt_hit_count(&handlers->first);
	kpt_hit_count_filtered(&handlers->first, sink);
	return true;
}

/* The point's only handler has a fast path. @context is kpt_hit.context. */
static __always_inline bool hit_in_context(const struct kpt_handlers *handlers,
					   struct pt_regs *regs,
					   unsigned int bias, u16 context,
					   const bool only_registers)
{
	struct kpt_buffer *buf = handlers->first.sink->buffer;
	void *made;

	if (unlikely(!hit_record_simple(&handlers->first, buf, regs, context,
					only_registers, &made)))
		return hit_slow(handlers, regs, bias);
	return kpt_buffer_published(buf);
}

/* The record is inlined twice: where the context is 0, no register holds it. */
static __always_inline bool hit_simple(const struct kpt_handlers *handlers,
				       struct pt_regs *regs, unsigned int bias,
				       const bool only_registers)
{
	if (unlikely(atomic_read(&handlers->first.sink->buffer->stops)))
		return hit_slow(handlers, regs, bias);
	if (likely(kpt_hit_is_calm()))
		return hit_in_context(handlers, regs, bias, 0, only_registers);
	return hit_in_context(handlers, regs, bias, kpt_hit_context(bias),
			      only_registers);
}

/*
 * As hit_simple(), for records that also hold memory, names of tasks and so on. They
 * need function calls, and so a stack frame, which other hits must not pay for.
 */
static noinline bool hit_known_size(const struct kpt_handlers *handlers,
				    struct pt_regs *regs, unsigned int bias)
{
	return hit_simple(handlers, regs, bias, false);
}

/*
 * For records whose size is known when they are complete, and for those of several rings
 * that hold memory, names of tasks and so on: they are made in memory of the CPU, and
 * copied.
 */
static noinline bool hit_copied(const struct kpt_handlers *handlers,
				struct pt_regs *regs, unsigned int bias)
{
	const struct kpt_handler *handler = &handlers->first;
	struct kpt_fetch_source src = { .regs = &regs->user_regs };
	void *made = this_cpu_ptr(kpt_scratch)->record[0];
	unsigned long ret_ip = 0;
	size_t size;

	if (handler->role != KPT_ROLE_HIT)
		ret_ip = kpt_arch_return_address(regs);
	if (unlikely(!kpt_hit_copy_is_simple(handlers) ||
		     (ret_ip && kpt_arch_hides_caller(ret_ip))))
		return kpt_hit_any(handlers, regs, bias);
	size = kpt_fetch_try(handler->prog, &src, made, KPT_SCRATCH_RECORD);
	if (unlikely(!size))
		return kpt_hit_any(handlers, regs, bias);
	kpt_hit_begin_record(made, handler, regs,
			     likely(kpt_hit_is_calm()) ? 0 : kpt_hit_context(bias), ret_ip);
	kpt_comm_note();
	kpt_hit_copy(handlers, made, size);
	return true;
}

/* Is the sink enabled, without triggers, and are the events on it one of numbers? */
static bool followed_is_simple(const struct kpt_sink *sink,
			       const struct kpt_handlers *followers)
{
	return !atomic_read(&sink->buffer->stops) &&
	       READ_ONCE(sink->file->enabled) &&
	       list_empty(&sink->file->triggers.list) &&
	       followers && followers->kind == KPT_HANDLERS_FIELDS;
}

/* As hit_simple(), and an event on this one reads the record where it is. */
static noinline bool hit_followed(const struct kpt_handlers *handlers,
				  struct pt_regs *regs, unsigned int bias)
{
	const struct kpt_handler *handler = &handlers->first;
	const struct kpt_sink *sink = handler->sink;
	const struct kpt_handlers *followers = kpt_event_file_followers(sink->file);
	struct kpt_hit hit;
	u16 context;

	if (unlikely(!followed_is_simple(sink, followers)))
		return kpt_hit_any(handlers, regs, bias);
	context = likely(kpt_hit_is_calm()) ? 0 : kpt_hit_context(bias);
	if (unlikely(!hit_record_simple(handler, sink->buffer, regs, context, true,
					&hit.record)))
		return kpt_hit_any(handlers, regs, bias);
	hit.regs = regs;
	hit.call = NULL;
	hit.caller = 0;
	hit.size = handler->prog->size;
	kpt_hit_follow(followers, &hit);
	return kpt_buffer_published(sink->buffer);
}

/* Are histograms the only triggers of the sink, which change nothing else? */
static __always_inline bool held_is_simple(const struct kpt_sink *sink)
{
	/* Synthetic events may be for an instance with a task filter. */
	return READ_ONCE(sink->file->triggers.only_hists) &&
	       !atomic_read(&sink->buffer->stops) &&
	       !READ_ONCE(kpt_task_filter_needs_rcu);
}

/* Run the histograms on the record that is made. */
static __always_inline void hit_hists(const struct kpt_handler *handler,
				      struct pt_regs *regs, struct kpt_hit *hit)
{
	hit->regs = regs;
	hit->call = NULL;
	hit->caller = handler->func ? kpt_arch_return_address(regs) : 0;
	hit->size = handler->prog->size;
	kpt_trigger_run_hists(handler->sink->file, hit);
	if (kpt_trigger_has_synth()) {
		/* Their ring may have another clock. */
		hit->stamp = 0;
		kpt_hit_deliver_synth(hit);
	}
}

/* The event is not enabled: its record is for histograms alone. */
static noinline bool hit_aside(const struct kpt_handlers *handlers,
			       struct pt_regs *regs, unsigned int bias)
{
	const struct kpt_handler *handler = &handlers->first;
	unsigned long ret_ip;
	struct kpt_hit hit;
	u16 context;

	if (unlikely(!hit_is_simple(handler, regs, &ret_ip)))
		return kpt_hit_any(handlers, regs, bias);
	context = likely(kpt_hit_is_calm()) ? 0 : kpt_hit_context(bias);
	hit.record = this_cpu_ptr(kpt_scratch)->record[0];
	kpt_hit_make_simple(hit.record, handler, regs, context, ret_ip, NULL, true);
	hit.stamp = kpt_clock_raw();
	hit_hists(handler, regs, &hit);
	return true;
}

/* As hit_simple(), and histograms read the record where it is. */
static noinline bool hit_read(const struct kpt_handlers *handlers,
			      struct pt_regs *regs, unsigned int bias)
{
	const struct kpt_handler *handler = &handlers->first;
	const struct kpt_sink *sink = handler->sink;
	struct kpt_hit hit;
	u16 context;

	context = likely(kpt_hit_is_calm()) ? 0 : kpt_hit_context(bias);
	if (unlikely(!hit_record_simple(handler, sink->buffer, regs, context, true,
					&hit.record)))
		return kpt_hit_any(handlers, regs, bias);
	hit.stamp = kpt_ring_stamp(hit.record, kpt_clock_recent());
	hit_hists(handler, regs, &hit);
	return kpt_buffer_published(sink->buffer);
}

/* All are tail calls. */
static __always_inline bool hit_held(const struct kpt_handlers *handlers,
				     struct pt_regs *regs, unsigned int bias)
{
	const struct kpt_sink *sink = handlers->first.sink;

	if (unlikely(!held_is_simple(sink)))
		return kpt_hit_any(handlers, regs, bias);
	if (!READ_ONCE(sink->file->enabled))
		return hit_aside(handlers, regs, bias);
	return hit_read(handlers, regs, bias);
}

/**
 * kpt_hit_held() - run the list that a stub has found, of KPT_HANDLERS_HELD
 * @ap: the point
 * @regs: as for kpt_hit_point()
 * @recorder: part of the list; valid until kpt_arch_quiesce()
 *
 * Context: BRK, as for kpt_hit_point().
 * Return: as kpt_hit_point().
 */
bool kpt_hit_held(struct kpt_arch_point *ap, struct pt_regs *regs,
		  const struct kpt_arch_recorder *recorder)
{
	return hit_held(kpt_handlers_of(recorder), regs, 0);
}

/* The same for a BRK without a stub, or for what is no point. */
static noinline bool hit_held_other(const struct kpt_handlers *handlers,
				    struct pt_regs *regs, unsigned int bias)
{
	return hit_held(handlers, regs, bias);
}

/* Is the kind one that only stubs have a way of its own for? */
static __always_inline bool kind_is_of_stubs(u8 kind)
{
	return kind == KPT_HANDLERS_WATCH || kind == KPT_HANDLERS_MAX_STACK ||
	       kind == KPT_HANDLERS_REPLACE || kind == KPT_HANDLERS_REPLACE_RING;
}

/* Any list of another kind than KPT_HANDLERS_REGISTERS, or NULL. All are tail calls. */
static __always_inline bool hit_other(const struct kpt_handlers *handlers, struct pt_regs *regs,
		      unsigned int bias)
{
	if (handlers && handlers->kind == KPT_HANDLERS_KNOWN_SIZE)
		return hit_known_size(handlers, regs, bias);
	if (!handlers || handlers->kind == KPT_HANDLERS_ANY)
		return kpt_hit_any(handlers, regs, bias);
	if (handlers->kind >= KPT_HANDLERS_STRINGS)
		return hit_copied(handlers, regs, bias);
	if (handlers->kind == KPT_HANDLERS_FOLLOWED)
		return hit_followed(handlers, regs, bias);
	if (handlers->kind == KPT_HANDLERS_HELD)
		return hit_held_other(handlers, regs, bias);
	if (kind_is_of_stubs(handlers->kind))
		return kpt_hit_any(handlers, regs, bias);
	return kpt_hit_functions(handlers, regs, bias);
}

/* Run the handlers of a hook. */
static __always_inline bool hit_hook(const struct kpt_hook *hook,
				     struct pt_regs *regs, unsigned int bias)
{
	/* Freed only after kpt_arch_quiesce(), which waits for this hit. */
	const struct kpt_handlers *handlers =
		rcu_dereference_raw(hook->handlers);

	if (unlikely(!handlers || handlers->kind != KPT_HANDLERS_REGISTERS))
		return hit_other(handlers, regs, bias);
	return hit_simple(handlers, regs, bias, true);
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
 * kpt_hit_function_only() - run the list that a stub has found, of a function of a module
 * @ap: the point
 * @regs: as for kpt_hit_point()
 * @recorder: part of the list, which is KPT_HANDLERS_FUNCTION; valid until kpt_arch_quiesce()
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
