// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which lists of handlers the stub of a point, or the thunk of a tracepoint, runs by
 * itself: see arch/arm64/recorder/recorder.c.
 */
#include <linux/slab.h>
#include "arming/list_recorder.h"
#include "parts/recorder/plan.h"
#include "engine/point.h"
#include "event/use.h"
#include "kernel/lock.h"

/* What a stub does for a list of function_graph, if the stub may run it; else KPT_ARCH_REST. */
static enum kpt_arch_op list_graph(const struct kpt_handlers *list)
{
	const struct kpt_handler *handler = &list->first;

	if (kpt_handler_is_in(kpt_next_handler(handler), list) || handler->nr_sinks > 1 ||
	    handler->sink->kind != KPT_SINK_RING)
		return KPT_ARCH_REST;
	if (handler->does == KPT_ROLE_GRAPH_LEAVE)
		return KPT_ARCH_GRAPH_LEAVE;
	return handler->does == KPT_ROLE_GRAPH_ENTER && handler->role == KPT_ROLE_ENTRY &&
	       !kpt_graph_leaves_out(handler->probe, handler->func) ?
		KPT_ARCH_GRAPH_ENTER : KPT_ARCH_REST;
}

/* Words of code: of all, at most; and about those of a step, a record, a step of its program. */
#define WORDS_MAX	3900
#define STEP_WORDS	110
#define RECORD_WORDS	14
#define FETCH_WORDS	4

/* Bytes of records that are made at once, at most: what one instruction reaches. */
#define GROUP_MAX	504

/* The one that is made, from the first on. Under kpt_mutex. */
static struct kpt_plan *plan;

static bool plan_write(struct kpt_plan *p)
{
	p->total = kpt_arch_steps_link(p->step, p->so_far.nr);
	return p->total && kpt_arch_recorder_write(p->caller, p->saves, p->step, p->total);
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
	/* There is a record in front of an event on the event in any case. */
	return kpt_arch_step_needs(step) && step->op != KPT_ARCH_FOLLOW ? 2 * words : words;
}

/* Let code have the hit for sinks, too. Returns false, with nothing changed, if it cannot. */
static bool add_sinks(struct kpt_plan *p, const struct kpt_plan_group *g, unsigned int n,
		      unsigned int from, unsigned int nr)
{
	const struct kpt_handler *handler = g->first;
	struct kpt_plan_progress before = p->so_far;

	if (nr > p->may_have - p->so_far.has || (handler->calls && !p->list->list.calls) ||
	    (handler->does != KPT_ROLE_HIT && handler->does != KPT_ROLE_RETURN))
		return false;
	if (kpt_plan_add_sink(p, g, n, from, nr)) {
		p->so_far.words += words_of(&p->step[p->so_far.nr - 1]);
		p->so_far.has += nr;
		/* One alone is as long as it is. */
		if (p->so_far.words <= WORDS_MAX || !before.nr)
			return true;
	}
	p->so_far = before;
	return false;
}

/*
 * Keep the call at the entry of a function, and replace its return address. Returns false if that
 * is not for code. Nothing else comes behind it, and what it begins with is true for the next one.
 */
static bool add_keep(struct kpt_plan *p, const struct kpt_plan_group *g)
{
	const struct kpt_call_owner *owner = g->first->calls;
	struct kpt_plan_progress before = p->so_far;
	struct kpt_arch_step *step;

	if (owner->limit || p->so_far.has == p->may_have)
		return false;
	step = kpt_plan_add_step(p, KPT_ARCH_KEEP, g, 0, 0);
	if (!step || p->caller != KPT_ARCH_STUB) {
		p->so_far = before;
		return false;
	}
	step->keep = (struct kpt_arch_keep){
		.owner = owner,
		.hook = p->list->hook,
		.pinned = &kpt_calls_pinned,
		.nr_values = owner->nr_values,
		.arg = owner->arg,
		.keeps_start = owner->keeps_start,
	};
	p->so_far.words += STEP_WORDS;
	p->so_far.has++;
	if (p->so_far.words <= WORDS_MAX)
		return true;
	p->so_far = before;
	return false;
}

/* An event on the event of sink @n has number @i of them. Returns false if it is not for code. */
static bool add_follower(struct kpt_plan *p, const struct kpt_plan_group *g, unsigned int n,
			 const struct kpt_handlers *followers, unsigned int i,
			 const struct kpt_handler *handler)
{
	const struct kpt_sink *sink = handler->sink;
	const struct kpt_filter *condition = handler->probe->follows->condition;
	struct kpt_arch_step *step;

	if (sink->kind != KPT_SINK_RING || handler->nr_sinks > 1 ||
	    p->so_far.has == p->may_have)
		return false;
	step = kpt_plan_add_step(p, KPT_ARCH_FOLLOW, g, n, i);
	if (!step || !kpt_plan_add_records(p, step, handler, 0, 1))
		return false;
	step->followers = followers;
	step->has_own_time = sink->buffer->clock == KPT_CLOCK_COUNTER;
	if (condition)
		step->condition = kpt_plan_convert_filter(p, g->first, condition);
	p->so_far.words += words_of(step);
	p->so_far.has++;
	return (!condition || step->condition) && kpt_plan_add_filter(p, step, handler, sink) &&
	       p->so_far.words <= WORDS_MAX;
}

/*
 * Events on the event of sink @n, whose records are made of that which is there. Those that are
 * not for code are left to kpt_hit_resume(), with all that is behind them.
 */
static bool add_followers(struct kpt_plan *p, const struct kpt_plan_group *g, unsigned int n)
{
	const struct kpt_sink *sink = &g->first->sink[n];
	const struct kpt_handlers *followers;
	const struct kpt_handler *handler;
	struct kpt_arch_step *rest;
	struct kpt_plan_progress before;
	unsigned int i = 0;

	if (sink->kind < KPT_SINK_FOLLOWERS || !kpt_hook_next(&sink->file->followers))
		return true;
	followers = kpt_hook_next(&sink->file->followers);
	kpt_for_each_handler(handler, followers) {
		before = p->so_far;
		if (add_follower(p, g, n, followers, i++, handler))
			continue;
		p->so_far = before;
		rest = kpt_plan_add_step(p, KPT_ARCH_REST, g, n, i - 1);
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
static bool add_rest(struct kpt_plan *p, const struct kpt_plan_group *g, unsigned int n,
		     unsigned int from)
{
	return p->so_far.nr && kpt_plan_add_step(p, KPT_ARCH_REST, g, n, from) && plan_write(p);
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
static struct kpt_plan_group find_group(const struct kpt_handlers *list,
					const struct kpt_handler *first)
{
	struct kpt_plan_group g = { .first = first, .nr = 1 };
	const struct kpt_handler *h = kpt_next_handler(first);
	unsigned int words = first->words;

	for (; may_join(first) && g.nr < KPT_ARCH_RECORDS && kpt_handler_is_in(h, list) &&
	       may_join(h) && have_same_rings(first, h) && (words + h->words) * 8 <= GROUP_MAX;
	     h = kpt_next_handler(h)) {
		words += h->words;
		g.nr++;
	}
	return g;
}

/* The handlers of a group from the @from-th on: how many of them have no filter, or one has? */
static unsigned int count_alike(const struct kpt_plan_group *g, unsigned int sink,
				unsigned int from)
{
	const struct kpt_handler *handler = kpt_nth_handler(g, from);
	unsigned int nr = 0;

	if (handler->sink[sink].filter)
		return 1;
	while (from + nr < g->nr && !kpt_nth_handler(g, from + nr)->sink[sink].filter)
		nr++;
	return nr;
}

static bool add_group(struct kpt_plan *p, struct kpt_plan_group *g)
{
	unsigned int n, from, nr;

	p->so_far.has_made = false;
	if (g->first->does == KPT_ROLE_REPLACE) {
		if (add_keep(p, g))
			return true;
		p->has_rest = add_rest(p, g, 0, 0);
		return false;
	}
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

static bool add_each(struct kpt_plan *p)
{
	const struct kpt_handler *handler = &p->list->first;
	struct kpt_plan_group g;

	for (; kpt_handler_is_in(handler, p->list); handler = kpt_nth_handler(&g, g.nr)) {
		g = find_group(p->list, handler);
		if (!add_group(p, &g))
			return p->has_rest;
	}
	return plan_write(p);
}

static const struct kpt_point *point_of(const struct kpt_handlers *list)
{
	struct kpt_hook *hook = list->hook;

	return hook->owner == KPT_HOOK_POINT ? container_of(hook, struct kpt_point, hook) : NULL;
}

/* What runs a recorder at a hook? */
static enum kpt_arch_caller caller_at(const struct kpt_handlers *list)
{
	const struct kpt_point *point = point_of(list);

	if (list->list.calls)
		return KPT_ARCH_RETURN;
	if (list->hook->owner == KPT_HOOK_TRACEPOINT)
		return KPT_ARCH_THUNK;
	return point && !kpt_arch_has_stub(&point->arch) ? KPT_ARCH_BRK : KPT_ARCH_STUB;
}

/* Does anything but the probed code read registers that a recorder changes? */
static bool have_readers(const struct kpt_handlers *list)
{
	const struct kpt_handler *handler;
	const struct kpt_sink *sink;

	kpt_for_each_handler(handler, list) {
		if (kpt_fetch_regs_read(handler->prog) & KPT_ARCH_SCRATCH)
			return true;
		kpt_for_each_sink(sink, handler)
			if (sink->kind == KPT_SINK_PERF)
				return true;
	}
	return false;
}

/* Does a recorder have to save these? Text that is gone cannot be asked. */
static bool must_save(const struct kpt_handlers *list, enum kpt_arch_caller caller)
{
	const struct kpt_point *point = point_of(list);

	return (point && point->gone) || have_readers(list) ||
	       !kpt_arch_scratch_is_free(caller, point ? &point->arch : NULL, list->first.func);
}

/* Begin anew with the same list. */
static void plan_begin(struct kpt_plan *p)
{
	const unsigned int from = offsetof(struct kpt_plan, may_have);

	memset((u8 *)p + from, 0, offsetof(struct kpt_plan, step) - from);
}

static void free_filters(struct kpt_plan *p)
{
	unsigned int i;

	for (i = 0; i < p->nr_filters; i++)
		kfree(p->filter[i]);
	p->nr_filters = 0;
}

/* Let code have records of a list, at most so many. Returns false if there is no such code. */
static bool add_some(struct kpt_plan *p, unsigned int may_have)
{
	free_filters(p);
	plan_begin(p);
	p->may_have = may_have;
	return add_each(p);
}

/* Code is mostly for all of a list, so it is written once. If it is not, find out for what. */
static bool add_all(struct kpt_plan *p)
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

static bool add_graph(struct kpt_plan *p, enum kpt_arch_op op)
{
	const struct kpt_handler *handler = &p->list->first;
	const struct kpt_plan_group g = { .first = handler, .nr = 1 };
	struct kpt_arch_step *step = kpt_plan_add_step(p, op, &g, 0, 0);
	struct kpt_arch_record *record = kpt_plan_add_record(p, handler, handler->sink);
	bool ends = op == KPT_ARCH_GRAPH_LEAVE;

	if (!kpt_plan_counts_own(handler) || step->ring.is_slow)
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
static bool make_plan(struct kpt_plan *p, const struct kpt_handlers *list)
{
	enum kpt_arch_op graph = list_graph(list);

	BUILD_BUG_ON(KPT_STOP_SWITCH != KPT_ARCH_STOP_SWITCH);
	BUILD_BUG_ON(KPT_STOP_ASK != KPT_ARCH_STOP_ASK);
	BUILD_BUG_ON(KPT_STOP_CLOCK != KPT_ARCH_STOP_CLOCK);
	BUILD_BUG_ON(KPT_STOP_TASKS != KPT_ARCH_STOP_TASKS);
	plan_begin(p);
	if (!kpt_hook_address(list->hook))
		return false;
	p->list = list;
	p->caller = caller_at(list);
	p->saves = must_save(list, p->caller);
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
 * kpt_handlers_add_recorder() - let a stub or thunk record the hits of a list by itself
 * @list: a list, not published yet, complete but for @list->list. It has a struct
 *	kpt_arch_recorder without code, which gets some; it is as it was if its hits are not of
 *	the kind that stubs record, or if there is no memory
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the list, which may have moved.
 */
struct kpt_handlers *kpt_handlers_add_recorder(struct kpt_handlers *list)
{
	lockdep_assert_held(&kpt_mutex);
	if (!plan)
		plan = kzalloc(sizeof(*plan), GFP_KERNEL);
	if (!plan)
		return list;
	if (make_plan(plan, list))
		list = list_add_recorder(list);
	free_filters(plan);
	return list;
}

/**
 * kpt_plan_exit() - free what lists were made with
 *
 * Context: module unload: no list is made any more.
 */
void kpt_plan_exit(void)
{
	kfree(plan);
}
