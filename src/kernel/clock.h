/* SPDX-License-Identifier: GPL-2.0-only */
/* Clocks for time stamps, as trace_clock names them. */
#ifndef KPTRACE_CLOCK_H
#define KPTRACE_CLOCK_H

#include <linux/seqlock.h>
#include <linux/types.h>
#include "arch.h"
#include "lib/ring/epoch.h"

/*
 * The clocks, in the order in which trace_clock lists them.
 *
 * All but the last one are those of mainline. KPT_CLOCK_UNORDERED is KPT_CLOCK_LOCAL
 * without what keeps the CPU from reading the counter before earlier instructions are
 * done: a time may be early by as much as the CPU runs ahead. On one CPU times in a ring
 * do not decrease. Only what stubs record is timed so; else it is KPT_CLOCK_LOCAL.
 */
enum kpt_clock {
	KPT_CLOCK_LOCAL,
	KPT_CLOCK_GLOBAL,
	KPT_CLOCK_COUNTER,
	KPT_CLOCK_UPTIME,
	KPT_CLOCK_PERF,
	KPT_CLOCK_MONO,
	KPT_CLOCK_MONO_RAW,
	KPT_CLOCK_BOOT,
	KPT_CLOCK_TAI,
	KPT_CLOCK_UNORDERED,
	KPT_NR_CLOCKS,
};

const char *kpt_clock_name(enum kpt_clock clock);
/* Makes a stamp. */
typedef u64 (*kpt_clock_reader_t)(void);

/* The last stamp of the clock counter; stubs make the next one. */
extern atomic64_t kpt_clock_events;

kpt_clock_reader_t kpt_clock_reader(enum kpt_clock clock);
u64 kpt_clock_count(void);
u64 kpt_clock_stamp_slow(enum kpt_clock clock);

/* Between suspends; read and written by clock.c only. */
extern struct kpt_epochs kpt_clock_epochs;

/* Of the newest epoch; stubs read it. */
extern struct kpt_scale kpt_clock_scale;

/* Is the counter not read by kpt_arch_counter()? This and the next two change at load only. */
extern bool kpt_clock_unstable;

/* Of the stamps of local and global: counts in a second, and how long each is. */
extern u32 kpt_clock_rate;
extern struct kpt_tick kpt_clock_tick;

/**
 * kpt_clock_in_ns() - is a converted stamp in nanoseconds?
 * @clock: the clock
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool kpt_clock_in_ns(enum kpt_clock clock)
{
	return clock != KPT_CLOCK_COUNTER && clock != KPT_CLOCK_UPTIME;
}

/**
 * kpt_clock_is_counter() - are the stamps of a clock counts of the counter?
 * @clock: the clock
 *
 * Context: any, BRK included.
 * Return: true if they are.
 */
static __always_inline bool kpt_clock_is_counter(enum kpt_clock clock)
{
	return clock <= KPT_CLOCK_GLOBAL || clock == KPT_CLOCK_UNORDERED;
}

/**
 * kpt_clock_is_raw() - is the stamp of a clock the raw counter?
 * @clock: the clock
 *
 * Context: any, BRK included.
 * Return: true if it is.
 */
static __always_inline bool kpt_clock_is_raw(enum kpt_clock clock)
{
	return kpt_clock_is_counter(clock) && likely(!kpt_clock_unstable);
}

/**
 * kpt_clock_raw() - the stamp of a clock that is raw
 *
 * Context: any, BRK included.
 * Return: the stamp.
 */
static __always_inline u64 kpt_clock_raw(void)
{
	return kpt_arch_counter();
}

/**
 * kpt_clock_stamp() - the stamp to put into a record
 * @clock: the clock
 *
 * For local and global the stamp is the architecture's counter, which usually costs
 * a few instructions; kpt_clock_convert() converts it to time.
 *
 * Context: any, BRK included.
 * Return: the stamp.
 */
static __always_inline u64 kpt_clock_stamp(enum kpt_clock clock)
{
	if (likely(kpt_clock_is_raw(clock)))
		return kpt_clock_raw();
	return kpt_clock_stamp_slow(clock);
}

/**
 * struct kpt_clock_near - what converting a stamp has left for those near it
 * @span: its span; zeroes at first
 * @epochs: kpt_clock_nr_epochs when that was found
 */
struct kpt_clock_near {
	struct kpt_era span;
	unsigned int epochs;
};

/* Number of epochs that there have been. */
extern unsigned int kpt_clock_nr_epochs;

u64 kpt_clock_convert_far(struct kpt_clock_near *near, enum kpt_clock clock, u64 stamp);

/**
 * kpt_clock_is_near() - may kpt_era_convert() convert stamps?
 * @near: of earlier stamps
 * @clock: the clock
 *
 * Context: any.
 * Return: true if it may convert those that @near->span has.
 */
static inline bool kpt_clock_is_near(const struct kpt_clock_near *near,
				     enum kpt_clock clock)
{
	return kpt_clock_is_counter(clock) &&
	       near->epochs == READ_ONCE(kpt_clock_nr_epochs);
}

/**
 * kpt_clock_convert_near() - kpt_clock_convert() for many stamps near each other
 * @near: of earlier stamps
 * @clock: the clock
 * @stamp: from kpt_clock_stamp()
 *
 * Context: process context.
 * Return: the time in the unit of @clock.
 */
static inline u64 kpt_clock_convert_near(struct kpt_clock_near *near,
					 enum kpt_clock clock, u64 stamp)
{
	if (likely(kpt_clock_is_near(near, clock) &&
		   kpt_era_has(&near->span, stamp)))
		return kpt_era_convert(&near->span, stamp);
	return kpt_clock_convert_far(near, clock, stamp);
}

/* Odd while a span begins. */
extern seqcount_t kpt_clock_seq;

/**
 * kpt_clock_convert_new() - kpt_clock_convert() a stamp of local or global, without a call
 * @stamp: from kpt_clock_stamp()
 * @ns: result
 *
 * Hits convert stamps of the newest span only.
 *
 * Context: any, BRK included.
 * Return: true; or false if the stamp is of another span, or a span begins now: call
 * kpt_clock_convert().
 */
static __always_inline bool kpt_clock_convert_new(u64 stamp, u64 *ns)
{
	unsigned int seq = raw_read_seqcount(&kpt_clock_seq);
	struct kpt_scale scale = kpt_clock_scale;

	*ns = kpt_scale_convert(&scale, stamp);
	return likely(!(seq & 1) && !read_seqcount_retry(&kpt_clock_seq, seq) &&
		      (s64)(stamp - scale.since) >= 0);
}

/**
 * kpt_clock_recent() - a stamp from before that of a new record
 *
 * Context: any, BRK included.
 * Return: the stamp, of a clock that is raw.
 */
static __always_inline u64 kpt_clock_recent(void)
{
	return READ_ONCE(kpt_clock_scale.since);
}

u64 kpt_clock_convert(enum kpt_clock clock, u64 stamp);
u64 kpt_clock_elapsed(u64 start);
const char *kpt_clock_how(void);
int kpt_clock_init(void);
void kpt_clock_exit(void);

#endif
