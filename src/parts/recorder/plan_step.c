// SPDX-License-Identifier: GPL-2.0-only
/* One step of a plan, and what it records. */
#include <linux/slab.h>
#include "parts/recorder/plan.h"
#include "engine/point.h"
#include "event/task_filter.h"
#include "kernel/cpu.h"
#include "kernel/scratch.h"

/**
 * kpt_plan_counts_own() - does code count in kpt_probe.own_recorded?
 * @handler: for this handler
 *
 * It does not what is recorded for several instances. Hits that take kpt_hit_point() may count
 * elsewhere.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: true if it does.
 */
bool kpt_plan_counts_own(const struct kpt_handler *handler)
{
	return handler->role != KPT_ROLE_EVENT && handler->nr_sinks == 1 &&
	       handler->sink->kind != KPT_SINK_LIMITED &&
	       kpt_probe_take_home(handler->probe, handler->sink->file);
}

static u64 __percpu *hits_of(const struct kpt_handler *handler)
{
	return handler->hits ? &handler->hits->hits : NULL;
}

static struct kpt_arch_ring ring_of(const struct kpt_sink *sink)
{
	const struct kpt_instance *instance = sink->file->instance;

	return (struct kpt_arch_ring){
		.stops = &sink->buffer->stops,
		.ring = &sink->buffer->cpu->ring,
		.waiters = &sink->buffer->waiters,
		.buffer = sink->buffer,
		.tasks = &instance->allowed[sink->file->is_tracer],
		.asks_tasks = instance->asks_tasks,
		.is_unordered = sink->buffer->clock == KPT_CLOCK_UNORDERED &&
				kpt_clock_is_raw(KPT_CLOCK_UNORDERED),
		.is_slow = !kpt_clock_is_raw(sink->buffer->clock),
		.stamp = &sink->buffer->reader,
		.count = sink->buffer->clock == KPT_CLOCK_COUNTER ? &kpt_clock_events : NULL,
	};
}

/**
 * kpt_plan_add_step() - append a step to a plan
 * @p: the plan
 * @op: what it does
 * @g: for these handlers
 * @sink: their sink with this number
 * @from: but for the first @from of them
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the step, which has the ring of that sink; NULL if the plan is full, but never for
 * KPT_ARCH_REST.
 */
struct kpt_arch_step *kpt_plan_add_step(struct kpt_plan *p, enum kpt_arch_op op,
					const struct kpt_plan_group *g, unsigned int sink,
					unsigned int from)
{
	struct kpt_arch_step *step;

	/* The last one is for KPT_ARCH_REST. */
	if (p->so_far.nr == KPT_ARCH_STEPS - (op != KPT_ARCH_REST))
		return NULL;
	step = &p->step[p->so_far.nr++];
	*step = (struct kpt_arch_step){
		.op = op,
		.rest = {
			.at = (const u8 *)g->first - (const u8 *)p->list,
			.sink = sink,
			.from = from,
			.nr = g->nr,
		},
		.nr = 1,
	};
	if (g->first->sink[sink].kind != KPT_SINK_FUNCTIONS)
		step->ring = ring_of(&g->first->sink[sink]);
	return step;
}

/*
 * Where a hit counts that a ring has no room for, as kpt_hit_lost(): on this CPU, if there are
 * such counters.
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

/* Where a hit counts that is not wanted, as kpt_hit_count_filtered(). */
static void find_filtered(struct kpt_arch_record *record, const struct kpt_handler *handler,
			  const struct kpt_sink *sink)
{
	if (kpt_plan_counts_own(handler)) {
		record->own_filtered = &handler->probe->own_filtered;
		return;
	}
	record->filtered[0] = &kpt_sink_counts(sink)->outcomes.filtered;
	record->filtered[1] = sink == handler->sink ? hits_of(handler) : NULL;
}

/**
 * kpt_plan_add_record() - append a record to a plan
 * @p: the plan
 * @handler: makes it
 * @sink: gets it
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the record; NULL if the plan is full.
 */
struct kpt_arch_record *kpt_plan_add_record(struct kpt_plan *p, const struct kpt_handler *handler,
					    const struct kpt_sink *sink)
{
	struct kpt_arch_record *record;
	bool is_return = handler->role == KPT_ROLE_RETURN;
	bool is_own = kpt_plan_counts_own(handler);

	if (p->so_far.nr_records == KPT_PLAN_RECORDS)
		return NULL;
	record = &p->record[p->so_far.nr_records++];
	*record = (struct kpt_arch_record){
		.prog = handler->prog,
		.type = handler->place ?: handler->type,
		.left_out = kpt_handler_left_out(handler),
		.ip = is_return ? handler->func : kpt_hook_address(p->list->hook),
		.length = handler->words * 8,
		.is_return = is_return,
		.recorded = is_own ? handler->probe->own_recorded : sink->recorded,
		.hits = is_own || sink != handler->sink ? NULL : hits_of(handler),
	};
	find_filtered(record, handler, sink);
	find_lost(record, handler, sink);
	return record;
}

/**
 * kpt_plan_convert_filter() - have a filter of records ask the hit
 * @p: the plan, which has the filter from then on
 * @handler: makes the records
 * @from: the filter
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the filter for a step; NULL if that is not for code, the plan is full, or there is
 * no memory.
 */
const struct kpt_filter *kpt_plan_convert_filter(struct kpt_plan *p,
						 const struct kpt_handler *handler,
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

/* Where the only record of a step counts if it is not wanted. Returns false without memory. */
static bool find_refused(struct kpt_arch_step *step, const struct kpt_handler *handler,
			 const struct kpt_sink *sink)
{
	if (kpt_plan_counts_own(handler)) {
		if (kpt_probe_make_filtered(handler->probe))
			return false;
		step->filtered[0] = handler->probe->own_filtered;
	} else {
		step->filtered[0] = &kpt_sink_counts(sink)->outcomes.filtered;
		step->filtered[1] = sink == handler->sink ? hits_of(handler) : NULL;
	}
	return true;
}

/**
 * kpt_plan_add_filter() - let a step ask the filter of its sink first
 * @p: the plan
 * @step: the step
 * @handler: makes its record
 * @sink: gets it
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: true, also if there is no filter; false if that is not for code.
 */
bool kpt_plan_add_filter(struct kpt_plan *p, struct kpt_arch_step *step,
			 const struct kpt_handler *handler, const struct kpt_sink *sink)
{
	if (!sink->filter)
		return true;
	step->filter = kpt_plan_convert_filter(p, handler, sink->filter);
	return step->filter && find_refused(step, handler, sink);
}

static bool is_raw(const struct kpt_buffer *buf)
{
	return kpt_clock_is_raw(buf->clock) && buf->clock != KPT_CLOCK_UNORDERED;
}

/*
 * May records have the time of those before? The clock counter gives each its own; and a time
 * that was read early may be before that of a record in another ring.
 */
static bool knows_time(const struct kpt_plan *p, const struct kpt_plan_group *g,
		       const struct kpt_buffer *buf)
{
	if (buf->clock == KPT_CLOCK_UNORDERED && (g->first->nr_sinks > 1 || p->so_far.known_aside))
		return false;
	if (p->so_far.known == buf)
		return buf->clock != KPT_CLOCK_COUNTER;
	return p->so_far.known_raw && is_raw(buf);
}

/* A step records in a buffer; is it one that knows a record of the hit? */
static void note_known(struct kpt_plan *p, const struct kpt_buffer *buf, bool knows)
{
	p->so_far.known_raw = is_raw(buf) && (!knows || p->so_far.known_raw);
	p->so_far.known = !knows || p->so_far.known == buf ? buf : NULL;
	p->so_far.known_aside &= knows;
	p->so_far.is_known = true;
	p->so_far.has_made = true;
}

/* A step makes records, perhaps behind others of the hit. */
static void note_made(struct kpt_plan *p, const struct kpt_plan_group *g,
		      struct kpt_arch_step *step)
{
	bool is_return = g->first->role == KPT_ROLE_RETURN;
	const struct kpt_buffer *buf = step->ring.buffer;

	step->is_more = p->so_far.is_known && (p->so_far.all_checked || !is_return);
	step->has_own_time = step->is_more && !knows_time(p, g, buf);
	p->so_far.all_checked = is_return && (!step->is_more || p->so_far.all_checked);
	note_known(p, buf, step->is_more);
}

/**
 * kpt_plan_add_records() - let a step have a record of each of some handlers
 * @p: the plan
 * @step: the step
 * @handler: the first one
 * @sink: number of the sinks that get them
 * @nr: number of handlers
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: true; false if the plan is full.
 */
bool kpt_plan_add_records(struct kpt_plan *p, struct kpt_arch_step *step,
			  const struct kpt_handler *handler, unsigned int sink, unsigned int nr)
{
	const struct kpt_arch_record *record;

	step->record = &p->record[p->so_far.nr_records];
	for (step->nr = 0; step->nr < nr; step->nr++) {
		record = kpt_plan_add_record(p, handler, &handler->sink[sink]);
		if (!record)
			return false;
		handler = kpt_next_handler(handler);
	}
	return true;
}

static bool add_made(struct kpt_plan *p, const struct kpt_plan_group *g, unsigned int sink)
{
	const struct kpt_handler *handler = g->first;
	struct kpt_arch_step *step = kpt_plan_add_step(p, KPT_ARCH_RECORD, g, sink, 0);

	if (!step || !kpt_plan_add_records(p, step, handler, sink, g->nr))
		return false;
	note_made(p, g, step);
	return kpt_plan_add_filter(p, step, handler, &handler->sink[sink]);
}

static bool add_copy(struct kpt_plan *p, const struct kpt_plan_group *g, unsigned int sink,
		     unsigned int from, unsigned int nr)
{
	const struct kpt_handler *handler = kpt_nth_handler(g, from);
	struct kpt_arch_step *step = kpt_plan_add_step(p, KPT_ARCH_COPY, g, sink, from);
	const struct kpt_handler *before;
	unsigned int i;

	if (!step || !kpt_plan_add_records(p, step, handler, sink, nr))
		return false;
	for (before = g->first; before != handler; before = kpt_next_handler(before))
		step->from += before->words * 8;
	for (i = 0; i <= sink; i++)
		step->has_own_time |= !kpt_clock_is_raw(g->first->sink[i].buffer->clock);
	note_known(p, step->ring.buffer, true);
	return kpt_plan_add_filter(p, step, handler, &handler->sink[sink]);
}

/* Let a step ask the limit of its sink. Returns false if that is not for code. */
static bool find_limit(struct kpt_arch_step *step, const struct kpt_handler *handler,
		       const struct kpt_sink *sink)
{
	if (!sink->limit)
		return true;
	step->limit = sink->limit;
	step->limited[0] = &kpt_sink_counts(sink)->limited;
	step->limited[1] = sink == handler->sink ? hits_of(handler) : NULL;
	return kpt_clock_is_raw(KPT_CLOCK_LOCAL);
}

static bool add_limit(struct kpt_plan *p, const struct kpt_plan_group *g, unsigned int n)
{
	const struct kpt_sink *sink = &g->first->sink[n];
	struct kpt_arch_step *step = kpt_plan_add_step(p, KPT_ARCH_LIMIT, g, n, 0);

	if (!step || !kpt_plan_add_records(p, step, g->first, n, 1))
		return false;
	p->so_far.is_known = false;
	p->so_far.has_made = false;
	return find_limit(step, g->first, sink) && kpt_plan_add_filter(p, step, g->first, sink);
}

/* The filter of a trigger, if it has one. Returns false if that is not for code. */
static bool add_condition(struct kpt_plan *p, const struct kpt_handler *handler,
			  const struct kpt_filter *from, const struct kpt_filter **to)
{
	*to = from ? kpt_plan_convert_filter(p, handler, from) : NULL;
	return *to || !from;
}

/* Let a step ask the triggers of its sink first. Returns false if that is not for code. */
static bool add_conditions(struct kpt_plan *p, struct kpt_arch_step *step,
			   const struct kpt_handler *handler,
			   const struct kpt_file_conditions *from)
{
	struct kpt_arch_held *held = &step->held;
	unsigned int i;

	BUILD_BUG_ON(ARRAY_SIZE(from->hist) != ARRAY_SIZE(held->hist));
	if (from->not_for_code)
		return false;
	held->others = from->others;
	for (i = 0; i < from->others; i++)
		if (!add_condition(p, handler, from->other[i], &held->other[i]))
			return false;
	held->hists = from->hists;
	for (i = 0; i < from->hists; i++) {
		held->hist[i].hist = from->hist[i].hist;
		if (!add_condition(p, handler, from->hist[i].filter, &held->hist[i].filter))
			return false;
	}
	held->stack = from->stack;
	return add_condition(p, handler, from->stack ? from->stack_filter : NULL,
			     &held->stack_filter);
}

/* Do histograms cause synthetic events? */
static bool make_events(const struct kpt_file_conditions *conditions)
{
	unsigned int i;

	for (i = 0; i < conditions->hists; i++)
		if (conditions->hist[i].hist->makes_events)
			return true;
	return false;
}

/* Does a histogram count all hits, so that there is a record of each? See add_held(). */
static bool count_all(const struct kpt_file_conditions *conditions)
{
	unsigned int i;

	for (i = 0; i < conditions->hists; i++)
		if (!conditions->hist[i].filter)
			return !make_events(conditions);
	return false;
}

/* Does a trigger want the stack? */
static bool want_stack(const struct kpt_file_conditions *conditions)
{
	const struct kpt_arch_hist *hist;
	unsigned int i, op;

	for (i = 0; i < conditions->hists; i++) {
		hist = conditions->hist[i].hist;
		for (op = 0; op < hist->nr_keys; op++)
			if (hist->op[op].code == KPT_ARCH_HIST_STACK)
				return true;
	}
	return conditions->stack;
}

/*
 * The event has triggers, or triggers switch it. Synthetic events, which histograms cause, may
 * be for an instance with a task filter. They need a stub, as stacks do. A record that no ring
 * gets is made in kpt_scratch.
 */
static bool add_held(struct kpt_plan *p, const struct kpt_plan_group *g, unsigned int n)
{
	const struct kpt_handler *handler = g->first;
	const struct kpt_sink *sink = &handler->sink[n];
	struct kpt_arch_step *step = kpt_plan_add_step(p, KPT_ARCH_HELD, g, n, 0);
	struct kpt_event_file *file = sink->file;
	bool events = make_events(&file->triggers.conditions);
	bool others = sink->kind >= KPT_SINK_FOLLOWERS;
	bool needs_stub = events || sink->kind == KPT_SINK_PERF ||
			  want_stack(&file->triggers.conditions);

	/* A synthetic event may overwrite the record. */
	if (!step || (needs_stub && p->caller != KPT_ARCH_STUB && p->caller != KPT_ARCH_RETURN) ||
	    (events && others) || handler->words * 8 > KPT_SCRATCH_RECORD / 2)
		return false;
	step->held.pc = kpt_hook_address(p->list->hook);
	step->held.has_caller = handler->func || handler->role == KPT_ROLE_RETURN;
	step->held.aside = kpt_scratch;
	step->held.pad = &kpt_scratch->work;
	step->held.enabled = &file->enabled;
	step->held.asks_tasks = step->ring.asks_tasks;
	step->held.needs_record = others || (!step->held.asks_tasks &&
					     count_all(&file->triggers.conditions));
	step->held.perf = sink->kind == KPT_SINK_PERF ? file : NULL;
	step->held.unless[0] = &file->triggers.is_changing;
	step->held.unless[1] = events ? &kpt_task_filter_needs_rcu : NULL;
	step->held.hits = n ? NULL : hits_of(handler);
	step->record = kpt_plan_add_record(p, handler, sink);
	if (!step->record)
		return false;
	note_made(p, g, step);
	p->so_far.known_aside |= step->held.needs_record;
	return find_refused(step, handler, sink) && find_limit(step, handler, sink) &&
	       kpt_plan_add_filter(p, step, handler, sink) &&
	       add_conditions(p, step, handler, &file->triggers.conditions);
}

/**
 * kpt_plan_add_sink() - append the step of a sink of some handlers
 * @p: the plan
 * @g: of these handlers
 * @n: the sink with this number
 * @from: but for the first @from of them
 * @nr: and of so many
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: true; false if that is not for code.
 */
bool kpt_plan_add_sink(struct kpt_plan *p, const struct kpt_plan_group *g, unsigned int n,
		       unsigned int from, unsigned int nr)
{
	const struct kpt_sink *sink = &g->first->sink[n];

	if (g->nr == 1 && sink->kind == KPT_SINK_LIMITED)
		return add_limit(p, g, n);
	if (g->nr == 1 && sink->kind >= KPT_SINK_TRIGGERS && sink->kind <= KPT_SINK_PERF)
		return add_held(p, g, n);
	if (sink->kind != KPT_SINK_RING)
		return false;
	return p->so_far.has_made ? add_copy(p, g, n, from, nr) : add_made(p, g, n);
}
