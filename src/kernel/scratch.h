/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Per-CPU memory for hits, for data that is too large for the stack of the probed
 * code.
 *
 * Only one hit at a time uses it: a hit inside another one on the same CPU is only
 * counted as missed. Other code masks interrupts and turns hits off before it uses
 * the memory, see kpt_arch_hits_off().
 */
#ifndef KPTRACE_SCRATCH_H
#define KPTRACE_SCRATCH_H

#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/types.h>
#include "lib/base/port.h"

/* Records up to this size can be built here, before they are copied to a ring. */
#define KPT_SCRATCH_RECORD 1024
/* Records that one hit builds at a time: of an event, and of an event on that one. */
#define KPT_SCRATCH_RECORDS 2

/**
 * struct kpt_scratch - memory for one hit
 * @record: the record of the hit, until the hit ends; that of an event on another
 *	event is the second
 * @work: memory that port_scratch() returns
 * @regs: registers of a hit whose stub has not made them, for what needs them anyway
 * @large: room for any record in place of @record, NULL until kpt_scratch_grow() has
 *	allocated it
 */
struct kpt_scratch {
	u64 record[KPT_SCRATCH_RECORDS][KPT_SCRATCH_RECORD / sizeof(u64)];
	u64 work[PORT_SCRATCH_SIZE / sizeof(u64)];
	struct pt_regs regs;
	void *large[KPT_SCRATCH_RECORDS];
};

extern struct kpt_scratch __percpu *kpt_scratch;

/* Records of static events that a CPU fills in: a task's and those of interrupts. */
#define KPT_ROOM_DEPTH	4
#define KPT_ROOM_RECORD	4096

/**
 * struct kpt_room - memory for records of static events
 * @depth: number of records that are being filled in
 * @size: bytes of each
 * @record: these records
 */
struct kpt_room {
	unsigned int depth;
	unsigned int size[KPT_ROOM_DEPTH];
	u64 record[KPT_ROOM_DEPTH][KPT_ROOM_RECORD / sizeof(u64)];
};

/* NULL until kpt_rooms_alloc(). */
extern struct kpt_room __percpu *kpt_rooms;

int kpt_rooms_alloc(void);
void kpt_rooms_free(void);

int kpt_scratch_init(void);
int kpt_scratch_grow(bool second);
void *kpt_scratch_large(bool second, u32 *size);
void kpt_scratch_exit(void);

#endif
