// SPDX-License-Identifier: GPL-2.0-only
/*
 * Readers wait for records, asleep or in poll(), and hits wake them.
 * tests/models/wake.pml is a model of this.
 */
#include <linux/sched/signal.h>
#include "buffer/buffer.h"

/**
 * kpt_buffer_wake_now() - wake all waiting readers of a buffer
 * @bell: its kpt_buffer.wake
 *
 * Context: an interrupt after the hit that asked for it.
 */
void kpt_buffer_wake_now(struct kpt_bell *bell)
{
	wake_up_all(&container_of(bell, struct kpt_buffer, wake)->wait);
}

/**
 * kpt_buffer_wake() - wake waiting readers, because tracing_on or the like changed
 * @buf: the buffer
 *
 * Context: process context.
 */
void kpt_buffer_wake(struct kpt_buffer *buf)
{
	/*
	 * Order the caller's change before @wakes. Pairs with smp_rmb() in
	 * kpt_waiter_look(); model: tests/models/wake.pml.
	 */
	smp_mb();
	/*
	 * Increment first: a reader about to sleep sees the change, a queued one
	 * gets the wake-up.
	 */
	atomic_inc(&buf->wakes);
	wake_up_all(&buf->wait);
}

/*
 * Let a hit wake a waiter that waits for kpt_buffer.percent: once any ring that it reads
 * is filled from where it has read to, or from where somebody else has. The waiter is on the
 * wait queue, or gets there before it sleeps, and looks for records after this; and after
 * each wake-up it comes back here before it sleeps again, as the hit has taken the mark.
 */
static void waiter_mark(const struct kpt_waiter *w)
{
	struct kpt_buffer_iter *iter = w->iter;
	struct kpt_buffer *buf = iter->buffer;
	struct kpt_buffer_cpu *bc;
	u64 pos;
	int cpu;

	mutex_lock(&buf->lock);
	for_each_possible_cpu(cpu) {
		if (!kpt_buffer_means(iter->cpu, cpu))
			continue;
		bc = kpt_buffer_ring(buf, cpu);
		pos = kpt_buffer_iter_cursor(iter, cpu)->pos;
		if (pos < READ_ONCE(bc->mark))
			WRITE_ONCE(bc->mark, pos);
	}
	mutex_unlock(&buf->lock);
}

/*
 * Let a hit wake the waiters of a buffer, once. Be on the wait queue before this, and look
 * for records after it: a hit that has just woken the others clears what is noted here, but
 * then wakes who is on the queue.
 */
static void waiter_enlist(const struct kpt_waiter *w, bool eager)
{
	struct kpt_buffer *buf = w->iter->buffer;

	atomic_or(eager ? KPT_WAITS_ANY : KPT_WAITS_SHARE, &buf->waiters);
	if (!eager)
		waiter_mark(w);
	/* @waiters and @mark before the look; pairs: kpt_buffer_has_waiter(); model: wake.pml */
	smp_mb();
}

/* Is a ring that the waiter reads as full as kpt_buffer.percent, and not empty? */
static bool waiter_is_filled(const struct kpt_waiter *w)
{
	struct kpt_buffer_iter *iter = w->iter;
	struct kpt_buffer *buf = iter->buffer;
	struct kpt_ring_cursor *cur;
	struct kpt_ring_info info;
	struct kpt_ring *ring;
	bool filled = false;
	int cpu;

	mutex_lock(&buf->lock);
	for_each_possible_cpu(cpu) {
		if (!kpt_buffer_means(iter->cpu, cpu))
			continue;
		ring = &kpt_buffer_ring(buf, cpu)->ring;
		cur = kpt_buffer_iter_cursor(iter, cpu);
		filled |= kpt_ring_peek(ring, cur, &info) &&
			  kpt_ring_is_filled(ring, cur->pos, buf->percent);
	}
	mutex_unlock(&buf->lock);
	return filled;
}

static bool waiter_is_ready(const struct kpt_waiter *w, bool eager)
{
	return eager ? !kpt_buffer_iter_empty(w->iter) : waiter_is_filled(w);
}

/**
 * kpt_waiter_has_records() - are there the records that poll() waits for?
 * @w: the waiter
 *
 * Context: process context, sleeps.
 * Return: true if there are.
 */
bool kpt_waiter_has_records(const struct kpt_waiter *w)
{
	return waiter_is_ready(w, w->eager);
}

/**
 * kpt_waiter_sleep() - sleep until there is something to read
 * @w: the waiter
 * @eager: wait for any record, else until a ring is filled to kpt_buffer.percent
 * @wakes: from kpt_waiter_look(), called before the caller checked tracing_on; if
 *	kpt_buffer_wake() was called since, this does not sleep
 *
 * Context: process context, sleeps, interruptible.
 * Return: 0, also if there is no record; or -ERESTARTSYS.
 */
int kpt_waiter_sleep(const struct kpt_waiter *w, bool eager,
		     unsigned int wakes)
{
	struct kpt_buffer *buf = w->iter->buffer;
	DEFINE_WAIT_FUNC(wait, woken_wake_function);

	/* Looking for a record may sleep: wait_woken() allows that. */
	add_wait_queue(&buf->wait, &wait);
	waiter_enlist(w, eager);
	if (!waiter_is_ready(w, eager) && atomic_read(&buf->wakes) == wakes &&
	    !signal_pending(current))
		wait_woken(&wait, TASK_INTERRUPTIBLE, MAX_SCHEDULE_TIMEOUT);
	remove_wait_queue(&buf->wait, &wait);
	return signal_pending(current) ? -ERESTARTSYS : 0;
}

/**
 * kpt_waiter_poll() - note that a file is polled
 * @w: the waiter; the caller looks for records after this
 *
 * Context: process context, sleeps.
 */
void kpt_waiter_poll(struct kpt_waiter *w)
{
	w->polled = true;
	waiter_enlist(w, w->eager);
}

/**
 * kpt_waiter_read() - note that a read begins
 * @w: the waiter
 *
 * An edge-triggered user of epoll does not call poll() again after a wake-up: it reads
 * until there is nothing. So while the wait queue is not empty, reads after a poll() count
 * as a poll(). The mark is where this read begins, so one wake-up may come too early.
 *
 * Context: process context, sleeps.
 */
void kpt_waiter_read(struct kpt_waiter *w)
{
	w->polled = w->polled && waitqueue_active(&w->iter->buffer->wait);
	if (w->polled)
		waiter_enlist(w, w->eager);
}
