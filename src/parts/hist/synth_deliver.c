// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of synthetic events: the event's handler gives them to its sinks. Runs in BRK
 * context, see hit_point.c, or for a text that a program writes to trace_marker.
 */
#include "kernel/compat.h"
#include <linux/rcupdate.h>
#include "hit/internal.h"
#include "kernel/scratch.h"
#include "parts/hist/synth_make.h"

/* The usual case. False, with no side effects, in others. */
static __always_inline bool synth_simple(const struct kpt_handlers *handlers,
					 const struct kpt_synth_made *made)
{
	void *rec;

	if (unlikely(!kpt_trigger_synth_begin(handlers, kpt_ring_quick(made->size), &rec)))
		return false;
	kpt_hit_copy_record(rec, made->record, made->size);
	kpt_trigger_synth_end(handlers);
	return true;
}

/*
 * Deliver records that are synth_simple(). Returns the handlers of the first one that is
 * not, which is @made then; NULL if all are delivered.
 */
static __always_inline const struct kpt_handlers *
deliver_simple(struct kpt_synth_made **made)
{
	const struct kpt_handlers *handlers;

	while ((*made = kpt_trigger_synth_next())) {
		handlers = rcu_dereference_raw((*made)->synth->hook.handlers);
		if (handlers && unlikely(!synth_simple(handlers, *made)))
			return handlers;
	}
	return NULL;
}

/* The list of the hit did not have to ask whether RCU watches, its own may have to. */
static void deliver_other(const struct kpt_handlers *handlers, struct kpt_synth_made *made,
			  struct kpt_hit *cause)
{
	if (unlikely(handlers->needs_rcu && !rcu_is_watching())) {
		kpt_hit_missed_by(&handlers->first);
		return;
	}
	cause->record = made->record;
	cause->size = made->size;
	kpt_hit_deliver_made(&handlers->first, cause);
}

/**
 * kpt_hit_deliver_synth() - give records of synthetic events to their sinks
 * @cause: the hit that caused them
 *
 * Code that has run triggers calls this if kpt_trigger_has_synth(). The triggers of a
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

	while ((handlers = deliver_simple(&made)))
		deliver_other(handlers, made, cause);
	cause->record = record;
	cause->size = size;
}

/*
 * Deliver a record and those behind it. Triggers, perf and other rings may want the
 * registers of the hit, whose list is @handlers.
 */
static noinline void deliver_others(const struct kpt_handlers *others,
				    struct kpt_synth_made *made,
				    const struct kpt_handlers *handlers,
				    const struct kpt_arch_saved *saved)
{
	const struct kpt_handler *handler = &handlers->first;
	struct pt_regs *regs = &this_cpu_ptr(kpt_scratch)->regs;
	struct kpt_hit cause = { .regs = regs };

	kpt_arch_saved_regs(regs, saved);
	kpt_hit_find_pc(handlers, &cause);
	cause.context = likely(kpt_hit_is_calm()) ? 0 : kpt_hit_context(0);
	cause.caller = handler->func && !cause.call ? kpt_arch_return_address(regs) : 0;
	deliver_other(others, made, &cause);
	kpt_hit_deliver_synth(&cause);
}

/**
 * kpt_hit_recorded_synth() - kpt_hit_deliver_synth() for a hit that a stub has recorded
 * @recorder: part of the list of the hit, of a point
 * @saved: what the stub has saved
 *
 * Context: BRK. Uses port_scratch().
 */
void kpt_hit_recorded_synth(const struct kpt_arch_recorder *recorder,
			    const struct kpt_arch_saved *saved)
{
	struct kpt_synth_made *made;
	const struct kpt_handlers *others = deliver_simple(&made);

	if (unlikely(others))
		deliver_others(others, made, kpt_handlers_of(recorder), saved);
}
