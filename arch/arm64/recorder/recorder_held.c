// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recorders (recorder.c) of events that have triggers, or that triggers switch. First the
 * recorder asks whether a trigger wants the hit. If one does that is no histogram, C has the
 * hit. Histograms read the record: when it is in the ring, the recorder calls
 * kpt_hit_recorded().
 *
 * That is C, so a recorder saves what C may change. It does not have struct pt_regs, which
 * few histograms need, but saves all that belongs in there.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "lib/ring/ring.h"
#include "recorder/recorder.h"
#include "engine.h"

/**
 * struct kpt_arch_saved - registers of the probed code, as the code below saves them
 * @x0: x0 to x8
 * @x18: x18; and x19 to x29 if there is kpt_hit_recorded_synth() to call
 * @x11: of the recorder
 * @daif: PSTATE.DAIF
 * @stub: the address in the stub to return to
 * @nzcv: PSTATE.NZCV
 * @recorder: x9 of the recorder
 * @record: x10
 * @pad: SP has to be a multiple of 16
 * @other: what recorders and stubs have saved, see kpt_recorder_saved_at()
 * @sp: the stack of the probed code
 */
struct kpt_arch_saved {
	u64 x0[9];
	u64 x18[12];
	u64 x11;
	u64 daif;
	u64 stub;
	u64 nzcv;
	u64 recorder;
	u64 record;
	u64 pad;
	u64 other[KPT_RECORDER_FRAME / sizeof(u64)];
	u64 sp[];
};

#define SAVED(member) offsetof(struct kpt_arch_saved, member)

/* Where a hit goes on at which *@at is @is. */
static void put_if(struct kpt_recorder_code *r, const bool *at, bool is,
		   enum kpt_recorder_place place)
{
	enum a64_reg reg = r->now->is_narrow ? X10 : X13;

	if (!at)
		return;
	kpt_recorder_put_operand(r, reg, (unsigned long)at);
	kpt_put(&r->code, a64_load(1, reg, reg, 0));
	kpt_recorder_put_to(r, is ? a64_cbnz(reg) : a64_cbz(reg), place);
}

/**
 * kpt_recorder_put_held_test() - write a test whether triggers leave a hit to code
 * @r: such hits continue behind it, if the event is enabled
 *
 * Context: process context.
 */
void kpt_recorder_put_held_test(struct kpt_recorder_code *r)
{
	const struct kpt_arch_held *held = &r->step->held;
	unsigned int i;

	if (held->hist_of_all)
		put_if(r, held->enabled, false, KPT_AT_EARLY);
	for (i = 0; i < ARRAY_SIZE(held->unless); i++)
		put_if(r, held->unless[i], true, KPT_AT_EARLY);
	for (i = 0; i < held->others; i++)
		kpt_recorder_put_condition(r, held->other[i], KPT_AT_EARLY, r->now->is_narrow);
	if (!held->hist_of_all)
		put_if(r, held->enabled, false, KPT_AT_DISABLED);
}

/**
 * kpt_recorder_put_held_hists() - write a test whether a histogram wants a hit
 * @r: hits that none wants continue behind it
 * @accept: where the others do
 * @is_narrow: as for kpt_recorder_put_condition()
 *
 * Context: process context.
 */
void kpt_recorder_put_held_hists(struct kpt_recorder_code *r, enum kpt_recorder_place accept,
			       bool is_narrow)
{
	const struct kpt_arch_held *held = &r->step->held;
	unsigned int i;

	if (held->hist_of_all) {
		kpt_recorder_put_to(r, A64_B, accept);
		return;
	}
	for (i = 0; i < held->hists; i++)
		kpt_recorder_put_condition(r, held->hist[i], accept, is_narrow);
}

static void put_call(struct kpt_code *c, u64 addr)
{
	kpt_put_value(c, X16, addr);
	kpt_put(c, a64_blr(X16));
}

static void put_restore(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_ldp(X11, X16, SP, SAVED(x11)));
	kpt_put(c, a64_ldp(X30, X14, SP, SAVED(stub)));
	if (r->step->done != KPT_ARCH_END)
		kpt_put(c, a64_ldp(X9, X10, SP, SAVED(recorder)));
	kpt_put(c, a64_msr(A64_NZCV, X14));
	kpt_recorder_put_load_saved(c);
	kpt_put(c, a64_add_i(SP, SP, SAVED(other)));
}

/* Call kpt_hit_recorded(). */
static void put_recorded(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	BUILD_BUG_ON(SAVED(x18) != 72);
	BUILD_BUG_ON(SAVED(other) % 16);
	BUILD_BUG_ON(SAVED(daif) != SAVED(x11) + 8);
	BUILD_BUG_ON(SAVED(nzcv) != SAVED(stub) + 8);
	BUILD_BUG_ON(SAVED(record) != SAVED(recorder) + 8);
	kpt_put(c, a64_add_i(SP, SP, -(int)SAVED(other)));
	kpt_recorder_put_save(c);
	kpt_put(c, a64_mrs(X14, A64_NZCV));
	kpt_put(c, a64_stp(X11, X16, SP, SAVED(x11)));
	kpt_put(c, a64_stp(X30, X14, SP, SAVED(stub)));
	kpt_put(c, a64_stp(X9, X10, SP, SAVED(recorder)));
	kpt_recorder_put_operand(r, X0, (unsigned long)r->step->held.file);
	kpt_put(c, a64_add_i(X1, X10, sizeof(struct kpt_ring_header)));
	put_call(c, (unsigned long)(r->step->ring.is_slow ? kpt_hit_recorded_slow :
							  kpt_hit_recorded));
	kpt_recorder_put_to(r, a64_tbz(X0, 0), KPT_AT_SYNTH);
	put_restore(r);
}

/**
 * kpt_recorder_put_held() - write the end of a recorder of an event with triggers
 * @r: the recorder; the record is published
 *
 * Context: process context.
 */
void kpt_recorder_put_held(struct kpt_recorder_code *r)
{
	if (r->step->held.hist_of_all)
		put_recorded(r);
	else
		kpt_recorder_put_held_hists(r, KPT_AT_WANTED, false);
}

/**
 * kpt_recorder_put_held_cold() - write what kpt_recorder_put_held_test() and _held() branch to
 * @r: the recorder
 *
 * Context: process context.
 */
void kpt_recorder_put_held_cold(struct kpt_recorder_code *r)
{
	const struct kpt_arch_held *held = &r->step->held;

	if (!held->hist_of_all) {
		kpt_recorder_here(r, KPT_AT_DISABLED);
		kpt_recorder_put_held_hists(r, KPT_AT_EARLY, r->now->is_narrow);
		kpt_recorder_put_passed_by(r, held->hits, NULL);
	}
	if (held->hists && !held->hist_of_all) {
		kpt_recorder_here(r, KPT_AT_WANTED);
		put_recorded(r);
		kpt_recorder_put_done_cold(r);
	}
	if (held->hists || held->hist_of_all) {
		/* The ring may have the synthetic record, too, and not this one any more. */
		kpt_recorder_here(r, KPT_AT_SYNTH);
		put_call(&r->code, kpt_recorder_routine(KPT_RECORDER_SYNTH));
		put_restore(r);
		kpt_recorder_put_passed(r, true, false);
	}
}

/**
 * kpt_recorder_put_synth() - write the routine that calls kpt_hit_recorded_synth()
 * @c: code. What kpt_recorder_put_held() saves is at SP
 *
 * Perf may read user memory, which changes PSTATE.PAN.
 *
 * Context: process context.
 */
void kpt_recorder_put_synth(struct kpt_code *c)
{
	enum a64_reg reg;

	kpt_recorder_put_landing_pad(c);
	for (reg = X19; reg < X29; reg += 2)
		kpt_put(c, a64_stp(reg, reg + 1, SP, SAVED(x18[reg - X18])));
	kpt_put(c, a64_str(X29, SP, SAVED(x18[X29 - X18])));
	kpt_put(c, a64_orr(X20, XZR, X30));
	if (kpt_jump_has_pan())
		kpt_put(c, a64_mrs(X19, A64_PAN));
	kpt_put(c, a64_ldr(X0, SP, SAVED(recorder)));
	kpt_put(c, a64_add_i(X1, SP, 0));
	put_call(c, (unsigned long)kpt_hit_recorded_synth);
	if (kpt_jump_has_pan())
		kpt_put(c, a64_msr(A64_PAN, X19));
	kpt_put(c, a64_orr(X30, XZR, X20));
	kpt_put(c, a64_ldp(X19, X20, SP, SAVED(x18[X19 - X18])));
	kpt_put(c, A64_RET);
}

/**
 * kpt_arch_saved_regs() - make the registers of a hit of what its recorder has saved
 * @regs: result
 * @saved: what it has saved
 * @pc: the probed address
 *
 * Context: BRK.
 */
void kpt_arch_saved_regs(struct pt_regs *regs, const struct kpt_arch_saved *saved,
			 unsigned long pc)
{
	const u8 *other = (const u8 *)saved->other;
	unsigned int i;

	memset(regs, 0, sizeof(*regs));
	memcpy(regs->regs, saved->x0, sizeof(saved->x0));
	memcpy(&regs->regs[18], saved->x18, sizeof(saved->x18));
	for (i = 9; i <= 30; i++)
		if (kpt_recorder_saved_at(i) >= 0)
			regs->regs[i] = *(const u64 *)(other + kpt_recorder_saved_at(i));
	regs->sp = (unsigned long)saved->sp;
	regs->pc = pc;
	regs->pstate = saved->nzcv | saved->daif | kpt_pstate_mode();
}
