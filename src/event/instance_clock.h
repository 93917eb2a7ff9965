/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock of an instance. */
#ifndef KPTRACE_EVENT_CLOCK_H
#define KPTRACE_EVENT_CLOCK_H

#include "kernel/clock.h"

struct kpt_instance;

void kpt_instance_set_clock(struct kpt_instance *instance, enum kpt_clock clock,
			    bool yields);

#endif
