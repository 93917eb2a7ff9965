// SPDX-License-Identifier: GPL-2.0-only
/*
 * Give a hit to perf, which counts it and takes samples. Its part that does so is made
 * for any context: it takes no lock, reads memory of the task without faults that
 * sleep, and wakes readers by an irq_work.
 */
#include "kernel/compat.h"
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/sched/task_stack.h>
#include <linux/trace_events.h>
#include "hit/perf.h"
#include "kernel/ksyms.h"

#ifdef CONFIG_PERF_EVENTS

/* Hits that perf did not see, because they were inside perf, or RCU did not watch. */
static DEFINE_PER_CPU(u64, perf_lost);

/* A frame record, as the kernel's unwinder finds it by x29. */
struct perf_frame {
	u64 fp;
	u64 lr;
} __aligned(16);

/*
 * Let perf unwind from @regs. At the first and at a return instruction of a function
 * only x30 has the caller, so perf finds it in a frame record that is made here: on the
 * same stack as those of the probed code, below them, as the unwinder requires.
 */
static void perf_give(u16 type, void *record, int size, struct pt_regs *regs,
		      struct hlist_head *list, int rctx, unsigned long caller)
{
	u64 fp = regs->regs[29];
	struct perf_frame frame = { .fp = fp, .lr = caller };

	if (caller)
		regs->regs[29] = (unsigned long)&frame;
	kpt_ksyms.perf_tp_event(type, 1, record, size, regs, list, rctx, NULL);
	regs->regs[29] = fp;
}

/**
 * kpt_hit_perf() - give the record of a hit to the perf events that count now
 * @file: the event
 * @hit: the hit, with its record. Without registers it is an event of the program that
 *	runs, so perf sees the program's
 * @caller: the caller of the probed function, where no frame record names it, else 0
 *
 * perf writes the common fields of the record, so they are restored.
 *
 * Context: BRK.
 */
void kpt_hit_perf(const struct kpt_event_file *file, const struct kpt_hit *hit,
		  unsigned long caller)
{
	struct pt_regs *regs = hit->regs ?: task_pt_regs(current);
	struct kpt_record_head *record = hit->record;
	struct kpt_record_head head = *record;
	int rctx = -1;

	if (likely(rcu_is_watching()))
		rctx = kpt_ksyms.perf_recursion();
	if (unlikely(rctx < 0)) {
		raw_cpu_inc(perf_lost);
		return;
	}
	perf_give(file->event->id, record, min_t(size_t, hit->size, PERF_MAX_TRACE_SIZE),
		  regs, this_cpu_ptr(file->perf), rctx, caller);
	*record = head;
}

/**
 * kpt_hit_perf_lost() - the number of hits that perf did not see
 *
 * Context: any.
 * Return: the sum over all events and CPUs.
 */
u64 kpt_hit_perf_lost(void)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(perf_lost, cpu));
	return sum;
}

#endif
