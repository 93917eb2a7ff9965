/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory that is allocated for another process: charged to its memory cgroup. */
#ifndef KPTRACE_MEMCG_H
#define KPTRACE_MEMCG_H

#include <linux/memcontrol.h>
#include <linux/sched.h>
#include "kernel/ksyms.h"

/**
 * kpt_memcg_begin() - charge what the current task allocates to another process
 * @mm: memory of that process; GFP_KERNEL_ACCOUNT is charged where it is
 *
 * Context: process context.
 * Return: for kpt_memcg_end().
 */
static inline struct mem_cgroup *kpt_memcg_begin(struct mm_struct *mm)
{
#ifdef CONFIG_MEMCG
	struct mem_cgroup *before = current->active_memcg;

	if (kpt_has(get_mem_cgroup_from_mm))
		current->active_memcg = get_mem_cgroup_from_mm(mm);
	return before;
#else
	return NULL;
#endif
}

/**
 * kpt_memcg_end() - the reverse of kpt_memcg_begin()
 * @before: what that has returned
 *
 * Context: process context.
 */
static inline void kpt_memcg_end(struct mem_cgroup *before)
{
#ifdef CONFIG_MEMCG
	if (kpt_has(get_mem_cgroup_from_mm))
		mem_cgroup_put(current->active_memcg);
	current->active_memcg = before;
#endif
}

#endif
