// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of tasks that hit a probe, by pid.
 *
 * Records hold the pid only. A table indexed by the low bits of the pid keeps
 * the name that belongs to it; a task whose pid falls on the same entry takes
 * it over, and the older one reads "<...>". Each CPU remembers the last task
 * it noted, so that a task that hits again and again pays a compare.
 */
#include <linux/atomic.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <kptrace/cmdline.h>

#define ENTRIES 4096

/**
 * struct cmdline - one task
 * @seq: odd while it is being written; a writer that finds it odd gives up
 * @pid: its number, 0 while the entry is unused
 * @tgid: its thread group
 * @comm: its name
 */
struct cmdline {
	atomic_t seq;
	s32 pid;
	s32 tgid;
	char comm[TASK_COMM_LEN];
};

static struct cmdline *table;
DEFINE_PER_CPU(struct kpt_cmdline_last, kpt_cmdline_last);

static struct cmdline *entry_of(s32 pid)
{
	return &table[pid & (ENTRIES - 1)];
}

void kpt_cmdline_note_slow(void)
{
	struct kpt_cmdline_last *last = this_cpu_ptr(&kpt_cmdline_last);
	struct cmdline *e = entry_of(current->pid);
	int seq = atomic_read(&e->seq);

	/* Somebody else is at it: the next hit of this task tries again. */
	if (seq & 1 || atomic_cmpxchg(&e->seq, seq, seq + 1) != seq)
		return;
	e->pid = current->pid;
	e->tgid = current->tgid;
	memcpy(e->comm, current->comm, sizeof(e->comm));
	atomic_set_release(&e->seq, seq + 2); /* cmdline:A */

	last->pid = current->pid;
	memcpy(last->comm, current->comm, sizeof(last->comm));
}

void kpt_cmdline_find(s32 pid, char *comm, s32 *tgid)
{
	struct cmdline *e = entry_of(pid), copy;
	int seq;

	if (!pid) {
		strscpy(comm, "<idle>", TASK_COMM_LEN);
		*tgid = 0;
		return;
	}
	do {
		seq = atomic_read_acquire(&e->seq); /* pairs: cmdline:A */
		copy = *e;
		smp_rmb(); /* the copy before the second look */
	} while (seq & 1 || atomic_read(&e->seq) != seq);

	if (copy.pid != pid) {
		strscpy(comm, "<...>", TASK_COMM_LEN);
		*tgid = -1;
		return;
	}
	strscpy(comm, copy.comm, TASK_COMM_LEN);
	*tgid = copy.tgid;
}

bool kpt_cmdline_at(unsigned int n, s32 *pid, char *comm, s32 *tgid)
{
	if (n >= ENTRIES)
		return false;
	*pid = READ_ONCE(table[n].pid);
	if (*pid)
		kpt_cmdline_find(*pid, comm, tgid);
	return true;
}

int kpt_cmdline_init(void)
{
	table = vzalloc(ENTRIES * sizeof(*table));
	return table ? 0 : -ENOMEM;
}

void kpt_cmdline_exit(void)
{
	vfree(table);
}
