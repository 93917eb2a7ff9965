/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One CPU's ring buffer: nesting writers on that CPU, any number of readers
 * anywhere, exact counts. How it works is told at the top of src/lib/ring.c.
 *
 * A hit:     p = kpt_ring_reserve(); fill p; kpt_ring_commit(); or the short way,
 *            kpt_ring_begin() and kpt_ring_finish()
 * trace:     kpt_ring_rewind(), then kpt_ring_next() until it returns 0
 * trace_pipe: the same, and kpt_ring_consume() after what was delivered
 */
#ifndef KPTRACE_RING_H
#define KPTRACE_RING_H

#include <kptrace/port.h>

/**
 * struct kpt_ring_header - what stands before a payload; private to ring*.c
 * @word: low half of the record's number (63..32), size of the whole (31..3),
 *	KPT_RING_PADDING
 * @ts: time; absent in padding
 */
struct kpt_ring_header {
	u64 word;
	u64 ts;
};

#define KPT_RING_PADDING	BIT_ULL(0)
#define KPT_RING_SIZE		GENMASK_ULL(31, 3)

/* kpt_ring.state: a reservation is under way. */
#define KPT_RING_BUSY		BIT(31)

/**
 * enum kpt_ring_drop - why a record was refused
 * @KPT_RING_DROP_FULL: no-overwrite mode, and the readers have not made room
 * @KPT_RING_DROP_OPEN: overwrite mode, and the room is held by a record that
 *	an interrupted writer has not committed yet
 * @KPT_RING_DROP_NESTED: interrupted another writer exactly in its reservation
 * @KPT_RING_DROP_BIG: larger than half the ring
 * @KPT_RING_DROPS: number of reasons
 */
enum kpt_ring_drop {
	KPT_RING_DROP_FULL,
	KPT_RING_DROP_OPEN,
	KPT_RING_DROP_NESTED,
	KPT_RING_DROP_BIG,
	KPT_RING_DROPS,
};

/**
 * struct kpt_ring_mark - a place whose record number is known
 * @pos: position of a record's start
 * @seq: that record's number
 */
struct kpt_ring_mark {
	u64 pos;
	u64 seq;
};

/**
 * struct kpt_ring - one CPU's ring; all fields but @owner are private to ring*.c
 * @owner: the owner's, in the line that a writer reads anyway
 * @state: number of open records, and KPT_RING_BUSY while one is being reserved
 * @overwrite: the newest replace the oldest
 * @write: end of what is reserved
 * @claim: up to here the writer may write; what is a ring's size before that
 *	is destroyed or about to be
 * @base: address of position 0, were the current lap to reach back to it
 * @seq: number of the next record
 * @commit: end of what readers may read
 * @lap_end: position at which the current lap ends
 * @data: the memory
 * @size: its bytes
 * @max: largest record, header included: half the ring, as padding at the
 *	lap's end is shorter than the record it makes way for
 * @marks: number of marks set; the newest is mark[marks % 2]
 * @mark: see there
 * @dropped: records refused, by reason
 * @tail: oldest record neither consumed nor overwritten
 * @read: records consumed
 * @base_seq: records forgotten by the last reset, that is @seq then
 * @base_read: @read then
 * @base_dropped: @dropped then
 */
struct kpt_ring {
	u32 owner;
	u32 state;
	u32 overwrite;
	u64 write;
	u64 claim;
	unsigned long base;
	u64 seq;
	u64 commit;

	u64 lap_end;
	u8 *data;
	u32 size;
	u32 max;
	u32 marks;
	struct kpt_ring_mark mark[2];
	u64 dropped[KPT_RING_DROPS];

	u64 tail __aligned(64);
	u64 read;
	u64 base_seq;
	u64 base_read;
	u64 base_dropped[KPT_RING_DROPS];
};

/**
 * struct kpt_ring_cursor - where a reader is
 * @pos: position of the next record, or of one before it
 * @seq: number of the next record this reader has not seen
 */
struct kpt_ring_cursor {
	u64 pos;
	u64 seq;
};

/**
 * struct kpt_ring_info - what is known of a record besides its payload
 * @ts: the time given to kpt_ring_reserve()
 * @seq: its number; numbers of a ring are consecutive
 * @lost: records between the last one this cursor delivered and this one that
 *	were overwritten before the cursor came to them
 * @size: bytes of payload, rounded up to a multiple of 8
 */
struct kpt_ring_info {
	u64 ts;
	u64 seq;
	u64 lost;
	u32 size;
};

/**
 * struct kpt_ring_stats - what happened since kpt_ring_init() or _reset()
 * @entries: records in the ring that were not consumed
 * @written: records committed; @entries + @read + @overrun
 * @read: records consumed
 * @overrun: records overwritten before they were consumed
 * @dropped: records refused, by reason
 * @bytes: bytes taken by @entries, headers and padding included
 * @oldest_ts: time of the oldest of @entries, 0 if there is none
 */
struct kpt_ring_stats {
	u64 entries;
	u64 written;
	u64 read;
	u64 overrun;
	u64 dropped[KPT_RING_DROPS];
	u64 bytes;
	u64 oldest_ts;
};

void kpt_ring_init(struct kpt_ring *r, void *data, u32 size);
void kpt_ring_set_overwrite(struct kpt_ring *r, bool on);
void *kpt_ring_reserve(struct kpt_ring *r, u32 bytes, u64 ts);
void kpt_ring_commit(struct kpt_ring *r);
void kpt_ring_discard(struct kpt_ring *r, void *payload);
void kpt_ring_rewind(const struct kpt_ring *r, struct kpt_ring_cursor *cur);
void kpt_ring_resume(const struct kpt_ring *r, struct kpt_ring_cursor *cur);
u64 kpt_ring_end(const struct kpt_ring *r);

/**
 * kpt_ring_forgotten() - number of the first record that is not forgotten
 * @r: the ring
 *
 * Context: process context; not during kpt_ring_reset().
 */
static inline u64 kpt_ring_forgotten(const struct kpt_ring *r)
{
	return r->base_seq;
}

bool kpt_ring_peek(const struct kpt_ring *r, struct kpt_ring_cursor *cur,
		   struct kpt_ring_info *info);
int kpt_ring_next(const struct kpt_ring *r, struct kpt_ring_cursor *cur,
		  void *buf, size_t room, struct kpt_ring_info *info);

/**
 * struct kpt_ring_chunk - a stretch of a ring, copied as it lies there
 * @mem: where to, aligned to 8
 * @room: bytes at @mem
 * @bytes: of the stretch; the last record in it may be cut
 * @at: bytes of it that kpt_ring_chunk_next() is done with
 */
struct kpt_ring_chunk {
	u64 *mem;
	u32 room;
	u32 bytes;
	u32 at;
};

bool kpt_ring_chunk_copy(const struct kpt_ring *r,
			 const struct kpt_ring_cursor *cur,
			 struct kpt_ring_chunk *chunk);

/**
 * kpt_ring_chunk_next() - the next record of a chunk
 * @chunk: the chunk
 * @cur: the cursor it was copied for; moved past padding
 * @info: filled in if there is a record
 *
 * It stays the next one until kpt_ring_chunk_pass().
 *
 * Context: any.
 * Return: its payload, or NULL if the rest of the chunk holds no whole record,
 * or not the one that the cursor expects; kpt_ring_next() goes on from there.
 */
static inline void *kpt_ring_chunk_next(struct kpt_ring_chunk *chunk,
					struct kpt_ring_cursor *cur,
					struct kpt_ring_info *info)
{
	u64 *h;
	u32 size;

	for (;; chunk->at += size, cur->pos += size) {
		if (chunk->at >= chunk->bytes)
			return NULL;
		h = chunk->mem + chunk->at / sizeof(*h);
		size = h[0] & KPT_RING_SIZE;
		if (size > chunk->bytes - chunk->at)
			return NULL;
		if (!(h[0] & KPT_RING_PADDING))
			break;
	}
	if (h[0] >> 32 != (u32)cur->seq)
		return NULL;
	info->ts = h[1];
	info->seq = cur->seq;
	info->lost = 0;
	info->size = size - sizeof(struct kpt_ring_header);
	return h + 2;
}

/**
 * kpt_ring_chunk_pass() - the record was delivered
 * @chunk: the chunk
 * @cur: the cursor
 * @info: what kpt_ring_chunk_next() told of it
 *
 * Context: any.
 */
static inline void kpt_ring_chunk_pass(struct kpt_ring_chunk *chunk,
				       struct kpt_ring_cursor *cur,
				       const struct kpt_ring_info *info)
{
	u32 size = info->size + sizeof(struct kpt_ring_header);

	chunk->at += size;
	cur->pos += size;
	cur->seq++;
}

u64 kpt_ring_consume(struct kpt_ring *r, const struct kpt_ring_cursor *cur);
void kpt_ring_reset(struct kpt_ring *r);
void kpt_ring_stats(const struct kpt_ring *r, struct kpt_ring_stats *st);
void kpt_ring_copy(struct kpt_ring *dst, const struct kpt_ring *src);

/**
 * kpt_ring_step() - room the writer claims at once
 * @r: the ring
 *
 * The more, the less often a writer has to look around; but that much is
 * destroyed before it is needed.
 *
 * Context: any.
 * Return: bytes.
 */
static inline u32 kpt_ring_step(const struct kpt_ring *r)
{
	return min(r->size / 8, 4096u);
}

/**
 * kpt_ring_is_filled() - does so much wait to be read?
 * @r: the ring
 * @from: where the reader is; @r->tail for the one who consumes
 * @percent: of its size
 *
 * A ring as full as it gets is filled, whatever @percent says: up to a
 * kpt_ring_step() is claimed ahead, and as much is too little for the next
 * record, or what the one that was overwritten last leaves over.
 *
 * Context: any, BRK included.
 */
static inline bool kpt_ring_is_filled(const struct kpt_ring *r, u64 from,
				      unsigned int percent)
{
	u64 commit = READ_ONCE(r->commit);

	return commit >= from + min((u64)r->size * percent / 100,
				    (u64)r->size - 2 * kpt_ring_step(r));
}

/**
 * kpt_ring_is_idle() - is no record open?
 * @r: the ring
 *
 * Context: the ring's own CPU, interrupts masked.
 */
static inline bool kpt_ring_is_idle(const struct kpt_ring *r)
{
	return READ_ONCE(r->write) == READ_ONCE(r->commit);
}

/* A counter of several writers or readers; for ring*.c. */
static inline void kpt_ring_add(u64 *counter, u64 n)
{
	u64 old, seen = READ_ONCE(*counter);

	do {
		old = seen;
		seen = cmpxchg(counter, old, old + n);
	} while (seen != old);
}

/**
 * kpt_ring_length() - bytes a record takes
 * @bytes: its payload
 *
 * Context: any.
 * Return: bytes, header included.
 */
static __always_inline u64 kpt_ring_length(u32 bytes)
{
	return ALIGN((u64)bytes + sizeof(struct kpt_ring_header), 8);
}

/* The room is claimed; for ring*.c. */
static __always_inline void *kpt_ring_open(struct kpt_ring *r, u64 start,
					   u64 len, u64 ts)
{
	struct kpt_ring_header *h =
		(struct kpt_ring_header *)(r->base + start);
	u64 seq = r->seq;

	WRITE_ONCE(h->word, len | seq << 32);
	WRITE_ONCE(h->ts, ts);
	WRITE_ONCE(r->seq, seq + 1);
	WRITE_ONCE(r->write, start + len);
	return h + 1;
}

/**
 * kpt_ring_begin() - open a record that nothing can interrupt
 * @r: the ring of this CPU
 * @len: kpt_ring_length() of the payload wanted
 * @ts: time of the record
 * @payload: result: the payload, aligned to 8
 *
 * The short way to a record, for a writer that no other writer of this ring can
 * interrupt before it calls kpt_ring_finish(). What the caller does not write
 * holds bytes of older records.
 *
 * Context: BRK.
 * Return: true; or false, and nothing has changed, when room has to be made
 * first, or when this interrupts another writer: kpt_ring_reserve() is for that.
 */
static __always_inline bool kpt_ring_begin(struct kpt_ring *r, u64 len, u64 ts,
					   void **payload)
{
	u64 start = r->write;

	if (unlikely(READ_ONCE(r->state) || start + len > r->claim))
		return false;
	*payload = kpt_ring_open(r, start, len, ts);
	return true;
}

/**
 * kpt_ring_finish() - publish the record that kpt_ring_begin() opened
 * @r: the ring of this CPU
 *
 * Context: BRK.
 */
static __always_inline void kpt_ring_finish(struct kpt_ring *r)
{
	smp_store_release(&r->commit, r->write);	/* publish:A */
}

#endif
