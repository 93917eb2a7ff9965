/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events: names under which probes record.
 *
 * A probe is one definition: a place and a fetch program. An event is a name
 * that one or more probes are defined under; their records have one shape. An
 * event has a struct kpt_event_file in each instance.
 */
#ifndef KPTRACE_EVENT_H
#define KPTRACE_EVENT_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/refcount.h>
#include "engine/calls.h"
#include "event/group.h"
#include "engine/site.h"
#include "event/slots.h"
#include "kernel/lock.h"
#include "lib/fetch/def.h"
#include "lib/fetch/fetch.h"

struct kpt_errlog;
struct kpt_event_class;
struct kpt_filter;
struct kpt_instance;
struct kpt_use;

/**
 * enum kpt_listing - a file of definitions
 * @KPT_LISTS_KPROBE: kprobe_events, and kprobe_profile
 * @KPT_LISTS_DYNAMIC: dynamic_events, which lists every class
 * @KPT_LISTS_SYNTHETIC: synthetic_events
 */
enum kpt_listing {
	KPT_LISTS_KPROBE,
	KPT_LISTS_DYNAMIC,
	KPT_LISTS_SYNTHETIC,
};

/**
 * struct kpt_event - a name under which probes record
 * @list: in kpt_events, in the order of definition
 * @by_name: in a table of event.c
 * @of: its group
 * @in_group: in kpt_group.events
 * @seq: larger than that of all events defined before
 * @group: name of its group
 * @name: its name, behind this struct if the event was defined
 * @id: its number in records, kpt_record_head.type
 * @places: number of its first place, see kpt_place_number(); under kpt_mutex
 * @other_pid: of a static event that is about another task, too, which is switched to or
 *	woken: where its records have the number of that task; else 0
 * @records_stay: it was removed by kpt_event_remove(), and rings may have records of it
 * @class: its class
 * @fields: shape of its records
 * @probes: its probes, kpt_probe.sibling
 * @followers: probes on its records, kpt_follower.list
 * @source: of an event on another event: that event, with a reference, which
 *	readers use for its name; else NULL
 * @files: its file in every instance, kpt_event_file.event_link
 * @slot: what parts keep of it
 * @refs: one for each reader that shows a record of it, for each of @files, and
 *	for kpt_events
 * @rcu: frees it after a grace period: readers find it under rcu_read_lock()
 *
 * @by_name, @in_group and @files are changed under kpt_mutex, and read under RCU too.
 */
struct kpt_event {
	struct list_head list;
	struct hlist_node by_name;
	struct kpt_group *of;
	struct list_head in_group;
	u64 seq;
	const char *group;
	const char *name;
	u16 id;
	u16 places;
	u8 other_pid;
	bool records_stay;
	const struct kpt_event_class *class;
	const struct kpt_fields *fields;
	struct list_head probes;
	struct list_head followers;
	struct kpt_event *source;
	struct list_head files;
	struct kpt_event_slots slot;
	refcount_t refs;
	struct rcu_head rcu;
};

/**
 * struct kpt_outcomes - what became of hits, as a rule
 * @recorded: written to a ring
 * @filtered: refused by the filter, by tracing_on or by the task filter
 */
struct kpt_outcomes {
	u64 recorded;
	u64 filtered;
};

/**
 * struct kpt_probe_counts - kprobe_profile's columns
 * @hits: number of hits for which its handler ran
 * @missed: number of hits for which its handler could not run
 */
struct kpt_probe_counts {
	u64 hits;
	u64 missed;
};

/**
 * struct kpt_follower - what a probe on an event has of that; its class embeds it
 * @list: in kpt_event.followers of @source
 * @probe: the probe
 * @source: the event
 * @condition: accepts the records of @source that are hits; NULL for all
 */
struct kpt_follower {
	struct list_head list;
	struct kpt_probe *probe;
	struct kpt_event *source;
	const struct kpt_filter *condition;
};

/**
 * struct kpt_probe - one definition; its class embeds it
 * @list: in kpt_probes, in the order of definition
 * @sibling: in kpt_event.probes
 * @leaving: in the list of probes that a delete line removes, else empty
 * @event: its event
 * @follows: its link to the event that it is on (e); NULL if it is on no event
 * @place: its place as kprobe_events lists it; an f has its %return here
 * @args: its arguments as kprobe_events lists them, " name=fetcharg" each
 * @line: the line that defined it if its place may be in a module, else NULL: if the
 *	module is named, its arguments are compiled again each time that is loaded
 * @prog: its fetch program
 * @use: what it is for; what that needs to know is in what embeds the probe
 * @sites: the addresses that it needs armed
 * @own_recorded: hits that concern @home alone and were recorded, per CPU; each counts here
 *	only, neither as a hit nor in the counts of that file. NULL before there is a @home
 * @own_filtered: the same of those that were filtered; NULL before that is to be expected
 * @home: the event file that these are about; or NULL, and then they are 0
 * @counts: columns of kprobe_profile for all other hits, per CPU; NULL before a hit can be
 *	one of these at any time
 * @hits: hits that are in none of these: lost and filtered ones while there is no @counts
 *	or @own_filtered, and those that were counted for an earlier @home
 * @missed: missed ones while there is no @counts
 */
struct kpt_probe {
	struct list_head list;
	struct list_head sibling;
	struct list_head leaving;
	struct kpt_event *event;
	struct kpt_follower *follows;
	char *place;
	char *args;
	char *line;
	struct kpt_fetch_prog *prog;
	const struct kpt_use *use;
	struct kpt_sites sites;
	u64 __percpu *own_recorded;
	u64 __percpu *own_filtered;
	struct kpt_event_file *home;
	struct kpt_probe_counts __percpu *counts;
	atomic64_t hits;
	atomic64_t missed;
};

extern struct list_head kpt_events;
extern struct list_head kpt_probes;

struct kpt_event *kpt_event_find_any(const char *group, const char *name);
int kpt_event_define(const struct kpt_def *def, struct kpt_diag *diag,
		     struct kpt_event **event);
int kpt_event_delete(const struct kpt_def *def, enum kpt_listing file,
		     struct kpt_diag *diag, struct list_head *dead);
int kpt_event_may_delete(const struct kpt_def *def, enum kpt_listing file,
			 struct kpt_diag *diag);
int kpt_event_delete_some(const struct kpt_def *def, enum kpt_listing file, u64 last,
			  struct kpt_diag *diag, struct list_head *dead);
int kpt_event_remove(struct kpt_event *event, struct list_head *dead);
bool kpt_event_is_listed(const struct kpt_event *event, enum kpt_listing file);
bool kpt_event_in_use(const struct kpt_event *event);
void kpt_event_free(struct kpt_event *event);
void kpt_event_discard(struct kpt_event *event);
void kpt_event_linger(struct kpt_event *event);
void kpt_events_lingering_free(void);
int kpt_enums_get(struct kpt_fetch_scratch *out);
void kpt_enums_put(const struct kpt_fields *fields);
int kpt_event_number_alloc(void);
void kpt_event_number_free(u16 id);
struct kpt_event *kpt_event_add(const struct kpt_event_class *class,
				const char *group, const char *name, u16 id,
				const struct kpt_fields *fields);
struct kpt_event *kpt_event_make(const struct kpt_event_class *class,
				 const char *group, const char *name,
				 const struct kpt_fields *fields);
void kpt_event_add_probe(struct kpt_event *event, struct kpt_probe *probe);
struct kpt_event *kpt_event_find(const char *group, const char *name);
struct kpt_event *kpt_event_get_id(u16 id);
void kpt_fields_free(const struct kpt_fields *fields);
void kpt_event_put(struct kpt_event *event);
void kpt_event_put_in_crash(struct kpt_event *event);
void kpt_probe_init(struct kpt_probe *probe);
int kpt_probe_make_counts(struct kpt_probe *probe);
void kpt_probe_free_counts(struct kpt_probe *probe);
void kpt_probe_compile_begin(void);
void kpt_probe_compile_end(void);
char *kpt_probe_dup_span(const struct kpt_def *def, const struct kpt_span *span);
struct kpt_def *kpt_probe_parse_line(const struct kpt_probe *probe, struct kpt_diag *diag);
int kpt_probe_init_shaped(struct kpt_probe *probe, const struct kpt_fields *fields);
void kpt_probe_set_args(struct kpt_probe *probe, char *args);
void kpt_probe_fini(struct kpt_probe *probe);
unsigned long kpt_probe_function(const struct kpt_probe *probe, unsigned int *at);
const char *kpt_probe_waits_for(const struct kpt_probe *probe);
void kpt_probe_complain(const struct kpt_probe *probe, struct kpt_errlog *log,
			struct kpt_diag *diag);
bool kpt_probe_end_calls(struct kpt_probe *probe, enum kpt_calls_end end);
void kpt_probe_find_types(const struct kpt_fetch_place *place,
			  struct kpt_fetch_types *types);
int kpt_probe_compile(struct kpt_probe *probe, const struct kpt_def *def,
		      const struct kpt_fetch_place *place,
		      const struct kpt_fields **fields, struct kpt_diag *diag);
bool kpt_probe_is(const struct kpt_probe *probe, const struct kpt_def *def);
void kpt_probe_read_counts(const struct kpt_probe *probe,
			   struct kpt_probe_counts *sum);
void kpt_probe_read_own(const struct kpt_probe *probe, struct kpt_outcomes *sum);
bool kpt_probe_take_home(struct kpt_probe *probe, struct kpt_event_file *file);
void kpt_probe_fold_counts(struct kpt_probe *probe);
int kpt_probe_make_filtered(struct kpt_probe *probe);
void kpt_probes_expect_filtered(struct kpt_instance *instance);
void kpt_probe_counts_exit(void);
int kpt_event_names_init(void);
void kpt_event_names_exit(void);
int kpt_event_init(void);
void kpt_event_exit(void);

#endif
