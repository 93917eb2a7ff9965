/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring as a plain list of all records ever reserved. None is overwritten, and
 * each answer is found by walking the list. Counters are counted, not derived. The
 * model knows the ring's policy (which records are overwritten, and when), but not
 * its representation.
 */
#ifndef MODEL_RING_H
#define MODEL_RING_H

#include "lib/base/port.h"
#include "lib/ring/ring.h"
#include <stdlib.h>

#define MODEL_ITEMS 8192
#define MODEL_HEAD 24

/* A record, padding, a head, or (len 0) the number of a record that was too big. */
struct model_item {
	u64 pos, len, ts, number;
	bool padding, head, big;
};

struct model {
	struct model_item item[MODEL_ITEMS];
	int items;
	u64 first_number;
	u64 size, write, claim, claimed, lap_end, commit;
	/* A number, and the position of the oldest head. */
	u64 tail, first;
	bool overwrite;
	int open[8], opens;
	u64 base, written, read, overrun, dropped[KPT_RING_DROPS];
};

struct model_cursor {
	u64 pos, number;
};

static inline struct model *model_new(u64 size, u64 first_number)
{
	struct model *m = calloc(1, sizeof(*m));

	m->size = m->lap_end = size;
	m->overwrite = true;
	m->first_number = m->base = m->tail = first_number;
	return m;
}

static inline void model_renumber(struct model *m)
{
	u64 number = m->first_number;
	int i;

	for (i = 0; i < m->items; i++) {
		m->item[i].number = number;
		number += !m->item[i].padding;
	}
}

static inline struct model_item *model_add(struct model *m, u64 len, u64 ts,
					   bool padding)
{
	struct model_item *it = &m->item[m->items++];

	*it = (struct model_item){ m->write, len, ts, 0, padding, false, len >= 256 * 8 };
	m->write += len;
	model_renumber(m);
	return it;
}

static inline struct model_item *model_at(struct model *m, u64 pos)
{
	int i;

	for (i = 0; i < m->items; i++)
		if (m->item[i].pos == pos && m->item[i].len)
			return &m->item[i];
	return NULL;
}

/* Records in [from, to). */
static inline u64 model_count(struct model *m, u64 from, u64 to)
{
	u64 n = 0;
	int i;

	for (i = 0; i < m->items; i++)
		n += !m->item[i].padding && m->item[i].len &&
		     m->item[i].pos >= from && m->item[i].pos < to;
	return n;
}

/* Bytes of a payload: a long record has its size in another word. */
static inline u64 model_length(u64 bytes)
{
	u64 len = 8 + (bytes + 7) / 8 * 8;

	return len < 256 * 8 ? len : len + 8;
}

static inline u64 model_payload(const struct model_item *it)
{
	return it->len - (it->big ? 16 : 8);
}

/* Number of the first record at or after pos, which may not exist yet. */
static inline u64 model_number(struct model *m, u64 pos)
{
	u64 number = m->first_number;
	int i;

	for (i = 0; i < m->items; i++) {
		if (m->item[i].len && m->item[i].pos >= pos)
			break;
		number += !m->item[i].padding;
	}
	return number;
}

/* The first head behind @pos; or, if all is published, where the next one will be. */
static inline u64 model_next_head(struct model *m, u64 pos, u64 start)
{
	int i;

	for (i = 0; i < m->items; i++)
		if (m->item[i].head && m->item[i].pos > pos)
			return m->item[i].pos <= m->commit ? m->item[i].pos : 0;
	return m->commit == m->write ? start : 0;
}

static inline void model_raise_tail(struct model *m, u64 number)
{
	if (number <= m->tail)
		return;
	m->overrun += number - m->tail;
	m->tail = number;
}

static inline bool model_room(struct model *m, u64 start, u64 need, u64 wish)
{
	u64 to = m->first, next, limit;

	while (to + m->size < wish) {
		next = model_next_head(m, to, start);
		if (!next || (!m->overwrite &&
			      model_number(m, next) + (next != start) > m->tail))
			break;
		to = next;
	}
	limit = min(to, m->commit) + m->size;
	if (limit < need) {
		m->dropped[m->overwrite ? KPT_RING_DROP_OPEN :
					  KPT_RING_DROP_FULL]++;
		return false;
	}
	if (m->overwrite)
		model_raise_tail(m, model_number(m, to));
	m->first = to;
	m->claim = m->claimed = max(m->claimed, min(wish, limit));
	return true;
}

static inline bool model_reserve(struct model *m, u32 bytes, u64 ts)
{
	u64 len = model_length(bytes), need = MODEL_HEAD + len;
	u64 start = m->write, end = m->lap_end, step;

	if (start + len > m->claim) {
		if (need > m->size / 2) {
			m->dropped[KPT_RING_DROP_BIG]++;
			return false;
		}
		if (start + need > end) {
			start = end;
			end += m->size;
		}
		step = min(m->size / 8, min(max(m->size / 64, 4096ULL), 16384ULL));
		if (!model_room(m, start, start + need, min(start + need + step, end)))
			return false;
		if (end != m->lap_end && start != m->write)
			model_add(m, start - m->write, 0, true);
		m->lap_end = end;
		model_add(m, MODEL_HEAD, 0, true)->head = true;
	}
	m->open[m->opens++] = m->items;
	model_add(m, len, ts, false);
	return true;
}

static inline void model_close(struct model *m)
{
	if (--m->opens)
		return;
	m->written += model_count(m, m->commit, m->write);
	m->commit = m->write;
}

static inline void model_discard(struct model *m)
{
	int i = m->open[m->opens - 1];

	if (i == m->items - 1) {
		m->write = m->item[--m->items].pos;
		if (m->item[i].big)
			m->claim = m->write;
	} else {
		m->item[i].padding = true;
	}
	model_renumber(m);
	model_close(m);
}

/* The record that was opened last has only so many bytes, if it is the last one. */
static inline void model_trim(struct model *m, u32 bytes)
{
	struct model_item *it = &m->item[m->open[m->opens - 1]];

	/* A record stays that ends where the memory does, or that is long. */
	if (it != &m->item[m->items - 1] || it->pos + it->len == m->lap_end || it->big)
		return;
	it->len -= model_payload(it) - (bytes + 7ULL) / 8 * 8;
	m->write = it->pos + it->len;
}

static inline struct model_item *model_peek(struct model *m,
					    struct model_cursor *c, u64 *lost)
{
	struct model_item *it;
	u64 want = max(c->number, m->base);

	while (c->pos < m->commit) {
		if (c->pos + m->size < m->claimed) {
			c->pos = m->first;
			continue;
		}
		it = model_at(m, c->pos);
		if (!it->padding && it->number >= want) {
			*lost = it->number - want;
			return it;
		}
		c->pos += it->len;
	}
	return NULL;
}

/* The first record that is not consumed, or where it will be. */
static inline u64 model_oldest(struct model *m)
{
	int i;

	for (i = 0; i < m->items; i++)
		if (m->item[i].len && !m->item[i].padding && m->item[i].pos < m->commit &&
		    m->item[i].number >= m->tail)
			return m->item[i].pos;
	return m->commit;
}

static inline void model_rewind(struct model *m, struct model_cursor *c)
{
	c->pos = model_oldest(m);
	c->number = model_number(m, c->pos);
}

static inline void model_take(struct model_cursor *c, struct model_item *it)
{
	c->pos = it->pos + it->len;
	c->number = it->number + 1;
}

static inline u64 model_consume(struct model *m, struct model_cursor *c)
{
	u64 n = c->number > m->tail ? c->number - m->tail : 0;

	m->tail += n;
	m->read += n;
	return n;
}

static inline void model_reset(struct model *m)
{
	m->tail = m->base = model_number(m, m->commit);
	m->written = m->read = m->overrun = 0;
	memset(m->dropped, 0, sizeof(m->dropped));
}

static inline struct model *model_copy(struct model *m, u64 size)
{
	u64 pos = model_oldest(m), end = model_number(m, m->commit), live = end - m->tail;
	struct model *d = model_new(size, m->tail);
	struct model_item *it;

	for (; pos < m->commit; pos += it->len) {
		it = model_at(m, pos);
		if (it->padding)
			continue;
		if (model_reserve(d, model_payload(it), it->ts)) {
			model_close(d);
		} else {
			model_add(d, 0, 0, false);
			d->tail = model_number(d, d->write + 1);
			d->claim = d->write;
		}
	}
	d->overwrite = m->overwrite;
	d->base = m->base;
	d->written = m->written;
	d->read = m->read;
	d->overrun = m->overrun + live - (end - d->tail);
	memcpy(d->dropped, m->dropped, sizeof(d->dropped));
	free(m);
	return d;
}

#endif
