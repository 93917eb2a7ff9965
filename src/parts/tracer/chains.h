/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chains: the calls in progress of a task, one inside the other.
 *
 * Each user, a probe of function_graph or of the profile, has a chain for each task that
 * it has seen. Only the task itself uses its chain, in BRK context, so no hit takes a lock
 * for it: interrupts run on the task's chain, too, and end before the task goes on.
 */
#ifndef KPTRACE_CHAINS_H
#define KPTRACE_CHAINS_H

#include <linux/percpu.h>
#include <linux/sched.h>
/* list_bl.h does not include all headers that it needs. */
#include <linux/list_bl.h>
#include <linux/thread_info.h>
#include "arch.h"

struct kpt_chains;

/* Calls in progress of a task, at most. */
#define KPT_CHAIN_MAX	200

/**
 * struct kpt_chain - the calls in progress of a task
 * @task: the task; a reference is held. NULL while the chain is free
 * @next: behind the newest call
 * @overrun: number of calls that had no room. Once there was one, stubs leave the task's
 *	calls to kpt_hit_graph(): they would record 0
 * @node: link in a bucket, or in the list of free chains
 * @call: the calls, the newest last. The first is none: it is around all others, its SP
 *	is the top of the task's stack
 */
struct kpt_chain {
	struct task_struct *task;
	struct kpt_chain_call *next;
	u32 overrun;
	struct hlist_bl_node node;
	struct kpt_chain_call call[1 + KPT_CHAIN_MAX];
};

static_assert(offsetof(struct kpt_chain, task) == offsetof(struct kpt_arch_chain, task));
static_assert(offsetof(struct kpt_chain, next) == offsetof(struct kpt_arch_chain, next));

struct kpt_chains *kpt_chains_make(const u32 *deepest, u64 outermost);
const struct kpt_arch_graph *kpt_chains_graph(const struct kpt_chains *chains);
void kpt_chains_free(struct kpt_chains *chains);
struct kpt_chain *kpt_chains_find(struct kpt_chains *chains);
struct kpt_chain *kpt_chains_add(struct kpt_chains *chains);
void kpt_chain_overrun(struct kpt_chains *chains, struct kpt_chain *chain);
struct kpt_chain_call *kpt_chain_drop_passed(struct kpt_chain *chain, unsigned long func,
					     unsigned long sp);
struct kpt_chain_call *kpt_chain_pop_any(struct kpt_chain *chain, unsigned long func,
					 unsigned long from, unsigned long to);
struct kpt_chain_call *kpt_chain_pop_behind(struct kpt_chain *chain, unsigned long func,
					    unsigned long fp);

/**
 * kpt_chains_here() - the chain that this CPU has used last
 * @chains: the chains of a user; they begin with struct kpt_arch_graph
 *
 * Context: BRK.
 * Return: the chain if it is that of the current task; else NULL, and kpt_chains_find()
 * may find it.
 */
static __always_inline struct kpt_chain *kpt_chains_here(struct kpt_chains *chains)
{
	struct kpt_chain *chain =
		*this_cpu_ptr(((struct kpt_arch_graph *)chains)->here);

	return likely(READ_ONCE(chain->task) == current) ? chain : NULL;
}

/**
 * kpt_chain_around() - the call in progress that another one is made in
 * @chain: the chain of the current task
 * @func: the function that is called
 * @sp: the stack pointer at its entry
 *
 * Drops calls that never returned: those that SP is above, and one of the same function
 * at the same SP.
 *
 * Context: BRK.
 * Return: the call; &kpt_chain.call[0] if there is none.
 */
static __always_inline struct kpt_chain_call *
kpt_chain_around(struct kpt_chain *chain, unsigned long func, unsigned long sp)
{
	struct kpt_chain_call *top = chain->next - 1;

	/* Stacks are aligned to their size: this near, both are on the same one. */
	if (likely(top->sp - sp - 1 < THREAD_SIZE - 1))
		return top;
	return kpt_chain_drop_passed(chain, func, sp);
}

/**
 * kpt_chain_push() - a call begins
 * @chain: the chain of the current task
 *
 * Context: BRK.
 * Return: the call, to be filled in; NULL if there are too many, see kpt_chain_overrun().
 */
static __always_inline struct kpt_chain_call *kpt_chain_push(struct kpt_chain *chain)
{
	struct kpt_chain_call *call = chain->next;

	if (unlikely(call == &chain->call[1 + KPT_CHAIN_MAX]))
		return NULL;
	chain->next = call + 1;
	return call;
}

/**
 * kpt_chain_pop() - a call ends
 * @chain: the chain of the current task
 * @func: the function that returns
 * @sp: the stack pointer at its return
 *
 * Context: BRK.
 * Return: the call, valid until the next kpt_chain_push(); NULL if there is none.
 */
static __always_inline struct kpt_chain_call *
kpt_chain_pop(struct kpt_chain *chain, unsigned long func, unsigned long sp)
{
	struct kpt_chain_call *top = chain->next - 1;

	if (unlikely(top->func != func || top->sp != sp))
		return kpt_chain_pop_any(chain, func, sp, sp);
	chain->next = top;
	return top;
}

#endif
