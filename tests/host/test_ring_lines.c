// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which cache lines CPUs take from each other when hits on some of them are recorded while
 * others read. The ring is compiled here a second time, with a call for each shared access; a
 * directory of lines (MESI, caches without an end) counts what a CPU has to fetch from another
 * one, or has to take from others before it writes.
 *
 * The lines of the records are counted apart: in each lap they go to the readers and back.
 */
#include "lib/base/port.h"

static void line_read(const volatile void *p);
static void line_write(const volatile void *p);

#undef READ_ONCE
#undef WRITE_ONCE
#undef smp_load_acquire
#undef smp_store_release
#undef cmpxchg
#define READ_ONCE(x)                                                           \
	({                                                                     \
		const volatile __typeof__(x) *__p = &(x);                      \
		line_read(__p);                                                \
		*__p;                                                          \
	})
#define WRITE_ONCE(x, v)                                                       \
	do {                                                                   \
		line_write(&(x));                                              \
		*(volatile __typeof__(x) *)&(x) = (v);                         \
	} while (0)
#define smp_load_acquire(p) READ_ONCE(*(p))
#define smp_store_release(p, v) WRITE_ONCE(*(p), v)
#define cmpxchg(p, o, n) (line_write(p), __sync_val_compare_and_swap(p, o, n))

/* The normal copy is linked, too. */
#define kpt_ring_init lines_init
#define kpt_ring_set_overwrite lines_set_overwrite
#define kpt_ring_reserve lines_reserve
#define kpt_ring_keep lines_keep
#define kpt_ring_keep_from lines_keep_from
#define kpt_ring_set_kept lines_set_kept
#define kpt_ring_commit lines_commit
#define kpt_ring_trim lines_trim
#define kpt_ring_discard lines_discard
#define kpt_ring_claim lines_claim
#define kpt_ring_abandon lines_abandon
#define kpt_ring_rewind lines_rewind
#define kpt_ring_resume lines_resume
#define kpt_ring_end lines_end
#define kpt_ring_peek lines_peek
#define kpt_ring_next lines_next
#define kpt_ring_chunk_find lines_chunk_find
#define kpt_ring_chunk_is_intact lines_chunk_is_intact
#define kpt_ring_consume lines_consume
#define kpt_ring_reset lines_reset
#define kpt_ring_counts lines_counts
#define kpt_ring_stats lines_stats
#define kpt_ring_copy lines_copy
#include "lib/ring/ring.c"
#include "lib/ring/ring_read.c"
#include "harness.h"

#define WRITERS_MAX	64
#define READERS_MAX	4
#define SIZE		65536
#define BYTES		24	/* a hit of two registers */
#define LINE		64

/* All that is shared. */
static struct {
	struct kpt_ring ring[WRITERS_MAX];
	u64 mem[WRITERS_MAX][SIZE / 8];
} all __attribute__((__aligned__(LINE)));

/* The CPUs that have a line, a bit for each: writers, then readers. Was it ever changed? */
static struct {
	unsigned __int128 cpus;
	bool changed;
} lines[sizeof(all) / LINE];

static unsigned int cpu, writers, readers;
/* Misses of the CPUs that write: on lines of struct kpt_ring, and of records. */
static u64 misses_ring, misses_records;

static void line_use(const volatile void *p, bool write)
{
	const unsigned __int128 me = (unsigned __int128)1 << cpu;
	size_t at = (uintptr_t)p - (uintptr_t)&all;
	bool miss;

	if (at >= sizeof(all))
		return;
	at /= LINE;
	/* What no CPU has comes from memory. */
	miss = lines[at].cpus & ~me && (write || (lines[at].changed && !(lines[at].cpus & me)));
	if (miss && cpu < writers) {
		if (at * LINE < offsetof(typeof(all), mem))
			misses_ring++;
		else
			misses_records++;
	}
	lines[at].cpus = write ? me : lines[at].cpus | me;
	lines[at].changed |= write;
}

static void line_read(const volatile void *p)
{
	line_use(p, false);
}

static void line_write(const volatile void *p)
{
	line_use(p, true);
}

/* As a recorder does it. */
static void hit(struct kpt_ring *r, u64 ts)
{
	void *payload;
	u32 i;

	line_read(&r->claim);
	if (kpt_ring_begin(r, kpt_ring_words(BYTES), ts, &payload)) {
		for (i = 0; i < BYTES; i += 8)
			WRITE_ONCE(*(u64 *)((u8 *)payload + i), ts);
		kpt_ring_finish(r);
	} else {
		EXPECT(kpt_ring_reserve(r, BYTES, ts));
		kpt_ring_commit(r);
	}
}

/*
 * @nr hits on each of @w CPUs, while each of @n readers, which are @behind records behind,
 * reads as many, and the first one consumes them.
 */
static void run(unsigned int w, unsigned int n, int behind, int nr)
{
	static struct kpt_ring_cursor cursor[READERS_MAX][WRITERS_MAX];
	struct kpt_ring_info info;
	u64 buf[BYTES / 8];
	unsigned int i, reader;
	int k;

	writers = w;
	readers = n;
	memset(lines, 0, sizeof(lines));
	for (i = 0; i < w; i++) {
		kpt_ring_init(&all.ring[i], all.mem[i], SIZE);
		for (reader = 0; reader < n; reader++)
			kpt_ring_rewind(&all.ring[i], &cursor[reader][i]);
	}
	for (k = 0; k < nr + behind; k++) {
		if (k == behind)
			misses_ring = misses_records = 0;
		for (cpu = 0; cpu < w; cpu++)
			hit(&all.ring[cpu], k);
		for (reader = 0; k >= behind && reader < n; reader++) {
			cpu = w + reader;
			for (i = 0; i < w; i++) {
				EXPECT(kpt_ring_next(&all.ring[i], &cursor[reader][i], buf,
						     sizeof(buf), &info) > 0);
				EXPECT_EQ(info.ts, k - behind);
				if (!reader)
					kpt_ring_consume(&all.ring[i], &cursor[reader][i]);
			}
		}
	}
}

/* A hit in ten may have to wait for one line; the records themselves come and go. */
TEST(readers_that_are_behind_leave_hits_alone)
{
	static const unsigned int cpus[] = { 1, 4, 64 }, nr[] = { 0, 1, 4 };
	const int hits = 3000;
	int i, k;

	for (i = 0; i < ARRAY_SIZE(cpus); i++)
		for (k = 0; k < ARRAY_SIZE(nr); k++) {
			run(cpus[i], nr[k], 100, hits);
			printf("# %u CPUs, %u readers: %.3f misses a hit, on records %.3f\n",
			       cpus[i], nr[k], (double)misses_ring / hits / cpus[i],
			       (double)misses_records / hits / cpus[i]);
			EXPECT(misses_ring * 10 <= (u64)hits * cpus[i]);
		}
}

TEST_MAIN
