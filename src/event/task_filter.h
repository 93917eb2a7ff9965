/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Task filters: the tasks and CPUs whose hits an instance records. While
 * kpt_buffer.stops is 0, hits do not call this; a task filter sets KPT_STOP_ASK.
 */
#ifndef KPTRACE_TASK_FILTER_H
#define KPTRACE_TASK_FILTER_H

#include "event/event_file.h"

/*
 * An instance records the children of listed tasks, too: hits look at ancestors, for
 * which RCU must be watching. Written under kpt_mutex.
 */
extern bool kpt_task_filter_needs_rcu;

void kpt_task_filter_init(struct kpt_instance *instance);
void kpt_task_filter_exit(struct kpt_instance *instance);
void kpt_task_filter_update(struct kpt_instance *instance);
bool kpt_task_filter_allow(const struct kpt_event_file *file, const void *record);
bool kpt_task_filter_allow_listed(const struct kpt_event_file *file, const void *record);
bool kpt_task_filter_allow_cpu(const struct kpt_instance *instance);
bool kpt_task_filter_has_lists(const struct kpt_instance *instance);
int kpt_pids_add(struct kpt_instance *instance, unsigned int which, char *text);
s32 kpt_pids_next(const struct kpt_instance *instance, unsigned int which, s32 pid);
bool kpt_pids_are_set(const struct kpt_instance *instance, unsigned int which);
int kpt_pids_clear(struct kpt_instance *instance, unsigned int which);

/**
 * kpt_task_filter_allow_task() - may triggers see a hit?
 * @file: its event file
 * @record: as for kpt_task_filter_allow()
 *
 * They see it whether tracing is on or not, and on all CPUs.
 *
 * Context: BRK, or process context with interrupts masked.
 * Return: true if no list of tasks excludes it.
 */
static __always_inline bool kpt_task_filter_allow_task(const struct kpt_event_file *file,
						       const void *record)
{
	return likely(!(atomic_read(&file->instance->buffer.stops) & KPT_STOP_TASKS)) ||
	       kpt_task_filter_allow_listed(file, record);
}

#endif
