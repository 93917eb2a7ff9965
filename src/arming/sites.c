// SPDX-License-Identifier: GPL-2.0-only
/* Take, arm, disarm and put the sites of probes. */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include "arming/sites.h"
#include "event/class.h"
#include "event/use.h"
#include "arming/handlers.h"
#include "kernel/symbol/blacklist.h"
#include "kernel/symbol/symbol.h"

static void sites_free(struct kpt_sites *sites)
{
	if (sites->site != &sites->one)
		kvfree(sites->site);
}

/* Make room for @more sites. Growing doubles, as a probe may have many functions. */
static int sites_reserve(struct kpt_sites *sites, unsigned int more)
{
	struct kpt_site *larger;
	unsigned int room;

	if (!sites->room) {
		sites->site = &sites->one;
		sites->room = 1;
	}
	if (sites->nr + more <= sites->room)
		return 0;
	room = max(sites->nr + more, 2 * sites->room);
	larger = kvmalloc_array(room, sizeof(*larger), GFP_KERNEL);
	if (!larger)
		return -ENOMEM;
	if (sites->nr)
		memcpy(larger, sites->site, sites->nr * sizeof(*larger));
	sites_free(sites);
	sites->site = larger;
	sites->room = room;
	return 0;
}

/* Take a site; sites_reserve() has made room for it. */
static int sites_take(struct kpt_sites *sites, unsigned long addr,
		      const struct kpt_site *like, struct kpt_diag *diag)
{
	struct kpt_site *site = &sites->site[sites->nr];

	*site = *like;
	site->point = kpt_point_get(addr, like->role, diag);
	if (IS_ERR(site->point))
		return PTR_ERR(site->point);
	sites->nr++;
	return 0;
}

static bool site_owns_calls(const struct kpt_site *site)
{
	return site->role == KPT_ROLE_ENTRY || site->role == KPT_ROLE_REPLACE;
}

static void site_put(struct kpt_site *site)
{
	kpt_point_put(site->point, site->role);
	if (site_owns_calls(site))
		kfree(site->calls);
}

/* Put the sites from number @nr on. They never were armed, or their calls ended. */
static void sites_cut(struct kpt_sites *sites, unsigned int nr)
{
	while (sites->nr > nr)
		site_put(&sites->site[--sites->nr]);
}

/**
 * kpt_sites_get_hit() - take the place of a probe that records hits
 * @probe: the probe
 * @addr: the place
 * @func: entry of the function if the place is its entry, else 0
 * @diag: on refusal the one exact reason
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or an errno of kpt_point_get(), and then no site was taken.
 */
int kpt_sites_get_hit(struct kpt_probe *probe, unsigned long addr,
		       unsigned long func, struct kpt_diag *diag)
{
	const struct kpt_site like = {
		.func = func,
		.role = probe->use->role,
		.is_first = true,
	};

	return sites_reserve(&probe->sites, 1) ?:
	       sites_take(&probe->sites, addr, &like, diag);
}

/* No call has a new owner, so there is nothing to end before it is armed. */
static struct kpt_call_owner *sites_make_owner(const struct kpt_probe *probe,
					       unsigned long func,
					       enum kpt_role role, u16 maxactive)
{
	struct kpt_call_owner *owner = kzalloc(sizeof(*owner), GFP_KERNEL);
	struct kpt_profile_counts __percpu *counts = NULL;

	if (owner && probe->use->counts) {
		counts = probe->use->counts(func);
		if (!counts) {
			kfree(owner);
			owner = NULL;
		}
	}
	if (!owner)
		return NULL;
	*owner = (struct kpt_call_owner){
		.recorder = &kpt_recorder_none,
		.limit = maxactive,
		.replaces_return = role == KPT_ROLE_REPLACE,
		.keeps_start = probe->prog->needs_elapsed ||
			       probe->use->keeps_start,
		.nr_values = probe->prog->nr_entry,
		.arg = probe->prog->entry_arg,
		.counts = counts,
		.end = KPT_CALLS_ORPHANED,
	};
	return owner;
}

/*
 * Take the entry as a site: its hits make the calls that returns will find. @like
 * gets the owner of the calls, for the sites that are taken next.
 */
static int sites_take_entry(struct kpt_probe *probe, struct kpt_site *like,
			    enum kpt_role role, u16 maxactive,
			    struct kpt_diag *diag)
{
	int err = kpt_calls_prepare();

	if (err)
		return err;
	like->calls = sites_make_owner(probe, like->func, role, maxactive);
	if (!like->calls)
		return -ENOMEM;
	like->role = role;
	err = sites_take(&probe->sites, like->func, like, diag);
	if (err)
		kfree(like->calls);
	return err;
}

/*
 * Take every return instruction of the function as a site. A function without
 * return instructions gets no site.
 */
static int sites_take_rets(struct kpt_probe *probe, unsigned long func,
			   const struct kpt_arch_returns *returns, u16 maxactive,
			   struct kpt_diag *diag)
{
	struct kpt_sites *sites = &probe->sites;
	struct kpt_site like = { .func = func, .is_first = true };
	unsigned int from = sites->nr, i;
	int err;

	if (!returns->nr)
		return 0;
	err = sites_reserve(sites, returns->nr + 1);
	if (!err && (probe->prog->nr_entry || probe->prog->needs_elapsed)) {
		err = sites_take_entry(probe, &like, KPT_ROLE_ENTRY, maxactive,
				       diag);
		like.is_first = false;
	}
	like.role = KPT_ROLE_RETURN;
	for (i = 0; !err && i < returns->nr; i++) {
		err = sites_take(sites, returns->addr[i], &like, diag);
		like.is_first = false;
	}
	if (err)
		sites_cut(sites, from);
	return err;
}

static int sites_take_hook(struct kpt_probe *probe, unsigned long func,
			   u16 maxactive, struct kpt_diag *diag)
{
	struct kpt_site like = { .func = func, .is_first = true };
	unsigned int from = probe->sites.nr;
	int err;

	err = sites_reserve(&probe->sites, 1) ?:
	      sites_take_entry(probe, &like, KPT_ROLE_REPLACE, maxactive, diag);
	if (err)
		return err;
	/* Why a place cannot be probed at all says more than why its return cannot. */
	err = kpt_blacklist_check_hook(func, diag);
	if (err)
		sites_cut(&probe->sites, from);
	return err;
}

static int sites_refuse_rets(unsigned long func,
			     const struct kpt_arch_returns *returns,
			     struct kpt_diag *diag)
{
	kpt_diag_set(diag, KPT_E_OTHER_WAY_OUT, 0, -EINVAL);
	scnprintf(diag->detail, sizeof(diag->detail), "%s at +0x%lx",
		  returns->why, returns->at - func);
	return -EINVAL;
}

/**
 * kpt_sites_get_returns() - take the sites that show the returns of a function
 * @probe: the probe, with its fetch program
 * @func: entry of the function
 * @method: how returns are noticed
 * @maxactive: limit of calls in progress, or 0
 * @diag: on refusal the one exact reason
 *
 * They are its return instructions. If one of these cannot be probed, or if the
 * function may be left by other instructions, the return address is replaced.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or -EINVAL or -ENOMEM, and then no site was taken.
 */
int kpt_sites_get_returns(struct kpt_probe *probe, unsigned long func,
			   enum kpt_def_method method, u16 maxactive,
			   struct kpt_diag *diag)
{
	struct kpt_arch_returns returns = { 0 };
	int err;

	/* kallsyms still names freed init text: check before reading it. */
	err = kpt_blacklist_check_text(func, diag);
	if (err)
		return err;
	err = -EOPNOTSUPP;
	if (method != KPT_METHOD_HOOK) {
		err = kpt_arch_find_returns(func, &returns);
		if (!err)
			err = sites_take_rets(probe, func, &returns, maxactive,
					      diag);
		else if (err == -EOPNOTSUPP && method == KPT_METHOD_RET)
			err = sites_refuse_rets(func, &returns, diag);
		kfree(returns.addr);
	}
	if (!err || err == -ENOMEM || method == KPT_METHOD_RET)
		return err;
	kpt_diag_set(diag, KPT_E_NONE, 0, 0);
	return sites_take_hook(probe, func, maxactive, diag);
}

/**
 * kpt_sites_put() - put the sites of a probe that is not armed
 * @probe: the probe
 *
 * To put those of many probes, first end the calls of all of them:
 * kpt_probe_end_calls(), then kpt_calls_end() once.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_sites_put(struct kpt_probe *probe)
{
	struct kpt_sites *sites = &probe->sites;

	if (kpt_probe_end_calls(probe, KPT_CALLS_ORPHANED))
		kpt_calls_end(KPT_CALLS_ORPHANED);
	sites_cut(sites, 0);
	sites_free(sites);
	*sites = (struct kpt_sites){ 0 };
}

/* Number of the first site of the next function. */
static unsigned int sites_next(const struct kpt_sites *sites, unsigned int i)
{
	do {
		i++;
	} while (i < sites->nr && !sites->site[i].is_first);
	return i;
}

static int sites_check(const struct kpt_sites *sites, unsigned int from,
		       unsigned int to, struct kpt_diag *diag)
{
	int err = 0;

	for (; !err && from < to; from++)
		err = kpt_point_check(sites->site[from].point, diag);
	return err;
}

/* With @again, only a site that is armed for @file; without it, only one that is not. */
static int site_arm(const struct kpt_site *site, struct kpt_probe *probe,
		    struct kpt_event_file *file, struct kpt_batch *batch,
		    bool again)
{
	struct kpt_hook *hook = &site->point->hook;
	int err;

	if (kpt_handlers_have(hook, probe, file, site->role) != again)
		return 0;
	err = kpt_handlers_add(hook, probe, file, site, batch);
	if (!err && site->calls)
		site->calls->end = KPT_CALLS_GO_ON;
	return err;
}

/**
 * kpt_sites_arm() - kpt_event_class.arm
 * @probe: the probe
 * @file: where it records; NULL for a probe of another module
 * @batch: gets the new handlers
 * @diag: the reason if a function cannot be armed; NULL if the probe is armed and
 *	only its sinks change
 *
 * A function with a site that other code has patched is not armed, unless it is the
 * only one: then the probe is refused. Without @diag all sites that are armed get their
 * new sink, whatever became of their text.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, -ENOMEM, or with @diag -EBUSY; or -EINTR, see kpt_lock_is_killed().
 */
int kpt_sites_arm(struct kpt_probe *probe, struct kpt_event_file *file,
		  struct kpt_batch *batch, struct kpt_diag *diag)
{
	struct kpt_sites *sites = &probe->sites;
	unsigned int from, to, i, armed = 0;
	int err;

	for (from = 0; from < sites->nr; from = to) {
		struct kpt_site *first = &sites->site[from];

		to = sites_next(sites, from);
		if (diag) {
			err = kpt_lock_is_killed();
			if (err)
				return err;
			first->is_out = sites_check(sites, from, to, diag);
			if (first->is_out)
				continue;
		}
		for (i = from; i < to; i++) {
			err = site_arm(&sites->site[i], probe, file, batch,
				       !diag);
			if (err)
				return err;
		}
		armed++;
	}
	return armed || !sites->nr || !diag ? 0 : -EBUSY;
}

/**
 * kpt_sites_disarm() - kpt_event_class.disarm
 * @probe: the probe
 * @file: where it no longer records; NULL for all instances
 * @batch: gets the new handlers
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_sites_disarm(struct kpt_probe *probe, struct kpt_event_file *file,
		     struct kpt_batch *batch)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < probe->sites.nr; i++)
		err = kpt_handlers_remove(&probe->sites.site[i].point->hook,
					  probe, file, batch);
	return err;
}

/**
 * kpt_sites_stand_in() - kpt_event_class.stands_in
 * @probe: the probe
 * @mod: the module
 * @is_going: is an address in text of @mod that is about to be freed?
 *
 * Context: process context, kpt_mutex held.
 * Return: true if one of its sites is.
 */
bool kpt_sites_stand_in(const struct kpt_probe *probe, const struct module *mod,
			kpt_going_t is_going)
{
	const struct kpt_sites *sites = &probe->sites;
	unsigned int i;

	for (i = 0; i < sites->nr; i++)
		if (is_going(sites->site[i].point->arch.addr, mod))
			return true;
	return false;
}

/**
 * kpt_sites_leave() - kpt_event_class.leave
 * @probe: the probe
 * @mod: the module
 * @is_going: is an address in text of @mod that is about to be freed?
 * @batch: gets the new handlers
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_sites_leave(struct kpt_probe *probe, const struct module *mod,
		    kpt_going_t is_going, struct kpt_batch *batch)
{
	struct kpt_site *site = probe->sites.site;
	struct kpt_site *end = site + probe->sites.nr;
	int err = 0;

	/* Without memory, too: kpt_sites_detach() frees the owners of all calls. */
	for (; site < end; site++) {
		if (!is_going(site->point->arch.addr, mod))
			continue;
		if (site->calls)
			site->calls->end = KPT_CALLS_ORPHANED;
		err = kpt_handlers_remove(&site->point->hook, probe, NULL, batch) ?: err;
	}
	return err;
}

/**
 * kpt_sites_detach() - kpt_event_class.detach
 * @probe: the probe, after kpt_sites_leave()
 * @mod: the module
 * @is_going: as for kpt_sites_leave()
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_sites_detach(struct kpt_probe *probe, const struct module *mod,
		      kpt_going_t is_going)
{
	struct kpt_sites *sites = &probe->sites;
	unsigned int i, left = 0;

	for (i = 0; i < sites->nr; i++) {
		if (is_going(sites->site[i].point->arch.addr, mod))
			site_put(&sites->site[i]);
		else
			sites->site[left++] = sites->site[i];
	}
	sites->nr = left;
}

/**
 * kpt_sites_function() - kpt_event_class.function
 * @probe: the probe
 * @at: where to go on, 0 at first; moved behind the function
 *
 * Context: process context, kpt_mutex held.
 * Return: entry of the next function that the probe has a site in and that could be
 * armed; 0 if there are no more.
 */
unsigned long kpt_sites_function(const struct kpt_probe *probe, unsigned int *at)
{
	const struct kpt_sites *sites = &probe->sites;
	const struct kpt_site *site;
	unsigned long start, size;

	while (*at < sites->nr) {
		site = &sites->site[*at];
		*at = sites_next(sites, *at);
		if (site->is_out)
			continue;
		if (site->func)
			return site->func;
		if (!kpt_symbol_range(site->point->arch.addr, &start, &size))
			return start;
	}
	return 0;
}

/**
 * kpt_probe_function() - name the functions that a probe has sites in
 * @probe: the probe
 * @at: where to go on, 0 at first
 *
 * Context: process context, kpt_mutex held.
 * Return: entry of the next function; 0 if there are no more.
 */
unsigned long kpt_probe_function(const struct kpt_probe *probe, unsigned int *at)
{
	const struct kpt_event_class *class = probe->event->class;

	return class->function ? class->function(probe, at) :
				 kpt_sites_function(probe, at);
}
