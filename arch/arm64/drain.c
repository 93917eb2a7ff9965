// SPDX-License-Identifier: GPL-2.0-only
/*
 * Wait until no task that was in a slot still is.
 *
 * Without kernel preemption none is: no task was left inside when the machine
 * was stopped to disarm the point. With it, a task may have been preempted in
 * a slot. RCU-tasks waits until every task has been switched out by its own
 * will, which code in a slot does not do. Preemptible kernels without it are
 * left: there the stacks of all tasks are searched for a PC in a slot, while
 * the machine is stopped. An old word that looks like one only delays things.
 *
 * Idle tasks are never preempted, so they need not be looked at.
 */
#include <kptrace/compat.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/stop_machine.h>
#include "engine.h"

#define HAVE_RCU_TASKS IS_ENABLED(CONFIG_TASKS_RCU)

bool kpt_drain_wait(void)
{
	if (!IS_ENABLED(CONFIG_PREEMPTION))
		return true;
	if (HAVE_RCU_TASKS)
		synchronize_rcu_tasks();
	return HAVE_RCU_TASKS;
}

/*
 * Every task but those that stop the machine has been switched out, so what it
 * needs to go on is on its stack, above where it left its SP.
 */
static void search_stack(struct task_struct *task)
{
	unsigned long *word = (unsigned long *)thread_saved_sp(task);
	unsigned long *bottom = task_stack_page(task);
	unsigned long *top = (void *)bottom + THREAD_SIZE;

	if (!bottom || word < bottom)
		return;
	for (; word < top; word++)
		kpt_xol_seen(READ_ONCE(*word));
}

static int search_stopped(void *unused)
{
	struct task_struct *process, *task;

	for_each_process_thread(process, task)
		search_stack(task);
	return 0;
}

void kpt_drain_search(void)
{
	stop_machine(search_stopped, NULL, NULL);
}
