// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls in progress: each task has a pile of them, the newest on top.
 *
 * The entry of a function puts a call on the pile of its task, and the return takes it off.
 * Interrupts run on the pile of the task, too, and end before the task goes on. So only the
 * task itself changes its pile, in BRK context. Recorders do that without a lock, while the pile
 * is **open**: kpt_pile.task is the task, and kpt_cpu.pile leads to it. All else finds the pile
 * in a hash, under the bit lock of a bucket. Such a lock is held for a few instructions with
 * interrupts masked and hits on this CPU off, so a contender never spins longer than that.
 *
 * Who changes the piles of other tasks first closes all of them: see piles_close(). A hit may
 * open its own again as soon as they are done with.
 *
 * An entry that finds no free memory for its call is counted as missed.
 *
 * A task may die inside the function, or leave it without returning. Such a call is dropped
 * once the task's stack is freed, or the task's SP is above the call. A worker looks each
 * second, as long as there are piles, and then frees empty ones of tasks that do not run.
 *
 * This module must not be unloaded while a return address is replaced, because the
 * function returns through this module. All replaced addresses share one module
 * reference. The worker puts it when no address is replaced any more, and no task is
 * still returning through this module.
 */
#include "kernel/compat.h"
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include "engine/bucket.h"
#include "engine/calls.h"
#include "engine/stock.h"
#include "kernel/clock.h"
#include "kernel/cpu.h"
#include "kernel/lock.h"

#define HASH_BITS	12

/**
 * struct kpt_pile - the calls in progress of a task
 * @arch: what recorders use of it; its task is NULL while the pile is closed
 * @of: the task; a reference is held
 * @node: link in a bucket, or in a list of piles to free
 * @outermost: is around all calls
 */
struct kpt_pile {
	struct kpt_arch_pile arch;
	struct task_struct *of;
	struct hlist_bl_node node;
	struct kpt_call outermost;
};

static_assert(offsetof(struct kpt_pile, arch) == 0);
/* return_entry.S relies on it. */
static_assert(offsetof(struct kpt_call_owner, recorder) == 0);
static_assert(sizeof(struct kpt_pile) <= KPT_STOCK_SIZE);
static_assert(sizeof(struct kpt_call) + KPT_FETCH_ENTRY_MAX * sizeof(u64) <= KPT_STOCK_SIZE);

/* The piles of tasks. */
static struct hlist_bl_head *piles;
/* The pile of no task: CPUs have it at first. */
static struct kpt_pile nobodys;
/* No pile is opened. */
static bool closed;
/* Who closes piles. */
static DEFINE_MUTEX(close_lock);

static struct hlist_bl_head *piles_bucket(const struct task_struct *task)
{
	return &piles[hash_ptr((void *)task, HASH_BITS)];
}

/*
 * The worker, and the module's reference.
 */

/* 1 while the module reference is held. Recorders replace no return address while it is 0. */
int kpt_calls_pinned;
/* The worker is scheduled. */
static bool scheduled;

static void watch_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(watch, watch_work);

static void watch_schedule(struct irq_work *work)
{
	schedule_delayed_work(&watch, HZ);
}

static DEFINE_IRQ_WORK(watch_kick, watch_schedule);

/* There is a new pile. What has not been scheduled is scheduled with the next one. */
static void watch_begin(void)
{
	if (READ_ONCE(scheduled) || !kpt_irq_work_runs())
		return;
	WRITE_ONCE(scheduled, true);
	irq_work_queue(&watch_kick);
}

/*
 * Fails once the module is being unloaded: unloading does not wait for returns. And where
 * @watch_kick would not run.
 */
static bool pin_take(void)
{
	if (!kpt_irq_work_runs() || !try_module_get(THIS_MODULE))
		return false;
	if (xchg(&kpt_calls_pinned, 1))
		module_put(THIS_MODULE);
	else
		irq_work_queue(&watch_kick);
	return true;
}

/* Call when the call is on its pile; if false, do not replace its return address. */
static bool pin_get(void)
{
	/*
	 * watch_work() clears it, waits for hits, and then looks for the call: so it finds it,
	 * or this finds it cleared. Model: tests/models/pin.pml.
	 */
	return likely(READ_ONCE(kpt_calls_pinned)) || pin_take();
}

/*
 * Run watch_work() now and wait for it, so that the module can be unloaded at once
 * instead of a second after the last return. It puts the reference.
 */
static void pin_drain(void)
{
	irq_work_sync(&watch_kick);
	flush_delayed_work(&watch);
}

/*
 * Piles.
 */

/* Take a call off its pile. It stays as it is until the task's next call. */
static __always_inline void pile_take_out(struct kpt_pile *pile, struct kpt_call *call)
{
	struct kpt_call *newest = pile->arch.newest;

	if (call->owner && call->owner->limit)
		atomic_dec(&call->owner->active);
	if (likely(call == newest)) {
		WRITE_ONCE(pile->arch.newest, call->around);
		return;
	}
	call->around->inner = call->inner;
	call->inner->around = call->around;
	call->around = newest;
	call->inner = newest->inner;
	if (call->inner)
		call->inner->around = call;
	newest->inner = call;
}

/* The pile of the current task, whose bucket is locked; NULL if it has none. */
static __always_inline struct kpt_pile *pile_find(struct hlist_bl_head *bucket)
{
	struct kpt_arch_pile *here = raw_cpu_read(kpt_cpu.pile);
	struct hlist_bl_node *pos;
	struct kpt_pile *pile;

	if (likely(READ_ONCE(here->task) == current))
		return container_of(here, struct kpt_pile, arch);
	hlist_bl_for_each_entry(pile, pos, bucket, node)
		if (pile->of == current)
			return pile;
	return NULL;
}

/* NULL without memory. */
static noinline struct kpt_pile *pile_make(struct hlist_bl_head *bucket)
{
	struct kpt_pile *pile = kpt_stock_get();

	if (!pile)
		return NULL;
	*pile = (struct kpt_pile){
		.arch.newest = &pile->outermost,
		.of = get_task_struct(current),
		.outermost.sp = (unsigned long)task_stack_page(current) + THREAD_SIZE,
	};
	hlist_bl_add_head(&pile->node, bucket);
	watch_begin();
	return pile;
}

/*
 * Let recorders use the pile of the current task, whose bucket is locked: who closes piles
 * takes that lock behind the change of @closed. Not of an idle task, whose CPU may go offline.
 */
static __always_inline void pile_open(struct kpt_pile *pile)
{
	if (unlikely(READ_ONCE(closed) || is_idle_task(current)))
		return;
	WRITE_ONCE(pile->arch.task, current);
	raw_cpu_write(kpt_cpu.pile, &pile->arch);
}

static void pile_close(struct kpt_pile *pile)
{
	WRITE_ONCE(pile->arch.task, NULL);
}

/* Do something with each pile of a bucket, whose bucket is locked then. */
static __always_inline void bucket_visit(struct hlist_bl_head *bucket,
					 void (*visit)(struct kpt_pile *pile))
{
	unsigned long flags = kpt_arch_hits_off_save();
	struct hlist_bl_node *pos, *next;
	struct kpt_pile *pile;

	kpt_bucket_lock(bucket);
	hlist_bl_for_each_entry_safe(pile, pos, next, bucket, node)
		visit(pile);
	kpt_bucket_unlock(bucket);
	kpt_arch_hits_on_restore(flags);
}

static void piles_visit(void (*visit)(struct kpt_pile *pile))
{
	unsigned int i;

	for (i = 0; piles && i < BIT(HASH_BITS); i++) {
		if (!hlist_bl_empty(&piles[i]))
			bucket_visit(&piles[i], visit);
		cond_resched();
	}
}

/*
 * Until piles_open(), a task changes its pile only under the lock of its bucket, and so may the
 * caller change any. Hits that have found their pile open are over when this returns.
 * Model: tests/models/calls.pml.
 */
static void piles_close(void)
{
	mutex_lock(&close_lock);
	WRITE_ONCE(closed, true);
	piles_visit(pile_close);
	kpt_arch_quiesce();
}

static void piles_open(void)
{
	WRITE_ONCE(closed, false);
	mutex_unlock(&close_lock);
}

/*
 * Calls whose return is not seen.
 */

/* Bytes from the lowest address of the task's stack up to @sp. */
static unsigned long stack_height(const struct task_struct *task, unsigned long sp)
{
	return sp - (unsigned long)task_stack_page(task);
}

/*
 * Has the task, whose SP is now @sp, left the function without the expected return?
 * Calls below @sp on its stack are over. If @sp is on the task's own stack, so are
 * calls that an interrupt made on another stack.
 */
static bool call_is_passed(const struct kpt_call *call, const struct task_struct *task,
			   unsigned long sp)
{
	unsigned long now = stack_height(task, sp);

	return now < THREAD_SIZE &&
	       (stack_height(task, call->sp) < now ||
		stack_height(task, call->sp) >= THREAD_SIZE);
}

/*
 * Are all calls of a pile over? Only a freed stack proves that the task is gone: exec changes
 * a thread's pid, and a task marked dead still runs code. A task that is not
 * running is where it was switched out; and in no hit, so that it uses no call that it has
 * taken off.
 */
static bool pile_is_over(struct kpt_pile *pile)
{
	struct task_struct *task = pile->of;
	struct kpt_call *call;

	if (!refcount_read(&task->stack_refcount))
		return true;
	/*
	 * Pairs with the scheduler's release of on_cpu after it has switched to
	 * another task. Model, also of the bucket's lock: tests/models/calls.pml.
	 */
	if (smp_load_acquire(&task->on_cpu))
		return false;
	while ((call = pile->arch.newest) != &pile->outermost) {
		if (!call_is_passed(call, task, kpt_arch_saved_sp(task)))
			return false;
		pile_take_out(pile, call);
	}
	return true;
}

/* Free a pile that is in no bucket. */
static void pile_free(struct kpt_pile *pile)
{
	struct kpt_call *call, *next;

	put_task_struct(pile->of);
	for (call = pile->outermost.inner; call; call = next) {
		next = call->inner;
		kpt_stock_give(call);
	}
	kpt_stock_give(pile);
}

/* Take the piles that are over out of a bucket, which the caller has locked, and chain them. */
static struct hlist_bl_node *bucket_take_over(struct hlist_bl_head *bucket)
{
	struct hlist_bl_node *pos, *next, *taken = NULL;
	struct kpt_pile *pile;

	hlist_bl_for_each_entry_safe(pile, pos, next, bucket, node) {
		if (!pile_is_over(pile))
			continue;
		while (pile->arch.newest != &pile->outermost)
			pile_take_out(pile, pile->arch.newest);
		__hlist_bl_del(&pile->node);
		pile->node.next = taken;
		taken = &pile->node;
	}
	return taken;
}

/* Returns true if there are piles left. */
static bool bucket_reap(struct hlist_bl_head *bucket)
{
	struct hlist_bl_node *taken, *next;
	unsigned long flags;

	if (hlist_bl_empty(bucket))
		return false;
	flags = kpt_arch_hits_off_save();
	kpt_bucket_lock(bucket);
	taken = bucket_take_over(bucket);
	kpt_bucket_unlock(bucket);
	kpt_arch_hits_on_restore(flags);
	for (; taken; taken = next) {
		next = taken->next;
		pile_free(hlist_bl_entry(taken, struct kpt_pile, node));
	}
	return !hlist_bl_empty(bucket);
}

/* Free the piles that are over; the others are closed. Returns true if there are any. */
static bool piles_reap(void)
{
	bool left = false;
	unsigned int i;

	for (i = 0; piles && i < BIT(HASH_BITS); i++) {
		left |= bucket_reap(&piles[i]);
		cond_resched();
	}
	return left;
}

/* The stock is low, or an owner has reached its limit. */
static void calls_reap(void)
{
	piles_close();
	piles_reap();
	piles_open();
}

/*
 * Drop the calls that kpt_calls_end() ends. A call whose return address is replaced
 * stays until it returns, without an owner if that will be freed.
 */
static void pile_end(struct kpt_pile *pile)
{
	struct kpt_call *call, *around;

	for (call = pile->arch.newest; call != &pile->outermost; call = around) {
		around = call->around;
		if (!call->owner || call->owner->end == KPT_CALLS_GO_ON)
			continue;
		if (!call->ret)
			pile_take_out(pile, call);
		else if (call->owner->end == KPT_CALLS_ORPHANED)
			call->owner = NULL;
	}
}

/**
 * kpt_calls_end() - end the calls of all owners, as their @end says
 * @most: the highest @end among the owners
 *
 * After it returns, no hit uses an owner whose @end is KPT_CALLS_ORPHANED. It makes
 * one pass over all calls, for any number of owners.
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
	if (!piles)
		return;
	piles_close();
	piles_visit(pile_end);
	piles_open();
	if (most != KPT_CALLS_ORPHANED)
		return;
	/* A return that has already removed its call may still use the owner. */
	kpt_arch_quiesce();
	pin_drain();
}

/* Of the pass that counts; under close_lock. */
static unsigned int nr_replaced;

static void pile_count(struct kpt_pile *pile)
{
	const struct kpt_call *call = READ_ONCE(pile->arch.newest);

	/* Its task may change the pile, but not what is around a call. */
	for (; call != &pile->outermost; call = call->around)
		nr_replaced += READ_ONCE(call->ret) != 0;
}

static unsigned int piles_count(void)
{
	nr_replaced = 0;
	piles_visit(pile_count);
	return nr_replaced;
}

/**
 * kpt_calls_replaced() - number of return addresses that are replaced now
 *
 * Context: process context, sleeps.
 * Return: the count.
 */
unsigned int kpt_calls_replaced(void)
{
	unsigned int nr;

	mutex_lock(&close_lock);
	nr = piles_count();
	mutex_unlock(&close_lock);
	return nr;
}

static void watch_work(struct work_struct *work)
{
	bool was_pinned, left, replaced;

	WRITE_ONCE(scheduled, false);
	/* Clear it before piles are closed: hits that have found it set are over then. */
	was_pinned = xchg(&kpt_calls_pinned, 0);
	piles_close();
	left = piles_reap();
	replaced = piles_count();
	piles_open();
	/* It is 0 if the reference was put after this work was scheduled. */
	if (was_pinned && (replaced || !kpt_arch_returns_left())) {
		if (xchg(&kpt_calls_pinned, 1))
			module_put(THIS_MODULE);
		left = true;
	} else if (was_pinned) {
		module_put(THIS_MODULE);
	}
	if (left)
		schedule_delayed_work(&watch, HZ);
}

/*
 * Entries and returns.
 */

/*
 * Find the newest call of a pile with an SP from @sp to @top: a call of
 * @owner whose return address is not replaced, or without @owner any call whose
 * return address is.
 */
static __always_inline struct kpt_call *
call_find(const struct kpt_pile *pile, const struct kpt_call_owner *owner,
	  unsigned long sp, unsigned long top)
{
	struct kpt_call *call;

	for (call = pile->arch.newest; call != &pile->outermost; call = call->around)
		if (call->sp >= sp && call->sp <= top &&
		    (owner ? call->owner == owner && !call->ret :
			     call->ret != 0))
			return call;
	return NULL;
}

static __always_inline struct kpt_call *
call_pop(const struct kpt_call_owner *owner, unsigned long sp, unsigned long top)
{
	struct hlist_bl_head *bucket = piles_bucket(current);
	struct kpt_call *call = NULL;
	struct kpt_pile *pile;

	kpt_bucket_lock(bucket);
	pile = pile_find(bucket);
	if (likely(pile)) {
		call = call_find(pile, owner, sp, top);
		if (call)
			pile_take_out(pile, call);
		pile_open(pile);
	}
	kpt_bucket_unlock(bucket);
	return call;
}

/**
 * kpt_call_pop() - remove the call that returns now from the calls in progress
 * @owner: its owner, which does not replace return addresses
 * @sp: the stack pointer at the return
 *
 * Context: BRK.
 * Return: the call, valid until the next kpt_call_push() of the task; or NULL if the entry was
 * not seen.
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
		kpt_stock_kick();
	}
	return false;
}

/*
 * Is @call over, given a newer call of the same task by @owner, at @hook, with @ret and @sp?
 * Yes if the task's SP is above it, or if owner, hook and SP are the same. Calls whose return
 * address is replaced may share an SP (tail calls); then the newer one returns to our code, or
 * to that of another tracer.
 */
static bool call_is_stale(const struct kpt_call *call, const struct kpt_call_owner *owner,
			  const struct kpt_hook *hook, unsigned long ret, unsigned long sp)
{
	return call_is_passed(call, current, sp) ||
	       (call->sp == sp && call->owner == owner &&
		(!call->ret || (call->hook == hook &&
				!kpt_arch_hides_caller(ret | kpt_arch_return_words.pac_mask))));
}

/*
 * Drop what is over. Calls that are not, and have another SP, are around it: so are all that
 * are below them.
 */
static __always_inline void pile_drop_stale(struct kpt_pile *pile,
					    const struct kpt_call_owner *owner,
					    const struct kpt_hook *hook, unsigned long ret,
					    unsigned long sp)
{
	struct kpt_call *call, *around;

	for (call = pile->arch.newest; call != &pile->outermost; call = around) {
		around = call->around;
		if (unlikely(call_is_stale(call, owner, hook, ret, sp)))
			pile_take_out(pile, call);
		else if (call->sp != sp)
			break;
	}
}

/* Have room for a call on top of a pile. NULL without memory. */
static __always_inline struct kpt_call *pile_room(struct kpt_pile *pile)
{
	struct kpt_call *newest = pile->arch.newest, *call = newest->inner;

	if (likely(call))
		return call;
	call = kpt_stock_get();
	if (!call)
		return NULL;
	call->around = newest;
	call->inner = NULL;
	newest->inner = call;
	return call;
}

/* Put a call on a pile. NULL without memory. */
static __always_inline struct kpt_call *pile_push(struct kpt_pile *pile,
						  struct kpt_call_owner *owner,
						  struct kpt_hook *hook,
						  const struct pt_regs *regs)
{
	unsigned long ret = owner->replaces_return ? regs->regs[30] : 0;
	struct kpt_call *call;
	unsigned int i;

	pile_drop_stale(pile, owner, hook, ret, regs->sp);
	call = pile_room(pile);
	if (unlikely(!call))
		return NULL;
	call->sp = regs->sp;
	call->ret = ret;
	call->owner = owner;
	call->hook = hook;
	for (i = 0; i < owner->nr_values; i++)
		call->value[i] = kpt_fetch_arg_value(&regs->user_regs,
						     owner->arg[i]);
	if (owner->keeps_start)
		call->start = kpt_clock_stamp(KPT_CLOCK_LOCAL);
	WRITE_ONCE(pile->arch.newest, call);
	return call;
}

/* The current task's newest call is not to be: its return address is not replaced. */
static noinline void call_withdraw(struct hlist_bl_head *bucket, struct kpt_pile *pile)
{
	kpt_bucket_lock(bucket);
	pile_take_out(pile, pile->arch.newest);
	kpt_bucket_unlock(bucket);
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
 * Return: the call; or NULL if there is no memory, if @owner has reached its limit, or
 * if the return address is not to be replaced: the module is being unloaded, or this is the
 * idle task of a CPU that goes offline.
 */
struct kpt_call *kpt_call_push(struct kpt_call_owner *owner,
			       struct kpt_hook *hook,
			       const struct pt_regs *regs)
{
	struct hlist_bl_head *bucket = piles_bucket(current);
	struct kpt_call *call = NULL;
	struct kpt_pile *pile;

	if (owner->replaces_return && !call_may_return())
		return NULL;
	if (owner->limit && !call_within_limit(owner))
		return NULL;
	kpt_bucket_lock(bucket);
	pile = pile_find(bucket) ?: pile_make(bucket);
	if (likely(pile)) {
		call = pile_push(pile, owner, hook, regs);
		pile_open(pile);
	}
	kpt_bucket_unlock(bucket);
	if (unlikely(!call)) {
		if (owner->limit)
			atomic_dec(&owner->active);
		return NULL;
	}
	if (owner->replaces_return && unlikely(!pin_get())) {
		call_withdraw(bucket, pile);
		return NULL;
	}
	return call;
}

/**
 * kpt_call_returning() - the call whose return a recorder has
 *
 * It is on its pile until the hit ends.
 *
 * Context: BRK, in a hit of kpt_call_owner.recorder.
 * Return: the call.
 */
struct kpt_call *kpt_call_returning(void)
{
	return raw_cpu_read(kpt_cpu.pile)->newest;
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
	const struct kpt_call *call;
	struct kpt_pile *pile;
	unsigned long ret = 0;

	if (!piles)
		return 0;
	bucket = piles_bucket(current);
	kpt_bucket_lock(bucket);
	pile = pile_find(bucket);
	for (call = pile ? pile->arch.newest : NULL; call && call != &pile->outermost;
	     call = call->around) {
		/* call->ret is kpt_return_entry after a tail call: try the next. */
		if (!call->ret || kpt_arch_is_replaced(call->ret) || nth--)
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

/**
 * kpt_calls_prepare() - allocate the memory for calls
 *
 * Allocates the hash, and a stock of each CPU, when it is first
 * called. Both stay until unload.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_calls_prepare(void)
{
	struct hlist_bl_head *hash;
	int err, cpu;

	lockdep_assert_held(&kpt_mutex);
	if (piles)
		return 0;
	hash = vzalloc(BIT(HASH_BITS) * sizeof(*hash));
	if (!hash)
		return -ENOMEM;
	err = kpt_stock_init(calls_reap);
	if (err) {
		vfree(hash);
		return err;
	}
	for_each_possible_cpu(cpu)
		per_cpu(kpt_cpu, cpu).pile = &nobodys.arch;
	piles = hash;
	return 0;
}

static void piles_free_from(struct hlist_bl_head *bucket)
{
	struct hlist_bl_node *pos, *next;
	struct kpt_pile *pile;

	hlist_bl_for_each_entry_safe(pile, pos, next, bucket, node)
		pile_free(pile);
}

/**
 * kpt_calls_exit() - free all calls
 *
 * Context: module unload; no owner is left. No return address is replaced, because
 * that would prevent unloading.
 */
void kpt_calls_exit(void)
{
	unsigned int i;

	irq_work_sync(&watch_kick);
	cancel_delayed_work_sync(&watch);
	kpt_stock_exit();
	for (i = 0; piles && i < BIT(HASH_BITS); i++)
		piles_free_from(&piles[i]);
	kpt_stock_free();
	vfree(piles);
}
