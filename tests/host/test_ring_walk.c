// SPDX-License-Identifier: GPL-2.0-only
/* A ring that nobody writes to is read as it is, and damaged without being trusted. */
#include <kptrace/port.h>
#include "lib/ring_walk.h"
#include "ring_help.h"
#include "world.h"

#define RING_SIZE 8192

/*
 * A ring in world.kernel with @nr records, of which the walk sees those that were not
 * overwritten.
 */
static void setup(struct kpt_ring *r, struct kpt_ring_walk *w, u64 nr)
{
	u64 ts, *p;

	world_reset();
	kpt_ring_init(r, world.kernel, RING_SIZE);
	for (ts = 0; ts < nr; ts++) {
		p = kpt_ring_reserve(r, ts % 100, ts);
		EXPECT(p != NULL);
		fill(p, ts % 100, ts);
		kpt_ring_commit(r);
	}
	r->data = (u8 *)WORLD_KERNEL;
	EXPECT(kpt_ring_walk_begin(w, r));
}

/* Check the next record's text against its time. Returns false at the end. */
static bool next(struct kpt_ring_walk *w, struct kpt_ring_info *info)
{
	if (!kpt_ring_walk_next(w, info))
		return false;
	EXPECT_EQ(kpt_ring_walk_copy(w, info, buf, sizeof(buf)), info->size);
	EXPECT_EQ(info->size, ALIGN(info->ts % 100, 8));
	EXPECT(filled(buf, info->size, info->ts));
	EXPECT_EQ(info->seq, info->ts);
	return true;
}

/* Walk to the end. Returns the number of records. */
static u64 walk(struct kpt_ring_walk *w, u64 *lost)
{
	struct kpt_ring_info info;
	u64 nr = 0;

	*lost = 0;
	while (next(w, &info)) {
		*lost += info.lost;
		nr++;
	}
	return nr;
}

TEST(an_empty_ring_has_no_record)
{
	struct kpt_ring r;
	struct kpt_ring_walk w;
	u64 lost;

	setup(&r, &w, 0);
	EXPECT_EQ(walk(&w, &lost), 0);
	EXPECT_EQ(w.bad, 0);
}

TEST(all_records_of_several_laps)
{
	struct kpt_ring r;
	struct kpt_ring_walk w;
	struct kpt_ring_cursor cur;
	u64 lost, nr;

	for (nr = 1; nr < 1000; nr += 37) {
		setup(&r, &w, nr);
		r.data = world.kernel;
		kpt_ring_rewind(&r, &cur);
		EXPECT_EQ(walk(&w, &lost), nr - cur.seq);
		EXPECT_EQ(w.seq, nr);
		EXPECT_EQ(lost, 0);
		EXPECT_EQ(w.bad, 0);
	}
}

TEST(an_open_record_ends_it)
{
	struct kpt_ring r;
	struct kpt_ring_walk w;
	u64 lost, before;

	setup(&r, &w, 50);
	before = walk(&w, &lost);
	r.data = world.kernel;
	EXPECT(kpt_ring_reserve(&r, 8, 50) != NULL);
	EXPECT(kpt_ring_reserve(&r, 8, 51) != NULL);
	r.data = (u8 *)WORLD_KERNEL;
	EXPECT(kpt_ring_walk_begin(&w, &r));
	EXPECT_EQ(walk(&w, &lost), before);
}

TEST(a_damaged_header_costs_two_records)
{
	struct kpt_ring r;
	struct kpt_ring_walk w;
	struct kpt_ring_info info;
	u64 lost, i;

	for (i = 0; i < 64; i++) {
		setup(&r, &w, 60);
		/* Record 9 begins behind the payload of record 8. */
		while (next(&w, &info) && info.seq < 8)
			;
		((u64 *)world.kernel)[w.pos / 8] ^= BIT_ULL(i);
		EXPECT(kpt_ring_walk_begin(&w, &r));
		EXPECT(walk(&w, &lost) >= 58);
		EXPECT(lost <= 2);
	}
}

TEST(memory_that_cannot_be_read_is_skipped)
{
	struct kpt_ring r;
	struct kpt_ring_walk w;
	struct kpt_ring_info info;
	u64 nr = 0, last = 0;

	setup(&r, &w, 60);
	memset(world.kernel_fault + 256, 1, 64);
	while (kpt_ring_walk_next(&w, &info)) {
		nr++;
		last = info.seq;
	}
	EXPECT(nr > 40);
	EXPECT_EQ(last, 59);
	EXPECT(w.bad >= 64);
}

TEST(what_cannot_be_a_ring_is_refused)
{
	struct kpt_ring_walk w;
	struct kpt_ring r;

	setup(&r, &w, 60);
	r.commit += 4;
	EXPECT(!kpt_ring_walk_begin(&w, &r));
	r.commit += 4 + RING_SIZE;
	EXPECT(!kpt_ring_walk_begin(&w, &r));
	r.commit = r.tail - 8;
	EXPECT(!kpt_ring_walk_begin(&w, &r));
	r.commit = r.tail;
	EXPECT(kpt_ring_walk_begin(&w, &r));
	r.size = 0;
	EXPECT(!kpt_ring_walk_begin(&w, &r));
	r.size = 100;
	EXPECT(!kpt_ring_walk_begin(&w, &r));
	r.size = RING_SIZE;
	r.data = NULL;
	EXPECT(!kpt_ring_walk_begin(&w, &r));
}

TEST_MAIN
