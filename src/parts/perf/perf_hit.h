/* SPDX-License-Identifier: GPL-2.0-only */
/* Hits of events that perf listens to. */
#ifndef KPTRACE_HIT_PERF_H
#define KPTRACE_HIT_PERF_H

#include <linux/types.h>

struct kpt_hit;
struct trace_event_call;

void kpt_hit_perf_call(struct trace_event_call *call, const struct kpt_hit *hit);
void kpt_hit_perf_lose(void);
#ifdef CONFIG_PERF_EVENTS
u64 kpt_hit_perf_lost(void);
#else
static inline u64 kpt_hit_perf_lost(void)
{
	return 0;
}
#endif

#endif
