// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ring with several threads: one writes like a CPU, interrupted by signals that
 * write, too; others read, consume and count. The content of a record shows whether
 * it is whole; at the end the sums must agree.
 *
 * Overwriting and reading race by design, so there both sides access words
 * atomically and only sums and contents are judged. In no-overwrite mode with
 * one consumer nothing may race: payloads are written plainly, and the thread
 * sanitizer checks that publishing and freeing order them.
 */
#define _GNU_SOURCE
#include "lib/base/port.h"
#include "lib/ring/ring.h"
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include "harness.h"

#define RINGS 2
#define CONSUMERS 2
#define DEPTH 3
#define WRITES 4000
#define WORDS 40

struct cpu {
	struct kpt_ring ring;
	u64 mem[12288 / 8];
	struct kpt_ring_cursor start;
	bool overwrite;
	int done;
	int depth, deepest, shorts;
	u64 id, accepted, refused;	/* atomic: interruptions change them, too */
	u64 consumed;			/* by all consumers */
};

static struct cpu cpus[RINGS];
static __thread struct cpu *this_cpu;
static int bad;				/* atomic: number of failed CHECK()s */

static u64 add(u64 *counter, u64 n)
{
	return __atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}

static bool done(struct cpu *c)
{
	return __atomic_load_n(&c->done, __ATOMIC_ACQUIRE);
}

/* EXPECT() for threads. */
#define CHECK(cond)                                                            \
	do {                                                                   \
		if (!(cond)) {                                                 \
			__atomic_fetch_add(&bad, 1, __ATOMIC_RELAXED);         \
			fprintf(stderr, "%s:%d: expected %s\n", __FILE__,      \
				__LINE__, #cond);                              \
		}                                                              \
	} while (0)

/* The first word is the number of the record; it determines all other words. */
static u64 letters(u64 id)
{
	return ('a' + id % 26) * 0x0101010101010101ULL;
}

static u32 words_of(u64 id)
{
	return 1 + id * 7 % WORDS;
}

/*
 * The sanitizer holds back signals while a handler runs, so deep nesting needs
 * help: between reserve and commit some records call the handler.
 */
static void on_interrupt(int sig);

static void maybe_interrupt(u64 id)
{
	if (id * 2654435761u >> 20 & 1)
		on_interrupt(SIGUSR1);
}

static void fill(struct cpu *c, u64 *p, u64 id)
{
	u32 i, n = words_of(id);

	if (c->overwrite) {
		WRITE_ONCE(p[0], id);
		maybe_interrupt(id);
		for (i = 1; i < n; i++)
			WRITE_ONCE(p[i], letters(id));
	} else {
		p[0] = id;
		maybe_interrupt(id);
		memset(p + 1, letters(id) & 0xff, (n - 1) * 8);
	}
}

static void write_one(struct cpu *c)
{
	u64 id = add(&c->id, 1);
	u64 *p = kpt_ring_reserve(&c->ring, words_of(id) * 8, id);

	if (!p) {
		add(&c->refused, 1);
		return;
	}
	fill(c, p, id);
	if (id % 5 == 0) {
		kpt_ring_discard(&c->ring, p);
	} else {
		kpt_ring_commit(&c->ring);
		add(&c->accepted, 1);
	}
}

static void on_interrupt(int sig)
{
	struct cpu *c = this_cpu;

	(void)sig;
	if (c->depth == DEPTH)
		return;
	c->depth++;
	if (c->deepest < c->depth)
		c->deepest = c->depth;
	write_one(c);
	write_one(c);
	c->depth--;
}

/* Nothing interrupts this one. */
static void write_short(struct cpu *c)
{
	u64 id = add(&c->id, 1), words = kpt_ring_words(words_of(id) * 8);
	void *p;

	WRITE_ONCE(c->depth, DEPTH);
	barrier();
	if (kpt_ring_begin(&c->ring, words, id, &p)) {
		fill(c, p, id);
		kpt_ring_finish(&c->ring);
		add(&c->accepted, 1);
		c->shorts++;
	}
	barrier();
	WRITE_ONCE(c->depth, 0);
}

static timer_t start_timer(void)
{
	struct itimerspec every = { { 0, 50000 }, { 0, 50000 } };
	struct sigevent ev = { .sigev_notify = SIGEV_THREAD_ID,
			       .sigev_signo = SIGUSR1 };
	timer_t timer;

	ev._sigev_un._tid = gettid();
	EXPECT_EQ(timer_create(CLOCK_MONOTONIC, &ev, &timer), 0);
	timer_settime(timer, 0, &every, NULL);
	return timer;
}

static void *writer(void *arg)
{
	struct cpu *c = arg;
	timer_t timer;
	int i;

	this_cpu = c;
	timer = start_timer();
	for (i = 0; i < WRITES; i++) {
		write_one(c);
		write_short(c);
		while (!c->overwrite &&
		       READ_ONCE(c->ring.seq) - READ_ONCE(c->ring.tail) > 40)
			sched_yield();
	}
	timer_delete(timer);
	return NULL;
}

static bool whole(const u64 *p, const struct kpt_ring_info *info)
{
	u32 i;

	if (p[0] != info->ts || info->size != words_of(p[0]) * 8)
		return false;
	for (i = 1; i < info->size / 8; i++)
		if (p[i] != letters(p[0]))
			return false;
	return true;
}

static int next_whole(struct cpu *c, struct kpt_ring_cursor *cur, u64 *lost)
{
	u64 buf[WORDS], expected = cur->seq;
	struct kpt_ring_info info;
	int ret = kpt_ring_next(&c->ring, cur, buf, sizeof(buf), &info);

	if (ret <= 0)
		return ret;
	CHECK(whole(buf, &info));
	CHECK(info.seq == expected + info.lost);
	*lost += info.lost;
	return ret;
}

/* Sees all records from the start to the end, or their number as lost. */
static void *reader(void *arg)
{
	struct kpt_ring_cursor cur;
	struct cpu *c = arg;
	u64 n = 0, lost = 0;
	bool last;

	cur = c->start;
	do {
		last = done(c);
		while (next_whole(c, &cur, &lost) > 0)
			n++;
	} while (!last);
	CHECK(n + lost == c->accepted);
	return NULL;
}

static void *consumer(void *arg)
{
	struct kpt_ring_cursor cur;
	struct cpu *c = arg;
	u64 n = 0, lost = 0, consumed = 0;
	bool last;

	cur = c->start;
	do {
		last = done(c);
		while (next_whole(c, &cur, &lost) > 0) {
			n++;
			consumed += kpt_ring_consume(&c->ring, &cur);
		}
	} while (!last);
	CHECK(n + lost == c->accepted);
	CHECK(c->overwrite || !lost);
	CHECK(consumed <= n);
	add(&c->consumed, consumed);
	return NULL;
}

/* Counts, and starts again at the tail each time. */
static void *auditor(void *arg)
{
	struct kpt_ring_mark known = { 0 };
	struct kpt_ring_cursor cur;
	struct kpt_ring_stats st;
	struct cpu *c = arg;
	u64 lost = 0, before = 0;

	while (!done(c)) {
		kpt_ring_stats(&c->ring, &st);
		CHECK(st.written >= before);
		CHECK(st.overrun <= st.written);
		CHECK(st.bytes <= c->ring.size);
		before = st.written;
		kpt_ring_counts(&c->ring, &known, &st);
		CHECK(st.written >= before);
		CHECK(st.overrun <= st.written);
		before = st.written;
		kpt_ring_rewind(&c->ring, &cur);
		while (next_whole(c, &cur, &lost) > 0)
			;
	}
	return NULL;
}

static void audit(struct cpu *c)
{
	struct kpt_ring_stats st;
	u64 dropped = 0;
	int i;

	kpt_ring_stats(&c->ring, &st);
	for (i = 0; i < KPT_RING_DROPS; i++)
		dropped += st.dropped[i];
	EXPECT_EQ(dropped, c->refused);
	EXPECT_EQ(st.written, c->accepted);
	EXPECT_EQ(st.written, st.read + st.overrun + st.entries);
	EXPECT_EQ(st.entries, 0);
	EXPECT_EQ(st.read, c->consumed);
	EXPECT(c->overwrite || st.read == c->accepted);
	EXPECT_EQ(c->deepest, DEPTH);
	EXPECT(c->accepted > WRITES / 10);
	EXPECT(c->shorts > WRITES / 10);
	if (getenv("VERBOSE"))
		printf("written %llu read %llu overrun %llu refused %llu, %llu nested, %d short\n",
		       (unsigned long long)st.written,
		       (unsigned long long)st.read,
		       (unsigned long long)st.overrun,
		       (unsigned long long)dropped,
		       (unsigned long long)st.dropped[KPT_RING_DROP_NESTED],
		       c->shorts);
}

static void set_up(struct cpu *c, bool overwrite)
{
	memset(c, 0, sizeof(*c));
	c->overwrite = overwrite;
	kpt_ring_init(&c->ring, c->mem, sizeof(c->mem));
	kpt_ring_set_overwrite(&c->ring, overwrite);
	kpt_ring_rewind(&c->ring, &c->start);
}

static int start_readers(pthread_t *thread, struct cpu *c)
{
	int i, n = 0;

	if (c->overwrite) {
		for (i = 1; i < CONSUMERS; i++)
			pthread_create(&thread[n++], NULL, consumer, c);
		pthread_create(&thread[n++], NULL, reader, c);
		pthread_create(&thread[n++], NULL, auditor, c);
	}
	pthread_create(&thread[n++], NULL, consumer, c);
	return n;
}

static void run(bool overwrite)
{
	struct sigaction sa = { .sa_handler = on_interrupt,
				.sa_flags = SA_NODEFER | SA_RESTART };
	pthread_t writers[RINGS], readers[RINGS * (CONSUMERS + 2)];
	int i, n = 0;

	sigaction(SIGUSR1, &sa, NULL);
	bad = 0;
	for (i = 0; i < RINGS; i++) {
		set_up(&cpus[i], overwrite);
		n += start_readers(readers + n, &cpus[i]);
		pthread_create(&writers[i], NULL, writer, &cpus[i]);
	}
	for (i = 0; i < RINGS; i++) {
		pthread_join(writers[i], NULL);
		__atomic_store_n(&cpus[i].done, 1, __ATOMIC_RELEASE);
	}
	while (n--)
		pthread_join(readers[n], NULL);
	EXPECT_EQ(bad, 0);
	for (i = 0; i < RINGS; i++)
		audit(&cpus[i]);
}

TEST(overwriting_races_with_readers)
{
	run(true);
}

TEST(nothing_races_without_overwriting)
{
	run(false);
}

TEST_MAIN
