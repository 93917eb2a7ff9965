// SPDX-License-Identifier: GPL-2.0-only
/* The ring buffer of one CPU: its design, and its writers. */
#include "lib/base/port.h"
#include "lib/base/check.h"
#include "lib/ring/ring.h"

/**
 * DOC: ring buffer
 *
 * Data structure
 * --------------
 * A ring is a block of memory, a multiple of 4096 bytes, that is written again
 * and again. A *position* is a 64-bit count of bytes since the beginning and
 * never wraps; a *lap* is one pass through the memory, so position p is at
 * offset p % size. Records are contiguous: if one does not fit before the end
 * of the lap, padding fills the lap and the record begins the next one.
 * Therefore the writer, which knows the beginning and the end of the lap, never divides.
 *
 * A record is a header of one 64-bit word, then the payload, in multiples of 8 bytes. The word
 * has the size of the whole, divided by 8 (bits 7..0), and the low bits of the caller's time (bits
 * 63..8). The few records that are longer have their size in a word before that; so does padding
 * in its only one.
 *
 * The rest is in a *head*, written whenever the writer makes room, once in a
 * kpt_ring_step(): the number of the record behind it, its whole time, and where the next head
 * is. A record's number is that of the head before it and the number of records in between; its
 * time is the one next to the head's that has these low bits: within a year of a counter of 1 GHz.
 * If that is not so, kpt_ring_reserve() writes another head. Numbers count from 0 without gaps,
 * so that a difference of numbers is an exact count of records.
 *
 * Four positions, in this order::
 *
 *   claim - size  <=  first  <=  commit  <=  write  <=  claim
 *
 *   first   oldest head that is intact; it may be behind commit if no record is
 *   commit  readers may read up to here
 *   write   writers have reserved up to here
 *   claim   writers may write up to here without any other check
 *
 * All but write only ever grow. *tail* is a number, that of the oldest record neither consumed
 * nor overwritten.
 *
 * States of a record
 * ------------------
 * open       between commit and write: reserved, being filled or, if it belongs
 *            to an inner writer, complete but hidden behind an open outer one
 * committed  before commit, and its number is tail or higher
 * consumed   the same, with a lower number: intact, and still read by cursors behind it
 * gone       before first
 *
 * Writers
 * -------
 * Only the ring's own CPU writes. Its contexts nest strictly: a writer that
 * interrupts another one finishes before the other continues. Between reserve
 * and commit there may be any number of such inner writers. KPT_RING_BUSY
 * guards the reservation itself, a few instructions: an inner writer that finds
 * it set is refused and counted. (Hits mask interrupts, so only an NMI can find
 * it set.) The other bits of state count open records. The writer that closes
 * the last open record publishes all of them by moving commit. A record that
 * turns out to be unwanted, or the end of one, is given back if it is the last
 * one (an end not where the memory ends). If not, the record becomes padding, and the
 * numbers in heads after it, all of them inner and not yet published, are
 * decremented; an end stays.
 *
 * A writer that cannot be interrupted, such as a hit, needs none of this if it
 * did not interrupt another one: kpt_ring_begin() and kpt_ring_finish() move
 * write and commit, and do not touch state.
 *
 * Most reservations stay below claim and access nothing shared. When claim is
 * reached, ring_claim_room() moves it by kpt_ring_step(), at most to the end of
 * the lap, and writes a head. Before, it moves first from head to head as far as necessary: in
 * overwrite mode it moves tail along, else it waits until tail is there. It gives up nothing
 * behind commit, so an open record is never overwritten.
 *
 * Readers
 * -------
 * A reader has a cursor and takes no lock: it copies a record, then reads
 * claimed, a copy of claim. Position p was intact during the copy if
 * claimed <= p + size still holds. If not, the cursor continues at first. A cursor knows number
 * and time of the head before it. Every reader sees every record, even if another one consumes it.
 *
 * claim, write, seq and commit are in the cache line that the writer changes for
 * each record. Readers load of these commit alone, and again only when they have
 * read up to where it was. So one that is behind takes that line from the writer once for
 * many records.
 *
 * Accounting
 * ----------
 * tail is moved by compare-and-exchange only. A consumer that succeeds adds the
 * records it passed to read. The other counts follow from record numbers:
 * written is the number at commit, entries is that less tail, overrun is tail
 * less read. So written = read + overrun + entries by construction. For the number at
 * commit ring_claim_room() sets a mark, a (position,
 * number) pair at commit, and a reader counts from there, about kpt_ring_step()
 * bytes.
 *
 * A reset stores the number at commit, makes that tail, and from then on the
 * difference is reported. Writers and readers continue; cursors skip older
 * numbers.
 *
 * Memory ordering
 * ---------------
 * ==================  ================  =====================================
 * publish:A release   find:A acquire    commit: records before it are complete
 *                     number:C
 * claim:A wmb         intact:A rmb      claimed is moved before the bytes it
 *                                       gives up are written; the copy is read
 *                                       before claimed
 * room:A acquire      consume:A cmpxchg a consumer is done with a record before
 *                     reset:A           its room is used again
 * consume:A cmpxchg   tail:A acquire    a reader that sees tail moved sees
 * room:B, reset:A     tail:B            commit at least there
 * consume:A cmpxchg   tail:C rmb        a reader that sees read grown sees
 *                                       tail moved
 * mark:A release      number:A acquire  the newest mark's fields are complete
 * claim:A wmb         number:B rmb      marks is moved before the older mark is
 *                                       overwritten; fields are read before
 *                                       marks is read again
 * ==================  ================  =====================================
 *
 * tests/models/ring.pml is a model of these. room:A is an acquire for the compiler:
 * arm64 performs no store before a branch that the store depends on.
 *
 * Only the ring's own CPU accesses KPT_RING_BUSY and the count of open records:
 * barrier() keeps the compiler from moving accesses across them.
 * tests/models/ring_nest.pml is a model of that.
 */

/* What each record changes is in one cache line, and nothing else is. */
static_assert(offsetof(struct kpt_ring, claimed) == 64, "lines of a ring");
static_assert(offsetof(struct kpt_ring, tail) % 64 == 0, "lines of a ring");
static_assert(sizeof(struct kpt_ring) % 64 == 0, "lines of a ring");

/**
 * kpt_ring_init() - initialize an empty ring in overwrite mode
 * @r: the ring
 * @data: its memory, aligned to 8, owned by the caller
 * @size: bytes at @data, a multiple of 4096 and less than 4 GiB
 *
 * Context: any; @r is not in use.
 */
void kpt_ring_init(struct kpt_ring *r, void *data, u32 size)
{
	memset(r, 0, sizeof(*r));
	r->overwrite = 1;
	r->base = (unsigned long)data;
	r->data = data;
	r->size = size;
	r->lap_end = size;
	r->max = size ? size / 2 - sizeof(struct kpt_ring_head) : 0;
}

/**
 * kpt_ring_set_overwrite() - choose what happens when the ring is full
 * @r: the ring
 * @on: true: the oldest records are overwritten; false: new ones are refused
 *
 * Context: any CPU, while writers run.
 */
void kpt_ring_set_overwrite(struct kpt_ring *r, bool on)
{
	WRITE_ONCE(r->overwrite, on);
}

/*
 * Say where the records are that a reader after a reboot will find. Any position
 * with a known number serves: from the last mark on that reader follows the records.
 */
static void ring_keep(struct kpt_ring *r, u64 whole, u64 end)
{
	const struct kpt_ring_mark *mark = &r->mark[r->marks % 2];
	u64 pos = max(mark->pos, r->first);
	struct kpt_ring_place place = {
		.first = r->first,
		.tail = READ_ONCE(r->tail),
		.pos = pos,
		.seq = mark->seq,
		.whole = max(whole, pos),
		.end = end,
		.turn = ++r->turn,
	};

	place.check = kpt_check(&place, offsetof(struct kpt_ring_place, check));
	r->kept->place[place.turn % 2] = place;
}

/**
 * kpt_ring_keep_from() - drop records from what a reboot will leave; private to ring*.c
 * @kept: what it will leave
 * @seq: number of the first record that is not dropped
 *
 * Context: as kpt_ring_reset().
 */
void kpt_ring_keep_from(struct kpt_ring_kept *kept, u64 seq)
{
	WRITE_ONCE(kept->from_check, kpt_check(&seq, sizeof(seq)));
	WRITE_ONCE(kept->from, seq);
}

/**
 * kpt_ring_set_kept() - have a ring say where its records are
 * @r: the ring, empty, in memory that survives a reboot
 * @kept: in such memory, too; written from now on. NULL: nothing is written any more,
 *	and @r may have records
 *
 * Bytes that look like records of an earlier use must not be in the memory.
 *
 * Context: any; @r is not in use.
 */
void kpt_ring_set_kept(struct kpt_ring *r, struct kpt_ring_kept *kept)
{
	r->kept = kept;
	if (!kept)
		return;
	kpt_ring_keep_from(kept, 0);
	ring_keep(r, 0, 0);
	ring_keep(r, 0, 0);
}

/**
 * kpt_ring_keep() - say exactly where the records are
 * @r: a ring of kpt_ring_set_kept(), whose writers have stopped, even inside a record
 *
 * Records that are written later follow them, but for those behind an open one, of which only
 * its writer knows whether it is whole.
 *
 * Context: any.
 */
void kpt_ring_keep(struct kpt_ring *r)
{
	u64 commit = READ_ONCE(r->commit);
	bool is_open = READ_ONCE(r->state) || READ_ONCE(r->write) != commit;

	ring_keep(r, commit, is_open ? commit : r->claim);
}

/* What is at @pos, which is at most one lap behind write. */
static void *ring_writer_at(const struct kpt_ring *r, u64 pos)
{
	if (pos + r->size < r->lap_end)
		pos += r->size;
	return (void *)(r->base + pos);
}

static u64 ring_writer_word(const struct kpt_ring *r, u64 pos)
{
	return *(u64 *)ring_writer_at(r, pos);
}

static void ring_set_mark(struct kpt_ring *r, u64 pos, u64 seq)
{
	u32 n = r->marks + 1;

	WRITE_ONCE(r->mark[n % 2].pos, pos);
	WRITE_ONCE(r->mark[n % 2].seq, seq);
	smp_store_release(&r->marks, n);		/* mark:A */
}

/*
 * Set a mark at commit before claim moves. If all records are published, commit is
 * the position of the next record. If not, inner writers may overwrite everything
 * before commit, the old mark included: count the records between the two.
 */
static void ring_mark_commit(struct kpt_ring *r)
{
	u64 pos = r->mark[r->marks % 2].pos, seq = r->mark[r->marks % 2].seq;
	u64 word;

	if (r->commit == r->write) {
		ring_set_mark(r, r->commit, r->seq);
		return;
	}
	if (pos == r->commit)
		return;
	for (; pos != r->commit; pos += kpt_ring_word_bytes(word)) {
		word = ring_writer_word(r, pos);
		seq += kpt_ring_word_is_record(word);
	}
	ring_set_mark(r, pos, seq);
}

static bool ring_refuse(struct kpt_ring *r, enum kpt_ring_drop why)
{
	WRITE_ONCE(r->dropped[why], r->dropped[why] + 1);
	return false;
}

/*
 * Find the head behind that at *@pos. If all is published, even what has none behind it can be
 * given up: then that is where the next one will be, @start. Returns false if it cannot.
 */
static bool ring_next_head(const struct kpt_ring *r, u64 start, struct kpt_ring_mark *head)
{
	const struct kpt_ring_head *next;
	u64 pos = head->pos;

	if (pos < r->last)
		pos += ring_writer_word(r, pos) >> 16;
	else if (r->commit == r->write)
		pos = start;
	if (pos == head->pos || (pos > r->commit && pos != start))
		return false;
	next = ring_writer_at(r, pos);
	head->seq = pos == start ? r->seq : next->seq;
	head->pos = pos;
	return true;
}

/* Nothing before the record with this number is to be read any more. */
static void ring_raise_tail(struct kpt_ring *r, u64 seq)
{
	u64 tail = READ_ONCE(r->tail), seen;

	for (; tail < seq; tail = seen) {
		seen = cmpxchg(&r->tail, tail, seq);		/* room:B */
		if (seen == tail)
			return;
	}
}

/*
 * Make room up to @wish if possible, at least up to @need, for a head at @start and what is
 * behind it. Returns the end of the room; 0 if there is not enough, and then nothing was
 * overwritten.
 */
static u64 ring_make_room(struct kpt_ring *r, u64 start, u64 need, u64 wish)
{
	bool overwrite = READ_ONCE(r->overwrite);
	u64 tail = smp_load_acquire(&r->tail);		/* room:A */
	struct kpt_ring_mark head = { r->first, tail }, next = head;
	u64 wanted = 0, limit;

	while (head.pos + r->size < wish && ring_next_head(r, start, &next)) {
		/* Who consumed only what is before a head may look at what is between the two. */
		wanted = next.seq + (next.pos != start);
		if (!overwrite && tail < wanted)
			break;
		head = next;
	}
	/* A mark at commit stays intact. */
	limit = min(head.pos, r->commit) + r->size;
	r->full = 0;
	if (limit < need) {
		if (!overwrite)
			r->full = wanted > tail ? wanted : 0;
		r->full_bytes = sizeof(u64) +
				max(limit, start + sizeof(struct kpt_ring_head)) -
				(start + sizeof(struct kpt_ring_head));
		ring_refuse(r, overwrite ? KPT_RING_DROP_OPEN : KPT_RING_DROP_FULL);
		return 0;
	}
	if (overwrite)
		ring_raise_tail(r, head.seq);
	WRITE_ONCE(r->first, head.pos);
	return min(wish, limit);
}

static void ring_begin_lap(struct kpt_ring *r)
{
	u64 left = r->lap_end - r->write;

	if (left)
		WRITE_ONCE(*(u64 *)ring_writer_at(r, r->write), left << 16 | KPT_RING_PADDING);
	r->write = r->lap_end;
	r->lap_end += r->size;
	r->base -= r->size;
}

/* Write a head, and tell the one before it where this one is. */
static void ring_put_head(struct kpt_ring *r, u64 ts)
{
	struct kpt_ring_head *h = ring_writer_at(r, r->write), *before;
	u64 at = r->write;

	WRITE_ONCE(h->word, KPT_RING_HEAD);
	WRITE_ONCE(h->seq, r->seq);
	WRITE_ONCE(h->ts, ts);
	if (r->last >= r->first && r->last != at) {
		before = ring_writer_at(r, r->last);
		WRITE_ONCE(before->word, (at - r->last) << 16 | KPT_RING_HEAD);
	}
	r->last = at;
	r->near = ts;
	WRITE_ONCE(r->write, at + sizeof(*h));
}

/* What a reboot leaves ends where all is 0. */
static __always_inline void ring_clear(const struct kpt_ring *r, void *from, u64 bytes)
{
	if (unlikely(r->kept))
		memset(from, 0, bytes);
}

/*
 * The slow part of a reservation: @len bytes at write would pass claim, or the time is far
 * from that of the newest head. What comes next begins with a head.
 */
static bool ring_claim_room(struct kpt_ring *r, u64 len, u64 ts)
{
	u64 start = r->write, end = r->lap_end, need = sizeof(struct kpt_ring_head) + len;
	u64 room, fresh;

	if (len > r->max)
		return ring_refuse(r, KPT_RING_DROP_BIG);
	if (start + need > end) {
		start = end;
		end += r->size;
	}
	room = ring_make_room(r, start, start + need,
			      min(start + need + kpt_ring_step(r), end));
	if (!room)
		return false;
	fresh = max(start, r->claimed);
	room = max(room, r->claimed);
	ring_mark_commit(r);
	if (unlikely(r->kept))
		ring_keep(r, 0, room);
	r->claim = room;
	WRITE_ONCE(r->claimed, room);
	smp_wmb();					/* claim:A */
	if (end != r->lap_end)
		ring_begin_lap(r);
	ring_clear(r, (void *)(r->base + fresh), room - fresh);
	ring_put_head(r, ts);
	return true;
}

/* Are records with this time to have a head of their own? */
static bool ring_is_far(const struct kpt_ring *r, u64 ts)
{
	return (ts - r->near + BIT_ULL(KPT_RING_TIME_BITS - 2)) >> (KPT_RING_TIME_BITS - 1);
}

/* Open a record of any size, for which room is made if there is none. NULL: it is refused. */
static noinline void *ring_open_any(struct kpt_ring *r, u64 len, u64 ts)
{
	u64 *h, *payload;

	if (len > KPT_RING_SHORT)
		len += sizeof(*h);
	if ((r->write + len > r->claim || ring_is_far(r, ts)) && !ring_claim_room(r, len, ts))
		return NULL;
	h = (u64 *)(r->base + r->write);
	payload = kpt_ring_open(r, r->write, len / 8, ts);
	if (len <= KPT_RING_SHORT)
		return payload;
	WRITE_ONCE(h[0], len << 16 | KPT_RING_BIG);
	WRITE_ONCE(h[1], ts << 8);
	return payload + 1;
}

/* The word that an open record begins with. */
static u64 *ring_begin_of(void *payload)
{
	u64 *h = payload;

	return (u8)h[-1] ? h - 1 : h - 2;
}

/**
 * kpt_ring_reserve() - open a record
 * @r: the ring of this CPU
 * @bytes: bytes of payload; rounded up to a multiple of 8
 * @ts: time of the record
 *
 * The caller fills the payload and calls kpt_ring_commit() or
 * kpt_ring_discard() on the same CPU. Bytes that it does not write are those of
 * older records.
 *
 * Context: BRK; any context of the ring's own CPU, nesting.
 * Return: the payload, aligned to 8; NULL if the record was refused, which is
 * counted in @r->dropped.
 */
void *kpt_ring_reserve(struct kpt_ring *r, u32 bytes, u64 ts)
{
	u64 len = kpt_ring_length(bytes);
	u32 state = READ_ONCE(r->state);
	void *payload;

	if (state & KPT_RING_BUSY) {
		kpt_ring_add(&r->dropped[KPT_RING_DROP_NESTED], 1);
		return NULL;
	}
	WRITE_ONCE(r->state, state | KPT_RING_BUSY);
	barrier();
	if (likely(r->write + len <= r->claim && len <= KPT_RING_SHORT && !ring_is_far(r, ts))) {
		payload = kpt_ring_open(r, r->write, len / 8, ts);
		state++;
	} else {
		payload = ring_open_any(r, len, ts);
		state += !!payload;
	}
	barrier();
	WRITE_ONCE(r->state, state);
	return payload;
}

/**
 * kpt_ring_trim() - let an open record end sooner
 * @r: the ring of this CPU
 * @payload: what kpt_ring_hold() or kpt_ring_reserve() returned
 * @bytes: bytes of payload that shall be left, at most those that were reserved
 *
 * If another record was opened since and kept, nothing changes: that one has its place.
 * Nor does anything if the record ends where the memory does, or has more than KPT_RING_SHORT.
 *
 * Context: any context of the ring's own CPU: the one that opened the record.
 */
void kpt_ring_trim(struct kpt_ring *r, void *payload, u32 bytes)
{
	u64 *h = (u64 *)payload - 1, words = (u8)*h, *behind = h + words, *p;
	u64 cut = words * sizeof(*h) - kpt_ring_length(bytes);
	u64 end = (unsigned long)behind - r->base;

	/*
	 * At the end of a lap, an inner writer may begin the next one and discard its
	 * record: write is what it was, but base is another.
	 */
	if (!cut || !words || behind == (u64 *)(r->data + r->size))
		return;
	r->full = 0;
	/* What a reboot leaves ends where all is 0. No call: then no stack frame is needed. */
	if (unlikely(r->kept))
		for (p = behind - cut / sizeof(*p); p < behind; p++)
			WRITE_ONCE(*p, 0);
	/* An inner writer may come at any time. The record is open, so nobody reads it. */
	if (cmpxchg(&r->write, end, end - cut) == end)
		WRITE_ONCE(*h, *h - cut / sizeof(*h));
}

/* Make an open record, which is not the last, padding; heads behind it count on from less. */
static void ring_forget(struct kpt_ring *r, u64 *h)
{
	u8 *p = (u8 *)h, *end = (u8 *)(r->base + r->write);

	WRITE_ONCE(*h, (u64)kpt_ring_word_bytes(*h) << 16 | KPT_RING_PADDING);
	for (;;) {
		p += kpt_ring_word_bytes(*(u64 *)p);
		if (p == r->data + r->size && p != end)
			p = r->data;
		if (p == end)
			return;
		h = (u64 *)p;
		if ((h[0] & KPT_RING_KIND) == KPT_RING_HEAD)
			WRITE_ONCE(h[1], h[1] - 1);
	}
}

/**
 * kpt_ring_discard() - close a record and remove it from the ring
 * @r: the ring of this CPU
 * @payload: what kpt_ring_reserve() returned
 *
 * Context: BRK; the context that reserved.
 */
void kpt_ring_discard(struct kpt_ring *r, void *payload)
{
	u64 *h = ring_begin_of(payload), len = kpt_ring_word_bytes(*h);
	u32 state = READ_ONCE(r->state);

	WRITE_ONCE(r->state, state | KPT_RING_BUSY);
	barrier();
	if ((unsigned long)h + len == r->base + r->write) {
		ring_clear(r, h, len);
		WRITE_ONCE(r->write, r->write - len);
		/* What is claimed stays less than KPT_RING_NEVER. */
		if (len > KPT_RING_SHORT)
			r->claim = r->write;
	} else {
		ring_forget(r, h);
	}
	r->full = 0;
	WRITE_ONCE(r->seq, r->seq - 1);
	barrier();
	WRITE_ONCE(r->state, state);
	kpt_ring_commit(r);
}

/**
 * kpt_ring_claim() - have room for a record, if none is refused for that
 * @r: the ring of this CPU
 * @bytes: bytes of its payload
 * @ts: the time
 *
 * The oldest records may be overwritten, as if the record was made.
 *
 * Context: BRK; any context of the ring's own CPU, nesting.
 */
void kpt_ring_claim(struct kpt_ring *r, u32 bytes, u64 ts)
{
	u64 need = sizeof(struct kpt_ring_head) + kpt_ring_length(bytes), start = r->write;
	void *payload;

	if (start + need > r->lap_end)
		start = r->lap_end;
	if (READ_ONCE(r->state) || need > r->max ||
	    (!READ_ONCE(r->overwrite) && start + need > r->first + r->size))
		return;
	payload = kpt_ring_reserve(r, bytes, ts);
	if (payload)
		kpt_ring_discard(r, payload);
}

/**
 * kpt_ring_abandon() - close all open records, which nobody fills in any more
 * @r: the ring of this CPU
 *
 * They are published as they are.
 *
 * Context: any context of the ring's own CPU that no writer interrupts.
 */
void kpt_ring_abandon(struct kpt_ring *r)
{
	while (READ_ONCE(r->state))
		kpt_ring_commit(r);
}

/* Drop a record that is too big for the new ring, and all older ones. */
static void ring_skip(struct kpt_ring *dst, struct kpt_ring_cursor *cur)
{
	dst->seq++;
	dst->tail = dst->seq;
	ring_set_mark(dst, dst->commit, dst->seq);
	/* The next record needs a head, as its number is not that of the one before plus 1. */
	dst->claim = dst->write;
	cur->seq++;
}

/**
 * kpt_ring_copy() - copy a ring to one of another size
 * @dst: result, just initialized by kpt_ring_init()
 * @src: a ring without writers
 *
 * Copies the newest records that fit, with their numbers, the mode and all
 * counts. Records that do not fit are counted as overrun.
 *
 * Context: any; the caller owns @dst, and excludes writers, consumers and
 * kpt_ring_reset() of @src.
 */
void kpt_ring_copy(struct kpt_ring *dst, const struct kpt_ring *src)
{
	struct kpt_ring_cursor cur;
	struct kpt_ring_info info;
	void *payload;

	kpt_ring_rewind(src, &cur);
	dst->seq = cur.seq;
	dst->tail = cur.seq;
	dst->mark[0].seq = cur.seq;
	while (kpt_ring_peek(src, &cur, &info)) {
		payload = kpt_ring_reserve(dst, info.size, info.ts);
		if (!payload) {
			ring_skip(dst, &cur);
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
