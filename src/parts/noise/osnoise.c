// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tracer osnoise: a thread on each CPU reads the clock over and over. A gap is noise:
 * something has taken the CPU from it.
 */
#include "kernel/ksyms.h"
#include "kernel/compat.h"
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include "arch.h"
#include "parts/noise/noise.h"
#include "event/instance.h"

/**
 * struct osnoise_sum - the noise of one period, in stamps
 * @noise: all of it
 * @max: the longest gap
 * @hardware: how many gaps had no interference
 */
struct osnoise_sum {
	u64 noise;
	u64 max;
	u32 hardware;
};

static u64 osnoise_stamps(u64 us)
{
	return mul_u64_u32_div(us, kpt_clock_rate, USEC_PER_SEC);
}

static u64 osnoise_us(u64 stamps)
{
	return mul_u64_u32_div(stamps, USEC_PER_SEC, kpt_clock_rate);
}

/* The shortest gap that is noise: tracing_thresh of the top instance; or 1 us. */
static u64 osnoise_threshold(void)
{
	u64 ns = READ_ONCE(kpt_tracer_of(&kpt_top_instance)->limits.thresh) ?: NSEC_PER_USEC;

	return max_t(u64, mul_u64_u32_div(ns, kpt_clock_rate, NSEC_PER_SEC), 1);
}

/* A gap of so many stamps was noise; @count interferences have begun in it. */
static void osnoise_gap(struct osnoise_sum *sum, u64 start, u64 gap, u32 count)
{
	u64 stop = kpt_noise_setting(KPT_NOISE_STOP);
	struct kpt_record_threshold record;

	sum->noise += gap;
	sum->max = max(sum->max, gap);
	sum->hardware += !count;
	if (kpt_noise_is_wanted(KPT_NOISE_EVENT_THRESHOLD)) {
		record.start = kpt_clock_convert(KPT_CLOCK_LOCAL, start);
		record.duration = kpt_noise_to_ns(gap);
		record.interference = count;
		kpt_noise_give(KPT_NOISE_EVENT_THRESHOLD, &record, sizeof(record),
			       kpt_noise_context(0));
	}
	if (stop && gap > osnoise_stamps(stop))
		kpt_noise_stop(NULL);
}

/*
 * What the options keep from the CPU gets it after this time, in us: a runtime of hours may
 * not take the machine away. It is mainline's default runtime, which nothing interrupts.
 */
#define OSNOISE_ALONE USEC_PER_SEC

/* Keep from this CPU what the options say. */
static void osnoise_close(u32 options)
{
	if (options & KPT_NOISE_IRQ_OFF)
		local_irq_disable();
	else if (options & KPT_NOISE_PREEMPT_OFF)
		preempt_disable();
}

static void osnoise_open(u32 options)
{
	if (options & KPT_NOISE_IRQ_OFF)
		local_irq_enable();
	else if (options & KPT_NOISE_PREEMPT_OFF)
		preempt_enable();
}

/*
 * Between two looks at the clock: a CPU that never sleeps tells RCU that it holds
 * nothing, and others get the CPU on kernels that do not preempt. Those who wait for all
 * tasks to be elsewhere (RCU tasks) do not wait for this one.
 */
static void osnoise_pause(u32 options)
{
	if (!(options & KPT_NOISE_IRQ_OFF))
		local_irq_disable();
	rcu_momentary_eqs();
	if (!(options & KPT_NOISE_IRQ_OFF))
		local_irq_enable();
	if (!(options & (KPT_NOISE_IRQ_OFF | KPT_NOISE_PREEMPT_OFF)))
		cond_resched_tasks_rcu_qs();
}

/* Look for noise until the runtime is over. Returns the stamps that this took. */
static u64 osnoise_look(struct kpt_noise_cpu *cpu, u32 options, struct osnoise_sum *sum)
{
	u64 runtime = osnoise_stamps(kpt_noise_setting(KPT_NOISE_RUNTIME));
	u64 threshold = osnoise_threshold(), alone = osnoise_stamps(OSNOISE_ALONE);
	u64 start, last, now, after, opened;
	u32 before, count, later;

	start = last = opened = kpt_noise_now(&cpu->noise, kpt_noise_clock, &before);
	do {
		now = kpt_noise_now(&cpu->noise, kpt_noise_clock, &count);
		if (now - last >= threshold) {
			osnoise_gap(sum, last, now - last, count - before);
			/* Our own time is no noise, unless some was in it, too. */
			after = kpt_noise_now(&cpu->noise, kpt_noise_clock, &later);
			if (later == count)
				now = after;
		}
		osnoise_pause(options);
		if (now - opened >= alone) {
			osnoise_open(options);
			cond_resched_tasks_rcu_qs();
			osnoise_close(options);
			opened = now;
		}
		last = now;
		before = count;
	} while (now - start < runtime && !kpt_noise_should_stop());
	return now - start;
}

/* With both records in it, the frame of osnoise_main() would be too large. */
static noinline_for_stack void
osnoise_report(const struct kpt_noise_cpu *cpu, u64 runtime, const struct osnoise_sum *sum)
{
	const struct kpt_noise_source *level = cpu->noise.level;
	struct kpt_record_osnoise r = {
		.noise = osnoise_us(sum->noise),
		.runtime = osnoise_us(runtime),
		.max_sample = osnoise_us(sum->max),
		.hw_count = sum->hardware,
		.nmi_count = level[KPT_NOISE_NMI].count,
		.irq_count = level[KPT_NOISE_IRQ].count,
		.softirq_count = level[KPT_NOISE_SOFTIRQ].count,
		.thread_count = level[KPT_NOISE_THREAD].count,
	};
	struct kpt_record_osnoise_sample sample = {
		.runtime = r.runtime,
		.noise = r.noise,
		.max_sample = r.max_sample,
		.hw_count = r.hw_count,
		.irq_count = r.irq_count,
		.nmi_count = r.nmi_count,
		.softirq_count = r.softirq_count,
		.thread_count = r.thread_count,
	};
	u64 stop = kpt_noise_setting(KPT_NOISE_STOP_TOTAL);

	kpt_noise_record(&r, sizeof(r), KPT_RECORD_OSNOISE, kpt_noise_context(0),
			 kpt_noise_to_ns(sum->max));
	if (kpt_noise_is_wanted(KPT_NOISE_EVENT_OSNOISE))
		kpt_noise_give(KPT_NOISE_EVENT_OSNOISE, &sample, sizeof(sample),
			       kpt_noise_context(0));
	if (stop && r.noise > stop)
		kpt_noise_stop(NULL);
}

static void osnoise_run(struct kpt_noise_cpu *cpu)
{
	u32 options = kpt_noise_settings.options;
	struct osnoise_sum sum = { 0 };
	u64 runtime;

	osnoise_close(options);
	kpt_noise_watch(cpu, true);
	runtime = osnoise_look(cpu, options, &sum);
	kpt_noise_watch(cpu, false);
	osnoise_open(options);
	osnoise_report(cpu, runtime, &sum);
}

/* The rest of the period; all of it while nothing is recorded. */
static void osnoise_sleep(bool has_run)
{
	u64 us = kpt_noise_setting(KPT_NOISE_PERIOD);
	u64 run = has_run ? kpt_noise_setting(KPT_NOISE_RUNTIME) : 0;
	ktime_t end;

	if (us <= run) {
		cond_resched_tasks_rcu_qs();
		return;
	}
	end = ktime_add_us(ktime_get(), us - run);
	do {
		set_current_state(TASK_INTERRUPTIBLE);
		if (kpt_noise_should_stop())
			break;
	} while (schedule_hrtimeout(&end, HRTIMER_MODE_ABS));
	__set_current_state(TASK_RUNNING);
}

static int osnoise_main(void *data)
{
	bool runs;

	while (!kpt_noise_should_stop()) {
		runs = kpt_noise_is_recording();
		if (runs)
			osnoise_run(data);
		osnoise_sleep(runs);
	}
	return 0;
}

static const struct kpt_noise_kind osnoise = { .name = "osnoise", .main = osnoise_main };

static int osnoise_begin(struct kpt_instance *instance, struct kpt_diag *diag)
{
	return kpt_noise_begin_in(instance, &osnoise, diag);
}

const struct kpt_tracer_ops kpt_osnoise_ops = {
	.is_possible = kpt_noise_is_possible,
	.begin = osnoise_begin,
	.end = kpt_noise_end_in,
};
