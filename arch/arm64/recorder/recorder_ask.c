// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a step of a recorder (recorder.c) begins: is all as in most hits? Here is also what it does
 * if that is not so. Registers are as there.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/thread_info.h>
#include <asm/cpufeature.h>
#include "kernel/cpu.h"
#include "lib/record/record.h"
#include "lib/ring/ring.h"
#include "arch_compat.h"
#include "recorder/recorder.h"
#include "engine.h"

#define TASK(member)	offsetof(struct task_struct, member)

/* Is there what counts all records of a step if the hit is not wanted? */
static bool has_unwanted(const struct kpt_arch_step *step)
{
	unsigned int i;

	for (i = 0; i < step->nr; i++)
		if (!step->record[i].own_filtered && !step->record[i].filtered[0])
			return false;
	return true;
}

/**
 * kpt_recorder_asks_tasks() - does a step ask for the task before anything else?
 * @step: the step
 *
 * KPT_ARCH_HELD does so in its own way, see kpt_recorder_put_held_test().
 *
 * Context: process context.
 * Return: true if it does.
 */
bool kpt_recorder_asks_tasks(const struct kpt_arch_step *step)
{
	return kpt_arch_step_has(step, KPT_STEP_TASKS) && step->ring.asks_tasks &&
	       has_unwanted(step);
}

/* Few return addresses are taken for one of those that replace some; signatures do not count. */
static void put_return_check(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_ldr(X13, SP, 8));
	kpt_put(c, a64_ldp(X14, X10, X11, KPT_CPU(returns)));
	kpt_put(c, a64_madd(X14, X14, X13, X10));
	kpt_put(c, a64_lsr(X14, X14, 64 - KPT_SIEVE_BITS));
	kpt_recorder_put_to(r, a64_cbz(X14), KPT_AT_REPLACED);
	kpt_recorder_here(r, KPT_AT_NOT_REPLACED);
}

/**
 * kpt_recorder_put_replaced() - write what is done if a return address may replace another
 * @r: the recorder. If it does, C is left the step
 *
 * Context: process context.
 */
void kpt_recorder_put_replaced(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_recorder_here(r, KPT_AT_REPLACED);
	kpt_put(c, a64_str(X30, SP, KPT_RECORDER_STUB));
	kpt_put_value(c, X10, kpt_recorder_routine(KPT_RECORDER_REPLACED));
	kpt_put(c, a64_blr(X10));
	kpt_recorder_put_to(r, A64_B, KPT_AT_LEAVE);
	kpt_put(c, a64_ldr(X30, SP, KPT_RECORDER_STUB));
	kpt_recorder_put_to(r, A64_B, KPT_AT_NOT_REPLACED);
}

/* x15 = x15 | @flag if a bit of @reg is set */
static void put_flag_if(struct kpt_code *c, enum a64_reg reg, unsigned int bit, u64 flag)
{
	unsigned int not_set = kpt_label(c);

	kpt_put_to(c, a64_tbz(reg, bit), not_set);
	kpt_put(c, a64_orr_i(X15, X15, KPT_RECORDER_FLAG(flag)));
	kpt_here(c, not_set);
}

/* From kpt_hit_context(): is it a hardirq, or an NMI, in the bits of x14? */
static void put_irq_flags(struct kpt_code *c)
{
	unsigned int hardirq = kpt_label(c), none = kpt_label(c);

	kpt_put(c, a64_and_i(X10, X14, HARDIRQ_MASK | NMI_MASK));
	kpt_put_to(c, a64_cbz(X10), none);
	kpt_put(c, a64_and_i(X12, X10, NMI_MASK));
	kpt_put_to(c, a64_cbz(X12), hardirq);
	kpt_put(c, a64_orr_i(X15, X15, KPT_RECORDER_FLAG(KPT_FLAG_NMI)));
	kpt_put(c, a64_and_i(X10, X10, HARDIRQ_MASK));
	kpt_put_to(c, a64_cbz(X10), none);
	kpt_here(c, hardirq);
	kpt_put(c, a64_orr_i(X15, X15, KPT_RECORDER_FLAG(KPT_FLAG_HARDIRQ)));
	kpt_here(c, none);
}

/* Is it a softirq, or are those off? */
static void put_softirq_flags(struct kpt_code *c)
{
	unsigned int on = kpt_label(c);

	kpt_put(c, a64_ubfx(X10, X14, 8, 1));
	kpt_put(c, a64_orr_lsl(X15, X15, X10, 52));
	kpt_put(c, a64_ubfx(X10, X14, 9, 7));
	kpt_put_to(c, a64_cbz(X10), on);
	kpt_put(c, a64_orr_i(X15, X15, KPT_RECORDER_FLAG(KPT_FLAG_BH_OFF)));
	kpt_here(c, on);
}

/*
 * x15 = x15 | kpt_hit_context(0) << 48, from what the task at x12 has in x13 and x14; x10 and x12
 * change. Hits with depths of more than 15 go on at @slow, others at @calm or behind it.
 */
static void put_flags(struct kpt_code *c, unsigned int slow, unsigned int calm)
{
	kpt_put(c, a64_ubfx(X10, X14, 4, 4));
	kpt_put_to(c, a64_cbnz(X10), slow);
	kpt_put(c, a64_bfi(X15, X14, 56, 4));
	if (KPT_TASK_MIGRATION) {
		kpt_put(c, a64_load(2, X10, X12, KPT_TASK_MIGRATION));
		kpt_put(c, a64_orr_lsl(X15, X15, X10, 60));
		kpt_put(c, a64_lsr(X10, X10, 4));
		kpt_put_to(c, a64_cbnz(X10), slow);
	}
	put_irq_flags(c);
	put_softirq_flags(c);
	put_flag_if(c, X14, 32, KPT_FLAG_PREEMPT_RESCHED);
	if (KPT_TIF_LAZY != 0)
		put_flag_if(c, X13, ilog2(KPT_TIF_LAZY), KPT_FLAG_NEED_RESCHED_LAZY);
	kpt_put_to(c, a64_tbz(X13, ilog2(_TIF_NEED_RESCHED)), calm);
	kpt_put(c, a64_orr_i(X15, X15, KPT_RECORDER_FLAG(KPT_FLAG_NEED_RESCHED)));
}

/**
 * kpt_recorder_put_find_flags() - write the routine that does that
 * @c: code. Returns one instruction behind x30, or at x30 if the hit is not for code
 *
 * Context: process context.
 */
void kpt_recorder_put_find_flags(struct kpt_code *c)
{
	unsigned int slow = kpt_label(c), calm = kpt_label(c);

	kpt_recorder_put_landing_pad(c);
	put_flags(c, slow, calm);
	kpt_here(c, calm);
	kpt_put(c, a64_add_i(X30, X30, 4));
	kpt_here(c, slow);
	kpt_put(c, A64_RET);
}

/**
 * kpt_recorder_put_flags() - write how the flags of a task become those of a record's head
 * @r: the recorder. Depths of more than 15 are left to C
 *
 * At most hits it is the first step that wants them; others call a routine.
 *
 * Context: process context.
 */
void kpt_recorder_put_flags(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_recorder_here(r, KPT_AT_FLAGS);
	if (r->now == r->each[0]) {
		put_flags(c, kpt_recorder_at(r, KPT_AT_SLOW), kpt_recorder_at(r, KPT_AT_CALM));
		kpt_recorder_put_to(r, A64_B, KPT_AT_CALM);
		return;
	}
	kpt_put(c, a64_str(X30, SP, KPT_RECORDER_STUB));
	kpt_put_value(c, X10, kpt_recorder_routine(KPT_RECORDER_FLAGS));
	kpt_put(c, a64_blr(X10));
	kpt_recorder_put_to(r, A64_B, KPT_AT_LEAVE);
	kpt_put(c, a64_ldr(X30, SP, KPT_RECORDER_STUB));
	kpt_recorder_put_to(r, A64_B, KPT_AT_CALM);
}

/* x13 = 0 if x13 is and the CPU's noted name at @at is the task's; changes x14 and x17 */
static void put_compare_name(struct kpt_code *c, unsigned int at)
{
	kpt_put(c, a64_ldr(X14, X11, KPT_CPU(comm) + at));
	kpt_put(c, a64_movz(X17, TASK(comm) + at, 0));
	kpt_put(c, a64_ldr_at(X17, X12, X17));
	kpt_put(c, a64_eor(X14, X14, X17));
	kpt_put(c, a64_orr(X13, X13, X14));
}

/**
 * kpt_recorder_put_find_ring() - find the ring of the step
 * @r: the recorder. x17 is the ring
 *
 * Context: process context.
 */
void kpt_recorder_put_find_ring(struct kpt_recorder_code *r)
{
	kpt_recorder_put_operand(r, X17, kpt_arch_counter_at(r->step->ring.ring));
	kpt_put(&r->code, a64_add(X17, X17, X11));
}

/**
 * kpt_recorder_put_only_stops() - keep what of kpt_arch_ring.stops does not let a hit be recorded
 * @r: the recorder
 * @reg: the register that has it
 *
 * Context: process context.
 */
void kpt_recorder_put_only_stops(struct kpt_recorder_code *r, enum a64_reg reg)
{
	if (r->step->ring.is_slow)
		kpt_put(&r->code, a64_eor_i(reg, reg, KPT_ARCH_STOP_CLOCK));
	if (kpt_recorder_asks_tasks(r->step) || r->step->held.asks_tasks)
		kpt_put(&r->code, a64_and_i(reg, reg, ~(u64)KPT_ARCH_STOP_TASKS));
}

/**
 * kpt_recorder_put_ring() - find the ring; is there no stop, no owner and no open record?
 * @r: the recorder. x17 is the ring; x13 and x14 change
 * @also: is x13 0, too?
 *
 * Context: process context.
 */
void kpt_recorder_put_ring(struct kpt_recorder_code *r, bool also)
{
	struct kpt_code *c = &r->code;

	r->now->stops = kpt_recorder_put_operands(r, X14, (unsigned long)r->step->ring.stops, X17,
					   kpt_arch_counter_at(r->step->ring.ring));
	kpt_put(c, a64_add(X17, X17, X11));
	kpt_put(c, a64_ldr_w(X14, X14, 0));
	kpt_recorder_put_only_stops(r, X14);
	if (also)
		kpt_put(c, a64_orr(X13, X13, X14));
	kpt_put(c, a64_ldar(also ? X14 : X13, X17));	/* pairs: rings_exchange() */
	kpt_put(c, a64_orr(X13, X13, X14));
	kpt_recorder_put_to(r, a64_cbnz(X13), KPT_AT_STOPPED);
	kpt_recorder_here(r, KPT_AT_ALLOWED);
}

/*
 * x13 = 0 if no hit is in progress, and the task's name is noted. x12 is the task, w15 its
 * number. See kpt_comm_renamed().
 */
static void put_noted(struct kpt_code *c)
{
	kpt_put(c, a64_mrs(X12, A64_SP_EL0));
	kpt_put(c, a64_ldr(X13, X11, KPT_CPU(pid)));	/* and depth */
	kpt_put(c, a64_ldr_w(X15, X12, TASK(pid)));
	kpt_put(c, a64_eor(X13, X13, X15));
	/* Without tracepoints nobody tells that a task is renamed. */
	if (!IS_ENABLED(CONFIG_TRACEPOINTS)) {
		put_compare_name(c, 0);
		put_compare_name(c, 8);
	}
}

/**
 * kpt_recorder_put_ask() - is no hit in progress, the task's name noted, and the ring free?
 * @r: the recorder. See kpt_recorder_put_ring(). x12 is the task, w15 its number
 *
 * Context: process context.
 */
void kpt_recorder_put_ask(struct kpt_recorder_code *r)
{
	put_noted(&r->code);
	kpt_recorder_put_ring(r, true);
	if (r->now->is_return)
		put_return_check(r);
	if (kpt_recorder_is_graph(r))
		kpt_recorder_put_graph_check(r);
}

/**
 * kpt_recorder_put_ask_aside() - the same of a hit that no ring gets
 * @r: the recorder. x12 is the task, w15 its number
 *
 * Context: process context.
 */
void kpt_recorder_put_ask_aside(struct kpt_recorder_code *r)
{
	put_noted(&r->code);
	kpt_recorder_put_to(r, a64_cbnz(X13), KPT_AT_SLOW);
	if (r->now->is_return)
		put_return_check(r);
}

/* As kpt_hit_tracepoint() does: not all tracepoints have switched preemption off. */
static void put_bias(struct kpt_code *c)
{
	unsigned int none = kpt_label(c);

	kpt_put(c, a64_and_i(X10, X14, PREEMPT_MASK));
	kpt_put_to(c, a64_cbz(X10), none);
	kpt_put(c, a64_add_i(X14, X14, -1));
	kpt_here(c, none);
}

/**
 * kpt_recorder_put_context() - is the task calm, as kpt_hit_is_calm() says?
 * @r: the recorder. x15 has the flags, too; x10, x13 and x14 change
 *
 * Interrupts may be masked; nothing else is recorded.
 *
 * Context: process context.
 */
void kpt_recorder_put_context(struct kpt_recorder_code *r)
{
	unsigned int irqs_on = kpt_label(&r->code);
	struct kpt_code *c = &r->code;

	if (KPT_TASK_FLAGS_BESIDE_COUNT) {
		kpt_put(c, a64_ldp(X13, X14, X12, TASK(thread_info.flags)));
	} else {
		kpt_put(c, a64_ldr(X13, X12, TASK(thread_info.flags)));
		kpt_put(c, a64_ldr(X14, X12, TASK(thread_info.preempt_count)));
	}
	if (r->now->has_bias)
		put_bias(c);
	if (KPT_TASK_SOFTIRQS) {
		kpt_put(c, a64_ldr_w(X10, X12, KPT_TASK_SOFTIRQS));
		kpt_put(c, a64_orr(X14, X14, X10));
	}
	kpt_put(c, a64_eor_i(X14, X14, PREEMPT_ENABLED));
	kpt_recorder_put_to(r, a64_tbnz(X13, ilog2(_TIF_NEED_RESCHED)), KPT_AT_FLAGS);
	if (KPT_TIF_LAZY != 0)
		kpt_recorder_put_to(r, a64_tbnz(X13, ilog2(KPT_TIF_LAZY)), KPT_AT_FLAGS);
	if (KPT_TASK_MIGRATION) {
		kpt_put(c, a64_load(2, X10, X12, KPT_TASK_MIGRATION));
		kpt_put(c, a64_orr(X10, X10, X14));
		kpt_recorder_put_to(r, a64_cbnz(X10), KPT_AT_FLAGS);
	} else {
		kpt_recorder_put_to(r, a64_cbnz(X14), KPT_AT_FLAGS);
	}
	kpt_recorder_here(r, KPT_AT_CALM);
	kpt_put_to(c, a64_tbz(X16, 7), irqs_on);	/* DAIF.I */
	kpt_put(c, a64_orr_i(X15, X15, KPT_RECORDER_FLAG(KPT_FLAG_IRQS_OFF)));
	kpt_here(c, irqs_on);
}

/* Go on behind a step of a hit that is not wanted: neither is it in the same ring. */
static void put_go_unwanted(struct kpt_recorder_code *r, bool is_known)
{
	const struct kpt_arch_step *next = kpt_recorder_next_alike(r);

	if (is_known || !next || !has_unwanted(next))
		kpt_recorder_put_passed(r, is_known, true);
	else
		kpt_put_to(&r->code, A64_B, kpt_recorder_place_of(r, next, KPT_AT_UNWANTED));
}

/* x13 = kpt_probe.own_filtered of a record. */
static void put_load_own(struct kpt_recorder_code *r, const struct kpt_arch_record *record)
{
	kpt_recorder_put_field(r, X13, &record->own_filtered);
	kpt_put(&r->code, a64_ldr(X13, X13, 0));
}

/*
 * Count a record of a hit that is not wanted. x13 and x14 change. Unless there is a record, x10
 * becomes the offset of per-CPU variables, which it is in the first step.
 */
static void put_count_unwanted(struct kpt_recorder_code *r, const struct kpt_arch_record *record,
			       bool is_known)
{
	struct kpt_code *c = &r->code;

	if (!record->own_filtered) {
		kpt_recorder_put_field_counter(r, &record->filtered[0]);
		kpt_recorder_put_field_counter(r, &record->filtered[1]);
		return;
	}
	if (r->step->nr > 1)
		put_load_own(r, record);
	if (is_known) {
		kpt_put_value(c, X14, (unsigned long)&kpt_cpu);
		kpt_put(c, a64_sub(X13, X13, X14));
	} else if (r->step != r->first) {
		kpt_recorder_put_percpu(c);
	}
	kpt_recorder_put_count(c, X13, is_known ? X11 : X10);
}

/*
 * Count a hit that is not wanted, and go on. x13 and x14 change. As where a filter refuses a hit,
 * kpt_cpu.depth stays as it is: perhaps this is a hit inside another one.
 */
static void put_unwanted(struct kpt_recorder_code *r, bool is_known)
{
	const struct kpt_arch_record *record = r->step->record, *end = record + r->step->nr;

	for (; record < end; record++) {
		if (!record->own_filtered)
			continue;
		put_load_own(r, record);
		kpt_recorder_put_to(r, a64_cbz(X13), KPT_AT_SLOW);
	}
	for (record = r->step->record; record < end; record++)
		put_count_unwanted(r, record, is_known);
	put_go_unwanted(r, is_known);
}

/*
 * There are lists of tasks, and nothing else is special? x13 is kpt_arch_ring.stops. @is_known:
 * x10 is a record, and w15 not the task's number
 */
static void put_tasks(struct kpt_recorder_code *r, bool is_known)
{
	int stops = KPT_ARCH_STOP_TASKS + (r->step->ring.is_slow ? KPT_ARCH_STOP_CLOCK : 0);
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_add_i(X13, X13, -stops));
	kpt_recorder_put_to(r, a64_cbnz(X13), KPT_AT_SLOW);
	if (is_known) {
		kpt_put(c, a64_str(X10, SP, KPT_RECORDER_START));
		kpt_put(c, a64_mrs(X15, A64_SP_EL0));
		kpt_put(c, a64_ldr_w(X15, X15, TASK(pid)));
	}
	kpt_put(c, a64_str(X30, SP, KPT_RECORDER_STUB));
	kpt_recorder_put_operand(r, X13, (unsigned long)r->step->ring.tasks);
	kpt_put_value(c, X14, kpt_recorder_routine(KPT_RECORDER_TASKS));
	kpt_put(c, a64_blr(X14));
	kpt_put(c, a64_ldr(X30, SP, KPT_RECORDER_STUB));
	if (is_known)
		kpt_put(c, a64_ldr(X10, SP, KPT_RECORDER_START));
	kpt_recorder_put_to(r, a64_tbz(X13, 0),
			    has_unwanted(r->step) ? KPT_AT_UNWANTED : KPT_AT_SLOW);
	kpt_recorder_put_to(r, a64_cbz(X14), KPT_AT_ALLOWED);
	kpt_recorder_put_to(r, A64_B, KPT_AT_SLOW);
}

/**
 * kpt_recorder_put_is_wanted() - is a task wanted?
 * @c: code
 * @reg: points to a struct kpt_pids; bit 0 is set if it has the task
 * @task: the number of the task
 * @other: changes
 *
 * Context: process context.
 */
void kpt_recorder_put_is_wanted(struct kpt_code *c, enum a64_reg reg, enum a64_reg task,
				enum a64_reg other)
{
	kpt_put(c, a64_ldr(reg, reg, 0));
	kpt_put(c, a64_ubfx(other, task, 14, 8));
	kpt_put(c, a64_ldr_at_lsl(reg, reg, other));
	kpt_put(c, a64_ubfx(other, task, 6, 8));
	kpt_put(c, a64_ldr_at_lsl(reg, reg, other));
	kpt_put(c, a64_lsrv(reg, reg, task));
}

/* Do the recorder's other registers have to be saved first? */
static bool is_narrow(const struct kpt_recorder_code *r)
{
	return r->now->is_narrow;
}

/* Does a step ask whether the task is wanted, for its triggers alone or for all? */
static bool is_asking(const struct kpt_arch_step *step)
{
	return kpt_recorder_asks_tasks(step) ||
	       (step->op == KPT_ARCH_HELD && step->held.asks_tasks);
}

/* Does a step ask what the first one has asked? */
static bool asks_again(const struct kpt_recorder_code *r, const struct kpt_arch_step *step)
{
	return step != r->first && is_asking(step) && step->ring.tasks == r->first->ring.tasks;
}

/**
 * kpt_recorder_find_tasks() - find out which steps ask for the same task
 * @r: the recorder; its steps are known
 *
 * All hits come through the first step, which asks before it does anything else. To note that
 * costs an instruction, so it is done if a step asks for another record of most hits.
 *
 * Context: process context.
 */
void kpt_recorder_find_tasks(struct kpt_recorder_code *r)
{
	const struct kpt_arch_step *step;

	r->notes_task = false;
	for (step = r->first; step && is_asking(r->first);
	     step = kpt_recorder_step_at(r, step->done))
		r->notes_task |= asks_again(r, step) && kpt_recorder_finds_ring(step);
}

/**
 * kpt_recorder_put_wanted() - write a test whether a hit's task is wanted
 * @r: the recorder. Hits of tasks that are continue behind it
 * @unwanted: where others do
 *
 * Context: process context.
 */
void kpt_recorder_put_wanted(struct kpt_recorder_code *r, enum kpt_recorder_place unwanted)
{
	enum a64_reg task = is_narrow(r) ? X10 : X15, reg = is_narrow(r) ? X11 : X13;
	enum a64_reg other = is_narrow(r) ? X12 : X14;
	struct kpt_code *c = &r->code;

	if (r->notes_task && asks_again(r, r->step)) {
		kpt_put(c, a64_ldr_w(reg, SP, KPT_RECORDER_WANTED));
		kpt_recorder_put_to(r, a64_tbz(reg, 0), unwanted);
		return;
	}
	kpt_put(c, a64_mrs(task, A64_SP_EL0));
	kpt_put(c, a64_ldr_w(task, task, TASK(pid)));
	kpt_recorder_put_operand(r, reg, (unsigned long)r->step->ring.tasks);
	kpt_recorder_put_is_wanted(c, reg, task, other);
	if (r->notes_task && r->step == r->first)
		kpt_put(c, a64_str_w(reg, SP, KPT_RECORDER_WANTED));
	kpt_recorder_put_to(r, a64_tbz(reg, 0), unwanted);
}

/**
 * kpt_recorder_put_other_task() - count the hit of a task that is not wanted
 * @r: the recorder of one record, whose registers are not saved
 *
 * Context: process context.
 */
void kpt_recorder_put_other_task(struct kpt_recorder_code *r)
{
	const struct kpt_arch_record *record = r->step->record;
	struct kpt_code *c = &r->code;

	kpt_recorder_here(r, KPT_AT_OTHER_TASK);
	kpt_recorder_put_percpu(c);
	if (record->own_filtered) {
		kpt_recorder_put_field(r, X11, &record->own_filtered);
		kpt_put(c, a64_ldr(X11, X11, 0));
		kpt_recorder_put_to(r, a64_cbz(X11), KPT_AT_EARLY);
	} else {
		kpt_recorder_put_field(r, X11, &record->filtered[0]);
	}
	kpt_put(c, a64_ldr_at(X12, X11, X10));
	kpt_put(c, a64_add_i(X12, X12, 1));
	kpt_put(c, a64_str_at(X12, X11, X10));
	kpt_recorder_put_narrow_end(r);
}

/**
 * kpt_recorder_put_stopped() - write what is done if something is not as in most hits
 * @r: the recorder. Perhaps the task is not wanted, or tracing_on is 0
 * @is_known: x10 is a record of the hit, for which kpt_cpu.depth is set
 *
 * Context: process context.
 */
void kpt_recorder_put_stopped(struct kpt_recorder_code *r, bool is_known)
{
	unsigned int wanted = kpt_label(&r->code);
	struct kpt_code *c = &r->code;

	kpt_recorder_here(r, KPT_AT_STOPPED);
	if (!is_known) {
		kpt_put(c, a64_ldr_w(X13, X11, KPT_CPU(depth)));
		kpt_recorder_put_to(r, a64_cbnz_w(X13), KPT_AT_SLOW);
	}
	kpt_put(c, a64_ldr(X13, X9, r->now->stops));
	kpt_put(c, a64_ldr_w(X13, X13, 0));
	BUILD_BUG_ON(KPT_ARCH_STOP_SWITCH != 1);
	if (has_unwanted(r->step)) {
		kpt_put_to(c, a64_tbz(X13, 0), wanted);
		kpt_recorder_here(r, KPT_AT_UNWANTED);
		if (!kpt_recorder_put_triggers(r, r->now[KPT_WAY_REFUSED].places + KPT_AT_BEGIN,
					       kpt_recorder_at(r, KPT_AT_SLOW), false))
			put_unwanted(r, is_known);
		kpt_here(c, wanted);
	}
	put_tasks(r, is_known);
}
