// SPDX-License-Identifier: GPL-2.0-only
/* What programs copy from registers, for code that is made from them. For: recorder tracer. */
#include "lib/base/port.h"
#include "lib/fetch/fetch_internal.h"

/* Does it change what another step has stored? */
static bool is_change(const struct kpt_fetch_step *s)
{
	return s->op == KPT_OP_BITS || s->op == KPT_OP_SIGNED_BITS || s->op == KPT_OP_SWAP;
}

/* Read a copy of a register at @s. Returns the step behind it, NULL if there is none. */
static const struct kpt_fetch_step *read_copy(const struct kpt_fetch_step *s,
					      struct kpt_fetch_copy *copy)
{
	copy->reg = s->a;
	copy->size = sizeof(u64);
	if (s->op == KPT_OP_REG && s[1].op == KPT_OP_STORE)
		copy->size = (++s)->a;
	else if (s->op != KPT_OP_REG64)
		return NULL;
	copy->offset = s->b;
	return is_change(s + 1) ? NULL : s + 1;
}

/**
 * kpt_fetch_copies() - read a program as a list of copies of registers
 * @prog: the program
 * @copy: result, written on success only up to the number returned
 * @max: number of elements at @copy
 *
 * Context: any.
 * Return: number of copies; -EOPNOTSUPP if the program does anything else or is never
 * run (kpt_probe_init_shaped()), -E2BIG if it has more than @max.
 */
int kpt_fetch_copies(const struct kpt_fetch_prog *prog,
		     struct kpt_fetch_copy *copy, unsigned int max)
{
	const struct kpt_fetch_step *s = prog->step;
	unsigned int nr;

	if (!prog->nr_steps)
		return -EOPNOTSUPP;
	for (nr = 0; s->op != KPT_OP_END; nr++) {
		if (nr == max)
			return -E2BIG;
		s = read_copy(s, &copy[nr]);
		if (!s)
			return -EOPNOTSUPP;
	}
	return nr;
}

/**
 * kpt_fetch_find_copies() - find the copies of registers that a program makes
 * @prog: the program, which may do other things, too
 * @copy: result, in the order of the record
 * @max: number of elements at @copy; more are left out
 *
 * Context: any.
 * Return: number of copies; 0 if the program is never run.
 */
unsigned int kpt_fetch_find_copies(const struct kpt_fetch_prog *prog,
				   struct kpt_fetch_copy *copy, unsigned int max)
{
	const struct kpt_fetch_step *s = prog->step, *next;
	unsigned int nr = 0;

	while (prog->nr_steps && s->op != KPT_OP_END && nr < max) {
		next = read_copy(s, &copy[nr]);
		nr += next != NULL;
		if (!next)
			next = s + 1;
		if (s->op == KPT_OP_LITERAL)
			next += kpt_literal_steps(s->c);
		s = next;
	}
	return nr;
}

/**
 * kpt_fetch_regs_read() - find the registers that a program reads
 * @prog: the program
 *
 * Context: any.
 * Return: a bit for each, of those below 32.
 */
u32 kpt_fetch_regs_read(const struct kpt_fetch_prog *prog)
{
	const struct kpt_fetch_step *s = prog->step;
	u32 read = 0;

	while (prog->nr_steps && s->op != KPT_OP_END) {
		if ((s->op == KPT_OP_REG || s->op == KPT_OP_REG64 || s->op == KPT_OP_LOAD) &&
		    s->a < 32)
			read |= 1U << s->a;
		s += 1 + (s->op == KPT_OP_LITERAL ? kpt_literal_steps(s->c) : 0);
	}
	return read;
}

/**
 * kpt_fetch_first() - find where in the record the first argument is
 * @prog: the program
 *
 * Context: any.
 * Return: bytes from the record to what the program stores; all is behind it.
 */
unsigned int kpt_fetch_first(const struct kpt_fetch_prog *prog)
{
	const struct kpt_fetch_step *s = prog->step;
	unsigned int first = prog->size;

	while (prog->nr_steps && s->op != KPT_OP_END) {
		if (s->op >= KPT_OP_STORE || s->op == KPT_OP_REG64 || s->op == KPT_OP_LOAD)
			first = min(first, (unsigned int)s->b);
		s += 1 + (s->op == KPT_OP_LITERAL ? kpt_literal_steps(s->c) : 0);
	}
	return first;
}

/* The tracer function_graph makes its records itself. It keeps calls. */
const struct kpt_fetch_prog kpt_fetch_graph = {
	.size = sizeof(struct kpt_record_graph_exit),
	.needs_elapsed = true,
	.nr_steps = 1,
	.step = { { .op = KPT_OP_END } },
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
		{ .op = KPT_OP_END },
	},
};

#define CALL_ARG(n)								\
	{ KPT_OP_REG64, .a = n,							\
	  .b = sizeof(struct kpt_record_function) + n * sizeof(u64) }

/* The same with the registers of arguments, for its option func-args. */
const struct kpt_fetch_prog kpt_fetch_call = {
	.size = sizeof(struct kpt_record_function) + KPT_RECORD_ARGS * sizeof(u64),
	.only_registers = true,
	.nr_steps = 2 + KPT_RECORD_ARGS,
	.dynamic_step = 1 + KPT_RECORD_ARGS,
	.step = {
		{ KPT_OP_REG64, .a = 30,
		  .b = offsetof(struct kpt_record_function, parent_ip) },
		CALL_ARG(0), CALL_ARG(1), CALL_ARG(2), CALL_ARG(3),
		CALL_ARG(4), CALL_ARG(5), CALL_ARG(6), CALL_ARG(7),
		{ .op = KPT_OP_END },
	},
};
