/* SPDX-License-Identifier: GPL-2.0-only */
/* saved_cmdlines: names of the tasks that hit a probe. */
#ifndef KPTRACE_CMDLINE_H
#define KPTRACE_CMDLINE_H

#include <linux/sched.h>
#include <linux/types.h>

/**
 * kpt_cmdline_note() - remember the current task's name and thread group
 *
 * Costs a few instructions while one task keeps hitting on a CPU.
 *
 * Context: BRK.
 */
void kpt_cmdline_note(void);

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
 * kpt_cmdline_init() - allocate the table
 *
 * Context: module load.
 * Return: 0 or -ENOMEM.
 */
int kpt_cmdline_init(void);

/** kpt_cmdline_exit() - free the table */
void kpt_cmdline_exit(void);

#endif
