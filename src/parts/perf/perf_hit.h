/* SPDX-License-Identifier: GPL-2.0-only */
/* Hits of events that perf listens to. */
#ifndef KPTRACE_HIT_PERF_H
#define KPTRACE_HIT_PERF_H

#include <linux/list.h>
#include <linux/percpu.h>
#include "event/event_file.h"
#include "event/hit.h"

struct trace_event_call;

#ifdef CONFIG_PERF_EVENTS
struct pt_regs *kpt_hit_perf_regs(const struct pt_regs *regs);
void kpt_hit_perf(struct hlist_head *counting, u16 type, const struct kpt_hit *hit);
void kpt_hit_perf_call(struct trace_event_call *call, const struct kpt_hit *hit);
void kpt_hit_perf_lose(void);
u64 kpt_hit_perf_lost(void);
#else
static inline struct pt_regs *kpt_hit_perf_regs(struct pt_regs *regs)
{
	return regs;
}

static inline void kpt_hit_perf(struct hlist_head *counting, u16 type,
				const struct kpt_hit *hit)
{
}

static inline u64 kpt_hit_perf_lost(void)
{
	return 0;
}
#endif

#endif
