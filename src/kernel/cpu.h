/* SPDX-License-Identifier: GPL-2.0-only */
/* What each CPU keeps from one hit to the next. */
#ifndef KPTRACE_CPU_H
#define KPTRACE_CPU_H

#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/types.h>
#include "lib/base/sieve.h"

struct kpt_arch_pile;

/**
 * struct kpt_cpu - what a CPU keeps from one hit to the next
 * @pid: number of the last task whose name this CPU noted, see comms.h
 * @depth: not 0 while a hit runs on this CPU: others are then missed
 * @comm: its name then; exec and prctl() may have changed it since
 * @comm_loc: kpt_data_loc() of @comm, its NUL included, at offset 0
 * @filling: number of records that are being filled in where they stay in a ring, see
 *	src/parts/static/static_record.c; kpt_arch_quiesce() waits until it is 0
 * @returns: holds addresses that replace return addresses; the same on all CPUs
 * @pile: the pile of calls that this CPU has used last, see src/engine/calls.c
 * @cpu: its number
 * @on_slow_way: the kernel's bookkeeping for a BRK of ours runs, or that BRK's hit: others are
 *	handled without it, and missed
 * @runs_irq_works: see kpt_irq_work_start(); only for PREEMPT_RT
 */
struct kpt_cpu {
	s32 pid;
	unsigned int depth;
	u64 comm[TASK_COMM_LEN / sizeof(u64)];
	u32 comm_loc;
	unsigned int filling;
	struct kpt_sieve returns;
	struct kpt_arch_pile *pile;
	u32 cpu;
	bool on_slow_way;
	bool runs_irq_works;
};

DECLARE_PER_CPU(struct kpt_cpu, kpt_cpu);

#ifdef CONFIG_PREEMPT_RT
void kpt_irq_work_start(void);
void kpt_irq_work_stop(void);
#else
static inline void kpt_irq_work_start(void) { }
static inline void kpt_irq_work_stop(void) { }
#endif

/**
 * kpt_irq_work_runs() - does an irq_work that is queued on this CPU run?
 *
 * What a CPU that goes offline queues too late stays queued until it comes back: meanwhile
 * no other CPU could queue it, and irq_work_sync() would not return. Hits go on there for
 * a while. A CPU that comes online has hits, too, before it runs what they queue.
 *
 * Such a CPU is not online any more when it has run its irq_works for the last time. With
 * PREEMPT_RT a thread of the CPU runs them, which stops earlier: see kpt_irq_work_stop().
 *
 * Context: BRK.
 * Return: true if it does; ask before what the irq_work is for is noted anywhere.
 */
static inline bool kpt_irq_work_runs(void)
{
#ifdef CONFIG_PREEMPT_RT
	return likely(raw_cpu_read(kpt_cpu.runs_irq_works));
#else
	return likely(cpu_online(raw_smp_processor_id()));
#endif
}

#endif
