// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recorders of one probe at its many places. The lists of handlers there differ in the place
 * alone, which is an operand. So while lists are collected, what was written for the last ones
 * is kept: to write it again takes some 10,000 instructions, to change the place some 100.
 *
 * What is kept refers to what the lists refer to, so it is forgotten with the batch that
 * collects them.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/string.h>
#include "kernel/lock.h"
#include "recorder/recorder.h"
#include "engine.h"

/* Those of a probe's entries and of its returns, with registers saved and without. */
#define KEPT	4

/* Operands of one, at most. */
#define KEPT_OPERANDS	32

/**
 * struct kept - a recorder that was written
 * @code: where it is; NULL: nothing is kept here
 * @last: when a list had it last
 * @caller: what runs it
 * @saves: kpt_recorder_code.saves
 * @step: its only step
 * @record: the only record of that
 * @nr_operands: number of @operand
 * @operand: what a list has of it
 * @nr_places: number of @place
 * @place: which of @operand are the place
 */
struct kept {
	const u32 *code;
	unsigned int last;
	enum kpt_arch_caller caller;
	bool saves;
	struct kpt_arch_step step;
	struct kpt_arch_record record;
	unsigned int nr_operands;
	u64 operand[KEPT_OPERANDS];
	unsigned int nr_places;
	unsigned int place[KPT_RECORDER_IPS];
};

/* Under kpt_mutex. */
static struct kept kept[KEPT];
static unsigned int turn;

/* The one that is missed least: most lists are of few sorts, and the others come in between. */
static struct kept *find_oldest(void)
{
	struct kept *k, *oldest = kept;

	for (k = kept; k < kept + KEPT; k++)
		if (turn - k->last > turn - oldest->last)
			oldest = k;
	return oldest;
}

/* Padding may differ: then it is written again. */
static bool kept_is(const struct kept *k, const struct kpt_recorder_code *r,
		    const struct kpt_arch_step *step)
{
	struct kpt_arch_record there = *step->record;

	there.ip = k->record.ip;
	return k->code && k->caller == r->caller && k->saves == r->saves &&
	       !memcmp(&k->step, step, sizeof(*step)) && !memcmp(&k->record, &there, sizeof(there));
}

/* Does nothing but the place, and what @step and its record point to, decide on the code? */
static bool may_keep(const struct kpt_arch_step *step, unsigned int nr)
{
	return nr == 1 && step->nr == 1 && !step->filter &&
	       (step->op == KPT_ARCH_RECORD || step->op == KPT_ARCH_GRAPH_ENTER ||
		step->op == KPT_ARCH_GRAPH_LEAVE);
}

/**
 * kpt_recorder_again() - have a recorder that was written for another place
 * @r: result: operands; what runs it is given
 * @step: what it does
 * @nr: number of steps
 *
 * Context: process context, kpt_mutex held.
 * Return: its code, for kpt_recorder_share_more(); NULL if it has to be written.
 */
const u32 *kpt_recorder_again(struct kpt_recorder_code *r, const struct kpt_arch_step *step,
			      unsigned int nr)
{
	struct kept *k;
	unsigned int i;

	if (!may_keep(step, nr))
		return NULL;
	for (k = kept; k < kept + KEPT; k++) {
		if (!kept_is(k, r, step))
			continue;
		k->last = ++turn;
		r->nr_operands = k->nr_operands;
		memcpy(r->operand, k->operand, k->nr_operands * sizeof(*r->operand));
		for (i = 0; i < k->nr_places; i++)
			r->operand[k->place[i]] = step->record->ip;
		return k->code;
	}
	return NULL;
}

/**
 * kpt_recorder_keep() - keep a recorder for other places
 * @r: the recorder
 * @step: what it does
 * @nr: number of steps
 * @code: from kpt_recorder_share()
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_recorder_keep(const struct kpt_recorder_code *r, const struct kpt_arch_step *step,
		       unsigned int nr, const u32 *code)
{
	struct kept *k = find_oldest();

	if (!may_keep(step, nr) || r->nr_operands > KEPT_OPERANDS)
		return;
	kpt_recorder_share_more(code);
	if (k->code)
		kpt_recorder_unshare(k->code);
	k->code = code;
	k->last = ++turn;
	k->caller = r->caller;
	k->saves = r->saves;
	k->step = *step;
	k->record = *step->record;
	k->nr_operands = r->nr_operands;
	memcpy(k->operand, r->operand, r->nr_operands * sizeof(*r->operand));
	k->nr_places = r->nr_ips;
	memcpy(k->place, r->ip, sizeof(k->place));
}

/**
 * kpt_arch_recorder_forget() - forget what was written for the lists of a batch
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_arch_recorder_forget(void)
{
	struct kept *k;

	lockdep_assert_held(&kpt_mutex);
	for (k = kept; k < kept + KEPT; k++) {
		if (k->code)
			kpt_recorder_unshare(k->code);
		k->code = NULL;
	}
	kpt_recorder_forget_func();
}
