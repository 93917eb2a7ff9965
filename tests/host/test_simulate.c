// SPDX-License-Identifier: GPL-2.0-only
/*
 * Simulated instructions: registers before and after. The expected values are
 * constants, not computed like in simulate.c. tests/cpu compares with a CPU.
 */
#include "harness.h"
#include "insn/insn.h"
#include "world.h"

#define PC (WORLD_KERNEL + 0x8000)
#define BTYPE (3UL << 10)

static struct user_pt_regs before, regs;

/* Registers with a value of their own each, and a PSTATE that is full. */
static void set_up(void)
{
	unsigned int i;

	world_reset();
	for (i = 0; i < 31; i++)
		before.regs[i] = test_random();
	before.sp = test_random();
	before.pc = test_random();
	before.pstate = test_random() | BTYPE;
	regs = before;
}

static bool run_bti(u32 word, enum kpt_insn_bti bti)
{
	struct kpt_insn insn;

	kpt_insn_decode(word, &insn);
	EXPECT_EQ(insn.verdict, KPT_INSN_SIMULATE);
	insn.bti = bti;
	return kpt_insn_simulate(&insn, &regs, PC);
}

static void run(u32 word)
{
	EXPECT(run_bti(word, KPT_INSN_BTI_NONE));
}

/*
 * Nothing has changed but register @reg (32 for none), the PC, and BTYPE, which
 * every instruction clears.
 */
static void expect_only(unsigned int reg, u64 value, u64 pc)
{
	unsigned int i;

	for (i = 0; i < 31; i++)
		EXPECT_EQ(regs.regs[i], i == reg ? value : before.regs[i]);
	EXPECT_EQ(regs.sp, before.sp);
	EXPECT_EQ(regs.pstate, before.pstate & ~BTYPE);
	EXPECT_EQ(regs.pc, pc);
	EXPECT_EQ(world.fpreg_writes, 0);
}

TEST(nop_and_its_kin)
{
	static const u32 words[] = {
		0xd503201f,	/* nop */
		0xd503203f,	/* yield */
		0xd503205f,	/* wfe */
		0xd5031000,	/* wfet x0 */
		0xd8000040,	/* prfm pldl1keep, #8 */
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		set_up();
		run(words[i]);
		expect_only(32, 0, PC + 4);
		EXPECT_EQ(world.reads, 0);
	}
}

TEST(adr)
{
	static const struct {
		u32 word;
		unsigned int reg;
		s64 offset;
	} cases[] = {
		{ 0x10000000, 0, 0 },		/* adr x0, #0 */
		{ 0x30000001, 1, 1 },		/* adr x1, #1 */
		{ 0x1000003e, 30, 4 },		/* adr x30, #4 */
		{ 0x707fffe2, 2, 0xfffff },	/* adr x2, #1048575 */
		{ 0x10800003, 3, -0x100000 },	/* adr x3, #-1048576 */
		{ 0x70ffffe4, 4, -1 },		/* adr x4, #-1 */
		{ 0x70ffffff, 32, 0 },		/* adr xzr, #-1 */
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		set_up();
		run(cases[i].word);
		expect_only(cases[i].reg, PC + cases[i].offset, PC + 4);
	}
}

TEST(adrp)
{
	struct kpt_insn insn;

	set_up();
	kpt_insn_decode(0xb0000005, &insn);	/* adrp x5, #4096 */
	EXPECT(kpt_insn_simulate(&insn, &regs, WORLD_KERNEL + 0x1ffc));
	expect_only(5, WORLD_KERNEL + 0x2000, WORLD_KERNEL + 0x2000);
	set_up();
	run(0x90800006);		/* adrp x6, #-4294967296 */
	expect_only(6, PC - 0x100000000, PC + 4);
	set_up();
	run(0xf07fffe7);		/* adrp x7, #4294963200 */
	expect_only(7, PC + 0xfffff000, PC + 4);
	set_up();
	run(0xb000001f);		/* adrp xzr, #4096 */
	expect_only(32, 0, PC + 4);
}

TEST(branches)
{
	set_up();
	run(0x14000002);		/* b #8 */
	expect_only(32, 0, PC + 8);
	set_up();
	run(0x17ffffff);		/* b #-4 */
	expect_only(32, 0, PC - 4);
	set_up();
	run(0x15ffffff);		/* b #134217724 */
	expect_only(32, 0, PC + 0x7fffffc);
	set_up();
	run(0x16000000);		/* b #-134217728 */
	expect_only(32, 0, PC - 0x8000000);
	set_up();
	run(0x94000002);		/* bl #8 */
	expect_only(30, PC + 4, PC + 8);
}

/* Lines: EQ CS MI VS HI GE GT AL; columns: NZCV from 0000 to 1111. */
static const char *const truth[8] = {
	"0000111100001111",
	"0011001100110011",
	"0000000011111111",
	"0101010101010101",
	"0011000000110000",
	"1010101001010101",
	"1010000001010000",
	"1111111111111111",
};

TEST(conditional_branches)
{
	unsigned int cond, flags;
	bool taken;

	for (cond = 0; cond < 16; cond++) {
		for (flags = 0; flags < 16; flags++) {
			taken = (truth[cond / 2][flags] == '1') !=
				(cond % 2 && cond != 15);
			set_up();
			before.pstate = (before.pstate & ~(15UL << 28)) |
					(u64)flags << 28;
			regs = before;
			run(0x54000080 | cond);		/* b.cond #16 */
			expect_only(32, 0, PC + (taken ? 16 : 4));
			regs = before;
			run(0x54ffff90 | cond);		/* bc.cond #-16 */
			expect_only(32, 0, taken ? PC - 16 : PC + 4);
		}
	}
}

static void check_branch(u32 word, unsigned int reg, u64 value, bool taken)
{
	set_up();
	if (reg < 31)
		before.regs[reg] = value;
	regs = before;
	run(word);
	expect_only(32, 0, PC + (taken ? 8 : 4));
}

TEST(compare_with_zero_and_branch)
{
	check_branch(0xb4000041, 1, 0, true);		/* cbz x1, #8 */
	check_branch(0xb4000041, 1, 1, false);
	check_branch(0xb4000041, 1, 1ULL << 32, false);
	check_branch(0x34000041, 1, 1ULL << 32, true);	/* cbz w1, #8 */
	check_branch(0x34000041, 1, 1ULL << 31, false);
	check_branch(0xb5000041, 1, 0, false);		/* cbnz x1, #8 */
	check_branch(0xb5000041, 1, 1ULL << 63, true);
	check_branch(0x35000041, 1, 1ULL << 32, false);	/* cbnz w1, #8 */
	check_branch(0x35000041, 1, 1, true);
	check_branch(0xb400005f, 31, 0, true);		/* cbz xzr, #8 */
	check_branch(0xb500005f, 31, 0, false);		/* cbnz xzr, #8 */
}

TEST(test_bit_and_branch)
{
	unsigned int bit;
	u32 word;

	for (bit = 0; bit < 64; bit++) {
		/* tbz x2, #bit, #8 and tbnz */
		word = 0x36000042 | (bit & 31) << 19 | (bit & 32) << 26;
		check_branch(word, 2, ~(1ULL << bit), true);
		check_branch(word, 2, 1ULL << bit, false);
		check_branch(word | 1 << 24, 2, ~(1ULL << bit), false);
		check_branch(word | 1 << 24, 2, 1ULL << bit, true);
	}
	check_branch(0x3600005f, 31, 0, true);		/* tbz wzr, #0, #8 */
}

TEST(far_branches)
{
	set_up();
	before.regs[0] = 0;
	regs = before;
	run(0xb4800000);		/* cbz x0, #-1048576 */
	expect_only(32, 0, PC - 0x100000);
	regs = before;
	run(0xb47fffe0);		/* cbz x0, #1048572 */
	expect_only(32, 0, PC + 0xffffc);
	regs = before;
	run(0x36040000);		/* tbz w0, #0, #-32768 */
	expect_only(32, 0, PC - 0x8000);
	regs = before;
	run(0x3603ffe0);		/* tbz w0, #0, #32764 */
	expect_only(32, 0, PC + 0x7ffc);
	regs = before;
	run(0xf4df2000);		/* cbeq x0, xzr, #-1024 */
	expect_only(32, 0, PC - 0x400);
	regs = before;
	run(0xf5c01fe0);		/* cbeq x0, #0, #1020 */
	expect_only(32, 0, PC + 0x3fc);
}

/* Two registers compared: x3 with x4, branch by 8. */
static void check_cb(u32 word, u64 a, u64 b, bool taken)
{
	set_up();
	before.regs[3] = a;
	before.regs[4] = b;
	regs = before;
	run(word);
	expect_only(32, 0, PC + (taken ? 8 : 4));
}

TEST(compare_registers_and_branch)
{
	static const u32 sf[] = { 0xf4040043, 0x74040043 };
	static const u64 sign[] = { 1ULL << 63, 1ULL << 31 };
	/* Bits above the 32 that the W forms compare. */
	static const u64 junk[] = { 0, 0xdead00000000ULL };
	unsigned int i;
	u32 w;

	for (i = 0; i < 2; i++) {
		w = sf[i];
		check_cb(w, 2 | junk[i], 1, true);		/* cbgt */
		check_cb(w, 1, 1 | junk[i], false);
		check_cb(w, 1, sign[i], true);
		check_cb(w, sign[i], 1, false);
		w = sf[i] | 1 << 21;				/* cbge */
		check_cb(w, 1, 1 | junk[i], true);
		check_cb(w, sign[i], 1, false);
		w = sf[i] | 2 << 21;				/* cbhi */
		check_cb(w, sign[i], 1, true);
		check_cb(w, 1, 1 | junk[i], false);
		check_cb(w, 1, sign[i], false);
		w = sf[i] | 3 << 21;				/* cbhs */
		check_cb(w, 1 | junk[i], 1, true);
		check_cb(w, 1, sign[i], false);
		w = sf[i] | 6 << 21;				/* cbeq */
		check_cb(w, 1 | junk[i], 1, true);
		check_cb(w, 1, 2, false);
		w = sf[i] | 7 << 21;				/* cbne */
		check_cb(w, 1 | junk[i], 1, false);
		check_cb(w, sign[i], 0, true);
	}
}

TEST(compare_bytes_and_halfwords_and_branch)
{
	check_cb(0x74048043, 0x101, 0x200, true);	/* cbbgt w3, w4 */
	check_cb(0x74048043, 0x80, 0x7f, false);
	check_cb(0x74448043, 0x80, 0x7f, true);		/* cbbhi */
	check_cb(0x74c48043, 0x1ff, 0xff, true);	/* cbbeq */
	check_cb(0x7404c043, 0x10001, 0x20000, true);	/* cbhgt */
	check_cb(0x7404c043, 0x8000, 0x7fff, false);
	check_cb(0x7464c043, 0x8000, 0x7fff, true);	/* cbhhs */
	check_cb(0x74e4c043, 0x1ffff, 0xffff, false);	/* cbhne */
}

TEST(compare_with_immediate_and_branch)
{
	check_cb(0xf51f8043, 64, 0, true);		/* cbgt x3, #63 */
	check_cb(0xf51f8043, 63, 0, false);
	check_cb(0xf51f8043, ~0ULL, 0, false);
	check_cb(0xf53f8043, ~0ULL, 0, true);		/* cblt x3, #63 */
	check_cb(0xf53f8043, 63, 0, false);
	check_cb(0xf55f8043, ~0ULL, 0, true);		/* cbhi x3, #63 */
	check_cb(0xf57f8043, ~0ULL, 0, false);		/* cblo x3, #63 */
	check_cb(0xf57f8043, 62, 0, true);
	check_cb(0x75df8043, 1ULL << 32 | 63, 0, true);	/* cbeq w3, #63 */
	check_cb(0xf5df8043, 1ULL << 32 | 63, 0, false);
	check_cb(0x75ff8043, 1ULL << 32 | 63, 0, false); /* cbne w3, #63 */
	check_cb(0x753f8043, 1ULL << 31, 0, true);	/* cblt w3, #63 */
}

TEST(indirect_branches)
{
	set_up();
	run(0xd61f00a0);		/* br x5 */
	expect_only(32, 0, before.regs[5]);
	set_up();
	run(0xd65f03c0);		/* ret */
	expect_only(32, 0, before.regs[30]);
	set_up();
	run(0xd65f0060);		/* ret x3 */
	expect_only(32, 0, before.regs[3]);
	set_up();
	run(0xd63f00a0);		/* blr x5 */
	expect_only(30, PC + 4, before.regs[5]);
	/* The target is read before the link is written. */
	set_up();
	run(0xd63f03c0);		/* blr x30 */
	expect_only(30, PC + 4, before.regs[30]);
	set_up();
	run(0xd61f03e0);		/* br xzr */
	expect_only(32, 0, 0);
}

static void check_btype(u32 word, enum kpt_insn_bti bti, u64 btype)
{
	set_up();
	EXPECT(run_bti(word, bti));
	EXPECT_EQ(regs.pstate, (before.pstate & ~BTYPE) | btype << 10);
}

TEST(branch_type)
{
	enum kpt_insn_bti none = KPT_INSN_BTI_NONE, open = KPT_INSN_BTI_OPEN;
	enum kpt_insn_bti guarded = KPT_INSN_BTI_GUARDED;

	check_btype(0xd61f00a0, none, 0);	/* br x5 */
	check_btype(0xd61f00a0, open, 1);
	check_btype(0xd61f00a0, guarded, 3);
	check_btype(0xd61f01e0, guarded, 3);	/* br x15 */
	check_btype(0xd61f0200, guarded, 1);	/* br x16 */
	check_btype(0xd61f0220, guarded, 1);	/* br x17 */
	check_btype(0xd61f0240, guarded, 3);	/* br x18 */
	check_btype(0xd63f00a0, none, 0);	/* blr x5 */
	check_btype(0xd63f00a0, open, 2);
	check_btype(0xd63f00a0, guarded, 2);
	check_btype(0xd63f0200, guarded, 2);	/* blr x16 */
	check_btype(0xd65f03c0, guarded, 0);	/* ret */
	check_btype(0x94000002, guarded, 0);	/* bl #8 */
	check_btype(0xd503201f, guarded, 0);	/* nop */
}

/* A literal 8 bytes behind the instruction. */
static void set_literal(u64 low, u64 high)
{
	memcpy(&world.kernel[PC + 8 - WORLD_KERNEL], &low, 8);
	memcpy(&world.kernel[PC + 16 - WORLD_KERNEL], &high, 8);
}

TEST(literal_loads)
{
	static const struct {
		u32 word;
		u64 value;
	} cases[] = {
		{ 0x58000043, 0x8123456789abcdefULL },	/* ldr x3, #8 */
		{ 0x18000043, 0x89abcdefULL },		/* ldr w3, #8 */
		{ 0x98000043, 0xffffffff89abcdefULL },	/* ldrsw x3, #8 */
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		set_up();
		set_literal(0x8123456789abcdefULL, 0);
		run(cases[i].word);
		expect_only(3, cases[i].value, PC + 4);
		EXPECT_EQ(world.reads, 1);
		/* A load to XZR accesses memory, too. */
		set_up();
		set_literal(0x8123456789abcdefULL, 0);
		run(cases[i].word | 31);
		expect_only(32, 0, PC + 4);
		EXPECT_EQ(world.reads, 1);
	}
	set_up();
	memset(&world.kernel[PC - 8 - WORLD_KERNEL], 0x11, 8);
	run(0x58ffffc3);			/* ldr x3, #-8 */
	expect_only(3, 0x1111111111111111ULL, PC + 4);
}

TEST(literal_loads_to_fp_registers)
{
	static const struct {
		u32 word;
		u64 low, high;
	} cases[] = {
		{ 0x1c00005f, 0x55667788, 0 },		/* ldr s31, #8 */
		{ 0x5c00005f, 0x1122334455667788, 0 },	/* ldr d31, #8 */
		{ 0x9c00005f, 0x1122334455667788,	/* ldr q31, #8 */
		  0x99aabbccddeeff00 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		set_up();
		memset(world.fpreg, 0xff, sizeof(world.fpreg));
		set_literal(0x1122334455667788, 0x99aabbccddeeff00);
		run(cases[i].word);
		EXPECT_EQ(world.fpreg_writes, 1);
		EXPECT_EQ(world.fpreg[31][0], cases[i].low);
		EXPECT_EQ(world.fpreg[31][1], cases[i].high);
		EXPECT_EQ(world.fpreg[30][0], ~0ULL);
		world.fpreg_writes = 0;
		expect_only(32, 0, PC + 4);
	}
}

/* An unreadable literal: nothing has changed, and its address is reported. */
TEST(literals_that_fault)
{
	static const u32 words[] = {
		0x58000043, 0x18000043, 0x98000043, 0x1c000043, 0x5c000043,
		0x9c000043,
	};
	static const unsigned int last[] = { 7, 3, 3, 3, 7, 15 };
	struct kpt_insn insn;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		set_up();
		world.kernel_fault[PC + 8 + last[i] - WORLD_KERNEL] = 1;
		EXPECT(!run_bti(words[i], KPT_INSN_BTI_GUARDED));
		EXPECT(!memcmp(&regs, &before, sizeof(regs)));
		EXPECT_EQ(world.fpreg_writes, 0);
		kpt_insn_decode(words[i], &insn);
		EXPECT_EQ(kpt_insn_target(&insn, PC), PC + 8);
		/* The byte behind it may be unreadable. */
		set_up();
		world.kernel_fault[PC + 9 + last[i] - WORLD_KERNEL] = 1;
		EXPECT(run_bti(words[i], KPT_INSN_BTI_NONE));
	}
}

static void check_daif(u32 word, u64 x7, u64 daif_before, u64 daif_after)
{
	set_up();
	before.regs[7] = x7;
	before.pstate = (before.pstate & ~(15UL << 6)) | daif_before << 6;
	regs = before;
	run(word);
	EXPECT_EQ(regs.pstate, (before.pstate & ~(15UL << 6) & ~BTYPE) |
		  daif_after << 6);
	regs.pstate = before.pstate & ~BTYPE;
	expect_only(32, 0, PC + 4);
}

TEST(interrupt_masks)
{
	check_daif(0xd50342df, 0, 0, 2);	/* msr daifset, #2 */
	check_daif(0xd50342df, 0, 12, 14);
	check_daif(0xd5034fdf, 0, 5, 15);	/* msr daifset, #15 */
	check_daif(0xd50342ff, 0, 15, 13);	/* msr daifclr, #2 */
	check_daif(0xd5034fff, 0, 15, 0);	/* msr daifclr, #15 */
	check_daif(0xd50340ff, 0, 9, 9);	/* msr daifclr, #0 */
	check_daif(0xd51b4227, 0x80, 15, 2);	/* msr daif, x7 */
	check_daif(0xd51b4227, ~0ULL, 0, 15);
	check_daif(0xd51b4227, ~0x3c0ULL, 15, 0);
	check_daif(0xd51b423f, 0, 15, 0);	/* msr daif, xzr */
	set_up();
	run(0xd53b4227);			/* mrs x7, daif */
	expect_only(7, before.pstate & 0x3c0, PC + 4);
	set_up();
	run(0xd53b423f);			/* mrs xzr, daif */
	expect_only(32, 0, PC + 4);
}

/* The target of a direct branch is known whether it is taken or not. */
TEST(targets)
{
	static const struct {
		u32 word;
		s64 offset;
	} cases[] = {
		{ 0x14000002, 8 }, { 0x97ffffff, -4 }, { 0x54000080, 16 },
		{ 0xb4800000, -0x100000 }, { 0x36040000, -0x8000 },
		{ 0xf4df2000, -0x400 }, { 0x70ffffe4, -1 },
		{ 0x58000043, 8 }, { 0x9c000043, 8 }, { 0xd8000040, 8 },
		{ 0xb0000005, 0x1000 },
		/* These have no target, or an unknown one. */
		{ 0xd503201f, 0 }, { 0xd65f03c0, 0 }, { 0xd61f00a0, 0 },
		{ 0x91000400, 0 }, { 0xf380001f, 0 }, { 0x5500001f, 0 },
	};
	struct kpt_insn insn;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		kpt_insn_decode(cases[i].word, &insn);
		EXPECT_EQ(kpt_insn_target(&insn, PC), PC + cases[i].offset);
	}
}

/* The PC is the caller's argument, not the one in the registers. */
TEST(any_word_keeps_its_hands_off)
{
	struct kpt_insn insn;
	unsigned int i, n = 0;

	for (i = 0; i < 2000000; i++) {
		kpt_insn_decode((u32)(test_random() >> 32), &insn);
		if (insn.verdict != KPT_INSN_SIMULATE)
			continue;
		if (n++ % 64 == 0)
			set_up();
		insn.bti = test_random() % 3;
		regs = before;
		if (!kpt_insn_simulate(&insn, &regs, PC)) {
			EXPECT(insn.flags & KPT_INSN_MEM);
			EXPECT(!memcmp(&regs, &before, sizeof(regs)));
			continue;
		}
		EXPECT_EQ(regs.sp, before.sp);
		if (!(insn.flags & (KPT_INSN_BRANCH | KPT_INSN_INDIRECT |
				    KPT_INSN_RET)))
			EXPECT_EQ(regs.pc, PC + 4);
		else if (insn.flags & KPT_INSN_BRANCH)
			EXPECT(regs.pc == PC + 4 ||
			       regs.pc == kpt_insn_target(&insn, PC));
		if (insn.flags & KPT_INSN_LR)
			EXPECT_EQ(regs.regs[30], PC + 4);
	}
	EXPECT(n > 100000);
}

TEST_MAIN
