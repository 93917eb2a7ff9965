// SPDX-License-Identifier: GPL-2.0-only
/* Task filters: set_event_pid, set_event_notrace_pid, tracing_cpumask. */
#include "kernel/compat.h"
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/threads.h>
#include "event/task_filter.h"
#include "arch.h"

/* The number of ancestors that option event-fork checks. */
#define ANCESTORS_MAX 64

bool kpt_task_filter_needs_rcu;

static bool pids_have(const struct kpt_pids *pids, s32 pid)
{
	unsigned int from = 0, to = pids->nr, mid;

	while (from < to) {
		mid = from + (to - from) / 2;
		if (pids->pid[mid] == pid)
			return true;
		if (pids->pid[mid] < pid)
			from = mid + 1;
		else
			to = mid;
	}
	return false;
}

/* As pid_task(), which would want to see that RCU is locked. */
static const struct task_struct *pid_find_task(s32 nr)
{
	const struct pid *pid = find_pid_ns(nr, &init_pid_ns);

	if (!pid)
		return NULL;
	return hlist_entry_safe(rcu_dereference_raw(hlist_first_rcu(&pid->tasks[PIDTYPE_PID])),
				struct task_struct, pid_links[PIDTYPE_PID]);
}

/*
 * Is a task in the list? With @fork, also if an ancestor is, or the leader of its
 * threads. Tasks are freed after an RCU grace period, which waits for this hit:
 * interrupts are masked, and RCU watches. RCU may not be watching if the hit began
 * before kpt_task_filter_needs_rcu was set; then no ancestor is checked.
 */
static bool pids_have_task(const struct kpt_pids *pids, s32 pid, bool fork)
{
	const struct task_struct *task;
	unsigned int i;

	if (pids_have(pids, pid))
		return true;
	if (!fork || !rcu_is_watching())
		return false;
	task = pid == current->pid ? current : pid_find_task(pid);
	for (i = 0; i < ANCESTORS_MAX && task && task->pid; i++) {
		if (pids_have(pids, task->tgid))
			return true;
		task = rcu_dereference_raw(task->real_parent);
	}
	return false;
}

static bool task_filter_allow(const struct kpt_instance *instance, bool is_tracer, s32 pid)
{
	bool fork = READ_ONCE(instance->options) &
		    (is_tracer ? KPT_OPT_FUNCTION_FORK : KPT_OPT_EVENT_FORK);
	const struct kpt_pids *pids;
	unsigned int lists = is_tracer ? KPT_PIDS_TRACER : 0;

	pids = rcu_dereference_raw(instance->pids[lists + KPT_PIDS_UNWANTED]);
	if (pids && pids_have_task(pids, pid, fork))
		return false;
	pids = rcu_dereference_raw(instance->pids[lists + KPT_PIDS_WANTED]);
	return !pids || pids_have_task(pids, pid, fork);
}

/**
 * kpt_task_filter_allow_cpu() - may the text of a marker be recorded?
 * @instance: the instance
 *
 * Context: interrupts masked.
 * Return: true if tracing is on and the CPU is not excluded.
 */
bool kpt_task_filter_allow_cpu(const struct kpt_instance *instance)
{
	return !(atomic_read(&instance->buffer.stops) &
		 ~(KPT_STOP_ASK | KPT_STOP_CLOCK)) &&
	       cpumask_test_cpu(smp_processor_id(), &instance->cpus);
}

/* Does the filter allow the other task that a record is about? */
static bool task_filter_allow_other(const struct kpt_event_file *file, const void *record)
{
	u8 at = file->event->other_pid;

	return at && record &&
	       task_filter_allow(file->instance, false, *(const s32 *)(record + at));
}

/**
 * kpt_task_filter_allow() - may a hit be recorded?
 * @file: its event file; kpt_buffer.stops of the instance is not 0
 * @record: its record, or NULL if it is not made yet. That of an event with
 *	kpt_event.other_pid always is
 *
 * A hit that is about two tasks is recorded if the filter allows one of them. This is
 * mainline's rule (Documentation/trace/ftrace.rst, set_event_pid).
 *
 * Context: BRK, or process context with interrupts masked.
 * Return: true if tracing is on and neither task nor CPU is excluded.
 */
bool kpt_task_filter_allow(const struct kpt_event_file *file, const void *record)
{
	return kpt_task_filter_allow_cpu(file->instance) &&
	       (task_filter_allow(file->instance, file->is_tracer, current->pid) ||
		task_filter_allow_other(file, record));
}

static bool instance_follows(const struct kpt_instance *instance, u64 option,
			     unsigned int lists)
{
	return instance->options & option &&
	       (rcu_access_pointer(instance->pids[lists + KPT_PIDS_WANTED]) ||
		rcu_access_pointer(instance->pids[lists + KPT_PIDS_UNWANTED]));
}

/* Does an instance record the children of listed tasks? */
static bool any_follows(void)
{
	struct kpt_instance *instance;

	list_for_each_entry(instance, &kpt_instances, list)
		if (instance_follows(instance, KPT_OPT_EVENT_FORK, 0) ||
		    instance_follows(instance, KPT_OPT_FUNCTION_FORK, KPT_PIDS_TRACER))
			return true;
	return false;
}

/**
 * kpt_task_filter_update() - apply a change of the options or of the mask of CPUs
 * @instance: the instance
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_task_filter_update(struct kpt_instance *instance)
{
	bool ask = instance->options & (KPT_OPT_STACKTRACE | KPT_OPT_FUNC_STACK) ||
		   !cpumask_subset(cpu_possible_mask, &instance->cpus);
	unsigned int i;

	lockdep_assert_held(&kpt_mutex);
	for (i = 0; i < KPT_NR_PIDS; i++)
		ask |= rcu_access_pointer(instance->pids[i]) != NULL;
	if (ask)
		atomic_or(KPT_STOP_ASK, &instance->buffer.stops);
	else
		atomic_andnot(KPT_STOP_ASK, &instance->buffer.stops);
	WRITE_ONCE(kpt_task_filter_needs_rcu, any_follows());
}

/**
 * kpt_task_filter_init() - begin with all tasks and CPUs
 * @instance: the instance
 *
 * Context: process context.
 */
void kpt_task_filter_init(struct kpt_instance *instance)
{
	cpumask_copy(&instance->cpus, cpu_possible_mask);
}

/**
 * kpt_task_filter_exit() - free the lists of tasks
 * @instance: an instance that no hit uses any more
 *
 * Context: process context.
 */
void kpt_task_filter_exit(struct kpt_instance *instance)
{
	unsigned int i;

	for (i = 0; i < KPT_NR_PIDS; i++)
		kvfree(rcu_access_pointer(instance->pids[i]));
}

static void pids_set(struct kpt_instance *instance, unsigned int which,
		     struct kpt_pids *new)
{
	struct kpt_pids *old = rcu_dereference_protected(
		instance->pids[which], lockdep_is_held(&kpt_mutex));

	rcu_assign_pointer(instance->pids[which], new);
	kpt_task_filter_update(instance);
	/* Wait for hits that use @old: they run with interrupts masked. */
	if (old)
		kpt_arch_quiesce();
	kvfree(old);
}

/**
 * kpt_pids_clear() - empty a list of tasks
 * @instance: the instance
 * @which: KPT_PIDS_*
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_pids_clear(struct kpt_instance *instance, unsigned int which)
{
	pids_set(instance, which, NULL);
}

static int pids_compare(const void *a, const void *b)
{
	s32 x = *(const s32 *)a, y = *(const s32 *)b;

	return x < y ? -1 : x > y;
}

/* Sort and remove duplicates, for the search in pids_have(). */
static void pids_sort(struct kpt_pids *pids)
{
	unsigned int i, nr = 0;

	sort(pids->pid, pids->nr, sizeof(s32), pids_compare, NULL);
	for (i = 0; i < pids->nr; i++)
		if (!nr || pids->pid[i] != pids->pid[nr - 1])
			pids->pid[nr++] = pids->pid[i];
	pids->nr = nr;
}

/* Append the numbers in @text. */
static int pids_parse(struct kpt_pids *pids, char *text)
{
	unsigned int n;
	char *word;
	int err;

	while ((word = strsep(&text, " \t\n"))) {
		if (!*word)
			continue;
		err = kstrtouint(word, 0, &n);
		if (err)
			return -EINVAL;
		if (n >= PID_MAX_LIMIT)
			return -EINVAL;
		pids->pid[pids->nr++] = n;
	}
	return 0;
}

/**
 * kpt_pids_add() - add to a list of tasks
 * @instance: the instance
 * @which: KPT_PIDS_*
 * @text: numbers, separated by white space; overwritten
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, -EINVAL or -ENOMEM; then nothing has changed.
 */
int kpt_pids_add(struct kpt_instance *instance, unsigned int which, char *text)
{
	const struct kpt_pids *old =
		rcu_dereference_protected(instance->pids[which],
					  lockdep_is_held(&kpt_mutex));
	unsigned int nr = old ? old->nr : 0;
	struct kpt_pids *new;
	int err;

	/* A number takes two characters at least. */
	new = kvzalloc(struct_size(new, pid, nr + strlen(text) / 2 + 1),
		       GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	new->nr = nr;
	if (old)
		memcpy(new->pid, old->pid, nr * sizeof(s32));
	err = pids_parse(new, text);
	pids_sort(new);
	if (err || new->nr == nr)
		kvfree(new);
	else
		pids_set(instance, which, new);
	return err;
}
