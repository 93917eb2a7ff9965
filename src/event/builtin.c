// SPDX-License-Identifier: GPL-2.0-only
/*
 * Builtin events. Only ftrace:print has a kpt_event_file in each instance, which
 * holds its triggers. Those of tracers have one where the tracer was used. The class of
 * all is in tracer.c, which arms their probes.
 */
#include "event/builtin.h"
#include "event/class.h"

#define BUILTIN(number, shape, label)                                          \
	{                                                                      \
		.name = label, .id = number,                                   \
		.class = &kpt_class_builtin, .fields = &shape,                 \
		.refs = REFCOUNT_INIT(1),                                      \
	}

static struct kpt_event builtins[] = {
	BUILTIN(KPT_RECORD_PRINT, kpt_fields_print, "print"),
	BUILTIN(KPT_RECORD_STACK, kpt_fields_stack, "kernel_stack"),
	BUILTIN(KPT_RECORD_RAW_DATA, kpt_fields_raw_data, "raw_data"),
	BUILTIN(KPT_RECORD_FUNCTION, kpt_fields_function, "function"),
	BUILTIN(KPT_RECORD_FUNC_REPEATS, kpt_fields_func_repeats, "func_repeats"),
	BUILTIN(KPT_RECORD_GRAPH_ENTRY, kpt_fields_graph_entry, "funcgraph_entry"),
	BUILTIN(KPT_RECORD_GRAPH_RETADDR, kpt_fields_graph_retaddr, "fgraph_retaddr_entry"),
	BUILTIN(KPT_RECORD_GRAPH_EXIT, kpt_fields_graph_exit, "funcgraph_exit"),
	BUILTIN(KPT_RECORD_OSNOISE, kpt_fields_osnoise, "osnoise"),
	BUILTIN(KPT_RECORD_TIMERLAT, kpt_fields_timerlat, "timerlat"),
};

/**
 * kpt_builtin_init() - make the events of group ftrace
 *
 * Context: module load, before the first instance; kpt_mutex held.
 */
void kpt_builtin_init(void)
{
	unsigned int i;

	kpt_group_init();
	for (i = 0; i < ARRAY_SIZE(builtins); i++) {
		INIT_LIST_HEAD(&builtins[i].probes);
		INIT_LIST_HEAD(&builtins[i].followers);
		INIT_LIST_HEAD(&builtins[i].files);
		builtins[i].of = &kpt_group_builtin;
		builtins[i].group = kpt_group_builtin.name;
		list_add_tail(&builtins[i].in_group, &kpt_group_builtin.events);
	}
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
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(builtins); i++)
		if (builtins[i].id == id)
			return &builtins[i];
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
	unsigned int i;

	if (strcmp(group, kpt_group_builtin.name))
		return NULL;
	for (i = 0; i < ARRAY_SIZE(builtins); i++)
		if (!strcmp(builtins[i].name, name))
			return &builtins[i];
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
