// SPDX-License-Identifier: GPL-2.0-only
/* BTF of a function, found by its address. */
#include "kernel/compat.h"
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/string.h>
#include "event/class.h"
#include "parts/btf/kernel_btf.h"
#include "parts/btf/func_types.h"
#include "parts/btf/member.h"
#include "kernel/ksyms.h"
#include "kernel/lock.h"
#include "kernel/symbol/symbol.h"

/* The name of an address, if no other function has it. */
static bool func_name(unsigned long addr, const char *module, char *name)
{
	unsigned long named;

	return !lookup_symbol_name(addr, name) &&
	       !kpt_symbol_lookup(module, name, &named) && named == addr;
}

/**
 * kpt_func_types() - find the types of a function
 * @addr: entry of the function, or an address inside of one; 0 if it is in a module that
 *	is not loaded
 * @name: its name, if it is known to be that of one function alone; or NULL
 * @func: result: its number (KPT_BTF_FUNC), the first if there are several of its
 *	name; 0 if there is none, or @addr is not its entry
 * @why: if there are no types at all, the reason is appended
 *
 * A function of a module is looked for among the types of the module only: a
 * function of the kernel with the same name is another one.
 *
 * Context: process context, sleeps, kpt_mutex held. The result is valid until
 * kpt_mutex is released.
 * Return: the types of the module that @addr is in, else those of the kernel; NULL if
 * there are none.
 */
const struct kpt_btf *kpt_func_types(unsigned long addr, const char *name,
				     u32 *func, struct kpt_strbuf *why)
{
	char module[MODULE_NAME_LEN], found[KSYM_NAME_LEN], unused[1];
	bool in_module = addr && kpt_symbol_module_of(addr, module);
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

/**
 * kpt_func_find() - find the types of a function, if they are certainly its own
 * @addr: entry of the function
 * @name: its name, if it was asked for by name; or NULL
 * @func: result: its number (KPT_BTF_FUNC)
 * @why: on failure the reason is appended
 *
 * Types of functions are found by name, so the name must be that of one function alone:
 * in the symbols of the kernel or of its module, and among the types of that.
 *
 * Context: process context, sleeps, kpt_mutex held. The result is valid until
 * kpt_mutex is released.
 * Return: the types that @func is one of, or NULL.
 */
const struct kpt_btf *kpt_func_find(unsigned long addr, const char *name, u32 *func,
				    struct kpt_strbuf *why)
{
	char module[MODULE_NAME_LEN], found[KSYM_NAME_LEN];
	bool in_module = kpt_symbol_module_of(addr, module);
	const struct kpt_btf *btf;

	if (!name && !func_name(addr, in_module ? module : NULL, found)) {
		kpt_strbuf_puts(why, "several functions have its name");
		return NULL;
	}
	name = name ? name : found;
	btf = kpt_btf_of(in_module ? module : NULL, why);
	if (!btf)
		return NULL;
	*func = kpt_btf_find(btf, KPT_BTF_FUNC, name, 0);
	if (*func && !kpt_btf_find(btf, KPT_BTF_FUNC, name, *func))
		return btf;
	kpt_strbuf_puts(why, *func ? "BTF has several prototypes for this name" :
				     "BTF does not have this function");
	return NULL;
}

/**
 * struct func_slot - a function that was looked for
 * @addr: its entry; 0 for none
 * @btf: the types; NULL if there are none about it
 * @func: its number
 * @epoch: kpt_btf_epoch() while all this is true
 */
struct func_slot {
	unsigned long addr;
	const struct kpt_btf *btf;
	u32 func;
	unsigned long epoch;
};

#define FUNC_SLOT_BITS 6

/* By a hash of the entry. Under kpt_mutex. */
static struct func_slot func_slots[1 << FUNC_SLOT_BITS];

/*
 * Lines of trace are about few functions. To find one takes longer than the rest of its
 * line: in a module all symbols are compared.
 */
const struct kpt_btf *port_func_types_get(u64 addr, u32 *func)
{
	struct func_slot *slot = &func_slots[hash_64(addr >> 2, FUNC_SLOT_BITS)];
	const struct kpt_btf *btf;
	struct kpt_strbuf ignored;
	char unused[1];

	/* A task that is being killed needs no arguments any more. */
	if (kpt_lock())
		return NULL;
	if (slot->addr != addr || slot->epoch != kpt_btf_epoch()) {
		kpt_strbuf_init(&ignored, unused, sizeof(unused));
		slot->btf = kpt_func_find(addr, NULL, &slot->func, &ignored);
		slot->addr = addr;
		slot->epoch = kpt_btf_epoch();
	}
	btf = slot->btf;
	*func = slot->func;
	if (!btf)
		kpt_unlock();
	return btf;
}

void port_func_types_put(void)
{
	kpt_unlock();
}

/**
 * kpt_btf_offset() - find out where a member of a structure of the kernel is
 * @type: name of the structure
 * @path: "MEMBER[.MEMBER]...", each of the one before
 * @offset: result: bytes from the start of the structure, written on success only
 * @size: result: bytes of the member, likewise
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EOPNOTSUPP without types of the kernel; -ENOENT if there is no such structure or
 * member, or it begins inside a byte.
 */
int kpt_btf_offset(const char *type, const char *path, u64 *offset, u64 *size)
{
	struct kpt_member m = { 0 };
	const struct kpt_btf *btf;
	struct kpt_strbuf sb;
	char why[80];
	u64 bit = 0;
	size_t len;

	kpt_strbuf_init(&sb, why, sizeof(why));
	btf = kpt_btf_of(NULL, &sb);
	if (!btf)
		return -EOPNOTSUPP;
	m.type = kpt_btf_find(btf, KPT_BTF_STRUCT, type, 0);
	if (!m.type)
		return -ENOENT;
	for (;; path += len + 1) {
		len = strcspn(path, ".");
		if (!kpt_member_find(btf, kpt_btf_resolve(btf, m.type), path, len, &m))
			return -ENOENT;
		bit += m.bit;
		if (!path[len])
			break;
	}
	if (bit % 8)
		return -ENOENT;
	*offset = bit / 8;
	*size = kpt_btf_size(btf, m.type);
	return 0;
}
