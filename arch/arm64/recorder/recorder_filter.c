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
 *	b	0f			// kpt_direct_templates.entry
 *  1:	mrs	x10, tpidr_el1
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

/* Labels behind those of the predicates. */
#define ACCEPT		KPT_DIRECT_PREDS_MAX
#define REJECT		(KPT_DIRECT_PREDS_MAX + 1)

/* Arm ARM C6.2 */
#define X10		10
#define X11		11
#define LDR_X9(rt, n)	(0xf9400120 | (u32)(n) / 8 << 10 | (rt))
#define LDR_SP(rt, n)	(0xf94003e0 | (u32)(n) / 8 << 10 | (rt))
#define ADD_X10_SP(n)	(0x910003ea | (u32)(n) << 10)
#define LSL_X10(rn, n)	(0xd340000a | (64 - (n)) << 16 | (63 - (n)) << 10 | (rn) << 5)
#define AND_X10(rn, rm)	(0x8a00000a | (rm) << 16 | (rn) << 5)
#define SUB_X10(rn, rm)	(0xcb00000a | (rm) << 16 | (rn) << 5)
#define CMP_X11(rn)	(0xeb0b001f | (rn) << 5)
#define CBNZ(rt, to)	(0xb5000000 | ((to) & 0x7ffff) << 5 | (rt))
#define B_HI(to)	(0x54000008 | ((to) & 0x7ffff) << 5)
#define B(to)		(KPT_B | ((to) & ~KPT_B_MASK))
#define MRS_X12_NZCV	0xd53b420c
#define MSR_NZCV_X12	0xd51b420c
#define STP_X11_X12	0xa90233eb	/* [sp, #32] */
#define LDP_X11_X12	0xa94233eb
#define ADD_X9_X9_X10	0x8b0a0129
#define LDR_X10_X9	0xf940012a
#define ADD_X10_X10_1	0x9100054a
#define STR_X10_X9	0xf900012a
#define XZR		31
/* Offsets that LDR can have. */
#define LDR_MAX		32760

/**
 * struct code - a filter while it becomes code
 * @words: the code
 * @nr: number of words so far
 * @direct: what the filter belongs to
 * @wide: the code saves x11 and x12
 * @flags: it changes PSTATE.NZCV
 * @label: where predicates, ACCEPT and REJECT begin, known after the first pass
 */
struct code {
	u32 *words;
	int nr;
	const struct kpt_arch_direct *direct;
	bool wide;
	bool flags;
	int label[KPT_DIRECT_PREDS_MAX + 2];
};

static void put(struct code *c, u32 word)
{
	c->words[c->nr++] = word;
}

/* How far it is from the next word to where a predicate continues. */
static int distance(const struct code *c, u16 next)
{
	unsigned int label = next == KPT_FILTER_ACCEPT ? ACCEPT :
			     next == KPT_FILTER_REJECT ? REJECT : next;

	return c->label[label] - c->nr;
}

static bool is_range(const struct kpt_filter_pred *p)
{
	return p->span;
}

/* Bytes from the struct kpt_arch_direct to a number of the filter. */
static unsigned long number_at(const struct kpt_arch_direct *direct, const u64 *number)
{
	return (unsigned long)number - (unsigned long)direct;
}

static void put_number(struct code *c, u32 reg, const u64 *number)
{
	put(c, LDR_X9(reg, number_at(c->direct, number)));
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

/* Returns the number of a register that has the value of register @reg. */
static u32 put_load(struct code *c, unsigned int reg)
{
	if (reg == KPT_DIRECT_SP)
		put(c, ADD_X10_SP(KPT_DIRECT_FRAME));
	else if (is_saved(reg) || (c->wide && (reg == 11 || reg == 12)))
		put(c, LDR_SP(X10, kpt_direct_saved_at(reg)));
	else
		return reg;
	return X10;
}

/* Make kpt_filter_number(). Returns the register that has it. */
static u32 put_value(struct code *c, const struct kpt_filter_pred *p)
{
	u32 from = XZR;

	if (!p->mask)
		return from;
	from = put_load(c, p->base / sizeof(u64));
	if (p->shift) {
		put(c, LSL_X10(from, p->shift));
		from = X10;
	}
	if (p->mask != U64_MAX << p->shift) {
		put_number(c, X11, &p->mask);
		put(c, AND_X10(from, X11));
		from = X10;
	}
	return from;
}

static void put_pred(struct code *c, const struct kpt_filter_pred *p)
{
	const struct kpt_filter *filter = c->direct->filter;
	u32 from = put_value(c, p), number = c->wide ? X11 : X10;

	if (p->low) {
		put_number(c, number, &p->low);
		put(c, SUB_X10(from, number));
		from = X10;
	}
	if (is_range(p)) {
		put_number(c, X11, &p->span);
		put(c, CMP_X11(from));
		put(c, B_HI(distance(c, p->next[0])));
	} else {
		put(c, CBNZ(from, distance(c, p->next[0])));
	}
	if (p->next[1] != p + 1 - filter->pred)
		put(c, B(distance(c, p->next[1])));
}

/* Count a hit that is refused, and return to the stub. */
static void put_refuse(struct code *c, u32 percpu)
{
	if (c->flags)
		put(c, MSR_NZCV_X12);
	put(c, percpu);
	put(c, LDR_X9(9, offsetof(struct kpt_arch_direct, filtered)));
	put(c, ADD_X9_X9_X10);
	put(c, LDR_X10_X9);
	put(c, ADD_X10_X10_1);
	put(c, STR_X10_X9);
	if (c->wide)
		put(c, LDP_X11_X12);
	put(c, KPT_RET);
}

static bool can_be_code(const struct kpt_arch_direct *direct)
{
	const struct kpt_filter *filter = direct->filter;
	const struct kpt_filter_pred *p;

	if (filter->nr > KPT_DIRECT_PREDS_MAX ||
	    number_at(direct, &filter->pred[filter->nr].span) > LDR_MAX)
		return false;
	for (p = filter->pred; p < filter->pred + filter->nr; p++)
		if (p->kind != KPT_FILTER_NUMBER ||
		    (p->mask && p->base / sizeof(u64) > KPT_DIRECT_SP))
			return false;
	return true;
}

/**
 * kpt_direct_put_filter() - write a filter as code
 * @words: result, KPT_DIRECT_FILTER_MAX words
 * @direct: what has the filter
 * @entry: where hits that match continue, in words behind the filter
 * @saved: where they continue if x11 and x12 are saved
 * @percpu: the instruction that moves the offset of per-CPU variables to x10
 *
 * Context: process context.
 * Return: number of words, 0 if the filter cannot be code.
 */
unsigned int kpt_direct_put_filter(u32 *words, const struct kpt_arch_direct *direct,
				   unsigned int entry, unsigned int saved, u32 percpu)
{
	struct code c = { .words = words, .direct = direct };
	const struct kpt_filter *filter = direct->filter;
	int pass, i, nr = 0;

	if (!can_be_code(direct))
		return 0;
	for (i = 0; i < filter->nr; i++) {
		c.flags |= is_range(&filter->pred[i]);
		c.wide |= c.flags || !is_whole(&filter->pred[i]);
	}
	/* The first pass finds out where each predicate begins. */
	for (pass = 0; pass < 2; pass++) {
		nr = c.nr;
		c.nr = 0;
		if (IS_ENABLED(CONFIG_ARM64_BTI_KERNEL))
			put(&c, KPT_BTI_C);
		if (c.wide)
			put(&c, STP_X11_X12);
		if (c.flags)
			put(&c, MRS_X12_NZCV);
		for (i = 0; i < filter->nr; i++) {
			c.label[i] = c.nr;
			put_pred(&c, &filter->pred[i]);
		}
		c.label[ACCEPT] = c.nr;
		if (c.flags)
			put(&c, MSR_NZCV_X12);
		put(&c, B(nr + (int)(c.wide ? saved : entry) - c.nr));
		c.label[REJECT] = c.nr;
		put_refuse(&c, percpu);
	}
	return c.nr;
}
