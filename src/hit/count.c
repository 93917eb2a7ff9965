// SPDX-License-Identifier: GPL-2.0-only
/*
 * Count hits that are not recorded. They are exceptions, so all CPUs may share their
 * counters. A probe has counters of each CPU for them only if it has kpt_probe.counts
 * anyway, or (own_filtered) soon after its first filtered hit. Runs in BRK context, see
 * hit_point.c.
 *
 * Interrupts are masked and nothing here is probed, so plain additions lose no
 * count. this_cpu_inc() could call preempt_schedule_notrace(): if that is probed,
 * its hit is missed as well and is counted here, in an endless recursion.
 */
#include "kernel/compat.h"
#include <linux/atomic.h>
#include "hit/follow.h"
#include "hit/internal.h"

/* Count a hit of a probe or of an event file, on this CPU if it has such counters. */
#define COUNT(of, member)						\
do {									\
	typeof((of)->counts) counts = READ_ONCE((of)->counts);		\
									\
	if (counts)							\
		raw_cpu_inc(counts->member);				\
	else								\
		atomic64_inc(&(of)->member);				\
} while (0)

/**
 * kpt_hit_missed_by() - count a hit that a handler could not run for
 * @handler: the handler
 *
 * Context: BRK, nested.
 */
void kpt_hit_missed_by(const struct kpt_handler *handler)
{
	kpt_hit_missed_from(handler, handler->sink);
}

/**
 * kpt_hit_missed_from() - the same for a hit that some sinks have had
 * @handler: the handler
 * @sink: the first sink that has not
 *
 * Context: BRK, nested.
 */
void kpt_hit_missed_from(const struct kpt_handler *handler, const struct kpt_sink *sink)
{
	if (sink == handler->sink)
		COUNT(handler->probe, missed);
	for (; sink < handler->sink + handler->nr_sinks; sink++) {
		if (sink->kind == KPT_SINK_FUNCTIONS)
			continue;
		if (sink->kind <= KPT_SINK_LIMITED || READ_ONCE(sink->file->enabled))
			COUNT(&sink->file->hits, missed);
		if (sink->kind >= KPT_SINK_FOLLOWERS)
			kpt_hit_follow_missed(kpt_event_file_followers(sink->file), 0);
	}
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
	/* Not counted as an outcome of the home, it is a hit nevertheless. */
	if (!handler->hits)
		COUNT(handler->probe, hits);
	COUNT(&sink->file->hits, lost);
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
	COUNT(handler->probe, hits);
	atomic64_inc(&sink->file->hits.filtered);
	kpt_probes_expect_filtered(sink->file->instance);
}
