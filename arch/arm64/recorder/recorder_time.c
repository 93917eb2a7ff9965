// SPDX-License-Identifier: GPL-2.0-only
/* The time of records, in a recorder (recorder.c). Registers are as there. */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "kernel/clock.h"
#include "lib/ring/ring.h"
#include "arch_compat.h"
#include "recorder/recorder.h"
#include "engine.h"

/* How much before its place a CPU may read the counter: less than 1 << this. */
#define EARLY_BITS	12

#define RING(member)	offsetof(struct kpt_ring, member)

/**
 * kpt_recorder_put_call() - call a function
 * @r: the recorder; x14 is the function, x13 what it gets, and then what it returns. x30 is
 *	saved, and changes
 *
 * Context: process context.
 */
void kpt_recorder_put_call(struct kpt_recorder_code *r)
{
	kpt_put_value(&r->code, X30, kpt_recorder_routine(KPT_RECORDER_CALL));
	kpt_put(&r->code, a64_blr(X30));
}

/* Without an ISB the counter may be read before what the ring's last record was timed by. */
static void put_unordered(struct kpt_code *c)
{
	unsigned int later = kpt_label(c);

	kpt_put(c, kpt_counter_word(a64_mrs(X13, A64_CNTVCT)));
	kpt_put(c, a64_ldr(X14, X17, RING(stamp)));
	kpt_put(c, a64_sub(X14, X13, X14));
	/* A count much before that has another reason, such as hibernation. */
	kpt_put(c, a64_mvn_asr(X14, X14, EARLY_BITS));
	kpt_put_to(c, a64_cbnz(X14), later);
	kpt_put(c, a64_ldr(X13, X17, RING(stamp)));
	kpt_here(c, later);
	kpt_put(c, a64_str(X13, X17, RING(stamp)));
}

/*
 * The time in a register. CNTVCTSS_EL0 is read in its place without an ISB (Arm ARM D12.2.1,
 * FEAT_ECV).
 */
static void put_counter_in(struct kpt_code *c, enum a64_reg reg)
{
	bool is_ordered = kpt_arch_counter_is_ordered();

	kpt_put(c, is_ordered ? A64_NOP : A64_ISB);
	kpt_put(c, kpt_counter_word(a64_mrs(reg, is_ordered ? A64_CNTVCTSS : A64_CNTVCT)));
}

static void put_counter(struct kpt_code *c)
{
	put_counter_in(c, X13);
}

/**
 * kpt_recorder_put_local_time() - have the stamp of the local clock in a register
 * @r: the recorder; code.failed is set if that is not the counter
 * @reg: the register
 *
 * Context: process context.
 */
void kpt_recorder_put_local_time(struct kpt_recorder_code *r, enum a64_reg reg)
{
	r->code.failed |= !kpt_clock_is_raw(KPT_CLOCK_LOCAL);
	put_counter_in(&r->code, reg);
}

/* x13 = the next number of the clock counter; x14 and x30 change. */
static void put_number(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;
	unsigned int again = kpt_label(c);

	kpt_recorder_put_operand(r, X14, (unsigned long)r->step->ring.count);
	kpt_here(c, again);
	kpt_put(c, a64_ldxr(X13, X14));
	kpt_put(c, a64_add_i(X13, X13, 1));
	kpt_put(c, a64_stxr(X30, X13, X14));
	kpt_put_to(c, a64_cbnz_w(X30), again);
}

/* The number of the time that all records in a ring share; KPT_RECORDER_TIMES: there is none. */
static unsigned int find_time(const struct kpt_recorder_code *r, const struct kpt_arch_ring *ring)
{
	unsigned int i;

	for (i = 0; i < r->nr_timed; i++)
		if (r->timed[i] == ring->ring)
			return i;
	return KPT_RECORDER_TIMES;
}

/**
 * kpt_recorder_find_times() - find out which records may share a time that a function makes
 * @r: the recorder; its steps are known
 *
 * A function costs much more than a counter, so at a hit it is called once for each ring. The
 * clock counter gives each record a number of its own.
 *
 * Context: process context.
 */
void kpt_recorder_find_times(struct kpt_recorder_code *r)
{
	const struct kpt_arch_step *step;

	r->nr_timed = 0;
	for (step = r->first; step < r->first + r->nr && r->nr > 1; step++)
		if (step->ring.is_slow && !step->ring.count && r->nr_timed < KPT_RECORDER_TIMES &&
		    find_time(r, &step->ring) == KPT_RECORDER_TIMES)
			r->timed[r->nr_timed++] = step->ring.ring;
}

/**
 * kpt_recorder_put_forget_times() - let the next record in each ring have a new time
 * @c: code
 * @frame: bytes from SP to the frame of the recorder
 *
 * Context: process context.
 */
void kpt_recorder_put_forget_times(struct kpt_code *c, unsigned int frame)
{
	BUILD_BUG_ON(KPT_RECORDER_TIMES != 2);
	kpt_put(c, a64_stp(XZR, XZR, SP, frame + KPT_RECORDER_TIME_AT));
}

/* x13 = the time of a clock that is not the counter. Another one may be set meanwhile. */
static void put_slow_time(struct kpt_recorder_code *r)
{
	unsigned int at = KPT_RECORDER_TIME_AT + find_time(r, &r->step->ring) * sizeof(u64);
	unsigned int other = kpt_label(&r->code), done = kpt_label(&r->code);
	bool is_shared = at < KPT_RECORDER_TIME_AT + KPT_RECORDER_TIMES * sizeof(u64);
	unsigned int known = kpt_label(&r->code);
	struct kpt_code *c = &r->code;

	if (is_shared) {
		kpt_put(c, a64_ldr(X13, SP, at));
		kpt_put_to(c, a64_cbnz(X13), known);
	}
	kpt_put(c, a64_str(X30, SP, KPT_RECORDER_STUB));
	kpt_recorder_put_operand(r, X14, (unsigned long)r->step->ring.stamp);
	kpt_put(c, a64_ldr(X14, X14, 0));
	if (r->step->ring.count) {
		kpt_recorder_put_operand(r, X13, (unsigned long)kpt_clock_count);
		kpt_put(c, a64_eor(X13, X13, X14));
		kpt_put_to(c, a64_cbnz(X13), other);
		put_number(r);
		kpt_put_to(c, A64_B, done);
		kpt_here(c, other);
	}
	kpt_recorder_put_call(r);
	kpt_here(c, done);
	kpt_put(c, a64_ldr(X30, SP, KPT_RECORDER_STUB));
	if (is_shared)
		kpt_put(c, a64_str(X13, SP, at));
	kpt_here(c, known);
}

/* x14 = the header with x13, the time, and @length bytes; if these are 0, they are at @at. */
static void put_word(struct kpt_code *c, enum a64_reg at, unsigned int length)
{
	kpt_put(c, length ? a64_movz_w(X14, length / 8) : a64_ldr(X14, at, 0));
	kpt_put(c, a64_orr_lsl(X14, X14, X13, 8));
}

/**
 * kpt_recorder_put_stamp() - have a struct kpt_ring_header in x14, with the time
 * @r: the recorder. x13 is the time then
 * @at: register with the address where the caller stores it
 * @length: bytes of the record; 0: x14 is their number, divided by 8
 *
 * Context: process context.
 */
void kpt_recorder_put_stamp(struct kpt_recorder_code *r, enum a64_reg at, unsigned int length)
{
	struct kpt_code *c = &r->code;

	if (!r->step->ring.is_slow) {
		put_counter(c);
		if (length)
			kpt_put(c, a64_movz_w(X14, length / 8));
		kpt_put(c, a64_orr_lsl(X14, X14, X13, 8));
		return;
	}
	if (!length)
		kpt_put(c, a64_str(X14, at, 0));
	put_slow_time(r);
	put_word(c, at, length);
}

/**
 * kpt_recorder_put_time() - have the struct kpt_ring_header of a record in x14
 * @r: the recorder; x10 is its address. x13 is the time then
 * @length: as for kpt_recorder_put_stamp()
 *
 * Context: process context.
 */
void kpt_recorder_put_time(struct kpt_recorder_code *r, unsigned int length)
{
	struct kpt_code *c = &r->code;

	if (!r->step->ring.is_unordered) {
		kpt_recorder_put_stamp(r, X10, length);
		return;
	}
	if (!length)
		kpt_put(c, a64_str(X14, X10, 0));
	put_unordered(c);
	put_word(c, X10, length);
}

/**
 * kpt_recorder_put_copied_time() - the same for a record that is copied to other rings
 * @r: the recorder
 * @length: as for kpt_recorder_put_stamp()
 *
 * All copies have its time, so that is not before that of any record in their rings.
 *
 * Context: process context.
 */
void kpt_recorder_put_copied_time(struct kpt_recorder_code *r, unsigned int length)
{
	kpt_recorder_put_stamp(r, X10, length);
	if (r->step->ring.is_unordered)
		kpt_put(&r->code, a64_str(X13, X17, RING(stamp)));
}
