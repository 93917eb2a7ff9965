// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes on time: c. A hit is an interrupt of a timer that each CPU has, and its registers are
 * those of what was interrupted. A CPU that stops takes its timer with it; one that starts
 * begins with a new one.
 */
#include "kernel/compat.h"
#include <linux/cpuhotplug.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <asm/irq_regs.h>
#include "arming/handlers.h"
#include "hit/made_record.h"
#include "kernel/ksyms.h"
#include "parts/sample/sample.h"

/**
 * struct sample_probe - a probe on time
 * @base: the part that all probes have
 * @hook: its handlers
 * @on_cpus: among those whose timers the kernel tells us to start and stop, if @runs
 * @runs: its timers run
 * @period: between two hits, in nanoseconds
 * @clock: the timers
 */
struct sample_probe {
	struct kpt_probe base;
	struct kpt_hook hook;
	struct hlist_node on_cpus;
	bool runs;
	u64 period;
	struct sample_clock __percpu *clock;
};

/* The timer of a CPU. */
struct sample_clock {
	struct hrtimer timer;
	struct sample_probe *probe;
};

static int hotplug_state;

static struct sample_probe *sample_of(struct kpt_probe *base)
{
	return container_of(base, struct sample_probe, base);
}

static enum hrtimer_restart sample_tick(struct hrtimer *timer)
{
	struct sample_probe *probe = container_of(timer, struct sample_clock, timer)->probe;

	/* One that comes late is for those, too, that should have come before. */
	hrtimer_forward(timer, ktime_get(), ns_to_ktime(probe->period));
	kpt_hit_interrupt(&probe->hook, *this_cpu_ptr(kpt_ksym_data(__irq_regs)));
	return HRTIMER_RESTART;
}

/* On the CPU itself, as is the next one. */
static int sample_online(unsigned int cpu, struct hlist_node *node)
{
	struct sample_probe *probe = hlist_entry(node, struct sample_probe, on_cpus);

	hrtimer_start(&per_cpu_ptr(probe->clock, cpu)->timer,
		      ktime_add_ns(ktime_get(), probe->period), HRTIMER_MODE_ABS_PINNED_HARD);
	return 0;
}

static int sample_offline(unsigned int cpu, struct hlist_node *node)
{
	struct sample_probe *probe = hlist_entry(node, struct sample_probe, on_cpus);

	hrtimer_cancel(&per_cpu_ptr(probe->clock, cpu)->timer);
	return 0;
}

static int sample_start(struct sample_probe *probe)
{
	int err;

	if (probe->runs)
		return 0;
	err = cpuhp_state_add_instance(hotplug_state, &probe->on_cpus);
	probe->runs = !err;
	return err;
}

static void sample_stop(struct sample_probe *probe)
{
	if (probe->runs)
		cpuhp_state_remove_instance(hotplug_state, &probe->on_cpus);
	probe->runs = false;
}

static int sample_make_clocks(struct sample_probe *probe)
{
	struct sample_clock *clock;
	int cpu;

	probe->clock = alloc_percpu(struct sample_clock);
	if (!probe->clock)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		clock = per_cpu_ptr(probe->clock, cpu);
		clock->probe = probe;
		kpt_timer_init(&clock->timer, sample_tick);
	}
	return 0;
}

static int sample_fill_in(struct sample_probe *probe, const struct kpt_def *def,
			  const struct kpt_fields **fields, struct kpt_diag *diag)
{
	const struct kpt_fetch_place place = {
		.head = &kpt_head_place,
		.find_types = kpt_probe_find_types,
	};

	if (!kpt_ksym_data(__irq_regs))
		return kpt_diag_set(diag, KPT_E_SAMPLE_NONE, 0, -EOPNOTSUPP);
	probe->period = div_u64(NSEC_PER_SEC, def->rate);
	probe->base.place = kpt_probe_dup_span(def, &def->place);
	if (!probe->base.place)
		return -ENOMEM;
	return sample_make_clocks(probe) ?:
	       kpt_probe_compile(&probe->base, def, &place, fields, diag);
}

static void sample_free(struct kpt_probe *base)
{
	struct sample_probe *probe = sample_of(base);

	sample_stop(probe);
	kpt_hook_fini(&probe->hook);
	kpt_probe_fini(base);
	free_percpu(probe->clock);
	kfree(probe);
}

static struct kpt_probe *sample_make(const struct kpt_def *def,
				     const struct kpt_fields **fields, struct kpt_diag *diag)
{
	struct sample_probe *probe = kzalloc(sizeof(*probe), GFP_KERNEL);
	int err;

	if (!probe)
		return ERR_PTR(-ENOMEM);
	kpt_probe_init(&probe->base);
	kpt_hook_make(&probe->hook, KPT_HOOK_CLOCK);
	err = sample_fill_in(probe, def, fields, diag);
	if (!err)
		return &probe->base;
	sample_free(&probe->base);
	return ERR_PTR(err);
}

/* If this or another event of the batch fails, kpt_sample_yield() stops the timers. */
static int sample_arm(struct kpt_probe *base, struct kpt_event_file *file,
		      struct kpt_batch *batch, struct kpt_diag *diag)
{
	static const struct kpt_site nowhere = { .role = KPT_ROLE_HIT };
	struct sample_probe *probe = sample_of(base);

	return kpt_handlers_add(&probe->hook, base, file, &nowhere, batch) ?:
	       sample_start(probe);
}

static int sample_disarm(struct kpt_probe *base, struct kpt_event_file *file,
			 struct kpt_batch *batch)
{
	return kpt_handlers_remove(&sample_of(base)->hook, base, file, batch);
}

/**
 * kpt_sample_yield() - stop the timers of a probe, unless it is armed
 * @hook: its hook; a change of it was applied or dropped
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_sample_yield(struct kpt_hook *hook)
{
	if (!kpt_hook_current(hook))
		sample_stop(container_of(hook, struct sample_probe, hook));
}

static void sample_prefix(const struct kpt_probe *base, struct seq_file *m)
{
	seq_putc(m, 'c');
}

const struct kpt_event_class kpt_class_sample = {
	.letters = "c",
	.log_name = "sample",
	.default_group = "samples",
	.one_probe = true,
	.make = sample_make,
	.free = sample_free,
	.arm = sample_arm,
	.disarm = sample_disarm,
	.prefix = sample_prefix,
};

/**
 * kpt_samples_init() - be told of CPUs that start and stop
 *
 * Context: module load, sleeps.
 * Return: 0 or -errno.
 */
int kpt_samples_init(void)
{
	hotplug_state = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "kptrace/sample:online",
						sample_online, sample_offline);
	return min(hotplug_state, 0);
}

/**
 * kpt_samples_exit() - the reverse
 *
 * Context: module unload, sleeps; there are no events any more.
 */
void kpt_samples_exit(void)
{
	cpuhp_remove_multi_state(hotplug_state);
}
