// SPDX-License-Identifier: GPL-2.0-only
/* Groups: made with their first event, dead with their last. */
#include "kernel/compat.h"
#include <linux/hashtable.h>
#include <linux/idr.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include "event/event.h"
#include "event/group.h"

LIST_HEAD(kpt_groups);

static DEFINE_HASHTABLE(groups_by_name, 6);
static DEFINE_IDA(group_numbers);

/* Numbers groups and events: a reader of a directory goes on at the next number. */
static u64 last_seq;

struct kpt_group kpt_group_builtin = {
	.events = LIST_HEAD_INIT(kpt_group_builtin.events),
	.declared = LIST_HEAD_INIT(kpt_group_builtin.declared),
	.is_builtin = true,
	.refs = REFCOUNT_INIT(1),
	.name = "ftrace",
};

static u32 group_hash(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

/**
 * kpt_group_find() - find a group by its name
 * @name: the name
 *
 * Context: kpt_mutex held, or under rcu_read_lock().
 * Return: the group, or NULL; without kpt_mutex it may already be dead.
 */
struct kpt_group *kpt_group_find(const char *name)
{
	struct kpt_group *group;

	hash_for_each_possible_rcu_notrace(groups_by_name, group, by_name, group_hash(name))
		if (!strcmp(group->name, name))
			return group;
	return NULL;
}

static void group_list(struct kpt_group *group)
{
	lockdep_assert_held(&kpt_mutex);
	group->seq = ++last_seq;
	list_add_tail_rcu(&group->list, &kpt_groups);
	hash_add_rcu(groups_by_name, &group->by_name, group_hash(group->name));
}

static struct kpt_group *group_make(const char *name)
{
	struct kpt_group *group = kzalloc(sizeof(*group), GFP_KERNEL);
	int number;

	if (!group)
		return NULL;
	number = ida_alloc_range(&group_numbers, 1, U16_MAX, GFP_KERNEL);
	if (number < 0) {
		kfree(group);
		return NULL;
	}
	group->number = number;
	strscpy(group->name, name, sizeof(group->name));
	INIT_LIST_HEAD(&group->events);
	INIT_LIST_HEAD(&group->declared);
	refcount_set(&group->refs, 1);
	group_list(group);
	return group;
}

/**
 * kpt_group_next_seq() - number a static event
 *
 * Context: process context, kpt_mutex held.
 * Return: a number that is larger than all before.
 */
u64 kpt_group_next_seq(void)
{
	lockdep_assert_held(&kpt_mutex);
	return ++last_seq;
}

/**
 * kpt_group_keep() - find a group, or make it; it does not die with its last event
 * @name: its name
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the group, for kpt_group_unkeep(); NULL without memory.
 */
struct kpt_group *kpt_group_keep(const char *name)
{
	struct kpt_group *group = kpt_group_find(name);

	lockdep_assert_held(&kpt_mutex);
	if (group)
		refcount_inc(&group->refs);
	else
		group = group_make(name);
	if (group)
		group->nr_events++;
	return group;
}

static void group_lose(struct kpt_group *group)
{
	if (--group->nr_events || group->is_builtin)
		return;
	WRITE_ONCE(group->dead, true);
	list_del_rcu(&group->list);
	hash_del_rcu(&group->by_name);
	ida_free(&group_numbers, group->number);
}

/**
 * kpt_group_unkeep() - the reverse of kpt_group_keep()
 * @group: the group
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_group_unkeep(struct kpt_group *group)
{
	lockdep_assert_held(&kpt_mutex);
	group_lose(group);
	kpt_group_put(group);
}

/**
 * kpt_group_join() - add a new event to its group, which is made if it is new
 * @event: the event; it keeps a reference of the group
 * @name: the group's name
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_group_join(struct kpt_event *event, const char *name)
{
	struct kpt_group *group = kpt_group_keep(name);

	if (!group)
		return -ENOMEM;
	event->of = group;
	event->group = group->name;
	event->seq = ++last_seq;
	list_add_tail_rcu(&event->in_group, &group->events);
	return 0;
}

/**
 * kpt_group_leave() - take an event off its group, which dies with its last event
 * @event: the event; its reference of the group is not put
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_group_leave(struct kpt_event *event)
{
	lockdep_assert_held(&kpt_mutex);
	list_del_rcu(&event->in_group);
	group_lose(event->of);
}

/**
 * kpt_group_get() - get a reference of a group
 * @group: the group; under rcu_read_lock() it may already be without references
 *
 * Context: any.
 * Return: true; false if it has no references and will be freed.
 */
bool kpt_group_get(struct kpt_group *group)
{
	return refcount_inc_not_zero(&group->refs);
}

/**
 * kpt_group_put() - put a reference of a group
 * @group: the group, or NULL; freed by the last put
 *
 * Context: any.
 */
void kpt_group_put(struct kpt_group *group)
{
	if (group && refcount_dec_and_test(&group->refs))
		kfree_rcu(group, rcu);
}

/**
 * kpt_group_init() - list the group of builtin events
 *
 * Context: module load, kpt_mutex held.
 */
void kpt_group_init(void)
{
	group_list(&kpt_group_builtin);
}

/**
 * kpt_group_exit() - free the numbers of groups
 *
 * Context: module unload; all events are freed.
 */
void kpt_group_exit(void)
{
	ida_destroy(&group_numbers);
}
