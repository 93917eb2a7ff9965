/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of handlers, which hits run. A list and its sinks are one piece of memory.
 * A published list never changes, so hits walk it without a lock.
 */
#ifndef KPTRACE_HANDLERS_H
#define KPTRACE_HANDLERS_H

#include "engine/point.h"
#include "event/event_file.h"
#include "lib/filter/filter.h"

struct kptrace_probe;

/**
 * enum kpt_sink_kind - kind of a sink
 * @KPT_SINK_RING: the ring of an instance
 * @KPT_SINK_LIMITED: the same for an event that has a limit there
 * @KPT_SINK_TRIGGERS: an event file that triggers hold, its own or those of other
 *	events that switch it: its triggers run, and the ring gets the record
 *	while the event is enabled
 * @KPT_SINK_FOLLOWERS: an event file that others follow: all is done as for
 *	KPT_SINK_TRIGGERS, then they get the record
 * @KPT_SINK_PERF: an event file that perf listens to: perf gets the record, then all is
 *	done as for KPT_SINK_FOLLOWERS
 * @KPT_SINK_FUNCTIONS: functions of another module, which get the registers
 */
enum kpt_sink_kind {
	KPT_SINK_RING,
	KPT_SINK_LIMITED,
	KPT_SINK_TRIGGERS,
	KPT_SINK_FOLLOWERS,
	KPT_SINK_PERF,
	KPT_SINK_FUNCTIONS,
};

/**
 * struct kpt_sink - takes the record of a hit
 * @kind: its kind
 * @file: the event file whose hits it takes
 * @buffer: buffer of the instance of @file
 * @recorded: what counts the hits that it has recorded: the first of kpt_file_hits.counts;
 *	or kpt_probe.own_recorded, if kpt_handler.hits is NULL
 * @filter: filter of @file: accepts the records for @buffer; NULL for all
 * @limit: limit of @file: how many of those are recorded; NULL if it has none
 * @functions: in place of @buffer, of KPT_SINK_FUNCTIONS: the functions. All else is
 *	NULL then
 */
struct kpt_sink {
	enum kpt_sink_kind kind;
	struct kpt_event_file *file;
	union {
		struct kpt_buffer *buffer;
		struct kptrace_probe *functions;
	};
	u64 __percpu *recorded;
	const struct kpt_filter *filter;
	struct kpt_limit *limit;
};

/**
 * struct kpt_handler - runs at a hit, for one probe in one role
 * @probe: the probe
 * @prog: its fetch program, which a hit runs once for all sinks
 * @hits: kpt_probe.counts; NULL if all hits count as an outcome of the only sink, but for
 *	those that cannot be recorded, see src/hit/count.c
 * @calls: owner of the calls of the function, NULL if nothing is kept of them
 * @func: entry of the function that a hit here enters or leaves; 0 in the middle
 *	of one
 * @length: kpt_ring_quick() of a record of @prog, strings left out
 * @type: kpt_record_head.type of the event
 * @role: enum kpt_role of the site
 * @does: what a hit does: @role, or in its place what kpt_probe.use says
 * @nr_sinks: number of sinks, at least one
 * @sink: the sinks, in the order in which the instances armed the event
 */
struct kpt_handler {
	struct kpt_probe *probe;
	const struct kpt_fetch_prog *prog;
	struct kpt_probe_counts __percpu *hits;
	struct kpt_call_owner *calls;
	unsigned long func;
	u16 length;
	u16 type;
	u8 role;
	u8 does;
	u16 nr_sinks;
	struct kpt_sink sink[];
};

/**
 * enum kpt_handlers_kind - the code path that hits of a list take
 * @KPT_HANDLERS_REGISTERS: fast path: one handler, which keeps nothing of calls and
 *	records registers only; one sink, a ring without a filter
 * @KPT_HANDLERS_KNOWN_SIZE: as KPT_HANDLERS_REGISTERS, but records may hold other
 *	values than registers; they have no strings, so all have the same size
 * @KPT_HANDLERS_FOLLOWED: as KPT_HANDLERS_REGISTERS, but the sink is followed
 * @KPT_HANDLERS_HELD: as KPT_HANDLERS_REGISTERS, but the sink is KPT_SINK_TRIGGERS
 * @KPT_HANDLERS_FIELDS: of the followers of an event: one handler, for all records,
 *	which copies numbers of them; one sink, a ring without a filter
 * @KPT_HANDLERS_WATCH: one handler, which is a watcher
 * @KPT_HANDLERS_MAX_STACK: one handler, in role KPT_ROLE_MAX_STACK
 * @KPT_HANDLERS_REPLACE: one handler, in role KPT_ROLE_REPLACE
 * @KPT_HANDLERS_REPLACE_RING: the same; records have no strings, and RCU is not needed;
 *	one sink, a ring without a filter
 * @KPT_HANDLERS_FUNCTION: one handler, which calls a function of another module
 * @KPT_HANDLERS_GRAPH: one handler, which is that of function_graph
 * @KPT_HANDLERS_FUNCTIONS: every other list that has functions of other modules
 * @KPT_HANDLERS_MADE: of an event whose records are made by others: one handler; one
 *	sink, a ring without a filter
 * @KPT_HANDLERS_STRINGS: as KPT_HANDLERS_KNOWN_SIZE, but records have strings
 * @KPT_HANDLERS_RINGS: as KPT_HANDLERS_STRINGS, or without strings; more than one sink,
 *	all of them rings without a filter
 * @KPT_HANDLERS_ANY: the general path, for every other list
 */
enum kpt_handlers_kind {
	KPT_HANDLERS_REGISTERS,
	KPT_HANDLERS_KNOWN_SIZE,
	KPT_HANDLERS_FOLLOWED,
	KPT_HANDLERS_HELD,
	KPT_HANDLERS_FIELDS,
	KPT_HANDLERS_WATCH,
	KPT_HANDLERS_MAX_STACK,
	KPT_HANDLERS_REPLACE,
	KPT_HANDLERS_REPLACE_RING,
	KPT_HANDLERS_FUNCTION,
	KPT_HANDLERS_GRAPH,
	KPT_HANDLERS_FUNCTIONS,
	KPT_HANDLERS_MADE,
	KPT_HANDLERS_STRINGS,
	KPT_HANDLERS_RINGS,
	KPT_HANDLERS_ANY,
};

/**
 * struct kpt_handlers - the list of handlers of a hook
 * @list: what the engine reads of it
 * @hook: the hook
 * @size: bytes up to the end of the last handler
 * @kind: enum kpt_handlers_kind
 * @needs_rcu: a handler looks up symbols of modules, perf listens to one, or one is a
 *	function of another module: RCU must watch
 * @has_functions: a handler is a function of another module, or of a graph
 * @first: the first handler. Handlers are in the order in which they were armed, but
 *	KPT_ROLE_WATCH is before others, KPT_ROLE_REPLACE is behind them, and roles that
 *	may change the PC are last. Walked by kpt_for_each_handler()
 */
struct kpt_handlers {
	struct kpt_hook_list list;
	struct kpt_hook *hook;
	u32 size;
	u8 kind;
	bool needs_rcu;
	bool has_functions;
	struct kpt_handler first;
};

/**
 * kpt_handlers_of() - find the list that a stub has found
 * @recorder: part of it
 *
 * Context: any, BRK included.
 * Return: the list.
 */
static __always_inline const struct kpt_handlers *
kpt_handlers_of(const struct kpt_arch_recorder *recorder)
{
	return recorder->handlers;
}

/* Walk a list that is not empty. */
#define kpt_for_each_handler(h, list)					\
	for (h = &(list)->first;					\
	     (const u8 *)(h) < (const u8 *)(list) + (list)->size;	\
	     h = (void *)&(h)->sink[(h)->nr_sinks])

#define kpt_for_each_sink(s, h) \
	for (s = (h)->sink; s < (h)->sink + (h)->nr_sinks; s++)

/**
 * kpt_sink_counts() - all counters of a sink
 * @sink: a sink of a handler with @hits
 *
 * Context: any.
 * Return: kpt_file_hits.counts.
 */
static __always_inline struct kpt_event_file_counts __percpu *
kpt_sink_counts(const struct kpt_sink *sink)
{
	static_assert(offsetof(struct kpt_event_file_counts, outcomes.recorded) == 0);
	return (__force struct kpt_event_file_counts __percpu *)sink->recorded;
}

bool kpt_handlers_have(struct kpt_hook *hook, const struct kpt_probe *probe,
		       const struct kpt_event_file *file, enum kpt_role role);
int kpt_handlers_add(struct kpt_hook *hook, struct kpt_probe *probe,
		     struct kpt_event_file *file, const struct kpt_site *site,
		     struct kpt_batch *batch);
int kpt_handlers_remove(struct kpt_hook *hook, const struct kpt_probe *probe,
			const struct kpt_event_file *file,
			struct kpt_batch *batch);

#endif
