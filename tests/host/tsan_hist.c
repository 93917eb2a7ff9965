// SPDX-License-Identifier: GPL-2.0-only
/* Several CPUs count into one map at once; nothing may get lost. */
#include "lib/base/port.h"
#include "parts/hist/hist.h"
#include <pthread.h>
#include <sched.h>
#include "fields.h"
#include "harness.h"
#include "world.h"

#define THREADS 4
#define ADDS 20000

static struct shape shape;
static struct kpt_hist hist;
static struct kpt_hist_map *map;
static u64 nr_keys;

/**
 * struct worker - one thread
 * @seed: of its keys
 * @added: hits that the map counted
 * @dropped: hits that it dropped
 */
struct worker {
	pthread_t thread;
	u64 seed;
	u64 added;
	u64 dropped;
};

static void *work(void *arg)
{
	struct worker *w = arg;
	struct kpt_hist_hit hit;
	struct bytes rec;
	unsigned int i;
	char text[24];
	u64 key;

	for (i = 0; i < ADDS; i++) {
		w->seed = w->seed * 6364136223846793005ULL + 1;
		key = (w->seed >> 33) % nr_keys;
		bytes_init(&rec, &shape, 0x1000, 0);
		bytes_set(&rec, &shape, 0, 0, key);
		sprintf(text, "%u", (unsigned int)key % 7);
		bytes_text(&rec, &shape, 1, 0, text, strlen(text) + 1);
		hit = (struct kpt_hist_hit){ .record = rec.b, .size = rec.size };
		if (kpt_hist_add(&hist, map, &hit))
			w->added++;
		else
			w->dropped++;
	}
	return NULL;
}

static void look(u32 *order)
{
	struct kpt_hist_view view;

	kpt_hist_view_init(&view, &hist, map, order);
	EXPECT(view.nr <= 128);
}

static struct worker run(const char *trigger, u64 keys, struct kpt_hist_view *v,
			 u32 *order)
{
	struct worker w[THREADS] = { 0 }, sum = { 0 };
	struct kpt_diag diag;
	const char *filter;
	unsigned int i;

	world_reset();
	shape_init(&shape, false);
	shape_add(&shape, "n", KPT_TYPE_U64, 0);
	shape_add(&shape, "s", KPT_TYPE_STRING, 0);
	EXPECT_EQ(kpt_hist_parse(&hist, trigger, &filter, &shape.f, NULL, &diag), 0);
	map = malloc(kpt_hist_map_size(&hist));
	kpt_hist_map_init(map, &hist);
	nr_keys = keys;
	for (i = 0; i < THREADS; i++) {
		w[i].seed = test_random();
		pthread_create(&w[i].thread, NULL, work, &w[i]);
	}
	for (i = 0; i < 20; i++) {
		look(order);
		sched_yield();
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(w[i].thread, NULL);
		sum.added += w[i].added;
		sum.dropped += w[i].dropped;
	}
	kpt_hist_view_init(v, &hist, map, order);
	return sum;
}

/* Every key is in the map once, with the right sums. */
static void check_map(struct kpt_hist_view *v, struct worker sum)
{
	static bool seen[1U << 20];
	struct kpt_hist_entry *e;
	u64 key;
	u32 i;

	memset(seen, 0, sizeof(seen));
	for (i = 0; i < v->nr; i++) {
		e = kpt_hist_map_entry(map, v->order[i]);
		memcpy(&key, e->key, sizeof(key));
		EXPECT(key < nr_keys && !seen[key]);
		seen[key] = true;
		EXPECT_EQ(e->sum[1].counter, e->sum[0].counter * (s64)key);
		EXPECT_STR(e->comm, "hosttest");
	}
	EXPECT_EQ(v->hits, sum.added);
	EXPECT_EQ(kpt_hist_map_drops(map), sum.dropped);
	EXPECT_EQ(sum.added + sum.dropped, THREADS * ADDS);
}

#define TRIGGER "keys=n,s,common_pid.execname:vals=n:size=128"

TEST(few_keys_by_many)
{
	u32 order[128];
	struct kpt_hist_view v;
	struct worker sum = run(TRIGGER, 100, &v, order);

	check_map(&v, sum);
	EXPECT_EQ(v.nr, 100);
	EXPECT_EQ(sum.dropped, 0);
	free(map);
}

TEST(more_keys_than_room)
{
	u32 order[128];
	struct kpt_hist_view v;
	struct worker sum = run(TRIGGER, 1000, &v, order);

	check_map(&v, sum);
	EXPECT_EQ(v.nr, 128);
	EXPECT(sum.dropped > 0);
	free(map);
}

/* All threads begin with the same keys, so they race for each entry. */
TEST(the_same_new_key_at_once)
{
	u32 order[128], round;
	struct kpt_hist_view v;
	struct worker sum;

	for (round = 0; round < 10; round++) {
		sum = run(TRIGGER, 100, &v, order);
		check_map(&v, sum);
		EXPECT_EQ(v.nr, 100);
		EXPECT_EQ(sum.dropped, 0);
		free(map);
	}
}

TEST_MAIN
