// SPDX-License-Identifier: GPL-2.0-only
/* Filters that can be asked before there is a record. */
#include <kptrace/port.h>
#include "lib/fetch.h"
#include "lib/filter.h"

/* The step that stores the bits from @low to below @high of a record. */
static const struct kpt_fetch_step *step_of(const struct kpt_fetch_prog *prog,
					    unsigned int low, unsigned int high)
{
	const struct kpt_fetch_step *s, *found = NULL;

	for (s = prog->step; s->op == KPT_FETCH_REG64; s++)
		if (8 * s->b <= low)
			found = s;
	return found && high <= 8 * found->b + 64 ? found : NULL;
}

/* The field is the low end of a register, as it is the low end of a step. */
static bool take_register(struct kpt_filter_pred *pred,
			  const struct kpt_fetch_prog *prog)
{
	unsigned int high = 8 * pred->base + 64 - pred->shift, low;
	const struct kpt_fetch_step *s;

	/* A constant. */
	if (!pred->mask)
		return true;
	low = high - 64 + __builtin_ctzll(pred->mask);
	s = step_of(prog, low, high);
	if (!s)
		return false;
	pred->base = (u16)(s->a * sizeof(u64));
	pred->shift = (u8)(64 - (high - 8 * s->b));
	return true;
}

/**
 * kpt_filter_on_registers() - make a filter one that is asked of registers
 * @filter: a compiled filter, of records that @prog makes
 * @prog: a program
 *
 * On success kpt_filter_match_numbers() takes a struct user_pt_regs for the
 * record, and answers as it would for the record made of these registers.
 *
 * Context: any.
 * Return: true; false if it reads anything but numbers that are registers, and
 * then @filter is of no use any more.
 */
bool kpt_filter_on_registers(struct kpt_filter *filter,
			     const struct kpt_fetch_prog *prog)
{
	struct kpt_filter_pred *pred;

	if (!prog->only_registers)
		return false;
	for (pred = filter->pred; pred < filter->pred + filter->nr; pred++) {
		if (pred->kind != KPT_FILTER_NUMBER ||
		    !take_register(pred, prog))
			return false;
	}
	return true;
}
