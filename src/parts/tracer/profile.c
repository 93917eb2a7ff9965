// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters of the profile of functions. A function has a struct
 * kpt_profile_counts on each CPU from when it is profiled for the first time until the
 * next profile begins, or until the module that it is in is unloaded; hits find it by
 * the owner of its calls. All is under kpt_mutex, but hits add to the counters.
 */
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include "parts/tracer/profile.h"
#include "kernel/hash.h"
#include "kernel/lock.h"

#define FUNCS_BITS	12
/* Functions whose counters are allocated together. */
#define BLOCK		512


/**
 * struct profile_func - a function that was profiled
 * @node: in @functions, or in @unused
 * @func: its entry
 * @counts: its counters
 */
struct profile_func {
	struct hlist_node node;
	unsigned long func;
	struct kpt_profile_counts __percpu *counts;
};

/**
 * struct profile_block - functions with their counters
 * @list: in @blocks
 * @func: the functions
 * @counts: of all of them, in the same order
 */
struct profile_block {
	struct list_head list;
	struct profile_func func[BLOCK];
	struct kpt_profile_counts __percpu *counts;
};

static KPT_HASH(functions, FUNCS_BITS);
static HLIST_HEAD(unused);
static LIST_HEAD(blocks);
/* Number of functions in @functions. */
static unsigned int nr_functions;

/* Add some to @unused, charged to the task that profiles. */
static bool profile_add_block(void)
{
	struct profile_block *block = kvzalloc(sizeof(*block), GFP_KERNEL_ACCOUNT);
	unsigned int i = BLOCK;

	if (!block)
		return false;
	block->counts = __alloc_percpu_gfp(BLOCK * sizeof(*block->counts), sizeof(u64),
					   GFP_KERNEL_ACCOUNT);
	if (!block->counts) {
		kvfree(block);
		return false;
	}
	list_add(&block->list, &blocks);
	while (i--) {
		block->func[i].counts = block->counts + i;
		hlist_add_head(&block->func[i].node, &unused);
	}
	return true;
}

/**
 * kpt_profile_reset() - forget all functions and their counters
 *
 * Context: process context, sleeps, kpt_mutex held; nothing is profiled.
 */
void kpt_profile_reset(void)
{
	struct profile_block *block, *next;

	lockdep_assert_held(&kpt_mutex);
	list_for_each_entry_safe(block, next, &blocks, list) {
		free_percpu(block->counts);
		kvfree(block);
	}
	INIT_LIST_HEAD(&blocks);
	INIT_HLIST_HEAD(&unused);
	kpt_hash_free(&functions);
	nr_functions = 0;
}

/**
 * kpt_profile_counts() - the counters of a function
 * @func: its entry
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: its counters, which are 0 if it had none yet; NULL without memory.
 */
struct kpt_profile_counts __percpu *kpt_profile_counts(unsigned long func)
{
	struct profile_func *f;

	lockdep_assert_held(&kpt_mutex);
	hlist_for_each_entry(f, kpt_hash_row(&functions, func), node)
		if (f->func == func)
			return f->counts;
	if (kpt_hash_make(&functions) || (hlist_empty(&unused) && !profile_add_block()))
		return NULL;
	f = hlist_entry(unused.first, struct profile_func, node);
	hlist_del(&f->node);
	f->func = func;
	hlist_add_head(&f->node, kpt_hash_row(&functions, func));
	nr_functions++;
	return f->counts;
}

/**
 * kpt_profile_going() - forget the functions of a module
 * @mod: the module; its functions are not profiled any more
 * @is_going: is an address in text of @mod that is about to be freed?
 *
 * Context: module notifier, kpt_mutex held.
 */
void kpt_profile_going(const struct module *mod, kpt_going_t is_going)
{
	struct hlist_node *next;
	struct profile_func *f;
	unsigned int i;
	int cpu;

	kpt_hash_for_each_safe(&functions, i, next, f, node) {
		if (!is_going(f->func, mod))
			continue;
		hlist_del_init(&f->node);
		for_each_possible_cpu(cpu)
			memset(per_cpu_ptr(f->counts, cpu), 0, sizeof(*f->counts));
		hlist_add_head(&f->node, &unused);
		nr_functions--;
	}
}

/**
 * kpt_profile_rows() - list the functions that were called on a CPU
 * @cpu: the CPU
 * @rows: result: for kvfree(), in no order
 *
 * Context: process context, sleeps, kpt_mutex held. Hits add to the counters meanwhile.
 * Return: the number of rows, or -ENOMEM.
 */
int kpt_profile_rows(int cpu, struct kpt_profile_row **rows)
{
	const struct kpt_profile_counts *counts;
	struct kpt_profile_row *to;
	struct profile_func *f;
	unsigned int i;

	lockdep_assert_held(&kpt_mutex);
	to = kvmalloc_array(nr_functions + 1, sizeof(*to), GFP_KERNEL_ACCOUNT);
	*rows = to;
	if (!to)
		return -ENOMEM;
	kpt_hash_for_each(&functions, i, f, node) {
		counts = per_cpu_ptr(f->counts, cpu);
		if (!READ_ONCE(counts->hits))
			continue;
		to->func = f->func;
		to->counts = *counts;
		to++;
	}
	return to - *rows;
}
