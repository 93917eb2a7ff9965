/* SPDX-License-Identifier: GPL-2.0-only */
/* Synthetic events: actions of triggers record them. */
#ifndef KPTRACE_SYNTHETIC_H
#define KPTRACE_SYNTHETIC_H

#include "event/event.h"

/**
 * struct kpt_synthetic - the only probe of a synthetic event
 * @base: the part that all probes have
 * @hook: its handler, which has a sink for each instance where the event is armed
 * @users: number of actions that record it
 */
struct kpt_synthetic {
	struct kpt_probe base;
	struct kpt_hook hook;
	unsigned int users;
};

struct kpt_synthetic *kpt_synthetic_find(const char *name, size_t len);

/* s: synthetic events, which actions of triggers record. */
extern const struct kpt_event_class kpt_class_synthetic;

#endif
