/* SPDX-License-Identifier: GPL-2.0-only */
/* Instances: each has a buffer, switches, and a file for every event. */
#ifndef KPTRACE_INSTANCE_H
#define KPTRACE_INSTANCE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/workqueue.h>
#include "buffer/buffer.h"
#include "event/errlog.h"
#include "event/slots.h"
#include "kernel/lock.h"
#include "lib/format/format.h"

struct seq_file;

/* Numbers of tasks are less than KPT_PIDS_CHUNKS * KPT_PIDS_BITS. */
#define KPT_PIDS_CHUNKS	256
#define KPT_PIDS_BITS	16384

/**
 * struct kpt_pids - a list of tasks
 * @chunk: for each KPT_PIDS_BITS numbers as many bits; stubs look at them, too, see
 *	arch/arm64/recorder/recorder_common.c
 */
struct kpt_pids {
	const u64 *chunk[KPT_PIDS_CHUNKS];
};

/*
 * kpt_instance.pids: only these are recorded; these are not recorded. First for events,
 * then for tracers.
 */
enum {
	KPT_PIDS_WANTED,
	KPT_PIDS_UNWANTED,
	KPT_PIDS_TRACER,
	KPT_NR_PIDS = 2 * KPT_PIDS_TRACER,
};

/**
 * struct kpt_snapshot - the snapshot of an instance
 * @buffer: the records that kpt_instance.buffer had when the last one was taken
 * @is_full: @buffer has its full size; under @lock
 * @lock: held to take and free snapshots; taken before kpt_buffer.lock
 * @arms: number of triggers that take snapshots
 * @bell: asked for by a hit that requests a snapshot; starts @work
 * @work: takes the snapshots that hits request
 */
struct kpt_snapshot {
	struct kpt_buffer buffer;
	bool is_full;
	struct mutex lock;
	atomic_t arms;
	struct kpt_bell bell;
	struct work_struct work;
};

/**
 * struct kpt_instance - a buffer and its switches
 * @list: in kpt_instances, the top one first
 * @name: its directory under instances/, empty for the top one
 * @buffer: records of hits
 * @snapshot: its snapshot
 * @options: KPT_OPT_* that change output
 * @pause_on_trace: recording pauses while trace is read
 * @pids: KPT_PIDS_*; without a list all tasks are wanted, or none unwanted, which is NULL. Hits
 *	read it without a lock
 * @listed: the tasks whose hits @pids let be recorded: of events, and of tracers
 * @allowed: the same for stubs; all tasks with options event-fork and function-fork, which only
 *	C knows
 * @asks_tasks: recorders ask @allowed before anything else; else when they find that there are
 *	lists
 * @cpus: tracing_cpumask
 * @errlog: its error_log
 * @group_filters: wrong filters that group filter files show
 * @waiting_words: words of set_event that wait for modules
 * @slot: what parts keep of it
 * @is_past: instance last_boot: its records are of another boot, and nothing is armed
 * @is_partial: while it is made or removed: events do not all have a file in it
 * @is_stale: set while events are deleted: its buffer must be reset
 * @is_choosy: tracing_on or the task filter refused a hit, so probes that are armed from
 *	now on get kpt_probe.own_filtered; set by hits
 * @had_choice: a worker has given kpt_probe.own_filtered to those that were armed before
 * @has_old_recorders: stubs may stamp records in another way than the clock needs
 * @clock_changes: how often a clock was set
 * @files: its event files, kpt_event_file.instance_link
 * @nr_removed: number of files that were removed from @files up to now
 * @marker: the one of @files that belongs to ftrace:print
 * @refs: one for each open file, and one for @list; 0 once it is closed
 * @holders: one for each inode about it, and one for @list: they keep its memory
 * @number: no other instance has it
 * @end: frees it, but for its memory
 * @rcu: frees it after a grace period
 * @dir: its directory; only src/fs uses it
 * @events_dir: its events directory; only src/fs uses it
 */
struct kpt_instance {
	struct list_head list;
	char name[256];
	struct kpt_buffer buffer;
	struct kpt_snapshot snapshot;
	u64 options;
	bool pause_on_trace;
	const struct kpt_pids __rcu *pids[KPT_NR_PIDS];
	const struct kpt_pids *listed[KPT_NR_PIDS / KPT_PIDS_TRACER];
	const struct kpt_pids __rcu *allowed[KPT_NR_PIDS / KPT_PIDS_TRACER];
	bool asks_tasks;
	struct cpumask cpus;
	struct kpt_errlog errlog;
	struct list_head group_filters;
	struct list_head waiting_words;
	struct kpt_instance_slots slot;
	bool is_past;
	bool is_partial;
	bool is_stale;
	bool is_choosy;
	bool had_choice;
	bool has_old_recorders;
	unsigned long clock_changes;
	struct list_head files;
	u64 nr_removed;
	struct kpt_event_file *marker;
	refcount_t refs;
	refcount_t holders;
	int number;
	struct kpt_errand end;
	struct rcu_head rcu;
	struct dentry *dir;
	struct dentry *events_dir;
};

/**
 * kpt_instance_is_closed() - does open() fail for all files of an instance?
 * @instance: the instance
 *
 * Context: any.
 * Return: true if it is not complete yet, removed, or being removed.
 */
static inline bool kpt_instance_is_closed(const struct kpt_instance *instance)
{
	return !refcount_read(&instance->refs);
}

/**
 * struct kpt_profile_options - options of the profile of functions
 * @inner: graph-time: to the time of a call belongs that of calls in it that are profiled
 * @offsets: prof-text-offset: rows show where functions are, not their names
 *
 * Written under kpt_mutex; hits read it without a lock.
 */
struct kpt_profile_options {
	bool inner;
	bool offsets;
};

extern struct kpt_profile_options kpt_profile_options;

extern struct list_head kpt_instances;
extern struct kpt_instance kpt_top_instance;

struct kpt_instance *kpt_instance_find(const char *name);
struct kpt_instance *kpt_instance_create(const char *name);
int kpt_instance_close(struct kpt_instance *instance);
void kpt_instance_open(struct kpt_instance *instance);
int kpt_instance_remove(struct kpt_instance *instance);
void kpt_instance_unlist(struct kpt_instance *instance);
void kpt_instance_free(struct kpt_instance *instance);
bool kpt_instance_get(struct kpt_instance *instance);
void kpt_instance_put(struct kpt_instance *instance);
void kpt_instance_hold(struct kpt_instance *instance);
void kpt_instance_drop(struct kpt_instance *instance);
int kpt_instance_init_top(void);
void kpt_instance_exit_top(void);

/* Writes the header of trace, for KPT_OPT_*. */
typedef void (*kpt_tracer_header_t)(struct kpt_strbuf *sb, u32 options);

/* Of the part tracer. */
const char *kpt_tracer_name(const struct kpt_instance *instance);
bool kpt_tracer_is_graph(const struct kpt_instance *instance);
kpt_tracer_header_t kpt_tracer_header(const struct kpt_instance *instance);

/* Of the part kept: what instance last_boot knows. */
void kpt_past_describe(const struct kpt_instance *instance, struct kpt_line *line, char *comm);
void kpt_past_update(const struct kpt_instance *instance);
void kpt_past_show_cpu(const struct kpt_instance *instance, int cpu, struct seq_file *m);

#endif
