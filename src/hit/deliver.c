// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run one handler of a hit: build its record once, and give it to each sink. Runs in
 * BRK context, see hit_point.c.
 */
#include "kernel/compat.h"
#include <linux/rculist.h>
#include <kptrace.h>
#include "event/event_limit.h"
#include "event/task_filter.h"
#include "hit/follow.h"
#include "hit/internal.h"
#include "hit/limited.h"
#include "kernel/scratch.h"
#include "trigger/trigger.h"

/* The result of a hit for one sink. */
enum outcome {
	RECORDED,
	FILTERED,
	LIMITED,
	LOST,
};

/* Write a record, except its arguments. */
static __always_inline void begin(void *rec, const struct kpt_handler *handler,
		  const struct kpt_hit *hit)
{
	kpt_hit_begin_record(rec, handler, hit->regs, hit->context,
			     hit->is_return ? hit->ret_ip : 0);
}

/* The same in a ring. Returns where arguments are in a record that begins there. */
static __always_inline void *begin_in_ring(void *rec, const struct kpt_handler *handler,
					   const struct kpt_hit *hit)
{
	if (handler->place)
		return kpt_hit_begin_cut(rec, handler, hit->regs, hit->context,
					 hit->is_return ? hit->ret_ip : 0);
	begin(rec, handler, hit);
	return rec;
}

/* Not inline, so that hits without a call keep fewer registers. */
static noinline void source_add_call(struct kpt_fetch_source *src,
				     const struct kpt_handler *handler,
				     const struct kpt_call *call)
{
	kpt_hit_add_call(src, handler->prog, call);
}

static __always_inline struct kpt_fetch_source source_of(const struct kpt_handler *handler,
							 const struct kpt_hit *hit)
{
	struct kpt_fetch_source src = { .regs = &hit->regs->user_regs };

	if (hit->call)
		source_add_call(&src, handler, hit->call);
	return src;
}

/* Build a record that is larger than kpt_scratch.record. False without room. */
static noinline bool make_large(const struct kpt_handler *handler,
				struct kpt_hit *hit,
				const struct kpt_fetch_source *src)
{
	void *rec;

	hit->size = kpt_fetch_size(handler->prog, src);
	rec = kpt_scratch_large(false, &hit->size);
	hit->record = rec;
	if (!rec)
		return false;
	begin(rec, handler, hit);
	kpt_fetch_exec(handler->prog, src, rec, hit->size);
	return true;
}

/*
 * Build the record in struct kpt_scratch, for all sinks: strings are read only once
 * and not measured first, and a record that all filters reject never touches a ring.
 * False if the record is too large for that; then hit->size is its size.
 */
static bool make_aside(const struct kpt_handler *handler, struct kpt_hit *hit)
{
	void *rec = this_cpu_ptr(kpt_scratch)->record[0];
	struct kpt_fetch_source src;

	begin(rec, handler, hit);
	hit->record = rec;
	if (handler->prog->only_registers) {
		kpt_fetch_registers(handler->prog, &hit->regs->user_regs, rec);
		hit->size = handler->prog->size;
		return true;
	}
	src = source_of(handler, hit);
	hit->size = kpt_fetch_try(handler->prog, &src, rec, KPT_SCRATCH_RECORD);
	return likely(hit->size) || make_large(handler, hit, &src);
}

static bool is_wanted(const struct kpt_sink *sink, const void *rec, size_t size)
{
	return !sink->filter ||
	       kpt_filter_match(sink->filter, rec, size, smp_processor_id());
}

/* Build the record in the ring, and discard it if the filter rejects it. */
static noinline enum outcome deliver_in_ring(const struct kpt_handler *handler,
					     const struct kpt_sink *sink,
					     struct kpt_hit *hit)
{
	struct kpt_buffer_cpu *bc = this_cpu_ptr(sink->buffer->cpu);
	struct kpt_fetch_source src = source_of(handler, hit);
	size_t size = hit->size ?: kpt_fetch_size(handler->prog, &src);
	void *rec;

	rec = kpt_buffer_reserve(sink->buffer, bc, size - kpt_handler_left_out(handler),
				 hit->stamp);
	if (unlikely(!rec))
		return LOST;
	kpt_fetch_exec(handler->prog, &src, begin_in_ring(rec, handler, hit), size);
	/* A filter asks here only what does not fit into kpt_scratch: such a record is whole. */
	if (!is_wanted(sink, rec, size)) {
		kpt_ring_discard(&bc->ring, rec);
		return FILTERED;
	}
	kpt_buffer_commit(sink->buffer, bc);
	return RECORDED;
}

/*
 * The usual case: kpt_buffer.stops is 0, and the ring has room. Copy hit->record; or
 * if it is NULL, build the record, which always has the same size, in the ring, and
 * let other sinks copy it from there. False, with no side effects, in other cases.
 */
static __always_inline bool deliver_simple(const struct kpt_handler *handler,
					   const struct kpt_sink *sink,
					   struct kpt_hit *hit)
{
	struct kpt_buffer_cpu *bc = this_cpu_ptr(sink->buffer->cpu);
	struct kpt_fetch_source src;
	void *rec, *made;

	/* Nothing else writes: exceptions are masked, hits in an NMI are missed. */
	if (unlikely(!kpt_buffer_may_write(bc) ||
		     !kpt_ring_begin(&bc->ring, hit->record && !handler->place ?
				     kpt_ring_quick(hit->size) : handler->words,
				     hit->stamp ?: kpt_clock_raw(), &rec)))
		return false;
	if (hit->record && handler->place) {
		kpt_hit_cut_record(rec, handler, hit->record, hit->size);
	} else if (hit->record) {
		kpt_hit_copy_record(rec, hit->record, hit->size);
	} else {
		made = begin_in_ring(rec, handler, hit);
		hit->size = handler->prog->size + handler->prog->room;
		if (handler->prog->only_registers) {
			kpt_fetch_registers(handler->prog, &hit->regs->user_regs, made);
		} else {
			src = source_of(handler, hit);
			kpt_fetch_exec(handler->prog, &src, made, hit->size);
		}
		/* It stays valid: nothing writes to this ring until this hit ends. */
		hit->record = made == rec ? rec : NULL;
	}
	kpt_ring_finish(&bc->ring);
	return kpt_buffer_published(sink->buffer);
}

/* As kpt_buffer_record(). */
static bool put_record(const struct kpt_handler *handler, const struct kpt_sink *sink,
		       const struct kpt_hit *hit)
{
	struct kpt_buffer_cpu *bc = this_cpu_ptr(sink->buffer->cpu);
	void *rec;

	if (!handler->place)
		return kpt_buffer_record(sink->buffer, hit->record, hit->size, hit->stamp);
	rec = kpt_buffer_reserve(sink->buffer, bc, hit->size - KPT_RECORD_LEFT_OUT, hit->stamp);
	if (!rec)
		return false;
	kpt_hit_cut_record(rec, handler, hit->record, hit->size);
	kpt_buffer_commit(sink->buffer, bc);
	return true;
}

/*
 * The filter refuses a hit. Recorders make a record in room that is claimed before they ask a
 * filter that reads memory: have some for the next hit, or C would have each.
 */
static enum outcome refuse(const struct kpt_sink *sink, const struct kpt_hit *hit)
{
	struct kpt_ring *ring = &this_cpu_ptr(sink->buffer->cpu)->ring;

	if (unlikely(!kpt_ring_has_room(ring, hit->size)))
		kpt_ring_claim(ring, hit->size, hit->stamp ?: kpt_buffer_stamp(sink->buffer));
	return FILTERED;
}

static __always_inline enum outcome record(const struct kpt_handler *handler,
			   const struct kpt_sink *sink, struct kpt_hit *hit)
{
	bool may_ask = atomic_read(&sink->buffer->stops);
	bool is_aside = sink->filter || handler->prog->has_strings ||
			(handler->place && handler->nr_sinks > 1);

	if (unlikely(may_ask) && !kpt_task_filter_allow(sink->file, hit->record))
		return FILTERED;
	if (is_aside && !hit->record && !hit->size)
		make_aside(handler, hit);
	if (hit->record && !is_wanted(sink, hit->record, hit->size))
		return refuse(sink, hit);
	if (likely(!may_ask && (hit->record || !is_aside)) &&
	    deliver_simple(handler, sink, hit))
		return RECORDED;
	if (!hit->record)
		return deliver_in_ring(handler, sink, hit);
	return put_record(handler, sink, hit) ? RECORDED : LOST;
}

/*
 * The function's caller if no frame record names it, else 0. At its first and at a
 * return instruction a function has no frame record, so only x30 has the caller. If
 * the return address was replaced, the function has already returned to it.
 */
static unsigned long caller_of(const struct kpt_handler *handler,
			       const struct kpt_hit *hit)
{
	if (handler->role == KPT_ROLE_RETURN)
		return handler->calls && handler->calls->replaces_return ? 0 : hit->ret_ip;
	if ((handler->role == KPT_ROLE_HIT || handler->role == KPT_ROLE_WATCH ||
	     handler->role == KPT_ROLE_REPEATS) && handler->func)
		return kpt_arch_return_address(hit->regs);
	if (handler->role == KPT_ROLE_EVENT)
		return hit->caller;
	return 0;
}

/*
 * Record stack traces, for options stacktrace and userstacktrace. They get a head of their
 * own, because the record of the hit may be in the ring already.
 */
static noinline void record_stacks(const struct kpt_handler *handler,
				   const struct kpt_sink *sink,
				   const struct kpt_hit *hit, u64 wanted)
{
	struct kpt_record_head head;
	const struct kpt_hit at = {
		.record = &head,
		.size = sizeof(head),
		.regs = hit->regs,
		.call = hit->call,
		.caller = caller_of(handler, hit),
	};

	if (handler->role == KPT_ROLE_EVENT)
		memcpy(&head, hit->record, sizeof(head));
	else
		kpt_hit_fill_head(&head, handler->type, hit->regs, hit->context);
	if (wanted & (KPT_OPT_STACKTRACE | KPT_OPT_FUNC_STACK))
		kpt_trigger_stack_run(sink->file, &at);
	if (wanted & KPT_OPT_USER_STACK)
		kpt_trigger_user_stack_run(sink->file, &at);
}

/* Which of KPT_OPT_STACKS does an event want? Tracers have an option of their own. */
static __always_inline u64 wanted_stacks(const struct kpt_event_file *file)
{
	u64 stacks = READ_ONCE(file->instance->options) & KPT_OPT_STACKS;

	return likely(!stacks) ? 0 :
	       stacks & (file->is_tracer ? KPT_OPT_FUNC_STACK :
			 KPT_OPT_STACKTRACE | KPT_OPT_USER_STACK);
}

/* Give the record to a ring, and count the result. */
static __always_inline void deliver_to_ring(const struct kpt_handler *handler,
			    const struct kpt_sink *sink, struct kpt_hit *hit)
{
	u64 stacks;

	switch (record(handler, sink, hit)) {
	case RECORDED:
		(*this_cpu_ptr(sink->recorded))++;
		stacks = wanted_stacks(sink->file);
		if (unlikely(stacks))
			record_stacks(handler, sink, hit, stacks);
		break;
	case FILTERED:
		kpt_hit_count_filtered(handler, sink);
		break;
	case LIMITED:
		break;
	case LOST:
		kpt_hit_lost(handler, sink);
		break;
	}
}

/* Not inline, so that triggers run on less stack. */
static noinline void deliver_to_held_ring(const struct kpt_handler *handler,
					  const struct kpt_sink *sink,
					  struct kpt_hit *hit)
{
	deliver_to_ring(handler, sink, hit);
}

/*
 * May a hit be recorded, or is it over the limit? A hit that is not wanted uses up
 * nothing. Records that have no room outside the ring are filtered behind the limit.
 */
static enum outcome limit_outcome(const struct kpt_handler *handler,
				  const struct kpt_sink *sink, struct kpt_hit *hit,
				  enum kpt_limit_result *result)
{
	if (atomic_read(&sink->buffer->stops) &&
	    !kpt_task_filter_allow(sink->file, hit->record))
		return FILTERED;
	if (sink->filter && !hit->record && !hit->size)
		make_aside(handler, hit);
	if (hit->record && !is_wanted(sink, hit->record, hit->size))
		return FILTERED;
	if (!sink->limit)
		return RECORDED;
	*result = kpt_limit_spend(sink->limit, kpt_limit_now());
	return *result == KPT_LIMIT_OVER ? LIMITED : RECORDED;
}

/*
 * Give the record to a ring, unless it is over the limit of the event, or one of the
 * event's triggers says so (@is_over). The first record behind some that are missing
 * comes with a line about them.
 */
static noinline void deliver_limited(const struct kpt_handler *handler,
				     const struct kpt_sink *sink,
				     struct kpt_hit *hit, bool is_over)
{
	struct kpt_event_file_counts *counts = this_cpu_ptr(kpt_sink_counts(sink));
	enum kpt_limit_result result = KPT_LIMIT_TAKEN;
	enum outcome outcome = is_over ? LIMITED :
			       limit_outcome(handler, sink, hit, &result);

	switch (outcome) {
	case LIMITED:
		counts->limited++;
		break;
	case FILTERED:
		counts->outcomes.filtered++;
		break;
	default:
		kpt_hit_tell_limited(sink->file, counts, hit);
		deliver_to_held_ring(handler, sink, hit);
		if (result == KPT_LIMIT_LAST)
			kpt_hit_tell_last(sink->file, sink->limit, hit);
	}
}

/**
 * kpt_hit_deliver_after() - let events on an event record, and run its late triggers
 * @file: the event
 * @hit: the hit
 * @after: from kpt_trigger_run()
 *
 * The ring has the record. Run the handlers of events that are on @file's event, then the
 * triggers that act AFTER.
 *
 * Context: BRK.
 */
void kpt_hit_deliver_after(struct kpt_event_file *file, const struct kpt_hit *hit,
			   u32 after)
{
	const struct kpt_handlers *followers = kpt_event_file_followers(file);

	if (followers)
		kpt_hit_follow(followers, 0, hit);
	kpt_trigger_run_after(file, hit, after);
}

/* Strings are fetched first of all, because deliver_to_held_ring() has less stack. */
static __always_inline bool held_needs_record(const struct kpt_handler *handler,
					      const struct kpt_sink *sink)
{
	return !list_empty(&sink->file->triggers.list) ||
	       sink->kind >= KPT_SINK_FOLLOWERS ||
	       (handler->prog->has_strings && READ_ONCE(sink->file->enabled));
}

/*
 * Is the record in the ring of an earlier sink, where deliver_simple() made it? Readers may
 * see it there.
 */
static bool is_published(const struct kpt_handler *handler, const struct kpt_sink *sink,
			 const void *rec)
{
	const struct kpt_sink *earlier;

	for (earlier = handler->sink; earlier < sink; earlier++)
		if (earlier->kind != KPT_SINK_FUNCTIONS &&
		    kpt_ring_holds(&this_cpu_ptr(earlier->buffer->cpu)->ring, rec))
			return true;
	return false;
}

/**
 * kpt_hit_set_aside() - have the record of a hit where its receiver may write to it
 * @handler: its handler
 * @sink: the sink of the receiver, which is not a ring alone
 * @hit: the hit; its caller is set, too
 *
 * Context: BRK.
 * Return: true; false if there is no room, which is not so for events that are held:
 * kpt_scratch_grow() ran before.
 */
bool kpt_hit_set_aside(const struct kpt_handler *handler, const struct kpt_sink *sink,
		       struct kpt_hit *hit)
{
	if ((!hit->record || is_published(handler, sink, hit->record)) &&
	    !make_aside(handler, hit))
		return false;
	hit->caller = caller_of(handler, hit);
	return true;
}

/* Not of a task that is not wanted: so histograms count those that are recorded, too. */
static u32 run_triggers(struct kpt_event_file *file, const struct kpt_hit *hit)
{
	if (unlikely(!kpt_task_filter_allow_task(file, hit->record)))
		return READ_ONCE(file->triggers.after);
	return kpt_trigger_run(file, hit);
}

/*
 * Run the triggers on every hit. The ring gets the record only if the event is
 * enabled after they have run. Then events on this event get it; @after tells whether
 * there are any, so hits with triggers alone do not look. Synthetic records are delivered
 * last, by a tail call, which needs no more stack; those that an e causes, with its
 * source's.
 */
static noinline void deliver_to_held(const struct kpt_handler *handler,
				     const struct kpt_sink *sink,
				     struct kpt_hit *hit)
{
	struct kpt_event_file *file = sink->file;
	u32 after = 0;

	hit->stamp = kpt_buffer_stamp(sink->buffer);
	if (unlikely(sink->kind == KPT_SINK_PERF))
		kpt_hit_perf(handler, sink, hit);
	/* make_aside() succeeds: kpt_scratch_grow() ran before the event was held. */
	if (held_needs_record(handler, sink) &&
	    (hit->record || make_aside(handler, hit))) {
		hit->caller = caller_of(handler, hit);
		after = run_triggers(file, hit);
	}
	if (READ_ONCE(file->enabled)) {
		/* The first limit trigger runs a moment before it sets KPT_AFTER_LIMIT. */
		if (unlikely(sink->limit || (after & (KPT_AFTER_LIMIT | KPT_AFTER_OVER))))
			deliver_limited(handler, sink, hit, after & KPT_AFTER_OVER);
		else
			deliver_to_held_ring(handler, sink, hit);
	}
	hit->stamp = 0;
	if (after)
		kpt_hit_deliver_after(file, hit, after);
	if (unlikely(kpt_trigger_has_synth()) && handler->role != KPT_ROLE_EVENT)
		kpt_hit_deliver_synth(hit);
}

/**
 * kpt_hit_deliver_followers() - let events on an event record, whose record a stub has made
 * @handler: the handler that it is of
 * @hit: the hit; its record is in no ring
 * @followers: events on the event
 * @from: so many of them have had it
 *
 * Context: BRK.
 */
void kpt_hit_deliver_followers(const struct kpt_handler *handler, struct kpt_hit *hit,
			       const struct kpt_handlers *followers, unsigned int from)
{
	hit->caller = caller_of(handler, hit);
	kpt_hit_follow(followers, from, hit);
	if (unlikely(kpt_trigger_has_synth()))
		kpt_hit_deliver_synth(hit);
}

/* The handler in a list whose event is @file. */
static const struct kpt_handler *handler_of(const struct kpt_handlers *handlers,
					    const struct kpt_event_file *file)
{
	const struct kpt_handler *handler;
	const struct kpt_sink *sink;

	kpt_for_each_handler(handler, handlers)
		kpt_for_each_sink(sink, handler)
			if (sink->kind != KPT_SINK_FUNCTIONS && sink->file == file)
				return handler;
	return &handlers->first;
}

/**
 * kpt_hit_find_caller() - find who has called the probed code, for a hit of a stub
 * @handlers: the list of the hit
 * @file: the event
 * @hit: the hit; its registers are known. @size is without what fills words, if strings are not
 *	the end of the record
 *
 * Context: BRK.
 */
void kpt_hit_find_caller(const struct kpt_handlers *handlers, const struct kpt_event_file *file,
			 struct kpt_hit *hit)
{
	const struct kpt_handler *handler = handler_of(handlers, file);

	hit->ret_ip = kpt_arch_return_address(hit->regs);
	hit->caller = caller_of(handler, hit);
	if (!handler->prog->has_strings)
		hit->size = handler->prog->size + handler->prog->room;
}

/**
 * kpt_hit_recorded_stack() - run a trigger that needs the stack of a hit that a stub has recorded
 * @trigger: the struct kpt_trigger
 * @record: the record, behind a struct kpt_ring_header
 * @saved: what the stub has saved
 * @recorder: part of the list of the hit
 *
 * Context: BRK.
 * Return: true.
 */
bool kpt_hit_recorded_stack(void *trigger, void *record, const struct kpt_arch_saved *saved,
			    const struct kpt_arch_recorder *recorder)
{
	struct pt_regs *regs = &this_cpu_ptr(kpt_scratch)->regs;
	const struct kpt_handlers *handlers = kpt_handlers_of(recorder);
	const struct kpt_trigger *t = trigger;
	const struct kpt_buffer *buf = &t->file->instance->buffer;
	struct kpt_hit hit = {
		.record = record,
		.size = kpt_ring_size(record),
		.stamp = kpt_ring_stamp(record, kpt_ring_near(&this_cpu_ptr(buf->cpu)->ring)),
		.regs = regs,
	};

	kpt_arch_saved_regs(regs, saved);
	kpt_hit_find_pc(handlers, &hit);
	kpt_hit_find_caller(handlers, t->file, &hit);
	kpt_trigger_run_one(trigger, &hit);
	return true;
}

/* A return that the entry did not want to see is no hit. */
static void deliver_return(const struct kpt_handler *handler,
			   struct kptrace_probe *functions,
			   const struct kpt_hit *hit)
{
	struct kptrace_call call = {
		.func = handler->func,
		.ret_ip = hit->ret_ip,
	};

	if (handler->calls && !hit->call->start) {
		this_cpu_ptr(handler->hits)->hits--;
		return;
	}
	if (functions->data_size)
		call.data = hit->call->value;
	functions->ret(functions, &call, hit->regs);
}

/* Call a function of another module. Only with KPTRACE_PC may it change the PC. */
static noinline void deliver_to_functions(const struct kpt_handler *handler,
					  const struct kpt_sink *sink,
					  const struct kpt_hit *hit)
{
	struct kptrace_probe *functions = sink->functions;
	struct pt_regs *regs = hit->regs;
	unsigned long pc = regs->pc;

	if (hit->is_return)
		deliver_return(handler, functions, hit);
	else if (!functions->pre || !functions->pre(functions, regs) ||
		 !(functions->flags & KPTRACE_PC))
		regs->pc = pc;
}

static __always_inline void deliver_to(const struct kpt_handler *handler,
				       const struct kpt_sink *sink, struct kpt_hit *hit)
{
	switch (sink->kind) {
	case KPT_SINK_RING:
		deliver_to_ring(handler, sink, hit);
		break;
	case KPT_SINK_LIMITED:
		deliver_limited(handler, sink, hit, false);
		break;
	case KPT_SINK_TRIGGERS:
	case KPT_SINK_FOLLOWERS:
	case KPT_SINK_PERF:
		deliver_to_held(handler, sink, hit);
		break;
	case KPT_SINK_FUNCTIONS:
		deliver_to_functions(handler, sink, hit);
		break;
	}
}

/**
 * kpt_hit_deliver_made() - give the record of a hit to a handler's sinks
 * @handler: the handler
 * @hit: the hit; without a record, it is built
 *
 * Context: BRK.
 */
void kpt_hit_deliver_made(const struct kpt_handler *handler, struct kpt_hit *hit)
{
	const struct kpt_sink *sink;

	kpt_hit_count(handler);
	kpt_for_each_sink(sink, handler)
		deliver_to(handler, sink, hit);
}

/**
 * kpt_hit_deliver_from() - the same for a hit that some sinks have had
 * @handler: the handler; the hit was counted, unless @sink is the first
 * @sink: the first sink that gets it
 * @hit: as for kpt_hit_deliver_made()
 *
 * Context: BRK.
 */
void kpt_hit_deliver_from(const struct kpt_handler *handler, const struct kpt_sink *sink,
			  struct kpt_hit *hit)
{
	if (sink == handler->sink)
		kpt_hit_count(handler);
	for (; sink < handler->sink + handler->nr_sinks; sink++)
		deliver_to(handler, sink, hit);
}
