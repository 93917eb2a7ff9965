// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which lists of handlers the stub of a point, or the thunk of a tracepoint, runs by
 * itself: see arch/arm64/recorder/recorder.c.
 */
#include <linux/slab.h>
#include "engine/tracepoint.h"
#include "arming/list_recorder.h"
#include "arming/handlers.h"
#include "event/task_filter.h"
#include "event/use.h"
#include "kernel/cpu.h"

/* What the stub calls at hits that it does not record by itself. */
static kpt_arch_hit_t list_hit(const struct kpt_handlers *list)
{
	const struct kpt_use *use = list->first.probe->use;

	if (use->hit && list->kind == use->kind)
		return use->hit;
	switch (list->kind) {
	case KPT_HANDLERS_HELD:
		return kpt_hit_held;
	case KPT_HANDLERS_REPLACE:
	case KPT_HANDLERS_REPLACE_RING:
		return kpt_hit_replace_only;
	default:
		return kpt_hit_current;
	}
}

/* Is all that hits do known: one handler, one ring, perhaps a filter of registers? */
static bool list_is_simple(const struct kpt_handlers *list)
{
	return list->kind == KPT_HANDLERS_REGISTERS ||
	       list->kind == KPT_HANDLERS_FILTERED ||
	       list->kind == KPT_HANDLERS_KNOWN_SIZE ||
	       list->kind == KPT_HANDLERS_STRINGS;
}

/* Can a stub make the record of a list for the triggers of the sink? */
static bool list_is_held(const struct kpt_handlers *list)
{
	return list->kind == KPT_HANDLERS_HELD && list->hook->owner == KPT_HOOK_POINT;
}

/* What a stub does for a list of function_graph, if the stub may run it. */
static enum kpt_arch_graph_place list_graph(const struct kpt_handlers *list)
{
	const struct kpt_handler *handler = &list->first;

	if (list->kind != KPT_HANDLERS_GRAPH || handler->sink->kind != KPT_SINK_RING)
		return KPT_ARCH_GRAPH_NONE;
	if (handler->role == KPT_ROLE_RETURN)
		return KPT_ARCH_GRAPH_LEAVE;
	return handler->role == KPT_ROLE_ENTRY &&
	       !kpt_graph_leaves_out(handler->probe, handler->func) ?
		KPT_ARCH_GRAPH_ENTER : KPT_ARCH_GRAPH_NONE;
}

/* Is all that a handler of several does known: one ring, that of the first one? */
static bool handler_is_simple(const struct kpt_handler *handler,
			      const struct kpt_handlers *list)
{
	const struct kpt_sink *sink = handler->sink;

	return (handler->role == KPT_ROLE_HIT || handler->role == KPT_ROLE_RETURN) &&
	       !handler->calls && handler->nr_sinks == 1 &&
	       sink->kind == KPT_SINK_RING && !sink->filter &&
	       sink->buffer == list->first.sink->buffer;
}

/* The address that records show, 0 if hits are not those of a stub or a thunk. */
static unsigned long hook_address(const struct kpt_hook *hook)
{
	switch (hook->owner) {
	case KPT_HOOK_POINT:
		return container_of(hook, struct kpt_point, hook)->arch.addr;
	case KPT_HOOK_TRACEPOINT:
		return container_of(hook, struct kpt_tracepoint, hook)->func;
	default:
		return 0;
	}
}

/* Returns the number of handlers if the stub may run them all, else 0. */
static unsigned int list_nr_simple(const struct kpt_handlers *list)
{
	const struct kpt_handler *handler;
	unsigned int nr = 0;

	if (!hook_address(list->hook))
		return 0;
	if (list_is_simple(list) || list_is_held(list) || list_graph(list))
		return 1;
	if (list->kind != KPT_HANDLERS_ANY)
		return 0;
	kpt_for_each_handler(handler, list)
		if (++nr > KPT_ARCH_RECORDS || !handler_is_simple(handler, list))
			return 0;
	/* A single one has something that its kind would say otherwise. */
	return nr > 1 ? nr : 0;
}

/*
 * Stubs count in kpt_probe.own_recorded, and hits that a filter refuses in .own_filtered,
 * also if hits that take kpt_hit() count elsewhere. Returns false without memory for these.
 */
static bool list_take_home(const struct kpt_handlers *list)
{
	const struct kpt_handler *handler;

	kpt_for_each_handler(handler, list)
		if (!kpt_probe_take_home(handler->probe, handler->sink->file))
			return false;
	return !list->on_regs || !kpt_probe_make_filtered(list->first.probe);
}

static void put_record(struct kpt_arch_record *record, struct kpt_arch_shape *shape,
		       const struct kpt_handler *handler,
		       const struct kpt_handlers *list)
{
	shape->prog = handler->prog;
	shape->length = handler->length;
	shape->is_return = handler->role == KPT_ROLE_RETURN;
	shape->is_call = list->hook->owner == KPT_HOOK_TRACEPOINT;
	shape->is_held = list_is_held(list);
	shape->is_unordered = handler->sink->buffer->clock == KPT_CLOCK_UNORDERED;
	record->type = handler->type;
	record->ip = shape->is_return ? handler->func : hook_address(list->hook);
	record->recorded = kpt_arch_counter_at(handler->probe->own_recorded);
}

static void put_graph(struct kpt_arch_direct *direct, struct kpt_arch_shape *shape,
		      const struct kpt_handlers *list)
{
	const struct kpt_handler *handler = &list->first;
	bool ends = shape->graph == KPT_ARCH_GRAPH_LEAVE;

	direct->graph = *kpt_graph_calls(handler->probe);
	shape->length = kpt_ring_length(ends ? sizeof(struct kpt_record_graph_exit) :
					       sizeof(struct kpt_record_graph_entry));
	shape->is_return = false;
	direct->first.type = ends ? KPT_RECORD_GRAPH_EXIT : KPT_RECORD_GRAPH_ENTRY;
	direct->first.ip = handler->func;
	/* A call is one hit, but two records. */
	if (ends)
		direct->first.recorded =
			kpt_arch_counter_at(handler->sink->recorded);
}

static void put_held(struct kpt_arch_direct *direct, const struct kpt_event_file *file)
{
	direct->if_both[0] = &file->enabled;
	direct->if_both[1] = &file->triggers.only_numbers;
	direct->unless = &kpt_task_filter_needs_rcu;
}

/* Append room for the records but the first. Returns false without memory. */
static bool list_add_records(struct kpt_handlers **list, unsigned int nr)
{
	struct kpt_handlers *larger;

	if (nr == 1)
		return true;
	larger = krealloc(*list, (*list)->size +
			  (nr - 1) * sizeof(struct kpt_arch_record), GFP_KERNEL);
	if (!larger)
		return false;
	larger->list.direct.more = (void *)((u8 *)larger + larger->size);
	*list = larger;
	return true;
}

static void list_make(struct kpt_handlers *list, unsigned int nr)
{
	struct kpt_arch_direct *direct = &list->list.direct;
	const struct kpt_sink *sink = list->first.sink;
	struct kpt_arch_record *more = (void *)direct->more;
	struct kpt_arch_shape shape[KPT_ARCH_RECORDS];
	const struct kpt_handler *handler;
	unsigned int i = 0;

	kpt_for_each_handler(handler, list) {
		put_record(i ? &more[i - 1] : &direct->first, &shape[i], handler,
			   list);
		shape[i++].graph = KPT_ARCH_GRAPH_NONE;
	}
	shape->graph = list_graph(list);
	if (shape->graph)
		put_graph(direct, shape, list);
	else if (shape->is_held)
		put_held(direct, sink->file);
	else
		direct->filter = list->on_regs;
	direct->stops = &sink->buffer->stops;
	direct->ring = &sink->buffer->cpu->ring;
	direct->filtered = list->first.probe->own_filtered;
	direct->unwanted = &list->first.probe->own_filtered;
	direct->waiters = &sink->buffer->waiters;
	direct->buffer = sink->buffer;
	BUILD_BUG_ON(KPT_STOP_SWITCH != 1);
	kpt_arch_direct_make(direct, shape, nr);
}

/**
 * kpt_handlers_make_direct() - let a stub or thunk record the hits of a list by itself
 * @list: a list, not published yet, complete but for @list->list. If hits are not of the
 *	kind that stubs record, or there is no memory, they take kpt_hit()
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the list, which may have moved.
 */
struct kpt_handlers *kpt_handlers_make_direct(struct kpt_handlers *list)
{
	unsigned int nr = list_nr_simple(list);

	list->list.direct.code = kpt_direct_none.code;
	list->list.direct.hit = list_hit(list);
	if (nr && list_take_home(list) && list_add_records(&list, nr))
		list_make(list, nr);
	return list;
}
