// SPDX-License-Identifier: GPL-2.0-only
/*
 * Wait until no task is in code that is to be freed.
 *
 * No task ever sleeps in that code. Without kernel preemption, no task was
 * inside when the machine was last stopped. With kernel preemption, a task may
 * have been preempted inside. RCU-tasks waits until every task has been
 * switched out voluntarily. On a preemptible kernel without RCU-tasks, the
 * stacks of all preempted tasks are searched for an address in that code, while
 * the machine is stopped. A stale word that looks like such an address only
 * delays the freeing.
 *
 * A preempted task is still queued to run (on_rq), a sleeping one is not. The PC
 * of a preempted task is in the pt_regs on its own stack: interrupt handlers
 * with a stack of their own have ended. Idle tasks are never preempted and are
 * not searched. A dying task has left the list of tasks, but can still be
 * preempted; so the search counts only if it found as many runnable tasks as
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
 * kpt_drain_wait() - wait until every task has left the code it was preempted in
 *
 * Context: process context, sleeps, perhaps for seconds.
 * Return: true; false if this kernel cannot wait for that: use
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
 * @seen: called with each word
 * @complete: all runnable tasks were found
 */
struct search {
	void (*seen)(unsigned long word);
	bool complete;
};

/* The saved registers of a switched-out task are above its saved SP. */
static void search_stack(struct task_struct *task, const struct search *s)
{
	unsigned long *word = (unsigned long *)thread_saved_sp(task);
	unsigned long *bottom = task_stack_page(task);
	unsigned long *top = (void *)bottom + THREAD_SIZE;

	if (!bottom || word < bottom)
		return;
	/* No check: KASAN poisons the gaps between variables. */
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
	s->complete = !kpt_has(nr_running) ||
		runnable == nr_running();
	return 0;
}

/**
 * kpt_drain_search() - search the stacks of preempted tasks
 * @seen: called for each word on the stacks of all runnable tasks, while the
 *	machine is stopped; pointer authentication codes are removed first
 *
 * Context: process context, sleeps.
 * Return: true if all runnable tasks were found; false if the search must be
 * repeated.
 */
bool kpt_drain_search(void (*seen)(unsigned long word))
{
	struct search s = { .seen = seen };

	return !stop_machine(search_stopped, &s, NULL) && s.complete;
}
