// SPDX-License-Identifier: GPL-2.0-only
/*
 * The steps of a recorder (recorder.c), with what recorder_ask.c, _filter.c, _fetch.c, _held.c
 * and _graph.c write. Registers are as there.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "kernel/cpu.h"
#include "lib/fetch/fetch.h"
#include "lib/record/limit.h"
#include "lib/record/record.h"
#include "lib/ring/ring.h"
#include "recorder/recorder.h"
#include "engine.h"

#define RING(member)	offsetof(struct kpt_ring, member)

/* Does a step need a record of the hit, at x10, with kpt_cpu.depth set? */
static bool needs_known(const struct kpt_arch_step *step)
{
	return step && kpt_arch_step_needs(step);
}

/* Go on with a step. @is_open: kpt_cpu.depth is set */
static void put_go(struct kpt_recorder_code *r, u8 at, bool is_open)
{
	const struct kpt_arch_step *next = kpt_recorder_step_at(r, at);
	struct kpt_code *c = &r->code;

	if (is_open && !needs_known(next))
		kpt_put(c, a64_str_w(XZR, X11, KPT_CPU(depth)));
	if (!next)
		kpt_recorder_put_end(r);
	else
		kpt_put_to(c, A64_B, kpt_recorder_place_of(r, next, KPT_AT_BEGIN));
}

/**
 * kpt_recorder_next_alike() - find the step behind one that has recorded nothing
 * @r: the recorder
 *
 * Context: process context.
 * Return: the step, if it makes records in the same ring as if it were the first one; else NULL.
 */
const struct kpt_arch_step *kpt_recorder_next_alike(const struct kpt_recorder_code *r)
{
	const struct kpt_arch_step *next = kpt_recorder_step_at(r, r->step->passed);

	return next && next->op == KPT_ARCH_RECORD && !next->is_more &&
	       next->ring.buffer == r->step->ring.buffer ? next : NULL;
}

/**
 * kpt_recorder_put_done_cold() - go on behind a step, where the next one is not behind
 * @r: the recorder; x10 is the record
 *
 * Context: process context.
 */
void kpt_recorder_put_done_cold(struct kpt_recorder_code *r)
{
	put_go(r, r->step->done, true);
}

/**
 * kpt_recorder_put_passed() - go on behind a step that has recorded nothing
 * @r: the recorder
 * @is_open: kpt_cpu.depth is set, as it always is in a step that needs a record
 * @has_known: x10 is the record that it needs
 *
 * Context: process context.
 */
void kpt_recorder_put_passed(struct kpt_recorder_code *r, bool is_open, bool has_known)
{
	put_go(r, has_known ? r->step->kept : r->step->passed, is_open || needs_known(r->step));
}

/* Leave this step, and all behind it, to C. Copies and followers have a record to begin with. */
static void put_resume(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;
	u64 rest;

	BUILD_BUG_ON(sizeof(r->step->rest) != sizeof(rest));
	memcpy(&rest, &r->step->rest, sizeof(rest));
	if (r->step->op != KPT_ARCH_COPY && !r->step->followers)
		kpt_put(c, a64_orr(X10, XZR, XZR));
	kpt_recorder_put_operands(r, X13, rest, X12, (unsigned long)r->step->followers);
	kpt_recorder_put_unsaved(r, 0);
	if (r->caller == KPT_ARCH_BRK) {
		kpt_put(c, a64_str(X12, SP, KPT_RECORDER_FOLLOWERS_AT));
		kpt_put(c, a64_stp(X13, X10, SP, KPT_RECORDER_REST_AT));
		kpt_put(c, a64_add_i(X30, X30, KPT_RECORDER_RUN_REST));
		kpt_recorder_put_end(r);
		return;
	}
	kpt_put_value(c, X14, kpt_recorder_routine(KPT_RECORDER_RESUME));
	kpt_put(c, a64_ret(X14));
}

/* KPT_ARCH_REST; in front of one for followers kpt_cpu.depth is set. */
static void put_rest(struct kpt_recorder_code *r)
{
	if (r->step->followers)
		kpt_put(&r->code, a64_str_w(XZR, X11, KPT_CPU(depth)));
	put_resume(r);
}

/**
 * kpt_recorder_put_leave() - write where a step, or a way of one, is left to C
 * @r: the recorder
 *
 * The first step has changed nothing, so the stub's kpt_hit_point() has the whole hit.
 *
 * Context: process context.
 */
void kpt_recorder_put_leave(struct kpt_recorder_code *r)
{
	bool is_known = needs_known(r->step);
	struct kpt_code *c = &r->code;

	if (r->now->has_ring)
		kpt_recorder_put_stopped(r, is_known);
	if (r->now->is_making || r->step->op == KPT_ARCH_FOLLOW) {
		kpt_recorder_here(r, KPT_AT_LEAVE);
		kpt_recorder_put_turn_back(r);
		kpt_put(c, a64_ldr(X30, SP, KPT_RECORDER_STUB));
	}
	kpt_recorder_here(r, KPT_AT_UNDO);
	if (is_known) {
		kpt_recorder_here(r, KPT_AT_SLOW);
		kpt_recorder_here(r, KPT_AT_EARLY);
	}
	if (r->step->op != KPT_ARCH_LIMIT && r->step->op != KPT_ARCH_KEEP)
		kpt_put(c, a64_str_w(XZR, X11, KPT_CPU(depth)));
	if (!is_known)
		kpt_recorder_here(r, KPT_AT_SLOW);
	if (!is_known && !r->now->is_narrow)
		kpt_recorder_here(r, KPT_AT_EARLY);
	if (kpt_recorder_is_graph(r))
		kpt_recorder_put_graph_load(c);
	if (r->step == r->first) {
		kpt_put(c, a64_add_i(X30, X30, KPT_JUMP_SLOW));
		kpt_recorder_put_end(r);
	} else {
		put_resume(r);
	}
}

/* Registers that the recorder saves are not saved yet. */
static void put_early(struct kpt_recorder_code *r)
{
	kpt_recorder_here(r, KPT_AT_EARLY);
	kpt_put(&r->code, a64_add_i(X30, X30, KPT_JUMP_SLOW));
	kpt_recorder_put_narrow_end(r);
}

static void put_unread(struct kpt_recorder_code *r)
{
	kpt_recorder_here(r, KPT_AT_UNREAD);
	kpt_put(&r->code, a64_ldr(X30, SP, KPT_RECORDER_STUB));
	kpt_recorder_put_to(r, A64_B, KPT_AT_EARLY);
}

/**
 * kpt_recorder_put_wake() - wake readers of the ring
 * @r: the recorder; x13 and x14 change
 *
 * Context: process context.
 */
void kpt_recorder_put_wake(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_str(X30, SP, KPT_RECORDER_STUB));
	kpt_recorder_put_operand(r, X13, (unsigned long)r->step->ring.buffer);
	kpt_put_value(c, X14, (unsigned long)kpt_hit_wake);
	kpt_recorder_put_call(r);
	kpt_put(c, a64_ldr(X30, SP, KPT_RECORDER_STUB));
}

/* The record is published, and a reader waits. */
static void put_waits(struct kpt_recorder_code *r)
{
	kpt_recorder_here(r, KPT_AT_WAITS);
	kpt_recorder_put_wake(r);
	kpt_recorder_put_to(r, A64_B, KPT_AT_DONE);
}

/**
 * kpt_recorder_put_entry() - save what the stub has not saved, nor the filter
 * @r: the recorder. x11 is the struct kpt_cpu of this CPU then
 *
 * Context: process context.
 */
void kpt_recorder_put_entry(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	if (!r->now->is_full)
		kpt_recorder_put_save_scratch(r, r->now->is_wide);
	if (kpt_recorder_is_graph(r))
		kpt_recorder_put_graph_save(c);
	if (r->nr_timed)
		kpt_recorder_put_forget_times(c, 0);
	kpt_recorder_put_percpu(c);
	kpt_put_value(c, X11, (unsigned long)&kpt_cpu);
	kpt_put(c, a64_add(X11, X11, X10));
}

/**
 * kpt_recorder_full() - find out where a hit goes on whose ring has no room
 * @r: the recorder
 *
 * Context: process context.
 * Return: KPT_AT_FULL if there is what counts all records that are lost.
 */
enum kpt_recorder_place kpt_recorder_full(const struct kpt_recorder_code *r)
{
	unsigned int i;

	for (i = 0; i < r->step->nr; i++)
		if (!r->step->record[i].lost[0])
			return KPT_AT_UNDO;
	return kpt_recorder_is_graph(r) ? KPT_AT_UNDO : KPT_AT_FULL;
}

/* Bytes that the shortest record takes. */
static unsigned int shortest(const struct kpt_recorder_code *r)
{
	unsigned int i, length = r->step->record->length;

	for (i = 1; i < r->step->nr; i++)
		length = min_t(unsigned int, length, r->step->record[i].length);
	return length;
}

/**
 * kpt_recorder_put_lost() - count all records of a step as lost
 * @r: the recorder; x17 is the ring, x13 and x14 change
 *
 * Context: process context.
 */
void kpt_recorder_put_lost(struct kpt_recorder_code *r)
{
	const struct kpt_arch_record *record = r->step->record;
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_ldr(X13, X17, RING(dropped[KPT_RING_DROP_FULL])));
	kpt_put(c, a64_add_i(X13, X13, r->step->nr));
	kpt_put(c, a64_str(X13, X17, RING(dropped[KPT_RING_DROP_FULL])));
	for (; record < r->step->record + r->step->nr; record++) {
		kpt_recorder_put_field_counter(r, &record->lost[0]);
		kpt_recorder_put_field_counter(r, &record->lost[1]);
	}
}

/**
 * kpt_recorder_put_go_lost() - count all records of a step as lost, and go on
 * @r: the recorder; x17 is the ring
 *
 * What was asked is known in a step behind that makes some in the same ring, too, unless its
 * filter wants the record first.
 *
 * Context: process context.
 */
void kpt_recorder_put_go_lost(struct kpt_recorder_code *r)
{
	const struct kpt_arch_step *next = kpt_recorder_next_alike(r);

	kpt_recorder_put_lost(r);
	if (needs_known(r->step) || !next || r->each[next - r->first]->is_late ||
	    r->each[next - r->first]->nr_reads ||
	    next->record->is_return != r->step->record->is_return) {
		kpt_recorder_put_passed(r, true, true);
		return;
	}
	if (next->filter) {
		kpt_put(&r->code, a64_str_w(XZR, X11, KPT_CPU(depth)));
		kpt_recorder_put_unless(r, next->filter,
					kpt_recorder_place_of(r, next, KPT_AT_REFUSED));
	}
	kpt_put_to(&r->code, A64_B, kpt_recorder_place_of(r, next, KPT_AT_OPEN));
}

/*
 * Where a ring has no room at x12. If it is not overwritten, and readers have left it none for any
 * record since ring_make_room() found none, they are lost. tail may grow meanwhile; then they are
 * lost before that.
 */
static void put_full(struct kpt_recorder_code *r)
{
	unsigned int least = shortest(r);
	struct kpt_code *c = &r->code;

	kpt_recorder_here(r, KPT_AT_FULL);
	kpt_put(c, a64_ldr_w(X13, X17, RING(overwrite)));
	kpt_recorder_put_to(r, a64_cbnz_w(X13), KPT_AT_UNDO);
	if (least != r->now->length) {
		kpt_put(c, a64_add_i(X12, X12, (int)least - (int)r->now->length));
		kpt_put(c, a64_ldr(X13, X17, RING(claim)));
		kpt_put(c, a64_sub(X13, X13, X12));
		kpt_recorder_put_to(r, a64_tbz(X13, 63), KPT_AT_UNDO);
	}
	kpt_put(c, a64_ldr_w(X14, X17, RING(full_bytes)));
	kpt_put(c, a64_movz_w(X13, least));
	kpt_put(c, a64_sub(X13, X13, X14));
	kpt_recorder_put_to(r, a64_tbnz(X13, 63), KPT_AT_UNDO);
	kpt_put(c, a64_ldr(X13, X17, RING(tail)));
	kpt_put(c, a64_ldr(X14, X17, RING(full)));
	kpt_put(c, a64_sub(X13, X13, X14));
	kpt_recorder_put_to(r, a64_tbz(X13, 63), KPT_AT_UNDO);
	if (r->step->op == KPT_ARCH_HELD)
		kpt_recorder_put_aside(r, KPT_WAY_LOST);
	else
		kpt_recorder_put_go_lost(r);
}

/* Count the hit as an outcome; x15 = where those who wait are noted */
static void put_recorded(struct kpt_recorder_code *r, u64 __percpu *const *recorded)
{
	unsigned int at = kpt_recorder_put_operands(r, X13, kpt_arch_counter_at(*recorded), X15,
						    (unsigned long)r->step->ring.waiters);

	kpt_recorder_note(r, at, recorded, true);
	kpt_recorder_put_count(&r->code, X13, X11);
}

/**
 * kpt_recorder_put_counts() - count the records of a step
 * @r: the recorder. x15 is where those who wait are noted then, x13 and x14 change
 *
 * Context: process context.
 */
void kpt_recorder_put_counts(struct kpt_recorder_code *r)
{
	const struct kpt_arch_record *record = r->step->record;
	unsigned int i;

	put_recorded(r, &record->recorded);
	kpt_recorder_put_field_counter(r, &record->hits);
	for (i = 1; i < r->step->nr; i++) {
		kpt_recorder_put_field_counter(r, &record[i].recorded);
		kpt_recorder_put_field_counter(r, &record[i].hits);
	}
}

/*
 * Behind the record of an event with triggers, a step that makes more in the same ring need not
 * ask for it, nor for the task, which it does otherwise: as nothing may be in that ring.
 */
static bool put_to_known_ring(struct kpt_recorder_code *r)
{
	const struct kpt_arch_step *next = kpt_recorder_step_at(r, r->step->done);

	if (!next || next->op != KPT_ARCH_RECORD || !next->is_more || next->filter ||
	    next->ring.buffer != r->step->ring.buffer)
		return false;
	kpt_recorder_put_find_ring(r);
	kpt_put_to(&r->code, A64_B, kpt_recorder_place_of(r, next, KPT_AT_ALLOWED));
	return true;
}

/**
 * kpt_recorder_put_publish() - let readers see the records of a step, and go on
 * @r: the recorder, behind kpt_recorder_put_counts(); x12 is the end of the records
 *
 * Context: process context.
 */
void kpt_recorder_put_publish(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_add_i(X13, X17, RING(commit)));
	kpt_put(c, a64_stlr(X12, X13));		/* publish:A */
	/* kpt_buffer_has_waiter() */
	kpt_put(c, a64_ldar_w(X13, X15));
	kpt_recorder_put_to(r, a64_cbnz_w(X13), KPT_AT_WAITS);
	kpt_recorder_here(r, KPT_AT_DONE);
	if (r->step->op == KPT_ARCH_HELD) {
		kpt_recorder_put_held(r);
		if (put_to_known_ring(r))
			return;
	}
	put_go(r, r->step->done, true);
}

static void check_layout(void)
{
	BUILD_BUG_ON(KPT_CPU(pid) != 0);
	BUILD_BUG_ON(KPT_CPU(depth) != 4);
	BUILD_BUG_ON(KPT_CPU(returns.add) != KPT_CPU(returns.mul) + 8);
	BUILD_BUG_ON(offsetof(struct kpt_arch_recorder, code) != 0);
	BUILD_BUG_ON(RING(owner) != 0);
	BUILD_BUG_ON(RING(state) != 4);
	BUILD_BUG_ON(RING(write) != RING(claim) + 8);
	BUILD_BUG_ON(RING(seq) != RING(claim) + 16);
	BUILD_BUG_ON(RING(base) != RING(claim) + 24);
	BUILD_BUG_ON(PREEMPT_MASK != 0xff || SOFTIRQ_MASK != 0xff00);
	BUILD_BUG_ON(PREEMPT_ENABLED != BIT_ULL(32));
	BUILD_BUG_ON(KPT_TRACEPOINT_BIAS > 1);
	BUILD_BUG_ON(KPT_FLAG_IRQS_OFF != 1 || KPT_FLAG_SOFTIRQ != 1 << 4);
}

/*
 * Is no hit in progress, and does the ring record hits? In a step that needs a record it is this
 * one that is in progress.
 */
static void put_ask_limited(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	r->now->stops = kpt_recorder_put_operand(r, X14, (unsigned long)r->step->ring.stops);
	kpt_put(c, a64_ldr_w(X14, X14, 0));
	kpt_recorder_put_only_stops(r, X14);
	if (!needs_known(r->step)) {
		kpt_put(c, a64_ldr_w(X13, X11, KPT_CPU(depth)));
		kpt_put(c, a64_orr(X14, X13, X14));
	}
	kpt_recorder_put_to(r, a64_cbnz(X14), KPT_AT_STOPPED);
	kpt_recorder_here(r, KPT_AT_ALLOWED);
}

/*
 * A limit, as kpt_limit_is_over(). A hit that is not over it uses some of it up, which is left to
 * C. Triggers count one that is.
 */
static void put_limit(struct kpt_recorder_code *r)
{
	const struct kpt_limit *limit = r->step->limit;
	struct kpt_code *c = &r->code;

	put_ask_limited(r);
	kpt_recorder_put_operand(r, X14, (unsigned long)limit);
	kpt_put(c, a64_ldr(X13, X14, offsetof(struct kpt_limit, state)));
	if (limit->cost) {
		kpt_put(c, kpt_counter_word(a64_mrs(X12, A64_CNTVCT)));
		kpt_put(c, a64_sub(X13, X13, X12));
		kpt_put(c, a64_ldr(X14, X14, offsetof(struct kpt_limit, room)));
		kpt_put(c, a64_sub(X14, X14, X13));
		kpt_recorder_put_to(r, a64_tbz(X14, 63), KPT_AT_SLOW);
	} else {
		kpt_recorder_put_to(r, a64_cbnz(X13), KPT_AT_SLOW);
	}
	if (r->step->op == KPT_ARCH_HELD) {
		kpt_recorder_put_aside(r, KPT_WAY_LIMITED);
		return;
	}
	kpt_recorder_put_counter(r, r->step->limited[0]);
	kpt_recorder_put_counter(r, r->step->limited[1]);
	put_go(r, r->step->passed, false);
}

/* KPT_ARCH_KEEP */
static void put_keep(struct kpt_recorder_code *r)
{
	kpt_recorder_put_keep(r);
	put_go(r, r->step->passed, false);
}

/*
 * What runs at most hits, in the order in which it runs. As most filters refuse most hits,
 * the filter of the only step comes before registers are saved.
 */
static void put_hot(struct kpt_recorder_code *r)
{
#define PUT(name, has, put) [KPT_ARCH_##name] = put,
	static void (*const put[])(struct kpt_recorder_code *r) = { KPT_ARCH_OPS(PUT) };
#undef PUT

	r->now->is_narrow = r->nr == 1;
	kpt_recorder_find_filters(r);
	kpt_recorder_here(r, KPT_AT_BEGIN);
	if (!r->now->is_narrow && r->step == r->first)
		kpt_recorder_put_entry(r);
	if (r->step != r->first && r->step - r->first == kpt_recorder_resume)
		kpt_recorder_put_to(r, A64_B, KPT_AT_EARLY);
	if (r->now->is_full)
		kpt_recorder_put_save_scratch(r, false);
	else if (r->now->is_wide && r->saves)
		kpt_put(&r->code, a64_stp(X11, X12, SP, 32));
	if (r->step->op == KPT_ARCH_HELD) {
		kpt_recorder_put_reads(r);
		kpt_recorder_put_held_test(r);
	}
	if (r->step->op == KPT_ARCH_FOLLOW && r->step->condition)
		kpt_recorder_put_unless(r, r->step->condition,
					kpt_recorder_at(r, KPT_AT_DISABLED));
	if (r->now->has_ring && kpt_recorder_asks_tasks(r->step))
		kpt_recorder_put_wanted(r, r->now->is_narrow ? KPT_AT_OTHER_TASK :
							       KPT_AT_UNWANTED);
	if (r->step->op != KPT_ARCH_HELD)
		kpt_recorder_put_reads(r);
	if (r->step->filter && !r->now->is_late)
		kpt_recorder_put_filter(r);
	if (r->now->is_narrow)
		kpt_recorder_put_entry(r);
	if (r->step->limit)
		put_limit(r);
	else
		put[r->step->op](r);
}

static void put_cold(struct kpt_recorder_code *r)
{
	/* What is not over a limit is left to C. */
	bool records = kpt_arch_step_has(r->step, KPT_STEP_RING) && !r->step->limit;

	if (r->step->op == KPT_ARCH_REST)
		return;
	if (r->step->op == KPT_ARCH_HELD)
		kpt_recorder_put_held_cold(r);
	if (r->step->op == KPT_ARCH_FOLLOW && r->step->condition) {
		kpt_recorder_here(r, KPT_AT_DISABLED);
		kpt_recorder_put_done_cold(r);
	}
	if (records)
		put_waits(r);
	if (r->step->filter || r->step->op == KPT_ARCH_HELD)
		kpt_recorder_put_refuse(r);
	if (records && kpt_recorder_full(r) == KPT_AT_FULL)
		put_full(r);
	if (r->step->op == KPT_ARCH_KEEP)
		kpt_recorder_put_keep_cold(r);
	kpt_recorder_put_leave(r);
	if (r->now->nr_reads)
		put_unread(r);
	if (r->now->is_narrow && kpt_recorder_asks_tasks(r->step))
		kpt_recorder_put_other_task(r);
	if (r->now->is_narrow && (r->step->op == KPT_ARCH_HELD || r->now->nr_reads ||
				  kpt_recorder_asks_tasks(r->step)))
		put_early(r);
	if (records && r->now->is_making && !r->step->is_more)
		kpt_recorder_put_flags(r);
	if (records && r->now->is_return)
		kpt_recorder_put_replaced(r);
}

/**
 * kpt_recorder_finds_ring() - does a step find its ring, and ask whether that takes records?
 * @step: the step, which has a ring
 *
 * It does not if x17 is the ring: so it is behind records in the same, which a histogram changes.
 *
 * Context: process context.
 * Return: true if it does.
 */
bool kpt_recorder_finds_ring(const struct kpt_arch_step *step)
{
	const struct kpt_arch_step *before = step;

	if (step->limit || !step->is_more)
		return true;
	do {
		before--;
		if (before->ring.buffer != step->ring.buffer || before->op == KPT_ARCH_HELD)
			return true;
	} while (needs_known(before));
	return false;
}

/* What is known of a step before it is written. */
static void find_step(struct kpt_recorder_code *r)
{
	const struct kpt_arch_record *record = r->step->record;
	struct kpt_recorder_step *now = r->now;
	unsigned int i;

	memset(now, 0, sizeof(*now));
	now->places = kpt_recorder_place_of(r, r->step, 0);
	now->is_making = kpt_arch_step_has(r->step, KPT_STEP_MAKES);
	if (!kpt_arch_step_has(r->step, KPT_STEP_RING))
		return;
	now->has_ring = kpt_recorder_finds_ring(r->step);
	now->has_bias = KPT_TRACEPOINT_BIAS && r->caller == KPT_ARCH_THUNK;
	for (i = 0; i < r->step->nr; i++) {
		now->is_return |= now->is_making && !r->step->is_more && record[i].is_return;
		now->has_strings |= !kpt_recorder_is_graph(r) && record[i].prog->has_strings;
		now->length += record[i].length;
		r->code.failed |= record[i].length > KPT_RING_SHORT && !r->step->limit;
	}
	if (now->has_strings && r->step->op != KPT_ARCH_COPY) {
		now->length += KPT_RECORDER_STRINGS;
		r->code.failed |= now->length > KPT_RING_SHORT;
	}
	r->code.failed |= now->has_strings && r->step->nr > 1;
}

static void at_step(struct kpt_recorder_code *r, unsigned int i)
{
	r->step = &r->first[i];
	r->held = &r->step->held;
	r->now = r->each[i];
}

/**
 * kpt_recorder_write() - write a recorder
 * @r: only the room for words, and what runs it, are given
 * @step: what it does, one after the other
 * @nr: number of steps
 *
 * What runs at most hits is there in the order of steps; what does not run then comes behind all.
 *
 * Context: process context.
 * Return: true; false if there is no code for that.
 */
bool kpt_recorder_write(struct kpt_recorder_code *r, const struct kpt_arch_step *step,
			unsigned int nr)
{
	unsigned int i;

	check_layout();
	r->first = step;
	r->nr = nr;
	r->nr_operands = 0;
	kpt_recorder_find_times(r);
	kpt_recorder_find_tasks(r);
	while (r->code.nr_labels < nr * KPT_RECORDER_PLACES)
		kpt_label(&r->code);
	kpt_recorder_put_landing_pad(&r->code);
	for (i = 0; i < nr; i++) {
		at_step(r, i);
		find_step(r);
		put_hot(r);
	}
	for (i = 0; i < nr; i++) {
		at_step(r, i);
		put_cold(r);
	}
	return kpt_code_end(&r->code);
}
