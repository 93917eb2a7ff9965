// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names to addresses and back, by the rule of the newest kprobe events: a name
 * must be there exactly once. vmlinux decides about an unqualified name if it
 * has it at all, else all modules together do.
 */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/mutex.h>
#include "kernel/ksyms.h"
#include "kernel/symbol.h"
#include "kernel/symbol_index.h"

/**
 * struct search - a name being counted
 * @name: the name
 * @count: how often it was found
 * @addr: where last
 */
struct search {
	const char *name;
	unsigned int count;
	unsigned long addr;
};

static void found(struct search *s, unsigned long addr)
{
	s->count++;
	s->addr = addr;
}

static int match_found(void *data, unsigned long addr)
{
	found(data, addr);
	return 0;
}

static int search_vmlinux(struct search *s)
{
	unsigned long addr;
	int err;

	if (kpt_ksyms.on_each_match) {
		kpt_ksyms.on_each_match(match_found, s->name, s);
		return 0;
	}
	err = kpt_symbol_index_find(s->name, match_found, s);
	if (err || s->count)
		return err;
	/* Data, and names that the kernel does not print. */
	addr = kpt_ksyms_addr(s->name);
	if (addr && !kpt_ksyms.module_address(addr))
		found(s, addr);
	return 0;
}

/* One that is on its way out is as good as gone. */
static bool module_loaded(const char *name)
{
	const struct module *mod;
	bool loaded;

	/* Which of the two protects the list of modules differs. */
	rcu_read_lock();
	preempt_disable();
	mod = kpt_ksyms.find_module(name);
	loaded = mod && mod->state != MODULE_STATE_GOING;
	preempt_enable();
	rcu_read_unlock();
	return loaded;
}

/**
 * kpt_symbol_lookup() - address of a symbol that may be probed or read
 * @module: name of the module it must be in, NULL for vmlinux first, then any
 * @name: exact name, suffixes like .isra.0 included
 * @addr: result, written on success only
 *
 * For an unqualified name vmlinux decides if it has the name at all; else the
 * modules do (the rule of the newest kprobe events).
 *
 * Context: process context, may sleep, kpt_mutex held.
 * Return: 0, -ENOENT if there is none, -EADDRNOTAVAIL if it is not unique,
 * -ENXIO if @module is not loaded or already on its way out, -ENOMEM.
 */
int kpt_symbol_lookup(const char *module, const char *name,
		      unsigned long *addr)
{
	struct search s = { .name = name };
	int err;

	if (module && !module_loaded(module))
		return -ENXIO;
	if (!module) {
		err = search_vmlinux(&s);
		if (err)
			return err;
	}
	if (!s.count)
		kpt_ksyms_in_modules(module, name, match_found, &s);
	if (!s.count)
		return -ENOENT;
	if (s.count > 1)
		return -EADDRNOTAVAIL;
	*addr = s.addr;
	return 0;
}

/**
 * kpt_symbol_range() - the symbol an address belongs to
 * @addr: the address
 * @start: its first byte, written on success only
 * @size: its bytes, likewise
 *
 * Context: process context.
 * Return: 0 or -ENOENT.
 */
int kpt_symbol_range(unsigned long addr, unsigned long *start,
		     unsigned long *size)
{
	unsigned long offset, sz;

	if (!kpt_ksyms.lookup_size_offset(addr, &sz, &offset))
		return -ENOENT;
	*start = addr - offset;
	*size = sz;
	return 0;
}
