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

TEST_MAIN
