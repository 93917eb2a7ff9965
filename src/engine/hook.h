/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A hook holds a list of handlers; a batch changes many hooks at once.
 *
 * A published list never changes: a layer above builds a new list, and a batch
 * publishes it. A thousand changes in one batch cost two machine stops, and one
 * wait until no hit runs on an old list. All writers hold kpt_mutex.
 */
#ifndef KPTRACE_HOOK_H
#define KPTRACE_HOOK_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/types.h>
#include "arch.h"

struct kpt_call_owner;
struct kpt_diag;
struct kpt_handlers;

/**
 * enum kpt_hook_owner - what a hook is part of
 * @KPT_HOOK_POINT: a struct kpt_point
 * @KPT_HOOK_TRACEPOINT: a struct kpt_tracepoint
 * @KPT_HOOK_ENABLED: a struct kpt_enabled
 * @KPT_HOOK_DATA: a probe on data, of the part watch
 * @KPT_HOOK_CLOCK: a probe on time, of the part sample
 * @KPT_HOOK_OTHER: something that need not be armed
 */
enum kpt_hook_owner {
	KPT_HOOK_POINT,
	KPT_HOOK_TRACEPOINT,
	KPT_HOOK_ENABLED,
	KPT_HOOK_DATA,
	KPT_HOOK_CLOCK,
	KPT_HOOK_OTHER,
};

/**
 * struct kpt_hook_list - the beginning of a list of handlers, all that the engine reads
 * @recorder: how a stub or a thunk records the hits by itself; in the same piece of memory
 * @calls: NULL; or the hits are returns of these calls, whose return address is replaced
 * @returns: lists of such hits, which belong to this list: linked by their own @returns
 */
struct kpt_hook_list {
	struct kpt_arch_recorder *recorder;
	struct kpt_call_owner *calls;
	struct kpt_hook_list *returns;
};

/**
 * struct kpt_hook - the handlers that a hit runs; part of the object that is hit
 * @handlers: the list, or NULL for none; hits read it without a lock
 * @next: the list that the batch will publish
 * @in_batch: link in kpt_batch.hooks of the batch that changes this hook
 * @owner: what the hook is part of; it is armed to match
 */
struct kpt_hook {
	struct kpt_handlers __rcu *handlers;
	struct kpt_handlers *next;
	struct list_head in_batch;
	enum kpt_hook_owner owner;
};

/**
 * struct kpt_batch - changes that are applied together
 * @hooks: the hooks whose list changes, linked by kpt_hook.in_batch
 */
struct kpt_batch {
	struct list_head hooks;
};

#define KPT_BATCH_INIT(b) { .hooks = LIST_HEAD_INIT((b).hooks) }

void kpt_hook_list_free(struct kpt_handlers *list);
void kpt_hook_make(struct kpt_hook *hook, enum kpt_hook_owner owner);
void kpt_hook_fini(struct kpt_hook *hook);
struct kpt_handlers *kpt_hook_next(struct kpt_hook *hook);
struct kpt_handlers *kpt_hook_current(struct kpt_hook *hook);
void kpt_batch_add(struct kpt_batch *batch, struct kpt_hook *hook,
		   struct kpt_handlers *handlers);
unsigned long kpt_hook_address(const struct kpt_hook *hook);
int kpt_batch_apply(struct kpt_batch *batch, struct kpt_diag *diag);
void kpt_batch_cancel(struct kpt_batch *batch);

/* Of the part tracer: room for the functions that will be armed, and those that now are. */
int kpt_touched_prepare(struct kpt_batch *batch);
void kpt_touched_note(struct kpt_batch *batch);

/* Of the part user: tell programs which of their events are armed now. */
void kpt_enablers_update(struct kpt_batch *batch);

/* Of the part watch: a change of a KPT_HOOK_DATA was applied or dropped. */
void kpt_wprobe_yield(struct kpt_hook *hook);

/* Of the part sample: the same of a KPT_HOOK_CLOCK. */
void kpt_sample_yield(struct kpt_hook *hook);

#endif
