/* SPDX-License-Identifier: GPL-2.0-only */
/* Instances: a buffer each, with its own switches and its side of every event. */
#ifndef KPTRACE_INSTANCE_H
#define KPTRACE_INSTANCE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/workqueue.h>
#include "buffer/buffer.h"
#include "event/errlog.h"
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
 * @buffer: has its records
 * @snapshot: has the records from before the last snapshot
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
 * @is_stale: used while events are deleted: its buffer is to be reset
 * @files: its side of every event, kpt_event_file.instance_link
 * @marker: of these the one of ftrace:print
 * @refs: open files and readers, and one for being listed; 0 once it is closed
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
	bool is_stale;
	struct list_head files;
	struct kpt_event_file *marker;
	refcount_t refs;
	struct rcu_head rcu;
	struct dentry *dir;
	struct dentry *events_dir;
};

extern struct list_head kpt_instances;
extern struct kpt_instance kpt_top_instance;

void kpt_instance_set_clock(struct kpt_instance *instance, enum kpt_clock clock);
struct kpt_instance *kpt_instance_create(const char *name);
int kpt_instance_close(struct kpt_instance *instance);
void kpt_instance_reopen(struct kpt_instance *instance);
int kpt_instance_remove(struct kpt_instance *instance);
void kpt_instance_unlist(struct kpt_instance *instance);
void kpt_instance_free(struct kpt_instance *instance);
bool kpt_instance_get(struct kpt_instance *instance);
void kpt_instance_put(struct kpt_instance *instance);
int kpt_instance_init_top(void);
void kpt_instance_exit_top(void);

#endif
