// SPDX-License-Identifier: GPL-2.0-only
/* Lists of handlers: each change makes a new list, which a batch publishes. */
#include <linux/slab.h>
#include "arming/list_recorder.h"
#include "buffer/places.h"
#include "event/event_filter.h"
#include "event/use.h"
#include "arming/handlers.h"
#include "kernel/scratch.h"

/*
 * @size: bytes of the list; there is room for a struct kpt_arch_recorder, too, with as many
 * operands as the last list has: mostly that is enough, and the list does not move.
 */
static struct kpt_handlers *list_alloc(struct kpt_hook *hook, size_t size)
{
	struct kpt_handlers *list = kmalloc(size + kpt_arch_recorder_size(), GFP_KERNEL);

	if (!list)
		return NULL;
	list->list = (struct kpt_hook_list){ 0 };
	list->hook = hook;
	list->size = offsetof(struct kpt_handlers, first);
	return list;
}

/* Append @size bytes to a list. Returns their address in the list. */
static void *list_put(struct kpt_handlers *list, const void *from, size_t size)
{
	void *to = (u8 *)list + list->size;

	memcpy(to, from, size);
	list->size += size;
	return to;
}

static struct kpt_handler *list_put_handler(struct kpt_handlers *list,
					    const struct kpt_handler *handler)
{
	return list_put(list, handler,
			struct_size(handler, sink, handler->nr_sinks));
}

static enum kpt_sink_kind sink_kind(struct kpt_event_file *file)
{
	if (refcount_read(&file->listeners))
		return KPT_SINK_PERF;
	if (kpt_hook_next(&file->followers))
		return KPT_SINK_FOLLOWERS;
	if (file->soft)
		return KPT_SINK_TRIGGERS;
	return file->limit ? KPT_SINK_LIMITED : KPT_SINK_RING;
}

static struct kpt_sink sink_make(const struct kpt_probe *probe,
				 struct kpt_event_file *file)
{
	const struct kpt_event_filter *filter;

	if (!file)
		return (struct kpt_sink){
			.kind = KPT_SINK_FUNCTIONS,
			.functions = probe->use->functions(probe),
		};
	filter = file->filter;
	return (struct kpt_sink){
		.kind = sink_kind(file),
		.file = file,
		.buffer = &file->instance->buffer,
		.filter = filter && !filter->diag.code ? &filter->prog : NULL,
		.limit = file->limit,
	};
}

/* Append a sink for @file, or replace it. @handler is the last one of the list. */
static void list_put_sink(struct kpt_handlers *list, struct kpt_handler *handler,
			  struct kpt_event_file *file)
{
	const struct kpt_sink sink = sink_make(handler->probe, file);
	unsigned int i;

	for (i = 0; i < handler->nr_sinks; i++) {
		if (handler->sink[i].file != file)
			continue;
		handler->sink[i] = sink;
		return;
	}
	list_put(list, &sink, sizeof(sink));
	handler->nr_sinks++;
}

/* Is each hit of a handler a record? */
static bool handler_records(const struct kpt_handler *handler)
{
	const struct kpt_follower *follows = handler->probe->follows;

	return (handler->does == KPT_ROLE_HIT || handler->does == KPT_ROLE_RETURN ||
		handler->does == KPT_ROLE_EVENT) &&
	       !(follows && follows->condition);
}

static bool list_is_one(const struct kpt_handlers *list)
{
	const struct kpt_handler *handler = &list->first;

	return list->size == offsetof(struct kpt_handlers, first.sink[handler->nr_sinks]);
}

/* kpt_handlers.nr_rings */
static unsigned int list_nr_rings(const struct kpt_handlers *list)
{
	const struct kpt_handler *handler = &list->first;
	const struct kpt_sink *sink;

	if (!list_is_one(list) || !handler_records(handler))
		return 0;
	kpt_for_each_sink(sink, handler)
		if (sink->kind != KPT_SINK_RING || sink->filter)
			return 0;
	return handler->nr_sinks;
}

/* What stubs call at hits that they do not record by themselves. */
static kpt_arch_hit_t list_hit(const struct kpt_handlers *list)
{
	const struct kpt_handler *handler = &list->first;

	if (!list_is_one(list))
		return kpt_hit_current;
	if (handler->nr_sinks == 1 && handler->probe->use->hit)
		return handler->probe->use->hit;
	return kpt_hit_current;
}

static bool handler_has_perf(const struct kpt_handler *handler)
{
	const struct kpt_sink *sink;

	kpt_for_each_sink(sink, handler)
		if (sink->kind == KPT_SINK_PERF)
			return true;
	return false;
}

/*
 * Has each hit one outcome, for one file? Handlers at the entry of a function count
 * nothing, or what is missed.
 */
static bool handler_is_plain(const struct kpt_handler *handler)
{
	return handler->nr_sinks == 1 && handler->sink->kind == KPT_SINK_RING &&
	       (handler->does == KPT_ROLE_HIT || handler->does == KPT_ROLE_RETURN ||
		handler->does == KPT_ROLE_ENTRY || handler->does == KPT_ROLE_REPLACE);
}

static bool handler_make_counts(const struct kpt_handler *handler)
{
	const struct kpt_sink *sink;

	if (kpt_probe_make_counts(handler->probe))
		return false;
	kpt_for_each_sink(sink, handler)
		if (sink->file && kpt_event_file_make_counts(sink->file))
			return false;
	return true;
}

/*
 * Find out where hits count. The counters of the file are needed, too, if its ring refuses
 * records when it is full: then many hits may be lost. Returns false without memory.
 */
static bool handler_find_counts(struct kpt_handler *handler)
{
	struct kpt_probe *probe = handler->probe;
	bool is_own = handler_is_plain(handler) &&
		      kpt_probe_take_home(probe, handler->sink->file);
	struct kpt_sink *sink;

	if (!(is_own && handler->sink->buffer->overwrite) && !handler_make_counts(handler))
		return false;
	if (is_own && handler->sink->filter && kpt_probe_make_filtered(probe))
		return false;
	handler->hits = is_own ? NULL : probe->counts;
	kpt_for_each_sink(sink, handler)
		sink->recorded = is_own ? probe->own_recorded :
				 sink->file ? &sink->file->hits.counts->outcomes.recorded :
				 NULL;
	return true;
}

static bool list_find_counts(struct kpt_handlers *list)
{
	struct kpt_handler *handler;

	kpt_for_each_handler(handler, list)
		if (!handler_find_counts(handler))
			return false;
	return true;
}

static bool handler_needs_rcu(const struct kpt_handler *handler)
{
	return handler->prog->has_symbols || handler->probe->use->functions ||
	       handler_has_perf(handler);
}

/*
 * Let hits of a list that is complete but for @list->list take code, if there is code for them;
 * else they take @hit. The list may move.
 */
static struct kpt_handlers *list_set_recorder(struct kpt_handlers *list,
					      kpt_arch_hit_t hit)
{
	list->list.recorder = (void *)((u8 *)list + list->size);
	list->list.recorder->code = kpt_recorder_none.code;
	list = kpt_handlers_add_recorder(list);
	list->list.recorder->handlers = list;
	list->list.recorder->hit = hit;
	return list;
}

/* The list of the returns whose address a handler replaces. NULL without memory. */
static struct kpt_hook_list *returns_make(struct kpt_hook *hook,
					  const struct kpt_handler *replaces)
{
	size_t size = struct_size(replaces, sink, replaces->nr_sinks);
	struct kpt_handlers *list;
	struct kpt_handler *handler;

	list = list_alloc(hook, offsetof(struct kpt_handlers, first) + size);
	if (!list)
		return NULL;
	list->list.calls = replaces->calls;
	handler = list_put_handler(list, replaces);
	handler->role = KPT_ROLE_RETURN;
	handler->does = KPT_ROLE_RETURN;
	list->needs_rcu = handler_needs_rcu(handler);
	list->nr_rings = 0;
	return &list_set_recorder(list, kpt_hit_current)->list;
}

/*
 * Where a return address is replaced, the return is a hit of a list of its own, for code. All else
 * finds the handler by its calls: kpt_hit_return().
 */
static void list_add_returns(struct kpt_handlers *list)
{
	const struct kpt_handler *handler;
	struct kpt_hook_list *returns;

	kpt_for_each_handler(handler, list) {
		if (handler->does != KPT_ROLE_REPLACE || handler->calls->limit ||
		    handler->sink->kind == KPT_SINK_FUNCTIONS)
			continue;
		returns = returns_make(list->hook, handler);
		if (!returns)
			continue;
		returns->returns = list->list.returns;
		list->list.returns = returns;
	}
}

/*
 * The place of all records of a handler, if nobody needs them whole but those who read rings: so
 * all that reads a record in a hit, or in another boot, finds it whole. A string's place in the
 * record is written by code that does not know what is left out. 0: rings have the place.
 */
static unsigned long handler_place(const struct kpt_handlers *list,
				   const struct kpt_handler *handler)
{
	const struct kpt_fetch_prog *prog = handler->prog;
	const struct kpt_head *head;
	const struct kpt_sink *sink;

	if (handler->does != KPT_ROLE_HIT && handler->does != KPT_ROLE_RETURN &&
	    handler->does != KPT_ROLE_REPLACE)
		return 0;
	if (prog->has_strings || prog->has_symbols ||
	    prog->size + prog->room > KPT_SCRATCH_RECORD || !kpt_hook_address(list->hook))
		return 0;
	kpt_for_each_sink(sink, handler)
		if (sink->kind > KPT_SINK_LIMITED || sink->buffer->is_placed)
			return 0;
	head = handler->sink->file->event->fields->head;
	return head == &kpt_head_return ? handler->func :
	       head == &kpt_head_place ? kpt_hook_address(list->hook) : 0;
}

static void list_find_places(struct kpt_handlers *list)
{
	struct kpt_handler *handler;
	struct kpt_event *event;
	unsigned long place;
	u64 words;

	kpt_for_each_handler(handler, list) {
		place = handler_place(list, handler);
		event = place ? handler->sink->file->event : NULL;
		handler->place = event ? kpt_place_number(&event->places, event->id, place) : 0;
		words = kpt_ring_quick(handler->prog->size + handler->prog->room -
				       kpt_handler_left_out(handler));
		handler->words = min_t(u64, words, KPT_RING_NEVER);
	}
}

/*
 * Fill in the fields that depend on the whole list. The list may move. Frees it, and
 * returns NULL, without memory.
 */
static struct kpt_handlers *list_finish(struct kpt_handlers *list)
{
	const struct kpt_handler *handler;

	if (!list_find_counts(list)) {
		kfree(list);
		return NULL;
	}
	list_find_places(list);
	list->needs_rcu = false;
	kpt_for_each_handler(handler, list)
		list->needs_rcu |= handler_needs_rcu(handler);
	list->nr_rings = list_nr_rings(list);
	list_add_returns(list);
	return list_set_recorder(list, list_hit(list));
}

static void list_put_new(struct kpt_handlers *list,
			 const struct kpt_handler *handler,
			 struct kpt_event_file *file)
{
	list_put_sink(list, list_put_handler(list, handler), file);
}

/*
 * Handlers of a lower rank run first, of the same one in the order in which they were armed.
 * KPT_ROLE_WATCH is before others: the call that makes an object one is not recorded, and
 * the one that ends it is. KPT_ROLE_RETURN is behind others, as the entry of a function may
 * be its return instruction, and KPT_ROLE_REPLACE behind those: they see the true return
 * address. Roles that may make the code continue elsewhere are last: then it returns to the
 * replaced one.
 */
static const s8 role_rank[KPT_ROLE_EVENT + 1] = {
	[KPT_ROLE_WATCH] = -1,
	[KPT_ROLE_RETURN] = 1,
	[KPT_ROLE_REPLACE] = 2,
	[KPT_ROLE_TRAP] = 3,
	[KPT_ROLE_AFTER] = 3,
};

/* What the hits of a site of a probe do. */
static enum kpt_role handler_does(const struct kpt_use *use, enum kpt_role role)
{
	switch (role) {
	case KPT_ROLE_ENTRY:
	case KPT_ROLE_REPLACE:
		return use->at_entry ?: role;
	case KPT_ROLE_RETURN:
		return use->at_return ?: role;
	default:
		return role;
	}
}

/*
 * Copy a list. Add a sink for @file to the handler with probe and role of @new; or
 * insert @new before handlers that must be last. Returns false if it did neither:
 * then @new belongs at the end.
 */
static bool list_copy_with(struct kpt_handlers *list,
			   const struct kpt_handlers *old,
			   const struct kpt_handler *new,
			   struct kpt_event_file *file)
{
	const struct kpt_handler *h;
	struct kpt_handler *put;
	bool placed = false;

	kpt_for_each_handler(h, old) {
		if (!placed && role_rank[h->role] > role_rank[new->role]) {
			list_put_new(list, new, file);
			placed = true;
		}
		put = list_put_handler(list, h);
		if (h->probe == new->probe && h->role == new->role) {
			list_put_sink(list, put, file);
			placed = true;
		}
	}
	return placed;
}

/**
 * kpt_handlers_have() - does a probe record into an instance at a hook, in a role?
 * @hook: the hook; if a batch is pending, its list is the one looked at
 * @probe: the probe
 * @file: the file of its event in the instance; NULL for a probe of another module
 * @role: the role. A function whose entry is its return instruction has a site of each
 *	role at one hook
 *
 * Context: process context, kpt_mutex held.
 * Return: true if it does.
 */
bool kpt_handlers_have(struct kpt_hook *hook, const struct kpt_probe *probe,
		       const struct kpt_event_file *file, enum kpt_role role)
{
	const struct kpt_handlers *list = kpt_hook_next(hook);
	const struct kpt_handler *h;
	const struct kpt_sink *sink;

	if (!list)
		return false;
	kpt_for_each_handler(h, list)
		if (h->probe == probe && h->role == role)
			kpt_for_each_sink(sink, h)
				if (sink->file == file)
					return true;
	return false;
}

/*
 * Copy the list of a hook and add a sink for @file, with its present filter and
 * triggers, or with NULL for the functions of a probe of another module; if there is
 * one for it, that is replaced. Returns NULL without memory.
 */
static struct kpt_handlers *list_with(struct kpt_hook *hook,
				      struct kpt_probe *probe,
				      struct kpt_event_file *file,
				      const struct kpt_site *site)
{
	const struct kpt_handler handler = {
		.probe = probe,
		.prog = probe->prog,
		.calls = site->calls,
		.func = site->func,
		.type = file ? file->event->id : 0,
		.role = site->role,
		.does = handler_does(probe->use, site->role),
	};
	const struct kpt_handlers *old = kpt_hook_next(hook);
	size_t size = old ? old->size : offsetof(struct kpt_handlers, first);
	struct kpt_handlers *new;

	new = list_alloc(hook, size + sizeof(handler) + sizeof(struct kpt_sink));
	if (!new)
		return NULL;
	if (!old || !list_copy_with(new, old, &handler, file))
		list_put_new(new, &handler, file);
	return list_finish(new);
}

/**
 * kpt_handlers_add() - let a hook record hits of a probe
 * @hook: the hook; if a batch is pending, its list is the one that is copied
 * @probe: the probe whose handler gets a sink
 * @file: where the sink records, with its present filter and triggers; NULL for the
 *	functions of a probe of another module. If the list has a sink for it, that is
 *	replaced
 * @site: the site: its role, its function and the owner of its calls
 * @batch: gets the new list
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_handlers_add(struct kpt_hook *hook, struct kpt_probe *probe,
		     struct kpt_event_file *file, const struct kpt_site *site,
		     struct kpt_batch *batch)
{
	struct kpt_handlers *list;

	list = list_with(hook, probe, file, site);
	if (!list)
		return -ENOMEM;
	kpt_batch_add(batch, hook, list);
	return 0;
}

static bool is_left(const struct kpt_handler *handler,
		    const struct kpt_sink *sink, const struct kpt_probe *probe,
		    const struct kpt_event_file *file)
{
	return handler->probe != probe || (file && sink->file != file);
}

/* Copy a handler without the sinks that leave; copy nothing if all of them leave. */
static void list_put_left(struct kpt_handlers *list,
			  const struct kpt_handler *handler,
			  const struct kpt_probe *probe,
			  const struct kpt_event_file *file)
{
	struct kpt_handler *put = list_put(list, handler, sizeof(*handler));
	const struct kpt_sink *sink;

	put->nr_sinks = 0;
	kpt_for_each_sink(sink, handler) {
		if (!is_left(handler, sink, probe, file))
			continue;
		list_put(list, sink, sizeof(*sink));
		put->nr_sinks++;
	}
	if (!put->nr_sinks)
		list->size -= sizeof(*put);
}

/* Counts the sinks that stay; returns false if none leaves. */
static bool list_has_leaving(const struct kpt_handlers *list,
			     const struct kpt_probe *probe,
			     const struct kpt_event_file *file, unsigned int *nr_left)
{
	const struct kpt_handler *h;
	const struct kpt_sink *sink;
	unsigned int nr = 0;

	*nr_left = 0;
	kpt_for_each_handler(h, list) {
		kpt_for_each_sink(sink, h) {
			nr++;
			*nr_left += is_left(h, sink, probe, file);
		}
	}
	return *nr_left < nr;
}

/* Copy a list and leave out a sink, or all of a probe. Returns NULL without memory. */
static struct kpt_handlers *list_without(struct kpt_hook *hook,
					 const struct kpt_handlers *old,
					 const struct kpt_probe *probe,
					 const struct kpt_event_file *file)
{
	struct kpt_handlers *new = list_alloc(hook, old->size);
	const struct kpt_handler *h;

	if (!new)
		return NULL;
	kpt_for_each_handler(h, old)
		list_put_left(new, h, probe, file);
	return list_finish(new);
}

/**
 * kpt_handlers_remove() - the reverse of kpt_handlers_add()
 * @hook: the hook; if a batch is pending, its list is the one that is copied
 * @probe: the probe whose handler loses a sink
 * @file: the file of the sink, or NULL for all sinks of the probe
 * @batch: gets the new list, or none if no sink is left; nothing if no sink leaves
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM; 0 if no sink leaves.
 */
int kpt_handlers_remove(struct kpt_hook *hook, const struct kpt_probe *probe,
			const struct kpt_event_file *file, struct kpt_batch *batch)
{
	const struct kpt_handlers *old = kpt_hook_next(hook);
	struct kpt_handlers *new = NULL;
	unsigned int nr_left;

	if (!old || !list_has_leaving(old, probe, file, &nr_left))
		return 0;
	if (nr_left) {
		new = list_without(hook, old, probe, file);
		if (!new)
			return -ENOMEM;
	}
	kpt_batch_add(batch, hook, new);
	return 0;
}
