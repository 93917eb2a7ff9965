// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a probe would break an exclusive sequence. Each text is a function as an
 * assembler lays it out; a second string marks which instructions may be probed.
 */
#include "harness.h"
#include "insn/insn.h"

#define NOP 0xd503201fu
#define ADD 0x91000400u		/* add x0, x0, #1 */
#define LDXR 0xc85f7c20u	/* ldxr x0, [x1] */
#define STXR 0xc8027c20u	/* stxr w2, x0, [x1] */
#define CLREX 0xd5033f5fu
#define SEVL 0xd50320bfu
#define WFE 0xd503205fu
#define WFET 0xd5031000u
#define PACM 0xd50324ffu
#define RET 0xd65f03c0u
#define BR 0xd61f0000u
#define B(n) (0x14000000u | ((u32)(n) & 0x3ffffff))
#define BL(n) (0x94000000u | ((u32)(n) & 0x3ffffff))
#define CBNZ(n) (0x35000002u | ((u32)(n) & 0x7ffff) << 5)
#define B_NE(n) (0x54000001u | ((u32)(n) & 0x7ffff) << 5)
#define TBZ(n) (0x36000002u | ((u32)(n) & 0x3fff) << 5)
#define CBGT(n) (0xf4010000u | ((u32)(n) & 0x1ff) << 5)

/*
 * @marks has a character for each word: '.' may be probed, '!' is inside a
 * sequence, 'x' is the load or store itself (the search calls these unsafe or
 * not as it finds them; the decoder refuses them in any case).
 */
static void check(const u32 *text, size_t nr, const char *marks, size_t load)
{
	enum kpt_insn_reason reason;
	size_t at, culprit;

	EXPECT_EQ(strlen(marks), nr);
	for (at = 0; at < nr; at++) {
		if (marks[at] == 'x')
			continue;
		culprit = ~0UL;
		reason = kpt_insn_context(text, nr, at, &culprit);
		EXPECT_EQ(reason, marks[at] == '!' ?
			  KPT_INSN_REASON_EXCLUSIVE_SEQ : KPT_INSN_REASON_NONE);
		EXPECT_EQ(culprit, marks[at] == '!' ? load : ~0UL);
		if (reason != (marks[at] == '!' ? KPT_INSN_REASON_EXCLUSIVE_SEQ
			       : KPT_INSN_REASON_NONE))
			fprintf(stderr, "at %zu of %s\n", at, marks);
	}
}

#define CHECK(text, marks, load) check(text, ARRAY_SIZE(text), marks, load)

TEST(loop_that_adds)
{
	static const u32 text[] = {
		NOP, LDXR, ADD, STXR, CBNZ(-3), NOP, RET,
	};

	CHECK(text, ".x!x...", 1);
}

/* The path of a failing compare never reaches the store. */
TEST(compare_and_exchange)
{
	static const u32 text[] = {
		LDXR, ADD, B_NE(4), ADD, STXR, CBNZ(-5), NOP, RET,
	};

	CHECK(text, "x!!!x...", 0);
}

/* The store is behind a branch: mainline, which only looks at words above, misses it. */
TEST(store_out_of_line)
{
	static const u32 text[] = {
		LDXR, CBGT(5), RET, NOP, NOP, NOP,
		ADD, B(2), NOP, STXR, CBNZ(-10), RET,
	};

	CHECK(text, "x!....!!.x..", 0);
}

/* A load is above, but no path leads from it: mainline refuses this for no reason. */
TEST(load_above_but_elsewhere)
{
	static const u32 text[] = {
		LDXR, B(3), ADD, ADD, STXR, RET,
	};

	CHECK(text, "x!..x.", 0);
}

TEST(load_below)
{
	static const u32 text[] = {
		B(4), ADD, STXR, RET, LDXR, B(-4), RET,
	};

	CHECK(text, ".!x.x!.", 4);
}

TEST(load_without_store)
{
	/* cmpwait: load-exclusive, compare, wfe */
	static const u32 text[] = { LDXR, ADD, CBNZ(2), NOP, RET };

	CHECK(text, "x....", 0);
}

/* The kernel's __cmpwait(): 'w' must not be probed, the WFE itself may be. */
TEST(load_and_wait)
{
	static const u32 waits[] = { WFE, WFET };
	static const char marks[] = "...xww...";
	u32 text[] = { NOP, SEVL, WFE, LDXR, ADD, CBNZ(2), WFE, NOP, RET };
	enum kpt_insn_reason reason;
	size_t at, culprit, i;

	for (i = 0; i < ARRAY_SIZE(waits); i++) {
		text[6] = waits[i];
		for (at = 0; at < ARRAY_SIZE(text); at++) {
			if (marks[at] == 'x')
				continue;
			reason = kpt_insn_context(text, ARRAY_SIZE(text), at,
						  &culprit);
			EXPECT_EQ(reason, marks[at] == 'w' ?
				  KPT_INSN_REASON_EXCLUSIVE_WAIT :
				  KPT_INSN_REASON_NONE);
			if (marks[at] == 'w')
				EXPECT_EQ(culprit, 3);
		}
	}
}

TEST(store_without_load)
{
	static const u32 text[] = { ADD, NOP, STXR, RET };

	CHECK(text, "..x.", 0);
}

TEST(clrex_ends_a_sequence)
{
	static const u32 text[] = { LDXR, ADD, CLREX, ADD, STXR, RET };

	CHECK(text, "x...x.", 0);
}

TEST(second_load_begins_anew)
{
	static const u32 text[] = { LDXR, ADD, LDXR, ADD, STXR, RET };

	CHECK(text, "x.x!x.", 2);
}

TEST(branches_that_leave)
{
	static const u32 ret[] = { LDXR, RET, STXR };
	static const u32 br[] = { LDXR, ADD, BR, STXR };
	static const u32 out[] = { LDXR, ADD, B(1000), STXR };
	static const u32 back[] = { LDXR, ADD, B(-1000), STXR };
	static const u32 end[] = { LDXR, ADD };

	CHECK(ret, "x.x", 0);
	CHECK(br, "x..x", 0);
	CHECK(out, "x..x", 0);
	CHECK(back, "x..x", 0);
	CHECK(end, "x.", 0);
}

TEST(calls_come_back)
{
	static const u32 text[] = { LDXR, BL(1000), ADD, STXR, RET };

	CHECK(text, "x!!x.", 0);
}

/* Up to 32 instructions on either side count, the 33rd does not. */
TEST(long_sequences)
{
	u32 text[128];
	size_t i, culprit;

	for (i = 0; i < ARRAY_SIZE(text); i++)
		text[i] = NOP;
	text[0] = LDXR;
	text[33] = STXR;
	EXPECT_EQ(kpt_insn_context(text, 128, 1, &culprit),
		  KPT_INSN_REASON_NONE);
	EXPECT_EQ(kpt_insn_context(text, 128, 2, &culprit),
		  KPT_INSN_REASON_EXCLUSIVE_SEQ);
	EXPECT_EQ(kpt_insn_context(text, 128, 32, &culprit),
		  KPT_INSN_REASON_EXCLUSIVE_SEQ);
	text[34] = STXR;
	text[33] = NOP;
	EXPECT_EQ(kpt_insn_context(text, 128, 32, &culprit),
		  KPT_INSN_REASON_EXCLUSIVE_SEQ);
	EXPECT_EQ(kpt_insn_context(text, 128, 33, &culprit),
		  KPT_INSN_REASON_NONE);
}

/*
 * A tree of branches with more ends than the search can remember: with a load before
 * it the answer is "unclear", without a load the place is accepted.
 */
TEST(too_many_branches)
{
	enum { N = 3000 };
	static u32 text[N];
	size_t i, culprit = 0;

	for (i = 0; i < N; i++)
		text[i] = CBNZ(i % 2 ? 61 : 7);
	EXPECT_EQ(kpt_insn_context(text, N, 10, &culprit),
		  KPT_INSN_REASON_NONE);
	text[3] = LDXR;
	EXPECT_EQ(kpt_insn_context(text, N, 10, &culprit),
		  KPT_INSN_REASON_EXCLUSIVE_DEEP);
	EXPECT_EQ(culprit, 3);
	/* A near store is found before the search runs out of room. */
	text[11] = STXR;
	EXPECT_EQ(kpt_insn_context(text, N, 10, &culprit),
		  KPT_INSN_REASON_EXCLUSIVE_SEQ);
	EXPECT_EQ(culprit, 3);
}

/* Only words near the probe are examined, and indices are those of the text. */
TEST(huge_function)
{
	enum { N = 200000 };
	size_t i, culprit = 0;
	u32 *text;

	text = malloc(N * sizeof(*text));
	for (i = 0; i < N; i++)
		text[i] = NOP;
	text[150000] = LDXR;
	text[150002] = STXR;
	EXPECT_EQ(kpt_insn_context(text, N, 150001, &culprit),
		  KPT_INSN_REASON_EXCLUSIVE_SEQ);
	EXPECT_EQ(culprit, 150000);
	EXPECT_EQ(kpt_insn_context(text, N, N - 1, &culprit),
		  KPT_INSN_REASON_NONE);
	EXPECT_EQ(kpt_insn_context(text, N, 0, &culprit),
		  KPT_INSN_REASON_NONE);
	free(text);
}

TEST(after_pacm)
{
	static const u32 text[] = { PACM, 0xd503233f, NOP };
	size_t culprit = ~0UL;

	EXPECT_EQ(kpt_insn_context(text, 3, 1, &culprit),
		  KPT_INSN_REASON_PAUTH_SEQ);
	EXPECT_EQ(culprit, 0);
	EXPECT_EQ(kpt_insn_context(text, 3, 0, &culprit),
		  KPT_INSN_REASON_NONE);
	EXPECT_EQ(kpt_insn_context(text, 3, 2, &culprit),
		  KPT_INSN_REASON_NONE);
}

/* The possible successors of a word of the random texts. */
static size_t successors(const u32 *text, size_t nr, size_t at, size_t next[2])
{
	struct kpt_insn insn;
	size_t n = 0;
	s64 to;

	kpt_insn_decode(text[at], &insn);
	if (kpt_insn_falls_through(&insn) && at + 1 < nr)
		next[n++] = at + 1;
	to = (s64)kpt_insn_target(&insn, 0) / 4 + (s64)at;
	if (insn.flags & KPT_INSN_BRANCH && !(insn.flags & KPT_INSN_CALL) &&
	    to >= 0 && to < (s64)nr)
		next[n++] = (size_t)to;
	return n;
}

static bool is_exclusive(u32 word)
{
	return word == LDXR || word == STXR || word == CLREX;
}

/*
 * The definition, word for word, for a text so short that no path is too long:
 * @hot[i] grows until nothing changes.
 */
static bool model_inside(const u32 *text, size_t nr, size_t at)
{
	bool hot[64] = { false }, leads[64] = { false }, more = true;
	size_t i, j, n, next[2];

	while (more) {
		more = false;
		for (i = 0; i < nr; i++) {
			n = successors(text, nr, i, next);
			for (j = 0; j < n; j++) {
				if ((text[i] == LDXR ||
				     (hot[i] && !is_exclusive(text[i]))) &&
				    !hot[next[j]])
					hot[next[j]] = more = true;
				if (!is_exclusive(text[i]) && !leads[i] &&
				    (text[next[j]] == STXR || leads[next[j]]))
					leads[i] = more = true;
			}
		}
	}
	return hot[at] && (leads[at] || text[at] == STXR);
}

TEST(random_text_against_the_definition)
{
	static const u32 words[] = {
		NOP, ADD, LDXR, STXR, CLREX, RET, BR, B(3), B(-5), BL(2),
		CBNZ(9), B_NE(-7), CBGT(-3), 0, 0xd4200000, NOP, NOP, ADD,
		B_NE(4), CBNZ(-2), TBZ(5),
	};
	unsigned int n, inside = 0;
	/* No path is longer than those that are followed. */
	u32 text[32];
	size_t i, at, culprit;
	bool expect;

	for (n = 0; n < 20000; n++) {
		for (i = 0; i < ARRAY_SIZE(text); i++)
			text[i] = words[test_random() % ARRAY_SIZE(words)];
		at = test_random() % ARRAY_SIZE(text);
		expect = model_inside(text, ARRAY_SIZE(text), at);
		inside += expect;
		culprit = ~0UL;
		EXPECT_EQ(kpt_insn_context(text, ARRAY_SIZE(text), at, &culprit),
			  expect ? KPT_INSN_REASON_EXCLUSIVE_SEQ :
			  KPT_INSN_REASON_NONE);
		EXPECT_EQ(culprit == ~0UL, !expect);
		if (expect)
			EXPECT_EQ(text[culprit], LDXR);
	}
	EXPECT(inside > 500);
}

static bool is_marked(const u32 *marks, size_t at)
{
	size_t mark = at / KPT_INSN_MARK_WORDS;

	return marks[mark / 32] & 1U << mark % 32;
}

/* What has no mark is accepted in any part of the text, and most of it has none. */
TEST(marks_of_random_text)
{
	static const u32 words[] = {
		LDXR, LDXR, STXR, STXR, CLREX, WFE, RET, BR, B(3), B(-5), B(90), BL(2), CBNZ(9),
		B_NE(-7), CBGT(-30), TBZ(50), ADD,
	};
	unsigned int n, inside = 0, marked = 0;
	size_t i, at, culprit, from, to;
	u32 text[400], marks[4];
	enum kpt_insn_reason reason;

	for (n = 0; n < 20000; n++) {
		memset(marks, 0, sizeof(marks));
		for (i = 0; i < ARRAY_SIZE(text); i++)
			text[i] = test_random() % 8 ? ADD :
				  words[test_random() % ARRAY_SIZE(words)];
		/* In two parts, one of which may be empty. */
		from = test_random() % ARRAY_SIZE(text);
		kpt_insn_mark_exclusive(text, ARRAY_SIZE(text), from, ARRAY_SIZE(text),
					marks);
		kpt_insn_mark_exclusive(text, ARRAY_SIZE(text), 0, from, marks);
		from = test_random() % ARRAY_SIZE(text);
		to = from + 1 + test_random() % (ARRAY_SIZE(text) - from);
		at = from + test_random() % (to - from);
		reason = kpt_insn_context(text + from, to - from, at - from, &culprit);
		inside += reason != KPT_INSN_REASON_NONE;
		marked += is_marked(marks, at);
		if (!is_marked(marks, at))
			EXPECT_EQ(reason, KPT_INSN_REASON_NONE);
	}
	EXPECT(inside > 100);
	EXPECT(marked < n / 2);
}

/* Where a search cannot track all instructions, nothing near is accepted. */
TEST(marks_of_a_deep_search)
{
	u32 text[2048], marks[16] = { 0 };
	size_t i, culprit;

	for (i = 0; i < ARRAY_SIZE(text); i++)
		text[i] = i % 2 ? ADD : CBNZ((i * 37 % 400) - (i > 1600 ? 400 : 0));
	text[1000] = LDXR;
	EXPECT_EQ(kpt_insn_context(text, ARRAY_SIZE(text), 1100, &culprit),
		  KPT_INSN_REASON_EXCLUSIVE_DEEP);
	kpt_insn_mark_exclusive(text, ARRAY_SIZE(text), 0, ARRAY_SIZE(text), marks);
	for (i = 0; i < ARRAY_SIZE(text); i++)
		EXPECT(is_marked(marks, i));
}

TEST_MAIN
