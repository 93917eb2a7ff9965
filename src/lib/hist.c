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
	return sizeof(struct kpt_hist_entry) + hist->key_size +
	       hist->nr_words * sizeof(u64) + hist->nr_blobs * KPT_HIST_BLOB_MAX;
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
	map->words = hist->key_size;
	map->blobs = map->words + hist->nr_words * (u32)sizeof(u64);
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

/* Make an entry that no slot has. Returns its number + 1, or 0 if there is no room. */
static noinline u32 hist_make_entry(const struct kpt_hist *hist,
				    struct kpt_hist_map *map, const u8 *key, u32 hash,
				    const struct kpt_record_head *head)
{
	u32 n = hist_claim_entry(map);

	if (n)
		hist_fill_entry(hist, kpt_hist_map_entry(map, n - 1), key, hash, head);
	return n;
}

/* Find the entry of a key, or make it. Returns NULL if there is no room. */
static __always_inline struct kpt_hist_entry *hist_find_entry(const struct kpt_hist *hist,
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
			mine = hist_make_entry(hist, map, key, (u32)hash, head);
			if (!mine)
				return NULL;
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

/*
 * Numbers of variables are kept with some bits inverted, so that 0 says: not set. One
 * word has value and state, so a CPU that reads a variable once takes both at once. A
 * variable that is set to this very number counts as not set.
 */
#define SET_MARK 0x9d3c5ae1706bf284ULL

/* A number of the own entry. Words come first behind the key. */
static u64 hist_own(const struct kpt_hist_hit *hit, u64 place)
{
	return READ_ONCE(hit->own[place]) ^ SET_MARK;
}

static __always_inline u64 hist_load(const struct kpt_hist_op *op,
				     const struct kpt_hist_hit *hit)
{
	if (likely(op->code == KPT_HIST_NUMBER))
		return kpt_field_number(&op->ref, hit->record);
	switch (op->code) {
	case KPT_HIST_CPU:
		return hit->cpu;
	case KPT_HIST_TIME:
		return hit->ts_in_ns && op->number > 1 ? hit->ts / 1000 : hit->ts;
	case KPT_HIST_VAR:
		return hit->var[op->number];
	case KPT_HIST_OWN:
		return hist_own(hit, op->number);
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
static noinline u64 hist_run(const struct kpt_hist_field *f,
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
			v = hist_load(op, hit);
		}
	}
	return v;
}

static __always_inline u64 hist_value(const struct kpt_hist_field *f,
				      const struct kpt_hist_hit *hit)
{
	u64 v = hist_load(f->op, hit);

	return f->nr_ops == 1 ? v : hist_run(f, hit, v);
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

static noinline void hist_put_comm(u8 *dst)
{
	char comm[PORT_COMM_LEN];
	size_t len;

	port_current_comm(comm);
	len = strnlen(comm, sizeof(comm));
	memcpy(dst, comm, len);
	memset(dst + len, 0, KPT_HIST_TEXT_MAX - len);
}

/* Copy a stack of the record and fill up with zeroes. */
static noinline void hist_put_field_stack(u8 *dst, const struct kpt_hist_field *f,
				 const struct kpt_hist_hit *hit)
{
	size_t len;
	const char *data = kpt_field_data(&f->op[0].ref, hit->record, hit->size,
					  &len);

	len = data ? min_t(size_t, len, KPT_HIST_STACK_MAX) : 0;
	memcpy(dst, data, len);
	memset(dst + len, 0, KPT_HIST_STACK_MAX - len);
}

static __always_inline void hist_put_key(u8 *dst, const struct kpt_hist_field *f,
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
	case KPT_HIST_STACK:
		memcpy(dst, hit->stack, KPT_HIST_STACK_MAX);
		break;
	case KPT_HIST_FIELD_STACK:
		hist_put_field_stack(dst, f, hit);
		break;
	default:
		v = hist_value(f, hit);
		memcpy(dst, &v, sizeof(v));
	}
}

static __always_inline void hist_put_keys(u8 *dst, const struct kpt_hist *hist,
					  const struct kpt_hist_hit *hit)
{
	const struct kpt_hist_field *f = hist->key, *end = f + hist->nr_keys;

	for (; f < end; f++)
		hist_put_key(dst + f->key_offset, f, hit);
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

	hist_put_keys(key, hist, hit);
	e = hist_find_entry(hist, map, key, hit->record);
	if (!e) {
		atomic64_inc(&map->drops);
		return false;
	}
	atomic64_inc(&e->sum[0]);
	for (i = 1; i < hist->nr_vals; i++)
		atomic64_add((s64)hist_value(&hist->val[i], hit), &e->sum[i]);
	return true;
}

/*
 * Variables and actions.
 */

/* Find the entry of a key that another histogram may have. */
static noinline struct kpt_hist_entry *hist_look_up(const struct kpt_hist_map *map,
					   const u8 *key, u32 size, u64 hash)
{
	u32 i = (u32)(hash >> (63 - map->bits)), n;
	struct kpt_hist_entry *e;

	for (;; i = (i + 1) & (hist_nr_slots(map) - 1)) {
		n = smp_load_acquire(&map->slot[i]); /* A: pairs with D */
		if (!n)
			return NULL;
		e = kpt_hist_map_entry(map, n - 1);
		if (hist_is_entry_of(e, key, size, (u32)hash))
			return e;
	}
}

/* Read a variable of another histogram. Returns false if it is not set. */
static noinline bool hist_read_ref(const struct kpt_hist_ref *ref, const u8 *key, u32 size,
			  u64 hash, u64 *value)
{
	const struct kpt_hist_var *var = &ref->hist->var[ref->var];
	struct kpt_hist_entry *e = hist_look_up(ref->map, key, size, hash);
	u64 *word;

	if (!e)
		return false;
	if (!kpt_hist_is_number(&var->value)) {
		*value = (uintptr_t)kpt_hist_blob(ref->map, e, var->place);
		return true;
	}
	word = kpt_hist_word(ref->map, e, var->place);
	if (ref->is_once)
		*value = xchg(word, 0);
	else
		*value = READ_ONCE(*word);
	if (!*value)
		return false;
	*value ^= SET_MARK;
	return true;
}

static bool hist_read_refs(const struct kpt_hist *hist, const u8 *key,
			   struct kpt_hist_hit *hit)
{
	u64 hash = hist_hash_key(key, hist->key_size);
	unsigned int i;

	for (i = 0; i < hist->nr_refs; i++)
		if (!hist_read_ref(&hist->ref[i], key, hist->key_size, hash,
				   &hit->var[i]))
			return false;
	return true;
}

/**
 * kpt_hist_number() - compute a number
 * @f: a value, variable or parameter that is a number
 * @hit: the hit, as kpt_hist_add_related() has left it
 *
 * Context: BRK.
 * Return: the number.
 */
u64 kpt_hist_number(const struct kpt_hist_field *f, const struct kpt_hist_hit *hit)
{
	return hist_value(f, hit);
}

/**
 * kpt_hist_text() - find a string
 * @map: the map of the trigger
 * @f: a variable or parameter that is a string
 * @hit: as for kpt_hist_number()
 * @len: result: its characters
 *
 * The name of a task is put at port_scratch().
 *
 * Context: BRK.
 * Return: the characters, which may end without a NUL.
 */
const char *kpt_hist_text(const struct kpt_hist_map *map,
			  const struct kpt_hist_field *f,
			  const struct kpt_hist_hit *hit, size_t *len)
{
	const struct kpt_hist_op *op = f->op;
	const char *text;

	switch (op->code) {
	case KPT_HIST_TEXT:
		return kpt_field_text(&op->ref, hit->record, hit->size, len);
	case KPT_HIST_VAR_TEXT:
		text = (const char *)(uintptr_t)hit->var[op->number];
		break;
	case KPT_HIST_OWN_TEXT:
		text = (const char *)kpt_hist_blob(map, hit->entry, (u32)op->number);
		break;
	default:
		hist_put_comm(port_scratch());
		text = port_scratch();
	}
	*len = strnlen(text, KPT_HIST_TEXT_MAX - 1);
	return text;
}

/**
 * kpt_hist_stack() - find a stack
 * @map: the map of the trigger
 * @f: a variable or parameter that is a stack
 * @hit: as for kpt_hist_number()
 *
 * A stack of the record is put at port_scratch().
 *
 * Context: BRK.
 * Return: the number of addresses, and these.
 */
const u64 *kpt_hist_stack(const struct kpt_hist_map *map,
			  const struct kpt_hist_field *f,
			  const struct kpt_hist_hit *hit)
{
	const struct kpt_hist_op *op = f->op;

	switch (op->code) {
	case KPT_HIST_VAR_STACK:
		return (const u64 *)(uintptr_t)hit->var[op->number];
	case KPT_HIST_OWN_STACK:
		return (const u64 *)kpt_hist_blob(map, hit->entry, (u32)op->number);
	case KPT_HIST_FIELD_STACK:
		hist_put_field_stack(port_scratch(), f, hit);
		return port_scratch();
	default:
		return hit->stack;
	}
}

/* Keep a string or stack in an entry. The bytes behind it are 0. */
static void hist_keep_blob(const struct kpt_hist_map *map,
			   const struct kpt_hist_field *f,
			   const struct kpt_hist_hit *hit, u8 *to)
{
	const void *from;
	size_t len;

	static_assert(KPT_HIST_BLOB_MAX == KPT_HIST_TEXT_MAX &&
		      KPT_HIST_BLOB_MAX == KPT_HIST_STACK_MAX, "one size");
	if (kpt_hist_is_stack(f)) {
		memmove(to, kpt_hist_stack(map, f, hit), KPT_HIST_BLOB_MAX);
		return;
	}
	from = kpt_hist_text(map, f, hit, &len);
	len = min_t(size_t, len, KPT_HIST_TEXT_MAX - 1);
	memmove(to, from, len);
	memset(to + len, 0, KPT_HIST_BLOB_MAX - len);
}

static void hist_set_vars(const struct kpt_hist *hist, struct kpt_hist_map *map,
			  struct kpt_hist_hit *hit)
{
	const struct kpt_hist_var *var = hist->var, *end = var + hist->nr_vars;

	for (; var < end; var++) {
		if (kpt_hist_is_number(&var->value))
			WRITE_ONCE(*kpt_hist_word(map, hit->entry, var->place),
				   hist_value(&var->value, hit) ^ SET_MARK);
		else
			hist_keep_blob(map, &var->value, hit,
				       kpt_hist_blob(map, hit->entry, var->place));
	}
}

/*
 * kpt_hist_add_related() runs for records of synthetic events, too, when much of the
 * stack is used. So its steps have frames of their own.
 */
static noinline void hist_make_key(u8 *key, const struct kpt_hist *hist,
				   const struct kpt_hist_hit *hit)
{
	hist_put_keys(key, hist, hit);
}

static noinline struct kpt_hist_entry *hist_enter(const struct kpt_hist *hist,
						  struct kpt_hist_map *map,
						  const u8 *key, const void *record)
{
	return hist_find_entry(hist, map, key, record);
}

static noinline void hist_update(const struct kpt_hist *hist,
				 struct kpt_hist_map *map, struct kpt_hist_hit *hit)
{
	unsigned int i;

	atomic64_inc(&hit->entry->sum[0]);
	hist_set_vars(hist, map, hit);
	for (i = 1; i < hist->nr_vals; i++)
		atomic64_add((s64)hist_value(&hist->val[i], hit),
			     &hit->entry->sum[i]);
}

/**
 * kpt_hist_add_related() - kpt_hist_add() for a trigger that is_related
 * @hist: the trigger
 * @map: its map
 * @hit: the hit; @hit->var has room for KPT_HIST_REFS_MAX values
 *
 * Sets @hit->var and @hit->entry for the actions, and the variables of the trigger.
 * A hit for which a variable of another histogram is not set is only counted as
 * unmatched.
 *
 * Context: BRK. Uses KPT_HIST_KEY_MAX bytes of port_scratch().
 * Return: true if the hit was counted, and actions may run.
 */
bool kpt_hist_add_related(const struct kpt_hist *hist, struct kpt_hist_map *map,
			  struct kpt_hist_hit *hit)
{
	u8 *key = port_scratch();

	hist_make_key(key, hist, hit);
	if (hist->nr_refs && !hist_read_refs(hist, key, hit)) {
		atomic64_inc(&map->unmatched);
		return false;
	}
	hit->entry = hist_enter(hist, map, key, hit->record);
	if (!hit->entry) {
		atomic64_inc(&map->drops);
		return false;
	}
	hit->own = kpt_hist_word(map, hit->entry, 0);
	hist_update(hist, map, hit);
	return true;
}

/**
 * kpt_hist_beats() - does a value of onmax() or onchange() replace another one?
 * @a: the action
 * @v: the value
 * @old: the other one
 *
 * Context: any, BRK included.
 * Return: true if it does.
 */
bool kpt_hist_beats(const struct kpt_hist_action *a, u64 v, u64 old)
{
	if (a->handler == KPT_HIST_ONCHANGE)
		return v != old;
	return a->tracked.is_signed ? (s64)v > (s64)old : v > old;
}

static void hist_save(const struct kpt_hist *hist, struct kpt_hist_map *map,
		      const struct kpt_hist_action *a,
		      const struct kpt_hist_hit *hit)
{
	const struct kpt_hist_param *p = &hist->param[a->first], *end = p + a->nr;

	for (; p < end; p++) {
		if (kpt_hist_is_number(&p->value))
			WRITE_ONCE(*kpt_hist_word(map, hit->entry, p->place),
				   hist_value(&p->value, hit));
		else
			hist_keep_blob(map, &p->value, hit,
				       kpt_hist_blob(map, hit->entry, p->place));
	}
}

/*
 * Track a value and save what belongs to it as one step. The lock is held for the time
 * of a few copies, with interrupts masked.
 */
static bool hist_fires_saving(const struct kpt_hist *hist, struct kpt_hist_map *map,
			      const struct kpt_hist_action *a,
			      const struct kpt_hist_hit *hit, u64 v)
{
	u64 *word = kpt_hist_word(map, hit->entry, a->word), *lock = word + 1;
	bool fires;

	while (cmpxchg(lock, 0, 1))
		;
	fires = kpt_hist_beats(a, v, *word);
	if (fires) {
		WRITE_ONCE(*word, v);
		hist_save(hist, map, a, hit);
	}
	smp_store_release(lock, 0);
	return fires;
}

/**
 * kpt_hist_fires() - does a handler let its action run? Performs save()
 * @hist: the trigger
 * @map: its map
 * @action: the action
 * @hit: the hit, as kpt_hist_add_related() has left it
 * @value: result: the value of onmax() or onchange()
 *
 * Context: BRK.
 * Return: true if the action runs.
 */
bool kpt_hist_fires(const struct kpt_hist *hist, struct kpt_hist_map *map,
		    const struct kpt_hist_action *action,
		    const struct kpt_hist_hit *hit, u64 *value)
{
	u64 *word, old, v;

	if (action->handler == KPT_HIST_ONMATCH)
		return true;
	word = kpt_hist_word(map, hit->entry, action->word);
	v = *value = hist_value(&action->tracked, hit);
	old = READ_ONCE(*word);
	if (!kpt_hist_beats(action, v, old))
		return false;
	if (action->deed == KPT_HIST_SAVE)
		return hist_fires_saving(hist, map, action, hit, v);
	while (kpt_hist_beats(action, v, old)) {
		u64 was = cmpxchg(word, old, v);

		if (was == old)
			return true;
		old = was;
	}
	return false;
}
