// SPDX-License-Identifier: GPL-2.0-only
/* Programs that only copy registers, for code that is made from them. */
#include <kptrace/port.h>
#include "lib/fetch_internal.h"

/**
 * kpt_fetch_copies() - read a program as a list of copies of registers
 * @prog: the program
 * @copy: result, written on success only up to the number returned
 * @max: number of elements at @copy
 *
 * Context: any.
 * Return: number of copies; -EOPNOTSUPP if the program does anything else, -E2BIG if it
 * has more than @max.
 */
int kpt_fetch_copies(const struct kpt_fetch_prog *prog,
		     struct kpt_fetch_copy *copy, unsigned int max)
{
	const struct kpt_fetch_step *s = prog->step;
	unsigned int nr;

	for (nr = 0; s->op != KPT_OP_END; nr++) {
		if (nr == max)
			return -E2BIG;
		copy[nr].reg = s->a;
		copy[nr].size = sizeof(u64);
		if (s->op == KPT_OP_REG && s[1].op == KPT_OP_STORE)
			copy[nr].size = (++s)->a;
		else if (s->op != KPT_OP_REG64)
			return -EOPNOTSUPP;
		copy[nr].offset = s->b;
		s++;
	}
	return nr;
}

/* The tracer function_graph makes its records itself. It keeps calls. */
const struct kpt_fetch_prog kpt_fetch_graph = {
	.size = sizeof(struct kpt_record_graph_exit),
	.needs_elapsed = true,
	.nr_steps = 1,
	.step = { { KPT_OP_END } },
};

/* What the tracer function records: x30, behind the head of a hit. */
const struct kpt_fetch_prog kpt_fetch_parent = {
	.size = sizeof(struct kpt_record_function),
	.only_registers = true,
	.nr_steps = 2,
	.dynamic_step = 1,
	.step = {
		{ KPT_OP_REG64, .a = 30,
		  .b = offsetof(struct kpt_record_function, parent_ip) },
		{ KPT_OP_END },
	},
};
