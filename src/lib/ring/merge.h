/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Merging the records of many CPUs by time: a heap of the CPUs by the stamps of their next
 * records, so that the oldest is found in a time that grows with the logarithm of their
 * number.
 */
#ifndef KPTRACE_MERGE_H
#define KPTRACE_MERGE_H

#include "lib/base/port.h"

/**
 * struct kpt_merge_next - the next record of a CPU
 * @ts: its stamp
 * @cpu: the CPU
 */
struct kpt_merge_next {
	u64 ts;
	u32 cpu;
};

/**
 * struct kpt_merge - the next record of each CPU that has one
 * @next: the oldest is the first; room for all CPUs
 * @nr: number of CPUs that have one
 */
struct kpt_merge {
	struct kpt_merge_next *next;
	unsigned int nr;
};

void kpt_merge_add(struct kpt_merge *m, u32 cpu, u64 ts);
void kpt_merge_advance(struct kpt_merge *m, u64 ts);
void kpt_merge_drop(struct kpt_merge *m);

#endif
