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
#include <kptrace/port.h>
#include "insn.h"

/*
 * Longest path followed on either side, in instructions: a pair must be within
 * 128 bytes (Arm ARM B2.12, usage restrictions).
 */
#define PATH_MAX_INSNS 32
/* Distinct instructions that one search can track. */
#define REACH_MAX 256
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
 */
struct reach {
	const u32 *text;
	size_t nr;
	size_t found;
	unsigned int count;
	bool full;
	u16 at[REACH_MAX];
};

/* A flag beside KPT_INSN_*, for WFE and WFET. */
#define WAITS BIT(31)

static u32 reach_flags(const struct kpt_insn *insn)
{
	bool waits = insn->word == 0xd503205f ||
		     (insn->word & 0xffffffe0) == 0xd5031000;

	return insn->flags | (waits ? WAITS : 0);
}

static void reach_add(struct reach *r, size_t at)
{
	unsigned int i;

	if (at >= r->nr)
		return;
	for (i = 0; i < r->count; i++)
		if (r->at[i] == at)
			return;
	if (r->count == REACH_MAX)
		r->full = true;
	else
		r->at[r->count++] = at;
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
			if (reach_flags(&insn) & want || r->at[i] == goal) {
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
	if (reason != KPT_INSN_REASON_NONE || reach_flags(&insn) & WAITS)
		return reason;
	reach_init(&r, text, nr, at);
	reach_search(&r, nr, WAITS, EXCLUSIVE);
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
 * 1 KiB of stack. Only 32 Ki words to either side of @at are searched.
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
