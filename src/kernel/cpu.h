/* SPDX-License-Identifier: GPL-2.0-only */
/* What each CPU keeps from one hit to the next. */
#ifndef KPTRACE_CPU_H
#define KPTRACE_CPU_H

#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/types.h>

/**
 * struct kpt_cpu - what a CPU keeps from one hit to the next
 * @pid: number of the last task whose name this CPU noted, see comms.h
 * @depth: not 0 while a hit runs on this CPU: others are then missed
 * @comm: its name then; exec and prctl() may have changed it since
 * @comm_loc: kpt_data_loc() of @comm, its NUL included, at offset 0
 * @filling: number of records that are being filled in where they stay in a ring, see
 *	src/hit/record.c; kpt_arch_quiesce() waits until it is 0
 * @return_bits: bits in which all addresses that replace return addresses are the same;
 *	the same on all CPUs
 * @return_set: which of these are set
 */
struct kpt_cpu {
	s32 pid;
	unsigned int depth;
	u64 comm[TASK_COMM_LEN / sizeof(u64)];
	u32 comm_loc;
	unsigned int filling;
	u64 return_bits;
	u64 return_set;
};

DECLARE_PER_CPU(struct kpt_cpu, kpt_cpu);

/**
 * kpt_irq_work_runs() - does an irq_work that is queued on this CPU run?
 *
 * A CPU that goes offline is not online any more when it has run its irq_works for the
 * last time, and hits go on there for a while. What they queued would stay queued until it
 * comes back: meanwhile no other CPU could queue it, and irq_work_sync() would not return.
 * A CPU that comes online has hits, too, before it is.
 *
 * Context: BRK.
 * Return: true if it does; ask before what the irq_work is for is noted anywhere.
 */
static inline bool kpt_irq_work_runs(void)
{
	return likely(cpu_online(raw_smp_processor_id()));
}

#endif
