/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of synthetic events, which triggers have made, go to their sinks. */
#ifndef KPTRACE_HIT_SYNTH_H
#define KPTRACE_HIT_SYNTH_H

struct kpt_hit;

void kpt_hit_deliver_synth(struct kpt_hit *cause);

#endif
