// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clocks for time stamps.
 *
 * The default clock puts the raw counter into the record: a hit reads it in a few
 * instructions, and it is converted when the trace is read. The kernel's
 * sched_clock() runs on the same counter and converts it by the same multiplication, so
 * the two differ by a constant, which changes only when the machine is suspended. Each span
 * between suspends has an entry in @kpt_clock_epochs.
 *
 * If sched_clock() runs on something else, as on Hyper-V, our counter is sched_clock()
 * itself, whose counts are nanoseconds.
 */
#include "kernel/compat.h"
#include <linux/clocksource.h>
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/sched/clock.h>
#include <linux/seqlock.h>
#include <linux/string.h>
#include <linux/suspend.h>
#include <linux/timekeeping.h>
#include "kernel/clock.h"
#include "lib/ring/epoch.h"

/* The longest time that sched_clock() converts at once, in seconds. */
#define SCHED_CLOCK_SECONDS 3600

/* How often sched_clock() is compared with the counter at load. */
#define READINGS 32

static bool kernel_clock __ro_after_init;
module_param(kernel_clock, bool, 0400);
MODULE_PARM_DESC(kernel_clock,
		 "time stamps are times of sched_clock(), as where that is not the counter");

bool kpt_clock_unstable __ro_after_init;
u32 kpt_clock_rate __ro_after_init;
struct kpt_tick kpt_clock_tick __ro_after_init;

struct kpt_epochs kpt_clock_epochs;
unsigned int kpt_clock_nr_epochs;
struct kpt_scale kpt_clock_scale;
/* Readers of @kpt_clock_epochs retry if an epoch was added while they read. */
seqcount_t kpt_clock_seq = SEQCNT_ZERO(kpt_clock_seq);
atomic64_t kpt_clock_events;

static const char * const names[KPT_NR_CLOCKS] = {
	[KPT_CLOCK_LOCAL] = "local",
	[KPT_CLOCK_GLOBAL] = "global",
	[KPT_CLOCK_COUNTER] = "counter",
	[KPT_CLOCK_UPTIME] = "uptime",
	[KPT_CLOCK_PERF] = "perf",
	[KPT_CLOCK_MONO] = "mono",
	[KPT_CLOCK_MONO_RAW] = "mono_raw",
	[KPT_CLOCK_BOOT] = "boot",
	[KPT_CLOCK_TAI] = KPT_TAI_NAME,
	[KPT_CLOCK_UNORDERED] = "unordered",
};

static u64 counter_slow(void)
{
	return kernel_clock ? sched_clock() : kpt_arch_counter_safe();
}

/**
 * kpt_clock_name() - name of a clock, as trace_clock shows it
 * @clock: the clock
 *
 * Context: any.
 * Return: the name, or NULL if this kernel does not have the clock.
 */
const char *kpt_clock_name(enum kpt_clock clock)
{
	return names[clock];
}

/**
 * kpt_clock_count() - a stamp of the clock counter
 *
 * Context: any, BRK included.
 * Return: the stamp, which nothing else gets.
 */
u64 kpt_clock_count(void)
{
	return atomic64_inc_return(&kpt_clock_events);
}

static u64 uptime(void)
{
	return jiffies_64_to_clock_t(jiffies - INITIAL_JIFFIES);
}

static u64 perf_time(void)
{
	return sched_clock();
}

static u64 tai_time(void)
{
	return kpt_tai_fast_ns();
}

/**
 * kpt_clock_reader() - the function that makes the stamps of a clock that is not raw
 * @clock: the clock
 *
 * Context: any, BRK included.
 * Return: the function, for BRK context.
 */
kpt_clock_reader_t kpt_clock_reader(enum kpt_clock clock)
{
	switch (clock) {
	case KPT_CLOCK_LOCAL:
	case KPT_CLOCK_GLOBAL:
	case KPT_CLOCK_UNORDERED:
		return counter_slow;
	case KPT_CLOCK_COUNTER:
		return kpt_clock_count;
	case KPT_CLOCK_UPTIME:
		return uptime;
	case KPT_CLOCK_MONO:
		return ktime_get_mono_fast_ns;
	case KPT_CLOCK_MONO_RAW:
		return ktime_get_raw_fast_ns;
	case KPT_CLOCK_BOOT:
		return ktime_get_boot_fast_ns;
	case KPT_CLOCK_TAI:
		return tai_time;
	default:
		return perf_time;
	}
}

/**
 * kpt_clock_stamp_slow() - the stamp of a clock that is not raw
 * @clock: the clock
 *
 * Context: BRK.
 * Return: time in the unit of the clock; if kpt_clock_is_counter(), the counter.
 */
u64 kpt_clock_stamp_slow(enum kpt_clock clock)
{
	return kpt_clock_reader(clock)();
}

/**
 * kpt_clock_elapsed() - time since a stamp of the local clock
 * @start: from kpt_clock_stamp(KPT_CLOCK_LOCAL)
 *
 * Context: BRK.
 * Return: ns.
 */
u64 kpt_clock_elapsed(u64 start)
{
	return kpt_tick_convert(&kpt_clock_tick, kpt_clock_stamp(KPT_CLOCK_LOCAL) - start);
}

/*
 * Convert a stamp that need not be of the newest epoch. An NMI may have interrupted the
 * write section: it does not wait for its end, and its time may be wrong.
 */
static noinline u64 clock_convert_past(u64 stamp)
{
	struct kpt_epoch e;
	unsigned int seq;

	do {
		seq = in_nmi() ? raw_read_seqcount(&kpt_clock_seq) :
				 read_seqcount_begin(&kpt_clock_seq);
		e = *kpt_epochs_find(&kpt_clock_epochs, stamp);
	} while (read_seqcount_retry(&kpt_clock_seq, seq) && !in_nmi());
	return kpt_epoch_convert(&e, &kpt_clock_tick, stamp);
}

/**
 * kpt_clock_convert() - convert a stamp to time in the unit of its clock
 * @clock: the clock
 * @stamp: from kpt_clock_stamp()
 *
 * If it is a count of the counter, the result agrees with sched_clock(), the time that the
 * kernel log shows.
 *
 * Context: any, BRK included.
 * Return: the time in the unit of @clock.
 */
u64 kpt_clock_convert(enum kpt_clock clock, u64 stamp)
{
	u64 ns;

	if (!kpt_clock_is_counter(clock))
		return stamp;
	return likely(kpt_clock_convert_new(stamp, &ns)) ? ns : clock_convert_past(stamp);
}

/**
 * kpt_clock_convert_far() - kpt_clock_convert() a stamp, and find its span
 * @near: the span is kept here
 * @clock: the clock
 * @stamp: from kpt_clock_stamp()
 *
 * Context: process context.
 * Return: the time in the unit of @clock.
 */
u64 kpt_clock_convert_far(struct kpt_clock_near *near, enum kpt_clock clock, u64 stamp)
{
	unsigned int seq;

	if (!kpt_clock_is_counter(clock))
		return stamp;
	do {
		seq = read_seqcount_begin(&kpt_clock_seq);
		near->epochs = kpt_clock_nr_epochs;
		kpt_era_begin(&near->span, &kpt_clock_epochs, &kpt_clock_scale, stamp);
	} while (read_seqcount_retry(&kpt_clock_seq, seq));
	return kpt_clock_convert(clock, stamp);
}

static void clock_add_epoch(void)
{
	struct kpt_epoch e;
	unsigned long flags;

	/* An interrupt between the two reads would add its duration to one. */
	local_irq_save(flags);
	e.ns = sched_clock();
	e.count = kpt_clock_stamp(KPT_CLOCK_LOCAL);
	/* A hit in the write section that converts a stamp would retry forever. */
	kpt_arch_hits_off();
	write_seqcount_begin(&kpt_clock_seq);
	kpt_epochs_add(&kpt_clock_epochs, &e);
	WRITE_ONCE(kpt_clock_nr_epochs, kpt_clock_nr_epochs + 1);
	kpt_scale_begin(&kpt_clock_scale, &e);
	write_seqcount_end(&kpt_clock_seq);
	kpt_arch_hits_on();
	local_irq_restore(flags);
}

/* sched_clock() has resumed already: it registered its callback before us. */
static void clock_resume(KPT_SYSCORE_ARG)
{
	clock_add_epoch();
}

KPT_SYSCORE(clock_on_resume, clock_resume);

/*
 * After suspend to idle no callback says when sched_clock() runs again. So records
 * made while devices resume, before this notifier runs, show a time that is too
 * late by the duration of the suspend.
 */
static int clock_pm_event(struct notifier_block *nb, unsigned long action,
			  void *data)
{
	if (action == PM_POST_SUSPEND || action == PM_POST_HIBERNATION)
		clock_add_epoch();
	return NOTIFY_OK;
}

static struct notifier_block pm_notifier = { .notifier_call = clock_pm_event };

static void clock_read(struct kpt_reading *r)
{
	unsigned long flags;

	local_irq_save(flags);
	r->before = kpt_arch_counter_safe();
	r->ns = sched_clock();
	r->after = kpt_arch_counter_safe();
	local_irq_restore(flags);
}

/* Does the kernel's clock run on the counter, by @kpt_clock_tick? */
static bool clock_is_counter(void)
{
	/* Too much for the stack. */
	static struct kpt_reading r[READINGS];
	unsigned int i;

	for (i = 0; i < READINGS; i++)
		clock_read(&r[i]);
	return kpt_readings_fit(r, READINGS, &kpt_clock_tick);
}

/* Convert as sched_clock() does; or, if it is not the counter, use it as that. */
static void clock_choose(void)
{
	kpt_clock_rate = kpt_arch_counter_rate;
	clocks_calc_mult_shift(&kpt_clock_tick.mult, &kpt_clock_tick.shift, kpt_clock_rate,
			       NSEC_PER_SEC, SCHED_CLOCK_SECONDS);
	kernel_clock = kernel_clock || !clock_is_counter();
	if (!kernel_clock)
		return;
	kpt_clock_unstable = true;
	kpt_clock_rate = NSEC_PER_SEC;
	kpt_clock_tick = (struct kpt_tick){ .mult = 1 };
}

/**
 * kpt_clock_how() - how hits read the counter
 *
 * Context: any.
 * Return: words for the status file.
 */
const char *kpt_clock_how(void)
{
	if (kernel_clock)
		return "the kernel's sched_clock()";
	return kpt_clock_unstable ? "read by the kernel's workaround" : "read directly";
}

/**
 * kpt_clock_init() - relate the raw counter to sched_clock()
 *
 * Context: module load.
 * Return: 0; -ENXIO if the counter's rate is not known; or the errno of
 * register_pm_notifier(), such as -EEXIST.
 */
int kpt_clock_init(void)
{
	int err = kpt_arch_counter_init(&kpt_clock_unstable);

	if (err)
		return err;
	clock_choose();
	kpt_scale_init(&kpt_clock_scale, &kpt_clock_tick);
	clock_add_epoch();
	err = register_pm_notifier(&pm_notifier);
	if (!err)
		kpt_syscore_register(&clock_on_resume);
	return err;
}

/**
 * kpt_clock_exit() - undo kpt_clock_init()
 *
 * Context: module unload.
 */
void kpt_clock_exit(void)
{
	kpt_syscore_unregister(&clock_on_resume);
	unregister_pm_notifier(&pm_notifier);
}
