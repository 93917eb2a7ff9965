// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks as code, in a recorder (recorder.c): for triggers that record them, and for histograms
 * whose keys they are. The callers of a hit are found as kpt_arch_callers() does, in the common
 * case: all frame records are on the task's stack, no exception is between them, and no return
 * address is replaced. All else is left to kpt_hit_recorded_stack().
 *
 *	x9, x11, sp: as in all recorders; x10: the record, with its struct kpt_ring_header
 *	x29: as in the probed code
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/cpufeature.h>
#include <asm/processor.h>
#include "kernel/cpu.h"
#include "lib/record/record.h"
#include "lib/ring/ring.h"
#include "recorder/recorder.h"
#include "engine.h"

#define RING(member)	offsetof(struct kpt_ring, member)

/* Where a record has its addresses, and their number, from its struct kpt_ring_header on. */
#define STACK_AT	(sizeof(struct kpt_ring_header) + sizeof(struct kpt_record_stack))
#define NR_AT		(sizeof(struct kpt_ring_header) + offsetof(struct kpt_record_stack, nr))

/* Stack that the walk takes, and what it keeps there besides x9, x10, x11 and x16. */
#define WALK_FRAME	48
#define WALK_NZCV	32

/* From the start of a task's stack to its last frame record, as in kpt_arch_callers(). */
#define LAST_RECORD	(THREAD_SIZE - sizeof(struct pt_regs) + \
			 offsetof(struct pt_regs, stackframe))

/* Branch to @place if x16 may be an address that replaces others; x11 changes. */
static void put_hidden(struct kpt_code *c, unsigned int place)
{
	kpt_put(c, a64_madd(X11, X16, X13, X14));
	kpt_put(c, a64_lsr(X11, X11, 64 - KPT_SIEVE_BITS));
	kpt_put_to(c, a64_cbz(X11), place);
}

/* Branch to @yes if x16 is one; x11 changes. */
static void put_compare_hidden(struct kpt_code *c, unsigned int yes)
{
	const struct kpt_arch_return_words *w = &kpt_arch_return_words;
	const u64 ours[] = { w->ours, w->graph, w->kretprobe };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ours); i++) {
		kpt_put_value(c, X11, ours[i]);
		kpt_put(c, a64_eor(X11, X11, X16));
		kpt_put_to(c, a64_cbz(X11), yes);
	}
}

/* x9 = the last frame record of the task; x10 = more than what is left from SP to there. */
static void put_bounds(struct kpt_code *c, unsigned int none)
{
	kpt_put(c, a64_mrs(X12, A64_SP_EL0));
	kpt_put(c, a64_ldr(X12, X12, offsetof(struct task_struct, stack)));
	kpt_put(c, a64_add_i(X10, SP, WALK_FRAME + KPT_RECORDER_FRAME));
	kpt_put(c, a64_movz(X9, LAST_RECORD & 0xffff, 0));
	if (LAST_RECORD >> 16)
		kpt_put(c, a64_movk(X9, LAST_RECORD >> 16, 1));
	kpt_put(c, a64_add(X9, X9, X12));
	kpt_put(c, a64_sub(X12, X10, X12));
	kpt_put(c, a64_lsr(X12, X12, ilog2(THREAD_SIZE)));
	kpt_put_to(c, a64_cbnz(X12), none);
	kpt_put(c, a64_sub(X10, X9, X10));
	kpt_put(c, a64_lsr(X10, X10, 3));
	kpt_put(c, a64_add_i(X10, X10, 1));
}

/**
 * kpt_recorder_put_walk() - write the routine that finds the callers of a hit
 * @c: code. x13 is the first address, x14 the second or 0, x17 how many there may be, x15 where
 *	they are put; then x13 is behind them, or 0 if C has to find them. x12, x14, x15 and x17
 *	change
 *
 * What is left from a frame record to the last one, in words, gets less with each: so all are
 * on the stack if SP is. An address that is no multiple of 8 leaves a large number.
 *
 * Context: process context.
 */
void kpt_recorder_put_walk(struct kpt_code *c)
{
	unsigned int again = kpt_label(c), next = kpt_label(c), hidden = kpt_label(c);
	unsigned int none = kpt_label(c), done = kpt_label(c), out = kpt_label(c);
	unsigned int no_second = kpt_label(c);

	BUILD_BUG_ON(LAST_RECORD % 8);
	kpt_recorder_put_landing_pad(c);
	kpt_put(c, a64_stp_before(X9, X10, SP, -WALK_FRAME));
	kpt_put(c, a64_stp(X11, X16, SP, 16));
	kpt_put(c, a64_mrs(X12, A64_NZCV));
	kpt_put(c, a64_str(X12, SP, WALK_NZCV));
	kpt_put(c, a64_stp(X13, X14, X15, 0));
	kpt_put(c, a64_add_i(X15, X15, 8));
	kpt_put(c, a64_add_i(X17, X17, -1));
	kpt_put(c, a64_orr(X16, XZR, X14));
	kpt_put(c, a64_ldp(X13, X14, X11, KPT_CPU(returns)));
	kpt_put_to(c, a64_cbz(X16), no_second);
	kpt_put(c, a64_add_i(X15, X15, 8));
	kpt_put(c, a64_add_i(X17, X17, -1));
	put_hidden(c, none);
	kpt_here(c, no_second);
	put_bounds(c, none);
	kpt_put(c, a64_orr(X12, XZR, X29));
	kpt_here(c, again);
	kpt_put(c, a64_sub(X11, X9, X12));
	kpt_put_to(c, a64_cbz(X11), done);
	kpt_put(c, a64_ror(X11, X11, 3));
	kpt_put(c, a64_cmp(X11, X10));
	kpt_put_to(c, a64_b_if(A64_CS), none);
	kpt_put(c, a64_orr(X10, XZR, X11));
	kpt_put(c, a64_ldp(X12, X16, X12, 0));
	if (system_supports_address_auth())
		kpt_put(c, a64_orr_i(X16, X16, ~0ULL << vabits_actual));
	kpt_put(c, a64_str_behind(X16, X15, 8));
	put_hidden(c, hidden);
	kpt_here(c, next);
	kpt_put(c, a64_add_i(X17, X17, -1));
	kpt_put_to(c, a64_cbnz(X17), again);
	kpt_here(c, done);
	kpt_put(c, a64_orr(X13, XZR, X15));
	kpt_here(c, out);
	kpt_put(c, a64_ldr(X12, SP, WALK_NZCV));
	kpt_put(c, a64_msr(A64_NZCV, X12));
	kpt_put(c, a64_ldp(X11, X16, SP, 16));
	kpt_put(c, a64_ldp_behind(X9, X10, SP, WALK_FRAME));
	kpt_put(c, A64_RET);
	kpt_here(c, hidden);
	put_compare_hidden(c, none);
	kpt_put_to(c, A64_B, next);
	kpt_here(c, none);
	kpt_put(c, a64_orr(X13, XZR, XZR));
	kpt_put_to(c, A64_B, out);
}

/**
 * kpt_recorder_put_callers() - write a call of that routine
 * @r: the recorder; x15 and x17 are set as for it
 * @none: label: C has to find the callers
 *
 * x13 is behind the addresses then.
 *
 * Context: process context.
 */
void kpt_recorder_put_callers(struct kpt_recorder_code *r, unsigned int none)
{
	struct kpt_code *c = &r->code;

	kpt_recorder_put_operand(r, X13, r->step->held.pc);
	if (r->step->held.has_caller) {
		kpt_put(c, a64_ldr(X14, SP, kpt_recorder_saved_at(30)));
		if (system_supports_address_auth())
			kpt_put(c, a64_orr_i(X14, X14, ~0ULL << vabits_actual));
	} else {
		kpt_put(c, a64_orr(X14, XZR, XZR));
	}
	kpt_put_value(c, X12, kpt_recorder_routine(KPT_RECORDER_WALK));
	kpt_put(c, a64_str(X30, SP, KPT_RECORDER_STUB));
	kpt_put(c, a64_blr(X12));
	kpt_put(c, a64_ldr(X30, SP, KPT_RECORDER_STUB));
	kpt_put_to(c, a64_cbz(X13), none);
}

/* x17 = the ring; x15 = where the next record is, x12 = what RING(write) is, x14 = seq */
static void put_place(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_recorder_put_find_ring(r);
	kpt_put(c, a64_ldp(X12, X14, X17, RING(write)));	/* and seq */
	kpt_put(c, a64_ldr(X15, X17, RING(base)));
	kpt_put(c, a64_add(X15, X15, X12));
}

/* Is there room for the largest one? */
static void put_room(struct kpt_recorder_code *r, unsigned int none)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_ldr(X14, X17, RING(claim)));
	kpt_put(c, a64_add_i(X12, X12, STACK_AT + KPT_RECORDER_CALLERS * sizeof(u64)));
	kpt_put(c, a64_sub(X14, X14, X12));
	kpt_put_to(c, a64_tbnz(X14, 63), none);
}

/* The struct kpt_record_stack at x15; x13 is its end. Then x14 is its bytes / 8. */
static void put_stack_head(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_sub(X13, X13, X15));
	kpt_put(c, a64_add(X12, X12, X13));
	kpt_put(c, a64_add_i(X14, X14, 1));
	kpt_put(c, a64_stp(X12, X14, X17, RING(write)));	/* and seq */
	kpt_put(c, a64_lsr(X13, X13, 3));
	kpt_put(c, a64_add_i(X14, X13, -(int)(STACK_AT / sizeof(u64))));
	kpt_put(c, a64_str(X14, X15, NR_AT));			/* and unused */
	kpt_put(c, a64_ldr(X14, X10, sizeof(struct kpt_ring_header)));
	kpt_put(c, a64_lsr(X14, X14, 16));
	kpt_put(c, a64_lsl(X14, X14, 16));
	kpt_put(c, a64_add_i(X14, X14, KPT_RECORD_STACK));
	kpt_put(c, a64_str(X14, X15, sizeof(struct kpt_ring_header)));
	kpt_put(c, a64_orr(X14, XZR, X13));
}

/**
 * kpt_recorder_put_stack() - write how the stack of a hit is recorded that is
 * @r: the recorder; the record of the hit is at x10, and published. x12 to x17 change
 *
 * Context: process context.
 */
void kpt_recorder_put_stack(struct kpt_recorder_code *r)
{
	unsigned int next = kpt_label(&r->code), none;
	struct kpt_code *c = &r->code;

	BUILD_BUG_ON(offsetof(struct kpt_record_stack, head) != 0);
	BUILD_BUG_ON(KPT_RECORD_STACK > 4095);
	BUILD_BUG_ON(sizeof(struct kpt_record_head) != 8);
	BUILD_BUG_ON(STACK_AT + KPT_RECORDER_CALLERS * sizeof(u64) > KPT_RING_SHORT);
	none = kpt_recorder_later(r, KPT_RECORDER_UNCOUNTED, NULL, next);
	if (r->step->held.stack_filter)
		kpt_recorder_put_unless(r, r->step->held.stack_filter, next);
	put_place(r);
	put_room(r, none);
	kpt_put(c, a64_add_i(X15, X15, STACK_AT));
	kpt_put(c, a64_movz(X17, KPT_RECORDER_CALLERS, 0));
	kpt_recorder_put_callers(r, none);
	put_place(r);
	put_stack_head(r);
	if (r->step->ring.is_unordered) {
		kpt_put(c, a64_ldr(X13, X10, 0));
		kpt_put(c, a64_bfi(X13, X14, 0, 8));
		kpt_put(c, a64_str(X13, X15, 0));
	} else {
		kpt_recorder_put_stamp(r, X15, 0);
		kpt_put(c, a64_str(X14, X15, 0));
	}
	kpt_put(c, a64_add_i(X13, X17, RING(commit)));
	kpt_put(c, a64_stlr(X12, X13));		/* publish:A */
	kpt_recorder_put_operand(r, X13, (unsigned long)r->step->ring.waiters);
	kpt_put(c, a64_ldar_w(X13, X13));
	kpt_put_to(c, a64_cbnz_w(X13), kpt_recorder_later(r, KPT_RECORDER_WAITED, NULL, next));
	kpt_here(c, next);
}
