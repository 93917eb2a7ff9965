/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a hit runs: a list of handlers with their sinks, in one piece of memory,
 * walked without a lock. A list that is published never changes.
 */
#ifndef KPTRACE_HANDLERS_H
#define KPTRACE_HANDLERS_H

#include "engine/point.h"
#include "event/event_file.h"
#include "lib/filter.h"

/**
 * enum kpt_sink_kind - what takes the record of a hit
 * @KPT_SINK_RING: the ring of an instance
 * @KPT_SINK_TRIGGERS: the triggers of an event in an instance, and those of other
 *	events that switch it: they run, and the ring gets the record while the
 *	event is enabled
 */
enum kpt_sink_kind {
	KPT_SINK_RING,
	KPT_SINK_TRIGGERS,
};

/**
 * struct kpt_sink - one that takes the record of a hit
 * @kind: what it is
 * @file: the event in the instance
 * @buffer: the instance's buffer
 * @counts: the file's
 * @filter: records that the buffer gets, NULL for all; the file's
 */
struct kpt_sink {
	enum kpt_sink_kind kind;
	struct kpt_event_file *file;
	struct kpt_buffer *buffer;
	struct kpt_event_file_counts __percpu *counts;
	const struct kpt_filter *filter;
};

/**
 * struct kpt_handler - what a hit does for one probe in one role
 * @probe: the probe
 * @prog: its fetch program, which a hit runs once for all sinks
 * @hits: its counters
 * @calls: what it keeps of calls, NULL for nothing
 * @func: entry of the function that a hit here enters or leaves; 0 in the middle
 *	of one
 * @length: bytes that a record of @prog takes in a ring, strings left out
 * @type: number of the event in the records
 * @role: enum kpt_role, what the site is for
 * @nr_sinks: how many, at least one
 * @sink: in the order in which the event was armed in the instances
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
	u16 nr_sinks;
	struct kpt_sink sink[];
};

/**
 * enum kpt_handlers_kind - how much of the general way hits need
 * @KPT_HANDLERS_REGISTERS: one handler, which keeps nothing of a call, and whose
 *	records hold registers only; one sink, a ring without a filter
 * @KPT_HANDLERS_FILTERED: likewise, and a filter that registers decide
 * @KPT_HANDLERS_KNOWN_SIZE: likewise without a filter, and the records, of whatever
 *	they are, always have the same size
 * @KPT_HANDLERS_ANY: all of it
 */
enum kpt_handlers_kind {
	KPT_HANDLERS_REGISTERS,
	KPT_HANDLERS_FILTERED,
	KPT_HANDLERS_KNOWN_SIZE,
	KPT_HANDLERS_ANY,
};

/**
 * struct kpt_handlers - all that a hit at a hook has to do
 * @hook: the hook
 * @size: bytes up to the end of the last handler
 * @kind: how much of the general way its hits need
 * @needs_rcu: symbols of modules are looked up
 * @on_regs: of KPT_HANDLERS_FILTERED: the filter of the sink, to be asked of
 *	registers; behind the handlers
 * @first: the first of the handlers, which stand in the order in which they were
 *	armed, but those that replace a return address last. For
 *	kpt_for_each_handler()
 */
struct kpt_handlers {
	struct kpt_hook *hook;
	u32 size;
	u8 kind;
	bool needs_rcu;
	const struct kpt_filter *on_regs;
	struct kpt_handler first;
};

/* Walk a list that is not empty; @h is a pointer to const. */
#define kpt_for_each_handler(h, list)					\
	for (h = &(list)->first;					\
	     (const u8 *)(h) < (const u8 *)(list) + (list)->size;	\
	     h = (const void *)&(h)->sink[(h)->nr_sinks])

#define kpt_for_each_sink(s, h) \
	for (s = (h)->sink; s < (h)->sink + (h)->nr_sinks; s++)

struct kpt_handlers *kpt_handlers_with(struct kpt_hook *hook,
				       struct kpt_probe *probe,
				       struct kpt_event_file *file,
				       enum kpt_role role, unsigned long func);
struct kpt_handlers *kpt_handlers_without(struct kpt_hook *hook,
					  const struct kpt_probe *probe,
					  const struct kpt_event_file *file,
					  unsigned int *left);

#endif
