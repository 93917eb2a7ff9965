/* SPDX-License-Identifier: GPL-2.0-only */
/* saved_cmdlines: names of the tasks that hit a probe. */
#ifndef KPTRACE_CMDLINE_H
#define KPTRACE_CMDLINE_H

#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>

/**
 * struct kpt_cmdline_last - the last task a CPU noted
 * @pid: its number
 * @comm: its name then: exec and prctl() change it
 */
struct kpt_cmdline_last {
	s32 pid;
	u64 comm[TASK_COMM_LEN / sizeof(u64)];
};

DECLARE_PER_CPU(struct kpt_cmdline_last, kpt_cmdline_last);

/**
 * kpt_cmdline_is_noted() - is the current task the last one this CPU noted?
 *
 * Context: BRK.
 */
static __always_inline bool kpt_cmdline_is_noted(void)
{
	struct kpt_cmdline_last *last = this_cpu_ptr(&kpt_cmdline_last);
	u64 comm[2];

	memcpy(comm, current->comm, sizeof(comm));
	return last->pid == current->pid && last->comm[0] == comm[0] &&
	       last->comm[1] == comm[1];
}

/**
 * kpt_cmdline_note_slow() - note a task that is not the CPU's last one
 *
 * Context: BRK.
 */
void kpt_cmdline_note_slow(void);

/**
 * kpt_cmdline_note() - remember the current task's name and thread group
 *
 * Costs a few instructions while one task keeps hitting on a CPU.
 *
 * Context: BRK.
 */
static __always_inline void kpt_cmdline_note(void)
{
	if (unlikely(!kpt_cmdline_is_noted()))
		kpt_cmdline_note_slow();
}

/**
 * kpt_cmdline_is_on() - are names noted?
 *
 * Context: process context, kpt_mutex held.
 */
bool kpt_cmdline_is_on(void);

/**
 * kpt_cmdline_switch() - option record-cmd
 * @on: are names to be noted?
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_cmdline_switch(bool on);

/**
 * kpt_cmdline_find() - name of a task that hit a probe
 * @pid: its number in the initial namespace
 * @comm: result, TASK_COMM_LEN bytes: "<idle>" for 0, "<...>" if not known
 * @tgid: result: its thread group, or -1
 *
 * Context: process context.
 */
void kpt_cmdline_find(s32 pid, char *comm, s32 *tgid);

/**
 * kpt_cmdline_at() - walk the table, for saved_cmdlines and saved_tgids
 * @n: 0 and up
 * @pid: result: the task's number, 0 if this entry is unused
 * @comm: result, TASK_COMM_LEN bytes, set if @pid is not 0
 * @tgid: result: its thread group, likewise
 *
 * Context: process context.
 * Return: false when @n is past the end.
 */
bool kpt_cmdline_at(unsigned int n, s32 *pid, char *comm, s32 *tgid);

/**
 * kpt_cmdline_size() - how many names are kept
 *
 * Context: process context, kpt_mutex held.
 */
unsigned int kpt_cmdline_size(void);

/**
 * kpt_cmdline_resize() - keep more names, or fewer
 * @nr: how many, rounded up to a power of two; not 0
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_cmdline_resize(unsigned int nr);

/**
 * kpt_cmdline_init() - allocate the table
 *
 * Context: module load.
 * Return: 0 or -ENOMEM.
 */
int kpt_cmdline_init(void);

/** kpt_cmdline_exit() - free the table */
void kpt_cmdline_exit(void);

#endif
