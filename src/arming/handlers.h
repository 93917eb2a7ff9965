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
 * @words: kpt_ring_quick() of what rings have of a record of @prog, strings left out
 * @type: kpt_record_head.type of the event
 * @place: kpt_record_head.type in rings, where records have no place: kpt_place_number(); 0: they
 *	are whole there
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
	u16 words;
	u16 type;
	u16 place;
	u8 role;
	u8 does;
	u16 nr_sinks;
	struct kpt_sink sink[];
};

/**
 * struct kpt_handlers - the list of handlers of a hook
 * @list: what the engine reads of it
 * @hook: the hook
 * @size: bytes up to the end of the last handler
 * @nr_rings: as many rings as @first has sinks, if it is the only handler and records each hit
 *	in all of them, without a filter; else 0
 * @needs_rcu: a handler looks up symbols of modules, perf listens to one, or one is a
 *	function of another module: RCU must watch
 * @first: the first handler. Handlers are in the order in which they were armed, but
 *	KPT_ROLE_WATCH is before others, KPT_ROLE_REPLACE is behind them, and roles that
 *	may change the PC are last. Walked by kpt_for_each_handler()
 */
struct kpt_handlers {
	struct kpt_hook_list list;
	struct kpt_hook *hook;
	u32 size;
	u16 nr_rings;
	bool needs_rcu;
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
 * kpt_handler_left_out() - how many bytes do rings not have of a record?
 * @handler: its handler
 *
 * Context: any.
 * Return: bytes behind struct kpt_record_head.
 */
static __always_inline size_t kpt_handler_left_out(const struct kpt_handler *handler)
{
	return handler->place ? KPT_RECORD_LEFT_OUT : 0;
}

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
