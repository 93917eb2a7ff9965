// SPDX-License-Identifier: GPL-2.0-only
/*
 * Points by address, which are armed and disarmed to match their hooks.
 *
 * A hit finds its point without a lock: points are linked and unlinked as for
 * RCU, but freed only after kpt_arch_quiesce(), because hits also happen where RCU
 * is not watching. All writers hold kpt_mutex.
 */
#include "kernel/compat.h"
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include "engine/point.h"
#include "kernel/symbol/blacklist.h"
#include "kernel/ksyms.h"
#include "kernel/lock.h"

struct hlist_head *kpt_points __read_mostly;

/* kmalloc() takes 256 bytes for a point on older kernels. */
static struct kmem_cache *point_cache;

static void free_work(struct work_struct *work);

/* Unlinked points that a hit on another CPU may still read: @hook.in_batch. Under kpt_mutex. */
static LIST_HEAD(dead);
static DECLARE_WORK(free_dead, free_work);

static struct kpt_point *point_of(struct kpt_arch_point *ap)
{
	return container_of(ap, struct kpt_point, arch);
}

/* Is the place a breakpoint without a stub? */
static bool role_traps(enum kpt_role role)
{
	return role == KPT_ROLE_TRAP || role == KPT_ROLE_AFTER;
}

static struct kpt_point *point_make(unsigned long addr, enum kpt_role role,
				    struct kpt_diag *diag)
{
	struct kpt_point *point;
	int err;

	err = kpt_blacklist_check(addr, diag);
	if (err)
		return ERR_PTR(err);
	point = kmem_cache_zalloc(point_cache, GFP_KERNEL);
	if (!point)
		return ERR_PTR(-ENOMEM);
	point->arch.addr = addr;
	point->arch.after = role == KPT_ROLE_AFTER;
	point->arch.trap = role_traps(role);
	kpt_hook_make(&point->hook, KPT_HOOK_POINT);
	err = kpt_arch_prepare(&point->arch, diag);
	if (err) {
		kmem_cache_free(point_cache, point);
		return ERR_PTR(err);
	}
	hlist_add_head_rcu(&point->arch.node, kpt_point_row(addr));
	return point;
}

/**
 * kpt_point_check() - is a point armed, or can it be armed?
 * @point: the point
 * @diag: if not, the reason
 *
 * Context: process context, kpt_mutex held.
 * Return: 0, or -EBUSY if its text was changed by other code than kptrace.
 */
int kpt_point_check(struct kpt_point *point, struct kpt_diag *diag)
{
	return point->gone ? 0 : kpt_arch_check_text(&point->arch, diag);
}

/* Can a point that is there take the role? Its mode does not change. */
static int point_check_role(struct kpt_point *point, enum kpt_role role,
			    struct kpt_diag *diag)
{
	if (role_traps(role) && kpt_arch_has_stub(&point->arch))
		return kpt_diag_set(diag, KPT_E_OTHER_MODE, 0, -EBUSY);
	if (role != KPT_ROLE_AFTER)
		return 0;
	if (point->arch.mode == KPT_MODE_BOOSTED)
		return kpt_diag_set(diag, KPT_E_OTHER_SLOT, 0, -EBUSY);
	return kpt_arch_check_after(&point->arch, diag);
}

static bool point_has_users(const struct kpt_point *point)
{
	return memchr_inv(point->users, 0, sizeof(point->users));
}

/* Let a point that is there take a role. Returns 0, -EBUSY or -EINVAL with a reason. */
static int point_take(struct kpt_point *point, enum kpt_role role, struct kpt_diag *diag)
{
	int err = point_check_role(point, role, diag);

	if (err)
		return err;
	if (kpt_point_check(point, diag))
		return -EINVAL;
	if (!point_has_users(point))
		kpt_arch_abandon(&point->arch, false);
	/* Without such a handler this makes no difference to a hit. */
	if (role_traps(role))
		WRITE_ONCE(point->arch.trap, true);
	if (role == KPT_ROLE_AFTER)
		WRITE_ONCE(point->arch.after, true);
	return 0;
}

/*
 * May a place be probed? One that has a point may, as it was asked about before. If that is
 * armed, the word there is a branch or BRK of ours, and the kernel would look through all of
 * its tables for it.
 */
static int point_check_place(unsigned long addr, struct kpt_diag *diag)
{
	return kpt_point_find(addr) ? 0 : kpt_blacklist_check(addr, diag);
}

/**
 * kpt_can_probe() - may an instruction be probed?
 * @addr: its address
 * @mode: result: how it can be probed
 * @diag: on failure the reason
 *
 * Checks if the place may be probed, and if the instruction can be.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -EINVAL.
 */
int kpt_can_probe(unsigned long addr, enum kpt_mode *mode,
		  struct kpt_diag *diag)
{
	struct kpt_arch_point point = { .addr = addr };
	int err;

	err = point_check_place(addr, diag);
	if (!err)
		err = kpt_arch_check(&point, diag);
	*mode = point.mode;
	return err;
}

/**
 * kpt_can_list() - may an instruction be probed, other users of it aside?
 * @addr: its address
 * @diag: on failure the reason
 *
 * For lists of functions: they must not change because a kernel kprobe comes or goes.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -EINVAL.
 */
int kpt_can_list(unsigned long addr, struct kpt_diag *diag)
{
	struct kpt_arch_point point = { .addr = addr };

	return point_check_place(addr, diag) ?: kpt_arch_check_bare(&point, diag);
}

/**
 * kpt_point_get() - get the point at an address, create it if there is none
 * @addr: address of an instruction
 * @role: role of the site
 * @diag: on refusal the one exact reason
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the point with a reference, or ERR_PTR(): -EINVAL with a reason; -EBUSY if
 * a probe there gave it a stub or a slot that does not do for @role; -ENOMEM.
 */
struct kpt_point *kpt_point_get(unsigned long addr, enum kpt_role role,
				struct kpt_diag *diag)
{
	struct kpt_arch_point *ap = kpt_point_find(addr);
	struct kpt_point *point = ap ? point_of(ap) : NULL;
	int err;

	lockdep_assert_held(&kpt_mutex);
	if (point) {
		err = point_take(point, role, diag);
		if (err)
			return ERR_PTR(err);
	} else {
		point = point_make(addr, role, diag);
		if (IS_ERR(point))
			return point;
	}
	point->users[role]++;
	return point;
}

/*
 * Free what is dead by now, however much, after one wait. Nobody waits for that with kpt_mutex
 * held: another CPU may be late, and who puts all functions has many points.
 */
static void free_work(struct work_struct *work)
{
	struct kpt_point *point, *next;
	unsigned int nr = 0;
	LIST_HEAD(points);

	mutex_lock(&kpt_mutex);
	list_splice_init(&dead, &points);
	mutex_unlock(&kpt_mutex);
	kpt_arch_quiesce();
	mutex_lock(&kpt_mutex);
	list_for_each_entry_safe(point, next, &points, hook.in_batch) {
		kpt_hook_fini(&point->hook);
		kmem_cache_free(point_cache, point);
		if (++nr % KPT_PIECE == 0)
			kpt_mutex_yield();
	}
	mutex_unlock(&kpt_mutex);
}

/* Free a point later, but not its slot. */
static void point_bury(struct kpt_point *point)
{
	list_add(&point->hook.in_batch, &dead);
	schedule_work(&free_dead);
}

/* Free a point later. It has no user, and new hits do not find it. */
static void point_retire(struct kpt_point *point)
{
	kpt_arch_release(&point->arch);
	point_bury(point);
}

/**
 * kpt_point_put() - drop a reference
 * @point: the point; when the last reference is dropped, it must be disarmed, and
 *	kpt_batch_apply() must have returned since
 * @role: as for kpt_point_get()
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_point_put(struct kpt_point *point, enum kpt_role role)
{
	lockdep_assert_held(&kpt_mutex);
	point->users[role]--;
	if (point_has_users(point))
		return;
	if (!point->gone && kpt_arch_may_return(&point->arch)) {
		kpt_arch_abandon(&point->arch, true);
		return;
	}
	if (!point->gone)
		hlist_del_rcu(&point->arch.node);
	point_retire(point);
}

/**
 * struct work_list - points that are armed or disarmed together
 * @ap: the points
 * @nr: number of points
 * @room: how many points fit
 * @few: @ap at first, and if there is no memory for more; that costs more machine stops
 */
struct work_list {
	struct kpt_arch_point **ap;
	unsigned int nr;
	unsigned int room;
	struct kpt_arch_point *few[16];
};

static void work_init(struct work_list *w)
{
	w->ap = w->few;
	w->nr = 0;
	w->room = ARRAY_SIZE(w->few);
}

static void work_fini(struct work_list *w)
{
	if (w->ap != w->few)
		kvfree(w->ap);
}

static bool work_grow(struct work_list *w)
{
	struct kpt_arch_point **larger = kvmalloc_array(2 * w->room, sizeof(*larger),
							GFP_KERNEL | __GFP_NOWARN);

	if (!larger)
		return false;
	memcpy(larger, w->ap, w->nr * sizeof(*larger));
	work_fini(w);
	w->ap = larger;
	w->room *= 2;
	return true;
}

static int work_flush(struct work_list *w, bool arm, struct kpt_diag *diag)
{
	int err = 0;

	if (arm)
		err = kpt_arch_arm(w->ap, w->nr, diag);
	else
		kpt_arch_disarm(w->ap, w->nr);
	w->nr = 0;
	return err;
}

static int work_add(struct work_list *w, struct kpt_point *point, bool arm,
		    struct kpt_diag *diag)
{
	int err = w->nr == w->room && !work_grow(w) ? work_flush(w, arm, diag) : 0;

	w->ap[w->nr++] = &point->arch;
	return err;
}

/*
 * May a point that has a list now be armed? If it had one before, and other code has changed
 * its text since, leave it as it is: changing its handlers must not fail for that.
 */
static bool point_may_arm(struct kpt_point *point)
{
	struct kpt_diag diag;

	return !point->hook.next || !kpt_point_check(point, &diag);
}

/**
 * kpt_points_patch() - arm or disarm points to match their lists of handlers
 * @batch: the hooks to look at; hooks that are not part of a point are skipped
 * @arm: true: arm the points that have a list and are not armed; false: disarm the
 *	points that have no list and are armed
 * @diag: on failure the reason; or NULL
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or -EIO from kpt_arch_arm(), which has undone its own changes: only
 * some of the points may be armed then. Disarming does not fail.
 */
int kpt_points_patch(struct kpt_batch *batch, bool arm, struct kpt_diag *diag)
{
	struct kpt_point *point;
	struct kpt_hook *hook;
	struct work_list w;
	int err = 0;

	lockdep_assert_held(&kpt_mutex);
	work_init(&w);
	list_for_each_entry(hook, &batch->hooks, in_batch) {
		if (hook->owner != KPT_HOOK_POINT)
			continue;
		point = container_of(hook, struct kpt_point, hook);
		if (point->gone || !kpt_hook_current(hook) == arm ||
		    kpt_arch_is_armed(&point->arch) == arm ||
		    (arm && !point_may_arm(point)))
			continue;
		err = work_add(&w, point, arm, diag);
		if (err)
			break;
	}
	if (!err)
		err = work_flush(&w, arm, diag);
	work_fini(&w);
	return err;
}

/*
 * Disarm points before they leave the hash: a BRK without a point is an oops.
 * Returns true if @is_going is true for any point.
 */
static bool points_disarm_going(const struct module *mod, kpt_going_t is_going)
{
	struct kpt_point *point;
	struct work_list w;
	bool any = false;
	unsigned int i;

	work_init(&w);
	for (i = 0; i < KPT_POINT_ROWS; i++) {
		hlist_for_each_entry(point, &kpt_points[i], arch.node) {
			if (!is_going(point->arch.addr, mod))
				continue;
			any = true;
			if (kpt_arch_is_armed(&point->arch))
				work_add(&w, point, false, NULL);
		}
	}
	if (w.nr)
		work_flush(&w, false, NULL);
	work_fini(&w);
	return any;
}

/**
 * kpt_points_forget() - unlink the points in module text that is about to be freed
 * @mod: the module
 * @is_going: is an address in that text?
 *
 * Disarms the points that are still armed there, and removes all from the hash.
 * They stay allocated, marked @gone, until their last user puts them.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_points_forget(const struct module *mod, kpt_going_t is_going)
{
	struct kpt_point *point;
	struct hlist_node *next;
	unsigned int i;

	lockdep_assert_held(&kpt_mutex);
	if (!points_disarm_going(mod, is_going))
		return;
	for (i = 0; i < KPT_POINT_ROWS; i++) {
		hlist_for_each_entry_safe(point, next, &kpt_points[i], arch.node) {
			if (!is_going(point->arch.addr, mod))
				continue;
			hlist_del_rcu(&point->arch.node);
			point->gone = true;
			if (point_has_users(point))
				continue;
			kpt_arch_abandon(&point->arch, false);
			point_retire(point);
		}
	}
	kpt_arch_quiesce();
}

/**
 * kpt_points_disarm_all() - disarm every point
 *
 * Needs no memory and cannot fail, so that the module can always be unloaded. After
 * it returns, no hit runs, and no point has handlers.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_points_disarm_all(void)
{
	struct kpt_point *point;
	struct work_list w;
	unsigned int i;

	lockdep_assert_held(&kpt_mutex);
	work_init(&w);
	for (i = 0; i < KPT_POINT_ROWS; i++) {
		hlist_for_each_entry(point, &kpt_points[i], arch.node) {
			point->hook.next = kpt_hook_current(&point->hook);
			RCU_INIT_POINTER(point->hook.handlers, NULL);
			kpt_arch_recorder_set(&point->arch, NULL);
			if (kpt_arch_is_armed(&point->arch))
				work_add(&w, point, false, NULL);
		}
	}
	if (w.nr)
		work_flush(&w, false, NULL);
	work_fini(&w);
	kpt_arch_quiesce();
	for (i = 0; i < KPT_POINT_ROWS; i++) {
		hlist_for_each_entry(point, &kpt_points[i], arch.node) {
			kpt_hook_list_free(point->hook.next);
			point->hook.next = NULL;
		}
	}
}

/**
 * kpt_points_free_unused() - free points that were left because they might return
 *
 * Other code had patched over them. Of a branch that may still be restored, the stub
 * stays: it passes through, and has no point.
 *
 * Context: module unload, kpt_mutex held, after kpt_points_disarm_all() and after all
 * users have put their points.
 */
void kpt_points_free_unused(void)
{
	struct kpt_point *point;
	struct hlist_node *next;
	unsigned int i;

	lockdep_assert_held(&kpt_mutex);
	for (i = 0; i < KPT_POINT_ROWS; i++) {
		hlist_for_each_entry_safe(point, next, &kpt_points[i], arch.node) {
			if (point_has_users(point))
				continue;
			hlist_del_rcu(&point->arch.node);
			if (point->arch.mode == KPT_MODE_JUMP &&
			    kpt_arch_may_return(&point->arch)) {
				point_bury(point);
				continue;
			}
			kpt_arch_abandon(&point->arch, false);
			point_retire(point);
		}
	}
}

/* Shown in kprobes/list for points that return events use. */
static const char *const role_names[KPT_NR_ROLES] = {
	[KPT_ROLE_HIT] = "",
	[KPT_ROLE_RETURN] = "[RETURN]",
	[KPT_ROLE_ENTRY] = "[ENTRY]",
	[KPT_ROLE_REPLACE] = "[HOOK]",
	[KPT_ROLE_TRAP] = "",
	[KPT_ROLE_AFTER] = "[AFTER]",
	[KPT_ROLE_WATCH] = "[WATCH]",
	[KPT_ROLE_TRIGGER] = "[TRIGGER]",
	[KPT_ROLE_REPEATS] = "",
	[KPT_ROLE_MAX_STACK] = "[STACK]",
};

/* Is the place probed itself, not only for returns? */
static bool point_is_hit(const struct kpt_point *point)
{
	return point->users[KPT_ROLE_HIT] || point->users[KPT_ROLE_TRAP] ||
	       point->users[KPT_ROLE_AFTER] || point->users[KPT_ROLE_WATCH] ||
	       point->users[KPT_ROLE_TRIGGER] || point->users[KPT_ROLE_REPEATS] ||
	       point->users[KPT_ROLE_MAX_STACK];
}

static void point_show(struct seq_file *m, const struct kpt_point *point)
{
	bool may_see = kpt_ksyms_may_show(m->file);
	char name[KSYM_SYMBOL_LEN];
	char *size, *module;
	enum kpt_role role;

	sprint_symbol(name, point->arch.addr);
	module = strchr(name, '[');
	size = strchr(name, '/');
	if (size)
		*size = '\0';
	seq_printf(m, "%px  %c  %s  %s [%s]%s",
		   may_see ? (void *)point->arch.addr : NULL,
		   point_is_hit(point) ? 'k' : 'r', name,
		   module ?: "", kpt_arch_mode_name(point->arch.mode),
		   point->arch.armed ? "" : "[DISABLED]");
	if (kpt_arch_is_overwritten(&point->arch))
		seq_puts(m, "[OVERWRITTEN]");
	if (point->arch.no_jump)
		seq_printf(m, "[no jump: %s]", point->arch.no_jump);
	for (role = 0; role < KPT_NR_ROLES; role++)
		if (point->users[role])
			seq_puts(m, role_names[role]);
	seq_putc(m, '\n');
}

/**
 * kpt_point_seq_show() - print some lines of kprobes/list, one per point
 * @m: the open file
 * @nth: a number below KPT_POINT_ROWS: each point is in one of these rows
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_point_seq_show(struct seq_file *m, unsigned int nth)
{
	const struct kpt_point *point;

	lockdep_assert_held(&kpt_mutex);
	hlist_for_each_entry(point, &kpt_points[nth], arch.node)
		point_show(m, point);
}

/**
 * kpt_point_init() - make the address hash and the cache of points
 *
 * Context: module load.
 * Return: 0 or -ENOMEM.
 */
int kpt_point_init(void)
{
	kpt_points = kvcalloc(KPT_POINT_ROWS, sizeof(*kpt_points), GFP_KERNEL);
	point_cache = KMEM_CACHE(kpt_point, 0);
	if (kpt_points && point_cache)
		return 0;
	kmem_cache_destroy(point_cache);
	kvfree(kpt_points);
	return -ENOMEM;
}

/**
 * kpt_point_exit() - free the address hash and the cache of points
 *
 * Context: module unload; no point is left.
 */
void kpt_point_exit(void)
{
	cancel_work_sync(&free_dead);
	free_work(NULL);
	kmem_cache_destroy(point_cache);
	kvfree(kpt_points);
}
