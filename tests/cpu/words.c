// SPDX-License-Identifier: GPL-2.0-only
/* Instructions of each row of the decoder's table, and what they need. */
#include <string.h>
#include <sys/auxv.h>
#include "cpu_test.h"

/* So many words of a row are tried before the CPU is said not to have it. */
#define TRIES 300
#define WORDS_PER_ROW 4

#define RD(word) ((word) & 31)
#define RN(word) ((word) >> 5 & 31)
#define RM(word) ((word) >> 16 & 31)

/* What the CPU must have for a word that no program may try. */
enum need {
	ALWAYS,
	PAN,
	UAO,
	ATS1E1,
	SPECRES,
	NEVER,
};

/* Rt, bits 4:0, is random, a pointer to memory, or fixed as it is. */
enum rt {
	RANDOM,
	POINTER,
	FIXED,
};

/* What the kernel alone may do, and what would break the program that tries. */
static const struct {
	const char *row;
	uint32_t word;
	enum rt rt;
	enum need need;
} by_hand[] = {
	{ "MSR UAO (immediate)", 0xd500407f, FIXED, UAO },
	{ "MSR UAO (immediate)", 0xd500417f, FIXED, UAO },
	{ "MSR PAN (immediate)", 0xd500409f, FIXED, PAN },
	{ "MSR PAN (immediate)", 0xd500419f, FIXED, PAN },
	{ "MSR ALLINT (immediate)", 0, FIXED, NEVER },
	{ "MSR PM (immediate)", 0, FIXED, NEVER },
	{ "MSR ALLINT", 0, FIXED, NEVER },
	{ "MSR PM", 0, FIXED, NEVER },
	{ "MSR DAIFSet", 0xd50342df, FIXED, ALWAYS },
	{ "MSR DAIFSet", 0xd5034fdf, FIXED, ALWAYS },
	{ "MSR DAIFClr", 0xd50342ff, FIXED, ALWAYS },
	{ "MSR DAIFClr", 0xd5034fff, FIXED, ALWAYS },
	{ "MSR DAIFClr", 0xd50345ff, FIXED, ALWAYS },
	{ "MSR DAIF", 0xd51b4220, RANDOM, ALWAYS },
	{ "MSR DAIF", 0xd51b423f, FIXED, ALWAYS },
	{ "MRS DAIF", 0xd53b4220, RANDOM, ALWAYS },
	{ "MSR PAN", 0xd5184260, RANDOM, PAN },
	{ "MSR UAO", 0xd5184280, RANDOM, UAO },
	{ "AT", 0xd5087800, POINTER, ALWAYS },
	{ "AT", 0xd5087840, RANDOM, ALWAYS },
	{ "AT (PAN, ATS1A)", 0xd5087900, POINTER, ATS1E1 },
	{ "IC/DC", 0xd50b7420, POINTER, ALWAYS },
	{ "IC/DC", 0xd50b7a20, POINTER, ALWAYS },
	{ "IC/DC", 0xd50b7520, POINTER, ALWAYS },
	{ "IC/DC", 0xd508751f, FIXED, ALWAYS },
	{ "TLBI", 0xd5088360, RANDOM, ALWAYS },
	{ "TLBI", 0xd508831f, FIXED, ALWAYS },
	{ "TLBI nXS", 0, FIXED, NEVER },
	{ "GIC/GICR/GSB", 0, FIXED, NEVER },
	{ "BRB", 0, FIXED, NEVER },
	{ "TRCIT", 0, FIXED, NEVER },
	{ "APAS", 0, FIXED, NEVER },
	{ "CFP/DVP/COSP/CPP RCTX", 0xd50b7380, RANDOM, SPECRES },
	{ "MSR TPIDR_EL0", 0xd51bd040, RANDOM, ALWAYS },
	{ "MSR TPIDRRO_EL0", 0xd51bd060, RANDOM, ALWAYS },
	{ "MSR TPIDR2_EL0", 0, FIXED, NEVER },
	{ "MSR performance monitors (EL0)", 0xd51b9c3f, FIXED, ALWAYS },
	{ "MSR timers and event counters (EL0)", 0xd51be240, RANDOM, ALWAYS },
	{ "MSR ICC_PMR_EL1", 0, FIXED, NEVER },
	{ "MSR GIC CPU interface (EL1)", 0, FIXED, NEVER },
	{ "MRS", 0xd5380000, RANDOM, ALWAYS },
	{ "MRS", 0xd53b0020, RANDOM, ALWAYS },
	{ "MRS", 0xd5384100, RANDOM, ALWAYS },
	{ "MRS", 0xd5384240, RANDOM, ALWAYS },
	{ "MRS", 0xd53b4200, RANDOM, ALWAYS },
	{ "MRS", 0xd5381000, RANDOM, ALWAYS },
	{ "STZGM", 0, FIXED, NEVER },
	{ "STGM", 0, FIXED, NEVER },
	{ "LDGM", 0, FIXED, NEVER },
};

static bool has(enum need need, const struct cpu_info *info)
{
	switch (need) {
	case ALWAYS:
		return true;
	case PAN:
		return info->pan;
	case UAO:
		return info->uao;
	case ATS1E1:
		return info->ats1e1;
	case SPECRES:
		return info->specres;
	default:
		return false;
	}
}

/* 1 if found, 0 if the row has no more, -1 if it is not in the table. */
static int from_hand(const char *name, unsigned int n,
		     const struct cpu_info *info, struct test *t)
{
	unsigned int i, rt, seen = 0;

	for (i = 0; i < sizeof(by_hand) / sizeof(by_hand[0]); i++) {
		if (strcmp(by_hand[i].row, name) || seen++ != n)
			continue;
		if (!has(by_hand[i].need, info))
			return 0;
		t->word = by_hand[i].word;
		rt = any() % 31;
		if (by_hand[i].rt != FIXED)
			t->word |= rt;
		if (by_hand[i].rt == POINTER)
			t->pointers = 1u << rt;
		return 1;
	}
	return seen ? 0 : -1;
}

/*
 * QEMU 7.2 ends itself at what is not allocated of the two-register operations on
 * half precision. Arm ARM C4.1, "Advanced SIMD two-register miscellaneous (FP16)":
 * bit 28, of a scalar, U, bit 29, and a, bit 23, say which opcodes there are.
 */
static bool ends_qemu(uint32_t word)
{
	static const uint32_t opcodes[2][2][2] = {
		{ { 0x3f000000, 0x2f00f000 }, { 0x3f000000, 0xae00b000 } },
		{ { 0x3c000000, 0xac007000 }, { 0x3c000000, 0x2c003000 } },
	};
	uint32_t allocated = opcodes[word >> 28 & 1][word >> 29 & 1]
				    [word >> 23 & 1];

	return (word & 0x8f7e0c00) == 0x0e780800 &&
	       !(allocated >> (word >> 12 & 31) & 1);
}

static uint32_t random_word(unsigned int row)
{
	const struct kpt_insn_row *r = &kpt_insn_rows[row];
	struct kpt_insn insn;
	uint32_t word;
	int tries;

	for (tries = 0; tries < 1000; tries++) {
		word = ((uint32_t)any() & ~r->mask) | r->value;
		kpt_insn_decode(word, &insn);
		if (insn.row == row && !ends_qemu(word))
			return word;
	}
	return 0;
}

/* Fields that say how far away something is: not out of the place. */
static uint32_t shorten(uint32_t word, unsigned int sim)
{
	int32_t words = (int32_t)(any() % 60) - 30;

	/* Not to itself, nor to what a literal of 16 bytes at itself would be. */
	if (words > -4 && words <= 0)
		words = 1;
	switch (sim) {
	case KPT_SIM_ADR:
	case KPT_SIM_ADRP:
		return word;
	case KPT_SIM_B:
	case KPT_SIM_BL:
		return (word & 0xfc000000) | (words & 0x3ffffff);
	case KPT_SIM_TBZ:
		return (word & 0xfff8001f) | (words & 0x3fff) << 5;
	case KPT_SIM_CB_REG:
	case KPT_SIM_CB_BYTE:
	case KPT_SIM_CB_HALF:
	case KPT_SIM_CB_IMM:
		return (word & 0xffffc01f) | (words & 0x1ff) << 5;
	default:
		return (word & 0xff00001f) | (words & 0x7ffff) << 5;
	}
}

static bool has_pac(void) { return getauxval(AT_HWCAP) & HWCAP_PACA; }

/* Branches to a register, and loads from a signed pointer. */
static bool with_pointer(const struct kpt_insn *insn, struct test *t)
{
	bool pac = !strcmp(kpt_insn_rows[t->row].feat, "PAuth");
	unsigned int rn = RN(t->word);

	if (insn->flags & (KPT_INSN_INDIRECT | KPT_INSN_RET)) {
		if (pac && insn->flags & KPT_INSN_RET)
			rn = 30;
		if (rn == 31 || (insn->flags & KPT_INSN_INDIRECT && rn == 18))
			return false;
		t->landing = 1u << rn;
		t->signed_reg = rn;
		if (pac)
			t->sign = t->word >> 10 & 1 ? 2 : 1;
		t->modifier = 32;
		if (pac && insn->flags & KPT_INSN_RET)
			t->modifier = 31;
		else if (t->word >> 24 & 1)
			t->modifier = RD(t->word);
		return t->modifier != rn;
	}
	/* LDRAA, LDRAB: the offset is made small. */
	t->word &= ~0x005f8000u;
	if (rn == 31 || RD(t->word) == rn)
		return false;
	t->pointers = 1u << rn;
	t->signed_reg = rn;
	t->sign = t->word >> 23 & 1 ? 4 : 3;
	t->modifier = 32;
	return true;
}

/*
 * AUT*, which fault with FEAT_FPAC unless the register was signed for them. Returns false if
 * the word is no such instruction, or has one register in two roles.
 */
static bool with_signature(struct test *t)
{
	bool is_hint = (t->word & 0xfffff01f) == 0xd503201f;
	unsigned int op = t->word >> 5 & 0x7f;

	if (is_hint && (op == 0xc || op == 0xe)) {
		/* AUTIA1716, AUTIB1716 */
		t->signed_reg = 17;
		t->modifier = 16;
		t->sign = op == 0xe ? 2 : 1;
	} else if (is_hint && op >= 0x1c && op <= 0x1f) {
		/* AUTIAZ, AUTIASP, AUTIBZ, AUTIBSP */
		t->signed_reg = 30;
		t->modifier = op & 1 ? 31 : 32;
		t->sign = op & 2 ? 2 : 1;
	} else if ((t->word & 0xffffd000) == 0xdac11000) {
		/* AUTIA to AUTDB, and with zero */
		t->signed_reg = RD(t->word);
		t->modifier = t->word >> 13 & 1 ? 32 : RN(t->word);
		t->sign = 1 + (t->word >> 10 & 3);
	} else {
		return false;
	}
	if (t->signed_reg == 31 || t->modifier == t->signed_reg)
		return false;
	t->pointers = 1u << t->signed_reg;
	return true;
}

/* May the stack pointer be changed like that, or used like that? */
static bool stack_is_fine(uint32_t word, unsigned int flags)
{
	bool add_imm = (word & 0x3f800000) == 0x11000000;

	if (flags & KPT_INSN_MEM) {
		if (RN(word) != 31)
			return true;
		/* Pairs and 9-bit offsets, and none below it. */
		return ((word & 0x3a000000) == 0x28000000 &&
			!(word & 1u << 21)) ||
		       ((word & 0x3b200000) == 0x38000000 &&
			!(word & 1u << 20) && (word & 0xf000) == 0);
	}
	if (RD(word) != 31)
		return true;
	if (add_imm && !(word & 1u << 29))
		return RN(word) == 31 && word >> 31 &&
		       !(word & 0x003c0000) && !((word >> 10) & 15);
	/* Logical with an immediate, tags, SVE's, or with an extended register. */
	return (word & 0x1f000000) != 0x12000000 &&
	       (word & 0x1f000000) != 0x11000000 &&
	       (word & 0xff200000) != 0x04200000 &&
	       (word & 0x1f200000) != 0x0b200000 &&
	       (word & 0x7fe0f000) != 0x1ac01000;
}

static bool from_trial(const struct kpt_insn *insn, unsigned int tries,
		       struct test *t)
{
	uint32_t word = t->word;

	if (!stack_is_fine(word, insn->flags))
		return false;
	if (insn->flags & KPT_INSN_MEM) {
		if (RN(word) != 31)
			t->pointers = 1u << RN(word);
		if (RM(word) != 31 && RM(word) != RN(word))
			t->offsets = 1u << RM(word);
		t->vectors = tries < TRIES / 2 ? any() % 3 : NO_LANES;
		/* Then the base is one of them. */
		if (t->vectors == POINTERS)
			t->pointers = 0;
	}
	return trial(t);
}

bool choose(unsigned int row, unsigned int n, const struct cpu_info *info,
	    struct test *t)
{
	const struct kpt_insn_row *r = &kpt_insn_rows[row];
	struct kpt_insn insn;
	int found, tries;

	memset(t, 0, sizeof(*t));
	t->row = row;
	t->seed = any() >> 2;
	found = from_hand(r->name, n, info, t);
	if (found >= 0)
		return found;
	if (n >= WORDS_PER_ROW)
		return false;
	for (tries = 0; tries < TRIES; tries++) {
		memset(t, 0, sizeof(*t));
		t->row = row;
		t->seed = any() >> 2;
		t->word = random_word(row);
		/* Fields that should be ones: other values may be undefined. */
		if (!strcmp(r->name, "STLR") || !strcmp(r->name, "LDAR"))
			t->word |= 0x001f7c00;
		kpt_insn_decode(t->word, &insn);
		if (insn.row != row)
			return false;
		if (insn.verdict == KPT_INSN_SIMULATE &&
		    insn.flags & KPT_INSN_PC) {
			t->word = shorten(t->word, insn.sim);
			return !strcmp(r->feat, "BASE") ||
			       !strcmp(r->feat, "FP");
		}
		if (insn.flags & (KPT_INSN_INDIRECT | KPT_INSN_RET) ||
		    !strcmp(r->name, "LDRAA/LDRAB")) {
			if (strcmp(r->feat, "BASE") &&
			    (strcmp(r->feat, "PAuth") || !has_pac()))
				return false;
			if (with_pointer(&insn, t))
				return true;
			continue;
		}
		if (has_pac() && with_signature(t))
			return true;
		t->user = !strcmp(r->name, "STTR/LDTR");
		if (from_trial(&insn, tries, t))
			return true;
	}
	return false;
}
