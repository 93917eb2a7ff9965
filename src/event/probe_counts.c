// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of the hits of probes. Those of a probe that is armed in one instance, and that
 * has neither triggers nor a limit, count as an outcome: each CPU has 8 bytes for those that
 * were recorded and, if hits are filtered at all, as many for these. See kpt_probe.
 */
#include <linux/irq_work.h>
#include <linux/workqueue.h>
#include "event/event_file.h"
#include "event/instance.h"
#include "kernel/counters.h"
#include "kernel/cpu.h"
#include "kernel/lock.h"

static struct kpt_counters_pool own_counters = KPT_COUNTERS_POOL(own_counters, u64);
static struct kpt_counters_pool probe_counters =
	KPT_COUNTERS_POOL(probe_counters, struct kpt_probe_counts);

/**
 * kpt_probe_make_counts() - make the columns of a probe on each CPU, unless it has them
 * @probe: a probe of which hits will not all count in kpt_probe.own_recorded and the like
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_probe_make_counts(struct kpt_probe *probe)
{
	lockdep_assert_held(&kpt_mutex);
	/* kpt_probe_read_counts() and missed hits look for it. */
	return kpt_counters_make(&probe_counters, &probe->counts);
}

/**
 * kpt_probe_make_filtered() - make kpt_probe.own_filtered, unless there is one
 * @probe: a probe of which hits will be filtered
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_probe_make_filtered(struct kpt_probe *probe)
{
	lockdep_assert_held(&kpt_mutex);
	/* Hits look for it, and stubs. */
	return kpt_counters_make(&own_counters, &probe->own_filtered);
}

/**
 * kpt_probe_free_counts() - free the counters of a probe
 * @probe: the probe, which is not armed and never will be again
 *
 * Context: process context.
 */
void kpt_probe_free_counts(struct kpt_probe *probe)
{
	kpt_counters_put(&own_counters, probe->own_recorded);
	kpt_counters_put(&own_counters, probe->own_filtered);
	kpt_counters_put(&probe_counters, probe->counts);
}

static u64 own_sum(const u64 __percpu *own)
{
	u64 sum = 0;
	int cpu;

	if (own)
		for_each_possible_cpu(cpu)
			sum += READ_ONCE(*per_cpu_ptr(own, cpu));
	return sum;
}

/**
 * kpt_probe_read_own() - add up what concerns kpt_probe.home alone
 * @probe: the probe
 * @sum: it is added to this
 *
 * Context: process context, kpt_mutex held if kpt_probe.home is not NULL.
 */
void kpt_probe_read_own(const struct kpt_probe *probe, struct kpt_outcomes *sum)
{
	sum->recorded += own_sum(probe->own_recorded);
	sum->filtered += own_sum(smp_load_acquire(&probe->own_filtered));
}

/**
 * kpt_probe_read_counts() - add up the counters of all CPUs of a probe
 * @probe: the probe
 * @sum: result
 *
 * Context: process context, kpt_mutex held if kpt_probe.home is not NULL.
 */
void kpt_probe_read_counts(const struct kpt_probe *probe,
			   struct kpt_probe_counts *sum)
{
	const struct kpt_probe_counts __percpu *counts = smp_load_acquire(&probe->counts);
	const struct kpt_probe_counts *c;
	struct kpt_outcomes own = { 0 };
	int cpu;

	kpt_probe_read_own(probe, &own);
	sum->hits = own.recorded + own.filtered + atomic64_read(&probe->hits);
	sum->missed = atomic64_read(&probe->missed);
	if (!counts)
		return;
	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(counts, cpu);
		sum->hits += READ_ONCE(c->hits);
		sum->missed += READ_ONCE(c->missed);
	}
}

/**
 * kpt_probe_take_home() - let hits of a probe count where they concern a file alone
 * @probe: the probe
 * @file: the file
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: true; false without memory, or if the event is armed in another file, which may
 * be kpt_probe.home until the next batch is applied.
 */
bool kpt_probe_take_home(struct kpt_probe *probe, struct kpt_event_file *file)
{
	lockdep_assert_held(&kpt_mutex);
	if (probe->home == file)
		return true;
	if (probe->home && kpt_event_file_armed(probe->home))
		return false;
	if (!probe->own_recorded)
		probe->own_recorded = kpt_counters_get(&own_counters);
	if (!probe->own_recorded)
		return false;
	/* Without memory, hits that are not wanted share a counter. */
	if (READ_ONCE(file->instance->is_choosy))
		kpt_probe_make_filtered(probe);
	kpt_probe_fold_counts(probe);
	probe->home = file;
	return true;
}

static u64 own_take(u64 __percpu *own)
{
	u64 sum = own_sum(own);
	int cpu;

	if (own)
		for_each_possible_cpu(cpu)
			*per_cpu_ptr(own, cpu) = 0;
	return sum;
}

/**
 * kpt_probe_fold_counts() - let what concerns kpt_probe.home alone be about no file
 * @probe: the probe; no hit was counted there since the last kpt_arch_quiesce()
 *
 * What was counted stays in the counts of the probe, and of the file.
 *
 * Context: process context, kpt_mutex held if kpt_probe.home is not NULL.
 */
void kpt_probe_fold_counts(struct kpt_probe *probe)
{
	struct kpt_event_file *home = probe->home;
	u64 recorded, filtered;

	if (!home)
		return;
	recorded = own_take(probe->own_recorded);
	filtered = own_take(probe->own_filtered);
	atomic64_add(recorded + filtered, &probe->hits);
	home->hits.recorded += recorded;
	atomic64_add(filtered, &home->hits.filtered);
	probe->home = NULL;
}

/* Let the probes that are armed in an instance, and nowhere else, count on each CPU. */
static void instance_make_filtered(struct kpt_instance *instance)
{
	struct kpt_event_files which = { .instance = instance };
	struct kpt_event_file **piece;
	struct kpt_probe *probe;
	unsigned int i, nr;

	if (kpt_event_files_begin(&which))
		return;
	do {
		nr = kpt_event_files_next(&which, &piece);
		for (i = 0; i < nr; i++)
			list_for_each_entry(probe, &piece[i]->event->probes, sibling)
				if (probe->home == piece[i])
					kpt_probe_make_filtered(probe);
	} while (which.more && !kpt_mutex_yield());
}

static struct kpt_instance *find_choosy(void)
{
	struct kpt_instance *instance;

	list_for_each_entry(instance, &kpt_instances, list)
		if (READ_ONCE(instance->is_choosy) && !instance->had_choice &&
		    !instance->is_partial)
			return instance;
	return NULL;
}

static void make_filtered(struct work_struct *work)
{
	struct kpt_instance *instance;

	mutex_lock(&kpt_mutex);
	while ((instance = find_choosy())) {
		instance->had_choice = true;
		kpt_instance_hold(instance);
		instance_make_filtered(instance);
		kpt_instance_drop(instance);
	}
	mutex_unlock(&kpt_mutex);
}

static DECLARE_WORK(make_filtered_work, make_filtered);

static void make_filtered_soon(struct irq_work *work)
{
	schedule_work(&make_filtered_work);
}

static DEFINE_IRQ_WORK(make_filtered_irq, make_filtered_soon);

/**
 * kpt_probes_expect_filtered() - a hit was not wanted; let others count on each CPU
 * @instance: the instance that did not want it: tracing_on is 0, or the task or the CPU is
 *	not one of those that were chosen
 *
 * Its events that are armed get kpt_probe.own_filtered soon, and others when they are.
 *
 * Context: BRK.
 */
void kpt_probes_expect_filtered(struct kpt_instance *instance)
{
	if (READ_ONCE(instance->is_choosy) || !kpt_irq_work_runs())
		return;
	WRITE_ONCE(instance->is_choosy, true);
	irq_work_queue(&make_filtered_irq);
}

/**
 * kpt_probe_counts_exit() - wait for the worker of kpt_probes_expect_filtered()
 *
 * Context: module unload; no hit happens any more.
 */
void kpt_probe_counts_exit(void)
{
	irq_work_sync(&make_filtered_irq);
	cancel_work_sync(&make_filtered_work);
}
