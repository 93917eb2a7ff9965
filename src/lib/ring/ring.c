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
 * Therefore each lap begins with a record, and the writer, which knows the
 * beginning and the end of the lap, never divides.
 *
 * A record is a header of two 64-bit words, then the payload, in multiples of
 * 8 bytes. Word one: size of the whole (bits 31..3), padding flag (bit 0), low
 * half of the record's number (bits 63..32). Word two: the caller's time. The
 * first word alone is a header of padding. Numbers count from 0 without gaps,
 * so that a difference of numbers is an exact count of records.
 *
 * Four positions, in this order::
 *
 *   claim - size  <=  tail  <=  commit  <=  write  <=  claim
 *
 *   tail    oldest record neither consumed nor overwritten
 *   commit  readers may read up to here
 *   write   writers have reserved up to here
 *   claim   writers may write up to here without any other check
 *
 * All but write only ever grow.
 *
 * States of a record
 * ------------------
 * open       between commit and write: reserved, being filled or, if it belongs
 *            to an inner writer, complete but hidden behind an open outer one
 * committed  between tail and commit
 * consumed   before tail, but not before claim - size: intact, and still read
 *            by cursors behind it
 * gone       before claim - size
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
 * numbers of the records after it, all of them inner and not yet published, are
 * decremented; an end stays.
 *
 * A writer that cannot be interrupted, such as a hit, needs none of this if it
 * did not interrupt another one: kpt_ring_begin() and kpt_ring_finish() move
 * write and commit, and do not touch state.
 *
 * Most reservations stay below claim and access nothing shared. When claim is
 * reached, ring_claim_room() moves it by kpt_ring_step(), at most to the end of
 * the lap. In overwrite mode it first moves tail past as many records as
 * necessary. It never moves tail past commit, so an open record is never
 * overwritten.
 *
 * Readers
 * -------
 * A reader has a cursor and takes no lock: it copies a record, then reads
 * claimed, a copy of claim. Position p was intact during the copy if
 * claimed <= p + size still holds. If not, the cursor continues at the oldest
 * boundary known: tail, or the beginning of the current lap, which may be older
 * if another reader consumes. Every reader sees every record, even if another
 * one consumes it.
 *
 * claim, write, seq and commit are in the cache line that the writer changes for
 * each record. Readers load of these commit alone, and again only when they have
 * read up to where it was; the high half of a number they know from the newest
 * mark, see below. So one that is behind takes that line from the writer once for
 * many records.
 *
 * Accounting
 * ----------
 * tail is moved by compare-and-exchange only. A consumer that succeeds adds the
 * records it passed to read. The other counts follow from record numbers:
 * written is the number at commit, entries is the difference of the numbers at
 * commit and at tail, overrun is the number at tail less read. So written =
 * read + overrun + entries by construction. The number at the commit of an
 * empty ring is in no header: ring_claim_room() sets a mark, a (position,
 * number) pair at commit, and a reader walks from there, about kpt_ring_step()
 * bytes.
 *
 * A reset stores the number at commit, moves tail there, and from then on the
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
	r->max = size / 2;
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
	struct kpt_ring_place place = {
		.tail = READ_ONCE(r->tail),
		.pos = mark->pos,
		.seq = mark->seq,
		.whole = max(whole, mark->pos),
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

/* The header at @pos, which is at most one lap behind write. */
static struct kpt_ring_header *ring_writer_at(const struct kpt_ring *r, u64 pos)
{
	if (pos + r->size < r->lap_end)
		pos += r->size;
	return (struct kpt_ring_header *)(r->base + pos);
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
	for (; pos != r->commit; pos += word & KPT_RING_SIZE) {
		word = ring_writer_at(r, pos)->word;
		seq += !(word & KPT_RING_PADDING);
	}
	ring_set_mark(r, pos, seq);
}

static bool ring_refuse(struct kpt_ring *r, enum kpt_ring_drop why)
{
	WRITE_ONCE(r->dropped[why], r->dropped[why] + 1);
	return false;
}

/*
 * Make room up to @wish if possible, at least up to @need. Returns the end of
 * the room; 0 if there is not enough, and then nothing was overwritten.
 */
static u64 ring_make_room(struct kpt_ring *r, u64 need, u64 wish)
{
	bool overwrite = READ_ONCE(r->overwrite);
	u64 tail, pos;

	do {
		tail = smp_load_acquire(&r->tail);	/* room:A */
		pos = tail;
		while (overwrite && pos + r->size < wish && pos != r->commit)
			pos += ring_writer_at(r, pos)->word & KPT_RING_SIZE;
		if (pos + r->size < need) {
			ring_refuse(r, overwrite ? KPT_RING_DROP_OPEN :
					      KPT_RING_DROP_FULL);
			return 0;
		}
	} while (pos != tail &&
		 cmpxchg(&r->tail, tail, pos) != tail);		/* room:B */
	return min(wish, pos + r->size);
}

static void ring_begin_lap(struct kpt_ring *r)
{
	u64 left = r->lap_end - r->write;

	if (left)
		WRITE_ONCE(ring_writer_at(r, r->write)->word, left | KPT_RING_PADDING);
	r->write = r->lap_end;
	r->lap_end += r->size;
	r->base -= r->size;
}

/* The slow part of a reservation: @len bytes at write would pass claim. */
static bool ring_claim_room(struct kpt_ring *r, u64 len)
{
	u64 start = r->write, end = r->lap_end, room;

	if (len > r->max)
		return ring_refuse(r, KPT_RING_DROP_BIG);
	if (start + len > end) {
		start = end;
		end += r->size;
	}
	room = ring_make_room(r, start + len,
			      min(start + len + kpt_ring_step(r), end));
	if (!room)
		return false;
	ring_mark_commit(r);
	if (unlikely(r->kept))
		ring_keep(r, 0, room);
	r->claim = room;
	WRITE_ONCE(r->claimed, room);
	smp_wmb();					/* claim:A */
	if (end != r->lap_end)
		ring_begin_lap(r);
	return true;
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
	void *payload = NULL;

	if (state & KPT_RING_BUSY) {
		kpt_ring_add(&r->dropped[KPT_RING_DROP_NESTED], 1);
		return NULL;
	}
	WRITE_ONCE(r->state, state | KPT_RING_BUSY);
	barrier();
	if (r->write + len <= r->claim || ring_claim_room(r, len)) {
		payload = kpt_ring_open(r, r->write, len, ts);
		state++;
	}
	barrier();
	WRITE_ONCE(r->state, state);
	return payload;
}

/**
 * kpt_ring_commit() - close the record that this context opened last
 * @r: the ring of this CPU
 *
 * It is published, together with inner records, when no record is open any
 * more.
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
	/* Until state is 0, inner writers rely on this one to publish. */
	for (;;) {
		write = READ_ONCE(r->write);
		smp_store_release(&r->commit, write);	/* publish:A */
		WRITE_ONCE(r->state, 0);
		if (likely(READ_ONCE(r->write) == write))
			return;
		WRITE_ONCE(r->state, 1);
	}
}

/**
 * kpt_ring_trim() - let an open record end sooner
 * @r: the ring of this CPU
 * @payload: what kpt_ring_hold() or kpt_ring_reserve() returned
 * @bytes: bytes of payload that shall be left, at most those that were reserved
 *
 * If another record was opened since and kept, nothing changes: that one has its place.
 * Nor does anything if the record ends where the memory does.
 *
 * Context: any context of the ring's own CPU: the one that opened the record.
 */
void kpt_ring_trim(struct kpt_ring *r, void *payload, u32 bytes)
{
	struct kpt_ring_header *h = (struct kpt_ring_header *)payload - 1;
	u64 cut = (h->word & KPT_RING_SIZE) - kpt_ring_length(bytes);
	u8 *behind = (u8 *)h + (h->word & KPT_RING_SIZE);
	u64 end = (unsigned long)behind - r->base;

	/*
	 * At the end of a lap, an inner writer may begin the next one and discard its
	 * record: write is what it was, but base is another.
	 */
	if (!cut || behind == r->data + r->size)
		return;
	/* An inner writer may come at any time. The record is open, so nobody reads it. */
	if (cmpxchg(&r->write, end, end - cut) == end)
		WRITE_ONCE(h->word, h->word - cut);
}

/* Make an open record, which is not the last, padding; renumber later ones. */
static void ring_forget(struct kpt_ring *r, struct kpt_ring_header *h)
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
 * kpt_ring_discard() - close a record and remove it from the ring
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
		ring_forget(r, h);
	WRITE_ONCE(r->seq, r->seq - 1);
	barrier();
	WRITE_ONCE(r->state, state);
	kpt_ring_commit(r);
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
	dst->tail = dst->commit;
	dst->seq++;
	ring_set_mark(dst, dst->commit, dst->seq);
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
