// SPDX-License-Identifier: GPL-2.0-only
/* What is left of memory copies and sets, as GNU as encodes them, and how they go on. */
#include "harness.h"
#include "watch/bulk.h"

#define TO 0xffff800012345680ULL
#define FROM 0xffff800099990010ULL
#define HERE 0xffff800000080000ULL
#define PAGE 4096ULL
#define N BIT(31)
#define C BIT(29)

/* [x1]!, [x2]!, x3!; [x1]!, x3!, x2 */
#define CPYP 0x1d020461
#define CPYM 0x1d420461
#define CPYE 0x1d820461
#define CPYFP 0x19020461
#define CPYFPWT 0x19021461
#define CPYFPRT 0x19022461
#define SETP 0x19c20461
#define SETM 0x19c24461
#define SETE 0x19c28461
#define SETGP 0x1dc20461

static struct user_pt_regs regs_of(u64 to, u64 from, u64 size, u64 pstate)
{
	return (struct user_pt_regs){
		.regs = { [1] = to, [2] = from, [3] = size }, .pc = HERE, .pstate = pstate,
	};
}

/* The same rest, as each part finds it. */
static const struct {
	u32 word;
	u64 to;
	u64 from;
	u64 size;
	u64 pstate;
	bool is_backward;
} copies[] = {
	{ CPYP, TO, FROM, 100, 0, false },
	{ CPYFP, TO, FROM, 100, 0, false },
	{ CPYM, TO + 100, FROM + 100, -100ULL, 0, false },
	{ CPYE, TO + 100, FROM + 100, -100ULL, 0, false },
	{ CPYM, TO, FROM, 100, 0, true },
	{ CPYE, TO, FROM, 100, C, false },
	{ CPYM, TO + 100, FROM + 100, 100, N | C, true },
};

TEST(each_part_says_what_is_left)
{
	struct user_pt_regs regs;
	struct kpt_bulk b;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(copies); i++) {
		regs = regs_of(copies[i].to, copies[i].from, copies[i].size, copies[i].pstate);
		EXPECT(kpt_bulk_read(copies[i].word, &regs, &b));
		EXPECT(b.is_copy && !b.reads_user && !b.writes_user);
		EXPECT_EQ(b.to, TO);
		EXPECT_EQ(b.from, FROM);
		EXPECT_EQ(b.left, 100);
		EXPECT_EQ(b.is_backward, copies[i].is_backward);
	}
}

TEST(sets_have_a_byte)
{
	const u32 words[] = { SETP, SETM, SETE, SETM };
	struct user_pt_regs regs;
	struct kpt_bulk b;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		/* As option B has it, last as A. */
		regs = i < 3 ? regs_of(TO, 0x1234, 64, C) : regs_of(TO + 64, 0x1234, -64ULL, 0);
		EXPECT(kpt_bulk_read(words[i], &regs, &b));
		EXPECT(!b.is_copy && !b.is_backward);
		EXPECT_EQ(b.to, TO);
		EXPECT_EQ(b.left, 64);
		EXPECT_EQ(b.value, 0x34);
	}
	/* [x1]!, x3!, xzr */
	regs = regs_of(TO, 0x1234, 64, 0);
	EXPECT(kpt_bulk_read(SETP | 31 << 16, &regs, &b));
	EXPECT_EQ(b.value, 0);
}

TEST(copies_that_overlap_go_the_right_way)
{
	struct user_pt_regs regs = regs_of(TO, TO - 8, 100, 0);
	struct kpt_bulk b;

	EXPECT(kpt_bulk_read(CPYP, &regs, &b) && b.is_backward);
	EXPECT(kpt_bulk_read(CPYFP, &regs, &b) && !b.is_backward);
	regs.regs[2] = TO + 8;
	EXPECT(kpt_bulk_read(CPYP, &regs, &b) && !b.is_backward);
	regs.regs[2] = TO - 100;
	EXPECT(kpt_bulk_read(CPYP, &regs, &b) && !b.is_backward);
	/* Tags say nothing of a place. */
	regs.regs[2] = (TO - 8) ^ 0x5aULL << 56;
	EXPECT(kpt_bulk_read(CPYP, &regs, &b) && b.is_backward);
}

TEST(accesses_as_if_by_a_program)
{
	struct user_pt_regs regs = regs_of(TO, FROM, 8, 0);
	struct kpt_bulk b;

	EXPECT(kpt_bulk_read(CPYFPWT, &regs, &b) && b.writes_user && !b.reads_user);
	EXPECT(kpt_bulk_read(CPYFPRT, &regs, &b) && !b.writes_user && b.reads_user);
}

TEST(what_is_none)
{
	struct user_pt_regs regs = regs_of(TO, FROM, 0, 0);
	struct kpt_bulk b;

	EXPECT(!kpt_bulk_read(CPYP, &regs, &b));
	regs.regs[3] = 8;
	EXPECT(kpt_bulk_read(CPYP, &regs, &b));
	EXPECT(!kpt_bulk_read(SETGP, &regs, &b));
	EXPECT(!kpt_bulk_read(SETE | 0x4000, &regs, &b));	/* no part */
	EXPECT(!kpt_bulk_read(CPYP | 31, &regs, &b));
	EXPECT(!kpt_bulk_read(0xd503201f, &regs, &b));
	regs.regs[3] = -1ULL;
	EXPECT(!kpt_bulk_read(SETP, &regs, &b));
}

/* Do a copy or set of @size bytes by portions: the bytes in order. */
static void check_portions(u32 word, u64 to, u64 from, u64 size)
{
	struct user_pt_regs regs = regs_of(to, from, size, 0);
	struct kpt_access read, write;
	u64 done = 0, at;
	struct kpt_bulk b;

	for (; kpt_bulk_read(word, &regs, &b); done += write.size) {
		kpt_bulk_portion(&b, PAGE, &read, &write);
		/* What is left of a copy that has gone backward may go either way. */
		at = b.is_backward ? size - done - write.size : b.to - to;
		EXPECT(write.size && write.writes && !write.reads);
		EXPECT_EQ(write.addr, to + at);
		EXPECT_EQ(write.addr / PAGE, (write.addr + write.size - 1) / PAGE);
		EXPECT_EQ(read.size, b.is_copy ? write.size : 0);
		if (b.is_copy) {
			EXPECT_EQ(read.addr, from + at);
			EXPECT_EQ(read.addr / PAGE, (read.addr + read.size - 1) / PAGE);
		}
		kpt_bulk_advance(word, &b, write.size, &regs);
		EXPECT_EQ(regs.pc, HERE);
	}
	EXPECT_EQ(done, size);
	EXPECT_EQ(regs.regs[3], 0);
}

TEST(portions_end_with_pages)
{
	check_portions(CPYFP, TO, FROM, 3 * PAGE);
	check_portions(CPYP, TO, TO + 100, 2 * PAGE);
	check_portions(CPYP, TO + 100, TO, 2 * PAGE);
	check_portions(CPYP, TO & ~(PAGE - 1), (TO & ~(PAGE - 1)) - PAGE, 3 * PAGE);
	check_portions(SETP, TO, 0, 2 * PAGE + 1);
	check_portions(SETP, TO, 0, 1);
}

TEST(the_rest_begins_with_the_prologue)
{
	struct user_pt_regs regs = regs_of(TO + 100, FROM + 100, -100ULL, 0);
	struct kpt_bulk b;

	EXPECT(kpt_bulk_read(CPYM, &regs, &b));
	kpt_bulk_advance(CPYM, &b, 30, &regs);
	EXPECT_EQ(regs.pc, HERE - 4);
	EXPECT_EQ(regs.regs[1], TO + 30);
	EXPECT_EQ(regs.regs[2], FROM + 30);
	EXPECT_EQ(regs.regs[3], 70);
	regs = regs_of(TO, FROM, 100, 0);
	EXPECT(kpt_bulk_read(CPYE, &regs, &b));
	kpt_bulk_advance(CPYE, &b, 30, &regs);
	EXPECT_EQ(regs.pc, HERE - 8);
	EXPECT_EQ(regs.regs[1], TO);
	EXPECT_EQ(regs.regs[2], FROM);
	EXPECT_EQ(regs.regs[3], 70);
	regs = regs_of(TO, 0, 64, C);
	EXPECT(kpt_bulk_read(SETM, &regs, &b));
	kpt_bulk_advance(SETM, &b, 64, &regs);
	EXPECT_EQ(regs.pc, HERE - 4);
	EXPECT_EQ(regs.regs[1], TO + 64);
	EXPECT_EQ(regs.regs[2], 0);
	EXPECT_EQ(regs.regs[3], 0);
}

TEST_MAIN
