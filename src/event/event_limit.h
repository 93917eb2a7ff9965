/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits of event files: how many hits an instance records. */
#ifndef KPTRACE_EVENT_LIMIT_H
#define KPTRACE_EVENT_LIMIT_H

#include "event/event_file.h"
#include "kernel/clock.h"
#include "lib/record/limit.h"

int kpt_event_file_set_limit(struct kpt_event_file *file, const char *text,
			     struct kpt_diag *diag);
void kpt_event_file_show_limit(const struct kpt_event_file *file,
			       struct kpt_strbuf *sb);

/**
 * kpt_limit_now() - the counter that limits count with
 *
 * Context: any, BRK included.
 * Return: 1 / kpt_clock_rate seconds each.
 */
static __always_inline u64 kpt_limit_now(void)
{
	return kpt_clock_stamp(KPT_CLOCK_LOCAL);
}

#endif
