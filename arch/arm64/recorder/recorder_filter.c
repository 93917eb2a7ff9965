// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters as code, at the start of a recorder (recorder.c): filters of registers, see
 * kpt_filter_on_registers().
 *
 * Most filters refuse most hits, so their code saves as few registers as it can. If each
 * predicate compares a whole register with a number, it is like this, for %x0 == 5:
 *
 *	ldr	x10, [x9, #424]		// kpt_filter_pred.low, behind the kpt_arch_direct
 *	sub	x10, x0, x10
 *	cbnz	x10, 1f
 *	...				// the recorder
 *  1:	mrs	x10, tpidr_el1			// KPT_AT_REFUSED
 *	ldr	x9, [x9, #64]		// kpt_arch_direct.filtered
 *	add	x9, x9, x10
 *	ldr	x10, [x9]
 *	add	x10, x10, #1
 *	str	x10, [x9]
 *	ret
 *
 * Other filters save x11 and x12, too. The numbers are read from the filter, so events that
 * differ in numbers only share a recorder.
 *
 *	x9, x16, x30, sp: as in all recorders
 *	x10, x11: a value and a number of the filter
 *	x12: PSTATE.NZCV of the probed code, if a number has to be in a range
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "lib/filter/filter.h"
#include "engine.h"
#include "recorder/recorder.h"

/* Predicates of a filter, at most. */
#define PREDS_MAX	8

/**
 * struct filter - a filter while it becomes code
 * @code: the code
 * @r: the recorder
 * @first: label of the first predicate, the others are behind it
 * @accept: label of what is done with a hit that is not refused
 */
struct filter {
	struct kpt_code *code;
	struct kpt_direct_code *r;
	unsigned int first;
	unsigned int accept;
};

/* The label of kpt_filter_pred.next. */
static unsigned int label_of(const struct filter *f, unsigned int next)
{
	return next == KPT_FILTER_ACCEPT ? f->accept :
	       next == KPT_FILTER_REJECT ? KPT_AT_REFUSED : f->first + next;
}

static bool is_range(const struct kpt_filter_pred *p)
{
	return p->span;
}

/* Load a number of the filter, which is in the same piece of memory as kpt_arch_direct. */
static void put_number(const struct filter *f, enum a64_reg reg, const u64 *number)
{
	kpt_put(f->code, a64_ldr(reg, X9, (const u8 *)number - (const u8 *)f->r->direct));
}

/* Has the stub changed a register, or is it SP? */
static bool is_saved(unsigned int reg)
{
	return reg == 9 || reg == 10 || reg == 16 || reg >= 30;
}

/* Is the number a register as it is? */
static bool is_whole(const struct kpt_filter_pred *p)
{
	return !p->mask || (p->mask == U64_MAX && !p->shift &&
			    !is_saved(p->base / sizeof(u64)));
}

/* Returns the register that has the value of register @reg. */
static enum a64_reg put_load(const struct filter *f, unsigned int reg)
{
	if (reg == KPT_DIRECT_SP)
		kpt_put(f->code, a64_add_i(X10, SP, KPT_DIRECT_FRAME));
	else if (is_saved(reg) || (f->r->is_wide && (reg == 11 || reg == 12)))
		kpt_put(f->code, a64_ldr(X10, SP, kpt_direct_saved_at(reg)));
	else
		return reg;
	return X10;
}

/* Make kpt_filter_number(). Returns the register that has it. */
static enum a64_reg put_value(const struct filter *f, const struct kpt_filter_pred *p)
{
	enum a64_reg from = XZR;

	if (!p->mask)
		return from;
	from = put_load(f, p->base / sizeof(u64));
	if (p->shift) {
		kpt_put(f->code, a64_lsl(X10, from, p->shift));
		from = X10;
	}
	if (p->mask != U64_MAX << p->shift) {
		put_number(f, X11, &p->mask);
		kpt_put(f->code, a64_and(X10, from, X11));
		from = X10;
	}
	return from;
}

/* Is what @next says directly behind a predicate? */
static bool follows(const struct filter *f, const struct kpt_filter_pred *p, unsigned int next)
{
	unsigned int behind = p + 1 - f->r->filter->pred;

	return next == (behind == f->r->filter->nr ? KPT_FILTER_ACCEPT : behind);
}

static void put_pred(const struct filter *f, const struct kpt_filter_pred *p)
{
	enum a64_reg from = put_value(f, p), number = f->r->is_wide ? X11 : X10;
	unsigned int no = label_of(f, p->next[0]);

	if (p->low) {
		put_number(f, number, &p->low);
		kpt_put(f->code, a64_sub(X10, from, number));
		from = X10;
	}
	if (is_range(p)) {
		put_number(f, X11, &p->span);
		kpt_put(f->code, a64_cmp(from, X11));
		kpt_put_to(f->code, a64_b_if(A64_HI), no);
	} else {
		kpt_put_to(f->code, a64_cbnz(from), no);
	}
	if (!follows(f, p, p->next[1]))
		kpt_put_to(f->code, A64_B, label_of(f, p->next[1]));
}

static bool can_be_code(const struct kpt_filter *filter)
{
	const struct kpt_filter_pred *p;

	if (filter->nr > PREDS_MAX)
		return false;
	for (p = filter->pred; p < filter->pred + filter->nr; p++)
		if (p->kind != KPT_FILTER_NUMBER ||
		    (p->mask && p->base / sizeof(u64) > KPT_DIRECT_SP))
			return false;
	return true;
}

/**
 * kpt_direct_put_filter() - write a filter as code
 * @r: has one. Hits that match continue behind it; code.failed is set if there is no code for
 *	it, else is_wide and changes_flags are
 *
 * Context: process context.
 */
void kpt_direct_put_filter(struct kpt_direct_code *r)
{
	const struct kpt_filter *filter = r->filter;
	struct filter f = { .code = &r->code, .r = r };
	int i;

	if (!can_be_code(filter)) {
		r->code.failed = true;
		return;
	}
	f.accept = kpt_label(f.code);
	f.first = f.accept + 1;
	for (i = 0; i < filter->nr; i++) {
		kpt_label(f.code);
		r->changes_flags |= is_range(&filter->pred[i]);
		r->is_wide |= r->changes_flags || !is_whole(&filter->pred[i]);
	}
	if (r->is_wide)
		kpt_put(f.code, a64_stp(X11, X12, SP, 32));
	if (r->changes_flags)
		kpt_put(f.code, a64_mrs(X12, A64_NZCV));
	for (i = 0; i < filter->nr; i++) {
		kpt_here(f.code, f.first + i);
		put_pred(&f, &filter->pred[i]);
	}
	kpt_here(f.code, f.accept);
	if (r->changes_flags)
		kpt_put(f.code, a64_msr(A64_NZCV, X12));
}

/**
 * kpt_direct_put_refuse() - count a hit that a filter refuses, and return to the stub
 * @r: what kpt_direct_put_filter() has written a filter of
 *
 * Context: process context.
 */
void kpt_direct_put_refuse(struct kpt_direct_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_here(c, KPT_AT_REFUSED);
	if (r->changes_flags)
		kpt_put(c, a64_msr(A64_NZCV, X12));
	kpt_direct_put_percpu(c);
	kpt_put(c, a64_ldr(X9, X9, KPT_DIRECT(filtered)));
	kpt_put(c, a64_add(X9, X9, X10));
	kpt_put(c, a64_ldr(X10, X9, 0));
	kpt_put(c, a64_add_i(X10, X10, 1));
	kpt_put(c, a64_str(X10, X9, 0));
	if (r->is_wide)
		kpt_put(c, a64_ldp(X11, X12, SP, 32));
	kpt_put(c, A64_RET);
}
