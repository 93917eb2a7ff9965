/* SPDX-License-Identifier: GPL-2.0-only */
/* The profile of functions: how often each was called on each CPU, and for how long. */
#ifndef KPTRACE_PROFILE_H
#define KPTRACE_PROFILE_H

#include <linux/sched.h>
#include "engine/point.h"

/**
 * struct kpt_profile_counts - counters of a function on a CPU
 * @hits: calls that began there
 * @time: ns that calls have taken that ended there
 * @squares: sum of the squares of these times
 */
struct kpt_profile_counts {
	u64 hits;
	u64 time;
	u64 squares;
};

/**
 * struct kpt_profile_row - a function that was called, and its counters
 * @func: its entry
 * @counts: of one CPU
 */
struct kpt_profile_row {
	unsigned long func;
	struct kpt_profile_counts counts;
};

/**
 * kpt_graph_slept() - how long the current task has not run, from some time on
 *
 * The scheduler adds to both fields in one go while the task runs, and sets the first
 * one when the task is switched in. So only the difference between two results of the
 * same task means something: the time that it was switched out.
 *
 * Context: BRK.
 * Return: ns.
 */
static inline u64 kpt_graph_slept(void)
{
	return current->se.exec_start - current->se.sum_exec_runtime;
}

struct kpt_profile_counts __percpu *kpt_profile_counts(unsigned long func);
void kpt_profile_reset(void);
void kpt_profile_going(const struct module *mod, kpt_going_t is_going);
int kpt_profile_rows(int cpu, struct kpt_profile_row **rows);

#endif
