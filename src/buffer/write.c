// SPDX-License-Identifier: GPL-2.0-only
/* Writing to a buffer from BRK context: the parts that need no inlining. */
#include <linux/string.h>
#include "buffer/write.h"
#include "kernel/cpu.h"

/**
 * kpt_buffer_notify() - wake waiting readers after a record was committed
 * @buf: the buffer, which has waiters; the record is in this CPU's ring
 *
 * An interrupt after this hit wakes the readers, at most one in a millisecond: see
 * src/kernel/bell.c. No hit asks for another one before a reader has run, and waits again.
 * Those that wait for a share of the ring to be filled set the mark before they do so: how
 * far others have read does not matter to them, nor do hits before they look.
 *
 * Context: BRK.
 * Return: true, so that a hit can end with a tail call.
 */
noinline bool kpt_buffer_notify(struct kpt_buffer *buf)
{
	struct kpt_buffer_cpu *bc = this_cpu_ptr(buf->cpu);
	bool filled = kpt_ring_is_filled(&bc->ring, READ_ONCE(bc->mark),
					 READ_ONCE(buf->percent));

	if (!(filled || atomic_read(&buf->waiters) & KPT_WAITS_ANY) || !kpt_irq_work_runs())
		return true;
	/*
	 * Take the mark and clear @waiters before the wake-up: who is woken by it sets them
	 * again. What a reader sets between the check and these stores is lost, but it is on
	 * the wait queue already, and is woken.
	 */
	if (filled)
		WRITE_ONCE(bc->mark, KPT_BUFFER_NO_MARK);
	atomic_set(&buf->waiters, 0);
	kpt_bell_ask(&buf->wake);
	return true;
}

/**
 * kpt_buffer_wake_later() - call kpt_buffer_wake() in an interrupt after this hit
 * @buf: the buffer
 *
 * Context: BRK; or interrupts masked.
 */
void kpt_buffer_wake_later(struct kpt_buffer *buf)
{
	smp_mb(); /* as in kpt_buffer_wake() */
	atomic_inc(&buf->wakes);
	if (kpt_irq_work_runs())
		kpt_bell_ask(&buf->wake);
}

/**
 * kpt_buffer_enter() - mask interrupts to write a record
 * @buf: the buffer, after kpt_buffer_use()
 * @flags: set to what kpt_buffer_exit() needs
 *
 * While the ring of this CPU is being exchanged, wait; the lock then keeps the next
 * exchange from beginning before the record is written by kpt_buffer_put().
 *
 * Context: process context, sleeps; may take the buffer's lock, and keep it.
 * Return: does the caller hold the lock? For kpt_buffer_exit().
 */
bool kpt_buffer_enter(struct kpt_buffer *buf, unsigned long *flags)
{
	local_irq_save(*flags);
	if (kpt_buffer_may_write(this_cpu_ptr(buf->cpu)))
		return false;
	local_irq_restore(*flags);
	mutex_lock(&buf->lock);
	local_irq_save(*flags);
	return true;
}

/**
 * kpt_buffer_exit() - the reverse of kpt_buffer_enter()
 * @buf: the buffer
 * @flags: from kpt_buffer_enter()
 * @is_locked: what it returned
 *
 * Context: the caller of kpt_buffer_enter(), interrupts masked.
 */
void kpt_buffer_exit(struct kpt_buffer *buf, unsigned long flags, bool is_locked)
{
	local_irq_restore(flags);
	if (is_locked)
		mutex_unlock(&buf->lock);
}

/**
 * kpt_buffer_put() - put a record into this CPU's ring, whose memory stays in place
 * @buf: the buffer
 * @made: the record
 * @size: its bytes
 * @stamp: as for kpt_buffer_reserve()
 *
 * An exchange of rings that begins after kpt_buffer_enter() waits for this CPU.
 *
 * Context: behind kpt_buffer_enter(), or a true kpt_buffer_may_write(), with interrupts
 * masked since.
 * Return: true, or false if there is no room.
 */
bool kpt_buffer_put(struct kpt_buffer *buf, const void *made, size_t size, u64 stamp)
{
	struct kpt_buffer_cpu *bc = this_cpu_ptr(buf->cpu);
	void *rec = kpt_ring_reserve(&bc->ring, size, stamp ?: kpt_buffer_stamp(buf));

	if (!rec)
		return false;
	memcpy(rec, made, size);
	kpt_buffer_commit(buf, bc);
	return true;
}

/**
 * kpt_buffer_record() - put a record into this CPU's ring
 * @buf: the buffer
 * @made: the record
 * @size: its bytes
 * @stamp: as for kpt_buffer_reserve()
 *
 * Context: BRK; or interrupts masked.
 * Return: true, or false if there is no room, or while the ring is resized.
 */
bool kpt_buffer_record(struct kpt_buffer *buf, const void *made, size_t size,
		       u64 stamp)
{
	return kpt_buffer_may_write(this_cpu_ptr(buf->cpu)) &&
	       kpt_buffer_put(buf, made, size, stamp);
}
