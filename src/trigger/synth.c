// SPDX-License-Identifier: GPL-2.0-only
/*
 * Synthetic events: an action of a hist trigger makes a record, and queues it for the
 * sinks of the event (src/hit/synth.c).
 */
#include <linux/percpu.h>
#include "lib/synth.h"
#include "trigger/synth.h"

/* The records that a hit has caused and nobody has got yet: the next one to deliver. */
DEFINE_PER_CPU(struct kpt_synth_made *, kpt_synth_first);

/* The last one that was queued since one was taken, or NULL. */
static DEFINE_PER_CPU(struct kpt_synth_made *, synth_last);

/* Queue before what was there, and behind what the same cause has queued. */
static void synth_queue_add(struct kpt_synth_made *made)
{
	struct kpt_synth_made *last = raw_cpu_read(synth_last), **at;

	at = last ? &last->next : raw_cpu_ptr(&kpt_synth_first);
	made->next = *at;
	*at = made;
	raw_cpu_write(synth_last, made);
}

/**
 * kpt_trigger_synth_take() - take the next record of a synthetic event
 *
 * Context: BRK.
 * Return: the record, valid until the action that made it runs again; NULL if there is
 * none.
 */
struct kpt_synth_made *kpt_trigger_synth_take(void)
{
	struct kpt_synth_made *made = raw_cpu_read(kpt_synth_first);

	if (made)
		raw_cpu_write(kpt_synth_first, made->next);
	raw_cpu_write(synth_last, NULL);
	return made;
}

static void synth_put_param(struct kpt_synth_writer *w, unsigned int i,
			    const struct kpt_hist_map *map,
			    const struct kpt_hist_field *f,
			    const struct kpt_hist_hit *hit)
{
	const char *text;
	const u64 *stack;
	size_t len;

	if (kpt_hist_is_number(f)) {
		kpt_synth_put_number(w, i, kpt_hist_number(f, hit));
	} else if (kpt_hist_is_text(f)) {
		text = kpt_hist_text(map, f, hit, &len);
		kpt_synth_put_text(w, i, text, len);
	} else {
		stack = kpt_hist_stack(map, f, hit);
		kpt_synth_put_stack(w, i, stack + 1, stack[0]);
	}
}

/**
 * kpt_trigger_synth_alloc() - allocate the memory of an action for its records
 * @synth: the event that it records
 *
 * Context: process context, sleeps.
 * Return: the memory, for free_percpu(); or NULL.
 */
struct kpt_synth_made __percpu *
kpt_trigger_synth_alloc(const struct kpt_synthetic *synth)
{
	size_t room = kpt_synth_room(synth->base.event->fields);

	return __alloc_percpu(sizeof(struct kpt_synth_made) + room, sizeof(u64));
}

/**
 * kpt_trigger_synth_make() - make a record for kpt_hit_deliver_synth()
 * @made: memory of the action for it, on this CPU
 * @h: the trigger
 * @action: the action
 * @hit: the hit, as kpt_hist_add_related() has left it
 *
 * Does nothing if no instance has the event armed.
 *
 * Context: BRK. Uses KPT_HIST_KEY_MAX bytes of port_scratch().
 */
void kpt_trigger_synth_make(struct kpt_synth_made *made,
			    const struct kpt_trigger_hist *h,
			    const struct kpt_hist_action *action,
			    const struct kpt_hist_hit *hit)
{
	const struct kpt_hist_param *param = &h->hist.param[action->first];
	struct kpt_synthetic *synth = action->synth;
	const struct kpt_event *event = synth->base.event;
	struct kpt_synth_writer w;
	unsigned int i;

	if (!READ_ONCE(synth->hook.handlers))
		return;
	kpt_synth_begin(&w, event->fields, made->record, hit->record, event->id);
	for (i = 0; i < action->nr; i++)
		synth_put_param(&w, i, h->shared->map, &param[i].value, hit);
	made->size = w.size;
	made->synth = synth;
	synth_queue_add(made);
}
