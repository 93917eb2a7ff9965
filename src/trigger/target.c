// SPDX-License-Identifier: GPL-2.0-only
/*
 * enable_event, disable_event: a hit of one event switches another event of the same
 * instance.
 */
#include <linux/rculist.h>
#include <linux/string.h>
#include "event/class.h"
#include "event/declared.h"
#include "event/similar_event.h"
#include "trigger/ops.h"

static void target_switch_event(struct kpt_trigger *t, bool on)
{
	bool *enabled = &t->target->enabled;

	if (READ_ONCE(*enabled) == on || !kpt_trigger_spend(t))
		return;
	/* If another CPU was first, this hit has changed nothing. */
	if (cmpxchg(enabled, !on, on) == on)
		kpt_trigger_unspend(t);
}

/**
 * kpt_trigger_enable_event_run() - start recording the hits of the target
 * @t: the trigger
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_trigger_enable_event_run(struct kpt_trigger *t,
				  const struct kpt_hit *hit)
{
	target_switch_event(t, true);
}

/**
 * kpt_trigger_disable_event_run() - stop recording the hits of the target
 * @t: the trigger
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_trigger_disable_event_run(struct kpt_trigger *t,
				   const struct kpt_hit *hit)
{
	target_switch_event(t, false);
}

/**
 * kpt_trigger_find_target() - find the event that a command names
 * @instance: the instance
 * @group: group of the event
 * @name: its name
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: its file in the instance, or NULL.
 */
struct kpt_event_file *kpt_trigger_find_target(const struct kpt_instance *instance,
					       const char *group, const char *name)
{
	struct kpt_event_file *file;

	kpt_declared_use(group, name);
	list_for_each_entry(file, &instance->files, instance_link)
		if (!kpt_event_is_builtin(file->event) &&
		    !strcmp(file->event->group, group) &&
		    !strcmp(file->event->name, name))
			return file;
	return NULL;
}

/**
 * kpt_trigger_no_target() - refuse a command that names no event it can be about
 * @r: the command
 * @code: the reason
 * @group: group of the event
 * @name: its name
 * @at: as for kpt_trigger_complain()
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: -EINVAL.
 */
int kpt_trigger_no_target(const struct kpt_trigger_request *r, enum kpt_diag_code code,
			  const char *group, const char *name, const char *at)
{
	struct kpt_diag diag;

	kpt_diag_set(&diag, code, 0, 0);
	kpt_similar_tell_event(group, name, &diag);
	kpt_trigger_complain(r, &diag, at);
	return -EINVAL;
}

/**
 * kpt_trigger_parse_target() - kpt_trigger_ops.parse of "GRP:EVENT[:COUNT][ if FILTER]"
 * @t: the trigger; its @target is set
 * @r: its command
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or -EINVAL, with the reason in error_log.
 */
int kpt_trigger_parse_target(struct kpt_trigger *t, struct kpt_trigger_request *r)
{
	char *text, *group, *name;

	text = strsep(&r->params, " \t");
	group = strsep(&text, ":");
	name = strsep(&text, ":");
	if (!name)
		return kpt_trigger_refuse(r, KPT_E_TRIGGER_NO_TARGET, group,
					  -EINVAL);
	r->count = text;
	t->target = kpt_trigger_find_target(r->file->instance, group, name);
	return t->target ? 0 :
	       kpt_trigger_no_target(r, KPT_E_TRIGGER_BAD_TARGET, group, name, group);
}

/* From now on the buffer may hold records of the target. */
static void target_added(struct kpt_trigger *t)
{
	t->target->was_enabled = true;
}

const struct kpt_trigger_ops kpt_trigger_enable_event_ops = {
	.name = "enable_event",
	.family = KPT_TRIGGER_ENABLE_EVENT,
	.size = sizeof(struct kpt_trigger),
	.of_functions = true,
	.parse = kpt_trigger_parse_target,
	.added = target_added,
};

const struct kpt_trigger_ops kpt_trigger_disable_event_ops = {
	.name = "disable_event",
	.family = KPT_TRIGGER_ENABLE_EVENT,
	.size = sizeof(struct kpt_trigger),
	.of_functions = true,
	.parse = kpt_trigger_parse_target,
};
