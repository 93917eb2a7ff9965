// SPDX-License-Identifier: GPL-2.0-only
/*
 * Look up addresses by name and names by address. As in the newest kprobe events, a
 * name must be unique: a name without a module must exist exactly once in vmlinux,
 * or if vmlinux does not have it, exactly once in all modules together.
 *
 * Older kernels cannot find all symbols of one name. There the first lookup builds
 * an index of the kernel's functions, ordered by the hash of their name. Other kernels
 * can, but take some 20 us: after some thousand lookups they get a table of names.
 */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/stringhash.h>
#include <linux/vmalloc.h>
#include "kernel/symbol/coming.h"
#include "kernel/ksyms.h"
#include "kernel/lock.h"
#include "kernel/symbol/symbol.h"
#include "lib/base/glob.h"

/**
 * struct symbol_entry - a function of the kernel
 * @hash: hash of its name
 * @offset: bytes from the start of the kernel's text; see also struct symbol_table
 */
struct symbol_entry {
	u32 hash;
	u32 offset;
};

/* The index, ordered by hash. Under kpt_mutex. */
static struct symbol_entry *symbol_index;
static unsigned int symbol_nr_entries;
static unsigned long symbol_text_start;

static u32 symbol_hash(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

static int symbol_compare(const void *a, const void *b)
{
	const struct symbol_entry *x = a, *y = b;

	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* Write all symbols of the text to @to; if that is NULL, only count them. */
static unsigned int symbol_walk_text(struct symbol_entry *to, unsigned int max)
{
	unsigned long end = kpt_ksyms_addr("_etext");
	unsigned long addr = symbol_text_start, size, offset;
	char name[KSYM_NAME_LEN];
	unsigned int nr = 0;

	while (addr < end && nr < max &&
	       kallsyms_lookup_size_offset(addr, &size, &offset)) {
		if (to && !lookup_symbol_name(addr, name)) {
			to[nr].hash = symbol_hash(name);
			to[nr].offset = addr - symbol_text_start;
		}
		nr++;
		addr += max(size - offset, 4UL);
		cond_resched();
	}
	return nr;
}

/* Takes some 0.2 s. */
static int symbol_make_index(void)
{
	unsigned int nr;

	symbol_text_start = kpt_ksyms_addr("_stext");
	nr = symbol_walk_text(NULL, UINT_MAX);
	symbol_index = vzalloc(array_size(nr, sizeof(*symbol_index)));
	if (!symbol_index)
		return -ENOMEM;
	symbol_nr_entries = symbol_walk_text(symbol_index, nr);
	sort(symbol_index, symbol_nr_entries, sizeof(*symbol_index),
	     symbol_compare, NULL);
	return 0;
}

/* Index of the first entry with @hash, or of the place where it would be. */
static unsigned int symbol_first_of(u32 hash)
{
	unsigned int from = 0, to = symbol_nr_entries, mid;

	while (from < to) {
		mid = from + (to - from) / 2;
		if (symbol_index[mid].hash < hash)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

/**
 * struct symbol_search - a search for all symbols of a name
 * @name: the name
 * @count: number of symbols found
 * @addr: address of the symbol found last
 * @list: gets the addresses as far as it has room, unless it is NULL
 */
struct symbol_search {
	const char *name;
	unsigned int count;
	unsigned long addr;
	struct kpt_symbol_list *list;
};

/* Add an address if there is room. The caller must not sleep, so nothing is allocated. */
static void symbol_list_put(struct kpt_symbol_list *list, unsigned long addr)
{
	if (list->nr < list->room)
		list->addr[list->nr++] = addr;
}

static int symbol_found(void *data, unsigned long addr)
{
	struct symbol_search *s = data;

	s->count++;
	s->addr = addr;
	if (s->list)
		symbol_list_put(s->list, addr);
	return 0;
}

static int symbol_found_in_module(void *data, const char *name,
				  unsigned long addr)
{
	return symbol_found(data, addr);
}

/*
 * Aliases of one address count as one symbol, which is found only by the name that
 * the kernel prints.
 */
static int symbol_search_index(struct symbol_search *s)
{
	u32 hash = symbol_hash(s->name);
	char name[KSYM_NAME_LEN];
	unsigned long addr;
	unsigned int i;
	int err;

	if (!symbol_index) {
		err = symbol_make_index();
		if (err)
			return err;
	}
	for (i = symbol_first_of(hash);
	     i < symbol_nr_entries && symbol_index[i].hash == hash; i++) {
		addr = symbol_text_start + symbol_index[i].offset;
		if (!lookup_symbol_name(addr, name) &&
		    !strcmp(s->name, name))
			symbol_found(s, addr);
	}
	return 0;
}

/* Lookups after which the table has cost less than it saves. */
#define TABLE_AFTER 2000U

/**
 * struct symbol_table - all symbols of the kernel, by the hashes of their names
 * @slot: entries whose @offset is 0 are free; a symbol is in the first free one from its
 *	hash on
 * @order: the number of slots is 1 << @order; at most half of them are taken
 * @nr: number of symbols
 * @failed: there was no memory for it, the offset of a symbol does not fit, or the
 *	kernel cannot list its symbols
 */
struct symbol_table {
	struct symbol_entry *slot;
	unsigned int order;
	unsigned int nr;
	bool failed;
};

/* Under kpt_mutex. */
static struct symbol_table symbol_table;
static unsigned int symbol_lookups;

/* The symbol that symbol_search_table() found last. */
static unsigned long symbol_last_addr;
static char symbol_last_name[KSYM_NAME_LEN];

static void symbol_table_put(struct symbol_table *t, struct symbol_entry entry)
{
	u32 mask = (1U << t->order) - 1, i = entry.hash & mask;

	while (t->slot[i].offset)
		i = (i + 1) & mask;
	t->slot[i] = entry;
}

static bool symbol_table_grow(struct symbol_table *t)
{
	struct symbol_table larger = { .order = t->order ? t->order + 1 : 16 };
	u32 i;

	larger.slot = vzalloc(sizeof(*larger.slot) << larger.order);
	if (!larger.slot)
		return false;
	for (i = 0; t->slot && i < 1U << t->order; i++)
		if (t->slot[i].offset)
			symbol_table_put(&larger, t->slot[i]);
	vfree(t->slot);
	t->slot = larger.slot;
	t->order = larger.order;
	return true;
}

static int symbol_table_add(void *data, const char *name, unsigned long addr)
{
	struct symbol_table *t = data;
	/* Behind the symbol by one byte, so that it is not 0. */
	s64 offset = addr - symbol_text_start + 1;
	struct symbol_entry entry = { symbol_hash(name), offset };

	t->failed = !offset || offset != (s32)offset ||
		    ((!t->slot || t->nr == 1U << t->order >> 1) && !symbol_table_grow(t));
	if (t->failed)
		return 1;
	symbol_table_put(t, entry);
	t->nr++;
	return 0;
}

/* Takes some 0.05 s, and 2 MiB. */
static void symbol_table_make(struct symbol_table *t)
{
	symbol_text_start = kpt_ksyms_addr("_stext");
	t->failed |= !kpt_ksyms_in_kernel(symbol_table_add, t);
	if (t->failed) {
		vfree(t->slot);
		t->slot = NULL;
	}
}

/*
 * Find a name that just one symbol has. Returns false if it is not known to be such a
 * name: more than one symbol has its hash, or the kernel prints another name there.
 */
static bool symbol_search_table(struct symbol_search *s)
{
	struct symbol_table *t = &symbol_table;
	u32 hash = symbol_hash(s->name), mask, i;
	unsigned long addr = 0;

	if (!t->slot && !t->failed &&
	    ++symbol_lookups > TABLE_AFTER)
		symbol_table_make(t);
	if (!t->slot)
		return false;
	mask = (1U << t->order) - 1;
	for (i = hash & mask; t->slot[i].offset; i = (i + 1) & mask) {
		if (t->slot[i].hash != hash)
			continue;
		if (addr)
			return false;
		addr = symbol_text_start + (s32)t->slot[i].offset - 1;
	}
	symbol_last_addr = 0;
	if (!addr || lookup_symbol_name(addr, symbol_last_name) ||
	    strcmp(symbol_last_name, s->name))
		return false;
	symbol_last_addr = addr;
	symbol_found(s, addr);
	return true;
}

/**
 * kpt_symbol_expect_many() - names will be looked up that a table is made for
 *
 * Context: process context, sleeps, takes kpt_mutex.
 */
void kpt_symbol_expect_many(void)
{
	/* Without that a table is made later. */
	if (mutex_lock_killable(&kpt_mutex))
		return;
	symbol_lookups = max(symbol_lookups, TABLE_AFTER);
	mutex_unlock(&kpt_mutex);
}

static int symbol_search_vmlinux(struct symbol_search *s)
{
	char module[MODULE_NAME_LEN];
	unsigned long addr;
	int err;

	if (kpt_has(kallsyms_on_each_match_symbol)) {
		if (!symbol_search_table(s))
			kallsyms_on_each_match_symbol(symbol_found, s->name, s);
		return 0;
	}
	err = symbol_search_index(s);
	if (err || s->count)
		return err;
	/* The index has no data, and no names that the kernel does not print. */
	addr = kpt_ksyms_addr(s->name);
	if (addr && !kpt_symbol_module_of(addr, module))
		symbol_found(s, addr);
	return 0;
}

/**
 * kpt_symbol_module_loaded() - is a module loaded?
 * @name: its name; one that is being unloaded does not count, nor one that is being
 *	loaded and that our notifier will see later
 *
 * Context: process context, kpt_mutex held.
 * Return: true if it is.
 */
bool kpt_symbol_module_loaded(const char *name)
{
	const struct module *mod;
	bool loaded;

	kpt_symbol_lock_modules();
	mod = find_module(name);
	loaded = mod && kpt_module_is_usable(mod);
	kpt_symbol_unlock_modules();
	return loaded;
}

/**
 * kpt_symbol_module_text() - find the text of a module
 * @name: its name
 * @start: result: address of the first byte
 * @size: result: its bytes
 *
 * Context: any but BRK.
 * Return: true; false if it is not loaded, or being unloaded.
 */
bool kpt_symbol_module_text(const char *name, unsigned long *start, unsigned long *size)
{
	const struct module *mod;
	bool loaded;

	kpt_symbol_lock_modules();
	mod = find_module(name);
	loaded = mod && mod->state != MODULE_STATE_GOING;
	if (loaded) {
		*start = kpt_module_text(mod);
		*size = kpt_module_text_size(mod);
	}
	kpt_symbol_unlock_modules();
	return loaded;
}

/**
 * kpt_symbol_module_of() - the module that an address is in
 * @addr: the address
 * @name: result: MODULE_NAME_LEN bytes; written only if it is in one
 *
 * Context: any but BRK.
 * Return: true if it is in a module.
 */
bool kpt_symbol_module_of(unsigned long addr, char *name)
{
	const struct module *mod;

	kpt_symbol_lock_modules();
	mod = __module_address(addr);
	if (mod)
		strscpy(name, mod->name, MODULE_NAME_LEN);
	kpt_symbol_unlock_modules();
	return mod;
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
		kpt_ksyms_in_modules(module, name, symbol_found_in_module, &s);
	if (!s.count)
		return -ENOENT;
	if (s.count > 1)
		return -EADDRNOTAVAIL;
	*addr = s.addr;
	return 0;
}

/*
 * Lists of functions.
 */

/**
 * kpt_symbol_list_reserve() - make room in a list
 * @list: the list
 * @more: number of addresses that there will be room for behind those it has
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int kpt_symbol_list_reserve(struct kpt_symbol_list *list, unsigned int more)
{
	unsigned int room = max(list->nr + more, 2 * list->room);
	unsigned long *larger;

	if (list->nr + more <= list->room)
		return 0;
	larger = kvmalloc_array(room, sizeof(*larger), GFP_KERNEL_ACCOUNT);
	if (!larger)
		return -ENOMEM;
	if (list->nr)
		memcpy(larger, list->addr, list->nr * sizeof(*larger));
	kvfree(list->addr);
	list->addr = larger;
	list->room = room;
	return 0;
}

/**
 * kpt_symbol_list_add() - append an address to a list
 * @list: the list
 * @addr: the address
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int kpt_symbol_list_add(struct kpt_symbol_list *list, unsigned long addr)
{
	int err = kpt_symbol_list_reserve(list, 1);

	if (!err)
		symbol_list_put(list, addr);
	return err;
}

/* Put a[root] where it belongs in the heap below it, the greatest address on top. */
static void symbol_sift(unsigned long *a, unsigned int root, unsigned int nr)
{
	unsigned long addr = a[root];
	unsigned int child;

	for (; (child = 2 * root + 1) < nr; root = child) {
		if (child + 1 < nr && a[child] < a[child + 1])
			child++;
		if (a[child] <= addr)
			break;
		a[root] = a[child];
	}
	a[root] = addr;
}

static bool symbol_is_sorted(const unsigned long *a, unsigned int nr)
{
	unsigned int i;

	for (i = 1; i < nr; i++)
		if (a[i - 1] > a[i])
			return false;
	return true;
}

/*
 * Not by sort(): that never lets other tasks run, and calls functions of the kernel for
 * each step, which take a hundred times as long if all functions are traced. Mostly there
 * is nothing to do, as symbols come by address.
 */
static void symbol_list_sort(struct kpt_symbol_list *list, unsigned int from)
{
	unsigned long *a = list->addr + from;
	unsigned int nr = list->nr - from, i;

	if (symbol_is_sorted(a, nr))
		return;
	for (i = nr / 2; i-- > 0;)
		symbol_sift(a, i, nr);
	for (i = nr; i-- > 1;) {
		swap(a[0], a[i]);
		symbol_sift(a, 0, i);
		if (i % 4096 == 0)
			cond_resched();
	}
}

/* Keep each address once, from number @from on, where they are ascending. */
static void symbol_list_unique(struct kpt_symbol_list *list, unsigned int from)
{
	unsigned int i, nr = from;

	for (i = from; i < list->nr; i++)
		if (i == from || list->addr[i] != list->addr[i - 1])
			list->addr[nr++] = list->addr[i];
	list->nr = nr;
}

/**
 * kpt_symbol_list_sort() - bring a list into ascending order
 * @list: the list
 *
 * Context: process context.
 */
void kpt_symbol_list_sort(struct kpt_symbol_list *list)
{
	symbol_list_sort(list, 0);
}

/**
 * kpt_symbol_list_sort_unique() - bring a list into ascending order, each address once
 * @list: the list
 *
 * Context: process context.
 */
void kpt_symbol_list_sort_unique(struct kpt_symbol_list *list)
{
	symbol_list_sort(list, 0);
	symbol_list_unique(list, 0);
}

/**
 * struct symbol_match - a search for all functions that a list of patterns matches
 * @names: for kpt_glob_list_match()
 * @len: its characters
 * @count: number of symbols found
 * @last: address of the last symbol of the kernel
 * @list: gets their addresses, as far as it has room
 */
struct symbol_match {
	const char *names;
	size_t len;
	unsigned int count;
	unsigned long last;
	struct kpt_symbol_list *list;
};

static int symbol_match(void *data, const char *name, unsigned long addr)
{
	struct symbol_match *m = data;

	if (!kpt_glob_list_match(m->names, m->len, name, strlen(name)))
		return 0;
	m->count++;
	symbol_list_put(m->list, addr);
	return 0;
}

/* A module has symbols of data, too. */
static int symbol_match_text(void *data, const char *name, unsigned long addr)
{
	bool is_text;

	preempt_disable();
	is_text = __module_text_address(addr);
	preempt_enable();
	return is_text ? symbol_match(data, name, addr) : 0;
}

/* Of several symbols at one address, the kernel prints the first. */
static int symbol_match_first(void *data, const char *name, unsigned long addr)
{
	struct symbol_match *m = data;
	int err;

	if (addr == m->last)
		return 0;
	m->last = addr;
	err = kpt_symbol_list_reserve(m->list, 1);
	return err ?: symbol_match(m, name, addr);
}

/**
 * kpt_symbol_list_in_kernel() - add the functions of the kernel itself to a list
 * @list: the list; they are added behind those it has, ascending, each once
 * @names: for kpt_glob_list_match(), compared with the names that the kernel prints
 *
 * Context: process context, sleeps, kpt_mutex held or not.
 * Return: 0 or -ENOMEM.
 */
int kpt_symbol_list_in_kernel(struct kpt_symbol_list *list, const char *names)
{
	struct symbol_match m = {
		.names = names, .len = strlen(names), .list = list,
	};
	int err = kpt_symbol_each_in_text(symbol_match_first, &m);

	return err == -EOPNOTSUPP ? 0 : err;
}

/**
 * kpt_symbol_list_in_modules() - add the functions of modules to a list
 * @list: the list; they are added behind those it has, ascending, each once
 * @module: name of the module that must have them; NULL: all modules
 * @names: for kpt_glob_list_match()
 *
 * A module may be loaded meanwhile: its functions are in the list then, or not.
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int kpt_symbol_list_in_modules(struct kpt_symbol_list *list, const char *module,
			       const char *names)
{
	struct symbol_match m = {
		.names = names, .len = strlen(names), .list = list,
	};
	unsigned int from = list->nr;
	int err = 0;

	/* Again if there is no room for all. There may be more then: modules are loaded. */
	do {
		m.count = 0;
		list->nr = from;
		kpt_ksyms_in_modules(module, NULL, symbol_match_text, &m);
		if (list->nr == from + m.count)
			break;
		list->nr = from;
		err = kpt_symbol_list_reserve(list, m.count);
	} while (!err);
	symbol_list_sort(list, from);
	symbol_list_unique(list, from);
	return err;
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
		kpt_ksyms_in_modules(module, name, symbol_found_in_module, &s);
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
 * kpt_symbol_module_loaded() has it, -ENOMEM.
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
 * kpt_symbol_list_free() - free the memory of a list
 * @list: the list; empty afterwards
 *
 * Context: process context.
 */
void kpt_symbol_list_free(struct kpt_symbol_list *list)
{
	kvfree(list->addr);
	*list = (struct kpt_symbol_list){ 0 };
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
 * struct symbol_freed - a function whose text was freed
 * @list: link in symbols_freed, the newest first
 * @rcu: for kfree_rcu()
 * @start: address of its first byte
 * @size: its size in bytes
 * @name_len: length of NAME in @name
 * @name: "NAME [MODULE]"
 */
struct symbol_freed {
	struct list_head list;
	struct rcu_head rcu;
	unsigned long start;
	unsigned long size;
	unsigned int name_len;
	char name[];
};

/* Changed under kpt_mutex, read under RCU. */
static LIST_HEAD(symbols_freed);
static unsigned int nr_symbols_freed;

static void symbol_forget(struct symbol_freed *s)
{
	list_del_rcu(&s->list);
	kfree_rcu(s, rcu);
	nr_symbols_freed--;
}

/* Forget the function that had just this text. */
static void symbol_forget_at(unsigned long start, unsigned long size)
{
	struct symbol_freed *s, *next;

	list_for_each_entry_safe(s, next, &symbols_freed, list)
		if (s->start == start && s->size == size)
			symbol_forget(s);
}

/**
 * kpt_symbol_keep() - keep the name of a function whose text is about to be freed
 * @start: address of its first byte
 *
 * Records of probes in modules and in their init code may be read when kallsyms no
 * longer knows the function. If memory is short, the name is not kept. With more than
 * KPT_SYMBOL_KEPT_MAX the oldest one is forgotten.
 *
 * Context: process context, may sleep, kpt_mutex held.
 */
void kpt_symbol_keep(unsigned long start)
{
	char name[KSYM_SYMBOL_LEN], *offset, *module;
	unsigned long from, size;
	struct symbol_freed *s;

	if (kpt_symbol_range(start, &from, &size) || from != start)
		return;
	sprint_symbol(name, start);
	offset = strchr(name, '+');
	module = strchr(name, ' ');
	if (!offset || !module)
		return;
	s = kmalloc(struct_size(s, name, strlen(name) + 1), GFP_KERNEL);
	if (!s)
		return;
	s->start = start;
	s->size = size;
	s->name_len = offset - name;
	memcpy(s->name, name, s->name_len);
	strcpy(s->name + s->name_len, module);
	/* Readers take the first one that has an address, so the newest has to be that. */
	symbol_forget_at(start, size);
	list_add_rcu(&s->list, &symbols_freed);
	if (++nr_symbols_freed > KPT_SYMBOL_KEPT_MAX)
		symbol_forget(list_last_entry(&symbols_freed, struct symbol_freed, list));
}

/**
 * kpt_symbol_print() - print the symbol of an address, as %pS does
 * @dst: result, with a NUL
 * @size: bytes at @dst
 * @addr: the address; looked up in kallsyms first, then in the names that were kept
 * @is_caller: name the function of the address before, as %pB does
 *
 * Context: any; BRK only if RCU is watching.
 * Return: characters written, without the NUL.
 */
size_t kpt_symbol_print(char *dst, size_t size, unsigned long addr, bool is_caller)
{
	unsigned long sz, offset, at = addr - is_caller;
	const struct symbol_freed *s;
	size_t len = 0;

	rcu_read_lock();
	list_for_each_entry_rcu(s, &symbols_freed, list) {
		if (at - s->start >= s->size)
			continue;
		/* There may be other text by now. */
		if (!kallsyms_lookup_size_offset(at, &sz, &offset))
			len = scnprintf(dst, size, "%.*s+0x%lx/0x%lx%s",
					(int)s->name_len, s->name,
					addr - s->start, s->size,
					s->name + s->name_len);
		break;
	}
	rcu_read_unlock();
	return len ?: scnprintf(dst, size, is_caller ? "%pB" : "%pS", (void *)addr);
}

/**
 * kpt_symbol_exit() - free the index of names, and the names that were kept
 *
 * Context: module unload.
 */
void kpt_symbol_exit(void)
{
	struct symbol_freed *s, *next;

	list_for_each_entry_safe(s, next, &symbols_freed, list)
		symbol_forget(s);
	vfree(symbol_index);
	symbol_index = NULL;
	vfree(symbol_table.slot);
	symbol_table.slot = NULL;
	kpt_symbol_module_forget();
}
