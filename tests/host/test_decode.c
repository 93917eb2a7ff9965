// SPDX-License-Identifier: GPL-2.0-only
/* The decode table is well formed, the search agrees with it, and it is right. */
#include "harness.h"
#include "insn/insn.h"
#include "table_check.h"

TEST(table_is_well_formed)
{
	struct table_result res = table_check(kpt_insn_rows, kpt_insn_nr_rows);

	EXPECT_EQ(res.fault, TABLE_GOOD);
	if (res.fault)
		fprintf(stderr, "row %u (%s), other %u (%s), word %08x\n",
			res.row, kpt_insn_rows[res.row].name, res.other,
			kpt_insn_rows[res.other].name, res.word);
}

#define BAD_ROW(m, v) { .mask = (m), .value = (v), .skip = 1,                  \
	.verdict = KPT_INSN_STEP, .name = "row", .feat = "BASE" }
#define BAD_HOLE(m, v) { .mask = (m), .value = (v), .skip = 1,                 \
	.verdict = KPT_INSN_REFUSE, .arg = KPT_INSN_REASON_UNALLOCATED,        \
	.name = "hole", .feat = "BASE" }
#define BAD_GROUP(m, v, n) { .mask = (m), .value = (v), .skip = (n),           \
	.kind = KPT_ROW_GROUP, .name = "group" }
#define BAD_END { .skip = 1, .kind = KPT_ROW_END,                              \
	.verdict = KPT_INSN_REFUSE, .arg = KPT_INSN_REASON_UNALLOCATED,        \
	.name = "end", .feat = "BASE" }

/* Tables with one fault each, and two correct ones. */
#define WHOLE BAD_GROUP(0, 0, 4)
static const struct {
	enum table_fault fault;
	unsigned int row;
	struct kpt_insn_row rows[4];
} bad_tables[] = {
	{ TABLE_GOOD, 4, {
		WHOLE, BAD_ROW(3, 1), BAD_ROW(1, 1), BAD_END } },
	{ TABLE_VALUE, 1, {
		WHOLE, BAD_ROW(1, 3), BAD_ROW(1, 0), BAD_END } },
	{ TABLE_SHADOWED, 2, {
		WHOLE, BAD_ROW(1, 1), BAD_ROW(3, 1), BAD_END } },
	{ TABLE_SHADOWED, 2, {
		WHOLE, BAD_ROW(1, 1), BAD_ROW(1, 1), BAD_END } },
	{ TABLE_OVERLAP, 2, {
		WHOLE, BAD_ROW(1, 1), BAD_ROW(2, 2), BAD_END } },
	{ TABLE_GOOD, 4, {
		WHOLE, BAD_HOLE(1, 1), BAD_ROW(2, 2), BAD_END } },
	{ TABLE_OVERLAP, 2, {
		WHOLE, BAD_ROW(1, 1), BAD_HOLE(2, 2), BAD_END } },
	{ TABLE_OUTSIDE, 1, {
		BAD_GROUP(1, 1, 4), BAD_ROW(3, 2), BAD_ROW(3, 3), BAD_END } },
	{ TABLE_OUTSIDE, 2, {
		BAD_GROUP(1, 1, 4), BAD_ROW(3, 3), BAD_ROW(2, 0), BAD_END } },
	{ TABLE_SKIP, 0, {
		BAD_GROUP(0, 0, 3), BAD_ROW(1, 0), BAD_ROW(1, 1), BAD_END } },
	{ TABLE_SKIP, 0, {
		WHOLE, BAD_ROW(3, 0), BAD_ROW(3, 1), BAD_ROW(3, 2) } },
	{ TABLE_SKIP, 2, {
		BAD_GROUP(0, 0, 3), BAD_ROW(1, 0), { .skip = 2, .feat = "BASE",
		.kind = KPT_ROW_END, .name = "end" }, BAD_END } },
	{ TABLE_SKIP, 3, {
		BAD_GROUP(0, 0, 3), BAD_ROW(1, 0), BAD_END, BAD_END } },
	{ TABLE_UNDECIDED, 4, {
		BAD_GROUP(3, 1, 4), BAD_ROW(7, 1), BAD_ROW(7, 5), BAD_END } },
	{ TABLE_VERDICT, 1, { WHOLE, { .mask = 1, .skip = 1, .name = "row",
		.feat = "BASE", .verdict = KPT_INSN_REFUSE },
		BAD_ROW(1, 1), BAD_END } },
	{ TABLE_VERDICT, 1, { WHOLE, { .mask = 1, .skip = 1, .name = "row",
		.feat = "BASE", .verdict = KPT_INSN_SIMULATE,
		.arg = KPT_NR_SIMS }, BAD_ROW(1, 1), BAD_END } },
	{ TABLE_PC, 2, { WHOLE, BAD_ROW(1, 1), { .mask = 1, .skip = 1,
		.name = "row", .feat = "BASE", .verdict = KPT_INSN_STEP,
		.flags = KPT_INSN_PC }, BAD_END } },
	{ TABLE_UNNAMED, 1, { WHOLE, { .mask = 1, .skip = 1, .feat = "BASE",
		.verdict = KPT_INSN_STEP }, BAD_ROW(1, 1), BAD_END } },
};

TEST(checker_finds_bad_tables)
{
	struct table_result res;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad_tables); i++) {
		res = table_check(bad_tables[i].rows, 4);
		EXPECT_EQ(res.fault, bad_tables[i].fault);
		EXPECT_EQ(res.row, bad_tables[i].row);
		if (res.fault != bad_tables[i].fault ||
		    res.row != bad_tables[i].row)
			fprintf(stderr, "in bad table %zu\n", i);
	}
}

/* A row that no single earlier row shadows, but three do together. */
TEST(checker_finds_rows_covered_together)
{
	const struct kpt_insn_row rows[] = {
		BAD_GROUP(0, 0, 6), BAD_ROW(3, 0), BAD_ROW(3, 1),
		BAD_ROW(2, 2), BAD_ROW(0, 0), BAD_END,
	};
	const struct kpt_insn_row alive[] = {
		BAD_GROUP(0, 0, 6), BAD_ROW(3, 0), BAD_ROW(3, 1),
		BAD_ROW(6, 2), BAD_ROW(0, 0), BAD_END,
	};
	struct table_result res = table_check(rows, ARRAY_SIZE(rows));

	EXPECT_EQ(res.fault, TABLE_DEAD);
	EXPECT_EQ(res.row, 4);
	res = table_check(alive, ARRAY_SIZE(alive));
	EXPECT_EQ(res.fault, TABLE_GOOD);
}

TEST(checker_finds_overlapping_groups)
{
	const struct kpt_insn_row rows[] = {
		BAD_GROUP(3, 1, 2), BAD_END, BAD_GROUP(1, 1, 2), BAD_END,
		BAD_GROUP(1, 0, 2), BAD_END,
	};
	struct table_result res = table_check(rows, ARRAY_SIZE(rows));

	EXPECT_EQ(res.fault, TABLE_OVERLAP);
	EXPECT_EQ(res.row, 2);
}

/* The decoder without its shortcut into the table. */
static unsigned int slow_row(u32 word)
{
	const struct kpt_insn_row *row;
	unsigned int i = 0;

	while (i < kpt_insn_nr_rows) {
		row = &kpt_insn_rows[i];
		if ((word & row->mask) != row->value)
			i += row->skip;
		else if (row->kind == KPT_ROW_GROUP)
			i++;
		else
			break;
	}
	return i;
}

TEST(search_starts_in_the_right_place)
{
	struct kpt_insn insn;
	unsigned int i;
	u32 word;

	for (i = 0; i < 4000000; i++) {
		word = (u32)(test_random() >> 32);
		kpt_insn_decode(word, &insn);
		EXPECT_EQ(insn.row, slow_row(word));
	}
}

/* Every row can be reached, and gives the verdict, flags and name it says. */
TEST(rows_are_what_decode_returns)
{
	const struct kpt_insn_row *row;
	unsigned int i, tries, hits;
	struct kpt_insn insn;

	for (i = 0; i < kpt_insn_nr_rows; i++) {
		row = &kpt_insn_rows[i];
		if (row->kind != KPT_ROW_INSN)
			continue;
		for (tries = hits = 0; tries < 20000 && hits < 20; tries++) {
			kpt_insn_decode(((u32)(test_random() >> 32) &
					 ~row->mask) | row->value, &insn);
			if (insn.row != i)
				continue;
			hits++;
			EXPECT_EQ(insn.verdict, row->verdict);
			EXPECT_EQ(insn.flags, row->flags);
			EXPECT_EQ(insn.bti, KPT_INSN_BTI_NONE);
			EXPECT_STR(kpt_insn_name(&insn), row->name);
			if (row->verdict == KPT_INSN_REFUSE)
				EXPECT_EQ(insn.reason, row->arg);
			else
				EXPECT_EQ(insn.reason, KPT_INSN_REASON_NONE);
		}
		EXPECT(hits);
	}
}

TEST(reasons_have_names_and_texts)
{
	unsigned int i, j;

	for (i = 0; i < KPT_INSN_NR_REASONS; i++) {
		EXPECT(strlen(kpt_insn_reason_text(i)) > 10);
		EXPECT(!strchr(kpt_insn_reason_name(i), ' '));
		for (j = 0; j < i; j++)
			EXPECT(strcmp(kpt_insn_reason_name(i),
				      kpt_insn_reason_name(j)));
	}
	EXPECT_STR(kpt_insn_reason_name(KPT_INSN_REASON_EXCLUSIVE_SEQ),
		   "exclusive-sequence");
	EXPECT_STR(kpt_insn_reason_text(KPT_INSN_NR_REASONS), "?");
	EXPECT_STR(kpt_insn_reason_name(KPT_INSN_NR_REASONS), "?");
	EXPECT_STR(kpt_insn_reason_name(KPT_INSN_NR_REASONS), "?");
}

/* Each kind of instruction once, as an assembler encodes it. */
#define REFUSE(why) KPT_INSN_REFUSE, KPT_INSN_REASON_##why
#define SIMULATE KPT_INSN_SIMULATE, KPT_INSN_REASON_NONE
#define STEP KPT_INSN_STEP, KPT_INSN_REASON_NONE
static const struct {
	u32 word;
	enum kpt_insn_verdict verdict;
	enum kpt_insn_reason reason;
	u32 flags;
	const char *name;
} known[] = {
#include "decode_known.h"
};

TEST(known_instructions)
{
	struct kpt_insn insn;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		kpt_insn_decode(known[i].word, &insn);
		EXPECT_EQ(insn.verdict, known[i].verdict);
		EXPECT_EQ(insn.reason, known[i].reason);
		EXPECT_EQ(insn.flags, known[i].flags);
		EXPECT_STR(kpt_insn_name(&insn), known[i].name);
		EXPECT_EQ(insn.word, known[i].word);
	}
}

TEST(every_reason_but_those_of_context_has_an_instruction)
{
	bool seen[KPT_INSN_NR_REASONS] = { false };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		seen[known[i].reason] = true;
	seen[KPT_INSN_REASON_EXCLUSIVE_SEQ] = true;
	seen[KPT_INSN_REASON_EXCLUSIVE_WAIT] = true;
	seen[KPT_INSN_REASON_EXCLUSIVE_DEEP] = true;
	seen[KPT_INSN_REASON_PAUTH_SEQ] = true;
	for (i = 0; i < KPT_INSN_NR_REASONS; i++)
		EXPECT(seen[i]);
}

/* exclusive.c looks for them by these bits before it decodes. */
TEST(exclusives_are_in_one_place)
{
	const struct kpt_insn_row *row;

	for (row = kpt_insn_rows; row < kpt_insn_rows + kpt_insn_nr_rows; row++) {
		if (!(row->flags & (KPT_INSN_LDX | KPT_INSN_STX)))
			continue;
		EXPECT_EQ(row->mask & 0x3e000000, 0x3e000000);
		EXPECT_EQ(row->value & 0x3e000000, 0x08000000);
	}
}

TEST(fall_through)
{
	static const struct {
		u32 word;
		bool falls;
	} cases[] = {
		{ 0xd503201f, true },	/* nop */
		{ 0x14000001, false },	/* b */
		{ 0x94000001, true },	/* bl */
		{ 0xd63f0000, true },	/* blr x0 */
		{ 0xd61f0000, false },	/* br x0 */
		{ 0xd65f03c0, false },	/* ret */
		{ 0xd65f0bff, false },	/* retaa */
		{ 0x54000020, true },	/* b.eq */
		{ 0x34000020, true },	/* cbz */
		{ 0x37000020, true },	/* tbnz */
		{ 0xd69f03e0, false },	/* eret */
		{ 0x00000000, false },	/* udf #0 */
		{ 0xd4200000, true },	/* brk #0 */
		{ 0x10000000, true },	/* adr */
	};
	struct kpt_insn insn;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		kpt_insn_decode(cases[i].word, &insn);
		EXPECT_EQ(kpt_insn_falls_through(&insn), cases[i].falls);
	}
}

TEST_MAIN
