// SPDX-License-Identifier: GPL-2.0-only
/*
 * Is a probe safe at an instruction? No probe may be between a load-exclusive
 * and its store-exclusive: the probe's exception clears the exclusive monitor,
 * so the store would fail each time. The pair is found along all paths that the
 * CPU can take, not only in the lines above and below.
 *
 * Nor may a probe be between a load-exclusive and a WFE (the kernel's
 * __cmpwait()). There the CPU waits until another CPU writes to the marked
 * address, which clears the global monitor and so is an event (Arm ARM D1.6.1).
 * A probe that takes an exception is harmless: the exception return sets the
 * event register, and the WFE does not wait. But a probe that is a branch may
 * clear the monitor by exclusives of its own, without an event, and the CPU
 * would wait for an event that never comes.
 */
#include "lib/base/port.h"
#include "insn/decoder.h"

/*
 * Longest path followed on either side, in instructions: a pair must be within
 * 128 bytes (Arm ARM B2.12, usage restrictions).
 */
#define PATH_MAX_INSNS 32
/* Distinct instructions that one search can track. */
#define REACH_MAX 256
/* Slots to find them in, a power of two. */
#define REACH_SLOTS (2 * REACH_MAX)
/* Words searched on either side of the probe; any index fits in a u16. */
#define WINDOW 32768

/**
 * struct reach - the instructions that a search has reached, nearest first
 * @text: the words to search
 * @nr: words in @text
 * @found: index of the instruction searched for, or @nr
 * @count: entries of @at in use
 * @full: @at was too small for all instructions
 * @at: indices in @text
 * @slot: numbers of entries of @at, from 1: that of an index is in the first slot from the
 *	index on that has it or is free
 */
struct reach {
	const u32 *text;
	size_t nr;
	size_t found;
	unsigned int count;
	bool full;
	u16 at[REACH_MAX];
	u16 slot[REACH_SLOTS];
};

static void reach_add(struct reach *r, size_t at)
{
	size_t i;

	if (at >= r->nr)
		return;
	for (i = at % REACH_SLOTS; r->slot[i]; i = (i + 1) % REACH_SLOTS)
		if (r->at[r->slot[i] - 1] == at)
			return;
	if (r->count == REACH_MAX) {
		r->full = true;
		return;
	}
	r->at[r->count++] = at;
	r->slot[i] = r->count;
}

/* A branch that leaves the text ends the path: its index is out of bounds. */
static void reach_successors(struct reach *r, const struct kpt_insn *insn,
			     size_t at)
{
	if (kpt_insn_falls_through(insn))
		reach_add(r, at + 1);
	if (insn->flags & KPT_INSN_BRANCH && !(insn->flags & KPT_INSN_CALL))
		reach_add(r, kpt_insn_target(insn, at * 4ULL) >> 2);
}

/*
 * Follow all paths from the first instruction of @r, which is included, breadth
 * first. A path ends at an instruction with a flag of @stop. The search ends at
 * an instruction with a flag of @want, or at index @goal.
 */
static void reach_search(struct reach *r, size_t goal, u32 want, u32 stop)
{
	unsigned int depth, i = 0, end;
	struct kpt_insn insn;

	r->found = r->nr;
	for (depth = 0; depth < PATH_MAX_INSNS && i < r->count; depth++) {
		for (end = r->count; i < end; i++) {
			kpt_insn_decode(r->text[r->at[i]], &insn);
			if (insn.flags & want || r->at[i] == goal) {
				r->found = r->at[i];
				return;
			}
			if (!(insn.flags & stop))
				reach_successors(r, &insn, r->at[i]);
		}
	}
}

static void reach_init(struct reach *r, const u32 *text, size_t nr,
		       size_t from)
{
	r->text = text;
	r->nr = nr;
	r->count = 0;
	r->full = false;
	memset(r->slot, 0, sizeof(r->slot));
	reach_add(r, from);
}

#define EXCLUSIVE (KPT_INSN_LDX | KPT_INSN_STX | KPT_INSN_CLREX)

static enum kpt_insn_reason reach_verdict(const struct reach *r)
{
	if (r->found < r->nr)
		return KPT_INSN_REASON_EXCLUSIVE_SEQ;
	return r->full ? KPT_INSN_REASON_EXCLUSIVE_DEEP : KPT_INSN_REASON_NONE;
}

/*
 * Does a path lead from the probe to a store-exclusive of an earlier load, or to
 * a WFE or WFET? A probe on the WFE itself is safe: it is simulated as a NOP.
 */
static enum kpt_insn_reason before_store(const u32 *text, size_t nr, size_t at)
{
	enum kpt_insn_reason reason;
	struct kpt_insn insn;
	struct reach r;

	reach_init(&r, text, nr, at);
	reach_search(&r, nr, KPT_INSN_STX, EXCLUSIVE);
	reason = reach_verdict(&r);
	kpt_insn_decode(text[at], &insn);
	if (reason != KPT_INSN_REASON_NONE || insn.flags & KPT_INSN_EVENT)
		return reason;
	reach_init(&r, text, nr, at);
	reach_search(&r, nr, KPT_INSN_EVENT, EXCLUSIVE);
	reason = reach_verdict(&r);
	return reason == KPT_INSN_REASON_EXCLUSIVE_SEQ ?
		KPT_INSN_REASON_EXCLUSIVE_WAIT : reason;
}

/* Does a path lead from the load-exclusive at @load to the probe? */
static enum kpt_insn_reason after_load(const u32 *text, size_t nr, size_t load,
				       size_t at)
{
	struct reach r;

	reach_init(&r, text, nr, load + 1);
	reach_search(&r, at, 0, EXCLUSIVE);
	return reach_verdict(&r);
}

/*
 * Test bits 29:25 first (Arm ARM C4.1, loads and stores): only load-exclusives
 * and some others have this value. Most text has none of them, and decoding all
 * of the text takes long.
 */
static bool is_load_exclusive(u32 word)
{
	struct kpt_insn insn;

	if ((word & 0x3e000000) != 0x08000000)
		return false;
	kpt_insn_decode(word, &insn);
	return insn.flags & KPT_INSN_LDX;
}

/*
 * Begin at the load-exclusives: most are followed by their store-exclusive, where the
 * search ends after a few instructions. Paths from the probe are long.
 */
static enum kpt_insn_reason in_sequence(const u32 *text, size_t nr, size_t at,
					size_t *culprit)
{
	enum kpt_insn_reason store = KPT_INSN_REASON_NONE, load;
	enum kpt_insn_reason reason = KPT_INSN_REASON_NONE;
	bool looked = false;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (!is_load_exclusive(text[i]))
			continue;
		load = after_load(text, nr, i, at);
		if (load == KPT_INSN_REASON_NONE)
			continue;
		if (!looked)
			store = before_store(text, nr, at);
		looked = true;
		if (store == KPT_INSN_REASON_NONE)
			return store;
		*culprit = i;
		reason = KPT_INSN_REASON_EXCLUSIVE_DEEP;
		if (store != KPT_INSN_REASON_EXCLUSIVE_DEEP && load != reason)
			return store;
	}
	return reason;
}

static void mark(u32 *marks, size_t from, size_t to)
{
	size_t i;

	for (i = from / KPT_INSN_MARK_WORDS; i * KPT_INSN_MARK_WORDS < to; i++)
		marks[i / 32] |= 1U << i % 32;
}

static void mark_after_load(const u32 *text, size_t nr, size_t load, u32 *marks)
{
	size_t from = load > WINDOW - 1 ? load - (WINDOW - 1) : 0;
	size_t to = min_t(size_t, nr, load + WINDOW);
	struct reach r;
	unsigned int i;

	reach_init(&r, text + from, to - from, load + 1 - from);
	reach_search(&r, r.nr, 0, EXCLUSIVE);
	if (r.full)
		mark(marks, from, to);
	for (i = 0; i < r.count; i++)
		mark(marks, from + r.at[i], from + r.at[i] + 1);
}

/**
 * kpt_insn_mark_exclusive() - mark what is behind load-exclusives
 * @text: the words of many functions
 * @nr: how many
 * @from: index of the first word to look at
 * @to: index behind the last one
 * @marks: one bit for KPT_INSN_MARK_WORDS words of @text, set if a path leads to one of
 *	them from a load-exclusive among the words to look at
 *
 * kpt_insn_context() accepts a word that has no mark from any load-exclusive of the text
 * that it is given. Bits are set, and none is cleared.
 *
 * Context: any; about 2 KiB of stack.
 */
void kpt_insn_mark_exclusive(const u32 *text, size_t nr, size_t from, size_t to,
			     u32 *marks)
{
	for (; from < to; from++)
		if (is_load_exclusive(text[from]))
			mark_after_load(text, nr, from, marks);
}

/**
 * kpt_insn_context() - do the instructions around one forbid a probe on it?
 * @text: the words of the function
 * @nr: how many
 * @at: index of the instruction in question
 * @culprit: on refusal, index of the instruction that makes it unsafe
 *
 * An exception clears the exclusive monitor, so a probe between a
 * load-exclusive and its store-exclusive makes the loop they form endless.
 * The address is unsafe if a path leads to it from a load-exclusive, and from
 * it to a store-exclusive, without another exclusive instruction on the way.
 * Branches are followed inside the function. Paths longer than 32
 * instructions on either side are not: the architecture promises progress
 * only to pairs at most 128 bytes apart (Arm ARM B2, "Load-Exclusive and
 * Store-Exclusive instruction usage restrictions").
 *
 * An instruction right after a PACM is refused too, and one between a
 * load-exclusive and a WFE.
 *
 * Context: any; up to some 100,000 steps for a function of 64 Ki words, about
 * 2 KiB of stack. Only 32 Ki words to either side of @at are searched.
 * Return: KPT_INSN_REASON_NONE, _EXCLUSIVE_SEQ, _EXCLUSIVE_WAIT,
 * _EXCLUSIVE_DEEP (more distinct instructions within reach than a search can
 * track) or _PAUTH_SEQ.
 */
enum kpt_insn_reason kpt_insn_context(const u32 *text, size_t nr, size_t at,
				      size_t *culprit)
{
	size_t from = at > WINDOW - 1 ? at - (WINDOW - 1) : 0;
	enum kpt_insn_reason reason;
	struct kpt_insn before;

	if (at) {
		kpt_insn_decode(text[at - 1], &before);
		if (before.flags & KPT_INSN_PACM) {
			*culprit = at - 1;
			return KPT_INSN_REASON_PAUTH_SEQ;
		}
	}
	nr = min_t(size_t, nr - from, 2 * WINDOW - 1);
	reason = in_sequence(text + from, nr, at - from, culprit);
	if (reason != KPT_INSN_REASON_NONE)
		*culprit += from;
	return reason;
}
