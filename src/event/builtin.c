// SPDX-License-Identifier: GPL-2.0-only
/* Events that nobody defines: ftrace:print, which carries triggers. */
#include "event/builtin.h"
#include "event/class.h"

const struct kpt_event_class kpt_class_builtin = { .letters = "" };

static struct kpt_event print_event = {
	.group = "ftrace",
	.name = "print",
	.id = KPT_RECORD_PRINT,
	.class = &kpt_class_builtin,
	.probes = LIST_HEAD_INIT(print_event.probes),
	.files = LIST_HEAD_INIT(print_event.files),
	.refs = REFCOUNT_INIT(1),
};

/* Two fields behind it. */
static union {
	struct kpt_fields fields;
	u8 room[sizeof(struct kpt_fields) + 2 * sizeof(struct kpt_field)];
} shape;

/**
 * kpt_builtin_init() - make the event ftrace:print
 *
 * Context: module load, before the first instance.
 */
void kpt_builtin_init(void)
{
	shape.fields = (struct kpt_fields){
		.has_dynamic = true,
		.nr = 2,
		.size = offsetof(struct kpt_builtin_print, text),
	};
	shape.fields.field[0] = (struct kpt_field){
		.name = "ip",
		.type = KPT_TYPE_X64,
		.offset = offsetof(struct kpt_builtin_print, print.ip),
	};
	shape.fields.field[1] = (struct kpt_field){
		.name = "buf",
		.type = KPT_TYPE_STRING,
		.offset = offsetof(struct kpt_builtin_print, loc),
	};
	print_event.fields = &shape.fields;
}

/**
 * kpt_builtin_add() - give an instance its side of ftrace:print
 * @instance: the instance
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_builtin_add(struct kpt_instance *instance)
{
	instance->marker = kpt_event_file_add(&print_event, instance);
	return instance->marker ? 0 : -ENOMEM;
}
