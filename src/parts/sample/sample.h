/* SPDX-License-Identifier: GPL-2.0-only */
/* Probes on time: c. */
#ifndef KPTRACE_SAMPLE_H
#define KPTRACE_SAMPLE_H

#include "event/class.h"

extern const struct kpt_event_class kpt_class_sample;

int kpt_samples_init(void);
void kpt_samples_exit(void);

#endif
