/* SPDX-License-Identifier: GPL-2.0-only */
/* Spans of time in which two clocks differ by a constant. */
#ifndef KPTRACE_EPOCH_H
#define KPTRACE_EPOCH_H

#include "lib/base/port.h"

#define KPT_EPOCHS_MAX 32

/**
 * struct kpt_tick - how long a count of the counter takes: @mult / 2^@shift ns
 * @mult: not 0
 * @shift: at most 32
 *
 * sched_clock() multiplies by such a number, which is rounded. A division by the counter's
 * rate is exact, and drifts away from it by up to half a millisecond a day.
 */
struct kpt_tick {
	u32 mult;
	u32 shift;
};

/**
 * struct kpt_epoch - the beginning of a span
 * @count: value of the counter at that time
 * @ns: value of the other clock at that time
 */
struct kpt_epoch {
	u64 count;
	u64 ns;
};

/**
 * struct kpt_epochs - the newest spans
 * @nr: number of spans
 * @epoch: the spans, the oldest first
 */
struct kpt_epochs {
	unsigned int nr;
	struct kpt_epoch epoch[KPT_EPOCHS_MAX];
};

/**
 * kpt_epochs_add() - add the beginning of a span
 * @all: the spans; if there is no room, the oldest is dropped
 * @new: the new span
 *
 * Context: any; the caller makes readers retry.
 */
static inline void kpt_epochs_add(struct kpt_epochs *all,
				  const struct kpt_epoch *new)
{
	if (all->nr == KPT_EPOCHS_MAX)
		memmove(all->epoch, all->epoch + 1,
			--all->nr * sizeof(*all->epoch));
	all->epoch[all->nr++] = *new;
}

/**
 * kpt_epochs_find() - find the span that a count is in
 * @all: at least one span
 * @count: value of the counter
 *
 * Context: any; the caller retries after a concurrent kpt_epochs_add().
 * Return: the span; the oldest span if @count is before it.
 */
static inline const struct kpt_epoch *
kpt_epochs_find(const struct kpt_epochs *all, u64 count)
{
	unsigned int i = all->nr - 1;

	while (i && (s64)(count - all->epoch[i].count) < 0)
		i--;
	return &all->epoch[i];
}

/**
 * kpt_tick_convert() - convert a number of counts to ns
 * @tick: of a count
 * @counts: their number
 *
 * Context: any, BRK included.
 * Return: ns.
 */
static inline u64 kpt_tick_convert(const struct kpt_tick *tick, u64 counts)
{
	return (u64)((unsigned __int128)counts * tick->mult >> tick->shift);
}

/**
 * kpt_epoch_convert() - convert a count to ns of the other clock
 * @e: the span that the count is in
 * @tick: of a count
 * @count: value of the counter
 *
 * Context: any, BRK included.
 * Return: ns, rounded towards the beginning of the span.
 */
static inline u64 kpt_epoch_convert(const struct kpt_epoch *e,
				    const struct kpt_tick *tick, u64 count)
{
	u64 delta = count - e->count;

	return (s64)delta < 0 ? e->ns - kpt_tick_convert(tick, -delta) :
				e->ns + kpt_tick_convert(tick, delta);
}

/**
 * struct kpt_scale - converts counts of the newest span by one multiplication
 * @mult: ns of a count, times 2^(64 - @shift)
 * @base: what is added, in ns
 * @since: the count at which the span begins
 * @shift: ns of a count have so many bits before the point
 */
struct kpt_scale {
	u64 mult;
	u64 base;
	u64 since;
	unsigned int shift;
};

/**
 * kpt_scale_init() - prepare to convert counts
 * @scale: @mult and @shift are set
 * @tick: of a count
 *
 * Context: any.
 */
static inline void kpt_scale_init(struct kpt_scale *scale, const struct kpt_tick *tick)
{
	u64 whole = tick->mult >> tick->shift;

	for (scale->shift = 0; whole >> scale->shift; scale->shift++)
		;
	scale->mult = (u64)tick->mult << (64 - tick->shift - scale->shift);
}

/**
 * kpt_scale_convert() - convert a count of the newest span
 * @scale: the scale
 * @count: value of the counter
 *
 * arch/arm64/tracer/recorder_graph.c does the same.
 *
 * Context: any.
 * Return: ns, 1 more or less than kpt_epoch_convert().
 */
static inline u64 kpt_scale_convert(const struct kpt_scale *scale, u64 count)
{
	return (u64)((unsigned __int128)(count << scale->shift) * scale->mult >> 64) +
	       scale->base;
}

/**
 * kpt_scale_begin() - a span begins
 * @scale: the scale
 * @e: the span
 *
 * A count from before @kpt_scale.since must not be converted. One that is concurrently
 * may be off by what the two clocks have differed.
 *
 * Context: any.
 */
static inline void kpt_scale_begin(struct kpt_scale *scale, const struct kpt_epoch *e)
{
	u64 whole = kpt_scale_convert(scale, e->count) - scale->base;

	scale->since = e->count;
	scale->base = e->ns - whole;
}

/**
 * struct kpt_era - a span, whose counts are converted by one multiplication
 * @from: the count at which it begins
 * @counts: how many counts are in it; 0: none
 * @ns: time at which it begins
 * @mult: of a struct kpt_scale
 * @shift: of that
 */
struct kpt_era {
	u64 from;
	u64 counts;
	u64 ns;
	u64 mult;
	unsigned int shift;
};

/**
 * kpt_era_begin() - find the span of a count
 * @s: result; without counts if @count is before all spans
 * @all: the spans
 * @scale: of kpt_scale_init()
 * @count: the count
 *
 * Context: any; the caller retries after a concurrent kpt_epochs_add().
 */
static inline void kpt_era_begin(struct kpt_era *s, const struct kpt_epochs *all,
				  const struct kpt_scale *scale, u64 count)
{
	const struct kpt_epoch *e = kpt_epochs_find(all, count);

	s->counts = 0;
	if ((s64)(count - e->count) < 0)
		return;
	s->from = e->count;
	s->ns = e->ns;
	/* As many as kpt_era_convert() can shift. */
	s->counts = ~0ULL >> 1 >> scale->shift;
	if (e + 1 < all->epoch + all->nr)
		s->counts = min(s->counts, e[1].count - s->from);
	s->mult = scale->mult;
	s->shift = scale->shift;
}

/**
 * kpt_era_has() - is a count in this span?
 * @s: the span
 * @count: value of the counter
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool kpt_era_has(const struct kpt_era *s, u64 count)
{
	return count - s->from < s->counts;
}

/**
 * kpt_era_since() - convert a count of this span to the time since its beginning
 * @s: the span
 * @count: value of the counter, at most that at the end of the span
 *
 * Context: any.
 * Return: ns, larger for any count from before the span.
 */
static inline u64 kpt_era_since(const struct kpt_era *s, u64 count)
{
	return (u64)((unsigned __int128)((count - s->from) << s->shift) * s->mult >> 64);
}

/**
 * kpt_era_convert() - convert a count of this span
 * @s: kpt_era_has() it
 * @count: value of the counter
 *
 * Context: any.
 * Return: ns, exactly those of kpt_epoch_convert().
 */
static inline u64 kpt_era_convert(const struct kpt_era *s, u64 count)
{
	return s->ns + kpt_era_since(s, count);
}

/**
 * struct kpt_reading - a clock, read between two reads of the counter
 * @before: the counter
 * @ns: the clock
 * @after: the counter
 */
struct kpt_reading {
	u64 before;
	u64 ns;
	u64 after;
};

/* Readings with more counts than that between them tell nothing: the CPU did other things. */
#define KPT_READING_MAX 128

/**
 * kpt_reading_fits() - can a clock be so much ahead of the counter?
 * @r: a reading of it
 * @tick: of a count
 * @base: a count before that
 * @ahead: time of the clock at @base
 *
 * Where a clock rounds is not known.
 *
 * Context: any.
 * Return: true if it can be.
 */
static inline bool kpt_reading_fits(const struct kpt_reading *r, const struct kpt_tick *tick,
				    u64 base, u64 ahead)
{
	u64 count;

	if (r->after - r->before > KPT_READING_MAX)
		return true;
	for (count = r->before; count <= r->after; count++)
		if (r->ns - ahead - kpt_tick_convert(tick, count - base) + 1 <= 2)
			return true;
	return false;
}

/**
 * kpt_readings_fit() - can a clock run on the counter?
 * @r: readings of the clock, the oldest first
 * @nr: their number
 * @tick: of a count
 *
 * A clock that runs on the counter has always advanced as the counter has, to the
 * nanosecond. Another one is seen by that it has other times than counts can have, or
 * advances between counts.
 *
 * Context: any.
 * Return: false if it cannot.
 */
static inline bool kpt_readings_fit(const struct kpt_reading *r, unsigned int nr,
				    const struct kpt_tick *tick)
{
	u64 count, ahead;
	unsigned int i;

	if (r->after - r->before > KPT_READING_MAX)
		return true;
	for (count = r->before; count <= r->after; count++) {
		ahead = r->ns - kpt_tick_convert(tick, count - r->before);
		for (i = 1; i < nr; i++)
			if (!kpt_reading_fits(&r[i], tick, r->before, ahead))
				break;
		if (i == nr)
			return true;
	}
	return false;
}

#endif
