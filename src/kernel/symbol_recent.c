// SPDX-License-Identifier: GPL-2.0-only
/*
 * The symbol of a module that was looked up last. For each look at an address of a module
 * the kernel compares all symbols of that module, and to probe a function takes several
 * looks at it.
 */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/spinlock.h>
#include "kernel/ksyms.h"
#include "kernel/symbol.h"

/* There is none if @size is 0. */
static struct symbol_recent {
	unsigned long start;
	unsigned long size;
	char name[KSYM_NAME_LEN];
} symbol_recent;
static DEFINE_SPINLOCK(symbol_recent_lock);

/* Is an address in a module that stays? Kernels protect the list by RCU or RCU-sched. */
static bool symbol_stays(unsigned long addr)
{
	const struct module *mod;
	bool stays;

	rcu_read_lock();
	preempt_disable();
	mod = kpt_ksyms.module_address(addr);
	stays = mod && mod->state != MODULE_STATE_GOING;
	preempt_enable();
	rcu_read_unlock();
	return stays;
}

/*
 * Let symbol_recent be the symbol at an address, under its lock. Returns false if there is
 * none, or if it is not to be kept.
 */
static bool symbol_recent_find(unsigned long addr)
{
	struct symbol_recent *r = &symbol_recent;
	unsigned long size, offset;

	if (addr - r->start < r->size)
		return true;
	r->size = 0;
	if (!symbol_stays(addr) || kpt_ksyms.lookup_symbol_name(addr, r->name) ||
	    !kpt_ksyms.lookup_size_offset(addr, &size, &offset))
		return false;
	r->start = addr - offset;
	r->size = size;
	return true;
}

/**
 * kpt_symbol_forget_recent() - forget what was looked up in a module
 *
 * Context: module notifier: a module comes, or its text goes.
 */
void kpt_symbol_forget_recent(void)
{
	spin_lock(&symbol_recent_lock);
	symbol_recent.size = 0;
	spin_unlock(&symbol_recent_lock);
}

/**
 * kpt_symbol_recent_name() - the name of the symbol of a module
 * @addr: an address in it
 * @name: result: KSYM_NAME_LEN bytes, written on success only
 *
 * Context: process context.
 * Return: true; false if the address is in no module: then the kernel has to be asked.
 */
bool kpt_symbol_recent_name(unsigned long addr, char *name)
{
	bool found;

	if (kpt_ksyms.core_kernel_text(addr))
		return false;
	spin_lock(&symbol_recent_lock);
	found = symbol_recent_find(addr);
	if (found)
		strcpy(name, symbol_recent.name);
	spin_unlock(&symbol_recent_lock);
	return found;
}

/**
 * kpt_symbol_recent_range() - where the symbol of a module is
 * @addr: an address in it
 * @start: address of its first byte, written on success only
 * @size: its size in bytes, written on success only
 *
 * Context: process context.
 * Return: true; false if the address is in no module: then the kernel has to be asked.
 */
bool kpt_symbol_recent_range(unsigned long addr, unsigned long *start,
			     unsigned long *size)
{
	bool found;

	if (kpt_ksyms.core_kernel_text(addr))
		return false;
	spin_lock(&symbol_recent_lock);
	found = symbol_recent_find(addr);
	if (found) {
		*start = symbol_recent.start;
		*size = symbol_recent.size;
	}
	spin_unlock(&symbol_recent_lock);
	return found;
}
