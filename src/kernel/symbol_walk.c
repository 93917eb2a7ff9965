// SPDX-License-Identifier: GPL-2.0-only
/* Visit all symbols of the kernel's text. */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/sched.h>
#include "kernel/ksyms.h"
#include "kernel/symbol.h"

/**
 * struct symbol_walk - a visit to the symbols of the kernel's text
 * @found: called for each
 * @data: first argument of @found
 * @start: address of the first byte of the text
 * @end: address behind the last one
 * @err: what @found has returned
 */
struct symbol_walk {
	int (*found)(void *data, const char *name, unsigned long addr);
	void *data;
	unsigned long start;
	unsigned long end;
	int err;
};

static int symbol_walk_step(void *data, const char *name, unsigned long addr)
{
	struct symbol_walk *w = data;

	if (addr < w->start)
		return 0;
	/* Symbols come by address. */
	if (addr >= w->end)
		return 1;
	w->err = w->found(w->data, name, addr);
	return w->err;
}

/* For kernels that cannot list their symbols. */
static void symbol_walk_by_address(struct symbol_walk *w)
{
	unsigned long addr = w->start, size, offset;
	char name[KSYM_NAME_LEN];

	while (!w->err && addr < w->end &&
	       kpt_ksyms.lookup_size_offset(addr, &size, &offset)) {
		if (!kpt_ksyms.lookup_symbol_name(addr, name))
			symbol_walk_step(w, name, addr);
		addr += max(size - offset, 4UL);
		cond_resched();
	}
}

/**
 * kpt_symbol_each_in_text() - visit the symbols of the kernel's own text, by address
 * @found: called for each, until it returns another value than 0. Of several symbols at
 *	one address the first is the one that the kernel prints
 * @data: first argument of @found
 *
 * Context: process context, sleeps.
 * Return: the last result of @found; -EOPNOTSUPP if that was 0 and this kernel does not
 * list all symbols: then @found was called for those that it prints.
 */
int kpt_symbol_each_in_text(int (*found)(void *data, const char *name, unsigned long addr),
			    void *data)
{
	struct symbol_walk w = {
		.found = found,
		.data = data,
		.start = kpt_ksyms_addr("_stext"),
		.end = kpt_ksyms_addr("_etext"),
	};

	if (kpt_ksyms_in_kernel(symbol_walk_step, &w))
		return w.err;
	symbol_walk_by_address(&w);
	return w.err ?: -EOPNOTSUPP;
}
