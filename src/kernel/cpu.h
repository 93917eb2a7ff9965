/* SPDX-License-Identifier: GPL-2.0-only */
/* What each CPU keeps from one hit to the next. */
#ifndef KPTRACE_CPU_H
#define KPTRACE_CPU_H

#include <linux/percpu.h>
#include <linux/sched.h>
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

#endif
