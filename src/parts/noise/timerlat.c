// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tracer timerlat: a thread on each CPU sleeps until a timer wakes it. It records how
 * late the interrupt of the timer was, and then how late the thread itself. The threads are
 * those of the kernel here, or those of programs (timerlat_user.c).
 */
#include "kernel/compat.h"
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <uapi/linux/sched/types.h>
#include "arch.h"
#include "event/instance.h"
#include "parts/noise/noise.h"
#include "parts/noise/timerlat_user.h"
#include "kernel/ksyms.h"

/* Priority of the threads, as in mainline. */
#define PRIORITY 95

/* With option TIMERLAT_ALIGN: when the first timer of the thread before fires; or 0. */
static atomic64_t align_next;

/* Returns how late it is, in ns. */
static u64 timerlat_record(struct kpt_noise_cpu *cpu, s32 who)
{
	struct kpt_record_timerlat r = {
		.seqnum = cpu->seq,
		.context = who,
		.timer_latency = ktime_to_ns(ktime_get()) - cpu->expires,
	};
	struct kpt_record_timerlat_sample sample = {
		.timer_latency = r.timer_latency,
		.seqnum = r.seqnum,
		.context = r.context,
	};

	kpt_noise_record(&r, sizeof(r), KPT_RECORD_TIMERLAT, kpt_noise_context(0),
			 r.timer_latency);
	if (kpt_noise_is_wanted(KPT_NOISE_EVENT_TIMERLAT))
		kpt_noise_give(KPT_NOISE_EVENT_TIMERLAT, &sample, sizeof(sample),
			       kpt_noise_context(0));
	return r.timer_latency;
}

/* Has the latency reached a number of us that is not 0? */
static bool timerlat_reaches(u64 latency, enum kpt_noise_number which)
{
	u64 us = kpt_noise_setting(which);

	return us && latency / NSEC_PER_USEC >= us;
}

/* The stack of what the timer has interrupted; it is recorded when it is wanted. */
static void timerlat_save_stack(struct kpt_noise_cpu *cpu)
{
	const struct kpt_hit here = { 0 };
	unsigned long flags = kpt_arch_hits_off_save();

	cpu->stack.fixed.nr = kpt_trigger_stack_collect(&here, cpu->stack.caller,
							KPT_TRIGGER_STACK_MAX);
	kpt_arch_hits_on_restore(flags);
}

static void timerlat_record_stack(struct kpt_noise_cpu *cpu)
{
	cpu->stack.fixed.unused = 0;
	kpt_noise_record(&cpu->stack, offsetof(typeof(cpu->stack),
					       caller[cpu->stack.fixed.nr]),
			 KPT_RECORD_STACK, kpt_noise_context(0), 0);
}

/* Named as mainline's, because its name is in the stack. */
static enum hrtimer_restart timerlat_irq(struct hrtimer *timer)
{
	struct kpt_noise_cpu *cpu = container_of(timer, struct kpt_noise_cpu, timer);
	u64 latency;

	WRITE_ONCE(cpu->is_late, true);
	kpt_noise_restart_below_irq(&cpu->noise);
	cpu->seq++;
	latency = timerlat_record(cpu, KPT_TIMERLAT_IRQ);
	if (kpt_noise_setting(KPT_NOISE_PRINT_STACK))
		timerlat_save_stack(cpu);
	if (timerlat_reaches(latency, KPT_NOISE_STOP)) {
		/* The thread will not record: its stack would come too late. */
		if (timerlat_reaches(latency, KPT_NOISE_PRINT_STACK))
			timerlat_record_stack(cpu);
		kpt_noise_stop(NULL);
	}
	wake_up_process(cpu->thread);
	return HRTIMER_NORESTART;
}

/**
 * kpt_timerlat_report() - record how late a thread of user space is
 * @cpu: its CPU
 * @who: KPT_TIMERLAT_THREAD or KPT_TIMERLAT_USER_RET
 *
 * As in mainline, a stack is recorded only if this ends the recording.
 *
 * Context: the thread.
 */
void kpt_timerlat_report(struct kpt_noise_cpu *cpu, s32 who)
{
	u64 latency = timerlat_record(cpu, who);

	if (who == KPT_TIMERLAT_USER_RET)
		WRITE_ONCE(cpu->is_late, false);
	if (!timerlat_reaches(latency, KPT_NOISE_STOP_TOTAL))
		return;
	if (timerlat_reaches(latency, KPT_NOISE_PRINT_STACK))
		timerlat_record_stack(cpu);
	kpt_noise_stop(NULL);
}

/* The thread of the kernel has run: it records how late it was. */
static void timerlat_awake(struct kpt_noise_cpu *cpu)
{
	u64 latency = timerlat_record(cpu, KPT_TIMERLAT_THREAD);

	if (timerlat_reaches(latency, KPT_NOISE_PRINT_STACK))
		timerlat_record_stack(cpu);
	WRITE_ONCE(cpu->is_late, false);
	if (timerlat_reaches(latency, KPT_NOISE_STOP_TOTAL))
		kpt_noise_stop(NULL);
}

/* When the next timer fires; timers whose time is over already are left out. */
static void timerlat_next(struct kpt_noise_cpu *cpu)
{
	u64 period = kpt_noise_setting(KPT_NOISE_TIMERLAT_PERIOD) * NSEC_PER_USEC;
	u64 now = ktime_to_ns(ktime_get());

	cpu->expires += period;
	if (kpt_noise_settings.options & KPT_NOISE_ALIGN && !cpu->seq &&
	    atomic64_cmpxchg_relaxed(&align_next, 0, cpu->expires))
		cpu->expires = atomic64_add_return_relaxed(
			kpt_noise_setting(KPT_NOISE_TIMERLAT_ALIGN) * NSEC_PER_USEC,
			&align_next);
	if (cpu->expires < now)
		cpu->expires += DIV64_U64_ROUND_UP(now - cpu->expires, period) * period;
}

/**
 * kpt_timerlat_prepare() - reset what a CPU has, before its thread starts the first timer
 * @cpu: its CPU; @thread of it will be woken
 *
 * Context: the thread, on that CPU.
 */
void kpt_timerlat_prepare(struct kpt_noise_cpu *cpu)
{
	kpt_timer_init(&cpu->timer, timerlat_irq);
	cpu->seq = 0;
	cpu->expires = ktime_to_ns(ktime_get());
	kpt_noise_watch(cpu, true);
}

/**
 * kpt_timerlat_arm() - start the next timer; when it has fired, @seq of the CPU differs
 * @cpu: the CPU
 *
 * Context: the thread, on that CPU.
 */
void kpt_timerlat_arm(struct kpt_noise_cpu *cpu)
{
	timerlat_next(cpu);
	hrtimer_start(&cpu->timer, ns_to_ktime(cpu->expires), HRTIMER_MODE_ABS_PINNED_HARD);
}

/* Returns false if the thread is to stop. */
static bool timerlat_sleep(struct kpt_noise_cpu *cpu)
{
	u32 seq = cpu->seq;

	kpt_timerlat_arm(cpu);
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (kthread_should_stop() || READ_ONCE(cpu->seq) != seq)
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	return !kthread_should_stop();
}

static int timerlat_main(void *data)
{
	const struct sched_param priority = { .sched_priority = PRIORITY };
	struct kpt_noise_cpu *cpu = data;

	if (kpt_has(sched_setscheduler_nocheck))
		sched_setscheduler_nocheck(current, SCHED_FIFO, &priority);
	else
		sched_set_fifo(current);
	kpt_timerlat_prepare(cpu);
	while (timerlat_sleep(cpu))
		timerlat_awake(cpu);
	hrtimer_cancel(&cpu->timer);
	kpt_noise_watch(cpu, false);
	return 0;
}

static const struct kpt_noise_kind timerlat = {
	.name = "timerlat",
	.main = timerlat_main,
	.is_timerlat = true,
};

static int timerlat_begin(struct kpt_instance *instance, struct kpt_diag *diag)
{
	atomic64_set(&align_next, 0);
	return kpt_noise_begin_in(instance, &timerlat, diag);
}

const struct kpt_tracer_ops kpt_timerlat_ops = {
	.is_possible = kpt_noise_is_possible,
	.begin = timerlat_begin,
	.end = kpt_noise_end_in,
};
