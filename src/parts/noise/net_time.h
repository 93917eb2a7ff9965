/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Accounting of what takes time from the threads of a CPU: other threads, softirqs,
 * interrupts, NMIs. The time of each is net: without the time of what interrupted it.
 *
 * Each level may be interrupted, at any instruction, only by the levels above it. It
 * writes only to its own members, and reads those of the levels above. So no lock and
 * no masking is needed: what a level reads in several loads is consistent if no level
 * above has begun meanwhile, for what begins there also ends there.
 */
#ifndef KPTRACE_NOISE_H
#define KPTRACE_NOISE_H

#include "lib/base/port.h"

/** enum kpt_noise_level - what takes the time, the least urgent first */
enum kpt_noise_level {
	KPT_NOISE_THREAD,
	KPT_NOISE_SOFTIRQ,
	KPT_NOISE_IRQ,
	KPT_NOISE_NMI,
	KPT_NOISE_LEVELS,
};

/**
 * struct kpt_noise_source - a level of one CPU
 * @start: when the one that runs began
 * @above: sum of the levels above at that time, kpt_noise_source.total
 * @total: net time of all that have ended
 * @count: how many have begun
 * @depth: how many run: the first, and others inside it that belong to it; 0: none
 */
struct kpt_noise_source {
	u64 start;
	u64 above;
	u64 total;
	u32 count;
	u32 depth;
};

/** struct kpt_noise - all levels of one CPU */
struct kpt_noise {
	struct kpt_noise_source level[KPT_NOISE_LEVELS];
};

/**
 * struct kpt_noise_span - an interference that has ended
 * @start: when it began
 * @net: its time, without that of the levels above
 */
struct kpt_noise_span {
	u64 start;
	u64 net;
};

/* The time, in any unit; does not go back on one CPU. */
typedef u64 (*kpt_noise_clock_t)(void);

void kpt_noise_begin(struct kpt_noise *noise, enum kpt_noise_level level,
		     kpt_noise_clock_t now);
bool kpt_noise_end(struct kpt_noise *noise, enum kpt_noise_level level,
		   kpt_noise_clock_t now, struct kpt_noise_span *span);
void kpt_noise_restart_below_irq(struct kpt_noise *noise);
u64 kpt_noise_now(const struct kpt_noise *noise, kpt_noise_clock_t now, u32 *count);

#endif
