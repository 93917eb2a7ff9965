// SPDX-License-Identifier: GPL-2.0-only
/*
 * Modules that are being loaded: which of them may be used?
 *
 * kptrace may use functions and tracepoints of a module only if the kernel calls a notifier
 * of kptrace before it frees the module. That is certain once the kernel has called one for
 * MODULE_STATE_COMING. Before that, livepatch or another notifier may refuse the module, and
 * then the kernel frees it without calling kptrace.
 */
#include "kernel/compat.h"
#include <linux/list.h>
#include <linux/module.h>
#include <linux/slab.h>
#include "kernel/symbol/coming.h"
#include "kernel/lock.h"

/**
 * struct coming_module - a module that is being loaded, and will not go without a word
 * @list: in coming_modules
 * @mod: the module; only compared
 */
struct coming_module {
	struct list_head list;
	const struct module *mod;
};

/* Under kpt_mutex, as all here. */
static LIST_HEAD(coming_modules);

static struct coming_module *coming_find(const struct module *mod)
{
	struct coming_module *c;

	list_for_each_entry(c, &coming_modules, list)
		if (c->mod == mod)
			return c;
	return NULL;
}

/**
 * kpt_coming_note() - a module comes, and kptrace will be told when it goes
 * @mod: the module
 *
 * Without memory it cannot be used before it is loaded.
 *
 * Context: module notifier, sleeps, kpt_mutex held.
 */
void kpt_coming_note(const struct module *mod)
{
	struct coming_module *c = kmalloc(sizeof(*c), GFP_KERNEL);

	lockdep_assert_held(&kpt_mutex);
	if (!c)
		return;
	c->mod = mod;
	list_add(&c->list, &coming_modules);
}

/**
 * kpt_coming_forget() - a module does not come any more: it is loaded, or it goes
 * @mod: the module
 *
 * Context: module notifier, kpt_mutex held.
 * Return: true if it was noted.
 */
bool kpt_coming_forget(const struct module *mod)
{
	struct coming_module *c;

	lockdep_assert_held(&kpt_mutex);
	c = coming_find(mod);
	if (!c)
		return false;
	list_del(&c->list);
	kfree(c);
	return true;
}

/**
 * kpt_coming_exit() - forget all modules
 *
 * Context: module unload; there are no notifiers any more.
 */
void kpt_coming_exit(void)
{
	struct coming_module *c, *next;

	list_for_each_entry_safe(c, next, &coming_modules, list) {
		list_del(&c->list);
		kfree(c);
	}
}

/**
 * kpt_module_is_usable() - does a module stay while kpt_mutex is held?
 * @mod: the module, which cannot go while the caller looks: kpt_symbol_lock_modules()
 *
 * A notifier of ours waits for kpt_mutex before the module is freed. mod->state changes
 * earlier.
 *
 * Context: process context, kpt_mutex held.
 * Return: true if it does; false if it is being unloaded, or if it is being loaded and may
 * be freed without our notifier.
 */
bool kpt_module_is_usable(const struct module *mod)
{
	enum module_state state = READ_ONCE(mod->state);

	lockdep_assert_held(&kpt_mutex);
	/* It came before it had a notifier; and parameters define events while it does. */
	if (state == MODULE_STATE_LIVE || mod == THIS_MODULE)
		return true;
	return state == MODULE_STATE_COMING && coming_find(mod);
}
