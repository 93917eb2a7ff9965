/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event files: the state of an event in one instance. It has the switch, the
 * filter, the triggers, and the counts of hits.
 */
#ifndef KPTRACE_EVENT_FILE_H
#define KPTRACE_EVENT_FILE_H

#include "engine/hook.h"
#include "event/event.h"
#include "event/instance.h"

/**
 * struct kpt_event_file_counts - hits of an event in an instance, by outcome
 * @outcomes: the usual ones; the first is at the address of the whole, kpt_sink.recorded
 * @missed: not handled, because they happened inside another hit
 * @lost: refused by the ring, which had no room
 * @limited: refused by a limit
 * @told: @limited of this CPU when a line about them was recorded last
 */
struct kpt_event_file_counts {
	struct kpt_outcomes outcomes;
	u64 missed;
	u64 lost;
	u64 limited;
	u64 told;
};

/*
 * What kpt_trigger_run() returns, beside the bits of kinds of triggers. The first two
 * come from kpt_file_triggers.after; the last one says that this hit is over a limit.
 */
#define KPT_AFTER_FOLLOWERS BIT(31)
#define KPT_AFTER_LIMIT BIT(30)
#define KPT_AFTER_OVER BIT(29)

/**
 * struct kpt_file_conditions - which hits of an event its triggers want
 * @not_for_code: more has to be asked than whether a filter accepts the hit
 * @hists: number of @hist
 * @others: number of @other
 * @hist: histograms that need only the record of a hit, neither its registers nor user memory
 * @hist.filter: of the histogram; NULL: it wants all hits
 * @hist.hist: how recorders count
 * @other: filters of all other triggers
 * @stack: a trigger that records the stack of all hits that it wants; or NULL
 * @stack_filter: its filter
 */
struct kpt_file_conditions {
	bool not_for_code;
	u8 hists;
	u8 others;
	struct {
		const struct kpt_filter *filter;
		const struct kpt_arch_hist *hist;
	} hist[KPT_ARCH_CONDITIONS];
	const struct kpt_filter *other[KPT_ARCH_CONDITIONS];
	struct kpt_trigger *stack;
	const struct kpt_filter *stack_filter;
};

/**
 * struct kpt_file_triggers - the triggers of an event file
 * @list: events/GRP/EVENT/trigger, struct kpt_trigger.list; hits walk it without a lock
 * @after: KPT_AFTER_FOLLOWERS if kpt_event_file.followers may be there, KPT_AFTER_LIMIT if
 *	limits may be in @list; what a hit adds to it, and tests anyway, are kinds of
 *	triggers. Once set a bit stays
 * @is_changing: @conditions are not those of @list; hits walk @list then
 * @conditions: those that lists of handlers are made for
 */
struct kpt_file_triggers {
	struct list_head list;
	u32 after;
	bool is_changing;
	struct kpt_file_conditions conditions;
};

/**
 * struct kpt_file_hits - where hits of an event file count
 * @counts: outcomes of hits, per CPU; NULL as long as all outcomes are in the counters of
 *	probes with this kpt_probe.home, or are exceptions
 * @missed: those exceptions while there is no @counts: kpt_event_file_counts.missed ...
 * @lost: ... and .lost
 * @filtered: filtered hits for which a probe had no kpt_probe.own_filtered, and those that
 *	were there when the probe has left this file, see kpt_probe_fold_counts()
 * @recorded: hits that were in kpt_probe.own_recorded then
 */
struct kpt_file_hits {
	struct kpt_event_file_counts __percpu *counts;
	atomic64_t missed;
	atomic64_t lost;
	atomic64_t filtered;
	u64 recorded;
};

/**
 * struct kpt_event_file - one event in one instance
 * @event: the event
 * @instance: the instance
 * @event_link: in kpt_event.files
 * @instance_link: in kpt_instance.files; of a tracer's event in no list
 * @enabled: its hits are recorded; while @soft is not 0, triggers change it too,
 *	in BRK context
 * @was_armed: it was armed, or its event was, in this instance
 * @was_enabled: the instance's buffer may hold records of the event
 * @is_tracer: a tracer records in it: the lists of tasks of tracers choose what is
 *	recorded, and func_stack_trace is its option for stack traces
 * @dead: it is off the lists; changed under kpt_mutex
 * @is_replacing: @filter is being replaced
 * @soft: number of references that triggers hold, those of the event and those
 *	that switch it. While it is not 0, kpt_event_file_is_held()
 * @listeners: number of perf events on it; only in the top instance. While it is not
 *	0, kpt_event_file_is_held()
 * @followers: handlers of the probes on this event that are armed in @instance.
 *	While there are any, kpt_event_file_is_held()
 * @triggers: its triggers
 * @filter: events/GRP/EVENT/filter, NULL if there is none; hits find it in sinks
 * @replaced: while @is_replacing: the previous @filter, or NULL
 * @limit: events/GRP/EVENT/limit, NULL if there is none; hits find it in sinks
 * @hits: where its hits count
 * @slot: what parts keep of it
 * @refs: one for each inode about it, and one for @instance_link
 * @rcu: frees it after a grace period: lookups find it under rcu_read_lock()
 */
struct kpt_event_file {
	struct kpt_event *event;
	struct kpt_instance *instance;
	struct list_head event_link;
	struct list_head instance_link;
	bool enabled;
	bool was_armed;
	bool was_enabled;
	bool is_tracer;
	bool dead;
	bool is_replacing;
	unsigned int soft;
	refcount_t listeners;
	struct kpt_hook followers;
	struct kpt_file_triggers triggers;
	struct kpt_event_filter *filter;
	struct kpt_event_filter *replaced;
	struct kpt_limit *limit;
	struct kpt_file_hits hits;
	struct kpt_file_slots slot;
	refcount_t refs;
	struct rcu_head rcu;
};

/**
 * struct kpt_event_files - some events of an instance, in pieces
 * @instance: the instance
 * @group: of this group, or NULL
 * @name: of this name, or NULL
 * @either: of this group or this name, or NULL
 * @module: static events of this module only, or NULL
 * @with_unused: also static events that are not enabled, if no name chooses events
 * @holds: nobody may take kpt_mutex between two pieces
 * @done: kpt_event.seq of the last event of the pieces up to now
 * @last: kpt_event.seq of the last event of all pieces; those defined later are left
 *	out
 * @at: the last file that was looked at; NULL before the first piece
 * @nr_removed: kpt_instance.nr_removed then: if it has changed, @at may be freed
 * @more: there may be another piece: others may take kpt_mutex before it
 */
struct kpt_event_files {
	struct kpt_instance *instance;
	const char *group;
	const char *name;
	const char *either;
	const char *module;
	bool with_unused;
	bool holds;
	u64 done;
	u64 last;
	struct kpt_event_file *at;
	u64 nr_removed;
	bool more;
};

/**
 * kpt_event_files_are_named() - does a name choose events?
 * @which: the choice
 *
 * Context: any.
 * Return: true if that of an event, a group or a module does.
 */
static inline bool kpt_event_files_are_named(const struct kpt_event_files *which)
{
	return which->group || which->name || which->either || which->module;
}

/**
 * kpt_event_files_have_unused() - can static events be chosen that are not enabled?
 * @which: the choice
 *
 * Context: any.
 * Return: true; false if it is all events that were defined or are enabled.
 */
static inline bool kpt_event_files_have_unused(const struct kpt_event_files *which)
{
	return kpt_event_files_are_named(which) || which->with_unused;
}

bool kpt_event_files_have(const struct kpt_event_files *which,
			  const struct kpt_event *event);
bool kpt_event_files_have_file(const struct kpt_event_files *which,
			       const struct kpt_event_file *file);
void kpt_event_files_exit(void);
int kpt_event_files_begin(struct kpt_event_files *which);
unsigned int kpt_event_files_next(struct kpt_event_files *which,
				  struct kpt_event_file ***piece);
int kpt_event_files_switch(struct kpt_event_files *which, bool on);
struct kpt_event_file *kpt_event_file_add_unlisted(struct kpt_event *event,
						   struct kpt_instance *instance);
struct kpt_event_file *kpt_event_file_add(struct kpt_event *event,
					  struct kpt_instance *instance);
int kpt_event_files_add(struct kpt_event *event);
void kpt_event_file_remove(struct kpt_event_file *file);
struct kpt_event_file *kpt_event_file_find(const struct kpt_event *event,
					   const struct kpt_instance *instance);
void kpt_event_file_put(struct kpt_event_file *file);
int kpt_event_file_set_enabled(struct kpt_event_file **files, unsigned int nr,
			       bool on);
int kpt_event_file_rearm(struct kpt_event_file *file,
			 struct kpt_batch *batch);
int kpt_event_file_batch_finish(struct kpt_batch *batch, int err,
				struct kpt_errlog *log);
int kpt_event_file_hold(struct kpt_event_file *file,
			struct kpt_event_file *other);
int kpt_event_file_release(struct kpt_event_file **files, unsigned int nr);
struct kpt_event_file *kpt_event_file_of(const struct kpt_event *event,
					 const struct kpt_instance *instance);
int kpt_event_file_follow(struct kpt_event_file *file, struct kpt_batch *batch,
			  struct kpt_diag *diag);
int kpt_event_file_unfollow(struct kpt_event_file *file,
			    struct kpt_batch *batch);
int kpt_event_file_make_counts(struct kpt_event_file *file);
int kpt_event_file_listen(struct kpt_event_file *file);
int kpt_event_file_unlisten(struct kpt_event_file *file);
void kpt_event_file_read_counts(struct kpt_event_file *file,
				struct kpt_event_file_counts *sum);

/**
 * kpt_event_file_hits() - the number of hits
 * @c: their outcomes
 *
 * Context: any.
 * Return: the sum.
 */
static inline u64 kpt_event_file_hits(const struct kpt_event_file_counts *c)
{
	return c->outcomes.recorded + c->outcomes.filtered + c->limited + c->missed +
	       c->lost;
}

/**
 * kpt_event_file_is_held() - is an event armed for others than its ring?
 * @file: its file in the instance
 *
 * Such an event is armed even if it is not enabled, and its sinks are
 * KPT_SINK_TRIGGERS or a kind behind it. A pending batch counts as applied.
 *
 * Context: process context, kpt_mutex held.
 * Return: true if triggers hold it, probes on it are armed, or perf listens to it.
 */
static inline bool kpt_event_file_is_held(struct kpt_event_file *file)
{
	return file->soft || kpt_hook_next(&file->followers) ||
	       refcount_read(&file->listeners);
}

/**
 * kpt_event_file_followers() - the handlers of the probes on an event
 * @file: its file in an instance
 *
 * Context: BRK.
 * Return: the list, or NULL.
 */
static inline const struct kpt_handlers *
kpt_event_file_followers(const struct kpt_event_file *file)
{
	/* Freed only after kpt_arch_quiesce(), which waits for this hit. */
	return rcu_dereference_raw(file->followers.handlers);
}

/**
 * kpt_event_file_armed() - is an event armed in an instance?
 * @file: its file in the instance
 *
 * Context: process context, kpt_mutex held.
 * Return: true if it is enabled, or held.
 */
static inline bool kpt_event_file_armed(struct kpt_event_file *file)
{
	return file->enabled || kpt_event_file_is_held(file);
}

#endif
