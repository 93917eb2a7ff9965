// SPDX-License-Identifier: GPL-2.0-only
/* Names of functions whose text was freed, and how addresses are printed. */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include "kernel/ksyms.h"
#include "kernel/symbol/symbol.h"

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
 * kpt_symbol_forget_freed() - forget the names of all functions whose text was freed
 *
 * Context: module unload.
 */
void kpt_symbol_forget_freed(void)
{
	struct symbol_freed *s, *next;

	list_for_each_entry_safe(s, next, &symbols_freed, list)
		symbol_forget(s);
}
