// SPDX-License-Identifier: GPL-2.0-only
/* Hooks: lists of handlers are collected, published and freed. */
#include "kernel/compat.h"
#include <linux/slab.h>
#include "engine/hook.h"
#include "engine/point.h"
#include "kernel/lock.h"

/**
 * kpt_hook_make() - a hook without handlers
 * @hook: the hook
 * @in_point: it is part of a struct kpt_point
 *
 * Context: process context.
 */
void kpt_hook_make(struct kpt_hook *hook, bool in_point)
{
	RCU_INIT_POINTER(hook->handlers, NULL);
	hook->next = NULL;
	INIT_LIST_HEAD(&hook->in_batch);
	hook->in_point = in_point;
}

/**
 * kpt_hook_fini() - free what a hook still has
 * @hook: in no batch, and no hit uses it
 *
 * There is a list left if there was no memory for a shorter one.
 *
 * Context: process context.
 */
void kpt_hook_fini(struct kpt_hook *hook)
{
	kfree(rcu_access_pointer(hook->handlers));
	RCU_INIT_POINTER(hook->handlers, NULL);
}

/**
 * kpt_hook_current() - the list that hits run
 * @hook: the hook
 *
 * Context: process context, kpt_mutex held.
 * Return: the list, or NULL.
 */
struct kpt_handlers *kpt_hook_current(struct kpt_hook *hook)
{
	return rcu_dereference_protected(hook->handlers,
					 lockdep_is_held(&kpt_mutex));
}

/**
 * kpt_hook_next() - the list that hits run once the pending batch is applied
 * @hook: the hook
 *
 * Context: process context, kpt_mutex held.
 * Return: the list, or NULL; that of kpt_hook_current() if no batch changes it.
 */
struct kpt_handlers *kpt_hook_next(struct kpt_hook *hook)
{
	lockdep_assert_held(&kpt_mutex);
	if (list_empty(&hook->in_batch))
		return kpt_hook_current(hook);
	return hook->next;
}

/**
 * kpt_batch_add() - change the list of a hook when the batch is applied
 * @batch: the batch
 * @hook: the hook; a later change in the same batch replaces an earlier one
 * @handlers: its new list from kmalloc(), owned by the batch from now on; NULL for
 *	no handlers, which disarms a point
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_batch_add(struct kpt_batch *batch, struct kpt_hook *hook,
		   struct kpt_handlers *handlers)
{
	lockdep_assert_held(&kpt_mutex);
	if (list_empty(&hook->in_batch)) {
		list_add_tail(&hook->in_batch, &batch->hooks);
		batch->nr++;
	} else {
		kfree(hook->next);
	}
	hook->next = handlers;
}

/**
 * kpt_batch_cancel() - forget a batch without applying it
 * @batch: empty afterwards
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_batch_cancel(struct kpt_batch *batch)
{
	struct kpt_hook *hook, *next;

	lockdep_assert_held(&kpt_mutex);
	list_for_each_entry_safe(hook, next, &batch->hooks, in_batch) {
		list_del_init(&hook->in_batch);
		kfree(hook->next);
		hook->next = NULL;
	}
	batch->nr = 0;
}

/* Exchange the list of each hook with the one kept in @next. */
static void batch_swap(struct kpt_batch *batch)
{
	struct kpt_hook *hook;
	struct kpt_handlers *old;

	list_for_each_entry(hook, &batch->hooks, in_batch) {
		old = kpt_hook_current(hook);
		rcu_assign_pointer(hook->handlers, hook->next);
		hook->next = old;
	}
}

/**
 * kpt_batch_apply() - publish, arm and disarm all of a batch
 * @batch: empty afterwards, in both cases
 * @diag: on failure the reason, and which address; NULL if nothing is armed
 *
 * One machine stop to arm and one to disarm, or several if one would be long, and
 * one wait at the end: when it returns, no hit runs on an old list, and old lists
 * are freed.
 *
 * New lists are published before their points are armed. A point that is disarmed
 * loses its list first: what hits it until the machine stops runs nothing. The model
 * of this is tests/models/quiesce.pml.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or the errno of kpt_arch_arm(); then every list is unchanged.
 */
int kpt_batch_apply(struct kpt_batch *batch, struct kpt_diag *diag)
{
	int err;

	lockdep_assert_held(&kpt_mutex);
	if (list_empty(&batch->hooks))
		return 0;
	batch_swap(batch);
	err = kpt_points_patch(batch, true, diag);
	if (err)
		batch_swap(batch);
	kpt_points_patch(batch, false, NULL);
	kpt_arch_quiesce();
	kpt_batch_cancel(batch);
	return err;
}
