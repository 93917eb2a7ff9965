/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A PMU for perf: each event is one of "kptrace/EVENT/".
 *
 * A perf event listens to the file that an event has in the top instance. That is
 * armed while one does, and records into the ring only if it is enabled.
 */
#ifndef KPTRACE_EVENT_PERF_H
#define KPTRACE_EVENT_PERF_H

#include <linux/types.h>

#include "kernel/lock.h"

struct hlist_head;
struct kpt_bridge;
struct kpt_event;
struct kpt_event_file;
struct perf_event;

/**
 * struct kpt_perf_file - what perf keeps of an event file
 * @counting: perf events that count now, per CPU; perf changes it with interrupts masked
 * @bridge: of the part bridge: that of the event, from when the kernel's tracing uses it for
 *	the first time; hits read it where RCU watches. Else NULL
 * @file: the event file
 * @end: takes the last of kpt_event_file.listeners away; has that reference until then
 */
struct kpt_perf_file {
	struct hlist_head __percpu *counting;
	struct kpt_bridge *bridge;
	struct kpt_event_file *file;
	struct kpt_errand end;
};

#ifdef CONFIG_PERF_EVENTS
int kpt_perf_init(void);
void kpt_perf_exit(void);
int kpt_perf_name_add(struct kpt_event *event);
void kpt_perf_name_remove(struct kpt_event *event);
void kpt_perf_file_free(struct kpt_event_file *file);
int kpt_perf_may_arm(const struct perf_event *event);
int kpt_perf_listen(struct kpt_event_file *file);
void kpt_perf_unlisten(struct kpt_event_file *file);
const char *kpt_perf_why_none(void);
#else
static inline int kpt_perf_init(void)
{
	return 0;
}

static inline void kpt_perf_exit(void)
{
}

static inline int kpt_perf_name_add(struct kpt_event *event)
{
	return 0;
}

static inline void kpt_perf_name_remove(struct kpt_event *event)
{
}

static inline void kpt_perf_file_free(struct kpt_event_file *file)
{
}

static inline const char *kpt_perf_why_none(void)
{
	return "this kernel has no perf events";
}
#endif

#endif
