/* SPDX-License-Identifier: GPL-2.0-only */
/* Records that are made without a hit. */
#ifndef KPTRACE_MADE_RECORD_H
#define KPTRACE_MADE_RECORD_H

#include "engine/hook.h"

void kpt_hit_made(const struct kpt_hook *hook, void *record, size_t size,
		  u16 context);

#endif
