/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hooks: where handlers hang, and changes to many of them at once.
 *
 * The handlers of a hook are a list that never changes: a layer above builds a new
 * one, and a batch publishes it. Changes are collected in a batch, so that a
 * thousand of them cost two machine stops and one wait until no hit runs on what
 * was before. All writers hold kpt_mutex.
 */
#ifndef KPTRACE_HOOK_H
#define KPTRACE_HOOK_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

struct kpt_diag;
struct kpt_handlers;

/**
 * struct kpt_hook - what a hit runs; part of the object that is hit
 * @handlers: the list, NULL if there is none; hits read it without a lock
 * @next: the list that the batch will publish
 * @in_batch: link in the batch that changes it
 * @in_point: it is part of a struct kpt_point, whose text has to agree
 */
struct kpt_hook {
	struct kpt_handlers __rcu *handlers;
	struct kpt_handlers *next;
	struct list_head in_batch;
	bool in_point;
};

/**
 * struct kpt_batch - changes to be made together
 * @hooks: hooks whose list changes, kpt_hook.in_batch
 * @nr: how many
 */
struct kpt_batch {
	struct list_head hooks;
	unsigned int nr;
};

#define KPT_BATCH_INIT(b) { .hooks = LIST_HEAD_INIT((b).hooks) }

void kpt_hook_make(struct kpt_hook *hook, bool in_point);
void kpt_hook_fini(struct kpt_hook *hook);
struct kpt_handlers *kpt_hook_next(struct kpt_hook *hook);
struct kpt_handlers *kpt_hook_current(struct kpt_hook *hook);
void kpt_batch_add(struct kpt_batch *batch, struct kpt_hook *hook,
		   struct kpt_handlers *handlers);
int kpt_batch_apply(struct kpt_batch *batch, struct kpt_diag *diag);
void kpt_batch_cancel(struct kpt_batch *batch);

#endif
