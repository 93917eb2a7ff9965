/* SPDX-License-Identifier: GPL-2.0-only */
/* The main lock; hits never take it. */
#ifndef KPTRACE_LOCK_H
#define KPTRACE_LOCK_H

#include <linux/errno.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>

/*
 * Serialises definitions, arming, slots and instances. Never taken in BRK context. Tasks that
 * may fail take it by kpt_lock(). docs/locking.md lists the locks that are taken inside it.
 */
extern struct mutex kpt_mutex;

/*
 * How many events a task switches, filters or deletes without letting others take
 * kpt_mutex: some milliseconds.
 */
#define KPT_PIECE 1000

/**
 * enum kpt_hold - how a task holds kpt_mutex
 * @KPT_HOLDS: by mutex_lock()
 * @KPT_HOLDS_KEPT: by kpt_lock() and kpt_lock_keep()
 * @KPT_HOLDS_LOST: by kpt_lock(); if it is killed while others may take it, it has lost it
 */
enum kpt_hold { KPT_HOLDS, KPT_HOLDS_KEPT, KPT_HOLDS_LOST };

/**
 * struct kpt_errand - work under kpt_mutex of a task that must not wait for it
 * @list: in a list of lock.c until it is done
 * @run: does it, and may free this; or returns an errno, to be called again
 */
struct kpt_errand {
	struct list_head list;
	int (*run)(struct kpt_errand *errand);
};

int kpt_lock(void);
int kpt_lock_ahead(void);
void kpt_lock_keep(void);
void kpt_unlock(void);
int kpt_lock_is_killed(void);
enum kpt_hold kpt_mutex_pause(void);
int kpt_mutex_resume(enum kpt_hold how);
int kpt_mutex_yield(void);
int kpt_mutex_yield_kept(void);
void kpt_errand_do(struct kpt_errand *errand, int (*run)(struct kpt_errand *errand));
void kpt_errands_exit(void);
int kpt_param_set_switch(const char *val, int (*change)(bool on));

#endif
