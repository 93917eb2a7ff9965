// SPDX-License-Identifier: GPL-2.0-only
/* snapshot: a hit takes a snapshot of its instance. */
#include "event/snapshot.h"
#include "kernel/cpu.h"
#include "trigger/ops.h"

/**
 * kpt_trigger_snapshot_run() - have a snapshot taken soon
 * @t: the trigger
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_trigger_snapshot_run(struct kpt_trigger *t,
			      const struct kpt_hit *hit)
{
	/* A request that would be ignored is not one of those that are counted. */
	if (kpt_irq_work_runs() && kpt_trigger_spend(t))
		kpt_snapshot_request(t->file->instance);
}

static int snapshot_prepare(struct kpt_trigger *t,
			    const struct kpt_trigger_request *r)
{
	return kpt_trigger_arm_snapshot(t, r);
}

const struct kpt_trigger_ops kpt_trigger_snapshot_ops = {
	.name = "snapshot",
	.family = KPT_TRIGGER_SNAPSHOT,
	.size = sizeof(struct kpt_trigger),
	.of_functions = true,
	.prepare = snapshot_prepare,
};
