/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Proof that a decode table is well formed: groups close, rows lie inside their
 * group, no row is dead, rows overlap only as a special case (or a hole) that
 * comes before the general one, and every word is decided.
 *
 * A row is a cube in the space of words: some bits fixed, the others free. All
 * questions are answered exactly, by splitting cubes, not by trying words.
 */
#ifndef TABLE_CHECK_H
#define TABLE_CHECK_H

#include <stdio.h>
#include "insn/decoder.h"

/* Faults of a table. */
enum table_fault {
	TABLE_GOOD,
	TABLE_VALUE,		/* value has bits outside mask */
	TABLE_SKIP,		/* a skip does not lead past its row or group */
	TABLE_OUTSIDE,		/* row not inside its group */
	TABLE_SHADOWED,		/* row inside an earlier one */
	TABLE_OVERLAP,		/* rows cross each other */
	TABLE_DEAD,		/* row covered by several earlier ones together */
	TABLE_VERDICT,		/* verdict and argument do not fit */
	TABLE_PC,		/* needs its own address, but would be stepped */
	TABLE_UNNAMED,
	TABLE_UNDECIDED,	/* a word that belongs to no group */
};

/**
 * struct table_result - the first fault of a table
 * @fault: kind of the fault
 * @row: index of the row
 * @other: index of the earlier row it collides with, if any
 * @word: for TABLE_UNDECIDED, a word that shows it
 */
struct table_result {
	enum table_fault fault;
	unsigned int row;
	unsigned int other;
	u32 word;
};

struct cube {
	u32 mask;
	u32 value;
};

static struct cube row_cube(const struct kpt_insn_row *row)
{
	return (struct cube){ row->mask, row->value };
}

static bool cubes_meet(struct cube a, struct cube b)
{
	return !((a.value ^ b.value) & a.mask & b.mask);
}

static bool cube_within(struct cube in, struct cube out)
{
	return !(out.mask & ~in.mask) && cubes_meet(in, out);
}

/*
 * Find a word in @c that no cube of @by has. Bits of the first cube that meets
 * @c are decided one at a time: where one differs from it, that cube is out.
 */
static bool cube_witness(struct cube c, const struct cube *by, size_t nr,
			 u32 *word)
{
	struct cube split;
	u32 bits;

	while (nr && !cubes_meet(c, *by))
		by++, nr--;
	if (!nr) {
		*word = c.value;
		return true;
	}
	for (bits = by->mask & ~c.mask; bits; bits &= bits - 1) {
		split.mask = c.mask | (bits & -bits);
		split.value = c.value | (~by->value & bits & -bits);
		if (cube_witness(split, by + 1, nr - 1, word))
			return true;
		c.mask = split.mask;
		c.value |= by->value & bits & -bits;
	}
	return false;
}

static struct table_result table_fail(enum table_fault fault, unsigned int row,
				      unsigned int other)
{
	return (struct table_result){ .fault = fault, .row = row,
				      .other = other };
}

static bool verdict_fits(const struct kpt_insn_row *row)
{
	switch (row->verdict) {
	case KPT_INSN_REFUSE:
		return row->arg > KPT_INSN_REASON_NONE &&
			row->arg < KPT_INSN_NR_REASONS;
	case KPT_INSN_SIMULATE:
		return row->arg < KPT_NR_SIMS;
	case KPT_INSN_STEP:
		return !row->arg;
	default:
		return false;
	}
}

/* Check a row by itself. */
static enum table_fault check_row(const struct kpt_insn_row *row)
{
	if (row->value & ~row->mask)
		return TABLE_VALUE;
	if (!row->name || !*row->name)
		return TABLE_UNNAMED;
	if (row->kind == KPT_ROW_GROUP)
		return TABLE_GOOD;
	if (row->skip != 1)
		return TABLE_SKIP;
	if (!verdict_fits(row) || !row->feat)
		return TABLE_VERDICT;
	if (row->flags & KPT_INSN_PC && row->verdict == KPT_INSN_STEP)
		return TABLE_PC;
	return TABLE_GOOD;
}

/* May @later go on where @early, which meets it, has not matched? */
static bool may_overlap(const struct kpt_insn_row *early,
			const struct kpt_insn_row *later)
{
	if (early->kind != KPT_ROW_INSN || later->kind != KPT_ROW_INSN)
		return false;
	if (early->verdict == KPT_INSN_REFUSE &&
	    early->arg == KPT_INSN_REASON_UNALLOCATED)
		return true;
	return cube_within(row_cube(early), row_cube(later));
}

/* Check a row against the earlier rows of its group. */
static struct table_result check_pairs(const struct kpt_insn_row *rows,
				       const unsigned int *before, size_t nr,
				       unsigned int row)
{
	struct cube c = row_cube(&rows[row]), by[512], other;
	u32 word;
	size_t i;

	for (i = 0; i < nr; i++) {
		other = row_cube(&rows[before[i]]);
		by[i] = other;
		if (!cubes_meet(c, other))
			continue;
		if (cube_within(c, other))
			return table_fail(TABLE_SHADOWED, row, before[i]);
		if (!may_overlap(&rows[before[i]], &rows[row]))
			return table_fail(TABLE_OVERLAP, row, before[i]);
	}
	if (!cube_witness(c, by, nr, &word))
		return table_fail(TABLE_DEAD, row, row);
	return table_fail(TABLE_GOOD, row, row);
}

/*
 * The rows of a group, from index @i, inside cube @in. Ends at the group's END,
 * or at @end for the table itself; *@stop is set to that index.
 */
static struct table_result check_group(const struct kpt_insn_row *rows,
				       unsigned int i, unsigned int end,
				       struct cube in, unsigned int *stop)
{
	unsigned int before[512], close;
	struct table_result res;
	enum table_fault fault;
	size_t nr = 0;

	for (; i < end; i++) {
		fault = check_row(&rows[i]);
		if (fault)
			return table_fail(fault, i, i);
		if (rows[i].kind == KPT_ROW_END)
			break;
		if (!cube_within(row_cube(&rows[i]), in))
			return table_fail(TABLE_OUTSIDE, i, i);
		res = check_pairs(rows, before, nr, i);
		if (res.fault)
			return res;
		before[nr++] = i;
		if (rows[i].kind != KPT_ROW_GROUP)
			continue;
		res = check_group(rows, i + 1, end, row_cube(&rows[i]), &close);
		if (res.fault)
			return res;
		if (close == end || rows[i].skip != close + 1 - i)
			return table_fail(TABLE_SKIP, i, i);
		i = close;
	}
	*stop = i;
	return table_fail(TABLE_GOOD, i, i);
}

static struct table_result table_check(const struct kpt_insn_row *rows,
				       unsigned int nr)
{
	struct cube all = { 0, 0 }, by[512];
	struct table_result res;
	unsigned int stop, i;
	size_t groups = 0;

	res = check_group(rows, 0, nr, all, &stop);
	if (res.fault)
		return res;
	if (stop != nr)
		return table_fail(TABLE_SKIP, stop, stop);
	for (i = 0; i < nr; i += rows[i].skip)
		by[groups++] = row_cube(&rows[i]);
	if (cube_witness(all, by, groups, &res.word))
		res.fault = TABLE_UNDECIDED;
	return res;
}

#endif
