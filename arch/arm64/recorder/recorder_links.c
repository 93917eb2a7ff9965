// SPDX-License-Identifier: GPL-2.0-only
/*
 * How the steps of a recorder (recorder.c) hang together: whatever each of them has done with a
 * hit, the one behind it is the next of the list, and has what it needs. Portable:
 * tests/host/test_links.c walks all ways through steps that it draws.
 */
#include "lib/base/port.h"
#include "arch_step.h"

/**
 * kpt_arch_step_has() - does something hold for a step?
 * @step: the step
 * @what: KPT_STEP_MAKES and the like
 *
 * Context: any.
 * Return: true if it does.
 */
bool kpt_arch_step_has(const struct kpt_arch_step *step, unsigned int what)
{
#define HAS(name, has, put) [KPT_ARCH_##name] = (has),
	static const u8 table[] = { KPT_ARCH_OPS(HAS) };
#undef HAS

	return table[step->op] & what;
}

/**
 * kpt_arch_step_needs() - does a step need a record of the hit that is there?
 * @step: the step
 *
 * Context: any.
 * Return: true if it does; with kpt_cpu.depth set.
 */
bool kpt_arch_step_needs(const struct kpt_arch_step *step)
{
	return kpt_arch_step_has(step, KPT_STEP_NEEDS) || step->is_more || step->followers;
}

/**
 * kpt_arch_step_is_copied() - are records copied to other rings?
 * @first: the first step; they are linked
 * @step: makes the records
 *
 * Records of events on the event may come in between.
 *
 * Context: any.
 * Return: true if they are.
 */
bool kpt_arch_step_is_copied(const struct kpt_arch_step *first, const struct kpt_arch_step *step)
{
	while (step->done != KPT_ARCH_END) {
		step = &first[step->done];
		if (step->op != KPT_ARCH_FOLLOW)
			return step->op == KPT_ARCH_COPY;
	}
	return false;
}

/* Is there a record in any case behind a step? @before: there is in front of it. */
static bool knows(const struct kpt_arch_step *step, bool before)
{
	return step->op == KPT_ARCH_FOLLOW || (step->op == KPT_ARCH_COPY && before) ||
	       (step->op == KPT_ARCH_HELD && step->held.needs_record);
}

/*
 * Does a step, in place of which another one makes its records, let that behind it have what it
 * needs? To copy is to copy from all records of the group.
 */
static bool makes_next(const struct kpt_arch_step *step, bool is_last)
{
	return is_last || step[1].op != KPT_ARCH_COPY || step->op != KPT_ARCH_COPY ||
	       step->nr == step->rest.nr;
}

/* Make the step that is in place of one that needs a record. */
static void stand_in(struct kpt_arch_step *to, const struct kpt_arch_step *step)
{
	*to = *step;
	to->is_more = false;
	if (step->op == KPT_ARCH_COPY)
		to->op = KPT_ARCH_RECORD;
}

/**
 * kpt_arch_steps_link() - say which step is behind each one
 * @step: the steps, with room for KPT_ARCH_STEPS
 * @nr: their number
 *
 * A step that needs a record of the hit has another one in its place, behind all, for hits of
 * which there is none.
 *
 * Context: any.
 * Return: the number of all steps; 0 if there is no room for them.
 */
unsigned int kpt_arch_steps_link(struct kpt_arch_step *step, unsigned int nr)
{
	u8 instead[KPT_ARCH_STEPS + 1];
	bool is_sure = false, was_sure;
	unsigned int i, total = nr;

	for (i = 0; i < nr; i++) {
		instead[i] = i;
		was_sure = is_sure;
		is_sure = knows(&step[i], was_sure);
		if (!kpt_arch_step_needs(&step[i]) || was_sure)
			continue;
		if (total == KPT_ARCH_STEPS - 1)
			return 0;
		instead[i] = total;
		stand_in(&step[total++], &step[i]);
	}
	instead[nr] = KPT_ARCH_END;
	for (i = 0; i < nr; i++) {
		step[i].done = i + 1 < nr ? i + 1 : KPT_ARCH_END;
		step[i].passed = instead[i + 1];
		step[instead[i]].done = makes_next(&step[i], i + 1 == nr) ? step[i].done :
				instead[i + 1];
		step[instead[i]].passed = step[i].passed;
	}
	for (i = 0; i < total; i++)
		step[i].kept = kpt_arch_step_needs(&step[i]) &&
			       (step[i].op == KPT_ARCH_COPY ||
				!kpt_arch_step_is_copied(step, &step[i])) ?
			       step[i].done : step[i].passed;
	return total;
}
