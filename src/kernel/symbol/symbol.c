// SPDX-License-Identifier: GPL-2.0-only
/*
 * Look up addresses by name and names by address. As in the newest kprobe events, a
 * name must be unique: a name without a module must exist exactly once in vmlinux,
 * or if vmlinux does not have it, exactly once in all modules together.
 *
 * Older kernels cannot find all symbols of one name: there the map of symbol_map.c is asked.
 * Other kernels can, but take some 20 us: there it is asked after some thousand lookups.
 */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/mutex.h>
#include "kernel/ksyms.h"
#include "kernel/lock.h"
#include "kernel/symbol/symbol.h"
#include "kernel/symbol/symbol_map.h"

/**
 * struct symbol_search - a search for all symbols of a name
 * @name: the name
 * @count: number of symbols found
 * @addr: address of the symbol found last
 * @list: gets the addresses as far as it has room, unless it is NULL; empty at first
 */
struct symbol_search {
	const char *name;
	unsigned int count;
	unsigned long addr;
	struct kpt_symbol_list *list;
};

static int symbol_found(void *data, unsigned long addr)
{
	struct symbol_search *s = data;

	s->count++;
	s->addr = addr;
	if (s->list)
		kpt_symbol_list_put(s->list, addr);
	return 0;
}

static int symbol_found_named(void *data, const char *name, unsigned long addr)
{
	return symbol_found(data, addr);
}

/* Lookups after which the map has cost less than it saves. */
#define MAP_AFTER 2000U

/* Under kpt_mutex. */
static unsigned int symbol_lookups;

/* The symbol that the map had last. */
static unsigned long symbol_last_addr;
static char symbol_last_name[KSYM_NAME_LEN];

/**
 * kpt_symbol_expect_many() - names will be looked up that the map is made for
 *
 * Context: process context, sleeps, takes kpt_mutex.
 */
void kpt_symbol_expect_many(void)
{
	/* Without that the map is made later. */
	if (kpt_lock())
		return;
	symbol_lookups = max(symbol_lookups, MAP_AFTER);
	kpt_unlock();
}

static int symbol_search_map(struct symbol_search *s)
{
	int err = kpt_symbol_map_find(s->name, symbol_found, s);

	if (s->count) {
		symbol_last_addr = s->addr;
		strscpy(symbol_last_name, s->name, sizeof(symbol_last_name));
	}
	return err;
}

/* Find what the kernel itself finds by a name. */
static void symbol_search_kernel(struct symbol_search *s)
{
	char module[MODULE_NAME_LEN];
	unsigned long addr;

	if (kpt_has(kallsyms_on_each_match_symbol)) {
		kallsyms_on_each_match_symbol(symbol_found, s->name, s);
		return;
	}
	addr = kpt_ksyms_addr(s->name);
	if (addr && !kpt_symbol_module_of(addr, module))
		symbol_found(s, addr);
}

/* Find what the kernel prints by a name. */
static int symbol_search_printed(struct symbol_search *s)
{
	int err;

	if (!kpt_has(kallsyms_on_each_match_symbol)) {
		err = symbol_search_map(s);
		/* The map may lack data, and names that the kernel does not print. */
		if (err != -ENOMEM && !s->count)
			symbol_search_kernel(s);
		return err == -ENOMEM ? err : 0;
	}
	if (symbol_lookups++ >= MAP_AFTER) {
		if (!symbol_search_map(s))
			return 0;
		if (s->list)
			s->list->nr = 0;
		s->count = 0;
	}
	symbol_search_kernel(s);
	return 0;
}

static int symbol_search_vmlinux(struct symbol_search *s)
{
	int err = symbol_search_printed(s);

	/* Kernels print and find names with the ends that LTO gives, or without them. */
	if (!err && !s->count)
		kpt_ksyms_renamed(s->name, symbol_found_named, s);
	return err;
}

/**
 * kpt_symbol_lookup() - address of a symbol that may be probed or read
 * @module: name of the module that must have it; NULL: vmlinux, and all
 *	modules if vmlinux does not have it
 * @name: exact name, suffixes like .isra.0 included
 * @addr: result, written on success only
 *
 * Context: process context, may sleep, kpt_mutex held.
 * Return: 0, -ENOENT if there is none, -EADDRNOTAVAIL if it is not unique,
 * -ENXIO if @module is not loaded, as kpt_symbol_module_loaded() has it, -ENOMEM.
 */
int kpt_symbol_lookup(const char *module, const char *name,
		      unsigned long *addr)
{
	struct symbol_search s = { .name = name };
	int err;

	lockdep_assert_held(&kpt_mutex);
	if (module && !kpt_symbol_module_loaded(module))
		return -ENXIO;
	if (!module) {
		err = symbol_search_vmlinux(&s);
		if (err)
			return err;
	}
	if (!s.count)
		kpt_ksyms_in_modules(module, name, symbol_found_named, &s);
	if (!s.count)
		return -ENOENT;
	if (s.count > 1)
		return -EADDRNOTAVAIL;
	*addr = s.addr;
	return 0;
}

static int symbol_list_exact(struct kpt_symbol_list *list, const char *module,
			     const char *name)
{
	struct symbol_search s = { .name = name, .list = list };
	int err;

	/* Again if there is no room for all, as above. */
	for (;;) {
		s.count = 0;
		list->nr = 0;
		err = module ? 0 : symbol_search_vmlinux(&s);
		if (err)
			return err;
		kpt_ksyms_in_modules(module, name, symbol_found_named, &s);
		if (list->nr == s.count)
			break;
		list->nr = 0;
		err = kpt_symbol_list_reserve(list, s.count);
		if (err)
			return err;
	}
	kpt_symbol_list_sort_unique(list);
	return 0;
}

/**
 * kpt_symbol_list() - addresses of all functions of some names
 * @list: result, for kpt_symbol_list_free() also on failure; each address once. Of
 *	patterns: functions of the kernel, then of modules, each part ascending. Of a
 *	name: all ascending, and it may have symbols of data
 * @module: name of the module that must have them; NULL: the kernel and all modules
 * @names: a name; or with @is_pattern a list of patterns, which is compared with the
 *	names that the kernel prints
 * @is_pattern: @names is for kpt_glob_list_match()
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, also if there is none; -ENXIO if @module is not loaded, as
 * kpt_symbol_module_loaded() has it; -ENOMEM; -EINTR if the task is being killed.
 */
int kpt_symbol_list(struct kpt_symbol_list *list, const char *module,
		    const char *names, bool is_pattern)
{
	int err;

	lockdep_assert_held(&kpt_mutex);
	*list = (struct kpt_symbol_list){ 0 };
	if (module && !kpt_symbol_module_loaded(module))
		return -ENXIO;
	if (!is_pattern)
		return symbol_list_exact(list, module, names);
	err = module ? 0 : kpt_symbol_list_in_kernel(list, names);
	/* The notifier of modules adds those that are loaded meanwhile. */
	return err ?: kpt_symbol_list_in_modules(list, module, names);
}

/**
 * kpt_symbol_name() - the name of the symbol that an address is in
 * @addr: the address
 * @name: result: KSYM_NAME_LEN bytes; empty if it is in none
 *
 * Context: process context, may sleep, kpt_mutex held.
 */
void kpt_symbol_name(unsigned long addr, char *name)
{
	lockdep_assert_held(&kpt_mutex);
	if (addr && addr == symbol_last_addr)
		strcpy(name, symbol_last_name);
	else if (!kpt_symbol_module_name(addr, name) &&
		 lookup_symbol_name(addr, name))
		name[0] = '\0';
}

/**
 * kpt_symbol_range() - the symbol that an address belongs to
 * @addr: the address
 * @start: address of its first byte, written on success only
 * @size: its size in bytes, written on success only
 *
 * Context: process context, may sleep, kpt_mutex held.
 * Return: 0 or -ENOENT.
 */
int kpt_symbol_range(unsigned long addr, unsigned long *start,
		     unsigned long *size)
{
	unsigned long offset, sz;

	if (kpt_symbol_module_range(addr, start, size))
		return 0;
	if (!kallsyms_lookup_size_offset(addr, &sz, &offset))
		return -ENOENT;
	*start = addr - offset;
	*size = sz;
	return 0;
}

/**
 * kpt_symbol_exit() - free all that was kept of symbols
 *
 * Context: module unload.
 */
void kpt_symbol_exit(void)
{
	kpt_symbol_map_free();
	kpt_symbol_forget_freed();
	kpt_symbol_module_forget();
}
