// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tracer function_graph: entries and returns of functions, with their depth. Runs
 * in BRK context, see hit.c.
 *
 * A call that is traced is kept until it returns (kpt_call), so its depth is that of the
 * newest such call of the task plus one. A call that is not traced is not kept, except
 * one that hides what it calls.
 */
#include "kernel/compat.h"
#include <linux/bitops.h>
#include "event/graph.h"
#include "event/profile.h"
#include "event/task_filter.h"
#include "hit/internal.h"
#include "kernel/clock.h"

/* In kpt_call.value[0], besides the depth: nothing of the call is recorded. */
#define GRAPH_HIDDEN BIT_ULL(32)

static bool graph_may_record(const struct kpt_sink *sink)
{
	return likely(!atomic_read(&sink->buffer->stops)) ||
	       kpt_task_filter_allow(sink->file);
}

/* A call that was recorded is seen return, whatever the task filter says now. */
static bool graph_may_end(const struct kpt_sink *sink)
{
	return likely(!atomic_read(&sink->buffer->stops)) ||
	       kpt_task_filter_allow_cpu(sink->file->instance);
}

static bool graph_in_hardirq(const struct kpt_sink *sink, const struct kpt_hit *hit)
{
	return unlikely(!(READ_ONCE(sink->file->instance->options) &
			  KPT_OPT_GRAPH_IRQS)) &&
	       hit->context & KPT_FLAG_HARDIRQ;
}

/*
 * Is a call traced that happens now? Then @value is the value of its kpt_call: its
 * depth, and GRAPH_HIDDEN.
 */
static bool graph_wants(const struct kpt_handler *handler, const struct kpt_hit *hit,
			u64 *value)
{
	const struct kpt_graph *graph = handler->probe->graph;
	unsigned int max_depth = READ_ONCE(graph->limits->max_depth);
	bool inside = kpt_call_innermost(handler->probe, hit->regs->sp, value);

	if (inside && *value & GRAPH_HIDDEN)
		return false;
	*value = inside ? *value + 1 : 0;
	if (!inside && graph->only.is_set &&
	    !kpt_function_set_has(&graph->only, handler->func))
		return false;
	if ((max_depth && *value >= max_depth) ||
	    graph_in_hardirq(handler->sink, hit) || !graph_may_record(handler->sink))
		return false;
	if (graph->without.list.nr &&
	    kpt_function_set_has(&graph->without, handler->func))
		*value |= GRAPH_HIDDEN;
	return true;
}

static void graph_record(const struct kpt_sink *sink, const void *record, size_t size)
{
	struct kpt_event_file_counts *counts = this_cpu_ptr(sink->counts);

	if (kpt_buffer_record(sink->buffer, record, size, 0))
		counts->recorded++;
	else
		counts->lost++;
}

/**
 * kpt_hit_graph_enter() - a function is entered
 * @handlers: the list of the point
 * @handler: the tracer's
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_hit_graph_enter(const struct kpt_handlers *handlers,
			 const struct kpt_handler *handler, const struct kpt_hit *hit)
{
	const struct kpt_graph *graph = handler->probe->graph;
	struct kpt_record_graph_entry entry;
	struct kpt_call *call;
	u64 value;

	this_cpu_ptr(handler->hits)->hits++;
	if (!graph_wants(handler, hit, &value)) {
		this_cpu_ptr(handler->sink->counts)->filtered++;
		return;
	}
	call = kpt_call_push(handler->calls, handlers->hook, hit->regs);
	if (!call) {
		kpt_hit_missed_by(handler);
		return;
	}
	call->value[KPT_GRAPH_VALUE_DEPTH] = value;
	call->value[KPT_GRAPH_VALUE_SLEPT] = kpt_graph_slept();
	if (handler->role == KPT_ROLE_REPLACE)
		kpt_arch_replace_return(hit->regs);
	if (value & GRAPH_HIDDEN || READ_ONCE(graph->limits->thresh))
		return;
	kpt_hit_fill_head(&entry.head, KPT_RECORD_GRAPH_ENTRY, hit->regs, hit->context);
	entry.func = handler->func;
	entry.depth = value;
	graph_record(handler->sink, &entry, sizeof(entry));
}

/* Without option sleep-time, a call begins as much later as the task did not run. */
static void graph_leave_out_sleep(const struct kpt_sink *sink,
				  const struct kpt_call *call,
				  struct kpt_record_graph_exit *leaf)
{
	u64 slept;

	if (likely(READ_ONCE(sink->file->instance->options) & KPT_OPT_SLEEP_TIME))
		return;
	slept = kpt_graph_slept() - call->value[KPT_GRAPH_VALUE_SLEPT];
	leaf->calltime += min(slept, leaf->rettime - leaf->calltime);
}

/**
 * kpt_hit_graph_leave() - a function returns
 * @handler: the tracer's
 * @hit: the hit, with the call; it is freed by the caller
 *
 * Context: BRK.
 */
void kpt_hit_graph_leave(const struct kpt_handler *handler, const struct kpt_hit *hit)
{
	u64 thresh = READ_ONCE(handler->probe->graph->limits->thresh);
	u64 value = hit->call->value[KPT_GRAPH_VALUE_DEPTH];
	struct kpt_record_graph_exit leaf;

	if (value & GRAPH_HIDDEN || !graph_may_end(handler->sink))
		return;
	leaf.calltime = kpt_clock_convert(KPT_CLOCK_LOCAL, hit->call->start);
	leaf.rettime = kpt_clock_convert(KPT_CLOCK_LOCAL,
					 kpt_clock_stamp(KPT_CLOCK_LOCAL));
	graph_leave_out_sleep(handler->sink, hit->call, &leaf);
	if (thresh && leaf.rettime - leaf.calltime < thresh)
		return;
	kpt_hit_fill_head(&leaf.head, KPT_RECORD_GRAPH_EXIT, hit->regs, hit->context);
	leaf.func = handler->func;
	leaf.retval = hit->regs->regs[0];
	leaf.depth = value;
	leaf.overrun = 0;
	graph_record(handler->sink, &leaf, sizeof(leaf));
}
