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
#define MODEL_HEADER 16

/* A record, padding, or (len 0) the number of a record that was too big. */
struct model_item {
	u64 pos, len, ts, number;
	bool padding;
};

struct model {
	struct model_item item[MODEL_ITEMS];
	int items;
	u64 first_number;
	u64 size, write, claim, lap_end, tail, commit;
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
	m->first_number = m->base = first_number;
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

	*it = (struct model_item){ m->write, len, ts, 0, padding };
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

static inline bool model_room(struct model *m, u64 need, u64 wish)
{
	u64 to = m->tail;

	while (m->overwrite && to + m->size < wish && to != m->commit)
		to += model_at(m, to)->len;
	if (to + m->size < need) {
		m->dropped[m->overwrite ? KPT_RING_DROP_OPEN :
					  KPT_RING_DROP_FULL]++;
		return false;
	}
	m->overrun += model_count(m, m->tail, to);
	m->tail = to;
	m->claim = min(wish, to + m->size);
	return true;
}

static inline bool model_reserve(struct model *m, u32 bytes, u64 ts)
{
	u64 len = MODEL_HEADER + (bytes + 7ULL) / 8 * 8;
	u64 start = m->write, end = m->lap_end, step;

	if (start + len > m->claim) {
		if (len > m->size / 2) {
			m->dropped[KPT_RING_DROP_BIG]++;
			return false;
		}
		if (start + len > end) {
			start = end;
			end += m->size;
		}
		step = min(m->size / 8, min(max(m->size / 64, 4096ULL), 16384ULL));
		if (!model_room(m, start + len, min(start + len + step, end)))
			return false;
		if (end != m->lap_end && start != m->write)
			model_add(m, start - m->write, 0, true);
		m->lap_end = end;
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
	bool new_lap = m->write + m->size == m->lap_end;

	/* The last record is removed, unless a record after it has begun a lap. */
	if (i == m->items - 1 && !new_lap)
		m->write = m->item[--m->items].pos;
	else
		m->item[i].padding = true;
	model_renumber(m);
	model_close(m);
}

/* The record that was opened last has only so many bytes, if it is the last one. */
static inline void model_trim(struct model *m, u32 bytes)
{
	struct model_item *it = &m->item[m->open[m->opens - 1]];

	/* As for model_discard(); and a record stays that ends where the memory does. */
	if (it != &m->item[m->items - 1] || m->write + m->size == m->lap_end ||
	    it->pos + it->len == m->lap_end)
		return;
	it->len = MODEL_HEADER + (bytes + 7ULL) / 8 * 8;
	m->write = it->pos + it->len;
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

static inline struct model_item *model_peek(struct model *m,
					    struct model_cursor *c, u64 *lost)
{
	struct model_item *it;
	u64 want = max(c->number, m->base), lap;

	while (c->pos < m->commit) {
		if (c->pos + m->size < m->claim) {
			lap = m->claim - 1 - (m->claim - 1) % m->size;
			c->pos = min(lap, m->tail);
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

static inline void model_rewind(struct model *m, struct model_cursor *c)
{
	u64 lost;

	c->pos = m->tail;
	c->number = model_number(m, m->tail);
	model_peek(m, c, &lost);
}

static inline void model_take(struct model_cursor *c, struct model_item *it)
{
	c->pos = it->pos + it->len;
	c->number = it->number + 1;
}

static inline u64 model_consume(struct model *m, struct model_cursor *c)
{
	u64 n = 0;

	if (c->pos > m->tail) {
		n = model_count(m, m->tail, c->pos);
		m->tail = c->pos;
	}
	m->read += n;
	return n;
}

static inline void model_reset(struct model *m)
{
	m->tail = m->commit;
	m->base = model_number(m, m->commit);
	m->written = m->read = m->overrun = 0;
	memset(m->dropped, 0, sizeof(m->dropped));
}

static inline struct model *model_copy(struct model *m, u64 size)
{
	struct model *d = model_new(size, model_number(m, m->tail));
	u64 live = model_count(m, m->tail, m->commit);
	struct model_item *it;
	u64 pos;

	for (pos = m->tail; pos < m->commit; pos += it->len) {
		it = model_at(m, pos);
		if (it->padding)
			continue;
		if (model_reserve(d, it->len - MODEL_HEADER, it->ts)) {
			model_close(d);
		} else {
			d->tail = d->commit;
			model_add(d, 0, 0, false);
		}
	}
	d->overwrite = m->overwrite;
	d->base = m->base;
	d->written = m->written;
	d->read = m->read;
	d->overrun = m->overrun + live - model_count(d, d->tail, d->commit);
	memcpy(d->dropped, m->dropped, sizeof(d->dropped));
	free(m);
	return d;
}

#endif
