// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recorders of one probe at its many places, and of many probes that record alike. The lists of
 * handlers differ in fields of their record alone, which are operands. So while lists are
 * collected, what was written for the last ones is kept: to write it again takes some 10,000
 * instructions, to change these operands some 200.
 *
 * What is kept refers to what the lists refer to, so it is forgotten with the batch that
 * collects them.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/string.h>
#include "kernel/lock.h"
#include "lib/fetch/fetch.h"
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
 * @field: kpt_recorder_code.field
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
	u8 field[KEPT_OPERANDS];
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

static bool prog_is(const struct kpt_fetch_prog *a, const struct kpt_fetch_prog *b)
{
	return a == b || (a && b && a->nr_steps == b->nr_steps &&
			  !memcmp(a, b, struct_size(a, step, a->nr_steps)));
}

/*
 * Does the same code make both records? Of their other fields it has operands, if they are not
 * NULL.
 */
static bool record_is(const struct kpt_arch_record *a, const struct kpt_arch_record *b)
{
	return a->left_out == b->left_out && a->length == b->length &&
	       a->is_return == b->is_return && !a->hits == !b->hits &&
	       !a->own_filtered == !b->own_filtered && !a->filtered[0] == !b->filtered[0] &&
	       !a->filtered[1] == !b->filtered[1] && !a->lost[0] == !b->lost[0] &&
	       !a->lost[1] == !b->lost[1] && prog_is(a->prog, b->prog);
}

/* Padding may differ: then it is written again. */
static bool kept_is(const struct kept *k, const struct kpt_recorder_code *r,
		    const struct kpt_arch_step *step)
{
	return k->code && k->caller == r->caller && k->saves == r->saves &&
	       !memcmp(&k->step, step, sizeof(*step)) && record_is(&k->record, step->record);
}

/* Does nothing but @step and its record, and what they point to, decide on the code? */
static bool may_keep(const struct kpt_arch_step *step, unsigned int nr)
{
	return nr == 1 && step->nr == 1 && !step->filter &&
	       (step->op == KPT_ARCH_RECORD || step->op == KPT_ARCH_GRAPH_ENTER ||
		step->op == KPT_ARCH_GRAPH_LEAVE);
}

/**
 * kpt_recorder_again() - have a recorder that was written for another list
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
		for (i = 0; i < k->nr_operands; i++)
			r->operand[i] = k->field[i] ?
					kpt_recorder_field(step->record, k->field[i]) :
					k->operand[i];
		return k->code;
	}
	return NULL;
}

/**
 * kpt_recorder_keep() - keep a recorder for other lists
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
	memcpy(k->field, r->field, r->nr_operands);
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
