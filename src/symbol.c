// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names to addresses and back, by the rule of the newest kprobe events: a name
 * must be there exactly once. vmlinux decides about an unqualified name if it
 * has it at all, else all modules together do.
 */
#include <kptrace/compat.h>
#include <linux/kallsyms.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <kptrace/ksyms.h>
#include <kptrace/symbol.h>

/**
 * struct search - a name being counted
 * @name: the name
 * @module: only in this module, or NULL
 * @count: how often it was found
 * @addr: where last
 */
struct search {
	const char *name;
	const char *module;
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

/* The kernel's text, in which a kernel without an index is searched. */
static unsigned long text_start, text_end;

static void find_text(void)
{
	if (text_end)
		return;
	text_start = kpt_ksyms_addr("_stext");
	text_end = kpt_ksyms_addr("_etext");
}

/*
 * Count by visiting every symbol of the kernel's text; about 0.1 s. Aliases of
 * one address are seen as one, which is as good: they are the same place.
 */
static void walk_text(struct search *s)
{
	unsigned long addr, size, offset;
	char name[KSYM_NAME_LEN];

	find_text();
	for (addr = text_start; addr < text_end; addr += max(size, 4UL)) {
		if (!kpt_ksyms.lookup_size_offset(addr, &size, &offset))
			break;
		size -= offset;
		if (!kpt_ksyms.lookup_symbol_name(addr, name) &&
		    !strcmp(name, s->name))
			found(s, addr);
		cond_resched();
	}
}

static void search_vmlinux(struct search *s)
{
	unsigned long addr;

	if (kpt_ksyms.on_each_match) {
		kpt_ksyms.on_each_match(match_found, s->name, s);
		return;
	}
	addr = kpt_ksyms_addr(s->name);
	if (!addr || kpt_ksyms.module_address(addr))
		return;
	walk_text(s);
	if (!s->count)
		found(s, addr);
}

/* Without a way to visit all symbols of modules: the first one is taken. */
static void first_in_module(struct search *s)
{
	char *name = NULL;
	unsigned long addr;

	if (s->module) {
		name = kasprintf(GFP_KERNEL, "%s:%s", s->module, s->name);
		if (!name)
			return;
	}
	addr = kpt_ksyms_addr(name ?: s->name);
	if (addr)
		found(s, addr);
	kfree(name);
}

static void search_modules(struct search *s)
{
	if (kpt_ksyms.module_on_each_symbol)
		kpt_ksyms_in_modules(s->module, s->name, match_found, s);
	else
		first_in_module(s);
}

static bool module_loaded(const char *name)
{
	bool loaded;

	/* Which of the two protects the list of modules differs. */
	rcu_read_lock();
	preempt_disable();
	loaded = kpt_ksyms.find_module(name);
	preempt_enable();
	rcu_read_unlock();
	return loaded;
}

int kpt_symbol_lookup(const char *module, const char *name,
		      unsigned long *addr)
{
	struct search s = { .name = name, .module = module };

	if (module && !module_loaded(module))
		return -ENXIO;
	if (!module)
		search_vmlinux(&s);
	if (!s.count)
		search_modules(&s);
	if (!s.count)
		return -ENOENT;
	if (s.count > 1)
		return -EADDRNOTAVAIL;
	*addr = s.addr;
	return 0;
}

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
