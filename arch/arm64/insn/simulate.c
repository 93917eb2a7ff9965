// SPDX-License-Identifier: GPL-2.0-only
/*
 * Simulate instructions whose result depends on their address, on saved
 * registers. Each follows its pseudocode in the Arm ARM, section C6.2.
 */
#include "lib/base/port.h"
#include "insn/decoder.h"

#define RT GENMASK(4, 0)
#define RN GENMASK(9, 5)
#define RM GENMASK(20, 16)
#define IMM26 GENMASK(25, 0)
#define IMM19 GENMASK(23, 5)
#define IMM14 GENMASK(18, 5)
#define IMM9 GENMASK(13, 5)
#define IMM6 GENMASK(20, 15)
#define IMM4 GENMASK(11, 8)
#define IMMLO GENMASK(30, 29)
#define OPC GENMASK(31, 30)
#define SF BIT(31)
#define TBZ_BIT5 BIT(31)
#define TBZ_BIT40 GENMASK(23, 19)
#define NEGATE BIT(24)
#define CB_CC GENMASK(23, 21)

#define XZR 31
#define LINK 30

/* PSTATE.BTYPE after an indirect branch (Arm ARM D8.4.5). */
#define BTYPE_BR_OPEN 1
#define BTYPE_BLR 2
#define BTYPE_BR_GUARDED 3
#define BTYPE(n) ((u64)(n) << 10)

/* Sign-extend @value, a number of @bits bits. */
static u64 sign_extend(u64 value, unsigned int bits)
{
	u64 sign = 1ULL << (bits - 1);

	return (value ^ sign) - sign;
}

static u64 get_x(const struct user_pt_regs *regs, unsigned int reg)
{
	return reg == XZR ? 0 : regs->regs[reg];
}

static void set_x(struct user_pt_regs *regs, unsigned int reg, u64 value)
{
	if (reg != XZR)
		regs->regs[reg] = value;
}

static u64 adr_offset(u32 word)
{
	return sign_extend(FIELD_GET(IMM19, word) << 2 |
			   FIELD_GET(IMMLO, word), 21);
}

/* Offset from the instruction to its target, in words. */
static u64 branch_words(const struct kpt_insn *insn)
{
	switch (insn->sim) {
	case KPT_SIM_B:
	case KPT_SIM_BL:
		return sign_extend(FIELD_GET(IMM26, insn->word), 26);
	case KPT_SIM_TBZ:
		return sign_extend(FIELD_GET(IMM14, insn->word), 14);
	case KPT_SIM_CB_REG:
	case KPT_SIM_CB_BYTE:
	case KPT_SIM_CB_HALF:
	case KPT_SIM_CB_IMM:
		return sign_extend(FIELD_GET(IMM9, insn->word), 9);
	default:
		return sign_extend(FIELD_GET(IMM19, insn->word), 19);
	}
}

/**
 * kpt_insn_target() - target of a recorder branch or PC-relative instruction
 * @insn: an instruction with KPT_INSN_BRANCH or KPT_INSN_PC
 * @pc: its address
 *
 * For ADRP this is the address of the page, for a literal load that of the
 * literal.
 *
 * Context: any.
 * Return: the address; @pc for an instruction without such an operand.
 */
u64 kpt_insn_target(const struct kpt_insn *insn, u64 pc)
{
	if (insn->verdict != KPT_INSN_SIMULATE || !(insn->flags & KPT_INSN_PC))
		return pc;
	if (insn->sim == KPT_SIM_ADR)
		return pc + adr_offset(insn->word);
	if (insn->sim == KPT_SIM_ADRP)
		return (pc & ~0xfffULL) + (adr_offset(insn->word) << 12);
	return pc + (branch_words(insn) << 2);
}

/* Arm ARM, ConditionHolds(): bits 3:1 select a test, bit 0 inverts it. */
static bool condition_holds(u64 pstate, unsigned int cond)
{
	bool n = pstate & KPT_PSTATE_N;
	bool z = pstate & KPT_PSTATE_Z;
	bool c = pstate & KPT_PSTATE_C;
	bool v = pstate & KPT_PSTATE_V;
	const bool tests[8] = {
		z, c, n, v, c && !z, n == v, n == v && !z, true,
	};

	/* NV means the same as AL. */
	return tests[cond >> 1] != ((cond & 1) && cond != 15);
}

static bool cbz_taken(u32 word, const struct user_pt_regs *regs)
{
	u64 value = get_x(regs, word & RT);

	if (!(word & SF))
		value = (u32)value;
	return (value == 0) != !!(word & NEGATE);
}

static bool tbz_taken(u32 word, const struct user_pt_regs *regs)
{
	unsigned int bit = FIELD_GET(TBZ_BIT40, word) |
			   (word & TBZ_BIT5 ? 32 : 0);

	return !(get_x(regs, word & RT) >> bit & 1) != !!(word & NEGATE);
}

/*
 * The conditions of CB<cc>, FEAT_CMPBR. The second one is the only difference
 * between the register form (GE, HS) and the immediate form (LT, LO).
 */
static bool cb_holds(u32 word, u64 a, u64 b, unsigned int bits, bool imm)
{
	s64 sa = (s64)sign_extend(a, bits), sb = (s64)sign_extend(b, bits);

	switch (FIELD_GET(CB_CC, word)) {
	case 0:
		return sa > sb;
	case 1:
		return imm ? sa < sb : sa >= sb;
	case 2:
		return a > b;
	case 3:
		return imm ? a < b : a >= b;
	case 6:
		return a == b;
	default:
		return a != b;
	}
}

static bool cb_taken(const struct kpt_insn *insn,
		     const struct user_pt_regs *regs)
{
	unsigned int bits = insn->word & SF ? 64 : 32;
	bool imm = insn->sim == KPT_SIM_CB_IMM;
	u64 mask, a, b;

	if (insn->sim == KPT_SIM_CB_BYTE)
		bits = 8;
	else if (insn->sim == KPT_SIM_CB_HALF)
		bits = 16;
	mask = ~0ULL >> (64 - bits);
	a = get_x(regs, insn->word & RT) & mask;
	if (imm)
		b = FIELD_GET(IMM6, insn->word);
	else
		b = get_x(regs, FIELD_GET(RM, insn->word)) & mask;
	return cb_holds(insn->word, a, b, bits, imm);
}

static bool branch_taken(const struct kpt_insn *insn,
			 const struct user_pt_regs *regs)
{
	switch (insn->sim) {
	case KPT_SIM_B_COND:
		return condition_holds(regs->pstate, insn->word & 15);
	case KPT_SIM_CBZ:
		return cbz_taken(insn->word, regs);
	case KPT_SIM_TBZ:
		return tbz_taken(insn->word, regs);
	default:
		return cb_taken(insn, regs);
	}
}

/*
 * BTYPE after a BR. In a guarded page only a BR through x16 or x17, which linker
 * veneers use, may reach a plain "BTI c". In an unguarded page every BR may.
 */
static u64 br_btype(const struct kpt_insn *insn)
{
	unsigned int rn = FIELD_GET(RN, insn->word);

	if (insn->bti == KPT_INSN_BTI_NONE)
		return 0;
	if (insn->bti == KPT_INSN_BTI_OPEN || rn == 16 || rn == 17)
		return BTYPE(BTYPE_BR_OPEN);
	return BTYPE(BTYPE_BR_GUARDED);
}

static void indirect_branch(const struct kpt_insn *insn,
			    struct user_pt_regs *regs, u64 pc)
{
	regs->pc = get_x(regs, FIELD_GET(RN, insn->word));
	if (insn->sim == KPT_SIM_BR) {
		regs->pstate |= br_btype(insn);
	} else if (insn->sim == KPT_SIM_BLR) {
		/* After the target is read: it may be x30 itself. */
		regs->regs[LINK] = pc + 4;
		if (insn->bti != KPT_INSN_BTI_NONE)
			regs->pstate |= BTYPE(BTYPE_BLR);
	}
}

static bool load_literal(const struct kpt_insn *insn,
			 struct user_pt_regs *regs, u64 pc)
{
	bool wide = FIELD_GET(OPC, insn->word) == 1;
	u64 value = 0;

	if (port_read_kernel(&value, kpt_insn_target(insn, pc), wide ? 8 : 4))
		return false;
	if (insn->sim == KPT_SIM_LDRSW_LIT)
		value = sign_extend(value, 32);
	set_x(regs, insn->word & RT, value);
	return true;
}

static bool load_literal_fp(const struct kpt_insn *insn, u64 pc)
{
	size_t size = (size_t)4 << FIELD_GET(OPC, insn->word);
	u64 value[2] = { 0, 0 };

	if (port_read_kernel(value, kpt_insn_target(insn, pc), size))
		return false;
	kpt_arch_write_fpreg(insn->word & RT, value);
	return true;
}

/* MSR DAIFSet and DAIFClr: the four bits of the immediate are D, A, I and F. */
static u64 daif_imm(u32 word)
{
	return (u64)FIELD_GET(IMM4, word) << 6;
}

/*
 * Simulate an instruction that falls through: it changes registers or PSTATE.
 * Returns false, without changes, if a literal is unreadable.
 */
static bool simulate_data(const struct kpt_insn *insn,
			  struct user_pt_regs *regs, u64 pc)
{
	u32 word = insn->word;

	switch (insn->sim) {
	case KPT_SIM_ADR:
	case KPT_SIM_ADRP:
		set_x(regs, word & RT, kpt_insn_target(insn, pc));
		return true;
	case KPT_SIM_LDR_LIT:
	case KPT_SIM_LDRSW_LIT:
		return load_literal(insn, regs, pc);
	case KPT_SIM_LDR_LIT_FP:
		return load_literal_fp(insn, pc);
	case KPT_SIM_MRS_DAIF:
		set_x(regs, word & RT, regs->pstate & KPT_PSTATE_DAIF);
		return true;
	case KPT_SIM_MSR_DAIF:
		regs->pstate = (regs->pstate & ~KPT_PSTATE_DAIF) |
			       (get_x(regs, word & RT) & KPT_PSTATE_DAIF);
		return true;
	case KPT_SIM_MSR_DAIFSET:
		regs->pstate |= daif_imm(word);
		return true;
	case KPT_SIM_MSR_DAIFCLR:
		regs->pstate &= ~daif_imm(word);
		return true;
	default: /* KPT_SIM_NOP */
		return true;
	}
}

/**
 * kpt_insn_simulate() - perform an instruction on saved registers
 * @insn: decoded, with verdict KPT_INSN_SIMULATE and @bti set
 * @regs: registers before the instruction (@regs->pc is ignored); on success
 *	replaced by those after it, including the new PC and PSTATE.BTYPE
 * @pc: the address of the instruction
 *
 * Memory is read only through port_read_kernel(). If a literal cannot be read,
 * nothing is changed, and the caller makes the CPU take the fault by reading the
 * word at kpt_insn_target(), which the instruction would have accessed.
 *
 * Context: BRK. A SIMD&FP literal load also writes the live register through
 * kpt_arch_write_fpreg().
 * Return: true, or false if the literal is unreadable.
 */
bool kpt_insn_simulate(const struct kpt_insn *insn, struct user_pt_regs *regs,
		       u64 pc)
{
	u64 next = pc + 4;

	switch (insn->sim) {
	case KPT_SIM_BL:
		regs->regs[LINK] = next;
		fallthrough;
	case KPT_SIM_B:
		next = kpt_insn_target(insn, pc);
		break;
	case KPT_SIM_B_COND:
	case KPT_SIM_CBZ:
	case KPT_SIM_TBZ:
	case KPT_SIM_CB_REG:
	case KPT_SIM_CB_BYTE:
	case KPT_SIM_CB_HALF:
	case KPT_SIM_CB_IMM:
		if (branch_taken(insn, regs))
			next = kpt_insn_target(insn, pc);
		break;
	case KPT_SIM_BR:
	case KPT_SIM_BLR:
	case KPT_SIM_RET:
		/* Every instruction clears BTYPE; only BR and BLR then set it. */
		regs->pstate &= ~KPT_PSTATE_BTYPE;
		indirect_branch(insn, regs, pc);
		return true;
	default:
		if (!simulate_data(insn, regs, pc))
			return false;
		break;
	}
	regs->pstate &= ~KPT_PSTATE_BTYPE;
	regs->pc = next;
	return true;
}
