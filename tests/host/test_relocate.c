// SPDX-License-Identifier: GPL-2.0-only
/*
 * Relocated instructions are run by an interpreter of the few instructions that
 * relocate.c writes, and must have the effect of the original instruction.
 */
#include "harness.h"
#include "insn/insn.h"
#include "insn/decoder.h"
#include "world.h"

#define PC (WORLD_KERNEL + 0x8000)
#define AT (WORLD_KERNEL + 0x400000)
#define SAMPLES 400
#define ZR 31

static struct user_pt_regs before;

static void set_up(void)
{
	unsigned int i;

	world_reset();
	for (i = 0; i < 31; i++)
		before.regs[i] = test_random();
	before.sp = test_random();
	before.pc = 0;
	before.pstate = test_random() & ~KPT_PSTATE_BTYPE;
}

/* MOVZ, MOVN, MOVK of 64 bits, Arm ARM C6.2. */
static bool move_wide(u32 word, struct user_pt_regs *regs)
{
	unsigned int rd = word & 31, shift = (word >> 21 & 3) * 16;
	u64 imm = (u64)(word >> 5 & 0xffff) << shift;

	switch (word >> 23) {
	case 0x92800000 >> 23:
		regs->regs[rd] = ~imm;
		return true;
	case 0xd2800000 >> 23:
		regs->regs[rd] = imm;
		return true;
	case 0xf2800000 >> 23:
		regs->regs[rd] = (regs->regs[rd] &
				  ~((u64)0xffff << shift)) | imm;
		return true;
	default:
		return false;
	}
}

/* LDR, LDRSW from the address in a register, offset 0. */
static bool load(u32 word, struct user_pt_regs *regs)
{
	bool wide = word >> 10 == 0xf9400000 >> 10;
	u64 value = 0;

	if (!wide && word >> 10 != 0xb9400000 >> 10 &&
	    word >> 10 != 0xb9800000 >> 10)
		return false;
	EXPECT_EQ(port_read_kernel(&value, regs->regs[word >> 5 & 31],
				   wide ? 8 : 4), 0);
	if (word >> 10 == 0xb9800000 >> 10)
		value = (u64)(s64)(s32)value;
	regs->regs[word & 31] = value;
	return true;
}

/* Run from AT until it is left. False if an instruction is not one of ours. */
static bool interpret(const u32 *words, unsigned int nr,
		      struct user_pt_regs *regs)
{
	struct kpt_insn insn;
	unsigned int steps;
	u32 word;

	regs->pc = AT;
	for (steps = 0; regs->pc - AT < nr * 4; steps++) {
		EXPECT(steps < 2 * KPT_RELOCATED_MAX);
		word = words[(regs->pc - AT) / 4];
		if (move_wide(word, regs) || load(word, regs)) {
			regs->pc += 4;
			continue;
		}
		kpt_insn_decode(word, &insn);
		if (insn.verdict != KPT_INSN_SIMULATE ||
		    !kpt_insn_simulate(&insn, regs, regs->pc))
			return false;
	}
	return true;
}

/* A word of a row, the bits that are not fixed at random. */
static u32 word_of(const struct kpt_insn_row *row)
{
	return row->value | (test_random() & ~row->mask);
}

static void check(const struct kpt_insn *insn)
{
	struct user_pt_regs direct = before, moved = before;
	u32 words[KPT_RELOCATED_MAX + 1] = { [KPT_RELOCATED_MAX] = 0xabcd };
	unsigned int nr = kpt_insn_relocate(insn, PC, AT, words);

	EXPECT_EQ(words[KPT_RELOCATED_MAX], 0xabcd);
	if (!nr || !kpt_insn_simulate(insn, &direct, PC))
		return;
	EXPECT(interpret(words, nr, &moved));
	EXPECT(!memcmp(&direct, &moved, sizeof(direct)));
}

TEST(every_simulated_row_comes_to_the_same_elsewhere)
{
	const struct kpt_insn_row *row;
	struct kpt_insn insn;
	unsigned int i, n;

	for (i = 0; i < kpt_insn_nr_rows; i++) {
		row = &kpt_insn_rows[i];
		if (row->kind != KPT_ROW_INSN ||
		    row->verdict != KPT_INSN_SIMULATE)
			continue;
		for (n = 0; n < SAMPLES; n++) {
			set_up();
			kpt_insn_decode(word_of(row), &insn);
			if (insn.verdict == KPT_INSN_SIMULATE)
				check(&insn);
		}
	}
}

static unsigned int relocate(u32 word, u64 pc, u64 at)
{
	u32 words[KPT_RELOCATED_MAX];
	struct kpt_insn insn;

	kpt_insn_decode(word, &insn);
	return kpt_insn_relocate(&insn, pc, at, words);
}

TEST(others_stand_before_a_branch_back)
{
	u32 words[KPT_RELOCATED_MAX];
	struct kpt_insn insn;

	kpt_insn_decode(0x8b010000, &insn);	/* add x0, x0, x1 */
	EXPECT_EQ(kpt_insn_relocate(&insn, PC, AT, words), 2);
	EXPECT_EQ(words[0], 0x8b010000);
	/* b: from AT + 4 to PC + 4 */
	EXPECT_EQ(words[1], 0x14000000 | ((PC - AT) / 4 & 0x3ffffff));
}

/* Cortex-A53 erratum 835769: these six are not to be directly behind a load. */
TEST(a_sum_of_products_is_not_the_first_word)
{
	static const u32 sums[] = {
		0x9b000000,	/* madd */
		0x9b008000,	/* msub */
		0x9b200000,	/* smaddl */
		0x9b208000,	/* smsubl */
		0x9ba00000,	/* umaddl */
		0x9ba08000,	/* umsubl */
	};
	u32 words[KPT_RELOCATED_MAX], word;
	struct kpt_insn insn;
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(sums); i++)
		for (n = 0; n < SAMPLES; n++) {
			word = sums[i] | (test_random() & 0x1f7fff);
			kpt_insn_decode(word, &insn);
			EXPECT_EQ(insn.verdict, KPT_INSN_STEP);
			if ((word >> 10 & 31) == ZR) {
				EXPECT_EQ(kpt_insn_relocate(&insn, PC, AT, words), 2);
				EXPECT_EQ(words[0], word);
				continue;
			}
			EXPECT_EQ(kpt_insn_relocate(&insn, PC, AT, words), 3);
			EXPECT_EQ(words[0], 0xd503201f);	/* nop */
			EXPECT_EQ(words[1], word);
			/* b: from AT + 8 to PC + 4 */
			EXPECT_EQ(words[2], 0x14000000 | ((PC - AT - 4) / 4 & 0x3ffffff));
		}
}

TEST(what_can_not_be_moved_is_refused)
{
	EXPECT_EQ(relocate(0x5c000040, PC, AT), 0);	/* ldr d0, .+8 */
	EXPECT_EQ(relocate(0xd63f03c0, PC, AT), 0);	/* blr x30 */
	EXPECT_EQ(relocate(0xd4200000, PC, AT), 0);	/* brk #0 */
	EXPECT_EQ(relocate(0x5800005f, PC, AT), 0);	/* ldr xzr, .+8 */
	/* the branch back, or the target, is out of reach */
	EXPECT_EQ(relocate(0x8b010000, PC, PC + (1 << 27) + 8), 0);
	EXPECT_EQ(relocate(0x15ffffff, PC, PC - 8), 0);
	EXPECT(relocate(0x8b010000, PC, PC + (1 << 27) - 8));
}

TEST_MAIN
