// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of synthetic events: the event's handler gives them to its sinks. Runs in BRK
 * context, see hit.c, or for a text that a program writes to trace_marker.
 */
#include "kernel/compat.h"
#include <linux/rcupdate.h>
#include "hit/internal.h"
#include "hit/synth.h"
#include "trigger/synth.h"

/*
 * KPT_HANDLERS_MADE, kpt_buffer.stops is 0, and the ring has room. False, with no side
 * effects, in other cases.
 */
static __always_inline bool synth_simple(const struct kpt_handlers *handlers,
					 const struct kpt_synth_made *made)
{
	const struct kpt_handler *handler = &handlers->first;
	struct kpt_buffer *buf = handler->sink->buffer;
	struct kpt_buffer_cpu *bc = this_cpu_ptr(buf->cpu);
	void *rec;

	/* Nothing else writes: exceptions are masked, hits in an NMI are missed. */
	if (unlikely(handlers->kind != KPT_HANDLERS_MADE ||
		     atomic_read(&buf->stops) || !kpt_buffer_may_write(bc) ||
		     !kpt_ring_begin(&bc->ring, kpt_ring_length(made->size),
				     kpt_clock_raw(), &rec)))
		return false;
	kpt_hit_copy_record(rec, made->record, made->size);
	this_cpu_ptr(handler->hits)->hits++;
	this_cpu_ptr(handler->sink->counts)->recorded++;
	kpt_ring_finish(&bc->ring);
	if (kpt_buffer_has_waiter(buf))
		kpt_buffer_notify(buf);
	return true;
}

/**
 * kpt_hit_deliver_synth() - give records of synthetic events to their sinks
 * @cause: the hit that caused them
 *
 * Whoever runs triggers calls this if kpt_trigger_has_synth(). The triggers of a
 * synthetic event may make further records. They are queued, so that no chain of
 * events needs more stack than the first one. A record is delivered before those that
 * were queued before its cause was taken from the queue, so an action's record is
 * delivered before the action can run again: no synthetic event can cause itself.
 *
 * Context: BRK. Uses port_scratch().
 */
void kpt_hit_deliver_synth(struct kpt_hit *cause)
{
	const struct kpt_handlers *handlers;
	struct kpt_synth_made *made;
	void *record = cause->record;
	size_t size = cause->size;

	while ((made = kpt_trigger_synth_take())) {
		handlers = rcu_dereference_raw(made->synth->hook.handlers);
		if (!handlers || likely(synth_simple(handlers, made)))
			continue;
		cause->record = made->record;
		cause->size = made->size;
		kpt_hit_deliver_made(&handlers->first, cause);
	}
	cause->record = record;
	cause->size = size;
}
