/* SPDX-License-Identifier: GPL-2.0-only */
/* Hits of events that the kernel's tracing listens to. */
#ifndef KPTRACE_HIT_BRIDGE_H
#define KPTRACE_HIT_BRIDGE_H

#include "parts/bridge/bridge.h"
#include "event/hit.h"

#ifdef KPT_BRIDGES
bool kpt_hit_bridge_wants(const struct kpt_bridge *bridge);
void kpt_hit_bridge(struct kpt_bridge *bridge, const struct kpt_hit *hit);
#else
static inline bool kpt_hit_bridge_wants(const struct kpt_bridge *bridge)
{
	return false;
}

static inline void kpt_hit_bridge(struct kpt_bridge *bridge, const struct kpt_hit *hit)
{
}
#endif

#endif
