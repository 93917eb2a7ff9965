// SPDX-License-Identifier: GPL-2.0-only
/*
 * Builtin events. Only ftrace:print has a kpt_event_file in each instance, which
 * holds its triggers. Those of tracers have one where the tracer was used.
 */
#include "event/builtin.h"
#include "event/class.h"
#include "part.h"

const struct kpt_event_class kpt_class_builtin = {
	.letters = "",
	.log_name = "kptrace",
	.is_builtin = true,
};

static struct kpt_event builtins[] = {
	KPT_BUILTIN(KPT_RECORD_PRINT, kpt_fields_print, "print", &kpt_class_builtin),
	KPT_BUILTIN(KPT_RECORD_STACK, kpt_fields_stack, "kernel_stack", &kpt_class_builtin),
	KPT_BUILTIN(KPT_RECORD_USER_STACK, kpt_fields_user_stack, "user_stack",
		    &kpt_class_builtin),
	KPT_BUILTIN(KPT_RECORD_RAW_DATA, kpt_fields_raw_data, "raw_data", &kpt_class_builtin),
	{ }
};

/* All of them, also of parts. Never changes once kptrace is loaded. */
static LIST_HEAD(builtin_events);

static void builtin_list(struct kpt_event *event)
{
	for (; event && event->name; event++) {
		INIT_LIST_HEAD(&event->probes);
		INIT_LIST_HEAD(&event->followers);
		INIT_LIST_HEAD(&event->files);
		event->of = &kpt_group_builtin;
		event->group = kpt_group_builtin.name;
		list_add_tail(&event->in_group, &kpt_group_builtin.events);
		list_add_tail(&event->list, &builtin_events);
	}
}

/**
 * kpt_builtin_init() - make the events of group ftrace
 *
 * Context: module load, before the first instance; kpt_mutex held.
 */
void kpt_builtin_init(void)
{
	const struct kpt_part *part;
	unsigned int nth;

	kpt_group_init();
	builtin_list(builtins);
	for (nth = 0; (part = kpt_part_nth(nth)); nth++)
		builtin_list(part->builtins);
}

/**
 * kpt_builtin_event() - find a builtin event
 * @id: kpt_record_head.type
 *
 * Context: any.
 * Return: the event, which is never freed, or NULL.
 */
struct kpt_event *kpt_builtin_event(u16 id)
{
	struct kpt_event *event;

	list_for_each_entry(event, &builtin_events, list)
		if (event->id == id)
			return event;
	return NULL;
}

/**
 * kpt_builtin_find() - find a builtin event by its name
 * @group: its group
 * @name: its name
 *
 * Context: any.
 * Return: the event, which is never freed, or NULL.
 */
struct kpt_event *kpt_builtin_find(const char *group, const char *name)
{
	struct kpt_event *event;

	if (strcmp(group, kpt_group_builtin.name))
		return NULL;
	list_for_each_entry(event, &builtin_events, list)
		if (!strcmp(event->name, name))
			return event;
	return NULL;
}

/**
 * kpt_builtin_add() - make the event file of ftrace:print in an instance
 * @instance: the instance
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_builtin_add(struct kpt_instance *instance)
{
	instance->marker = kpt_event_file_add(kpt_builtin_event(KPT_RECORD_PRINT),
					      instance);
	return instance->marker ? 0 : -ENOMEM;
}
