// SPDX-License-Identifier: GPL-2.0-only
/*
 * Synthetic events: an action of a hist trigger makes a record, and each sink of the
 * event takes it, as it takes that of a hit.
 */
#include "buffer/write.h"
#include "event/handlers.h"
#include "event/task_filter.h"
#include "lib/synth.h"
#include "trigger/synth.h"
#include "trigger/trigger.h"

/*
 * A synthetic event may cause others, which may cause others, each on the stack of the
 * same hit. Deeper ones are counted as missed.
 */
#define LEVELS_MAX 4

static void synth_record(const struct kpt_sink *sink, const struct kpt_hit *hit)
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

static void synth_deliver(const struct kpt_sink *sink, const struct kpt_hit *hit)
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

/* The stack of the cause is walked again: the memory it was in may have been used. */
static void synth_put_stack(struct kpt_synth_writer *w, unsigned int i,
			    const struct kpt_hit *cause, const u64 *stack)
{
	u64 *own;

	if (stack) {
		kpt_synth_put_stack(w, i, stack + 1,
				    min_t(u64, stack[0], KPT_SYNTH_STACK_MAX));
		return;
	}
	own = port_scratch();
	kpt_synth_put_stack(w, i, own, kpt_trigger_stack_collect(cause, own,
							KPT_SYNTH_STACK_MAX));
}

static void synth_put_param(struct kpt_synth_writer *w, unsigned int i,
			    const struct kpt_hist_field *f,
			    const struct kpt_hist_map *map,
			    const struct kpt_hit *cause,
			    const struct kpt_hist_hit *hist_hit)
{
	const char *text;
	size_t len;

	if (kpt_hist_is_number(f)) {
		kpt_synth_put_number(w, i, kpt_hist_number(f, hist_hit));
	} else if (kpt_hist_is_text(f)) {
		text = kpt_hist_text(map, f, hist_hit, &len);
		kpt_synth_put_text(w, i, text, len);
	} else {
		synth_put_stack(w, i, cause, kpt_hist_stack(map, f, hist_hit));
	}
}

/**
 * kpt_trigger_synth() - record a synthetic event
 * @synth: the event; nothing is done if no instance has it armed
 * @hist: the trigger
 * @action: its action
 * @map: its map
 * @cause: the hit that ran the trigger
 * @hist_hit: the same hit, as kpt_hist_add_related() has left it
 *
 * Context: BRK. Uses port_scratch().
 */
void kpt_trigger_synth(struct kpt_synthetic *synth, const struct kpt_hist *hist,
		       const struct kpt_hist_action *action,
		       const struct kpt_hist_map *map, const struct kpt_hit *cause,
		       const struct kpt_hist_hit *hist_hit)
{
	const struct kpt_handlers *handlers =
		rcu_dereference_raw(synth->hook.handlers);
	const struct kpt_event *event = synth->base.event;
	struct kpt_hit hit = *cause;
	const struct kpt_sink *sink;
	struct kpt_synth_writer w;
	unsigned int i;

	if (!handlers)
		return;
	if (cause->level == LEVELS_MAX) {
		this_cpu_ptr(synth->base.counts)->missed++;
		kpt_for_each_sink(sink, &handlers->first)
			this_cpu_ptr(sink->counts)->missed++;
		return;
	}
	kpt_synth_begin(&w, event->fields, this_cpu_ptr(synth->room), cause->record,
			event->id);
	for (i = 0; i < action->nr; i++)
		synth_put_param(&w, i, &hist->param[action->first + i].value, map,
				cause, hist_hit);
	hit.record = w.record;
	hit.size = w.size;
	hit.level++;
	this_cpu_ptr(synth->base.counts)->hits++;
	kpt_for_each_sink(sink, &handlers->first)
		synth_deliver(sink, &hit);
}
