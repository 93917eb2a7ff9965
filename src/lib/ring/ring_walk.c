// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading a ring that nobody writes to any more. What follows from ring.c's
 * description of a ring is checked of each header; where the bytes cannot be a record,
 * the next 8 bytes are tried.
 */
#include "lib/base/port.h"
#include "lib/base/check.h"
#include "lib/record/record.h"
#include "lib/ring/ring_walk.h"

/* Records that were open in the crash have numbers, but are behind the last one. */
#define OPEN_MAX 64
/* Every reader expects a head. */
#define RECORD_MIN (sizeof(struct kpt_ring_header) + sizeof(struct kpt_record_head))

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
	w->sure = w->end;
	w->whole = w->end;
	w->sure_seq = r->seq;
	w->end_seq = r->seq;
	/* The lowest number that there can be: of records with a head alone. */
	w->seq = r->seq - min(r->seq, (w->end - w->pos) / RECORD_MIN + OPEN_MAX);
	return true;
}

/* Can it be a place in a ring of @size bytes? */
static bool walk_is_place(const struct kpt_ring_place *p, u32 size)
{
	u64 start = min(p->tail, p->pos);

	return p->check == kpt_check(p, offsetof(struct kpt_ring_place, check)) &&
	       p->tail <= p->end && p->pos <= p->whole && p->whole <= p->end &&
	       p->end - start <= size && !((p->tail | p->pos | p->whole | p->end) % 8);
}

/**
 * kpt_ring_walk_begin_kept() - start at the oldest record that a reboot has left
 * @w: the walk
 * @data: memory of the ring, any bytes
 * @size: its bytes, a multiple of 4096
 * @kept: copy of what was kept of the ring, any bytes
 *
 * Context: any.
 * Return: false if @kept does not say where the records are.
 */
bool kpt_ring_walk_begin_kept(struct kpt_ring_walk *w, const void *data, u32 size,
			      const struct kpt_ring_kept *kept)
{
	const struct kpt_ring_place *p = NULL, *one;
	int i;

	for (i = 0; i < 2; i++) {
		one = &kept->place[i];
		if (walk_is_place(one, size) &&
		    (!p || (s32)(one->turn - p->turn) > 0))
			p = one;
	}
	if (!p)
		return false;
	memset(w, 0, sizeof(*w));
	w->data = (unsigned long)data;
	w->size = size;
	w->max = size / 2;
	w->pos = min(p->tail, p->pos);
	w->first = p->tail;
	w->sure = p->pos;
	w->end = p->end;
	w->whole = p->whole;
	w->seq = p->seq - min(p->seq, (p->pos - w->pos) / RECORD_MIN);
	w->sure_seq = p->seq;
	w->end_seq = p->seq + (p->end - p->pos) / RECORD_MIN;
	if (kept->from_check == kpt_check(&kept->from, sizeof(kept->from)))
		w->from = kept->from;
	return true;
}

/*
 * May @number be the low half of the number of the record at @w->pos? It is bounded by
 * that at @w->sure: each record has RECORD_MIN bytes at least.
 */
static bool walk_is_number(const struct kpt_ring_walk *w, u32 number)
{
	u64 left = w->sure_seq - w->seq;
	u32 before = number - (u32)w->seq;

	if (w->begun && before > w->skipped / RECORD_MIN)
		return false;
	if (w->pos >= w->sure)
		return number - (u32)w->sure_seq <= (w->pos - w->sure) / RECORD_MIN;
	return before < left &&
	       left - before <= (w->sure - w->pos) / RECORD_MIN + OPEN_MAX;
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
	if (size < RECORD_MIN || size > w->max)
		return 0;
	return port_read_kernel(&h->ts, addr + sizeof(h->word), sizeof(h->ts)) ?
		0 : size;
}

/* Does the record at @w->pos, with @number, follow another one without a gap? */
static bool walk_follows(const struct kpt_ring_walk *w, u32 number)
{
	if (w->pos == w->sure)
		return number == (u32)w->sure_seq;
	return w->begun && !w->gap && number == (u32)w->seq;
}

/*
 * Is there a header at @w->pos? Its size is trusted only if there is another behind it,
 * with the next number. The last one of a reset without a panic has none, but follows
 * others. Returns its size, or 0.
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
	if (w->pos + size == w->end || w->pos + size == w->sure || w->pos + size == w->whole)
		return size;
	if (walk_header(w, w->pos + size, &next) &&
	    (padding || next.word & KPT_RING_PADDING ||
	     (u32)(next.word >> 32) == number + 1))
		return size;
	return !padding && w->pos >= w->sure && walk_follows(w, number) ? size : 0;
}

/* kpt_ring_walk_next(), records that are left out included. */
static bool walk_next(struct kpt_ring_walk *w, struct kpt_ring_info *info)
{
	struct kpt_ring_header h;
	u32 size, before;

	for (; w->pos < w->end; w->pos += size) {
		size = walk_look(w, &h);
		if (!size || h.word & KPT_RING_PADDING) {
			if (!size) {
				w->bad += w->pos < w->whole ? 8 : 0;
				w->gap = true;
				size = 8;
			}
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
		w->gap = false;
		w->pos += size;
		return true;
	}
	return false;
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
	bool found;

	do {
		found = walk_next(w, info);
	} while (found && (w->at < w->first || info->seq < w->from));
	return found;
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
