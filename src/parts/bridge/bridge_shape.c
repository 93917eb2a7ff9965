// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a bridge tells the kernel's tracing about its event: name, fields, how records
 * are printed. The kernel keeps pointers to all texts.
 */
#include "kernel/compat.h"
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/trace_seq.h>
#include "parts/bridge/bridge.h"
#include "parts/perf/perf.h"
#include "lib/format/format.h"

#ifdef KPT_BRIDGES

/* The longest print fmt: 128 arguments, each an array. */
#define PRINT_FMT_MAX SZ_512K

static struct kpt_bridge *bridge_of_call(struct trace_event_call *call)
{
	return container_of(call, struct kpt_bridge, call);
}

/*
 * Fields. Their types have the lengths of arrays in them, as the kernel's own have.
 */

/* "char comm[16]" is of type "char[16]". */
static char *type_of_head(const struct kpt_head_field *f)
{
	const char *space = strrchr(f->declaration, ' ');
	const char *array = strchrnul(f->declaration, '[');

	if (!space)
		return kstrdup(f->declaration, GFP_KERNEL);
	return kasprintf(GFP_KERNEL, "%.*s%s", (int)(space - f->declaration),
			 f->declaration, array > space ? array : "");
}

static char *type_of(const struct kpt_field *f)
{
	const char *name = kpt_type_info[f->type].format_name;

	return kpt_field_declared(f) ?
	       kasprintf(GFP_KERNEL, "%s[%u]", name, kpt_field_declared(f)) :
	       kstrdup(name, GFP_KERNEL);
}

static bool bridge_add_type(struct kpt_bridge *b, char *type)
{
	b->types[b->nr_types++] = type;
	return type;
}

static bool bridge_make_types(struct kpt_bridge *b)
{
	const struct kpt_fields *fields = b->event->fields;
	bool ok = true;
	unsigned int i;

	b->types = kcalloc(fields->head->nr + fields->nr + 1, sizeof(*b->types),
			   GFP_KERNEL);
	if (!b->types)
		return false;
	for (i = 0; ok && i < fields->head->nr; i++)
		ok = bridge_add_type(b, type_of_head(&fields->head->field[i]));
	for (i = 0; ok && i < fields->nr; i++)
		ok = bridge_add_type(b, type_of(&fields->field[i]));
	return ok;
}

/* The kernel's callback for a class whose fields are not in a table. */
static int bridge_define_fields(struct trace_event_call *call)
{
	const struct kpt_bridge *b = bridge_of_call(call);
	const struct kpt_fields *fields = b->event->fields;
	const struct kpt_head *head = fields->head;
	const struct kpt_head_field *h;
	const struct kpt_field *f;
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < head->nr; i++) {
		h = &head->field[i];
		err = trace_define_field(call, b->types[i], h->name, h->ref.offset,
					 h->ref.size, h->ref.is_signed, FILTER_OTHER);
	}
	for (i = 0; !err && i < fields->nr; i++) {
		f = &fields->field[i];
		err = trace_define_field(call, b->types[head->nr + i], f->name, f->offset,
					 kpt_field_size(f),
					 kpt_type_info[f->type].is_signed, FILTER_OTHER);
	}
	return err;
}

static struct trace_event_fields bridge_fields[] = {
	{ .type = TRACE_FUNCTION_TYPE, .define_fields = bridge_define_fields },
	{}
};

/*
 * Texts.
 */

/* The kernel may write to it, where it replaces names of constants. */
static char *bridge_print_fmt(const struct kpt_fields *fields)
{
	char *room = kvmalloc(PRINT_FMT_MAX, GFP_KERNEL), *text = NULL;
	struct kpt_strbuf sb;

	if (!room)
		return NULL;
	kpt_strbuf_init(&sb, room, PRINT_FMT_MAX);
	kpt_format_print_fmt(&sb, fields);
	if (!sb.overflow)
		text = kstrdup(room, GFP_KERNEL);
	kvfree(room);
	return text;
}

/* Print a record of one of the kernel's rings. */
static enum print_line_t bridge_print(struct trace_iterator *iter, int flags,
				      struct trace_event *event)
{
	struct kpt_bridge *b =
		bridge_of_call(container_of(event, struct trace_event_call, event));
	const struct kpt_event *source = b->event->source;
	const struct kpt_line line = {
		.event = b->event->name,
		.source_group = source ? source->group : NULL,
		.source_event = source ? source->name : NULL,
		.fields = b->event->fields,
		.record = iter->ent,
		.size = iter->ent_size,
	};
	struct seq_buf *seq = &iter->seq.seq;
	struct kpt_strbuf sb;
	size_t room;
	char *text;

	room = seq_buf_get_buf(seq, &text);
	if (!room)
		return TRACE_TYPE_PARTIAL_LINE;
	kpt_strbuf_init(&sb, text, room);
	kpt_format_record(&sb, &line);
	seq_buf_commit(seq, sb.overflow ? -1 : (int)sb.len);
	return trace_handle_return(&iter->seq);
}

static struct trace_event_functions bridge_functions = {
	.trace = bridge_print,
};

static int bridge_perf_perm(struct trace_event_call *call, struct perf_event *event)
{
	return kpt_perf_may_arm(event);
}

/**
 * kpt_bridge_make() - make what the kernel's tracing sees of an event
 * @event: the event; gets no pointer to the bridge
 *
 * Its class has no reg yet.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the bridge, or NULL without memory.
 */
struct kpt_bridge *kpt_bridge_make(struct kpt_event *event)
{
	struct kpt_bridge *b = kzalloc(sizeof(*b), GFP_KERNEL);

	if (!b)
		return NULL;
	refcount_inc(&event->refs);
	b->event = event;
	b->class.system = event->group;
	b->class.fields_array = bridge_fields;
	INIT_LIST_HEAD(&b->class.fields);
	b->call.class = &b->class;
	b->call.event.funcs = &bridge_functions;
	/*
	 * BPF programs for tracepoints attach to events of the first flag only. Event
	 * probes of the kernel keep a pointer to their event, and nothing that says so.
	 * They refuse events of the other flag.
	 */
	b->call.flags = TRACE_EVENT_FL_TRACEPOINT | KPT_EVENT_FL_EPROBE;
	b->call.perf_perm = bridge_perf_perm;
	b->name.name = event->name;
	b->call.tp = &b->name;
	b->call.print_fmt = bridge_print_fmt(event->fields);
	if (b->call.print_fmt && bridge_make_types(b))
		return b;
	kpt_bridge_free(b);
	return NULL;
}

/**
 * kpt_bridge_free() - free a bridge
 * @bridge: not in the kernel's tracing; no hit uses it
 *
 * Context: process context.
 */
void kpt_bridge_free(struct kpt_bridge *bridge)
{
	while (bridge->nr_types)
		kfree(bridge->types[--bridge->nr_types]);
	kfree(bridge->types);
	kfree(bridge->call.print_fmt);
	kpt_event_put(bridge->event);
	kfree(bridge);
}

#endif
