/* SPDX-License-Identifier: GPL-2.0-only */
/* What must hold of what kpt_fetch_compile() left in @out, @def and @diag. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "lib/fetch/fetch_internal.h"
#include "fetch_world.h"
#include "input.h"

/* What a record holds before a program runs. */
#define FILL 0xa5

static inline void check_refusal(void)
{
	MUST(diag.code != KPT_E_NONE);
	MUST(diag.column >= 4 && diag.column <= strlen(def.text));
}

/* Every step works on a field, all of them on its bytes alone. */
static inline void check_program(void)
{
	const struct kpt_fetch_prog *prog = &out.prog;
	const struct kpt_fetch_step *s;
	unsigned int i;
	size_t bytes;

	MUST(prog->nr_steps <= KPT_FETCH_ROOM);
	MUST(prog->dynamic_step < prog->nr_steps);
	MUST(prog->size == out.fields.size);
	MUST((prog->room || prog->has_strings) ==
	     (prog->dynamic_step + 1 < prog->nr_steps));
	for (i = 0; i < prog->nr_steps; i++) {
		s = &out.step_room[i];
		MUST(s->op <= KPT_OP_LITERAL);
		MUST((s->op == KPT_OP_END) == (i + 1 == prog->nr_steps));
		if (s->op == KPT_OP_REG64)
			bytes = 8;
		else if (s->op == KPT_OP_LOAD)
			bytes = s->c;
		else if (s->op < KPT_OP_STORE)
			continue;
		else if (s->op <= KPT_OP_SWAP)
			bytes = s->a * s->c;
		else
			bytes = s->op == KPT_OP_STRINGS ? 4 * s->c : 4;
		MUST(s->b >= out.fields.head->size && s->b + bytes <= prog->size);
		if (s->op == KPT_OP_LITERAL)
			i += kpt_literal_steps(s->c);
	}
}

static inline void check_data(const u8 *record, size_t size)
{
	unsigned int i, j;
	u32 loc, at, len;

	for (i = 0; i < out.fields.nr; i++) {
		const struct kpt_field *f = &out.field_room[i];

		if (!kpt_type_info[f->type].is_dynamic)
			continue;
		for (j = 0; j < max(f->count, 1); j++) {
			memcpy(&loc, record + f->offset + 4 * j, 4);
			at = kpt_data_loc_offset(loc);
			len = kpt_data_loc_len(loc);
			MUST(!len || (at >= out.prog.size && at + len <= size));
			MUST(!len || !record[at + len - 1]);
		}
	}
}

/* Nothing of the head is written, and strings are inside of the record. */
static inline void check_record(const u8 *record, size_t size)
{
	unsigned int i;

	for (i = 0; i < out.fields.head->size; i++)
		MUST(record[i] == FILL);
	check_data(record, size);
}

#endif
