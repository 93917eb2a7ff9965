/* SPDX-License-Identifier: GPL-2.0-only */
/* Hits of events that perf listens to. */
#ifndef KPTRACE_HIT_PERF_H
#define KPTRACE_HIT_PERF_H

#include <linux/list.h>
#include <linux/percpu.h>
#include "event/event_file.h"
#include "event/hit.h"

struct trace_event_call;

/**
 * kpt_hit_perf_wants() - does a perf event count hits on this CPU now?
 * @file: an event that perf listens to
 *
 * Context: BRK.
 * Return: true if one does.
 */
static inline bool kpt_hit_perf_wants(const struct kpt_event_file *file)
{
	return !hlist_empty(this_cpu_ptr(file->perf));
}

#ifdef CONFIG_PERF_EVENTS
void kpt_hit_perf(const struct kpt_event_file *file, const struct kpt_hit *hit,
		  unsigned long caller);
void kpt_hit_perf_call(struct trace_event_call *call, const struct kpt_hit *hit,
		       unsigned long caller);
void kpt_hit_perf_lose(void);
u64 kpt_hit_perf_lost(void);
#else
static inline void kpt_hit_perf(const struct kpt_event_file *file,
				const struct kpt_hit *hit, unsigned long caller)
{
}

static inline u64 kpt_hit_perf_lost(void)
{
	return 0;
}
#endif

#endif
