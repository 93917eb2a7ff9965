// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters as code, in a recorder (recorder.c): those that kpt_filter_on_hit() can rewrite.
 *
 * Most filters refuse most hits, so their code saves as few registers as it can. If it is
 * the only step's, and each predicate compares a whole register with a number, it is the
 * start of the recorder, like this, for %x0 == 5:
 *
 *	ldr	x10, [x9, #24]		// kpt_filter_pred.low, an operand
 *	sub	x10, x0, x10
 *	cbnz	x10, 1f
 *	...				// the recorder
 *  1:	mrs	x10, tpidr_el1			// KPT_AT_REFUSED
 *	ldr	x9, [x9, #64]		// kpt_arch_step.filtered
 *	add	x9, x9, x10
 *	ldr	x10, [x9]
 *	add	x10, x10, #1
 *	str	x10, [x9]
 *	ret
 *
 * Other filters of the only step save x11 and x12, too: x10 and x11 are a value and a number
 * of the filter, x12 is PSTATE.NZCV of the probed code, if a number has to be in a range. Those
 * of one of several steps have x13 and x14 for that. Numbers in memory are read first of all, and
 * kept in the frame, from where the record gets them, too. Filters that read what else the fetch
 * program has stored, as strings, come behind it: they may not change x12, and keep PSTATE.NZCV
 * in memory.
 *
 * The numbers are operands, so events that differ in numbers only share a recorder.
 *
 *	x9, x16, x30, sp: as in all recorders
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/sched.h>
#include "lib/filter/filter.h"
#include "lib/ring/ring.h"
#include "engine.h"
#include "recorder/recorder.h"

/* Predicates of a filter, at most. */
#define PREDS_MAX	8

/* Where PSTATE.NZCV of the probed code is kept behind the fetch program. */
#define NZCV_SLOT	120

/**
 * struct filter - a filter while it becomes code
 * @code: the code
 * @r: the recorder
 * @filter: the filter
 * @is_narrow: registers that the stub has not saved are not saved, see struct kpt_recorder_step
 * @record: register with the address of a record ...
 * @at: ... and bytes from there to kpt_recorder_begin() of the one that is asked, if it is there
 * @first: label of the first predicate, the others are behind it
 * @accept: label of what is done with a hit that is accepted; behind the predicates
 * @refuse: label of what is done with one that is refused
 * @value: register for a value
 * @number: register for a number of the filter; if there is only one register, @value
 */
struct filter {
	struct kpt_code *code;
	struct kpt_recorder_code *r;
	const struct kpt_filter *filter;
	bool is_narrow;
	enum a64_reg record;
	int at;
	unsigned int first;
	unsigned int accept;
	unsigned int refuse;
	enum a64_reg value;
	enum a64_reg number;
};

/* The label of kpt_filter_pred.next. */
static unsigned int label_of(const struct filter *f, unsigned int next)
{
	return next == KPT_FILTER_ACCEPT ? f->accept :
	       next == KPT_FILTER_REJECT ? f->refuse : f->first + next;
}

static bool is_range(const struct kpt_filter_pred *p)
{
	return p->span;
}

/* Is the value of a register in the probed code not in the register, or is it SP? */
static bool is_saved(const struct filter *f, unsigned int reg)
{
	if (reg == KPT_FILTER_REG_PID)
		return true;
	if (!f->is_narrow || f->r->now->is_full)
		return kpt_recorder_saved_at(reg) >= 0 || reg == KPT_RECORDER_SP;
	return reg == 9 || reg == 10 || reg == 16 || reg >= 30 ||
	       (f->r->now->is_wide && (reg == 11 || reg == 12));
}

/* Is the number a register as it is? */
static bool is_whole(const struct filter *f, const struct kpt_filter_pred *p)
{
	if (p->kind != KPT_FILTER_NUMBER)
		return false;
	return !p->mask || (p->mask == U64_MAX && !p->shift &&
			    !is_saved(f, p->base / sizeof(u64)));
}

/* Returns the register that has the value of register @reg. */
static enum a64_reg put_load(const struct filter *f, unsigned int reg)
{
	if (!is_saved(f, reg))
		return reg;
	if (reg == KPT_FILTER_REG_PID) {
		kpt_put(f->code, a64_mrs(f->value, A64_SP_EL0));
		kpt_put(f->code, a64_ldr_w(f->value, f->value,
					   offsetof(struct task_struct, pid)));
	} else if (reg == KPT_RECORDER_SP) {
		kpt_recorder_put_sp(f->r, f->value);
	} else {
		kpt_put(f->code, a64_ldr(f->value, SP, kpt_recorder_saved_at(reg)));
	}
	return f->value;
}

/* A field of the record, or what is read of it already; *@shift is as kpt_filter_pred.shift. */
static void put_field(const struct filter *f, const struct kpt_filter_pred *p,
		      unsigned int *shift)
{
	unsigned int at;

	if (kpt_recorder_find_read(f->r, p, &at, shift)) {
		kpt_put(f->code, a64_ldr(f->value, SP, at));
		return;
	}
	*shift = p->shift;
	kpt_put(f->code, a64_load(8, f->value, f->record,
				  f->at + sizeof(struct kpt_ring_header) + p->base));
}

/* Make kpt_filter_number(). Returns the register that has it. */
static enum a64_reg put_value(const struct filter *f, const struct kpt_filter_pred *p)
{
	unsigned int shift = p->shift;
	enum a64_reg from = XZR;

	if (!p->mask)
		return from;
	if (p->kind == KPT_FILTER_FIELD) {
		put_field(f, p, &shift);
		from = f->value;
	} else {
		from = put_load(f, p->base / sizeof(u64));
	}
	if (shift) {
		kpt_put(f->code, a64_lsl(f->value, from, shift));
		from = f->value;
	}
	if (p->mask != U64_MAX << shift) {
		kpt_recorder_put_operand(f->r, f->number, p->mask);
		kpt_put(f->code, a64_and(f->value, from, f->number));
		from = f->value;
	}
	return from;
}

/* Continue where a predicate says that is if it is true or false. */
static void put_decided(const struct filter *f, const struct kpt_filter_pred *p, bool is_true)
{
	kpt_put_to(f->code, A64_B, label_of(f, p->next[is_true]));
}

static void put_comm(const struct filter *f, const struct kpt_filter_pred *p)
{
	u64 text[KPT_FILTER_COMM_WORDS], mask[KPT_FILTER_COMM_WORDS];
	unsigned int i;

	kpt_filter_comm_words(f->filter, p, text, mask);
	for (i = 0; i < ARRAY_SIZE(mask) && mask[i]; i++) {
		kpt_put(f->code, a64_mrs(f->value, A64_SP_EL0));
		kpt_put(f->code, a64_movz(f->number, offsetof(struct task_struct, comm) +
						     i * sizeof(u64), 0));
		kpt_put(f->code, a64_ldr_at(f->value, f->value, f->number));
		kpt_recorder_put_operand(f->r, f->number, text[i]);
		kpt_put(f->code, a64_eor(f->value, f->value, f->number));
		if (mask[i] != U64_MAX) {
			kpt_recorder_put_operand(f->r, f->number, mask[i]);
			kpt_put(f->code, a64_and(f->value, f->value, f->number));
		}
		kpt_put_to(f->code, a64_cbnz(f->value), label_of(f, p->next[p->negated]));
	}
	put_decided(f, p, !p->negated);
}

static void put_text(const struct filter *f, const struct kpt_filter_pred *p)
{
	f->code->failed |= f->record != X10;
	kpt_recorder_put_text(f->r, f->filter, p, f->at);
	kpt_put_to(f->code, a64_cbz(X13), label_of(f, p->next[p->negated]));
	put_decided(f, p, !p->negated);
}

static void put_pred(const struct filter *f, const struct kpt_filter_pred *p)
{
	enum a64_reg from = put_value(f, p);
	unsigned int no = label_of(f, p->next[0]);

	if (p->low) {
		kpt_recorder_put_operand(f->r, f->number, p->low);
		kpt_put(f->code, a64_sub(f->value, from, f->number));
		from = f->value;
	}
	if (is_range(p)) {
		kpt_recorder_put_operand(f->r, f->number, p->span);
		kpt_put(f->code, a64_cmp(from, f->number));
		kpt_put_to(f->code, a64_b_if(A64_HI), no);
	} else {
		kpt_put_to(f->code, a64_cbnz(from), no);
	}
	put_decided(f, p, true);
}

/* Does a filter change PSTATE.NZCV? */
static bool changes_flags(const struct kpt_filter *filter)
{
	bool changes = false;
	int i;

	for (i = 0; i < filter->nr; i++)
		changes |= filter->pred[i].kind != KPT_FILTER_COMM &&
			   filter->pred[i].kind != KPT_FILTER_TEXT && is_range(&filter->pred[i]);
	return changes;
}

static void put_keep_flags(struct kpt_recorder_code *r, bool is_late)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_mrs(is_late ? X13 : X12, A64_NZCV));
	if (is_late)
		kpt_put(c, a64_str(X13, SP, NZCV_SLOT));
}

static void put_restore_flags(struct kpt_recorder_code *r, bool is_late)
{
	struct kpt_code *c = &r->code;

	if (is_late)
		kpt_put(c, a64_ldr(X13, SP, NZCV_SLOT));
	kpt_put(c, a64_msr(A64_NZCV, is_late ? X13 : X12));
}

/**
 * kpt_recorder_is_late() - does a filter read what a fetch program has stored?
 * @r: the recorder
 * @filter: the filter
 *
 * Context: process context.
 * Return: true if it does.
 */
bool kpt_recorder_is_late(const struct kpt_recorder_code *r, const struct kpt_filter *filter)
{
	const struct kpt_filter_pred *p;
	unsigned int at, shift;

	for (p = filter->pred; p < filter->pred + filter->nr; p++)
		if (p->kind == KPT_FILTER_TEXT || (p->kind == KPT_FILTER_FIELD &&
						   !kpt_recorder_find_read(r, p, &at, &shift)))
			return true;
	return false;
}

/* Let numbers in memory be read first, unless the filter is late all the same. */
static void find_reads(struct kpt_recorder_code *r, const struct kpt_filter *filter)
{
	const struct kpt_filter_pred *p;
	unsigned int before = r->now->nr_reads;

	if (r->step->op == KPT_ARCH_COPY || r->step->op == KPT_ARCH_FOLLOW)
		return;
	for (p = filter->pred; p < filter->pred + filter->nr; p++) {
		if (p->kind == KPT_FILTER_TEXT || (p->kind == KPT_FILTER_FIELD &&
						   !kpt_recorder_add_read(r, p))) {
			r->now->nr_reads = before;
			return;
		}
	}
	r->now->is_full |= r->now->is_narrow && r->now->nr_reads;
}

/* Note what one of the filters of a step needs. Returns true if it reads what is stored. */
static bool find_filter(struct kpt_recorder_code *r, const struct kpt_filter *filter)
{
	struct filter f = { .r = r, .filter = filter, .is_narrow = r->now->is_narrow };
	int i;

	find_reads(r, filter);
	for (i = 0; i < filter->nr; i++)
		r->now->is_wide |= r->now->is_narrow && !is_whole(&f, &filter->pred[i]);
	r->now->is_wide |= r->now->is_narrow && changes_flags(filter);
	return kpt_recorder_is_late(r, filter);
}

/**
 * kpt_recorder_find_filters() - find out how the filters of a step are to be written
 * @r: the recorder. kpt_recorder_step.is_narrow says what it would be, is_late and others are set
 *
 * Context: process context.
 */
void kpt_recorder_find_filters(struct kpt_recorder_code *r)
{
	const struct kpt_arch_step *step = r->step;
	struct kpt_recorder_step *now = r->now;
	unsigned int i;

	/* One register is enough to count in one place. */
	if (step->filter || kpt_recorder_asks_tasks(step) || step->held.asks_tasks)
		now->is_narrow &= !step->filtered[1];
	if (kpt_recorder_asks_tasks(step))
		now->is_narrow &= step->nr == 1 && !step->record->filtered[1];
	if (step->filter) {
		now->is_late = find_filter(r, step->filter) && step->op != KPT_ARCH_COPY;
		now->is_late |= step->op == KPT_ARCH_FOLLOW;
		now->changes_flags = changes_flags(step->filter);
		r->code.failed |= now->is_late && (step->op == KPT_ARCH_HELD ||
						   step->op == KPT_ARCH_LIMIT);
		now->is_narrow &= !now->is_late;
	}
	now->is_wide |= now->is_narrow &&
			(kpt_recorder_asks_tasks(step) || step->held.asks_tasks);
	if (step->op != KPT_ARCH_HELD)
		return;
	for (i = 0; i < step->held.others; i++)
		r->code.failed |= find_filter(r, step->held.other[i]);
	for (i = 0; i < step->held.hists; i++)
		if (step->held.hist[i].filter)
			find_filter(r, step->held.hist[i].filter);
	/* Without a record C asks. */
	if (step->held.stack_filter)
		r->code.failed |= find_filter(r, step->held.stack_filter);
}

/* Write the predicates of a filter; @accept is behind them. */
static void put_preds(struct kpt_recorder_code *r, const struct kpt_filter *filter,
		      unsigned int refuse, bool is_narrow)
{
	unsigned int from = r->step->op == KPT_ARCH_COPY ? r->step->from : 0;
	struct filter f = {
		.code = &r->code, .r = r, .filter = filter, .refuse = refuse,
		.is_narrow = is_narrow, .value = X13, .number = X14,
		.record = r->step->op == KPT_ARCH_FOLLOW && filter == r->step->filter &&
			  !r->now->has_strings ? X15 : X10,
		.at = r->step->record ? kpt_recorder_begin(r->step->record, from) : 0,
	};
	int i;

	if (filter->nr > PREDS_MAX) {
		r->code.failed = true;
		return;
	}
	if (is_narrow) {
		f.value = X10;
		f.number = r->now->is_wide ? X11 : X10;
	}
	f.accept = kpt_label(f.code);
	f.first = f.accept + 1;
	for (i = 0; i < filter->nr; i++)
		kpt_label(f.code);
	for (i = 0; i < filter->nr; i++) {
		kpt_here(f.code, f.first + i);
		if (filter->pred[i].kind == KPT_FILTER_COMM)
			put_comm(&f, &filter->pred[i]);
		else if (filter->pred[i].kind == KPT_FILTER_TEXT)
			put_text(&f, &filter->pred[i]);
		else
			put_pred(&f, &filter->pred[i]);
	}
	kpt_here(f.code, f.accept);
}

/**
 * kpt_recorder_put_filter() - write the filter of a step as code
 * @r: the recorder, after kpt_recorder_find_filters(). Hits that match continue behind it
 *
 * Context: process context.
 */
void kpt_recorder_put_filter(struct kpt_recorder_code *r)
{
	if (r->now->changes_flags)
		put_keep_flags(r, r->now->is_late);
	put_preds(r, r->step->filter, kpt_recorder_at(r, KPT_AT_REFUSED), r->now->is_narrow);
	if (r->now->changes_flags)
		put_restore_flags(r, r->now->is_late);
}

/**
 * kpt_recorder_put_condition() - write the filter of a trigger as code, before a record is made
 * @r: the recorder, after kpt_recorder_find_filters(). Hits that do not match continue behind it
 * @filter: the filter
 * @accept: label: where hits continue that match
 *
 * Context: process context.
 */
void kpt_recorder_put_condition(struct kpt_recorder_code *r, const struct kpt_filter *filter,
				unsigned int accept)
{
	unsigned int refuse = kpt_label(&r->code);
	bool changes = changes_flags(filter);

	if (changes)
		put_keep_flags(r, false);
	put_preds(r, filter, refuse, r->now->is_narrow);
	if (changes)
		put_restore_flags(r, false);
	kpt_put_to(&r->code, A64_B, accept);
	kpt_here(&r->code, refuse);
	if (changes)
		put_restore_flags(r, false);
}

/**
 * kpt_recorder_put_unless() - write the filter of a trigger as code, when the record is made
 * @r: the recorder. Hits that match continue behind it; x12 to x14 change
 * @filter: the filter
 * @refuse: label: where hits continue that do not match
 *
 * Context: process context.
 */
void kpt_recorder_put_unless(struct kpt_recorder_code *r, const struct kpt_filter *filter,
			     unsigned int refuse)
{
	unsigned int accept, refuse_here;
	struct kpt_code *c = &r->code;

	if (!changes_flags(filter)) {
		put_preds(r, filter, refuse, false);
		return;
	}
	accept = kpt_label(c);
	refuse_here = kpt_label(c);
	put_keep_flags(r, false);
	put_preds(r, filter, refuse_here, false);
	put_restore_flags(r, false);
	kpt_put_to(c, A64_B, accept);
	kpt_here(c, refuse_here);
	put_restore_flags(r, false);
	kpt_put_to(c, A64_B, refuse);
	kpt_here(c, accept);
}

/**
 * kpt_recorder_put_narrow_end() - return to the stub where registers may not be saved
 * @r: the recorder
 *
 * Context: process context.
 */
void kpt_recorder_put_narrow_end(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	if (r->now->is_full) {
		kpt_recorder_put_end(r);
		return;
	}
	if (r->now->is_wide && r->saves)
		kpt_put(c, a64_ldp(X11, X12, SP, 32));
	kpt_put(c, A64_RET);
}

/* Nothing is saved: then the only step counts in one place. */
static void put_passed_narrow(struct kpt_recorder_code *r, const u64 __percpu *counter)
{
	struct kpt_code *c = &r->code;

	kpt_recorder_put_percpu(c);
	kpt_recorder_put_operand(r, X9, (unsigned long)counter);
	kpt_put(c, a64_add(X9, X9, X10));
	kpt_put(c, a64_ldr(X10, X9, 0));
	kpt_put(c, a64_add_i(X10, X10, 1));
	kpt_put(c, a64_str(X10, X9, 0));
	kpt_recorder_put_narrow_end(r);
}

/**
 * kpt_recorder_put_passed_by() - count a hit that is not recorded, and go on
 * @r: the recorder
 * @counter: counts it
 * @other: does, too; or NULL
 *
 * Context: process context.
 */
void kpt_recorder_put_passed_by(struct kpt_recorder_code *r, const u64 __percpu *counter,
			      const u64 __percpu *other)
{
	if (r->now->is_narrow) {
		put_passed_narrow(r, counter);
		return;
	}
	kpt_recorder_put_counter(r, counter);
	kpt_recorder_put_counter(r, other);
	kpt_recorder_put_passed(r, r->now->is_late, !r->now->is_late);
}

/**
 * kpt_recorder_put_refuse() - count a hit that a filter refuses, and go on
 * @r: kpt_recorder_put_filter() has written the filter of the step
 *
 * Context: process context.
 */
void kpt_recorder_put_refuse(struct kpt_recorder_code *r)
{
	kpt_recorder_here(r, KPT_AT_REFUSED);
	kpt_recorder_put_turn_back(r);
	if (r->now->changes_flags)
		put_restore_flags(r, r->now->is_late);
	if (r->step->op == KPT_ARCH_HELD)
		kpt_recorder_put_aside(r, KPT_WAY_REFUSED);
	else
		kpt_recorder_put_passed_by(r, r->step->filtered[0], r->step->filtered[1]);
}
