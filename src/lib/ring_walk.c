// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading a ring that nobody writes to any more. What follows from ring.c's
 * description of a ring is checked of each header; where the bytes cannot be a record,
 * the next 8 bytes are tried.
 */
#include <kptrace/port.h>
#include "lib/ring_walk.h"

/* Records that were open in the crash have numbers, but are behind the last one. */
#define OPEN_MAX 64

/**
 * kpt_ring_walk_begin() - start at the oldest record that is not consumed
 * @w: the walk
 * @r: copy of the ring, any bytes
 *
 * Context: any.
 * Return: false if @r cannot be a ring.
 */
bool kpt_ring_walk_begin(struct kpt_ring_walk *w, const struct kpt_ring *r)
{
	memset(w, 0, sizeof(*w));
	if (!r->data || !r->size || r->size % 4096 || r->tail > r->commit ||
	    r->commit - r->tail > r->size || (r->tail | r->commit) % 8)
		return false;
	w->data = (unsigned long)r->data;
	w->size = r->size;
	w->max = r->size / 2;
	w->pos = r->tail;
	w->end = r->commit;
	w->end_seq = r->seq;
	/* The lowest number that there can be: of records without payload. */
	w->seq = r->seq - min(r->seq, (w->end - w->pos) / 16 + OPEN_MAX);
	return true;
}

/* May @number be the low half of the number of the record at @w->pos? */
static bool walk_is_number(const struct kpt_ring_walk *w, u32 number)
{
	u64 left = w->end_seq - w->seq;
	u32 before = number - (u32)w->seq;

	if (w->begun && before > w->skipped / 16)
		return false;
	return before < left &&
	       left - before <= (w->end - w->pos) / 16 + OPEN_MAX;
}

/* Read the header at @pos. Returns its size; 0 if there cannot be one. */
static u32 walk_header(const struct kpt_ring_walk *w, u64 pos,
		       struct kpt_ring_header *h)
{
	u64 left = min(w->end - pos, w->size - pos % w->size);
	u64 addr = w->data + pos % w->size;
	u32 size;

	if (port_read_kernel(&h->word, addr, sizeof(h->word)))
		return 0;
	size = h->word & KPT_RING_SIZE;
	if (size > left || h->word & 7 & ~KPT_RING_PADDING)
		return 0;
	if (h->word & KPT_RING_PADDING)
		return size;
	if (size < sizeof(*h) || size > w->max)
		return 0;
	return port_read_kernel(&h->ts, addr + sizeof(h->word), sizeof(h->ts)) ?
		0 : size;
}

/*
 * Is there a header at @w->pos? Its size is trusted only if there is another behind it,
 * with the next number. Returns its size, or 0.
 */
static u32 walk_look(const struct kpt_ring_walk *w, struct kpt_ring_header *h)
{
	u32 size = walk_header(w, w->pos, h);
	struct kpt_ring_header next;
	bool padding;
	u32 number;

	if (!size)
		return 0;
	padding = h->word & KPT_RING_PADDING;
	number = (u32)(h->word >> 32);
	if (!padding && !walk_is_number(w, number))
		return 0;
	if (w->pos + size == w->end)
		return size;
	if (!walk_header(w, w->pos + size, &next))
		return 0;
	if (padding || next.word & KPT_RING_PADDING)
		return size;
	return (u32)(next.word >> 32) == number + 1 ? size : 0;
}

/**
 * kpt_ring_walk_next() - find the next record
 * @w: the walk; it moves past the record
 * @info: result, written on success only; lost is the number of records that were
 *	skipped before it because of damage
 *
 * Ends after as many steps as the ring has words, whatever its bytes are.
 *
 * Context: any.
 * Return: true; false at the end.
 */
bool kpt_ring_walk_next(struct kpt_ring_walk *w, struct kpt_ring_info *info)
{
	struct kpt_ring_header h;
	u32 size, before;

	for (; w->pos < w->end; w->pos += size) {
		size = walk_look(w, &h);
		if (!size || h.word & KPT_RING_PADDING) {
			w->bad += size ? 0 : 8;
			size = size ? size : 8;
			w->skipped += size;
			continue;
		}
		before = (u32)(h.word >> 32) - (u32)w->seq;
		info->ts = h.ts;
		info->seq = w->seq + before;
		info->lost = w->begun ? before : 0;
		info->size = size - sizeof(h);
		w->at = w->pos + sizeof(h);
		w->seq = info->seq + 1;
		w->begun = true;
		w->skipped = 0;
		w->pos += size;
		return true;
	}
	return false;
}

/**
 * kpt_ring_walk_copy() - copy the payload of the record that was found last
 * @w: the walk
 * @info: the record, from kpt_ring_walk_next()
 * @buf: result
 * @room: bytes at @buf; a longer payload is cut
 *
 * Context: any.
 * Return: bytes copied; 0 if the memory cannot be read.
 */
u32 kpt_ring_walk_copy(const struct kpt_ring_walk *w,
		       const struct kpt_ring_info *info, void *buf, u32 room)
{
	u32 bytes = min(info->size, room);

	if (port_read_kernel(buf, w->data + w->at % w->size, bytes))
		return 0;
	return bytes;
}
