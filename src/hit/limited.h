/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KPTRACE_HIT_LIMITED_H
#define KPTRACE_HIT_LIMITED_H

#include "event/event_file.h"
#include "event/hit.h"

__printf(3, 4)
bool kpt_hit_tell(const struct kpt_event_file *file, const struct kpt_hit *hit,
		  const char *what, ...);
void kpt_hit_tell_limited(const struct kpt_event_file *file,
			  struct kpt_event_file_counts *counts,
			  const struct kpt_hit *hit);
void kpt_hit_tell_last(const struct kpt_event_file *file, const struct kpt_limit *limit,
		       const struct kpt_hit *hit);

#endif
