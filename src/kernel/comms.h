/* SPDX-License-Identifier: GPL-2.0-only */
/* saved_cmdlines: names of the tasks that hit a probe. */
#ifndef KPTRACE_COMMS_H
#define KPTRACE_COMMS_H

#include <linux/string.h>
#include "kernel/cpu.h"

/**
 * struct kpt_comm_entry - one task
 * @seq: odd while a hit writes the entry; another writer then gives up
 * @pid: its number, 0 while the entry is unused
 * @tgid: its thread group
 * @comm: its name
 */
struct kpt_comm_entry {
	atomic_t seq;
	s32 pid;
	s32 tgid;
	char comm[TASK_COMM_LEN];
};

/**
 * struct kpt_comm_table - names of tasks
 * @nr: number of entries, a power of two
 * @entry: the entries, indexed by the low bits of the pid
 */
struct kpt_comm_table {
	unsigned int nr;
	struct kpt_comm_entry entry[];
};

extern struct kpt_comm_table *kpt_comm_table;
extern bool kpt_comm_sees_renames;

/**
 * kpt_comm_is_noted() - is the current task the last one this CPU noted?
 *
 * Context: BRK.
 * Return: true if it is, and its name is the same.
 */
static __always_inline bool kpt_comm_is_noted(void)
{
	struct kpt_cpu *last = this_cpu_ptr(&kpt_cpu);
	u64 comm[2];

	memcpy(comm, current->comm, sizeof(comm));
	return last->pid == current->pid && last->comm[0] == comm[0] &&
	       last->comm[1] == comm[1];
}

void kpt_comm_note_slow(void);
void kpt_comm_renamed(struct task_struct *task, const char *name);

/**
 * kpt_comm_note() - remember the current task's name and thread group
 *
 * Costs a few instructions while one task keeps hitting on a CPU.
 *
 * Context: BRK.
 */
static __always_inline void kpt_comm_note(void)
{
	if (unlikely(!kpt_comm_is_noted()))
		kpt_comm_note_slow();
}

bool kpt_comms_is_on(void);
void kpt_comms_switch(bool on);
void kpt_comm_find(s32 pid, char *comm, s32 *tgid);
void kpt_comm_find_in_crash(s32 pid, char *comm, s32 *tgid);
void kpt_comm_find_past(const struct kpt_comm_table *t, unsigned int nr, s32 pid,
			char *comm, s32 *tgid);
bool kpt_comm_at(unsigned int n, s32 *pid, char *comm, s32 *tgid);
unsigned int kpt_comms_size(void);
int kpt_comms_resize(unsigned int nr);
int kpt_comms_init(void);
void kpt_comms_exit(void);

/* Of the part kept: a table in memory that survives a reboot; NULL without. */
struct kpt_comm_table *kpt_persist_comms(void);

#endif
