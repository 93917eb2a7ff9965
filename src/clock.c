// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clocks for time stamps.
 *
 * The default clock puts the raw counter into the record: reading it takes a
 * few instructions, and the division is paid by the reader of the trace. The
 * kernel's sched_clock() runs on the same counter, so both differ by a
 * constant, which changes only when the machine was suspended: every span
 * between suspends has an entry in epochs[].
 */
#include <kptrace/compat.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/sched/clock.h>
#include <linux/suspend.h>
#include <linux/timekeeping.h>
#include <asm/arch_timer.h>
#include <kptrace/clock.h>

#define EPOCHS 8

/**
 * struct epoch - a span in which counter and sched_clock() run together
 * @count: counter at its start
 * @ns: sched_clock() then
 */
struct epoch {
	u64 count;
	u64 ns;
};

static struct epoch epochs[EPOCHS];
static unsigned int nr_epochs;
static atomic64_t event_counter;

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
};

const char *kpt_clock_name(enum kpt_clock clock)
{
	return names[clock];
}

bool kpt_clock_in_ns(enum kpt_clock clock)
{
	return clock != KPT_CLOCK_COUNTER && clock != KPT_CLOCK_UPTIME;
}

u64 kpt_clock_stamp_slow(enum kpt_clock clock)
{
	switch (clock) {
	case KPT_CLOCK_COUNTER:
		return atomic64_inc_return(&event_counter);
	case KPT_CLOCK_UPTIME:
		return jiffies - INITIAL_JIFFIES;
	case KPT_CLOCK_MONO:
		return ktime_get_mono_fast_ns();
	case KPT_CLOCK_MONO_RAW:
		return ktime_get_raw_fast_ns();
	case KPT_CLOCK_BOOT:
		return ktime_get_boot_fast_ns();
	case KPT_CLOCK_TAI:
		return kpt_tai_fast_ns();
	default:
		return sched_clock();
	}
}

u64 kpt_clock_elapsed(u64 start)
{
	return mul_u64_u32_div(__arch_counter_get_cntvct() - start,
			       NSEC_PER_SEC, arch_timer_get_cntfrq());
}

/* The span a stamp was taken in. */
static const struct epoch *epoch_of(u64 count)
{
	unsigned int nr = smp_load_acquire(&nr_epochs); /* pairs: add_epoch:A */
	unsigned int i = nr;

	while (--i && (s64)(count - epochs[i].count) < 0)
		;
	return &epochs[i];
}

u64 kpt_clock_convert(enum kpt_clock clock, u64 stamp)
{
	const struct epoch *e;
	s64 delta;
	u64 ns;

	if (clock != KPT_CLOCK_LOCAL && clock != KPT_CLOCK_GLOBAL)
		return stamp;
	e = epoch_of(stamp);
	delta = stamp - e->count;
	ns = mul_u64_u32_div(abs(delta), NSEC_PER_SEC,
			     arch_timer_get_cntfrq());
	return delta < 0 ? e->ns - ns : e->ns + ns;
}

static void add_epoch(void)
{
	struct epoch e;

	/* The pair must not be torn by an interrupt between the two reads. */
	local_irq_disable();
	e.ns = sched_clock();
	e.count = __arch_counter_get_cntvct();
	local_irq_enable();

	/* When there are too many suspends the last one speaks for the rest. */
	if (nr_epochs == EPOCHS)
		nr_epochs--;
	epochs[nr_epochs] = e;
	smp_store_release(&nr_epochs, nr_epochs + 1); /* add_epoch:A */
}

static int pm_event(struct notifier_block *nb, unsigned long action, void *data)
{
	if (action == PM_POST_SUSPEND || action == PM_POST_HIBERNATION)
		add_epoch();
	return NOTIFY_OK;
}

static struct notifier_block pm_notifier = { .notifier_call = pm_event };

int kpt_clock_init(void)
{
	add_epoch();
	return register_pm_notifier(&pm_notifier);
}

void kpt_clock_exit(void)
{
	unregister_pm_notifier(&pm_notifier);
}
