/* SPDX-License-Identifier: GPL-2.0-only */
/* Groups of events: the first half of an event's name. */
#ifndef KPTRACE_GROUP_H
#define KPTRACE_GROUP_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include "lib/fetch/def.h"

struct kpt_event;

/**
 * struct kpt_group - the events of one group; it exists while there is one
 * @list: in kpt_groups, in the order in which they were made
 * @by_name: in a table of group.c
 * @events: kpt_event.in_group, in the order of definition
 * @declared: kpt_declared.list: declared events of that group, made or not
 * @nr_events: how many of both
 * @number: no other group has it
 * @seq: larger than that of all groups made before
 * @is_builtin: group ftrace, which has events without a definition and always exists
 * @dead: it lost its last event; changed under kpt_mutex
 * @refs: one for each event, in @events or not, for each of @declared and each inode
 * @rcu: frees it after a grace period
 * @name: its name
 *
 * @list, @by_name, @events and @declared are changed under kpt_mutex, and read under RCU.
 */
struct kpt_group {
	struct list_head list;
	struct hlist_node by_name;
	struct list_head events;
	struct list_head declared;
	unsigned int nr_events;
	u16 number;
	u64 seq;
	bool is_builtin;
	bool dead;
	refcount_t refs;
	struct rcu_head rcu;
	char name[KPT_NAME_MAX];
};

extern struct list_head kpt_groups;
extern struct kpt_group kpt_group_builtin;

u64 kpt_group_next_seq(void);
struct kpt_group *kpt_group_keep(const char *name);
void kpt_group_unkeep(struct kpt_group *group);
int kpt_group_join(struct kpt_event *event, const char *name);
void kpt_group_leave(struct kpt_event *event);
struct kpt_group *kpt_group_find(const char *name);
bool kpt_group_get(struct kpt_group *group);
void kpt_group_put(struct kpt_group *group);
void kpt_group_init(void);
void kpt_group_exit(void);

#endif
