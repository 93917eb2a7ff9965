// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find the return instructions of a function, if it leaves only by these.
 *
 * arm64 kernels are built with frame pointers and without sibling calls, so
 * nearly every function leaves only by RETs inside its symbol. The compiler may
 * have moved cold parts into symbols of their own (name.cold, name.part.0): they
 * belong to the function if it branches to them. The code at which the kernel
 * resumes after a fault of the function belongs to it too; some kernels keep it
 * in a section of its own (.fixup).
 */
#include "kernel/compat.h"
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <asm/brk-imm.h>
#include "kernel/ksyms.h"
#include "kernel/symbol/symbol.h"
#include "engine.h"

/* Pieces of one function, at most. */
#define PIECES_MAX 16
/* Bytes of fixup code for one fault, at most. */
#define FIXUP_MAX 256
/* Length of a chain of functions that each end with a call to the next. */
#define LAST_CALLS_MAX 8

/**
 * struct piece - a symbol, or fixup code, that belongs to the function
 * @start: address of its first byte
 * @size: its bytes, without padding after the last instruction
 * @may_fault: instructions in it may have entries in the exception table
 * @reached: one bit per word, set if a path from the entry leads to it; NULL
 *	before find_reached()
 * @stops: one bit per word, set if it is known that it never goes on
 */
struct piece {
	unsigned long start;
	unsigned long size;
	bool may_fault;
	unsigned long *reached;
	unsigned long *stops;
};

/**
 * struct scan - a function being read
 * @caller: scan of the function that ends with a call to this one, or NULL
 * @depth: number of callers in that chain
 * @name: its name up to the first dot; empty before a branch leaves its pieces
 * @piece: the pieces of the function
 * @nr_pieces: number of @piece in use
 * @reading: index of the piece that is being read
 * @leaves: branches lead out of the pieces
 * @jumps: by tables, anywhere in the pieces
 * @out: return instructions found
 */
struct scan {
	const struct scan *caller;
	unsigned int depth;
	char name[KSYM_NAME_LEN];
	struct piece piece[PIECES_MAX];
	unsigned int nr_pieces;
	unsigned int reading;
	bool leaves;
	bool jumps;
	struct kpt_arch_returns *out;
};

static bool is_instruction(u32 word)
{
	struct kpt_insn insn;

	kpt_insn_decode(word, &insn);
	return insn.reason != KPT_INSN_REASON_UNALLOCATED;
}

/* NOPs and zeroes fill the gap between the last instruction and the next symbol. */
static bool is_padding(u32 word)
{
	return kpt_insn_is_nop(word) || !word;
}

/*
 * Exclude the words between the last instruction and the next symbol. These are
 * padding and, with CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS, the pointer of 8 bytes
 * that ftrace has before a function: its upper half is that of a kernel address,
 * which is not an instruction.
 */
static unsigned long without_padding(unsigned long start, unsigned long size)
{
	size &= ~3UL;
	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS) && size > 8 &&
	    !is_instruction(kpt_patch_bare(start + size - 4)))
		size -= 8;
	while (size && is_padding(kpt_patch_bare(start + size - 4)))
		size -= 4;
	return size;
}

static int symbol_base_name(unsigned long addr, char *name)
{
	kpt_symbol_name(addr, name);
	if (!*name)
		return -ENOENT;
	strchrnul(name, '.')[0] = '\0';
	return 0;
}

/* There is room for it. */
static void put_piece(struct scan *s, unsigned long start, unsigned long size)
{
	s->piece[s->nr_pieces++] = (struct piece){
		.start = start,
		.size = size,
		.may_fault = kpt_fixups_may_be(start, size),
	};
}

static int add_piece(struct scan *s, unsigned long addr)
{
	unsigned long start, size;

	if (s->nr_pieces == PIECES_MAX || kpt_symbol_range(addr, &start, &size))
		return -ENOSPC;
	put_piece(s, start, without_padding(start, size));
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

/*
 * A branch leaves the known pieces. Add its target if it is a cold part of the
 * function, else return false: it leaves the function. Text that is freed after the boot
 * keeps its symbols, and may have one of the same name; it cannot be read any more.
 */
static bool take_in(struct scan *s, unsigned long target)
{
	char name[KSYM_NAME_LEN];

	if (!*s->name && symbol_base_name(s->piece[0].start, s->name))
		return false;
	if (symbol_base_name(target, name) || strcmp(name, s->name))
		return false;
	if (core_kernel_text(s->piece[0].start) && !core_kernel_text(target))
		return false;
	return !add_piece(s, target) && inside(s, target);
}

/* Address at which the kernel resumes when an instruction of a piece faults, or 0. */
static unsigned long fixup_of(const struct piece *p, unsigned long addr,
			      const struct kpt_insn *insn)
{
	return p->may_fault && insn->flags & KPT_INSN_MEM ? kpt_fixup_of(addr) : 0;
}

/* The end of the code at @addr: the first instruction that does not fall through. */
static unsigned long fixup_end(const struct scan *s, unsigned long addr)
{
	unsigned long end = addr;
	struct kpt_insn insn;

	do {
		kpt_insn_decode(kpt_patch_bare(end), &insn);
		end += 4;
	} while (kpt_insn_falls_through(&insn) && !inside(s, end) &&
		 end - addr < FIXUP_MAX);
	return end;
}

/* Join the code at @addr to the last piece if adjacent, unless that is read. */
static bool take_in_fixup(struct scan *s, unsigned long addr)
{
	struct piece *p = &s->piece[s->nr_pieces - 1];
	unsigned long end = fixup_end(s, addr);

	if (s->nr_pieces - 1 > s->reading &&
	    (p->start + p->size == addr || p->start == end)) {
		p->start = min(p->start, addr);
		p->size += end - addr;
		p->may_fault |= kpt_fixups_may_be(addr, end - addr);
		return true;
	}
	if (s->nr_pieces == PIECES_MAX)
		return false;
	put_piece(s, addr, end - addr);
	return true;
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

/* Does a BRK replace an instruction? kprobes and kgdb do so; others are compiled. */
static bool hides_instruction(u32 word)
{
	u32 imm = word >> 5 & 0xffff;

	return kpt_insn_is_brk(word) &&
	       (imm == KPROBES_BRK_IMM || imm == KGDB_DYN_DBG_BRK_IMM);
}

/* Can a function only go on behind it? That is so of most words. */
static bool is_ordinary(const struct piece *p, const struct kpt_insn *insn)
{
	u32 other = KPT_INSN_RET | KPT_INSN_CALL | KPT_INSN_INDIRECT | KPT_INSN_STOP |
		    KPT_INSN_BRANCH | (p->may_fault ? KPT_INSN_MEM : 0);

	return !(insn->flags & other) && insn->verdict != KPT_INSN_REFUSE;
}

/*
 * Does a BR belong to a switch? Its table has distances from the table, or from the BR, which
 * are added right before. Functions are reached by an address that was loaded as a whole.
 */
static bool jumps_by_table(const struct piece *p, unsigned long addr)
{
	u32 word = kpt_patch_bare(addr), before;

	/* Nothing may be mapped before the first word. */
	if (addr == p->start || (word & ~(31U << 5)) != a64_br(0))
		return false;
	before = kpt_patch_bare(addr - 4);
	return (before & 0xff000000) == 0x8b000000 && (before & 31) == (word >> 5 & 31);
}

static int scan_word(struct scan *s, const struct piece *p, unsigned long addr)
{
	u32 word = kpt_patch_bare(addr);
	struct kpt_insn insn;
	unsigned long target;

	if (hides_instruction(word))
		return give_up(s, addr, "breakpoint of somebody else");
	kpt_insn_decode(word, &insn);
	if (is_ordinary(p, &insn))
		return 0;
	if (insn.reason == KPT_INSN_REASON_UNALLOCATED ||
	    insn.reason == KPT_INSN_REASON_UNDEFINED)
		return give_up(s, addr, "data among the instructions");
	if (insn.flags & KPT_INSN_RET)
		return add_return(s->out, addr);
	if (insn.flags & KPT_INSN_CALL)
		return 0;
	if (insn.flags & KPT_INSN_INDIRECT) {
		if (!jumps_by_table(p, addr))
			return give_up(s, addr, "branch to a register");
		s->jumps = true;
		return 0;
	}
	if (insn.flags & KPT_INSN_STOP && insn.verdict == KPT_INSN_REFUSE &&
	    insn.reason == KPT_INSN_REASON_ERET)
		return give_up(s, addr, "returns from an exception");
	if (insn.flags & KPT_INSN_BRANCH) {
		target = kpt_insn_target(&insn, addr);
		s->leaves |= !inside(s, target) && !take_in(s, target);
	}
	target = fixup_of(p, addr, &insn);
	if (target && !inside(s, target) && !take_in_fixup(s, target))
		return give_up(s, addr, "goes on elsewhere after a fault");
	return 0;
}

static int find_returns(unsigned long func, const struct scan *caller,
			struct kpt_arch_returns *out);

/* Does @s read @func, or does one of the scans that called @s read it? */
static bool is_read(const struct scan *s, unsigned long func)
{
	for (; s; s = s->caller)
		if (s->piece[0].start == func)
			return true;
	return false;
}

/* Mark a word as reached. Returns true if it was not marked before. */
static bool reach(struct scan *s, unsigned long addr)
{
	struct piece *p;

	for (p = s->piece; p < s->piece + s->nr_pieces; p++)
		if (addr - p->start < p->size)
			return !__test_and_set_bit((addr - p->start) / 4,
						   p->reached);
	return false;
}

/*
 * May execution continue after the word at @addr, at the end of a piece? Not
 * after a call: a function that is called at the very end never returns. Nor
 * after a BUG.
 */
static bool goes_on(unsigned long addr)
{
	u32 word = kpt_patch_bare(addr);
	struct kpt_insn insn;

	kpt_insn_decode(word, &insn);
	return kpt_insn_falls_through(&insn) &&
	       !(insn.flags & KPT_INSN_CALL) && !kpt_insn_is_brk(word);
}

/*
 * Is the word at @addr the last instruction, a call or BUG that does not return,
 * and the last word a kCFI type? No function ends with an instruction that falls
 * through, so a last word that would do so is a type.
 */
static bool is_last_call(const struct piece *p, unsigned long addr)
{
	return KPT_KCFI && addr + 8 == p->start + p->size && !goes_on(addr) &&
	       goes_on(addr + 4);
}

/*
 * Is the word a BRK that never goes on: a BUG(), not a WARN(), or a trap of the compiler's, such
 * as those of UBSAN (0x55xx, arch/arm64/include/asm/brk-imm.h) and __builtin_trap() (1)?
 */
static bool is_trap(unsigned long addr, u32 word)
{
	unsigned int immediate = word >> 5 & 0xffff;
	const struct bug_entry *bug;

	if (!kpt_insn_is_brk(word))
		return false;
	if (immediate != BUG_BRK_IMM)
		return immediate >> 8 == 0x55 || immediate == 1 || immediate == FAULT_BRK_IMM;
	bug = kpt_has(find_bug) ? find_bug(addr) : NULL;
	return bug && !(bug->flags & BUGFLAG_WARNING);
}

/* The last word before @addr that may go on elsewhere, or not at all; 0: all follow each other. */
static unsigned long turn_before(const struct piece *p, unsigned long addr)
{
	struct kpt_insn insn;

	while ((addr -= 4) >= p->start) {
		kpt_insn_decode(kpt_patch_bare(addr), &insn);
		if (!kpt_insn_falls_through(&insn) || kpt_insn_is_brk(insn.word) ||
		    insn.flags & (KPT_INSN_BRANCH | KPT_INSN_CALL))
			return addr;
	}
	return 0;
}

/* Where the instructions of a piece end; with kCFI the last word may be a type. */
static unsigned long code_end(const struct piece *p)
{
	return p->start + p->size - (KPT_KCFI ? 4 : 0);
}

/*
 * The function that a BL calls. A module calls what is far away by a veneer: ADRP, ADD and BR of
 * x16 (arch/arm64/kernel/module-plts.c).
 */
static unsigned long called_at(unsigned long addr)
{
	unsigned long to = kpt_branch_target(kpt_patch_bare(addr), addr);
	u32 page = READ_ONCE(*(u32 *)to), add;
	struct kpt_insn adrp;

	/* What is no veneer may be shorter than one. */
	if ((page & 0x9f00001f) != (0x90000000 | X16))
		return to;
	add = READ_ONCE(*(u32 *)(to + 4));
	if ((add & 0xffc003ff) != a64_add_i(X16, X16, 0) ||
	    READ_ONCE(*(u32 *)(to + 8)) != a64_br(X16))
		return to;
	kpt_insn_decode(page, &adrp);
	return kpt_insn_target(&adrp, to) + (add >> 10 & 0xfff);
}

/* Is the word a trap, or a call of a function that never returns? */
static bool never_goes_on(const struct scan *s, unsigned long addr)
{
	u32 word = kpt_patch_bare(addr);
	struct kpt_arch_returns out;
	unsigned long target;

	if (!kpt_insn_is_bl(word))
		return is_trap(addr, word);
	target = called_at(addr);
	if (is_read(s, target) || find_returns(target, s, &out))
		return false;
	kfree(out.addr);
	return !out.nr;
}

/*
 * Note if what is before @addr never goes on. Then only branches lead to @addr: clang puts the
 * instructions of alternatives at the end of each function, GCC at the end of a file.
 */
static bool add_stop(const struct scan *s, struct piece *p, unsigned long addr)
{
	unsigned long turn = turn_before(p, addr);

	if (!turn || test_bit((turn - p->start) / 4, p->stops) || !never_goes_on(s, turn))
		return false;
	__set_bit((turn - p->start) / 4, p->stops);
	return true;
}

/* Mark the successors of a word. Returns true if any was not marked before. */
static bool follow(struct scan *s, const struct piece *p, unsigned long addr)
{
	struct kpt_insn insn;
	bool more = false;

	kpt_insn_decode(kpt_patch_bare(addr), &insn);
	if (insn.flags & KPT_INSN_BRANCH && !(insn.flags & KPT_INSN_CALL))
		more = reach(s, kpt_insn_target(&insn, addr));
	if (reach(s, fixup_of(p, addr, &insn)))
		more = true;
	if (kpt_insn_falls_through(&insn) && !test_bit((addr - p->start) / 4, p->stops) &&
	    !is_last_call(p, addr) && reach(s, addr + 4))
		more = true;
	return more;
}

/* Make the bitmaps of a piece. Behind its last turn may be what no path leads to. */
static int begin_paths(const struct scan *s, struct piece *p)
{
	size_t longs = BITS_TO_LONGS(p->size / 4);

	if (p->reached)
		return 0;
	p->reached = kvcalloc(2 * longs, sizeof(long), GFP_KERNEL);
	if (!p->reached)
		return -ENOMEM;
	p->stops = p->reached + longs;
	add_stop(s, p, code_end(p));
	return 0;
}

/* Where paths begin: at the entry, and anywhere that a table may lead to. */
static void reach_first(struct scan *s)
{
	unsigned long turn;
	struct piece *p;

	for (p = s->piece; p < s->piece + s->nr_pieces; p++) {
		bitmap_zero(p->reached, p->size / 4);
		turn = s->jumps ? turn_before(p, code_end(p)) : 0;
		if (turn)
			bitmap_set(p->reached, 0, (turn - p->start) / 4 + 1);
	}
	reach(s, s->piece[0].start);
}

/* Follow all paths from the entry, through all pieces found so far. */
static int find_reached(struct scan *s)
{
	struct piece *p;
	unsigned long i;
	bool more;

	for (p = s->piece; p < s->piece + s->nr_pieces; p++)
		if (begin_paths(s, p))
			return -ENOMEM;
	reach_first(s);
	do {
		more = false;
		for (p = s->piece; p < s->piece + s->nr_pieces; p++)
			for_each_set_bit(i, p->reached, p->size / 4)
				more |= follow(s, p, p->start + 4 * i);
	} while (more);
	return 0;
}

/*
 * With kCFI the word before a function that can be called through a pointer is
 * its type. So the last word of this function's symbol is the type of the next
 * function if no path leads to it. This is certain only for a function in one
 * piece, after all words but the last have been read. To a return instruction the branch of a
 * static key may lead, which is not there while the key is off.
 */
static bool ends_with_type(struct scan *s)
{
	struct piece *p = s->piece;
	struct kpt_insn last;

	if (!KPT_KCFI || s->nr_pieces > 1)
		return false;
	kpt_insn_decode(kpt_patch_bare(p->start + p->size - 4), &last);
	if (last.flags & KPT_INSN_RET || find_reached(s) ||
	    test_bit(p->size / 4 - 1, p->reached))
		return false;
	p->size = without_padding(p->start, p->size - 4);
	return true;
}

static int scan_piece(struct scan *s, const struct piece *p)
{
	unsigned long addr, last = p->start + p->size - 4;
	int err;

	if (!p->size)
		return give_up(s, p->start, "no instructions");
	for (addr = p->start; addr <= last; addr += 4) {
		if (addr == last && ends_with_type(s))
			break;
		err = scan_word(s, p, addr);
		if (err)
			return err;
	}
	return 0;
}

static bool branches_out(const struct scan *s, unsigned long addr)
{
	struct kpt_insn insn;

	kpt_insn_decode(kpt_patch_bare(addr), &insn);
	return insn.flags & KPT_INSN_BRANCH && !(insn.flags & KPT_INSN_CALL) &&
	       !inside(s, kpt_insn_target(&insn, addr));
}

/* The first word that leads out of a piece, and how; 0 if none is reached. */
static unsigned long way_out(const struct scan *s, const struct piece *p, const char **why)
{
	unsigned long i, last = p->start + p->size - 4;

	*why = "branch to another function";
	for_each_set_bit(i, p->reached, p->size / 4)
		if (branches_out(s, p->start + 4 * i))
			return p->start + 4 * i;
	*why = "runs on into the next function";
	return test_bit(p->size / 4 - 1, p->reached) && goes_on(last) ? last : 0;
}

static bool may_run_on(const struct scan *s)
{
	const struct piece *p;

	for (p = s->piece; p < s->piece + s->nr_pieces; p++)
		if (goes_on(p->start + p->size - 4))
			return true;
	return false;
}

/*
 * Refuse a function that branches to another one, or runs on past its end. Instructions that no
 * path reaches do not count: those of a source file's alternatives lie after its last function,
 * or after the function that has them, are never executed there, and may lead anywhere.
 */
static int check_exits(struct scan *s)
{
	struct piece *p;
	unsigned long at;
	const char *why;
	int err;

	if (!s->leaves && !may_run_on(s))
		return 0;
	err = find_reached(s);
	for (p = s->piece; !err && p < s->piece + s->nr_pieces; p++) {
		at = way_out(s, p, &why);
		if (!at)
			continue;
		if (!add_stop(s, p, at))
			return give_up(s, at, why);
		/* Fewer words are reached now. */
		err = find_reached(s);
		p--;
	}
	return err;
}

/*
 * Does a function without return instructions really never return? Only if the
 * functions that its pieces end by calling never return either: entry code may
 * run on into the next symbol after its last call. Functions that end by calling
 * each other never return if none of them can leave otherwise.
 */
static bool never_returns(const struct scan *s)
{
	struct kpt_arch_returns last = { 0 };
	const struct piece *p;
	struct kpt_insn insn;
	unsigned long addr;

	for (p = s->piece; p < s->piece + s->nr_pieces; p++) {
		addr = p->start + p->size - 4;
		kpt_insn_decode(kpt_patch_bare(addr), &insn);
		if (!(insn.flags & KPT_INSN_CALL))
			continue;
		if (insn.flags & KPT_INSN_INDIRECT)
			return false;
		addr = called_at(addr);
		if (is_read(s, addr))
			continue;
		if (find_returns(addr, s, &last))
			return false;
		kfree(last.addr);
		if (last.nr)
			return false;
	}
	return true;
}

static int scan_function(struct scan *s, unsigned long func)
{
	unsigned int i;
	int err;

	err = add_piece(s, func);
	if (err)
		return give_up(s, func, "belongs to no symbol");
	if (s->piece[0].start != func)
		err = give_up(s, func, "not the entry of a function");
	for (; !err && s->reading < s->nr_pieces; s->reading++)
		err = scan_piece(s, &s->piece[s->reading]);
	if (!err)
		err = check_exits(s);
	for (i = 0; i < s->nr_pieces; i++)
		kvfree(s->piece[i].reached);
	if (!err && !s->out->nr && !never_returns(s))
		err = give_up(s, func, "no return instruction");
	return err;
}

static int find_returns(unsigned long func, const struct scan *caller,
			struct kpt_arch_returns *out)
{
	struct scan *s;
	int err;

	memset(out, 0, sizeof(*out));
	if (caller && caller->depth == LAST_CALLS_MAX)
		return -EOPNOTSUPP;
	s = kmalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		return -ENOMEM;
	s->caller = caller;
	s->depth = caller ? caller->depth + 1 : 0;
	s->name[0] = '\0';
	s->nr_pieces = 0;
	s->reading = 0;
	s->leaves = false;
	s->jumps = false;
	s->out = out;
	err = scan_function(s, func);
	if (err) {
		kfree(out->addr);
		out->addr = NULL;
		out->nr = 0;
	}
	kfree(s);
	return err;
}

/**
 * kpt_arch_find_returns() - find all return instructions of a function
 * @func: its entry
 * @out: result
 *
 * Decodes the whole body, including the parts that the compiler moved elsewhere.
 *
 * Context: process context, may sleep; the caller keeps the function's text from
 * being freed.
 * Return: 0, and if @out has no return instruction the function never returns;
 * -EOPNOTSUPP with @out->why and @out->at if the function may leave by other
 * instructions; -ENOMEM.
 */
int kpt_arch_find_returns(unsigned long func, struct kpt_arch_returns *out)
{
	return find_returns(func, NULL, out);
}
