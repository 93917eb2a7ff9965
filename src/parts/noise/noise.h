/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tracers osnoise and timerlat share: a thread on each CPU, the accounting of
 * what takes its time, records, and the settings in osnoise/.
 *
 * All instances share the threads and the settings. Only one of the two tracers is on.
 */
#ifndef KPTRACE_HIT_NOISE_H
#define KPTRACE_HIT_NOISE_H

#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include "parts/noise/noise_events.h"
#include "parts/tracer/tracer.h"
#include "parts/noise/net_time.h"
#include "trigger/ops.h"

/* kpt_noise_settings.options */
#define KPT_NOISE_WORKLOAD	BIT(1)
#define KPT_NOISE_PANIC		BIT(2)
#define KPT_NOISE_PREEMPT_OFF	BIT(3)
#define KPT_NOISE_IRQ_OFF	BIT(4)
#define KPT_NOISE_ALIGN		BIT(5)
#define KPT_NOISE_DEFAULTS	KPT_NOISE_WORKLOAD

/** enum kpt_noise_number - numbers in osnoise/, all in us */
enum kpt_noise_number {
	KPT_NOISE_PERIOD,
	KPT_NOISE_RUNTIME,
	KPT_NOISE_STOP,
	KPT_NOISE_STOP_TOTAL,
	KPT_NOISE_PRINT_STACK,
	KPT_NOISE_TIMERLAT_PERIOD,
	KPT_NOISE_TIMERLAT_ALIGN,
	KPT_NOISE_NUMBERS,
};

/**
 * struct kpt_noise_settings - the files in osnoise/
 * @cpus: CPUs that get a thread
 * @options: KPT_NOISE_*
 * @number: the numbers
 *
 * Written under kpt_mutex. The first two change only while there are no threads; threads
 * read the numbers without a lock.
 */
struct kpt_noise_settings {
	struct cpumask cpus;
	u32 options;
	u64 number[KPT_NOISE_NUMBERS];
};

extern struct kpt_noise_settings kpt_noise_settings;

static inline u64 kpt_noise_setting(enum kpt_noise_number which)
{
	return READ_ONCE(kpt_noise_settings.number[which]);
}

/**
 * struct kpt_noise_kind - osnoise or timerlat
 * @name: of its threads, followed by the number of the CPU
 * @main: what its threads run, with their struct kpt_noise_cpu
 * @is_timerlat: threads and softirqs are interference only behind a timer; without
 *	KPT_NOISE_WORKLOAD programs bring the threads (parts/noise/timerlat_user.h)
 */
struct kpt_noise_kind {
	const char *name;
	int (*main)(void *data);
	bool is_timerlat;
};

struct kpt_timerlat_user;

/**
 * struct kpt_noise_cpu - one CPU
 * @noise: what takes the time of its thread; the CPU alone uses it, while @is_watched
 * @is_watched: the functions on tracepoints account
 * @is_late: of timerlat: the timer has fired, and the thread has not run since
 * @pid: of @thread, whose own time is no interference; -1 without
 * @thread: its thread, or NULL
 * @timer: of timerlat, as all that follows
 * @user: the open file whose reader is @thread, or NULL
 * @has_moved: @thread is a reader that was on another CPU meanwhile
 * @expires: when it is to fire, in ns of CLOCK_MONOTONIC
 * @seq: how many times it has fired
 * @stack: of what the last timer has interrupted
 */
struct kpt_noise_cpu {
	struct kpt_noise noise;
	bool is_watched;
	bool is_late;
	s32 pid;
	struct task_struct *thread;
	struct hrtimer timer;
	struct kpt_timerlat_user *user;
	bool has_moved;
	u64 expires;
	u32 seq;
	struct {
		struct kpt_record_stack fixed;
		u64 caller[KPT_TRIGGER_STACK_MAX];
	} stack;
};

bool kpt_noise_is_possible(void);
int kpt_noise_begin_in(struct kpt_instance *instance, const struct kpt_noise_kind *kind,
		       struct kpt_diag *diag);
void kpt_noise_end_in(struct kpt_instance *instance);
int kpt_noise_set_cpus(const struct cpumask *cpus);
int kpt_noise_set_options(u32 options);

/* For the threads. */
bool kpt_noise_should_stop(void);
bool kpt_noise_is_recording(void);
u64 kpt_noise_clock(void);
u64 kpt_noise_to_ns(u64 stamps);
void kpt_noise_watch(struct kpt_noise_cpu *cpu, bool on);
u16 kpt_noise_context(unsigned int bias);
void kpt_noise_record(void *record, size_t size, u16 type, u16 context, u64 ns);
void kpt_noise_give(enum kpt_noise_event which, void *record, size_t size, u16 context);
bool kpt_noise_is_wanted(enum kpt_noise_event which);
void kpt_noise_stop(const char *exception);

struct dentry;
struct kpt_fs_node;

int kpt_noise_make_dirs(struct dentry *root, const struct kpt_fs_node *top);

extern const struct kpt_tracer_ops kpt_osnoise_ops;
extern const struct kpt_tracer_ops kpt_timerlat_ops;

#endif
