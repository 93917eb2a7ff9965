/* SPDX-License-Identifier: GPL-2.0-only */
/* Declared events: names that become events when somebody first uses them. */
#ifndef KPTRACE_DECLARED_H
#define KPTRACE_DECLARED_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/types.h>

struct kpt_event;
struct kpt_group;
struct trace_event_call;

/**
 * struct kpt_declared - an event that is only a name yet
 * @list: in kpt_group.declared, in the order of @seq
 * @seq: larger than that of all groups and events made before
 * @group: its group, which it keeps
 * @call: the kernel's object; NULL while its module is not loaded
 * @event: made when it is used for the first time; else NULL
 * @id: number of @event
 * @dead: its module was unloaded, and it has no @event
 * @refs: one for each inode about it, and one for @list
 * @rcu: frees it after a grace period: lookups find it under rcu_read_lock()
 * @make: makes its event, unless it is made; NULL without memory, or without @call. In
 *	process context, with kpt_mutex held
 * @name: its name
 *
 * Changed under kpt_mutex. @list and @name are read under RCU too, @call also with the
 * lock of static_shape.c.
 */
struct kpt_declared {
	struct list_head list;
	u64 seq;
	struct kpt_group *group;
	struct trace_event_call *call;
	struct kpt_event *event;
	u16 id;
	bool dead;
	refcount_t refs;
	struct rcu_head rcu;
	struct kpt_event *(*make)(struct kpt_declared *d);
	char name[];
};

/**
 * kpt_declared_is_usable() - can it become an event, or is it one?
 * @d: the declared event
 *
 * Context: any.
 * Return: true if it can or is; false while its module is not loaded.
 */
static inline bool kpt_declared_is_usable(const struct kpt_declared *d)
{
	return READ_ONCE(d->call) || READ_ONCE(d->event);
}

struct kpt_declared *kpt_declared_find(const struct kpt_group *group, const char *name);
struct kpt_event *kpt_declared_use(const char *group, const char *name);
void kpt_declared_put(struct kpt_declared *d);
const char *kpt_static_why_none(void);

#endif
