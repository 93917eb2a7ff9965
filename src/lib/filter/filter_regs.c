// SPDX-License-Identifier: GPL-2.0-only
/* Filters that are evaluated on registers, before there is a record. */
#include "lib/base/port.h"
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

/*
 * Read the number of @pred from the register that is stored there. A field is
 * the low end of a register.
 */
static bool regs_rewrite(struct kpt_filter_pred *pred, const struct copies *all)
{
	unsigned int high = 8 * pred->base + 64 - pred->shift, low;
	const struct kpt_fetch_copy *c;

	/* A constant. */
	if (!pred->mask)
		return true;
	low = high - 64 + __builtin_ctzll(pred->mask);
	c = regs_find(all, low, high);
	if (!c)
		return false;
	pred->base = (u16)(c->reg * sizeof(u64));
	pred->shift = (u8)(64 - (high - 8 * c->offset));
	return true;
}

/**
 * kpt_filter_on_registers() - rewrite a filter to be evaluated on registers
 * @filter: a compiled filter for records that @prog makes
 * @prog: a program
 *
 * On success, kpt_filter_match_numbers() takes a struct user_pt_regs in place
 * of the record, with the same result as for the record made of these
 * registers.
 *
 * Context: any.
 * Return: true; false if the filter reads anything but numbers that are stored
 * from registers, and then @filter must not be used any more.
 */
bool kpt_filter_on_registers(struct kpt_filter *filter,
			     const struct kpt_fetch_prog *prog)
{
	struct kpt_filter_pred *pred;
	struct copies all;

	all.nr = kpt_fetch_find_copies(prog, all.copy, COPIES_MAX);
	for (pred = filter->pred; pred < filter->pred + filter->nr; pred++) {
		if (pred->kind != KPT_FILTER_NUMBER ||
		    !regs_rewrite(pred, &all))
			return false;
	}
	return true;
}
