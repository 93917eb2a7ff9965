// SPDX-License-Identifier: GPL-2.0-only
/* Visit all symbols of the kernel's text, or all modules. */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include "kernel/ksyms.h"
#include "kernel/symbol/symbol.h"

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
	w->err = fatal_signal_pending(current) ? -EINTR : w->found(w->data, name, addr);
	return w->err;
}

/* For kernels that cannot list their symbols. */
static void symbol_walk_by_address(struct symbol_walk *w)
{
	unsigned long addr = w->start, size, offset;
	char name[KSYM_NAME_LEN];

	while (!w->err && addr < w->end &&
	       kallsyms_lookup_size_offset(addr, &size, &offset)) {
		if (!lookup_symbol_name(addr, name))
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
 * Return: the last result of @found; -EINTR if the task is being killed; -EOPNOTSUPP if that
 * was 0 and this kernel does not list all symbols: then @found was called for those that it
 * prints.
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

/**
 * struct symbol_modules - a walk over modules
 * @visit: called for each
 * @last: the last one; symbols of a module follow each other
 */
struct symbol_modules {
	void (*visit)(const struct module *mod);
	const struct module *last;
};

static int symbol_visit_module(void *data, const char *name, unsigned long addr)
{
	struct symbol_modules *m = data;
	const struct module *mod;

	kpt_symbol_lock_modules();
	mod = __module_address(addr);
	if (mod && mod != m->last)
		m->visit(mod);
	m->last = mod ?: m->last;
	kpt_symbol_unlock_modules();
	return 0;
}

/**
 * kpt_symbol_each_module() - call a function for each module that has symbols
 * @visit: the function; must not sleep
 *
 * Context: process context.
 */
void kpt_symbol_each_module(void (*visit)(const struct module *mod))
{
	struct symbol_modules m = { visit };

	kpt_ksyms_in_modules(NULL, NULL, symbol_visit_module, &m);
}
