// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tracer function with option func-no-repeats: calls of a function that follow each other
 * on a CPU, from the same place, are counted; the next other call records how many there
 * were. Runs in BRK context, see hit_point.c.
 */
#include "kernel/compat.h"
#include <linux/percpu.h>
#include "parts/tracer/repeats.h"
#include "parts/tracer/tracer.h"
#include "event/task_filter.h"
#include "hit/internal.h"
#include "kernel/clock.h"

/* Record how often the last call was made again. */
static void repeats_record(const struct kpt_handler *handler, const struct kpt_hit *hit,
			   const struct kpt_repeats *last)
{
	const struct kpt_sink *sink = handler->sink;
	enum kpt_clock clock = READ_ONCE(sink->buffer->clock);
	u64 stamp = kpt_clock_stamp(clock);
	u64 delta = kpt_clock_convert(clock, stamp) - kpt_clock_convert(clock, last->stamp);
	struct kpt_record_func_repeats record = {
		.ip = last->func,
		.parent_ip = last->ret_ip,
		.count = last->count,
		.top_delta_ts = delta >> 32,
		.bottom_delta_ts = delta,
	};

	kpt_hit_fill_head(&record.head, KPT_RECORD_FUNC_REPEATS, hit->regs, hit->context);
	if (kpt_buffer_record(sink->buffer, &record, sizeof(record), stamp))
		(*this_cpu_ptr(sink->recorded))++;
	else
		kpt_hit_lost(handler, sink);
}

/**
 * kpt_hit_repeats() - run a handler in role KPT_ROLE_REPEATS
 * @handler: the handler; its probe has one sink
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_hit_repeats(const struct kpt_handler *handler, struct kpt_hit *hit)
{
	struct kpt_repeats *last = this_cpu_ptr(kpt_tracer_probe_of(handler->probe)->repeats);
	unsigned long ret_ip = kpt_arch_return_address(hit->regs);
	const struct kpt_sink *sink = handler->sink;

	hit->is_return = false;
	/* A call that is not recorded does not become @last. */
	if (atomic_read(&sink->buffer->stops) && !kpt_task_filter_allow(sink->file, NULL)) {
		kpt_hit_deliver(handler, hit);
		return;
	}
	if (last->func == handler->func && last->ret_ip == ret_ip &&
	    last->count < U16_MAX) {
		this_cpu_ptr(handler->hits)->hits++;
		last->stamp = kpt_buffer_stamp(sink->buffer);
		last->count++;
		return;
	}
	if (last->count)
		repeats_record(handler, hit, last);
	last->func = handler->func;
	last->ret_ip = ret_ip;
	last->count = 0;
	kpt_hit_deliver(handler, hit);
}
