// SPDX-License-Identifier: GPL-2.0-only
/* The clock and the lists of tasks of an instance: tell the stubs that record its hits. */
#include "event/instance_clock.h"
#include "event/event_file.h"
#include "event/instance.h"
#include "event/task_filter.h"
#include "kernel/lock.h"
#include "part.h"

/* Have the recorders of some events made again. */
static int rearm_some(struct kpt_instance *instance, struct kpt_event_file **files,
		       unsigned int nr)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < nr; i++)
		err = files[i] ? kpt_event_file_rearm(files[i], &batch) : 0;
	return kpt_event_file_batch_finish(&batch, err, &instance->errlog);
}

static int rearm_all(struct kpt_instance *instance, bool yields)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	struct kpt_event_files which = { .instance = instance };
	struct kpt_event_file **piece;
	unsigned int nr;
	int err;

	err = kpt_event_file_batch_finish(&batch, kpt_parts_rearm(instance, &batch),
					  &instance->errlog) ?:
	      kpt_event_files_begin(&which);
	while (!err) {
		nr = kpt_event_files_next(&which, &piece);
		err = rearm_some(instance, piece, nr);
		if (!which.more)
			break;
		if (!err && yields)
			err = kpt_mutex_yield_kept();
	}
	return err;
}

/* How stubs make the stamps of a clock: clocks with one number have one way. */
static unsigned int stamps_of(enum kpt_clock clock)
{
	if (kpt_clock_is_raw(clock))
		return clock == KPT_CLOCK_UNORDERED;
	/* It gives each record its own. */
	return clock == KPT_CLOCK_COUNTER ? 3 : 2;
}

/**
 * kpt_instance_set_clock() - set the clock of time stamps
 * @instance: the instance; buffer and snapshot are cleared
 * @clock: the clock
 * @yields: others may take kpt_mutex meanwhile
 *
 * Stubs read the counter in another way for KPT_CLOCK_UNORDERED, and call what makes stamps that
 * are not the counter, so their recorders are made again. If there is no memory for that, or
 * the task is killed, hits are recorded without them, which takes longer, until a clock is set
 * again.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_instance_set_clock(struct kpt_instance *instance, enum kpt_clock clock,
			    bool yields)
{
	struct kpt_buffer *buf = &instance->buffer;
	unsigned long changes = ++instance->clock_changes;
	bool is_known = !instance->has_old_recorders &&
			stamps_of(buf->clock) == stamps_of(clock) &&
			kpt_clock_is_raw(buf->clock) == kpt_buffer_stubs_may_stamp(buf);

	lockdep_assert_held(&kpt_mutex);
	kpt_buffer_set_clock(buf, clock);
	kpt_buffer_reset(&instance->snapshot.buffer, -1);
	if (!is_known) {
		instance->has_old_recorders = true;
		/* A task that has set another clock in between has made them all again. */
		if (rearm_all(instance, yields) || changes != instance->clock_changes)
			return;
		instance->has_old_recorders = false;
	}
	kpt_buffer_let_stubs_stamp(buf, clock);
}

/**
 * kpt_instance_ask_tasks() - let recorders ask for tasks first, if there are lists of tasks
 * @instance: the instance, whose lists may have changed
 *
 * If there is no memory for that, or the task is killed, some ask in another way, which takes
 * longer, and run triggers for all tasks.
 *
 * Context: process context, sleeps, kpt_mutex held; others may take it meanwhile.
 */
void kpt_instance_ask_tasks(struct kpt_instance *instance)
{
	bool has_lists = kpt_task_filter_has_lists(instance);

	if (instance->asks_tasks == has_lists)
		return;
	instance->asks_tasks = has_lists;
	rearm_all(instance, true);
}
