// SPDX-License-Identifier: GPL-2.0-only
/*
 * Enablers: write the bits, and follow the processes that have them.
 *
 * All lists are under kpt_mutex. A fork cannot take it: it adds the child's memory to
 * @forks, with the memory that it is a copy of. Whoever uses the lists calls
 * enablers_settle() first, which gives the children their enablers in the order of
 * the forks. So a child has those that its parent had when it was forked.
 *
 * A bit is written while kpt_mutex is held, so that nothing here may wait for a process:
 * a page that the kernel would have to wait for is tried again later.
 */
#include "kernel/compat.h"
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/tracepoint.h>
#include "engine/enabler.h"
#include "engine/tracepoint.h"
#include "kernel/lock.h"
#include "kernel/memcg.h"

/* What the owner of the targets does when something has changed: tidies up. */
struct delayed_work kpt_enablers_work;

/**
 * kpt_enabled_make() - initialize what bits tell about
 * @target: it gets no handlers and no enablers
 *
 * Context: process context.
 */
void kpt_enabled_make(struct kpt_enabled *target)
{
	kpt_hook_make(&target->hook, KPT_HOOK_ENABLED);
	INIT_LIST_HEAD(&target->enablers);
	target->refs = 0;
}

#if KPT_ENABLERS

/* A bit that cannot be written is tried so often, with so much time in between. */
#define ENABLER_TRIES	20
#define ENABLER_DELAY	(HZ / 20 + 1)

/**
 * struct enabler_mm - the memory of a process
 * @notifier: tells when it ends
 * @mm: the kernel's object, with a reference that does not keep the memory
 * @by_mm: in @mms; also read under RCU
 * @list: in @forks, or in @settled
 * @enablers: bits in this memory, struct enabler.of_mm
 * @parent: while in @forks: what it is a copy of
 * @is_watched: @notifier is registered
 * @is_over: the process has no memory any more
 * @rcu: frees it
 */
struct enabler_mm {
	struct mmu_notifier notifier;
	struct mm_struct *mm;
	struct hlist_node by_mm;
	struct list_head list;
	struct list_head enablers;
	struct enabler_mm *parent;
	bool is_watched;
	bool is_over;
	struct rcu_head rcu;
};

/**
 * struct enabler - a bit
 * @place: the bit
 * @target: what it tells about, with a reference
 * @in: where it is
 * @of_target: in kpt_enabled.enablers
 * @of_mm: in enabler_mm.enablers
 * @tries: how often it is tried again to write it
 */
struct enabler {
	struct kpt_enabler_place place;
	struct kpt_enabled *target;
	struct enabler_mm *in;
	struct list_head of_target;
	struct list_head of_mm;
	unsigned int tries;
};

/*
 * Protects @mms and @forks; taken by forks, with preemption off. @mms is also read under
 * RCU, and under kpt_mutex, without which nothing is removed from it.
 */
static DEFINE_RAW_SPINLOCK(mms_lock);
static DEFINE_HASHTABLE(mms, 6);
static LIST_HEAD(forks);
/* Under kpt_mutex. */
static LIST_HEAD(settled);

/* Memories whose notifier is not freed yet. */
static atomic_t mms_watched;

/* Forks that were not followed for lack of memory. */
static atomic_t not_followed;

/*
 * Memory for the forks: where a tracepoint calls functions with preemption off, a
 * kernel with PREEMPT_RT cannot allocate. Under @mms_lock.
 */
#define STOCK_SIZE 64
static struct enabler_mm *stock[STOCK_SIZE];
static unsigned int stock_nr;

/* The tracepoint of forks while it calls us; else NULL. Under kpt_mutex. */
static struct tracepoint *fork_tracepoint;

static void enablers_work_soon(void)
{
	schedule_delayed_work(&kpt_enablers_work, 0);
}

/*
 * Writing a bit.
 */

/*
 * Files on disks are left out if a write to their pages waits for the file system,
 * perhaps for a program that is one.
 */
static bool enabler_page_may_wait(struct mm_struct *mm, unsigned long addr)
{
	struct vm_area_struct *vma = find_vma(mm, addr);

	return !vma || vma->vm_start > addr ||
	       (vma->vm_flags & VM_SHARED && vma->vm_ops &&
		vma->vm_ops->page_mkwrite);
}

static int enabler_pin(struct mm_struct *mm, unsigned long addr, struct page **page)
{
	long nr = -EFAULT;

	mmap_read_lock(mm);
	if (!enabler_page_may_wait(mm, addr))
		nr = kpt_pin_page(mm, addr, FOLL_WRITE | FOLL_NOWAIT, page);
	mmap_read_unlock(mm);
	return nr == 1 ? 0 : -EFAULT;
}

/* Programs use atomic operations on the word, too. */
static void enabler_change(const struct kpt_enabler_place *place, void *word, bool on)
{
	if (place->size == 8 && on)
		atomic64_or(BIT_ULL(place->bit), word);
	else if (place->size == 8)
		atomic64_andnot(BIT_ULL(place->bit), word);
	else if (on)
		atomic_or(BIT(place->bit), word);
	else
		atomic_andnot(BIT(place->bit), word);
}

/* Returns 0; -EFAULT if the page cannot be written now; -ENOENT without memory. */
static int enabler_write(const struct kpt_enabler_place *place, struct mm_struct *mm,
			 bool on)
{
	struct page *page;
	int err;

	if (!mmget_not_zero(mm))
		return -ENOENT;
	err = enabler_pin(mm, place->addr, &page);
	if (!err) {
		enabler_change(place, page_address(page) +
			       offset_in_page(place->addr), on);
		unpin_user_pages_dirty_lock(&page, 1, true);
	}
	/* The memory may end here, with much to do, and kpt_mutex is held. */
	mmput_async(mm);
	return err;
}

/* Write what the target is now; later if that cannot be done now. */
static int enabler_refresh(struct enabler *e)
{
	int err = enabler_write(&e->place, e->in->mm,
				kpt_hook_current(&e->target->hook));

	if (err == -EFAULT && e->tries) {
		e->tries--;
		schedule_delayed_work(&kpt_enablers_work, ENABLER_DELAY);
	} else {
		e->tries = 0;
	}
	return err;
}

/*
 * The lists.
 */

static struct enabler *enabler_new(struct kpt_enabled *target, struct enabler_mm *in,
				   const struct kpt_enabler_place *place)
{
	struct enabler *e = kzalloc(sizeof(*e), GFP_KERNEL_ACCOUNT);

	if (!e)
		return NULL;
	e->place = *place;
	e->target = target;
	e->in = in;
	target->refs++;
	list_add_tail(&e->of_target, &target->enablers);
	list_add_tail(&e->of_mm, &in->enablers);
	return e;
}

static void enabler_free(struct enabler *e)
{
	e->target->refs--;
	list_del(&e->of_target);
	list_del(&e->of_mm);
	kfree(e);
}

static struct enabler *enabler_find(const struct enabler_mm *in,
				    const struct kpt_enabler_place *place)
{
	struct enabler *e;

	list_for_each_entry(e, &in->enablers, of_mm)
		if (e->place.addr == place->addr && e->place.bit == place->bit)
			return e;
	return NULL;
}

/*
 * The memory of processes.
 */

static struct enabler_mm *mm_find(const struct mm_struct *mm)
{
	struct enabler_mm *m;

	hash_for_each_possible_rcu(mms, m, by_mm, (unsigned long)mm,
				   lockdep_is_held(&kpt_mutex) ||
				   lockdep_is_held(&mms_lock))
		if (m->mm == mm)
			return m;
	return NULL;
}

static bool mm_exists(const struct mm_struct *mm)
{
	bool found;

	rcu_read_lock();
	found = mm_find(mm);
	rcu_read_unlock();
	return found;
}

static void mm_init(struct enabler_mm *m, struct mm_struct *mm,
		    struct enabler_mm *parent)
{
	memset(m, 0, sizeof(*m));
	INIT_LIST_HEAD(&m->enablers);
	m->parent = parent;
	m->mm = mm;
	mmgrab(mm);
}

static void __mm_add(struct enabler_mm *m, struct list_head *list)
{
	lockdep_assert_held(&mms_lock);
	hash_add_rcu(mms, &m->by_mm, (unsigned long)m->mm);
	list_add_tail(&m->list, list);
}

/* exec() or the last exit(): its memory is about to go. */
static void mm_release(struct mmu_notifier *notifier, struct mm_struct *mm)
{
	struct enabler_mm *m = container_of(notifier, struct enabler_mm, notifier);

	WRITE_ONCE(m->is_over, true);
	enablers_work_soon();
}

static void mm_free(struct mmu_notifier *notifier)
{
	kfree_rcu(container_of(notifier, struct enabler_mm, notifier), rcu);
	atomic_dec(&mms_watched);
}

static const struct mmu_notifier_ops mm_notifier_ops = {
	.release = mm_release,
	.free_notifier = mm_free,
};

static int mm_watch(struct enabler_mm *m)
{
	int err;

	if (!mmget_not_zero(m->mm))
		return -ENOENT;
	m->notifier.ops = &mm_notifier_ops;
	err = mmu_notifier_register(&m->notifier, m->mm);
	m->is_watched = !err;
	if (!err)
		atomic_inc(&mms_watched);
	mmput_async(m->mm);
	return err;
}

/*
 * Forks.
 */

static void stock_fill(void)
{
	struct enabler_mm *m;

	while (READ_ONCE(stock_nr) < STOCK_SIZE) {
		m = kmalloc(sizeof(*m), GFP_KERNEL);
		if (!m)
			return;
		raw_spin_lock(&mms_lock);
		stock[stock_nr++] = m;
		raw_spin_unlock(&mms_lock);
	}
}

static struct enabler_mm *stock_take(void)
{
	struct enabler_mm *m;

	raw_spin_lock(&mms_lock);
	m = stock_nr ? stock[--stock_nr] : NULL;
	raw_spin_unlock(&mms_lock);
	if (!m && !IS_ENABLED(CONFIG_PREEMPT_RT))
		m = kmalloc(sizeof(*m), GFP_ATOMIC | __GFP_NOWARN);
	return m;
}

static void stock_free(void)
{
	while (stock_nr)
		kfree(stock[--stock_nr]);
}

/* The tracepoint sched_process_fork, before the child runs. */
static void fork_seen(void *data, struct task_struct *task, struct task_struct *child)
{
	struct enabler_mm *parent, *m;

	if (!child->mm || child->mm == current->mm || !mm_exists(current->mm))
		return;
	m = stock_take();
	if (!m) {
		atomic_inc(&not_followed);
		return;
	}
	raw_spin_lock(&mms_lock);
	/* It may have been forgotten since, if it could not be watched. */
	parent = mm_find(current->mm);
	if (parent) {
		mm_init(m, child->mm, parent);
		__mm_add(m, &forks);
	}
	raw_spin_unlock(&mms_lock);
	if (parent)
		enablers_work_soon();
	else
		kfree_rcu(m, rcu);
}

static struct enabler_mm *forks_take(void)
{
	struct enabler_mm *m;

	raw_spin_lock(&mms_lock);
	m = list_first_entry_or_null(&forks, struct enabler_mm, list);
	if (m)
		list_move_tail(&m->list, &settled);
	raw_spin_unlock(&mms_lock);
	return m;
}

/* Any task may be the first to look at the child, so the child is charged. */
static int mm_copy_enablers(struct enabler_mm *m)
{
	struct mem_cgroup *before = kpt_memcg_begin(m->mm);
	struct enabler *e;
	int err = 0;

	list_for_each_entry(e, &m->parent->enablers, of_mm)
		if (!enabler_new(e->target, m, &e->place))
			err = -ENOMEM;
	kpt_memcg_end(before);
	return err;
}

/*
 * Give a child the enablers of its parent. Its memory may be from before the parent's
 * bits were last written.
 */
static void mm_inherit(struct enabler_mm *m)
{
	int err = mm_copy_enablers(m);
	struct enabler *e;

	m->parent = NULL;
	err = mm_watch(m) ?: err;
	if (err && err != -ENOENT)
		atomic_inc(&not_followed);
	if (!m->is_watched)
		m->is_over = true;
	list_for_each_entry(e, &m->enablers, of_mm) {
		e->tries = ENABLER_TRIES;
		enabler_refresh(e);
	}
}

static void enablers_settle(void)
{
	struct enabler_mm *m;

	lockdep_assert_held(&kpt_mutex);
	while ((m = forks_take()))
		mm_inherit(m);
}

/* No fork finds it any more, and no child that is in @forks has it as its parent. */
static void mm_hide(struct enabler_mm *m)
{
	raw_spin_lock(&mms_lock);
	hash_del_rcu(&m->by_mm);
	raw_spin_unlock(&mms_lock);
	enablers_settle();
}

static void mm_forget(struct enabler_mm *m)
{
	struct enabler *e, *next;

	mm_hide(m);
	list_for_each_entry_safe(e, next, &m->enablers, of_mm)
		enabler_free(e);
	list_del(&m->list);
	mmdrop(m->mm);
	if (m->is_watched)
		mmu_notifier_put(&m->notifier);
	else
		kfree_rcu(m, rcu);
}

static int forks_watch(void)
{
	struct tracepoint *tp = fork_tracepoint ? NULL :
				kpt_tracepoint_find("sched_process_fork");
	int err;

	if (fork_tracepoint)
		return 0;
	stock_fill();
	err = tp ? tracepoint_probe_register(tp, (void *)fork_seen, NULL) : -EOPNOTSUPP;
	if (!err)
		fork_tracepoint = tp;
	return err;
}

static void forks_unwatch(void)
{
	if (!fork_tracepoint)
		return;
	kpt_tracepoint_unregister(fork_tracepoint, (void *)fork_seen, NULL);
	fork_tracepoint = NULL;
	tracepoint_synchronize_unregister();
	stock_free();
}

/* The current process's; made if there is none. */
static struct enabler_mm *mm_current(void)
{
	struct enabler_mm *m = mm_find(current->mm);
	int err;

	if (m)
		return m;
	err = forks_watch();
	if (err)
		return ERR_PTR(err);
	m = kmalloc(sizeof(*m), GFP_KERNEL_ACCOUNT);
	if (!m)
		return ERR_PTR(-ENOMEM);
	mm_init(m, current->mm, NULL);
	err = mm_watch(m);
	if (err) {
		mmdrop(m->mm);
		kfree(m);
		return ERR_PTR(err);
	}
	raw_spin_lock(&mms_lock);
	__mm_add(m, &settled);
	raw_spin_unlock(&mms_lock);
	return m;
}

/**
 * kpt_enabler_exists() - is a bit of the current process taken?
 * @place: the bit
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: true if it is.
 */
bool kpt_enabler_exists(const struct kpt_enabler_place *place)
{
	const struct enabler_mm *m;

	enablers_settle();
	m = mm_find(current->mm);
	return m && enabler_find(m, place);
}

/**
 * kpt_enabler_add() - let a bit of the current process tell about a target
 * @target: the target
 * @place: the bit, which is not taken
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EFAULT if the bit cannot be written; -EOPNOTSUPP if this kernel lacks a
 * tracepoint; -ENOMEM.
 */
int kpt_enabler_add(struct kpt_enabled *target,
		    const struct kpt_enabler_place *place)
{
	struct enabler_mm *m = mm_current();
	struct enabler *e;
	int err;

	lockdep_assert_held(&kpt_mutex);
	if (IS_ERR(m))
		return PTR_ERR(m);
	e = enabler_new(target, m, place);
	if (!e)
		return -ENOMEM;
	err = enabler_refresh(e);
	if (err)
		enabler_free(e);
	return err;
}

/**
 * kpt_enabler_remove() - clear a bit of the current process, which tells nothing then
 * @place: the bit
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -ENOENT if it was not added; -EFAULT if it cannot be written now, but it
 * is removed.
 */
int kpt_enabler_remove(const struct kpt_enabler_place *place)
{
	struct kpt_enabler_place found;
	struct enabler_mm *m;
	struct enabler *e;

	enablers_settle();
	m = mm_find(current->mm);
	e = m ? enabler_find(m, place) : NULL;
	if (!e)
		return -ENOENT;
	found = e->place;
	enabler_free(e);
	enablers_work_soon();
	return enabler_write(&found, current->mm, false);
}

/**
 * kpt_enablers_update() - write the bits of hooks that got or lost handlers
 * @batch: the hooks to look at, after their lists were published; hooks of other
 *	owners are skipped
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_enablers_update(struct kpt_batch *batch)
{
	struct kpt_enabled *target;
	struct kpt_hook *hook;
	struct enabler *e;

	list_for_each_entry(hook, &batch->hooks, in_batch) {
		if (hook->owner != KPT_HOOK_ENABLED ||
		    !hook->next == !kpt_hook_current(hook))
			continue;
		enablers_settle();
		target = container_of(hook, struct kpt_enabled, hook);
		list_for_each_entry(e, &target->enablers, of_target) {
			e->tries = ENABLER_TRIES;
			enabler_refresh(e);
		}
		enablers_work_soon();
	}
}

/**
 * kpt_enablers_tidy() - forget processes that are over, and try again to write bits
 *
 * Part of the work on kpt_enablers_work. Targets lose references.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_enablers_tidy(void)
{
	struct enabler_mm *m, *next;
	struct enabler *e;

	enablers_settle();
	list_for_each_entry_safe(m, next, &settled, list) {
		if (READ_ONCE(m->is_over)) {
			mm_forget(m);
			continue;
		}
		list_for_each_entry(e, &m->enablers, of_mm)
			if (e->tries)
				enabler_refresh(e);
	}
	if (list_empty(&settled))
		forks_unwatch();
	else
		stock_fill();
}

/**
 * kpt_enablers_not_followed() - children without the enablers of their parents
 *
 * Context: any.
 * Return: how many there were, for lack of memory.
 */
unsigned int kpt_enablers_not_followed(void)
{
	return atomic_read(&not_followed);
}

/**
 * kpt_enablers_init() - choose what is done when something has changed
 * @changed: calls kpt_enablers_tidy(), and looks for targets without references
 *
 * Context: module load.
 */
void kpt_enablers_init(work_func_t changed)
{
	INIT_DELAYED_WORK(&kpt_enablers_work, changed);
}

/**
 * kpt_enablers_exit() - clear all bits, and forget all processes
 *
 * Context: module unload; nobody adds an enabler any more.
 */
void kpt_enablers_exit(void)
{
	struct enabler_mm *m, *next;
	struct enabler *e;

	mutex_lock(&kpt_mutex);
	forks_unwatch();
	enablers_settle();
	list_for_each_entry_safe(m, next, &settled, list) {
		list_for_each_entry(e, &m->enablers, of_mm)
			enabler_write(&e->place, m->mm, false);
		mm_forget(m);
	}
	mutex_unlock(&kpt_mutex);
	/*
	 * mmu_notifier_synchronize() does not wait for mm_free(), which is called with
	 * bottom halves off. Then nobody queues the work any more.
	 */
	while (atomic_read(&mms_watched))
		msleep(20);
	synchronize_rcu();
	cancel_delayed_work_sync(&kpt_enablers_work);
}

#endif
