// SPDX-License-Identifier: GPL-2.0-only
/* Filters that are evaluated on registers and the task, before there is a record. For: recorder. */
#include "lib/base/port.h"
#include "lib/base/glob.h"
#include "lib/fetch/fetch.h"
#include "lib/filter/filter.h"

/* Registers that a program stores, as far as filters may need them. */
#define COPIES_MAX 64

/**
 * struct copies - what a program stores, in the order of the record
 * @nr: number of @copy
 * @copy: the registers
 */
struct copies {
	unsigned int nr;
	struct kpt_fetch_copy copy[COPIES_MAX];
};

/* The register that is stored in bits @low to @high - 1 of a record, or NULL. */
static const struct kpt_fetch_copy *regs_find(const struct copies *all,
					      unsigned int low, unsigned int high)
{
	const struct kpt_fetch_copy *c, *found = NULL;

	for (c = all->copy; c < all->copy + all->nr; c++)
		if (8 * c->offset <= low)
			found = c;
	return found && high <= 8 * (found->offset + found->size) ? found : NULL;
}

/* The number of the task, as the head of a record has it. */
static const struct kpt_fetch_copy pid = {
	.reg = KPT_FILTER_REG_PID,
	.size = sizeof_field(struct kpt_record_head, pid),
	.offset = offsetof(struct kpt_record_head, pid),
};

/*
 * Read the number of @pred from the register that is stored there, or else from where the
 * program stores it. A field is the low end of a register. Returns false for a field that
 * the program does not store.
 */
static bool number_rewrite(struct kpt_filter_pred *pred, const struct copies *all,
			   const struct kpt_fetch_prog *prog)
{
	unsigned int high = 8 * pred->base + 64 - pred->shift, low;
	const struct kpt_fetch_copy *c;

	/* A constant. */
	if (!pred->mask)
		return true;
	low = high - 64 + __builtin_ctzll(pred->mask);
	c = regs_find(all, low, high);
	if (!c && low >= 8 * pid.offset && high <= 8 * (pid.offset + pid.size))
		c = &pid;
	if (!c) {
		pred->kind = KPT_FILTER_FIELD;
		return low >= 8 * kpt_fetch_first(prog);
	}
	pred->base = (u16)(c->reg * sizeof(u64));
	pred->shift = (u8)(64 - (high - 8 * c->offset));
	return true;
}

/* Can a task's name be compared in words of 8 bytes? With a full text, its NUL is, too. */
static bool comm_is_words(const struct kpt_filter_pred *pred)
{
	return pred->len + (pred->how == KPT_GLOB_FULL) <= PORT_COMM_LEN &&
	       (pred->how == KPT_GLOB_FULL || pred->how == KPT_GLOB_FRONT);
}

/* Is it a string that the program stores, and the text short? */
static bool text_is_words(const struct kpt_filter_pred *pred, const struct kpt_fetch_prog *prog)
{
	return pred->field.kind == KPT_FIELD_TEXT && pred->field.offset >= kpt_fetch_first(prog) &&
	       pred->how != KPT_GLOB_PATTERN && pred->len < 8 * KPT_FILTER_WORDS &&
	       (pred->len || pred->how == KPT_GLOB_FULL);
}

static bool pred_rewrite(struct kpt_filter_pred *pred, const struct copies *all,
			 const struct kpt_fetch_prog *prog)
{
	switch (pred->kind) {
	case KPT_FILTER_COMM:
		return comm_is_words(pred);
	case KPT_FILTER_TEXT:
		return text_is_words(pred, prog);
	case KPT_FILTER_NUMBER:
		return number_rewrite(pred, all, prog);
	default:
		return false;
	}
}

/**
 * kpt_filter_on_hit() - rewrite a filter to be evaluated before there is a record
 * @filter: a compiled filter for records that @prog makes
 * @prog: a program
 *
 * On success, the predicates are of these kinds, and have the same results as on the record:
 * KPT_FILTER_NUMBER, whose @base is 8 * the number of a register, or of KPT_FILTER_REG_PID;
 * KPT_FILTER_FIELD, a number that @prog stores, as KPT_FILTER_NUMBER is in the record;
 * KPT_FILTER_COMM, as it is, with a text that kpt_filter_comm_words() can have; and
 * KPT_FILTER_TEXT, as it is, of a string that @prog stores, with less than KPT_FILTER_WORDS
 * words of text and no KPT_GLOB_PATTERN.
 *
 * Context: any.
 * Return: true; false if the filter reads anything else, and then @filter must not be used
 * any more.
 */
bool kpt_filter_on_hit(struct kpt_filter *filter, const struct kpt_fetch_prog *prog)
{
	struct kpt_filter_pred *pred;
	struct copies all;

	all.nr = kpt_fetch_find_copies(prog, all.copy, COPIES_MAX);
	for (pred = filter->pred; pred < filter->pred + filter->nr; pred++)
		if (!pred_rewrite(pred, &all, prog))
			return false;
	return true;
}

/**
 * kpt_filter_comm_words() - what a task's name is compared with, in words
 * @filter: the filter, from kpt_filter_on_hit()
 * @pred: a predicate of kind KPT_FILTER_COMM
 * @text: result: the text
 * @mask: result: the bits that matter
 *
 * Context: any.
 */
void kpt_filter_comm_words(const struct kpt_filter *filter, const struct kpt_filter_pred *pred,
			   u64 text[KPT_FILTER_COMM_WORDS], u64 mask[KPT_FILTER_COMM_WORDS])
{
	memset(text, 0, PORT_COMM_LEN);
	memset(mask, 0, PORT_COMM_LEN);
	memcpy(text, (const u8 *)filter + pred->at, pred->len);
	memset(mask, 0xff, pred->len + (pred->how == KPT_GLOB_FULL));
}
