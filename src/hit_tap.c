// SPDX-License-Identifier: GPL-2.0-only
/*
 * One tap of a hit, whatever it asks for: filters, triggers, events that are
 * armed without being enabled. Runs in BRK context, see hit.c.
 */
#include <kptrace/compat.h>
#include <linux/rcupdate.h>
#include <kptrace/file_filter.h>
#include <kptrace/hit_internal.h>
#include <kptrace/limits.h>
#include <kptrace/trigger.h>

/* What became of a hit. */
enum outcome {
	RECORDED,
	FILTERED,
	LOST,
};

/* Records up to this size can be made before there is room in the ring. */
#define SCRATCH_SIZE 256

static void fill_head(struct kpt_record_head *head, const struct kpt_tap *tap,
		      const struct kpt_hit *hit)
{
	kpt_hit_fill_head(head, tap->type, hit->regs,
			  likely(kpt_hit_is_calm()) ? 0 :
			  kpt_hit_context(hit->preempt));
}

/* All of a record but the arguments. */
static void begin(void *rec, const struct kpt_tap *tap,
		  const struct kpt_hit *hit)
{
	struct kpt_record_return *ret = rec;
	struct kpt_record_probe *probe = rec;

	fill_head(rec, tap, hit);
	if (hit->is_return) {
		ret->func = tap->probe->addr;
		ret->ret_ip = hit->ret_ip;
	} else {
		probe->ip = hit->regs->pc;
	}
}

/* Room for a record in this CPU's ring, or NULL. */
static void *reserve(struct kpt_buffer *buf, struct kpt_buffer_cpu *bc,
		     size_t size)
{
	/* pairs: buffer.c exchange() */
	if (unlikely(smp_load_acquire(&bc->ring.owner)))
		return NULL;
	return kpt_ring_reserve(&bc->ring, size, kpt_clock_stamp(buf->clock));
}

static void commit(struct kpt_buffer *buf, struct kpt_buffer_cpu *bc)
{
	kpt_ring_commit(&bc->ring);
	if (kpt_hit_has_waiter(buf))
		kpt_hit_wake(buf);
}

bool kpt_hit_record(struct kpt_buffer *buf, const void *made, size_t size)
{
	struct kpt_buffer_cpu *bc = this_cpu_ptr(buf->cpu);
	void *rec = reserve(buf, bc, size);

	if (!rec)
		return false;
	memcpy(rec, made, size);
	commit(buf, bc);
	return true;
}

/* A record made aside goes into the ring if it is wanted. */
static enum outcome record_copy(const struct kpt_tap *tap,
				const struct kpt_filter *filter,
				const void *made, size_t size)
{
	if (filter &&
	    !kpt_filter_match(filter, made, size, smp_processor_id()))
		return FILTERED;
	return kpt_hit_record(tap->buffer, made, size) ? RECORDED : LOST;
}

/*
 * A small record, made aside: a string is read once and not measured first, and
 * what is not wanted never was in the ring. False if it is not small.
 */
static bool record_aside(const struct kpt_tap *tap, const struct kpt_hit *hit,
			 const struct kpt_fetch_source *src,
			 const struct kpt_filter *filter, enum outcome *outcome)
{
	u64 scratch[SCRATCH_SIZE / sizeof(u64)];
	size_t size;

	begin(scratch, tap, hit);
	size = kpt_fetch_try(tap->prog, src, scratch, sizeof(scratch));
	if (!size)
		return false;
	*outcome = record_copy(tap, filter, scratch, size);
	return true;
}

/* A record made in the ring, and taken back if there is a filter against it. */
static enum outcome record_in_ring(const struct kpt_tap *tap,
				   const struct kpt_hit *hit,
				   const struct kpt_fetch_source *src,
				   const struct kpt_filter *filter)
{
	struct kpt_buffer_cpu *bc = this_cpu_ptr(tap->buffer->cpu);
	size_t size = kpt_fetch_size(tap->prog, src);
	void *rec;

	rec = reserve(tap->buffer, bc, size);
	if (unlikely(!rec))
		return LOST;
	begin(rec, tap, hit);
	kpt_fetch_exec(tap->prog, src, rec, size);
	if (filter && !kpt_filter_match(filter, rec, size, smp_processor_id())) {
		kpt_ring_discard(&bc->ring, rec);
		return FILTERED;
	}
	commit(tap->buffer, bc);
	return RECORDED;
}

/* The filter of the event, if there is one and it is right. */
static const struct kpt_filter *filter_of(const struct kpt_file *file)
{
	const struct kpt_file_filter *f = rcu_dereference_raw(file->filter);

	return f && !f->diag.code ? &f->prog : NULL;
}

static struct kpt_fetch_source source_of(const struct kpt_hit *hit)
{
	struct kpt_fetch_source src = { .regs = &hit->regs->user_regs };

	if (hit->frame) {
		src.entry = hit->frame->value;
		src.elapsed = kpt_clock_elapsed(hit->frame->start);
	}
	return src;
}

static bool is_refused(const struct kpt_tap *tap)
{
	return atomic_read(&tap->buffer->stops) &&
	       !kpt_limits_allow(tap->file->instance);
}

static enum outcome record(const struct kpt_tap *tap,
			   const struct kpt_hit *hit)
{
	const struct kpt_filter *filter = filter_of(tap->file);
	struct kpt_fetch_source src = source_of(hit);
	enum outcome outcome;

	if (is_refused(tap))
		return FILTERED;
	if ((filter || tap->prog->has_strings) &&
	    record_aside(tap, hit, &src, filter, &outcome))
		return outcome;
	return record_in_ring(tap, hit, &src, filter);
}

static void count(const struct kpt_tap *tap, enum outcome outcome)
{
	struct kpt_file_counts *counts = this_cpu_ptr(tap->counts);

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
static unsigned long caller_of(const struct kpt_tap *tap,
			       const struct kpt_hit *hit)
{
	if (tap->role == KPT_ROLE_RETURN)
		return hit->ret_ip;
	if (tap->role == KPT_ROLE_HIT && tap->probe->symbol &&
	    !tap->probe->offset)
		return kpt_arch_return_address(hit->regs);
	return 0;
}

/* Option stacktrace. */
static noinline void record_stack(const struct kpt_tap *tap,
				  const struct kpt_hit *hit)
{
	struct kpt_record_head head;
	const struct kpt_trigger_hit th = {
		.record = &head,
		.size = sizeof(head),
		.regs = hit->regs,
		.caller = caller_of(tap, hit),
	};

	fill_head(&head, tap, hit);
	kpt_trigger_stack_run(tap->file, &th);
}

static void finish(const struct kpt_tap *tap, const struct kpt_hit *hit,
		   enum outcome outcome)
{
	count(tap, outcome);
	if (outcome == RECORDED &&
	    unlikely(tap->file->instance->options & KPT_OPT_STACKTRACE))
		record_stack(tap, hit);
}

/* The record is made aside, for the triggers; the ring gets a copy of it. */
static noinline void tap_triggers(const struct kpt_tap *tap,
				  const struct kpt_hit *hit)
{
	struct kpt_fetch_source src = source_of(hit);
	u64 scratch[SCRATCH_SIZE / sizeof(u64)];
	struct kpt_trigger_hit th = {
		.record = scratch,
		.regs = hit->regs,
		.caller = caller_of(tap, hit),
	};
	u32 after;

	begin(scratch, tap, hit);
	th.size = kpt_fetch_try(tap->prog, &src, scratch, sizeof(scratch));
	if (!th.size) {
		th.size = kpt_fetch_size(tap->prog, &src);
		th.record = kpt_trigger_scratch(&th.size);
		begin(th.record, tap, hit);
		kpt_fetch_exec(tap->prog, &src, th.record, th.size);
	}
	after = kpt_trigger_run(tap->file, &th);
	if (READ_ONCE(tap->file->enabled))
		finish(tap, hit, is_refused(tap) ? FILTERED :
		       record_copy(tap, filter_of(tap->file), th.record,
				   th.size));
	if (after)
		kpt_trigger_run_after(tap->file, &th, after);
}

void kpt_hit_tap(const struct kpt_tap *tap, const struct kpt_hit *hit)
{
	if (tap->hits)
		this_cpu_ptr(tap->hits)->hits++;
	/*
	 * While a trigger holds the event, a hit is one of the event only if it
	 * is enabled once its triggers have run.
	 */
	if (unlikely(READ_ONCE(tap->file->soft))) {
		if (!list_empty(&tap->file->triggers)) {
			tap_triggers(tap, hit);
			return;
		}
		if (!READ_ONCE(tap->file->enabled))
			return;
	}
	finish(tap, hit, record(tap, hit));
}

/*
 * Interrupts are masked and nothing here is probed, so that plain additions
 * count all. this_cpu_inc() could call preempt_schedule_notrace(): if that is
 * probed, it is missed in turn, without end.
 */
void kpt_hit_tap_missed(const struct kpt_tap *tap)
{
	if (tap->hits)
		raw_cpu_inc(tap->hits->missed);
	if (!READ_ONCE(tap->file->soft) || READ_ONCE(tap->file->enabled))
		raw_cpu_inc(tap->counts->missed);
}
