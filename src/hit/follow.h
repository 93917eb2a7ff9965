/* SPDX-License-Identifier: GPL-2.0-only */
/* Events on events: they record when another event does. */
#ifndef KPTRACE_FOLLOW_H
#define KPTRACE_FOLLOW_H

struct kpt_handlers;
struct kpt_hit;

void kpt_hit_follow(const struct kpt_handlers *followers, unsigned int from,
		    const struct kpt_hit *hit);
void kpt_hit_follow_missed(const struct kpt_handlers *followers, unsigned int from);

#endif
