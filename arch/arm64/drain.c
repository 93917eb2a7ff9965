// SPDX-License-Identifier: GPL-2.0-only
/*
 * Wait until no task is any more in code that is to be freed.
 *
 * The code is such that a task never sleeps in it. Without kernel preemption
 * nobody was left inside when the machine was stopped last. With it, a task
 * may have been preempted there. RCU-tasks waits until every task has been
 * switched out by its own will. Preemptible kernels without it are left: there
 * the stacks of all tasks that are preempted are searched for an address in
 * that code, while the machine is stopped. An old word that looks like one only
 * delays things.
 *
 * A task that was preempted is still queued to run (on_rq), one that sleeps is
 * not. Where it was is in the pt_regs on its own stack: interrupts that have a
 * stack of their own are over. Idle tasks are never preempted, and have no
 * need to be looked at. A task about to die is not in the list of tasks any
 * more, but can still be preempted: so there must be as many runnable tasks as
 * the scheduler counts.
 */
#include "kernel/compat.h"
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/stop_machine.h>
#include "kernel/ksyms.h"
#include "engine.h"

#define HAVE_RCU_TASKS IS_ENABLED(CONFIG_TASKS_RCU)

/**
 * kpt_drain_wait() - wait until every task has left what it was preempted in
 *
 * Context: process context, sleeps, perhaps for seconds.
 * Return: false if this kernel can not wait for that; then use
 * kpt_drain_search().
 */
bool kpt_drain_wait(void)
{
	if (!IS_ENABLED(CONFIG_PREEMPTION))
		return true;
	if (HAVE_RCU_TASKS)
		synchronize_rcu_tasks();
	return HAVE_RCU_TASKS;
}

/**
 * struct search - a search of all stacks
 * @seen: told of the words
 * @complete: all runnable tasks were found
 */
struct search {
	void (*seen)(unsigned long word);
	bool complete;
};

/* What it needs to go on is above where it left its SP. */
static void search_stack(struct task_struct *task, const struct search *s)
{
	unsigned long *word = (unsigned long *)thread_saved_sp(task);
	unsigned long *bottom = task_stack_page(task);
	unsigned long *top = (void *)bottom + THREAD_SIZE;

	if (!bottom || word < bottom)
		return;
	/* KASAN has marked what is between variables. */
	for (; word < top; word++)
		s->seen(READ_ONCE_NOCHECK(*word) | kpt_arch_return_words.pac_mask);
}

static int search_stopped(void *data)
{
	struct task_struct *process, *task;
	struct search *s = data;
	unsigned int runnable = 0;

	for_each_process_thread(process, task) {
		if (!READ_ONCE(task->on_rq))
			continue;
		runnable++;
		search_stack(task, s);
	}
	s->complete = !kpt_ksyms.nr_running ||
		runnable == kpt_ksyms.nr_running();
	return 0;
}

/**
 * kpt_drain_search() - look for what tasks were preempted in
 * @seen: called for each word on the stacks of all runnable tasks, while the
 *	machine is stopped; signatures of addresses are taken off
 *
 * Context: process context, sleeps.
 * Return: true if all were found; false if it has to be tried again.
 */
bool kpt_drain_search(void (*seen)(unsigned long word))
{
	struct search s = { .seen = seen };

	return !stop_machine(search_stopped, &s, NULL) && s.complete;
}
