// SPDX-License-Identifier: GPL-2.0-only
/* Lists of addresses of functions, and the functions that patterns match. */
#include "kernel/compat.h"
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include "kernel/ksyms.h"
#include "kernel/symbol/symbol.h"
#include "lib/base/glob.h"

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
 * kpt_symbol_list_put() - append an address to a list if there is room
 * @list: the list
 * @addr: the address
 *
 * Context: any.
 */
void kpt_symbol_list_put(struct kpt_symbol_list *list, unsigned long addr)
{
	if (list->nr < list->room)
		list->addr[list->nr++] = addr;
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
		kpt_symbol_list_put(list, addr);
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

/*
 * Is it an entry in a table with which the kernel checks calls, a branch to the function of
 * that name? A call through a pointer would be two hits.
 */
static bool symbol_is_table_entry(const char *name, size_t len)
{
	static const char suffix[] = ".cfi_jt";
	const size_t more = sizeof(suffix) - 1;

	return KPT_CFI_TABLES && len > more && !strcmp(name + len - more, suffix);
}

/**
 * kpt_symbol_is_table_entry() - is it an entry in a table with which calls are checked?
 * @addr: where a symbol is
 *
 * Lists leave such entries out.
 *
 * Context: process context, sleeps.
 * Return: true if it is; false on kernels without such tables.
 */
bool kpt_symbol_is_table_entry(unsigned long addr)
{
	char name[KSYM_NAME_LEN];

	return KPT_CFI_TABLES && !lookup_symbol_name(addr, name) &&
	       symbol_is_table_entry(name, strlen(name));
}

static int symbol_match(void *data, const char *name, unsigned long addr)
{
	struct symbol_match *m = data;
	size_t len = strlen(name);

	if (symbol_is_table_entry(name, len) ||
	    !kpt_glob_list_match(m->names, m->len, name, len))
		return 0;
	m->count++;
	kpt_symbol_list_put(m->list, addr);
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
 * Return: 0; -ENOMEM; -EINTR if the task is being killed.
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
