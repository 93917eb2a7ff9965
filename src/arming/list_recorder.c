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
#include "kernel/lock.h"

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

/* What a stub does for a list of function_graph, if the stub may run it; else KPT_ARCH_REST. */
static enum kpt_arch_op list_graph(const struct kpt_handlers *list)
{
	const struct kpt_handler *handler = &list->first;

	if (list->kind != KPT_HANDLERS_GRAPH || handler->sink->kind != KPT_SINK_RING)
		return KPT_ARCH_REST;
	if (handler->role == KPT_ROLE_RETURN)
		return KPT_ARCH_GRAPH_LEAVE;
	return handler->role == KPT_ROLE_ENTRY &&
	       !kpt_graph_leaves_out(handler->probe, handler->func) ?
		KPT_ARCH_GRAPH_ENTER : KPT_ARCH_REST;
}

/* Records and filters of all steps together, at most. */
#define RECORDS_MAX	64
#define FILTERS_MAX	64

/**
 * struct plan - steps that a list of handlers becomes
 * @list: the list
 * @nr: number of @step
 * @nr_records: number of @record
 * @nr_filters: number of @filter
 * @made_by: the handler of the last step that makes records, if others may get copies of
 *	the first of these: then it is the only one
 * @step: the steps
 * @record: what they record
 * @filter: filters of them, converted to read registers
 */
struct plan {
	const struct kpt_handlers *list;
	unsigned int nr;
	unsigned int nr_records;
	unsigned int nr_filters;
	const struct kpt_handler *made_by;
	struct kpt_arch_step step[KPT_ARCH_STEPS];
	struct kpt_arch_record record[RECORDS_MAX];
	struct kpt_filter *filter[FILTERS_MAX];
};

/* The one that is made. Under kpt_mutex. */
static struct plan plan;

/*
 * Stubs count in kpt_probe.own_recorded, also if hits that take kpt_hit_point() count
 * elsewhere; but not what is recorded for several instances.
 */
static bool counts_own(const struct kpt_handler *handler)
{
	return handler->nr_sinks == 1 && handler->sink->kind != KPT_SINK_LIMITED &&
	       kpt_probe_take_home(handler->probe, handler->sink->file);
}

static u64 __percpu *hits_of(const struct kpt_handler *handler)
{
	return handler->hits ? &handler->hits->hits : NULL;
}

static struct kpt_arch_step *add_step(struct plan *p, enum kpt_arch_op op,
				      const struct kpt_sink *sink)
{
	struct kpt_arch_step *step;

	/* The last one is for KPT_ARCH_REST. */
	if (p->nr == KPT_ARCH_STEPS - (op != KPT_ARCH_REST))
		return NULL;
	step = &p->step[p->nr++];
	*step = (struct kpt_arch_step){
		.op = op,
		.at = (const u8 *)sink - (const u8 *)p->list,
		.is_call = p->list->hook->owner == KPT_HOOK_TRACEPOINT,
		.nr = 1,
	};
	if (sink->kind != KPT_SINK_FUNCTIONS)
		step->ring = (struct kpt_arch_ring){
			.stops = &sink->buffer->stops,
			.ring = &sink->buffer->cpu->ring,
			.waiters = &sink->buffer->waiters,
			.buffer = sink->buffer,
			.tasks = &sink->file->instance->pids[sink->file->is_tracer ?
							     KPT_PIDS_TRACER : 0],
			.is_unordered = sink->buffer->clock == KPT_CLOCK_UNORDERED &&
					kpt_clock_is_raw(KPT_CLOCK_UNORDERED),
			.is_slow = !kpt_clock_is_raw(sink->buffer->clock),
		};
	return step;
}

/*
 * Where a hit counts that a ring has no room for, as kpt_hit_lost(): on this CPU, if there are
 * such counters. Histograms want also such hits.
 */
static void find_lost(struct kpt_arch_record *record, const struct kpt_handler *handler,
		      const struct kpt_sink *sink)
{
	struct kpt_event_file_counts __percpu *counts = sink->file->hits.counts;

	if (!counts || !handler->probe->counts)
		return;
	record->lost[0] = &counts->lost;
	if (sink == handler->sink)
		record->lost[1] = &handler->probe->counts->hits;
}

static struct kpt_arch_record *add_record(struct plan *p, const struct kpt_handler *handler,
					  const struct kpt_sink *sink)
{
	struct kpt_arch_record *record;
	bool is_return = handler->role == KPT_ROLE_RETURN;
	bool is_own = counts_own(handler);

	if (p->nr_records == RECORDS_MAX)
		return NULL;
	record = &p->record[p->nr_records++];
	*record = (struct kpt_arch_record){
		.prog = handler->prog,
		.type = handler->type,
		.ip = is_return ? handler->func : kpt_hook_address(p->list->hook),
		.length = handler->length,
		.is_return = is_return,
		.recorded = is_own ? handler->probe->own_recorded : sink->recorded,
		.hits = is_own || sink != handler->sink ? NULL : hits_of(handler),
		.unwanted = is_own ? &handler->probe->own_filtered : NULL,
	};
	find_lost(record, handler, sink);
	return record;
}

/* Convert a filter of records that @handler makes. Returns NULL if that is not for code. */
static const struct kpt_filter *convert_filter(struct plan *p, const struct kpt_handler *handler,
					       const struct kpt_filter *from)
{
	struct kpt_filter *filter;

	if (p->nr_filters == ARRAY_SIZE(p->filter))
		return NULL;
	filter = kmemdup(from, from->size, GFP_KERNEL);
	if (!filter)
		return NULL;
	p->filter[p->nr_filters++] = filter;
	return kpt_filter_on_hit(filter, handler->prog) ? filter : NULL;
}

/* Let a step ask the filter of its sink first. Returns false if that is not for code. */
static bool add_filter(struct plan *p, struct kpt_arch_step *step,
		       const struct kpt_handler *handler, const struct kpt_sink *sink)
{
	if (!sink->filter)
		return true;
	step->filter = convert_filter(p, handler, sink->filter);
	if (!step->filter)
		return false;
	if (counts_own(handler)) {
		if (kpt_probe_make_filtered(handler->probe))
			return false;
		step->filtered[0] = handler->probe->own_filtered;
	} else {
		step->filtered[0] = &kpt_sink_counts(sink)->outcomes.filtered;
		step->filtered[1] = sink == handler->sink ? hits_of(handler) : NULL;
	}
	return true;
}

/*
 * May the record of a handler be made at once with those of the last step? They have one time,
 * but the clock counter gives each record its own.
 */
static bool joins(const struct plan *p, const struct kpt_handler *handler)
{
	const struct kpt_arch_step *last;

	if (!p->nr)
		return false;
	last = &p->step[p->nr - 1];
	return last->op == KPT_ARCH_RECORD && last->nr < KPT_ARCH_RECORDS &&
	       !p->made_by && !last->filter && !last->ring.is_slow &&
	       !last->record->prog->has_strings && handler->nr_sinks == 1 &&
	       !handler->sink->filter && !handler->prog->has_strings &&
	       last->ring.buffer == handler->sink->buffer;
}

static bool add_made(struct plan *p, const struct kpt_handler *handler,
		     const struct kpt_sink *sink)
{
	struct kpt_arch_step *step;

	if (joins(p, handler)) {
		step = &p->step[p->nr - 1];
		step->nr++;
		return add_record(p, handler, sink);
	}
	/* What is read from memory is read once for all instances. */
	if (sink != handler->sink && !handler->prog->only_registers)
		return false;
	step = add_step(p, KPT_ARCH_RECORD, sink);
	if (!step)
		return false;
	step->record = add_record(p, handler, sink);
	p->made_by = handler->nr_sinks > 1 && !sink->filter ? handler : NULL;
	return step->record && add_filter(p, step, handler, sink);
}

static bool add_copy(struct plan *p, const struct kpt_handler *handler,
		     const struct kpt_sink *sink)
{
	struct kpt_arch_step *step = add_step(p, KPT_ARCH_COPY, sink);

	if (!step)
		return false;
	step->record = &p->record[p->nr_records - 1];
	step->recorded = sink->recorded;
	return add_filter(p, step, handler, sink);
}

static bool add_limit(struct plan *p, const struct kpt_handler *handler,
		      const struct kpt_sink *sink)
{
	struct kpt_arch_step *step;

	if (!kpt_clock_is_raw(KPT_CLOCK_LOCAL))
		return false;
	step = add_step(p, KPT_ARCH_LIMIT, sink);
	if (!step)
		return false;
	step->limit = sink->limit;
	step->limited[0] = &kpt_sink_counts(sink)->limited;
	step->limited[1] = sink == handler->sink ? hits_of(handler) : NULL;
	return add_filter(p, step, handler, sink);
}

/* Let a step ask the triggers of its sink first. Returns false if that is not for code. */
static bool add_conditions(struct plan *p, struct kpt_arch_step *step,
			   const struct kpt_handler *handler,
			   const struct kpt_file_conditions *from)
{
	struct kpt_arch_held *held = &step->held;

	BUILD_BUG_ON(ARRAY_SIZE(from->hist) != ARRAY_SIZE(held->hist));
	if (from->not_for_code)
		return false;
	for (; held->others < from->others; held->others++) {
		held->other[held->others] = convert_filter(p, handler, from->other[held->others]);
		if (!held->other[held->others])
			return false;
	}
	for (; held->hists < from->hists; held->hists++) {
		held->hist[held->hists] = convert_filter(p, handler, from->hist[held->hists]);
		if (!held->hist[held->hists])
			return false;
	}
	held->hist_of_all = from->hist_of_all;
	return true;
}

/*
 * The event has triggers, or triggers switch it. Synthetic events, which histograms cause, may
 * be for an instance with a task filter, and need a point.
 */
static bool add_held(struct plan *p, const struct kpt_handler *handler,
		     const struct kpt_sink *sink)
{
	struct kpt_arch_step *step = add_step(p, KPT_ARCH_HELD, sink);
	struct kpt_event_file *file = sink->file;
	bool has_hists = file->triggers.conditions.hist_of_all || file->triggers.conditions.hists;
	struct kpt_arch_record *record;

	if (!step || (has_hists && p->list->hook->owner != KPT_HOOK_POINT))
		return false;
	step->held.file = file;
	step->held.enabled = &file->enabled;
	step->held.unless[0] = &file->triggers.is_changing;
	step->held.unless[1] = has_hists ? &kpt_task_filter_needs_rcu : NULL;
	step->held.hits = sink == handler->sink ? hits_of(handler) : NULL;
	record = add_record(p, handler, sink);
	if (!record)
		return false;
	if (has_hists) {
		record->unwanted = NULL;
		record->lost[0] = NULL;
	}
	step->record = record;
	p->made_by = NULL;
	return add_filter(p, step, handler, sink) &&
	       add_conditions(p, step, handler, &file->triggers.conditions);
}

static bool add_any(struct plan *p, const struct kpt_handler *handler,
		    const struct kpt_sink *sink)
{
	if (sink->kind == KPT_SINK_LIMITED)
		return add_limit(p, handler, sink);
	if (sink->kind == KPT_SINK_TRIGGERS)
		return !sink->limit && add_held(p, handler, sink);
	return p->made_by == handler ? add_copy(p, handler, sink) :
				       add_made(p, handler, sink);
}

/*
 * Let code have the hit for a sink, too; with @sure, such code was written. Returns false, with
 * nothing changed, if that cannot be.
 */
static bool add_sink(struct plan *p, const struct kpt_handler *handler,
		     const struct kpt_sink *sink, bool sure)
{
	unsigned int nr = p->nr, nr_records = p->nr_records;
	const struct kpt_handler *made_by = p->made_by;
	struct kpt_arch_step last = nr ? p->step[nr - 1] : p->step[0];

	if (sink->kind > KPT_SINK_TRIGGERS || handler->calls ||
	    (handler->does != KPT_ROLE_HIT && handler->does != KPT_ROLE_RETURN))
		return false;
	if (add_any(p, handler, sink) && (!sure || kpt_arch_recorder_write(p->step, p->nr)))
		return true;
	p->nr = nr;
	p->nr_records = nr_records;
	p->made_by = made_by;
	if (nr)
		p->step[nr - 1] = last;
	return false;
}

/* All from a sink on is left to kpt_hit_resume(); the whole hit is left to kpt_hit_point(). */
static bool add_rest(struct plan *p, const struct kpt_sink *sink)
{
	return p->nr && add_step(p, KPT_ARCH_REST, sink) &&
	       kpt_arch_recorder_write(p->step, p->nr);
}

static bool add_each(struct plan *p, bool sure)
{
	const struct kpt_handler *handler;
	const struct kpt_sink *sink;

	kpt_for_each_handler(handler, p->list)
		kpt_for_each_sink(sink, handler)
			if (!add_sink(p, handler, sink, sure))
				return add_rest(p, sink);
	return sure || kpt_arch_recorder_write(p->step, p->nr);
}

static void plan_begin(struct plan *p, const struct kpt_handlers *list)
{
	memset(p, 0, offsetof(struct plan, step));
	p->list = list;
}

static void free_filters(struct plan *p)
{
	unsigned int i;

	for (i = 0; i < p->nr_filters; i++)
		kfree(p->filter[i]);
	p->nr_filters = 0;
}

/* Code is mostly for all of a list, so it is written once. If it is not, find out for what. */
static bool add_all(struct plan *p)
{
	if (add_each(p, false))
		return true;
	free_filters(p);
	plan_begin(p, p->list);
	return add_each(p, true);
}

static bool add_graph(struct plan *p, enum kpt_arch_op op)
{
	const struct kpt_handler *handler = &p->list->first;
	struct kpt_arch_step *step = add_step(p, op, handler->sink);
	struct kpt_arch_record *record = add_record(p, handler, handler->sink);
	bool ends = op == KPT_ARCH_GRAPH_LEAVE;

	if (!counts_own(handler) || step->ring.is_slow)
		return false;
	step->record = record;
	step->graph = kpt_graph_calls(handler->probe);
	record->length = kpt_ring_length(ends ? sizeof(struct kpt_record_graph_exit) :
						sizeof(struct kpt_record_graph_entry));
	record->is_return = false;
	record->type = ends ? KPT_RECORD_GRAPH_EXIT : KPT_RECORD_GRAPH_ENTRY;
	record->ip = handler->func;
	/* A call is one hit, but two records. */
	if (ends) {
		record->recorded = handler->sink->recorded;
		record->unwanted = NULL;
	}
	return kpt_arch_recorder_write(p->step, p->nr);
}

/* Returns false if the list begins with what is not for code. */
static bool make_plan(struct plan *p, const struct kpt_handlers *list)
{
	enum kpt_arch_op graph = list_graph(list);

	BUILD_BUG_ON(KPT_STOP_SWITCH != KPT_ARCH_STOP_SWITCH);
	BUILD_BUG_ON(KPT_STOP_CLOCK != KPT_ARCH_STOP_CLOCK);
	BUILD_BUG_ON(KPT_STOP_TASKS != KPT_ARCH_STOP_TASKS);
	BUILD_BUG_ON(KPT_PIDS_UNWANTED != KPT_PIDS_WANTED + 1);
	plan_begin(p, list);
	if (!kpt_hook_address(list->hook))
		return false;
	if (graph != KPT_ARCH_REST)
		return add_graph(p, graph);
	return !list->has_functions && add_all(p);
}

/* Returns the list with the plan that was written; as it is without memory for that. */
static struct kpt_handlers *list_add_recorder(struct kpt_handlers *list)
{
	struct kpt_handlers *larger = krealloc(list, list->size + kpt_arch_recorder_size(),
					       GFP_KERNEL);

	if (!larger)
		return list;
	larger->list.recorder = (void *)((u8 *)larger + larger->size);
	kpt_arch_recorder_make(larger->list.recorder);
	return larger;
}

/**
 * kpt_handlers_make_recorder() - let a stub or thunk record the hits of a list by itself
 * @list: a list, not published yet, complete but for @list->list, with room for a struct
 *	kpt_arch_recorder. If hits are not of the kind that stubs record, or there is no
 *	memory, they take kpt_hit_point()
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the list, which may have moved.
 */
struct kpt_handlers *kpt_handlers_make_recorder(struct kpt_handlers *list)
{
	struct kpt_arch_recorder *recorder = (void *)((u8 *)list + list->size);

	lockdep_assert_held(&kpt_mutex);
	recorder->code = kpt_recorder_none.code;
	list->list.recorder = recorder;
	if (make_plan(&plan, list))
		list = list_add_recorder(list);
	free_filters(&plan);
	list->list.recorder->hit = list_hit(list);
	list->list.recorder->handlers = list;
	return list;
}
