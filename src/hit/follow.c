// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hits of events on events: their handlers, the followers of an event file, make
 * records of its record. Runs in BRK context, see hit_point.c, or for a text that a program
 * writes to trace_marker.
 */
#include "kernel/compat.h"
#include <linux/rcupdate.h>
#include "hit/follow.h"
#include "hit/internal.h"
#include "kernel/scratch.h"

/* The common fields are those of the source. */
static __always_inline void follow_head(const struct kpt_handler *handler,
					const void *source, void *rec)
{
	struct kpt_record_head *head = rec;

	memcpy(head, source, sizeof(*head));
	head->type = handler->type;
}

/* Is a record of the source a hit of this handler? */
static bool follow_wants(const struct kpt_handler *handler,
			 const struct kpt_hit *source)
{
	const struct kpt_filter *condition = handler->probe->follows->condition;

	return !condition || kpt_filter_match(condition, source->record,
					      source->size, smp_processor_id());
}

static void follow_fill(const struct kpt_handler *handler, struct kpt_hit *hit,
			const struct kpt_fetch_source *src, void *rec)
{
	follow_head(handler, src->record, rec);
	hit->record = rec;
}

/* Room for any record is there since the event was armed. */
static noinline void follow_make_large(const struct kpt_handler *handler,
				       struct kpt_hit *hit,
				       const struct kpt_fetch_source *src)
{
	void *rec;

	hit->size = kpt_fetch_size(handler->prog, src);
	rec = kpt_scratch_large(true, &hit->size);
	if (WARN_ON_ONCE(!rec))
		return;
	follow_fill(handler, hit, src, rec);
	kpt_fetch_exec(handler->prog, src, rec, hit->size);
}

/* Make the record in memory of the CPU; that of the source is beside it. */
static void follow_make(const struct kpt_handler *handler, struct kpt_hit *hit,
			const struct kpt_fetch_source *src)
{
	void *rec = this_cpu_ptr(kpt_scratch)->record[1];

	hit->size = kpt_fetch_try(handler->prog, src, rec, KPT_SCRATCH_RECORD);
	if (likely(hit->size))
		follow_fill(handler, hit, src, rec);
	else
		follow_make_large(handler, hit, src);
}

/**
 * kpt_hit_follow() - give a record to the events on its event
 * @followers: their handlers
 * @from: so many have had it
 * @hit: the hit, with its record, which is not in a ring of these events
 *
 * Context: BRK, or interrupts masked and hits on this CPU off.
 */
void kpt_hit_follow(const struct kpt_handlers *followers, unsigned int from,
		    const struct kpt_hit *hit)
{
	const struct kpt_fetch_source src = {
		.regs = &hit->regs->user_regs,
		.record = hit->record, .size = hit->size,
	};
	struct kpt_hit own = { .regs = hit->regs, .call = hit->call, .caller = hit->caller };
	const struct kpt_handler *handler;
	unsigned int n = 0;

	if (unlikely(followers->needs_rcu && !rcu_is_watching())) {
		kpt_hit_follow_missed(followers, from);
		return;
	}
	kpt_for_each_handler(handler, followers) {
		if (n++ < from || !follow_wants(handler, hit))
			continue;
		follow_make(handler, &own, &src);
		kpt_hit_deliver_made(handler, &own);
	}
}

/**
 * kpt_hit_follow_missed() - count a hit that the event missed, and so those on it
 * @followers: their handlers, or NULL
 * @from: so many have had it
 *
 * Nobody knows whether their conditions would have accepted the record.
 *
 * Context: as kpt_hit_missed_by().
 */
void kpt_hit_follow_missed(const struct kpt_handlers *followers, unsigned int from)
{
	const struct kpt_handler *handler;
	unsigned int n = 0;

	if (!followers)
		return;
	kpt_for_each_handler(handler, followers)
		if (n++ >= from)
			kpt_hit_missed_by(handler);
}
