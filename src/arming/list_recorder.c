// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which lists of handlers the stub of a point, or the thunk of a tracepoint, runs by
 * itself: see arch/arm64/recorder/recorder.c.
 */
#include <linux/slab.h>
#include "engine/point.h"
#include "engine/tracepoint.h"
#include "arming/list_recorder.h"
#include "arming/handlers.h"
#include "event/task_filter.h"
#include "event/use.h"
#include "kernel/cpu.h"
#include "kernel/lock.h"
#include "kernel/scratch.h"

static const struct kpt_handler *next_handler(const struct kpt_handler *handler)
{
	return (const void *)&handler->sink[handler->nr_sinks];
}

static bool is_in(const struct kpt_handler *handler, const struct kpt_handlers *list)
{
	return (const u8 *)handler < (const u8 *)list + list->size;
}

/* What a stub does for a list of function_graph, if the stub may run it; else KPT_ARCH_REST. */
static enum kpt_arch_op list_graph(const struct kpt_handlers *list)
{
	const struct kpt_handler *handler = &list->first;

	if (is_in(next_handler(handler), list) || handler->nr_sinks > 1 ||
	    handler->sink->kind != KPT_SINK_RING)
		return KPT_ARCH_REST;
	if (handler->does == KPT_ROLE_GRAPH_LEAVE)
		return KPT_ARCH_GRAPH_LEAVE;
	return handler->does == KPT_ROLE_GRAPH_ENTER && handler->role == KPT_ROLE_ENTRY &&
	       !kpt_graph_leaves_out(handler->probe, handler->func) ?
		KPT_ARCH_GRAPH_ENTER : KPT_ARCH_REST;
}

/* Records and filters of all steps together, at most. */
#define RECORDS_MAX	64
#define FILTERS_MAX	64

/* Words of code: of all, at most; and about those of a step, a record, a step of its program. */
#define WORDS_MAX	950
#define STEP_WORDS	110
#define RECORD_WORDS	14
#define FETCH_WORDS	4

/* Bytes of records that are made at once, at most: what one instruction reaches. */
#define GROUP_MAX	504

/**
 * struct group - handlers, one behind the other, whose records are made at once
 * @first: the first one
 * @nr: their number
 */
struct group {
	const struct kpt_handler *first;
	unsigned int nr;
};

/**
 * struct progress - what a plan has so far
 * @nr: number of steps
 * @has: records that they make and copy
 * @words: about how long their code is
 * @nr_records: number of records
 * @has_made: the last step has made or copied records of the group
 * @is_known: behind the last step a record of the hit is known, unless nothing was recorded ...
 * @known: ... which is in this buffer; NULL: perhaps in one of several
 * @known_raw: all of these have the counter, read in order, as their clock
 * @all_checked: who makes it checks the return address
 */
struct progress {
	unsigned int nr;
	unsigned int has;
	unsigned int words;
	unsigned int nr_records;
	bool has_made;
	bool is_known;
	bool known_raw;
	bool all_checked;
	const struct kpt_buffer *known;
};

/**
 * struct plan - steps that a list of handlers becomes
 * @list: the list
 * @may_have: @so_far.has, at most
 * @so_far: how far it is
 * @has_rest: code for a part of the list was written, and it leaves the rest to C
 * @total: number of @step, those included that are there in case that others record nothing
 * @nr_filters: number of @filter
 * @step: the steps
 * @record: what they record
 * @filter: filters of them, converted to read registers
 */
struct plan {
	const struct kpt_handlers *list;
	unsigned int may_have;
	struct progress so_far;
	bool has_rest;
	unsigned int total;
	unsigned int nr_filters;
	struct kpt_arch_step step[KPT_ARCH_STEPS];
	struct kpt_arch_record record[RECORDS_MAX];
	struct kpt_filter *filter[FILTERS_MAX];
};

/* The one that is made, from the first on. Under kpt_mutex. */
static struct plan *plan;

/*
 * Stubs count in kpt_probe.own_recorded, also if hits that take kpt_hit_point() count
 * elsewhere; but not what is recorded for several instances.
 */
static bool counts_own(const struct kpt_handler *handler)
{
	return handler->role != KPT_ROLE_EVENT && handler->nr_sinks == 1 &&
	       handler->sink->kind != KPT_SINK_LIMITED &&
	       kpt_probe_take_home(handler->probe, handler->sink->file);
}

static u64 __percpu *hits_of(const struct kpt_handler *handler)
{
	return handler->hits ? &handler->hits->hits : NULL;
}

static const struct kpt_handler *nth_handler(const struct group *g, unsigned int n)
{
	const struct kpt_handler *handler = g->first;

	while (n--)
		handler = next_handler(handler);
	return handler;
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

/* Are hits BRKs without a stub? */
static bool has_regs(const struct kpt_hook *hook)
{
	return hook->owner == KPT_HOOK_POINT &&
	       !kpt_arch_has_stub(&container_of(hook, struct kpt_point, hook)->arch);
}

/* A step of sinks with number @sink of a group's handlers, but for the first @from ones. */
static struct kpt_arch_step *add_step(struct plan *p, enum kpt_arch_op op,
				      const struct group *g, unsigned int sink,
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
		.is_call = p->list->hook->owner == KPT_HOOK_TRACEPOINT,
		.has_regs = has_regs(p->list->hook),
		.nr = 1,
	};
	if (g->first->sink[sink].kind != KPT_SINK_FUNCTIONS)
		step->ring = ring_of(&g->first->sink[sink]);
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

/* Where a hit counts that is not wanted, as kpt_hit_count_filtered(). */
static void find_filtered(struct kpt_arch_record *record, const struct kpt_handler *handler,
			  const struct kpt_sink *sink)
{
	if (counts_own(handler)) {
		record->own_filtered = &handler->probe->own_filtered;
		return;
	}
	record->filtered[0] = &kpt_sink_counts(sink)->outcomes.filtered;
	record->filtered[1] = sink == handler->sink ? hits_of(handler) : NULL;
}

static struct kpt_arch_record *add_record(struct plan *p, const struct kpt_handler *handler,
					  const struct kpt_sink *sink)
{
	struct kpt_arch_record *record;
	bool is_return = handler->role == KPT_ROLE_RETURN;
	bool is_own = counts_own(handler);

	if (p->so_far.nr_records == RECORDS_MAX)
		return NULL;
	record = &p->record[p->so_far.nr_records++];
	*record = (struct kpt_arch_record){
		.prog = handler->prog,
		.type = handler->type,
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

static bool is_raw(const struct kpt_buffer *buf)
{
	return kpt_clock_is_raw(buf->clock) && buf->clock != KPT_CLOCK_UNORDERED;
}

/*
 * May records have the time of those before? The clock counter gives each its own; and a time
 * that was read early may be before that of a record in another ring.
 */
static bool knows_time(const struct plan *p, const struct group *g, const struct kpt_buffer *buf)
{
	if (buf->clock == KPT_CLOCK_UNORDERED && g->first->nr_sinks > 1)
		return false;
	if (p->so_far.known == buf)
		return buf->clock != KPT_CLOCK_COUNTER;
	return p->so_far.known_raw && is_raw(buf);
}

/* A step records in a buffer; is it one that knows a record of the hit? */
static void note_known(struct plan *p, const struct kpt_buffer *buf, bool knows)
{
	p->so_far.known_raw = is_raw(buf) && (!knows || p->so_far.known_raw);
	p->so_far.known = !knows || p->so_far.known == buf ? buf : NULL;
	p->so_far.is_known = true;
	p->so_far.has_made = true;
}

/* A step makes records, perhaps behind others of the hit. */
static void note_made(struct plan *p, const struct group *g, struct kpt_arch_step *step)
{
	bool is_return = g->first->role == KPT_ROLE_RETURN;
	const struct kpt_buffer *buf = step->ring.buffer;

	step->is_more = p->so_far.is_known && (p->so_far.all_checked || !is_return);
	step->has_own_time = step->is_more && !knows_time(p, g, buf);
	p->so_far.all_checked = is_return && (!step->is_more || p->so_far.all_checked);
	note_known(p, buf, step->is_more);
}

/* Records of @nr handlers. */
static bool add_records(struct plan *p, struct kpt_arch_step *step,
			const struct kpt_handler *handler, unsigned int sink, unsigned int nr)
{
	const struct kpt_arch_record *record;

	step->record = &p->record[p->so_far.nr_records];
	for (step->nr = 0; step->nr < nr; step->nr++) {
		record = add_record(p, handler, &handler->sink[sink]);
		if (!record)
			return false;
		handler = next_handler(handler);
	}
	return true;
}

static bool add_made(struct plan *p, const struct group *g, unsigned int sink)
{
	const struct kpt_handler *handler = g->first;
	struct kpt_arch_step *step = add_step(p, KPT_ARCH_RECORD, g, sink, 0);

	if (!step || !add_records(p, step, handler, sink, g->nr))
		return false;
	note_made(p, g, step);
	return add_filter(p, step, handler, &handler->sink[sink]);
}

/* The handlers of a group from the @from-th on: how many of them have no filter, or one has? */
static unsigned int count_alike(const struct group *g, unsigned int sink, unsigned int from)
{
	const struct kpt_handler *handler = nth_handler(g, from);
	unsigned int nr = 0;

	if (handler->sink[sink].filter)
		return 1;
	while (from + nr < g->nr && !nth_handler(g, from + nr)->sink[sink].filter)
		nr++;
	return nr;
}

static bool add_copy(struct plan *p, const struct group *g, unsigned int sink,
		     unsigned int from, unsigned int nr)
{
	const struct kpt_handler *handler = nth_handler(g, from);
	struct kpt_arch_step *step = add_step(p, KPT_ARCH_COPY, g, sink, from);
	const struct kpt_handler *before;
	unsigned int i;

	if (!step || !add_records(p, step, handler, sink, nr))
		return false;
	for (before = g->first; before != handler; before = next_handler(before))
		step->from += before->words * 8;
	for (i = 0; i <= sink; i++)
		step->has_own_time |= !kpt_clock_is_raw(g->first->sink[i].buffer->clock);
	note_known(p, step->ring.buffer, true);
	return add_filter(p, step, handler, &handler->sink[sink]);
}

static bool add_limit(struct plan *p, const struct group *g, unsigned int n)
{
	const struct kpt_sink *sink = &g->first->sink[n];
	struct kpt_arch_step *step;

	if (!kpt_clock_is_raw(KPT_CLOCK_LOCAL))
		return false;
	step = add_step(p, KPT_ARCH_LIMIT, g, n, 0);
	if (!step)
		return false;
	step->limit = sink->limit;
	step->limited[0] = &kpt_sink_counts(sink)->limited;
	step->limited[1] = n ? NULL : hits_of(g->first);
	p->so_far.is_known = false;
	p->so_far.has_made = false;
	return add_filter(p, step, g->first, sink);
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
		held->hist[held->hists].hist = from->hist[held->hists].hist;
		if (!from->hist[held->hists].filter)
			continue;
		held->hist[held->hists].filter =
			convert_filter(p, handler, from->hist[held->hists].filter);
		if (!held->hist[held->hists].filter)
			return false;
	}
	held->stack = from->stack;
	if (from->stack && from->stack_filter)
		held->stack_filter = convert_filter(p, handler, from->stack_filter);
	return !from->stack_filter || held->stack_filter;
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
static bool add_held(struct plan *p, const struct group *g, unsigned int n)
{
	const struct kpt_handler *handler = g->first;
	const struct kpt_sink *sink = &handler->sink[n];
	struct kpt_arch_step *step = add_step(p, KPT_ARCH_HELD, g, n, 0);
	struct kpt_event_file *file = sink->file;
	bool events = make_events(&file->triggers.conditions);
	bool others = sink->kind >= KPT_SINK_FOLLOWERS;
	bool needs_stub = events || sink->kind == KPT_SINK_PERF ||
			  want_stack(&file->triggers.conditions);
	struct kpt_arch_record *record;

	/* A synthetic event may overwrite the record. */
	if (!step || (needs_stub && (step->is_call || step->has_regs)) ||
	    (events && others) || handler->words * 8 > KPT_SCRATCH_RECORD / 2)
		return false;
	step->held.pc = kpt_hook_address(p->list->hook);
	step->held.has_caller = handler->func || handler->role == KPT_ROLE_RETURN;
	step->held.aside = kpt_scratch;
	step->held.pad = &kpt_scratch->work;
	step->held.enabled = &file->enabled;
	step->held.needs_record = others;
	step->held.perf = sink->kind == KPT_SINK_PERF ? file : NULL;
	step->held.unless[0] = &file->triggers.is_changing;
	step->held.unless[1] = events ? &kpt_task_filter_needs_rcu : NULL;
	step->held.hits = n ? NULL : hits_of(handler);
	record = add_record(p, handler, sink);
	if (!record)
		return false;
	if (file->triggers.conditions.hists || file->triggers.conditions.stack || others) {
		record->own_filtered = NULL;
		record->filtered[0] = NULL;
		record->lost[0] = NULL;
	}
	step->record = record;
	note_made(p, g, step);
	return add_filter(p, step, handler, sink) &&
	       add_conditions(p, step, handler, &file->triggers.conditions);
}

/* Sinks with number @n of a group's handlers; of so many from the @from-th on, if they copy. */
static bool add_any(struct plan *p, const struct group *g, unsigned int n, unsigned int from,
		    unsigned int nr)
{
	const struct kpt_sink *sink = &g->first->sink[n];

	if (g->nr == 1 && sink->kind == KPT_SINK_LIMITED)
		return add_limit(p, g, n);
	if (g->nr == 1 && sink->kind >= KPT_SINK_TRIGGERS && sink->kind <= KPT_SINK_PERF)
		return !sink->limit && add_held(p, g, n);
	if (sink->kind != KPT_SINK_RING)
		return false;
	return p->so_far.has_made ? add_copy(p, g, n, from, nr) : add_made(p, g, n);
}

/* Does a step need a record of the hit that is there? */
static bool needs_known(const struct kpt_arch_step *step)
{
	return step->op == KPT_ARCH_COPY || step->is_more;
}

/* Is there one in any case behind a step? @before: there is in front of it. */
static bool knows(const struct kpt_arch_step *step, bool before)
{
	return step->op == KPT_ARCH_FOLLOW || (step->op == KPT_ARCH_COPY && before) ||
	       (step->op == KPT_ARCH_HELD && step->held.needs_record);
}

/*
 * Does a step, in place of which another one makes its records, let that behind it have what it
 * needs? To copy is to copy from all records of the group.
 */
static bool makes_next(const struct plan *p, unsigned int i)
{
	return i + 1 == p->so_far.nr || p->step[i + 1].op != KPT_ARCH_COPY ||
	       p->step[i].op != KPT_ARCH_COPY || p->step[i].nr == p->step[i].rest.nr;
}

/*
 * Say which step is behind each one. A step that needs a record of the hit has another one in
 * its place, behind all, for hits of which there is none.
 */
static bool link_steps(struct plan *p)
{
	u8 instead[KPT_ARCH_STEPS + 1];
	bool is_sure = false, was_sure;
	unsigned int i;

	p->total = p->so_far.nr;
	for (i = 0; i < p->so_far.nr; i++) {
		instead[i] = i;
		was_sure = is_sure;
		is_sure = knows(&p->step[i], was_sure);
		if (!needs_known(&p->step[i]) || was_sure)
			continue;
		if (p->total == KPT_ARCH_STEPS - 1)
			return false;
		instead[i] = p->total;
		p->step[p->total] = p->step[i];
		p->step[p->total].is_more = false;
		if (p->step[i].op == KPT_ARCH_COPY)
			p->step[p->total].op = KPT_ARCH_RECORD;
		p->total++;
	}
	instead[i] = KPT_ARCH_END;
	for (i = 0; i < p->so_far.nr; i++) {
		p->step[i].done = i + 1 < p->so_far.nr ? i + 1 : KPT_ARCH_END;
		p->step[i].passed = instead[i + 1];
		p->step[instead[i]].done = makes_next(p, i) ? p->step[i].done : instead[i + 1];
		p->step[instead[i]].passed = p->step[i].passed;
	}
	return true;
}

static bool plan_write(struct plan *p)
{
	return link_steps(p) && kpt_arch_recorder_write(p->step, p->total);
}

/*
 * About how many words code for the last step takes, with that of the one in its place. It is
 * written only to find out what it may be, but not whether it is too long: that is costly.
 */
static unsigned int words_of(const struct kpt_arch_step *step)
{
	unsigned int i, words = STEP_WORDS;
	const struct kpt_fetch_prog *prog;

	for (i = 0; i < step->nr && step->record; i++) {
		prog = step->record[i].prog;
		words += RECORD_WORDS + prog->nr_steps * (prog->only_registers ? 1 : FETCH_WORDS);
	}
	return needs_known(step) ? 2 * words : words;
}

/* Let code have the hit for sinks, too. Returns false, with nothing changed, if it cannot. */
static bool add_sinks(struct plan *p, const struct group *g, unsigned int n, unsigned int from,
		      unsigned int nr)
{
	const struct kpt_handler *handler = g->first;
	struct progress before = p->so_far;

	if (nr > p->may_have - p->so_far.has || handler->calls ||
	    (handler->does != KPT_ROLE_HIT && handler->does != KPT_ROLE_RETURN))
		return false;
	if (add_any(p, g, n, from, nr)) {
		p->so_far.words += words_of(&p->step[p->so_far.nr - 1]);
		p->so_far.has += nr;
		/* One alone is as long as it is. */
		if (p->so_far.words <= WORDS_MAX || !before.nr)
			return true;
	}
	p->so_far = before;
	return false;
}

/* An event on the event of sink @n has number @i of them. Returns false if it is not for code. */
static bool add_follower(struct plan *p, const struct group *g, unsigned int n,
			 const struct kpt_handlers *followers, unsigned int i,
			 const struct kpt_handler *handler)
{
	const struct kpt_sink *sink = handler->sink;
	const struct kpt_filter *condition = handler->probe->follows->condition;
	struct kpt_arch_step *step;

	if (sink->kind != KPT_SINK_RING || handler->nr_sinks > 1 ||
	    p->so_far.has == p->may_have)
		return false;
	step = add_step(p, KPT_ARCH_FOLLOW, g, n, i);
	if (!step || !add_records(p, step, handler, 0, 1))
		return false;
	step->followers = followers;
	step->has_own_time = sink->buffer->clock == KPT_CLOCK_COUNTER;
	if (condition)
		step->condition = convert_filter(p, g->first, condition);
	p->so_far.words += words_of(step);
	p->so_far.has++;
	return (!condition || step->condition) && add_filter(p, step, handler, sink) &&
	       p->so_far.words <= WORDS_MAX;
}

/*
 * Events on the event of sink @n, whose records are made of that which is there. Those that are
 * not for code are left to kpt_hit_resume(), with all that is behind them.
 */
static bool add_followers(struct plan *p, const struct group *g, unsigned int n)
{
	const struct kpt_sink *sink = &g->first->sink[n];
	const struct kpt_handlers *followers;
	const struct kpt_handler *handler;
	struct kpt_arch_step *rest;
	struct progress before;
	unsigned int i = 0;

	if (sink->kind < KPT_SINK_FOLLOWERS || !kpt_hook_next(&sink->file->followers))
		return true;
	followers = kpt_hook_next(&sink->file->followers);
	kpt_for_each_handler(handler, followers) {
		before = p->so_far;
		if (add_follower(p, g, n, followers, i++, handler))
			continue;
		p->so_far = before;
		rest = add_step(p, KPT_ARCH_REST, g, n, i - 1);
		rest->followers = followers;
		p->has_rest = plan_write(p);
		return false;
	}
	return true;
}

/*
 * All from sinks on is left to kpt_hit_resume(); if nothing is before them, the whole hit is
 * left to kpt_hit_point().
 */
static bool add_rest(struct plan *p, const struct group *g, unsigned int n, unsigned int from)
{
	return p->so_far.nr && add_step(p, KPT_ARCH_REST, g, n, from) && plan_write(p);
}

/* May records of a handler be made at once with others? */
static bool may_join(const struct kpt_handler *handler)
{
	const struct kpt_sink *sink;

	if (handler->calls || handler->prog->has_strings || handler->sink->filter ||
	    (handler->does != KPT_ROLE_HIT && handler->does != KPT_ROLE_RETURN))
		return false;
	kpt_for_each_sink(sink, handler)
		if (sink->kind != KPT_SINK_RING || sink->buffer->clock == KPT_CLOCK_COUNTER)
			return false;
	return true;
}

static bool have_same_rings(const struct kpt_handler *a, const struct kpt_handler *b)
{
	unsigned int i;

	if (a->nr_sinks != b->nr_sinks || a->role != b->role)
		return false;
	for (i = 0; i < a->nr_sinks; i++)
		if (a->sink[i].buffer != b->sink[i].buffer)
			return false;
	return true;
}

/* The handlers, from @first on, whose records are made at once. */
static struct group find_group(const struct kpt_handlers *list, const struct kpt_handler *first)
{
	struct group g = { .first = first, .nr = 1 };
	const struct kpt_handler *h = next_handler(first);
	unsigned int words = first->words;

	for (; may_join(first) && g.nr < KPT_ARCH_RECORDS && is_in(h, list) && may_join(h) &&
	       have_same_rings(first, h) && (words + h->words) * 8 <= GROUP_MAX;
	     h = next_handler(h)) {
		words += h->words;
		g.nr++;
	}
	return g;
}

static bool add_group(struct plan *p, struct group *g)
{
	unsigned int n, from, nr;

	p->so_far.has_made = false;
	for (n = 0; n < g->first->nr_sinks; n++) {
		for (from = 0; from < g->nr; from += nr) {
			nr = n ? count_alike(g, n, from) : g->nr;
			if (add_sinks(p, g, n, from, nr)) {
				if (!add_followers(p, g, n))
					return false;
				continue;
			}
			if (n || g->nr == 1) {
				p->has_rest = add_rest(p, g, n, from);
				return false;
			}
			/* Perhaps code can have fewer at once. */
			g->nr--;
			nr = 0;
		}
	}
	return true;
}

static bool add_each(struct plan *p)
{
	const struct kpt_handler *handler = &p->list->first;
	struct group g;

	for (; is_in(handler, p->list); handler = nth_handler(&g, g.nr)) {
		g = find_group(p->list, handler);
		if (!add_group(p, &g))
			return p->has_rest;
	}
	return plan_write(p);
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

/* Let code have records of a list, at most so many. Returns false if there is no such code. */
static bool add_some(struct plan *p, unsigned int may_have)
{
	free_filters(p);
	plan_begin(p, p->list);
	p->may_have = may_have;
	return add_each(p);
}

/* Code is mostly for all of a list, so it is written once. If it is not, find out for what. */
static bool add_all(struct plan *p)
{
	unsigned int works = 0, fails, middle;

	if (add_some(p, UINT_MAX))
		return true;
	for (fails = p->so_far.has; fails - works > 1 && fails; ) {
		middle = works + (fails - works) / 2;
		if (add_some(p, middle))
			works = middle;
		else
			fails = middle;
	}
	return works && add_some(p, works);
}

static bool add_graph(struct plan *p, enum kpt_arch_op op)
{
	const struct kpt_handler *handler = &p->list->first;
	const struct group g = { .first = handler, .nr = 1 };
	struct kpt_arch_step *step = add_step(p, op, &g, 0, 0);
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
		record->own_filtered = NULL;
	}
	return plan_write(p);
}

/*
 * Has a list functions of other modules, which may change registers that a stub has in use, or of
 * what keeps calls in its own way?
 */
static bool has_functions(const struct kpt_handlers *list)
{
	const struct kpt_handler *handler;

	kpt_for_each_handler(handler, list)
		if (handler->probe->use->functions || handler->probe->use->at_entry)
			return true;
	return false;
}

/* Returns false if the list begins with what is not for code. */
static bool make_plan(struct plan *p, const struct kpt_handlers *list)
{
	enum kpt_arch_op graph = list_graph(list);

	BUILD_BUG_ON(KPT_STOP_SWITCH != KPT_ARCH_STOP_SWITCH);
	BUILD_BUG_ON(KPT_STOP_CLOCK != KPT_ARCH_STOP_CLOCK);
	BUILD_BUG_ON(KPT_STOP_TASKS != KPT_ARCH_STOP_TASKS);
	plan_begin(p, list);
	if (!kpt_hook_address(list->hook))
		return false;
	if (graph != KPT_ARCH_REST)
		return add_graph(p, graph);
	return !has_functions(list) && add_all(p);
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
 *	kpt_arch_recorder, of which the caller sets @hit. It has all hits if they are not of
 *	the kind that stubs record, or if there is no memory
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
	if (!plan)
		plan = kzalloc(sizeof(*plan), GFP_KERNEL);
	if (plan && make_plan(plan, list))
		list = list_add_recorder(list);
	if (plan)
		free_filters(plan);
	list->list.recorder->handlers = list;
	return list;
}

/**
 * kpt_handlers_exit() - free what lists were made with
 *
 * Context: module unload: no list is made any more.
 */
void kpt_handlers_exit(void)
{
	kfree(plan);
}
