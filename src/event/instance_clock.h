/* SPDX-License-Identifier: GPL-2.0-only */
/* What the recorders of an instance know of it: its clock, and whether it has lists of tasks. */
#ifndef KPTRACE_EVENT_CLOCK_H
#define KPTRACE_EVENT_CLOCK_H

#include "kernel/clock.h"

struct kpt_instance;

void kpt_instance_set_clock(struct kpt_instance *instance, enum kpt_clock clock,
			    bool yields);
void kpt_instance_ask_tasks(struct kpt_instance *instance);

#endif
