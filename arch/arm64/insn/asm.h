/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An assembler: functions that encode one instruction each, and code that is being written,
 * with labels. Nothing here knows what the code is for. Portable: built into the module and
 * into host tests; tests/host/test_asm.c compares the words with those of GNU as.
 *
 * The functions are named after instructions (Arm ARM C6.2), operands have the order of the
 * assembler. Registers have 64 bits but where the name ends in _w. They return the word; 0,
 * which is no instruction that anyone wants, if an operand does not fit: kpt_put() notes
 * that, so only who has finished the code has to look.
 */
#ifndef KPT_ARM64_ASM_H
#define KPT_ARM64_ASM_H

#include "lib/base/port.h"

/* 31 is XZR or SP, as the instruction has it. */
enum a64_reg {
	X0, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10, X11, X12, X13, X14, X15, X16, X17, X18,
	X19, X20, X21, X22, X23, X24, X25, X26, X27, X28, X29, X30, XZR, SP = XZR,
};

enum a64_cond {
	A64_EQ, A64_NE, A64_CS, A64_CC, A64_MI, A64_PL, A64_VS, A64_VC,
	A64_HI, A64_LS, A64_GE, A64_LT, A64_GT, A64_LE,
};

/* A system register, as in the encoding of MRS and MSR. */
#define A64_SYSREG(op0, op1, n, m, op2) \
	((op0) << 19 | (op1) << 16 | (n) << 12 | (m) << 8 | (op2) << 5)

enum a64_sysreg {
	A64_SP_EL0 = A64_SYSREG(3, 0, 4, 1, 0),
	A64_ESR_EL1 = A64_SYSREG(3, 0, 5, 2, 0),
	A64_TPIDR_EL1 = A64_SYSREG(3, 0, 13, 0, 4),
	A64_NZCV = A64_SYSREG(3, 3, 4, 2, 0),
	A64_DAIF = A64_SYSREG(3, 3, 4, 2, 1),
	A64_CNTPCT = A64_SYSREG(3, 3, 14, 0, 1),
	A64_CNTVCT = A64_SYSREG(3, 3, 14, 0, 2),
	A64_CNTPCTSS = A64_SYSREG(3, 3, 14, 0, 5),
	A64_CNTVCTSS = A64_SYSREG(3, 3, 14, 0, 6),
	A64_TPIDR_EL2 = A64_SYSREG(3, 4, 13, 0, 2),
};

/* Instructions without operands. The branch goes where a64_to() says. */
#define A64_B		0x14000000U
#define A64_BL		0x94000000U
#define A64_NOP		0xd503201fU
#define A64_WFE		0xd503205fU
#define A64_BTI_C	0xd503245fU
#define A64_PACIASP	0xd503233fU
#define A64_AUTIASP	0xd50323bfU
#define A64_ISB		0xd5033fdfU
#define A64_DMB_ISH	0xd5033bbfU
#define A64_RET		0xd65f03c0U
#define A64_RETAA	0xd65f0bffU
#define A64_RETAB	0xd65f0fffU

/* The number of the first register that an instruction reads, in most encodings. */
static inline unsigned int a64_rn(u32 word)
{
	return word >> 5 & 31;
}

/* @word with @n in a field of @bits from bit @at on; 0 if it does not fit. */
static inline u32 a64_field(u32 word, u64 n, unsigned int bits, unsigned int at)
{
	return n >> bits ? 0 : word | (u32)n << at;
}

static inline u32 a64_signed_field(u32 word, s64 n, unsigned int bits, unsigned int at)
{
	s64 limit = 1LL << (bits - 1);

	return n < -limit || n >= limit ? 0 : word | ((u32)n & ((1U << bits) - 1)) << at;
}

/* Loads and stores of @size bytes: 1, 2, 4 or 8; loads make the upper bits 0. */

static inline u32 a64_access(u32 op, unsigned int size, enum a64_reg rt, enum a64_reg rn,
			     s64 offset)
{
	u32 word = op | (u32)__builtin_ctz(size) << 30 | rn << 5 | rt;

	/* LDR, STR; or LDUR, STUR */
	if (offset >= 0 && offset % size == 0)
		return a64_field(word | 1 << 24, offset / size, 12, 10);
	return a64_signed_field(word, offset, 9, 12);
}

static inline u32 a64_load(unsigned int size, enum a64_reg rt, enum a64_reg rn, s64 offset)
{
	return a64_access(0x38400000, size, rt, rn, offset);
}

static inline u32 a64_store(unsigned int size, enum a64_reg rt, enum a64_reg rn, s64 offset)
{
	return a64_access(0x38000000, size, rt, rn, offset);
}

static inline u32 a64_ldr(enum a64_reg rt, enum a64_reg rn, s64 offset)
{
	return a64_load(8, rt, rn, offset);
}

static inline u32 a64_ldr_w(enum a64_reg rt, enum a64_reg rn, s64 offset)
{
	return a64_load(4, rt, rn, offset);
}

/* [rn] */
static inline u32 a64_ldrsw(enum a64_reg rt, enum a64_reg rn)
{
	return 0xb9800000 | rn << 5 | rt;
}

static inline u32 a64_str(enum a64_reg rt, enum a64_reg rn, s64 offset)
{
	return a64_store(8, rt, rn, offset);
}

static inline u32 a64_str_w(enum a64_reg rt, enum a64_reg rn, s64 offset)
{
	return a64_store(4, rt, rn, offset);
}

/* [rn, rm] */
static inline u32 a64_ldr_at(enum a64_reg rt, enum a64_reg rn, enum a64_reg rm)
{
	return 0xf8606800 | rm << 16 | rn << 5 | rt;
}

/* [rn, rm, lsl #3] */
static inline u32 a64_ldr_at_lsl(enum a64_reg rt, enum a64_reg rn, enum a64_reg rm)
{
	return 0xf8607800 | rm << 16 | rn << 5 | rt;
}

static inline u32 a64_str_at(enum a64_reg rt, enum a64_reg rn, enum a64_reg rm)
{
	return 0xf8206800 | rm << 16 | rn << 5 | rt;
}

/* [rn], #offset */
static inline u32 a64_ldr_behind(enum a64_reg rt, enum a64_reg rn, s64 offset)
{
	return a64_signed_field(0xf8400400 | rn << 5 | rt, offset, 9, 12);
}

static inline u32 a64_str_behind(enum a64_reg rt, enum a64_reg rn, s64 offset)
{
	return a64_signed_field(0xf8000400 | rn << 5 | rt, offset, 9, 12);
}

/* With FEAT_LSE alone. */
static inline u32 a64_stadd(enum a64_reg rs, enum a64_reg rn)
{
	return 0xf820001f | rs << 16 | rn << 5;
}

static inline u32 a64_ldar(enum a64_reg rt, enum a64_reg rn)
{
	return 0xc8dffc00 | rn << 5 | rt;
}

static inline u32 a64_ldar_w(enum a64_reg rt, enum a64_reg rn)
{
	return 0x88dffc00 | rn << 5 | rt;
}

static inline u32 a64_ldxr(enum a64_reg rt, enum a64_reg rn)
{
	return 0xc85f7c00 | rn << 5 | rt;
}

static inline u32 a64_stxr(enum a64_reg ws, enum a64_reg rt, enum a64_reg rn)
{
	return 0xc8007c00 | ws << 16 | rn << 5 | rt;
}

static inline u32 a64_stlr(enum a64_reg rt, enum a64_reg rn)
{
	return 0xc89ffc00 | rn << 5 | rt;
}

static inline u32 a64_pair(u32 op, enum a64_reg rt, enum a64_reg rt2, enum a64_reg rn,
			   s64 offset)
{
	u32 word = op | rt2 << 10 | rn << 5 | rt;

	return offset % 8 ? 0 : a64_signed_field(word, offset / 8, 7, 15);
}

static inline u32 a64_ldp(enum a64_reg rt, enum a64_reg rt2, enum a64_reg rn, s64 offset)
{
	return a64_pair(0xa9400000, rt, rt2, rn, offset);
}

static inline u32 a64_stp(enum a64_reg rt, enum a64_reg rt2, enum a64_reg rn, s64 offset)
{
	return a64_pair(0xa9000000, rt, rt2, rn, offset);
}

/* _before: [rn, #offset]!; _behind: [rn], #offset */
static inline u32 a64_ldp_before(enum a64_reg rt, enum a64_reg rt2, enum a64_reg rn, s64 offset)
{
	return a64_pair(0xa9c00000, rt, rt2, rn, offset);
}

static inline u32 a64_stp_before(enum a64_reg rt, enum a64_reg rt2, enum a64_reg rn, s64 offset)
{
	return a64_pair(0xa9800000, rt, rt2, rn, offset);
}

static inline u32 a64_ldp_behind(enum a64_reg rt, enum a64_reg rt2, enum a64_reg rn, s64 offset)
{
	return a64_pair(0xa8c00000, rt, rt2, rn, offset);
}

static inline u32 a64_stp_behind(enum a64_reg rt, enum a64_reg rt2, enum a64_reg rn, s64 offset)
{
	return a64_pair(0xa8800000, rt, rt2, rn, offset);
}

/* Arithmetic. @n may be negative: ADD becomes SUB. */

static inline u32 a64_add_i(enum a64_reg rd, enum a64_reg rn, s64 n)
{
	return n < 0 ? a64_field(0xd1000000 | rn << 5 | rd, -n, 12, 10) :
		       a64_field(0x91000000 | rn << 5 | rd, n, 12, 10);
}

static inline u32 a64_add_i_w(enum a64_reg rd, enum a64_reg rn, s64 n)
{
	u32 word = a64_add_i(rd, rn, n);

	return word ? word & ~BIT(31) : 0;
}

static inline u32 a64_add_lsl(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm, unsigned int n)
{
	return a64_field(0x8b000000 | rm << 16 | rn << 5 | rd, n, 6, 10);
}

static inline u32 a64_add(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm)
{
	return a64_add_lsl(rd, rn, rm, 0);
}

static inline u32 a64_sub(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm)
{
	return 0xcb000000 | rm << 16 | rn << 5 | rd;
}

static inline u32 a64_cmp(enum a64_reg rn, enum a64_reg rm)
{
	return 0xeb00001f | rm << 16 | rn << 5;
}

/* ra + rn * rm */
static inline u32 a64_madd(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm, enum a64_reg ra)
{
	return 0x9b000000 | rm << 16 | ra << 10 | rn << 5 | rd;
}

static inline u32 a64_mul(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm)
{
	return a64_madd(rd, rn, rm, XZR);
}

static inline u32 a64_udiv(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm)
{
	return 0x9ac00800 | rm << 16 | rn << 5 | rd;
}

static inline u32 a64_clz(enum a64_reg rd, enum a64_reg rn)
{
	return 0xdac01000 | rn << 5 | rd;
}

static inline u32 a64_rbit(enum a64_reg rd, enum a64_reg rn)
{
	return 0xdac00000 | rn << 5 | rd;
}

static inline u32 a64_umulh(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm)
{
	return 0x9bc07c00 | rm << 16 | rn << 5 | rd;
}

/* Bitwise operations. _lsl, _asr, _ror: @rm is shifted by @n first. */

static inline u32 a64_and(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm)
{
	return 0x8a000000 | rm << 16 | rn << 5 | rd;
}

static inline u32 a64_bic(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm)
{
	return 0x8a200000 | rm << 16 | rn << 5 | rd;
}

static inline u32 a64_eor(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm)
{
	return 0xca000000 | rm << 16 | rn << 5 | rd;
}

static inline u32 a64_eor_lsr(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm, unsigned int n)
{
	return a64_field(0xca400000 | rm << 16 | rn << 5 | rd, n, 6, 10);
}

static inline u32 a64_eor_ror(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm, unsigned int n)
{
	return a64_field(0xcac00000 | rm << 16 | rn << 5 | rd, n, 6, 10);
}

static inline u32 a64_orr_lsl(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm, unsigned int n)
{
	return a64_field(0xaa000000 | rm << 16 | rn << 5 | rd, n, 6, 10);
}

static inline u32 a64_orr_ror(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm, unsigned int n)
{
	return a64_field(0xaac00000 | rm << 16 | rn << 5 | rd, n, 6, 10);
}

static inline u32 a64_orr(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm)
{
	return a64_orr_lsl(rd, rn, rm, 0);
}

static inline u32 a64_mvn_asr(enum a64_reg rd, enum a64_reg rm, unsigned int n)
{
	return a64_field(0xaaa003e0 | rm << 16 | rd, n, 6, 10);
}

/* Bits after which a number repeats itself: 2 to 64. */
static inline unsigned int a64_period(u64 n)
{
	unsigned int bits = 64;

	while (bits > 2 && !((n ^ n >> bits / 2) << (64 - bits / 2)))
		bits /= 2;
	return bits;
}

/*
 * @mask may be any run of ones in 2, 4, 8, 16, 32 or 64 bits, repeated, also one that continues
 * from the highest of these bits at the lowest.
 */
static inline u32 a64_masked(u32 op, enum a64_reg rd, enum a64_reg rn, u64 mask)
{
	unsigned int bits = a64_period(mask), start;
	u64 all = ~0ULL >> (64 - bits), run = mask & all;

	if (!mask || !~mask)
		return 0;
	start = (run & 1 ? 64 - __builtin_clzll(~run & all) : __builtin_ctzll(run)) & (bits - 1);
	run = start ? (run >> start | run << (bits - start)) & all : run;
	if (run & (run + 1))
		return 0;
	return op | (bits == 64) << 22 | (-start & (bits - 1)) << 16 |
	       ((-2 * bits & 63) | (63 - __builtin_clzll(run))) << 10 | rn << 5 | rd;
}

static inline u32 a64_and_i(enum a64_reg rd, enum a64_reg rn, u64 mask)
{
	return a64_masked(0x92000000, rd, rn, mask);
}

static inline u32 a64_orr_i(enum a64_reg rd, enum a64_reg rn, u64 mask)
{
	return a64_masked(0xb2000000, rd, rn, mask);
}

static inline u32 a64_eor_i(enum a64_reg rd, enum a64_reg rn, u64 mask)
{
	return a64_masked(0xd2000000, rd, rn, mask);
}

/* SBFM, BFM and UBFM of 64 bits: @width bits of @rn, from bit @lsb on, or to there. */

static inline u32 a64_bits(u32 op, enum a64_reg rd, enum a64_reg rn, unsigned int r,
			   unsigned int s)
{
	return r > 63 || s > 63 ? 0 : op | r << 16 | s << 10 | rn << 5 | rd;
}

static inline u32 a64_sbfx(enum a64_reg rd, enum a64_reg rn, unsigned int lsb,
			   unsigned int width)
{
	return a64_bits(0x93400000, rd, rn, lsb, lsb + width - 1);
}

static inline u32 a64_ubfx(enum a64_reg rd, enum a64_reg rn, unsigned int lsb,
			   unsigned int width)
{
	return a64_bits(0xd3400000, rd, rn, lsb, lsb + width - 1);
}

static inline u32 a64_bfi(enum a64_reg rd, enum a64_reg rn, unsigned int lsb,
			  unsigned int width)
{
	return lsb + width > 64 ? 0 : a64_bits(0xb3400000, rd, rn, -lsb & 63, width - 1);
}

static inline u32 a64_lsl(enum a64_reg rd, enum a64_reg rn, unsigned int n)
{
	return a64_bits(0xd3400000, rd, rn, -n & 63, 63 - n);
}

static inline u32 a64_ror(enum a64_reg rd, enum a64_reg rn, unsigned int n)
{
	return a64_field(0x93c00000 | rn << 16 | rn << 5 | rd, n, 6, 10);
}

/* The low 6 bits of @rm say how far. */
static inline u32 a64_lsrv(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm)
{
	return 0x9ac02400 | rm << 16 | rn << 5 | rd;
}

static inline u32 a64_rorv(enum a64_reg rd, enum a64_reg rn, enum a64_reg rm)
{
	return 0x9ac02c00 | rm << 16 | rn << 5 | rd;
}

static inline u32 a64_rev(enum a64_reg rd, enum a64_reg rn)
{
	return 0xdac00c00 | rn << 5 | rd;
}

static inline u32 a64_lsr(enum a64_reg rd, enum a64_reg rn, unsigned int n)
{
	return a64_ubfx(rd, rn, n, 64 - n);
}

/* @n is shifted to the left by 16 * @i. */

static inline u32 a64_movz(enum a64_reg rd, u32 n, unsigned int i)
{
	return a64_field(0xd2800000 | (i & 3) << 21 | rd, n, 16, 5);
}

static inline u32 a64_movn(enum a64_reg rd, u32 n, unsigned int i)
{
	return a64_field(0x92800000 | (i & 3) << 21 | rd, n, 16, 5);
}

static inline u32 a64_movk(enum a64_reg rd, u32 n, unsigned int i)
{
	return a64_field(0xf2800000 | (i & 3) << 21 | rd, n, 16, 5);
}

static inline u32 a64_movk_w(enum a64_reg rd, u32 n, unsigned int i)
{
	return a64_field(0x72800000 | (i & 1) << 21 | rd, n, 16, 5);
}

static inline u32 a64_movz_w(enum a64_reg rd, u32 n)
{
	return a64_field(0x52800000 | rd, n, 16, 5);
}

/* Branches, and what else names a place: a64_to() or kpt_put_to() say which. */

static inline u32 a64_b_if(enum a64_cond cond)
{
	return 0x54000000 | cond;
}

static inline u32 a64_cbz(enum a64_reg rt)
{
	return 0xb4000000 | rt;
}

static inline u32 a64_cbnz(enum a64_reg rt)
{
	return 0xb5000000 | rt;
}

static inline u32 a64_cbnz_w(enum a64_reg rt)
{
	return 0x35000000 | rt;
}

static inline u32 a64_cbz_w(enum a64_reg rt)
{
	return 0x34000000 | rt;
}

static inline u32 a64_tbz(enum a64_reg rt, unsigned int bit)
{
	return bit > 63 ? 0 : 0x36000000 | (bit >> 5) << 31 | (bit & 31) << 19 | rt;
}

static inline u32 a64_tbnz(enum a64_reg rt, unsigned int bit)
{
	return bit > 63 ? 0 : 0x37000000 | (bit >> 5) << 31 | (bit & 31) << 19 | rt;
}

static inline u32 a64_adr(enum a64_reg rd)
{
	return 0x10000000 | rd;
}

/* The 8 bytes that are there. */
static inline u32 a64_ldr_literal(enum a64_reg rt)
{
	return 0x58000000 | rt;
}

static inline u32 a64_br(enum a64_reg rn)
{
	return 0xd61f0000 | rn << 5;
}

static inline u32 a64_blr(enum a64_reg rn)
{
	return 0xd63f0000 | rn << 5;
}

static inline u32 a64_ret(enum a64_reg rn)
{
	return 0xd65f0000 | rn << 5;
}

static inline u32 a64_brk(u32 n)
{
	return a64_field(0xd4200000, n, 16, 5);
}

static inline u32 a64_mrs(enum a64_reg rt, u32 sysreg)
{
	return 0xd5200000 | sysreg | rt;
}

static inline u32 a64_msr(u32 sysreg, enum a64_reg rt)
{
	return 0xd5000000 | sysreg | rt;
}

/* MSR DAIFSet, #15 */
static inline u32 a64_mask_exceptions(void)
{
	return 0xd5034fdf;
}

u32 a64_to(u32 word, s64 distance);

/* Labels of a piece of code, branches to them, and values, at most. */
#define KPT_CODE_LABELS		1536
#define KPT_CODE_BRANCHES	1536
#define KPT_CODE_VALUES		24

/**
 * struct kpt_code - code while it is written
 * @words: room for it
 * @room: words that there is room for
 * @nr: words that were put
 * @failed: an operand did not fit, or there was no room
 * @nr_labels: number of labels that kpt_label() has made
 * @nr_branches: number of @branch
 * @nr_values: number of @value
 * @label: where each is, in words; -1: not known yet
 * @branch: words that have to get the distance to a label
 * @value: what kpt_put_value() loads, each with the label of its literal, which is behind
 *	the code
 */
struct kpt_code {
	u32 *words;
	unsigned int room;
	unsigned int nr;
	bool failed;
	u16 nr_labels;
	u16 nr_branches;
	u16 nr_values;
	int label[KPT_CODE_LABELS];
	struct {
		u16 at;
		u16 label;
	} branch[KPT_CODE_BRANCHES];
	struct {
		u64 value;
		unsigned int label;
	} value[KPT_CODE_VALUES];
};

/**
 * kpt_put() - append a word
 * @c: the code
 * @word: the word; 0, an instruction that cannot be encoded, makes kpt_code_end() fail
 *
 * Inline, as a recorder is written for each list of handlers, only to find that there is one.
 */
static inline void kpt_put(struct kpt_code *c, u32 word)
{
	if (!word || c->nr == c->room)
		c->failed = true;
	else
		c->words[c->nr++] = word;
}

void kpt_code_begin(struct kpt_code *c, u32 *words, unsigned int room);
unsigned int kpt_label(struct kpt_code *c);
void kpt_here(struct kpt_code *c, unsigned int label);
void kpt_put_to(struct kpt_code *c, u32 word, unsigned int label);
void kpt_put_value(struct kpt_code *c, enum a64_reg rt, u64 value);
bool kpt_code_end(struct kpt_code *c);

#endif
