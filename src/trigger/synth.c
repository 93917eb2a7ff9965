// SPDX-License-Identifier: GPL-2.0-only
/*
 * Synthetic events: an action of a hist trigger makes a record, and each sink of the
 * event takes it, as it takes that of a hit.
 */
#include <linux/percpu.h>
#include "buffer/write.h"
#include "event/handlers.h"
#include "event/task_filter.h"
#include "lib/synth.h"
#include "trigger/synth.h"

/**
 * struct synth_queue - the records that a hit has caused and nobody has got yet
 * @first: the next one to deliver
 * @last: the last one that was queued since one was taken from the queue, or NULL
 * @is_delivering: somebody takes them
 * @hit: the hit, with the record that is being delivered
 */
struct synth_queue {
	struct kpt_synth_made *first;
	struct kpt_synth_made *last;
	bool is_delivering;
	struct kpt_hit hit;
};

static DEFINE_PER_CPU(struct synth_queue, synth_queue);

/* Queue before what was there, and behind what the same trigger has queued. */
static void synth_queue_add(struct synth_queue *q, struct kpt_synth_made *made)
{
	struct kpt_synth_made **at = q->last ? &q->last->next : &q->first;

	made->next = *at;
	*at = made;
	q->last = made;
}

static struct kpt_synth_made *synth_queue_take(struct synth_queue *q)
{
	struct kpt_synth_made *made = q->first;

	q->first = made->next;
	q->last = NULL;
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
 * kpt_trigger_synth_make() - make a record for kpt_trigger_synth_deliver()
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
	synth_queue_add(this_cpu_ptr(&synth_queue), made);
}

static noinline void synth_record(const struct kpt_sink *sink, const struct kpt_hit *hit)
{
	struct kpt_event_file_counts *counts = this_cpu_ptr(sink->counts);

	if ((atomic_read(&sink->buffer->stops) &&
	     !kpt_task_filter_allow(sink->file->instance)) ||
	    (sink->filter && !kpt_filter_match(sink->filter, hit->record, hit->size,
					       smp_processor_id())))
		counts->filtered++;
	else if (kpt_buffer_record(sink->buffer, hit->record, hit->size))
		counts->recorded++;
	else
		counts->lost++;
}

static void synth_give(const struct kpt_sink *sink, const struct kpt_hit *hit)
{
	struct kpt_event_file *file = sink->file;
	u32 after = 0;

	if (sink->kind == KPT_SINK_TRIGGERS)
		after = kpt_trigger_run(file, hit);
	if (sink->kind == KPT_SINK_RING || READ_ONCE(file->enabled))
		synth_record(sink, hit);
	if (after)
		kpt_trigger_run_after(file, hit, after);
}

static void synth_deliver(const struct kpt_synth_made *made, struct kpt_hit *hit)
{
	const struct kpt_handlers *handlers =
		rcu_dereference_raw(made->synth->hook.handlers);
	const struct kpt_sink *sink;

	if (!handlers)
		return;
	hit->record = (void *)made->record;
	hit->size = made->size;
	this_cpu_ptr(made->synth->base.counts)->hits++;
	kpt_for_each_sink(sink, &handlers->first)
		synth_give(sink, hit);
}

/**
 * kpt_trigger_synth_deliver() - give records of synthetic events to their sinks
 * @cause: the hit that caused them
 *
 * A trigger of a synthetic event may make further records. They are queued, so that
 * no chain of events needs more stack than the first one. A record is delivered
 * before those that were queued before its cause was taken from the queue, so an
 * action's record is delivered before the action can run again: no synthetic event
 * can cause itself.
 *
 * Context: BRK. Uses port_scratch().
 */
void kpt_trigger_synth_deliver(const struct kpt_hit *cause)
{
	struct synth_queue *q = this_cpu_ptr(&synth_queue);

	if (!q->first || q->is_delivering)
		return;
	q->hit = *cause;
	q->is_delivering = true;
	while (q->first)
		synth_deliver(synth_queue_take(q), &q->hit);
	q->is_delivering = false;
}
