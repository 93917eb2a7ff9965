// SPDX-License-Identifier: GPL-2.0-only
/*
 * The steps of a recorder (recorder.c), with what recorder_ask.c, _filter.c, _fetch.c, _held.c
 * and _graph.c write. Registers are as there.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <asm/cpufeature.h>
#include "kernel/clock.h"
#include "kernel/cpu.h"
#include "lib/fetch/fetch.h"
#include "lib/record/limit.h"
#include "lib/record/record.h"
#include "lib/ring/ring.h"
#include "arch_compat.h"
#include "recorder/recorder.h"
#include "engine.h"

/* Registers that a recorder stores, at most. */
#define COPIES_MAX	40

/* How much before its place a CPU may read the counter: less than 1 << this. */
#define EARLY_BITS	12

#define REG_LR		30

#define RING(member)	offsetof(struct kpt_ring, member)

/* Is the record copied to another ring behind this step? */
static bool is_copied(const struct kpt_recorder_code *r)
{
	return r->step != r->last && r->step[1].op == KPT_ARCH_COPY;
}

/* The step is done, and x10 is the record. */
static void put_done(struct kpt_recorder_code *r)
{
	if (!is_copied(r))
		kpt_put(&r->code, a64_str_w(XZR, X11, KPT_CPU(depth)));
	if (r->step == r->last)
		kpt_recorder_put_end(&r->code);
}

/**
 * kpt_recorder_put_done_cold() - go on behind a step, where the next one is not behind
 * @r: the recorder
 *
 * Context: process context.
 */
void kpt_recorder_put_done_cold(struct kpt_recorder_code *r)
{
	put_done(r);
	if (r->step != r->last)
		kpt_recorder_put_to(r, A64_B, KPT_AT_NEXT);
}

/**
 * kpt_recorder_put_passed() - go on behind a step whose filter refuses the hit
 * @r: the recorder. kpt_cpu.depth is set if room was looked for, and before a copy
 *
 * Context: process context.
 */
void kpt_recorder_put_passed(struct kpt_recorder_code *r)
{
	if (r->step->op == KPT_ARCH_COPY || r->now->is_late) {
		kpt_recorder_put_done_cold(r);
		return;
	}
	if (r->step == r->last)
		kpt_recorder_put_end(&r->code);
	else
		kpt_recorder_put_to(r, A64_B, KPT_AT_NEXT);
}

/* Leave this step, and all behind it, to C. A copy has a record to begin with. */
static void put_resume(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	if (r->step->op != KPT_ARCH_COPY)
		kpt_put(c, a64_orr(X10, XZR, XZR));
	kpt_put(c, a64_movz_w(X13, r->step->at));
	kpt_put_value(c, X14, kpt_recorder_routine(KPT_RECORDER_RESUME));
	kpt_put(c, a64_ret(X14));
}

/*
 * Where a step is left to C. The first one has changed nothing, so the stub's kpt_hit_point() has
 * the whole hit.
 */
static void put_slow(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	if (r->now->is_making) {
		kpt_recorder_put_stopped(r);
		kpt_recorder_here(r, KPT_AT_LEAVE);
		kpt_put(c, a64_ldr(X30, SP, KPT_RECORDER_STUB));
	}
	if (r->step->op == KPT_ARCH_COPY)
		kpt_recorder_here(r, KPT_AT_STOPPED);
	kpt_recorder_here(r, KPT_AT_UNDO);
	if (r->step->op != KPT_ARCH_LIMIT)
		kpt_put(c, a64_str_w(XZR, X11, KPT_CPU(depth)));
	kpt_recorder_here(r, KPT_AT_SLOW);
	if (!r->now->is_narrow)
		kpt_recorder_here(r, KPT_AT_EARLY);
	if (kpt_recorder_is_graph(r))
		kpt_recorder_put_graph_load(c);
	if (r->step == r->first) {
		kpt_put(c, a64_add_i(X30, X30, KPT_JUMP_SLOW));
		kpt_recorder_put_end(c);
	} else {
		put_resume(r);
	}
}

/* Registers that the recorder saves are not saved yet. */
static void put_early(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_recorder_here(r, KPT_AT_EARLY);
	kpt_put(c, a64_add_i(X30, X30, KPT_JUMP_SLOW));
	if (r->now->is_wide)
		kpt_put(c, a64_ldp(X11, X12, SP, 32));
	kpt_put(c, A64_RET);
}

/* Call a routine, for the buffer. */
static void put_call_routine(struct kpt_recorder_code *r, enum kpt_recorder_routine routine)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_str(X30, SP, KPT_RECORDER_STUB));
	kpt_recorder_put_operand(r, X13, (unsigned long)r->step->ring.buffer);
	kpt_put_value(c, X14, kpt_recorder_routine(routine));
	kpt_put(c, a64_blr(X14));
	kpt_put(c, a64_ldr(X30, SP, KPT_RECORDER_STUB));
}

/* The record is published, and a reader waits. */
static void put_waits(struct kpt_recorder_code *r)
{
	kpt_recorder_here(r, KPT_AT_WAITS);
	put_call_routine(r, KPT_RECORDER_WAKE);
	kpt_recorder_put_to(r, A64_B, KPT_AT_DONE);
}

/* Save what the stub has not saved, nor the filter. */
static void put_entry(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	if (!r->now->is_wide)
		kpt_put(c, a64_stp(X11, X12, SP, 32));
	kpt_put(c, a64_stp(X13, X14, SP, 48));
	kpt_put(c, a64_stp(X15, X17, SP, 64));
	if (kpt_recorder_is_graph(r))
		kpt_recorder_put_graph_save(c);
	kpt_recorder_put_percpu(c);
	kpt_put_value(c, X11, (unsigned long)&kpt_cpu);
	kpt_put(c, a64_add(X11, X11, X10));
}

/* Is one record alone made, and is there what counts it if it is lost? */
static bool may_lose(const struct kpt_recorder_code *r)
{
	return r->step->nr == 1 && r->step->record->lost[0] && !is_copied(r) &&
	       !kpt_recorder_is_graph(r) && !r->now->has_strings;
}

/*
 * Where a ring has no room at x12: as ring_claim_room(). If it is not overwritten, and readers
 * have left it no room, the record is lost. tail may grow meanwhile; then it is lost before that.
 */
static void put_full(struct kpt_recorder_code *r)
{
	const struct kpt_arch_record *record = r->step->record;
	unsigned int in_lap = kpt_label(&r->code);
	struct kpt_code *c = &r->code;

	kpt_recorder_here(r, KPT_AT_FULL);
	kpt_put(c, a64_ldr_w(X13, X17, RING(overwrite)));
	kpt_recorder_put_to(r, a64_cbnz_w(X13), KPT_AT_UNDO);
	kpt_put(c, a64_ldr(X13, X17, RING(lap_end)));
	kpt_put(c, a64_sub(X14, X13, X12));
	kpt_put_to(c, a64_tbz(X14, 63), in_lap);
	kpt_put(c, a64_add_i(X12, X13, r->now->length));
	kpt_here(c, in_lap);
	kpt_put(c, a64_ldr(X13, X17, RING(tail)));
	kpt_put(c, a64_ldr_w(X14, X17, RING(size)));
	kpt_put(c, a64_add(X13, X13, X14));
	kpt_put(c, a64_sub(X13, X13, X12));
	kpt_recorder_put_to(r, a64_tbz(X13, 63), KPT_AT_UNDO);
	kpt_put(c, a64_ldr(X13, X17, RING(dropped[KPT_RING_DROP_FULL])));
	kpt_put(c, a64_add_i(X13, X13, 1));
	kpt_put(c, a64_str(X13, X17, RING(dropped[KPT_RING_DROP_FULL])));
	kpt_recorder_put_counter(r, record->lost[0]);
	kpt_recorder_put_counter(r, record->lost[1]);
	kpt_recorder_put_done_cold(r);
}

/* kpt_ring_begin(). From here on hits in an NMI are missed. */
static void put_open(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_str_w(X30, X11, KPT_CPU(depth)));
	kpt_put(c, a64_ldp(X14, X12, X17, RING(claim)));	/* and write */
	kpt_put(c, a64_ldp(X13, X10, X17, RING(seq)));		/* and base */
	kpt_put(c, a64_add(X10, X10, X12));
	kpt_put(c, a64_add_i(X12, X12, r->now->length));
	kpt_put(c, a64_sub(X14, X14, X12));
	kpt_recorder_put_to(r, a64_tbnz(X14, 63), may_lose(r) ? KPT_AT_FULL : KPT_AT_UNDO);
}

/* Without an ISB the counter may be read before what the ring's last record was timed by. */
static void put_clock_unordered(struct kpt_code *c)
{
	unsigned int later = kpt_label(c);

	kpt_put(c, kpt_counter_word(a64_mrs(X13, A64_CNTVCT)));
	kpt_put(c, a64_str(X14, X10, 0));
	kpt_put(c, a64_ldr(X14, X17, RING(stamp)));
	kpt_put(c, a64_sub(X14, X13, X14));
	/* A count much before that has another reason, such as hibernation. */
	kpt_put(c, a64_mvn_asr(X14, X14, EARLY_BITS));
	kpt_put_to(c, a64_cbnz(X14), later);
	kpt_put(c, a64_ldr(X13, X17, RING(stamp)));
	kpt_here(c, later);
	kpt_put(c, a64_str(X13, X10, 8));
	kpt_put(c, a64_str(X13, X17, RING(stamp)));
}

/*
 * x13 = the time. CNTVCTSS_EL0 is read in its place without an ISB (Arm ARM D12.2.1, FEAT_ECV).
 */
static void put_counter(struct kpt_code *c)
{
	bool is_ordered = kpt_arch_counter_is_ordered();

	kpt_put(c, is_ordered ? A64_NOP : A64_ISB);
	kpt_put(c, kpt_counter_word(a64_mrs(X13, is_ordered ? A64_CNTVCTSS : A64_CNTVCT)));
}

/* The struct kpt_ring_header at @at, with x14 and the time. */
static void put_stamp(struct kpt_recorder_code *r, enum a64_reg at)
{
	struct kpt_code *c = &r->code;

	if (!r->step->ring.is_slow) {
		put_counter(c);
		kpt_put(c, a64_stp(X14, X13, at, 0));
		return;
	}
	kpt_put(c, a64_str(X14, at, 0));
	put_call_routine(r, KPT_RECORDER_STAMP);
	kpt_put(c, a64_str(X13, at, 8));
}

/* All copies have the time of the record, so it is not before that of any in their rings. */
static void put_clock_copied(struct kpt_recorder_code *r)
{
	put_stamp(r, X10);
	if (r->step->ring.is_unordered)
		kpt_put(&r->code, a64_str(X13, X17, RING(stamp)));
}

/* Numbers and time of the records; the first one's struct kpt_ring_header and head. */
static void put_first(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	if (r->now->has_strings)
		kpt_put(c, a64_add(X12, X12, X14));
	else
		kpt_put(c, a64_movz_w(X14, r->step->record->length));
	kpt_put(c, a64_orr_lsl(X14, X14, X13, 32));
	kpt_put(c, a64_add_i(X13, X13, r->step->nr));
	kpt_put(c, a64_stp(X12, X13, X17, RING(write)));	/* and seq */
	if (is_copied(r))
		put_clock_copied(r);
	else if (r->step->ring.is_unordered)
		put_clock_unordered(c);
	else
		put_stamp(r, X10);
	if (kpt_recorder_is_graph(r))
		kpt_recorder_put_graph_timed(r);
	/* What is in x15 changes its halves. */
	kpt_recorder_put_operands(r, X13, r->step->record->type, X14, r->step->record->ip);
	kpt_recorder_note_ip(r);
	kpt_put(c, a64_orr_ror(X15, X13, X15, 32));
	kpt_put(c, a64_stp(X15, X14, X10, sizeof(struct kpt_ring_header)));
	if (r->step->op == KPT_ARCH_GRAPH_ENTER)
		kpt_recorder_put_graph_made(c);
}

/*
 * The struct kpt_ring_header and the head of record @i, @at bytes behind the first one, in
 * which there are the first one's number and its time. x15 gets its common fields.
 */
static void put_next(struct kpt_recorder_code *r, unsigned int i, unsigned int at)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_ldr_w(X13, X10, 4));
	kpt_put(c, a64_movz_w(X14, r->step->record[i].length));
	kpt_put(c, a64_add_i_w(X13, X13, i));
	kpt_put(c, a64_orr_lsl(X14, X14, X13, 32));
	kpt_put(c, a64_ldr(X13, X10, 8));
	kpt_put(c, a64_stp(X14, X13, X10, at));
	kpt_recorder_put_operands(r, X13, r->step->record[i].type, X14, r->step->record[i].ip);
	kpt_put(c, a64_bfi(X15, X13, 0, 16));
	kpt_put(c, a64_stp(X15, X14, X10, at + sizeof(struct kpt_ring_header)));
}

static u32 store_pair(enum a64_reg reg, enum a64_reg next, unsigned int offset)
{
	return a64_stp(reg, next, X10, sizeof(struct kpt_ring_header) + offset);
}

/* Is a register stored as it is: all of it, and the recorder has not changed it? */
static bool is_plain(const struct kpt_fetch_copy *copy)
{
	return copy->size == 8 && copy->reg < KPT_RECORDER_SP &&
	       kpt_recorder_saved_at(copy->reg) < 0;
}

/*
 * kpt_record_return.ret_ip of the record @at bytes behind the first one; and the first of
 * @nr copies, if one instruction stores both. Returns the number of copies that it stores.
 */
static unsigned int put_return(struct kpt_code *c, const struct kpt_fetch_copy *copy, int nr,
			       unsigned int at)
{
	unsigned int offset = offsetof(struct kpt_record_return, ret_ip);

	BUILD_BUG_ON(offsetof(struct kpt_record_return, ret_ip) % 8);
	kpt_recorder_put_load(c, REG_LR);
	if (system_supports_address_auth())
		kpt_recorder_put_unsigned(c);
	if (nr && is_plain(copy) && copy->offset == offset + 8 &&
	    store_pair(X13, copy->reg, at + offset)) {
		kpt_put(c, store_pair(X13, copy->reg, at + offset));
		return 1;
	}
	kpt_put(c, kpt_recorder_store(X13, 8, at + offset));
	return 0;
}

/* Returns the number of @copy that were stored, of @nr. */
static unsigned int put_store(struct kpt_code *c, const struct kpt_fetch_copy *copy, int nr,
			      unsigned int at)
{
	unsigned int offset = at + copy->offset;

	if (nr > 1 && is_plain(copy) && is_plain(copy + 1) &&
	    copy[1].offset == copy->offset + 8 &&
	    store_pair(copy->reg, copy[1].reg, offset)) {
		kpt_put(c, store_pair(copy->reg, copy[1].reg, offset));
		return 2;
	}
	c->failed |= copy->reg > KPT_RECORDER_SP;
	kpt_put(c, kpt_recorder_store(kpt_recorder_put_load(c, copy->reg), copy->size, offset));
	return 1;
}

/* What a record consists of but its fetch program and its head. */
static void put_record(struct kpt_recorder_code *r, const struct kpt_arch_record *record,
		       unsigned int at)
{
	struct kpt_fetch_copy copy[COPIES_MAX];
	struct kpt_code *c = &r->code;
	int nr, done = 0;

	if (kpt_recorder_is_graph(r)) {
		kpt_recorder_put_graph_load(c);
		return;
	}
	nr = max(kpt_fetch_copies(record->prog, copy, ARRAY_SIZE(copy)), 0);
	if (record->is_return)
		done = put_return(c, copy, nr, at);
	while (done < nr && !c->failed)
		done += put_store(c, copy + done, nr - done, at);
}

static void put_records(struct kpt_recorder_code *r)
{
	const struct kpt_arch_record *record = r->step->record;
	unsigned int i, at = record->length;

	put_record(r, record, 0);
	for (i = 1; i < r->step->nr; at += record[i++].length) {
		put_next(r, i, at);
		put_record(r, &record[i], at);
	}
}

static void put_fetches(struct kpt_recorder_code *r)
{
	struct kpt_fetch_copy copy[COPIES_MAX];
	const struct kpt_arch_record *record;
	unsigned int at = 0;

	if (kpt_recorder_is_graph(r))
		return;
	for (record = r->step->record; record < r->step->record + r->step->nr;
	     at += record++->length)
		if (kpt_fetch_copies(record->prog, copy, ARRAY_SIZE(copy)) < 0)
			kpt_recorder_put_fetch(r, record->prog, at);
}

/* Count the hit as an outcome; x15 = where those who wait are noted */
static void put_recorded(struct kpt_recorder_code *r, const u64 __percpu *recorded)
{
	kpt_recorder_put_operands(r, X13, kpt_arch_counter_at(recorded), X15,
				  (unsigned long)r->step->ring.waiters);
	kpt_recorder_put_count(&r->code, X13, X11);
}

static void put_counts(struct kpt_recorder_code *r)
{
	const struct kpt_arch_record *record = r->step->record;
	unsigned int i;

	put_recorded(r, record->recorded);
	kpt_recorder_put_counter(r, record->hits);
	for (i = 1; i < r->step->nr; i++) {
		kpt_recorder_put_counter(r, record[i].recorded);
		kpt_recorder_put_counter(r, record[i].hits);
	}
}

/*
 * x12 is the end of the record. Where kpt_hit_recorded() gets each hit, it wakes readers, too.
 */
static void put_publish(struct kpt_recorder_code *r)
{
	bool is_held = r->step->op == KPT_ARCH_HELD;
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_add_i(X13, X17, RING(commit)));
	kpt_put(c, a64_stlr(X12, X13));		/* publish:A */
	if (is_held)
		kpt_recorder_put_held(r);
	if (!is_held || !r->step->held.hist_of_all) {
		/* kpt_buffer_has_waiter() */
		kpt_put(c, a64_ldar_w(X13, X15));
		kpt_recorder_put_to(r, a64_cbnz_w(X13), KPT_AT_WAITS);
		kpt_recorder_here(r, KPT_AT_DONE);
	}
	put_done(r);
}

/* Copy what is behind the struct kpt_ring_header of the record at x10 to where x15 is. */
static void put_copy_words(struct kpt_code *c, unsigned int length)
{
	unsigned int at = sizeof(struct kpt_ring_header);

	for (; at + 16 <= length; at += 16) {
		kpt_put(c, a64_ldp(X13, X14, X10, at));
		kpt_put(c, a64_stp(X13, X14, X15, at));
	}
	if (at < length) {
		kpt_put(c, a64_ldr(X13, X10, at));
		kpt_put(c, a64_str(X13, X15, at));
	}
}

/* The same for a record of any length, which is in x14: from its end to its beginning. */
static void put_copy_any(struct kpt_code *c)
{
	unsigned int again = kpt_label(c);

	kpt_here(c, again);
	kpt_put(c, a64_add_i(X14, X14, -8));
	kpt_put(c, a64_ldr_at(X13, X10, X14));
	kpt_put(c, a64_str_at(X13, X15, X14));
	kpt_put(c, a64_eor_i(X13, X14, sizeof(struct kpt_ring_header)));
	kpt_put_to(c, a64_cbnz(X13), again);
}

/* What makes the record that is copied at a step. */
static const struct kpt_arch_step *copied_step(const struct kpt_recorder_code *r)
{
	const struct kpt_arch_step *step = r->step;

	while (step->op == KPT_ARCH_COPY)
		step--;
	return step;
}

/*
 * The number and the time of a copy; x14 is its length. It has the record's time if that is the
 * counter for both.
 */
static void put_copy_header(struct kpt_recorder_code *r)
{
	bool is_slow = r->step->ring.is_slow || copied_step(r)->ring.is_slow;
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_orr_lsl(X14, X14, X13, 32));
	kpt_put(c, a64_add_i(X13, X13, 1));
	kpt_put(c, a64_stp(X12, X13, X17, RING(write)));	/* and seq */
	if (is_slow) {
		put_stamp(r, X15);
	} else {
		kpt_put(c, a64_ldr(X13, X10, 8));
		kpt_put(c, a64_stp(X14, X13, X15, 0));
	}
	if (r->step->ring.is_unordered)
		kpt_put(c, a64_str(X13, X17, RING(stamp)));
}

/* KPT_ARCH_COPY, as kpt_ring_begin() and kpt_ring_finish(); x10 is the record. */
static void put_copy(struct kpt_recorder_code *r)
{
	bool is_any = r->step->record->prog->has_strings;
	unsigned int length = r->step->record->length;
	struct kpt_code *c = &r->code;

	kpt_recorder_put_ring(r, false);
	if (is_any)
		kpt_put(c, a64_ldr_w(X14, X10, 0));
	kpt_put(c, a64_ldp(X13, X12, X17, RING(claim)));	/* and write */
	kpt_put(c, a64_ldr(X15, X17, RING(base)));
	kpt_put(c, a64_add(X15, X15, X12));
	kpt_put(c, is_any ? a64_add(X12, X12, X14) : a64_add_i(X12, X12, length));
	kpt_put(c, a64_sub(X13, X13, X12));
	kpt_recorder_put_to(r, a64_tbnz(X13, 63), KPT_AT_UNDO);
	kpt_put(c, a64_ldr(X13, X17, RING(seq)));
	if (!is_any)
		kpt_put(c, a64_movz_w(X14, length));
	put_copy_header(r);
	if (is_any) {
		kpt_put(c, a64_ldr_w(X14, X10, 0));
		put_copy_any(c);
	} else {
		put_copy_words(c, length);
	}
	put_recorded(r, r->step->recorded);
	put_publish(r);
}

static void check_layout(void)
{
	BUILD_BUG_ON(KPT_CPU(pid) != 0);
	BUILD_BUG_ON(KPT_CPU(depth) != 4);
	BUILD_BUG_ON(KPT_CPU(return_set) != KPT_CPU(return_bits) + 8);
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

/* Behind a fetch program: x13 is kpt_ring.seq, x14 the length if there are strings. */
static void put_late_filter(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	if (r->now->has_strings)
		kpt_put(c, a64_str(X14, SP, KPT_RECORDER_START));
	kpt_recorder_put_filter(r);
	if (r->now->has_strings)
		kpt_put(c, a64_ldr(X14, SP, KPT_RECORDER_START));
	kpt_put(c, a64_ldr(X13, X17, RING(seq)));
}

/* Steps that make records. */
static void put_making(struct kpt_recorder_code *r)
{
	kpt_recorder_put_ask(r);
	kpt_recorder_put_context(r);
	put_open(r);
	put_fetches(r);
	if (r->now->is_late)
		put_late_filter(r);
	put_first(r);
	put_records(r);
	put_counts(r);
	put_publish(r);
}

/*
 * KPT_ARCH_LIMIT, as kpt_limit_is_over(). A hit that is not over it uses some of it up, which
 * is left to C.
 */
static void put_limit(struct kpt_recorder_code *r)
{
	const struct kpt_limit *limit = r->step->limit;
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_ldr_w(X13, X11, KPT_CPU(depth)));
	kpt_recorder_put_operand(r, X14, (unsigned long)r->step->ring.stops);
	kpt_put(c, a64_ldr_w(X14, X14, 0));
	if (r->step->ring.is_slow)
		kpt_put(c, a64_eor_i(X14, X14, KPT_ARCH_STOP_CLOCK));
	kpt_put(c, a64_orr(X13, X13, X14));
	kpt_recorder_put_to(r, a64_cbnz(X13), KPT_AT_SLOW);
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
	kpt_recorder_put_counter(r, r->step->limited[0]);
	kpt_recorder_put_counter(r, r->step->limited[1]);
	if (r->step == r->last)
		kpt_recorder_put_end(c);
}

/*
 * What runs at most hits, in the order in which it runs. As most filters refuse most hits,
 * the filter of the only step comes before registers are saved.
 */
static void put_hot(struct kpt_recorder_code *r)
{
	r->now->is_narrow = r->first == r->last;
	kpt_recorder_find_filters(r);
	if (!r->now->is_narrow && r->step == r->first)
		put_entry(r);
	if (r->now->is_wide)
		kpt_put(&r->code, a64_stp(X11, X12, SP, 32));
	if (r->step->op == KPT_ARCH_HELD)
		kpt_recorder_put_held_test(r);
	if (r->step->filter && !r->now->is_late)
		kpt_recorder_put_filter(r);
	if (r->now->is_narrow)
		put_entry(r);
	if (r->step->op == KPT_ARCH_REST)
		put_resume(r);
	else if (r->step->op == KPT_ARCH_COPY)
		put_copy(r);
	else if (r->step->op == KPT_ARCH_LIMIT)
		put_limit(r);
	else
		put_making(r);
	kpt_recorder_here(r, KPT_AT_NEXT);
}

static void put_cold(struct kpt_recorder_code *r)
{
	if (r->step->op == KPT_ARCH_REST)
		return;
	if (r->step->op == KPT_ARCH_HELD)
		kpt_recorder_put_held_cold(r);
	if (r->step->op != KPT_ARCH_LIMIT &&
	    !(r->step->op == KPT_ARCH_HELD && r->step->held.hist_of_all))
		put_waits(r);
	if (r->step->filter)
		kpt_recorder_put_refuse(r);
	if (r->now->is_making && may_lose(r))
		put_full(r);
	put_slow(r);
	if (r->now->is_narrow && r->step->op == KPT_ARCH_HELD)
		put_early(r);
	if (r->now->is_making)
		kpt_recorder_put_flags(r);
	if (r->now->is_return)
		kpt_recorder_put_replaced(r);
}

/* What is known of a step before it is written. */
static void find_step(struct kpt_recorder_code *r)
{
	const struct kpt_arch_record *record = r->step->record;
	struct kpt_recorder_step *now = r->now;
	unsigned int i;

	memset(now, 0, sizeof(*now));
	now->is_making = r->step->op <= KPT_ARCH_GRAPH_LEAVE;
	if (!now->is_making)
		return;
	now->has_bias = KPT_TRACEPOINT_BIAS && r->step->is_call;
	for (i = 0; i < r->step->nr; i++) {
		now->is_return |= record[i].is_return;
		now->has_strings |= !kpt_recorder_is_graph(r) && record[i].prog->has_strings;
		now->length += record[i].length;
	}
	if (now->has_strings)
		now->length += KPT_RECORDER_STRINGS;
	r->code.failed |= now->has_strings && r->step->nr > 1;
}

static void at_step(struct kpt_recorder_code *r, unsigned int i)
{
	r->step = &r->first[i];
	r->now = &r->each[i];
}

/**
 * kpt_recorder_write() - write a recorder
 * @r: only the room for words is given
 * @step: what it does, one after the other
 * @nr: number of steps
 *
 * The next step is behind what runs at most hits; what does not run then comes behind all.
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
	r->last = step + nr - 1;
	r->nr_operands = 0;
	r->nr_ips = 0;
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
