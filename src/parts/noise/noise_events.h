/* SPDX-License-Identifier: GPL-2.0-only */
/* The events osnoise:*, which the tracers osnoise and timerlat record. */
#ifndef KPTRACE_EVENT_NOISE_H
#define KPTRACE_EVENT_NOISE_H

#include "event/event.h"

/** enum kpt_noise_event - the events, by what they are about */
enum kpt_noise_event {
	KPT_NOISE_EVENT_NMI,
	KPT_NOISE_EVENT_IRQ,
	KPT_NOISE_EVENT_SOFTIRQ,
	KPT_NOISE_EVENT_THREAD,
	KPT_NOISE_EVENT_THRESHOLD,
	KPT_NOISE_EVENT_OSNOISE,
	KPT_NOISE_EVENT_TIMERLAT,
	KPT_NOISE_EVENTS,
};

struct kpt_hook *kpt_noise_hook(enum kpt_noise_event which);
int kpt_noise_events_init(void);

/* osnoise:*, which the tracers osnoise and timerlat record. */
extern const struct kpt_event_class kpt_class_noise;

#endif
