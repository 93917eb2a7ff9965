// SPDX-License-Identifier: GPL-2.0-only
/*
 * For: crash kept.
 *
 * Reading a ring that nobody writes to any more. What follows from ring.c's
 * description of a ring is checked of each item; where the bytes cannot be one, the next
 * head is looked for: it tells the number of the record behind it.
 */
#include "lib/base/port.h"
#include "lib/base/check.h"
#include "lib/record/record.h"
#include "lib/ring/ring_walk.h"

/* Records that were open in the crash have numbers, but are behind the last one. */
#define OPEN_MAX 64
/* Every reader expects a head. */
#define RECORD_MIN (sizeof(struct kpt_ring_header) + sizeof(struct kpt_record_head))
/*
 * Where the items from a head to the next one do not meet it, a record that is later than the one
 * before by more than so many units, hours of any counter, is thought to be damage.
 */
#define NEAR BIT_ULL(44)

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
	u64 first = min(r->first, r->commit);

	memset(w, 0, sizeof(*w));
	if (!r->data || !r->size || r->size % 4096 || r->commit - first > r->size ||
	    (first | r->commit) % 8)
		return false;
	w->data = (unsigned long)r->data;
	w->size = r->size;
	w->max = r->size / 2;
	w->pos = first;
	w->end = r->commit;
	w->sure = w->end;
	w->whole = w->end;
	w->from = r->tail;
	w->sure_seq = r->seq;
	w->end_seq = r->seq;
	w->gap = true;
	/* The lowest number that there can be: of records with a head alone. */
	w->seq = r->seq - min(r->seq, (w->end - w->pos) / RECORD_MIN + OPEN_MAX);
	return true;
}

/* Can it be a place in a ring of @size bytes? */
static bool walk_is_place(const struct kpt_ring_place *p, u32 size)
{
	return p->check == kpt_check(p, offsetof(struct kpt_ring_place, check)) &&
	       p->first <= p->pos && p->pos <= p->whole && p->whole <= p->end &&
	       p->end - p->first <= size && !((p->first | p->pos | p->whole | p->end) % 8);
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
	w->pos = p->first;
	w->from = p->tail;
	w->sure = p->pos;
	w->end = p->end;
	w->whole = p->whole;
	w->gap = true;
	w->seq = p->seq - min(p->seq, (p->pos - w->pos) / RECORD_MIN);
	w->sure_seq = p->seq;
	w->end_seq = p->seq + (p->end - p->pos) / RECORD_MIN;
	if (kept->from_check == kpt_check(&kept->from, sizeof(kept->from)))
		w->from = max(w->from, kept->from);
	return true;
}

/**
 * struct walk_item - what seems to be in a ring
 * @word: what it begins with
 * @size: its bytes
 * @begin: of a record, bytes before its payload
 * @seq: of a head
 * @ts: of a head or a record
 */
struct walk_item {
	u64 word;
	u32 size;
	u32 begin;
	u64 seq;
	u64 ts;
};

static bool walk_is_head(const struct walk_item *it)
{
	return (it->word & KPT_RING_KIND) == KPT_RING_HEAD;
}

static bool walk_read_head(const struct kpt_ring_walk *w, u64 addr, struct walk_item *it)
{
	u64 link = it->word >> 16;
	struct kpt_ring_head h;

	if (link % 8 || link > w->size || (link && link < sizeof(h)) ||
	    port_read_kernel(&h, addr, sizeof(h)))
		return false;
	it->seq = h.seq;
	it->ts = h.ts;
	return true;
}

static bool walk_read_record(const struct kpt_ring_walk *w, u64 addr, struct walk_item *it)
{
	u64 time = it->word;

	it->begin = sizeof(struct kpt_ring_header);
	if (!(u8)it->word) {
		it->begin *= 2;
		if (it->size <= KPT_RING_SHORT || it->size > w->max ||
		    port_read_kernel(&time, addr + sizeof(time), sizeof(time)) || (u8)time)
			return false;
	}
	it->ts = kpt_ring_time(time, w->ts);
	return it->size >= RECORD_MIN;
}

/* Read what is at @pos. Returns its size; 0 if there cannot be anything. */
static u32 walk_read(const struct kpt_ring_walk *w, u64 pos, struct walk_item *it)
{
	u64 left = min(w->end - pos, w->size - pos % w->size);
	u64 addr = w->data + pos % w->size;

	if (left < sizeof(it->word) || port_read_kernel(&it->word, addr, sizeof(it->word)))
		return 0;
	it->size = kpt_ring_word_bytes(it->word);
	if (!it->size || it->size % 8 || it->size > left)
		return 0;
	if (walk_is_head(it) ? !walk_read_head(w, addr, it) :
	    kpt_ring_word_is_record(it->word) ? !walk_read_record(w, addr, it) :
	    (it->word & KPT_RING_KIND) != KPT_RING_PADDING || it->word >> 48)
		return 0;
	return it->size;
}

/*
 * Follow the items behind the head at @w->pos to the next one, or to the end of what is whole.
 * Returns that position if they meet it, or 0. @nr: number of records
 */
static u64 walk_trusted(const struct kpt_ring_walk *w, const struct walk_item *head, u64 *nr)
{
	u64 link = head->word >> 16, pos = w->pos + head->size;
	u64 end = link ? w->pos + link : w->whole;
	struct walk_item it;

	for (*nr = 0; pos < end && walk_read(w, pos, &it) && !walk_is_head(&it); pos += it.size)
		*nr += kpt_ring_word_is_record(it.word);
	return pos == end ? end : 0;
}

/* Does the head that comes next say the number of records behind this one? */
static bool walk_is_confirmed(const struct kpt_ring_walk *w, const struct walk_item *head)
{
	struct walk_item next;
	u64 end, nr;

	end = head->word >> 16 ? walk_trusted(w, head, &nr) : 0;
	return end && walk_read(w, end, &next) && walk_is_head(&next) &&
	       next.seq == head->seq + nr;
}

/*
 * May the head at @w->pos be that of this ring? If it has not the number that comes next, either
 * number is wrong.
 */
static bool walk_is_number(const struct kpt_ring_walk *w, const struct walk_item *head)
{
	u64 seq = head->seq;

	if (seq == w->seq)
		return true;
	if (seq < w->seq || (!w->gap && !walk_is_confirmed(w, head)))
		return false;
	if (w->pos >= w->sure)
		return seq >= w->sure_seq &&
		       seq - w->sure_seq <= (w->pos - w->sure) / RECORD_MIN;
	return seq <= w->sure_seq;
}

/*
 * Is there an item at @w->pos? Its size is trusted if there is one behind it, or if there need not
 * be: behind the last record of a reset without a panic all is 0.
 */
static bool walk_look(const struct kpt_ring_walk *w, struct walk_item *it)
{
	bool is_sure = w->pos < w->whole, is_record;
	u64 most = is_sure ? NEAR : U64_MAX / 2, behind;
	struct walk_item next;

	if (!walk_read(w, w->pos, it))
		return false;
	if (walk_is_head(it))
		return walk_is_number(w, it);
	if (w->gap)
		return false;
	behind = w->pos + it->size;
	is_record = kpt_ring_word_is_record(it->word);
	/* Damage has made several of one. */
	if (is_record && w->seq >= w->end_seq)
		return false;
	if (behind <= w->trusted)
		return true;
	if (is_record && it->ts - w->newest >= most)
		return false;
	if (behind == w->end || behind == w->sure || behind == w->whole)
		return true;
	if (!walk_read(w, behind, &next))
		return is_record && !is_sure;
	return !is_record || !kpt_ring_word_is_record(next.word) || next.ts - it->ts < most;
}

/* There is nothing at @w->pos that can be read. */
static void walk_skip(struct kpt_ring_walk *w)
{
	w->bad += w->pos < w->whole ? 8 : 0;
	w->gap = true;
	w->pos += 8;
}

static void walk_pass_head(struct kpt_ring_walk *w, const struct walk_item *it)
{
	u64 nr;

	w->trusted = walk_trusted(w, it, &nr);
	w->lost += it->seq - w->seq;
	w->seq = it->seq;
	w->ts = it->ts;
	w->newest = it->ts;
	w->gap = false;
}

/* kpt_ring_walk_next(), records that are left out included. */
static bool walk_next(struct kpt_ring_walk *w, struct kpt_ring_info *info)
{
	struct walk_item it;

	while (w->pos < w->end) {
		if (!walk_look(w, &it)) {
			walk_skip(w);
			continue;
		}
		if (walk_is_head(&it))
			walk_pass_head(w, &it);
		w->at = w->pos + it.begin;
		w->pos += it.size;
		if (!kpt_ring_word_is_record(it.word))
			continue;
		info->ts = it.ts;
		info->seq = w->seq++;
		info->lost = w->begun ? w->lost : 0;
		info->size = it.size - it.begin;
		w->newest = it.ts;
		w->lost = 0;
		w->begun = true;
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
	} while (found && info->seq < w->from);
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
