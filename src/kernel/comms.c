// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of tasks that hit a probe, by pid.
 *
 * Records hold only the pid. A table, indexed by the low bits of the pid, holds the
 * names. Each CPU remembers the last task that it noted, so a hit of the same task costs
 * only a compare. A later task with the same low bits overwrites the entry. Then the name of
 * the earlier one is shown only while a CPU remembers it, else "<...>".
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/log2.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "kernel/comms.h"
#include "lib/record/record.h"
#include "arch.h"

#define DEFAULT_ENTRIES 4096

/* kpt_comm_renamed() is called when a task is renamed; set when the module is loaded. */
bool kpt_comm_sees_renames;

/* Option record-cmd: hits note names. */
static bool recording = true;

/*
 * Changed under kpt_mutex. Used without a lock by hits and, with interrupts masked,
 * by readers of names: kpt_arch_quiesce() waits for both.
 */
struct kpt_comm_table *kpt_comm_table;
/* In one cache line, which each hit uses. */
DEFINE_PER_CPU_ALIGNED(struct kpt_cpu, kpt_cpu);

static struct kpt_comm_entry *entry_of(s32 pid)
{
	struct kpt_comm_table *t = READ_ONCE(kpt_comm_table);

	return &t->entry[pid & (t->nr - 1)];
}

/* False if another CPU is writing @e; then the next hit of this task tries again. */
static bool note(struct kpt_comm_entry *e)
{
	int seq = atomic_read(&e->seq);

	if (seq & 1 || atomic_cmpxchg(&e->seq, seq, seq + 1) != seq)
		return false;
	e->pid = current->pid;
	e->tgid = current->tgid;
	memcpy(e->comm, current->comm, sizeof(e->comm));
	atomic_set_release(&e->seq, seq + 2); /* comm:A */
	return true;
}

/* Bytes of a name, its NUL included. No function is called, which could be probed. */
static u32 comm_size(const char *comm)
{
	u32 n = 0;

	while (n < TASK_COMM_LEN - 1 && comm[n])
		n++;
	return n + 1;
}

/**
 * kpt_comm_note_slow() - note the current task, which is not the CPU's last one
 *
 * Context: BRK.
 */
void kpt_comm_note_slow(void)
{
	struct kpt_cpu *last = this_cpu_ptr(&kpt_cpu);

	if (READ_ONCE(recording) && !note(entry_of(current->pid)))
		return;
	/* comm_find_last() must not find a name with the number of another task. */
	WRITE_ONCE(last->pid, -1);
	smp_wmb(); /* pairs: comm_find_last() */
	memcpy(last->comm, current->comm, sizeof(last->comm));
	last->comm_loc = kpt_data_loc(0, comm_size((const char *)last->comm));
	smp_wmb(); /* pairs: comm_find_last() */
	WRITE_ONCE(last->pid, current->pid);
	smp_mb(); /* the task's name is read again; pairs: kpt_comm_renamed() */
	if (!kpt_comm_is_noted())
		last->pid = -1;
}

/**
 * kpt_comm_renamed() - a task is about to have another name
 * @task: the task
 * @name: what the kernel will copy to its name in a moment
 *
 * Recorders of arch/ compare the number of the task only. So a CPU must forget the task
 * when its name has changed. The kernel tells of that before it does so, and a hit in
 * between would note the old name. Therefore the name is copied here already. Either
 * kpt_comm_note_slow() on another CPU finds it, or here the task is found there.
 *
 * Context: any, preemption off.
 */
void kpt_comm_renamed(struct task_struct *task, const char *name)
{
	struct kpt_cpu *last;
	int cpu;

	strscpy_pad(task->comm, name, sizeof(task->comm));
	smp_mb(); /* pairs: kpt_comm_note_slow() */
	for_each_possible_cpu(cpu) {
		last = per_cpu_ptr(&kpt_cpu, cpu);
		if (READ_ONCE(last->pid) == task->pid)
			WRITE_ONCE(last->pid, -1);
	}
}

/*
 * Have the next hit on each CPU note its task again. The last one may not be in the
 * table: it hit while recording was off, or after kpt_comms_resize() copied its
 * entry.
 */
static void forget_last(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(kpt_cpu, cpu).pid, -1);
}

/**
 * kpt_comms_is_on() - are names noted?
 *
 * Context: process context, kpt_mutex held.
 * Return: true if they are.
 */
bool kpt_comms_is_on(void)
{
	return recording;
}

/**
 * kpt_comms_switch() - set option record-cmd
 * @on: true: hits note names
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_comms_switch(bool on)
{
	WRITE_ONCE(recording, on);
	kpt_arch_quiesce();
	forget_last();
}

/*
 * Find the name of a task that is the last one of a CPU. Another one has its entry of the
 * table, and it is not noted again while it alone hits on that CPU.
 */
static bool comm_find_last(s32 pid, char *comm)
{
	const struct kpt_cpu *last;
	unsigned long flags;
	bool found = false;
	int cpu;

	if (!READ_ONCE(recording))
		return false;
	for_each_possible_cpu(cpu) {
		last = per_cpu_ptr(&kpt_cpu, cpu);
		/* For so short a time that the CPU does not note another task, and this again. */
		local_irq_save(flags);
		if (READ_ONCE(last->pid) == pid) {
			smp_rmb(); /* pairs: kpt_comm_note_slow() */
			memcpy(comm, last->comm, TASK_COMM_LEN);
			smp_rmb(); /* pairs: kpt_comm_note_slow() */
			found = READ_ONCE(last->pid) == pid;
		}
		local_irq_restore(flags);
		if (found)
			break;
	}
	return found;
}

/* Find the name of a task; an entry is looked at so many times while it is written. */
static void comm_find(s32 pid, char *comm, s32 *tgid, unsigned int tries)
{
	struct kpt_comm_entry *e, copy;
	unsigned long flags;
	bool whole;
	int seq;

	if (!pid) {
		strscpy(comm, "<idle>", TASK_COMM_LEN);
		*tgid = 0;
		return;
	}
	do {
		local_irq_save(flags);
		e = entry_of(pid);
		seq = atomic_read_acquire(&e->seq); /* pairs: comm:A */
		copy = *e;
		smp_rmb(); /* read the copy before @seq again */
		whole = !(seq & 1) && atomic_read(&e->seq) == seq;
		local_irq_restore(flags);
	} while (!whole && --tries);

	if (!whole || copy.pid != pid) {
		if (!comm_find_last(pid, comm))
			strscpy(comm, "<...>", TASK_COMM_LEN);
		*tgid = -1;
		return;
	}
	strscpy(comm, copy.comm, TASK_COMM_LEN);
	*tgid = copy.tgid;
}

/**
 * kpt_comm_find() - find the name of a task that hit a probe
 * @pid: its number in the initial namespace
 * @comm: result, TASK_COMM_LEN bytes: "<idle>" for 0, "<...>" if not known
 * @tgid: result: its thread group, or -1
 *
 * Context: process context.
 */
void kpt_comm_find(s32 pid, char *comm, s32 *tgid)
{
	/* A writer needs a few instructions. */
	comm_find(pid, comm, tgid, UINT_MAX);
}

/**
 * kpt_comm_find_in_crash() - kpt_comm_find() where a writer may never go on
 * @pid: as there
 * @comm: as there; "<...>" also if the crash was in the middle of noting it
 * @tgid: as there
 *
 * Context: any.
 */
void kpt_comm_find_in_crash(s32 pid, char *comm, s32 *tgid)
{
	comm_find(pid, comm, tgid, 1000);
}

/**
 * kpt_comm_find_past() - find the name of a task of another boot
 * @t: copy of the table of that boot, any bytes
 * @nr: number of its entries, a power of two
 * @pid: as for kpt_comm_find()
 * @comm: as there
 * @tgid: as there
 *
 * Context: any.
 */
void kpt_comm_find_past(const struct kpt_comm_table *t, unsigned int nr, s32 pid,
			char *comm, s32 *tgid)
{
	const struct kpt_comm_entry *e = &t->entry[pid & (nr - 1)];

	if (!pid || e->pid != pid || atomic_read(&e->seq) & 1) {
		strscpy(comm, pid ? "<...>" : "<idle>", TASK_COMM_LEN);
		*tgid = pid ? -1 : 0;
		return;
	}
	memcpy(comm, e->comm, TASK_COMM_LEN);
	comm[TASK_COMM_LEN - 1] = '\0';
	*tgid = e->tgid;
}

/**
 * kpt_comm_at() - walk the table, for saved_cmdlines and saved_tgids
 * @n: index of an entry, from 0
 * @pid: result: the task's number, 0 if this entry is unused
 * @comm: result, TASK_COMM_LEN bytes, set if @pid is not 0
 * @tgid: result: its thread group, likewise
 *
 * Context: process context.
 * Return: false when @n is past the end.
 */
bool kpt_comm_at(unsigned int n, s32 *pid, char *comm, s32 *tgid)
{
	if (n >= kpt_comm_table->nr)
		return false;
	*pid = READ_ONCE(kpt_comm_table->entry[n].pid);
	if (*pid)
		kpt_comm_find(*pid, comm, tgid);
	return true;
}

static struct kpt_comm_table *make_table(unsigned int nr)
{
	struct kpt_comm_table *t = vzalloc(struct_size(t, entry, nr));

	if (t)
		t->nr = nr;
	return t;
}

/* The table is in memory that survives a reboot. */
static bool comms_persist;

/**
 * kpt_comms_size() - size of the table of names
 *
 * Context: process context, kpt_mutex held.
 * Return: number of entries.
 */
unsigned int kpt_comms_size(void)
{
	return kpt_comm_table->nr;
}

/**
 * kpt_comms_resize() - change the size of the table of names
 * @nr: number of entries, rounded up to a power of two; not 0
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -ENOMEM; -EBUSY if the table is in memory that survives a reboot.
 */
int kpt_comms_resize(unsigned int nr)
{
	struct kpt_comm_table *old = kpt_comm_table, *new;
	unsigned int i;

	if (comms_persist)
		return -EBUSY;
	new = make_table(roundup_pow_of_two(nr));
	if (!new)
		return -ENOMEM;
	for (i = 0; i < old->nr; i++)
		if (old->entry[i].pid)
			memcpy(&new->entry[old->entry[i].pid & (new->nr - 1)],
			       &old->entry[i], sizeof(*new->entry));
	for (i = 0; i < new->nr; i++)
		atomic_set(&new->entry[i].seq, 0);
	smp_store_release(&kpt_comm_table, new); /* pairs: entry_of(), by its address */
	kpt_arch_quiesce();
	forget_last();
	vfree(old);
	return 0;
}

/**
 * kpt_comms_init() - allocate the table of names
 *
 * Context: module load.
 * Return: 0 or -ENOMEM.
 */
int kpt_comms_init(void)
{
	kpt_comm_table = kpt_persist_comms();
	comms_persist = kpt_comm_table;
	if (!comms_persist)
		kpt_comm_table = make_table(DEFAULT_ENTRIES);
	return kpt_comm_table ? 0 : -ENOMEM;
}

/**
 * kpt_comms_exit() - free the table of names
 *
 * Context: module unload; no hit runs any more.
 */
void kpt_comms_exit(void)
{
	if (!comms_persist)
		vfree(kpt_comm_table);
}
