/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory for hits, per CPU: what is too large for the stack of the probed code.
 *
 * A hit on a CPU never begins before the last one there is over (a hit inside
 * another is only counted as missed), so that one hit at a time uses it. Others use
 * it with interrupts masked and hits off, see kpt_arch_hits_off().
 */
#ifndef KPTRACE_SCRATCH_H
#define KPTRACE_SCRATCH_H

#include <linux/percpu.h>
#include <linux/types.h>
#include <kptrace/port.h>

/* Records up to this size can be made before there is room in a ring. */
#define KPT_SCRATCH_RECORD 1024

/**
 * struct kpt_scratch - memory for one hit
 * @record: its record, until the hit ends
 * @work: for one function and what it calls, see port_scratch()
 * @large: room for any record, NULL until kpt_scratch_grow() has made it
 */
struct kpt_scratch {
	u64 record[KPT_SCRATCH_RECORD / sizeof(u64)];
	u64 work[PORT_SCRATCH_SIZE / sizeof(u64)];
	void *large;
};

extern struct kpt_scratch __percpu *kpt_scratch;

int kpt_scratch_init(void);
int kpt_scratch_grow(void);
void *kpt_scratch_large(size_t *size);
void kpt_scratch_exit(void);

#endif
