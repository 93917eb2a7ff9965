// SPDX-License-Identifier: GPL-2.0-only
/* Find the event that somebody meant who named none. */
#include <linux/list.h>
#include <linux/string.h>
#include "event/declared.h"
#include "event/event.h"
#include "event/group.h"
#include "event/similar_event.h"
#include "kernel/lock.h"
#include "lib/base/similar.h"
#include "part.h"

static void similar_see_events(struct kpt_similar *s, const struct kpt_group *group)
{
	const struct kpt_declared *d;
	const struct kpt_event *event;

	list_for_each_entry(event, &group->events, in_group)
		kpt_similar_see(s, event->name);
	list_for_each_entry(d, &group->declared, list)
		if (!d->event)
			kpt_similar_see(s, d->name);
}

/**
 * kpt_similar_tell_event() - say in a reason which event may have been meant
 * @group: the group that was named; NULL if @name may be of any, or that of a group
 * @name: the name of an event, or NULL
 * @diag: the reason, already set; gets a detail if a name is similar: that of a group if
 *	there is none of name @group
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_similar_tell_event(const char *group, const char *name, struct kpt_diag *diag)
{
	const struct kpt_group *named = group ? kpt_group_find(group) : NULL, *g;
	const char *wrong = group && !named ? group : name;
	struct kpt_similar s;

	lockdep_assert_held(&kpt_mutex);
	if (!wrong)
		return;
	kpt_parts_declare();
	kpt_similar_begin(&s, wrong, strlen(wrong));
	if (named)
		similar_see_events(&s, named);
	list_for_each_entry(g, &kpt_groups, list) {
		if (named)
			break;
		kpt_similar_see(&s, g->name);
		if (!group)
			similar_see_events(&s, g);
	}
	kpt_similar_tell(&s, diag);
}
