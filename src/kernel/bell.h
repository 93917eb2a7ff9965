/* SPDX-License-Identifier: GPL-2.0-only */
/* What hits have done soon, again and again: bounded by time, however many ask for it. */
#ifndef KPTRACE_BELL_H
#define KPTRACE_BELL_H

#include <linux/atomic.h>
#include <linux/llist.h>

/**
 * struct kpt_bell - something that hits ask for
 * @ring: does it, in an interrupt after the hit; with PREEMPT_RT in a thread of the CPU
 * @is_asked: it was asked for, and @ring has not begun since
 * @nr_owed: number of calls of @ring that have not ended, for kpt_bell_sync()
 * @node: link in the list of the CPU that was asked last
 */
struct kpt_bell {
	void (*ring)(struct kpt_bell *bell);
	atomic_t is_asked;
	atomic_t nr_owed;
	struct llist_node node;
};

#define KPT_BELL_INIT(fn) { .ring = (fn) }

void kpt_bell_init(struct kpt_bell *bell, void (*ring)(struct kpt_bell *bell));
void kpt_bell_ask(struct kpt_bell *bell);
void kpt_bell_sync(struct kpt_bell *bell);
int kpt_bells_init(void);
void kpt_bells_exit(void);
void kpt_bells_drain(unsigned int cpu);

#endif
