// SPDX-License-Identifier: GPL-2.0-only
/* The ring on one thread: each call does what its kernel-doc says. */
#include "lib/base/port.h"
#include "lib/ring/ring.h"
#include "harness.h"
#include "ring_help.h"

static bool put(struct kpt_ring *r, u32 bytes, u64 ts)
{
	u64 *p = kpt_ring_reserve(r, bytes, ts);

	if (!p)
		return false;
	fill(p, bytes, ts);
	kpt_ring_commit(r);
	return true;
}

/* Time of the next record, 0 if there is none; checks its payload. */
static u64 take(struct kpt_ring *r, struct kpt_ring_cursor *cur, u64 *lost)
{
	struct kpt_ring_info info;
	int ret = kpt_ring_next(r, cur, buf, sizeof(buf), &info);

	EXPECT(ret >= 0);
	if (ret <= 0)
		return 0;
	EXPECT(filled(buf, info.size, info.ts));
	if (lost)
		*lost = info.lost;
	return info.ts;
}

TEST(an_empty_ring_has_nothing)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur;
	struct kpt_ring_info info;

	kpt_ring_rewind(r, &cur);
	EXPECT_EQ(take(r, &cur, NULL), 0);
	EXPECT(!kpt_ring_peek(r, &cur, &info));
	EXPECT_EQ(kpt_ring_end(r), 0);
	kpt_ring_consume(r, &cur);
	EXPECT_EQ(stats(r).written, 0);
	EXPECT_EQ(stats(r).bytes, 0);
	EXPECT_EQ(stats(r).oldest_ts, 0);
	ring_free(r);
}

TEST(records_come_back_in_order)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur;
	struct kpt_ring_info info;
	u64 ts, lost;

	kpt_ring_rewind(r, &cur);
	for (ts = 1; ts <= 20; ts++)
		EXPECT(put(r, ts, ts));
	EXPECT_EQ(kpt_ring_end(r), 20);
	EXPECT(kpt_ring_peek(r, &cur, &info));
	EXPECT_EQ(info.ts, 1);
	EXPECT_EQ(info.seq, 0);
	EXPECT_EQ(info.size, 8);
	for (ts = 1; ts <= 20; ts++) {
		EXPECT_EQ(take(r, &cur, &lost), ts);
		EXPECT_EQ(lost, 0);
	}
	EXPECT_EQ(take(r, &cur, NULL), 0);
	EXPECT_EQ(stats(r).entries, 20);
	EXPECT_EQ(stats(r).oldest_ts, 1);
	EXPECT_EQ(stats(r).bytes, r->commit - sizeof(struct kpt_ring_head));
	ring_free(r);
}

TEST(an_empty_payload_is_a_record)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur;

	kpt_ring_rewind(r, &cur);
	EXPECT(put(r, 0, 7));
	EXPECT_EQ(take(r, &cur, NULL), 7);
	EXPECT_EQ(stats(r).bytes, 8);
	ring_free(r);
}

TEST(a_small_room_leaves_the_cursor)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur;
	struct kpt_ring_info info;

	kpt_ring_rewind(r, &cur);
	put(r, 100, 1);
	EXPECT_EQ(kpt_ring_next(r, &cur, buf, 96, &info), -ENOSPC);
	EXPECT_EQ(info.size, 104);
	EXPECT_EQ(take(r, &cur, NULL), 1);
	ring_free(r);
}

TEST(size_need_not_be_a_power_of_two)
{
	struct kpt_ring *r = ring_new(3 * 4096);
	struct kpt_ring_cursor cur;
	u64 ts, lost, got = 0;

	kpt_ring_rewind(r, &cur);
	for (ts = 1; ts <= 5000; ts++) {
		EXPECT(put(r, ts % 200, ts));
		EXPECT_EQ(take(r, &cur, &lost), ts);
		EXPECT_EQ(lost, 0);
		got++;
	}
	EXPECT_EQ(got, 5000);
	ring_free(r);
}

TEST(inner_records_wait_for_the_outer)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur;
	u64 *outer, *middle;

	kpt_ring_rewind(r, &cur);
	outer = kpt_ring_reserve(r, 24, 1);
	middle = kpt_ring_reserve(r, 8, 2);
	EXPECT(put(r, 16, 3));
	EXPECT_EQ(take(r, &cur, NULL), 0);
	fill(middle, 8, 2);
	kpt_ring_commit(r);
	EXPECT(put(r, 8, 4));
	EXPECT_EQ(take(r, &cur, NULL), 0);
	EXPECT_EQ(stats(r).written, 0);
	fill(outer, 24, 1);
	kpt_ring_commit(r);
	EXPECT_EQ(take(r, &cur, NULL), 1);
	EXPECT_EQ(take(r, &cur, NULL), 2);
	EXPECT_EQ(take(r, &cur, NULL), 3);
	EXPECT_EQ(take(r, &cur, NULL), 4);
	EXPECT_EQ(stats(r).written, 4);
	ring_free(r);
}

TEST(a_discarded_record_leaves_no_trace)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur;
	u64 ts, lost, bytes;

	kpt_ring_rewind(r, &cur);
	put(r, 8, 1);
	bytes = stats(r).bytes;
	for (ts = 0; ts < 1000; ts++)
		kpt_ring_discard(r, kpt_ring_reserve(r, 80, 99));
	EXPECT_EQ(stats(r).bytes, bytes);
	put(r, 8, 2);
	EXPECT_EQ(take(r, &cur, NULL), 1);
	EXPECT_EQ(take(r, &cur, &lost), 2);
	EXPECT_EQ(lost, 0);
	EXPECT_EQ(stats(r).written, 2);
	EXPECT_EQ(stats(r).overrun, 0);
	ring_free(r);
}

TEST(discarding_an_outer_record_keeps_numbers_consecutive)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur;
	struct kpt_ring_info info;
	u64 ts;
	void *outer;

	kpt_ring_rewind(r, &cur);
	put(r, 8, 1);
	outer = kpt_ring_reserve(r, 2000, 99);
	for (ts = 2; ts < 60; ts++)		/* into the next lap */
		EXPECT(put(r, 16, ts));
	kpt_ring_discard(r, outer);
	EXPECT(put(r, 8, ts));
	for (ts = 1; ts <= 60; ts++) {
		EXPECT(kpt_ring_peek(r, &cur, &info));
		EXPECT_EQ(info.seq, ts - 1);
		EXPECT_EQ(info.lost, 0);
		EXPECT_EQ(take(r, &cur, NULL), ts);
	}
	EXPECT_EQ(stats(r).written, 60);
	ring_free(r);
}

TEST(records_that_nobody_closes_are_shown_with_those_inside)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur;

	kpt_ring_rewind(r, &cur);
	fill(kpt_ring_reserve(r, 16, 1), 16, 1);
	EXPECT(put(r, 8, 2));
	fill(kpt_ring_reserve(r, 16, 3), 16, 3);
	EXPECT_EQ(take(r, &cur, NULL), 0);
	kpt_ring_abandon(r);
	EXPECT(put(r, 8, 4));
	EXPECT_EQ(stats(r).written, 4);
	EXPECT_EQ(take(r, &cur, NULL), 1);
	EXPECT_EQ(take(r, &cur, NULL), 2);
	EXPECT_EQ(take(r, &cur, NULL), 3);
	EXPECT_EQ(take(r, &cur, NULL), 4);
	ring_free(r);
}

TEST(the_oldest_make_room)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor early, late;
	u64 ts, lost, n;

	kpt_ring_rewind(r, &early);
	for (ts = 1; ts <= 1000; ts++)
		EXPECT(put(r, 48, ts));
	EXPECT_EQ(stats(r).written, 1000);
	EXPECT(stats(r).entries * 56 <= 4096);
	/* The next step is free, and each has a head. */
	EXPECT(stats(r).entries * 56 >= 4096 - 512 - 56 - 8 * sizeof(struct kpt_ring_head));
	EXPECT_EQ(stats(r).oldest_ts, 1000 - stats(r).entries + 1);
	kpt_ring_rewind(r, &late);
	EXPECT_EQ(take(r, &early, &lost), 1 + lost);
	EXPECT_EQ(lost, stats(r).overrun);
	EXPECT_EQ(take(r, &late, &lost), stats(r).overrun + 1);
	EXPECT_EQ(lost, 0);
	for (n = 1; take(r, &early, &lost); n++)
		EXPECT_EQ(lost, 0);
	EXPECT_EQ(n, stats(r).entries);
	ring_free(r);
}

/* Put records of 48 bytes until one is refused, the first with time @ts: the time of that. */
static u64 fill_ring(struct kpt_ring *r, u64 ts)
{
	while (put(r, 48, ts))
		ts++;
	return ts;
}

TEST(a_full_ring_refuses_in_no_overwrite_mode)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur;
	u64 ts, refused = 0, nr;

	kpt_ring_set_overwrite(r, false);
	kpt_ring_rewind(r, &cur);
	nr = fill_ring(r, 1) - 1;
	EXPECT(nr * 56 + 8 * sizeof(struct kpt_ring_head) + 56 >= 4096);
	EXPECT(!put(r, 56, nr + 2));
	EXPECT_EQ(stats(r).dropped[KPT_RING_DROP_FULL], 2);
	EXPECT_EQ(stats(r).entries, nr);
	EXPECT_EQ(take(r, &cur, NULL), 1);
	EXPECT(!put(r, 48, 67));
	kpt_ring_consume(r, &cur);
	/* Room is made when a step was consumed as a whole, and a record behind it. */
	for (ts = 2; !put(r, 48, nr + 1); ts++, refused++) {
		EXPECT_EQ(take(r, &cur, NULL), ts);
		kpt_ring_consume(r, &cur);
	}
	EXPECT(ts * 56 > 512 && ts * 56 <= 512 + 3 * 56);
	EXPECT_EQ(stats(r).dropped[KPT_RING_DROP_FULL], 3 + refused);
	for (; ts <= nr + 1; ts++)
		EXPECT_EQ(take(r, &cur, NULL), ts);
	EXPECT_EQ(stats(r).overrun, 0);
	fill_ring(r, 1);
	kpt_ring_set_overwrite(r, true);
	EXPECT(put(r, 48, 70));
	EXPECT(stats(r).overrun > 0);
	ring_free(r);
}

/* Records at the end are given back, and the next one is not refused as the last one was. */
TEST(a_full_ring_has_what_is_given_back)
{
	struct kpt_ring *r = ring_new(4096);
	void *outer;

	kpt_ring_set_overwrite(r, false);
	while (stats(r).entries < 60)
		EXPECT(put(r, 48, 1));
	outer = kpt_ring_reserve(r, 400, 2);
	EXPECT(outer != NULL);
	EXPECT(!kpt_ring_reserve(r, 400, 3));
	EXPECT(r->full > 0);
	kpt_ring_discard(r, outer);
	EXPECT_EQ(r->full, 0);
	EXPECT(put(r, 400, 4));
	ring_free(r);
}

/* Room for a record is had without one, but where one would be refused. */
TEST(room_is_claimed_without_a_record)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur;
	u64 ts, nr;

	kpt_ring_rewind(r, &cur);
	EXPECT(!kpt_ring_has_room(r, 48));
	kpt_ring_claim(r, 48, 1);
	EXPECT(kpt_ring_has_room(r, 48));
	EXPECT_EQ(stats(r).entries, 0);
	/* In each place of a ring, and the records stay what they are. */
	for (ts = 2; ts < 400; ts++) {
		kpt_ring_claim(r, 48, ts);
		EXPECT(kpt_ring_has_room(r, 48));
		EXPECT(put(r, 48, ts));
		EXPECT_EQ(take(r, &cur, NULL), ts);
		kpt_ring_consume(r, &cur);
	}
	kpt_ring_set_overwrite(r, false);
	for (nr = 0; put(r, 48, ts); nr++)
		;
	EXPECT_EQ(stats(r).dropped[KPT_RING_DROP_FULL], 1);
	kpt_ring_claim(r, 48, ts);
	EXPECT_EQ(stats(r).dropped[KPT_RING_DROP_FULL], 1);
	EXPECT_EQ(stats(r).entries, nr);
	EXPECT_EQ(stats(r).overrun, 0);
	ring_free(r);
}

TEST(an_open_record_is_never_overwritten)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur;
	u64 ts, nr, overrun;
	u64 *outer;

	for (ts = 1; ts <= 100; ts++)
		EXPECT(put(r, 48, ts));
	kpt_ring_rewind(r, &cur);
	outer = kpt_ring_reserve(r, 48, ts);
	nr = fill_ring(r, ts + 1) - ts;
	/* But for one step they fill the ring. */
	EXPECT(nr * 56 >= 4096 - 512 - 56 - 8 * sizeof(struct kpt_ring_head));
	EXPECT_EQ(stats(r).dropped[KPT_RING_DROP_OPEN], 1);
	overrun = stats(r).overrun;
	EXPECT(!put(r, 1000, 200));
	EXPECT_EQ(stats(r).overrun, overrun);
	EXPECT_EQ(stats(r).dropped[KPT_RING_DROP_OPEN], 2);
	fill(outer, 48, 101);
	kpt_ring_commit(r);
	EXPECT(stats(r).entries >= nr);
	do {
		overrun = take(r, &cur, NULL);
	} while (overrun && overrun < 101);
	EXPECT_EQ(overrun, 101);
	ring_free(r);
}

TEST(too_big_is_refused_at_any_place)
{
	struct kpt_ring *r = ring_new(4096);
	u64 i;

	for (i = 1; i < 300; i++) {
		EXPECT(put(r, 2016, i));
		EXPECT(!put(r, 2017, i));
		EXPECT(!put(r, U32_MAX, i));
		EXPECT(!put(r, U32_MAX - 30, i));
		EXPECT_EQ(stats(r).dropped[KPT_RING_DROP_BIG], 3 * i);
		EXPECT(put(r, i % 40, i));
	}
	ring_free(r);
}

TEST(every_cursor_sees_every_record)
{
	struct kpt_ring *r = ring_new(8192);
	struct kpt_ring_cursor cur[8];
	u64 next[8] = { 0 }, ts, lost;
	int i;

	for (i = 0; i < 8; i++)
		kpt_ring_rewind(r, &cur[i]);
	for (ts = 1; ts <= 4000; ts++) {
		put(r, ts % 64, ts);
		i = test_random() % 8;
		if (ts % 64)
			continue;
		for (i = 0; i < 8; i++) {
			while (next[i] < ts - i) {
				EXPECT_EQ(take(r, &cur[i], &lost), ++next[i]);
				EXPECT_EQ(lost, 0);
				kpt_ring_consume(r, &cur[i]);
			}
		}
		EXPECT_EQ(stats(r).read, next[0]);
		EXPECT_EQ(stats(r).overrun, 0);
	}
	ring_free(r);
}

TEST(consuming_once_takes_all_before)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur, other;
	u64 ts;

	kpt_ring_rewind(r, &cur);
	other = cur;
	for (ts = 1; ts <= 10; ts++)
		put(r, 8, ts);
	for (ts = 1; ts <= 4; ts++)
		take(r, &cur, NULL);
	EXPECT_EQ(stats(r).read, 0);
	EXPECT_EQ(kpt_ring_consume(r, &cur), 4);
	EXPECT_EQ(stats(r).read, 4);
	EXPECT_EQ(stats(r).entries, 6);
	EXPECT_EQ(take(r, &other, NULL), 1);
	EXPECT_EQ(kpt_ring_consume(r, &other), 0);
	EXPECT_EQ(stats(r).read, 4);
	kpt_ring_rewind(r, &other);
	EXPECT_EQ(take(r, &other, NULL), 5);
	ring_free(r);
}

TEST(what_a_reset_forgets_is_not_lost)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur;
	u64 ts, lost;

	kpt_ring_rewind(r, &cur);
	for (ts = 1; ts <= 100; ts++)
		put(r, 48, ts);
	put(r, 5000, 0);
	take(r, &cur, NULL);
	kpt_ring_consume(r, &cur);
	kpt_ring_reset(r);
	EXPECT_EQ(stats(r).written, 0);
	EXPECT_EQ(stats(r).read, 0);
	EXPECT_EQ(stats(r).overrun, 0);
	EXPECT_EQ(stats(r).bytes, 0);
	EXPECT_EQ(stats(r).dropped[KPT_RING_DROP_BIG], 0);
	EXPECT_EQ(take(r, &cur, NULL), 0);
	put(r, 48, 101);
	EXPECT_EQ(take(r, &cur, &lost), 101);
	EXPECT_EQ(lost, 0);
	EXPECT_EQ(stats(r).written, 1);
	ring_free(r);
}

TEST(a_reset_makes_room_in_no_overwrite_mode)
{
	struct kpt_ring *r = ring_new(4096);

	kpt_ring_set_overwrite(r, false);
	while (put(r, 48, 1))
		;
	kpt_ring_reset(r);
	EXPECT(put(r, 48, 2));
	EXPECT_EQ(stats(r).entries, 1);
	ring_free(r);
}

TEST(a_larger_copy_loses_nothing)
{
	struct kpt_ring *r = ring_new(4096), *d = ring_new(12288);
	struct kpt_ring_cursor slow, all;
	u64 ts, lost, first;

	for (ts = 1; ts <= 100; ts++)
		put(r, 48, ts);
	kpt_ring_rewind(r, &slow);
	first = take(r, &slow, NULL);
	kpt_ring_consume(r, &slow);
	take(r, &slow, NULL);
	kpt_ring_copy(d, r);
	EXPECT_EQ(stats(d).written, 100);
	EXPECT_EQ(stats(d).read, 1);
	EXPECT_EQ(stats(d).overrun, stats(r).overrun);
	EXPECT_EQ(stats(d).entries, stats(r).entries);
	kpt_ring_resume(d, &slow);
	EXPECT_EQ(take(d, &slow, &lost), first + 2);
	EXPECT_EQ(lost, 0);
	kpt_ring_rewind(d, &all);
	EXPECT_EQ(take(d, &all, NULL), first + 1);
	EXPECT(put(d, 48, 101));
	EXPECT_EQ(stats(d).written, 101);
	ring_free(r);
	ring_free(d);
}

TEST(a_smaller_copy_keeps_the_newest)
{
	struct kpt_ring *r = ring_new(12288), *d = ring_new(4096);
	struct kpt_ring_cursor cur;
	u64 ts, lost;

	for (ts = 1; ts <= 150; ts++)
		put(r, 48, ts);
	kpt_ring_rewind(r, &cur);
	take(r, &cur, NULL);
	kpt_ring_set_overwrite(r, false);
	kpt_ring_copy(d, r);
	EXPECT_EQ(stats(d).written, 150);
	EXPECT(stats(d).entries >= (4096 - 1024) / 56);
	EXPECT_EQ(stats(d).oldest_ts, stats(d).overrun + 1);
	kpt_ring_resume(d, &cur);
	EXPECT_EQ(take(d, &cur, &lost), stats(d).oldest_ts);
	EXPECT_EQ(lost, stats(d).overrun - 1);
	while (put(d, 48, 1))
		;
	EXPECT_EQ(stats(d).dropped[KPT_RING_DROP_FULL], 1);
	ring_free(r);
	ring_free(d);
}

TEST(a_record_too_big_for_the_copy_goes_with_all_older)
{
	struct kpt_ring *r = ring_new(12288), *d = ring_new(4096);
	struct kpt_ring_cursor cur;

	put(r, 8, 1);
	put(r, 4000, 2);
	put(r, 8, 3);
	kpt_ring_copy(d, r);
	EXPECT_EQ(stats(d).written, 3);
	EXPECT_EQ(stats(d).overrun, 2);
	EXPECT_EQ(stats(d).dropped[KPT_RING_DROP_BIG], 0);
	kpt_ring_rewind(d, &cur);
	EXPECT_EQ(take(d, &cur, NULL), 3);
	EXPECT_EQ(take(d, &cur, NULL), 0);
	ring_free(r);
	ring_free(d);
}

/* One record by a chunk; its time, 0 if the chunk has no more. */
static u64 take_chunk(struct kpt_ring_chunk *chunk, struct kpt_ring_cursor *cur)
{
	struct kpt_ring_info info;
	const u64 *rec = kpt_ring_chunk_next(chunk, cur, &info);

	if (!rec)
		return 0;
	EXPECT(filled(rec, info.size, info.ts));
	kpt_ring_chunk_pass(chunk, cur, &info);
	return info.ts;
}

/* Laps and discarded records: nothing is left out. */
TEST(chunks_have_every_record)
{
	struct kpt_ring_chunk chunk;
	struct kpt_ring *r = ring_new(8192);
	struct kpt_ring_cursor cur;
	unsigned int i, n, many = 0;
	u64 last = 0, ts = 0, found;

	kpt_ring_rewind(r, &cur);
	for (i = 0; i < 5000; i++) {
		for (n = test_random() % 12; n; n--) {
			if (test_random() % 8)
				EXPECT(put(r, test_random() % 20 * 8 + 8, ++ts));
			else
				kpt_ring_discard(r, kpt_ring_reserve(r, 40, 1));
		}
		while (kpt_ring_chunk_find(r, &cur, &chunk)) {
			found = last;
			while (take_chunk(&chunk, &cur) == last + 1)
				last++;
			EXPECT(kpt_ring_chunk_is_intact(r, &chunk));
			many += last > found + 1;
			if (last == found && take(r, &cur, NULL))
				last++;
		}
		EXPECT_EQ(last, ts);
	}
	EXPECT(many > 1000);
	ring_free(r);
}

TEST(a_chunk_tells_that_it_was_overwritten_or_forgotten)
{
	struct kpt_ring_chunk chunk;
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor slow, cur;
	u64 ts;

	kpt_ring_rewind(r, &slow);
	EXPECT(!kpt_ring_chunk_find(r, &slow, &chunk));
	put(r, 8, 1);
	EXPECT(kpt_ring_chunk_find(r, &slow, &chunk));
	EXPECT(kpt_ring_chunk_is_intact(r, &chunk));
	for (ts = 2; ts <= 400; ts++)
		put(r, 8, ts);
	EXPECT(!kpt_ring_chunk_is_intact(r, &chunk));
	EXPECT(kpt_ring_chunk_find(r, &slow, &chunk));
	EXPECT(!kpt_ring_chunk_is_intact(r, &chunk));
	kpt_ring_rewind(r, &cur);
	EXPECT(kpt_ring_chunk_find(r, &cur, &chunk));
	EXPECT(kpt_ring_chunk_is_intact(r, &chunk));
	kpt_ring_reset(r);
	EXPECT(!kpt_ring_chunk_find(r, &cur, &chunk));
	ring_free(r);
}

/* Whatever the writer leaves there while a chunk is read: nothing behind it is read. */
TEST(a_chunk_of_rubbish_ends)
{
	u64 *mem = malloc(64 * sizeof(*mem));
	struct kpt_ring_cursor cur = { .seq = 3 };
	struct kpt_ring_chunk chunk = { .mem = mem, .bytes = 64 * sizeof(*mem) };
	struct kpt_ring_info info;
	unsigned int i, n;
	const u8 *rec;

	for (i = 0; i < 20000; i++) {
		for (n = 0; n < 64; n++)
			mem[n] = test_random() % 2 ? test_random() % 80 :
				 test_random() % 4 ? test_random() % 5 << 8 | test_random() << 16 :
				 test_random();
		chunk.at = 0;
		cur.at = cur.seq;
		while ((rec = kpt_ring_chunk_next(&chunk, &cur, &info))) {
			EXPECT(rec + info.size <= (u8 *)(mem + 64));
			EXPECT(info.size);
			kpt_ring_chunk_pass(&chunk, &cur, &info);
		}
	}
	free(mem);
}

TEST(numbers_pass_32_bits)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur, slow;
	u64 start = 0xffffffe0, ts, lost;

	r->seq = r->tail = r->base_seq = r->mark[0].seq = start;
	kpt_ring_rewind(r, &cur);
	slow = cur;
	for (ts = 1; ts <= 1000; ts++) {
		put(r, 8, ts);
		EXPECT_EQ(take(r, &cur, &lost), ts);
		EXPECT_EQ(lost, 0);
	}
	EXPECT_EQ(stats(r).written, 1000);
	EXPECT_EQ(take(r, &slow, &lost), 1 + lost);
	r->seq += 1ULL << 40;			/* as if after that many records */
	r->claim = r->write;
	for (ts = 1001; ts <= 2000; ts++)
		put(r, 8, ts);
	ts = take(r, &cur, &lost);
	EXPECT_EQ(lost, ts - 1001 + (1ULL << 40));
	ring_free(r);
}

/* What the cursor comes to has become the payload of later records, of any kind. */
TEST(an_overtaken_cursor_does_not_read_beyond_the_ring)
{
	struct kpt_ring_cursor cur;
	struct kpt_ring_info info;
	struct kpt_ring *r;
	u64 ts, lost, *p;
	int i, k;

	for (ts = 1; ts <= 300; ts++) {
		r = ring_new(4096);
		kpt_ring_rewind(r, &cur);
		for (i = 0; i < ts; i++)
			EXPECT(put(r, 8 * (i % 60), ts));
		while (take(r, &cur, NULL))
			;
		/* The next one is at the end of the ring at times. */
		for (i = 0; i < 40; i++) {
			p = kpt_ring_reserve(r, 160 + 8 * (ts % 3), ts);
			EXPECT(p);
			for (k = 0; k < 20; k++)
				p[k] = (k + i) % 4 << 8 | (u64)k << 16;
			kpt_ring_commit(r);
		}
		EXPECT_EQ(kpt_ring_next(r, &cur, buf, sizeof(buf), &info), 1);
		EXPECT_EQ(cur.seq - 1 - ts, stats(r).overrun - min(stats(r).overrun, ts));
		lost = cur.seq;
		for (; kpt_ring_next(r, &cur, buf, sizeof(buf), &info) > 0; lost++)
			;
		EXPECT_EQ(lost, ts + 40);
		ring_free(r);
	}
}

/* Times of any size, and any distance, come back. */
TEST(times_are_exact)
{
	static const u64 gap[] = {
		0, 1, 1ULL << 30, (1ULL << 54) - 1, 1ULL << 54, 1ULL << 55, 1ULL << 56,
		3ULL << 60, -1ULL, -(1ULL << 53), -(1ULL << 55), -(1ULL << 57), 1ULL << 63,
	};
	struct kpt_ring *r = ring_new(8192);
	struct kpt_ring_cursor cur;
	struct kpt_ring_info info;
	u64 ts = 1ULL << 63;
	int i;

	kpt_ring_rewind(r, &cur);
	for (i = 0; i < 10000; i++) {
		ts += gap[test_random() % ARRAY_SIZE(gap)];
		fill(kpt_ring_reserve(r, i % 100, ts), i % 100, ts);
		kpt_ring_commit(r);
		EXPECT_EQ(kpt_ring_next(r, &cur, buf, sizeof(buf), &info), 1);
		EXPECT_EQ(info.ts, ts);
		EXPECT(filled(buf, info.size, ts));
	}
	ring_free(r);
}

/* Those that have their size in a word of its own. */
TEST(long_records)
{
	struct kpt_ring *r = ring_new(65536);
	struct kpt_ring_cursor cur;
	u64 ts, *p;
	u32 bytes;

	kpt_ring_rewind(r, &cur);
	for (ts = 1; ts < 3000; ts++) {
		bytes = 2000 + ts * 8 % 2000;
		p = kpt_ring_reserve(r, bytes, ts);
		EXPECT_EQ(kpt_ring_size(p), bytes);
		EXPECT(r->claim - r->write < 32768);
		EXPECT_EQ(kpt_ring_stamp(p, kpt_ring_near(r)), ts);
		if (ts % 3 == 0)
			bytes -= 8 * (ts % 200);
		kpt_ring_trim(r, p, bytes);
		EXPECT(kpt_ring_size(p) == bytes || kpt_ring_size(p) > KPT_RING_SHORT - 8 ||
		       (u8 *)p + kpt_ring_size(p) == r->data + r->size);
		fill(p, kpt_ring_size(p), ts);
		if (ts % 5)
			kpt_ring_commit(r);
		else
			kpt_ring_discard(r, p);
		if (ts % 5)
			EXPECT_EQ(take(r, &cur, NULL), ts);
	}
	ring_free(r);
}

TEST(only_short_records_are_opened_quickly)
{
	struct kpt_ring *r = ring_new(65536);
	u32 bytes;
	void *p;

	kpt_ring_reserve(r, 8, 1);
	kpt_ring_commit(r);
	for (bytes = 0; bytes < 70000; bytes++) {
		if (bytes > KPT_RING_SHORT - sizeof(struct kpt_ring_header))
			EXPECT(kpt_ring_quick(bytes) >= KPT_RING_NEVER);
		else
			EXPECT_EQ(8 * kpt_ring_quick(bytes), kpt_ring_length(bytes));
	}
	bytes = KPT_RING_SHORT - sizeof(struct kpt_ring_header);
	EXPECT(r->write + 2 * KPT_RING_SHORT <= r->claim);
	EXPECT(!kpt_ring_begin(r, kpt_ring_quick(bytes + 1), 2, &p));
	EXPECT(!kpt_ring_hold(r, kpt_ring_quick(bytes + 1), 2, &p));
	EXPECT(kpt_ring_begin(r, kpt_ring_quick(bytes), 2, &p));
	EXPECT_EQ(kpt_ring_size(p), bytes);
	kpt_ring_finish(r);
	ring_free(r);
}

/* In every lap, and nothing that is below its memory. */
TEST(a_ring_holds_its_records)
{
	struct kpt_ring *r = ring_new(4096);
	u64 ts, *p;

	kpt_ring_set_overwrite(r, true);
	for (ts = 1; ts <= 1000; ts++) {
		p = kpt_ring_reserve(r, 48, ts);
		EXPECT(p && kpt_ring_holds(r, p));
		EXPECT(!kpt_ring_holds(r, (u8 *)p - 4096));
		EXPECT(!kpt_ring_holds(r, (u8 *)p + 4096));
		EXPECT(!kpt_ring_holds(r, (u8 *)p - 4096 * ts));
		kpt_ring_commit(r);
	}
	ring_free(r);
}

/* For records of any size up to a step, with and without overwriting. */
TEST(a_full_ring_is_filled)
{
	u32 bytes, overwrite, room;
	struct kpt_ring_cursor cur;
	struct kpt_ring *r;
	u64 ts;

	for (bytes = 8; bytes <= 496; bytes += 8) {
		for (overwrite = 0; overwrite < 2; overwrite++) {
			r = ring_new(4096);
			room = 4096 / kpt_ring_length(bytes);
			kpt_ring_set_overwrite(r, overwrite);
			kpt_ring_rewind(r, &cur);
			EXPECT(!kpt_ring_is_filled(r, cur.pos, 50));
			for (ts = 1; ts <= room / 3; ts++)
				put(r, bytes, ts);
			EXPECT(!kpt_ring_is_filled(r, cur.pos, 50));
			for (; ts <= room; ts++)
				put(r, bytes, ts);
			EXPECT(kpt_ring_is_filled(r, cur.pos, 50));
			for (; ts <= 1000; ts++) {
				put(r, bytes, ts);
				kpt_ring_rewind(r, &cur);
				EXPECT(kpt_ring_is_filled(r, cur.pos, 100));
			}
			ring_free(r);
		}
	}
}

TEST_MAIN
