// SPDX-License-Identifier: GPL-2.0-only
/* Task filters: set_event_pid, set_event_notrace_pid, tracing_cpumask. */
#include "kernel/compat.h"
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/threads.h>
#include "event/task_filter.h"
#include "arch.h"

/* The number of ancestors that option event-fork checks. */
#define ANCESTORS_MAX 64

#define CHUNK_WORDS	(KPT_PIDS_BITS / 64)

bool kpt_task_filter_needs_rcu;

/* All tasks are wanted where there is no list; none are unwanted, which is NULL. */
static u64 all_bits[CHUNK_WORDS], no_bits[CHUNK_WORDS];
static struct kpt_pids all_pids;

static const struct kpt_pids *pids_without_list(unsigned int which)
{
	return which % KPT_PIDS_TRACER == KPT_PIDS_WANTED ? &all_pids : NULL;
}

static bool pids_have(const struct kpt_pids *pids, s32 pid)
{
	return pids->chunk[pid / KPT_PIDS_BITS][pid % KPT_PIDS_BITS / 64] >> (pid % 64) & 1;
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
	return pids_have_task(pids, pid, fork);
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
		 ~(KPT_STOP_ASK | KPT_STOP_TASKS | KPT_STOP_CLOCK)) &&
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
 * kpt_task_filter_allow_listed() - kpt_task_filter_allow_task() where there are lists of tasks
 * @file: the hit's event file
 * @record: as for kpt_task_filter_allow()
 *
 * Context: BRK, or process context with interrupts masked.
 * Return: true if no list excludes the hit.
 */
bool kpt_task_filter_allow_listed(const struct kpt_event_file *file, const void *record)
{
	return task_filter_allow(file->instance, file->is_tracer, current->pid) ||
	       task_filter_allow_other(file, record);
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
	       kpt_task_filter_allow_task(file, record);
}

/* Is there a list of that kind? */
static bool instance_chooses(const struct kpt_instance *instance, unsigned int which)
{
	return rcu_access_pointer(instance->pids[which]) != pids_without_list(which);
}

static bool instance_follows(const struct kpt_instance *instance, u64 option,
			     unsigned int lists)
{
	return instance->options & option &&
	       (instance_chooses(instance, lists + KPT_PIDS_WANTED) ||
		instance_chooses(instance, lists + KPT_PIDS_UNWANTED));
}

static bool instance_follows_any(const struct kpt_instance *instance)
{
	return instance_follows(instance, KPT_OPT_EVENT_FORK, 0) ||
	       instance_follows(instance, KPT_OPT_FUNCTION_FORK, KPT_PIDS_TRACER);
}

/* Does an instance record the children of listed tasks? */
static bool any_follows(void)
{
	struct kpt_instance *instance;

	list_for_each_entry(instance, &kpt_instances, list)
		if (instance_follows_any(instance))
			return true;
	return false;
}

static bool instance_has_list(const struct kpt_instance *instance)
{
	unsigned int i;

	for (i = 0; i < KPT_NR_PIDS; i++)
		if (instance_chooses(instance, i))
			return true;
	return false;
}

/* Set a bit of kpt_buffer.stops, or clear it. */
static void set_stop(struct kpt_instance *instance, int stop, bool on)
{
	if (on)
		atomic_or(stop, &instance->buffer.stops);
	else
		atomic_andnot(stop, &instance->buffer.stops);
}

/* Stubs do not look at ancestors: KPT_STOP_ASK leaves hits to C that they let through. */
static void publish_allowed(struct kpt_instance *instance)
{
	bool events = instance_follows(instance, KPT_OPT_EVENT_FORK, 0);
	bool tracers = instance_follows(instance, KPT_OPT_FUNCTION_FORK, KPT_PIDS_TRACER);

	rcu_assign_pointer(instance->allowed[0], events ? &all_pids : instance->listed[0]);
	rcu_assign_pointer(instance->allowed[1], tracers ? &all_pids : instance->listed[1]);
}

/**
 * kpt_task_filter_update() - apply a change of the lists, the options or the mask of CPUs
 * @instance: the instance
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_task_filter_update(struct kpt_instance *instance)
{
	lockdep_assert_held(&kpt_mutex);
	set_stop(instance, KPT_STOP_ASK,
		 instance->options & KPT_OPT_STACKS ||
		 !cpumask_subset(cpu_possible_mask, &instance->cpus) ||
		 instance_follows_any(instance));
	set_stop(instance, KPT_STOP_TASKS, instance_has_list(instance));
	publish_allowed(instance);
	WRITE_ONCE(kpt_task_filter_needs_rcu, any_follows());
}

static void fill_without_list(void)
{
	unsigned int i;

	memset(all_bits, 0xff, sizeof(all_bits));
	for (i = 0; i < KPT_PIDS_CHUNKS; i++)
		all_pids.chunk[i] = all_bits;
}

/**
 * kpt_task_filter_init() - begin with all tasks and CPUs
 * @instance: the instance
 *
 * Context: process context.
 */
void kpt_task_filter_init(struct kpt_instance *instance)
{
	unsigned int i;

	BUILD_BUG_ON(PID_MAX_LIMIT > KPT_PIDS_CHUNKS * KPT_PIDS_BITS);
	if (!all_pids.chunk[0])
		fill_without_list();
	for (i = 0; i < KPT_NR_PIDS; i++)
		RCU_INIT_POINTER(instance->pids[i], pids_without_list(i));
	for (i = 0; i < ARRAY_SIZE(instance->listed); i++) {
		instance->listed[i] = &all_pids;
		RCU_INIT_POINTER(instance->allowed[i], &all_pids);
	}
	cpumask_copy(&instance->cpus, cpu_possible_mask);
}

/* Are these bits shared? */
static bool is_shared(const u64 *bits)
{
	return bits == no_bits || bits == all_bits;
}

static void pids_free(const struct kpt_pids *pids)
{
	unsigned int i;

	if (!pids || pids == &all_pids)
		return;
	for (i = 0; i < KPT_PIDS_CHUNKS; i++)
		if (!is_shared(pids->chunk[i]))
			kfree(pids->chunk[i]);
	kfree(pids);
}

static const struct kpt_pids *pids_of(const struct kpt_pids __rcu *pids)
{
	return rcu_dereference_protected(pids, lockdep_is_held(&kpt_mutex));
}

/* kpt_instance.listed may be the list of wanted tasks itself. */
static void allowed_free(const struct kpt_pids *allowed, const struct kpt_pids *wanted)
{
	if (allowed != wanted)
		pids_free(allowed);
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

	for (i = 0; i < ARRAY_SIZE(instance->listed); i++)
		allowed_free(instance->listed[i],
			     rcu_access_pointer(instance->pids[i * KPT_PIDS_TRACER +
							       KPT_PIDS_WANTED]));
	for (i = 0; i < KPT_NR_PIDS; i++)
		pids_free(rcu_access_pointer(instance->pids[i]));
}

/* An empty list; NULL without memory. */
static struct kpt_pids *pids_make(void)
{
	struct kpt_pids *new = kmalloc(sizeof(*new), GFP_KERNEL);
	unsigned int i;

	for (i = 0; new && i < KPT_PIDS_CHUNKS; i++)
		new->chunk[i] = no_bits;
	return new;
}

/* @from without @unwanted; NULL without memory. */
static const u64 *bits_without(const u64 *from, const u64 *unwanted)
{
	unsigned int i;
	u64 *bits;

	if (from == no_bits || unwanted == no_bits)
		return from == no_bits || from == all_bits ? from :
		       kmemdup(from, sizeof(no_bits), GFP_KERNEL);
	bits = kmemdup(from, sizeof(no_bits), GFP_KERNEL);
	for (i = 0; bits && i < CHUNK_WORDS; i++)
		bits[i] &= ~unwanted[i];
	return bits;
}

/* The tasks of one list that are not in another, which may be no list; NULL without memory. */
static const struct kpt_pids *pids_without(const struct kpt_pids *wanted,
					   const struct kpt_pids *unwanted)
{
	struct kpt_pids *new;
	unsigned int i;

	if (!unwanted)
		return wanted;
	new = pids_make();
	for (i = 0; new && i < KPT_PIDS_CHUNKS; i++) {
		new->chunk[i] = bits_without(wanted->chunk[i], unwanted->chunk[i]);
		if (new->chunk[i])
			continue;
		new->chunk[i] = no_bits;
		pids_free(new);
		return NULL;
	}
	return new;
}

/* Takes over @new, but without memory. Returns 0 or -ENOMEM. */
static int pids_set(struct kpt_instance *instance, unsigned int which, const struct kpt_pids *new)
{
	unsigned int of = which / KPT_PIDS_TRACER, lists = of * KPT_PIDS_TRACER;
	const struct kpt_pids *wanted = pids_of(instance->pids[lists + KPT_PIDS_WANTED]);
	const struct kpt_pids *unwanted = pids_of(instance->pids[lists + KPT_PIDS_UNWANTED]);
	const struct kpt_pids *old = pids_of(instance->pids[which]);
	const struct kpt_pids *was_allowed = instance->listed[of], *allowed;

	if (old == new)
		return 0;
	allowed = which == lists + KPT_PIDS_WANTED ? pids_without(new, unwanted) :
						     pids_without(wanted, new);
	if (!allowed)
		return -ENOMEM;
	rcu_assign_pointer(instance->pids[which], new);
	instance->listed[of] = allowed;
	kpt_task_filter_update(instance);
	/* Wait for hits that use those of before: they run with interrupts masked. */
	kpt_arch_quiesce();
	allowed_free(was_allowed, wanted);
	pids_free(old);
	return 0;
}

/**
 * kpt_pids_clear() - empty a list of tasks
 * @instance: the instance
 * @which: KPT_PIDS_*
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM; then nothing has changed.
 */
int kpt_pids_clear(struct kpt_instance *instance, unsigned int which)
{
	return pids_set(instance, which, pids_without_list(which));
}

/**
 * kpt_task_filter_has_lists() - is there a list of tasks?
 * @instance: the instance
 *
 * Context: process context, kpt_mutex held.
 * Return: true if there is.
 */
bool kpt_task_filter_has_lists(const struct kpt_instance *instance)
{
	return instance_has_list(instance);
}

/**
 * kpt_pids_next() - walk a list of tasks
 * @instance: the instance
 * @which: KPT_PIDS_*
 * @pid: the number of a task; -1 to begin
 *
 * Context: process context, kpt_mutex held.
 * Return: the next larger number in the list; -1 at its end, or if there is no list.
 */
s32 kpt_pids_next(const struct kpt_instance *instance, unsigned int which, s32 pid)
{
	const struct kpt_pids *pids = rcu_dereference_protected(
		instance->pids[which], lockdep_is_held(&kpt_mutex));

	if (!instance_chooses(instance, which))
		return -1;
	while (++pid < KPT_PIDS_CHUNKS * KPT_PIDS_BITS) {
		if (pid % KPT_PIDS_BITS == 0 && pids->chunk[pid / KPT_PIDS_BITS] == no_bits)
			pid += KPT_PIDS_BITS - 1;
		else if (pids_have(pids, pid))
			return pid;
	}
	return -1;
}

/**
 * kpt_pids_are_set() - is there a list of tasks?
 * @instance: the instance
 * @which: KPT_PIDS_*
 *
 * Context: process context, kpt_mutex held.
 * Return: true if there is.
 */
bool kpt_pids_are_set(const struct kpt_instance *instance, unsigned int which)
{
	return instance_chooses(instance, which);
}

/* Returns false without memory. */
static bool pids_put(struct kpt_pids *pids, unsigned int pid)
{
	const u64 **chunk = &pids->chunk[pid / KPT_PIDS_BITS];
	u64 *bits = *chunk == no_bits ? kmemdup(no_bits, sizeof(no_bits), GFP_KERNEL) :
					(u64 *)*chunk;

	if (!bits)
		return false;
	bits[pid % KPT_PIDS_BITS / 64] |= 1ULL << pid % 64;
	*chunk = bits;
	return true;
}

/* Add the numbers in @text. Returns their number, or what is wrong. */
static int pids_parse(struct kpt_pids *pids, char *text)
{
	unsigned int n;
	char *word;
	int nr = 0;

	while ((word = strsep(&text, " \t\n"))) {
		if (!*word)
			continue;
		if (kstrtouint(word, 0, &n) || n >= PID_MAX_LIMIT)
			return -EINVAL;
		if (!pids_put(pids, n))
			return -ENOMEM;
		nr++;
	}
	return nr;
}

/* A list with the same tasks as @old, which may be none; NULL without memory. */
static struct kpt_pids *pids_copy(const struct kpt_pids *old, bool is_list)
{
	struct kpt_pids *new = pids_make();
	unsigned int i;

	for (i = 0; is_list && new && i < KPT_PIDS_CHUNKS; i++) {
		if (old->chunk[i] == no_bits)
			continue;
		new->chunk[i] = kmemdup(old->chunk[i], sizeof(no_bits), GFP_KERNEL);
		if (new->chunk[i])
			continue;
		new->chunk[i] = no_bits;
		pids_free(new);
		new = NULL;
	}
	return new;
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
	struct kpt_pids *new = pids_copy(old, instance_chooses(instance, which));
	int err;

	if (!new)
		return -ENOMEM;
	err = pids_parse(new, text);
	if (err > 0) {
		err = pids_set(instance, which, new);
		if (!err)
			return 0;
	}
	pids_free(new);
	return err;
}
