// SPDX-License-Identifier: GPL-2.0-only
/*
 * Places of arguments and results by the procedure call standard (AAPCS64,
 * "Parameter passing"). The kernel is compiled for that standard. If the compiler
 * changes the parameters of a function, it also changes its name (f.isra.0), and
 * BTF does not have that name.
 */
#include "lib/base/port.h"
#include "parts/btf/aapcs.h"

#define PART_INT128	1
#define PART_FLOAT	2
/* The type has too many parts to check all of them. */
#define PART_MANY	4

/* Find the parts of a type with special rules: PART_*. @left bounds the search. */
static unsigned int aapcs_parts(const struct kpt_btf *btf, u32 id,
				unsigned int depth, unsigned int *left)
{
	const struct kpt_btf_type *t = kpt_btf_resolve(btf, id);
	unsigned int parts = 0;
	u32 i;

	if (!depth || !*left)
		return PART_MANY;
	--*left;
	switch (kpt_btf_kind(t)) {
	case KPT_BTF_INT:
		return t->type == 16 ? PART_INT128 : 0;
	case KPT_BTF_FLOAT:
		return PART_FLOAT;
	case KPT_BTF_ARRAY:
		return aapcs_parts(btf, t->more[0], depth - 1, left);
	case KPT_BTF_STRUCT:
	case KPT_BTF_UNION:
		for (i = 0; i < kpt_btf_nr(t) && !(parts & PART_MANY); i++)
			parts |= aapcs_parts(btf, t->more[3 * i + 1], depth - 1,
					     left);
		return parts;
	default:
		return 0;
	}
}

/* Take @nr words: all in registers, or all on the stack. */
static void aapcs_words(struct kpt_aapcs *a, u32 nr, bool even,
			struct kpt_passing *p)
{
	if (even)
		a->reg = round_up(a->reg, 2);
	if (a->reg + nr > KPT_AAPCS_REGS) {
		a->reg = KPT_AAPCS_REGS;
		if (even)
			a->word = round_up(a->word, 2);
	}
	p->how = KPT_PASSED_WORDS;
	p->nr = nr;
	if (a->reg < KPT_AAPCS_REGS) {
		p->first = a->reg;
		a->reg += nr;
	} else {
		p->first = KPT_AAPCS_REGS + a->word;
		a->word += nr;
	}
}

static void aapcs_float(struct kpt_aapcs *a, struct kpt_passing *p)
{
	p->how = KPT_PASSED_FLOAT;
	p->nr = 1;
	if (a->fp_reg < KPT_AAPCS_REGS)
		p->first = a->fp_reg++;
	else
		p->first = KPT_AAPCS_REGS + a->word++;
}

/*
 * Up to four equal floats are passed like as many arguments: then the place is
 * reported as unknown.
 */
static void aapcs_struct(struct kpt_aapcs *a, const struct kpt_btf *btf, u32 id,
			 u32 size, struct kpt_passing *p)
{
	unsigned int left = 256, parts = 0;

	if (size <= 64)
		parts = aapcs_parts(btf, id, 8, &left);
	if (parts & (PART_FLOAT | PART_MANY)) {
		a->lost = true;
	} else if (size > 16 && a->is_result) {
		p->how = KPT_PASSED_X8;
	} else if (size > 16) {
		aapcs_words(a, 1, false, p);
		p->how = KPT_PASSED_POINTER;
	} else {
		aapcs_words(a, (size + 7) / 8, parts & PART_INT128, p);
	}
}

/**
 * kpt_aapcs_next() - find the place of the next argument, or of the result
 * @a: state, changed
 * @btf: the blob, checked
 * @id: type of the argument
 * @passing: its place
 *
 * Context: any; takes some hundred bytes of stack.
 */
void kpt_aapcs_next(struct kpt_aapcs *a, const struct kpt_btf *btf, u32 id,
		    struct kpt_passing *passing)
{
	const struct kpt_btf_type *t = kpt_btf_resolve(btf, id);

	*passing = (struct kpt_passing){ .how = KPT_PASSED_UNKNOWN };
	if (a->lost)
		return;
	switch (kpt_btf_kind(t)) {
	case KPT_BTF_INT:
		aapcs_words(a, t->type > 8 ? 2 : 1, t->type > 8, passing);
		break;
	case KPT_BTF_ENUM:
	case KPT_BTF_ENUM64:
	case KPT_BTF_PTR:
		aapcs_words(a, 1, false, passing);
		break;
	case KPT_BTF_STRUCT:
	case KPT_BTF_UNION:
		aapcs_struct(a, btf, id, t->type, passing);
		break;
	case KPT_BTF_FLOAT:
		if (t->type <= 8)
			aapcs_float(a, passing);
		else
			a->lost = true;
		break;
	default:
		a->lost = true;
	}
}

/**
 * kpt_aapcs_parameter() - find the place of a parameter of a prototype
 * @btf: the blob, checked
 * @proto: the prototype (KPT_BTF_FUNC_PROTO)
 * @n: number of the parameter, from 0; it exists
 * @passing: its place
 *
 * Context: any; takes some hundred bytes of stack.
 */
void kpt_aapcs_parameter(const struct kpt_btf *btf,
			 const struct kpt_btf_type *proto, u32 n,
			 struct kpt_passing *passing)
{
	struct kpt_aapcs a = { 0 };
	u32 i;

	for (i = 0; i <= n; i++)
		kpt_aapcs_next(&a, btf, proto->more[2 * i + 1], passing);
}
