// SPDX-License-Identifier: GPL-2.0-only
/*
 * The main lock. Tasks that may fail wait for it one behind the other at @gate. Those that
 * cannot, such as a close() or a worker, take kpt_mutex itself: they wait for who holds it, and
 * for one more task, however many wait at the gate.
 */
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include "kernel/lock.h"

DEFINE_MUTEX(kpt_mutex);

static DEFINE_MUTEX(gate);

/* The task that holds kpt_mutex by kpt_lock(), or NULL. Written under kpt_mutex. */
static struct task_struct *holder;

/* It gives up nothing when it is killed, but goes on or undoes what it has done. */
static bool holder_keeps;

static bool holds(void)
{
	return READ_ONCE(holder) == current;
}

static void hold(bool keeps)
{
	WRITE_ONCE(holder, current);
	holder_keeps = keeps;
}

/**
 * kpt_lock() - take kpt_mutex, for a task that may fail
 *
 * Context: process context, sleeps.
 * Return: 0, and then kpt_unlock() is due; or -EINTR if the task is being killed.
 */
int kpt_lock(void)
{
	int err;

	/* A task that ends cannot be killed any more. */
	if (current->flags & PF_EXITING) {
		mutex_lock(&kpt_mutex);
		hold(true);
		return 0;
	}
	/* Without contention, mutex_lock_killable() looks for no signal. */
	if (fatal_signal_pending(current) || mutex_lock_killable(&gate))
		return -EINTR;
	err = mutex_lock_killable(&kpt_mutex);
	mutex_unlock(&gate);
	if (err)
		return -EINTR;
	hold(false);
	return 0;
}

/**
 * kpt_lock_keep() - do not lose kpt_mutex until kpt_unlock()
 *
 * For work that has to be undone under kpt_mutex if the task is killed.
 *
 * Context: process context, after kpt_lock().
 */
void kpt_lock_keep(void)
{
	lockdep_assert_held(&kpt_mutex);
	holder_keeps = true;
}

/**
 * kpt_unlock() - the reverse of kpt_lock(), also if the task has lost kpt_mutex
 *
 * Context: process context.
 */
void kpt_unlock(void)
{
	if (!holds())
		return;
	WRITE_ONCE(holder, NULL);
	mutex_unlock(&kpt_mutex);
}

/**
 * kpt_lock_is_killed() - should the holder of kpt_mutex give up what it is doing?
 *
 * Who has taken it in another way than by kpt_lock() cannot fail, or has nobody to tell.
 *
 * Context: process context, kpt_mutex held.
 * Return: -EINTR if the task is being killed and may fail; else 0.
 */
int kpt_lock_is_killed(void)
{
	return holds() && fatal_signal_pending(current) ? -EINTR : 0;
}

/**
 * kpt_mutex_pause() - let others take kpt_mutex until kpt_mutex_resume()
 *
 * What was found under kpt_mutex may be gone afterwards.
 *
 * Context: process context, kpt_mutex held.
 * Return: how it was held, for kpt_mutex_resume().
 */
enum kpt_hold kpt_mutex_pause(void)
{
	enum kpt_hold how = !holds() ? KPT_HOLDS : holder_keeps ? KPT_HOLDS_KEPT : KPT_HOLDS_LOST;

	if (how != KPT_HOLDS)
		WRITE_ONCE(holder, NULL);
	mutex_unlock(&kpt_mutex);
	return how;
}

/**
 * kpt_mutex_resume() - take kpt_mutex again
 * @how: from kpt_mutex_pause()
 *
 * Context: process context, sleeps.
 * Return: 0; -EINTR if the task is being killed and should do no more. Then it has lost
 * kpt_mutex if it took it by kpt_lock(), without kpt_lock_keep(): it may only free what nobody
 * else knows, and call kpt_unlock(). Else it has it in any case.
 */
int kpt_mutex_resume(enum kpt_hold how)
{
	if (how == KPT_HOLDS_LOST)
		return kpt_lock();
	if (how == KPT_HOLDS || kpt_lock())
		mutex_lock(&kpt_mutex);
	if (how == KPT_HOLDS_KEPT)
		hold(true);
	return fatal_signal_pending(current) ? -EINTR : 0;
}

/**
 * kpt_mutex_yield() - let others take kpt_mutex, between two pieces of long work
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: as kpt_mutex_resume().
 */
int kpt_mutex_yield(void)
{
	enum kpt_hold how = kpt_mutex_pause();

	cond_resched();
	return kpt_mutex_resume(how);
}

/**
 * kpt_mutex_yield_kept() - the same, by a task that goes on or undoes what it has done
 *
 * Context: process context, sleeps, kpt_mutex held, also afterwards.
 * Return: 0; -EINTR if the task is being killed.
 */
int kpt_mutex_yield_kept(void)
{
	enum kpt_hold how = kpt_mutex_pause();
	int err;

	cond_resched();
	err = kpt_mutex_resume(how == KPT_HOLDS_LOST ? KPT_HOLDS_KEPT : how);
	if (how == KPT_HOLDS_LOST)
		holder_keeps = false;
	return err;
}

/**
 * kpt_param_set_switch() - kernel_param_ops.set, for a parameter whose change may take long
 * @val: what was written
 * @change: makes the change
 *
 * The kernel calls it with a lock of all parameters of the module held, for which tasks wait
 * that cannot be killed. So it is given back meanwhile, and @change may run more than once at a
 * time.
 *
 * Context: process context, sleeps.
 * Return: -EINVAL if that is no switch; or as @change.
 */
int kpt_param_set_switch(const char *val, int (*change)(bool on))
{
	bool on;
	int err = kstrtobool(val, &on);

	if (err)
		return err;
	kernel_param_unlock(THIS_MODULE);
	err = change(on);
	kernel_param_lock(THIS_MODULE);
	return err;
}
