// SPDX-License-Identifier: GPL-2.0-only
/* Random operations on the ring, compared with a simple model of it. */
#include "lib/base/port.h"
#include "lib/ring/ring.h"
#include "harness.h"
#include "model_ring.h"
#include "ring_help.h"

#define CURSORS 4

struct both {
	struct kpt_ring *r;
	struct model *m;
	struct kpt_ring_cursor rc[CURSORS];
	struct model_cursor mc[CURSORS];
	struct kpt_ring_mark known;
	void *payload[8];
	u64 size, ts;
	u32 widest;
};

static void compare(struct both *b)
{
	struct kpt_ring_stats st = stats(b->r), counts;
	struct model *m = b->m;
	struct model_item *oldest = NULL;
	struct model_cursor c = { model_oldest(m), 0 };
	u64 lost;
	int i;

	oldest = model_peek(m, &c, &lost);
	EXPECT_EQ(st.entries, model_number(m, m->commit) - m->tail);
	EXPECT_EQ(st.written, m->written);
	EXPECT_EQ(st.read, m->read);
	EXPECT_EQ(st.overrun, m->overrun);
	EXPECT_EQ(st.bytes, m->commit - model_oldest(m));
	EXPECT_EQ(st.oldest_ts, oldest ? oldest->ts : 0);
	for (i = 0; i < KPT_RING_DROPS; i++)
		EXPECT_EQ(st.dropped[i], m->dropped[i]);
	/* Not each time, so it goes on from anywhere, if that is not overwritten. */
	if (test_random() % 8)
		return;
	kpt_ring_counts(b->r, &b->known, &counts);
	EXPECT_EQ(counts.entries, st.entries);
	EXPECT_EQ(counts.written, st.written);
	EXPECT_EQ(counts.read, st.read);
	EXPECT_EQ(counts.overrun, st.overrun);
}

static void op_reserve(struct both *b)
{
	u32 bytes = test_random() % b->widest;
	void *p;
	bool ok;

	if (b->m->opens == 3)
		return;
	if (test_random() % 64 == 0)
		bytes = b->size / 2 - 64 + test_random() % 64;
	p = kpt_ring_reserve(b->r, bytes, ++b->ts);
	ok = model_reserve(b->m, bytes, b->ts);
	EXPECT_EQ(!!p, ok);
	if (!p)
		return;
	fill(p, bytes, b->ts);
	b->payload[b->m->opens - 1] = p;
}

/* Write a record, by kpt_ring_begin() if that is possible now. */
static void op_short(struct both *b)
{
	u32 bytes = test_random() % b->widest;
	u64 words = kpt_ring_quick(bytes);
	bool ok;
	void *p;

	ok = kpt_ring_begin(b->r, words, ++b->ts, &p);
	EXPECT_EQ(ok, !b->m->opens && b->m->write + 8 * words <= b->m->claim);
	if (!ok)
		return;
	EXPECT(model_reserve(b->m, bytes, b->ts));
	fill(p, bytes, b->ts);
	kpt_ring_finish(b->r);
	model_close(b->m);
}

/* Open a record that others may interrupt, by kpt_ring_hold() if that is possible now. */
static void op_hold(struct both *b)
{
	u32 bytes = test_random() % b->widest;
	u64 words = kpt_ring_quick(bytes);
	void *p;
	bool ok;

	if (b->m->opens == 3)
		return;
	ok = kpt_ring_hold(b->r, words, ++b->ts, &p);
	EXPECT_EQ(ok, b->m->write + 8 * words <= b->m->claim);
	if (!ok)
		return;
	EXPECT(model_reserve(b->m, bytes, b->ts));
	fill(p, bytes, b->ts);
	b->payload[b->m->opens - 1] = p;
}

/* Let the record that was opened last end sooner. */
static void op_trim(struct both *b)
{
	struct model_item *it;
	u32 bytes;

	if (!b->m->opens)
		return;
	it = &b->m->item[b->m->open[b->m->opens - 1]];
	bytes = test_random() % (model_payload(it) + 1);
	kpt_ring_trim(b->r, b->payload[b->m->opens - 1], bytes);
	model_trim(b->m, bytes);
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
	u64 lost = 0;
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
	EXPECT_EQ(info.size, model_payload(it));
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
	b->known = (struct kpt_ring_mark){ 0 };
	ring_free(b->r);
	b->r = d;
	b->m = model_copy(b->m, b->size);
	for (c = 0; c < CURSORS; c++) {
		kpt_ring_resume(b->r, &b->rc[c]);
		b->mc[c].pos = model_oldest(b->m);
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

	if (what < 200) {
		op_reserve(b);
	} else if (what < 250) {
		op_hold(b);
	} else if (what < 280) {
		op_trim(b);
	} else if (what < 400) {
		op_short(b);
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
