// SPDX-License-Identifier: GPL-2.0-only
/* Filters that are evaluated on registers, before there is a record. */
#include <kptrace/port.h>
#include "lib/fetch.h"
#include "lib/filter.h"

/* The step that stores bits @low to @high - 1 of a record, or NULL. */
static const struct kpt_fetch_step *regs_find_step(const struct kpt_fetch_prog *prog,
						   unsigned int low, unsigned int high)
{
	const struct kpt_fetch_step *s, *found = NULL;

	for (s = prog->step; s->op == KPT_FETCH_REG64; s++)
		if (8 * s->b <= low)
			found = s;
	return found && high <= 8 * found->b + 64 ? found : NULL;
}

/*
 * Read the number of @pred from the register that is stored there. A field is
 * the low end of a step, and so of a register.
 */
static bool regs_rewrite(struct kpt_filter_pred *pred,
			 const struct kpt_fetch_prog *prog)
{
	unsigned int high = 8 * pred->base + 64 - pred->shift, low;
	const struct kpt_fetch_step *s;

	/* A constant. */
	if (!pred->mask)
		return true;
	low = high - 64 + __builtin_ctzll(pred->mask);
	s = regs_find_step(prog, low, high);
	if (!s)
		return false;
	pred->base = (u16)(s->a * sizeof(u64));
	pred->shift = (u8)(64 - (high - 8 * s->b));
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

	if (!prog->only_registers)
		return false;
	for (pred = filter->pred; pred < filter->pred + filter->nr; pred++) {
		if (pred->kind != KPT_FILTER_NUMBER ||
		    !regs_rewrite(pred, prog))
			return false;
	}
	return true;
}
