// SPDX-License-Identifier: GPL-2.0-only
/*
 * A map of the kernel's symbols by the hashes of their names. It is made when it is needed
 * first, takes some 0.05 s and 2 MiB then, and does not change. All of it is under kpt_mutex.
 */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/stringhash.h>
#include <linux/vmalloc.h>
#include "kernel/ksyms.h"
#include "kernel/lock.h"
#include "kernel/symbol/symbol.h"
#include "kernel/symbol/symbol_map.h"

/**
 * struct symbol_entry - a symbol of the kernel
 * @hash: hash of its name
 * @offset: bytes from struct symbol_map.start, and 1 more, so that 0 is a free entry
 */
struct symbol_entry {
	u32 hash;
	s32 offset;
};

/**
 * struct symbol_map - the map
 * @start: start of the kernel's text
 * @slot: a symbol is in the first free one from its hash on
 * @order: the number of slots is 1 << @order; at most half of them are taken
 * @nr: number of symbols
 * @err: why there is no map: -ENOMEM, -EINTR, or -ERANGE if the offset of a symbol does not fit
 */
struct symbol_map {
	unsigned long start;
	struct symbol_entry *slot;
	unsigned int order;
	unsigned int nr;
	int err;
};

static struct symbol_map symbol_map;

static u32 map_hash(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

static void map_put(struct symbol_map *m, struct symbol_entry entry)
{
	u32 mask = (1U << m->order) - 1, i = entry.hash & mask;

	while (m->slot[i].offset)
		i = (i + 1) & mask;
	m->slot[i] = entry;
}

static int map_grow(struct symbol_map *m)
{
	struct symbol_map larger = { .order = m->order ? m->order + 1 : 16 };
	u32 i;

	larger.slot = vzalloc(sizeof(*larger.slot) << larger.order);
	if (!larger.slot)
		return -ENOMEM;
	for (i = 0; m->slot && i < 1U << m->order; i++)
		if (m->slot[i].offset)
			map_put(&larger, m->slot[i]);
	vfree(m->slot);
	m->slot = larger.slot;
	m->order = larger.order;
	return 0;
}

static int map_add(void *data, const char *name, unsigned long addr)
{
	struct symbol_map *m = data;
	s64 offset = addr - m->start + 1;

	if (!m->slot || m->nr == 1U << m->order >> 1)
		m->err = map_grow(m);
	if (!m->err && (!offset || offset != (s32)offset))
		m->err = -ERANGE;
	if (m->err)
		return m->err;
	map_put(m, (struct symbol_entry){ map_hash(name), offset });
	m->nr++;
	return 0;
}

/* A kernel that cannot list its symbols tells at least those of its text. */
static void map_make(struct symbol_map *m)
{
	int err = 0;

	m->start = kpt_ksyms_addr("_stext");
	m->err = 0;
	if (!kpt_ksyms_in_kernel(map_add, m))
		err = kpt_symbol_each_in_text(map_add, m);
	if (err == -EINTR)
		m->err = err;
	if (m->err)
		kpt_symbol_map_free();
}

/**
 * kpt_symbol_map_find() - find the symbols of the kernel that have a name
 * @name: the name
 * @found: called with the address of each that the kernel prints by that name
 * @data: first argument of @found
 *
 * Context: process context, may sleep, kpt_mutex held.
 * Return: 0: these are all symbols that the map has by this name; 1: there may be others, at
 * addresses for which the kernel prints another name; -ENOMEM, -ERANGE, or -EINTR if the task
 * is being killed: there is no map.
 */
int kpt_symbol_map_find(const char *name, int (*found)(void *data, unsigned long addr),
			void *data)
{
	struct symbol_map *m = &symbol_map;
	u32 hash = map_hash(name), mask, i;
	char printed[KSYM_NAME_LEN];
	unsigned long addr;
	int others = 0;

	lockdep_assert_held(&kpt_mutex);
	/* What is too large once stays so. */
	if (!m->slot && m->err != -ERANGE)
		map_make(m);
	if (!m->slot)
		return m->err;
	mask = (1U << m->order) - 1;
	for (i = hash & mask; m->slot[i].offset; i = (i + 1) & mask) {
		if (m->slot[i].hash != hash)
			continue;
		addr = m->start + m->slot[i].offset - 1;
		if (lookup_symbol_name(addr, printed) || strcmp(printed, name))
			others = 1;
		else
			found(data, addr);
	}
	return others;
}

/**
 * kpt_symbol_map_free() - free the map; it is made again when it is needed
 *
 * Context: process context, kpt_mutex held, or module unload.
 */
void kpt_symbol_map_free(void)
{
	int err = symbol_map.err;

	vfree(symbol_map.slot);
	symbol_map = (struct symbol_map){ .err = err };
}
