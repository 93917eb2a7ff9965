// SPDX-License-Identifier: GPL-2.0-only
/* Spans in which counter and clock run together. */
#include "lib/epoch.h"
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

/* Without a division the result is the same, but for the rounding of the begin. */
TEST(a_scale_converts_as_a_division_does)
{
	static const u32 rates[] = { 1000000, 19200000, 24000000, 54000000, 62500000,
				     1000000000, 33333333, 4000000000U };
	static const u64 deltas[] = { 0, 1, 2, 3, 999, 1000, 123456789, 1ULL << 40,
				      12345678901234ULL };
	struct kpt_scale scale;
	unsigned int r, d;
	u64 is, want;

	for (r = 0; r < ARRAY_SIZE(rates); r++) {
		const struct kpt_epoch zero = { 0 };
		const struct kpt_epoch e = { .count = 987654321012ULL, .ns = 77777 };

		kpt_scale_init(&scale, rates[r]);
		kpt_scale_begin(&scale, &zero);
		for (d = 0; d < ARRAY_SIZE(deltas); d++)
			EXPECT_EQ(kpt_scale_convert(&scale, deltas[d]),
				  kpt_epoch_convert(&zero, rates[r], deltas[d]));
		kpt_scale_begin(&scale, &e);
		EXPECT_EQ(scale.since, e.count);
		for (d = 0; d < ARRAY_SIZE(deltas); d++) {
			is = kpt_scale_convert(&scale, e.count + deltas[d]);
			want = kpt_epoch_convert(&e, rates[r], e.count + deltas[d]);
			EXPECT(is - want + 1 <= 2);
		}
	}
}

static void check_second(const struct kpt_epochs *all, const struct kpt_scale *scale,
			 u32 rate, u64 count)
{
	struct kpt_second s;
	unsigned int i;
	u64 one;

	kpt_second_begin(&s, all, scale, rate, count);
	if ((s64)(count - all->epoch[0].count) < 0) {
		EXPECT(!kpt_second_has(&s, count));
		return;
	}
	EXPECT(kpt_second_has(&s, count));
	EXPECT(s.counts && s.counts <= rate);
	for (i = 0; i < 40; i++) {
		one = i ? s.from + test_random() % s.counts : count;
		if (i == 1)
			one = s.from;
		if (i == 2)
			one = s.from + s.counts - 1;
		EXPECT_EQ(kpt_second_convert(&s, one),
			  kpt_epoch_convert(kpt_epochs_find(all, one), rate, one));
	}
	one = s.from + s.counts;
	EXPECT(!kpt_second_has(&s, one) && !kpt_second_has(&s, s.from - 1));
	EXPECT(s.counts == rate ||
	       kpt_epochs_find(all, one) != kpt_epochs_find(all, one - 1));
}

/* In a second the result is the same to the nanosecond, at every rate. */
TEST(a_second_converts_as_a_division_does)
{
	static const u32 rates[] = { 1, 2, 3, 7, 999, 32768, 1000000, 19200000, 24000000,
				     25000000, 31250000, 33333333, 54000000, 62500000,
				     99999989, 100000000, 999999937, 1000000000, 1000000007,
				     2147483647, 4000000000U, 4294967291U, 4294967295U };
	struct kpt_epochs all = { 0 };
	struct kpt_scale scale;
	struct kpt_epoch e;
	unsigned int r, i;
	u32 rate;

	for (i = 0; i < 3; i++) {
		e = (struct kpt_epoch){ .count = (i + 1) << 30, .ns = 12345 + i * 777777777ULL };
		kpt_epochs_add(&all, &e);
	}
	for (r = 0; r < ARRAY_SIZE(rates) + 500; r++) {
		rate = r < ARRAY_SIZE(rates) ? rates[r] :
			(u32)(test_random() >> (32 + test_random() % 31)) | 1;
		kpt_scale_init(&scale, rate);
		for (i = 0; i < 20; i++)
			check_second(&all, &scale, rate, test_random() >> (2 + test_random() % 40));
	}
}

TEST_MAIN
