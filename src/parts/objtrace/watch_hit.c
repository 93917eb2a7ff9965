// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hits of functions that are watched: those that take an object have a record, which the
 * event's sinks get. Runs in BRK context, see hit_point.c.
 */
#include "kernel/compat.h"
#include <linux/rcupdate.h>
#include "parts/objtrace/watch.h"
#include "hit/internal.h"

/*
 * Record a call that takes an object. @last is the value last seen of the object. With
 * two arguments of one object the second one is no other call.
 */
static void watch_record(const struct kpt_handler *handler, struct kpt_hit *hit,
			 u64 object, u64 *last)
{
	const struct kpt_watch_value *what = &kpt_watcher_of(handler->probe)->value;
	u64 value = kpt_watch_read(what, object);
	struct kpt_record_object record = {
		.ip = hit->regs->pc,
		.parent_ip = kpt_call_true_return(kpt_arch_return_address(hit->regs),
						  hit->regs),
		.object = object,
		.value = value,
	};

	if (what->changes && xchg(last, value) == value)
		return;
	kpt_hit_fill_head(&record.head, handler->type, hit->regs, hit->context);
	hit->record = &record;
	hit->size = sizeof(record);
	kpt_hit_deliver_made(handler, hit);
	hit->record = NULL;
	hit->size = 0;
}

/**
 * kpt_hit_watch() - run a handler in role KPT_ROLE_WATCH
 * @handler: the handler
 * @hit: the hit; it has no record
 *
 * Context: BRK.
 */
void kpt_hit_watch(const struct kpt_handler *handler, struct kpt_hit *hit)
{
	struct kpt_pool *pool = &kpt_watcher_of(handler->probe)->pool;
	u64 object[KPT_POOL_ARGS], *last;
	unsigned int i, k;

	if (!kpt_pool_may_have(pool, hit->regs->regs))
		return;
	hit->is_return = false;
	for (i = 0; i < KPT_POOL_ARGS; i++) {
		object[i] = kpt_pool_find(pool, hit->regs->regs[i], &last);
		for (k = 0; object[i] && k < i; k++)
			if (object[k] == object[i])
				break;
		if (object[i] && k == i)
			watch_record(handler, hit, object[i], last);
	}
}

/**
 * kpt_hit_watched() - run the list that a stub has found, of a watcher alone
 * @ap: the point
 * @regs: as for kpt_hit_point()
 * @recorder: part of the list; valid until kpt_arch_quiesce()
 *
 * Most calls take no object. For these nothing else runs.
 *
 * Context: BRK, as for kpt_hit_point().
 * Return: as kpt_hit_point().
 */
bool kpt_hit_watched(struct kpt_arch_point *ap, struct pt_regs *regs,
		     const struct kpt_arch_recorder *recorder)
{
	const struct kpt_handlers *handlers = kpt_handlers_of(recorder);

	if (likely(!kpt_pool_may_have(&kpt_watcher_of(handlers->first.probe)->pool,
				      regs->regs)))
		return true;
	return kpt_hit_point(ap, regs, 0);
}
