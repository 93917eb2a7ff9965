// SPDX-License-Identifier: GPL-2.0-only
/* Declared events: find them, and let them become events. */
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "event/declared.h"
#include "event/group.h"
#include "kernel/lock.h"
#include "part.h"

/**
 * kpt_declared_find() - find a declared event in a group
 * @group: the group
 * @name: its name
 *
 * Context: kpt_mutex held, or under rcu_read_lock().
 * Return: it, or NULL.
 */
struct kpt_declared *kpt_declared_find(const struct kpt_group *group, const char *name)
{
	struct kpt_declared *d;

	list_for_each_entry_rcu(d, &group->declared, list, lockdep_is_held(&kpt_mutex))
		if (!strcmp(d->name, name))
			return d;
	return NULL;
}

/**
 * kpt_declared_use() - find a declared event, and make it an event
 * @group: name of its group
 * @name: its name
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the event; NULL if there is none, or no memory.
 */
struct kpt_event *kpt_declared_use(const char *group, const char *name)
{
	const struct kpt_group *g;
	struct kpt_declared *d;

	lockdep_assert_held(&kpt_mutex);
	kpt_parts_declare();
	g = kpt_group_find(group);
	d = g ? kpt_declared_find(g, name) : NULL;
	return d ? d->make(d) : NULL;
}

/**
 * kpt_declared_put() - put a reference of a declared event
 * @d: the declared event; freed by the last put
 *
 * Context: any.
 */
void kpt_declared_put(struct kpt_declared *d)
{
	if (refcount_dec_and_test(&d->refs))
		kfree_rcu(d, rcu);
}
