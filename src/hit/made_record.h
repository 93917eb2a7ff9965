/* SPDX-License-Identifier: GPL-2.0-only */
/* Hits without a place in text, and records that are made without a hit. */
#ifndef KPTRACE_MADE_RECORD_H
#define KPTRACE_MADE_RECORD_H

#include "engine/hook.h"

struct pt_regs;

void kpt_hit_made(const struct kpt_hook *hook, void *record, size_t size,
		  u16 context);
void kpt_hit_interrupt(const struct kpt_hook *hook, struct pt_regs *regs);

#endif
