// SPDX-License-Identifier: GPL-2.0-only
/* events/, events/GRP and events/GRP/EVENT: what lookups find in them. */
#include "kernel/compat.h"
#include <linux/rculist.h>
#include <linux/string.h>
#include "event/builtin.h"
#include "event/class.h"
#include "event/group.h"
#include "event/declared.h"
#include "fs/fs.h"

/*
 * Numbers of inodes: the same each time a name is looked up, and different from
 * those of get_next_ino() until that has given out half of its numbers.
 */
enum ino_kind { INO_EVENTS, INO_GROUP, INO_EVENT };

#define INO_FILES_BITS		5
#define INO_NUMBER_BITS		16
#define INO_KIND_BITS		2
#define INO_INSTANCE_SHIFT	(INO_FILES_BITS + INO_NUMBER_BITS + INO_KIND_BITS)
#define INO_FIRST		BIT(31)
#define INO_INSTANCES		(INO_FIRST >> INO_INSTANCE_SHIFT)

static unsigned long events_ino(const struct kpt_instance *instance,
				enum ino_kind kind, u16 number)
{
	unsigned long n = instance->number;

	return INO_FIRST | (n / INO_INSTANCES) << 32 |
	       (n % INO_INSTANCES) << INO_INSTANCE_SHIFT |
	       (unsigned long)kind << (INO_FILES_BITS + INO_NUMBER_BITS) |
	       (unsigned long)number << INO_FILES_BITS;
}

static const struct kpt_fs_content event_content = {
	.tables = { &kpt_event_entries },
	.dir = KPT_DIR_EVENT,
};

static unsigned long group_find(const struct kpt_fs_node *node, const char *name,
				struct kpt_fs_node *child)
{
	struct kpt_event *event;

	child->declared = kpt_declared_find(node->group, name);
	if (child->declared) {
		child->content = &event_content;
		return events_ino(node->instance, INO_EVENT, child->declared->id);
	}
	event = kpt_builtin_find(node->group->name, name);
	child->content = event ? kpt_builtin_content(event) : &event_content;
	event = event ?: kpt_event_find(node->group->name, name);
	if (!event)
		return 0;
	child->event = event;
	return events_ino(node->instance, INO_EVENT, event->id);
}

static void group_put_name(const struct kpt_fs_node *node, struct kpt_fs_name *to,
			   u64 seq, u16 id, const char *name)
{
	to->seq = seq;
	to->ino = events_ino(node->instance, INO_EVENT, id);
	strscpy(to->name, name, KPT_NAME_MAX);
}

/* The next declared event from number @from on, after @s or of all; or NULL. */
static const struct kpt_declared *group_next_declared(const struct kpt_group *group,
						  const struct kpt_declared *s,
						  u64 from)
{
	s = s ?: list_entry(&group->declared, struct kpt_declared, list);
	list_for_each_entry_continue_rcu(s, &group->declared, list)
		if (s->seq >= from && kpt_declared_is_usable(s))
			return s;
	return NULL;
}

/* The same of the other events of a group. */
static const struct kpt_event *group_next_event(const struct kpt_group *group,
						const struct kpt_event *event,
						u64 from)
{
	event = event ?: list_entry(&group->events, struct kpt_event, in_group);
	list_for_each_entry_continue_rcu(event, &group->events, in_group)
		if (event->seq >= from && !event->class->is_static)
			return event;
	return NULL;
}

/* A declared event has its place whether or not it is made. */
static unsigned int group_list(const struct kpt_fs_node *node, u64 from,
			       struct kpt_fs_name *names, unsigned int max)
{
	const struct kpt_group *group = node->group;
	const struct kpt_declared *s = group_next_declared(group, NULL, from);
	const struct kpt_event *event = group_next_event(group, NULL, from);
	unsigned int nr;

	for (nr = 0; nr < max && (s || event); nr++) {
		if (!event || (s && s->seq < event->seq)) {
			group_put_name(node, &names[nr], s->seq, s->id, s->name);
			s = group_next_declared(group, s, from);
		} else {
			group_put_name(node, &names[nr], event->seq, event->id,
				       event->name);
			event = group_next_event(group, event, from);
		}
	}
	return nr;
}

static const struct kpt_fs_content group_content = {
	.tables = { &kpt_group_entries },
	.find = group_find,
	.list = group_list,
};

static const struct kpt_fs_content builtin_group_content = {
	.find = group_find,
	.list = group_list,
};

static unsigned long events_find(const struct kpt_fs_node *node, const char *name,
				 struct kpt_fs_node *child)
{
	struct kpt_group *group = kpt_group_find(name);

	if (!group)
		return 0;
	child->group = group;
	child->content = group->is_builtin ? &builtin_group_content :
					     &group_content;
	return events_ino(node->instance, INO_GROUP, group->number);
}

static unsigned int events_list(const struct kpt_fs_node *node, u64 from,
				struct kpt_fs_name *names, unsigned int max)
{
	const struct kpt_group *group;
	unsigned int nr = 0;

	list_for_each_entry_rcu(group, &kpt_groups, list) {
		if (group->seq < from)
			continue;
		if (nr == max)
			break;
		names[nr].seq = group->seq;
		names[nr].ino = events_ino(node->instance, INO_GROUP,
					   group->number);
		strscpy(names[nr++].name, group->name, KPT_NAME_MAX);
	}
	return nr;
}

static const struct kpt_fs_content events_content = {
	.tables = { &kpt_all_events_entries },
	.dir = KPT_DIR_EVENTS,
	.find = events_find,
	.list = events_list,
};

/**
 * kpt_events_dir() - make the directory events/ of an instance
 * @parent: gets the directory
 * @instance: the instance
 *
 * Context: process context, sleeps; takes an inode lock.
 * Return: the directory, pinned until it is removed, or NULL without memory.
 */
struct dentry *kpt_events_dir(struct dentry *parent, struct kpt_instance *instance)
{
	const struct kpt_fs_node node = {
		.instance = instance,
		.content = &events_content,
		.cpu = -1,
	};

	return kpt_fs_dir(parent, "events", &node,
			  events_ino(instance, INO_EVENTS, 0));
}

/**
 * kpt_events_forget() - forget owners and modes that users gave to files of an event
 * @event: the event, off the lists
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_events_forget(const struct kpt_event *event)
{
	const struct kpt_group *group = event->of;
	const struct kpt_instance *instance;

	lockdep_assert_held(&kpt_mutex);
	list_for_each_entry(instance, &kpt_instances, list) {
		kpt_attr_forget(events_ino(instance, INO_EVENT, event->id),
				BIT(INO_FILES_BITS));
		if (group->dead)
			kpt_attr_forget(events_ino(instance, INO_GROUP,
						   group->number),
					BIT(INO_FILES_BITS));
	}
}

/**
 * kpt_events_forget_all() - forget owners and modes of all files of an instance
 * @instance: the instance
 *
 * Context: process context.
 */
void kpt_events_forget_all(const struct kpt_instance *instance)
{
	kpt_attr_forget(events_ino(instance, INO_EVENTS, 0),
			BIT(INO_INSTANCE_SHIFT));
}
