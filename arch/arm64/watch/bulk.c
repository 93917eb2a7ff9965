// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory copy and set instructions (Arm ARM C6.2, "CPYP, CPYM, CPYE" and "SETP, SETM, SETE").
 *
 * Three instructions, one behind the other, do a copy or set: prologue, main part, epilogue. Each
 * does as much of it as it likes, and may be interrupted: registers say what is left. Behind
 * the prologue they say it in one of two formats, by which the CPU does, and flags tell which
 * (option A: C is clear). Before the prologue there is one format for all, and the prologue may
 * begin with any rest.
 */
#include "lib/base/port.h"
#include "insn/asm.h"
#include "watch/bulk.h"

#define PSTATE_N BIT(31)
#define PSTATE_C BIT(29)

/* Sizes above are never completed, and cannot be told from numbers below 0. */
#define MOST BIT_ULL(55)

static unsigned int field_rd(u32 word)
{
	return word & 31;
}

static unsigned int field_rs(u32 word)
{
	return word >> 16 & 31;
}

/* CPYF* and CPY*: bits 22 and 23 are the part. */
static bool is_copy(u32 word)
{
	return (word & 0xfb200c00) == 0x19000400 && (word >> 22 & 3) != 3;
}

/* SET*, not SETG*, which set tags, too: bits 14 and 15 are the part. */
static bool is_set(u32 word)
{
	return (word & 0xffe00c00) == 0x19c00400 && (word >> 14 & 3) != 3;
}

/* Prologue, main part, epilogue: 0, 1, 2. */
static unsigned int part_of(u32 word)
{
	return is_copy(word) ? word >> 22 & 3 : word >> 14 & 3;
}

/* Low 56 bits are the address that directions depend on. */
static u64 place_of(u64 addr)
{
	return addr & GENMASK_ULL(55, 0);
}

/* CPYF* never go backward. Without an overlap others may go either way. */
static bool begins_backward(u32 word, const struct kpt_bulk *bulk)
{
	u64 to = place_of(bulk->to), from = place_of(bulk->from);

	return word & BIT(26) && from < to && from + bulk->left > to;
}

/* The registers are those behind a prologue. */
static void read_started(u64 pstate, struct kpt_bulk *out)
{
	if (!(pstate & PSTATE_C)) {
		out->is_backward = out->is_copy && !(out->left & BIT_ULL(63)) && out->left;
		if (out->is_backward)
			return;
		/* Addresses are those of the end, and the size is that of what is left, below 0. */
		out->to += out->left;
		out->from += out->left;
		out->left = -out->left;
	} else if (out->is_copy && pstate & PSTATE_N) {
		out->is_backward = true;
		out->to -= out->left;
		out->from -= out->left;
	}
}

/**
 * kpt_bulk_read() - what is left to do of a memory copy or set?
 * @word: the instruction, which is about to be executed
 * @regs: the registers
 * @out: result
 *
 * Context: any, BRK included.
 * Return: true; false if it is none, or nothing is left.
 */
bool kpt_bulk_read(u32 word, const struct user_pt_regs *regs, struct kpt_bulk *out)
{
	unsigned int rs = field_rs(word);

	if ((!is_copy(word) && !is_set(word)) || field_rd(word) == XZR || a64_rn(word) == XZR ||
	    (is_copy(word) && rs == XZR))
		return false;
	*out = (struct kpt_bulk){
		.to = regs->regs[field_rd(word)],
		.left = regs->regs[a64_rn(word)],
		.is_copy = is_copy(word),
		.writes_user = word & BIT(12),
	};
	if (out->is_copy) {
		out->from = regs->regs[rs];
		out->reads_user = word & BIT(13);
	} else {
		out->value = rs == XZR ? 0 : regs->regs[rs];
	}
	if (part_of(word))
		read_started(regs->pstate, out);
	else
		out->is_backward = out->is_copy && begins_backward(word, out);
	return out->left && out->left < MOST;
}

/* How many bytes from an address on, or before it, are in the same block? */
static u64 room_at(u64 addr, u64 block, bool before)
{
	return before ? ((addr - 1) & (block - 1)) + 1 : block - (addr & (block - 1));
}

static struct kpt_access access_to(const struct kpt_bulk *bulk, u64 addr, u64 size)
{
	if (bulk->is_backward)
		addr += bulk->left - size;
	/* Tags and their like are above bit 55, which is as those of an address. */
	addr = addr & BIT_ULL(55) ? addr | GENMASK_ULL(63, 56) : place_of(addr);
	return (struct kpt_access){ .addr = addr, .size = size, .kind = KPT_ACCESS_BULK };
}

/**
 * kpt_bulk_portion() - what comes next of a memory copy or set?
 * @bulk: the copy or set
 * @block: a power of two
 * @read: what is read, up to the end of its block and that of @write; of a set no bytes
 * @write: as many bytes, which are written
 *
 * Context: any, BRK included.
 */
void kpt_bulk_portion(const struct kpt_bulk *bulk, u64 block, struct kpt_access *read,
		      struct kpt_access *write)
{
	u64 skip = bulk->is_backward ? bulk->left : 0;
	u64 size = min(bulk->left, room_at(bulk->to + skip, block, bulk->is_backward));

	if (bulk->is_copy)
		size = min(size, room_at(bulk->from + skip, block, bulk->is_backward));
	*write = access_to(bulk, bulk->to, size);
	write->writes = true;
	*read = access_to(bulk, bulk->from, bulk->is_copy ? size : 0);
	read->reads = true;
}

/**
 * kpt_bulk_advance() - some bytes were copied or set: begin again with the others
 * @word: the instruction
 * @bulk: what kpt_bulk_read() has said of it
 * @done: bytes, the next ones
 * @regs: changed, the PC to that of the prologue
 *
 * Context: any, BRK included.
 */
void kpt_bulk_advance(u32 word, const struct kpt_bulk *bulk, u64 done,
		      struct user_pt_regs *regs)
{
	u64 skip = bulk->is_backward ? 0 : done;

	regs->regs[field_rd(word)] = bulk->to + skip;
	if (bulk->is_copy)
		regs->regs[field_rs(word)] = bulk->from + skip;
	regs->regs[a64_rn(word)] = bulk->left - done;
	regs->pc -= sizeof(u32) * part_of(word);
}
