/* SPDX-License-Identifier: GPL-2.0-only */
/* Record synthetic events. Only for files of src/trigger/. */
#ifndef KPTRACE_TRIGGER_SYNTH_H
#define KPTRACE_TRIGGER_SYNTH_H

#include "event/hit.h"
#include "event/synthetic.h"
#include "lib/hist.h"

void kpt_trigger_synth(struct kpt_synthetic *synth, const struct kpt_hist *hist,
		       const struct kpt_hist_action *action,
		       const struct kpt_hist_map *map, const struct kpt_hit *cause,
		       const struct kpt_hist_hit *hist_hit);

#endif
