// SPDX-License-Identifier: GPL-2.0-only
/* Names of the kernel's functions by hash. */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/sched.h>
#include <linux/sort.h>
#include <linux/stringhash.h>
#include <linux/vmalloc.h>
#include "kernel/ksyms.h"
#include "kernel/symbol_index.h"

/**
 * struct entry - a function
 * @hash: of its name
 * @offset: from the start of the kernel's text
 */
struct entry {
	u32 hash;
	u32 offset;
};

/* Ordered by hash. */
static struct entry *entries;
static unsigned int nr_entries;
static unsigned long text_start;

static u32 hash_of(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

static int compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* Visit the text symbol by symbol; only count if there is no @to. */
static unsigned int walk_text(struct entry *to, unsigned int max)
{
	unsigned long end = kpt_ksyms_addr("_etext");
	unsigned long addr = text_start, size, offset;
	char name[KSYM_NAME_LEN];
	unsigned int nr = 0;

	while (addr < end && nr < max &&
	       kpt_ksyms.lookup_size_offset(addr, &size, &offset)) {
		if (to && !kpt_ksyms.lookup_symbol_name(addr, name)) {
			to[nr].hash = hash_of(name);
			to[nr].offset = addr - text_start;
		}
		nr++;
		addr += max(size - offset, 4UL);
		cond_resched();
	}
	return nr;
}

static int make_index(void)
{
	unsigned int nr;

	text_start = kpt_ksyms_addr("_stext");
	nr = walk_text(NULL, UINT_MAX);
	entries = vzalloc(array_size(nr, sizeof(*entries)));
	if (!entries)
		return -ENOMEM;
	nr_entries = walk_text(entries, nr);
	sort(entries, nr_entries, sizeof(*entries), compare, NULL);
	return 0;
}

/* The first entry of that hash, or the place where it would be. */
static unsigned int first_of(u32 hash)
{
	unsigned int from = 0, to = nr_entries, mid;

	while (from < to) {
		mid = from + (to - from) / 2;
		if (entries[mid].hash < hash)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

/**
 * kpt_symbol_index_find() - visit the functions of one name
 * @name: the name
 * @found: told the address of each
 * @data: for @found
 *
 * The first call makes the index, which takes some 0.2 s. Aliases of one
 * address are seen as one, under the name that the kernel prints.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_symbol_index_find(const char *name,
			  int (*found)(void *data, unsigned long addr),
			  void *data)
{
	char other[KSYM_NAME_LEN];
	u32 hash = hash_of(name);
	unsigned long addr;
	unsigned int i;
	int err;

	if (!entries) {
		err = make_index();
		if (err)
			return err;
	}
	for (i = first_of(hash); i < nr_entries && entries[i].hash == hash; i++) {
		addr = text_start + entries[i].offset;
		if (!kpt_ksyms.lookup_symbol_name(addr, other) &&
		    !strcmp(name, other))
			found(data, addr);
	}
	return 0;
}

/**
 * kpt_symbol_index_free() - forget the index
 *
 * Context: process context.
 */
void kpt_symbol_index_free(void)
{
	vfree(entries);
	entries = NULL;
}
