// SPDX-License-Identifier: GPL-2.0-only
/*
 * What triggers do when an event is hit. All of this runs in BRK context: no
 * lock, no memory, no call through a pointer.
 */
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include "event/filter.h"
#include "event/snapshot.h"
#include "trigger/trigger.h"

/*
 * Strings of a record begin below 64 KiB and have KPT_STRING_MAX bytes at most:
 * a record can not use more than this.
 */
#define SCRATCH_MAX	(SZ_64K + KPT_STRING_MAX)
/* Records of this size need no room of ours. */
#define SMALL_RECORD	256

/* One hit at a time per CPU: nothing else uses the room meanwhile. */
static DEFINE_PER_CPU(void *, scratch);

/**
 * kpt_trigger_scratch() - room of this CPU for a large record
 * @size: bytes wanted; made smaller if no record can use so many
 *
 * Made before the first trigger of an event with large records is there.
 *
 * Context: BRK; used until the hit ends.
 * Return: the memory.
 */
void *kpt_trigger_scratch(size_t *size)
{
	*size = min_t(size_t, *size, SCRATCH_MAX);
	return this_cpu_read(scratch);
}

/**
 * kpt_trigger_scratch_get() - make the room that records of an event need
 * @fields: shape of the records
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_trigger_scratch_get(const struct kpt_fields *fields)
{
	int cpu;

	if (!fields->has_dynamic && fields->size <= SMALL_RECORD)
		return 0;
	for_each_possible_cpu(cpu) {
		if (per_cpu(scratch, cpu))
			continue;
		per_cpu(scratch, cpu) = vzalloc_node(SCRATCH_MAX,
						     cpu_to_node(cpu));
		if (!per_cpu(scratch, cpu))
			return -ENOMEM;
	}
	return 0;
}

/**
 * kpt_trigger_exit() - free all triggers and what they share
 *
 * Context: module unload; all files are closed.
 */
void kpt_trigger_exit(void)
{
	int cpu;

	mutex_lock(&kpt_mutex);
	kpt_trigger_free_all();
	mutex_unlock(&kpt_mutex);
	kpt_trigger_hist_exit();
	for_each_possible_cpu(cpu) {
		vfree(per_cpu(scratch, cpu));
		per_cpu(scratch, cpu) = NULL;
	}
}

/* Use up one of the times a trigger may act; false if none is left. */
static bool take(struct kpt_trigger *t)
{
	return !t->limited || atomic64_dec_if_positive(&t->left) >= 0;
}

/* Another CPU did it first, so this one has changed nothing. */
static void give_back(struct kpt_trigger *t)
{
	if (t->limited)
		atomic64_inc(&t->left);
}

/* kpt_buffer_switch() that tells whether it has changed anything. */
static bool switch_buffer(struct kpt_buffer *buf, bool on)
{
	if (on)
		return atomic_fetch_andnot(KPT_STOP_SWITCH, &buf->stops) &
		       KPT_STOP_SWITCH;
	return !(atomic_fetch_or(KPT_STOP_SWITCH, &buf->stops) &
		 KPT_STOP_SWITCH);
}

static void switch_tracing(struct kpt_trigger *t, bool on)
{
	struct kpt_buffer *buf = &t->file->instance->buffer;

	if (kpt_buffer_is_on(buf) == on || !take(t))
		return;
	if (!switch_buffer(buf, on))
		give_back(t);
	else if (!on)
		kpt_buffer_wake_later(buf);
}

static void switch_event(struct kpt_trigger *t, bool on)
{
	bool *enabled = &t->target->enabled;

	if (READ_ONCE(*enabled) == on || !take(t))
		return;
	if (cmpxchg(enabled, !on, on) == on)
		give_back(t);
}

static void pause_hists(struct kpt_trigger *t, bool pause)
{
	struct kpt_trigger *h;

	if (!take(t))
		return;
	list_for_each_entry_lockless(h, &t->target->triggers, list)
		if (h->kind == KPT_TRIGGER_HIST)
			WRITE_ONCE(h->hist->paused, pause);
}

static bool wants(const struct kpt_trigger *t,
		  const struct kpt_trigger_hit *hit)
{
	return !t->filter ||
	       kpt_filter_match(&t->filter->prog, hit->record, hit->size,
				smp_processor_id());
}

/**
 * kpt_trigger_run() - run what comes before a hit is recorded
 * @file: the event
 * @hit: the hit
 *
 * The filter of the event and tracing_on do not matter.
 *
 * Context: BRK.
 * Return: what kpt_trigger_run_after() has to run, 0 for nothing.
 */
u32 kpt_trigger_run(struct kpt_event_file *file, const struct kpt_trigger_hit *hit)
{
	struct kpt_trigger *t;
	u32 after = 0;

	list_for_each_entry_lockless(t, &file->triggers, list) {
		if (!wants(t, hit))
			continue;
		switch (t->kind) {
		case KPT_TRIGGER_TRACEON:
			switch_tracing(t, true);
			break;
		case KPT_TRIGGER_ENABLE_EVENT:
			switch_event(t, true);
			break;
		case KPT_TRIGGER_DISABLE_EVENT:
			switch_event(t, false);
			break;
		case KPT_TRIGGER_ENABLE_HIST:
			pause_hists(t, false);
			break;
		case KPT_TRIGGER_DISABLE_HIST:
			pause_hists(t, true);
			break;
		case KPT_TRIGGER_HIST:
			kpt_trigger_hist_run(t, hit);
			break;
		default:
			after |= BIT(t->kind);
		}
	}
	return after;
}

/**
 * kpt_trigger_run_after() - run what comes after a hit is recorded
 * @file: the event
 * @hit: the hit
 * @which: from kpt_trigger_run()
 *
 * Context: BRK.
 */
void kpt_trigger_run_after(struct kpt_event_file *file,
			   const struct kpt_trigger_hit *hit, u32 which)
{
	struct kpt_trigger *t;

	list_for_each_entry_lockless(t, &file->triggers, list) {
		if (!(which & BIT(t->kind)))
			continue;
		switch (t->kind) {
		case KPT_TRIGGER_TRACEOFF:
			switch_tracing(t, false);
			break;
		case KPT_TRIGGER_SNAPSHOT:
			if (take(t))
				kpt_snapshot_request(file->instance);
			break;
		case KPT_TRIGGER_STACKTRACE:
			if (take(t))
				kpt_trigger_stack_run(file, hit);
			break;
		default:
			break;
		}
	}
}
