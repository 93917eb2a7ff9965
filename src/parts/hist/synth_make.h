/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of synthetic events. For src/hit/, which delivers them. */
#ifndef KPTRACE_TRIGGER_SYNTH_H
#define KPTRACE_TRIGGER_SYNTH_H

#include "buffer/write.h"
#include "arming/handlers.h"
#include "event/hit.h"
#include "parts/hist/synthetic.h"
#include "parts/hist/hist_trigger.h"

/**
 * struct kpt_synth_made - a record that an action has made and nobody has got yet
 * @next: the next one on this CPU
 * @synth: its event
 * @size: its bytes
 * @record: the record
 *
 * One for each CPU and action is enough, see kpt_hit_deliver_synth().
 */
struct kpt_synth_made {
	struct kpt_synth_made *next;
	struct kpt_synthetic *synth;
	size_t size;
	u64 record[];
};

struct kpt_synth_made __percpu *
kpt_trigger_synth_alloc(const struct kpt_synthetic *synth);
void kpt_trigger_synth_make(struct kpt_synth_made *made,
			    const struct kpt_trigger_hist *h,
			    const struct kpt_hist_action *action,
			    const struct kpt_hist_hit *hit);

bool kpt_trigger_synth_record(const struct kpt_trigger_hist *h,
			      const struct kpt_hist_action *action,
			      const struct kpt_hist_hit *hit);

/**
 * kpt_trigger_synth_begin() - begin the record of a synthetic event in its ring
 * @handlers: handlers of the event
 * @words: kpt_ring_quick() of the record
 * @rec: result: the record
 *
 * Works for one ring without a filter, if kpt_buffer.stops is 0 and the ring has room.
 *
 * Context: BRK.
 * Return: true; false, with no side effects, in other cases.
 */
static __always_inline bool kpt_trigger_synth_begin(const struct kpt_handlers *handlers,
						    u64 words, void **rec)
{
	struct kpt_buffer *buf = handlers->first.sink->buffer;
	struct kpt_buffer_cpu *bc = this_cpu_ptr(buf->cpu);

	/* Nothing else writes: exceptions are masked, hits in an NMI are missed. */
	return likely(handlers->nr_rings == 1 &&
		      !atomic_read(&buf->stops) && kpt_buffer_may_write(bc) &&
		      kpt_ring_begin(&bc->ring, words, kpt_clock_raw(), rec));
}

/**
 * kpt_trigger_synth_end() - the record is made: publish and count it
 * @handlers: as for kpt_trigger_synth_begin()
 *
 * Context: BRK.
 */
static __always_inline void kpt_trigger_synth_end(const struct kpt_handlers *handlers)
{
	const struct kpt_handler *handler = &handlers->first;
	struct kpt_buffer *buf = handler->sink->buffer;

	this_cpu_ptr(handler->hits)->hits++;
	(*this_cpu_ptr(handler->sink->recorded))++;
	kpt_ring_finish(&this_cpu_ptr(buf->cpu)->ring);
	kpt_buffer_published(buf);
}

/**
 * kpt_trigger_synth_next() - take the next record of a synthetic event
 *
 * Context: BRK.
 * Return: the record, valid until the action that made it runs again; NULL if there is
 * none.
 */
static __always_inline struct kpt_synth_made *kpt_trigger_synth_next(void)
{
	struct kpt_synth_queue *queue = raw_cpu_ptr(&kpt_synth_queue);
	struct kpt_synth_made *made = queue->first;

	if (made)
		queue->first = made->next;
	queue->last = NULL;
	return made;
}

#endif
