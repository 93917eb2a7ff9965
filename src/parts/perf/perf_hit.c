// SPDX-License-Identifier: GPL-2.0-only
/*
 * Give a hit to perf, which counts it and takes samples. Its part that does so is made
 * for any context: it takes no lock, reads memory of the task without faults that
 * sleep, and wakes readers by an irq_work.
 */
#include "kernel/compat.h"
#include <linux/ktime.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched/task_stack.h>
#include <linux/trace_events.h>
#include "hit/internal.h"
#include "parts/perf/perf.h"
#include "parts/perf/perf_hit.h"
#include "kernel/ksyms.h"
#include "kernel/scratch.h"

#ifdef CONFIG_PERF_EVENTS

/*
 * perf wakes a reader by an interrupt, which the sample queues. The functions that this interrupt
 * calls may be sampled, too. If each sample wakes, the CPU then never leaves its interrupts. So
 * where interrupts are masked, only WAKES_MAX samples in WAKES_TIME may wake. If they come faster,
 * perf gets none there for as long as those took: tasks have half of the time. Samples that wake
 * seldom, as by default, are all given.
 */
#define WAKES_MAX	32
#define WAKES_TIME	(32 * NSEC_PER_MSEC)
#define SHUT_MIN	NSEC_PER_MSEC

/**
 * struct perf_wakes - samples of one CPU that have woken, where interrupts were masked
 * @since: time of the first of @nr
 * @until: with WAKES_MAX of them, when they are forgotten
 * @nr: how many there were in WAKES_TIME
 */
struct perf_wakes {
	u64 since;
	u64 until;
	unsigned int nr;
};

static DEFINE_PER_CPU(struct perf_wakes, perf_wakes);

/* Hits that perf did not get: inside of perf, without RCU, or more than WAKES_MAX that wake. */
static DEFINE_PER_CPU(u64, perf_lost);

/* Registers of a hit that is not in text. Those that are never written are 0. */
static DEFINE_PER_CPU(struct pt_regs, perf_regs);

/* A frame record, as the kernel's unwinder finds it by x29. */
struct perf_frame {
	u64 fp;
	u64 lr;
} __aligned(16);

/* The receivers of a hit: the perf events of @list, or those of @call and its BPF programs. */
struct perf_to {
	struct hlist_head *list;
	struct trace_event_call *call;
	u16 type;
};

static bool perf_wakes_too_often(void)
{
	struct perf_wakes *w = this_cpu_ptr(&perf_wakes);

	if (likely(w->nr < WAKES_MAX))
		return false;
	if (ktime_get_mono_fast_ns() < w->until)
		return true;
	w->nr = 0;
	return false;
}

/* Has one of these events a wake-up before it? Its parent wakes, if it has inherited that. */
static bool perf_will_wake(const struct hlist_head *list)
{
	const struct perf_event *event;

	hlist_for_each_entry_rcu_notrace(event, list, hlist_entry)
		if (READ_ONCE((event->parent ?: event)->pending_wakeup))
			return true;
	return false;
}

static void perf_note_wake(void)
{
	struct perf_wakes *w = this_cpu_ptr(&perf_wakes);
	u64 now = ktime_get_mono_fast_ns();

	if (!w->nr || now - w->since > WAKES_TIME) {
		w->nr = 0;
		w->since = now;
	}
	if (++w->nr == WAKES_MAX)
		w->until = now + max_t(u64, now - w->since, SHUT_MIN);
}

/*
 * Let perf events count a hit, as perf_swevent_event() does of those that take no samples. If one
 * of them wants to know more of the hit, none has counted it, and false is returned.
 */
static bool perf_counts(const struct hlist_head *list)
{
	struct perf_event *event;

	hlist_for_each_entry_rcu_notrace(event, list, hlist_entry)
		if (is_sampling_event(event) || event->attr.exclude_kernel)
			return false;
	hlist_for_each_entry_rcu_notrace(event, list, hlist_entry)
		if (!(event->hw.state & PERF_HES_STOPPED))
			local64_inc(&event->count);
	return true;
}

/*
 * Let perf unwind from @regs. At the first and at a return instruction of a function
 * only x30 has the caller, so perf finds it in a frame record that is made here: on the
 * same stack as those of the probed code, below them, as the unwinder requires.
 */
static __always_inline void perf_give(const struct perf_to *to, void *record, int size,
				      struct pt_regs *regs, int rctx, unsigned long caller)
{
	u64 fp = regs->regs[29];
	struct perf_frame frame = { .fp = fp, .lr = caller };
	struct kpt_uaccess was;

	if (caller)
		regs->regs[29] = (unsigned long)&frame;
	/* perf, or a program of BPF, may read user memory. */
	kpt_uaccess_save(&was);
	/*
	 * perf requires that its caller cannot be preempted. Interrupts are masked, but
	 * lockdep does not see that stubs do so. Nothing is rescheduled at the end: the
	 * next interrupt does that.
	 */
	__preempt_count_add(1);
#ifdef KPT_BRIDGES
	if (to->call)
		perf_trace_run_bpf_submit(record, size, rctx, to->call, 1, regs, to->list,
				      NULL);
	else
#endif
		perf_tp_event(to->type, 1, record, size, regs, to->list, rctx,
					NULL);
	__preempt_count_sub(1);
	kpt_uaccess_restore(&was);
	regs->regs[29] = fp;
}

/*
 * What perf shall see of registers of which few are known: a copy that is 0 where nothing is
 * known, until the hit ends. Of those that are for numbers, @regs has memory of the kernel's
 * stack.
 */
static struct pt_regs *hit_known_regs(const struct pt_regs *regs)
{
	struct pt_regs *copy = this_cpu_ptr(&perf_regs);

	copy->regs[29] = regs->regs[29];
	copy->regs[30] = regs->regs[30];
	copy->sp = regs->sp;
	copy->pc = regs->pc;
	copy->pstate = regs->pstate;
	return copy;
}

/**
 * kpt_hit_perf_lose() - count a hit that perf does not see
 *
 * Context: BRK.
 */
void kpt_hit_perf_lose(void)
{
	raw_cpu_inc(perf_lost);
}

/*
 * Give the record of a hit to perf events; RCU watches. Without registers it is an event of the
 * program that runs, so perf sees the program's. perf writes the common fields of the record, so
 * they are restored.
 */
static __always_inline void hit_give(struct hlist_head *counting, u16 type,
				     const struct kpt_hit *hit)
{
	struct pt_regs *regs = hit->regs ?: task_pt_regs(current);
	const struct perf_to to = {
		.list = counting,
		.type = type,
	};
	struct kpt_record_head *record = hit->record;
	struct kpt_record_head head = *record;
	bool masked = head.flags & KPT_FLAG_IRQS_OFF;
	int rctx = -1;

	if (!(masked && perf_wakes_too_often()))
		rctx = perf_swevent_get_recursion_context();
	if (unlikely(rctx < 0)) {
		kpt_hit_perf_lose();
		return;
	}
	perf_give(&to, record, min_t(size_t, hit->size, PERF_MAX_TRACE_SIZE), regs, rctx,
		  hit->caller);
	if (masked && perf_will_wake(counting))
		perf_note_wake();
	*record = head;
}

/**
 * kpt_hit_perf() - give a hit to the listeners of its event
 * @handler: its handler
 * @sink: the sink, of KPT_SINK_PERF
 * @hit: the hit
 *
 * They see each hit, whatever the filter and the triggers of the event do.
 *
 * Context: BRK.
 */
void kpt_hit_perf(const struct kpt_handler *handler, const struct kpt_sink *sink,
		  struct kpt_hit *hit)
{
	const struct kpt_perf_file *p = sink->file->slot.perf;
	struct kpt_bridge *bridge = READ_ONCE(p->bridge);
	bool bridged = unlikely(bridge) && kpt_hit_bridge_wants(bridge);
	struct hlist_head *counting = this_cpu_ptr(p->counting);
	bool counted = !hlist_empty(counting);
	struct pt_regs *regs = hit->regs;

	if (!(bridged || counted) || !kpt_hit_set_aside(handler, sink, hit))
		return;
	/* Only hits in text know all registers. */
	if (!handler->probe->sites.nr && regs)
		hit->regs = hit_known_regs(regs);
	if (bridged)
		kpt_hit_bridge(bridge, hit);
	if (counted && unlikely(!kpt_hit_rcu_watches()))
		kpt_hit_perf_lose();
	else if (counted && !perf_counts(counting))
		hit_give(counting, handler->type, hit);
	hit->regs = regs;
}

/* Somebody wants more of a hit than to count it, or a bridge wants it. */
static noinline void recorded_sample(struct kpt_event_file *file, void *record, void *copy,
				     const struct kpt_arch_saved *saved,
				     const struct kpt_arch_recorder *recorder)
{
	const struct kpt_handlers *handlers = kpt_handlers_of(recorder);
	const struct kpt_perf_file *p = file->slot.perf;
	struct kpt_bridge *bridge = READ_ONCE(p->bridge);
	struct hlist_head *counting = this_cpu_ptr(p->counting);
	struct kpt_hit hit;

	kpt_hit_clear(&hit);
	hit.record = copy;
	hit.size = kpt_ring_size(record);
	hit.regs = &this_cpu_ptr(kpt_scratch)->regs;
	kpt_arch_saved_regs(hit.regs, saved);
	kpt_hit_find_pc(handlers, &hit);
	kpt_hit_find_caller(handlers, file, &hit);
	if (bridge && kpt_hit_bridge_wants(bridge))
		kpt_hit_bridge(bridge, &hit);
	if (!hlist_empty(counting))
		hit_give(counting, ((struct kpt_record_head *)record)->type, &hit);
}

/* RCU watches. Perf writes to the record, and readers may see it in a ring. */
static __always_inline void recorded_give(struct kpt_event_file *file, void *record,
					  const struct kpt_arch_saved *saved,
					  const struct kpt_arch_recorder *recorder)
{
	struct kpt_scratch *scratch = this_cpu_ptr(kpt_scratch);
	const struct kpt_perf_file *p = file->slot.perf;
	struct hlist_head *counting = this_cpu_ptr(p->counting);
	void *copy = record;

	if (likely(!READ_ONCE(p->bridge) && perf_counts(counting)))
		return;
	if (record != &scratch->record[0][1])
		copy = memcpy(scratch->record[1], record, kpt_ring_size(record));
	recorded_sample(file, record, copy, saved, recorder);
}

/**
 * kpt_hit_recorded_perf() - kpt_hit_perf() of a hit whose record a stub has made
 * @file: the event
 * @record: the record, in the ring of @file or in kpt_scratch, behind a struct kpt_ring_header
 * @saved: what the stub has saved
 * @recorder: part of the list of the hit
 *
 * Context: BRK.
 * Return: true.
 */
bool kpt_hit_recorded_perf(void *file, void *record, const struct kpt_arch_saved *saved,
			   const struct kpt_arch_recorder *recorder)
{
	if (likely(kpt_hit_rcu_watches())) {
		recorded_give(file, record, saved, recorder);
	} else if (kpt_has(ct_nmi_enter) && kpt_has(ct_nmi_exit)) {
		ct_nmi_enter();
		recorded_give(file, record, saved, recorder);
		ct_nmi_exit();
	} else {
		kpt_hit_perf_lose();
	}
	return true;
}

#ifdef KPT_BRIDGES
/**
 * kpt_hit_perf_call() - the same for the perf events and BPF programs of a bridge
 * @call: what the kernel's tracing has of the event; perf or a program has it open
 * @hit: as for kpt_hit_perf()
 *
 * They get a copy: a BPF program finds a pointer in place of the common fields, and the
 * record may be in a ring that is read.
 *
 * Context: BRK, where RCU watches.
 */
void kpt_hit_perf_call(struct trace_event_call *call, const struct kpt_hit *hit)
{
	struct pt_regs *regs = hit->regs ?: task_pt_regs(current);
	const struct perf_to to = {
		.list = this_cpu_ptr(call->perf_events),
		.call = call,
	};
	const struct kpt_record_head *head = hit->record;
	bool masked = head->flags & KPT_FLAG_IRQS_OFF;
	int size = min_t(size_t, hit->size, PERF_MAX_TRACE_SIZE), rctx;
	void *copy = NULL;

	if (!(masked && perf_wakes_too_often()))
		copy = perf_trace_buf_alloc(size, NULL, &rctx);
	if (unlikely(!copy)) {
		kpt_hit_perf_lose();
		return;
	}
	memcpy(copy, hit->record, size);
	perf_give(&to, copy, size, regs, rctx, hit->caller);
	if (masked && perf_will_wake(to.list))
		perf_note_wake();
}
#endif

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
