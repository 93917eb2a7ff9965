// SPDX-License-Identifier: GPL-2.0-only
/* Spans in which counter and clock run together. */
#include "lib/ring/epoch.h"
#include "harness.h"

TEST(a_count_lies_in_the_span_before_it)
{
	struct kpt_epochs all = { 0 };
	unsigned int nr, i, oldest;
	struct kpt_epoch new;
	u64 count;

	for (nr = 1; nr <= KPT_EPOCHS_MAX + 12; nr++) {
		new = (struct kpt_epoch){ .count = 100 * nr, .ns = nr };
		kpt_epochs_add(&all, &new);
		oldest = nr <= KPT_EPOCHS_MAX ? 1 : nr - KPT_EPOCHS_MAX + 1;
		for (i = 1; i <= nr; i++) {
			for (count = 100 * i; count < 100 * i + 100; count += 33)
				EXPECT_EQ(kpt_epochs_find(&all, count)->ns,
					  max(i, oldest));
		}
		EXPECT_EQ(kpt_epochs_find(&all, 0)->ns, oldest);
		EXPECT_EQ(kpt_epochs_find(&all, 100 * nr + 99999)->ns, nr);
	}
}

/* A counter may wrap. */
TEST(counts_wrap)
{
	const struct kpt_epoch before = { .count = -100ULL, .ns = 1 };
	const struct kpt_epoch after = { .count = 100, .ns = 2 };
	struct kpt_epochs all = { 0 };

	kpt_epochs_add(&all, &before);
	kpt_epochs_add(&all, &after);
	EXPECT_EQ(kpt_epochs_find(&all, -50ULL)->ns, 1);
	EXPECT_EQ(kpt_epochs_find(&all, 50)->ns, 1);
	EXPECT_EQ(kpt_epochs_find(&all, 150)->ns, 2);
}

/* As the kernel's clocks_calc_mult_shift() with an hour. */
static struct kpt_tick tick_of(u32 rate)
{
	struct kpt_tick tick = { .shift = 32 };
	u64 mult, most;

	for (most = 3600ULL * rate >> 32, mult = 32; most; most >>= 1)
		mult--;
	for (; ; tick.shift--) {
		u64 ns = ((1000000000ULL << tick.shift) + rate / 2) / rate;

		if (!(ns >> mult)) {
			tick.mult = ns;
			return tick;
		}
	}
}

static const u32 rates[] = { 1000000, 19200000, 24000000, 25000000, 31250000, 33333333,
			     38400000, 54000000, 62500000, 99999989, 100000000, 999999937,
			     1000000000, 1000000007, 2147483647, 4000000000U, 4294967295U };

/* One multiplication gives the same, but for the rounding of the begin. */
TEST(a_scale_converts_as_a_span_does)
{
	static const u64 deltas[] = { 0, 1, 2, 3, 999, 1000, 123456789, 1ULL << 40,
				      12345678901234ULL };
	struct kpt_scale scale;
	struct kpt_tick tick;
	unsigned int r, d;
	u64 is, want;

	for (r = 0; r < ARRAY_SIZE(rates); r++) {
		const struct kpt_epoch zero = { 0 };
		const struct kpt_epoch e = { .count = 987654321012ULL, .ns = 77777 };

		tick = tick_of(rates[r]);
		kpt_scale_init(&scale, &tick);
		kpt_scale_begin(&scale, &zero);
		for (d = 0; d < ARRAY_SIZE(deltas); d++)
			EXPECT_EQ(kpt_scale_convert(&scale, deltas[d]),
				  kpt_epoch_convert(&zero, &tick, deltas[d]));
		kpt_scale_begin(&scale, &e);
		EXPECT_EQ(scale.since, e.count);
		for (d = 0; d < ARRAY_SIZE(deltas); d++) {
			is = kpt_scale_convert(&scale, e.count + deltas[d]);
			want = kpt_epoch_convert(&e, &tick, e.count + deltas[d]);
			EXPECT(is - want + 1 <= 2);
		}
	}
}

/*
 * The kernel's clock begins a new epoch of its own each hour or so, each rounded down. In
 * three months these make less than three microseconds, at every rate.
 */
TEST(a_conversion_stays_with_the_kernels_clock)
{
	const struct kpt_epoch e = { .count = 123456789, .ns = 55 };
	unsigned int r, hour;

	for (r = 0; r < ARRAY_SIZE(rates); r++) {
		struct kpt_tick tick = tick_of(rates[r]);
		u64 count = e.count, ns = e.ns, step = 3599ULL * rates[r] + 7;

		for (hour = 0; hour < 2190; hour++) {
			ns += (unsigned __int128)step * tick.mult >> tick.shift;
			count += step;
		}
		EXPECT(kpt_epoch_convert(&e, &tick, count) - ns < 3000);
	}
}

static void check_span(const struct kpt_epochs *all, const struct kpt_scale *scale,
		       const struct kpt_tick *tick, u64 count)
{
	struct kpt_era s;
	unsigned int i;
	u64 one;

	kpt_era_begin(&s, all, scale, count);
	if ((s64)(count - all->epoch[0].count) < 0) {
		EXPECT(!kpt_era_has(&s, count));
		return;
	}
	EXPECT(kpt_era_has(&s, count) || count - s.from >= ~0ULL >> 1 >> scale->shift);
	for (i = 1; i < 40; i++) {
		one = s.from + test_random() % s.counts;
		if (i == 1)
			one = s.from;
		if (i == 2)
			one = s.from + s.counts - 1;
		EXPECT_EQ(kpt_era_convert(&s, one),
			  kpt_epoch_convert(kpt_epochs_find(all, one), tick, one));
	}
	one = s.from + s.counts;
	EXPECT(!kpt_era_has(&s, one) && !kpt_era_has(&s, s.from - 1));
}

/* In a span the result is the same to the nanosecond, at every rate. */
TEST(a_span_converts_as_its_epoch_does)
{
	struct kpt_epochs all = { 0 };
	struct kpt_scale scale;
	struct kpt_tick tick;
	struct kpt_epoch e;
	unsigned int r, i;

	for (i = 0; i < 3; i++) {
		e = (struct kpt_epoch){ .count = (i + 1) << 30, .ns = 12345 + i * 777777777ULL };
		kpt_epochs_add(&all, &e);
	}
	for (r = 0; r < ARRAY_SIZE(rates) + 500; r++) {
		tick = tick_of(r < ARRAY_SIZE(rates) ? rates[r] :
			       (u32)(test_random() >> (32 + test_random() % 13)) | 1);
		kpt_scale_init(&scale, &tick);
		for (i = 0; i < 20; i++)
			check_span(&all, &scale, &tick, test_random() >> (2 + test_random() % 40));
	}
}

/* A time in ns, of which a clock sees only whole steps. */
static u64 clock_at(u64 time, u64 step)
{
	return time / step * step;
}

#define READINGS 32

/*
 * Readings in a machine whose counter has @rate: each read takes 10 to 30 ns. The clock is
 * the counter itself, as sched_clock() converts it, or has steps of @other ns.
 */
static void fill_readings(struct kpt_reading *r, u32 rate, const struct kpt_tick *tick,
			  u64 other)
{
	u64 time = test_random() >> 20, begin = test_random() >> 20, ahead = test_random() >> 8;
	unsigned int i;

#define COUNT()	(begin + (u64)((unsigned __int128)time * rate / 1000000000))
	for (i = 0; i < READINGS; i++) {
		time += 100 + test_random() % 500;
		r[i].before = COUNT();
		time += 10 + test_random() % 20;
		r[i].ns = ahead + (other ? clock_at(time, other) :
			  kpt_tick_convert(tick, COUNT() - begin + 12345));
		time += 10 + test_random() % 20;
		r[i].after = COUNT();
	}
#undef COUNT
}

TEST(a_clock_on_the_counter_is_known_from_another)
{
	static const u64 others[] = { 100, 7, 77 };
	struct kpt_reading r[READINGS];
	struct kpt_tick tick, wrong;
	unsigned int i, k;

	for (i = 0; i < 2000; i++) {
		u32 rate = rates[i % ARRAY_SIZE(rates)];

		tick = tick_of(rate);
		fill_readings(r, rate, &tick, 0);
		EXPECT(kpt_readings_fit(r, READINGS, &tick));
		/* By a rate that is wrong, it is another clock. */
		wrong = tick_of(rate / 2);
		EXPECT(!kpt_readings_fit(r, READINGS, &wrong) || rate > 2000000000);
		/* Small steps are not seen by a fast counter. */
		for (k = 0; k < ARRAY_SIZE(others); k++) {
			if ((others[k] < 50 && rate > 50000000) || rate > 1000000007)
				continue;
			fill_readings(r, rate, &tick, others[k]);
			EXPECT(!kpt_readings_fit(r, READINGS, &tick));
		}
	}
}

/* An emulator or a hypervisor may take any time between two reads: that proves nothing. */
TEST(slow_readings_tell_nothing)
{
	struct kpt_reading r[3] = {
		{ .before = 0, .ns = 5, .after = 1000 },
		{ .before = 2000, .ns = 77777777, .after = 3000 },
		{ .before = 4000, .ns = 7, .after = 5000 },
	};
	const struct kpt_tick tick = { .mult = 1 };

	EXPECT(kpt_readings_fit(r, 3, &tick));
}

TEST_MAIN
