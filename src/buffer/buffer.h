/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of per-CPU rings with a clock, a switch and waiting readers. */
#ifndef KPTRACE_BUFFER_H
#define KPTRACE_BUFFER_H

#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/wait.h>
#include "kernel/bell.h"
#include "kernel/clock.h"
#include "lib/ring/merge.h"
#include "lib/ring/ring.h"

/* KiB per CPU a new buffer has. */
#define KPT_BUFFER_DEFAULT_KB 1408

/**
 * struct kpt_buffer_cpu - the part of a buffer that belongs to one CPU
 * @ring: the records; only its CPU writes to it. While its @owner is not 0
 *	(resizing), writers refuse their records and count them as lost
 * @mem: memory of @ring from vmalloc(); NULL if kpt_buffer_place() gave it, or if the
 *	ring has none yet
 * @size: bytes of that memory, or that it will have
 * @exchanged: number of times that @mem was exchanged, for iterators to notice it
 * @swapped: number of times that kpt_buffer_swap() swapped the ring for another
 * @asked: a hit requested a swap, and none has happened since
 * @maps: number of programs' mappings of pages of its records
 * @mark: hits wake those who wait for a share of @ring once that is filled from this
 *	position on; set by waiter_mark(), and KPT_BUFFER_NO_MARK from the wake-up on
 * @late: number of records that a consuming reader copied, but that were overwritten
 *	before it could consume them. They count as read, not as overrun
 * @unread: number of the first record that no consuming reader has had
 *
 * @late and @unread are for readers only, so they are not in a cache line that
 * writers read.
 */
struct kpt_buffer_cpu {
	struct kpt_ring ring;
	void *mem;
	size_t size;
	unsigned int exchanged;
	unsigned int swapped;
	bool asked;
	atomic_t maps;
	u64 mark;
	u64 late __aligned(64);
	u64 unread;
};

/* kpt_buffer_cpu.mark behind all positions; adding the size of a ring does not overflow. */
#define KPT_BUFFER_NO_MARK (U64_MAX / 2)

/**
 * struct kpt_buffer - the rings of an instance
 * @cpu: the rings
 * @stops: 0 while hits are recorded on the fast path. KPT_STOP_SWITCH: tracing_on
 *	is 0. KPT_STOP_ASK: hits call kpt_task_filter_allow(). KPT_STOP_TASKS: they do so
 *	for lists of tasks. KPT_STOP_CLOCK: stamps are not the raw counter, or stubs do not
 *	know yet how they are made.
 *	KPT_STOP_PAUSE: added by each reader of trace under the option pause-on-trace
 * @waiters: what readers wait for, asleep on @wait or in poll(), that no hit has asked
 *	@wake for since. KPT_WAITS_ANY: any record; KPT_WAITS_SHARE: a ring that is
 *	filled to @percent from its mark on. Set before the reader looks for records, and
 *	cleared by the hit that asks
 * @clock: the clock of time stamps; changed under @lock with the rings emptied, so
 *	all records of a ring have stamps of the same clock
 * @reader: makes the stamps of @clock, for stubs
 * @percent: readers of whole pages are woken when a ring is filled to this share
 * @lock: readers and resizing take it; never taken in BRK context
 * @cleared: time when it was made or reset, in the unit of the clock
 * @overwrite: full rings overwrite their oldest records; else they refuse new ones
 * @page_size: bytes of a page of trace_pipe_raw
 * @node: has a ring made for each CPU that comes online
 * @list: link in the list of buffers whose readers are woken when that CPU is online
 * @is_used: its rings have memory, on all CPUs that are online; changed under @lock
 * @is_placed: its rings are where kpt_buffer_place() put them, and stay there until
 *	kpt_buffer_leave()
 * @changes: number of times that records were exchanged, swapped or dropped, under
 *	@lock
 * @wakes: number of calls of kpt_buffer_wake(), which a reader about to sleep checks
 * @wait: blocking readers and pollers
 * @wake: wakes @wait after a hit, which cannot do so in BRK context
 *
 * What hits read comes first, in a cache line in which readers write nothing, unless they
 * go to sleep.
 */
struct kpt_buffer {
	struct kpt_buffer_cpu __percpu *cpu ____cacheline_aligned;
	atomic_t stops;
	atomic_t waiters;
	enum kpt_clock clock;
	unsigned int percent;
	kpt_clock_reader_t reader;
	struct mutex lock ____cacheline_aligned;
	u64 cleared;
	bool overwrite;
	u32 page_size;
	struct hlist_node node;
	struct list_head list;
	bool is_used;
	bool is_placed;
	unsigned int changes;
	atomic_t wakes;
	wait_queue_head_t wait;
	struct kpt_bell wake;
};

/* kpt_buffer.stops */
#define KPT_STOP_SWITCH	1
#define KPT_STOP_ASK	2
#define KPT_STOP_CLOCK	4
#define KPT_STOP_TASKS	8
#define KPT_STOP_PAUSE	16

/* kpt_buffer.waiters */
#define KPT_WAITS_ANY	1
#define KPT_WAITS_SHARE	2

/**
 * struct kpt_buffer_at - position of an iterator on one CPU
 * @cursor: position in its ring
 * @end: number of the first record that a bounded iterator does not read;
 *	moves by the number of records that were lost
 * @round: records behind this position of the ring are not of the round
 * @exchanged: kpt_buffer_cpu.exchanged when @cursor was last used
 * @swapped: kpt_buffer_cpu.swapped then
 */
struct kpt_buffer_at {
	struct kpt_ring_cursor cursor;
	u64 end;
	u64 round;
	unsigned int exchanged;
	unsigned int swapped;
};

/**
 * struct kpt_buffer_iter - reads one CPU or all merged by time
 * @buffer: the buffer
 * @cpu: the only CPU, or -1 for all
 * @consume: reading consumes the records: later readers do not get them
 * @bounded: it reads as many records as the last kpt_buffer_iter_bound() allows
 * @at: its position on each CPU, by CPU number
 * @next: the next records, see iter_gather()
 * @changes: kpt_buffer.changes when they were found
 * @known: where kpt_buffer_iter_counts() has counted to in the ring of @cpu, or {}
 * @near: for kpt_clock_convert_near()
 * @rec: copy of the record that kpt_buffer_iter_next() found
 * @room: bytes at @rec for what is in a ring; behind them are KPT_RECORD_LEFT_OUT more
 * @size: bytes of the record
 * @seq: number of the record on its CPU
 * @rec_cpu: CPU of the record
 * @before: position of the iterator on @rec_cpu before the record
 * @clock: the clock of @ts
 * @ts: time of the record, converted to the unit of @clock
 * @lost: number of records of @rec_cpu that were lost just before the record
 *
 * Made by kpt_buffer_iter_alloc(); not for use by two tasks at once.
 */
struct kpt_buffer_iter {
	struct kpt_buffer *buffer;
	int cpu;
	bool consume;
	bool bounded;
	struct kpt_buffer_at *at;
	struct kpt_merge next;
	unsigned int changes;
	struct kpt_ring_mark known;
	struct kpt_clock_near near;
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

int kpt_buffers_init(void);
void kpt_buffers_exit(void);
int kpt_buffer_init(struct kpt_buffer *buf, unsigned long kb);
int kpt_buffer_use(struct kpt_buffer *buf);
void kpt_buffer_fini(struct kpt_buffer *buf);

/**
 * kpt_buffer_ring() - find the part of a buffer that belongs to a CPU
 * @buf: the buffer
 * @cpu: a CPU number
 *
 * Context: any.
 * Return: the part.
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
 * Return: true if it does.
 */
static inline bool kpt_buffer_means(int which, int cpu)
{
	return which < 0 || which == cpu;
}

/**
 * kpt_buffer_is_on() - read tracing_on
 * @buf: the buffer
 *
 * Context: any.
 * Return: true if tracing_on is 1.
 */
static inline bool kpt_buffer_is_on(const struct kpt_buffer *buf)
{
	return !(atomic_read(&buf->stops) & KPT_STOP_SWITCH);
}

/**
 * kpt_buffer_switch() - change tracing_on
 * @buf: the buffer
 * @on: the new value
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
 * kpt_buffer_stubs_may_stamp() - do stubs know how stamps are made?
 * @buf: the buffer
 *
 * Context: any.
 * Return: true if they do, and stamps are the raw counter.
 */
static inline bool kpt_buffer_stubs_may_stamp(const struct kpt_buffer *buf)
{
	return !(atomic_read(&buf->stops) & KPT_STOP_CLOCK);
}

/**
 * kpt_buffer_let_stubs_stamp() - let stubs record again when the clock was set
 * @buf: the buffer
 * @clock: the clock that was set; nothing happens if there is another one by now, or its
 *	stamps are not the raw counter
 *
 * Context: process context, kpt_mutex held.
 */
static inline void kpt_buffer_let_stubs_stamp(struct kpt_buffer *buf,
					      enum kpt_clock clock)
{
	if (buf->clock == clock && kpt_clock_is_raw(clock))
		atomic_andnot(KPT_STOP_CLOCK, &buf->stops);
}

/**
 * kpt_buffer_pause() - stop recording, even if tracing_on is 1
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
bool kpt_buffer_is_mapped(struct kpt_buffer *buf, int cpu);
bool kpt_buffer_is_fixed(struct kpt_buffer *buf, int cpu);
void kpt_buffer_place(struct kpt_buffer *buf, void *mem, u32 size,
		      struct kpt_ring_kept *kept);
void kpt_buffer_keep(struct kpt_buffer *buf);
void kpt_buffer_leave(struct kpt_buffer *buf);
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
bool kpt_buffer_iter_chunk_is_intact(const struct kpt_buffer_iter *iter,
				     const struct kpt_ring_chunk *chunk);
void kpt_buffer_iter_back(struct kpt_buffer_iter *iter);
void kpt_buffer_iter_consume(struct kpt_buffer_iter *iter, u64 first);
void kpt_buffer_iter_counts(struct kpt_buffer_iter *iter, struct kpt_ring_stats *st);
struct kpt_ring_cursor *kpt_buffer_iter_cursor(struct kpt_buffer_iter *iter,
					       int cpu);
void kpt_buffer_iter_rewind(struct kpt_buffer_iter *iter);
void kpt_buffer_iter_bound(struct kpt_buffer_iter *iter);
size_t kpt_buffer_iter_peek_on(struct kpt_buffer_iter *iter, int cpu, void *rec,
			       size_t room);
bool kpt_buffer_iter_peek(struct kpt_buffer_iter *iter, u64 *ts);
bool kpt_buffer_iter_empty(struct kpt_buffer_iter *iter);


/**
 * struct kpt_waiter - a reader that waits for records, by sleeping or by poll()
 * @iter: reads the buffer
 * @eager: poll() waits for any record, else until a ring is filled to
 *	kpt_buffer.percent
 * @polled: a program waits in poll() or the like, or did so before the last read
 *
 * Tasks that share one hold a lock of their own for all but kpt_waiter_sleep().
 */
struct kpt_waiter {
	struct kpt_buffer_iter *iter;
	bool eager;
	bool polled;
};

/**
 * kpt_waiter_look() - note @wakes before checking tracing_on and the like
 * @w: the waiter
 *
 * Context: process context.
 * Return: kpt_buffer.wakes, for kpt_waiter_sleep().
 */
static inline unsigned int kpt_waiter_look(const struct kpt_waiter *w)
{
	unsigned int wakes = atomic_read(&w->iter->buffer->wakes);

	smp_rmb(); /* wakes before tracing_on; pairs: kpt_buffer_wake() */
	return wakes;
}

int kpt_waiter_sleep(const struct kpt_waiter *w, bool eager,
		     unsigned int wakes);
void kpt_waiter_poll(struct kpt_waiter *w);
void kpt_waiter_read(struct kpt_waiter *w);
bool kpt_waiter_has_records(const struct kpt_waiter *w);
void kpt_buffer_wake(struct kpt_buffer *buf);
void kpt_buffer_wake_now(struct kpt_bell *bell);
bool kpt_buffer_affordable(unsigned long pages);

/* Of the part kept: a buffer in memory that survives a reboot was cleared. */
void kpt_persist_note_clock(enum kpt_clock clock, u64 cleared);

#endif
