// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages of trace_pipe_raw, taken apart by a decoder that shares nothing with
 * the encoder but the description of the format.
 */
#include "lib/base/port.h"
#include "lib/base/port_user.h"
#include "parts/raw/rawpage.h"
#include "lib/record/record.h"
#include "harness.h"
#include <stdlib.h>

#define SIZE 4096

struct decoded {
	uint64_t ts;
	const uint8_t *data;
	uint32_t len;
};

struct decoder {
	const uint8_t *page;
	uint64_t ts, lost;
	uint32_t pos, end;
	bool bad;
};

static uint64_t get(const uint8_t *p, int bytes)
{
	uint64_t v = 0;

	while (bytes--)
		v = v << 8 | p[bytes];
	return v;
}

/* lost is ~0 if records were lost, but the page does not have their number. */
static struct decoder decode(const uint8_t *page)
{
	uint64_t commit = get(page + 8, 8);
	struct decoder d = { .page = page, .ts = get(page, 8), .pos = 16 };

	d.end = 16 + (commit & 0x07ffffff);
	if (commit & 0x80000000)
		d.lost = commit & 0x40000000 ? get(page + d.end, 8) : ~0ULL;
	if (commit & ~0xc7ffffffULL || d.end > SIZE)
		d.bad = true;
	return d;
}

static uint32_t word(struct decoder *d)
{
	d->pos += 4;
	if (d->pos > d->end) {
		d->bad = true;
		return 0;
	}
	return get(d->page + d->pos - 4, 4);
}

static bool next(struct decoder *d, struct decoded *out)
{
	uint32_t head, type;

	while (!d->bad && d->pos < d->end) {
		head = word(d);
		type = head % 32;
		d->ts += head / 32;
		if (type == 30) {
			d->ts += (uint64_t)word(d) << 27;
			continue;
		}
		if (type > 28) {
			d->bad = true;
			break;
		}
		out->len = type ? type * 4 : word(d) - 4;
		out->ts = d->ts;
		out->data = d->page + d->pos;
		d->pos += out->len;
		d->bad |= d->pos > d->end || out->len % 4;
		return !d->bad;
	}
	return false;
}

static uint64_t mem[SIZE / 8];
static const uint8_t *const raw = (uint8_t *)mem;
static uint8_t payload[SIZE];

static struct kpt_rawpage begin(u64 missed)
{
	struct kpt_rawpage page;
	size_t i;

	for (i = 0; i < sizeof(payload); i++)
		payload[i] = i * 37 + 11;
	memset(mem, 0xee, sizeof(mem));
	kpt_rawpage_begin(&page, mem, SIZE, missed);
	return page;
}

static void expect(struct decoder *d, u64 ts, u32 bytes)
{
	struct decoded rec = { 0 };
	u32 i;

	EXPECT(next(d, &rec));
	EXPECT_EQ(rec.ts, ts);
	EXPECT_EQ(rec.len, bytes ? (bytes + 3) / 4 * 4 : 4);
	if (d->bad || !rec.data)
		return;
	EXPECT(!memcmp(rec.data, payload, bytes));
	for (i = bytes; i < rec.len; i++)
		EXPECT_EQ(rec.data[i], 0);
}

static void expect_end(struct decoder *d)
{
	struct decoded rec;
	u32 i, used = d->end + (d->lost && d->lost != ~0ULL ? 8 : 0);

	EXPECT(!next(d, &rec));
	EXPECT(!d->bad);
	for (i = used; i < SIZE; i++)
		EXPECT_EQ(raw[i], 0);
}

TEST(an_empty_page)
{
	struct kpt_rawpage page = begin(0);
	struct decoder d;

	kpt_rawpage_finish(&page);
	d = decode(raw);
	EXPECT_EQ(d.ts, 0);
	EXPECT_EQ(d.end, 16);
	EXPECT_EQ(d.lost, 0);
	expect_end(&d);
}

TEST(one_record_byte_for_byte)
{
	static const uint8_t expected[] = {
		0x15, 0x81, 0xe9, 0x7d, 0xf4, 0x10, 0x22, 0x11, /* time */
		12, 0, 0, 0, 0, 0, 0, 0,			/* commit */
		2, 0, 0, 0,			/* two words, delta 0 */
		11, 48, 85, 122, 159, 196, 0, 0,
	};
	struct kpt_rawpage page = begin(0);

	EXPECT(kpt_rawpage_add(&page, payload, 6, 0x112210f47de98115));
	kpt_rawpage_finish(&page);
	EXPECT(!memcmp(raw, expected, sizeof(expected)));
}

TEST(all_sizes)
{
	struct decoder d;
	u32 bytes;

	for (bytes = 0; bytes <= SIZE - 24; bytes++) {
		struct kpt_rawpage page = begin(0);

		EXPECT(kpt_rawpage_add(&page, payload, bytes, 5));
		kpt_rawpage_finish(&page);
		d = decode(raw);
		expect(&d, 5, bytes);
		expect_end(&d);
	}
}

TEST(what_does_not_fit_is_refused)
{
	struct kpt_rawpage page = begin(0);

	EXPECT(!kpt_rawpage_add(&page, payload, SIZE - 23, 1));
	EXPECT(!kpt_rawpage_add(&page, payload, U32_MAX, 1));
	EXPECT_EQ(page.used, 0);
	EXPECT(kpt_rawpage_add(&page, payload, SIZE - 16 - 8 - 8, 1));
	EXPECT(!kpt_rawpage_add(&page, payload, 5, 1));
	/* There is room for the record, but not for the long time before it. */
	EXPECT(!kpt_rawpage_add(&page, payload, 4, 1 + (1ULL << 27)));
	EXPECT(kpt_rawpage_add(&page, payload, 4, 1));
	EXPECT(!kpt_rawpage_add(&page, payload, 0, 1));
	EXPECT_EQ(page.used, SIZE - 16);
}

TEST(times)
{
	static const u64 ts[] = {
		1000, 1000, 1001, 1001 + (1 << 27) - 1, 1001 + (1 << 28) - 1,
		1ULL << 40, (1ULL << 40) + (1 << 27), 1ULL << 59, 0xfULL << 56,
	};
	struct kpt_rawpage page = begin(0);
	struct decoder d;
	int i;

	for (i = 0; i < ARRAY_SIZE(ts); i++)
		EXPECT(kpt_rawpage_add(&page, payload, 8, ts[i]));
	EXPECT(!kpt_rawpage_add(&page, payload, 8, ts[i - 1] + (1ULL << 59)));
	kpt_rawpage_finish(&page);
	d = decode(raw);
	for (i = 0; i < ARRAY_SIZE(ts); i++)
		expect(&d, ts[i], 8);
	expect_end(&d);
}

TEST(an_earlier_time_stands_still)
{
	struct kpt_rawpage page = begin(0);
	struct decoder d;

	EXPECT(kpt_rawpage_add(&page, payload, 8, 500));
	EXPECT(kpt_rawpage_add(&page, payload, 8, 400));
	EXPECT(kpt_rawpage_add(&page, payload, 8, 510));
	kpt_rawpage_finish(&page);
	d = decode(raw);
	expect(&d, 500, 8);
	expect(&d, 500, 8);
	expect(&d, 510, 8);
	expect_end(&d);
}

TEST(missed_records_are_told)
{
	struct kpt_rawpage page = begin(0x123456789);
	struct decoder d;

	EXPECT(kpt_rawpage_add(&page, payload, 8, 1));
	kpt_rawpage_finish(&page);
	d = decode(raw);
	EXPECT_EQ(d.lost, 0x123456789);
	expect(&d, 1, 8);
	expect_end(&d);
}

TEST(a_full_page_tells_only_that_records_were_missed)
{
	struct decoder d;
	u32 left;

	for (left = 0; left <= 8; left += 4) {
		struct kpt_rawpage page = begin(7);

		EXPECT(kpt_rawpage_add(&page, payload, SIZE - 24 - left, 1));
		EXPECT(!kpt_rawpage_add(&page, payload, 8, 1));
		kpt_rawpage_finish(&page);
		d = decode(raw);
		EXPECT_EQ(d.lost, left < 8 ? ~0ULL : 7);
		expect(&d, 1, SIZE - 24 - left);
		expect_end(&d);
	}
}

TEST(random_pages)
{
	u64 ts[1024];
	u32 bytes[1024];
	struct decoder d;
	int run, n, i;

	for (run = 0; run < 300; run++) {
		struct kpt_rawpage page = begin(run % 3);

		for (n = 0; ; n++) {
			bytes[n] = test_random() % (1 << run % 9);
			ts[n] = n ? ts[n - 1] : 1;
			ts[n] += test_random() >> (20 + test_random() % 40);
			if (!kpt_rawpage_add(&page, payload, bytes[n], ts[n]))
				break;
		}
		kpt_rawpage_finish(&page);
		d = decode(raw);
		for (i = 0; i < n; i++)
			expect(&d, ts[i], bytes[i]);
		EXPECT(d.lost == run % 3 || (n == 1 && d.lost == ~0ULL));
		expect_end(&d);
	}
}

TEST(descriptions)
{
	struct kpt_strbuf sb;
	char text[512];

	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_rawpage_describe(&sb, 4096);
	EXPECT_STR(text,
		   "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		   "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		   "\tfield: char overwrite;\toffset:8;\tsize:1;\tsigned:0;\n"
		   "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n");
	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_rawpage_describe_event(&sb);
	EXPECT_STR(text, "# compressed entry header\n"
			 "\ttype_len    :    5 bits\n"
			 "\ttime_delta  :   27 bits\n"
			 "\tarray       :   32 bits\n"
			 "\n"
			 "\tpadding     : type == 29\n"
			 "\ttime_extend : type == 30\n"
			 "\ttime_stamp : type == 31\n"
			 "\tdata max type_len  == 28\n");
}

/* Chunks of a ring, in which some records are large, late, early, short or of raw data. */
static u64 ring_mem[2048];

/* What short ones leave out; one number in four is not in use. */
static struct kpt_record_place places[KPT_RECORD_PLACES];

static void fill_places(void)
{
	u32 i;

	for (i = 0; i < KPT_RECORD_PLACES; i++)
		places[i] = (struct kpt_record_place){
			.ip = 0xffff800008000000ULL + i * 0x10001ULL,
			.type = i % 4 == 3 ? 0 : 8192 + i,
		};
}

/* Mostly that of the record before. */
static u16 place_number(void)
{
	static u16 number = KPT_RECORD_PLACE;

	if (test_random() % 16 == 0)
		number = KPT_RECORD_PLACE + test_random() % KPT_RECORD_PLACES;
	return number;
}

static u32 fill_chunk(u64 *ts, u64 seq)
{
	u32 at = 0, size, words = 1, from = 0;
	bool some_short = test_random() % 2, some_alike = test_random() % 4;
	u64 *h;

	while (test_random() % 200) {
		h = ring_mem + at / 8;
		if (test_random() % 40 == 0) {
			size = 8 + 8 * (test_random() % 4);
			h[0] = size << 16 | KPT_RING_PADDING;
		} else if (test_random() % (at ? 60 : 2) == 0) {
			size = sizeof(struct kpt_ring_head);
			h[0] = KPT_RING_HEAD | (u64)(test_random() % 100) << 19;
			/* Of another number, it ends what can be read. */
			h[1] = seq + (test_random() % 8 == 0);
			h[2] = *ts;
		} else {
			if (!some_alike || test_random() % 16 == 0)
				words = 1 + test_random() % (test_random() % 16 ? 14 : 60);
			if (!some_alike || test_random() % 16 == 0)
				from = test_random() % 64;
			size = 8 + 8 * words;
			*ts += test_random() % 16 ? test_random() % 2000 :
				(test_random() >> 22) - (test_random() >> 30);
			h[0] = size / 8 | *ts << 8;
			seq++;
			memcpy(h + 1, payload + from, size - 8);
			/* What comes behind the type is not alike. */
			((u8 *)h)[10 + test_random() % (size - 10)] ^= test_random();
			if (test_random() % 40 == 0)
				*(u16 *)(h + 1) = KPT_RECORD_RAW_DATA_CUT;
			else if (some_short && (some_alike || test_random() % 16))
				*(u16 *)(h + 1) = place_number();
		}
		if (at + size > sizeof(ring_mem) - 600)
			break;
		at += size;
	}
	return at;
}

static u32 full_pages, fault_pages;
/* kpt_ring_cursor.ts behind the chunk. */
static u64 cursor_ts;

/* Put the records of the chunk into a page, as trace_pipe_raw does. Returns how many. */
static u32 put_chunk(struct kpt_rawpage *page, u32 bytes, u64 begin_ts, struct kpt_era *span,
		     const struct kpt_epochs *all, const struct kpt_scale *scale,
		     const struct kpt_tick *tick, bool is_empty, bool at_once)
{
	struct kpt_ring_chunk chunk = { .mem = ring_mem, .bytes = bytes };
	struct kpt_ring_cursor cur = {
		.at = 0xfffffff0ULL, .seq = 0xfffffff0ULL, .ts = begin_ts,
	};
	struct kpt_ring_info info;
	u64 copy[128];
	u32 records = 0;
	const void *rec;
	size_t size;
	u32 at;
	u64 ts;

	if (!is_empty)
		kpt_rawpage_add(page, payload, 24, all->epoch[0].ns);
	for (;;) {
		if (at_once && cur.at == cur.seq)
			records += kpt_rawpage_add_chunk(page, &chunk, &cur, span,
							 places);
		EXPECT_EQ(cur.pos, chunk.at);
		full_pages += page->is_full;
		fault_pages += page->is_fault;
		if (page->is_full || page->is_fault)
			break;
		at = chunk.at;
		rec = kpt_ring_chunk_next(&chunk, &cur, &info);
		if (!rec)
			break;
		if (at_once && chunk.at != at)
			continue;
		memcpy(copy, rec, info.size);
		size = kpt_record_restore(copy, info.size, places);
		ts = kpt_epoch_convert(kpt_epochs_find(all, info.ts), tick, info.ts);
		kpt_era_begin(span, all, scale, info.ts);
		if (!kpt_rawpage_add(page, copy, size, ts))
			break;
		records++;
		kpt_ring_chunk_pass(&chunk, &cur, &info);
	}
	kpt_rawpage_finish(page);
	EXPECT_EQ(cur.seq, 0xfffffff0ULL + records);
	cursor_ts = cur.ts;
	return records;
}

TEST(many_at_once_as_one_by_one)
{
	static u64 first[SIZE / 8];
	/* Of 62.5, 24, 1000 and 33.333333 MHz. */
	static const struct kpt_tick ticks[] = {
		{ 16, 0 }, { 2796202667U, 26 }, { 1, 0 }, { 4026531880U, 27 },
	};
	const struct kpt_tick *tick;
	struct kpt_rawpage page;
	struct kpt_epochs all;
	struct kpt_epoch second;
	struct kpt_era span;
	struct kpt_scale scale;
	u32 bytes, records, i;
	bool is_empty;
	u64 ts, begin_ts, missed, ts_behind;

	fill_places();
	for (i = 0; i < 4000; i++) {
		tick = &ticks[i % ARRAY_SIZE(ticks)];
		kpt_scale_init(&scale, tick);
		ts = test_random() >> 30;
		/* In half of the runs another span begins, at a time that does not tell it. */
		all = (struct kpt_epochs){ .nr = 1 + i / 4 % 2 };
		second.count = ts + test_random() % 50000;
		second.ns = kpt_tick_convert(tick, second.count) + test_random() % 100;
		all.epoch[1] = second;
		begin(0);
		begin_ts = ts;
		bytes = fill_chunk(&ts, 0xfffffff0ULL);
		missed = test_random() % 2;
		is_empty = test_random() % 2;
		/* The page before has left the span, if there was one. */
		kpt_era_begin(&span, &all, &scale, test_random() % 4 ? ts : 0);
		page = begin(missed);
		records = put_chunk(&page, bytes, begin_ts, &span, &all, &scale, tick, is_empty,
				    false);
		ts_behind = cursor_ts;
		memcpy(first, mem, SIZE);
		kpt_era_begin(&span, &all, &scale, test_random() % 4 ? ts : 0);
		page = begin(missed);
		EXPECT_EQ(put_chunk(&page, bytes, begin_ts, &span, &all, &scale, tick, is_empty,
				    true), records);
		EXPECT(!memcmp(first, mem, SIZE));
		EXPECT_EQ(cursor_ts, ts_behind);
		kpt_era_begin(&span, &all, &scale, test_random() % 4 ? ts : 0);
		page = begin(missed);
		page.is_user = true;
		EXPECT_EQ(put_chunk(&page, bytes, begin_ts, &span, &all, &scale, tick, is_empty,
				    true), records);
		EXPECT(!page.is_fault);
		EXPECT(!memcmp(first, mem, SIZE));
	}
	EXPECT(full_pages > 100);
}

/* Wherever memory of the task ends: nothing behind that is written, and the page says so. */
TEST(a_page_that_is_not_all_there)
{
	static const struct kpt_tick tick = { 16, 0 };
	const struct kpt_epochs all = { .nr = 1 };
	struct kpt_rawpage page;
	struct kpt_scale scale;
	struct kpt_era span;
	u32 bytes, i, hole;
	u64 ts, begin_ts;

	fill_places();
	kpt_scale_init(&scale, &tick);
	fault_pages = 0;
	for (i = 0; i < 4000; i++) {
		begin(0);
		ts = begin_ts = test_random() >> 30;
		bytes = fill_chunk(&ts, 0xfffffff0ULL);
		kpt_era_begin(&span, &all, &scale, ts);
		page = begin(i % 2);
		page.is_user = true;
		hole = test_random() % SIZE;
		port_user_hole = raw + hole;
		put_chunk(&page, bytes, begin_ts, &span, &all, &scale, &tick, i % 4 > 1, true);
		port_user_hole = NULL;
		EXPECT(page.is_fault);
		for (; hole < SIZE; hole++)
			EXPECT_EQ(raw[hole], 0xee);
	}
	EXPECT(fault_pages > 100);
}

/* Whatever the writer leaves there while a chunk is read. */
TEST(rubbish_stays_inside)
{
	static const struct kpt_tick tick = { 16, 0 };
	const struct kpt_epochs all = { .nr = 1 };
	struct kpt_scale scale;
	struct kpt_era span;
	struct kpt_rawpage page;
	u32 words, i, run;
	u64 *chunk_mem;

	fill_places();
	kpt_scale_init(&scale, &tick);
	kpt_era_begin(&span, &all, &scale, 0);
	for (run = 0; run < 20000; run++) {
		struct kpt_ring_cursor cur = { .pos = 0, .at = 7, .seq = 7 };
		struct kpt_ring_chunk chunk = { .at = 0 };

		words = test_random() % 80;
		chunk_mem = malloc(words * sizeof(*chunk_mem));
		for (i = 0; i < words; i++)
			chunk_mem[i] = test_random() % 8 ? test_random() % 20 :
				test_random() % 2 ? place_number() :
				test_random() % 2 ? test_random() >> test_random() % 64 :
				(test_random() % 80 << 19 | test_random() % 5 << 8);
		chunk.mem = chunk_mem;
		chunk.bytes = words * sizeof(*chunk_mem);
		page.mem = malloc(SIZE);
		kpt_rawpage_begin(&page, page.mem, SIZE, 0);
		for (i = test_random() % 400; i; i--)
			kpt_rawpage_add(&page, payload, 4 + test_random() % 30, 0);
		if (page.used)
			kpt_rawpage_add_chunk(&page, &chunk, &cur, &span, places);
		EXPECT(page.used <= SIZE - KPT_RAWPAGE_HEADER);
		EXPECT(chunk.at == cur.pos && chunk.at <= chunk.bytes);
		kpt_rawpage_finish(&page);
		free(page.mem);
		free(chunk_mem);
	}
}

TEST_MAIN
