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
		if (!handlers)
			continue;
		cause->record = made->record;
		cause->size = made->size;
		kpt_hit_deliver_made(&handlers->first, cause);
	}
	cause->record = record;
	cause->size = size;
}
