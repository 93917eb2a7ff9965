/* SPDX-License-Identifier: GPL-2.0-only */
/* The main lock; hits never take it. */
#ifndef KPTRACE_LOCK_H
#define KPTRACE_LOCK_H

#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>

/*
 * Serialises definitions, arming, slots and instances. Never taken in BRK context.
 * docs/locking.md lists the locks that are taken inside it.
 */
extern struct mutex kpt_mutex;

/*
 * How many events a task switches, filters or deletes without letting others take
 * kpt_mutex: some milliseconds.
 */
#define KPT_PIECE 1000

/**
 * kpt_mutex_yield() - let others take kpt_mutex, between two pieces of long work
 *
 * What was found under kpt_mutex may be gone afterwards.
 *
 * Context: process context, sleeps, kpt_mutex held, also afterwards.
 * Return: 0; -EINTR if the task is being killed and should do no more.
 */
static inline int kpt_mutex_yield(void)
{
	mutex_unlock(&kpt_mutex);
	cond_resched();
	mutex_lock(&kpt_mutex);
	return fatal_signal_pending(current) ? -EINTR : 0;
}

#endif
