/* SPDX-License-Identifier: GPL-2.0-only */
/* Spans of time in which two clocks differ by a constant. */
#ifndef KPTRACE_EPOCH_H
#define KPTRACE_EPOCH_H

#include <kptrace/port.h>

#define KPT_EPOCHS_MAX 32

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
 * kpt_epoch_convert() - convert a count to ns of the other clock
 * @e: the span that the count is in
 * @rate: counts in a second
 * @count: value of the counter
 *
 * Context: any, BRK included.
 * Return: ns, rounded towards the beginning of the span.
 */
static inline u64 kpt_epoch_convert(const struct kpt_epoch *e, u32 rate, u64 count)
{
	s64 delta = (s64)(count - e->count);
	u64 size = delta < 0 ? -(u64)delta : (u64)delta;
	/* In two parts, so that no product overflows. */
	u64 ns = size / rate * 1000000000ULL + size % rate * 1000000000ULL / rate;

	return delta < 0 ? e->ns - ns : e->ns + ns;
}

/**
 * struct kpt_scale - converts counts of the newest span without a division
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
 * @rate: counts in a second
 *
 * Context: any.
 */
static inline void kpt_scale_init(struct kpt_scale *scale, u32 rate)
{
	u64 mult = 1000000000 / rate, rest = 1000000000 % rate;
	unsigned int i;

	for (scale->shift = 0; mult >> scale->shift; scale->shift++)
		;
	for (i = scale->shift; i < 64; i++) {
		rest *= 2;
		mult = mult * 2 + (rest >= rate);
		if (rest >= rate)
			rest -= rate;
	}
	/* Rounded up: what is a whole number of ns stays one. */
	scale->mult = mult + !!rest;
}

/**
 * kpt_scale_convert() - convert a count of the newest span
 * @scale: the scale
 * @count: value of the counter
 *
 * arch/arm64/direct_graph.c does the same.
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
 * struct kpt_second - a second of a span, whose counts are converted without a division
 * @from: the count at which it begins
 * @counts: how many counts are in it; 0: none
 * @ns: time at which it begins
 * @mult: of a struct kpt_scale
 * @shift: of that
 */
struct kpt_second {
	u64 from;
	u64 counts;
	u64 ns;
	u64 mult;
	unsigned int shift;
};

/**
 * kpt_second_begin() - find the second of a count
 * @s: result; without counts if @count is before all spans
 * @all: the spans
 * @scale: of kpt_scale_init() with the same @rate
 * @rate: counts in a second
 * @count: the count
 *
 * Context: any; the caller retries after a concurrent kpt_epochs_add().
 */
static inline void kpt_second_begin(struct kpt_second *s, const struct kpt_epochs *all,
				    const struct kpt_scale *scale, u32 rate, u64 count)
{
	const struct kpt_epoch *e = kpt_epochs_find(all, count);
	u64 delta = count - e->count;

	s->counts = 0;
	if ((s64)delta < 0)
		return;
	s->from = e->count + delta / rate * rate;
	s->ns = e->ns + delta / rate * 1000000000ULL;
	s->counts = rate;
	if (e + 1 < all->epoch + all->nr)
		s->counts = min(s->counts, e[1].count - s->from);
	s->mult = scale->mult;
	s->shift = scale->shift;
}

/**
 * kpt_second_has() - is a count in this second?
 * @s: the second
 * @count: value of the counter
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool kpt_second_has(const struct kpt_second *s, u64 count)
{
	return count - s->from < s->counts;
}

/**
 * kpt_second_convert() - convert a count of this second
 * @s: kpt_second_has() it
 * @count: value of the counter
 *
 * The multiplier is too large by less than one in its last place. So in a second, for all
 * rates of 32 bits, the product is too large by less than what is between two different
 * fractions of a nanosecond that counts can have: it has the same whole part.
 *
 * Context: any.
 * Return: ns, exactly those of kpt_epoch_convert().
 */
static inline u64 kpt_second_convert(const struct kpt_second *s, u64 count)
{
	u64 delta = (count - s->from) << s->shift;

	return s->ns + (u64)((unsigned __int128)delta * s->mult >> 64);
}

#endif
