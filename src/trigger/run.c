// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run the triggers of an event at a hit. This runs in BRK context: it takes no lock,
 * allocates no memory, and calls no function through a pointer.
 */
#include <linux/rculist.h>
#include "event/event_filter.h"
#include "trigger/ops.h"

DEFINE_PER_CPU(struct kpt_synth_queue, kpt_synth_queue);

/**
 * kpt_trigger_exit() - free all triggers
 *
 * Context: module unload; all files are closed.
 */
void kpt_trigger_exit(void)
{
	mutex_lock(&kpt_mutex);
	kpt_trigger_free_all();
	mutex_unlock(&kpt_mutex);
}

/* A row of KPT_TRIGGERS as a case of kpt_trigger_run() ... */
#define RUN_BEFORE(KIND, name)				\
	case KPT_TRIGGER_##KIND:			\
		kpt_trigger_##name##_run(t, hit);	\
		break;
#define RUN_AFTER(KIND, name)				\
	case KPT_TRIGGER_##KIND:			\
		after |= BIT(KPT_TRIGGER_##KIND);	\
		break;
#define RUN_GATE(KIND, name)				\
	case KPT_TRIGGER_##KIND:			\
		if (!kpt_trigger_##name##_run(t, hit))	\
			return after | KPT_AFTER_OVER;	\
		break;
#define RUN_CASE(KIND, name, when) RUN_##when(KIND, name)
#define RUN_ONE(KIND, name, when) RUN_BEFORE(KIND, name)

/**
 * kpt_trigger_run() - run the triggers that act before a hit is recorded
 * @file: the event
 * @hit: the hit
 *
 * They run even if the filter of the event or tracing_on keeps the hit from being
 * recorded. The caller has asked kpt_task_filter_allow_task().
 *
 * Context: BRK.
 * Return: @which for kpt_trigger_run_after(), and kpt_file_triggers.after; 0 if it has
 * nothing to run and no event was ever on this one.
 */
u32 kpt_trigger_run(struct kpt_event_file *file, const struct kpt_hit *hit)
{
	struct kpt_trigger *t;
	u32 after = READ_ONCE(file->triggers.after);

	static_assert(BIT(KPT_NR_TRIGGERS) <= KPT_AFTER_OVER);
	list_for_each_entry_lockless(t, &file->triggers.list, list) {
		if (!kpt_trigger_wants(t, hit))
			continue;
		switch (t->kind) {
		KPT_TRIGGERS(RUN_CASE)
		default:
			break;
		}
	}
	return after;
}

/**
 * kpt_trigger_run_one() - run one trigger, whatever its filter
 * @t: the trigger
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_trigger_run_one(struct kpt_trigger *t, const struct kpt_hit *hit)
{
	switch (t->kind) {
	KPT_TRIGGERS(RUN_ONE)
	default:
		break;
	}
}

/* ... and as one of kpt_trigger_run_after(). */
#define AFTER_BEFORE(KIND, name)
#define AFTER_GATE(KIND, name)
#define AFTER_AFTER(KIND, name) RUN_BEFORE(KIND, name)
#define AFTER_CASE(KIND, name, when) AFTER_##when(KIND, name)

/**
 * kpt_trigger_run_after() - run the triggers that act after a hit is recorded
 * @file: the event
 * @hit: the hit
 * @which: from kpt_trigger_run()
 *
 * Context: BRK.
 */
void kpt_trigger_run_after(struct kpt_event_file *file,
			   const struct kpt_hit *hit, u32 which)
{
	struct kpt_trigger *t;

	list_for_each_entry_lockless(t, &file->triggers.list, list) {
		if (!(which & BIT(t->kind)))
			continue;
		switch (t->kind) {
		KPT_TRIGGERS(AFTER_CASE)
		default:
			break;
		}
	}
}
