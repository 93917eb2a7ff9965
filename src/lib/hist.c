// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts hits by key, on all CPUs at once, without locks.
 *
 * A new key first gets an entry that only this CPU knows. Once key and hash are
 * written, one cmpxchg() puts the entry into the first free slot of the key's probe
 * sequence. If another CPU was faster, this CPU checks the slot again, which may
 * hold the same key now. Other CPUs never see an incomplete entry, so no CPU waits
 * for another, even if that was interrupted in the middle of this.
 *
 * There are twice as many slots as entries, so every probe sequence ends at a
 * free slot.
 */
#include <kptrace/port.h>
#include "lib/hist.h"

static size_t hist_entry_size(const struct kpt_hist *hist)
{
	return sizeof(struct kpt_hist_entry) + hist->key_size;
}

static u32 hist_nr_slots(const struct kpt_hist_map *map)
{
	return 2U << map->bits;
}

/**
 * kpt_hist_map_size() - memory that the map of a trigger takes
 * @hist: the trigger
 *
 * Context: any.
 * Return: bytes; from 8 KiB to about 75 MiB.
 */
size_t kpt_hist_map_size(const struct kpt_hist *hist)
{
	return sizeof(struct kpt_hist_map) + (sizeof(u32) * 2 << hist->bits) +
	       (hist_entry_size(hist) << hist->bits);
}

/**
 * kpt_hist_map_init() - make an empty map
 * @map: kpt_hist_map_size() bytes
 * @hist: its trigger
 *
 * Also clears a map that was in use. No CPU may add to it at the same time.
 *
 * Context: any; touches all of the memory.
 */
void kpt_hist_map_init(struct kpt_hist_map *map, const struct kpt_hist *hist)
{
	memset(map, 0, kpt_hist_map_size(hist));
	map->bits = hist->bits;
	map->key_size = hist->key_size;
	map->entry_size = (u32)hist_entry_size(hist);
}

/**
 * kpt_hist_map_drops() - count the hits that found no room
 * @map: the map
 *
 * Context: any.
 * Return: the number of these hits.
 */
u64 kpt_hist_map_drops(struct kpt_hist_map *map)
{
	return (u64)atomic64_read(&map->drops);
}

static u64 hist_hash_key(const u8 *key, size_t size)
{
	u64 h = size, w;
	size_t i;

	for (i = 0; i < size; i += sizeof(w)) {
		memcpy(&w, key + i, sizeof(w));
		/* the odd number nearest 2^64 divided by the golden ratio */
		h = (h ^ w) * 0x9e3779b97f4a7c15ULL;
		h ^= h >> 32;
	}
	return h * 0x9e3779b97f4a7c15ULL;
}

/* Take an entry off the list of spare ones. Returns its number + 1, or 0. */
static u32 hist_pop_spare(struct kpt_hist_map *map)
{
	u64 old, new;
	u32 n;

	for (;;) {
		old = smp_load_acquire(&map->spare); /* B: pairs with C */
		n = (u32)old;
		if (!n)
			return 0;
		new = READ_ONCE(kpt_hist_map_entry(map, n - 1)->spare);
		new |= ((old >> 32) + 1) << 32;
		if (cmpxchg(&map->spare, old, new) == old)
			return n;
	}
}

static void hist_push_spare(struct kpt_hist_map *map, u32 n)
{
	struct kpt_hist_entry *e = kpt_hist_map_entry(map, n - 1);
	u64 old, new;

	do {
		old = READ_ONCE(map->spare);
		WRITE_ONCE(e->spare, (u32)old);
		new = ((old >> 32) + 1) << 32 | n;
	} while (cmpxchg(&map->spare, old, new) != old); /* C: pairs with B */
}

/* Take an unused entry. Returns its number + 1, or 0 if all are in use. */
static u32 hist_claim_entry(struct kpt_hist_map *map)
{
	u32 n = hist_pop_spare(map);

	if (n)
		return n;
	do {
		n = READ_ONCE(map->next);
		if (n >= 1U << map->bits)
			return 0;
	} while (cmpxchg(&map->next, n, n + 1) != n);
	return n + 1;
}

static void hist_fill_entry(const struct kpt_hist *hist, struct kpt_hist_entry *e,
			    const u8 *key, u32 hash,
			    const struct kpt_record_head *head)
{
	e->hash = hash;
	memcpy(e->key, key, hist->key_size);
	if (!hist->keeps_comm)
		return;
	if (head->pid)
		port_current_comm(e->comm);
	else
		memcpy(e->comm, "<idle>", sizeof("<idle>"));
}

static bool hist_is_entry_of(const struct kpt_hist_entry *e, const u8 *key,
			     size_t size, u32 hash)
{
	return e->hash == hash && !memcmp(e->key, key, size);
}

/*
 * Put @mine, the number + 1 of an entry, into free slot @i. Returns the value of the
 * slot, which is another one if another CPU was faster.
 */
static u32 hist_take_slot(struct kpt_hist_map *map, u32 i, u32 mine)
{
	/* D: pairs with A */
	if (!cmpxchg(&map->slot[i], 0, mine))
		return mine;
	return smp_load_acquire(&map->slot[i]); /* A */
}

/* Find the entry of a key, or make it. Returns NULL if there is no room. */
static struct kpt_hist_entry *hist_find_entry(const struct kpt_hist *hist,
					      struct kpt_hist_map *map,
					      const u8 *key,
					      const struct kpt_record_head *head)
{
	u64 hash = hist_hash_key(key, hist->key_size);
	u32 i = (u32)(hash >> (63 - map->bits)), n, mine = 0;
	struct kpt_hist_entry *e;

	for (;; i = (i + 1) & (hist_nr_slots(map) - 1)) {
		n = smp_load_acquire(&map->slot[i]); /* A: pairs with D */
		if (!n && !mine) {
			mine = hist_claim_entry(map);
			if (!mine)
				return NULL;
			e = kpt_hist_map_entry(map, mine - 1);
			hist_fill_entry(hist, e, key, (u32)hash, head);
		}
		if (!n)
			n = hist_take_slot(map, i, mine);
		e = kpt_hist_map_entry(map, n - 1);
		if (n == mine)
			return e;
		if (hist_is_entry_of(e, key, hist->key_size, (u32)hash))
			break;
	}
	if (mine)
		hist_push_spare(map, mine);
	return e;
}

static __always_inline u64 hist_load(const struct kpt_hist *hist,
				     const struct kpt_hist_op *op,
				     const struct kpt_hist_hit *hit)
{
	switch (op->code) {
	case KPT_HIST_NUMBER:
		return kpt_field_number(&op->ref, hit->record);
	case KPT_HIST_CPU:
		return hit->cpu;
	case KPT_HIST_TIME:
		return hist->time_in_usecs && hit->ts_in_ns ? hit->ts / 1000 :
							      hit->ts;
	default:
		return op->number;
	}
}

/* Least power of two that is not less than @v, as an exponent. */
static u64 hist_log2_up(u64 v)
{
	return v < 2 ? 0 : 64 - (u64)__builtin_clzll(v - 1);
}

/*
 * Run the instructions of a program after its first load, which gave @v. There are
 * fewer than KPT_HIST_OPS_MAX of them, so the time is bounded.
 */
static noinline u64 hist_run(const struct kpt_hist *hist,
			     const struct kpt_hist_field *f,
			     const struct kpt_hist_hit *hit, u64 v)
{
	const struct kpt_hist_op *op = f->op, *end = op + f->nr_ops;
	u64 before[KPT_HIST_OPERATORS_MAX], *top = before;

	while (++op < end) {
		switch (op->code) {
		case KPT_HIST_TO_LOG2:
			v = hist_log2_up(v);
			break;
		case KPT_HIST_TO_BUCKET:
			v = v / op->number * op->number;
			break;
		case KPT_HIST_NEGATE:
			v = -v;
			break;
		case KPT_HIST_PLUS:
		case KPT_HIST_MINUS:
		case KPT_HIST_TIMES:
		case KPT_HIST_DIVIDE:
			v = kpt_hist_combine(op->code, *--top, v);
			break;
		default:
			*top++ = v;
			v = hist_load(hist, op, hit);
		}
	}
	return v;
}

static __always_inline u64 hist_value(const struct kpt_hist *hist,
				      const struct kpt_hist_field *f,
				      const struct kpt_hist_hit *hit)
{
	u64 v = hist_load(hist, f->op, hit);

	return f->nr_ops == 1 ? v : hist_run(hist, f, hit, v);
}

/* Copy a string of the record and fill up with zeroes. */
static void hist_put_text(u8 *dst, const struct kpt_hist_field *f,
			  const struct kpt_hist_hit *hit)
{
	size_t len;
	const char *text = kpt_field_text(&f->op[0].ref, hit->record, hit->size, &len);

	len = min_t(size_t, len, KPT_HIST_TEXT_MAX - 1);
	memcpy(dst, text, len);
	memset(dst + len, 0, KPT_HIST_TEXT_MAX - len);
}

static void hist_put_comm(u8 *dst)
{
	char comm[PORT_COMM_LEN];
	size_t len;

	port_current_comm(comm);
	len = strnlen(comm, sizeof(comm));
	memcpy(dst, comm, len);
	memset(dst + len, 0, KPT_HIST_TEXT_MAX - len);
}

static void hist_put_key(u8 *dst, const struct kpt_hist *hist,
			 const struct kpt_hist_field *f,
			 const struct kpt_hist_hit *hit)
{
	u64 v;

	switch (f->op[0].code) {
	case KPT_HIST_TEXT:
		hist_put_text(dst, f, hit);
		break;
	case KPT_HIST_COMM:
		hist_put_comm(dst);
		break;
	default:
		v = hist_value(hist, f, hit);
		memcpy(dst, &v, sizeof(v));
	}
}

/**
 * kpt_hist_add() - count a hit
 * @hist: the trigger; several that are kpt_hist_same() may share a map
 * @map: its map
 * @hit: the hit
 *
 * Any number of CPUs may add at once. None waits for another.
 *
 * Context: BRK. Uses port_scratch().
 * Return: true, or false if the map is full; then the hit is counted as
 * dropped.
 */
bool kpt_hist_add(const struct kpt_hist *hist, struct kpt_hist_map *map,
		  const struct kpt_hist_hit *hit)
{
	u8 *key = port_scratch();
	struct kpt_hist_entry *e;
	unsigned int i;

	for (i = 0; i < hist->nr_keys; i++)
		hist_put_key(key + hist->key[i].key_offset, hist, &hist->key[i],
			     hit);
	e = hist_find_entry(hist, map, key, hit->record);
	if (!e) {
		atomic64_inc(&map->drops);
		return false;
	}
	atomic64_inc(&e->sum[0]);
	for (i = 1; i < hist->nr_vals; i++)
		atomic64_add((s64)hist_value(hist, &hist->val[i], hit), &e->sum[i]);
	return true;
}
