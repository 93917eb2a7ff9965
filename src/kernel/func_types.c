// SPDX-License-Identifier: GPL-2.0-only
/* BTF of a function, found by its address. */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include "kernel/btf.h"
#include "kernel/func_types.h"
#include "kernel/ksyms.h"
#include "kernel/symbol.h"

/* The module that an address is in; false if it is none. */
static bool func_module(unsigned long addr, char *name)
{
	const struct module *mod;

	/* Kernels protect the list of modules by RCU or by RCU-sched. */
	rcu_read_lock();
	preempt_disable();
	mod = kpt_ksyms.module_address(addr);
	if (mod)
		strscpy(name, mod->name, MODULE_NAME_LEN);
	preempt_enable();
	rcu_read_unlock();
	return mod;
}

/* The name of an address, if no other function has it. */
static bool func_name(unsigned long addr, const char *module, char *name)
{
	unsigned long named;

	return !kpt_ksyms.lookup_symbol_name(addr, name) &&
	       !kpt_symbol_lookup(module, name, &named) && named == addr;
}

/**
 * kpt_func_types() - find the types of a function
 * @addr: entry of the function; 0 if it is in a module that is not loaded
 * @name: its name, if it is known to be that of one function alone; or NULL
 * @func: result: its number (KPT_BTF_FUNC), the first if there are several of its
 *	name; 0 if there is none
 * @why: if there are no types at all, the reason is appended
 *
 * A function of a module is looked for among the types of the module only: a
 * function of the kernel with the same name is another one.
 *
 * Context: process context, sleeps, kpt_mutex held. The result is valid until
 * kpt_mutex is released.
 * Return: the types that @func is one of; those of the kernel if it is 0; NULL if
 * there are none.
 */
const struct kpt_btf *kpt_func_types(unsigned long addr, const char *name,
				     u32 *func, struct kpt_strbuf *why)
{
	char module[MODULE_NAME_LEN], found[KSYM_NAME_LEN], unused[1];
	bool in_module = addr && func_module(addr, module);
	const struct kpt_btf *btf = kpt_btf_of(NULL, why), *own = btf;
	struct kpt_strbuf ignored;

	*func = 0;
	if (!btf || !addr)
		return btf;
	kpt_strbuf_init(&ignored, unused, sizeof(unused));
	if (in_module)
		own = kpt_btf_of(module, &ignored);
	if (!own)
		return btf;
	if (!name && !func_name(addr, in_module ? module : NULL, found))
		return own;
	*func = kpt_btf_find(own, KPT_BTF_FUNC, name ? name : found, 0);
	return own;
}
