// SPDX-License-Identifier: GPL-2.0-only
/*
 * Enablers: write the bits, and follow the processes that have them.
 *
 * All lists are under kpt_mutex. A fork cannot take it: it adds the child's memory to
 * @forks, with the memory that it is a copy of. Every user of the lists calls
 * enablers_settle() first: it gives the children their enablers in the order of
 * the forks. So a child has those that its parent had when it was forked. A child that
 * has ended by then gets none, so programs that fork all the time have nothing copied.
 *
 * Nothing waits for a process while kpt_mutex is held. A bit is written if the mmap_lock
 * of its process is free and the page there; else a worker tries again, and another one, without
 * a lock, reads the page of a file. (A wait is left, see enabler_page_is_copy().) The process
 * itself waits for its own mmap_lock, before it takes kpt_mutex: struct kpt_enabler_own.
 *
 * The worker also finds that the memory of a process has ended. Nothing tells that
 * without a lock of the process: an MMU notifier is registered with its mmap_lock, and
 * with those of its mappings. But the process then closes its files, and that calls the
 * worker. The worker also looks once a second.
 */
#include "kernel/compat.h"
#include <linux/cred.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/mm.h>
#include <linux/rbtree.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <trace/events/sched.h>
#include "parts/user/enabler.h"
#include "parts/user/enabler_page.h"
#include "engine/tracepoint.h"
#include "kernel/lock.h"
#include "kernel/memcg.h"

#if KPT_ENABLERS

/* A page that cannot be written is tried for so long. */
#define ENABLER_TIME	HZ

/* The worker looks again after one jiffy, then after twice as many, up to these. */
#define ENABLER_DELAY_MAX	HZ

/* The worker copies so many enablers before others may take kpt_mutex. */
#define ENABLERS_PIECE	1024

/* Unloading waits so long for processes to unlock their memory. */
#define ENABLER_EXIT_TIME	HZ

/**
 * struct enabler_mm - the memory of a process
 * @mm: the kernel's object, with a reference that does not keep the memory
 * @cred: the credentials of the task that registered its first bit, with a reference
 * @by_mm: in @mms; also read under RCU
 * @list: in @forks, or in @settled
 * @enablers: bits in this memory, struct enabler.of_mm
 * @places: the same, struct enabler.by_place
 * @parent: what it is a copy of, until it gets its enablers. An enabler_mm whose memory is
 *	over by then gets none and keeps @parent: its children copy those of @parent
 * @nr_forks: how many enabler_mm have this one as their @parent; it is not freed before
 *	they have it no more. Changed under @mms_lock
 * @reader: waits until a page is read from a file; on @readers
 * @reading: an address in that page, or 0; it is not freed meanwhile
 * @rcu: frees it
 */
struct enabler_mm {
	struct mm_struct *mm;
	const struct cred *cred;
	struct hlist_node by_mm;
	struct list_head list;
	struct list_head enablers;
	struct rb_root places;
	struct enabler_mm *parent;
	unsigned int nr_forks;
	struct work_struct reader;
	unsigned long reading;
	struct rcu_head rcu;
};

/**
 * struct enabler - a bit
 * @place: the bit
 * @target: what it tells about, with a reference
 * @in: where it is
 * @of_target: in kpt_enabled.enablers
 * @of_mm: in enabler_mm.enablers
 * @by_place: in enabler_mm.places
 * @late: in @late_enablers if it may be wrong: the worker tries again to write it
 * @until: jiffies when it does so no more, unless the memory is locked then
 */
struct enabler {
	struct kpt_enabler_place place;
	struct kpt_enabled *target;
	struct enabler_mm *in;
	struct list_head of_target;
	struct list_head of_mm;
	struct rb_node by_place;
	struct list_head late;
	unsigned long until;
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
static LIST_HEAD(late_enablers);

/* Jiffies until the worker looks again. Under kpt_mutex. */
static unsigned long delay = 1;

/* Forks that were not followed for lack of memory. */
static atomic_t not_followed;

/*
 * Memory for the forks: where a tracepoint calls functions with preemption off, a
 * kernel with PREEMPT_RT cannot allocate. There it has to last until the worker has
 * kpt_mutex, for some seconds of a program that does nothing but fork. Under @mms_lock.
 */
#define STOCK_SIZE (IS_ENABLED(CONFIG_PREEMPT_RT) ? 1024 : 64)
static struct enabler_mm *stock[STOCK_SIZE];
static unsigned int stock_nr;

/* The tracepoint of forks while it calls us; else NULL. Under kpt_mutex. */
static struct tracepoint *fork_tracepoint;

/* Reads pages. A queue of our own, whose end unloading waits for. */
static struct workqueue_struct *readers;

/* What the owner of the targets does when something has changed: tidies up. */
static struct delayed_work tidy_work;

/**
 * kpt_enablers_changed() - let the owner of the targets tidy up soon
 *
 * A worker calls it. An enabler or a reference on a target is gone, or something is to
 * be tried again.
 *
 * Context: any but BRK.
 */
void kpt_enablers_changed(void)
{
	mod_delayed_work(system_long_wq, &tidy_work, 0);
}

/*
 * Writing a bit.
 */

/* Returns what kpt_enabler_write() does, or -ENOENT without memory. */
static int enabler_write(const struct enabler *e, bool on)
{
	struct mm_struct *mm = e->in->mm;
	int err;

	if (!mmget_not_zero(mm))
		return -ENOENT;
	err = kpt_enabler_write(&e->place, mm, on);
	/* The memory may end here, with much to do, and kpt_mutex is held. */
	mmput_async(mm);
	return err;
}

/* Reading a page. That may take long, so only a worker of the process waits for it. */

static void mm_read(struct work_struct *work)
{
	struct enabler_mm *m = container_of(work, struct enabler_mm, reader);

	if (mmget_not_zero(m->mm)) {
		kpt_enabler_read(m->mm, m->reading, m->cred);
		mmput(m->mm);
	}
	mutex_lock(&kpt_mutex);
	m->reading = 0;
	mutex_unlock(&kpt_mutex);
	/* Unloading waits for the end of this function. */
	module_put(THIS_MODULE);
}

/*
 * Have the page of a bit read, one page of the process after the other. Returns -EINPROGRESS
 * while it is read; -EAGAIN while another one is, and this one has its time afterwards; -EFAULT
 * if it was read in vain, or the module is being unloaded.
 */
static int enabler_read(const struct enabler *e)
{
	struct enabler_mm *m = e->in;

	if (!m->reading) {
		if (!time_before(jiffies, e->until) || !try_module_get(THIS_MODULE))
			return -EFAULT;
		m->reading = e->place.addr;
		queue_work(readers, &m->reader);
	}
	return (m->reading ^ e->place.addr) & PAGE_MASK ? -EAGAIN : -EINPROGRESS;
}

/* Write what the target is now. It is still late if that cannot be done now. */
static void enabler_refresh(struct enabler *e)
{
	int err = enabler_write(e, kpt_hook_current(&e->target->hook));

	if (err == -EIO)
		err = enabler_read(e);
	if (err == -EAGAIN)
		e->until = jiffies + ENABLER_TIME;
	if (err == -EAGAIN || err == -EINPROGRESS ||
	    (err == -EFAULT && time_before(jiffies, e->until)))
		list_move_tail(&e->late, &late_enablers);
	else
		list_del_init(&e->late);
}

/* The target has changed, or the bit is a copy of one that may not be written yet. */
static void enabler_update(struct enabler *e)
{
	e->until = jiffies + ENABLER_TIME;
	enabler_refresh(e);
	if (!list_empty(&e->late))
		delay = 1;
}

/*
 * The lists.
 */

static int place_cmp(const struct kpt_enabler_place *a, const struct kpt_enabler_place *b)
{
	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->bit - b->bit;
}

/* Find the link of a place: to its enabler, or to where that belongs behind @parent. */
static struct rb_node **enabler_link(struct enabler_mm *in,
				     const struct kpt_enabler_place *place,
				     struct rb_node **parent)
{
	struct rb_node **link = &in->places.rb_node;
	int cmp;

	*parent = NULL;
	while (*link) {
		cmp = place_cmp(place, &rb_entry(*link, struct enabler, by_place)->place);
		if (!cmp)
			break;
		*parent = *link;
		link = cmp < 0 ? &(*link)->rb_left : &(*link)->rb_right;
	}
	return link;
}

static struct enabler *enabler_find(struct enabler_mm *in,
				    const struct kpt_enabler_place *place)
{
	struct rb_node *parent;

	return rb_entry_safe(*enabler_link(in, place, &parent), struct enabler, by_place);
}

/* The memory has none at the place. */
static struct enabler *enabler_new(struct kpt_enabled *target, struct enabler_mm *in,
				   const struct kpt_enabler_place *place)
{
	struct enabler *e = kzalloc(sizeof(*e), GFP_KERNEL_ACCOUNT);
	struct rb_node **link, *parent;

	if (!e)
		return NULL;
	e->place = *place;
	e->target = target;
	e->in = in;
	kpt_enabled_get(target);
	INIT_LIST_HEAD(&e->late);
	list_add_tail(&e->of_target, &target->enablers);
	list_add_tail(&e->of_mm, &in->enablers);
	link = enabler_link(in, place, &parent);
	rb_link_node(&e->by_place, parent, link);
	rb_insert_color(&e->by_place, &in->places);
	return e;
}

static void enabler_free(struct enabler *e)
{
	kpt_enabled_put(e->target);
	list_del(&e->of_target);
	list_del(&e->of_mm);
	list_del(&e->late);
	rb_erase(&e->by_place, &e->in->places);
	kfree(e);
}

/*
 * The memory of processes.
 */

static struct enabler_mm *mm_find(const struct mm_struct *mm)
{
	struct enabler_mm *m;

	hash_for_each_possible_rcu_notrace(mms, m, by_mm, (unsigned long)mm)
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

static void mm_init(struct enabler_mm *m, struct mm_struct *mm, const struct cred *cred,
		    struct enabler_mm *parent)
{
	memset(m, 0, sizeof(*m));
	INIT_LIST_HEAD(&m->enablers);
	m->places = RB_ROOT;
	m->parent = parent;
	INIT_WORK(&m->reader, mm_read);
	m->mm = mm;
	m->cred = get_cred(cred);
	mmgrab(mm);
}

static void __mm_add(struct enabler_mm *m, struct list_head *list)
{
	lockdep_assert_held(&mms_lock);
	hash_add_rcu(mms, &m->by_mm, (unsigned long)m->mm);
	list_add_tail(&m->list, list);
}

/*
 * After exec() or the last exit() nobody can get at it any more. All forks of it are listed
 * then: acquires what was before the last mmput().
 */
static bool mm_is_over(const struct enabler_mm *m)
{
	return !atomic_read_acquire(&m->mm->mm_users);
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
	parent = mm_find(current->mm);
	if (parent) {
		mm_init(m, child->mm, parent->cred, parent);
		parent->nr_forks++;
		__mm_add(m, &forks);
	}
	raw_spin_unlock(&mms_lock);
	if (parent)
		kpt_enablers_changed();
	else
		kfree_rcu(m, rcu);
}

static struct enabler_mm *forks_last(void)
{
	struct enabler_mm *m;

	raw_spin_lock(&mms_lock);
	m = list_empty(&forks) ? NULL : list_last_entry(&forks, struct enabler_mm, list);
	raw_spin_unlock(&mms_lock);
	return m;
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

/* No fork finds it any more. Returns whether neither a child nor the worker needs it. */
static bool mm_hide(struct enabler_mm *m)
{
	bool is_free;

	raw_spin_lock(&mms_lock);
	hash_del_rcu(&m->by_mm);
	is_free = !m->nr_forks && !m->reading;
	raw_spin_unlock(&mms_lock);
	return is_free;
}

/* Forget a process, unless it is needed. Returns whether it is forgotten. */
static bool mm_forget(struct enabler_mm *m)
{
	struct enabler *e, *next;

	if (!mm_hide(m))
		return false;
	list_for_each_entry_safe(e, next, &m->enablers, of_mm)
		enabler_free(e);
	list_del(&m->list);
	mmdrop(m->mm);
	put_cred(m->cred);
	kfree_rcu(m, rcu);
	return true;
}

/* A child needs its parent no longer. */
static struct enabler_mm *mm_leave_parent(struct enabler_mm *m)
{
	struct enabler_mm *parent = m->parent;

	raw_spin_lock(&mms_lock);
	parent->nr_forks--;
	raw_spin_unlock(&mms_lock);
	m->parent = NULL;
	return parent;
}

/*
 * Forget a settled process that was over before it got its enablers, and those before it,
 * as far as no child needs them.
 */
static void mm_forget_over(struct enabler_mm *m)
{
	struct enabler_mm *parent;

	while (m->parent && mm_hide(m)) {
		parent = mm_leave_parent(m);
		mm_forget(m);
		m = parent;
	}
}

/*
 * The owner of the memory pays: any task may be the first to look at the child. Returns
 * the number of enablers.
 */
static unsigned int mm_copy_enablers(struct enabler_mm *m, const struct enabler_mm *from)
{
	struct mem_cgroup *before = kpt_memcg_begin(m->mm);
	unsigned int nr = 0, failed = 0;
	struct enabler *e;

	list_for_each_entry(e, &from->enablers, of_mm)
		if (enabler_new(e->target, m, &e->place))
			nr++;
		else
			failed++;
	kpt_memcg_end(before);
	if (failed)
		atomic_inc(&not_followed);
	return nr;
}

/*
 * Give a child the enablers of its parent. Its memory may be from before the parent's
 * bits were last written. Returns how many.
 */
static unsigned int mm_inherit(struct enabler_mm *m)
{
	const struct enabler_mm *from = m->parent;
	struct enabler *e;
	unsigned int nr;

	if (mm_is_over(m)) {
		mm_forget_over(m);
		return 0;
	}
	while (from->parent)
		from = from->parent;
	nr = mm_copy_enablers(m, from);
	mm_forget_over(mm_leave_parent(m));
	delay = 1;
	list_for_each_entry(e, &m->enablers, of_mm)
		enabler_update(e);
	return nr;
}

/* Children that are forked meanwhile have to wait: there may be no end of them. */
static void enablers_settle(void)
{
	struct enabler_mm *m, *last = forks_last();
	bool is_last = !last;

	lockdep_assert_held(&kpt_mutex);
	while (!is_last) {
		m = forks_take();
		is_last = m == last;
		mm_inherit(m);
	}
}

/**
 * kpt_enablers_follow() - give some children the enablers of their parents
 *
 * What the owner's worker does first, so that those who hold kpt_mutex for others find
 * little to do.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: true if children are left: let others take kpt_mutex, and call it again.
 */
bool kpt_enablers_follow(void)
{
	struct enabler_mm *m;
	unsigned int nr = 0;

	lockdep_assert_held(&kpt_mutex);
	while (nr < ENABLERS_PIECE) {
		m = forks_take();
		if (!m)
			return false;
		nr += 1 + mm_inherit(m);
	}
	return true;
}

static int forks_watch(void)
{
	struct tracepoint *tp = fork_tracepoint ?: kpt_tracepoint_find("sched_process_fork");
	int err;

	check_trace_callback_type_sched_process_fork(fork_seen);
	if (fork_tracepoint)
		return 0;
	readers = readers ?: alloc_workqueue(KBUILD_MODNAME "_pages", WQ_UNBOUND, 0);
	stock_fill();
	err = !readers ? -ENOMEM : !tp ? -EOPNOTSUPP :
	      tracepoint_probe_register(tp, (void *)fork_seen, NULL);
	if (err)
		stock_free();
	else
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

/*
 * What the process does itself, before it takes kpt_mutex.
 */

/**
 * kpt_enabler_begin() - make ready to write a bit of the current process
 * @own: result, for kpt_enabler_end(), also after an error
 * @place: the bit; only its address counts
 *
 * Context: process context, sleeps, no lock held: waits for mmap_lock, which other
 * threads or another process may hold.
 * Return: 0; -EFAULT if the bit cannot be written; -EINTR if the task is being killed.
 */
int kpt_enabler_begin(struct kpt_enabler_own *own,
		      const struct kpt_enabler_place *place)
{
	int err = mmap_read_lock_killable(current->mm);

	*own = (struct kpt_enabler_own){ 0 };
	if (err)
		return err;
	err = kpt_enabler_pin(current->mm, place->addr, &own->page);
	mmap_read_unlock(current->mm);
	if (err)
		own->page = NULL;
	return err;
}

/**
 * kpt_enabler_end() - the reverse of kpt_enabler_begin()
 * @own: what that has filled
 *
 * Context: process context, sleeps, no lock held: waits for the page to be unlocked.
 */
void kpt_enabler_end(struct kpt_enabler_own *own)
{
	if (own->page)
		unpin_user_pages_dirty_lock(&own->page, 1, true);
}

/*
 * Under kpt_mutex.
 */

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
	mm_init(m, current->mm, current_cred(), NULL);
	raw_spin_lock(&mms_lock);
	__mm_add(m, &settled);
	raw_spin_unlock(&mms_lock);
	/* The worker looks for its end. */
	kpt_enablers_changed();
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
	struct enabler_mm *m;

	enablers_settle();
	m = mm_find(current->mm);
	return m && enabler_find(m, place);
}

/**
 * kpt_enabler_add() - let a bit of the current process tell about a target
 * @target: the target
 * @place: the bit, which is not taken
 * @own: filled by kpt_enabler_begin()
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EOPNOTSUPP if this kernel lacks a tracepoint; -ENOMEM.
 */
int kpt_enabler_add(struct kpt_enabled *target, const struct kpt_enabler_place *place,
		    const struct kpt_enabler_own *own)
{
	struct enabler_mm *m = mm_current();

	lockdep_assert_held(&kpt_mutex);
	if (IS_ERR(m))
		return PTR_ERR(m);
	if (!enabler_new(target, m, place))
		return -ENOMEM;
	kpt_enabler_change(place, own->page, kpt_hook_current(&target->hook));
	return 0;
}

/**
 * kpt_enabler_remove() - clear a bit of the current process, which tells nothing then
 * @place: the bit
 * @own: filled by kpt_enabler_begin()
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -ENOENT if it was not added; -EFAULT if it cannot be written, but it is
 * removed.
 */
int kpt_enabler_remove(const struct kpt_enabler_place *place,
		       const struct kpt_enabler_own *own)
{
	struct enabler_mm *m;
	struct enabler *e;

	enablers_settle();
	m = mm_find(current->mm);
	e = m ? enabler_find(m, place) : NULL;
	if (!e)
		return -ENOENT;
	if (own->page)
		kpt_enabler_change(&e->place, own->page, false);
	enabler_free(e);
	kpt_enablers_changed();
	return own->page ? 0 : -EFAULT;
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
		list_for_each_entry(e, &target->enablers, of_target)
			enabler_update(e);
		kpt_enablers_changed();
	}
}

/**
 * kpt_enablers_forget() - forget processes that are over
 *
 * Targets lose references.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_enablers_forget(void)
{
	struct enabler_mm *m, *next;

	enablers_settle();
	list_for_each_entry_safe(m, next, &settled, list)
		if (list_empty(&m->enablers) || mm_is_over(m))
			mm_forget(m);
}

/**
 * kpt_enablers_tidy() - forget processes that are over, and try again to write bits
 *
 * Part of the owner's work. Targets lose references.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_enablers_tidy(void)
{
	struct enabler *e, *next;
	LIST_HEAD(late);

	kpt_enablers_forget();
	list_splice_init(&late_enablers, &late);
	list_for_each_entry_safe(e, next, &late, late)
		enabler_refresh(e);
	if (list_empty(&settled)) {
		forks_unwatch();
		return;
	}
	stock_fill();
	queue_delayed_work(system_long_wq, &tidy_work, delay);
	delay = min_t(unsigned long, 2 * delay, ENABLER_DELAY_MAX);
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
	INIT_DELAYED_WORK(&tidy_work, changed);
}

/*
 * Returns whether all bits of a process are clear. A bit in memory that is swapped out stays
 * as it is: the caller tries again.
 */
static bool mm_clear(struct enabler_mm *m)
{
	struct enabler *e, *next;
	int err;

	list_for_each_entry_safe(e, next, &m->enablers, of_mm) {
		err = enabler_write(e, false);
		if (err != -EAGAIN && err != -EFAULT && err != -EIO)
			enabler_free(e);
	}
	return list_empty(&m->enablers);
}

/* Forget the processes whose bits are clear, or all. Returns whether none is left. */
static bool enablers_clear(bool all)
{
	struct enabler_mm *m, *next;

	/* Now no fork is listed after those that are settled here. */
	if (all)
		forks_unwatch();
	enablers_settle();
	list_for_each_entry_safe(m, next, &settled, list) {
		/* A child that is listed since gets its bits from here, to be cleared next. */
		if (READ_ONCE(m->nr_forks))
			continue;
		if (!mm_clear(m)) {
			if (!all)
				continue;
			pr_warn("bits of a program stay set, its memory is locked or not there\n");
		}
		mm_forget(m);
	}
	if (!list_empty(&settled))
		return false;
	forks_unwatch();
	return true;
}

/**
 * kpt_enablers_exit() - clear all bits, and forget all processes
 *
 * Waits a second at the most for processes whose memory is locked; their bits stay as
 * they are. Nothing else here needs the processes.
 *
 * Context: module unload; nobody adds an enabler any more.
 */
void kpt_enablers_exit(void)
{
	unsigned long end = jiffies + ENABLER_EXIT_TIME;
	bool is_done;

	for (;;) {
		mutex_lock(&kpt_mutex);
		is_done = enablers_clear(time_after(jiffies, end));
		mutex_unlock(&kpt_mutex);
		if (is_done)
			break;
		msleep(20);
	}
	if (readers)
		destroy_workqueue(readers);
	/* Nobody queues it any more. */
	cancel_delayed_work_sync(&tidy_work);
}

#endif
