// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chains of calls: the slow part. A hit finds the chain of its task by a pointer of its
 * CPU, which is right until another task runs there; then by a hash. No CPU points to a
 * chain that had no room for a call.
 *
 * A task gets a chain with the first call that is kept of it, and has it until it dies
 * or the user ends. Free chains are made when a user begins. A hit that finds few of them
 * queues an irq_work, which makes more right after the hit (with PREEMPT_RT in a thread,
 * because interrupts cannot allocate there), and then a worker takes back those of tasks
 * that have died. An entry that finds no chain is counted as missed.
 *
 * The locks of the buckets and of the free chains are held for a few instructions, with
 * interrupts masked and hits on this CPU off.
 */
#include "kernel/compat.h"
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "arch.h"
#include "engine/bucket.h"
#include "engine/calls.h"
#include "arming/list_recorder.h"
#include "parts/tracer/tracer.h"
#include "kernel/clock.h"
#include "kernel/cpu.h"

#define HASH_BITS	9
/* Free chains at first; more are made when half of them are in use. */
#define FREE		64
#define FREE_LOW	(FREE / 2)

/**
 * struct kpt_chains - the chains of a user
 * @graph: what stubs use of it. It comes first, see kpt_chains_here()
 * @outermost: kpt_chain_call.value of the first calls
 * @free: free chains
 * @nr_free: their number
 * @wanted: a request for more is pending
 * @kick: serves it
 * @work: takes chains from dead tasks, and serves it, too
 * @nobodys: the chain of no task: CPUs point here at first, and after kpt_chain_overrun()
 * @bucket: the chains of tasks
 */
struct kpt_chains {
	struct kpt_arch_graph graph;
	u64 outermost;
	struct hlist_bl_head free;
	atomic_t nr_free;
	atomic_t wanted;
	struct irq_work kick;
	struct work_struct work;
	struct kpt_chain nobodys;
	struct hlist_bl_head bucket[BIT(HASH_BITS)];
};

/*
 * Free chains.
 */

static void chains_give(struct kpt_chains *chains, struct kpt_chain *chain)
{
	unsigned long flags = kpt_arch_hits_off_save();

	kpt_bucket_lock(&chains->free);
	hlist_bl_add_head(&chain->node, &chains->free);
	atomic_inc(&chains->nr_free);
	kpt_bucket_unlock(&chains->free);
	kpt_arch_hits_on_restore(flags);
}

/* Also in an interrupt. Returns false without memory. */
static bool chains_fill(struct kpt_chains *chains, gfp_t gfp)
{
	struct kpt_chain *chain;

	while (atomic_read(&chains->nr_free) < FREE) {
		chain = kmalloc(sizeof(*chain), gfp | __GFP_NOWARN);
		if (!chain)
			return false;
		chain->task = NULL;
		chains_give(chains, chain);
	}
	return true;
}

/* A task that is dead runs no more when its stack is freed. */
static bool chain_is_over(const struct kpt_chain *chain)
{
	return !refcount_read(&chain->task->stack_refcount);
}

/* Take the chains of dead tasks out of a bucket, and give them free. */
static void chains_reap_from(struct kpt_chains *chains, struct hlist_bl_head *bucket)
{
	struct hlist_bl_node *pos, *next;
	struct task_struct *task = NULL;
	struct kpt_chain *chain;
	unsigned long flags;

	do {
		if (task)
			put_task_struct(task);
		task = NULL;
		flags = kpt_arch_hits_off_save();
		kpt_bucket_lock(bucket);
		hlist_bl_for_each_entry_safe(chain, pos, next, bucket, node) {
			if (!chain_is_over(chain))
				continue;
			task = chain->task;
			WRITE_ONCE(chain->task, NULL);
			__hlist_bl_del(&chain->node);
			break;
		}
		kpt_bucket_unlock(bucket);
		kpt_arch_hits_on_restore(flags);
		if (!task)
			return;
		chains_give(chains, chain);
	} while (true);
}

static void chains_work(struct work_struct *work)
{
	struct kpt_chains *chains = container_of(work, struct kpt_chains, work);
	unsigned int i;

	for (i = 0; i < BIT(HASH_BITS); i++) {
		if (!hlist_bl_empty(&chains->bucket[i]))
			chains_reap_from(chains, &chains->bucket[i]);
		cond_resched();
	}
	chains_fill(chains, GFP_KERNEL);
	/* Without memory the next hit that finds few asks again. */
	atomic_set_release(&chains->wanted, 0);
}

static void chains_kick(struct irq_work *work)
{
	struct kpt_chains *chains = container_of(work, struct kpt_chains, kick);

	chains_fill(chains, GFP_ATOMIC);
	queue_work(system_highpri_wq, &chains->work);
}

static void chains_note_low(struct kpt_chains *chains)
{
	if (atomic_read(&chains->nr_free) <= FREE_LOW && kpt_irq_work_runs() &&
	    !atomic_xchg(&chains->wanted, 1))
		irq_work_queue(&chains->kick);
}

/**
 * kpt_chains_make() - make chains for a user
 * @deepest: kpt_arch_graph.deepest
 * @outermost: kpt_chain_call.value of the first calls, which are around the outermost calls
 *
 * Context: process context, sleeps.
 * Return: the chains, NULL without memory.
 */
struct kpt_chains *kpt_chains_make(const u32 *deepest, u64 outermost)
{
	struct kpt_chains *chains = kvzalloc(sizeof(*chains), GFP_KERNEL);
	int cpu;

	if (!chains)
		return NULL;
	chains->outermost = outermost;
	chains->graph.deepest = deepest;
	chains->graph.scale = &kpt_clock_scale;
	init_irq_work(&chains->kick, chains_kick);
	INIT_WORK(&chains->work, chains_work);
	chains->graph.here = alloc_percpu(struct kpt_chain *);
	if (!chains->graph.here || !chains_fill(chains, GFP_KERNEL)) {
		kpt_chains_free(chains);
		return NULL;
	}
	for_each_possible_cpu(cpu)
		*per_cpu_ptr(chains->graph.here, cpu) = &chains->nobodys;
	return chains;
}

/**
 * kpt_chains_graph() - what stubs use of the chains of a user
 * @chains: the chains
 *
 * Context: any.
 * Return: part of @chains.
 */
const struct kpt_arch_graph *kpt_chains_graph(const struct kpt_chains *chains)
{
	return &chains->graph;
}

static void chains_free_list(struct hlist_bl_head *list)
{
	struct hlist_bl_node *pos, *next;
	struct kpt_chain *chain;

	hlist_bl_for_each_entry_safe(chain, pos, next, list, node) {
		if (chain->task)
			put_task_struct(chain->task);
		kfree(chain);
	}
}

/**
 * kpt_chains_free() - free the chains of a user
 * @chains: the chains; NULL is allowed
 *
 * Context: process context, sleeps; no hit uses them any more.
 */
void kpt_chains_free(struct kpt_chains *chains)
{
	unsigned int i;

	if (!chains)
		return;
	irq_work_sync(&chains->kick);
	cancel_work_sync(&chains->work);
	chains_free_list(&chains->free);
	for (i = 0; i < BIT(HASH_BITS); i++)
		chains_free_list(&chains->bucket[i]);
	free_percpu(chains->graph.here);
	kvfree(chains);
}

/*
 * Hits.
 */

static struct hlist_bl_head *chains_bucket(struct kpt_chains *chains)
{
	return &chains->bucket[hash_ptr(current, HASH_BITS)];
}

/**
 * kpt_chains_find() - find the chain of the current task if kpt_chains_here() does not
 * @chains: the chains of a user
 *
 * Context: BRK.
 * Return: the chain; NULL if the task has none.
 */
struct kpt_chain *kpt_chains_find(struct kpt_chains *chains)
{
	struct hlist_bl_head *bucket = chains_bucket(chains);
	struct kpt_chain *chain, *found = NULL;
	struct hlist_bl_node *pos;

	if (hlist_bl_empty(bucket))
		return NULL;
	kpt_bucket_lock(bucket);
	hlist_bl_for_each_entry(chain, pos, bucket, node)
		if (chain->task == current) {
			found = chain;
			break;
		}
	kpt_bucket_unlock(bucket);
	if (found && !found->overrun)
		*this_cpu_ptr(chains->graph.here) = found;
	return found;
}

static struct kpt_chain *chains_take_free(struct kpt_chains *chains)
{
	struct kpt_chain *chain = NULL;
	struct hlist_bl_node *first;

	kpt_bucket_lock(&chains->free);
	first = hlist_bl_first(&chains->free);
	if (first) {
		chain = hlist_bl_entry(first, struct kpt_chain, node);
		__hlist_bl_del(first);
		atomic_dec(&chains->nr_free);
	}
	kpt_bucket_unlock(&chains->free);
	chains_note_low(chains);
	return chain;
}

/**
 * kpt_chains_add() - give the current task a chain
 * @chains: the chains of a user; kpt_chains_find() has found none
 *
 * Context: BRK.
 * Return: the chain, without calls; NULL if none is free.
 */
struct kpt_chain *kpt_chains_add(struct kpt_chains *chains)
{
	struct kpt_chain *chain = chains_take_free(chains);
	struct hlist_bl_head *bucket = chains_bucket(chains);

	if (!chain)
		return NULL;
	chain->call[0] = (struct kpt_chain_call){
		.sp = (unsigned long)task_stack_page(current) + THREAD_SIZE,
		.value = chains->outermost,
	};
	chain->next = &chain->call[1];
	chain->overrun = 0;
	chain->task = get_task_struct(current);
	kpt_bucket_lock(bucket);
	hlist_bl_add_head(&chain->node, bucket);
	kpt_bucket_unlock(bucket);
	*this_cpu_ptr(chains->graph.here) = chain;
	return chain;
}

/**
 * kpt_chain_overrun() - count a call that kpt_chain_push() has no room for
 * @chains: the chains of a user
 * @chain: the chain of the current task
 *
 * Context: BRK.
 */
void kpt_chain_overrun(struct kpt_chains *chains, struct kpt_chain *chain)
{
	int cpu;

	if (chain->overrun++)
		return;
	/* CPUs where the task has run before; another chain than this may become theirs now. */
	for_each_possible_cpu(cpu)
		cmpxchg(per_cpu_ptr(chains->graph.here, cpu), chain, &chains->nobodys);
}

/*
 * Has the current task, whose SP is now @sp, left a call that was made at @then without
 * the expected return? Calls below @sp on the same stack are over. If @sp is on the
 * task's own stack, so are calls that an interrupt made on another one.
 */
static bool sp_is_passed(unsigned long then, unsigned long sp)
{
	unsigned long stack = (unsigned long)task_stack_page(current);

	if (sp - stack < THREAD_SIZE)
		return then - stack >= THREAD_SIZE || then < sp;
	return then < sp && (then ^ sp) < THREAD_SIZE;
}

/**
 * kpt_chain_drop_passed() - kpt_chain_around() where calls may have to be dropped
 * @chain: the chain of the current task
 * @func: the function that is called
 * @sp: the stack pointer at its entry
 *
 * Context: BRK.
 * Return: as kpt_chain_around().
 */
struct kpt_chain_call *kpt_chain_drop_passed(struct kpt_chain *chain, unsigned long func,
					     unsigned long sp)
{
	struct kpt_chain_call *top = chain->next - 1;

	while (top > chain->call &&
	       (sp_is_passed(top->sp, sp) || (top->sp == sp && top->func == func)))
		top--;
	chain->next = top + 1;
	return top;
}

/**
 * kpt_chain_pop_any() - kpt_chain_pop() where the call may not be the newest
 * @chain: the chain of the current task
 * @func: the function that returns
 * @from: its stack pointer at the entry was not below this
 * @to: nor above this
 *
 * Newer calls have never returned, and are dropped with it.
 *
 * Context: BRK.
 * Return: the call, as kpt_chain_pop(); NULL, with nothing changed, if there is none.
 */
struct kpt_chain_call *kpt_chain_pop_any(struct kpt_chain *chain, unsigned long func,
					 unsigned long from, unsigned long to)
{
	struct kpt_chain_call *call;

	for (call = chain->next - 1; call > chain->call; call--) {
		if (call->func == func && call->sp >= from && call->sp <= to) {
			chain->next = call;
			return call;
		}
		if (call->sp != to && !sp_is_passed(call->sp, to))
			break;
	}
	return NULL;
}

/**
 * kpt_chain_pop_behind() - kpt_chain_pop() if a trampoline called the function's body
 * @chain: the chain of the current task
 * @func: the function that returns
 * @fp: the trampoline's frame pointer
 *
 * The trampoline is that of kpt_call_pop_behind().
 *
 * Context: BRK.
 * Return: as kpt_chain_pop().
 */
struct kpt_chain_call *kpt_chain_pop_behind(struct kpt_chain *chain, unsigned long func,
					    unsigned long fp)
{
	return kpt_chain_pop_any(chain, func, fp + KPT_CALL_BEHIND_MIN,
				 fp + KPT_CALL_BEHIND_MAX);
}

/**
 * kpt_graph_calls() - the calls in progress of function_graph, for its recorders
 * @probe: its probe
 *
 * Context: process context.
 * Return: they are valid as long as the probe.
 */
const struct kpt_arch_graph *kpt_graph_calls(const struct kpt_probe *probe)
{
	return kpt_chains_graph(kpt_graph_of(probe)->chains);
}

/**
 * kpt_graph_leaves_out() - is a function one that function_graph does not trace?
 * @probe: its probe
 * @func: entry of the function
 *
 * Context: any.
 * Return: true if it is.
 */
bool kpt_graph_leaves_out(const struct kpt_probe *probe, unsigned long func)
{
	return kpt_function_set_has(&kpt_graph_of(probe)->without, func);
}
