// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ring buffer of one CPU.
 */
#include <kptrace/port.h>
#include "lib/ring.h"

/**
 * DOC: ring buffer
 *
 * Data structure
 * --------------
 * A ring is a block of memory, any multiple of 4096 bytes, written over and
 * over. A *position* is a 64-bit count of bytes since the beginning and never
 * wraps; a *lap* is one trip through the memory, so position p lives at offset
 * p % size. Records are contiguous: where one does not fit before the end of
 * the lap, padding fills the lap and the record begins the next one. Therefore
 * each lap begins with a record, and the writer, which keeps where the lap
 * began and ends, never divides.
 *
 * A record is a header of two 64-bit words, then the payload, in multiples of
 * 8 bytes. Word one: size of the whole (bits 31..3), padding flag (bit 0), low
 * half of the record's number (bits 63..32). Word two: the caller's time. The
 * first word alone makes padding. Numbers count from 0 without gaps, so that a
 * difference of numbers is an exact count of records.
 *
 * Four positions, in this order::
 *
 *   claim - size  <=  tail  <=  commit  <=  write  <=  claim
 *
 *   tail    oldest record neither consumed nor overwritten
 *   commit  readers may read up to here
 *   write   writers have reserved up to here
 *   claim   writers may write up to here without looking at anything else
 *
 * All but write only ever grow.
 *
 * States of a record
 * ------------------
 * open       between commit and write: reserved, being filled or, if it belongs
 *            to an inner writer, complete but hidden behind an open outer one
 * committed  between tail and commit
 * consumed   before tail, but not yet before claim - size: intact, and still
 *            read by cursors that have not come that far
 * gone       before claim - size
 *
 * Writers
 * -------
 * Only the ring's own CPU writes. Its contexts nest strictly: what interrupts a
 * writer finishes before the writer goes on. Between reserve and commit any
 * number of inner writers may come. The reservation itself, a few instructions,
 * is guarded by KPT_RING_BUSY: an inner writer that meets it is refused and
 * counted. (Where hits are taken with interrupts masked only an NMI can be so
 * unlucky.) The rest of state counts open records; the one that closes the last
 * open record publishes everything by moving commit. A record that ends up
 * unwanted is given back if it is the last one, else it becomes padding and
 * those behind it, all of them inner and not yet public, move up in number.
 *
 * A writer that nothing can interrupt, as hits are, needs none of this if it
 * did not interrupt another one itself: kpt_ring_begin() and kpt_ring_finish()
 * move write and commit and leave state alone.
 *
 * Most reservations stay below claim and touch nothing shared. When claim is
 * reached, claim_room() moves it by kpt_ring_step(), at most to the end of the
 * lap. In overwrite mode it first moves tail past as many records as must go.
 * It never moves tail past commit, so an open record is never overwritten.
 *
 * Readers
 * -------
 * A reader has a cursor and takes no lock: it copies a record, then looks at
 * claim. Position p was intact during the copy if claim <= p + size still
 * holds. If not, the cursor goes on at the oldest boundary known: tail, or the
 * beginning of the current lap, which may be older if another reader consumes.
 * Every reader sees every record, whoever else consumes.
 *
 * Accounting
 * ----------
 * tail is moved by compare-and-exchange only. A consumer that wins adds what it
 * passed to read. All else follows from record numbers: written is the number
 * at commit, entries lies between the numbers at tail and commit, overrun is
 * the number at tail less read. So written = read + overrun + entries by
 * construction. The number at an empty ring's commit stands in no header; to
 * find it, claim_room() leaves a mark, a (position, number) pair at commit, and
 * a reader walks from there, some kpt_ring_step() bytes.
 *
 * A reset remembers the number at commit, moves tail there, and reports the
 * difference from then on. It disturbs nobody; cursors skip older numbers.
 *
 * Memory ordering
 * ---------------
 * ==================  ================  =====================================
 * publish:A release   find:A acquire    commit: records before it are complete,
 *                     number:C          and seq counts them
 * claim:A wmb         intact:A rmb      claim is moved before the bytes it
 *                                       gives up are written; the copy is read
 *                                       before claim
 * room:A acquire      consume:A cmpxchg a consumer is done with a record before
 *                     reset:A           its room is used again
 * consume:A cmpxchg   tail:A acquire    whoever sees tail moved sees commit at
 * room:B, reset:A     tail:B            least there
 * mark:A release      number:A acquire  the newest mark's fields are complete
 * claim:A wmb         number:B rmb      marks is moved before the older mark is
 *                                       overwritten; fields are read before
 *                                       marks is read again
 * ==================  ================  =====================================
 *
 * KPT_RING_BUSY and the count of open records are seen by their own CPU only:
 * barrier() keeps the compiler from moving accesses across them.
 */

/**
 * kpt_ring_init() - begin an empty ring in overwrite mode
 * @r: the ring
 * @data: its memory, aligned to 8, owned by the caller
 * @size: bytes at @data, a multiple of 4096 and less than 4 GiB
 *
 * Context: any; nobody else may use @r yet.
 */
void kpt_ring_init(struct kpt_ring *r, void *data, u32 size)
{
	memset(r, 0, sizeof(*r));
	r->overwrite = 1;
	r->base = (unsigned long)data;
	r->data = data;
	r->size = size;
	r->lap_end = size;
	r->max = size / 2;
}

/**
 * kpt_ring_set_overwrite() - choose what happens when the ring is full
 * @r: the ring
 * @on: true: the oldest records make room; false: new ones are refused
 *
 * Context: any CPU, while writers run.
 */
void kpt_ring_set_overwrite(struct kpt_ring *r, bool on)
{
	WRITE_ONCE(r->overwrite, on);
}

/* tail may lie one lap behind write, never more. */
static struct kpt_ring_header *writer_at(const struct kpt_ring *r, u64 pos)
{
	if (pos + r->size < r->lap_end)
		pos += r->size;
	return (struct kpt_ring_header *)(r->base + pos);
}

static void set_mark(struct kpt_ring *r, u64 pos, u64 seq)
{
	u32 n = r->marks + 1;

	WRITE_ONCE(r->mark[n % 2].pos, pos);
	WRITE_ONCE(r->mark[n % 2].seq, seq);
	smp_store_release(&r->marks, n);		/* mark:A */
}

/*
 * Mark commit before claim moves. If all is public it is the next record's
 * place. If not, commit stays where it is while inner writers may overwrite
 * all before it, the old mark included: count the records between the two.
 */
static void mark_commit(struct kpt_ring *r)
{
	u64 pos = r->mark[r->marks % 2].pos, seq = r->mark[r->marks % 2].seq;
	u64 word;

	if (r->commit == r->write) {
		set_mark(r, r->commit, r->seq);
		return;
	}
	if (pos == r->commit)
		return;
	for (; pos != r->commit; pos += word & KPT_RING_SIZE) {
		word = writer_at(r, pos)->word;
		seq += !(word & KPT_RING_PADDING);
	}
	set_mark(r, pos, seq);
}

static bool refuse(struct kpt_ring *r, enum kpt_ring_drop why)
{
	WRITE_ONCE(r->dropped[why], r->dropped[why] + 1);
	return false;
}

/*
 * Make room up to wish if that can be had, up to need if not. Returns where the
 * room ends; 0 if need can not be met, and then nothing was overwritten.
 */
static u64 make_room(struct kpt_ring *r, u64 need, u64 wish)
{
	bool overwrite = READ_ONCE(r->overwrite);
	u64 tail, pos;

	do {
		tail = smp_load_acquire(&r->tail);	/* room:A */
		pos = tail;
		while (overwrite && pos + r->size < wish && pos != r->commit)
			pos += writer_at(r, pos)->word & KPT_RING_SIZE;
		if (pos + r->size < need) {
			refuse(r, overwrite ? KPT_RING_DROP_OPEN :
					      KPT_RING_DROP_FULL);
			return 0;
		}
	} while (pos != tail &&
		 cmpxchg(&r->tail, tail, pos) != tail);		/* room:B */
	return min(wish, pos + r->size);
}

static void begin_lap(struct kpt_ring *r)
{
	u64 left = r->lap_end - r->write;

	if (left)
		WRITE_ONCE(writer_at(r, r->write)->word, left | KPT_RING_PADDING);
	r->write = r->lap_end;
	r->lap_end += r->size;
	r->base -= r->size;
}

/* The slow part of a reservation: len bytes at write would pass claim. */
static bool claim_room(struct kpt_ring *r, u64 len)
{
	u64 start = r->write, end = r->lap_end, room;

	if (len > r->max)
		return refuse(r, KPT_RING_DROP_BIG);
	if (start + len > end) {
		start = end;
		end += r->size;
	}
	room = make_room(r, start + len,
			 min(start + len + kpt_ring_step(r), end));
	if (!room)
		return false;
	mark_commit(r);
	WRITE_ONCE(r->claim, room);
	smp_wmb();					/* claim:A */
	if (end != r->lap_end)
		begin_lap(r);
	return true;
}

/**
 * kpt_ring_reserve() - open a record
 * @r: the ring of this CPU
 * @bytes: payload wanted; rounded up to a multiple of 8
 * @ts: time of the record
 *
 * The caller fills the payload and ends with kpt_ring_commit() or
 * kpt_ring_discard(), without changing CPU in between. What it does not write
 * holds bytes of older records.
 *
 * Context: BRK; any context of the ring's own CPU, nesting.
 * Return: the payload, aligned to 8, or NULL: refused and counted.
 */
void *kpt_ring_reserve(struct kpt_ring *r, u32 bytes, u64 ts)
{
	u64 len = kpt_ring_length(bytes);
	u32 state = READ_ONCE(r->state);
	void *payload = NULL;

	if (state & KPT_RING_BUSY) {
		kpt_ring_add(&r->dropped[KPT_RING_DROP_NESTED], 1);
		return NULL;
	}
	WRITE_ONCE(r->state, state | KPT_RING_BUSY);
	barrier();
	if (r->write + len <= r->claim || claim_room(r, len)) {
		payload = kpt_ring_open(r, r->write, len, ts);
		state++;
	}
	barrier();
	WRITE_ONCE(r->state, state);
	return payload;
}

/**
 * kpt_ring_commit() - close the record this context opened last
 * @r: the ring of this CPU
 *
 * Readers see it, and the inner ones before and after it, once no record is
 * open any more.
 *
 * Context: BRK; the context that reserved.
 */
void kpt_ring_commit(struct kpt_ring *r)
{
	u32 state = READ_ONCE(r->state);
	u64 write;

	barrier();
	if (unlikely(state > 1)) {
		WRITE_ONCE(r->state, state - 1);
		return;
	}
	/*
	 * Until state is 0, whoever interrupts here counts on us to publish.
	 */
	for (;;) {
		write = READ_ONCE(r->write);
		smp_store_release(&r->commit, write);	/* publish:A */
		WRITE_ONCE(r->state, 0);
		if (likely(READ_ONCE(r->write) == write))
			return;
		WRITE_ONCE(r->state, 1);
	}
}

/* An open record that is not the last: padding, and the later ones move up. */
static void forget(struct kpt_ring *r, struct kpt_ring_header *h)
{
	u8 *p = (u8 *)h, *end = (u8 *)(r->base + r->write);

	WRITE_ONCE(h->word, (h->word & KPT_RING_SIZE) | KPT_RING_PADDING);
	for (;;) {
		p += h->word & KPT_RING_SIZE;
		if (p == r->data + r->size && p != end)
			p = r->data;
		if (p == end)
			return;
		h = (struct kpt_ring_header *)p;
		if (!(h->word & KPT_RING_PADDING))
			WRITE_ONCE(h->word, h->word - BIT_ULL(32));
	}
}

/**
 * kpt_ring_discard() - close a record and drop it without a trace
 * @r: the ring of this CPU
 * @payload: what kpt_ring_reserve() returned
 *
 * Context: BRK; the context that reserved.
 */
void kpt_ring_discard(struct kpt_ring *r, void *payload)
{
	struct kpt_ring_header *h = (struct kpt_ring_header *)payload - 1;
	u64 len = h->word & KPT_RING_SIZE;
	u32 state = READ_ONCE(r->state);

	WRITE_ONCE(r->state, state | KPT_RING_BUSY);
	barrier();
	if ((unsigned long)h + len == r->base + r->write)
		WRITE_ONCE(r->write, r->write - len);
	else
		forget(r, h);
	WRITE_ONCE(r->seq, r->seq - 1);
	barrier();
	WRITE_ONCE(r->state, state);
	kpt_ring_commit(r);
}

/* A record too big for the new ring: it goes, and so do all older ones. */
static void skip(struct kpt_ring *dst, struct kpt_ring_cursor *cur)
{
	dst->tail = dst->commit;
	dst->seq++;
	set_mark(dst, dst->commit, dst->seq);
	cur->seq++;
}

/**
 * kpt_ring_copy() - move to a ring of another size
 * @dst: fresh from kpt_ring_init()
 * @src: a ring nobody writes to
 *
 * The newest records that fit go over, with their numbers, the mode and all
 * counts. What does not fit is counted as overrun.
 *
 * Context: any; the caller owns @dst and keeps writers, consumers and
 * kpt_ring_reset() away from @src.
 */
void kpt_ring_copy(struct kpt_ring *dst, const struct kpt_ring *src)
{
	struct kpt_ring_cursor cur;
	struct kpt_ring_info info;
	void *payload;

	kpt_ring_rewind(src, &cur);
	dst->seq = cur.seq;
	dst->mark[0].seq = cur.seq;
	while (kpt_ring_peek(src, &cur, &info)) {
		payload = kpt_ring_reserve(dst, info.size, info.ts);
		if (!payload) {
			skip(dst, &cur);
			continue;
		}
		kpt_ring_next(src, &cur, payload, info.size, &info);
		kpt_ring_commit(dst);
	}
	dst->overwrite = src->overwrite;
	dst->read = src->read;
	dst->base_seq = src->base_seq;
	dst->base_read = src->base_read;
	memcpy(dst->dropped, src->dropped, sizeof(dst->dropped));
	memcpy(dst->base_dropped, src->base_dropped, sizeof(dst->base_dropped));
}
