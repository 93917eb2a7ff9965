// SPDX-License-Identifier: GPL-2.0-only
/*
 * Relocate an instruction: copy it if its effect does not depend on its address,
 * else replace it by instructions with the same effect. These change no register
 * and no flag except those that the instruction itself writes.
 */
#include "lib/base/port.h"
#include "insn/asm.h"
#include "insn/decoder.h"

#define RD GENMASK(4, 0)
#define RN GENMASK(9, 5)
#define RA GENMASK(14, 10)
#define IMM19 GENMASK(23, 5)
#define IMM14 GENMASK(18, 5)
#define IMM9 GENMASK(13, 5)
#define OPC GENMASK(31, 30)
#define IS_64_BIT BIT(31)

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
	o->bad |= !word;
	o->word[o->nr++] = word;
	o->at += 4;
}

static void put_branch(struct out *o, u64 to)
{
	put(o, a64_to(A64_B, to - o->at));
}

/* Three instructions for most kernel addresses, never more than four. */
static void put_value(struct out *o, enum a64_reg rd, u64 value)
{
	u64 others = value >> 48 == 0xffff ? 0xffff : 0;
	unsigned int i;

	put(o, others ? a64_movn(rd, ~value & 0xffff, 0) : a64_movz(rd, value & 0xffff, 0));
	for (i = 1; i < 4; i++)
		if ((value >> 16 * i & 0xffff) != others)
			put(o, a64_movk(rd, value >> 16 * i & 0xffff, i));
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
	enum a64_reg rt = insn->word & RD;

	/* No register can hold the address: the only one written is XZR. */
	if (rt == XZR) {
		o->bad = true;
		return;
	}
	put_value(o, rt, literal);
	if (insn->sim == KPT_SIM_LDRSW_LIT)
		put(o, a64_ldrsw(rt, rt));
	else
		put(o, FIELD_GET(OPC, insn->word) == 1 ? a64_ldr(rt, rt, 0) :
							 a64_ldr_w(rt, rt, 0));
}

/* BLR and BR set PSTATE.BTYPE differently, which matters in guarded pages. */
static void put_blr(struct out *o, const struct kpt_insn *insn, u64 next)
{
	enum a64_reg rn = FIELD_GET(RN, insn->word);

	if (rn == X30 || insn->bti == KPT_INSN_BTI_GUARDED) {
		o->bad = true;
		return;
	}
	put_value(o, X30, next);
	put(o, a64_br(rn));
}

static void put_simulated(struct out *o, const struct kpt_insn *insn, u64 pc)
{
	u64 target = kpt_insn_target(insn, pc), next = pc + 4;
	unsigned int rd = insn->word & RD;

	switch (insn->sim) {
	case KPT_SIM_BL:
		put_value(o, X30, next);
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
		if (rd != XZR)
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
 * Of 64 bits, and adds to a register? Cortex-A53 may compute it wrongly directly behind a load
 * (erratum 835769), which is what a stub has before the relocated instruction.
 */
static bool accumulates(const struct kpt_insn *insn)
{
	return insn->flags & KPT_INSN_MADD && insn->word & IS_64_BIT &&
	       FIELD_GET(RA, insn->word) != XZR;
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
		if (accumulates(insn))
			put(&o, A64_NOP);
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
