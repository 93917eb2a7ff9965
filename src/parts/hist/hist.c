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
#include "lib/base/port.h"
#include "parts/hist/hist_hit.h"

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
 * Return: bytes; from 8 KiB to about 75 MiB without variables and actions, to 2.8 GiB with
 * as many strings as there can be.
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
 * Also clears a map that was in use. No CPU may add to it at the same time, but hits of
 * other triggers may read its variables, which are not set.
 *
 * Context: any; touches all of the memory.
 */
void kpt_hist_map_init(struct kpt_hist_map *map, const struct kpt_hist *hist)
{
	size_t shape = offsetof(struct kpt_hist_map, next);

	map->bits = hist->bits;
	map->shift = 63 - hist->bits;
	map->entry_size = (u32)hist_entry_size(hist);
	map->entries = (u32)offsetof(struct kpt_hist_map, slot[2U << hist->bits]);
	map->words = hist->key_size;
	map->blobs = map->words + hist->nr_words * (u32)sizeof(u64);
	memset((u8 *)map + shape, 0, kpt_hist_map_size(hist) - shape);
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

/**
 * struct hist_key - the key of a hit, passed by value: it stays in registers
 * @first: its first word, which is all if @size is 8
 * @word: else the key
 * @size: bytes in use, whole words. If the last field is a string or stack, they end with
 *	the word that has the NUL or the last address, so two keys are equal if these
 *	bytes are. In an entry zeroes follow
 * @hash: of the bytes that fields use: not of zeroes behind a string or stack
 */
struct hist_key {
	u64 first;
	const u64 *word;
	size_t size;
	u64 hash;
};

/* Add the words of a field to a hash. Recorders do, too: see recorder_hist.c, recorder_stack.c. */
static u64 hist_hash_field(u64 h, const void *field, size_t size)
{
	const u64 *word = field, *end = word + size / sizeof(*word);
	u64 all = 0;

	while (word < end)
		all = *word++ ^ (all >> 7 | all << 57);
	return kpt_hist_mix(h, all);
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
			    const struct hist_key *key,
			    const struct kpt_record_head *head)
{
	bool is_word = key->size == sizeof(key->first);

	e->hash = (u32)key->hash;
	memcpy(e->key, is_word ? &key->first : key->word, key->size);
	memset(e->key + key->size, 0, hist->key_size - key->size);
	if (!hist->keeps_comm)
		return;
	if (head->pid)
		port_current_comm(e->comm);
	else
		memcpy(e->comm, "<idle>", sizeof("<idle>"));
}

/* No key is the beginning of another one. */
static __always_inline bool hist_is_entry_of(const struct kpt_hist_entry *e,
					     const struct hist_key *key)
{
	if (*(const u64 *)e->key != key->first)
		return false;
	return likely(key->size == sizeof(key->first)) ||
	       (e->hash == (u32)key->hash && !memcmp(e->key, key->word, key->size));
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
static u32 hist_make_entry(const struct kpt_hist *hist, struct kpt_hist_map *map,
			   const struct hist_key *key,
			   const struct kpt_record_head *head)
{
	u32 n = hist_claim_entry(map);

	if (n)
		hist_fill_entry(hist, kpt_hist_map_entry(map, n - 1), key, head);
	return n;
}

static u32 hist_next_slot(const struct kpt_hist_map *map, u32 i)
{
	return (i + 1) & (hist_nr_slots(map) - 1);
}

/* Find the entry of a key in the first slot of its probe sequence, or return NULL. */
static __always_inline struct kpt_hist_entry *
hist_find_first(const struct kpt_hist_map *map, struct hist_key key)
{
	struct kpt_hist_entry *e = kpt_hist_find_number(map, key.first, key.hash);

	return e && (likely(key.size == sizeof(key.first)) ||
		     hist_is_entry_of(e, &key)) ? e : NULL;
}

/* Find the entry of a key. Returns NULL if there is none. */
static noinline struct kpt_hist_entry *
hist_find_any(const struct kpt_hist_map *map, struct hist_key key)
{
	u32 i = kpt_hist_first_slot(map, key.hash), n;
	struct kpt_hist_entry *e;

	for (;; i = hist_next_slot(map, i)) {
		n = smp_load_acquire(&map->slot[i]); /* A: pairs with D */
		if (!n)
			return NULL;
		e = kpt_hist_map_entry(map, n - 1);
		if (hist_is_entry_of(e, &key))
			return e;
	}
}

/* Find the entry of a key, or make it. Returns NULL if there is no room. */
static noinline struct kpt_hist_entry *
hist_find_or_make(const struct kpt_hist *hist, struct kpt_hist_map *map,
		  struct hist_key key, const struct kpt_record_head *head)
{
	u32 i = kpt_hist_first_slot(map, key.hash), n, mine = 0;
	struct kpt_hist_entry *e;

	for (;; i = hist_next_slot(map, i)) {
		n = smp_load_acquire(&map->slot[i]); /* A: pairs with D */
		if (!n && !mine) {
			mine = hist_make_entry(hist, map, &key, head);
			if (!mine)
				return NULL;
		}
		if (!n)
			n = hist_take_slot(map, i, mine);
		e = kpt_hist_map_entry(map, n - 1);
		if (n == mine)
			return e;
		if (hist_is_entry_of(e, &key))
			break;
	}
	if (mine)
		hist_push_spare(map, mine);
	return e;
}

/* The entry of a hit. Returns NULL, and counts the hit as dropped, without room. */
static __always_inline struct kpt_hist_entry *
hist_enter(const struct kpt_hist *hist, struct kpt_hist_map *map,
	   struct hist_key key, const void *record)
{
	struct kpt_hist_entry *e = hist_find_first(map, key);

	if (unlikely(!e)) {
		e = hist_find_or_make(hist, map, key, record);
		if (!e)
			atomic64_inc(&map->drops);
	}
	return e;
}

/**
 * kpt_hist_load_other() - kpt_hist_load() of what is not common
 * @op: the instruction
 * @hit: the hit
 *
 * Context: BRK.
 * Return: the number.
 */
u64 kpt_hist_load_other(const struct kpt_hist_op *op, const struct kpt_hist_hit *hit)
{
	switch (op->code) {
	case KPT_HIST_CPU:
		return hit->cpu;
	case KPT_HIST_TASK:
		return port_task_number(op->number);
	case KPT_HIST_TIME:
		/* Rounded, as times in trace are. */
		return hit->ts_in_ns && op->number > 1 ? (hit->ts + 500) / 1000 : hit->ts;
	default:
		return op->number;
	}
}

/*
 * Run the instructions of a program after its first load, which gave @v. There are
 * fewer than KPT_HIST_OPS_MAX of them, so the time is bounded.
 */
static noinline u64 hist_run_all(const struct kpt_hist_field *f,
				 const struct kpt_hist_hit *hit, u64 v)
{
	const struct kpt_hist_op *op = f->op, *end = op + f->nr_ops;
	u64 before[KPT_HIST_OPERATORS_MAX], *top = before;

	while (++op < end) {
		switch (op->code) {
		case KPT_HIST_TO_LOG2:
			v = kpt_hist_log2_up(v);
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
			v = kpt_hist_load(op, hit);
		}
	}
	return v;
}

/**
 * kpt_hist_run() - compute a number by more than one instruction
 * @f: a key, value, variable or parameter that is a number
 * @hit: the hit
 * @v: what the first instruction has loaded
 *
 * The commonest is an operator with two operands, a difference of times.
 *
 * Context: BRK.
 * Return: the number.
 */
u64 kpt_hist_run(const struct kpt_hist_field *f, const struct kpt_hist_hit *hit, u64 v)
{
	const struct kpt_hist_op *op = f->op;

	if (likely(f->nr_ops == 3 && op[2].code >= KPT_HIST_PLUS))
		return kpt_hist_combine(op[2].code, v, kpt_hist_load(&op[1], hit));
	return hist_run_all(f, hit, v);
}

/*
 * Copy a string or stack into a key or blob, and return the bytes that it takes: whole
 * words, the last one filled up with zeroes.
 */

static noinline size_t hist_put_chars(u8 *dst, const char *text, size_t len)
{
	size_t rest;

	len = min_t(size_t, len, KPT_HIST_TEXT_MAX - 1);
	rest = sizeof(u64) - len % sizeof(u64);
	memmove(dst, text, len);
	memset(dst + len, 0, rest);
	return len + rest;
}

static size_t hist_put_text(u8 *dst, const struct kpt_hist_field *f,
			    const struct kpt_hist_hit *hit)
{
	size_t len;
	const char *text = kpt_field_text(&f->op[0].ref, hit->record, hit->size, &len);

	return hist_put_chars(dst, text, len);
}

static noinline size_t hist_put_comm(u8 *dst)
{
	char *comm = (char *)dst;

	port_current_comm(comm);
	return hist_put_chars(dst, comm, strnlen(comm, PORT_COMM_LEN));
}

static size_t hist_copy_stack(u8 *dst, const u64 *stack)
{
	u64 nr = min_t(u64, stack[0], KPT_HIST_STACK_MAX / sizeof(u64) - 1);
	size_t size = (nr + 1) * sizeof(u64);

	memmove(dst, stack, size);
	*(u64 *)dst = nr;
	return size;
}

/* With @tgid, as in a key. */
static noinline size_t hist_put_user_stack(u8 *dst, bool tgid)
{
	u64 *to = (u64 *)dst;

	to[0] = tgid;
	to[1] = port_task_number(PORT_TASK_TGID);
	to[0] += port_user_stack(to + 1 + tgid, KPT_HIST_STACK_MAX / sizeof(u64) - 1 - tgid);
	return (to[0] + 1) * sizeof(u64);
}

/* The number of addresses comes from their bytes, because the record is not trusted. */
static noinline size_t hist_put_field_stack(u8 *dst, const struct kpt_hist_field *f,
					    const struct kpt_hist_hit *hit)
{
	size_t len, words;
	const char *data = kpt_field_data(&f->op[0].ref, hit->record, hit->size,
					  &len);

	len = data ? min_t(size_t, len, KPT_HIST_STACK_MAX) : 0;
	words = max_t(size_t, len / sizeof(u64), 1);
	if (data)
		memcpy(dst, data, len);
	*(u64 *)dst = words - 1;
	return words * sizeof(u64);
}

static __always_inline size_t hist_put_key(u8 *dst, const struct kpt_hist_field *f,
					   const struct kpt_hist_hit *hit)
{
	switch (f->op[0].code) {
	case KPT_HIST_TEXT:
		return hist_put_text(dst, f, hit);
	case KPT_HIST_COMM:
		return hist_put_comm(dst);
	case KPT_HIST_STACK:
		return hist_copy_stack(dst, hit->stack);
	case KPT_HIST_USER_STACK:
		return hist_put_user_stack(dst, true);
	case KPT_HIST_FIELD_STACK:
		return hist_put_field_stack(dst, f, hit);
	default:
		*(u64 *)dst = kpt_hist_value(f, hit);
		return sizeof(u64);
	}
}

/* Make the key at @dst. All fields but the last one are filled up with zeroes. */
static noinline struct hist_key hist_put_keys(u8 *dst, const struct kpt_hist *hist,
					      const struct kpt_hist_hit *hit)
{
	const struct kpt_hist_field *f = hist->key, *last = f + hist->nr_keys - 1;
	struct hist_key key = { .word = (u64 *)dst };
	size_t size;

	for (; f <= last; f++) {
		size = hist_put_key(dst + f->key_offset, f, hit);
		key.hash = hist_hash_field(key.hash, dst + f->key_offset, size);
		key.size = f->key_offset + size;
		if (f < last)
			memset(dst + key.size, 0, f[1].key_offset - key.size);
	}
	key.first = *key.word;
	return key;
}

static __always_inline struct hist_key hist_number_key(u64 number)
{
	return (struct hist_key){
		.first = number,
		.size = sizeof(number),
		.hash = kpt_hist_mix(0, number),
	};
}

/* Make the key. If it is more than a number it is put at port_scratch(). */
static __always_inline struct hist_key hist_make_key(const struct kpt_hist *hist,
						     const struct kpt_hist_hit *hit)
{
	if (likely(hist->key_size == sizeof(u64)))
		return hist_number_key(kpt_hist_value(hist->key, hit));
	return hist_put_keys(port_scratch(), hist, hit);
}

/**
 * kpt_hist_search_number() - find the entry of a key of one word
 * @map: the map
 * @number: the key
 *
 * Context: BRK.
 * Return: the entry, or NULL.
 */
struct kpt_hist_entry *kpt_hist_search_number(const struct kpt_hist_map *map, u64 number)
{
	return hist_find_any(map, hist_number_key(number));
}

/**
 * kpt_hist_enter_number() - find or make the entry of a key of one word
 * @hist: the trigger
 * @map: its map
 * @number: the key
 * @record: the record of the hit
 *
 * Context: BRK.
 * Return: the entry; NULL if the map is full; then the hit is counted as dropped.
 */
struct kpt_hist_entry *kpt_hist_enter_number(const struct kpt_hist *hist,
					     struct kpt_hist_map *map, u64 number,
					     const void *record)
{
	return hist_enter(hist, map, hist_number_key(number), record);
}

static __always_inline void hist_add_values(const struct kpt_hist *hist,
					    struct kpt_hist_entry *e,
					    const struct kpt_hist_hit *hit)
{
	unsigned int i;

	atomic64_inc(&e->sum[0]);
	for (i = 1; i < hist->nr_vals; i++)
		atomic64_add((s64)kpt_hist_value(&hist->val[i], hit), &e->sum[i]);
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
	struct kpt_hist_entry *e;

	if (hist->is_quick && kpt_hist_add_quick(hist, map, hit->record))
		return true;
	e = hist_enter(hist, map, hist_make_key(hist, hit), hit->record);
	if (unlikely(!e))
		return false;
	hist_add_values(hist, e, hit);
	return true;
}

/*
 * Variables and actions.
 */

/* Bytes that the key field @f takes in @word, as from hist_put_key(). */
static size_t hist_key_field_size(const struct kpt_hist_field *f, const u64 *word)
{
	const u64 *at = word + f->key_offset / sizeof(u64);
	size_t len;

	if (kpt_hist_is_number(f))
		return sizeof(u64);
	if (kpt_hist_is_stack(f))
		return (*at + 1) * sizeof(u64);
	len = strnlen((const char *)at, KPT_HIST_TEXT_MAX);
	return len + sizeof(u64) - len % sizeof(u64);
}

/* Look the first fields of a key up in the histogram of a trigger that has only these. */
static noinline struct kpt_hist_entry *hist_find_part(const struct kpt_hist_ref *ref,
						      const struct kpt_hist *hist,
						      const struct hist_key *key)
{
	struct hist_key part = { .first = key->first, .word = key->word };
	const struct kpt_hist_field *f = hist->key;
	size_t size;

	for (; f < hist->key + ref->nr_keys; f++) {
		size = hist_key_field_size(f, key->word);
		part.hash = hist_hash_field(part.hash, (const u8 *)key->word + f->key_offset,
					    size);
		part.size = f->key_offset + size;
	}
	return hist_find_any(ref->map, part);
}

/* Read a variable of the entry of another histogram. Returns false if it is not set. */
static __always_inline bool hist_read_var(const struct kpt_hist_ref *ref,
					  struct kpt_hist_entry *e, u64 *value)
{
	if (!e)
		return false;
	if (likely(ref->is_number))
		return kpt_hist_read_number(ref, e, value);
	*value = (uintptr_t)kpt_hist_blob(ref->map, e, ref->place);
	return true;
}

static __always_inline bool hist_read_ref(const struct kpt_hist_ref *ref,
					  struct hist_key key, u64 *value)
{
	struct kpt_hist_entry *e = hist_find_first(ref->map, key);

	if (unlikely(!e))
		e = hist_find_any(ref->map, key);
	return hist_read_var(ref, e, value);
}

/* As hist_read_refs(), if some histograms have fewer keys. */
static noinline bool hist_read_parts(const struct kpt_hist *hist,
				     struct hist_key key,
				     struct kpt_hist_hit *hit)
{
	const struct kpt_hist_ref *ref = hist->ref, *end = ref + hist->nr_refs;
	u64 *value = hit->var;

	for (; ref < end; ref++, value++) {
		if (!ref->nr_keys && !hist_read_ref(ref, key, value))
			return false;
		if (ref->nr_keys &&
		    !hist_read_var(ref, hist_find_part(ref, hist, &key), value))
			return false;
	}
	return true;
}

/* Read what the trigger refers to. Returns false if a variable is not set. */
static __always_inline bool hist_read_refs(const struct kpt_hist *hist,
					   struct hist_key key,
					   struct kpt_hist_hit *hit)
{
	unsigned int i;

	if (unlikely(hist->has_parts))
		return hist_read_parts(hist, key, hit);
	for (i = 0; i < hist->nr_refs; i++)
		if (!hist_read_ref(&hist->ref[i], key, &hit->var[i]))
			return false;
	return true;
}

/**
 * kpt_hist_text() - find a string
 * @map: the map of the trigger
 * @f: a variable or parameter that is a string
 * @hit: as kpt_hist_add_related() has left it
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
	case KPT_HIST_ENTRY_COMM:
		*len = strnlen(hit->entry->comm, PORT_COMM_LEN);
		return hit->entry->comm;
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
 * @hit: as kpt_hist_add_related() has left it
 *
 * A stack of the record or the program is put at port_scratch().
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
	case KPT_HIST_USER_STACK:
		hist_put_user_stack(port_scratch(), false);
		return port_scratch();
	default:
		return hit->stack;
	}
}

/**
 * kpt_hist_keep_blob() - keep a string or stack in an entry
 * @map: the map of the trigger
 * @f: a variable or parameter that is one
 * @hit: as kpt_hist_add_related() has left it
 * @to: KPT_HIST_BLOB_MAX bytes of the entry
 *
 * Context: BRK. Uses port_scratch().
 */
noinline void kpt_hist_keep_blob(const struct kpt_hist_map *map,
				 const struct kpt_hist_field *f,
				 const struct kpt_hist_hit *hit, u8 *to)
{
	const char *text;
	size_t len;

	static_assert(KPT_HIST_BLOB_MAX == KPT_HIST_TEXT_MAX &&
		      KPT_HIST_BLOB_MAX == KPT_HIST_STACK_MAX, "one size");
	if (kpt_hist_is_stack(f)) {
		hist_copy_stack(to, kpt_hist_stack(map, f, hit));
	} else {
		text = kpt_hist_text(map, f, hit, &len);
		hist_put_chars(to, text, len);
	}
}

static __always_inline void hist_set_vars(const struct kpt_hist *hist,
					  struct kpt_hist_map *map,
					  struct kpt_hist_hit *hit)
{
	const struct kpt_hist_var *var = hist->var, *end = var + hist->nr_vars;

	for (; var < end; var++) {
		if (likely(kpt_hist_is_number(&var->value)))
			kpt_hist_set_number(map, hit, var->place,
					    kpt_hist_value(&var->value, hit));
		else
			kpt_hist_keep_blob(map, &var->value, hit,
					   kpt_hist_blob(map, hit->entry, var->place));
	}
}

/**
 * kpt_hist_add_related() - kpt_hist_add() for a trigger that is_related
 * @hist: the trigger
 * @map: its map
 * @hit: the hit; @hit->var has room for KPT_HIST_REFS_MAX values, @hit->own for
 *	KPT_HIST_VARS_MAX
 *
 * Sets @hit->var, @hit->own and @hit->entry for the actions, and the variables of the
 * trigger.
 * A hit for which a variable of another histogram is not set is only counted as
 * unmatched.
 *
 * Context: BRK. Uses KPT_HIST_KEY_MAX bytes of port_scratch().
 * Return: true if the hit was counted, and actions may run.
 */
bool kpt_hist_add_related(const struct kpt_hist *hist, struct kpt_hist_map *map,
			  struct kpt_hist_hit *hit)
{
	struct hist_key key;

	if (likely(hist->is_numeric))
		return kpt_hist_add_numbers(hist, map, hit);
	key = hist_make_key(hist, hit);
	if (!hist_read_refs(hist, key, hit)) {
		atomic64_inc(&map->unmatched);
		return false;
	}
	hit->entry = hist_enter(hist, map, key, hit->record);
	if (unlikely(!hit->entry))
		return false;
	hist_set_vars(hist, map, hit);
	hist_add_values(hist, hit->entry, hit);
	return true;
}
