// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recorders (recorder.c) of events that have triggers, or that triggers switch. First the
 * recorder asks whether a trigger wants the hit that is no histogram. If so, C has the hit.
 *
 * Histograms (recorder_hist.c) count a hit when its record is in the ring. If no ring gets it,
 * they count it in a way of its own, and the record is made aside: as the event is not enabled, its
 * filter or tracing_on does not want the hit, or the ring is full. So it is for perf, and for
 * events on the event, which follow in steps of their own, also if a list of tasks does not want
 * the hit: then no trigger runs.
 *
 * What code does not count is left to C, so a recorder saves what C may change. It does not have
 * struct pt_regs, which no histogram needs that gets here, but saves all that belongs in there,
 * for synthetic events.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/log2.h>
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

/* A hit at which *@at is @is goes on at @label. */
static void put_if(struct kpt_recorder_code *r, const bool *at, bool is, unsigned int label)
{
	enum a64_reg reg = r->now->is_narrow ? X10 : X13;

	if (!at)
		return;
	kpt_recorder_put_operand(r, reg, (unsigned long)at);
	kpt_put(&r->code, a64_load(1, reg, reg, 0));
	kpt_put_to(&r->code, is ? a64_cbnz(reg) : a64_cbz(reg), label);
}

/**
 * kpt_recorder_put_held_test() - write a test whether triggers leave a hit to code
 * @r: such hits continue behind it, if the event is enabled
 *
 * Context: process context.
 */
void kpt_recorder_put_held_test(struct kpt_recorder_code *r)
{
	const struct kpt_arch_held *held = r->held;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(held->unless); i++)
		put_if(r, held->unless[i], true, kpt_recorder_at(r, KPT_AT_EARLY));
	if (held->asks_tasks)
		kpt_recorder_put_wanted(r, KPT_AT_OTHER_TASK);
	for (i = 0; i < held->others; i++)
		kpt_recorder_put_condition(r, held->other[i], kpt_recorder_at(r, KPT_AT_EARLY));
	put_if(r, held->enabled, false, kpt_recorder_at(r, KPT_AT_DISABLED));
}

static void put_call(struct kpt_code *c, u64 addr)
{
	kpt_put_value(c, X16, addr);
	kpt_put(c, a64_blr(X16));
}

/**
 * kpt_recorder_later() - let a call of C be written behind a step
 * @r: the recorder
 * @why: what for
 * @hist: a histogram that the hit is of
 * @next: label: where the hit goes on
 *
 * Context: process context.
 * Return: label of the call.
 */
unsigned int kpt_recorder_later(struct kpt_recorder_code *r, enum kpt_recorder_why why,
				const struct kpt_arch_hist *hist, unsigned int next)
{
	unsigned int label = kpt_label(&r->code);

	if (WARN_ON_ONCE(r->now->nr_later == KPT_RECORDER_LATER))
		r->code.failed = true;
	else
		r->now->later[r->now->nr_later++] = (struct kpt_recorder_later){
			.why = why, .label = label, .next = next, .hist = hist,
		};
	return label;
}

/* What has a hit of a trigger that code does not do. */
static unsigned long function_of(const struct kpt_recorder_code *r,
				 const struct kpt_arch_hist *hist)
{
	if (!hist || kpt_recorder_wants_stack(hist))
		return (unsigned long)kpt_hit_recorded_stack;
	return (unsigned long)(r->step->ring.is_slow ? kpt_hit_recorded_slow : kpt_hit_recorded);
}

/* Behind a call of C from here. */
static void put_restore(struct kpt_code *c)
{
	kpt_put(c, a64_ldp(X11, X16, SP, SAVED(x11)));
	kpt_put(c, a64_ldp(X30, X14, SP, SAVED(stub)));
	kpt_put(c, a64_ldp(X9, X10, SP, SAVED(recorder)));
	kpt_put(c, a64_msr(A64_NZCV, X14));
	kpt_recorder_put_load_saved(c);
	kpt_put(c, a64_add_i(SP, SP, SAVED(other)));
}

/*
 * Let C count each hit; the record is at x10. x12 to x17 change. With @is_last, nothing follows
 * that needs the record.
 */
static void put_recorded(struct kpt_recorder_code *r, const struct kpt_arch_hist *hist,
			 bool is_last)
{
	enum kpt_recorder_why why = is_last ? KPT_RECORDER_SYNTH_LAST : KPT_RECORDER_SYNTH_MADE;
	unsigned int counted = kpt_label(&r->code);
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
	kpt_recorder_put_operand(r, X0, (unsigned long)hist->trigger);
	kpt_put(c, a64_add_i(X1, X10, sizeof(struct kpt_ring_header)));
	put_call(c, function_of(r, hist));
	if (hist->makes_events)
		kpt_put_to(c, a64_tbz(X0, 0),
			   kpt_recorder_later(r, why, hist, counted));
	kpt_here(c, counted);
	put_restore(c);
}

/* Let C have a hit whose record is at x10; x12 to x17 but x16 change. */
static void put_call_other(struct kpt_recorder_code *r, void *with, unsigned long function)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_str(X30, SP, KPT_RECORDER_STUB));
	kpt_recorder_put_operand(r, X13, (unsigned long)with);
	kpt_put_value(c, X14, function);
	kpt_put_value(c, X12, kpt_recorder_routine(KPT_RECORDER_HIST));
	kpt_put(c, a64_blr(X12));
	kpt_put(c, a64_ldr(X30, SP, KPT_RECORDER_STUB));
}

/* The same for a hit of a trigger that code does mostly. */
static void put_call_later(struct kpt_recorder_code *r, const struct kpt_arch_hist *hist,
			   unsigned long function)
{
	put_call_other(r, hist ? hist->trigger : r->held->stack, function);
}

static void put_one_later(struct kpt_recorder_code *r, const struct kpt_recorder_later *l)
{
	kpt_here(&r->code, l->label);
	switch (l->why) {
	case KPT_RECORDER_UNCOUNTED:
		put_call_later(r, l->hist, function_of(r, l->hist));
		break;
	case KPT_RECORDER_MARKED:
		put_call_later(r, l->hist, (unsigned long)kpt_hit_marked);
		break;
	case KPT_RECORDER_WAITED:
		kpt_recorder_put_wake(r);
		break;
	case KPT_RECORDER_SYNTH_MADE:
		kpt_recorder_put_unsaved(r, SAVED(other));
		put_call(&r->code, kpt_recorder_routine(KPT_RECORDER_SYNTH));
		break;
	case KPT_RECORDER_SYNTH_LAST:
		/* The ring may have the synthetic record, too, and not this one any more. */
		kpt_recorder_put_unsaved(r, SAVED(other));
		put_call(&r->code, kpt_recorder_routine(KPT_RECORDER_SYNTH));
		put_restore(&r->code);
		kpt_recorder_put_passed(r, true, false);
		return;
	}
	kpt_put_to(&r->code, A64_B, l->next);
}

/* Calls of C that kpt_recorder_later() has left. */
static void put_later(struct kpt_recorder_code *r)
{
	unsigned int i;

	for (i = 0; i < r->now->nr_later; i++)
		put_one_later(r, &r->now->later[i]);
}

/* Let histograms count a hit whose record is at x10; with @sure, the only one wants it. */
static void put_hists(struct kpt_recorder_code *r, bool sure)
{
	bool is_usual = r->now == r->each[r->step - r->first];
	const struct kpt_arch_held *held = r->held;
	unsigned int i, next;

	for (i = 0; i < held->hists; i++) {
		next = kpt_label(&r->code);
		if (held->hist[i].filter && !sure)
			kpt_recorder_put_unless(r, held->hist[i].filter, next);
		if (held->hist[i].hist->nr)
			kpt_recorder_put_hist(r, held->hist[i].hist);
		else
			put_recorded(r, held->hist[i].hist, is_usual && !held->stack &&
				     i == held->hists - 1);
		kpt_here(&r->code, next);
	}
}

/* Let perf have a hit whose record is at x10. */
static void put_perf(struct kpt_recorder_code *r)
{
	if (r->held->perf)
		put_call_other(r, r->held->perf, (unsigned long)kpt_hit_recorded_perf);
}

/**
 * kpt_recorder_put_held() - write the end of a recorder of an event with triggers
 * @r: the recorder; the record is published
 *
 * Context: process context.
 */
void kpt_recorder_put_held(struct kpt_recorder_code *r)
{
	put_hists(r, false);
	put_perf(r);
	if (r->held->stack)
		kpt_recorder_put_stack(r);
}

/* Is there a histogram of which only the record tells whether it wants a hit? */
static bool is_any_late(const struct kpt_recorder_code *r)
{
	const struct kpt_arch_held *held = r->held;
	unsigned int i;

	for (i = 0; i < held->hists; i++)
		if (!held->hist[i].filter || kpt_recorder_is_late(r, held->hist[i].filter))
			return true;
	return false;
}

/* Is a hit only known to be wanted when its record is made? */
static bool is_late(const struct kpt_recorder_code *r)
{
	return r->held->needs_record || is_any_late(r);
}

/**
 * kpt_recorder_put_triggers() - ask whether a trigger wants a hit that is not recorded
 * @r: the recorder of any step; x12 to x14 change
 * @wanted: label: where a hit goes on that one does
 * @leave: label: where one goes on that C has to have
 * @is_narrow: as kpt_recorder_step.is_narrow, but here
 *
 * Context: process context.
 * Return: true if no hit continues behind it.
 */
bool kpt_recorder_put_triggers(struct kpt_recorder_code *r, unsigned int wanted,
			       unsigned int leave, bool is_narrow)
{
	const struct kpt_arch_held *held = r->held;
	bool was_narrow = r->now->is_narrow;
	unsigned int i;

	if (r->step->op != KPT_ARCH_HELD)
		return false;
	r->now->is_narrow = is_narrow;
	if (held->stack && held->stack_filter)
		kpt_recorder_put_condition(r, held->stack_filter, leave);
	else if (held->stack)
		kpt_put_to(&r->code, A64_B, leave);
	if (is_late(r))
		kpt_put_to(&r->code, A64_B, wanted);
	for (i = 0; i < held->hists && !is_late(r); i++)
		kpt_recorder_put_condition(r, held->hist[i].filter, wanted);
	r->now->is_narrow = was_narrow;
	return is_late(r) || (held->stack && !held->stack_filter);
}

/* What counts a hit that no ring gets, but for KPT_WAY_LOST. */
static const u64 __percpu *counter_of(const struct kpt_recorder_code *r,
				      enum kpt_recorder_way way, unsigned int i)
{
	if (way == KPT_WAY_DISABLED)
		return i ? NULL : r->held->hits;
	return way == KPT_WAY_LIMITED ? r->step->limited[i] : r->step->filtered[i];
}

/* Count such a hit. */
static void put_outcome(struct kpt_recorder_code *r, enum kpt_recorder_way way)
{
	if (way == KPT_WAY_LOST) {
		kpt_recorder_put_find_ring(r);
		kpt_recorder_put_lost(r);
		return;
	}
	kpt_recorder_put_counter(r, counter_of(r, way, 0));
	kpt_recorder_put_counter(r, counter_of(r, way, 1));
}

/*
 * While children of listed tasks are recorded, C asks for which tasks triggers run. Hits that come
 * to a ring find KPT_ARCH_STOP_ASK there.
 */
static void put_ask_follows(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	if (!r->held->asks_tasks)
		return;
	kpt_recorder_put_operand(r, X13, (unsigned long)r->step->ring.stops);
	kpt_put(c, a64_ldr_w(X13, X13, 0));
	kpt_recorder_put_to(r, a64_tbnz(X13, ilog2(KPT_ARCH_STOP_ASK)), KPT_AT_SLOW);
}

/* Make a record of a hit that no ring gets, and let histograms and perf have it. */
static void put_made_aside(struct kpt_recorder_code *r, enum kpt_recorder_way way)
{
	bool asks = !r->step->is_more && way != KPT_WAY_LOST;
	const struct kpt_arch_held *held = r->held;
	struct kpt_code *c = &r->code;

	r->now->has_ring = false;
	r->now->is_return &= asks;
	if (way != KPT_WAY_LOST)
		put_ask_follows(r);
	if (asks) {
		kpt_recorder_put_ask_aside(r);
		kpt_recorder_put_context(r);
		kpt_put(c, a64_str_w(X30, X11, KPT_CPU(depth)));
	} else if (r->step->is_more) {
		/* The head of the record that is known. */
		kpt_put(c, a64_ldr(X15, X10, sizeof(struct kpt_ring_header)));
	}
	kpt_recorder_put_operand(r, X10, kpt_arch_counter_at(held->aside));
	kpt_put(c, a64_add(X10, X10, X11));
	kpt_recorder_put_made(r);
	put_hists(r, !is_late(r) && held->hists == 1);
	put_perf(r);
	put_outcome(r, way);
	if (held->needs_record)
		kpt_recorder_put_done_cold(r);
	else
		kpt_recorder_put_passed(r, true, false);
	put_later(r);
	kpt_recorder_put_leave(r);
	if (asks)
		kpt_recorder_put_flags(r);
	if (r->now->is_return)
		kpt_recorder_put_replaced(r);
}

/* Begin a way of a step. */
static void begin_way(struct kpt_recorder_code *r, enum kpt_recorder_way way)
{
	struct kpt_recorder_step *usual = r->now, *now = &usual[way];
	unsigned int i;

	*now = *usual;
	now->places = r->code.nr_labels;
	now->nr_later = 0;
	now->is_narrow &= way < KPT_WAY_LIMITED;
	for (i = 0; i < KPT_RECORDER_PLACES; i++)
		kpt_label(&r->code);
	r->now = now;
}

/* Ask whether a trigger wants a hit that no ring gets; count it if none does. */
static void put_ask_triggers(struct kpt_recorder_code *r, enum kpt_recorder_way way)
{
	enum kpt_recorder_place leave = way == KPT_WAY_LOST ? KPT_AT_UNDO :
					way == KPT_WAY_LIMITED ? KPT_AT_SLOW : KPT_AT_EARLY;

	if (kpt_recorder_put_triggers(r, kpt_recorder_at(r, KPT_AT_WANTED),
				      kpt_recorder_place_of(r, r->step, leave),
				      r->now->is_narrow))
		return;
	if (way == KPT_WAY_LOST)
		kpt_recorder_put_go_lost(r);
	else
		kpt_recorder_put_passed_by(r, counter_of(r, way, 0), counter_of(r, way, 1));
}

/**
 * kpt_recorder_put_aside() - write what is done with a hit that no ring gets
 * @r: the recorder
 * @way: why none does
 *
 * Of KPT_WAY_REFUSED hits that a trigger wants may begin at KPT_AT_BEGIN.
 *
 * Context: process context.
 */
void kpt_recorder_put_aside(struct kpt_recorder_code *r, enum kpt_recorder_way way)
{
	bool asks = way != KPT_WAY_REFUSED || r->step->filter || r->held != &r->step->held;
	struct kpt_recorder_step *usual = r->now;

	begin_way(r, way);
	if (asks)
		put_ask_triggers(r, way);
	if (r->held->hists || r->held->needs_record) {
		kpt_recorder_here(r, KPT_AT_WANTED);
		if (asks && r->now->is_narrow)
			kpt_recorder_put_entry(r);
		r->now->is_narrow = false;
		kpt_recorder_here(r, KPT_AT_BEGIN);
		put_made_aside(r, way);
	}
	r->now = usual;
}

/* No trigger runs for the task: its hits are those of an event without triggers. */
static void put_other_task(struct kpt_recorder_code *r)
{
	struct kpt_arch_held held = r->step->held;
	unsigned int disabled = kpt_label(&r->code);

	held.hists = 0;
	held.stack = NULL;
	r->held = &held;
	kpt_recorder_here(r, KPT_AT_OTHER_TASK);
	put_if(r, held.enabled, false, disabled);
	kpt_recorder_put_aside(r, KPT_WAY_REFUSED);
	kpt_here(&r->code, disabled);
	kpt_recorder_put_aside(r, KPT_WAY_DISABLED);
	r->held = &r->step->held;
}

/**
 * kpt_recorder_put_held_cold() - write what kpt_recorder_put_held_test() and _held() branch to
 * @r: the recorder
 *
 * Context: process context.
 */
void kpt_recorder_put_held_cold(struct kpt_recorder_code *r)
{
	kpt_recorder_here(r, KPT_AT_DISABLED);
	kpt_recorder_put_aside(r, KPT_WAY_DISABLED);
	if (r->held->asks_tasks)
		put_other_task(r);
	put_later(r);
}

/* Save x19 to x29, too. */
static void put_save_all(struct kpt_code *c)
{
	enum a64_reg reg;

	for (reg = X19; reg < X29; reg += 2)
		kpt_put(c, a64_stp(reg, reg + 1, SP, SAVED(x18[reg - X18])));
	kpt_put(c, a64_str(X29, SP, SAVED(x18[X29 - X18])));
}

/**
 * kpt_recorder_put_counted() - write the routine that calls kpt_hit_recorded() and the like
 * @c: code. x13 is the trigger, x14 the function, x10 the record; x12 to x17 but x16 change
 *
 * Context: process context.
 */
void kpt_recorder_put_counted(struct kpt_code *c)
{
	kpt_recorder_put_landing_pad(c);
	kpt_put(c, a64_add_i(SP, SP, -(int)SAVED(other)));
	kpt_recorder_put_save(c);
	put_save_all(c);
	kpt_put(c, a64_mrs(X0, A64_NZCV));
	kpt_put(c, a64_stp(X11, X16, SP, SAVED(x11)));
	kpt_put(c, a64_stp(X30, X0, SP, SAVED(stub)));
	kpt_put(c, a64_stp(X9, X10, SP, SAVED(recorder)));
	kpt_put(c, a64_orr(X0, XZR, X13));
	kpt_put(c, a64_add_i(X1, X10, sizeof(struct kpt_ring_header)));
	kpt_put(c, a64_add_i(X2, SP, 0));
	kpt_put(c, a64_orr(X3, XZR, X9));
	kpt_put(c, a64_blr(X14));
	kpt_put(c, a64_ldp(X9, X10, SP, SAVED(recorder)));
	kpt_put(c, a64_ldp(X30, X0, SP, SAVED(stub)));
	kpt_put(c, a64_ldp(X11, X16, SP, SAVED(x11)));
	kpt_put(c, a64_msr(A64_NZCV, X0));
	kpt_recorder_put_load_saved(c);
	kpt_put(c, a64_add_i(SP, SP, SAVED(other)));
	kpt_put(c, A64_RET);
}

/**
 * kpt_recorder_put_synth() - write the routine that calls kpt_hit_recorded_synth()
 * @c: code. What kpt_recorder_put_held() saves is at SP
 *
 * Context: process context.
 */
void kpt_recorder_put_synth(struct kpt_code *c)
{
	kpt_recorder_put_landing_pad(c);
	put_save_all(c);
	kpt_put(c, a64_orr(X19, XZR, X30));
	kpt_put(c, a64_ldr(X0, SP, SAVED(recorder)));
	kpt_put(c, a64_add_i(X1, SP, 0));
	put_call(c, (unsigned long)kpt_hit_recorded_synth);
	/* The synthetic record may have a later time. */
	kpt_recorder_put_forget_times(c, SAVED(other));
	kpt_put(c, a64_orr(X30, XZR, X19));
	kpt_put(c, a64_ldr(X19, SP, SAVED(x18[X19 - X18])));
	kpt_put(c, A64_RET);
}

/**
 * kpt_arch_saved_regs() - make the registers of a hit of what its recorder has saved
 * @regs: result
 * @saved: what it has saved. That is all but the PC
 *
 * Context: BRK.
 */
void kpt_arch_saved_regs(struct pt_regs *regs, const struct kpt_arch_saved *saved)
{
	const u64 *other = saved->other;

	memcpy(regs->regs, saved->x0, sizeof(saved->x0));
	/* Where kpt_recorder_saved_at() says, but without a loop. */
	memcpy(&regs->regs[9], other + 2, 7 * sizeof(u64));
	regs->regs[16] = other[0];
	regs->regs[17] = other[9];
	memcpy(&regs->regs[18], saved->x18, sizeof(saved->x18));
	regs->regs[30] = other[1];
	regs->sp = (unsigned long)saved->sp;
	regs->pc = 0;
	regs->pstate = saved->nzcv | saved->daif | kpt_pstate_mode();
	memset((void *)regs + sizeof(regs->user_regs), 0,
	       sizeof(*regs) - sizeof(regs->user_regs));
}
