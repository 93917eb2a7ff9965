// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find tracepoints, and register them to match their hooks. All functions run in
 * process context with kpt_mutex held.
 *
 * The kernel calls a registered function where RCU watches. It may do so until
 * tracepoint_synchronize_unregister() has returned after the function was
 * unregistered. Handlers are replaced as those of points are: the thunk loads them
 * with interrupts masked, which kpt_arch_quiesce() waits for.
 */
#include "kernel/compat.h"
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <trace/syscall.h>
#include "arch.h"
#include "engine/tracepoint.h"
#include "kernel/symbol/coming.h"
#include "kernel/ksyms.h"
#include "kernel/lock.h"
#include "lib/base/diag.h"
#include "lib/record/record.h"

#ifdef CONFIG_TRACEPOINTS

static LIST_HEAD(tracepoints);

/**
 * struct tracepoint_search - a search by name
 * @name: the name
 * @found: the tracepoint, NULL if there is none
 */
struct tracepoint_search {
	const char *name;
	struct tracepoint *found;
};

static void search_kernel(struct tracepoint *tp, void *data)
{
	struct tracepoint_search *s = data;

	if (!strcmp(tp->name, s->name))
		s->found = tp;
}

/* A module that nobody would tell us of before it is freed has none. Returns 1 if found. */
static int search_module(void *data, const struct module *mod)
{
	struct tracepoint_search *s = data;
	unsigned int i;

	if (!kpt_module_is_usable(mod))
		return 0;
	for (i = 0; i < mod->num_tracepoints; i++)
		search_kernel(tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]), s);
	return s->found ? 1 : 0;
}

/**
 * kpt_tracepoint_find() - find the kernel's object of a tracepoint that it always has
 * @name: its name
 *
 * Context: process context.
 * Return: the object, or NULL.
 */
struct tracepoint *kpt_tracepoint_find(const char *name)
{
	struct tracepoint_search s = { .name = name };

	for_each_kernel_tracepoint(search_kernel, &s);
	return s.found;
}

static struct tracepoint *tracepoint_find(const char *name,
					  const struct module *mod)
{
	struct tracepoint_search s = { .name = name };

	if (mod) {
		search_module(&s, mod);
		return s.found;
	}
	s.found = kpt_tracepoint_find(name);
	if (!s.found)
		kpt_ksyms_visit_modules(search_module, &s);
	return s.found;
}

static void search_first(struct tracepoint *tp, void *data)
{
	struct tracepoint **first = data;

	*first = *first ?: tp;
}

/*
 * Is what tracepoints call checked by tables, in which no thunk can have an entry? Android's
 * kernels do not check it. One macro makes all callers, so one of them tells.
 */
static bool tracepoints_need_table(void)
{
	struct tracepoint *first = NULL;

	if (!KPT_CFI_TABLES)
		return false;
	for_each_kernel_tracepoint(search_first, &first);
	return !first || kpt_arch_checks_calls(kpt_tracepoint_func(first));
}

static struct kpt_tracepoint *tracepoint_make(struct tracepoint *tp,
					      struct kpt_diag *diag)
{
	unsigned long stub = kpt_tracepoint_stub(tp);
	struct kpt_tracepoint *tracepoint;
	u32 type;

	if (tracepoints_need_table() || !kpt_arch_called_type(kpt_tracepoint_func(tp), &type)) {
		kpt_diag_set(diag, KPT_E_TRACEPOINT_TYPE, 0, 0);
		return ERR_PTR(-EOPNOTSUPP);
	}
	tracepoint = kzalloc(sizeof(*tracepoint), GFP_KERNEL);
	if (!tracepoint)
		return ERR_PTR(-ENOMEM);
	kpt_hook_make(&tracepoint->hook, KPT_HOOK_TRACEPOINT);
	tracepoint->tp = tp;
	tracepoint->func = stub ?: kpt_arch_function(kpt_tracepoint_func(tp));
	tracepoint->data = tracepoint;
	tracepoint->function = kpt_arch_thunk(type);
	if (!tracepoint->function) {
		kfree(tracepoint);
		return ERR_PTR(-ENOMEM);
	}
	list_add(&tracepoint->list, &tracepoints);
	return tracepoint;
}

static struct kpt_tracepoint *tracepoint_lookup(const struct tracepoint *tp)
{
	struct kpt_tracepoint *tracepoint;

	list_for_each_entry(tracepoint, &tracepoints, list)
		if (tracepoint->tp == tp && tracepoint->data == tracepoint)
			return tracepoint;
	return NULL;
}

/* Tracepoints that are registered with functions that make records. */
static unsigned int nr_records;

static bool tracepoint_makes_records(const struct kpt_tracepoint *tracepoint)
{
	return tracepoint->data != tracepoint;
}

/* Is it kpt_tracepoint_set.all? */
static bool tracepoint_is_set(const struct kpt_tracepoint *tracepoint)
{
	return tracepoint->set && &tracepoint->set->all == tracepoint;
}

#ifdef CONFIG_EVENT_TRACING
static void tracepoint_init(struct kpt_tracepoint *tracepoint,
			    struct trace_event_call *call)
{
	kpt_hook_make(&tracepoint->hook, KPT_HOOK_TRACEPOINT);
	tracepoint->tp = call->tp;
	tracepoint->function = call->class->probe;
	tracepoint->data = &tracepoint->file;
	tracepoint->file.event_call = call;
	tracepoint->file.tr = (void *)kpt_arch_records_ours;
	INIT_LIST_HEAD(&tracepoint->file.triggers);
	tracepoint->users = 1;
	list_add(&tracepoint->list, &tracepoints);
}

/**
 * kpt_tracepoint_make() - let a tracepoint make the records of a static event
 * @call: the event of the kernel
 *
 * Hits take the records that the kernel's own function makes, see
 * arch/arm64/entry/kernel_records.c.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the tracepoint with a reference, or NULL without memory.
 */
struct kpt_tracepoint *kpt_tracepoint_make(struct trace_event_call *call)
{
	struct kpt_tracepoint *tracepoint = kzalloc(sizeof(*tracepoint), GFP_KERNEL);

	lockdep_assert_held(&kpt_mutex);
	if (tracepoint)
		tracepoint_init(tracepoint, call);
	return tracepoint;
}

static struct kpt_tracepoint_set *tracepoint_set_get(struct trace_event_call *all)
{
	struct kpt_tracepoint *tracepoint;
	struct kpt_tracepoint_set *set;

	list_for_each_entry(tracepoint, &tracepoints, list) {
		if (!tracepoint_is_set(tracepoint) || tracepoint->tp != all->tp)
			continue;
		tracepoint->users++;
		return tracepoint->set;
	}
	set = kzalloc(sizeof(*set), GFP_KERNEL);
	if (!set)
		return NULL;
	tracepoint_init(&set->all, all);
	set->all.set = set;
	return set;
}

/**
 * kpt_tracepoint_make_one() - let a tracepoint make the records of one system call
 * @all: the event of all system calls
 * @call: the event of one
 *
 * Hits take the records of @all, which begin with the same bytes.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the tracepoint with a reference, or NULL without memory.
 */
struct kpt_tracepoint *kpt_tracepoint_make_one(struct trace_event_call *all,
					       struct trace_event_call *call)
{
	const struct syscall_metadata *meta = call->data;
	struct kpt_tracepoint_set *set = tracepoint_set_get(all);
	struct kpt_tracepoint *tracepoint = set ? kpt_tracepoint_make(all) : NULL;
	unsigned int words = 1;

	if (!tracepoint) {
		if (set)
			kpt_tracepoint_put(&set->all);
		return NULL;
	}
	if (meta->enter_event == call) {
		words = meta->nb_args;
		tracepoint->user_mask = kpt_syscall_user_mask(meta);
	}
	tracepoint->file.event_call = call;
	tracepoint->set = set;
	tracepoint->nr = meta->syscall_nr;
	tracepoint->size = sizeof(struct kpt_record_head) + (1 + words) * sizeof(u64);
	return tracepoint;
}

#endif

/**
 * kpt_tracepoint_get() - get a tracepoint by name
 * @name: its name
 * @mod: look into this module alone; NULL: into the kernel and all modules
 * @diag: on failure the reason
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the tracepoint with a reference; NULL if there is none of that name; or
 * ERR_PTR(): -EOPNOTSUPP with a reason if this kernel does not allow it, -ENOMEM.
 */
struct kpt_tracepoint *kpt_tracepoint_get(const char *name,
					  const struct module *mod,
					  struct kpt_diag *diag)
{
	struct tracepoint *tp = tracepoint_find(name, mod);
	struct kpt_tracepoint *tracepoint;

	lockdep_assert_held(&kpt_mutex);
	if (!tp)
		return NULL;
	tracepoint = tracepoint_lookup(tp) ?: tracepoint_make(tp, diag);
	if (!IS_ERR(tracepoint))
		tracepoint->users++;
	return tracepoint;
}

/**
 * kpt_tracepoint_unregister() - let a tracepoint not call a function any more
 * @tp: the tracepoint
 * @function: the function
 * @data: its first argument
 *
 * Older kernels allocate memory for that, and fail without it. The function cannot stay,
 * because the caller frees what it uses. So this waits for memory.
 *
 * Context: process context, sleeps. The function may still be called until
 * tracepoint_synchronize_unregister() has returned.
 */
void kpt_tracepoint_unregister(struct tracepoint *tp, void *function, void *data)
{
	while (tracepoint_probe_unregister(tp, function, data) == -ENOMEM)
		msleep(20);
}

static void tracepoint_stop(const struct kpt_tracepoint *tracepoint)
{
	kpt_tracepoint_unregister(tracepoint->tp, tracepoint->function,
				  tracepoint->data);
	nr_records -= tracepoint_makes_records(tracepoint);
}

/* From now on hits of the system call of @tracepoint find @now, or NULL. */
static void tracepoint_set_one(const struct kpt_tracepoint *tracepoint,
			       struct kpt_tracepoint *now)
{
	struct kpt_tracepoint_set *set = tracepoint->set;

	/* Pairs with kpt_hit_syscall_of(). */
	smp_store_release(&set->one[tracepoint->nr], now);
	set->nr += now ? 1 : -1;
}

static void tracepoint_unregister(struct kpt_tracepoint *tracepoint)
{
	tracepoint->registered = false;
	if (tracepoint->set)
		tracepoint_set_one(tracepoint, NULL);
	if (!tracepoint->set)
		tracepoint_stop(tracepoint);
	else if (!tracepoint->set->nr)
		tracepoint_stop(&tracepoint->set->all);
}

/* Wait until no tracepoint calls a function that was unregistered. */
static void tracepoints_synchronize(void)
{
	tracepoint_synchronize_unregister();
	if (!nr_records)
		kpt_arch_records_off();
}

/**
 * kpt_tracepoint_put() - drop a reference
 * @tracepoint: the tracepoint. With the last reference it is unregistered if it
 *	still is registered, and freed
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_tracepoint_put(struct kpt_tracepoint *tracepoint)
{
	lockdep_assert_held(&kpt_mutex);
	if (--tracepoint->users)
		return;
	if (tracepoint->registered) {
		tracepoint_unregister(tracepoint);
		tracepoints_synchronize();
	}
	list_del(&tracepoint->list);
	kpt_hook_fini(&tracepoint->hook);
	if (tracepoint->set && !tracepoint_is_set(tracepoint))
		kpt_tracepoint_put(&tracepoint->set->all);
	/* Or the set that it is the first member of. */
	kfree(tracepoint);
}

static struct kpt_tracepoint *tracepoint_of(struct kpt_hook *hook)
{
	return hook->owner == KPT_HOOK_TRACEPOINT ?
		container_of(hook, struct kpt_tracepoint, hook) : NULL;
}

static int tracepoint_start(const struct kpt_tracepoint *tracepoint,
			    struct kpt_diag *diag)
{
	bool makes_records = tracepoint_makes_records(tracepoint);
	int err = makes_records ? kpt_arch_records_on() : 0;

	err = err ?: tracepoint_probe_register(tracepoint->tp, tracepoint->function,
					       tracepoint->data);
	if (!err) {
		nr_records += makes_records;
		return 0;
	}
	if (diag && err != -ENOMEM)
		kpt_diag_set(diag, KPT_E_FAIL_REG_PROBE, 0, 0);
	if (!nr_records)
		kpt_arch_records_off();
	return err;
}

static int tracepoint_register(struct kpt_tracepoint *tracepoint,
			       struct kpt_diag *diag)
{
	int err = 0;

	if (!tracepoint->set)
		err = tracepoint_start(tracepoint, diag);
	else if (!tracepoint->set->nr)
		err = tracepoint_start(&tracepoint->set->all, diag);
	if (!err && tracepoint->set)
		tracepoint_set_one(tracepoint, tracepoint);
	tracepoint->registered = !err;
	return err;
}

/**
 * kpt_tracepoints_register() - register the tracepoints that have handlers
 * @batch: the hooks to look at; hooks of other owners are skipped
 * @diag: on failure the reason
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or the errno of the kernel, -ENOMEM for instance: then some of the
 * tracepoints may be registered.
 */
int kpt_tracepoints_register(struct kpt_batch *batch, struct kpt_diag *diag)
{
	struct kpt_tracepoint *tracepoint;
	struct kpt_hook *hook;
	int err = 0;

	list_for_each_entry(hook, &batch->hooks, in_batch) {
		tracepoint = tracepoint_of(hook);
		if (!tracepoint || tracepoint->registered ||
		    !kpt_hook_current(hook))
			continue;
		err = tracepoint_register(tracepoint, diag);
		if (err)
			break;
	}
	return err;
}

/**
 * kpt_tracepoints_unregister() - unregister the tracepoints that have no handlers
 * @batch: the hooks to look at; hooks of other owners are skipped
 *
 * When it returns, none of them calls its thunk.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_tracepoints_unregister(struct kpt_batch *batch)
{
	struct kpt_tracepoint *tracepoint;
	struct kpt_hook *hook;
	bool any = false;

	list_for_each_entry(hook, &batch->hooks, in_batch) {
		tracepoint = tracepoint_of(hook);
		if (!tracepoint || !tracepoint->registered ||
		    kpt_hook_current(hook))
			continue;
		tracepoint_unregister(tracepoint);
		any = true;
	}
	if (any)
		tracepoints_synchronize();
}

/**
 * kpt_tracepoints_disarm_all() - unregister every tracepoint
 *
 * After it returns, no hit of a tracepoint runs.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_tracepoints_disarm_all(void)
{
	struct kpt_tracepoint *tracepoint;

	list_for_each_entry(tracepoint, &tracepoints, list)
		if (tracepoint->registered)
			tracepoint_unregister(tracepoint);
	if (!list_empty(&tracepoints))
		tracepoints_synchronize();
}

#endif
