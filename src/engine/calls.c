// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls in progress, by task and stack pointer.
 *
 * The entry of a function adds a call to a hash, and the return removes it. Both
 * run in BRK context, under the bit lock of a bucket. The lock is held for a few
 * instructions with interrupts masked and hits on this CPU off, so a contender
 * never spins longer than that.
 *
 * Each CPU has a stock of free calls. A hit that finds the stock low queues an
 * irq_work, which allocates more right after the hit (with PREEMPT_RT in a thread,
 * because interrupts cannot allocate there). A worker alone would run too late when
 * thousands of tasks are woken to call the function; the worker only helps when
 * the irq_work found no memory. An entry that finds no free call is counted as
 * missed.
 *
 * A task may die inside the function, or leave it without returning. Such a call
 * is dropped once the task's stack is freed, or the task's SP is above the call.
 *
 * This module must not be unloaded while a return address is replaced, because the
 * function returns through this module. All replaced addresses share one module
 * reference. A worker puts it when no address is replaced any more, and no task is
 * still returning through this module.
 */
#include "kernel/compat.h"
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include "engine/bucket.h"
#include "engine/calls.h"
#include "kernel/clock.h"
#include "kernel/cpu.h"
#include "kernel/lock.h"

#define HASH_BITS	12
/* Free calls of a CPU at first; more are allocated when half of them are in use. */
#define STOCK		512
#define STOCK_LOW	(STOCK / 2)
/* A CPU with this many free calls gives further ones to @spare. */
#define STOCK_HIGH	(4 * STOCK)
/* Bytes of one allocation. */
#define CHUNK_SIZE	SZ_32K

/**
 * struct stock - free calls of a CPU
 * @free: first free call; only this CPU uses the list, in BRK context
 * @nr: number of calls in @free
 * @refill: calls allocated for this CPU; a hit moves them to @free when @nr is low
 * @wanted: a request for more calls is pending
 * @kick: serves the request
 * @work: drops calls that are over, and serves the request if @kick found no memory
 */
struct stock {
	struct llist_node *free;
	unsigned int nr;
	struct llist_head refill;
	bool wanted;
	struct irq_work kick;
	struct work_struct work;
};

static DEFINE_PER_CPU(struct stock, stock);
static struct hlist_bl_head *calls;
/* Free calls that are in no CPU's stock. */
static LLIST_HEAD(spare);

/**
 * struct chunk - calls that were allocated together
 * @node: link in @chunks
 * @call: the calls
 */
struct chunk {
	struct llist_node node;
	struct kpt_call call[];
};

/* All allocated chunks, for kpt_calls_exit(). */
static LLIST_HEAD(chunks);

static struct hlist_bl_head *calls_bucket(const struct task_struct *task)
{
	return &calls[hash_ptr((void *)task, HASH_BITS)];
}

/*
 * The module's reference.
 */

/* 1 while the module reference is held. */
static int pinned;

static void pin_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(unpin, pin_work);

static void pin_schedule(struct irq_work *work)
{
	schedule_delayed_work(&unpin, HZ);
}

static DEFINE_IRQ_WORK(pin_kick, pin_schedule);

/*
 * Fails once the module is being unloaded: unloading does not wait for returns. And where
 * @pin_kick would not run.
 */
static bool pin_take(void)
{
	if (!kpt_irq_work_runs() || !try_module_get(THIS_MODULE))
		return false;
	if (xchg(&pinned, 1))
		module_put(THIS_MODULE);
	else
		irq_work_queue(&pin_kick);
	return true;
}

/* Call when the call is in its bucket; if false, do not replace its return address. */
static bool pin_get(void)
{
	/*
	 * The lock of the bucket was acquired before @pinned is read. pin_work() clears
	 * @pinned before it takes that lock: it finds the call there, or this finds
	 * @pinned cleared. Model: tests/models/pin.pml.
	 */
	return likely(READ_ONCE(pinned)) || pin_take();
}

/*
 * Run pin_work() now and wait for it, so that the module can be unloaded at once
 * instead of a second after the last return. pin_work() puts the reference.
 */
static void pin_drain(void)
{
	irq_work_sync(&pin_kick);
	flush_delayed_work(&unpin);
}

/*
 * Free calls.
 */

/* Allocate a chunk. Returns how many calls it holds, 0 without memory. */
static unsigned int stock_add_chunk(struct stock *s, gfp_t gfp)
{
	unsigned int nr = (CHUNK_SIZE - sizeof(struct chunk)) /
			  sizeof(struct kpt_call);
	struct chunk *chunk;
	unsigned int i;

	chunk = kmalloc(CHUNK_SIZE, gfp | __GFP_NOWARN);
	if (!chunk)
		return 0;
	llist_add(&chunk->node, &chunks);
	for (i = 0; i < nr; i++)
		llist_add(&chunk->call[i].idle, &s->refill);
	return nr;
}

/* Take up to @most spare calls. Returns how many were taken. */
static unsigned int stock_add_spare(struct stock *s, unsigned int most)
{
	struct llist_node *node, *next;
	unsigned int nr = 0;

	for (node = llist_del_all(&spare); node; node = next) {
		next = node->next;
		if (nr < most)
			llist_add(node, &s->refill);
		else
			llist_add(node, &spare);
		nr++;
	}
	return min(nr, most);
}

/* Returns false if there is not enough memory for a full stock. */
static bool stock_fill(struct stock *s, gfp_t gfp)
{
	unsigned int nr = stock_add_spare(s, STOCK), more;

	while (nr < STOCK) {
		more = stock_add_chunk(s, gfp);
		if (!more)
			return false;
		nr += more;
	}
	return true;
}

/*
 * Serve a pending request. With @last, end it even if memory is short: nothing
 * retries after the worker, and the next hit that finds the stock low asks again.
 * Clear @wanted only if it was set when read here: otherwise a request made since
 * then would be lost. Model: tests/models/stock.pml.
 */
static void stock_deliver(struct stock *s, gfp_t gfp, bool last)
{
	/* Publish the calls before the next request; pairs with stock_note_low(). */
	if (READ_ONCE(s->wanted) && (stock_fill(s, gfp) || last))
		smp_store_release(&s->wanted, false);
}

static void stock_note_low(struct stock *s)
{
	/* Pairs with stock_deliver(). */
	if (s->nr > STOCK_LOW || smp_load_acquire(&s->wanted) || !kpt_irq_work_runs())
		return;
	WRITE_ONCE(s->wanted, true);
	irq_work_queue(&s->kick);
}

static void stock_put(struct stock *s, struct llist_node *node)
{
	node->next = s->free;
	s->free = node;
	s->nr++;
}

/* Move the calls that were allocated for this CPU to its stock. */
static void stock_take_refill(struct stock *s)
{
	struct llist_node *node, *next;

	if (llist_empty(&s->refill))
		return;
	for (node = llist_del_all(&s->refill); node; node = next) {
		next = node->next;
		stock_put(s, node);
	}
}

/* There has to be a free call. */
static struct llist_node *stock_get(struct stock *s)
{
	struct llist_node *node = s->free;

	s->free = node->next;
	s->nr--;
	return node;
}

/* NULL if there is no free call. */
static noinline struct llist_node *stock_get_low(struct stock *s)
{
	struct llist_node *node;

	stock_take_refill(s);
	node = s->free ? stock_get(s) : NULL;
	stock_note_low(s);
	return node;
}

static struct kpt_call *call_alloc(void)
{
	struct stock *s = this_cpu_ptr(&stock);
	struct llist_node *node;

	node = likely(s->nr > STOCK_LOW) ? stock_get(s) : stock_get_low(s);
	return node ? llist_entry(node, struct kpt_call, idle) : NULL;
}

/* Not inline, and called last, so that other calls need no stack frame. */
static noinline void call_free_spare(struct kpt_call *call)
{
	struct task_struct *task = call->task;

	llist_add(&call->idle, &spare);
	put_task_struct(task);
}

/**
 * kpt_call_free() - free a call
 * @call: from kpt_call_pop()
 *
 * Context: BRK.
 */
void kpt_call_free(struct kpt_call *call)
{
	struct task_struct *task = call->task;
	struct stock *s = this_cpu_ptr(&stock);

	/* Tasks migrate while asleep, so calls move between stocks. */
	if (unlikely(s->nr >= STOCK_HIGH)) {
		call_free_spare(call);
		return;
	}
	stock_put(s, &call->idle);
	/* The task is running, so this is never its last reference. */
	put_task_struct(task);
}

/*
 * Calls whose return is not seen.
 */

/* Bytes from the lowest address of the stack of @call->task up to @sp. */
static unsigned long call_height(const struct kpt_call *call, unsigned long sp)
{
	return sp - (unsigned long)task_stack_page(call->task);
}

/*
 * Has the task, whose SP is now @sp, left the function without the expected return?
 * Calls below @sp on its stack are over. If @sp is on the task's own stack, so are
 * calls that an interrupt made on another stack.
 */
static bool call_is_passed(const struct kpt_call *call, unsigned long sp)
{
	unsigned long now = call_height(call, sp);

	return now < THREAD_SIZE &&
	       (call_height(call, call->sp) < now ||
		call_height(call, call->sp) >= THREAD_SIZE);
}

/*
 * Is the call over? Only a freed stack proves that the task is gone: exec changes
 * a thread's pid, and a task marked dead still runs code. A task that is not
 * running is where it was switched out.
 */
static bool call_is_over(struct kpt_call *call, void *unused)
{
	if (!refcount_read(&call->task->stack_refcount))
		return true;
	/*
	 * Pairs with the scheduler's release of on_cpu after it has switched to
	 * another task. Model, also of the bucket's lock: tests/models/calls.pml.
	 */
	return !smp_load_acquire(&call->task->on_cpu) &&
	       call_is_passed(call, kpt_arch_saved_sp(call->task));
}

static __always_inline void call_uncount(const struct kpt_call *call)
{
	if (call->owner && call->owner->limit)
		atomic_dec(&call->owner->active);
}

/* Remove a call from its bucket, which the caller has locked. */
static __always_inline void call_take_out(struct kpt_call *call)
{
	__hlist_bl_del(&call->node);
	call_uncount(call);
}

/*
 * Remove the calls that @match accepts from a bucket, which the caller has locked,
 * and chain them. Inlined, because BRK context must not call through a pointer.
 */
static __always_inline struct llist_node *
calls_take(struct hlist_bl_head *bucket,
	   bool (*match)(struct kpt_call *call, void *data), void *data)
{
	struct hlist_bl_node *pos, *next;
	struct llist_node *taken = NULL;
	struct kpt_call *call;

	hlist_bl_for_each_entry_safe(call, pos, next, bucket, node) {
		if (!match(call, data))
			continue;
		call_take_out(call);
		call->idle.next = taken;
		taken = &call->idle;
	}
	return taken;
}

/* Drop the calls of a bucket that @match accepts. */
static void calls_drop_from(struct hlist_bl_head *bucket,
			    bool (*match)(struct kpt_call *call, void *data))
{
	struct llist_node *taken;
	struct kpt_call *call;
	unsigned long flags;

	if (hlist_bl_empty(bucket))
		return;
	flags = kpt_arch_hits_off_save();
	kpt_bucket_lock(bucket);
	taken = calls_take(bucket, match, NULL);
	kpt_bucket_unlock(bucket);
	kpt_arch_hits_on_restore(flags);
	while (taken) {
		call = llist_entry(taken, struct kpt_call, idle);
		taken = taken->next;
		put_task_struct(call->task);
		llist_add(&call->idle, &spare);
	}
}

static void calls_drop(bool (*match)(struct kpt_call *call, void *data))
{
	unsigned int i;

	for (i = 0; calls && i < BIT(HASH_BITS); i++) {
		calls_drop_from(&calls[i], match);
		cond_resched();
	}
}

/*
 * Should kpt_calls_end() drop the call? A call whose return address is replaced
 * stays until it returns, without an owner if that will be freed.
 */
static bool call_is_ended(struct kpt_call *call, void *unused)
{
	if (!call->owner || call->owner->end == KPT_CALLS_GO_ON)
		return false;
	if (!call->ret)
		return true;
	if (call->owner->end == KPT_CALLS_ORPHANED) {
		call_uncount(call);
		call->owner = NULL;
	}
	return false;
}

/**
 * kpt_calls_end() - end the calls of all owners, as their @end says
 * @most: the highest @end among the owners
 *
 * After it returns, no hit uses an owner whose @end is KPT_CALLS_ORPHANED. It makes
 * one pass over all calls and waits at most once, for any number of owners.
 *
 * The calls of a disabled event must be dropped: when the event is enabled again,
 * the next call at the same place must not find them.
 *
 * Context: process context, sleeps, kpt_mutex held; owners that end are disarmed,
 * and no hit runs on a list of handlers that had them.
 */
void kpt_calls_end(enum kpt_calls_end most)
{
	lockdep_assert_held(&kpt_mutex);
	calls_drop(call_is_ended);
	if (most != KPT_CALLS_ORPHANED)
		return;
	/* A return that has already removed its call may still use the owner. */
	kpt_arch_quiesce();
	pin_drain();
}

static unsigned int bucket_nr_replaced(struct hlist_bl_head *bucket)
{
	unsigned long flags = kpt_arch_hits_off_save();
	struct hlist_bl_node *pos;
	struct kpt_call *call;
	unsigned int nr = 0;

	kpt_bucket_lock(bucket);
	hlist_bl_for_each_entry(call, pos, bucket, node)
		nr += call->ret != 0;
	kpt_bucket_unlock(bucket);
	kpt_arch_hits_on_restore(flags);
	return nr;
}

/**
 * kpt_calls_replaced() - number of return addresses that are replaced now
 *
 * Context: process context, sleeps.
 * Return: the count.
 */
unsigned int kpt_calls_replaced(void)
{
	unsigned int i, nr = 0;

	for (i = 0; calls && i < BIT(HASH_BITS); i++) {
		nr += bucket_nr_replaced(&calls[i]);
		cond_resched();
	}
	return nr;
}

static void pin_work(struct work_struct *work)
{
	calls_drop(call_is_over);
	/*
	 * Clear @pinned before taking the locks of the buckets, also of empty ones;
	 * pairs with pin_get(). @pinned is 0 if the reference was put after this work
	 * was scheduled.
	 */
	if (!xchg(&pinned, 0))
		return;
	if (kpt_calls_replaced() || !kpt_arch_returns_left()) {
		if (xchg(&pinned, 1))
			module_put(THIS_MODULE);
		schedule_delayed_work(&unpin, HZ);
		return;
	}
	module_put(THIS_MODULE);
}

static void stock_work(struct work_struct *work)
{
	struct stock *s = container_of(work, struct stock, work);

	calls_drop(call_is_over);
	stock_deliver(s, GFP_KERNEL, true);
}

static void stock_kick(struct irq_work *work)
{
	struct stock *s = container_of(work, struct stock, kick);

	stock_deliver(s, GFP_ATOMIC, false);
	queue_work(system_highpri_wq, &s->work);
}

/*
 * Entries and returns.
 */

/*
 * Find the newest call of the current task with an SP from @sp to @top: a call of
 * @owner whose return address is not replaced, or without @owner any call whose
 * return address is.
 */
static __always_inline struct kpt_call *
call_find(struct hlist_bl_head *bucket, const struct kpt_call_owner *owner,
	  unsigned long sp, unsigned long top)
{
	struct hlist_bl_node *pos;
	struct kpt_call *call;

	hlist_bl_for_each_entry(call, pos, bucket, node)
		if (call->task == current && call->sp >= sp &&
		    call->sp <= top &&
		    (owner ? call->owner == owner && !call->ret :
			     call->ret != 0))
			return call;
	return NULL;
}

static __always_inline struct kpt_call *
call_pop(const struct kpt_call_owner *owner, unsigned long sp, unsigned long top)
{
	struct hlist_bl_head *bucket = calls_bucket(current);
	struct kpt_call *call;

	kpt_bucket_lock(bucket);
	call = call_find(bucket, owner, sp, top);
	if (call)
		call_take_out(call);
	kpt_bucket_unlock(bucket);
	return call;
}

/**
 * kpt_call_pop() - remove the call that returns now from the calls in progress
 * @owner: its owner, which does not replace return addresses
 * @sp: the stack pointer at the return
 *
 * Context: BRK.
 * Return: the call, for kpt_call_free(), or NULL if the entry was not seen.
 */
struct kpt_call *kpt_call_pop(const struct kpt_call_owner *owner,
			      unsigned long sp)
{
	return call_pop(owner, sp, sp);
}

/**
 * kpt_call_pop_replaced() - kpt_call_pop() for the newest call whose return address was
 * replaced
 * @sp: the stack pointer at the return
 *
 * Context: BRK.
 * Return: as kpt_call_pop().
 */
struct kpt_call *kpt_call_pop_replaced(unsigned long sp)
{
	return call_pop(NULL, sp, sp);
}

/**
 * kpt_call_pop_behind() - kpt_call_pop() if a trampoline called the function's body
 * @owner: the owner
 * @fp: the trampoline's frame pointer
 *
 * If a BPF program is attached to the exit of a function (fexit), the function's
 * entry calls a trampoline, and that calls the function's body. So the body returns
 * at a lower SP than the function was entered at. The trampoline's frame is between
 * the two and begins with one or two frame records. An earlier call of the same
 * function is further away than that.
 *
 * Context: BRK.
 * Return: as kpt_call_pop().
 */
struct kpt_call *kpt_call_pop_behind(const struct kpt_call_owner *owner,
				     unsigned long fp)
{
	return call_pop(owner, fp + KPT_CALL_BEHIND_MIN, fp + KPT_CALL_BEHIND_MAX);
}

/*
 * If the limit is reached, have the worker drop calls of dead tasks, which count as
 * active until then; at most once a second.
 */
static bool call_within_limit(struct kpt_call_owner *owner)
{
	static unsigned long next;

	if (atomic_inc_return(&owner->active) <= owner->limit)
		return true;
	atomic_dec(&owner->active);
	if (time_after_eq(jiffies, READ_ONCE(next)) && kpt_irq_work_runs()) {
		WRITE_ONCE(next, jiffies + HZ);
		irq_work_queue(this_cpu_ptr(&stock.kick));
	}
	return false;
}

/* Get a free call. NULL if there is none, or if @owner has reached its limit. */
static struct kpt_call *call_get(struct kpt_call_owner *owner)
{
	struct kpt_call *call;

	if (owner->limit && !call_within_limit(owner))
		return NULL;
	call = call_alloc();
	if (!call && owner->limit)
		atomic_dec(&owner->active);
	return call;
}

/*
 * Is @call over, given the newer call @data of the same task? Yes if the task's SP
 * is above it, or if owner, hook and SP are the same. Calls whose return address is
 * replaced may share an SP (tail calls); then the newer one returns to our code, or to that
 * of another tracer.
 */
static bool call_is_stale(struct kpt_call *call, void *data)
{
	const struct kpt_call *newer = data;

	if (call->task != newer->task)
		return false;
	return call_is_passed(call, newer->sp) ||
	       (call->sp == newer->sp && call->owner == newer->owner &&
		(!call->ret || (call->hook == newer->hook &&
				!kpt_arch_hides_caller(newer->ret |
						       kpt_arch_return_words.pac_mask))));
}

static void calls_free(struct llist_node *taken)
{
	struct kpt_call *call;

	while (taken) {
		call = llist_entry(taken, struct kpt_call, idle);
		taken = taken->next;
		kpt_call_free(call);
	}
}

/* The current task's newest call is not to be: its return address is not replaced. */
static noinline void call_withdraw(struct hlist_bl_head *bucket, struct kpt_call *call)
{
	kpt_bucket_lock(bucket);
	call_take_out(call);
	kpt_bucket_unlock(bucket);
	kpt_call_free(call);
}

/*
 * Does the current task return from what it calls now? Not when its CPU goes offline: the
 * idle task calls a function there that ends the CPU. Its call would hold the module for
 * ever, because the task stays and is not seen to leave the function.
 */
static bool call_may_return(void)
{
	return likely(!is_idle_task(current)) || cpu_online(raw_smp_processor_id());
}

/**
 * kpt_call_push() - keep the values of a function's entry until its return
 * @owner: owner of the new call
 * @hook: hook of the entry; its handlers get the return if the address is replaced
 * @regs: registers at the entry
 *
 * Drops calls of the same task that never returned: calls that its SP is above,
 * and a call of the same owner and SP unless this one is a tail call.
 *
 * Context: BRK.
 * Return: the call; or NULL if no call is free, if @owner has reached its limit, or
 * if the return address is not to be replaced: the module is being unloaded, or this is the
 * idle task of a CPU that goes offline.
 */
struct kpt_call *kpt_call_push(struct kpt_call_owner *owner,
			       struct kpt_hook *hook,
			       const struct pt_regs *regs)
{
	struct hlist_bl_head *bucket = calls_bucket(current);
	struct llist_node *stale;
	struct kpt_call *call;
	unsigned int i;

	if (owner->replaces_return && !call_may_return())
		return NULL;
	call = call_get(owner);
	if (!call)
		return NULL;
	call->task = get_task_struct(current);
	call->sp = regs->sp;
	call->owner = owner;
	call->hook = hook;
	call->ret = owner->replaces_return ? regs->regs[30] : 0;
	for (i = 0; i < owner->nr_values; i++)
		call->value[i] = kpt_fetch_arg_value(&regs->user_regs,
						     owner->arg[i]);
	if (owner->keeps_start)
		call->start = kpt_clock_stamp(KPT_CLOCK_LOCAL);

	kpt_bucket_lock(bucket);
	stale = calls_take(bucket, call_is_stale, call);
	hlist_bl_add_head(&call->node, bucket);
	kpt_bucket_unlock(bucket);
	calls_free(stale);
	if (owner->replaces_return && unlikely(!pin_get())) {
		call_withdraw(bucket, call);
		return NULL;
	}
	return call;
}

/**
 * kpt_call_caller() - the original of a return address that kptrace has replaced
 * @nth: index among the replaced addresses on the current task's stack, 0 for the
 *	innermost
 *
 * Context: BRK.
 * Return: the original address, or 0 if there is no such index.
 */
unsigned long kpt_call_caller(unsigned int nth)
{
	struct hlist_bl_head *bucket;
	struct hlist_bl_node *pos;
	struct kpt_call *call;
	unsigned long ret = 0;

	if (!calls)
		return 0;
	bucket = calls_bucket(current);
	kpt_bucket_lock(bucket);
	hlist_bl_for_each_entry(call, pos, bucket, node) {
		/* call->ret is kpt_return_entry after a tail call: try the next. */
		if (call->task != current || !call->ret ||
		    kpt_arch_is_replaced(call->ret) || nth--)
			continue;
		ret = call->ret;
		break;
	}
	kpt_bucket_unlock(bucket);
	return ret;
}

/**
 * kpt_call_find_return() - kpt_call_true_return() of an address that was replaced
 * @ret: the address that the function returns to
 * @regs: registers at the return
 *
 * Another tracer may have replaced the address before kptrace did, or after.
 *
 * Context: BRK.
 * Return: the original address; @ret if it cannot be found.
 */
unsigned long kpt_call_find_return(unsigned long ret, const struct pt_regs *regs)
{
	ret = kpt_arch_true_return(ret, regs->regs[29]);
	if (kpt_arch_is_replaced(ret))
		ret = kpt_call_caller(0) ?: ret;
	return kpt_arch_true_return(ret, regs->regs[29]);
}

static int stocks_init(void)
{
	struct stock *s;
	bool made = true;
	int cpu;

	for_each_possible_cpu(cpu) {
		s = per_cpu_ptr(&stock, cpu);
		init_irq_work(&s->kick, stock_kick);
		INIT_WORK(&s->work, stock_work);
		made = made && stock_fill(s, GFP_KERNEL);
	}
	return made ? 0 : -ENOMEM;
}

static void stocks_exit(void)
{
	struct stock *s;
	int cpu;

	for_each_possible_cpu(cpu) {
		s = per_cpu_ptr(&stock, cpu);
		irq_work_sync(&s->kick);
		cancel_work_sync(&s->work);
	}
}

/**
 * kpt_calls_prepare() - allocate the memory for calls
 *
 * Allocates the hash, and a stock of free calls for each CPU, when it is first
 * called. Both stay until unload.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_calls_prepare(void)
{
	struct hlist_bl_head *hash;
	int err;

	lockdep_assert_held(&kpt_mutex);
	if (calls)
		return 0;
	hash = vzalloc(BIT(HASH_BITS) * sizeof(*hash));
	if (!hash)
		return -ENOMEM;
	err = stocks_init();
	if (err) {
		vfree(hash);
		return err;
	}
	calls = hash;
	return 0;
}

/**
 * kpt_calls_exit() - free all calls
 *
 * Context: module unload; no owner is left. No return address is replaced, because
 * that would prevent unloading.
 */
void kpt_calls_exit(void)
{
	struct chunk *chunk, *next;

	irq_work_sync(&pin_kick);
	cancel_delayed_work_sync(&unpin);
	if (calls)
		stocks_exit();
	llist_for_each_entry_safe(chunk, next, llist_del_all(&chunks), node)
		kfree(chunk);
	vfree(calls);
}
