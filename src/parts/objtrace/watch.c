// SPDX-License-Identifier: GPL-2.0-only
/*
 * The event objtrace:object and its probes, the watchers. A hit of a watcher is a record
 * if an argument of the function belongs to an object (watch_hit.c). The event is made
 * with the first watcher and stays, because rings may have records of it.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/security.h>
#include <linux/slab.h>
#include "arming/handlers.h"
#include "arming/sites.h"
#include "event/class.h"
#include "event/use.h"
#include "parts/objtrace/watch.h"
#include "kernel/symbol/symbol.h"

static const char group[] = "objtrace";
static const char name[] = "object";

/* The watchers, but for the one that keeps the event. Changed under kpt_mutex. */
static LIST_HEAD(watchers);

/*
 * The class.
 */

static void watch_free(struct kpt_probe *base)
{
	struct kpt_watcher *watcher = kpt_watcher_of(base);

	kpt_sites_put(base);
	kpt_probe_fini(base);
	kfree(watcher->module);
	kfree(watcher->names);
	kvfree(watcher);
}

static bool watch_is_of(struct kpt_probe *base, const struct kpt_event_file *file)
{
	return !file || kpt_watcher_of(base)->instance == file->instance;
}

static int watch_arm(struct kpt_probe *base, struct kpt_event_file *file,
		     struct kpt_batch *batch, struct kpt_diag *diag)
{
	return watch_is_of(base, file) ? kpt_sites_arm(base, file, batch, diag) : 0;
}

static int watch_disarm(struct kpt_probe *base, struct kpt_event_file *file,
			struct kpt_batch *batch)
{
	return watch_is_of(base, file) ? kpt_sites_disarm(base, file, batch) : 0;
}

/* Take the functions of @module, or all, that match and can be probed. */
static int watch_take(struct kpt_watcher *watcher, const char *module)
{
	unsigned int i, before = watcher->base.sites.nr;
	struct kpt_symbol_list list;
	int err;

	err = kpt_symbol_list(&list, module, watcher->names, true);
	for (i = 0; !err && i < list.nr; i++) {
		struct kpt_diag why = { 0 };

		err = kpt_sites_get_hit(&watcher->base, list.addr[i], list.addr[i],
					 &why);
		if (err != -ENOMEM)
			err = 0;
		cond_resched();
	}
	kpt_symbol_list_free(&list);
	return err ?: watcher->base.sites.nr > before;
}

/* Functions of a module that comes are watched, too. */
static int watch_attach(struct kpt_probe *base, const struct module *mod,
			struct kpt_diag *diag)
{
	struct kpt_watcher *watcher = kpt_watcher_of(base);

	if (!watcher->instance ||
	    (watcher->module && strcmp(watcher->module, mod->name)))
		return 0;
	return watch_take(watcher, mod->name);
}

const struct kpt_event_class kpt_class_watch = {
	.letters = "",
	.log_name = "objtrace",
	.is_unlisted = true,
	.free = watch_free,
	.arm = watch_arm,
	.disarm = watch_disarm,
	.attach = watch_attach,
};

/*
 * The event.
 */

static const struct kpt_use use_watch = {
	.role = KPT_ROLE_WATCH,
	.hit = kpt_hit_watched,
};

static struct kpt_watcher *watcher_alloc(void)
{
	struct kpt_watcher *watcher = kvzalloc(sizeof(*watcher), GFP_KERNEL);

	if (!watcher)
		return NULL;
	INIT_LIST_HEAD(&watcher->list);
	watcher->base.use = &use_watch;
	if (!kpt_probe_init_shaped(&watcher->base, &kpt_fields_object))
		return watcher;
	watch_free(&watcher->base);
	return NULL;
}

/* Make the event, with a probe that has no functions. */
static struct kpt_event *watch_make_event(void)
{
	struct kpt_watcher *keeper = watcher_alloc();
	struct kpt_event *event;

	if (!keeper)
		return ERR_PTR(-ENOMEM);
	event = kpt_event_make(&kpt_class_watch, group, name, &kpt_fields_object);
	if (IS_ERR(event)) {
		watch_free(&keeper->base);
		return event;
	}
	kpt_event_add_probe(event, &keeper->base);
	if (!kpt_event_files_add(event))
		return event;
	kpt_event_discard(event);
	return ERR_PTR(-ENOMEM);
}

/**
 * kpt_watch_file() - find objtrace:object, make it if it is not there
 * @instance: the instance
 * @diag: result: the reason if there is another event of that name
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the event in @instance; ERR_PTR(): -EEXIST if there is another event of that
 * name, -ENOSPC if all event numbers are in use, -ENOMEM.
 */
struct kpt_event_file *kpt_watch_file(const struct kpt_instance *instance,
				      struct kpt_diag *diag)
{
	struct kpt_event *event = kpt_event_find(group, name) ?: watch_make_event();

	lockdep_assert_held(&kpt_mutex);
	if (IS_ERR(event))
		return ERR_CAST(event);
	if (event->class != &kpt_class_watch)
		return ERR_PTR(kpt_diag_set(diag, KPT_E_OBJTRACE_NAME_TAKEN, 0,
					    -EEXIST));
	return kpt_event_file_of(event, instance);
}

/*
 * Watchers.
 */

static int watch_fill_in(struct kpt_watcher *watcher, const struct kpt_watch *watch,
			 struct kpt_diag *diag)
{
	int taken;

	kpt_pool_init(&watcher->pool, watch->size);
	watcher->value = watch->value;
	watcher->names = kstrdup(watch->names, GFP_KERNEL);
	if (watch->module)
		watcher->module = kstrdup(watch->module, GFP_KERNEL);
	if (!watcher->names || (watch->module && !watcher->module))
		return -ENOMEM;
	taken = watch_take(watcher, watcher->module);
	if (!taken)
		return kpt_diag_set(diag, KPT_E_OBJTRACE_NO_FUNCTION, 0, -EINVAL);
	/* The module is not loaded: its functions will be watched when it comes. */
	return taken < 0 && taken != -ENXIO ? taken : 0;
}

/* If the event is armed, arm the new watcher, too. */
static int watch_arm_joined(struct kpt_watcher *watcher, struct kpt_event_file *file)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	struct kpt_diag diag = { 0 };
	int err = security_locked_down(LOCKDOWN_KPROBES);

	if (err || !kpt_event_file_armed(file))
		return err;
	err = kpt_sites_arm(&watcher->base, file, &batch, &diag);
	if (err == -EBUSY)
		kpt_probe_complain(&watcher->base, &file->instance->errlog, &diag);
	return kpt_event_file_batch_finish(&batch, err, &file->instance->errlog);
}

/**
 * kpt_watch_begin() - watch some functions
 * @file: from kpt_watch_file()
 * @watch: which functions, and what is read of objects
 * @diag: result: the reason if no function can be watched
 *
 * The functions are armed while @file is. The pool of objects is empty.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the watcher; ERR_PTR(): -EINVAL if no function can be watched, -EBUSY if other
 * code has patched all of them, -EPERM while the kernel is locked down, -ENOMEM, -EIO.
 */
struct kpt_watcher *kpt_watch_begin(struct kpt_event_file *file,
				    const struct kpt_watch *watch,
				    struct kpt_diag *diag)
{
	struct kpt_watcher *watcher = watcher_alloc();
	int err;

	lockdep_assert_held(&kpt_mutex);
	if (!watcher)
		return ERR_PTR(-ENOMEM);
	watcher->instance = file->instance;
	watcher->base.event = file->event;
	err = watch_fill_in(watcher, watch, diag) ?: watch_arm_joined(watcher, file);
	if (err) {
		watch_free(&watcher->base);
		return ERR_PTR(err);
	}
	kpt_event_add_probe(file->event, &watcher->base);
	list_add_tail_rcu(&watcher->list, &watchers);
	return watcher;
}

/**
 * kpt_watch_end() - the reverse of kpt_watch_begin()
 * @watcher: the watcher; no trigger adds objects any more
 *
 * This cannot fail: without memory for shorter lists of handlers, wait for some. If other
 * code changes text at the same time, do it again.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_watch_end(struct kpt_watcher *watcher)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);

	lockdep_assert_held(&kpt_mutex);
	while (kpt_sites_disarm(&watcher->base, NULL, &batch) ||
	       kpt_batch_apply(&batch, NULL))
		msleep(20);
	list_del_rcu(&watcher->list);
	/* Wait for hits that walk the list. */
	kpt_arch_quiesce();
	list_del(&watcher->base.sibling);
	list_del(&watcher->base.list);
	watch_free(&watcher->base);
}

/**
 * kpt_watch_forget() - take an object out of all pools of an instance
 * @instance: the instance
 * @object: the object, above 1
 *
 * Context: BRK.
 */
void kpt_watch_forget(const struct kpt_instance *instance, u64 object)
{
	struct kpt_watcher *watcher;

	list_for_each_entry_lockless(watcher, &watchers, list)
		if (watcher->instance == instance)
			kpt_pool_remove(&watcher->pool, object);
}

/**
 * kpt_watch_read_counts() - add up what all watchers have
 * @sum: result
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_watch_read_counts(struct kpt_watch_counts *sum)
{
	const struct kpt_watcher *watcher;

	*sum = (struct kpt_watch_counts){ 0 };
	list_for_each_entry(watcher, &watchers, list) {
		sum->functions += watcher->base.sites.nr;
		sum->objects += READ_ONCE(watcher->pool.nr);
		sum->refused += READ_ONCE(watcher->pool.refused);
	}
}
