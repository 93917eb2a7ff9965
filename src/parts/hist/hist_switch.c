// SPDX-License-Identifier: GPL-2.0-only
/*
 * enable_hist, disable_hist: a hit of one event switches the histograms of another event
 * of the same instance.
 */
#include <linux/rculist.h>
#include "parts/hist/hist_trigger.h"
#include "trigger/ops.h"

static void hist_switch_pause(struct kpt_trigger *t, bool pause)
{
	struct kpt_trigger *h;

	if (!kpt_trigger_spend(t))
		return;
	list_for_each_entry_lockless(h, &t->target->triggers.list, list)
		if (h->kind == KPT_TRIGGER_HIST)
			WRITE_ONCE(kpt_trigger_hist_of(h)->paused, pause);
}

/**
 * kpt_trigger_enable_hist_run() - continue the hist triggers of the target
 * @t: the trigger
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_trigger_enable_hist_run(struct kpt_trigger *t,
				 const struct kpt_hit *hit)
{
	hist_switch_pause(t, false);
}

/**
 * kpt_trigger_disable_hist_run() - pause the hist triggers of the target
 * @t: the trigger
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_trigger_disable_hist_run(struct kpt_trigger *t,
				  const struct kpt_hit *hit)
{
	hist_switch_pause(t, true);
}

const struct kpt_trigger_ops kpt_trigger_enable_hist_ops = {
	.name = "enable_hist",
	.family = KPT_TRIGGER_ENABLE_HIST,
	.size = sizeof(struct kpt_trigger),
	.is_hist = true,
	.parse = kpt_trigger_parse_target,
};

const struct kpt_trigger_ops kpt_trigger_disable_hist_ops = {
	.name = "disable_hist",
	.family = KPT_TRIGGER_ENABLE_HIST,
	.size = sizeof(struct kpt_trigger),
	.is_hist = true,
	.parse = kpt_trigger_parse_target,
};
