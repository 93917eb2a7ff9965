/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A record that is made in memory of the CPU, and given to rings alone: see
 * kpt_handlers.nr_rings.
 */
#ifndef KPTRACE_HIT_COPY_H
#define KPTRACE_HIT_COPY_H

#include "hit/internal.h"

/**
 * kpt_hit_copy_is_simple() - may the rings of a list have each hit?
 * @handlers: the list, whose only handler has rings
 *
 * Context: BRK.
 * Return: true; false if more has to be asked or done, which others know.
 */
static __always_inline bool kpt_hit_copy_is_simple(const struct kpt_handlers *handlers)
{
	const struct kpt_sink *sink;
	int stops = handlers->needs_rcu;

	kpt_for_each_sink(sink, &handlers->first)
		stops |= atomic_read(&sink->buffer->stops);
	return likely(!stops);
}

/**
 * kpt_hit_copy_to() - copy a record to a ring
 * @handler: the handler that has made it
 * @sink: the ring
 * @made: the record
 * @size: its bytes, a multiple of 8
 * @words: kpt_ring_quick() of that
 * @stamp: its time
 *
 * In a loop, two words of 8 bytes at a time, because a record is small as a rule.
 *
 * Context: BRK.
 */
static __always_inline void kpt_hit_copy_to(const struct kpt_handler *handler,
					    const struct kpt_sink *sink, const u64 *made,
					    u64 size, u64 words, u64 stamp)
{
	unsigned long cpu = __my_cpu_offset;
	struct kpt_buffer_cpu *bc = SHIFT_PERCPU_PTR(sink->buffer->cpu, cpu);
	u64 *recorded = SHIFT_PERCPU_PTR(sink->recorded, cpu);
	const u64 *end = made + size / sizeof(u64);
	void *room;
	u64 *to;

	if (unlikely(!kpt_buffer_may_write(bc) ||
		     !kpt_ring_begin(&bc->ring, words, stamp, &room))) {
		if (kpt_buffer_record(sink->buffer, made, size, stamp))
			(*recorded)++;
		else
			kpt_hit_lost(handler, sink);
		return;
	}
	for (to = room; made + 1 < end; made += 2, to += 2) {
		to[0] = made[0];
		to[1] = made[1];
	}
	if (made < end)
		*to = *made;
	kpt_ring_finish(&bc->ring);
	(*recorded)++;
	kpt_buffer_published(sink->buffer);
}

/**
 * kpt_hit_copy() - give a record to the rings of a list, and count the hit
 * @handlers: the list, which kpt_hit_copy_is_simple()
 * @made: the record
 * @size: its bytes
 *
 * Context: BRK.
 */
static __always_inline void kpt_hit_copy(const struct kpt_handlers *handlers,
					 const u64 *made, size_t size)
{
	const struct kpt_handler *handler = &handlers->first;
	u64 words = kpt_ring_quick(size), stamp = kpt_clock_raw();
	const struct kpt_sink *sink;

	size = ALIGN(size, sizeof(u64));
	kpt_hit_count(handler);
	kpt_for_each_sink(sink, handler)
		kpt_hit_copy_to(handler, sink, made, size, words, stamp);
}

#endif
