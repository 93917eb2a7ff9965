// SPDX-License-Identifier: GPL-2.0-only
/* The heap that merges CPUs, next to looking at all of them. */
#include "lib/ring/merge.h"
#include "harness.h"

#define CPUS 200

/* The record that a look at each CPU finds: the oldest, of the lowest CPU. */
static int oldest(const u64 *ts, const bool *has, int cpus)
{
	int cpu, found = -1;

	for (cpu = 0; cpu < cpus; cpu++)
		if (has[cpu] && (found < 0 || (s64)(ts[cpu] - ts[found]) < 0))
			found = cpu;
	return found;
}

static void merge_some(int cpus, u64 base, u64 step)
{
	struct kpt_merge_next room[CPUS];
	struct kpt_merge m = { room, 0 };
	bool has[CPUS] = { false };
	u64 ts[CPUS];
	int i, cpu;

	for (i = 0; i < 4 * cpus; i++) {
		cpu = (int)(test_random() % (u64)cpus);
		if (has[cpu])
			continue;
		has[cpu] = true;
		ts[cpu] = base + test_random() % step;
		kpt_merge_add(&m, (u32)cpu, ts[cpu]);
	}
	for (i = 0; i < 20 * cpus || m.nr; i++) {
		cpu = oldest(ts, has, cpus);
		if (cpu < 0) {
			EXPECT_EQ(m.nr, 0);
			break;
		}
		EXPECT_EQ(room[0].cpu, cpu);
		EXPECT_EQ(room[0].ts, ts[cpu]);
		if (i >= 20 * cpus || test_random() % 8 == 0) {
			has[cpu] = false;
			kpt_merge_drop(&m);
			continue;
		}
		ts[cpu] += test_random() % step;
		kpt_merge_advance(&m, ts[cpu]);
	}
}

TEST(finds_what_a_look_at_each_finds)
{
	int round;

	for (round = 0; round < 200; round++) {
		merge_some(1, 0, 10);
		merge_some(2, 1000, 3);
		merge_some(1 + (int)(test_random() % CPUS), test_random() >> 1, 1000);
	}
	merge_some(CPUS, 0, 1ULL << 40);
}

TEST(many_stamps_are_equal)
{
	int round;

	for (round = 0; round < 100; round++)
		merge_some(1 + (int)(test_random() % CPUS), 5, 2);
}

TEST(stamps_wrap)
{
	int round;

	for (round = 0; round < 100; round++)
		merge_some(1 + (int)(test_random() % CPUS), -500ULL, 1000);
}

TEST_MAIN
