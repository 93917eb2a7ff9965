// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls whose return address is replaced, in a recorder (recorder.c): as kpt_call_push() of
 * src/engine/calls.c, if the CPU knows the pile of the task, the newest call there is around the
 * new one, and there is room for that. kpt_return_entry takes it off. Where anything is not as
 * in most calls, C has the step.
 *
 *	x9, x11, x16, x30, sp: as in all recorders; x12: the probed code's SP
 *	x14: the pile; x15: its newest call; x10: the new one
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/thread_info.h>
#include "kernel/cpu.h"
#include "recorder/recorder.h"
#include "engine.h"

#define PILE(member)	offsetof(struct kpt_arch_pile, member)
#define CALL(member)	offsetof(struct kpt_call, member)

/* Arguments that are in registers. */
#define ARGS_MAX	8

static void put_to_slow(struct kpt_recorder_code *r, u32 word)
{
	kpt_recorder_put_to(r, word, KPT_AT_SLOW);
}

/* Is no hit in progress, and the pile that of the task? Is its newest call above SP? */
static void put_check(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_mrs(X12, A64_SP_EL0));
	kpt_put(c, a64_ldr_w(X13, X11, KPT_CPU(depth)));
	put_to_slow(r, a64_cbnz_w(X13));
	kpt_put(c, a64_ldr(X14, X11, KPT_CPU(pile)));
	kpt_put(c, a64_ldp(X13, X15, X14, PILE(task)));		/* and newest */
	kpt_put(c, a64_eor(X13, X13, X12));
	put_to_slow(r, a64_cbnz(X13));
	kpt_recorder_put_sp(r, X12);
	kpt_put(c, a64_ldr(X13, X15, CALL(sp)));
	kpt_put(c, a64_sub(X13, X12, X13));
	kpt_put(c, a64_mvn_asr(X13, X13, ilog2(THREAD_SIZE)));
	r->now->apart = kpt_label(c);
	r->now->around = kpt_label(c);
	kpt_put_to(c, a64_cbnz(X13), r->now->apart);
	kpt_here(c, r->now->around);
}

/* Has the step before kept a call, too? */
static bool is_behind(const struct kpt_recorder_code *r)
{
	return r->step > r->first && r->step[-1].op == KPT_ARCH_KEEP;
}

/**
 * kpt_recorder_put_keep_cold() - write what is done where the newest call is not near
 * @r: the recorder
 *
 * In an interrupt there may be no call at all: what is around all others is around nothing else.
 *
 * Context: process context.
 */
void kpt_recorder_put_keep_cold(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	if (is_behind(r))
		return;
	kpt_here(c, r->now->apart);
	kpt_put(c, a64_ldr(X13, X15, CALL(around)));
	kpt_put_to(c, a64_cbz(X13), r->now->around);
	put_to_slow(r, A64_B);
}

/* The step before has put a call on that pile, with the same SP. */
static void put_check_more(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_ldr(X14, X11, KPT_CPU(pile)));
	kpt_put(c, a64_ldr(X15, X14, PILE(newest)));
	kpt_recorder_put_sp(r, X12);
}

/* What is kept of the entry. x13 changes. */
static void put_values(struct kpt_recorder_code *r)
{
	const struct kpt_arch_keep *keep = &r->step->keep;
	struct kpt_code *c = &r->code;
	unsigned int i;

	for (i = 0; i < keep->nr_values; i++) {
		c->failed |= !keep->arg[i] || keep->arg[i] > ARGS_MAX;
		kpt_put(c, a64_str(X0 + keep->arg[i] - 1, X10, CALL(value[i])));
	}
	if (keep->keeps_start)
		kpt_recorder_put_local_time(r, X13);
	if (keep->keeps_start)
		kpt_put(c, a64_str(X13, X10, CALL(start)));
}

/**
 * kpt_recorder_put_keep() - write how a call is kept, and its return address replaced
 * @r: the recorder; x10 and x12 to x15 change
 *
 * Context: process context.
 */
void kpt_recorder_put_keep(struct kpt_recorder_code *r)
{
	const struct kpt_arch_keep *keep = &r->step->keep;
	struct kpt_code *c = &r->code;

	BUILD_BUG_ON(PILE(newest) != PILE(task) + 8);
	BUILD_BUG_ON(CALL(ret) != CALL(sp) + 8 || CALL(hook) != CALL(owner) + 8);
	if (is_behind(r))
		put_check_more(r);
	else
		put_check(r);
	kpt_put(c, a64_ldr(X10, X15, CALL(inner)));
	put_to_slow(r, a64_cbz(X10));
	kpt_recorder_put_operand(r, X13, (unsigned long)keep->pinned);
	kpt_put(c, a64_ldr_w(X13, X13, 0));
	put_to_slow(r, a64_cbz_w(X13));
	/* From here on hits in an NMI are missed. */
	kpt_put(c, a64_str_w(X30, X11, KPT_CPU(depth)));
	kpt_put(c, a64_ldr(X13, SP, kpt_recorder_saved_at(30)));
	kpt_put(c, a64_stp(X12, X13, X10, CALL(sp)));		/* and ret */
	kpt_recorder_put_operands(r, X12, (unsigned long)keep->owner, X13,
				  (unsigned long)keep->hook);
	kpt_put(c, a64_stp(X12, X13, X10, CALL(owner)));	/* and hook */
	put_values(r);
	kpt_put(c, a64_str(X10, X14, PILE(newest)));
	kpt_put_value(c, X13, (unsigned long)kpt_return_entry);
	kpt_put(c, a64_str(X13, SP, kpt_recorder_saved_at(30)));
	kpt_put(c, a64_str_w(XZR, X11, KPT_CPU(depth)));
}

/**
 * kpt_recorder_put_returning() - have the call in a register whose return is recorded
 * @c: code of a recorder that KPT_ARCH_RETURN runs
 * @reg: the register
 *
 * Context: process context.
 */
void kpt_recorder_put_returning(struct kpt_code *c, enum a64_reg reg)
{
	kpt_put(c, a64_ldr(reg, SP, KPT_RECORDER_PILE));
	kpt_put(c, a64_ldr(reg, reg, PILE(newest)));
}
