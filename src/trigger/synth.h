/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of synthetic events. For src/hit/, which delivers them. */
#ifndef KPTRACE_TRIGGER_SYNTH_H
#define KPTRACE_TRIGGER_SYNTH_H

#include "event/hit.h"
#include "event/synthetic.h"
#include "trigger/hist.h"

/**
 * struct kpt_synth_made - a record that an action has made and nobody has got yet
 * @next: the next one on this CPU
 * @synth: its event
 * @size: its bytes
 * @record: the record
 *
 * One for each CPU and action is enough, see kpt_hit_deliver_synth().
 */
struct kpt_synth_made {
	struct kpt_synth_made *next;
	struct kpt_synthetic *synth;
	size_t size;
	u64 record[];
};

struct kpt_synth_made __percpu *
kpt_trigger_synth_alloc(const struct kpt_synthetic *synth);
void kpt_trigger_synth_make(struct kpt_synth_made *made,
			    const struct kpt_trigger_hist *h,
			    const struct kpt_hist_action *action,
			    const struct kpt_hist_hit *hit);

/**
 * kpt_trigger_synth_take() - take the next record of a synthetic event
 *
 * Context: BRK.
 * Return: the record, valid until the action that made it runs again; NULL if there is
 * none.
 */
static __always_inline struct kpt_synth_made *kpt_trigger_synth_take(void)
{
	struct kpt_synth_queue *queue = raw_cpu_ptr(&kpt_synth_queue);
	struct kpt_synth_made *made = queue->first;

	if (made)
		queue->first = made->next;
	queue->last = NULL;
	return made;
}

#endif
