// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every interleaving with one interruption, and with two. The ring is compiled
 * here a second time, with a call before each shared access. The call runs another
 * operation at the n-th access, for all n. A writing operation stands for an
 * interrupt on the writer's CPU, a reading one also for a fast reader on another
 * CPU.
 */
#include "lib/base/port.h"

static void yield(void);
static void note(const volatile void *p);

#undef READ_ONCE
#undef WRITE_ONCE
#undef smp_load_acquire
#undef smp_store_release
#undef barrier
#undef cmpxchg
#define READ_ONCE(x)                                                           \
	({                                                                     \
		const volatile __typeof__(x) *__p = &(x);                      \
		note(__p);                                                     \
		yield();                                                       \
		*__p;                                                          \
	})
#define WRITE_ONCE(x, v)                                                       \
	do {                                                                   \
		__typeof__(x) __v = (v);                                       \
		yield();                                                       \
		*(volatile __typeof__(x) *)&(x) = __v;                         \
	} while (0)
#define smp_load_acquire(p) READ_ONCE(*(p))
#define smp_store_release(p, v) WRITE_ONCE(*(p), v)
#define barrier() yield()
#define cmpxchg(p, o, n) (note(p), yield(), __sync_val_compare_and_swap(p, o, n))

/* The normal copy is linked, too. */
#define kpt_ring_init step_init
#define kpt_ring_set_overwrite step_set_overwrite
#define kpt_ring_reserve step_reserve
#define kpt_ring_keep step_keep
#define kpt_ring_keep_from step_keep_from
#define kpt_ring_set_kept step_set_kept
#define kpt_ring_commit step_commit
#define kpt_ring_trim step_trim
#define kpt_ring_discard step_discard
#define kpt_ring_claim step_claim
#define kpt_ring_abandon step_abandon
#define kpt_ring_rewind step_rewind
#define kpt_ring_resume step_resume
#define kpt_ring_end step_end
#define kpt_ring_peek step_peek
#define kpt_ring_next step_next
#define kpt_ring_chunk_find step_chunk_find
#define kpt_ring_chunk_is_intact step_chunk_is_intact
#define kpt_ring_consume step_consume
#define kpt_ring_reset step_reset
#define kpt_ring_counts step_counts
#define kpt_ring_stats step_stats
#define kpt_ring_copy step_copy
#include "lib/ring/ring.c"
#include "lib/ring/ring_read.c"
#include "harness.h"

#define SIZE 4096
#define BYTES 48		/* 56 with the header: 72 records and 7 heads fill the ring */

static struct kpt_ring ring;
static u64 mem[SIZE / 8];
static struct kpt_ring other;	/* that of the snapshot */
static u64 other_mem[SIZE / 8];
static struct kpt_ring_cursor reader, consumer, observer;
static u64 tried, accepted, delivered, consumed;

/*
 * Pending interruptions: the first runs at access number at, the second at access
 * number at after that, which may be inside the first or later in the operation.
 */
static struct {
	void (*run)(void);
	int at;
} interrupt[2], *coming = interrupt + 2;
static int accesses;

static void yield(void)
{
	if (coming == interrupt + 2 || !coming->run || accesses++ != coming->at)
		return;
	accesses = 0;
	coming++;
	coming[-1].run();
}

/* Accesses to the cache line that writers write for each record, but stores of writers. */
static int hot;

static void note(const volatile void *p)
{
	hot += (uintptr_t)p - (uintptr_t)&ring < 64;
}

static bool put_bytes(u32 bytes)
{
	u64 *p = kpt_ring_reserve(&ring, bytes, tried++);

	if (!p)
		return false;
	p[0] = ~(p[-1] >> 8);		/* the header's time */
	/* What could be headers, to a reader that is overtaken. */
	for (bytes /= sizeof(*p); bytes > 1; bytes--)
		p[bytes - 1] = bytes % 2 ? 8 : bytes % 4 ? KPT_RING_HEAD : KPT_RING_BIG | 64 << 16;
	kpt_ring_commit(&ring);
	accepted++;
	return true;
}

static void put(void)
{
	put_bytes(BYTES);
}

/* A record that ends sooner than it was to, if nobody interrupts that. */
static void put_trimmed(void)
{
	/* 69 shorter ones before it: it ends where the memory does. */
	u64 *p = kpt_ring_reserve(&ring, BYTES + 8, tried++);

	if (!p)
		return;
	p[0] = ~(p[-1] >> 8);
	kpt_ring_trim(&ring, p, BYTES / 2);
	kpt_ring_commit(&ring);
	accepted++;
}

/* The fast path of hits; only readers may interrupt it. */
static void put_short(void)
{
	void *payload;
	u64 *p;

	if (!kpt_ring_begin(&ring, kpt_ring_words(BYTES), tried, &payload)) {
		put();
		return;
	}
	tried++;
	p = payload;
	p[0] = ~(p[-1] >> 8);
	kpt_ring_finish(&ring);
	accepted++;
}

static void put_next_lap(void)
{
	put_bytes(2 * BYTES);
}

static void put_two_laps(void)
{
	int i;

	for (i = 0; i < 2 * SIZE / (BYTES + 8); i++)
		put();
}

static void put_long_laps(void)
{
	int i;

	for (i = 0; i < 2 * SIZE / (2 * BYTES + 8); i++)
		put_next_lap();
}

static void drop(void)
{
	u64 *p = kpt_ring_reserve(&ring, BYTES, tried);

	if (p)
		kpt_ring_discard(&ring, p);
	else
		tried++;
}

static void drop_around_put(void)
{
	u64 *p = kpt_ring_reserve(&ring, BYTES, tried);

	put();
	if (p)
		kpt_ring_discard(&ring, p);
	else
		tried++;
}

static bool get(struct kpt_ring_cursor *cur, struct kpt_ring_info *info)
{
	u64 buf[SIZE / 8];

	if (kpt_ring_next(&ring, cur, buf, sizeof(buf), info) <= 0)
		return false;
	if (buf[0] != ~info->ts)
		EXPECT_EQ(buf[0], ~info->ts);
	return true;
}

static void read_one(void)
{
	struct kpt_ring_info info;

	get(&reader, &info);
}

/* Read all where they are; if they were overwritten meanwhile, nothing was read. */
static void read_chunk(void)
{
	struct kpt_ring_cursor before = reader;
	struct kpt_ring_chunk chunk;
	struct kpt_ring_info info;
	unsigned int torn = 0;
	const u64 *p;

	if (!kpt_ring_chunk_find(&ring, &reader, &chunk))
		return;
	while ((p = kpt_ring_chunk_next(&chunk, &reader, &info))) {
		torn += READ_ONCE(*p) != ~info.ts;
		kpt_ring_chunk_pass(&chunk, &reader, &info);
	}
	if (kpt_ring_chunk_is_intact(&ring, &chunk))
		EXPECT_EQ(torn, 0);
	else
		reader = before;
}

static void consume_one(void)
{
	struct kpt_ring_info info;
	u64 n;

	if (get(&reader, &info)) {
		delivered++;
		n = kpt_ring_consume(&ring, &reader);
		consumed += n;
	}
}

static void consume_all(void)
{
	struct kpt_ring_info info;
	u64 n;

	while (get(&consumer, &info)) {
		delivered++;
		n = kpt_ring_consume(&ring, &consumer);
		consumed += n;
	}
}

static void count(void)
{
	struct kpt_ring_stats st;

	kpt_ring_stats(&ring, &st);
	EXPECT(st.written <= accepted);
	EXPECT(st.entries <= SIZE / 16);
	EXPECT(st.overrun <= st.written);
	EXPECT(st.read <= delivered);
	EXPECT(st.bytes <= SIZE);
}

/* Where a bounded reader ends. */
static void find_end(void)
{
	u64 before = accepted, end = kpt_ring_end(&ring);

	EXPECT(end >= before && end <= accepted);
}

static void rewind_reader(void)
{
	kpt_ring_rewind(&ring, &reader);
	EXPECT(reader.seq <= accepted);
}

/*
 * A snapshot is taken, with interrupts masked: the interrupted writer continues in a ring
 * that is another one.
 */
static void swap_if_idle(void)
{
	__typeof__(&interrupt[0]) masked = coming;
	struct kpt_ring was;

	coming = interrupt + 2;
	was = ring;
	if (kpt_ring_is_idle(&ring)) {
		ring = other;
		other = was;
	}
	coming = masked;
}

static void reset(void)
{
	kpt_ring_reset(&ring);
}

/* Read to the end: no record is missing, duplicated or uncounted. */
static u64 walk(struct kpt_ring_cursor *cur, u64 *lost)
{
	u64 n = 0, expected = max(cur->seq, ring.base_seq);
	struct kpt_ring_info info;

	for (*lost = 0; get(cur, &info); n++) {
		EXPECT_EQ(info.seq, expected + info.lost);
		expected = info.seq + 1;
		*lost += info.lost;
	}
	return n;
}

/* A mark stays true for ever, so a later check must confirm it. */
static void check_mark(void)
{
	const struct kpt_ring_mark *m = &ring.mark[ring.marks % 2];
	struct kpt_ring_mark at = *m;
	struct kpt_ring_cursor cur;
	struct ring_view v;

	if (ring_seek(&ring, &cur, m->seq, ring.commit, &v) > 0) {
		EXPECT_EQ(cur.at, m->seq);
		EXPECT(ring_count_to(&ring, &at, cur.pos));
		EXPECT_EQ(at.seq, m->seq);
	} else {
		EXPECT_EQ(m->seq, ring.seq);
	}
}

static void check(void)
{
	struct kpt_ring_stats st;
	u64 n, lost, refused = 0;
	int i;

	EXPECT_EQ(ring.state, 0);
	check_mark();
	kpt_ring_stats(&ring, &st);
	for (i = 0; i < KPT_RING_DROPS; i++)
		refused += st.dropped[i] + ring.base_dropped[i];
	EXPECT_EQ(ring.seq, accepted);
	EXPECT_EQ(refused, tried - accepted);
	EXPECT_EQ(st.written, st.entries + st.read + st.overrun);
	EXPECT_EQ(st.written + ring.base_seq, accepted);
	EXPECT(st.overrun <= st.written);
	EXPECT(consumed <= delivered);
	EXPECT_EQ(st.read, consumed);
	n = walk(&observer, &lost);
	EXPECT_EQ(n + lost + ring.base_seq, accepted);
	kpt_ring_rewind(&ring, &observer);
	n = walk(&observer, &lost);
	EXPECT_EQ(n, st.entries);
	EXPECT_EQ(lost, 0);
	walk(&reader, &lost);
	kpt_ring_consume(&ring, &reader);
	kpt_ring_stats(&ring, &st);
	EXPECT_EQ(st.entries, 0);
	EXPECT(put_bytes(8));
}

/* After a race of consumers each record is counted once, none as overrun. */
static void check_consumed(void)
{
	struct kpt_ring_stats st;

	check();
	kpt_ring_stats(&ring, &st);
	EXPECT_EQ(st.overrun, 0);
}

/* Both rings have published all their records, and take more. */
static void check_swapped(void)
{
	int i;

	EXPECT_EQ(ring.seq + other.seq, accepted);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(ring.state, 0);
		EXPECT_EQ(ring.write, ring.commit);
		EXPECT(put_bytes(8));
		EXPECT_EQ(ring.write, ring.commit);
		swap_if_idle();
	}
}

struct scene {
	const char *name;
	int before;			/* number of records put before */
	void (*operation)(void);
	void (*interrupt)(void);
	void (*second)(void);
	void (*check)(void);
};

static const struct scene scenes[] = {
	{ "put, put, put", 1, put, put, put, check },
	{ "put, claim, put", 79, put, put, put, check },
	{ "put, put, claim", 78, put, put, put, check },
	{ "put, put, drop", 78, put, put, drop, check },
	{ "put, put, short", 1, put, put, put_short, check },
	{ "put, claim, short", 79, put, put, put_short, check },
	{ "short, consumer", 11, put_short, consume_all, NULL, check },
	{ "short, stats", 11, put_short, count, NULL, check },
	{ "claim, put, put", 80, put, put, put, check },
	{ "claim, two laps", 80, put, put_two_laps, NULL, check },
	{ "claim, consumer", 80, put, consume_all, NULL, check },
	{ "lap, put, put", 139, put_next_lap, put, put, check },
	{ "lap, consumer, put", 139, put_next_lap, consume_all, put, check },
	{ "drop, put, put", 1, drop, put, put, check },
	{ "drop, put, short", 1, drop, put, put_short, check },
	{ "drop, two laps", 69, drop, put_two_laps, NULL, check },
	{ "drop, drop around put", 69, drop, drop_around_put, put, check },
	{ "drop around put, put", 69, drop_around_put, put, put, check },
	{ "drop around put, drop", 68, drop_around_put, drop, put, check },
	{ "trim, put, put", 10, put_trimmed, put, put, check },
	{ "trim, drop, put", 10, put_trimmed, drop, put, check },
	{ "trim at end of lap, drop, put", 69, put_trimmed, drop, put, check },
	{ "next, put, put", 70, read_one, put, put, check },
	{ "next, put, short", 70, read_one, put, put_short, check },
	{ "next, two laps", 70, read_one, put_two_laps, put, check },
	{ "next, consumer, put", 10, read_one, consume_all, put, check },
	{ "chunk, put, put", 70, read_chunk, put, put, check },
	{ "chunk, put, short", 70, read_chunk, put, put_short, check },
	{ "chunk, two laps", 70, read_chunk, put_two_laps, NULL, check },
	{ "chunk, drop, next lap", 68, read_chunk, drop, put_next_lap, check },
	{ "consume, put, put", 80, consume_one, put, put, check },
	{ "consume, two laps", 40, consume_one, put_two_laps, NULL, check },
	{ "consume, consumer", 10, consume_one, consume_all, NULL,
	  check_consumed },
	{ "consume, consumer, put", 70, consume_one, consume_all, put, check },
	{ "stats, put, put", 70, count, put, put, check },
	{ "stats, put, short", 70, count, put, put_short, check },
	{ "stats, two laps", 70, count, put_two_laps, NULL, check },
	{ "end, put, put", 70, find_end, put, put, check },
	{ "end, long laps", 70, find_end, put_long_laps, put_two_laps, check },
	{ "stats, consumer, put", 40, count, consume_all, put, check },
	{ "rewind, two laps", 70, rewind_reader, put_two_laps, NULL, check },
	{ "rewind, consumer, put", 40, rewind_reader, consume_all, put, check },
	{ "reset, put, put", 80, reset, put, put, check },
	{ "reset, two laps", 80, reset, put_two_laps, NULL, check },
	{ "put, swap, put", 1, put, swap_if_idle, put, check_swapped },
	{ "put, put, swap", 1, put, put, swap_if_idle, check_swapped },
	{ "claim, swap, swap", 80, put, swap_if_idle, swap_if_idle, check_swapped },
};

static void set_up(const struct scene *s)
{
	int i;

	kpt_ring_init(&ring, mem, sizeof(mem));
	kpt_ring_init(&other, other_mem, sizeof(other_mem));
	tried = accepted = delivered = consumed = 0;
	kpt_ring_rewind(&ring, &observer);
	for (i = 0; i < s->before; i++)
		put();
	kpt_ring_rewind(&ring, &reader);
	consumer = reader;
}

/* Returns the number of interruptions that have run. */
static int play(const struct scene *s, int first, int second)
{
	int ran;

	set_up(s);
	interrupt[0].run = s->interrupt;
	interrupt[0].at = first;
	interrupt[1].run = s->second;
	interrupt[1].at = second;
	accesses = 0;
	coming = interrupt;
	s->operation();
	ran = coming - interrupt;
	coming = interrupt + 2;
	s->check();
	return ran;
}

/* All places of the first interruption, and for each all places of the second. */
static int play_all(const struct scene *s)
{
	int plays = 0, before = test_failures, first, second, ran;

	for (first = 0; ; first++) {
		for (second = 0; ; second++) {
			ran = play(s, first, second);
			plays++;
			if (test_failures != before) {
				printf("not ok: %s at %d, %d\n", s->name,
				       first, second);
				return plays;
			}
			if (ran < 2)
				break;
		}
		if (!ran)
			return plays;
	}
}

TEST(readers_leave_the_line_of_writers_alone)
{
	struct kpt_ring_info info;
	int i;

	kpt_ring_init(&ring, mem, sizeof(mem));
	for (i = 0; i < 40; i++)
		put();
	kpt_ring_rewind(&ring, &reader);
	hot = 0;
	for (i = 0; i < 40; i++) {
		EXPECT(get(&reader, &info));
		kpt_ring_consume(&ring, &reader);
	}
	EXPECT_EQ(hot, 0);
	EXPECT(!get(&reader, &info));
	EXPECT_EQ(hot, 1);
}

TEST(interruptions_anywhere)
{
	int i, plays;

	for (i = 0; i < ARRAY_SIZE(scenes); i++) {
		plays = play_all(&scenes[i]);
		EXPECT(plays > 5);
		if (getenv("VERBOSE"))
			printf("%s: %d plays\n", scenes[i].name, plays);
	}
}

TEST_MAIN
