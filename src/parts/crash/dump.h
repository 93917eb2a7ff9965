/* SPDX-License-Identifier: GPL-2.0-only */
/* What a hit asks for that has records shown on the console. */
#ifndef KPTRACE_TRIGGER_DUMP_H
#define KPTRACE_TRIGGER_DUMP_H

#include "event/instance.h"
#include "kernel/bell.h"

/**
 * struct kpt_dump - a dump that was asked for
 * @asked: it was asked for, and is not over; taken by a hit, given back by @bell
 * @bell: shows it, in an interrupt after the hit; src/parts/crash/crash.c sets its function
 * @instance: whose records; not removed before @bell is rung
 * @cpu: only those of this CPU, on which the hit was; or -1
 */
struct kpt_dump {
	atomic_t asked;
	struct kpt_bell bell;
	struct kpt_instance *instance;
	int cpu;
};

extern struct kpt_dump kpt_dump;

#endif
