// SPDX-License-Identifier: GPL-2.0-only
/*
 * Count hits that are not recorded. They are exceptions, so all CPUs may share their
 * counters: an event has some on each CPU only if that is so for others of its hits, or soon
 * after the first that was filtered. Runs in BRK context, see hit.c.
 *
 * Interrupts are masked and nothing here is probed, so plain additions lose no
 * count. this_cpu_inc() could call preempt_schedule_notrace(): if that is probed,
 * its hit is missed as well and is counted here, in an endless recursion.
 */
#include "kernel/compat.h"
#include <linux/atomic.h>
#include "hit/follow.h"
#include "hit/internal.h"

static void count_missed(struct kpt_event_file *file)
{
	struct kpt_event_file_counts __percpu *counts = READ_ONCE(file->counts);

	if (counts)
		raw_cpu_inc(counts->missed);
	else
		atomic64_inc(&file->missed);
}

/**
 * kpt_hit_missed_by() - count a hit that a handler could not run for
 * @handler: the handler
 *
 * Context: BRK, nested.
 */
void kpt_hit_missed_by(const struct kpt_handler *handler)
{
	struct kpt_probe *probe = handler->probe;
	struct kpt_probe_counts __percpu *counts = READ_ONCE(probe->counts);
	const struct kpt_sink *sink;

	if (counts)
		raw_cpu_inc(counts->missed);
	else
		atomic64_inc(&probe->missed);
	kpt_for_each_sink(sink, handler) {
		if (sink->kind == KPT_SINK_FUNCTIONS)
			continue;
		if (sink->kind <= KPT_SINK_LIMITED || READ_ONCE(sink->file->enabled))
			count_missed(sink->file);
		if (sink->kind >= KPT_SINK_FOLLOWERS)
			kpt_hit_follow_missed(kpt_event_file_followers(sink->file));
	}
}

/* A hit that is not counted as an outcome of the home is a hit nevertheless. */
static void count_hit(struct kpt_probe *probe)
{
	struct kpt_probe_counts __percpu *counts = READ_ONCE(probe->counts);

	if (counts)
		raw_cpu_inc(counts->hits);
	else
		atomic64_inc(&probe->hits);
}

/**
 * kpt_hit_lost() - count a hit that a ring had no room for
 * @handler: its handler, which has called kpt_hit_count()
 * @sink: the ring
 *
 * Context: BRK.
 */
void kpt_hit_lost(const struct kpt_handler *handler, const struct kpt_sink *sink)
{
	struct kpt_event_file *file = sink->file;
	struct kpt_event_file_counts __percpu *counts = READ_ONCE(file->counts);

	if (!handler->hits)
		count_hit(handler->probe);
	if (counts)
		raw_cpu_inc(counts->lost);
	else
		atomic64_inc(&file->lost);
}

/**
 * kpt_hit_filtered_shared() - count a hit that is not wanted, for the first time
 * @handler: its handler, without @hits; its probe had no kpt_probe.own_filtered
 * @sink: the ring that does not get it
 *
 * Context: BRK.
 */
void kpt_hit_filtered_shared(const struct kpt_handler *handler,
			     const struct kpt_sink *sink)
{
	count_hit(handler->probe);
	atomic64_inc(&sink->file->filtered);
	kpt_probes_expect_filtered(sink->file->instance);
}
