// SPDX-License-Identifier: GPL-2.0-only
/*
 * Synthetic events: an action of a hist trigger makes a record, and queues it for the
 * sinks of the event (src/parts/hist/synth_deliver.c).
 */
#include <linux/percpu.h>
#include "parts/hist/hist_hit.h"
#include "parts/hist/synth.h"
#include "parts/hist/synth_make.h"

/*
 * Queue a record. Those of one cause, the hit or the record that was taken last, stay in
 * their order, and come before all that was queued before that cause.
 */
static __always_inline void synth_queue_add(struct kpt_synth_made *made)
{
	struct kpt_synth_queue *queue = raw_cpu_ptr(&kpt_synth_queue);
	struct kpt_synth_made **at = queue->last ? &queue->last->next : &queue->first;

	made->next = *at;
	*at = made;
	queue->last = made;
}

static noinline void synth_put_long(struct kpt_synth_writer *w, unsigned int i,
				    const struct kpt_hist_map *map,
				    const struct kpt_hist_field *f,
				    const struct kpt_hist_hit *hit)
{
	const char *text;
	const u64 *stack;
	size_t len;

	if (kpt_hist_is_text(f)) {
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
	for (i = 0; i < action->nr; i++) {
		if (likely(kpt_hist_is_number(&param[i].value)))
			kpt_synth_put_number(&w, i, kpt_hist_value(&param[i].value, hit));
		else
			synth_put_long(&w, i, h->shared->map, &param[i].value, hit);
	}
	made->size = w.size;
	made->synth = synth;
	synth_queue_add(made);
}

/**
 * kpt_trigger_synth_record() - record a synthetic event without a copy
 * @h: the trigger
 * @action: the action, with kpt_hist_action.only_numbers
 * @hit: the hit, whose record is in its ring, as kpt_hist_add_leaf() has left it
 *
 * Does nothing if no instance has the event armed. Records that are queued go first.
 *
 * Context: BRK.
 * Return: true; or false, with no side effects: call kpt_trigger_synth_make().
 */
bool kpt_trigger_synth_record(const struct kpt_trigger_hist *h,
			      const struct kpt_hist_action *action,
			      const struct kpt_hist_hit *hit)
{
	const struct kpt_hist_param *param = &h->hist.param[action->first];
	const struct kpt_synthetic *synth = action->synth;
	const struct kpt_event *event = synth->base.event;
	const struct kpt_handlers *handlers = rcu_dereference_raw(synth->hook.handlers);
	struct kpt_synth_writer w;
	unsigned int i;
	void *rec;

	if (!handlers)
		return true;
	if (unlikely(kpt_trigger_has_synth()))
		return false;
	/* What kpt_probe_init_shaped() says of the size is exact where all are numbers. */
	if (unlikely(!kpt_trigger_synth_begin(handlers, handlers->first.words, &rec)))
		return false;
	kpt_synth_begin(&w, event->fields, rec, hit->record, event->id);
	for (i = 0; i < action->nr; i++)
		kpt_synth_put_number(&w, i, kpt_hist_value(&param[i].value, hit));
	kpt_trigger_synth_end(handlers);
	return true;
}
