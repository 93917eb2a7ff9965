// SPDX-License-Identifier: GPL-2.0-only
/*
 * One handler of a hit, whatever it asks for: filters, triggers, events that are
 * armed without being enabled. Runs in BRK context, see hit.c.
 */
#include "kernel/compat.h"
#include <linux/rcupdate.h>
#include "event/filter.h"
#include "event/task_filter.h"
#include "hit/internal.h"
#include "kernel/scratch.h"
#include "trigger/trigger.h"

/* What became of a hit. */
enum outcome {
	RECORDED,
	FILTERED,
	LOST,
};

static void fill_head(struct kpt_record_head *head, const struct kpt_handler *handler,
		      const struct kpt_hit *hit)
{
	kpt_hit_fill_head(head, handler->type, hit->regs,
			  likely(kpt_hit_is_calm()) ? 0 :
			  kpt_hit_context(hit->preempt));
}

/* All of a record but the arguments. */
static void begin(void *rec, const struct kpt_handler *handler,
		  const struct kpt_hit *hit)
{
	struct kpt_record_return *ret = rec;
	struct kpt_record_probe *probe = rec;

	fill_head(rec, handler, hit);
	if (hit->is_return) {
		ret->func = handler->func;
		ret->ret_ip = hit->ret_ip;
	} else {
		probe->ip = hit->regs->pc;
	}
}

/* A record made aside goes into the ring if it is wanted. */
static enum outcome record_copy(const struct kpt_handler *handler,
				const struct kpt_filter *filter,
				const void *made, size_t size)
{
	if (filter &&
	    !kpt_filter_match(filter, made, size, smp_processor_id()))
		return FILTERED;
	return kpt_buffer_record(handler->buffer, made, size) ? RECORDED : LOST;
}

/*
 * A small record, made aside: a string is read once and not measured first, and
 * what is not wanted never was in the ring. False if it is not small.
 */
static bool record_aside(const struct kpt_handler *handler, const struct kpt_hit *hit,
			 const struct kpt_fetch_source *src,
			 const struct kpt_filter *filter, enum outcome *outcome)
{
	void *scratch = this_cpu_ptr(kpt_scratch)->record;
	size_t size;

	begin(scratch, handler, hit);
	size = kpt_fetch_try(handler->prog, src, scratch, KPT_SCRATCH_RECORD);
	if (!size)
		return false;
	*outcome = record_copy(handler, filter, scratch, size);
	return true;
}

/* A record made in the ring, and taken back if there is a filter against it. */
static enum outcome record_in_ring(const struct kpt_handler *handler,
				   const struct kpt_hit *hit,
				   const struct kpt_fetch_source *src,
				   const struct kpt_filter *filter)
{
	struct kpt_buffer_cpu *bc = this_cpu_ptr(handler->buffer->cpu);
	size_t size = kpt_fetch_size(handler->prog, src);
	void *rec;

	rec = kpt_buffer_reserve(handler->buffer, bc, size);
	if (unlikely(!rec))
		return LOST;
	begin(rec, handler, hit);
	kpt_fetch_exec(handler->prog, src, rec, size);
	if (filter && !kpt_filter_match(filter, rec, size, smp_processor_id())) {
		kpt_ring_discard(&bc->ring, rec);
		return FILTERED;
	}
	kpt_buffer_commit(handler->buffer, bc);
	return RECORDED;
}

/* The filter of the event, if there is one and it is right. */
static const struct kpt_filter *filter_of(const struct kpt_event_file *file)
{
	const struct kpt_event_filter *f = rcu_dereference_raw(file->filter);

	return f && !f->diag.code ? &f->prog : NULL;
}

static struct kpt_fetch_source source_of(const struct kpt_hit *hit)
{
	struct kpt_fetch_source src = { .regs = &hit->regs->user_regs };

	if (hit->call) {
		src.entry = hit->call->value;
		src.elapsed = kpt_clock_elapsed(hit->call->start);
	}
	return src;
}

static bool is_refused(const struct kpt_handler *handler)
{
	return atomic_read(&handler->buffer->stops) &&
	       !kpt_task_filter_allow(handler->file->instance);
}

static enum outcome record(const struct kpt_handler *handler,
			   const struct kpt_hit *hit)
{
	const struct kpt_filter *filter = filter_of(handler->file);
	struct kpt_fetch_source src = source_of(hit);
	enum outcome outcome;

	if (is_refused(handler))
		return FILTERED;
	if ((filter || handler->prog->has_strings) &&
	    record_aside(handler, hit, &src, filter, &outcome))
		return outcome;
	return record_in_ring(handler, hit, &src, filter);
}

static void count(const struct kpt_handler *handler, enum outcome outcome)
{
	struct kpt_event_file_counts *counts = this_cpu_ptr(handler->counts);

	if (outcome == RECORDED)
		counts->recorded++;
	else if (outcome == FILTERED)
		counts->filtered++;
	else
		counts->lost++;
}

/*
 * At its first instruction and at a return instruction a function has no frame
 * record: only x30 knows its caller. A return that was hooked is over.
 */
static unsigned long caller_of(const struct kpt_handler *handler,
			       const struct kpt_hit *hit)
{
	if (handler->role == KPT_ROLE_RETURN)
		return hit->ret_ip;
	if (handler->role == KPT_ROLE_HIT && handler->func)
		return kpt_arch_return_address(hit->regs);
	return 0;
}

/* Option stacktrace. */
static noinline void record_stack(const struct kpt_handler *handler,
				  const struct kpt_hit *hit)
{
	struct kpt_record_head head;
	const struct kpt_trigger_hit th = {
		.record = &head,
		.size = sizeof(head),
		.regs = hit->regs,
		.caller = caller_of(handler, hit),
	};

	fill_head(&head, handler, hit);
	kpt_trigger_stack_run(handler->file, &th);
}

static void finish(const struct kpt_handler *handler, const struct kpt_hit *hit,
		   enum outcome outcome)
{
	count(handler, outcome);
	if (outcome == RECORDED &&
	    unlikely(READ_ONCE(handler->file->instance->options) &
		     KPT_OPT_STACKTRACE))
		record_stack(handler, hit);
}

/* The record is made aside, for the triggers; the ring gets a copy of it. */
static noinline void handle_triggers(const struct kpt_handler *handler,
				  const struct kpt_hit *hit)
{
	struct kpt_fetch_source src = source_of(hit);
	struct kpt_trigger_hit th = {
		.record = this_cpu_ptr(kpt_scratch)->record,
		.regs = hit->regs,
		.caller = caller_of(handler, hit),
	};
	u32 after;

	begin(th.record, handler, hit);
	th.size = kpt_fetch_try(handler->prog, &src, th.record,
				KPT_SCRATCH_RECORD);
	if (!th.size) {
		th.size = kpt_fetch_size(handler->prog, &src);
		th.record = kpt_scratch_large(&th.size);
		begin(th.record, handler, hit);
		kpt_fetch_exec(handler->prog, &src, th.record, th.size);
	}
	after = kpt_trigger_run(handler->file, &th);
	if (READ_ONCE(handler->file->enabled))
		finish(handler, hit, is_refused(handler) ? FILTERED :
		       record_copy(handler, filter_of(handler->file), th.record,
				   th.size));
	if (after)
		kpt_trigger_run_after(handler->file, &th, after);
}

/**
 * kpt_hit_handler() - do what a handler asks for, whatever it is
 * @handler: the handler
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_hit_handler(const struct kpt_handler *handler, const struct kpt_hit *hit)
{
	if (handler->hits)
		this_cpu_ptr(handler->hits)->hits++;
	/*
	 * While a trigger holds the event, a hit is one of the event only if it
	 * is enabled once its triggers have run.
	 */
	if (unlikely(READ_ONCE(handler->file->soft))) {
		if (!list_empty(&handler->file->triggers)) {
			handle_triggers(handler, hit);
			return;
		}
		if (!READ_ONCE(handler->file->enabled))
			return;
	}
	finish(handler, hit, record(handler, hit));
}

/**
 * kpt_hit_handler_missed() - a handler was not run
 * @handler: the handler
 *
 * Interrupts are masked and nothing here is probed, so that plain additions
 * count all. this_cpu_inc() could call preempt_schedule_notrace(): if that is
 * probed, it is missed in turn, without end.
 *
 * Context: BRK, nested.
 */
void kpt_hit_handler_missed(const struct kpt_handler *handler)
{
	if (handler->hits)
		raw_cpu_inc(handler->hits->missed);
	if (!READ_ONCE(handler->file->soft) || READ_ONCE(handler->file->enabled))
		raw_cpu_inc(handler->counts->missed);
}
