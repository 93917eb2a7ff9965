/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory of parameter persist, and what the boot before this one left there. */
#ifndef KPTRACE_KERNEL_PERSIST_H
#define KPTRACE_KERNEL_PERSIST_H

#include <linux/ioport.h>
#include "buffer/buffer.h"
#include "kernel/clock.h"
#include "kernel/comms.h"
#include "parts/kept/layout.h"

/**
 * struct kpt_past_memory - copy of what another boot left, but for the rings
 * @layout: what is where
 * @head_whole: the head was not damaged
 * @mem: the copy; rings are only in the memory itself
 */
struct kpt_past_memory {
	struct kpt_persist_layout layout;
	bool head_whole;
	void *mem;
};

/**
 * struct kpt_persist - the memory
 * @mem: where it is mapped; NULL without the parameter, or if it cannot be used
 * @size: its bytes
 * @claimed: its entry in /proc/iomem; NULL within the RAM of the kernel
 * @layout: what is where
 * @past: what was there at load; its @mem is NULL if there was nothing of kptrace
 * @cleared: bytes at the beginning that no longer have what was there at load
 */
struct kpt_persist {
	void *mem;
	u64 size;
	struct resource *claimed;
	struct kpt_persist_layout layout;
	struct kpt_past_memory past;
	size_t cleared;
};

extern struct kpt_persist kpt_persist;

u64 kpt_past_convert(const struct kpt_persist_clock *past, u64 stamp);
struct kpt_moved *kpt_past_moved(const struct kpt_past_memory *past, bool same_kernel);
void kpt_past_moved_update(const struct kpt_past_memory *past, struct kpt_moved *moved);
bool kpt_past_same_kernel(const struct kpt_persist_boot *boot);
void kpt_past_free(void);
void kpt_persist_claim(void);
int kpt_persist_init(void);
void kpt_persist_exit(void);

#endif
