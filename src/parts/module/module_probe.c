// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes of other modules. Their hits call functions there; there is no record, no
 * event and no instance. Declared for those modules in include/kptrace.h.
 */
#include "kernel/compat.h"
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <kptrace.h>
#include "arming/sites.h"
#include "event/event.h"
#include "event/use.h"
#include "arming/handlers.h"
#include "parts/module/module_probe.h"
#include "kernel/lock.h"
#include "kernel/symbol/symbol.h"

/**
 * struct kpt_module_probe - a registered probe of another module
 * @base: the part that probes of events have, too
 * @functions: what its hits call
 * @list: in @module_probes
 * @owner: the module that registered it
 * @armed: hits call its functions
 */
struct kpt_module_probe {
	struct kpt_probe base;
	struct kptrace_probe *functions;
	struct list_head list;
	const struct module *owner;
	bool armed;
};

/* All registered probes, under kpt_mutex. */
static LIST_HEAD(module_probes);
static unsigned int module_probes_nr;

static struct kptrace_probe *probe_functions(const struct kpt_probe *probe)
{
	return container_of(probe, struct kpt_module_probe, base)->functions;
}

#define CALLS_FUNCTIONS .keeps_start = true, .functions = probe_functions

static const struct kpt_use use_pre = {
	.role = KPT_ROLE_HIT,
	.hit = kpt_hit_function_only,
	CALLS_FUNCTIONS,
};

/* The function may change the PC. */
static const struct kpt_use use_pc = {
	.role = KPT_ROLE_TRAP,
	CALLS_FUNCTIONS,
};

static const struct kpt_use use_post = {
	.role = KPT_ROLE_AFTER,
	CALLS_FUNCTIONS,
};

static const struct kpt_use use_ret = {
	CALLS_FUNCTIONS,
};

static const struct kpt_use *functions_use(const struct kptrace_probe *p)
{
	if (p->ret)
		return &use_ret;
	if (p->post)
		return &use_post;
	return p->flags & KPTRACE_PC ? &use_pc : &use_pre;
}

/* Nothing is fetched. With $elapsed, calls are kept from the entry on. */
static struct kpt_fetch_prog prog_plain;
static struct kpt_fetch_prog prog_keeps = { .needs_elapsed = true };

static bool functions_fit(const struct kptrace_probe *p)
{
	bool hits = p->pre || p->post;

	if (p->kptrace || hits == !!p->ret || p->data_size > KPTRACE_DATA_MAX)
		return false;
	if (!p->ret && (p->entry || p->data_size || p->maxactive))
		return false;
	return !p->data_size || p->entry;
}

static bool place_is_pattern(const struct kptrace_probe *p)
{
	return p->place && strpbrk(p->place, "*?[,");
}

/* The place as a definition: that is how its grammar and its mistakes are known. */
static int place_parse(const struct kptrace_probe *p, struct kpt_def *def,
		       struct kpt_diag *diag)
{
	char *line;
	int err;

	line = p->place ? kasprintf(GFP_KERNEL, "%c %s",
				    place_is_pattern(p) ? 'f' : 'p', p->place) :
			  kasprintf(GFP_KERNEL, "p 0x%lx", p->addr);
	if (!line)
		return -ENOMEM;
	err = kpt_def_parse(def, line, strlen(line), diag);
	kfree(line);
	if (!err && (def->kind != KPT_DEF_PROBE || def->nr_args))
		err = kpt_diag_set(diag, KPT_E_BAD_PROBE_ADDR, 0, -EINVAL);
	return err;
}

static int place_look_up(const struct kpt_def *def, unsigned long *addr,
			 struct kpt_diag *diag)
{
	char *module = kpt_probe_dup_span(def, &def->module);
	char *symbol = kpt_probe_dup_span(def, &def->symbol);
	int err = -ENOMEM;

	if (symbol && (module || !def->module.len))
		err = kpt_symbol_lookup(module, symbol, addr);
	*addr += def->offset;
	kfree(module);
	kfree(symbol);
	switch (err) {
	case 0:
	case -ENOMEM:
		return err;
	case -ENXIO:
		return kpt_diag_set(diag, KPT_E_NO_MODULE, 0, -ENOENT);
	case -EADDRNOTAVAIL:
		return kpt_diag_set(diag, KPT_E_NON_UNIQ_SYMBOL, 0, err);
	default:
		return kpt_diag_set(diag, KPT_E_BAD_PROBE_ADDR, 0, -ENOENT);
	}
}

static int probe_take(struct kpt_probe *probe, unsigned long addr, bool is_entry,
		      struct kpt_diag *diag)
{
	const struct kptrace_probe *p = probe_functions(probe);

	if (!p->ret)
		return kpt_sites_get_hit(probe, addr, is_entry ? addr : 0,
					  diag);
	if (!is_entry)
		return kpt_diag_set(diag, KPT_E_BAD_RETPROBE, 0, -EINVAL);
	return kpt_sites_get_returns(probe, addr, KPT_METHOD_ANY,
				      min(p->maxactive, KPT_MAXACTIVE_MAX + 0U),
				      diag);
}

static int probe_take_place(struct kpt_probe *probe, const struct kpt_def *def,
			    struct kpt_diag *diag)
{
	unsigned long addr = def->address, start, size;
	bool is_entry;
	int err = 0;

	if (def->symbol.len)
		err = place_look_up(def, &addr, diag);
	if (err)
		return err;
	is_entry = !kpt_symbol_range(addr, &start, &size) && start == addr;
	err = probe_take(probe, addr, is_entry, diag);
	if (!err)
		probe_functions(probe)->addr = addr;
	return err;
}

/* Take all functions that can be probed; without any, the first one's reason. */
static int probe_take_list(struct kpt_probe *probe,
			   const struct kpt_symbol_list *list,
			   struct kpt_diag *diag)
{
	unsigned int i, taken = 0;
	int err;

	for (i = 0; i < list->nr; i++) {
		struct kpt_diag why = { 0 };

		err = kpt_lock_is_killed();
		if (!err)
			err = probe_take(probe, list->addr[i], true, &why);
		if (err == -ENOMEM || err == -EINTR)
			return err;
		taken += !err;
		if (err && diag->code == KPT_E_NONE)
			*diag = why;
		cond_resched();
	}
	if (!taken && diag->code == KPT_E_NONE)
		return kpt_diag_set(diag, KPT_E_BAD_PROBE_ADDR, 0, -ENOENT);
	return taken ? 0 : -EINVAL;
}

static int probe_take_pattern(struct kpt_probe *probe, const struct kpt_def *def,
			      struct kpt_diag *diag)
{
	char *module = kpt_probe_dup_span(def, &def->module);
	char *names = kpt_probe_dup_span(def, &def->symbol);
	struct kpt_symbol_list list = { 0 };
	int err = -ENOMEM;

	if (names && (module || !def->module.len))
		err = kpt_symbol_list(&list, module, names, true);
	if (err == -ENXIO)
		err = kpt_diag_set(diag, KPT_E_NO_MODULE, 0, -ENOENT);
	if (!err)
		err = probe_take_list(probe, &list, diag);
	if (!err)
		probe_functions(probe)->addr = 0;
	kpt_symbol_list_free(&list);
	kfree(module);
	kfree(names);
	return err;
}

static int probe_fill_in(struct kpt_module_probe *probe, struct kpt_diag *diag)
{
	struct kptrace_probe *p = probe->functions;
	struct kpt_def *def;
	int err;

	def = kvmalloc(sizeof(*def), GFP_KERNEL);
	if (!def)
		return -ENOMEM;
	err = place_parse(p, def, diag);
	if (!err)
		err = place_is_pattern(p) ?
			probe_take_pattern(&probe->base, def, diag) :
			probe_take_place(&probe->base, def, diag);
	kvfree(def);
	return err;
}

static struct kpt_module_probe *probe_make(struct kptrace_probe *p,
					   const struct module *owner,
					   struct kpt_diag *diag)
{
	struct kpt_module_probe *probe;
	int err;

	if (!functions_fit(p))
		return ERR_PTR(kpt_diag_set(diag, KPT_E_BAD_HANDLERS, 0, -EINVAL));
	probe = kzalloc(sizeof(*probe), GFP_KERNEL);
	if (!probe)
		return ERR_PTR(-ENOMEM);
	probe->owner = owner;
	probe->functions = p;
	probe->base.use = functions_use(p);
	probe->base.prog = p->entry ? &prog_keeps : &prog_plain;
	err = probe_fill_in(probe, diag);
	if (err) {
		kpt_sites_put(&probe->base);
		kfree(probe);
		return ERR_PTR(err);
	}
	return probe;
}

/* On failure @at is the one that was refused, or the first of all. */
static int probes_arm(struct kptrace_probe **probes, unsigned int nr,
		      unsigned int *at, struct kpt_diag *diag)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < nr; i++) {
		if (probes[i]->flags & KPTRACE_DISABLED)
			continue;
		*at = i;
		err = kpt_sites_arm(&probes[i]->kptrace->base, NULL, &batch, diag);
	}
	if (err)
		kpt_batch_cancel(&batch);
	else
		*at = 0;
	err = err ?: kpt_batch_apply(&batch, diag);
	for (i = 0; !err && i < nr; i++)
		probes[i]->kptrace->armed =
			!(probes[i]->flags & KPTRACE_DISABLED);
	return err;
}

static int probes_disarm_once(struct kptrace_probe **probes, unsigned int nr)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	struct kpt_module_probe *probe;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		probe = probes[i]->kptrace;
		while (probe && probe->armed &&
		       kpt_sites_disarm(&probe->base, NULL, &batch))
			msleep(20);
	}
	return kpt_batch_apply(&batch, NULL);
}

/*
 * Disarm those probes that are registered, and end their calls. This cannot fail:
 * without memory for a shorter list of handlers, wait for some. If other code changes text
 * at the same time, do it again.
 */
static void probes_disarm(struct kptrace_probe **probes, unsigned int nr,
			  enum kpt_calls_end end)
{
	struct kpt_module_probe *probe;
	bool calls = false;
	unsigned int i;

	while (probes_disarm_once(probes, nr))
		msleep(20);
	for (i = 0; i < nr; i++) {
		probe = probes[i]->kptrace;
		if (!probe)
			continue;
		probe->armed = false;
		calls |= kpt_probe_end_calls(&probe->base, end);
	}
	if (calls)
		kpt_calls_end(end);
}

static void probe_free(struct kptrace_probe *p)
{
	struct kpt_module_probe *probe = p->kptrace;

	if (!probe)
		return;
	p->kptrace = NULL;
	list_del(&probe->list);
	module_probes_nr--;
	kpt_sites_put(&probe->base);
	kpt_probe_free_counts(&probe->base);
	kfree(probe);
}

static void probes_remove(struct kptrace_probe **probes, unsigned int nr)
{
	unsigned int i;

	probes_disarm(probes, nr, KPT_CALLS_ORPHANED);
	for (i = 0; i < nr; i++)
		probe_free(probes[i]);
}

static int probes_add(struct kptrace_probe **probes, unsigned int nr,
		      const struct module *owner, unsigned int *at,
		      struct kpt_diag *diag)
{
	struct kpt_module_probe *probe;
	int err;

	for (*at = 0; *at < nr; ++*at) {
		probe = probe_make(probes[*at], owner, diag);
		err = PTR_ERR_OR_ZERO(probe);
		if (err) {
			probes_remove(probes, *at);
			return err;
		}
		probes[*at]->kptrace = probe;
		list_add_tail(&probe->list, &module_probes);
		module_probes_nr++;
	}
	err = probes_arm(probes, nr, at, diag);
	if (err)
		probes_remove(probes, nr);
	return err;
}

static void error_fill_in(struct kptrace_error *error, unsigned int nr, int err,
			  struct kpt_diag *diag)
{
	error->nr = nr;
	if (err == -EINTR) {
		strscpy(error->reason, "The task is being killed", sizeof(error->reason));
		return;
	}
	if (diag->code == KPT_E_NONE)
		kpt_diag_set(diag, err == -ENOMEM ? KPT_E_NO_MEMORY :
						    KPT_E_BAD_PROBE_ADDR, 0, 0);
	scnprintf(error->reason, sizeof(error->reason), "%s%s%s",
		  kpt_diag_text(diag->code), kpt_diag_between(diag), diag->detail);
}

/**
 * __kptrace_register() - register probes, all or none; use kptrace_register()
 * @probes: the probes; each stays where it is until it is unregistered
 * @nr: number of probes
 * @owner: the module that calls. When it goes, its probes are unregistered
 * @error: on failure the probe and the reason; may be NULL
 *
 * The machine is stopped once to arm all of them. Functions of a list of patterns that
 * cannot be probed are left out.
 *
 * Context: process context, sleeps; takes kpt_mutex, killable; not from a handler.
 * Return: 0; -EINVAL if a place cannot be probed or handlers do not fit together;
 * -ENOENT if there is no such symbol, or its module is not loaded; -EADDRNOTAVAIL if
 * several symbols have that name; -EBUSY if another probe has given the place a stub and
 * a breakpoint without one is needed, or if other code has patched it; -ENOMEM; -EIO if
 * the text could not be changed; -EINTR if the task is being killed.
 */
int __kptrace_register(struct kptrace_probe **probes, unsigned int nr,
		       struct module *owner, struct kptrace_error *error)
{
	struct kpt_diag diag = { 0 };
	unsigned int at = 0;
	int err;

	might_sleep();
	if (!nr)
		return -EINVAL;
	err = kpt_lock();
	if (!err) {
		err = probes_add(probes, nr, owner, &at, &diag);
		kpt_unlock();
	}
	if (err && error)
		error_fill_in(error, at, err, &diag);
	return err;
}
EXPORT_SYMBOL_GPL(__kptrace_register);

/**
 * kptrace_unregister_many() - unregister probes
 * @probes: the probes; those that are not registered are left alone
 * @nr: number of probes
 *
 * When it returns, no handler of theirs runs, and none will. It cannot fail, so a task that
 * is killed waits for kpt_mutex all the same.
 *
 * Context: process context, sleeps; takes kpt_mutex; not from a handler.
 */
void kptrace_unregister_many(struct kptrace_probe **probes, unsigned int nr)
{
	might_sleep();
	mutex_lock(&kpt_mutex);
	probes_remove(probes, nr);
	mutex_unlock(&kpt_mutex);
}
EXPORT_SYMBOL_GPL(kptrace_unregister_many);

/**
 * kptrace_enable_many() - arm registered probes, all or none
 * @probes: the probes; those that are armed stay so
 * @nr: number of probes
 *
 * Context: process context, sleeps; takes kpt_mutex, killable; not from a handler.
 * Return: 0; -EBUSY if other code has patched a place; -ENOMEM; -EIO if the text could
 * not be changed; -EINVAL if one of them is not registered; -EINTR if the task is being
 * killed.
 */
int kptrace_enable_many(struct kptrace_probe **probes, unsigned int nr)
{
	struct kpt_diag diag = { 0 };
	unsigned int i, at;
	int err = 0;

	might_sleep();
	if (kpt_lock())
		return -EINTR;
	for (i = 0; i < nr; i++)
		err = probes[i]->kptrace ? err : -EINVAL;
	for (i = 0; !err && i < nr; i++)
		probes[i]->flags &= ~KPTRACE_DISABLED;
	if (!err)
		err = probes_arm(probes, nr, &at, &diag);
	for (i = 0; err && err != -EINVAL && i < nr; i++)
		if (!probes[i]->kptrace->armed)
			probes[i]->flags |= KPTRACE_DISABLED;
	kpt_unlock();
	return err;
}
EXPORT_SYMBOL_GPL(kptrace_enable_many);

/**
 * kptrace_disable_many() - disarm registered probes
 * @probes: the probes; those that are not registered are left alone
 * @nr: number of probes
 *
 * When it returns, no handler of theirs runs. It cannot fail, so a task that is killed waits
 * for kpt_mutex all the same.
 *
 * Context: process context, sleeps; takes kpt_mutex; not from a handler.
 */
void kptrace_disable_many(struct kptrace_probe **probes, unsigned int nr)
{
	unsigned int i;

	might_sleep();
	mutex_lock(&kpt_mutex);
	for (i = 0; i < nr; i++)
		if (probes[i]->kptrace)
			probes[i]->flags |= KPTRACE_DISABLED;
	probes_disarm(probes, nr, KPT_CALLS_UNSEEN);
	mutex_unlock(&kpt_mutex);
}
EXPORT_SYMBOL_GPL(kptrace_disable_many);

/**
 * kptrace_read_counts() - hits of a registered probe
 * @probe: the probe
 * @hits: result: how often @pre or @ret was called; 0 if it is not registered
 * @missed: result: how often they should have been and were not: a hit inside another
 *	hit, or a return whose call was not kept
 *
 * Context: process context, or a handler; not together with kptrace_unregister().
 */
void kptrace_read_counts(const struct kptrace_probe *probe, u64 *hits, u64 *missed)
{
	struct kpt_probe_counts sum = { 0 };

	if (probe->kptrace)
		kpt_probe_read_counts(&probe->kptrace->base, &sum);
	*hits = sum.hits;
	*missed = sum.missed;
}
EXPORT_SYMBOL_GPL(kptrace_read_counts);

/**
 * kpt_module_probes_nr() - number of registered probes
 *
 * Context: process context, kpt_mutex held.
 * Return: the number.
 */
unsigned int kpt_module_probes_nr(void)
{
	return module_probes_nr;
}

/**
 * kpt_module_probes_functions() - list functions with armed probes of modules
 * @list: they are added, once for each probe
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_module_probes_functions(struct kpt_symbol_list *list)
{
	const struct kpt_module_probe *probe;
	unsigned long func;
	unsigned int at;
	int err = 0;

	list_for_each_entry(probe, &module_probes, list) {
		at = 0;
		while (!err && probe->armed && (func = kpt_sites_function(&probe->base, &at)))
			err = kpt_symbol_list_add(list, func);
	}
	return err;
}

/**
 * kpt_module_probes_leave() - disarm probes in text of a module
 * @mod: the module
 * @is_going: is an address in text of @mod that is about to be freed?
 * @batch: gets the new handlers
 *
 * Without memory a point keeps its handlers; kpt_points_forget() disarms it.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: true if there are such probes.
 */
bool kpt_module_probes_leave(const struct module *mod, kpt_going_t is_going,
			     struct kpt_batch *batch)
{
	struct kpt_module_probe *probe;
	bool any = false;

	list_for_each_entry(probe, &module_probes, list) {
		if (!kpt_sites_stand_in(&probe->base, mod, is_going))
			continue;
		any = true;
		/* Also if it is not armed: calls may be in progress from when it was. */
		if (kpt_sites_leave(&probe->base, mod, is_going, batch))
			pr_warn("%s: no memory to disarm a probe\n", mod->name);
	}
	return any;
}

/**
 * kpt_module_probes_detach() - put the sites in text of a module
 * @mod: the module
 * @is_going: as for kpt_module_probes_leave(), which was called before
 *
 * The probes stay registered. They do not wait for the module to come back.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_module_probes_detach(const struct module *mod, kpt_going_t is_going)
{
	struct kpt_module_probe *probe;

	list_for_each_entry(probe, &module_probes, list)
		if (kpt_sites_stand_in(&probe->base, mod, is_going))
			kpt_sites_detach(&probe->base, mod, is_going);
}

/**
 * kpt_module_probes_end() - unregister what a module that goes has forgotten
 * @owner: the module; its code will not run again, but its memory is still there
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_module_probes_end(const struct module *owner)
{
	struct kpt_module_probe *probe, *next;
	struct kptrace_probe *p;

	list_for_each_entry_safe(probe, next, &module_probes, list) {
		if (probe->owner != owner)
			continue;
		p = probe->functions;
		pr_warn("%s: unregistering the probe of %s, which the module forgot\n",
			owner->name, p->place ?: "an address");
		probes_remove(&p, 1);
	}
}
