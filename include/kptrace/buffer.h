/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of per-CPU rings with a clock, a switch and waiting readers. */
#ifndef KPTRACE_BUFFER_H
#define KPTRACE_BUFFER_H

#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/wait.h>
#include <kptrace/clock.h>
#include <kptrace/ring.h>

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
 * @asked: a hit asked for the ring to be swapped, which no swap has met yet
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
 * struct kpt_buffer - what an instance records into
 * @cpu: the rings
 * @stops: 0 while all hits are simply recorded; KPT_STOP_SWITCH is tracing_on
 *	at 0, KPT_STOP_ASK that limits.h has to be asked, KPT_STOP_CLOCK that
 *	stamps are not the raw counter, each KPT_STOP_PAUSE a reader of trace
 *	under the option pause-on-trace
 * @overwrite: full rings forget their oldest records (else refuse new ones)
 * @clock: what time stamps mean
 * @cleared: when it was made or reset, in the unit of the clock
 * @lock: readers and resizing take it; never taken in BRK context
 * @page_size: bytes of a page of trace_pipe_raw
 * @percent: how full a ring is before those who wait for whole pages are woken
 * @waiters: readers that sleep on @wait, or poll
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
 * @buffer: what it reads
 * @cpu: the only CPU, or -1 for all
 * @consume: what was read is gone for later readers
 * @bounded: it ends where the buffer ended at kpt_buffer_iter_bound()
 * @at: where it is on each CPU, by CPU number
 * @rec: copy of the record kpt_buffer_iter_next() found
 * @room: bytes allocated at @rec
 * @size: bytes of the record
 * @seq: its number on its CPU
 * @rec_cpu: its CPU
 * @before: where the iterator was there before it
 * @ts: its time, converted to the unit of the clock
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
	u64 ts;
	u64 lost;
};

/**
 * kpt_buffer_init() - make a buffer
 * @buf: the buffer
 * @kb: KiB per CPU
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int kpt_buffer_init(struct kpt_buffer *buf, unsigned long kb);

/**
 * kpt_buffer_fini() - free a buffer
 * @buf: no hit and no reader uses it any more
 *
 * Context: process context, sleeps.
 */
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
 * kpt_buffer_means() - is a CPU one of those that are meant?
 * @which: a CPU number, or -1 for all
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
 * Whoever waits for records is not told: see kpt_buffer_wake().
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

/**
 * kpt_buffer_resize() - change the size of one ring or of all
 * @buf: the buffer
 * @cpu: a CPU number, or -1 for all
 * @kb: KiB per CPU, at least 1; rounded up to whole pages
 *
 * The newest records that fit are kept. Hits that meet a ring while it is
 * exchanged are counted as lost.
 *
 * Context: process context, sleeps.
 * Return: 0, -EINVAL or -ENOMEM; then nothing has changed.
 */
int kpt_buffer_resize(struct kpt_buffer *buf, int cpu, unsigned long kb);

/**
 * kpt_buffer_match() - make another buffer as large as this one
 * @buf: the buffer
 * @other: its rings get the sizes of those of @buf, CPU by CPU
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM; then nothing has changed.
 */
int kpt_buffer_match(struct kpt_buffer *buf, struct kpt_buffer *other);

/**
 * kpt_buffer_swap() - give what was recorded to another buffer
 * @buf: it goes on with the rings of @other, emptied
 * @other: nobody writes to it; made as large as @buf first
 * @cpu: a CPU number, or -1 for all
 *
 * Each ring is swapped on its own CPU, between two hits: none is lost, none is
 * in both. Iterators stay with their buffer and begin at its new ring's start.
 *
 * Context: process context, sleeps.
 * Return: 0, -ENOMEM, or -EBUSY if a CPU was always in the middle of a record.
 */
int kpt_buffer_swap(struct kpt_buffer *buf, struct kpt_buffer *other, int cpu);

/**
 * kpt_buffer_ask_swap() - a hit wants a swap that has its record
 * @buf: the buffer
 *
 * Context: BRK.
 */
static inline void kpt_buffer_ask_swap(struct kpt_buffer *buf)
{
	WRITE_ONCE(this_cpu_ptr(buf->cpu)->asked, true);
}

/**
 * kpt_buffer_is_asked() - does a hit wait for kpt_buffer_swap()?
 * @buf: the buffer
 *
 * Each swap settles what the hits on a CPU asked for before it came there.
 *
 * Context: any.
 */
bool kpt_buffer_is_asked(struct kpt_buffer *buf);

/**
 * kpt_buffer_size_kb() - size of a ring
 * @buf: the buffer
 * @cpu: a CPU number, or -1 for all
 *
 * Context: process context.
 * Return: KiB, or 0 if @cpu is -1 and the sizes differ.
 */
unsigned long kpt_buffer_size_kb(struct kpt_buffer *buf, int cpu);

/**
 * kpt_buffer_reset() - forget what was recorded
 * @buf: the buffer
 * @cpu: a CPU number, or -1 for all
 *
 * Context: process context, sleeps.
 */
void kpt_buffer_reset(struct kpt_buffer *buf, int cpu);

/**
 * kpt_buffer_set_overwrite() - choose what a full ring does
 * @buf: the buffer
 * @on: forget the oldest records (else refuse new ones)
 *
 * Context: process context, sleeps.
 */
void kpt_buffer_set_overwrite(struct kpt_buffer *buf, bool on);

/**
 * kpt_buffer_set_clock() - change the clock; resets the buffer
 * @buf: the buffer
 * @clock: the clock
 *
 * Context: process context, sleeps.
 */
void kpt_buffer_set_clock(struct kpt_buffer *buf, enum kpt_clock clock);

/**
 * kpt_buffer_stats() - counters of a ring
 * @buf: the buffer
 * @cpu: a CPU number, or -1 for the sum
 * @stats: result
 *
 * Context: process context.
 */
void kpt_buffer_stats(struct kpt_buffer *buf, int cpu,
		      struct kpt_ring_stats *stats);

/**
 * kpt_buffer_iter_alloc() - start reading at the oldest record
 * @buf: the buffer; outlives the iterator
 * @cpu: a CPU number, or -1 for all CPUs merged by time
 * @consume: what is read is gone for later readers
 *
 * Context: process context, sleeps.
 * Return: the iterator, or NULL.
 */
struct kpt_buffer_iter *kpt_buffer_iter_alloc(struct kpt_buffer *buf, int cpu,
					      bool consume);

/**
 * kpt_buffer_iter_free() - stop reading
 * @iter: from kpt_buffer_iter_alloc(), or NULL
 *
 * Context: process context.
 */
void kpt_buffer_iter_free(struct kpt_buffer_iter *iter);

/**
 * kpt_buffer_iter_next() - find the next record, in the order of time
 * @iter: its rec, size, rec_cpu, ts and lost are set
 *
 * If the iterator consumes, the record has left the buffer, and counts as read.
 *
 * Context: process context, sleeps.
 * Return: true, or false if there is no record now.
 */
bool kpt_buffer_iter_next(struct kpt_buffer_iter *iter);

/**
 * __kpt_buffer_iter_next() - the same, for one who takes many
 * @iter: as there
 *
 * Context: process context, sleeps, kpt_buffer.lock held.
 * Return: as there.
 */
bool __kpt_buffer_iter_next(struct kpt_buffer_iter *iter);

/**
 * kpt_buffer_iter_chunk() - copy what lies ahead, for one who takes many
 * @iter: an iterator of one CPU, which does not consume
 * @chunk: see kpt_ring_chunk_copy()
 *
 * Context: process context, kpt_buffer.lock held.
 * Return: the cursor for kpt_ring_chunk_next(), or NULL if there is no chunk;
 * kpt_buffer_iter_next() may find a record all the same.
 */
struct kpt_ring_cursor *kpt_buffer_iter_chunk(struct kpt_buffer_iter *iter,
					      struct kpt_ring_chunk *chunk);

/**
 * kpt_buffer_iter_back() - let kpt_buffer_iter_next() find its last record again
 * @iter: an iterator that does not consume, and found one
 *
 * Context: process context.
 */
void kpt_buffer_iter_back(struct kpt_buffer_iter *iter);

/**
 * kpt_buffer_iter_take() - records that were found are gone for later readers
 * @iter: an iterator of one CPU that does not consume
 * @first: number of the first of them; those up to the last one found follow
 *	it without a gap
 *
 * What was overwritten after it was found counts as read all the same. If the
 * ring was exchanged since, all stays where it is now.
 *
 * Context: process context, sleeps.
 */
void kpt_buffer_iter_take(struct kpt_buffer_iter *iter, u64 first);

/**
 * kpt_buffer_iter_rewind() - back to the oldest record
 * @iter: the iterator
 *
 * Context: process context, sleeps.
 */
void kpt_buffer_iter_rewind(struct kpt_buffer_iter *iter);

/**
 * kpt_buffer_iter_bound() - read only what is in the buffer now
 * @iter: the iterator; whatever comes later it does not find, until it is told
 *	so again
 *
 * Context: process context, sleeps.
 */
void kpt_buffer_iter_bound(struct kpt_buffer_iter *iter);

/**
 * kpt_buffer_iter_peek() - time of the record that next() would find
 * @iter: the iterator
 * @ts: result, converted to the unit of the clock
 *
 * Context: process context, sleeps.
 * Return: false if there is no record now.
 */
bool kpt_buffer_iter_peek(struct kpt_buffer_iter *iter, u64 *ts);

/**
 * kpt_buffer_iter_empty() - is there nothing to read now?
 * @iter: the iterator
 *
 * Context: process context.
 */
bool kpt_buffer_iter_empty(struct kpt_buffer_iter *iter);

/**
 * kpt_buffer_enlist() - let hits wake those who wait
 * @buf: the buffer
 * @eager: for any record, else only when a ring is filled to kpt_buffer.percent
 *
 * Look for records after this, not before.
 *
 * Context: any.
 */
static inline void kpt_buffer_enlist(struct kpt_buffer *buf, bool eager)
{
	if (eager)
		atomic_inc(&buf->eager);
	atomic_inc(&buf->waiters);
	smp_mb__after_atomic(); /* pairs: hit.c commit(), commit then waiters */
}

/**
 * kpt_buffer_delist() - the reverse
 * @buf: the buffer
 * @eager: as before
 *
 * Context: any.
 */
static inline void kpt_buffer_delist(struct kpt_buffer *buf, bool eager)
{
	atomic_dec(&buf->waiters);
	if (eager)
		atomic_dec(&buf->eager);
}

/**
 * kpt_buffer_wait() - sleep until there is something to read
 * @iter: the iterator
 * @eager: wait for any record, else for kpt_buffer_is_filled()
 * @wakes: kpt_buffer.wakes before the caller looked at what kpt_buffer_wake()
 *	tells of; if it has changed there is no sleep
 *
 * Context: process context, sleeps, interruptible.
 * Return: 0 or -ERESTARTSYS. May return without a record being there.
 */
int kpt_buffer_wait(struct kpt_buffer_iter *iter, bool eager,
		    unsigned int wakes);

/**
 * kpt_buffer_is_filled() - is a ring full enough for those who have time?
 * @iter: the iterator
 *
 * Context: process context, sleeps.
 * Return: true if a ring it reads is as full as kpt_buffer.percent says, and
 * not empty.
 */
bool kpt_buffer_is_filled(struct kpt_buffer_iter *iter);

/**
 * kpt_buffer_notify() - tell readers that wait of a new record
 * @buf: the buffer, with waiters
 * @ring: where the record is
 *
 * Context: BRK.
 */
void kpt_buffer_notify(struct kpt_buffer *buf, const struct kpt_ring *ring);

/**
 * kpt_buffer_wake() - let waiting readers look again (tracing_on changed)
 * @buf: the buffer
 *
 * Context: process context.
 */
void kpt_buffer_wake(struct kpt_buffer *buf);

/**
 * kpt_buffer_wake_later() - the same, in an interrupt behind this hit
 * @buf: the buffer
 *
 * Context: BRK.
 */
void kpt_buffer_wake_later(struct kpt_buffer *buf);

/**
 * kpt_buffer_affordable() - would that much memory leave enough for others?
 * @pages: so much
 *
 * What somebody would have to be killed for is better refused.
 *
 * Context: any.
 * Return: true if they could go on.
 */
bool kpt_buffer_affordable(unsigned long pages);

#endif
