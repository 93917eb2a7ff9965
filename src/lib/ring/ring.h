/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring buffer of one CPU: nesting writers on that CPU, any number of
 * readers on any CPU, exact counts. ring.c describes the design.
 *
 * A hit:      p = kpt_ring_reserve(), fill p, kpt_ring_commit(); or the faster
 *             kpt_ring_begin() and kpt_ring_finish()
 * trace:      kpt_ring_rewind(), then kpt_ring_next() until it returns 0
 * trace_pipe: the same, then kpt_ring_consume()
 */
#ifndef KPTRACE_RING_H
#define KPTRACE_RING_H

#include "lib/base/port.h"

/*
 * A ring is a row of items, each of which begins with a word:
 *
 *	a record	bytes / 8 in bits 7..0, less than 256; its time in bits 63..8
 *	all others	0 in bits 7..0, a kind in bits 15..8, and bits 63..16:
 *	KPT_RING_PADDING	bytes of the whole
 *	KPT_RING_BIG	bytes of the whole, a record; its time is in the next word, as above
 *	KPT_RING_HEAD	bytes to the next head, 0 if there is none yet: struct kpt_ring_head
 *
 * Private to ring*.c, and to those who write or read many records at once.
 */
struct kpt_ring_header {
	u64 word;
};

#define KPT_RING_PADDING	0x100
#define KPT_RING_HEAD		0x200
#define KPT_RING_BIG		0x300
#define KPT_RING_KIND		GENMASK_ULL(15, 0)

/* Bytes of the largest record that is not KPT_RING_BIG. */
#define KPT_RING_SHORT		(255 * 8)
/* Words that a writer never has at once without making room: a kpt_ring_step(), and a record. */
#define KPT_RING_NEVER		0x1fff
/* Bits of a time in a ring. */
#define KPT_RING_TIME_BITS	56

/**
 * struct kpt_ring_head - what the records behind it lack
 * @word: KPT_RING_HEAD
 * @seq: number of the next record
 * @ts: those up to the next head have times that differ from this one by less than
 *	half of what KPT_RING_TIME_BITS can hold
 */
struct kpt_ring_head {
	u64 word;
	u64 seq;
	u64 ts;
};

/* kpt_ring.state: a record is being reserved. */
#define KPT_RING_BUSY		BIT(31)

/**
 * enum kpt_ring_drop - why a record was refused
 * @KPT_RING_DROP_FULL: no-overwrite mode, and readers have not made room
 * @KPT_RING_DROP_OPEN: overwrite mode, and the room is taken by a record that an
 *	interrupted writer has not committed yet
 * @KPT_RING_DROP_NESTED: another writer was interrupted in its reservation
 * @KPT_RING_DROP_BIG: the record is larger than half the ring
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
 * struct kpt_ring_mark - a position with a known record number
 * @pos: position of the beginning of a record
 * @seq: number of that record
 */
struct kpt_ring_mark {
	u64 pos;
	u64 seq;
};

/**
 * struct kpt_ring_place - where the records of a ring are, as a reboot leaves it
 * @first: kpt_ring.first
 * @tail: kpt_ring.tail
 * @pos: position of the beginning of a record, or of the next one
 * @seq: number of that record
 * @whole: all before this position is records; behind it are those written since
 * @end: no record ends behind this position
 * @turn: the place that was written last has the highest one
 * @unused: 0
 * @check: kpt_check() of all that is before it
 */
struct kpt_ring_place {
	u64 first;
	u64 tail;
	u64 pos;
	u64 seq;
	u64 whole;
	u64 end;
	u32 turn;
	u32 unused;
	u64 check;
};

/**
 * struct kpt_ring_kept - what is needed to read the memory of a ring after a reboot
 * @place: written by turns: a reset while one is written leaves the other
 * @from: number of the first record that kpt_ring_reset() has not dropped
 * @from_check: kpt_check() of @from
 */
struct kpt_ring_kept {
	struct kpt_ring_place place[2];
	u64 from;
	u64 from_check;
};

/**
 * struct kpt_ring - the ring of a CPU; all fields but @owner are private to
 * ring*.c and to arch/arm64/recorder/recorder.c, which is kpt_ring_begin() in assembler
 *
 * Three parts, each in cache lines of its own: what each record changes, of which readers
 * load @commit alone, once they have read all that they know of; what the writer changes
 * when it makes room; and what readers change.
 *
 * @owner: for the owner of the ring; in the cache line that writers read in any case
 * @state: number of open records, and KPT_RING_BUSY while one is being reserved
 * @claim: @claimed, for writers
 * @write: end of the reserved bytes
 * @seq: number of the next record
 * @base: address of position 0 if the current lap extended back to it
 * @commit: end of the bytes that readers may read
 * @overwrite: the newest records overwrite the oldest
 * @stamp: time of the record that was written last
 * @claimed: end of the bytes that writers may write; bytes more than @size before
 *	it are overwritten, or about to be
 * @lap_end: position at which the current lap ends
 * @data: the memory
 * @size: its bytes
 * @max: bytes of the largest record: with a head it has half of @size, since padding at
 *	the end of a lap is shorter than what comes after it
 * @marks: number of marks set so far; the newest is mark[marks % 2]
 * @mark: the last two marks
 * @first: position of the oldest head that is not overwritten
 * @last: position of the newest head
 * @near: kpt_ring_head.ts of that
 * @full: no-overwrite mode: records of @full_bytes and more, for which there is no room below
 *	@claim, are refused while @tail is lower. Else 0
 * @full_bytes: bytes of the shortest record that there was no room for then
 * @dropped: number of records refused, by reason
 * @kept: of a ring in memory that survives a reboot: written when room is made, which
 *	is once in a few thousand bytes; else NULL
 * @turn: kpt_ring_place.turn that was written last
 * @tail: number of the oldest record that is neither consumed nor overwritten
 * @read: number of records consumed
 * @base_seq: @seq at the last reset: number of records dropped by resets
 * @base_read: @read at the last reset
 * @base_dropped: @dropped at the last reset
 */
struct kpt_ring {
	u32 owner;
	u32 state;
	u64 claim;
	u64 write;
	u64 seq;
	unsigned long base;
	u64 commit;
	u32 overwrite;
	u64 stamp;

	u64 claimed __aligned(64);
	u64 lap_end;
	u8 *data;
	u32 size;
	u32 max;
	u32 marks;
	struct kpt_ring_mark mark[2];
	u64 first;
	u64 last;
	u64 near;
	u64 full;
	u32 full_bytes;
	u64 dropped[KPT_RING_DROPS];
	struct kpt_ring_kept *kept;
	u32 turn;

	u64 tail __aligned(64);
	u64 read;
	u64 base_seq;
	u64 base_read;
	u64 base_dropped[KPT_RING_DROPS];
};

/**
 * struct kpt_ring_cursor - position of a reader
 * @pos: position of the next record, or of something before it
 * @at: number of the record there
 * @ts: kpt_ring_head.ts of the newest head before it
 * @seq: number of the next record that this reader has not seen
 * @end: records before this position were published when the reader looked last
 */
struct kpt_ring_cursor {
	u64 pos;
	u64 at;
	u64 ts;
	u64 seq;
	u64 end;
};

/**
 * struct kpt_ring_info - a record without its payload
 * @ts: the time given to kpt_ring_reserve()
 * @seq: number of the record; the numbers of a ring are consecutive
 * @lost: number of records that were overwritten between the last record that
 *	the cursor delivered and this one
 * @size: bytes of payload, rounded up to a multiple of 8
 */
struct kpt_ring_info {
	u64 ts;
	u64 seq;
	u64 lost;
	u32 size;
};

/**
 * struct kpt_ring_stats - counts since kpt_ring_init() or kpt_ring_reset()
 * @entries: number of records in the ring that are not consumed
 * @written: number of records published: @entries + @read + @overrun
 * @read: number of records consumed
 * @overrun: number of records overwritten before they were consumed
 * @dropped: number of records refused, by reason
 * @bytes: bytes of @entries, headers and padding included
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
void kpt_ring_set_kept(struct kpt_ring *r, struct kpt_ring_kept *kept);
void kpt_ring_keep(struct kpt_ring *r);
void kpt_ring_set_overwrite(struct kpt_ring *r, bool on);
void *kpt_ring_reserve(struct kpt_ring *r, u32 bytes, u64 ts);
void kpt_ring_claim(struct kpt_ring *r, u32 bytes, u64 ts);
void kpt_ring_discard(struct kpt_ring *r, void *payload);
void kpt_ring_abandon(struct kpt_ring *r);
void kpt_ring_trim(struct kpt_ring *r, void *payload, u32 bytes);
void kpt_ring_rewind(const struct kpt_ring *r, struct kpt_ring_cursor *cur);
void kpt_ring_resume(const struct kpt_ring *r, struct kpt_ring_cursor *cur);
u64 kpt_ring_end(const struct kpt_ring *r);

/**
 * kpt_ring_forgotten() - number of the first record after the last reset
 * @r: the ring
 *
 * Context: process context; not during kpt_ring_reset().
 * Return: the number.
 */
static inline u64 kpt_ring_forgotten(const struct kpt_ring *r)
{
	return r->base_seq;
}

/**
 * kpt_ring_newest() - where the records that are published end
 * @r: the ring
 *
 * Context: any CPU, no lock, while writers run.
 * Return: position of the next record.
 */
static inline u64 kpt_ring_newest(const struct kpt_ring *r)
{
	return smp_load_acquire(&r->commit);			/* find:A */
}

bool kpt_ring_peek(const struct kpt_ring *r, struct kpt_ring_cursor *cur,
		   struct kpt_ring_info *info);
int kpt_ring_next(const struct kpt_ring *r, struct kpt_ring_cursor *cur,
		  void *buf, size_t room, struct kpt_ring_info *info);

/* Bytes of the item that begins with @word; 0 and other sizes if it is none. Private to ring*.c. */
static __always_inline u32 kpt_ring_word_bytes(u64 word)
{
	if (likely((u8)word))
		return (u8)word * 8;
	return (word & KPT_RING_KIND) == KPT_RING_HEAD ? sizeof(struct kpt_ring_head) :
							 (u32)(word >> 16);
}

/* Is it a record? Private to ring*.c. */
static __always_inline bool kpt_ring_word_is_record(u64 word)
{
	return (u8)word || (word & KPT_RING_KIND) == KPT_RING_BIG;
}

/**
 * kpt_ring_time() - the time of a record
 * @word: the word before its payload
 * @near: a time that differs from it by less than half of what KPT_RING_TIME_BITS can hold
 *
 * Context: any.
 * Return: the time.
 */
static __always_inline u64 kpt_ring_time(u64 word, u64 near)
{
	u64 delta = (word >> 8) - near;

	return near + (u64)((s64)(delta << 8) >> 8);
}

/**
 * struct kpt_ring_chunk - several records that lie one behind the other in a ring
 * @mem: the first of them, in the ring's memory
 * @pos: its position
 * @bytes: their bytes
 * @at: bytes that kpt_ring_chunk_next() has passed
 *
 * The writer may overwrite them at any time. What was read from them counts only if
 * kpt_ring_chunk_is_intact() says so afterwards, and must do no harm if not.
 */
struct kpt_ring_chunk {
	const u64 *mem;
	u64 pos;
	u32 bytes;
	u32 at;
};

bool kpt_ring_chunk_find(const struct kpt_ring *r,
			 const struct kpt_ring_cursor *cur,
			 struct kpt_ring_chunk *chunk);
bool kpt_ring_chunk_is_intact(const struct kpt_ring *r,
			      const struct kpt_ring_chunk *chunk);

/**
 * kpt_ring_chunk_next() - find the next record of a chunk
 * @chunk: the chunk
 * @cur: the cursor it was found for; moved past padding
 * @info: result, written on success only; its record lies inside the chunk, intact or not
 *
 * Finds the same record again until kpt_ring_chunk_pass().
 *
 * Context: any.
 * Return: its payload; NULL if the rest of the chunk has no record, or not the one that
 * the cursor expects: continue with kpt_ring_next().
 */
static inline const void *kpt_ring_chunk_next(struct kpt_ring_chunk *chunk,
					      struct kpt_ring_cursor *cur,
					      struct kpt_ring_info *info)
{
	const u64 *h;
	u64 word;
	u32 size;

	for (;; chunk->at += size, cur->pos += size) {
		if (chunk->at >= chunk->bytes)
			return NULL;
		h = chunk->mem + chunk->at / sizeof(*h);
		word = READ_ONCE(h[0]);
		size = kpt_ring_word_bytes(word);
		if (!size || size % 8 || size > chunk->bytes - chunk->at)
			return NULL;
		if ((u8)word)
			break;
		if ((word & KPT_RING_KIND) == KPT_RING_HEAD) {
			cur->at = READ_ONCE(h[1]);
			cur->ts = READ_ONCE(h[2]);
		} else if ((word & KPT_RING_KIND) != KPT_RING_PADDING) {
			return NULL;
		}
	}
	if (cur->at != cur->seq || size == sizeof(*h))
		return NULL;
	info->ts = kpt_ring_time(word, cur->ts);
	info->seq = cur->seq;
	info->lost = 0;
	info->size = size - sizeof(*h);
	return h + 1;
}

/**
 * kpt_ring_chunk_pass() - move a cursor past a record of a chunk
 * @chunk: the chunk
 * @cur: the cursor
 * @info: the record, from kpt_ring_chunk_next()
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
	cur->at++;
	cur->seq++;
}

u64 kpt_ring_consume(struct kpt_ring *r, const struct kpt_ring_cursor *cur);
void kpt_ring_reset(struct kpt_ring *r);
void kpt_ring_counts(const struct kpt_ring *r, struct kpt_ring_mark *known,
		     struct kpt_ring_stats *st);
void kpt_ring_stats(const struct kpt_ring *r, struct kpt_ring_stats *st);
void kpt_ring_copy(struct kpt_ring *dst, const struct kpt_ring *src);

/**
 * kpt_ring_step() - bytes that a writer claims at once
 * @r: the ring
 *
 * With a larger step a writer takes the slow path less often, but up to a step
 * of records is overwritten before the room is needed: 16 KiB of a large ring.
 *
 * Context: any.
 * Return: bytes.
 */
static inline u32 kpt_ring_step(const struct kpt_ring *r)
{
	return min(r->size / 8, min(max(r->size / 64, 4096u), 16384u));
}

/**
 * kpt_ring_is_filled() - is a share of a ring filled with records to be read?
 * @r: the ring
 * @from: position of the reader
 * @percent: the share of its size
 *
 * A ring that is as full as possible is filled for every @percent, although not all of it
 * has records: what is claimed in advance, and what was given up with the last one
 * overwritten, each have up to a kpt_ring_step(), a record and a head.
 *
 * Context: any, BRK included.
 * Return: true if it is.
 */
static inline bool kpt_ring_is_filled(const struct kpt_ring *r, u64 from,
				      unsigned int percent)
{
	u64 commit = READ_ONCE(r->commit);

	return commit >= from + min((u64)r->size * percent / 100,
				    (u64)r->size - 4 * kpt_ring_step(r) -
				    2 * sizeof(struct kpt_ring_head));
}

/**
 * kpt_ring_holds() - is an address inside the memory of a ring?
 * @r: the ring
 * @p: the address, of anything
 *
 * Context: any, BRK included.
 * Return: true if it is.
 */
static inline bool kpt_ring_holds(const struct kpt_ring *r, const void *p)
{
	/* Not by @base: that is lower than the memory, but in the first lap. */
	return (unsigned long)p - (unsigned long)r->data < r->size;
}

/**
 * kpt_ring_is_idle() - are all records published?
 * @r: the ring
 *
 * kpt_ring_commit() publishes before it clears @state, and may be interrupted between
 * the two.
 *
 * Context: the ring's own CPU, interrupts masked.
 * Return: true if no record is open.
 */
static inline bool kpt_ring_is_idle(const struct kpt_ring *r)
{
	return !READ_ONCE(r->state) && READ_ONCE(r->write) == READ_ONCE(r->commit);
}

/**
 * kpt_ring_begin_anew() - let the next record begin with a head
 * @r: the ring
 *
 * Stubs do not look whether the time of a record is far from that of the last head.
 *
 * Context: the ring's own CPU, interrupts masked; or nobody writes.
 */
static inline void kpt_ring_begin_anew(struct kpt_ring *r)
{
	r->claim = r->write;
}

/* Private to ring*.c. */
void kpt_ring_keep_from(struct kpt_ring_kept *kept, u64 seq);

/* Add to a counter of several writers or readers; private to ring*.c. */
static inline void kpt_ring_add(u64 *counter, u64 n)
{
	u64 old, seen = READ_ONCE(*counter);

	do {
		old = seen;
		seen = cmpxchg(counter, old, old + n);
	} while (seen != old);
}

/**
 * kpt_ring_length() - compute the bytes that a record takes in a ring
 * @bytes: bytes of its payload
 *
 * Context: any.
 * Return: bytes, header included. If these are more than KPT_RING_SHORT, it takes 8 more.
 */
static __always_inline u64 kpt_ring_length(u32 bytes)
{
	return ALIGN((u64)bytes + sizeof(struct kpt_ring_header), 8);
}

/**
 * kpt_ring_words() - the same in words of 8 bytes, for kpt_ring_begin() and kpt_ring_hold()
 * @bytes: bytes of its payload, with the header at most KPT_RING_SHORT
 *
 * Context: any.
 * Return: words.
 */
static __always_inline u64 kpt_ring_words(u32 bytes)
{
	return ((u64)bytes + sizeof(struct kpt_ring_header) + 7) / 8;
}

/**
 * kpt_ring_quick() - kpt_ring_words() of a record of any size
 * @bytes: bytes of its payload
 *
 * Context: any.
 * Return: words; or at least KPT_RING_NEVER, for which there is no room.
 */
static __always_inline u64 kpt_ring_quick(u32 bytes)
{
	u64 words = kpt_ring_words(bytes);

	/* Of what is not KPT_RING_SHORT, these bits are not 0. Without a comparison. */
	return words + ((words & ~255ULL) << 5);
}

/**
 * kpt_ring_room() - the largest payload that a ring takes
 * @r: the ring
 *
 * Context: any.
 * Return: its bytes; 0: there is no memory.
 */
static inline u32 kpt_ring_room(const struct kpt_ring *r)
{
	u32 max = READ_ONCE(r->max);

	return max ? max - 2 * sizeof(u64) : 0;
}

/**
 * kpt_ring_has_room() - is room for a record claimed?
 * @r: the ring of this CPU
 * @bytes: bytes of its payload
 *
 * Context: BRK; any context of the ring's own CPU.
 * Return: true if it is.
 */
static __always_inline bool kpt_ring_has_room(const struct kpt_ring *r, u32 bytes)
{
	return r->write + kpt_ring_length(bytes) <= r->claim;
}

/* Open a record in room that is claimed; private to ring*.c. @words: at most 255 */
static __always_inline void *kpt_ring_open(struct kpt_ring *r, u64 start,
					   u64 words, u64 ts)
{
	struct kpt_ring_header *h =
		(struct kpt_ring_header *)(r->base + start);

	WRITE_ONCE(h->word, words | ts << 8);
	r->stamp = ts;
	WRITE_ONCE(r->seq, r->seq + 1);
	WRITE_ONCE(r->write, start + words * 8);
	return h + 1;
}

/**
 * kpt_ring_begin() - open a record that cannot be interrupted
 * @r: the ring of this CPU
 * @words: kpt_ring_quick() of the payload
 * @ts: time of the record
 * @payload: result: the payload, aligned to 8
 *
 * The fast path, for a writer that no other writer of this ring can interrupt
 * before it calls kpt_ring_finish(). Bytes of the payload that it does not
 * write are those of older records.
 *
 * Context: BRK.
 * Return: true; or false, with nothing changed, if room must be made first or
 * if another writer was interrupted: call kpt_ring_reserve().
 */
static __always_inline bool kpt_ring_begin(struct kpt_ring *r, u64 words, u64 ts,
					   void **payload)
{
	u64 start = r->write;

	if (unlikely(READ_ONCE(r->state) || start + words * 8 > r->claim))
		return false;
	*payload = kpt_ring_open(r, start, words, ts);
	return true;
}

/**
 * kpt_ring_hold() - open a record that may be interrupted once this returns
 * @r: the ring of this CPU
 * @words: kpt_ring_quick() of the payload
 * @ts: time of the record
 * @payload: result: the payload, aligned to 8
 *
 * kpt_ring_commit() publishes it. Bytes of the payload that are not written are those of
 * older records.
 *
 * Context: BRK. Other records may be open.
 * Return: true; or false, with nothing changed, if room must be made first: call
 * kpt_ring_reserve().
 */
static __always_inline bool kpt_ring_hold(struct kpt_ring *r, u64 words, u64 ts,
					  void **payload)
{
	u32 state = READ_ONCE(r->state);
	u64 start = r->write;

	if (unlikely(state & KPT_RING_BUSY || start + words * 8 > r->claim))
		return false;
	*payload = kpt_ring_open(r, start, words, ts);
	WRITE_ONCE(r->state, state + 1);
	return true;
}

/**
 * kpt_ring_finish() - publish the record opened by kpt_ring_begin()
 * @r: the ring of this CPU
 *
 * Context: BRK.
 */
static __always_inline void kpt_ring_finish(struct kpt_ring *r)
{
	smp_store_release(&r->commit, r->write);	/* publish:A */
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
static __always_inline void kpt_ring_commit(struct kpt_ring *r)
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
 * kpt_ring_stamp() - the time of a record
 * @payload: the record, which is not overwritten
 * @near: as for kpt_ring_time(), such as kpt_ring_near()
 *
 * Context: BRK.
 * Return: the stamp it was opened with.
 */
static __always_inline u64 kpt_ring_stamp(const void *payload, u64 near)
{
	const struct kpt_ring_header *h = payload;

	return kpt_ring_time(h[-1].word, near);
}

/**
 * kpt_ring_near() - a time that is near to that of new records
 * @r: the ring of this CPU
 *
 * Context: BRK.
 * Return: the time.
 */
static __always_inline u64 kpt_ring_near(const struct kpt_ring *r)
{
	return r->near;
}

/**
 * kpt_ring_size() - the size of a record
 * @payload: the record
 *
 * Context: any; the record is not overwritten.
 * Return: its bytes, up to the next multiple of 8.
 */
static __always_inline size_t kpt_ring_size(const void *payload)
{
	const struct kpt_ring_header *h = payload;

	if (likely((u8)h[-1].word))
		return (u8)h[-1].word * sizeof(u64) - sizeof(*h);
	return (h[-2].word >> 16) - 2 * sizeof(*h);
}

#endif
