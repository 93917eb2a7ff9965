// SPDX-License-Identifier: GPL-2.0-only
/*
 * Look many symbols of the kernel up at once. Before kernels had a list of symbols by name, each
 * look-up walked over all of them: 31 million instructions for 42,000 symbols. There one walk
 * notes where many names are: the first of several symbols, as the kernel does. It may also find
 * a symbol by its name without the suffix of a compiler: where that matters, it is asked.
 */
#include "kernel/compat.h"
#include <linux/hashtable.h>
#include <linux/kallsyms.h>
#include <linux/slab.h>
#include <linux/stringhash.h>
#include "kernel/ksyms.h"
#include "kernel/symbol/symbol.h"
#include "kernel/symbol/symbol_many.h"

/**
 * struct many_name - a name that is looked up
 * @node: in kpt_symbol_many.names
 * @name: it is not terminated
 * @len: of @name
 * @has_suffix: the first symbol with that name has it but for a suffix
 * @addr: of that symbol, or 0
 */
struct many_name {
	struct hlist_node node;
	const char *name;
	unsigned int len;
	bool has_suffix;
	unsigned long addr;
};

/**
 * struct kpt_symbol_many - names that are looked up at once
 * @names: by their hash
 * @complete: a walk has seen all symbols, not just those that the kernel prints
 */
struct kpt_symbol_many {
	DECLARE_HASHTABLE(names, 8);
	bool complete;
};

/**
 * kpt_symbol_many_make() - begin to look names up
 *
 * Context: process context, sleeps.
 * Return: what the other functions take; NULL where the kernel has a list of names, and without
 * memory: then each name is looked up by itself.
 */
struct kpt_symbol_many *kpt_symbol_many_make(void)
{
	return kpt_has(kallsyms_on_each_match_symbol) ? NULL :
	       kzalloc(sizeof(struct kpt_symbol_many), GFP_KERNEL);
}

static struct many_name *many_find(struct kpt_symbol_many *many, const char *name,
				   unsigned int len)
{
	struct many_name *n;

	hash_for_each_possible(many->names, n, node, full_name_hash(NULL, name, len))
		if (n->len == len && !memcmp(n->name, name, len))
			return n;
	return NULL;
}

/**
 * kpt_symbol_many_add() - add names
 * @many: those up to now, or NULL
 * @names: exact names, separated by '|'; stays until kpt_symbol_many_free()
 *
 * Context: process context, sleeps.
 */
void kpt_symbol_many_add(struct kpt_symbol_many *many, const char *names)
{
	struct many_name *n;

	for (; many; names += n->len + 1) {
		n = kzalloc(sizeof(*n), GFP_KERNEL);
		if (!n)
			return;
		n->name = names;
		n->len = strcspn(names, "|");
		hash_add(many->names, &n->node, full_name_hash(NULL, names, n->len));
		if (!names[n->len])
			return;
	}
}

static int many_see(void *data, const char *name, unsigned long addr)
{
	unsigned int len = strcspn(name, ".$");
	struct many_name *n = many_find(data, name, len);

	if (n && !n->addr) {
		n->addr = addr;
		n->has_suffix = name[len];
	}
	return 0;
}

/**
 * kpt_symbol_many_walk() - find the names that were added
 * @many: the names, or NULL
 *
 * Context: process context, sleeps.
 */
void kpt_symbol_many_walk(struct kpt_symbol_many *many)
{
	if (!many)
		return;
	many->complete = kpt_ksyms_in_kernel(many_see, many);
	if (!many->complete)
		kpt_symbol_each_in_text(many_see, many);
}

/**
 * kpt_symbol_many_addr() - address of the first of several symbols that exists
 * @many: names that were found, or NULL
 * @names: exact names, separated by '|'; those that are not in @many are looked up
 *
 * Context: process context.
 * Return: the address, 0 if none of them exists.
 */
unsigned long kpt_symbol_many_addr(struct kpt_symbol_many *many, const char *names)
{
	char name[KSYM_NAME_LEN];
	const struct many_name *n;
	unsigned long addr;
	unsigned int len;

	do {
		len = strcspn(names, "|");
		n = many ? many_find(many, names, len) : NULL;
		if (n && !n->has_suffix && (n->addr || many->complete)) {
			addr = n->addr;
		} else {
			strscpy(name, names, min_t(size_t, sizeof(name), len + 1));
			addr = kpt_ksyms_addr(name);
		}
		names += len;
	} while (!addr && *names++);
	return addr;
}

/**
 * kpt_symbol_many_free() - forget the names
 * @many: the names, or NULL
 *
 * Context: process context.
 */
void kpt_symbol_many_free(struct kpt_symbol_many *many)
{
	struct hlist_node *next;
	struct many_name *n;
	unsigned int i;

	if (!many)
		return;
	hash_for_each_safe(many->names, i, next, n, node)
		kfree(n);
	kfree(many);
}
