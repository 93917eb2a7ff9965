// SPDX-License-Identifier: GPL-2.0-only
/*
 * Relocate an instruction: copy it if its effect does not depend on its address,
 * else replace it by instructions with the same effect. These change no register
 * and no flag except those that the instruction itself writes.
 */
#include "lib/base/port.h"
#include "insn/decoder.h"

#define RD GENMASK(4, 0)
#define RN GENMASK(9, 5)
#define RA GENMASK(14, 10)
#define IMM19 GENMASK(23, 5)
#define IMM14 GENMASK(18, 5)
#define IMM9 GENMASK(13, 5)
#define OPC GENMASK(31, 30)
#define HW GENMASK(22, 21)
#define IMM16 GENMASK(20, 5)

#define ZR 31
#define LINK 30

/* Arm ARM C6.2 */
#define B 0x14000000U
#define B_IMM GENMASK(25, 0)
#define B_REACH (1LL << 27)
#define BR 0xd61f0000U
#define MOVN 0x92800000U
#define MOVZ 0xd2800000U
#define MOVK 0xf2800000U
#define LDR_X 0xf9400000U
#define LDR_W 0xb9400000U
#define LDRSW 0xb9800000U
#define NOP 0xd503201fU
#define THREE_SOURCES 0x9b000000U
#define THREE_SOURCES_MASK 0xff000000U

/**
 * struct out - instructions being written
 * @at: address of the next one
 * @word: destination
 * @nr: number of instructions written
 * @bad: an instruction cannot be encoded
 */
struct out {
	u64 at;
	u32 *word;
	unsigned int nr;
	bool bad;
};

static void put(struct out *o, u32 word)
{
	o->word[o->nr++] = word;
	o->at += 4;
}

static void put_branch(struct out *o, u64 to)
{
	s64 distance = (s64)(to - o->at);

	if (distance >= B_REACH || distance < -B_REACH)
		o->bad = true;
	put(o, B | ((u64)distance >> 2 & B_IMM));
}

/* Three instructions for most kernel addresses, never more than four. */
static void put_value(struct out *o, unsigned int rd, u64 value)
{
	u64 others = value >> 48 == 0xffff ? 0xffff : 0;
	u32 first = others ? MOVN : MOVZ;
	unsigned int i;

	put(o, first | FIELD_PREP(IMM16, (value ^ (others ? ~0ULL : 0)) &
					 0xffff) | rd);
	for (i = 1; i < 4; i++)
		if ((value >> 16 * i & 0xffff) != others)
			put(o, MOVK | FIELD_PREP(HW, i) |
			       FIELD_PREP(IMM16, value >> 16 * i & 0xffff) | rd);
}

/*
 * Three instructions: the conditional branch, which skips the next one if taken;
 * a branch to @next, not taken; a branch to @target, taken.
 */
static void put_conditional(struct out *o, u32 word, u32 field, u64 next,
			    u64 target)
{
	put(o, (word & ~field) | 2 << 5);
	put_branch(o, next);
	put_branch(o, target);
}

static void put_load(struct out *o, const struct kpt_insn *insn, u64 literal)
{
	unsigned int rt = insn->word & RD;
	u32 load = LDR_W;

	/* No register can hold the address: the only one written is XZR. */
	if (rt == ZR) {
		o->bad = true;
		return;
	}
	if (insn->sim == KPT_SIM_LDRSW_LIT)
		load = LDRSW;
	else if (FIELD_GET(OPC, insn->word) == 1)
		load = LDR_X;
	put_value(o, rt, literal);
	put(o, load | FIELD_PREP(RN, rt) | rt);
}

/* BLR and BR set PSTATE.BTYPE differently, which matters in guarded pages. */
static void put_blr(struct out *o, const struct kpt_insn *insn, u64 next)
{
	unsigned int rn = FIELD_GET(RN, insn->word);

	if (rn == LINK || insn->bti == KPT_INSN_BTI_GUARDED) {
		o->bad = true;
		return;
	}
	put_value(o, LINK, next);
	put(o, BR | FIELD_PREP(RN, rn));
}

static void put_simulated(struct out *o, const struct kpt_insn *insn, u64 pc)
{
	u64 target = kpt_insn_target(insn, pc), next = pc + 4;
	unsigned int rd = insn->word & RD;

	switch (insn->sim) {
	case KPT_SIM_BL:
		put_value(o, LINK, next);
		fallthrough;
	case KPT_SIM_B:
		put_branch(o, target);
		return;
	case KPT_SIM_B_COND:
	case KPT_SIM_CBZ:
		put_conditional(o, insn->word, IMM19, next, target);
		return;
	case KPT_SIM_TBZ:
		put_conditional(o, insn->word, IMM14, next, target);
		return;
	case KPT_SIM_CB_REG:
	case KPT_SIM_CB_BYTE:
	case KPT_SIM_CB_HALF:
	case KPT_SIM_CB_IMM:
		put_conditional(o, insn->word, IMM9, next, target);
		return;
	case KPT_SIM_BR:
	case KPT_SIM_RET:
		put(o, insn->word);
		return;
	case KPT_SIM_BLR:
		put_blr(o, insn, next);
		return;
	case KPT_SIM_ADR:
	case KPT_SIM_ADRP:
		if (rd != ZR)
			put_value(o, rd, target);
		break;
	case KPT_SIM_LDR_LIT:
	case KPT_SIM_LDRSW_LIT:
		put_load(o, insn, target);
		break;
	case KPT_SIM_MRS_DAIF:
	case KPT_SIM_MSR_DAIF:
	case KPT_SIM_MSR_DAIFSET:
	case KPT_SIM_MSR_DAIFCLR:
		put(o, insn->word);
		break;
	case KPT_SIM_NOP:
		break;
	default:
		o->bad = true;
		return;
	}
	put_branch(o, next);
}

/*
 * MADD, MSUB, SMADDL, SMSUBL, UMADDL or UMSUBL of 64 bits that adds to a register. Cortex-A53
 * may compute it wrongly directly behind a load (erratum 835769), which is what a stub has
 * before the relocated instruction.
 */
static bool accumulates(u32 word)
{
	return (word & THREE_SOURCES_MASK) == THREE_SOURCES && FIELD_GET(RA, word) != ZR;
}

/**
 * kpt_insn_relocate() - replace an instruction by words for another address
 * @insn: decoded, with @bti set
 * @pc: the address of the instruction
 * @at: the address at which @words will be executed
 * @words: result
 *
 * The words end with branches to the address where the instruction continues.
 * They change only registers that the instruction itself writes. They may stand directly
 * behind a load.
 *
 * Context: any.
 * Return: number of @words; 0 if the instruction cannot be relocated, or a
 * branch does not reach.
 */
unsigned int kpt_insn_relocate(const struct kpt_insn *insn, u64 pc, u64 at,
			       u32 words[KPT_RELOCATED_MAX])
{
	struct out o = { .at = at, .word = words };

	switch (insn->verdict) {
	case KPT_INSN_STEP:
		if (accumulates(insn->word))
			put(&o, NOP);
		put(&o, insn->word);
		put_branch(&o, pc + 4);
		break;
	case KPT_INSN_SIMULATE:
		put_simulated(&o, insn, pc);
		break;
	default:
		return 0;
	}
	return o.bad ? 0 : o.nr;
}
