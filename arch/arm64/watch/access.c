// SPDX-License-Identifier: GPL-2.0-only
/*
 * What memory an instruction touches, by its encoding (Arm ARM C4.1, "Loads and Stores") and
 * its registers. Not known are accesses of SVE, SME and tags, and those whose address is signed
 * or that are made as if by a program. Memory copy and set: see bulk.c.
 */
#include "lib/base/port.h"
#include "insn/asm.h"
#include "watch/access.h"

/* Fields of these encodings. */
static unsigned int field_size(u32 word)
{
	return word >> 30;
}

static bool is_vector(u32 word)
{
	return word & BIT(26);
}

static u64 sign_extend(u64 value, unsigned int bits)
{
	u64 sign = 1ULL << (bits - 1);

	return (value ^ sign) - sign;
}

static u64 base_of(u32 word, const struct user_pt_regs *regs)
{
	return a64_rn(word) == XZR ? regs->sp : regs->regs[a64_rn(word)];
}

/* A row of the tables below: words of which the bits in @mask are @value. */
struct shape {
	u32 mask;
	u32 value;
	kpt_access_reader_t read;
};

static bool set(struct kpt_access *out, u64 addr, u32 size, bool reads, bool writes)
{
	/* Tags and their like are above bit 55, which is as those of an address. */
	out->addr = sign_extend(addr & GENMASK_ULL(55, 0), 56);
	out->size = size;
	out->reads = reads;
	out->writes = writes;
	out->kind = KPT_ACCESS_PLAIN;
	return true;
}

/* Bit 22 tells loads from stores. */
static bool set_by_l(struct kpt_access *out, u64 addr, u32 size, u32 word)
{
	return set(out, addr, size, word & BIT(22), !(word & BIT(22)));
}

/* LD1 to LD4, ST1 to ST4 of whole registers: their number, by opcode. */
static bool read_structures(u32 word, const struct user_pt_regs *regs, struct kpt_access *out)
{
	static const u8 nr[16] = { 4, 0, 4, 0, 3, 0, 3, 1, 2, 0, 2 };
	unsigned int n = nr[word >> 12 & 15];

	return n && set_by_l(out, base_of(word, regs), n * (word & BIT(30) ? 16 : 8), word);
}

/* The same of one element of each register, or one element for all. */
static bool read_elements(u32 word, const struct user_pt_regs *regs, struct kpt_access *out)
{
	unsigned int opcode = word >> 13 & 7, size = word >> 10 & 3;
	unsigned int n = ((opcode & 1) << 1 | (word >> 21 & 1)) + 1;
	unsigned int scale = opcode >> 1;

	if (scale == 3)
		scale = size;
	else if (scale == 2 && size & 1)
		scale = 3;
	return set_by_l(out, base_of(word, regs), n << scale, word);
}

static bool read_element_ordered(u32 word, const struct user_pt_regs *regs,
				 struct kpt_access *out)
{
	return set_by_l(out, base_of(word, regs), 8, word);
}

/* Exclusive, ordered, compare and swap: o2 is bit 23, L bit 22, o1 bit 21. */
static bool read_exclusive(u32 word, const struct user_pt_regs *regs, struct kpt_access *out)
{
	unsigned int size = 1 << field_size(word);
	bool o1 = word & BIT(21);

	if (word & BIT(23)) {
		/* CAS reads, and may write. */
		return o1 ? set(out, base_of(word, regs), size, true, true) :
			    set_by_l(out, base_of(word, regs), size, word);
	}
	if (o1 && !(word & BIT(31)))	/* CASP */
		return set(out, base_of(word, regs), word & BIT(30) ? 16 : 8, true, true);
	set_by_l(out, base_of(word, regs), o1 ? 2 * size : size, word);
	out->kind = word & BIT(22) ? KPT_ACCESS_LOAD_EXCLUSIVE : KPT_ACCESS_STORE_EXCLUSIVE;
	return true;
}

static bool read_literal(u32 word, const struct user_pt_regs *regs, struct kpt_access *out)
{
	u64 addr = regs->pc + (sign_extend(word >> 5 & 0x7ffff, 19) << 2);
	unsigned int opc = word >> 30;

	if (opc == 3)
		return false;
	set(out, addr, is_vector(word) ? 4 << opc : opc == 1 ? 8 : 4, true, false);
	out->kind = KPT_ACCESS_LITERAL;
	return true;
}

/* LDIAPP, STILP; LDAP, LDAPP, STLP; LDAPR (post-indexed), STLR (pre-indexed) */
static bool read_ordered(u32 word, const struct user_pt_regs *regs, struct kpt_access *out)
{
	unsigned int size = word & BIT(30) ? 8 : 4, opc = word >> 12 & 15;
	bool loads = word & BIT(22);

	if (!(word & BIT(23)))
		size *= 2;
	/* Only these change the base, STLR and STILP before they store. */
	return set_by_l(out, base_of(word, regs) - (opc || loads ? 0 : size), size, word);
}

/* LDCLRP, LDSETP, SWPP */
static bool read_atomic_pair(u32 word, const struct user_pt_regs *regs, struct kpt_access *out)
{
	unsigned int opc = word >> 12 & 15;

	return (opc == 1 || opc == 3 || opc == 8) &&
	       set(out, base_of(word, regs), 16, true, true);
}

static u64 with_imm9(u32 word, const struct user_pt_regs *regs)
{
	return base_of(word, regs) + sign_extend(word >> 12 & 0x1ff, 9);
}

/* Of one register: its bytes, and whether it is loaded, by size and opc. */
static bool set_register(struct kpt_access *out, u64 addr, u32 word)
{
	unsigned int size = field_size(word), opc = word >> 22 & 3;
	bool loads = is_vector(word) ? opc & 1 : opc;

	if (!is_vector(word) && size == 3 && opc > 1)
		return false;	/* PRFM */
	if (is_vector(word) && opc > 1)
		size = 4;
	return set(out, addr, 1 << size, loads, !loads);
}

/* STLUR, LDAPUR */
static bool read_ordered_unscaled(u32 word, const struct user_pt_regs *regs,
				  struct kpt_access *out)
{
	return set_register(out, with_imm9(word, regs), word);
}

static bool read_pair(u32 word, const struct user_pt_regs *regs, struct kpt_access *out)
{
	unsigned int opc = word >> 30, mode = word >> 23 & 3, each, size;
	u64 addr = base_of(word, regs);

	if (opc == 3)
		return false;	/* unprivileged */
	each = is_vector(word) ? 4 << opc : opc == 2 ? 8 : 4;
	size = 2 * each;
	if (!is_vector(word) && opc == 1 && !(word & BIT(22)))
		each = size = 16;	/* STGP: its offset counts tag granules */
	if (mode != 1)
		addr += sign_extend(word >> 15 & 0x7f, 7) * each;
	return set_by_l(out, addr, size, word);
}

/* Unscaled, post-indexed, unprivileged, pre-indexed. */
static bool read_imm9(u32 word, const struct user_pt_regs *regs, struct kpt_access *out)
{
	unsigned int mode = word >> 10 & 3;

	if (mode == 2)
		return false;
	return set_register(out, mode == 1 ? base_of(word, regs) : with_imm9(word, regs), word);
}

static bool read_atomic(u32 word, const struct user_pt_regs *regs, struct kpt_access *out)
{
	unsigned int opc = word >> 12 & 15, size = 1 << field_size(word);
	u64 addr = base_of(word, regs);

	if (opc < 9 || is_vector(word))
		return set(out, addr, size, true, true);
	if (opc == 12)	/* LDAPR */
		return set(out, addr, size, true, false);
	if (size == 8 && opc == 13)	/* LD64B; the others are ST64B and its like */
		return set(out, addr, 64, true, false);
	if (size == 8 && opc < 12)
		return set(out, addr, 64, false, true);
	return false;
}

static bool read_offset(u32 word, const struct user_pt_regs *regs, struct kpt_access *out)
{
	unsigned int rm = word >> 16 & 31, option = word >> 13 & 7;
	unsigned int scale = field_size(word);
	u64 offset = rm == XZR ? 0 : regs->regs[rm];

	if (is_vector(word) && word & BIT(23))
		scale = 4;
	if (option == 2)
		offset = (u32)offset;
	else if (option == 6)
		offset = sign_extend((u32)offset, 32);
	if (word & BIT(12))
		offset <<= scale;
	return set_register(out, base_of(word, regs) + offset, word);
}

static bool read_imm12(u32 word, const struct user_pt_regs *regs, struct kpt_access *out)
{
	unsigned int scale = field_size(word);

	if (is_vector(word) && word & BIT(23))
		scale = 4;
	return set_register(out, base_of(word, regs) + ((u64)(word >> 10 & 0xfff) << scale),
			    word);
}

/* DC ZVA: zeroes a block that is aligned. */
#define DC_ZVA_MASK 0xffffffe0
#define DC_ZVA 0xd50b7420

static bool read_zva(u32 word, const struct user_pt_regs *regs, struct kpt_access *out)
{
	unsigned int rt = word & 31;
	u64 addr = rt == XZR ? 0 : regs->regs[rt], zeroes = out->size;

	return zeroes && set(out, addr & ~(zeroes - 1), zeroes, false, true);
}

/* The first one that matches decides. What is frequent comes first. */
static const struct shape shapes[] = {
	{ 0x3b000000, 0x39000000, read_imm12 },
	{ 0x3b200000, 0x38000000, read_imm9 },
	{ 0x3b200c00, 0x38200000, read_atomic },
	{ 0x3f000000, 0x08000000, read_exclusive },
	{ 0x3a000000, 0x28000000, read_pair },
	{ 0x3b200c00, 0x38200800, read_offset },
	{ 0xbfbf0000, 0x0c000000, read_structures },
	{ 0xbfa00000, 0x0c800000, read_structures },
	{ 0xbfbffc00, 0x0d018400, read_element_ordered },
	{ 0xbf9f0000, 0x0d000000, read_elements },
	{ 0xbf800000, 0x0d800000, read_elements },
	{ 0x3b000000, 0x18000000, read_literal },
	{ DC_ZVA_MASK, DC_ZVA, read_zva },
	{ 0xff200c00, 0x19200000, read_atomic_pair },
	{ 0xbf200c00, 0x99000800, read_ordered },
	{ 0x3f200c00, 0x19000000, read_ordered_unscaled },
	{ 0x3f200c00, 0x1d000800, read_ordered_unscaled },
};

/**
 * kpt_access_reader() - what reads the accesses of an instruction?
 * @word: the instruction
 *
 * Context: any, BRK included.
 * Return: a function; NULL if it touches no memory, or that is not known.
 */
kpt_access_reader_t kpt_access_reader(u32 word)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(shapes); i++)
		if ((word & shapes[i].mask) == shapes[i].value)
			return shapes[i].read;
	return NULL;
}

/**
 * kpt_insn_access() - what memory does an instruction touch?
 * @word: the instruction, which is about to be executed
 * @regs: the registers
 * @zeroes: bytes that DC ZVA zeroes, 0 if it is not allowed
 * @out: result
 *
 * Context: any, BRK included.
 * Return: true; false if it touches none, or that is not known.
 */
bool kpt_insn_access(u32 word, const struct user_pt_regs *regs, unsigned int zeroes,
		     struct kpt_access *out)
{
	kpt_access_reader_t read = kpt_access_reader(word);

	out->size = zeroes;
	return read && read(word, regs, out);
}

/* Registers that LD64B and its like use, from the first one on. */
#define MOST_REGS 8

/**
 * kpt_access_spare() - find a register that an instruction does not use
 * @word: one that kpt_insn_access() knows
 *
 * Context: any, BRK included.
 * Return: its number, at most 30. The base is SP where one is needed. The other three fields
 * of registers count as used with the registers behind them, which are 24 at most.
 */
unsigned int kpt_access_spare(u32 word)
{
	static const u8 at[] = { 0, 10, 16 };
	u32 used = 0;
	unsigned int i, reg;

	for (i = 0; i < ARRAY_SIZE(at); i++) {
		reg = word >> at[i] & 31;
		used |= ((1U << MOST_REGS) - 1) << reg;
	}
	for (reg = 0; used & 1; reg++)
		used >>= 1;
	return reg;
}

/**
 * kpt_access_rebase() - let an instruction take its address from another register than SP
 * @word: one that kpt_insn_access() knows
 * @reg: the register
 *
 * Context: any, BRK included.
 * Return: the instruction; @word itself if its address is not in SP.
 */
u32 kpt_access_rebase(u32 word, unsigned int reg)
{
	if ((word & DC_ZVA_MASK) == DC_ZVA || a64_rn(word) != XZR)
		return word;
	return (word & ~(31U << 5)) | reg << 5;
}

/**
 * kpt_access_may_use_sp() - does an instruction that touches no memory use SP?
 * @word: the instruction
 *
 * In additions, subtractions and immediate logic, number 31 is SP, as the Arm ARM has it for
 * some of them (C1.2.5); in others it is the zero register.
 *
 * Context: any, BRK included.
 * Return: false only if it does not.
 */
bool kpt_access_may_use_sp(u32 word)
{
	/* ADD, SUB (immediate) and (extended register); AND, ORR, EOR, ANDS (immediate) */
	bool may = (word & 0x1f800000) == 0x11000000 || (word & 0x1fe00000) == 0x0b200000 ||
		   (word & 0x1f800000) == 0x12000000;
	/* ADDS, SUBS and ANDS have no SP as the result. */
	bool sets_flags = word & BIT(29) && (word & 0x1f800000) != 0x12000000;

	return may && (a64_rn(word) == XZR || (!sets_flags && (word & 31) == XZR));
}
