// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fetch programs as code, in a recorder (recorder.c): arguments that take more than
 * copies of registers. The code runs where the room for the record is known, but nothing
 * has changed yet. So whatever cannot be done here, as an address that cannot be read
 * or is in user memory, is left to kpt_hit().
 *
 *	x9, x11, sp: as in all recorders
 *	x10: the record, with its struct kpt_ring_header
 *	x13: the value of an argument; x14: an address
 *
 * A program without strings does not change x12, x15, x16 and x17. One with strings does not
 * change x16, and has to find out where the record ends:
 *
 *	x15: the end of what is in the record; x17: 8 less than the end of its room
 *	x12: anything
 *
 * For +8(+16(%x0)):u32, at offset 24 of the record:
 *
 *	adr	x13, 10b		// where kpt_hit() is left the hit
 *	stp	x30, x13, [sp, #80]
 *
 *	add	x14, x0, #16
 *	ldr	x13, =kpt_direct_read8
 *	blr	x13
 *	add	x14, x13, #8
 *	ldr	x13, =kpt_direct_read4
 *	blr	x13
 *	str	w13, [x10, #40]
 *
 *	ldr	x30, [sp, #80]
 *	ldr	x13, [x17, #24]		// kpt_ring.seq
 *
 * For +0(%x0):string, whose kpt_data_loc() is at offset 16 of the record; the record has
 * a fixed part of 20 bytes, and takes 168 bytes of the ring at most:
 *
 *	stp	x17, x16, [sp, #96]
 *	str	x15, [x10, #16]		// the head of the record
 *	add	x17, x10, #160
 *	add	x15, x10, #36
 *
 *	mov	x14, x0
 *	ldr	x13, =kpt_direct_string
 *	blr	x13
 *	str	w12, [x10, #32]
 *
 *	ldr	x17, [sp, #96]
 *	sub	x14, x15, x10
 *	add	x14, x14, #7
 *	and	x14, x14, #~7		// kpt_ring_length()
 *	ldr	x15, [x10, #16]
 *	ldp	x12, x13, [x17, #16]	// kpt_ring.write and .seq
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "kernel/cpu.h"
#include "lib/fetch/fetch_internal.h"
#include "lib/ring/ring.h"
#include "recorder/recorder.h"
#include "engine.h"

/* Words that one step may take; those that all code has before and behind them. */
#define STEP_WORDS	24
#define BEGIN_WORDS	6
#define END_WORDS	8
/* Bytes of an array that are read one number after the other. */
#define COPY_MAX	16

/* Arm ARM C6.2 */
#define X12		12
#define X13		13
#define X14		14
#define X15		15
#define MOVZ_X14(n)	(0xd280000e | (u32)(n) << 5)
#define MOVK_X14(n, i)	(0xf280000e | (u32)(i) << 21 | (u32)(n) << 5)
#define ADD_X14(rn, n)	(0x9100000e | (u32)(n) << 10 | (rn) << 5)
#define SUB_X14(rn, n)	(0xd100000e | (u32)(n) << 10 | (rn) << 5)
#define ADD_X14_X14(rm)	(0x8b0001ce | (rm) << 16)
#define ADD_X13_X13(n)	(0x910001ad | (u32)(n) << 10)
#define LSR_X13(rn, n)	(0xd340fc0d | (u32)(n) << 16 | (rn) << 5)
#define UBFX_X13(lsb, n) (0xd34001ad | (lsb) << 16 | ((lsb) + (n) - 1) << 10)
#define SBFX_X13(lsb, n) (UBFX_X13(lsb, n) & ~(1u << 30))
#define LDR_X13(to)	(0x5800000d | ((to) & 0x7ffff) << 5)
#define ADR_X13(to)	(0x1000000d | ((to) & 3) << 29 | ((to) >> 2 & 0x7ffff) << 5)
#define BLR_X13		0xd63f01a0
#define MRS_X13_SP_EL0	0xd538410d
#define LDR_X13_X17(n)	(0xf940022d | (u32)(n) / 8 << 10)
#define LDP_X13_X14_X11(n) (0xa940396d | (u32)(n) / 8 << 15)
#define LDR_W13_X11(n)	(0xb940016d | (u32)(n) / 4 << 10)
#define STP_X30_X13_SP(n) (0xa90037fe | (u32)(n) / 8 << 15)
#define STP_X17_X16_SP(n) (0xa90043f1 | (u32)(n) / 8 << 15)
#define LDR_X17_SP(n)	(0xf94003f1 | (u32)(n) / 8 << 10)
#define ADD_X17_X10(n)	(0x91000151 | (u32)(n) << 10)
#define ADD_X15_X10(n)	(0x9100014f | (u32)(n) << 10)
#define SUB_X14_X15_X10	0xcb0a01ee
#define AND_X14_X14_NOT7 0x927df1ce
#define LDP_X12_X13_X17(n) (0xa940362c | (u32)(n) / 8 << 15)
#define STP_X13_X14_X15	0xa90039ed
#define SUB_X14_X14(n)	(0xd10001ce | (u32)(n) << 10)
#define ADD_X14_X13_X14	0x8b0e01ae
#define LSR_X13_16	0xd350fdad
#define ADD_X15_X15_X13	0x8b0d01ef
#define LDR_X30_SP(n)	(0xf94003fe | (u32)(n) / 8 << 10)

/**
 * struct code - a fetch program while it becomes code
 * @words: the code
 * @nr: number of words so far
 * @place: where the code is
 * @value: number of the register that has the value
 * @has_strings: x15 is where the next bytes behind the fixed part of the record begin
 * @dynamic: or else where they begin
 */
struct code {
	u32 *words;
	int nr;
	const struct kpt_direct_place *place;
	u32 value;
	bool has_strings;
	unsigned int dynamic;
};

static void put(struct code *c, u32 word)
{
	c->words[c->nr++] = word;
}

/* Store the low @size bytes of a register, or load them into it. */
static bool put_access(struct code *c, u32 word)
{
	if (word)
		put(c, word);
	return word;
}

static bool put_store(struct code *c, u32 reg, unsigned int size, unsigned int offset)
{
	return put_access(c, kpt_direct_store(reg, size, c->place->at + offset));
}

/* x14 = value + @offset */
static void put_address(struct code *c, u64 offset)
{
	unsigned int i;

	if (offset < SZ_4K) {
		put(c, ADD_X14(c->value, offset));
	} else if (-offset < SZ_4K) {
		put(c, SUB_X14(c->value, -offset));
	} else {
		put(c, MOVZ_X14(offset & 0xffff));
		for (i = 1; i < 4; i++)
			if (offset >> 16 * i & 0xffff)
				put(c, MOVK_X14(offset >> 16 * i & 0xffff, i));
		put(c, ADD_X14_X14(c->value));
	}
}

/* @literal is the address of a routine of recorder_read.c. */
static void put_call(struct code *c, int literal)
{
	put(c, LDR_X13(literal - (c->place->begin + c->nr)));
	put(c, BLR_X13);
}

/* x13 = @size bytes at x14 */
static void put_read(struct code *c, unsigned int size)
{
	put_call(c, KPT_DIRECT_LITERAL_READ + 2 * ilog2(size));
	c->value = X13;
}

/* Copy @size bytes at x14 to the record. */
static bool put_copy(struct code *c, unsigned int size, unsigned int offset)
{
	unsigned int n;

	if (size > COPY_MAX)
		return false;
	for (; size; size -= n, offset += n) {
		n = min(8U, 1U << __fls(size));
		put_read(c, n);
		if (!put_store(c, X13, n, offset))
			return false;
		if (size > n)
			put(c, ADD_X14(X14, n));
	}
	return true;
}

static bool put_bits(struct code *c, const struct kpt_fetch_step *s, bool is_signed)
{
	u32 width = s->imm & 0xff, shift = s->imm >> 8 & 0xff;

	if (s->c != 1 || !put_access(c, kpt_direct_load(X13, s->a, c->place->at + s->b)))
		return false;
	put(c, is_signed ? SBFX_X13(shift, width) : UBFX_X13(shift, width));
	return put_store(c, X13, s->a, s->b);
}

static bool put_string(struct code *c, const struct kpt_fetch_step *s)
{
	bool is_user = s->a & KPT_STRING_USER;

	/* There LDTR may read kernel memory, and may not read that of the user. */
	if (is_user && IS_ENABLED(CONFIG_SET_FS))
		return false;
	put_address(c, s->imm);
	put_call(c, is_user ? KPT_DIRECT_LITERAL_USTRING : KPT_DIRECT_LITERAL_STRING);
	return put_store(c, X12, 4, s->b);
}

/* Behind strings. */
static bool put_comm_behind(struct code *c, const struct kpt_fetch_step *s)
{
	put(c, LDP_X13_X14_X11(offsetof(struct kpt_cpu, comm)));
	put(c, STP_X13_X14_X15);
	put(c, LDR_W13_X11(offsetof(struct kpt_cpu, comm_loc)));
	put(c, SUB_X14_X15_X10);
	put(c, SUB_X14_X14(sizeof(struct kpt_ring_header)));
	put(c, ADD_X14_X13_X14);
	put(c, LSR_X13_16);
	put(c, ADD_X15_X15_X13);
	return put_store(c, X14, 4, s->b);
}

/* The name of the task is the one that this CPU has noted: the recorder has compared. */
static bool put_comm(struct code *c, const struct kpt_fetch_step *s)
{
	unsigned int at = c->dynamic;

	if (c->has_strings)
		return put_comm_behind(c, s);
	c->dynamic += sizeof_field(struct kpt_cpu, comm);
	put(c, LDP_X13_X14_X11(offsetof(struct kpt_cpu, comm)));
	if (at >= SZ_4K || !put_store(c, X13, 8, at) || !put_store(c, X14, 8, at + 8))
		return false;
	put(c, LDR_W13_X11(offsetof(struct kpt_cpu, comm_loc)));
	put(c, ADD_X13_X13(at));
	return put_store(c, X13, 4, s->b);
}

static bool put_register(struct code *c, unsigned int reg)
{
	if (reg > KPT_DIRECT_SP)
		return false;
	c->value = kpt_direct_put_load(c->words, &c->nr, reg);
	return true;
}

/* Returns false if there is no code for a step. */
static bool put_step(struct code *c, const struct kpt_fetch_step *s)
{
	switch (s->op) {
	case KPT_OP_REG64:
		return put_register(c, s->a) && put_store(c, c->value, 8, s->b);
	case KPT_OP_LOAD:
		if (!put_register(c, s->a))
			return false;
		put_address(c, s->imm);
		return put_copy(c, s->c, s->b);
	case KPT_OP_REG:
		return put_register(c, s->a);
	case KPT_OP_TASK:
		put(c, MRS_X13_SP_EL0);
		c->value = X13;
		return true;
	case KPT_OP_SHIFT:
		put(c, LSR_X13(c->value, s->imm));
		c->value = X13;
		return true;
	case KPT_OP_READ:
		put_address(c, s->imm);
		put_read(c, 8);
		return true;
	case KPT_OP_STORE:
		return put_store(c, c->value, s->a, s->b);
	case KPT_OP_COPY:
		put_address(c, s->imm);
		return put_copy(c, s->a * s->c, s->b);
	case KPT_OP_BITS:
		return put_bits(c, s, false);
	case KPT_OP_SIGNED_BITS:
		return put_bits(c, s, true);
	case KPT_OP_STRING:
		return put_string(c, s);
	case KPT_OP_COMM:
		return put_comm(c, s);
	default:
		return false;
	}
}

/* @room: bytes of the record in the ring that strings may take up to */
static void put_begin_strings(struct code *c, const struct kpt_fetch_prog *prog,
			      unsigned int room)
{
	put(c, STP_X17_X16_SP(KPT_DIRECT_RING));
	put(c, kpt_direct_store(X15, 8, 0));
	put(c, ADD_X17_X10(room - 8));
	put(c, ADD_X15_X10(sizeof(struct kpt_ring_header) + prog->size));
}

static void put_end_strings(struct code *c)
{
	put(c, LDR_X17_SP(KPT_DIRECT_RING));
	put(c, SUB_X14_X15_X10);
	put(c, ADD_X14(X14, 7));
	put(c, AND_X14_X14_NOT7);
	put(c, kpt_direct_load(X15, 8, 0));
	put(c, LDP_X12_X13_X17(offsetof(struct kpt_ring, write)));
}

/**
 * kpt_direct_put_fetch() - write a fetch program as code
 * @words: result, KPT_DIRECT_FETCH_MAX words
 * @prog: the program
 * @place: where it is
 *
 * Context: process context.
 * Return: number of words, 0 if the program cannot be code.
 */
unsigned int kpt_direct_put_fetch(u32 *words, const struct kpt_fetch_prog *prog,
				  const struct kpt_direct_place *place)
{
	struct code c = {
		.words = words, .place = place,
		.has_strings = prog->has_strings, .dynamic = prog->size,
	};
	const struct kpt_fetch_step *s;

	if (place->room < BEGIN_WORDS)
		return 0;
	put(&c, ADR_X13((place->leave - place->begin) * sizeof(u32)));
	put(&c, STP_X30_X13_SP(KPT_DIRECT_STUB));
	if (prog->has_strings)
		put_begin_strings(&c, prog, place->length - prog->room);
	for (s = prog->step; s->op != KPT_OP_END; s++)
		if (c.nr > place->room - STEP_WORDS - END_WORDS ||
		    !put_step(&c, s))
			return 0;
	put(&c, LDR_X30_SP(KPT_DIRECT_STUB));
	if (prog->has_strings)
		put_end_strings(&c);
	else
		put(&c, LDR_X13_X17(offsetof(struct kpt_ring, seq)));
	return c.nr;
}
