// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the tracers osnoise and timerlat share. Functions on tracepoints of the kernel
 * account what takes the time of a CPU (src/parts/noise/net_time.c), and make the records of the
 * events osnoise:*. They run with interrupts masked, so only NMIs interrupt them.
 *
 * The threads are those of the CPUs that are online and chosen: a state of CPU hotplug
 * starts and stops them. So to change what they depend on is to leave that state, and to
 * enter it again.
 */
#include "kernel/compat.h"
#include <linux/cpuhotplug.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/sched/task.h>
#include <linux/topology.h>
#include <linux/tracepoint.h>
#include <trace/events/ipi.h>
#include <trace/events/irq.h>
#include <trace/events/sched.h>
#include "arch.h"
#include "engine/tracepoint.h"
#include "event/task_filter.h"
#include "hit/internal.h"
#include "hit/made_record.h"
#include "parts/noise/noise.h"
#include "parts/noise/timerlat_user.h"
#include "kernel/comms.h"
#include "lib/base/diag.h"

struct kpt_noise_settings kpt_noise_settings = {
	.cpus = CPU_MASK_ALL,
	.options = KPT_NOISE_DEFAULTS,
	.number = {
		[KPT_NOISE_PERIOD] = USEC_PER_SEC,
		[KPT_NOISE_RUNTIME] = USEC_PER_SEC,
		[KPT_NOISE_TIMERLAT_PERIOD] = USEC_PER_MSEC,
	},
};

/* While a tracer is on: of each CPU. Nothing that uses it runs before and after. */
static struct kpt_noise_cpu __percpu *noise_cpus;

/* The instances that record, kpt_tracer.recording. Changed under kpt_mutex. */
static LIST_HEAD(tracers);

/*
 * The tracer that is on, NULL for none. Changed under kpt_mutex, while no tracepoint calls
 * us and there are no threads.
 */
static const struct kpt_noise_kind *current_kind;

/* The state of CPU hotplug while there are threads, else 0. Under kpt_mutex. */
static int hotplug_state;

/**
 * kpt_noise_clock() - the clock of struct kpt_noise
 *
 * Context: any.
 * Return: a stamp of the local clock.
 */
u64 kpt_noise_clock(void)
{
	return kpt_clock_stamp(KPT_CLOCK_LOCAL);
}

/**
 * kpt_noise_to_ns() - convert a difference of two stamps of kpt_noise_clock()
 * @stamps: the difference
 *
 * Context: any.
 * Return: nanoseconds.
 */
u64 kpt_noise_to_ns(u64 stamps)
{
	return kpt_tick_convert(&kpt_clock_tick, stamps);
}

/*
 * Records.
 */

/**
 * kpt_noise_context() - state of the code that makes a record
 * @bias: what tracepoints have added to preempt_count()
 *
 * Context: any.
 * Return: for kpt_noise_record() and kpt_noise_give().
 */
u16 kpt_noise_context(unsigned int bias)
{
	return kpt_hit_context(bias) | (irqs_disabled() ? KPT_FLAG_IRQS_OFF : 0);
}

/* The longest noise or latency of an instance, for tracing_max_latency. */
static void note_worst(struct kpt_tracer *tracer, u64 ns)
{
	s64 worst = atomic64_read(&tracer->worst);

	while ((s64)ns > worst &&
	       !atomic64_try_cmpxchg_relaxed(&tracer->worst, &worst, ns))
		;
}

static void record_in_all(const void *record, size_t size, u64 ns)
{
	struct kpt_tracer *tracer;
	unsigned long flags = kpt_arch_hits_off_save();

	kpt_comm_note();
	rcu_read_lock();
	list_for_each_entry_rcu(tracer, &tracers, recording)
		if (kpt_task_filter_allow_cpu(tracer->instance) &&
		    kpt_buffer_record(&tracer->instance->buffer, record, size, 0))
			note_worst(tracer, ns);
	rcu_read_unlock();
	kpt_arch_hits_on_restore(flags);
}

/**
 * kpt_noise_record() - record in all instances that the tracer is on in
 * @record: the record, up to the next multiple of 8 bytes; its head is filled in here
 * @size: its bytes
 * @type: kpt_record_head.type
 * @context: from kpt_noise_context()
 * @ns: the noise or latency that it is about, for tracing_max_latency of the instances
 *	that get the record; 0 if none
 *
 * Context: any but BRK and NMI.
 */
void kpt_noise_record(void *record, size_t size, u16 type, u16 context, u64 ns)
{
	*(struct kpt_record_head *)record = (struct kpt_record_head){
		.type = type,
		.flags = context & 0xff,
		.preempt_count = context >> 8,
		.pid = current->pid,
	};
	record_in_all(record, size, ns);
}

/**
 * kpt_noise_is_wanted() - is an event armed?
 * @which: the event
 *
 * Context: any.
 * Return: true if it is.
 */
bool kpt_noise_is_wanted(enum kpt_noise_event which)
{
	return rcu_access_pointer(kpt_noise_hook(which)->handlers);
}

/**
 * kpt_noise_give() - give a record to the sinks of an event
 * @which: the event
 * @record: the record, up to the next multiple of 8 bytes; its head is filled in here
 * @size: its bytes
 * @context: from kpt_noise_context()
 *
 * Context: any but BRK; RCU watches.
 */
void kpt_noise_give(enum kpt_noise_event which, void *record, size_t size, u16 context)
{
	kpt_hit_made(kpt_noise_hook(which), record, size, context);
}

/**
 * kpt_noise_is_recording() - does an instance record?
 *
 * Context: any but BRK; RCU watches.
 * Return: true if tracing_on is 1 in one of them.
 */
bool kpt_noise_is_recording(void)
{
	struct kpt_tracer *tracer;
	bool is_on = false;

	rcu_read_lock();
	list_for_each_entry_rcu(tracer, &tracers, recording)
		is_on |= kpt_buffer_is_on(&tracer->instance->buffer);
	rcu_read_unlock();
	return is_on;
}

/*
 * Named as mainline's, because its name is in the trace: the name of the function in
 * which the record's address lies.
 */
static noinline __noclone void osnoise_stop_tracing(const char *exception)
{
	struct {
		struct kpt_record_print fixed;
		char text[96];
	} record = { .fixed.ip = _THIS_IP_ };
	size_t len;

	len = scnprintf(record.text, sizeof(record.text), "stop tracing hit on cpu %d%s%s\n",
			raw_smp_processor_id(), exception ? " due to exception: " : "",
			exception ?: "");
	kpt_noise_record(&record, round_up(sizeof(record.fixed) + len + 1, 8),
			 KPT_RECORD_PRINT, kpt_noise_context(0), 0);
}

/**
 * kpt_noise_stop() - a threshold was reached: no instance records any more
 * @exception: what happened instead, at most 40 characters, or NULL
 *
 * Context: any but BRK and NMI; RCU watches.
 */
void kpt_noise_stop(const char *exception)
{
	struct kpt_tracer *tracer;
	unsigned long flags;

	osnoise_stop_tracing(exception);
	if (kpt_noise_settings.options & KPT_NOISE_PANIC)
		panic("kptrace: osnoise/options has PANIC_ON_STOP, stop condition met on CPU %d\n",
		      raw_smp_processor_id());
	rcu_read_lock();
	list_for_each_entry_rcu(tracer, &tracers, recording) {
		kpt_buffer_switch(&tracer->instance->buffer, false);
		local_irq_save(flags);
		kpt_buffer_wake_later(&tracer->instance->buffer);
		local_irq_restore(flags);
	}
	rcu_read_unlock();
}

/*
 * Interference.
 */

/**
 * kpt_noise_watch() - begin or end to account what takes the time of this CPU
 * @cpu: this CPU
 * @on: true to begin, with all counts 0
 *
 * Context: a thread of this CPU alone; to end it, any that may sleep.
 */
void kpt_noise_watch(struct kpt_noise_cpu *cpu, bool on)
{
	unsigned long flags;

	local_irq_save(flags);
	if (on)
		memset(&cpu->noise, 0, sizeof(cpu->noise));
	barrier(); /* NMIs find it cleared */
	WRITE_ONCE(cpu->is_watched, on);
	local_irq_restore(flags);
}

static void level_begin(enum kpt_noise_level level)
{
	struct kpt_noise_cpu *cpu;
	unsigned long flags;

	raw_local_irq_save(flags);
	cpu = this_cpu_ptr(noise_cpus);
	if (READ_ONCE(cpu->is_watched))
		kpt_noise_begin(&cpu->noise, level, kpt_noise_clock);
	raw_local_irq_restore(flags);
}

/* Returns true if there is an interference for @event; @span is in ns then. */
static bool level_end(enum kpt_noise_level level, enum kpt_noise_event event,
		      struct kpt_noise_span *span)
{
	struct kpt_noise_cpu *cpu;
	unsigned long flags;
	bool ended = false;

	raw_local_irq_save(flags);
	cpu = this_cpu_ptr(noise_cpus);
	if (READ_ONCE(cpu->is_watched))
		ended = kpt_noise_end(&cpu->noise, level, kpt_noise_clock, span);
	/* What ran before the timer has fired does not delay the thread of timerlat. */
	if (level <= KPT_NOISE_SOFTIRQ && !READ_ONCE(cpu->is_late) &&
	    current_kind->is_timerlat)
		ended = false;
	raw_local_irq_restore(flags);
	if (!ended || !kpt_noise_is_wanted(event))
		return false;
	span->start = kpt_clock_convert(KPT_CLOCK_LOCAL, span->start);
	span->net = kpt_noise_to_ns(span->net);
	return true;
}

static enum kpt_noise_level irq_level(void)
{
	return in_nmi() ? KPT_NOISE_NMI : KPT_NOISE_IRQ;
}

static void irq_ended(const char *name, int number)
{
	struct {
		struct kpt_record_irq_noise fixed;
		char name[64];
	} irq;
	struct kpt_record_nmi_noise nmi;
	struct kpt_noise_span span;
	ssize_t len;

	if (in_nmi()) {
		if (!level_end(KPT_NOISE_NMI, KPT_NOISE_EVENT_NMI, &span))
			return;
		nmi.start = span.start;
		nmi.duration = span.net;
		kpt_noise_give(KPT_NOISE_EVENT_NMI, &nmi, sizeof(nmi),
			       kpt_noise_context(KPT_TRACEPOINT_BIAS));
		return;
	}
	if (!level_end(KPT_NOISE_IRQ, KPT_NOISE_EVENT_IRQ, &span))
		return;
	len = strscpy_pad(irq.name, name ?: "", sizeof(irq.name));
	if (len < 0)
		len = sizeof(irq.name) - 1;
	irq.fixed.start = span.start;
	irq.fixed.duration = span.net;
	irq.fixed.desc = kpt_data_loc(sizeof(irq.fixed), len + 1);
	irq.fixed.vector = number;
	kpt_noise_give(KPT_NOISE_EVENT_IRQ, &irq, round_up(sizeof(irq.fixed) + len + 1, 8),
		       kpt_noise_context(KPT_TRACEPOINT_BIAS));
}

/* An IPI has both tracepoints in newer kernels, the second inside the first. */
static void irq_entry_seen(void *data, int irq, struct irqaction *action)
{
	level_begin(irq_level());
}

static void irq_exit_seen(void *data, int irq, struct irqaction *action, int ret)
{
	irq_ended(action ? action->name : NULL, irq);
}

static void ipi_entry_seen(void *data, const char *reason)
{
	level_begin(irq_level());
}

static void ipi_exit_seen(void *data, const char *reason)
{
	irq_ended(reason, 0);
}

static void softirq_entry_seen(void *data, unsigned int vector)
{
	level_begin(KPT_NOISE_SOFTIRQ);
}

static void softirq_exit_seen(void *data, unsigned int vector)
{
	struct kpt_record_softirq_noise record = { 0 };
	struct kpt_noise_span span;

	if (!level_end(KPT_NOISE_SOFTIRQ, KPT_NOISE_EVENT_SOFTIRQ, &span))
		return;
	record.start = span.start;
	record.duration = span.net;
	record.vector = vector;
	kpt_noise_give(KPT_NOISE_EVENT_SOFTIRQ, &record, sizeof(record),
		       kpt_noise_context(KPT_TRACEPOINT_BIAS));
}

static void thread_ended(const struct task_struct *task)
{
	struct kpt_record_thread_noise record = { 0 };
	struct kpt_noise_span span;

	if (!level_end(KPT_NOISE_THREAD, KPT_NOISE_EVENT_THREAD, &span))
		return;
	memcpy(record.comm, task->comm, sizeof(record.comm));
	record.start = span.start;
	record.duration = span.net;
	record.pid = task->pid;
	kpt_noise_give(KPT_NOISE_EVENT_THREAD, &record, sizeof(record),
		       kpt_noise_context(KPT_TRACEPOINT_BIAS));
}

static void switch_seen(void *data, bool preempt, struct task_struct *prev,
			struct task_struct *next KPT_SWITCH_STATE_PARAM)
{
	s32 pid = __this_cpu_read(noise_cpus->pid);

	if (prev->pid != pid)
		thread_ended(prev);
	if (next->pid != pid)
		level_begin(KPT_NOISE_THREAD);
}

/*
 * What a reader of timerlat_fd has measured on another CPU says nothing. Readers on a CPU
 * that goes offline are about to end.
 */
static void migrate_seen(void *data, struct task_struct *task, int to)
{
	int from = task_cpu(task);
	struct kpt_noise_cpu *cpu = per_cpu_ptr(noise_cpus, from);

	if (!READ_ONCE(cpu->user) || READ_ONCE(cpu->thread) != task || to == from ||
	    !cpu_active(from))
		return;
	WRITE_ONCE(cpu->has_moved, true);
	kpt_noise_stop("timerlat user-thread migrated");
}

/**
 * struct noise_source - a tracepoint that tells about interference
 * @name: its name
 * @function: what it calls
 * @may_lack: the kernel may not have it
 * @tp: the tracepoint while it calls @function, else NULL
 */
struct noise_source {
	const char *name;
	void *function;
	bool may_lack;
	struct tracepoint *tp;
};

/* Under kpt_mutex. */
static struct noise_source sources[] = {
	{ "irq_handler_entry", irq_entry_seen },
	{ "irq_handler_exit", irq_exit_seen },
	{ "ipi_entry", ipi_entry_seen, .may_lack = true },
	{ "ipi_exit", ipi_exit_seen, .may_lack = true },
#ifndef CONFIG_PREEMPT_RT
	/* With it softirqs are threads, which are switched while they serve one. */
	{ "softirq_entry", softirq_entry_seen },
	{ "softirq_exit", softirq_exit_seen },
#endif
	{ "sched_switch", switch_seen },
	{ "sched_migrate_task", migrate_seen },
};

/* The types are those that the tracepoints call. */
static void __maybe_unused sources_check(void)
{
	check_trace_callback_type_irq_handler_entry(irq_entry_seen);
	check_trace_callback_type_irq_handler_exit(irq_exit_seen);
	check_trace_callback_type_ipi_entry(ipi_entry_seen);
	check_trace_callback_type_ipi_exit(ipi_exit_seen);
	check_trace_callback_type_softirq_entry(softirq_entry_seen);
	check_trace_callback_type_softirq_exit(softirq_exit_seen);
	check_trace_callback_type_sched_switch(switch_seen);
	check_trace_callback_type_sched_migrate_task(migrate_seen);
}

#ifdef CONFIG_TRACEPOINTS
static void sources_off(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		if (sources[i].tp)
			kpt_tracepoint_unregister(sources[i].tp, sources[i].function, NULL);
		sources[i].tp = NULL;
	}
	tracepoint_synchronize_unregister();
}

static int source_on(struct noise_source *source, struct kpt_diag *diag)
{
	struct tracepoint *tp = kpt_tracepoint_find(source->name);
	int err;

	if (!tp && source->may_lack)
		return 0;
	if (!tp)
		return kpt_diag_set(diag, KPT_E_NO_INTERFERENCE, 0, -EOPNOTSUPP);
	err = tracepoint_probe_register(tp, source->function, NULL);
	if (!err)
		source->tp = tp;
	return err;
}

/* On failure some may be on. */
static int sources_on(struct kpt_diag *diag)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < ARRAY_SIZE(sources); i++)
		err = source_on(&sources[i], diag);
	return err;
}
#else
static void sources_off(void)
{
	(void)sources;
}

static int sources_on(struct kpt_diag *diag)
{
	return kpt_diag_set(diag, KPT_E_NO_INTERFERENCE, 0, -EOPNOTSUPP);
}
#endif

/**
 * kpt_noise_is_possible() - kpt_tracer_ops.is_possible
 *
 * Context: process context, sleeps.
 * Return: true if the kernel has the tracepoints that tell about interference.
 */
bool kpt_noise_is_possible(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sources); i++)
		if (!sources[i].may_lack && !kpt_tracepoint_find(sources[i].name))
			return false;
	return true;
}

/*
 * Threads. The core of CPU hotplug makes and ends them one after the other, on the CPU
 * itself. A thread with preemption or interrupts off keeps the core from running there, so
 * threads are told to end before the core is asked to end them.
 */

static bool is_ending;

/**
 * kpt_noise_should_stop() - is this thread to end?
 *
 * The thread may return then, before kthread_stop() is called: noise_online() has taken a
 * reference to its task.
 *
 * Context: a thread of the tracer.
 * Return: true if it is.
 */
bool kpt_noise_should_stop(void)
{
	return READ_ONCE(is_ending) || kthread_should_stop();
}

static int noise_thread(void *cpu)
{
	int err;

	kpt_pin_begin();
	err = current_kind->main(cpu);
	kpt_pin_end();
	return err;
}

static int noise_online(unsigned int number)
{
	struct kpt_noise_cpu *cpu = per_cpu_ptr(noise_cpus, number);
	struct task_struct *thread;

	cpu->pid = -1;
	if (!cpumask_test_cpu(number, &kpt_noise_settings.cpus))
		return 0;
	cpu->is_late = false;
	if (!(kpt_noise_settings.options & KPT_NOISE_WORKLOAD)) {
		if (!current_kind->is_timerlat)
			kpt_noise_watch(cpu, true);
		return 0;
	}
	thread = kthread_create_on_node(noise_thread, cpu, cpu_to_node(number),
					"%s/%u", current_kind->name, number);
	if (IS_ERR(thread)) {
		if (!hotplug_state)
			return PTR_ERR(thread);
		/* The CPU shall come online all the same. */
		pr_warn("%s: no memory for the thread of CPU %u\n", current_kind->name,
			number);
		return 0;
	}
	kthread_bind(thread, number);
	get_task_struct(thread);
	cpu->pid = thread->pid;
	cpu->thread = thread;
	wake_up_process(thread);
	return 0;
}

static int noise_offline(unsigned int number)
{
	struct kpt_noise_cpu *cpu = per_cpu_ptr(noise_cpus, number);

	kpt_timerlat_user_kill(cpu);
	if (cpu->thread) {
		kthread_stop(cpu->thread);
		put_task_struct(cpu->thread);
		cpu->thread = NULL;
	}
	kpt_noise_watch(cpu, false);
	return 0;
}

static int threads_start(void)
{
	int state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "kptrace/osnoise:online",
				      noise_online, noise_offline);

	hotplug_state = max(state, 0);
	if (state > 0 && current_kind->is_timerlat &&
	    !(kpt_noise_settings.options & KPT_NOISE_WORKLOAD))
		kpt_timerlat_users_begin(noise_cpus);
	return min(state, 0);
}

static void threads_stop(void)
{
	/* First: a reader that spins could keep CPU hotplug from its CPU. */
	kpt_timerlat_users_end();
	WRITE_ONCE(is_ending, true);
	if (hotplug_state)
		cpuhp_remove_state(hotplug_state);
	hotplug_state = 0;
	WRITE_ONCE(is_ending, false);
}

static void noise_end(void)
{
	threads_stop();
	sources_off();
	current_kind = NULL;
	free_percpu(noise_cpus);
	noise_cpus = NULL;
}

static int noise_start(const struct kpt_noise_kind *kind, struct kpt_diag *diag)
{
	int err;

	noise_cpus = alloc_percpu(struct kpt_noise_cpu);
	if (!noise_cpus)
		return -ENOMEM;
	current_kind = kind;
	err = sources_on(diag) ?: threads_start();
	if (err)
		noise_end();
	return err;
}

/**
 * kpt_noise_begin_in() - kpt_tracer_ops.begin
 * @instance: the instance
 * @kind: osnoise or timerlat
 * @diag: result: the reason
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EBUSY if the other tracer is on; -EOPNOTSUPP if the kernel lacks
 * tracepoints; -ENOMEM.
 */
int kpt_noise_begin_in(struct kpt_instance *instance, const struct kpt_noise_kind *kind,
		       struct kpt_diag *diag)
{
	int err = 0;

	lockdep_assert_held(&kpt_mutex);
	if (current_kind && current_kind != kind)
		return kpt_diag_set(diag, KPT_E_OTHER_WORKLOAD, 0, -EBUSY);
	atomic64_set(&kpt_tracer_of(instance)->worst, 0);
	list_add_rcu(&kpt_tracer_of(instance)->recording, &tracers);
	if (!current_kind)
		err = noise_start(kind, diag);
	if (err)
		kpt_noise_end_in(instance);
	return err;
}

/**
 * kpt_noise_end_in() - kpt_tracer_ops.end
 * @instance: the instance
 *
 * With the last instance the threads stop.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_noise_end_in(struct kpt_instance *instance)
{
	lockdep_assert_held(&kpt_mutex);
	list_del_rcu(&kpt_tracer_of(instance)->recording);
	if (list_empty(&tracers) && current_kind)
		noise_end();
	/* Wait for those that walk the list. */
	synchronize_rcu();
	INIT_LIST_HEAD(&kpt_tracer_of(instance)->recording);
}

/*
 * Settings. While threads run, they are stopped for a change. If they cannot be started
 * again, the setting is what it was.
 */

/**
 * kpt_noise_set_cpus() - choose the CPUs that get a thread
 * @cpus: the CPUs
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_noise_set_cpus(const struct cpumask *cpus)
{
	static struct cpumask before;
	int err = 0;

	lockdep_assert_held(&kpt_mutex);
	threads_stop();
	cpumask_copy(&before, &kpt_noise_settings.cpus);
	cpumask_copy(&kpt_noise_settings.cpus, cpus);
	if (current_kind)
		err = threads_start();
	if (!err)
		return 0;
	cpumask_copy(&kpt_noise_settings.cpus, &before);
	threads_start();
	return err;
}

/**
 * kpt_noise_set_options() - set osnoise/options
 * @options: KPT_NOISE_*
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_noise_set_options(u32 options)
{
	u32 before = kpt_noise_settings.options;
	int err = 0;

	lockdep_assert_held(&kpt_mutex);
	threads_stop();
	kpt_noise_settings.options = options;
	if (current_kind)
		err = threads_start();
	if (!err)
		return 0;
	kpt_noise_settings.options = before;
	threads_start();
	return err;
}
