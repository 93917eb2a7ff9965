// SPDX-License-Identifier: GPL-2.0-only
/* A ring that nobody writes to is read as it is, and damaged without being trusted. */
#include "lib/base/port.h"
#include "lib/ring/ring_walk.h"
#include "ring_help.h"
#include "world.h"

#define RING_SIZE 8192

/* Bytes of the record with this time. */
static u32 bytes_of(u64 ts)
{
	return max((u32)(ts % 100), 1u);
}

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
		p = kpt_ring_reserve(r, bytes_of(ts), ts);
		EXPECT(p != NULL);
		fill(p, bytes_of(ts), ts);
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
	EXPECT_EQ(info->size, ALIGN(bytes_of(info->ts), 8));
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

/* Records of a step, and one: as many as may be behind a damaged one up to the next head. */
#define STEP_MAX	36

/* Where record 9 begins, in a ring with 60 records. */
static u64 *setup_damage(struct kpt_ring *r, struct kpt_ring_walk *w)
{
	struct kpt_ring_info info;

	setup(r, w, 60);
	while (next(w, &info) && info.seq < 8)
		;
	return (u64 *)world.kernel + w->pos / 8;
}

/* Walk a ring of which a record is damaged: the others are what they were. Returns their number. */
static u64 walk_damaged(struct kpt_ring_walk *w, u64 *lost)
{
	struct kpt_ring_info info;
	u64 nr = 0, wrong = 0;

	for (*lost = 0; kpt_ring_walk_next(w, &info); nr++) {
		*lost += info.lost;
		EXPECT_EQ(kpt_ring_walk_copy(w, &info, buf, sizeof(buf)), info.size);
		wrong += info.size != ALIGN(bytes_of(info.ts), 8) ||
			 !filled(buf, info.size, info.ts);
	}
	EXPECT(wrong <= (w->whole < w->end ? STEP_MAX : 2));
	return nr - wrong;
}

TEST(a_damaged_size_costs_records_up_to_the_next_head)
{
	struct kpt_ring r;
	struct kpt_ring_walk w;
	u64 lost, i, nr;

	for (i = 0; i < 8; i++) {
		*setup_damage(&r, &w) ^= BIT_ULL(i);
		EXPECT(kpt_ring_walk_begin(&w, &r));
		nr = walk_damaged(&w, &lost);
		EXPECT(nr + STEP_MAX >= 60);
		EXPECT(nr + lost <= 60 && nr + lost >= 58);
		EXPECT_EQ(w.seq, 60);
	}
}

TEST(a_damaged_time_is_one)
{
	struct kpt_ring r;
	struct kpt_ring_walk w;
	struct kpt_ring_info info;
	u64 i, nr, wrong;

	for (i = 8; i < 64; i++) {
		*setup_damage(&r, &w) ^= BIT_ULL(i);
		EXPECT(kpt_ring_walk_begin(&w, &r));
		for (nr = wrong = 0; kpt_ring_walk_next(&w, &info); nr++)
			wrong += info.ts != info.seq;
		EXPECT_EQ(nr, 60);
		EXPECT_EQ(wrong, 1);
	}
}

TEST(a_damaged_head_costs_what_is_behind_it)
{
	struct kpt_ring r;
	struct kpt_ring_walk w;
	u64 lost, i, nr;

	for (i = 0; i < 2 * 64; i++) {
		setup(&r, &w, 60);
		/* The second one. */
		((u64 *)world.kernel)[(((u64 *)world.kernel)[0] >> 16) / 8 + i / 64] ^=
			BIT_ULL(i % 64);
		EXPECT(kpt_ring_walk_begin(&w, &r));
		nr = walk(&w, &lost);
		EXPECT(nr + STEP_MAX >= 60);
		EXPECT_EQ(nr + lost, 60);
	}
}

/* Such a record would have no type, and readers read that first. */
TEST(a_record_without_a_head_is_none)
{
	struct kpt_ring r;
	struct kpt_ring_walk w;
	u64 lost, nr, *header;

	header = setup_damage(&r, &w);
	header[0] = (header[0] & ~0xffULL) | sizeof(struct kpt_ring_header) / 8;
	/* Behind it is what can be padding, up to the next record. */
	header[1] = ALIGN(bytes_of(9), 8) << 16 | KPT_RING_PADDING;
	EXPECT(kpt_ring_walk_begin(&w, &r));
	nr = walk(&w, &lost);
	EXPECT_EQ(nr + lost, 60);
	EXPECT(lost > 0 && lost <= STEP_MAX);
	EXPECT(w.bad > 0);
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
	EXPECT(nr + STEP_MAX >= 60);
	EXPECT_EQ(last, 59);
	EXPECT(w.bad >= 64);
}

/* A ring in world.kernel that says where its records are. */
static struct kpt_ring kept_ring;
static struct kpt_ring_kept kept;
static u32 kept_size = RING_SIZE;
/* Records as small as they can be, or of any size. */
static bool tiny;

static void write_records(u64 from, u64 nr)
{
	u64 ts, *p;

	for (ts = from; ts < from + nr; ts++) {
		if (tiny) {
			EXPECT(kpt_ring_reserve(&kept_ring, 8, 100 * ts) != NULL);
			kpt_ring_commit(&kept_ring);
			continue;
		}
		p = kpt_ring_reserve(&kept_ring, bytes_of(ts), ts);
		EXPECT(p != NULL);
		fill(p, bytes_of(ts), ts);
		kpt_ring_commit(&kept_ring);
	}
}

static void setup_kept(u64 nr)
{
	world_reset();
	kpt_ring_init(&kept_ring, world.kernel, kept_size);
	kpt_ring_set_kept(&kept_ring, &kept);
	write_records(0, nr);
}

static bool begin_kept(struct kpt_ring_walk *w)
{
	return kpt_ring_walk_begin_kept(w, (void *)WORLD_KERNEL, kept_size, &kept);
}

/* Count records; those of write_records() with @tiny have no text. */
static u64 walk_kept(struct kpt_ring_walk *w, u64 *lost)
{
	struct kpt_ring_info info;
	u64 nr = 0;

	if (!tiny)
		return walk(w, lost);
	for (*lost = 0; kpt_ring_walk_next(w, &info); nr++) {
		EXPECT_EQ(info.ts, 100 * info.seq);
		*lost += info.lost;
	}
	return nr;
}

static void reboot_at_any_time(u64 most, u64 step)
{
	struct kpt_ring_walk w;
	u64 lost, nr, entries;

	for (nr = 0; nr < most; nr += step) {
		setup_kept(nr);
		entries = stats(&kept_ring).entries;
		EXPECT(begin_kept(&w));
		EXPECT_EQ(walk_kept(&w, &lost), entries);
		EXPECT_EQ(w.seq, nr);
		EXPECT_EQ(lost, 0);
		EXPECT_EQ(w.bad, 0);
		kpt_ring_keep(&kept_ring);
		EXPECT(begin_kept(&w));
		EXPECT_EQ(walk_kept(&w, &lost), entries);
		EXPECT_EQ(w.bad, 0);
	}
}

TEST(a_reboot_at_any_time_leaves_all_records)
{
	reboot_at_any_time(700, 1);
	kept_size = 8 * 4096;
	reboot_at_any_time(1500, 7);
	tiny = true;
	reboot_at_any_time(5000, 61);
	tiny = false;
	kept_size = RING_SIZE;
}

TEST(a_panic_in_a_record_leaves_those_before_it)
{
	struct kpt_ring_walk w;
	u64 lost, nr, *p;

	for (nr = 0; nr < 300; nr += 7) {
		setup_kept(nr);
		p = kpt_ring_reserve(&kept_ring, 40, 12345);
		EXPECT(p != NULL);
		kpt_ring_keep(&kept_ring);
		EXPECT(begin_kept(&w));
		EXPECT_EQ(walk(&w, &lost), stats(&kept_ring).entries);
		EXPECT_EQ(lost, 0);
	}
}

TEST(records_after_those_of_a_panic_are_found_but_for_those_in_a_record)
{
	struct kpt_ring_walk w;
	u64 lost, nr, entries;

	for (nr = 0; nr < 300; nr += 7) {
		setup_kept(nr);
		kpt_ring_keep(&kept_ring);
		write_records(nr, 3);
		entries = stats(&kept_ring).entries;
		EXPECT(begin_kept(&w));
		EXPECT_EQ(walk(&w, &lost), entries);
		EXPECT_EQ(w.seq, nr + 3);
		EXPECT_EQ(lost, 0);
		EXPECT_EQ(w.bad, 0);

		EXPECT(kpt_ring_reserve(&kept_ring, 40, 12345) != NULL);
		kpt_ring_keep(&kept_ring);
		EXPECT(begin_kept(&w));
		EXPECT_EQ(walk(&w, &lost), stats(&kept_ring).entries);
		EXPECT_EQ(w.seq, nr + 3);
	}
}

TEST(a_reset_drops_records_and_those_that_follow_stay)
{
	struct kpt_ring_walk w;
	struct kpt_ring_info info;
	u64 lost, nr;

	for (nr = 1; nr < 300; nr += 11) {
		setup_kept(nr);
		kpt_ring_reset(&kept_ring);
		EXPECT(begin_kept(&w));
		EXPECT_EQ(walk(&w, &lost), 0);
		write_records(nr, 5);
		EXPECT(begin_kept(&w));
		EXPECT(next(&w, &info));
		EXPECT_EQ(info.seq, nr);
		EXPECT_EQ(walk(&w, &lost), 4);
	}
}

TEST(a_record_that_was_given_back_stays_away)
{
	struct kpt_ring_walk w;
	struct kpt_ring_info info;
	u64 nr, entries, *p;

	for (nr = 0; nr < 700; nr += 3) {
		setup_kept(nr);
		p = kpt_ring_reserve(&kept_ring, 104, nr);
		EXPECT(p != NULL);
		fill(p, 104, nr);
		if (nr % 2) {
			kpt_ring_discard(&kept_ring, p);
			write_records(nr, nr / 2 % 2);
		} else {
			kpt_ring_trim(&kept_ring, p, bytes_of(nr));
			kpt_ring_commit(&kept_ring);
		}
		EXPECT(begin_kept(&w));
		for (entries = 0; kpt_ring_walk_next(&w, &info); entries++)
			;
		EXPECT_EQ(entries, stats(&kept_ring).entries);
		EXPECT_EQ(w.seq, kept_ring.seq);
	}
}

TEST(records_consumed_before_a_panic_stay_away)
{
	struct kpt_ring_walk w;
	struct kpt_ring_cursor cur;
	struct kpt_ring_info info;
	u64 lost, nr;
	int i;

	for (nr = 20; nr < 300; nr += 13) {
		setup_kept(nr);
		kpt_ring_rewind(&kept_ring, &cur);
		for (i = 0; i < 15; i++) {
			EXPECT(kpt_ring_next(&kept_ring, &cur, buf, sizeof(buf),
					     &info) > 0);
			kpt_ring_consume(&kept_ring, &cur);
		}
		kpt_ring_keep(&kept_ring);
		EXPECT(begin_kept(&w));
		EXPECT_EQ(walk(&w, &lost), stats(&kept_ring).entries);
	}
}

TEST(either_place_may_be_damaged)
{
	struct kpt_ring_walk w;
	struct kpt_ring_kept copy;
	unsigned int bit;
	u64 lost;

	setup_kept(500);
	copy = kept;
	for (bit = 0; bit < 2 * 8 * sizeof(kept.place[0]); bit++) {
		kept = copy;
		((u64 *)&kept)[bit / 64] ^= BIT_ULL(bit % 64);
		EXPECT(begin_kept(&w));
		walk(&w, &lost);
		EXPECT_EQ(lost, 0);
	}
	kept = copy;
	kept.place[0].pos ^= 8;
	kept.place[1].seq ^= 8;
	EXPECT(!begin_kept(&w));
}

TEST(damage_after_a_reboot_costs_records_up_to_the_next_head)
{
	struct kpt_ring_walk w, whole;
	struct kpt_ring_info info;
	u64 lost, i, nr;

	for (i = 0; i < 8; i++) {
		setup_kept(150);
		EXPECT(begin_kept(&w));
		whole = w;
		nr = walk(&whole, &lost);
		while (next(&w, &info) && info.seq < 120)
			;
		((u64 *)world.kernel)[w.pos % RING_SIZE / 8] ^= BIT_ULL(i);
		EXPECT(begin_kept(&w));
		EXPECT(walk_damaged(&w, &lost) + STEP_MAX >= nr);
		EXPECT(lost <= STEP_MAX);
	}
}

/* Nothing is left of earlier laps behind it. */
TEST(what_a_reboot_leaves_ends_with_the_newest_record)
{
	struct kpt_ring_walk w;
	u64 nr, lost, entries;

	tiny = true;
	for (nr = 300; nr < 3000; nr += 7) {
		setup_kept(nr);
		entries = stats(&kept_ring).entries;
		EXPECT(begin_kept(&w));
		EXPECT(w.end > kept_ring.write || kept_ring.write == kept_ring.claim);
		EXPECT_EQ(walk_kept(&w, &lost), entries);
		EXPECT_EQ(w.seq, nr);
	}
	tiny = false;
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
	r.commit = r.first;
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
