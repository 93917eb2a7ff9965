/* SPDX-License-Identifier: GPL-2.0-only */
/* Small objects of counters that each CPU has, many of a kind. */
#ifndef KPTRACE_COUNTERS_H
#define KPTRACE_COUNTERS_H

#include <linux/errno.h>
#include <linux/list.h>
#include <linux/percpu.h>

/**
 * struct kpt_counters_pool - the objects of one kind
 * @size: bytes of one, a multiple of 8
 * @partial: struct counters_block.partial: blocks with a free object
 */
struct kpt_counters_pool {
	size_t size;
	struct list_head partial;
};

#define KPT_COUNTERS_POOL(name, type)                                          \
	{ .size = sizeof(type), .partial = LIST_HEAD_INIT((name).partial) }

void __percpu *kpt_counters_get(struct kpt_counters_pool *pool);

/**
 * kpt_counters_make() - allocate an object, unless there is one
 * @pool: its kind
 * @where: address of the pointer to it, which readers without a lock find NULL, or pointing
 *	to zeroes; the caller excludes others who make it
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
#define kpt_counters_make(pool, where)                                         \
	({                                                                     \
		if (!*(where))                                                 \
			smp_store_release(where, kpt_counters_get(pool));      \
		*(where) ? 0 : -ENOMEM;                                        \
	})

void kpt_counters_put(struct kpt_counters_pool *pool, void __percpu *counters);

#endif
