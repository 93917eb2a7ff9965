// SPDX-License-Identifier: GPL-2.0-only
/* The lines of can_probe about the parameters of a function. */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/string.h>
#include "fs/fs.h"
#include "kernel/btf.h"
#include "kernel/ksyms.h"
#include "kernel/symbol.h"
#include "lib/prototype.h"

/* The name of an address, if no other function has it. */
static bool name_of(unsigned long addr, const char *module, char *name)
{
	unsigned long named;

	return !kpt_ksyms.lookup_symbol_name(addr, name) &&
	       !kpt_symbol_lookup(module, name, &named) && named == addr;
}

/*
 * Types of functions are found by name, so the name must be that of one
 * function alone: in the kernel's symbols, and among its types.
 */
static bool describe(struct kpt_strbuf *sb, unsigned long addr,
		     const char *name, struct kpt_strbuf *why)
{
	char module[MODULE_NAME_LEN], found[KSYM_NAME_LEN];
	bool in_module = kpt_symbol_module_of(addr, module);
	const struct kpt_btf *btf;
	u32 func;

	if (!name && !name_of(addr, in_module ? module : NULL, found)) {
		kpt_strbuf_puts(why, "several functions have its name");
		return false;
	}
	name = name ? name : found;
	btf = kpt_btf_of(in_module ? module : NULL, why);
	if (!btf)
		return false;
	func = kpt_btf_find(btf, KPT_BTF_FUNC, name, 0);
	if (!func) {
		kpt_strbuf_puts(why, "BTF does not have this function");
		return false;
	}
	if (kpt_btf_find(btf, KPT_BTF_FUNC, name, func)) {
		kpt_strbuf_puts(why, "BTF has several prototypes for this name");
		return false;
	}
	kpt_prototype_put(sb, btf, func);
	return true;
}

/**
 * kpt_prototype_describe() - write the prototype of a function and its places
 * @text: result, lines as of kpt_prototype_put(), or one line with the reason
 * @size: bytes at @text
 * @addr: entry of the function
 * @name: its name, if it was asked for by name; or NULL
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_prototype_describe(char *text, size_t size, unsigned long addr,
			    const char *name)
{
	struct kpt_strbuf sb, why;
	char reason[128];

	kpt_strbuf_init(&sb, text, size);
	kpt_strbuf_init(&why, reason, sizeof(reason));
	if (describe(&sb, addr, name, &why) && !sb.overflow)
		return;
	if (sb.overflow)
		kpt_strbuf_puts(&why, "it is too long to be shown");
	kpt_strbuf_init(&sb, text, size);
	kpt_strbuf_printf(&sb, "prototype: unknown: %s\n", reason);
}
