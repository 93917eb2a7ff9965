// SPDX-License-Identifier: GPL-2.0-only
/*
 * The main lock. Tasks that may fail wait for it one behind the other at @gate, and can be killed
 * there. Those that cannot fail, such as a close(), do not wait: a worker has their errands.
 * Workers, notifiers and who holds a lock of the kernel take kpt_mutex itself: they do not wait
 * for those at the gate, but for the first of them.
 */
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "kernel/lock.h"

DEFINE_MUTEX(kpt_mutex);

static DEFINE_MUTEX(gate);

/* The task that holds kpt_mutex by kpt_lock(), or NULL. Written under kpt_mutex. */
static struct task_struct *holder;

/* It gives up nothing when it is killed, but goes on or undoes what it has done. */
static bool holder_keeps;

/*
 * Errands, in the order in which they were given. @errands and @errands_given change under
 * @errands_lock. The worker alone changes @errands_done, which says how many are done.
 */
static DEFINE_SPINLOCK(errands_lock);
static LIST_HEAD(errands);
static unsigned long errands_given;
static unsigned long errands_done;
static DECLARE_WAIT_QUEUE_HEAD(errands_wait);

static bool holds(void)
{
	return READ_ONCE(holder) == current;
}

static void hold(bool keeps)
{
	WRITE_ONCE(holder, current);
	holder_keeps = keeps;
}

/* What was left by a close() before is done, as if that had waited. */
static int errands_settle(void)
{
	unsigned long given = READ_ONCE(errands_given);

	return wait_event_killable(errands_wait, (long)(READ_ONCE(errands_done) - given) >= 0);
}

/* Without contention, mutex_lock_killable() looks for no signal. */
static bool task_must_end(void)
{
	return current->flags & PF_EXITING || fatal_signal_pending(current);
}

/**
 * kpt_lock() - take kpt_mutex, for a task that may fail
 *
 * Errands that were given before are done then.
 *
 * Context: process context, sleeps.
 * Return: 0, and then kpt_unlock() is due; or -EINTR if the task is being killed, or ends: then
 * nothing can kill it any more, and what it has to do is an errand.
 */
int kpt_lock(void)
{
	int err;

	if (task_must_end() || errands_settle() || mutex_lock_killable(&gate))
		return -EINTR;
	err = kpt_lock_ahead();
	mutex_unlock(&gate);
	return err;
}

/**
 * kpt_lock_ahead() - kpt_lock() for a task that holds a lock of the kernel
 *
 * Others wait for that lock, so it is not held for as long as all take that are at the gate, or
 * for errands: those given before may be done later.
 *
 * Context: process context, sleeps.
 * Return: as kpt_lock().
 */
int kpt_lock_ahead(void)
{
	if (task_must_end() || mutex_lock_killable(&kpt_mutex))
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

static struct kpt_errand *errand_next(void)
{
	struct kpt_errand *errand;

	spin_lock(&errands_lock);
	errand = list_first_entry_or_null(&errands, struct kpt_errand, list);
	if (errand)
		list_del(&errand->list);
	spin_unlock(&errands_lock);
	return errand;
}

static void errand_finish(struct kpt_errand *errand)
{
	int err;

	do {
		mutex_lock(&kpt_mutex);
		err = errand->run(errand);
		mutex_unlock(&kpt_mutex);
		/* There is no memory. */
		if (err)
			schedule_timeout_uninterruptible(1);
	} while (err);
}

static void errands_work(struct work_struct *work)
{
	struct kpt_errand *errand;

	while ((errand = errand_next())) {
		errand_finish(errand);
		WRITE_ONCE(errands_done, errands_done + 1);
		wake_up_all(&errands_wait);
	}
}

static DECLARE_WORK(errands_worker, errands_work);

/**
 * kpt_errand_do() - do something under kpt_mutex without waiting for that
 * @errand: belongs to this until @run has returned 0
 * @run: does it, with kpt_mutex held; may yield that by kpt_mutex_yield()
 *
 * For what cannot fail, such as a close(). While others have kpt_mutex, which may be as long as
 * text is patched, a worker does it, before anybody else takes kpt_mutex by kpt_lock().
 *
 * Context: process context, sleeps, kpt_mutex not held.
 */
void kpt_errand_do(struct kpt_errand *errand, int (*run)(struct kpt_errand *errand))
{
	int err = -EBUSY;

	/* Not before older ones, which the worker has. */
	if (READ_ONCE(errands_given) == READ_ONCE(errands_done) && mutex_trylock(&kpt_mutex)) {
		err = run(errand);
		mutex_unlock(&kpt_mutex);
	}
	if (!err)
		return;
	errand->run = run;
	spin_lock(&errands_lock);
	list_add_tail(&errand->list, &errands);
	WRITE_ONCE(errands_given, errands_given + 1);
	spin_unlock(&errands_lock);
	queue_work(system_long_wq, &errands_worker);
}

/**
 * kpt_errands_exit() - wait until all errands are done
 *
 * Context: module unload; no file is open.
 */
void kpt_errands_exit(void)
{
	flush_work(&errands_worker);
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
