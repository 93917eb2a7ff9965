// SPDX-License-Identifier: GPL-2.0-only
/* Pools of objects, against an array, and from several CPUs at once. */
#include <pthread.h>
#include "lib/base/port.h"
#include "parts/objtrace/pool.h"
#include "harness.h"

static struct kpt_pool pool;

static void start(u64 size)
{
	memset(&pool, 0, sizeof(pool));
	kpt_pool_init(&pool, size);
}

static u64 find(u64 addr)
{
	u64 arg[KPT_POOL_ARGS] = { 0 }, *last, object = kpt_pool_find(&pool, addr, &last);

	arg[addr % KPT_POOL_ARGS] = addr;
	if (object)
		EXPECT(kpt_pool_may_have(&pool, arg));
	return object;
}

TEST(exact)
{
	u64 *last = NULL;

	start(1);
	EXPECT_EQ(find(0), 0);
	EXPECT_EQ(find(1), 0);
	EXPECT_EQ(kpt_pool_add(&pool, 4096, 7), KPT_POOL_ADDED);
	EXPECT_EQ(kpt_pool_add(&pool, 4096, 8), KPT_POOL_KNOWN);
	EXPECT_EQ(find(4096), 4096);
	EXPECT_EQ(find(4095), 0);
	EXPECT_EQ(find(4097), 0);
	EXPECT_EQ(find(0), 0);
	EXPECT_EQ(kpt_pool_find(&pool, 4096, &last), 4096);
	EXPECT_EQ(*last, 7);
	EXPECT(kpt_pool_remove(&pool, 4096));
	EXPECT(!kpt_pool_remove(&pool, 4096));
	EXPECT_EQ(find(4096), 0);
}

TEST(full_and_again)
{
	u64 i;

	start(1);
	for (i = 0; i < KPT_POOL_OBJECTS; i++)
		EXPECT_EQ(kpt_pool_add(&pool, 64 * (i + 1), 0), KPT_POOL_ADDED);
	EXPECT_EQ(kpt_pool_add(&pool, 3, 0), KPT_POOL_FULL_FIRST);
	EXPECT_EQ(kpt_pool_add(&pool, 3, 0), KPT_POOL_FULL);
	EXPECT_EQ(kpt_pool_add(&pool, 64, 0), KPT_POOL_KNOWN);
	EXPECT_EQ(pool.refused, 2);
	for (i = 0; i < KPT_POOL_OBJECTS; i++)
		EXPECT_EQ(find(64 * (i + 1)), 64 * (i + 1));
	EXPECT(kpt_pool_remove(&pool, 64));
	EXPECT_EQ(kpt_pool_add(&pool, 3, 0), KPT_POOL_ADDED);
	EXPECT_EQ(find(3), 3);
}

/* Objects of a size, next to each other or not, on both sides of each boundary. */
TEST(inside)
{
	static const u64 sizes[] = { 2, 3, 64, 100, 192, 4096, 1 << 20 };
	u64 size, base, i;
	unsigned int s;

	for (s = 0; s < ARRAY_SIZE(sizes); s++) {
		size = sizes[s];
		base = 0xffff000012345678ULL + 3 * s;
		start(size);
		for (i = 0; i < 100; i += 1 + i % 3)
			kpt_pool_add(&pool, base + i * size, 0);
		for (i = 0; i < 100; i += 1 + i % 3) {
			EXPECT_EQ(find(base + i * size), base + i * size);
			EXPECT_EQ(find(base + i * size + size - 1), base + i * size);
			EXPECT_EQ(find(base + i * size + size / 2), base + i * size);
			if (i % 3 == 1)
				EXPECT_EQ(find(base + (i + 1) * size), 0);
		}
		EXPECT_EQ(find(base - 1), 0);
	}
}

static bool has(const u64 *set, unsigned int nr, u64 object)
{
	while (nr--)
		if (set[nr] == object)
			return true;
	return false;
}

/* Any order of additions and removals, with many objects of one home. */
TEST(model)
{
	u64 set[KPT_POOL_OBJECTS], object;
	unsigned int nr = 0, i, at;

	start(1);
	for (i = 0; i < 200000; i++) {
		object = 2 + test_random() % 600;
		if (test_random() % 2) {
			enum kpt_pool_result r = kpt_pool_add(&pool, object, 0);

			if (has(set, nr, object)) {
				EXPECT_EQ(r, KPT_POOL_KNOWN);
			} else if (nr == KPT_POOL_OBJECTS) {
				EXPECT(r == KPT_POOL_FULL || r == KPT_POOL_FULL_FIRST);
			} else {
				EXPECT_EQ(r, KPT_POOL_ADDED);
				set[nr++] = object;
			}
		} else {
			EXPECT_EQ(kpt_pool_remove(&pool, object), has(set, nr, object));
			for (at = 0; at < nr && set[at] != object; at++)
				;
			if (at < nr)
				set[at] = set[--nr];
		}
		EXPECT_EQ(pool.nr, nr);
		object = 2 + test_random() % 600;
		EXPECT_EQ(!!find(object), has(set, nr, object));
	}
}

/* Each thread changes objects of its own, and sees exactly those. */
static void *hammer(void *arg)
{
	u64 own = (u64)(uintptr_t)arg << 32, *last;
	unsigned int i, k;

	for (i = 0; i < 2000; i++) {
		for (k = 1; k <= 40; k++)
			EXPECT_EQ(kpt_pool_add(&pool, own + k * 8, own), KPT_POOL_ADDED);
		for (k = 1; k <= 40; k++) {
			EXPECT_EQ(kpt_pool_find(&pool, own + k * 8, &last), own + k * 8);
			EXPECT_EQ(*last, own);
			EXPECT(kpt_pool_remove(&pool, own + k * 8));
			EXPECT_EQ(kpt_pool_find(&pool, own + k * 8, &last), 0);
		}
	}
	return NULL;
}

TEST(cpus_share_a_pool)
{
	pthread_t thread[4];
	uintptr_t i;

	start(1);
	for (i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, hammer, (void *)(i + 1));
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	EXPECT_EQ(pool.nr, 0);
	for (i = 0; i < KPT_POOL_SLOTS; i++)
		EXPECT(!pool.homes[i] && !pool.slot[i].object);
}

/* The same objects from all of them: none is left behind. */
static void *share(void *unused)
{
	unsigned int i;

	for (i = 0; i < 100000; i++) {
		if (i % 3)
			kpt_pool_remove(&pool, 8 + i % 7);
		else
			kpt_pool_add(&pool, 8 + i % 7, 0);
	}
	return unused;
}

TEST(cpus_share_objects)
{
	pthread_t thread[4];
	unsigned int i;

	start(1);
	for (i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, share, NULL);
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	for (i = 8; i < 15; i++)
		kpt_pool_remove(&pool, i);
	EXPECT_EQ(pool.nr, 0);
	for (i = 0; i < KPT_POOL_SLOTS; i++)
		EXPECT(!pool.homes[i] && !pool.slot[i].object);
}

TEST_MAIN
