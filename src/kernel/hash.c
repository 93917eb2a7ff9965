// SPDX-License-Identifier: GPL-2.0-only
/* Hash tables that are made when they are needed. */
#include <linux/mm.h>
#include <linux/slab.h>
#include "kernel/hash.h"

struct hlist_head kpt_hash_no_row;

/**
 * kpt_hash_make() - make a table, unless it is there, before something is added
 * @hash: the table; who makes it or adds to it excludes others who do
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int kpt_hash_make(struct kpt_hash *hash)
{
	struct hlist_head *rows;

	if (hash->rows)
		return 0;
	rows = kvcalloc(BIT(hash->bits), sizeof(*rows), GFP_KERNEL);
	if (!rows)
		return -ENOMEM;
	/* Pairs with kpt_hash_row(): a CPU that reads the new pointer reads empty rows. */
	smp_store_release(&hash->rows, rows);
	return 0;
}

/**
 * kpt_hash_free() - free a table in which nothing is left
 * @hash: the table; nobody looks into it
 *
 * Context: process context, sleeps.
 */
void kpt_hash_free(struct kpt_hash *hash)
{
	kvfree(hash->rows);
	hash->rows = NULL;
}
