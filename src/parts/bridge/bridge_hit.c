// SPDX-License-Identifier: GPL-2.0-only
/*
 * Give a hit to the kernel's tracing: to its rings, and to perf with BPF programs in
 * front. Both are made for any context.
 */
#include "kernel/compat.h"
#include <linux/rcupdate.h>
#include "hit/internal.h"
#include "parts/bridge/bridge.h"
#include "parts/perf/perf_hit.h"

#ifdef KPT_BRIDGES

/* Do perf events count on this CPU, or are there BPF programs? */
static bool bridge_is_heard(const struct kpt_bridge *b)
{
	return READ_ONCE(b->is_open) &&
	       (!hlist_empty(this_cpu_ptr(b->call.perf_events)) ||
		bpf_prog_array_valid((struct trace_event_call *)&b->call));
}

/**
 * kpt_hit_bridge_wants() - does the kernel's tracing want hits on this CPU now?
 * @bridge: the event
 *
 * Context: BRK.
 * Return: true if it does.
 */
bool kpt_hit_bridge_wants(const struct kpt_bridge *bridge)
{
	return READ_ONCE(bridge->nr_rings) || bridge_is_heard(bridge);
}

/*
 * Record into one of the kernel's rings. Its common fields are those of our record:
 * the kernel would note that interrupts are masked, which they are for the hit. Lines
 * are made with loads of 8 bytes.
 */
static void bridge_record(struct trace_event_file *file, const struct kpt_hit *hit)
{
	struct trace_event_buffer to;
	struct trace_entry *entry;

	if (trace_trigger_soft_disabled(file))
		return;
	entry = trace_event_buffer_reserve(&to, file, ALIGN(hit->size, sizeof(u64)));
	if (!entry)
		return;
	BUILD_BUG_ON(sizeof(*entry) != sizeof(struct kpt_record_head));
	memcpy(entry, hit->record, hit->size);
	entry->type = file->event_call->event.type;
	to.regs = hit->regs;
	trace_event_buffer_commit(&to);
}

/**
 * kpt_hit_bridge() - give the record of a hit to the kernel's tracing
 * @bridge: the event
 * @hit: the hit, with its record and its caller
 *
 * Context: BRK.
 */
void kpt_hit_bridge(struct kpt_bridge *bridge, const struct kpt_hit *hit)
{
	struct trace_event_file *file;
	unsigned int i;

	if (unlikely(!rcu_is_watching())) {
		kpt_hit_perf_lose();
		return;
	}
	for (i = 0; i < READ_ONCE(bridge->nr_rings); i++) {
		file = READ_ONCE(bridge->ring[i]);
		if (file)
			bridge_record(file, hit);
	}
	if (bridge_is_heard(bridge))
		kpt_hit_perf_call(&bridge->call, hit);
}

#endif
