/* SPDX-License-Identifier: GPL-2.0-only */
/* User events: programs write their records. */
#ifndef KPTRACE_EVENT_USER_H
#define KPTRACE_EVENT_USER_H

#include "parts/user/enabler.h"
#include "event/event.h"
#include "parts/user/declaration.h"

/* User events that there are at most. */
#define KPT_USER_EVENTS_MAX	32768

/**
 * struct kpt_user - the only probe of a user event
 * @base: the part that all probes have
 * @by_name: in a table of user.c, by the name that programs gave it
 * @by_shape: likewise, by that and its fields
 * @enabled: its handler, the bits that tell programs about it, and references: one
 *	for each bit, one for each open file that may write records
 * @shape: its fields
 * @is_multi: there may be other events of its name, with other fields
 * @is_short: it goes with the last reference
 */
struct kpt_user {
	struct kpt_probe base;
	struct hlist_node by_name;
	struct hlist_node by_shape;
	struct kpt_enabled enabled;
	const struct kpt_user_shape *shape;
	bool is_multi;
	bool is_short;
};

/**
 * kpt_user_of() - find the user event that a probe is of
 * @base: a probe of an event of class kpt_class_user
 *
 * Context: any.
 * Return: it.
 */
static inline struct kpt_user *kpt_user_of(struct kpt_probe *base)
{
	return container_of(base, struct kpt_user, base);
}

struct kpt_user *kpt_user_of_event(const struct kpt_event *event);
struct kpt_user *kpt_user_find(const struct kpt_def *def, struct kpt_diag *diag);
int kpt_user_keep(struct kpt_user *user, const struct kpt_def *def,
		  struct kpt_diag *diag);
struct kpt_user *kpt_user_named(const char *name);
bool kpt_users_are_full(void);
size_t kpt_user_name_len(const struct kpt_user *user);
bool kpt_user_is_unused(const struct kpt_user *user);

int kpt_user_events_init(void);
void kpt_user_events_exit(void);

/* user_events.c: user_events_data and user_events_status */
extern const struct kpt_fs_table kpt_user_entries;

/* u: user events, which programs write. */
extern const struct kpt_event_class kpt_class_user;

#endif
