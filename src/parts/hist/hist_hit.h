/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counting a hit of the commonest histograms without a call: the key is one number of
 * the record, and its entry is where it is looked for first.
 */
#ifndef KPTRACE_HIST_HIT_H
#define KPTRACE_HIST_HIT_H

#include "parts/hist/hist.h"

/**
 * kpt_hist_mix() - a step of the hash of a key
 * @h: the hash so far
 * @w: the next word
 *
 * The high bits of the product depend on all bits of @w, and choose the slot.
 *
 * Context: any, BRK included.
 * Return: the hash.
 */
static __always_inline u64 kpt_hist_mix(u64 h, u64 w)
{
	h ^= w;
	/* the odd number nearest 2^64 divided by the golden ratio */
	return (h ^ h >> 32) * 0x9e3779b97f4a7c15ULL;
}

/**
 * kpt_hist_load_number() - load a number of a record
 * @op: KPT_HIST_NUMBER
 * @record: the record
 *
 * Context: BRK.
 * Return: the number, its sign extended.
 */
static __always_inline u64 kpt_hist_load_number(const struct kpt_hist_op *op,
						const void *record)
{
	u64 v = kpt_field_load(record, op->base, op->left);

	return op->ref.is_signed ? (u64)((s64)v >> op->right) : v >> op->right;
}

/*
 * Numbers of variables are kept with some bits inverted, so that 0 says: not set. One
 * word has value and state, so a CPU that reads a variable once takes both at once. A
 * variable that is set to this very number counts as not set.
 */
#define KPT_HIST_SET_MARK 0x9d3c5ae1706bf284ULL

u64 kpt_hist_load_other(const struct kpt_hist_op *op, const struct kpt_hist_hit *hit);
u64 kpt_hist_run(const struct kpt_hist_field *f, const struct kpt_hist_hit *hit, u64 v);

/**
 * kpt_hist_load() - run an instruction that loads a number
 * @op: the instruction
 * @hit: the hit
 *
 * Context: BRK.
 * Return: the number.
 */
static __always_inline u64 kpt_hist_load(const struct kpt_hist_op *op,
					 const struct kpt_hist_hit *hit)
{
	u8 code = op->code;

	if (code == KPT_HIST_NUMBER)
		return kpt_hist_load_number(op, hit->record);
	if (code == KPT_HIST_TIME && op->number <= 1)
		return hit->ts;
	if (code == KPT_HIST_VAR)
		return hit->var[op->number];
	if (code == KPT_HIST_OWN)
		return hit->own[op->number];
	return kpt_hist_load_other(op, hit);
}

/**
 * kpt_hist_value() - compute a number
 * @f: a key, value, variable or parameter that is a number
 * @hit: the hit; of actions as kpt_hist_add_related() has left it
 *
 * Context: BRK.
 * Return: the number.
 */
static __always_inline u64 kpt_hist_value(const struct kpt_hist_field *f,
					  const struct kpt_hist_hit *hit)
{
	u64 v = kpt_hist_load(f->op, hit);

	return likely(f->nr_ops == 1) ? v : kpt_hist_run(f, hit, v);
}

/**
 * kpt_hist_first_slot() - where the probe sequence of a key begins
 * @map: the map
 * @hash: hash of the key
 *
 * Context: any, BRK included.
 * Return: index of the slot.
 */
static __always_inline u32 kpt_hist_first_slot(const struct kpt_hist_map *map, u64 hash)
{
	return (u32)(hash >> map->shift);
}

/**
 * kpt_hist_find_number() - look for the entry of a key of one word
 * @map: the map
 * @number: the key
 * @hash: its hash
 *
 * No key is the beginning of another one, so the first word tells them apart.
 *
 * Context: BRK.
 * Return: the entry; NULL if the first slot of the probe sequence has another one, or none.
 */
static __always_inline struct kpt_hist_entry *
kpt_hist_find_number(const struct kpt_hist_map *map, u64 number, u64 hash)
{
	/* A: pairs with D of hist.c */
	u32 n = smp_load_acquire(&map->slot[kpt_hist_first_slot(map, hash)]);
	struct kpt_hist_entry *e = kpt_hist_map_entry(map, n - 1);

	return likely(n) && likely(*(const u64 *)e->key == number) ? e : NULL;
}

/**
 * kpt_hist_find_words() - look for the entry of a key of numbers
 * @map: the map
 * @word: the key
 * @nr: its words, as many as all keys of the map have
 * @hash: its hash
 *
 * Context: BRK.
 * Return: as kpt_hist_find_number().
 */
static __always_inline struct kpt_hist_entry *
kpt_hist_find_words(const struct kpt_hist_map *map, const u64 *word, unsigned int nr, u64 hash)
{
	struct kpt_hist_entry *e = kpt_hist_find_number(map, *word, hash);
	unsigned int i;

	for (i = 1; e && i < nr; i++)
		if (unlikely(((const u64 *)e->key)[i] != word[i]))
			return NULL;
	return e;
}

/**
 * kpt_hist_add_number() - count a hit with a key of one word
 * @map: the map
 * @number: the key
 *
 * Context: BRK.
 * Return: the entry, whose other sums are to be added to; or NULL, with no side effects.
 */
static __always_inline struct kpt_hist_entry *
kpt_hist_add_number(struct kpt_hist_map *map, u64 number)
{
	struct kpt_hist_entry *e;

	e = kpt_hist_find_number(map, number, kpt_hist_mix(0, number));
	if (likely(e))
		atomic64_inc(&e->sum[0]);
	return e;
}

/**
 * kpt_hist_add_quick() - kpt_hist_add() for a trigger that is_quick
 * @hist: the trigger
 * @map: its map
 * @record: the record of the hit
 *
 * Context: BRK.
 * Return: true; or false, with no side effects: call kpt_hist_add().
 */
static __always_inline bool kpt_hist_add_quick(const struct kpt_hist *hist,
					       struct kpt_hist_map *map,
					       const void *record)
{
	struct kpt_hist_entry *e;
	unsigned int i;

	e = kpt_hist_add_number(map, kpt_hist_load_number(hist->key->op, record));
	if (unlikely(!e))
		return false;
	for (i = 1; i < hist->nr_vals; i++)
		atomic64_add((s64)kpt_hist_load_number(hist->val[i].op, record),
			     &e->sum[i]);
	return true;
}

struct kpt_hist_entry *kpt_hist_search_number(const struct kpt_hist_map *map, u64 number);
struct kpt_hist_entry *kpt_hist_enter_number(const struct kpt_hist *hist,
					     struct kpt_hist_map *map, u64 number,
					     const void *record);

/**
 * kpt_hist_read_number() - read a variable of another histogram
 * @ref: the variable, a number
 * @e: the entry of that histogram
 * @value: result
 *
 * Context: BRK.
 * Return: true, or false if it is not set.
 */
static __always_inline bool kpt_hist_read_number(const struct kpt_hist_ref *ref,
						 struct kpt_hist_entry *e, u64 *value)
{
	u64 *word = kpt_hist_word(ref->map, e, ref->place);
	u64 v = ref->is_once ? xchg(word, 0) : READ_ONCE(*word);

	*value = v ^ KPT_HIST_SET_MARK;
	return v;
}

/* Least power of two that is not less than @v, as an exponent. */
static __always_inline u64 kpt_hist_log2_up(u64 v)
{
	return v < 2 ? 0 : 64 - (u64)__builtin_clzll(v - 1);
}

/* As kpt_hist_load(), without a call. */
static __always_inline u64 kpt_hist_leaf_load(const struct kpt_hist_op *op,
					      const struct kpt_hist_hit *hit)
{
	u8 code = op->code;

	if (code == KPT_HIST_TIME)
		return hit->ts;
	if (code == KPT_HIST_NUMBER)
		return kpt_hist_load_number(op, hit->record);
	if (code == KPT_HIST_VAR)
		return hit->var[op->number];
	return hit->own[op->number];
}

/* As kpt_hist_value(), without a call. @plain: it is no power of two, and no bucket. */
static __always_inline u64 kpt_hist_leaf_value(const struct kpt_hist_field *f,
					       const struct kpt_hist_hit *hit, const bool plain)
{
	u64 v = kpt_hist_leaf_load(f->op, hit), other;

	if (likely(f->nr_ops == 1))
		return v;
	if (!plain && f->nr_ops == 2)
		return f->op[1].code == KPT_HIST_TO_LOG2 ? kpt_hist_log2_up(v) :
							   v / f->op[1].number * f->op[1].number;
	other = kpt_hist_leaf_load(&f->op[1], hit);
	return f->op[2].code == KPT_HIST_MINUS ? v - other : v + other;
}

/**
 * kpt_hist_set_number() - set a variable of the trigger
 * @map: its map
 * @hit: the hit, with its entry
 * @place: kpt_hist_var.place
 * @v: the number
 *
 * The entry has it for other triggers. The trigger itself reads that of the hit: other
 * CPUs may have set or unset that of the entry meanwhile.
 *
 * Context: BRK.
 */
static __always_inline void kpt_hist_set_number(const struct kpt_hist_map *map,
						const struct kpt_hist_hit *hit,
						u8 place, u64 v)
{
	hit->own[place] = v;
	WRITE_ONCE(*kpt_hist_word(map, hit->entry, place), v ^ KPT_HIST_SET_MARK);
}

/*
 * Count a hit in its entry, whose variables get their values. With @leaf the trigger
 * is_leaf, and no function is called; with @plain as for kpt_hist_leaf_value().
 */
static __always_inline void kpt_hist_count_numbers(const struct kpt_hist *hist,
						   struct kpt_hist_map *map,
						   struct kpt_hist_hit *hit,
						   struct kpt_hist_entry *e, const bool leaf,
						   const bool plain)
{
	const struct kpt_hist_field *f;
	unsigned int i;
	u64 v;

	hit->entry = e;
	for (i = 0; i < hist->nr_vars; i++) {
		f = &hist->var[i].value;
		v = leaf ? kpt_hist_leaf_value(f, hit, plain) : kpt_hist_value(f, hit);
		kpt_hist_set_number(map, hit, hist->var[i].place, v);
	}
	atomic64_inc(&e->sum[0]);
	for (i = 1; i < hist->nr_vals; i++) {
		f = &hist->val[i];
		v = leaf ? kpt_hist_leaf_value(f, hit, plain) : kpt_hist_value(f, hit);
		atomic64_add((s64)v, &e->sum[i]);
	}
}

/**
 * enum kpt_hist_result - result of kpt_hist_add_leaf()
 * @KPT_HIST_COUNTED: the hit is counted, and actions may run
 * @KPT_HIST_UNMATCHED: a variable of another histogram is not set
 * @KPT_HIST_NOTHING: nothing is done: call kpt_hist_add_numbers()
 */
enum kpt_hist_result {
	KPT_HIST_COUNTED,
	KPT_HIST_UNMATCHED,
	KPT_HIST_NOTHING,
};

/* Make a key of numbers; returns its hash, which is that of hist_key_of(). */
static __always_inline u64 kpt_hist_make_words(const struct kpt_hist *hist,
					       const struct kpt_hist_hit *hit, u64 *word)
{
	unsigned int i, nr = hist->nr_keys;
	u64 hash = 0;

	for (i = 0; i < nr; i++) {
		word[i] = kpt_hist_leaf_value(&hist->key[i], hit, false);
		hash = kpt_hist_mix(hash, word[i]);
	}
	return hash;
}

/**
 * kpt_hist_add_leaf() - count a hit of a trigger that is_leaf, without a call
 * @hist: the trigger
 * @map: its map
 * @hit: the hit, as for kpt_hist_add_numbers()
 * @word: room for a key
 * @entries: room for KPT_HIST_REFS_MAX entries
 * @plain: the trigger is_plain: its key is one number of the record, which @word has not
 *
 * Changes nothing before it has found all entries where they are looked for first.
 *
 * Context: BRK.
 * Return: enum kpt_hist_result.
 */
static __always_inline enum kpt_hist_result
kpt_hist_add_leaf(const struct kpt_hist *hist, struct kpt_hist_map *map,
		  struct kpt_hist_hit *hit, u64 *word, struct kpt_hist_entry **entries,
		  const bool plain)
{
	u64 number = plain ? kpt_hist_load_number(hist->key->op, hit->record) : 0;
	u64 hash = plain ? kpt_hist_mix(0, number) : kpt_hist_make_words(hist, hit, word);
	const u64 *key = plain ? &number : word;
	unsigned int i, nr = plain ? 1 : hist->nr_keys;
	struct kpt_hist_entry *e;

	for (i = 0; i < hist->nr_refs; i++) {
		entries[i] = kpt_hist_find_words(hist->ref[i].map, key, nr, hash);
		if (unlikely(!entries[i]))
			return KPT_HIST_NOTHING;
	}
	e = kpt_hist_find_words(map, key, nr, hash);
	if (unlikely(!e))
		return KPT_HIST_NOTHING;
	for (i = 0; i < hist->nr_refs; i++) {
		if (likely(kpt_hist_read_number(&hist->ref[i], entries[i], &hit->var[i])))
			continue;
		atomic64_inc(&map->unmatched);
		return KPT_HIST_UNMATCHED;
	}
	kpt_hist_count_numbers(hist, map, hit, e, true, plain);
	return KPT_HIST_COUNTED;
}

/**
 * kpt_hist_add_numbers() - kpt_hist_add_related() for a trigger that is_numeric
 * @hist: the trigger
 * @map: its map
 * @hit: the hit; @hit->var has room for KPT_HIST_REFS_MAX values, @hit->own for
 *	KPT_HIST_VARS_MAX
 *
 * Context: BRK.
 * Return: as kpt_hist_add_related().
 */
static __always_inline bool kpt_hist_add_numbers(const struct kpt_hist *hist,
						 struct kpt_hist_map *map,
						 struct kpt_hist_hit *hit)
{
	u64 number = kpt_hist_load_number(hist->key->op, hit->record);
	u64 hash = kpt_hist_mix(0, number);
	const struct kpt_hist_ref *ref;
	struct kpt_hist_entry *e;
	unsigned int i;

	for (i = 0; i < hist->nr_refs; i++) {
		ref = &hist->ref[i];
		e = kpt_hist_find_number(ref->map, number, hash) ?:
		    kpt_hist_search_number(ref->map, number);
		if (unlikely(!e || !kpt_hist_read_number(ref, e, &hit->var[i]))) {
			atomic64_inc(&map->unmatched);
			return false;
		}
	}
	e = kpt_hist_find_number(map, number, hash) ?:
	    kpt_hist_enter_number(hist, map, number, hit->record);
	if (unlikely(!e))
		return false;
	kpt_hist_count_numbers(hist, map, hit, e, false, false);
	return true;
}

#endif
