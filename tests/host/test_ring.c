// SPDX-License-Identifier: GPL-2.0-only
/* The ring alone on one thread: what each call promises, then the model. */
#include <kptrace/port.h>
#include <kptrace/ring.h>
#include "harness.h"
#include "model_ring.h"

static u64 buf[65536];

static struct kpt_ring *ring_new(u32 size)
{
	struct kpt_ring *r = aligned_alloc(64, sizeof(*r));

	kpt_ring_init(r, aligned_alloc(8, size), size);
	return r;
}

static void ring_free(struct kpt_ring *r)
{
	free(r->data);
	free(r);
}

/* A payload that tells from which record it is. */
static void fill(u64 *p, u32 bytes, u64 ts)
{
	u32 i;

	for (i = 0; i < (bytes + 7) / 8; i++)
		p[i] = ts * 0x9e3779b97f4a7c15ULL + i;
}

static bool filled(const u64 *p, u32 bytes, u64 ts)
{
	u32 i;

	for (i = 0; i < bytes / 8; i++)
		if (p[i] != ts * 0x9e3779b97f4a7c15ULL + i)
			return false;
	return true;
}

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

static struct kpt_ring_stats stats(struct kpt_ring *r)
{
	struct kpt_ring_stats st;

	kpt_ring_stats(r, &st);
	EXPECT_EQ(st.written, st.entries + st.read + st.overrun);
	return st;
}

TEST(an_empty_ring_has_nothing)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur;
	struct kpt_ring_info info;

	kpt_ring_rewind(r, &cur);
	EXPECT_EQ(take(r, &cur, NULL), 0);
	EXPECT(!kpt_ring_peek(r, &cur, &info));
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
	EXPECT_EQ(stats(r).bytes, kpt_ring_bytes(r));
	ring_free(r);
}

TEST(an_empty_payload_is_a_record)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur;

	kpt_ring_rewind(r, &cur);
	EXPECT(put(r, 0, 7));
	EXPECT_EQ(take(r, &cur, NULL), 7);
	EXPECT_EQ(stats(r).bytes, 16);
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

TEST(the_oldest_make_room)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor early, late;
	u64 ts, lost, n;

	kpt_ring_rewind(r, &early);
	for (ts = 1; ts <= 1000; ts++)
		EXPECT(put(r, 48, ts));
	EXPECT_EQ(stats(r).written, 1000);
	EXPECT(stats(r).entries * 64 <= 4096);
	EXPECT(stats(r).entries * 64 >= 4096 - 512);
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

TEST(a_full_ring_refuses_in_no_overwrite_mode)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur;
	u64 ts;

	kpt_ring_set_overwrite(r, false);
	kpt_ring_rewind(r, &cur);
	for (ts = 1; ts <= 64; ts++)
		EXPECT(put(r, 48, ts));
	EXPECT(!put(r, 48, 65));
	EXPECT(!put(r, 0, 66));
	EXPECT_EQ(stats(r).dropped[KPT_RING_DROP_FULL], 2);
	EXPECT_EQ(stats(r).bytes, 4096);
	EXPECT_EQ(take(r, &cur, NULL), 1);
	EXPECT(!put(r, 48, 67));
	kpt_ring_consume(r, &cur);
	EXPECT(put(r, 48, 68));
	EXPECT(!put(r, 48, 69));
	for (ts = 2; ts <= 64; ts++)
		EXPECT_EQ(take(r, &cur, NULL), ts);
	EXPECT_EQ(take(r, &cur, NULL), 68);
	EXPECT_EQ(stats(r).overrun, 0);
	kpt_ring_set_overwrite(r, true);
	EXPECT(put(r, 48, 70));
	EXPECT(stats(r).overrun > 0);
	ring_free(r);
}

TEST(an_open_record_is_never_overwritten)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur;
	u64 ts, entries, overrun;
	u64 *outer;

	for (ts = 1; ts <= 100; ts++)
		EXPECT(put(r, 48, ts));
	kpt_ring_rewind(r, &cur);
	outer = kpt_ring_reserve(r, 48, ts);
	while (put(r, 48, ++ts))
		;
	EXPECT_EQ(ts, 165);			/* 64 records fill the ring */
	EXPECT_EQ(stats(r).dropped[KPT_RING_DROP_OPEN], 1);
	overrun = stats(r).overrun;
	EXPECT(!put(r, 1000, 200));
	EXPECT_EQ(stats(r).overrun, overrun);
	EXPECT_EQ(stats(r).dropped[KPT_RING_DROP_OPEN], 2);
	fill(outer, 48, 101);
	kpt_ring_commit(r);
	entries = stats(r).entries;
	EXPECT_EQ(entries, 64);
	EXPECT_EQ(take(r, &cur, NULL), 101);
	ring_free(r);
}

TEST(too_big_is_refused_at_any_place)
{
	struct kpt_ring *r = ring_new(4096);
	u64 i;

	for (i = 1; i < 300; i++) {
		EXPECT(put(r, kpt_ring_max(r), i));
		EXPECT(!put(r, kpt_ring_max(r) + 1, i));
		EXPECT(!put(r, U32_MAX, i));
		EXPECT(!put(r, U32_MAX - 30, i));
		EXPECT_EQ(stats(r).dropped[KPT_RING_DROP_BIG], 3 * i);
		EXPECT(put(r, i % 40, i));
	}
	EXPECT_EQ(kpt_ring_max(r), 2032);
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
	EXPECT(stats(d).entries >= (4096 - 512) / 64);
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

TEST(numbers_pass_32_bits)
{
	struct kpt_ring *r = ring_new(4096);
	struct kpt_ring_cursor cur, slow;
	u64 start = 0xffffffe0, ts, lost;

	r->seq = r->base_seq = r->mark[0].seq = start;
	kpt_ring_rewind(r, &cur);
	slow = cur;
	for (ts = 1; ts <= 1000; ts++) {
		put(r, 8, ts);
		EXPECT_EQ(take(r, &cur, &lost), ts);
		EXPECT_EQ(lost, 0);
	}
	EXPECT_EQ(stats(r).written, 1000);
	EXPECT_EQ(take(r, &slow, &lost), 1 + lost);
	r->seq += 1ULL << 40;			/* as if so many had passed */
	for (ts = 1001; ts <= 2000; ts++)
		put(r, 8, ts);
	ts = take(r, &cur, &lost);
	EXPECT_EQ(lost, ts - 1001 + (1ULL << 40));
	ring_free(r);
}

/* The ring against the model */

#define CURSORS 4

struct both {
	struct kpt_ring *r;
	struct model *m;
	struct kpt_ring_cursor rc[CURSORS];
	struct model_cursor mc[CURSORS];
	void *payload[8];
	u64 size, ts;
	u32 widest;
};

static void compare(struct both *b)
{
	struct kpt_ring_stats st = stats(b->r);
	struct model *m = b->m;
	struct model_item *oldest = NULL;
	struct model_cursor c = { m->tail, 0 };
	u64 lost;
	int i;

	oldest = model_peek(m, &c, &lost);
	EXPECT_EQ(st.entries, model_count(m, m->tail, m->commit));
	EXPECT_EQ(st.written, m->written);
	EXPECT_EQ(st.read, m->read);
	EXPECT_EQ(st.overrun, m->overrun);
	EXPECT_EQ(st.bytes, m->commit - m->tail);
	EXPECT_EQ(kpt_ring_bytes(b->r), st.bytes);
	EXPECT_EQ(st.oldest_ts, oldest ? oldest->ts : 0);
	for (i = 0; i < KPT_RING_DROPS; i++)
		EXPECT_EQ(st.dropped[i], m->dropped[i]);
}

static void op_reserve(struct both *b)
{
	u32 bytes = test_random() % b->widest;
	void *p;
	bool ok;

	if (b->m->opens == 3)
		return;
	if (test_random() % 64 == 0)
		bytes = b->size / 2 - 40 + test_random() % 40;
	p = kpt_ring_reserve(b->r, bytes, ++b->ts);
	ok = model_reserve(b->m, bytes, b->ts);
	EXPECT_EQ(!!p, ok);
	if (!p)
		return;
	fill(p, bytes, b->ts);
	b->payload[b->m->opens - 1] = p;
}

static void op_close(struct both *b)
{
	if (!b->m->opens)
		return;
	if (test_random() % 4) {
		kpt_ring_commit(b->r);
		model_close(b->m);
	} else {
		kpt_ring_discard(b->r, b->payload[b->m->opens - 1]);
		model_discard(b->m);
	}
}

static void op_next(struct both *b, int c)
{
	bool peek = test_random() % 8 == 0;
	struct kpt_ring_info info;
	struct model_item *it;
	u64 lost;
	int ret;

	it = model_peek(b->m, &b->mc[c], &lost);
	ret = peek ? kpt_ring_peek(b->r, &b->rc[c], &info) :
		     kpt_ring_next(b->r, &b->rc[c], buf, sizeof(buf), &info);
	EXPECT_EQ(ret, !!it);
	if (!it || ret <= 0)
		return;
	EXPECT_EQ(info.ts, it->ts);
	EXPECT_EQ(info.seq, it->number);
	EXPECT_EQ(info.lost, lost);
	EXPECT_EQ(info.size, it->len - MODEL_HEADER);
	if (peek)
		return;
	EXPECT(filled(buf, info.size, info.ts));
	model_take(&b->mc[c], it);
}

static void op_rewind(struct both *b, int c)
{
	kpt_ring_rewind(b->r, &b->rc[c]);
	model_rewind(b->m, &b->mc[c]);
}

static void op_resize(struct both *b)
{
	struct kpt_ring *d;
	int c;

	if (b->m->opens)
		return;
	b->size = 4096 * (1 + test_random() % 5);
	d = ring_new(b->size);
	kpt_ring_copy(d, b->r);
	ring_free(b->r);
	b->r = d;
	b->m = model_copy(b->m, b->size);
	for (c = 0; c < CURSORS; c++) {
		kpt_ring_resume(b->r, &b->rc[c]);
		b->mc[c].pos = b->m->tail;
	}
}

static void op_mode(struct both *b)
{
	b->m->overwrite = test_random() % 2;
	kpt_ring_set_overwrite(b->r, b->m->overwrite);
}

static void op_any(struct both *b)
{
	u32 what = test_random() % 1000;
	int c = test_random() % CURSORS;

	if (what < 350) {
		op_reserve(b);
	} else if (what < 700) {
		op_close(b);
	} else if (what < 900) {
		op_next(b, c);
	} else if (what < 960) {
		EXPECT_EQ(kpt_ring_consume(b->r, &b->rc[c]),
			  model_consume(b->m, &b->mc[c]));
	} else if (what < 980) {
		op_rewind(b, c);
	} else if (what < 990) {
		op_mode(b);
	} else if (what < 995) {
		kpt_ring_reset(b->r);
		model_reset(b->m);
	} else {
		op_resize(b);
	}
}

static void run_model(u32 widest, int ops)
{
	struct both b = { .size = 4096, .widest = widest };
	int c, before = test_failures;

	b.r = ring_new(b.size);
	b.m = model_new(b.size, 0);
	for (c = 0; c < CURSORS; c++)
		op_rewind(&b, c);
	while (ops-- && test_failures == before) {
		op_any(&b);
		compare(&b);
	}
	ring_free(b.r);
	free(b.m);
}

TEST(random_operations_agree_with_the_model)
{
	static const u32 widest[] = { 1, 9, 40, 100, 300, 1000 };
	int i;

	for (i = 0; i < 200; i++)
		run_model(widest[i % ARRAY_SIZE(widest)], 1000);
}

TEST_MAIN
