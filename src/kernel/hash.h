/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hash tables that are made when something is added for the first time: many machines never
 * need most of them. What is in one is walked by hlist_for_each_entry() and its kind.
 */
#ifndef KPTRACE_HASH_H
#define KPTRACE_HASH_H

#include <linux/hash.h>
#include <linux/list.h>
#include <linux/rcupdate.h>

/**
 * struct kpt_hash - a hash table
 * @rows: its rows; NULL before there is something in it
 * @bits: it has BIT(@bits) rows
 */
struct kpt_hash {
	struct hlist_head *rows;
	unsigned int bits;
};

#define KPT_HASH(name, nr_bits) struct kpt_hash name = { .bits = nr_bits }

/* The row of a table that is not made; nothing is added to it. */
extern struct hlist_head kpt_hash_no_row;

/**
 * kpt_hash_row() - find where something is, or would be
 * @hash: the table
 * @key: its key
 *
 * Context: as the owner of the table says; also under RCU.
 * Return: the row, which is empty before kpt_hash_make().
 */
static inline struct hlist_head *kpt_hash_row(const struct kpt_hash *hash, u32 key)
{
	/* Pairs with the release in kpt_hash_make(). */
	struct hlist_head *rows = READ_ONCE(hash->rows);

	return rows ? &rows[hash_32(key, hash->bits)] : &kpt_hash_no_row;
}

/* Walk all of a table: @i is an unsigned int. */
#define kpt_hash_for_each(hash, i, at, member)				\
	for (i = 0; (hash)->rows && i < BIT((hash)->bits); i++)		\
		hlist_for_each_entry(at, &(hash)->rows[i], member)

/* The same, if @at may be taken out. */
#define kpt_hash_for_each_safe(hash, i, next, at, member)		\
	for (i = 0; (hash)->rows && i < BIT((hash)->bits); i++)		\
		hlist_for_each_entry_safe(at, next, &(hash)->rows[i], member)

int kpt_hash_make(struct kpt_hash *hash);
void kpt_hash_free(struct kpt_hash *hash);

#endif
