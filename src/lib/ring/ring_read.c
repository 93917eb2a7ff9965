// SPDX-License-Identifier: GPL-2.0-only
/*
 * Readers of a ring buffer: cursors, consumption, counts. ring.c describes the
 * design, and what the labels of barriers pair with.
 */
#include "lib/base/port.h"
#include "lib/ring/ring.h"

/**
 * struct ring_view - a checked copy of a record's header
 * @ts: time of the record
 * @begin: bytes before its payload
 * @size: bytes of the whole
 */
struct ring_view {
	u64 ts;
	u32 begin;
	u32 size;
};

static const u64 *ring_reader_at(const struct kpt_ring *r, u64 pos)
{
	return (const u64 *)(r->data + pos % r->size);
}

/* Were the bytes at @pos intact while they were copied? */
static bool ring_intact(const struct kpt_ring *r, u64 pos)
{
	smp_rmb();					/* intact:A */
	return READ_ONCE(r->claimed) <= pos + r->size;
}

/*
 * Look at the item at @cur->pos, which a head is passed by. Returns true if it is a record, and
 * false if it is not or if the writer has overtaken it, which ring_intact() tells. Then @word
 * is any word, and what is behind it may not be in the ring.
 */
static bool ring_view_at(const struct kpt_ring *r, struct kpt_ring_cursor *cur,
			 struct ring_view *v)
{
	const u64 *h = ring_reader_at(r, cur->pos);
	u64 word = READ_ONCE(h[0]);
	bool is_short = (u8)word;

	v->size = kpt_ring_word_bytes(word);
	v->begin = is_short ? sizeof(*h) : 2 * sizeof(*h);
	if (is_short) {
		v->ts = kpt_ring_time(word, cur->ts);
		return true;
	}
	if ((word & KPT_RING_KIND) == KPT_RING_PADDING ||
	    h + sizeof(struct kpt_ring_head) / sizeof(*h) > (const u64 *)(r->data + r->size))
		return false;
	if ((word & KPT_RING_KIND) == KPT_RING_HEAD) {
		cur->at = READ_ONCE(h[1]);
		cur->ts = READ_ONCE(h[2]);
		return false;
	}
	v->ts = kpt_ring_time(READ_ONCE(h[1]), cur->ts);
	return true;
}

/*
 * Move a cursor over heads and padding to the first record before @end. Returns 1; 0 if
 * there is none; -EAGAIN if the writer has overtaken it.
 */
static int ring_first_at(const struct kpt_ring *r, struct kpt_ring_cursor *cur, u64 end,
			 struct ring_view *v)
{
	bool is_record;

	for (; cur->pos < end; cur->pos += v->size) {
		is_record = ring_view_at(r, cur, v);
		if (!ring_intact(r, cur->pos))
			return -EAGAIN;
		if (is_record)
			return 1;
	}
	return 0;
}

static void ring_pass(struct kpt_ring_cursor *cur, const struct ring_view *v)
{
	cur->pos += v->size;
	cur->at++;
}

/*
 * Count from a mark up to @end. Returns false if the writer has overtaken the mark: what was
 * read is any word then, so the count may end behind @end, or at a size of 0.
 */
static bool ring_count_to(const struct kpt_ring *r, struct kpt_ring_mark *at, u64 end)
{
	u64 start = at->pos, word, size;

	for (; at->pos < end; at->pos += size) {
		word = READ_ONCE(*ring_reader_at(r, at->pos));
		size = kpt_ring_word_bytes(word);
		if (!size || size % 8)
			return false;
		at->seq += kpt_ring_word_is_record(word);
	}
	return ring_intact(r, start);
}

/*
 * commit, and the number of the next record, which will begin there. @known is what an earlier
 * call has returned, or {}: records before it are not counted again.
 */
static struct kpt_ring_mark ring_number_after(const struct kpt_ring *r,
					      const struct kpt_ring_mark *known)
{
	struct kpt_ring_mark at;
	u64 commit;
	u32 marks;

	do {
		do {
			marks = smp_load_acquire(&r->marks);	/* number:A */
			at.pos = READ_ONCE(r->mark[marks % 2].pos);
			at.seq = READ_ONCE(r->mark[marks % 2].seq);
			smp_rmb();				/* number:B */
		} while (READ_ONCE(r->marks) != marks);
		if (known->pos > at.pos)
			at = *known;
		commit = smp_load_acquire(&r->commit);		/* number:C */
	} while (!ring_count_to(r, &at, commit));
	return at;
}

static struct kpt_ring_mark ring_number_at_commit(const struct kpt_ring *r)
{
	static const struct kpt_ring_mark none;

	return ring_number_after(r, &none);
}

/* Move a cursor to the last head that is before @end and not behind record @seq, or the oldest. */
static void ring_go_near(const struct kpt_ring *r, struct kpt_ring_cursor *cur, u64 seq, u64 end)
{
	u64 pos, next, number;

again:
	for (pos = READ_ONCE(r->first); pos < end; pos = next) {
		next = pos + (READ_ONCE(*ring_reader_at(r, pos)) >> 16);
		if (!ring_intact(r, pos))
			goto again;
		if (next == pos || next >= end)
			break;
		number = READ_ONCE(ring_reader_at(r, next)[1]);
		if (!ring_intact(r, next))
			goto again;
		if (number > seq)
			break;
	}
	cur->pos = pos;
}

/* Move a cursor to record @seq, or the first one behind it. Returns as ring_first_at(). */
static int ring_seek(const struct kpt_ring *r, struct kpt_ring_cursor *cur, u64 seq, u64 end,
		     struct ring_view *v)
{
	int found;

	ring_go_near(r, cur, seq, end);
	while ((found = ring_first_at(r, cur, end, v)) > 0 && cur->at < seq)
		ring_pass(cur, v);
	return found;
}

/* The number of the next record that a cursor may deliver. */
static u64 ring_wanted(const struct kpt_ring *r, const struct kpt_ring_cursor *cur)
{
	u64 base = READ_ONCE(r->base_seq);

	return max(cur->seq, base);
}

/* Move a cursor to the next record to deliver. Returns false if there is none. */
static bool ring_find(const struct kpt_ring *r, struct kpt_ring_cursor *cur,
		      struct ring_view *v)
{
	int found;

	for (;;) {
		/* What was published stays so: commit is in the line that writers write. */
		if (cur->pos >= cur->end)
			cur->end = smp_load_acquire(&r->commit);	/* find:A */
		if (cur->pos >= cur->end)
			return false;
		found = ring_first_at(r, cur, cur->end, v);
		if (!found)
			continue;
		if (found < 0) {
			cur->pos = READ_ONCE(r->first);
			continue;
		}
		if (cur->at >= ring_wanted(r, cur))
			return true;
		ring_pass(cur, v);
	}
}

static void ring_fill_info(const struct kpt_ring *r,
			   const struct kpt_ring_cursor *cur, const struct ring_view *v,
			   struct kpt_ring_info *info)
{
	u64 first = ring_wanted(r, cur);

	info->ts = v->ts;
	info->seq = cur->at;
	info->lost = cur->at - min(cur->at, first);
	info->size = v->size - v->begin;
}

/* Copy word by word: a race with the writer tears no words. */
static void ring_copy_words(void *dst, const u64 *src, size_t bytes)
{
	size_t i;
	u64 word;

	for (i = 0; i < bytes; i += sizeof(word)) {
		word = READ_ONCE(*src++);
		memcpy((u8 *)dst + i, &word, sizeof(word));
	}
}

/**
 * kpt_ring_rewind() - set a cursor to the oldest record that is not consumed
 * @r: the ring
 * @cur: the cursor, not necessarily initialized
 *
 * Context: any CPU, no lock, while writers run.
 */
void kpt_ring_rewind(const struct kpt_ring *r, struct kpt_ring_cursor *cur)
{
	struct kpt_ring_mark end;
	struct ring_view v;
	int found;
	u64 tail;

	do {
		tail = smp_load_acquire(&r->tail);		/* tail:A */
		end.pos = smp_load_acquire(&r->commit);		/* find:A */
		found = ring_seek(r, cur, tail, end.pos, &v);
		if (found)
			continue;
		/* No head says which number comes next. */
		end = ring_number_at_commit(r);
		found = ring_seek(r, cur, tail, end.pos, &v);
	} while (found < 0);
	if (!found)
		cur->at = end.seq;
	cur->seq = cur->at;
	cur->end = end.pos;
}

/**
 * kpt_ring_resume() - move a cursor to the copy of its ring
 * @r: a ring that kpt_ring_copy() made from that of @cur
 * @cur: the cursor
 *
 * It continues after the last record that it delivered, and counts losses.
 *
 * Context: any CPU, no lock, while writers run.
 */
void kpt_ring_resume(const struct kpt_ring *r, struct kpt_ring_cursor *cur)
{
	u64 seq = cur->seq;

	kpt_ring_rewind(r, cur);
	cur->seq = seq;
}

/**
 * kpt_ring_end() - number of the next record to be published
 * @r: the ring
 *
 * Context: any CPU, no lock, while writers run.
 * Return: the number.
 */
u64 kpt_ring_end(const struct kpt_ring *r)
{
	return ring_number_at_commit(r).seq;
}

/**
 * kpt_ring_peek() - find the next record without delivering it
 * @r: the ring
 * @cur: the cursor; kpt_ring_next() delivers the same record, unless it is
 *	overwritten first
 * @info: result, written on success only
 *
 * Context: any CPU, no lock, while writers run. One user of @cur at a time.
 * Return: true if there is a record.
 */
bool kpt_ring_peek(const struct kpt_ring *r, struct kpt_ring_cursor *cur,
		   struct kpt_ring_info *info)
{
	struct ring_view v;

	if (!ring_find(r, cur, &v))
		return false;
	ring_fill_info(r, cur, &v, info);
	return true;
}

/**
 * kpt_ring_next() - copy the next record and move the cursor past it
 * @r: the ring
 * @cur: the cursor
 * @buf: result: the payload
 * @room: bytes at @buf; half the size of the ring is always enough
 * @info: result, written unless 0 is returned
 *
 * Context: any CPU, no lock, while writers run. One user of @cur at a time.
 * Return: 1; 0 if there is no record; -ENOSPC if @room is less than
 * @info->size, and then the cursor does not move.
 */
int kpt_ring_next(const struct kpt_ring *r, struct kpt_ring_cursor *cur,
		  void *buf, size_t room, struct kpt_ring_info *info)
{
	struct ring_view v;

	do {
		if (!ring_find(r, cur, &v))
			return 0;
		ring_fill_info(r, cur, &v, info);
		if (info->size > room)
			return -ENOSPC;
		ring_copy_words(buf, ring_reader_at(r, cur->pos) + v.begin / sizeof(u64),
				info->size);
	} while (!ring_intact(r, cur->pos));
	ring_pass(cur, &v);
	cur->seq = cur->at;
	return 1;
}

/**
 * kpt_ring_chunk_find() - find the records after a cursor
 * @r: the ring
 * @cur: the cursor
 * @chunk: result: all that are published, but at most up to the end of the lap, where
 *	the memory ends
 *
 * To read many records where they are is cheaper than to copy each of them first.
 *
 * Context: any CPU, no lock, while writers run.
 * Return: false if there is no record, or if some were dropped by a reset;
 * kpt_ring_next() handles both.
 */
bool kpt_ring_chunk_find(const struct kpt_ring *r, const struct kpt_ring_cursor *cur,
			 struct kpt_ring_chunk *chunk)
{
	u64 commit = smp_load_acquire(&r->commit);		/* find:A */
	u64 bytes = r->size - cur->pos % r->size;

	if (cur->pos >= commit || cur->seq < READ_ONCE(r->base_seq))
		return false;
	chunk->mem = ring_reader_at(r, cur->pos);
	chunk->pos = cur->pos;
	chunk->bytes = (u32)min(bytes, commit - cur->pos);
	chunk->at = 0;
	return true;
}

/**
 * kpt_ring_chunk_is_intact() - was a chunk what it was found as while it was read?
 * @r: the ring
 * @chunk: the chunk, which was read before the call
 *
 * Context: any CPU, no lock, while writers run.
 * Return: false if the writer may have overwritten some of it.
 */
bool kpt_ring_chunk_is_intact(const struct kpt_ring *r, const struct kpt_ring_chunk *chunk)
{
	return ring_intact(r, chunk->pos);
}

/**
 * kpt_ring_consume() - consume all records before a cursor
 * @r: the ring
 * @cur: the cursor
 *
 * Records that another cursor has consumed are not counted again.
 *
 * Context: any CPU, while writers and other consumers run; not during
 * kpt_ring_reset().
 * Return: number of records consumed; 0 if they were consumed through another
 * cursor or overwritten after @cur delivered them.
 */
u64 kpt_ring_consume(struct kpt_ring *r, const struct kpt_ring_cursor *cur)
{
	u64 tail;

	do {
		tail = READ_ONCE(r->tail);
		if (tail >= cur->seq)
			return 0;
	} while (cmpxchg(&r->tail, tail, cur->seq) != tail);	/* consume:A */
	kpt_ring_add(&r->read, cur->seq - tail);
	return cur->seq - tail;
}

/**
 * kpt_ring_reset() - drop all records and reset the counts
 * @r: the ring
 *
 * Cursors stay valid, and deliver none of the records that were dropped.
 *
 * Context: any CPU, while writers and cursors run. The caller excludes
 * kpt_ring_consume(), kpt_ring_stats() and another reset.
 */
void kpt_ring_reset(struct kpt_ring *r)
{
	struct kpt_ring_mark end = ring_number_at_commit(r);
	u64 tail;
	int i;

	WRITE_ONCE(r->base_seq, end.seq);
	if (r->kept)
		kpt_ring_keep_from(r->kept, end.seq);
	r->base_read = r->read;
	for (i = 0; i < KPT_RING_DROPS; i++)
		r->base_dropped[i] = READ_ONCE(r->dropped[i]);
	do {
		tail = READ_ONCE(r->tail);
	} while (tail < end.seq &&
		 cmpxchg(&r->tail, tail, end.seq) != tail);	/* reset:A */
}

/* Count records; with @v, find the oldest one, too. Returns as ring_seek(), or 0 without @v. */
static int ring_count(const struct kpt_ring *r, struct kpt_ring_stats *st,
		      struct kpt_ring_mark *end, struct kpt_ring_cursor *oldest,
		      struct ring_view *v)
{
	int found;
	u64 tail;

	do {
		tail = smp_load_acquire(&r->tail);		/* tail:B */
		*end = ring_number_after(r, end);
		found = v ? ring_seek(r, oldest, tail, end->pos, v) : 0;
		st->read = READ_ONCE(r->read) - r->base_read;
		smp_rmb();				/* tail:C */
	} while (found < 0 || READ_ONCE(r->tail) != tail);
	st->entries = end->seq - tail;
	st->written = end->seq - r->base_seq;
	st->overrun = tail - r->base_seq - st->read;
	return found;
}

/**
 * kpt_ring_counts() - count the records of a ring
 * @r: the ring
 * @known: what this function has left there before, of the same ring, or {}
 * @st: result: entries, written, read and overrun, see kpt_ring_stats()
 *
 * This costs less than kpt_ring_stats(), and with @known next to nothing if few records were
 * written since.
 *
 * Context: any CPU, no lock, while writers run; not during kpt_ring_reset().
 */
void kpt_ring_counts(const struct kpt_ring *r, struct kpt_ring_mark *known,
		     struct kpt_ring_stats *st)
{
	ring_count(r, st, known, NULL, NULL);
}

/**
 * kpt_ring_stats() - read the counts of a ring
 * @r: the ring
 * @st: result, of which entries + read + overrun = written always holds. A
 *	record that is being consumed may be counted as overrun
 *
 * Context: any CPU, no lock, while writers run; not during kpt_ring_reset().
 */
void kpt_ring_stats(const struct kpt_ring *r, struct kpt_ring_stats *st)
{
	struct kpt_ring_mark end = { 0 };
	struct kpt_ring_cursor oldest = { 0 };
	struct ring_view v;
	int found, i;

	found = ring_count(r, st, &end, &oldest, &v);
	for (i = 0; i < KPT_RING_DROPS; i++)
		st->dropped[i] = READ_ONCE(r->dropped[i]) - r->base_dropped[i];
	st->bytes = found ? end.pos - oldest.pos : 0;
	st->oldest_ts = found ? v.ts : 0;
}
