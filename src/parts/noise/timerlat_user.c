// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads of programs that timerlat measures instead of those of the kernel. Such a thread
 * opens the file of the CPU that it is bound to. Its read() sleeps until the timer fires,
 * and records how late the thread is; the next read() records how late it has done its work
 * in user space.
 *
 * The tracer does not wait for a program to close its file: kpt_timerlat_users_end() kills
 * it, and takes the CPU away from the open file. A reader sleeps with @inside held, but
 * never for longer than until a signal: it is neither stopped nor frozen in here.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "parts/noise/noise.h"
#include "parts/noise/timerlat_user.h"

/**
 * struct kpt_timerlat_user - an open timerlat_fd
 * @inside: held by a read(), also while it sleeps
 * @number: the number of its CPU
 * @task: the thread that has opened it, and alone may read it
 * @cpu: its CPU; NULL when the tracer has ended. Changed under users_lock and @inside
 * @is_over: a sleeping reader is to return, and no read() begins
 * @is_awake: the thread does its work in user space, after a timer
 */
struct kpt_timerlat_user {
	struct mutex inside;
	unsigned int number;
	struct task_struct *task;
	struct kpt_noise_cpu *cpu;
	bool is_over;
	bool is_awake;
};

/*
 * Which threads are measured: user_cpus and kpt_noise_cpu.user. CPU hotplug takes it, so it
 * is inside the lock of that; a reader does not take it.
 */
static DEFINE_MUTEX(users_lock);

/* While programs may bring threads, else NULL. */
static struct kpt_noise_cpu __percpu *user_cpus;

/* Nobody uses the CPU for this file any more. users_lock is held. */
static void user_end(struct kpt_timerlat_user *user)
{
	struct kpt_noise_cpu *cpu = user->cpu;

	if (!cpu)
		return;
	WRITE_ONCE(user->is_over, true);
	wake_up_process(user->task);
	mutex_lock(&user->inside);
	hrtimer_cancel(&cpu->timer);
	kpt_noise_watch(cpu, false);
	WRITE_ONCE(cpu->user, NULL);
	WRITE_ONCE(cpu->thread, NULL);
	user->cpu = NULL;
	mutex_unlock(&user->inside);
}

static void __user_kill(struct kpt_noise_cpu *cpu)
{
	struct kpt_timerlat_user *user = cpu->user;

	if (!user)
		return;
	send_sig(SIGKILL, user->task, 1);
	user_end(user);
}

/**
 * kpt_timerlat_user_kill() - a CPU goes offline: kill the program that it runs
 * @cpu: the CPU
 *
 * Context: process context, sleeps; CPU hotplug.
 */
void kpt_timerlat_user_kill(struct kpt_noise_cpu *cpu)
{
	mutex_lock(&users_lock);
	__user_kill(cpu);
	mutex_unlock(&users_lock);
}

/**
 * kpt_timerlat_users_begin() - let programs bring threads
 * @cpus: the CPUs
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_timerlat_users_begin(struct kpt_noise_cpu __percpu *cpus)
{
	mutex_lock(&users_lock);
	user_cpus = cpus;
	mutex_unlock(&users_lock);
}

/**
 * kpt_timerlat_users_end() - kill all programs that have brought a thread
 *
 * As in mainline: they are there for nothing else. After this no file uses the CPUs of
 * kpt_timerlat_users_begin(), and none is opened.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_timerlat_users_end(void)
{
	unsigned int number;

	mutex_lock(&users_lock);
	if (user_cpus)
		for_each_possible_cpu(number)
			__user_kill(per_cpu_ptr(user_cpus, number));
	user_cpus = NULL;
	mutex_unlock(&users_lock);
}

/* Preemption is off, users_lock is held. */
static int user_begin(struct kpt_timerlat_user *user)
{
	struct kpt_noise_cpu *cpu = per_cpu_ptr(user_cpus, user->number);

	/* A CPU that goes offline has no reader after kpt_timerlat_user_kill(). */
	if (current->nr_cpus_allowed > 1 || smp_processor_id() != user->number ||
	    !cpu_active(user->number))
		return -EPERM;
	if (cpu->user)
		return -EBUSY;
	user->cpu = cpu;
	cpu->has_moved = false;
	cpu->is_late = false;
	kpt_timerlat_prepare(cpu);
	WRITE_ONCE(cpu->thread, user->task);
	WRITE_ONCE(cpu->user, user);
	return 0;
}

static int user_try_begin(struct kpt_timerlat_user *user)
{
	int err;

	if (!user_cpus)
		return -EINVAL;
	preempt_disable();
	err = user_begin(user);
	preempt_enable();
	return err;
}

/**
 * kpt_timerlat_user_open() - let timerlat measure the calling thread
 * @number: the CPU of the file
 *
 * Context: process context, sleeps.
 * Return: for kpt_timerlat_user_release(), or ERR_PTR(): -EINVAL if timerlat is off or has
 * threads of the kernel; -EPERM if the thread is not bound to that CPU alone; -EBUSY if the
 * CPU has a thread; -ENOMEM.
 */
struct kpt_timerlat_user *kpt_timerlat_user_open(unsigned int number)
{
	struct kpt_timerlat_user *user = kzalloc(sizeof(*user), GFP_KERNEL);
	int err;

	if (!user)
		return ERR_PTR(-ENOMEM);
	mutex_init(&user->inside);
	user->number = number;
	user->task = get_task_struct(current);
	mutex_lock(&users_lock);
	err = user_try_begin(user);
	mutex_unlock(&users_lock);
	if (!err)
		return user;
	put_task_struct(user->task);
	kfree(user);
	return ERR_PTR(err);
}

/**
 * kpt_timerlat_user_release() - the file is closed
 * @user: from kpt_timerlat_user_open()
 *
 * Context: process context, sleeps.
 */
void kpt_timerlat_user_release(struct kpt_timerlat_user *user)
{
	mutex_lock(&users_lock);
	user_end(user);
	mutex_unlock(&users_lock);
	put_task_struct(user->task);
	kfree(user);
}

/*
 * read().
 */

static bool user_is_here(const struct kpt_timerlat_user *user)
{
	return raw_smp_processor_id() == user->number && !READ_ONCE(user->cpu->has_moved);
}

/* The timer is one of the CPU on which it is started. */
static bool user_arm(const struct kpt_timerlat_user *user)
{
	bool is_here;

	preempt_disable();
	is_here = user_is_here(user);
	if (is_here)
		kpt_timerlat_arm(user->cpu);
	preempt_enable();
	return is_here;
}

/* Sleep until the timer has fired. Returns false if something else ended that. */
static bool user_sleep(const struct kpt_timerlat_user *user, u32 seq)
{
	struct kpt_noise_cpu *cpu = user->cpu;

	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (READ_ONCE(cpu->seq) != seq || signal_pending(current) ||
		    READ_ONCE(user->is_over))
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	if (READ_ONCE(cpu->seq) == seq)
		hrtimer_cancel(&cpu->timer);
	return READ_ONCE(cpu->seq) != seq;
}

/* After a signal, the next read() waits for the same timer, if its time is not over. */
static bool user_wait(const struct kpt_timerlat_user *user, u64 before, u32 seq)
{
	if (user_sleep(user, seq))
		return true;
	user->cpu->expires = before;
	return false;
}

/* @inside is held. */
static int user_cycle(struct kpt_timerlat_user *user)
{
	struct kpt_noise_cpu *cpu = user->cpu;
	u64 before;
	u32 seq;

	if (READ_ONCE(user->is_over) || current != user->task || !user_is_here(user))
		return -EINVAL;
	if (user->is_awake)
		kpt_timerlat_report(cpu, KPT_TIMERLAT_USER_RET);
	user->is_awake = false;
	before = cpu->expires;
	seq = cpu->seq;
	if (!user_arm(user))
		return -EINVAL;
	if (!user_wait(user, before, seq))
		return 0;
	if (!user_is_here(user))
		return -EINVAL;
	kpt_timerlat_report(cpu, KPT_TIMERLAT_THREAD);
	user->is_awake = true;
	return 0;
}

/**
 * kpt_timerlat_user_read() - the thread has done its work: wait for the next timer
 * @user: from kpt_timerlat_user_open()
 *
 * Context: process context, sleeps.
 * Return: 0, also if a signal came first; -EINVAL if another thread reads, if the thread
 * was on another CPU meanwhile, or if the tracer has ended; -EINTR.
 */
int kpt_timerlat_user_read(struct kpt_timerlat_user *user)
{
	int err;

	if (mutex_lock_interruptible(&user->inside))
		return -EINTR;
	err = user_cycle(user);
	mutex_unlock(&user->inside);
	return err;
}
