// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters as code, at the start of a recorder (direct.c): filters of registers, see
 * kpt_filter_on_registers().
 *
 * The code has the shape of the filter, its numbers are read from the filter. So events
 * that differ in numbers only share a recorder.
 *
 *	x9, x16, x30, sp: as in all recorders
 *	x15: the filter; x13, x14: a value and a number of the filter
 *	x17: PSTATE.NZCV of the probed code, if a number has to be in a range
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "lib/filter.h"
#include "engine.h"
#include "direct.h"

/* Labels behind those of the predicates. */
#define ACCEPT		KPT_DIRECT_PREDS_MAX
#define REJECT		(KPT_DIRECT_PREDS_MAX + 1)

/* Arm ARM C6.2 */
#define LDR_X15_X9(at)	(0xf940012f | (u32)(at) / 8 << 10)
#define LDR_X14_X15(at)	(0xf94001ee | (u32)(at) / 8 << 10)
#define LSL_X13(rn, n)	(0xd340000d | (64 - (n)) << 16 | (63 - (n)) << 10 | (rn) << 5)
#define AND_X13_X14(rn)	(0x8a0e000d | (rn) << 5)
#define SUB_X13_X14(rn)	(0xcb0e000d | (rn) << 5)
#define CMP_X14(rn)	(0xeb0e001f | (rn) << 5)
#define CBNZ(rt, to)	(0xb5000000 | ((to) & 0x7ffff) << 5 | (rt))
#define B_HI(to)	(0x54000008 | ((to) & 0x7ffff) << 5)
#define B(to)		(KPT_B | ((to) & ~KPT_B_MASK))
#define BTI_J		0xd503249f
#define MRS_X17_NZCV	0xd53b4211
#define MSR_NZCV_X17	0xd51b4211
#define XZR		31

/**
 * struct code - a filter while it becomes code
 * @words: the code
 * @nr: number of words so far
 * @label: where predicates, ACCEPT and REJECT begin, known after the first pass
 */
struct code {
	u32 *words;
	int nr;
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

/* Load the number at @at of a predicate into x14. */
static void put_number(struct code *c, const struct kpt_filter *filter,
		       const u64 *number)
{
	put(c, LDR_X14_X15((const u8 *)number - (const u8 *)filter));
}

/* Make kpt_filter_number(). Returns the register that has it. */
static u32 put_value(struct code *c, const struct kpt_filter *filter,
		     const struct kpt_filter_pred *p)
{
	u32 from = XZR;

	if (!p->mask)
		return from;
	from = kpt_direct_put_load(c->words, &c->nr, p->base / sizeof(u64));
	if (p->shift) {
		put(c, LSL_X13(from, p->shift));
		from = 13;
	}
	if (p->mask != U64_MAX << p->shift) {
		put_number(c, filter, &p->mask);
		put(c, AND_X13_X14(from));
		from = 13;
	}
	return from;
}

static void put_pred(struct code *c, const struct kpt_filter *filter,
		     const struct kpt_filter_pred *p)
{
	u32 from = put_value(c, filter, p);

	if (p->low) {
		put_number(c, filter, &p->low);
		put(c, SUB_X13_X14(from));
		from = 13;
	}
	if (is_range(p)) {
		put_number(c, filter, &p->span);
		put(c, CMP_X14(from));
		put(c, B_HI(distance(c, p->next[0])));
	} else {
		put(c, CBNZ(from, distance(c, p->next[0])));
	}
	if (p->next[1] != p + 1 - filter->pred)
		put(c, B(distance(c, p->next[1])));
}

/* Restore the flags if they have changed, and leave for a word behind the filter. */
static void put_end(struct code *c, bool flags, int nr, unsigned int to)
{
	if (flags)
		put(c, MSR_NZCV_X17);
	put(c, B(nr + (int)to - c->nr));
}

static bool can_be_code(const struct kpt_filter *filter)
{
	const struct kpt_filter_pred *p;

	if (filter->nr > KPT_DIRECT_PREDS_MAX)
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
 * @filter: the filter, from kpt_filter_on_registers()
 * @accept: where hits that match continue, in words behind the filter
 * @refuse: where others do
 *
 * Context: process context.
 * Return: number of words, 0 if the filter cannot be code.
 */
unsigned int kpt_direct_put_filter(u32 *words, const struct kpt_filter *filter,
				   unsigned int accept, unsigned int refuse)
{
	struct code c = { .words = words };
	bool flags = false;
	int pass, i, nr = 0;

	if (!can_be_code(filter))
		return 0;
	for (i = 0; i < filter->nr; i++)
		flags |= is_range(&filter->pred[i]);
	/* The first pass finds out where each predicate begins. */
	for (pass = 0; pass < 2; pass++) {
		nr = c.nr;
		c.nr = 0;
		if (IS_ENABLED(CONFIG_ARM64_BTI_KERNEL))
			put(&c, BTI_J);
		put(&c, LDR_X15_X9(offsetof(struct kpt_arch_direct, filter)));
		if (flags)
			put(&c, MRS_X17_NZCV);
		for (i = 0; i < filter->nr; i++) {
			c.label[i] = c.nr;
			put_pred(&c, filter, &filter->pred[i]);
		}
		c.label[ACCEPT] = c.nr;
		put_end(&c, flags, nr, accept);
		c.label[REJECT] = c.nr;
		put_end(&c, flags, nr, refuse);
	}
	return c.nr;
}
