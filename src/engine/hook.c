// SPDX-License-Identifier: GPL-2.0-only
/* Hooks: collect, publish and free lists of handlers. */
#include "kernel/compat.h"
#include <linux/slab.h>
#include "engine/calls.h"
#include "engine/hook.h"
#include "engine/point.h"
#include "engine/tracepoint.h"
#include "kernel/lock.h"

/**
 * kpt_hook_list_free() - free a list of handlers, and those that belong to it
 * @list: the list, or NULL; no hit uses it
 *
 * Context: process context, kpt_mutex held if a stub or thunk has recorded its hits.
 */
void kpt_hook_list_free(struct kpt_handlers *list)
{
	struct kpt_hook_list *part = (struct kpt_hook_list *)list, *next;

	for (; part; part = next) {
		next = part->returns;
		kpt_arch_recorder_put(part->recorder);
		kfree(part);
	}
}

/**
 * kpt_hook_make() - initialize a hook, without handlers
 * @hook: the hook
 * @owner: what the hook is part of
 *
 * Context: process context.
 */
void kpt_hook_make(struct kpt_hook *hook, enum kpt_hook_owner owner)
{
	RCU_INIT_POINTER(hook->handlers, NULL);
	hook->next = NULL;
	INIT_LIST_HEAD(&hook->in_batch);
	hook->owner = owner;
}

/**
 * kpt_hook_fini() - free the list of a hook, if it still has one
 * @hook: the hook; it is in no batch, and no hit uses it
 *
 * A list is left over if there was no memory for a shorter one.
 *
 * Context: process context.
 */
void kpt_hook_fini(struct kpt_hook *hook)
{
	kpt_hook_list_free(rcu_access_pointer(hook->handlers));
	RCU_INIT_POINTER(hook->handlers, NULL);
}

/**
 * kpt_hook_address() - where hits of a hook happen
 * @hook: the hook
 *
 * Context: any, BRK included.
 * Return: the probed address, or the function that a tracepoint is; 0 if hits are not those
 * of a stub or a thunk.
 */
unsigned long kpt_hook_address(const struct kpt_hook *hook)
{
	switch (hook->owner) {
	case KPT_HOOK_POINT:
		return container_of(hook, struct kpt_point, hook)->arch.addr;
	case KPT_HOOK_TRACEPOINT:
		return container_of(hook, struct kpt_tracepoint, hook)->func;
	default:
		return 0;
	}
}

/**
 * kpt_hook_current() - the list of handlers that hits run now
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
 * kpt_hook_next() - the list that hits will run once the pending batch is applied
 * @hook: the hook
 *
 * Context: process context, kpt_mutex held.
 * Return: the list, or NULL; same as kpt_hook_current() if no batch changes it.
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
 * @handlers: its new list from kmalloc(), which the batch owns from now on; NULL
 *	for no handlers, which disarms a point
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_batch_add(struct kpt_batch *batch, struct kpt_hook *hook,
		   struct kpt_handlers *handlers)
{
	lockdep_assert_held(&kpt_mutex);
	if (list_empty(&hook->in_batch))
		list_add_tail(&hook->in_batch, &batch->hooks);
	else
		kpt_hook_list_free(hook->next);
	hook->next = handlers;
}

/**
 * kpt_batch_cancel() - drop the changes of a batch without applying them
 * @batch: empty afterwards
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_batch_cancel(struct kpt_batch *batch)
{
	struct kpt_hook *hook, *next;
	unsigned int nr = 0;

	lockdep_assert_held(&kpt_mutex);
	/* Each call of a function of the kernel may be a hit: no more than are needed. */
	list_for_each_entry_safe(hook, next, &batch->hooks, in_batch) {
		INIT_LIST_HEAD(&hook->in_batch);
		if (hook->next)
			kpt_hook_list_free(hook->next);
		hook->next = NULL;
		if (hook->owner == KPT_HOOK_DATA)
			kpt_wprobe_yield(hook);
		else if (hook->owner == KPT_HOOK_CLOCK)
			kpt_sample_yield(hook);
		if (++nr % 64 == 0)
			cond_resched();
	}
	INIT_LIST_HEAD(&batch->hooks);
	kpt_arch_recorder_forget();
}

/* Swap the list of each hook with @next. */
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

static void hook_set_recorder(struct kpt_hook *hook, const struct kpt_hook_list *list, bool on)
{
	const struct kpt_arch_recorder *recorder = list && on ? list->recorder : NULL;

	if (hook->owner == KPT_HOOK_POINT)
		kpt_arch_recorder_set(&container_of(hook, struct kpt_point, hook)->arch,
				      recorder);
	else if (hook->owner == KPT_HOOK_TRACEPOINT)
		kpt_arch_thunk_set(&container_of(hook, struct kpt_tracepoint,
						 hook)->called, recorder);
	while (list && (list = list->returns))
		kpt_arch_returns_set(&list->calls->recorder, on ? list->recorder : NULL);
}

/*
 * Let stubs and thunks record hits as the lists say, or by none. They use no old list
 * once kpt_arch_quiesce() has returned, and a new one only after that.
 */
static void batch_set_recorder(struct kpt_batch *batch, bool on)
{
	struct kpt_hook *hook;
	unsigned int nr = 0;

	/* What writes to a stub may be traced, by us and by the kernel, so this may take long. */
	list_for_each_entry(hook, &batch->hooks, in_batch) {
		hook_set_recorder(hook, (struct kpt_hook_list *)kpt_hook_current(hook), on);
		if (++nr % 64 == 0)
			cond_resched();
	}
}

/**
 * kpt_batch_apply() - publish the lists of a batch, arm and disarm its points
 * @batch: the batch; empty afterwards, also on failure
 * @diag: on failure the reason and the address; NULL if no point is to be armed
 *
 * After it returns, no hit runs on an old list, and old lists are freed. It stops
 * the machine once to arm and once to disarm (more often if one stop would be long),
 * and waits once at the end.
 *
 * A new list is published before its point is armed. A point that is disarmed loses
 * its list first, so a hit before the machine stop runs no handlers. Model:
 * tests/models/quiesce.pml.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EIO if text could not be changed, or -ENOMEM, and then every list is
 * unchanged.
 */
int kpt_batch_apply(struct kpt_batch *batch, struct kpt_diag *diag)
{
	int err;

	lockdep_assert_held(&kpt_mutex);
	if (list_empty(&batch->hooks))
		return 0;
	err = kpt_touched_prepare(batch);
	if (err) {
		kpt_batch_cancel(batch);
		return err;
	}
	batch_set_recorder(batch, false);
	batch_swap(batch);
	err = kpt_tracepoints_register(batch, diag);
	if (!err)
		err = kpt_points_patch(batch, true, diag);
	if (err)
		batch_swap(batch);
	kpt_tracepoints_unregister(batch);
	kpt_points_patch(batch, false, NULL);
	kpt_arch_quiesce();
	batch_set_recorder(batch, true);
	if (!err) {
		kpt_touched_note(batch);
		kpt_enablers_update(batch);
	}
	kpt_batch_cancel(batch);
	return err;
}
