// SPDX-License-Identifier: GPL-2.0-only
/* What bits in the memory of processes tell about, and references on it. */
#include "kernel/compat.h"
#include <linux/list.h>
#include "parts/user/enabler.h"
#include "kernel/lock.h"

/* Targets without references, kpt_enabled.idle. Under kpt_mutex. */
LIST_HEAD(kpt_enabled_idle);

/**
 * kpt_enabled_make() - initialize what bits tell about
 * @target: it gets no handlers, no enablers and no references
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_enabled_make(struct kpt_enabled *target)
{
	kpt_hook_make(&target->hook, KPT_HOOK_ENABLED);
	INIT_LIST_HEAD(&target->enablers);
	list_add_tail(&target->idle, &kpt_enabled_idle);
	target->refs = 0;
}

/**
 * kpt_enabled_fini() - the reverse of kpt_enabled_make()
 * @target: it has no references
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_enabled_fini(struct kpt_enabled *target)
{
	list_del(&target->idle);
	kpt_hook_fini(&target->hook);
}

/**
 * kpt_enabled_get() - take a reference
 * @target: the target
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_enabled_get(struct kpt_enabled *target)
{
	if (!target->refs++)
		list_del_init(&target->idle);
}

/**
 * kpt_enabled_put() - drop a reference
 * @target: the target
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_enabled_put(struct kpt_enabled *target)
{
	if (!--target->refs)
		list_add_tail(&target->idle, &kpt_enabled_idle);
}
