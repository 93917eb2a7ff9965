/* SPDX-License-Identifier: GPL-2.0-only */
/* What a hit asks for that has records shown on the console. */
#ifndef KPTRACE_TRIGGER_DUMP_H
#define KPTRACE_TRIGGER_DUMP_H

#include <linux/irq_work.h>
#include "event/instance.h"

/**
 * struct kpt_dump - a dump that was asked for
 * @asked: it was asked for, and is not over; taken by a hit, given back by @irq
 * @irq: shows it, in an interrupt after the hit; src/fs/crash.c sets its function
 * @instance: whose records; not removed before @irq has run
 * @this_cpu: only those of the CPU of the hit, on which @irq runs
 */
struct kpt_dump {
	atomic_t asked;
	struct irq_work irq;
	struct kpt_instance *instance;
	bool this_cpu;
};

extern struct kpt_dump kpt_dump;

#endif
