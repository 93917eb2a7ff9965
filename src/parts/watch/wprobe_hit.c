// SPDX-License-Identifier: GPL-2.0-only
/* Hits of probes on data. Runs in BRK context, see hit_point.c. */
#include "kernel/compat.h"
#include <linux/rcupdate.h>
#include "hit/simple.h"
#include "kernel/comms.h"
#include "kernel/scratch.h"
#include "parts/watch/wprobe.h"

static const struct kpt_handlers *handlers_of(struct kpt_arch_watch *watch)
{
	struct kpt_wprobe *probe = container_of(watch, struct kpt_wprobe, watch);

	/* Freed only after kpt_arch_quiesce(), which waits for this hit. */
	return rcu_dereference_raw(probe->hook.handlers);
}

/* Room for any record is there since the event was armed. */
static noinline void make_large(const struct kpt_handler *handler, struct kpt_hit *hit,
				const struct kpt_fetch_source *src)
{
	hit->size = kpt_fetch_size(handler->prog, src);
	hit->record = kpt_scratch_large(false, &hit->size);
	if (!WARN_ON_ONCE(!hit->record))
		kpt_fetch_exec(handler->prog, src, hit->record, hit->size);
}

static void make_record(const struct kpt_handler *handler, struct kpt_hit *hit,
			const struct kpt_fetch_source *src)
{
	hit->record = this_cpu_ptr(kpt_scratch)->record[0];
	hit->size = kpt_fetch_try(handler->prog, src, hit->record, KPT_SCRATCH_RECORD);
	if (unlikely(!hit->size))
		make_large(handler, hit, src);
}

/**
 * kpt_hit_touch() - record an access to watched bytes
 * @watch: the bytes
 * @regs: registers after the access, with the PC of the instruction that has made it
 * @touch: what it was
 * @bias: what the exception path has added to preempt_count()
 *
 * Context: BRK; RCU watches.
 */
void kpt_hit_touch(struct kpt_arch_watch *watch, struct pt_regs *regs,
		   const struct kpt_arch_touch *touch, unsigned int bias)
{
	const struct kpt_handlers *handlers = handlers_of(watch);
	const struct kpt_fetch_source src = {
		.regs = &regs->user_regs, .record = touch, .size = sizeof(*touch),
	};
	struct kpt_hit hit = { .regs = regs };

	/* An event has one probe, and its hook one handler. */
	if (unlikely(!handlers))
		return;
	kpt_comm_note();
	if (unlikely(!kpt_hit_is_calm_but(bias)))
		hit.context = kpt_hit_context(bias);
	make_record(&handlers->first, &hit, &src);
	if (unlikely(!hit.record))
		return;
	kpt_hit_begin_record(hit.record, &handlers->first, regs, hit.context, 0);
	kpt_hit_deliver_made(&handlers->first, &hit);
}

/**
 * kpt_hit_touch_missed() - count an access that could not be recorded
 * @watch: the bytes
 *
 * Context: BRK, nested in a hit or not.
 */
void kpt_hit_touch_missed(struct kpt_arch_watch *watch)
{
	const struct kpt_handlers *handlers = handlers_of(watch);

	if (handlers)
		kpt_hit_missed_by(&handlers->first);
}
