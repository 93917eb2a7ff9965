/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events: names under which probes record, and the instances they record into.
 *
 * A probe is one definition: a place and a fetch program. An event is a name
 * shared by the probes that were defined under it, with one record shape. An
 * instance is a buffer with its own switches; each event has one kpt_event_file in
 * each instance, which says whether it records there.
 */
#ifndef KPTRACE_EVENT_H
#define KPTRACE_EVENT_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/workqueue.h>
#include "buffer/buffer.h"
#include "engine/point.h"
#include "event/errlog.h"
#include "kernel/lock.h"
#include "lib/fetch.h"
#include "lib/format.h"

/**
 * struct kpt_pids - tasks
 * @nr: how many
 * @pid: their numbers, ascending
 */
struct kpt_pids {
	unsigned int nr;
	s32 pid[];
};

/* kpt_instance.pids: those that are recorded, and those that are not. */
enum { KPT_PIDS_WANTED, KPT_PIDS_UNWANTED, KPT_NR_PIDS };

/**
 * struct kpt_instance - a buffer and its switches
 * @list: in kpt_instances, the top one first
 * @name: its directory under instances/, empty for the top one
 * @buffer: what it records into
 * @snapshot: what was recorded before the last snapshot
 * @has_snapshot: @snapshot has its full size; under @snapshot_lock
 * @snapshot_lock: taking and freeing of snapshots; before kpt_buffer.lock
 * @snapshot_irq: of snapshots that hits request
 * @snapshot_work: the same
 * @options: KPT_OPT_* that change output
 * @pause_on_trace: recording pauses while trace is read
 * @pids: KPT_PIDS_*, NULL for none; hits read it without a lock
 * @cpus: tracing_cpumask
 * @errlog: its error_log
 * @group_filters: what group filter files show
 * @files: its side of every event, kpt_event_file.instance_link
 * @marker: of these the one of ftrace:print
 * @refs: open files and readers, and one for being listed
 * @rcu: frees it, as opening one of its files finds it under rcu_read_lock()
 * @dir: its directory, for fs alone
 * @events_dir: its events directory, for fs alone
 */
struct kpt_instance {
	struct list_head list;
	char name[256];
	struct kpt_buffer buffer;
	struct kpt_buffer snapshot;
	bool has_snapshot;
	struct mutex snapshot_lock;
	struct irq_work snapshot_irq;
	struct work_struct snapshot_work;
	u32 options;
	bool pause_on_trace;
	struct kpt_pids __rcu *pids[KPT_NR_PIDS];
	struct cpumask cpus;
	struct kpt_errlog errlog;
	struct list_head group_filters;
	struct list_head files;
	struct kpt_event_file *marker;
	refcount_t refs;
	struct rcu_head rcu;
	struct dentry *dir;
	struct dentry *events_dir;
};

/**
 * struct kpt_event_file_counts - what became of the hits of an event in an instance
 * @recorded: written to the ring
 * @filtered: refused by filter, tracing_on, list of tasks or of CPUs
 * @missed: reached inside another hit
 * @lost: no room in the ring
 */
struct kpt_event_file_counts {
	u64 recorded;
	u64 filtered;
	u64 missed;
	u64 lost;
};

/**
 * struct kpt_event_file - one event in one instance
 * @event: the event
 * @instance: the instance
 * @event_link: in kpt_event.files
 * @instance_link: in kpt_instance.files
 * @enabled: its hits are recorded; while @soft is not 0 triggers change it too,
 *	in BRK context
 * @soft: references of triggers, its own and those that switch it: while there
 *	is one it is armed, @enabled or not. 0 before the first hit that may
 *	ignore @enabled, so hits that see 0 record
 * @triggers: events/GRP/EVENT/trigger, struct kpt_trigger.list; hits walk it
 *	without a lock
 * @was_enabled: the instance's buffer may hold records of the event
 * @filter: events/GRP/EVENT/filter, NULL if there is none; hits read it
 *	without a lock
 * @special: there is a filter, or @soft is not 0: hits do more than record
 * @counts: per CPU
 * @refs: open files, and one for being listed
 * @rcu: frees it, as opening one of its files finds it under rcu_read_lock()
 * @dir: its directory, for fs alone
 */
struct kpt_event_file {
	struct kpt_event *event;
	struct kpt_instance *instance;
	struct list_head event_link;
	struct list_head instance_link;
	bool enabled;
	bool was_enabled;
	bool special;
	unsigned int soft;
	struct list_head triggers;
	struct kpt_event_filter __rcu *filter;
	struct kpt_event_file_counts __percpu *counts;
	refcount_t refs;
	struct rcu_head rcu;
	struct dentry *dir;
};

/**
 * struct kpt_event - a name under which probes record
 * @list: in kpt_events, in the order of definition
 * @by_name: in a table of event.c
 * @group: its group
 * @name: its name
 * @id: number in the records
 * @kind: KPT_DEF_PROBE or KPT_DEF_RETURN, of all its probes
 * @of_functions: they are f, not p or r
 * @is_own: ftrace:print, which nobody defined: not in kpt_events, without
 *	probes, neither listed nor enabled nor deleted
 * @fields: shape of its records
 * @probes: its probes, kpt_probe.sibling
 * @files: its side of every instance, kpt_event_file.event_link
 * @refs: readers that show a record of it, each of @files, and one for being
 *	listed
 * @rcu: frees it, as readers find it under rcu_read_lock()
 */
struct kpt_event {
	struct list_head list;
	struct hlist_node by_name;
	char group[KPT_NAME_MAX];
	char name[KPT_NAME_MAX];
	u16 id;
	enum kpt_def_kind kind;
	bool of_functions;
	bool is_own;
	struct kpt_fields *fields;
	struct list_head probes;
	struct list_head files;
	refcount_t refs;
	struct rcu_head rcu;
};

/**
 * struct kpt_probe_counts - kprobe_profile's columns
 * @hits: times its handler ran
 * @missed: times it could not run
 */
struct kpt_probe_counts {
	u64 hits;
	u64 missed;
};

/**
 * struct kpt_site - one address a probe needs armed
 * @point: the point there
 * @role: what for
 */
struct kpt_site {
	struct kpt_point *point;
	enum kpt_role role;
};

/**
 * struct kpt_probe - one definition
 * @list: in kpt_probes, in the order of definition
 * @sibling: in kpt_event.probes
 * @event: its event
 * @is_return: it records returns of a function
 * @hooks_return: by replacing the return address at the entry: the function
 *	has other ways out than its return instructions
 * @needs_frame: something of each call is kept until it returns
 * @way: how a return is to be seen, as given
 * @maxactive: as given, 0 if not
 * @active: with @maxactive and @needs_frame: calls in progress
 * @place: its place as kprobe_events lists it; of an f with its %return
 * @args: its arguments as kprobe_events lists them, " name=fetcharg" each
 * @module: module named in the place, or NULL
 * @line: then the line that defined it: its arguments are compiled again each
 *	time the module comes
 * @symbol: symbol named in the place, or NULL for an address
 * @offset: from the symbol
 * @addr: address it stands at, 0 while its module is not loaded
 * @prog: its fetch program
 * @site: the addresses it needs armed, NULL while its module is not loaded
 * @nr_sites: how many
 * @counts: per CPU
 */
struct kpt_probe {
	struct list_head list;
	struct list_head sibling;
	struct kpt_event *event;
	bool is_return;
	bool hooks_return;
	bool needs_frame;
	enum kpt_def_way way;
	u16 maxactive;
	atomic_t active;
	char *place;
	char *args;
	char *module;
	char *line;
	char *symbol;
	u32 offset;
	unsigned long addr;
	struct kpt_fetch_prog *prog;
	struct kpt_site *site;
	unsigned int nr_sites;
	struct kpt_probe_counts __percpu *counts;
};

extern struct list_head kpt_events;
extern struct list_head kpt_probes;
extern struct list_head kpt_instances;
extern struct kpt_instance kpt_top_instance;

int kpt_event_define(const struct kpt_def *def, struct kpt_diag *diag,
		     struct kpt_event **event);
int kpt_event_delete(const struct kpt_def *def, struct list_head *dead);
int kpt_event_delete_all(bool spare_functions, struct list_head *dead);
bool kpt_event_in_use(const struct kpt_event *event);
void kpt_event_free(struct kpt_event *event);
struct kpt_event *kpt_event_get_id(u16 id);
void kpt_event_put(struct kpt_event *event);
struct kpt_event_file *kpt_event_file_add(struct kpt_event *event,
			      struct kpt_instance *instance);
void kpt_event_file_remove(struct kpt_event_file *file);
bool kpt_event_file_get(struct kpt_event_file *file);
void kpt_event_file_put(struct kpt_event_file *file);
int kpt_event_file_set_enabled(struct kpt_event_file **files, unsigned int nr, bool on);
int kpt_event_file_hold(struct kpt_event_file *file, struct kpt_event_file *other);
int kpt_event_file_release(struct kpt_event_file *file, struct kpt_event_file *other);

/**
 * kpt_event_file_armed() - is an event armed for an instance?
 * @file: the event there
 *
 * Context: process context, kpt_mutex held.
 * Return: true if it is enabled, or held by a trigger.
 */
static inline bool kpt_event_file_armed(const struct kpt_event_file *file)
{
	return file->soft || file->enabled;
}

void kpt_event_file_read_counts(struct kpt_event_file *file, struct kpt_event_file_counts *sum);
void kpt_probe_read_counts(struct kpt_probe *probe,
			   struct kpt_probe_counts *sum);
void kpt_instance_set_clock(struct kpt_instance *instance, enum kpt_clock clock);
int kpt_instance_stop(struct kpt_instance *instance);
struct kpt_instance *kpt_instance_create(const char *name);
int kpt_instance_remove(struct kpt_instance *instance);
void kpt_instance_free(struct kpt_instance *instance);
bool kpt_instance_get(struct kpt_instance *instance);
void kpt_instance_put(struct kpt_instance *instance);
int kpt_instance_init_top(void);
void kpt_instance_exit_top(void);
int kpt_event_init(void);
void kpt_event_exit(void);

#endif
