/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing to a buffer from BRK context, or with interrupts masked and hits off:
 * one record at a time, into the ring of the current CPU.
 *
 *	rec = kpt_buffer_reserve(); fill rec; kpt_buffer_commit();
 *
 * or kpt_buffer_record() for a record that is at hand.
 */
#ifndef KPTRACE_BUFFER_WRITE_H
#define KPTRACE_BUFFER_WRITE_H

#include "buffer/buffer.h"
#include "arch.h"

bool kpt_buffer_notify(struct kpt_buffer *buf);
void kpt_buffer_wake_later(struct kpt_buffer *buf);
bool kpt_buffer_enter(struct kpt_buffer *buf, unsigned long *flags);
void kpt_buffer_exit(struct kpt_buffer *buf, unsigned long flags, bool is_locked);
bool kpt_buffer_put(struct kpt_buffer *buf, const void *made, size_t size, u64 stamp);
bool kpt_buffer_record(struct kpt_buffer *buf, const void *made, size_t size,
		       u64 stamp);

/**
 * kpt_buffer_has_waiter() - must a reader be woken after a commit?
 * @buf: the buffer
 *
 * Commit ends with a store-release, an STLR, and this load is not done before it: a
 * reader that goes to sleep either finds the record or is noted here. Pairs with
 * waiter_enlist(); model: tests/models/wake.pml.
 *
 * Context: BRK.
 * Return: true if it must.
 */
static __always_inline bool kpt_buffer_has_waiter(struct kpt_buffer *buf)
{
	return unlikely(kpt_arch_load_ordered(&buf->waiters));
}

/**
 * kpt_buffer_may_write() - is the memory of a ring in place?
 * @bc: this CPU's share of a buffer
 *
 * Context: BRK.
 * Return: true, or false while the ring is resized.
 */
static __always_inline bool kpt_buffer_may_write(struct kpt_buffer_cpu *bc)
{
	/* pairs: rings_exchange() */
	return likely(!smp_load_acquire(&bc->ring.owner));
}

/**
 * kpt_buffer_room() - how long may a record be?
 * @buf: the buffer, after kpt_buffer_use()
 *
 * Context: process context. The ring of another CPU may have another size.
 * Return: the most bytes that the ring of this CPU takes.
 */
static inline size_t kpt_buffer_room(const struct kpt_buffer *buf)
{
	/* A ring without memory refuses any record. */
	return kpt_ring_room(&raw_cpu_ptr(buf->cpu)->ring) ?: SIZE_MAX;
}

/**
 * kpt_buffer_stamp() - the time, in the clock of a buffer
 * @buf: the buffer
 *
 * Context: any, BRK included.
 * Return: the stamp of a record that is written now.
 */
static __always_inline u64 kpt_buffer_stamp(const struct kpt_buffer *buf)
{
	return kpt_clock_stamp(READ_ONCE(buf->clock));
}

/**
 * kpt_buffer_reserve() - room for a record in this CPU's ring
 * @buf: the buffer
 * @bc: this CPU's share of it
 * @size: bytes of the record
 * @stamp: its time, not before that of any record in the ring; 0: now
 *
 * Context: BRK.
 * Return: the room, for kpt_buffer_commit() or kpt_ring_discard(); NULL if there
 * is none.
 */
static __always_inline void *kpt_buffer_reserve(struct kpt_buffer *buf,
						struct kpt_buffer_cpu *bc,
						size_t size, u64 stamp)
{
	if (unlikely(!kpt_buffer_may_write(bc)))
		return NULL;
	return kpt_ring_reserve(&bc->ring, size, stamp ?: kpt_buffer_stamp(buf));
}

/**
 * kpt_buffer_published() - wake readers that wait for a record which was just committed
 * @buf: the buffer
 *
 * Context: BRK.
 * Return: true, so that a hit can end with it.
 */
static __always_inline bool kpt_buffer_published(struct kpt_buffer *buf)
{
	return unlikely(kpt_buffer_has_waiter(buf)) ? kpt_buffer_notify(buf) : true;
}

/**
 * kpt_buffer_commit() - publish the reserved record
 * @buf: the buffer
 * @bc: this CPU's share of it
 *
 * Context: BRK.
 */
static __always_inline void kpt_buffer_commit(struct kpt_buffer *buf,
					      struct kpt_buffer_cpu *bc)
{
	kpt_ring_commit(&bc->ring);
	kpt_buffer_published(buf);
}

#endif
