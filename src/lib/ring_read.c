// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading a ring buffer: cursors, consumption, counts. src/lib/ring.c tells how
 * it works and what the labels at the barriers pair with.
 */
#include <kptrace/port.h>
#include "lib/ring.h"

/* A header as a reader holds it: a copy, checked, the number made 64-bit. */
struct view {
	u64 seq;
	u64 ts;
	u32 size;
	bool padding;
};

static const u64 *reader_at(const struct kpt_ring *r, u64 pos)
{
	return (const u64 *)(r->data + pos % r->size);
}

/* Was what has just been copied from @pos the record that belongs there? */
static bool intact(const struct kpt_ring *r, u64 pos)
{
	smp_rmb();					/* intact:A */
	return READ_ONCE(r->claim) <= pos + r->size;
}

static bool view_at(const struct kpt_ring *r, u64 pos, struct view *v)
{
	const u64 *h = reader_at(r, pos);
	u64 word = READ_ONCE(h[0]), next;

	v->padding = word & KPT_RING_PADDING;
	v->ts = v->padding ? 0 : READ_ONCE(h[1]);
	next = READ_ONCE(r->seq);
	if (!intact(r, pos))
		return false;
	v->size = word & KPT_RING_SIZE;
	/* A ring holds less than 2^32 records: the low half is enough. */
	v->seq = next - (u32)(next - (word >> 32));
	return true;
}

/*
 * Move pos over padding to the first record before end. Returns 1, 0 if there
 * is none, -EAGAIN if pos was overtaken by the writer.
 */
static int first_at(const struct kpt_ring *r, u64 *pos, u64 end, struct view *v)
{
	for (; *pos < end; *pos += v->size) {
		if (!view_at(r, *pos, v))
			return -EAGAIN;
		if (!v->padding)
			return 1;
	}
	return 0;
}

/* commit, and the number of the record that will begin there. */
static struct kpt_ring_mark number_at_commit(const struct kpt_ring *r)
{
	struct kpt_ring_mark at;
	struct view v;
	u64 commit;
	u32 marks;
	int found;

	do {
		do {
			marks = smp_load_acquire(&r->marks);	/* number:A */
			at.pos = READ_ONCE(r->mark[marks % 2].pos);
			at.seq = READ_ONCE(r->mark[marks % 2].seq);
			smp_rmb();				/* number:B */
		} while (READ_ONCE(r->marks) != marks);
		commit = smp_load_acquire(&r->commit);		/* number:C */
		while ((found = first_at(r, &at.pos, commit, &v)) > 0) {
			at.pos += v.size;
			at.seq = v.seq + 1;
		}
	} while (found < 0);
	return at;
}

/* Where a cursor that was overtaken goes on. */
static u64 oldest(const struct kpt_ring *r)
{
	u64 lap = (READ_ONCE(r->claim) - 1) / r->size * r->size;
	u64 tail = READ_ONCE(r->tail);

	return min(lap, tail);
}

/* Number of the next record a cursor may deliver. */
static u64 wanted(const struct kpt_ring *r, const struct kpt_ring_cursor *cur)
{
	u64 base = READ_ONCE(r->base_seq);

	return max(cur->seq, base);
}

/* Move a cursor to the next record it has not delivered. */
static bool find(const struct kpt_ring *r, struct kpt_ring_cursor *cur,
		 struct view *v)
{
	u64 commit;
	int found;

	for (;;) {
		commit = smp_load_acquire(&r->commit);		/* find:A */
		found = first_at(r, &cur->pos, commit, v);
		if (!found)
			return false;
		if (found < 0) {
			cur->pos = oldest(r);
			continue;
		}
		if (v->seq >= wanted(r, cur))
			return true;
		cur->pos += v->size;
	}
}

static void fill_info(const struct kpt_ring *r,
		      const struct kpt_ring_cursor *cur, const struct view *v,
		      struct kpt_ring_info *info)
{
	u64 first = wanted(r, cur);

	info->ts = v->ts;
	info->seq = v->seq;
	info->lost = v->seq - min(v->seq, first);
	info->size = v->size - sizeof(struct kpt_ring_header);
}

/* Words, so that what races with the writer is at least whole words. */
static void copy_words(void *dst, const u64 *src, size_t bytes)
{
	size_t i;
	u64 word;

	for (i = 0; i < bytes; i += sizeof(word)) {
		word = READ_ONCE(*src++);
		memcpy((u8 *)dst + i, &word, sizeof(word));
	}
}

/**
 * kpt_ring_rewind() - put a cursor on the oldest record not yet consumed
 * @r: the ring
 * @cur: the cursor; need not have been used before
 *
 * Context: any CPU, no lock, while writers run.
 */
void kpt_ring_rewind(const struct kpt_ring *r, struct kpt_ring_cursor *cur)
{
	struct kpt_ring_mark end;
	struct view v;
	int found;

	do {
		cur->pos = smp_load_acquire(&r->tail);		/* tail:A */
		end = number_at_commit(r);
		found = first_at(r, &cur->pos, end.pos, &v);
	} while (found < 0);
	cur->seq = found ? v.seq : end.seq;
}

/**
 * kpt_ring_resume() - carry a cursor over to the ring's successor
 * @r: a ring made by kpt_ring_copy() from the one @cur belongs to
 * @cur: the cursor
 *
 * It goes on behind the last record it delivered, losses counted.
 *
 * Context: any CPU, no lock, while writers run.
 */
void kpt_ring_resume(const struct kpt_ring *r, struct kpt_ring_cursor *cur)
{
	cur->pos = READ_ONCE(r->tail);
}

/**
 * kpt_ring_end() - number of the next record to be committed
 * @r: the ring
 *
 * Context: any CPU, no lock, while writers run.
 * Return: the position.
 */
u64 kpt_ring_end(const struct kpt_ring *r)
{
	return number_at_commit(r).seq;
}

/**
 * kpt_ring_peek() - look at the next record without taking it
 * @r: the ring
 * @cur: the cursor; kpt_ring_next() will deliver the same record, unless it is
 *	overwritten before
 * @info: filled in if there is one
 *
 * Context: any CPU, no lock, while writers run. One user of @cur at a time.
 * Return: whether there is one.
 */
bool kpt_ring_peek(const struct kpt_ring *r, struct kpt_ring_cursor *cur,
		   struct kpt_ring_info *info)
{
	struct view v;

	if (!find(r, cur, &v))
		return false;
	fill_info(r, cur, &v, info);
	return true;
}

/**
 * kpt_ring_next() - copy the next record and move the cursor past it
 * @r: the ring
 * @cur: the cursor
 * @buf: where the payload goes
 * @room: bytes at @buf; half the ring is always enough
 * @info: filled in unless 0 is returned
 *
 * Context: any CPU, no lock, while writers run. One user of @cur at a time.
 * Return: 1, 0 if there is no record, -ENOSPC if @room is less than
 * @info->size; the cursor then stays.
 */
int kpt_ring_next(const struct kpt_ring *r, struct kpt_ring_cursor *cur,
		  void *buf, size_t room, struct kpt_ring_info *info)
{
	struct view v;

	do {
		if (!find(r, cur, &v))
			return 0;
		fill_info(r, cur, &v, info);
		if (info->size > room)
			return -ENOSPC;
		copy_words(buf, reader_at(r, cur->pos) + 2, info->size);
	} while (!intact(r, cur->pos));
	cur->pos += v.size;
	cur->seq = v.seq + 1;
	return 1;
}

/**
 * kpt_ring_chunk_copy() - copy what lies ahead of a cursor
 * @r: the ring
 * @cur: the cursor
 * @chunk: with room for at least 8 bytes
 *
 * For a reader of many records: to look at the ring once is cheaper than once
 * for each record.
 *
 * Ends with the lap at the latest: there it would not go on in memory.
 *
 * Context: any CPU, no lock, while writers run.
 * Return: false if there is nothing, or if the writer has overtaken the cursor;
 * kpt_ring_next() sees to that.
 */
bool kpt_ring_chunk_copy(const struct kpt_ring *r,
			 const struct kpt_ring_cursor *cur,
			 struct kpt_ring_chunk *chunk)
{
	u64 commit = smp_load_acquire(&r->commit);		/* find:A */
	u64 bytes = r->size - cur->pos % r->size;

	if (cur->pos >= commit || cur->seq < READ_ONCE(r->base_seq))
		return false;
	bytes = min(bytes, commit - cur->pos);
	chunk->bytes = (u32)min_t(u64, bytes, chunk->room & ~7U);
	chunk->at = 0;
	/* All of it is as it was, or none of it is used. */
	memcpy(chunk->mem, reader_at(r, cur->pos), chunk->bytes);
	return intact(r, cur->pos);
}

/**
 * kpt_ring_consume() - make room up to a cursor
 * @r: the ring
 * @cur: all records it has delivered, and all before them, are consumed
 *
 * What another cursor consumed already is not counted again.
 *
 * Context: any CPU, while writers and other consumers run; not during
 * kpt_ring_reset().
 * Return: how many records were consumed; 0 if others consumed them, or they
 * were overwritten, after @cur delivered them.
 */
u64 kpt_ring_consume(struct kpt_ring *r, const struct kpt_ring_cursor *cur)
{
	struct view v;
	u64 tail, pos;
	int found;

	do {
		pos = tail = READ_ONCE(r->tail);
		if (tail >= cur->pos)
			return 0;
		found = first_at(r, &pos, cur->pos, &v);
	} while (found < 0 ||
		 cmpxchg(&r->tail, tail, cur->pos) != tail);	/* consume:A */
	if (!found)
		return 0;
	kpt_ring_add(&r->read, cur->seq - v.seq);
	return cur->seq - v.seq;
}

/**
 * kpt_ring_reset() - forget all records, begin counting anew
 * @r: the ring
 *
 * Cursors stay valid and deliver none of what is forgotten.
 *
 * Context: any CPU, while writers and cursors run. The caller excludes
 * kpt_ring_consume(), kpt_ring_stats() and another reset.
 */
void kpt_ring_reset(struct kpt_ring *r)
{
	struct kpt_ring_mark end = number_at_commit(r);
	u64 tail;
	int i;

	WRITE_ONCE(r->base_seq, end.seq);
	r->base_read = r->read;
	for (i = 0; i < KPT_RING_DROPS; i++)
		r->base_dropped[i] = READ_ONCE(r->dropped[i]);
	do {
		tail = READ_ONCE(r->tail);
	} while (tail < end.pos &&
		 cmpxchg(&r->tail, tail, end.pos) != tail);	/* reset:A */
}

/**
 * kpt_ring_stats() - count
 * @r: the ring
 * @st: result; @st->entries + @st->read + @st->overrun = @st->written holds in
 *	every snapshot. A record being consumed at this very moment may still
 *	stand under overrun.
 *
 * Context: any CPU, no lock, while writers run; not during kpt_ring_reset().
 */
void kpt_ring_stats(const struct kpt_ring *r, struct kpt_ring_stats *st)
{
	struct kpt_ring_mark end;
	struct view v;
	u64 tail, pos, first;
	int found, i;

	do {
		pos = tail = smp_load_acquire(&r->tail);	/* tail:B */
		end = number_at_commit(r);
		found = first_at(r, &pos, end.pos, &v);
		st->read = READ_ONCE(r->read) - r->base_read;
	} while (found < 0 || READ_ONCE(r->tail) != tail);
	first = found ? v.seq : end.seq;
	st->entries = end.seq - first;
	st->written = end.seq - r->base_seq;
	st->overrun = first - r->base_seq - st->read;
	for (i = 0; i < KPT_RING_DROPS; i++)
		st->dropped[i] = READ_ONCE(r->dropped[i]) - r->base_dropped[i];
	st->bytes = end.pos - tail;
	st->oldest_ts = found ? v.ts : 0;
}
