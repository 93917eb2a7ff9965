// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a function returns: its own return instructions, if these are the only
 * ways out of it.
 *
 * arm64 kernels are built with frame pointers and without sibling calls, so
 * that nearly every function leaves only through RETs inside its symbol. The
 * compiler may have moved cold parts into symbols of their own (name.cold,
 * name.part.0): they belong to the function when a branch of it leads there.
 */
#include <kptrace/compat.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <kptrace/ksyms.h>
#include <kptrace/symbol.h>
#include "engine.h"

/* Pieces one function may consist of. */
#define PIECES_MAX 8

/**
 * struct piece - a symbol that belongs to the function
 * @start: its first byte
 * @size: its bytes, padding behind the last instruction excluded
 */
struct piece {
	unsigned long start;
	unsigned long size;
};

/**
 * struct scan - a function being read
 * @name: its name up to the first dot
 * @piece: what belongs to it
 * @nr_pieces: how many
 * @out: return instructions found
 */
struct scan {
	char name[KSYM_NAME_LEN];
	struct piece piece[PIECES_MAX];
	unsigned int nr_pieces;
	struct kpt_arch_returns *out;
};

static bool is_instruction(u32 word)
{
	struct kpt_insn insn;

	kpt_insn_decode(word, &insn);
	return insn.reason != KPT_INSN_REASON_UNALLOCATED;
}

/* NOPs and zeroes between the last instruction and the next symbol. */
static bool is_padding(u32 word)
{
	return word == 0xd503201f || !word;
}

/*
 * What lies between the last instruction and the next symbol: padding, and
 * before a function that ftrace can call through a pointer of its own
 * (CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS) that pointer, 8 bytes, whose upper half
 * is that of a kernel address and no instruction.
 */
static unsigned long without_padding(unsigned long start, unsigned long size)
{
	size &= ~3UL;
	if (size > 8 && !is_instruction(kpt_patch_original(start + size - 4)))
		size -= 8;
	while (size && is_padding(kpt_patch_original(start + size - 4)))
		size -= 4;
	return size;
}

static int symbol_base_name(unsigned long addr, char *name)
{
	int err = kpt_ksyms.lookup_symbol_name(addr, name);

	if (!err)
		strchrnul(name, '.')[0] = '\0';
	return err;
}

static int add_piece(struct scan *s, unsigned long addr)
{
	unsigned long start, size;

	if (s->nr_pieces == PIECES_MAX || kpt_symbol_range(addr, &start, &size))
		return -ENOSPC;
	s->piece[s->nr_pieces].start = start;
	s->piece[s->nr_pieces].size = without_padding(start, size);
	s->nr_pieces++;
	return 0;
}

static bool inside(const struct scan *s, unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < s->nr_pieces; i++)
		if (addr - s->piece[i].start < s->piece[i].size)
			return true;
	return false;
}

/* Follow a branch out of what is known: to a cold part, or out for good. */
static bool take_in(struct scan *s, unsigned long target)
{
	char name[KSYM_NAME_LEN];

	if (symbol_base_name(target, name) || strcmp(name, s->name))
		return false;
	return !add_piece(s, target) && inside(s, target);
}

static int add_return(struct kpt_arch_returns *out, unsigned long addr)
{
	unsigned long *more;

	more = krealloc(out->addr, (out->nr + 1) * sizeof(*more), GFP_KERNEL);
	if (!more)
		return -ENOMEM;
	more[out->nr++] = addr;
	out->addr = more;
	return 0;
}

static int give_up(struct scan *s, unsigned long addr, const char *why)
{
	s->out->why = why;
	s->out->at = addr;
	return -EOPNOTSUPP;
}

static int scan_word(struct scan *s, unsigned long addr)
{
	struct kpt_insn insn;
	unsigned long target;

	kpt_insn_decode(kpt_patch_original(addr), &insn);
	if (insn.reason == KPT_INSN_REASON_UNALLOCATED ||
	    insn.reason == KPT_INSN_REASON_UNDEFINED)
		return give_up(s, addr, "data among the instructions");
	if (insn.flags & KPT_INSN_RET)
		return add_return(s->out, addr);
	if (insn.flags & KPT_INSN_CALL)
		return 0;
	if (insn.flags & KPT_INSN_INDIRECT)
		return give_up(s, addr, "branch to a register");
	if (insn.flags & KPT_INSN_STOP && insn.verdict == KPT_INSN_REFUSE &&
	    insn.reason == KPT_INSN_REASON_ERET)
		return give_up(s, addr, "returns from an exception");
	if (insn.flags & KPT_INSN_BRANCH) {
		target = kpt_insn_target(&insn, addr);
		if (!inside(s, target) && !take_in(s, target))
			return give_up(s, addr, "branch to another function");
	}
	return 0;
}

static int scan_piece(struct scan *s, const struct piece *p)
{
	unsigned long addr, last = p->start + p->size - 4;
	struct kpt_insn insn;
	int err;

	if (!p->size)
		return give_up(s, p->start, "no instructions");
	for (addr = p->start; addr <= last; addr += 4) {
		err = scan_word(s, addr);
		if (err)
			return err;
	}
	/* A call at the very end is to a function that does not return. */
	kpt_insn_decode(kpt_patch_original(last), &insn);
	if (kpt_insn_falls_through(&insn) && !(insn.flags & KPT_INSN_CALL))
		return give_up(s, last, "runs on into the next function");
	return 0;
}

static int scan_function(struct scan *s, unsigned long func)
{
	unsigned int i;
	int err;

	err = add_piece(s, func);
	if (!err && s->piece[0].start != func)
		err = give_up(s, func, "not the entry of a function");
	for (i = 0; !err && i < s->nr_pieces; i++)
		err = scan_piece(s, &s->piece[i]);
	if (!err && !s->out->nr)
		err = give_up(s, func, "no return instruction");
	return err;
}

int kpt_arch_find_returns(unsigned long func, struct kpt_arch_returns *out)
{
	struct scan *s;
	int err;

	memset(out, 0, sizeof(*out));
	s = kzalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		return -ENOMEM;
	s->out = out;
	err = symbol_base_name(func, s->name);
	if (err)
		err = give_up(s, func, "belongs to no symbol");
	else
		err = scan_function(s, func);
	if (err) {
		kfree(out->addr);
		out->addr = NULL;
		out->nr = 0;
	}
	kfree(s);
	return err;
}
