/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of per-CPU rings with a clock, a switch and waiting readers. */
#ifndef KPTRACE_BUFFER_H
#define KPTRACE_BUFFER_H

#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/wait.h>
#include "kernel/clock.h"
#include "lib/ring.h"

/* KiB per CPU a new buffer has. */
#define KPT_BUFFER_DEFAULT_KB 1408

/**
 * struct kpt_buffer_cpu - one CPU's share
 * @ring: the records; written by its CPU alone. While its @owner is not 0
 *	(resizing) writers are turned away, which they count as losses
 * @mem: memory of @ring from vmalloc()
 * @size: bytes at @mem
 * @exchanged: times @mem was exchanged; iterators notice by it
 * @swapped: times all of it was swapped for another ring, by kpt_buffer_swap()
 * @asked: a hit requested a swap, and none has happened since
 * @late: records that were overwritten after a consuming reader had copied them
 *	and before it could consume them: read, which the ring cannot know
 * @unread: number of the first record that no consuming reader has had
 *
 * The last two are the readers' own: not in a line that writers look at.
 */
struct kpt_buffer_cpu {
	struct kpt_ring ring;
	void *mem;
	size_t size;
	unsigned int exchanged;
	unsigned int swapped;
	bool asked;
	u64 late __aligned(64);
	u64 unread;
};

/**
 * struct kpt_buffer - the rings of an instance
 * @cpu: the rings
 * @stops: 0 while all hits are simply recorded; KPT_STOP_SWITCH is tracing_on
 *	at 0, KPT_STOP_ASK that limits.h has to be asked, KPT_STOP_CLOCK that
 *	stamps are not the raw counter, each KPT_STOP_PAUSE a reader of trace
 *	under the option pause-on-trace
 * @overwrite: full rings forget their oldest records (else refuse new ones)
 * @clock: what time stamps mean; changed under @lock with the rings emptied, so
 *	all records of a ring have stamps of the same clock
 * @cleared: when it was made or reset, in the unit of the clock
 * @lock: readers and resizing take it; never taken in BRK context
 * @page_size: bytes of a page of trace_pipe_raw
 * @percent: how full a ring is before readers of whole pages are woken
 * @waiters: readers that sleep on @wait, or poll, see struct kpt_waiter
 * @eager: of those, the ones that wait for any record, not for @percent
 * @wakes: counts kpt_buffer_wake(), so that a reader about to sleep notices
 * @wait: blocking readers
 * @wake: wakes them from BRK context
 */
struct kpt_buffer {
	struct kpt_buffer_cpu __percpu *cpu;
	atomic_t stops;
	bool overwrite;
	enum kpt_clock clock;
	u64 cleared;
	struct mutex lock;
	u32 page_size;
	unsigned int percent;
	atomic_t waiters;
	atomic_t eager;
	unsigned int wakes;
	wait_queue_head_t wait;
	struct irq_work wake;
};

/* kpt_buffer.stops */
#define KPT_STOP_SWITCH	1
#define KPT_STOP_ASK	2
#define KPT_STOP_CLOCK	4
#define KPT_STOP_PAUSE	8

/**
 * struct kpt_buffer_at - where an iterator is on one CPU
 * @cursor: in its ring
 * @end: number of the first record that a bounded iterator does not read
 * @exchanged: kpt_buffer_cpu.exchanged when @cursor was last used
 * @swapped: kpt_buffer_cpu.swapped then
 */
struct kpt_buffer_at {
	struct kpt_ring_cursor cursor;
	u64 end;
	unsigned int exchanged;
	unsigned int swapped;
};

/**
 * struct kpt_buffer_iter - reads one CPU or all merged by time
 * @buffer: the buffer
 * @cpu: the only CPU, or -1 for all
 * @consume: records that were read are gone for later readers
 * @bounded: it ends where the buffer ended at the last kpt_buffer_iter_bound()
 * @at: where it is on each CPU, by CPU number
 * @rec: copy of the record kpt_buffer_iter_next() found
 * @room: bytes allocated at @rec
 * @size: bytes of the record
 * @seq: its number on its CPU
 * @rec_cpu: its CPU
 * @before: where the iterator was there before it
 * @clock: the clock of its time
 * @ts: its time, converted to the unit of @clock
 * @lost: records of that CPU lost just before it
 *
 * Made by kpt_buffer_iter_alloc(); not for use by two tasks at once.
 */
struct kpt_buffer_iter {
	struct kpt_buffer *buffer;
	int cpu;
	bool consume;
	bool bounded;
	struct kpt_buffer_at *at;
	void *rec;
	size_t room;
	size_t size;
	u64 seq;
	int rec_cpu;
	struct kpt_buffer_at before;
	enum kpt_clock clock;
	u64 ts;
	u64 lost;
};

int kpt_buffer_init(struct kpt_buffer *buf, unsigned long kb);
void kpt_buffer_fini(struct kpt_buffer *buf);

/**
 * kpt_buffer_ring() - one CPU's share
 * @buf: the buffer
 * @cpu: a CPU number
 *
 * Context: any.
 */
static inline struct kpt_buffer_cpu *kpt_buffer_ring(struct kpt_buffer *buf,
						     int cpu)
{
	return per_cpu_ptr(buf->cpu, cpu);
}

/**
 * kpt_buffer_means() - does a choice of CPUs contain a CPU?
 * @which: the choice: a CPU number, or -1 for all
 * @cpu: the CPU
 *
 * Context: any.
 */
static inline bool kpt_buffer_means(int which, int cpu)
{
	return which < 0 || which == cpu;
}

/**
 * kpt_buffer_is_on() - tracing_on
 * @buf: the buffer
 *
 * Context: any.
 */
static inline bool kpt_buffer_is_on(const struct kpt_buffer *buf)
{
	return !(atomic_read(&buf->stops) & KPT_STOP_SWITCH);
}

/**
 * kpt_buffer_switch() - change tracing_on
 * @buf: the buffer
 * @on: what to
 *
 * Does not wake waiting readers: see kpt_buffer_wake().
 *
 * Context: any, BRK included.
 */
static inline void kpt_buffer_switch(struct kpt_buffer *buf, bool on)
{
	if (on)
		atomic_andnot(KPT_STOP_SWITCH, &buf->stops);
	else
		atomic_or(KPT_STOP_SWITCH, &buf->stops);
}

/**
 * kpt_buffer_pause() - stop recording, whatever tracing_on says
 * @buf: the buffer
 *
 * Context: any. Nests; kpt_buffer_resume() ends it.
 */
static inline void kpt_buffer_pause(struct kpt_buffer *buf)
{
	atomic_add(KPT_STOP_PAUSE, &buf->stops);
}

/**
 * kpt_buffer_resume() - the reverse of kpt_buffer_pause()
 * @buf: the buffer
 *
 * Context: any.
 */
static inline void kpt_buffer_resume(struct kpt_buffer *buf)
{
	atomic_sub(KPT_STOP_PAUSE, &buf->stops);
}

int kpt_buffer_resize(struct kpt_buffer *buf, int cpu, unsigned long kb);
int kpt_buffer_match(struct kpt_buffer *buf, struct kpt_buffer *other);
int kpt_buffer_swap(struct kpt_buffer *buf, struct kpt_buffer *other, int cpu);

/**
 * kpt_buffer_ask_swap() - request a swap that includes the record of this hit
 * @buf: the buffer
 *
 * Context: BRK.
 */
static inline void kpt_buffer_ask_swap(struct kpt_buffer *buf)
{
	WRITE_ONCE(this_cpu_ptr(buf->cpu)->asked, true);
}

bool kpt_buffer_is_asked(struct kpt_buffer *buf);
unsigned long kpt_buffer_size_kb(struct kpt_buffer *buf, int cpu);
void kpt_buffer_reset(struct kpt_buffer *buf, int cpu);
void kpt_buffer_set_overwrite(struct kpt_buffer *buf, bool on);
void kpt_buffer_set_clock(struct kpt_buffer *buf, enum kpt_clock clock);
void kpt_buffer_stats(struct kpt_buffer *buf, int cpu,
		      struct kpt_ring_stats *stats);
struct kpt_buffer_iter *kpt_buffer_iter_alloc(struct kpt_buffer *buf, int cpu,
					      bool consume);
void kpt_buffer_iter_free(struct kpt_buffer_iter *iter);
bool kpt_buffer_iter_next(struct kpt_buffer_iter *iter);
bool __kpt_buffer_iter_next(struct kpt_buffer_iter *iter);
struct kpt_ring_cursor *kpt_buffer_iter_chunk(struct kpt_buffer_iter *iter,
					      struct kpt_ring_chunk *chunk);
void kpt_buffer_iter_back(struct kpt_buffer_iter *iter);
void kpt_buffer_iter_take(struct kpt_buffer_iter *iter, u64 first);
struct kpt_ring_cursor *kpt_buffer_iter_cursor(struct kpt_buffer_iter *iter,
					       int cpu);
void kpt_buffer_iter_rewind(struct kpt_buffer_iter *iter);
void kpt_buffer_iter_bound(struct kpt_buffer_iter *iter);
bool kpt_buffer_iter_peek(struct kpt_buffer_iter *iter, u64 *ts);
bool kpt_buffer_iter_empty(struct kpt_buffer_iter *iter);


/**
 * struct kpt_waiter - a reader that waits for records, by sleeping or by poll()
 * @iter: reads the buffer
 * @eager: poll() waits for any record, else until a ring is filled to
 *	kpt_buffer.percent
 * @polled: hits wake pollers
 *
 * Tasks that share one use a lock, but for kpt_waiter_sleep().
 */
struct kpt_waiter {
	struct kpt_buffer_iter *iter;
	bool eager;
	bool polled;
};

/**
 * kpt_waiter_look() - begin a look at tracing_on and the like
 * @w: the waiter
 *
 * Context: process context.
 * Return: kpt_buffer.wakes, for kpt_waiter_sleep().
 */
static inline unsigned int kpt_waiter_look(const struct kpt_waiter *w)
{
	unsigned int wakes = READ_ONCE(w->iter->buffer->wakes);

	smp_rmb(); /* wakes before tracing_on; pairs: kpt_buffer_wake() */
	return wakes;
}

int kpt_waiter_sleep(const struct kpt_waiter *w, bool eager,
		     unsigned int wakes);
void kpt_waiter_set_polled(struct kpt_waiter *w, bool polled);
void kpt_waiter_read(struct kpt_waiter *w);
bool kpt_waiter_has_records(const struct kpt_waiter *w);
void kpt_buffer_wake(struct kpt_buffer *buf);
void kpt_buffer_wake_now(struct irq_work *work);
bool kpt_buffer_affordable(unsigned long pages);

#endif
