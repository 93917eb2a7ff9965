// SPDX-License-Identifier: GPL-2.0-only
/* Ways to run an act: timed, from many tasks, in each context. */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched/clock.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include "compat.h"
#include "target.h"
#include "target_funcs.h"

/**
 * struct job - what the threads of one command do
 * @act: the act
 * @in: its input
 * @count: calls of each thread
 * @mortal: after them each dies in kpt_target_pair()
 * @calls: calls from threads that ended, and from IPIs
 * @running: threads that have not ended
 * @done: none is left
 */
struct job {
	const struct target_act *act;
	struct target_input in;
	unsigned long count;
	bool mortal;
	atomic64_t calls;
	atomic_t running;
	struct completion done;
};

static DEFINE_MUTEX(threads_lock);
static DECLARE_WAIT_QUEUE_HEAD(gate);
static atomic_t gate_missing;

bool target_gate_open(void)
{
	return atomic_read(&gate_missing) <= 0;
}

void target_gate_wait(void)
{
	if (atomic_dec_return(&gate_missing) <= 0)
		wake_up_all(&gate);
	wait_event(gate, target_gate_open());
}

/* Renamed by Linux kernel commit ca3574bd653a ("exit: Rename
 * module_put_and_exit to module_put_and_kthread_exit") (in v5.17).
 */
#ifndef module_put_and_kthread_exit
#define module_put_and_kthread_exit module_put_and_exit
#endif

static atomic64_t ids;

u64 target_next_id(void)
{
	return atomic64_inc_return(&ids);
}

void __noreturn target_die(void)
{
	__module_get(THIS_MODULE);
	module_put_and_kthread_exit(0);
}

static int thread(void *data)
{
	struct job *job = data;
	unsigned long n;
	bool mortal;

	for (n = 0; n < job->count; n++) {
		target_call(job->act, &job->in);
		cond_resched();
	}
	atomic64_add(n + job->mortal, &job->calls);
	mortal = job->mortal;
	if (atomic_dec_and_test(&job->running))
		complete(&job->done);
	if (mortal)
		kpt_target_pair(target_next_id(), TARGET_THEN_DIE);
	return 0;
}

static void call_from_ipi(void *data)
{
	struct job *job = data;

	target_call(job->act, &job->in);
	atomic64_inc(&job->calls);
}

static void wait_for(struct job *job, unsigned int usec)
{
	if (!usec) {
		wait_for_completion(&job->done);
		return;
	}
	while (!completion_done(&job->done)) {
		preempt_disable();
		smp_call_function(call_from_ipi, job, 1);
		preempt_enable();
		usleep_range(usec, usec + usec / 4 + 1);
	}
}

/* Make them all before any starts: none can be the last one too early. */
static int create(struct job *job, struct task_struct **task, unsigned int nr)
{
	unsigned int n, cpu = cpumask_first(cpu_online_mask);

	for (n = 0; n < nr; n++) {
		task[n] = kthread_create(thread, job, "target/%u", n);
		if (IS_ERR(task[n]))
			return n;
		kthread_bind(task[n], cpu);
		get_task_struct(task[n]);
		cpu = cpumask_next(cpu, cpu_online_mask);
		if (cpu >= nr_cpu_ids)
			cpu = cpumask_first(cpu_online_mask);
	}
	return nr;
}

/* The tasks have left the module's text when this returns. */
static void reap(struct task_struct **task, unsigned int nr)
{
	while (nr--) {
		kthread_stop(task[nr]);
		put_task_struct(task[nr]);
	}
}

static int run_job(struct job *job, struct task_struct **task, unsigned int nr,
		   unsigned int usec)
{
	int n, made = create(job, task, nr);

	if (made == nr) {
		atomic_set(&gate_missing, nr);
		for (n = 0; n < nr; n++)
			wake_up_process(task[n]);
		wait_for(job, usec);
	}
	reap(task, made);
	return made == nr ? 0 : -ENOMEM;
}

static int run_threads(struct job *job, unsigned int nr, unsigned int usec,
		       u64 *calls)
{
	struct task_struct **task;
	int err;

	task = kvcalloc(nr, sizeof(*task), GFP_KERNEL);
	if (!task)
		return -ENOMEM;
	atomic_set(&job->running, nr);
	init_completion(&job->done);
	mutex_lock(&threads_lock);
	atomic64_set(&ids, 0);
	err = run_job(job, task, nr, usec);
	mutex_unlock(&threads_lock);
	kvfree(task);
	*calls = atomic64_read(&job->calls);
	return err;
}

int target_run_threads(const struct target_act *act, long value,
		       unsigned int nr, unsigned long count, unsigned int usec,
		       u64 *calls)
{
	struct job job = { .act = act, .in.value = value, .count = count };

	if (!nr || (usec && act->sleeps))
		return -EINVAL;
	return run_threads(&job, nr, usec, calls);
}

int target_run_mortal(unsigned int nr, unsigned long count, u64 *calls)
{
	struct job job = {
		.act = target_act_find("pair"), .count = count, .mortal = true,
	};

	return nr ? run_threads(&job, nr, 0, calls) : -EINVAL;
}

static DECLARE_COMPLETION(called);

static void call_from_tasklet(struct tasklet_struct *unused)
{
	kpt_target_context(TARGET_IN_SOFTIRQ);
	complete(&called);
}

static void call_from_irq_work(struct irq_work *unused)
{
	kpt_target_context(TARGET_IN_HARDIRQ);
	complete(&called);
}

static DECLARE_TASKLET(tasklet, call_from_tasklet);

void target_run_contexts(unsigned long count)
{
	static DEFINE_MUTEX(lock);
	static struct irq_work work;

	mutex_lock(&lock);
	init_irq_work(&work, call_from_irq_work);
	while (count--) {
		kpt_target_context(TARGET_IN_TASK);
		local_bh_disable();
		kpt_target_context(TARGET_IN_BH_OFF);
		local_bh_enable();
		tasklet_schedule(&tasklet);
		wait_for_completion(&called);
		irq_work_queue(&work);
		wait_for_completion(&called);
	}
	tasklet_kill(&tasklet);
	irq_work_sync(&work);
	mutex_unlock(&lock);
}

u64 target_now(void)
{
	return sched_clock();
}

/* The state in which an act is measured. */
static unsigned long measuring_begin(const struct target_act *act)
{
	unsigned long flags;

	if (act->bh_off)
		local_bh_disable();
	local_irq_save(flags);
	__preempt_count_add(act->count);
	return flags;
}

static void measuring_end(const struct target_act *act, unsigned long flags)
{
	__preempt_count_sub(act->count);
	local_irq_restore(flags);
	if (act->bh_off)
		local_bh_enable();
}

static u64 time_block(const struct target_act *act,
		      const struct target_input *in, unsigned int calls)
{
	unsigned long flags = measuring_begin(act);
	u64 start, end;

	start = target_now();
	while (calls--)
		act->call(in);
	end = target_now();
	measuring_end(act, flags);
	return end - start;
}

u64 target_run_bench(const struct target_act *act,
		     const struct target_input *in, unsigned int calls,
		     unsigned int blocks)
{
	u64 best = U64_MAX;

	while (blocks--) {
		best = min(best, time_block(act, in, calls));
		cond_resched();
	}
	return best;
}

/*
 * A read that faults, and is fixed up. Nothing is ever mapped at the last page:
 * there ERR_PTR() has its values.
 */
static void mark(unsigned int n)
{
	char unused;

	copy_from_kernel_nofault(&unused, (void *)-4096L + n, 1);
}

void target_run_marked(const struct target_act *act,
		       const struct target_input *in, unsigned int calls,
		       unsigned int id)
{
	unsigned long flags = measuring_begin(act);

	mark(2 * id);
	while (calls--)
		act->call(in);
	mark(2 * id + 1);
	measuring_end(act, flags);
}
