// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events in instances: enabled, held by triggers, armed. Many are armed or
 * disarmed in one batch, see point.h.
 */
#include <linux/security.h>
#include <linux/slab.h>
#include "event/class.h"
#include "event/filter.h"

/**
 * kpt_event_file_add() - give an event its side of an instance
 * @event: the event
 * @instance: the instance
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the file, or NULL without memory.
 */
struct kpt_event_file *kpt_event_file_add(struct kpt_event *event,
					  struct kpt_instance *instance)
{
	struct kpt_event_file *file;

	file = kzalloc(sizeof(*file), GFP_KERNEL);
	if (!file)
		return NULL;
	file->counts = alloc_percpu(struct kpt_event_file_counts);
	if (!file->counts) {
		kfree(file);
		return NULL;
	}
	refcount_inc(&event->refs);
	file->event = event;
	file->instance = instance;
	INIT_LIST_HEAD(&file->triggers);
	refcount_set(&file->refs, 1);
	list_add_tail(&file->event_link, &event->files);
	list_add_tail(&file->instance_link, &instance->files);
	return file;
}

/**
 * kpt_event_file_get() - keep a file while it is open
 * @file: the file; under rcu_read_lock() it may be on its way out
 *
 * Context: any.
 * Return: false if it has no reference any more.
 */
bool kpt_event_file_get(struct kpt_event_file *file)
{
	return refcount_inc_not_zero(&file->refs);
}

/**
 * kpt_event_file_put() - done with a file
 * @file: the file; freed by the last put
 *
 * Context: process context.
 */
void kpt_event_file_put(struct kpt_event_file *file)
{
	if (!refcount_dec_and_test(&file->refs))
		return;
	kpt_event_filter_free(file->filter);
	free_percpu(file->counts);
	kpt_event_put(file->event);
	kfree_rcu(file, rcu);
}

/**
 * kpt_event_file_remove() - take a file off the lists
 * @file: a file that is not enabled
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_event_file_remove(struct kpt_event_file *file)
{
	list_del(&file->event_link);
	list_del(&file->instance_link);
	kpt_group_filter_forget(file->instance, file->event->group);
	kpt_event_file_put(file);
}

/* Collect what disarming a file means for its points. */
static int event_file_disarm(struct kpt_event_file *file,
			     struct kpt_batch *batch)
{
	struct kpt_probe *probe;
	int err = 0;

	list_for_each_entry(probe, &file->event->probes, sibling) {
		err = file->event->class->disarm(probe, file, batch);
		if (err)
			break;
	}
	return err;
}

/*
 * Collect what arming a file means for its points. All of it or nothing: with
 * -EBUSY and a line in error_log if somebody else holds a place; -EPERM while the
 * kernel is locked down.
 */
static int event_file_arm(struct kpt_event_file *file, struct kpt_batch *batch)
{
	int err = security_locked_down(LOCKDOWN_KPROBES);
	struct kpt_diag diag = {0};
	struct kpt_probe *probe;

	list_for_each_entry(probe, &file->event->probes, sibling) {
		if (!err)
			err = file->event->class->arm(probe, file, batch,
						      &diag);
		if (err != -EBUSY)
			continue;
		kpt_probe_complain(probe, &file->instance->errlog, &diag);
		return event_file_disarm(file, batch) ?: err;
	}
	return err;
}

/**
 * kpt_event_file_rearm() - have the sinks of an armed file made anew
 * @file: what hits have to do for it has changed
 * @batch: hits see the change when it is applied
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_event_file_rearm(struct kpt_event_file *file, struct kpt_batch *batch)
{
	struct kpt_probe *probe;
	int err = 0;

	if (!kpt_event_file_armed(file))
		return 0;
	list_for_each_entry(probe, &file->event->probes, sibling) {
		err = file->event->class->arm(probe, file, batch, NULL);
		if (err)
			break;
	}
	return err;
}

/**
 * kpt_event_file_batch_finish() - apply a batch, or cancel it after an error
 * @batch: the batch
 * @err: what went wrong while it was filled, or 0
 * @log: gets the reason if a place cannot be armed
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: @err, or as kpt_batch_apply().
 */
int kpt_event_file_batch_finish(struct kpt_batch *batch, int err,
				struct kpt_errlog *log)
{
	struct kpt_diag diag = {0};

	if (err)
		kpt_batch_cancel(batch);
	else
		err = kpt_batch_apply(batch, &diag);
	if (diag.code)
		kpt_errlog_add(log, "kptrace", "enable", &diag);
	return err;
}

/* Are there calls to be ended now that the event is armed in fewer instances? */
static bool event_end_calls(struct kpt_event *event)
{
	struct kpt_probe *probe;
	bool any = false;

	if (kpt_event_in_use(event))
		return false;
	list_for_each_entry(probe, &event->probes, sibling)
		any |= kpt_probe_end_calls(probe, KPT_CALLS_UNSEEN);
	return any;
}

/**
 * kpt_event_file_set_enabled() - switch several events of an instance at once
 * @files: the files; those that could not be switched on are NULL afterwards
 * @nr: how many
 * @on: what to
 *
 * All are armed or disarmed in one batch, see point.h. An event of which somebody
 * else holds a place is left as it is, with a line in error_log, and does not
 * keep the others from being switched.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EBUSY if one or more events could not be armed; or -EPERM while the
 * kernel is locked down, -ENOMEM or -EIO, and then nothing has changed.
 */
int kpt_event_file_set_enabled(struct kpt_event_file **files, unsigned int nr,
			       bool on)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	struct kpt_errlog *log;
	bool ended = false;
	unsigned int i;
	int err = 0, busy = 0;

	if (!nr)
		return 0;
	log = &files[0]->instance->errlog;
	for (i = 0; !err && i < nr; i++) {
		/* What a trigger holds is armed and stays so. */
		if (files[i]->soft || files[i]->enabled == on)
			continue;
		err = on ? event_file_arm(files[i], &batch) :
			   event_file_disarm(files[i], &batch);
		if (err == -EBUSY) {
			busy = err;
			err = 0;
			files[i] = NULL;
		}
	}
	err = kpt_event_file_batch_finish(&batch, err, log);
	if (err)
		return err;
	for (i = 0; i < nr; i++) {
		if (!files[i])
			continue;
		WRITE_ONCE(files[i]->enabled, on);
		files[i]->was_enabled |= on;
		if (!on)
			ended |= event_end_calls(files[i]->event);
	}
	if (ended)
		kpt_calls_end(KPT_CALLS_UNSEEN);
	return busy;
}

/* Change what a file that has got its first reference means for hits. */
static int file_hold_first(struct kpt_event_file *file, struct kpt_batch *batch)
{
	if (file->soft != 1)
		return 0;
	return file->enabled ? kpt_event_file_rearm(file, batch) :
			       event_file_arm(file, batch);
}

/* The same of one that has lost its last reference. */
static int file_release_last(struct kpt_event_file *file,
			     struct kpt_batch *batch)
{
	if (file->soft)
		return 0;
	return file->enabled ? kpt_event_file_rearm(file, batch) :
			       event_file_disarm(file, batch);
}

/**
 * kpt_event_file_hold() - keep events armed for a trigger
 * @file: the event whose hits run it
 * @other: another event that it switches, or NULL
 *
 * Whether they record does not change: what was not enabled is armed, but only
 * triggers see its hits. Both are armed in one batch.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -errno; then nothing has changed.
 */
int kpt_event_file_hold(struct kpt_event_file *file,
			struct kpt_event_file *other)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	int err;

	file->soft++;
	err = file_hold_first(file, &batch);
	if (other) {
		other->soft++;
		err = err ?: file_hold_first(other, &batch);
	}
	err = kpt_event_file_batch_finish(&batch, err, &file->instance->errlog);
	if (!err)
		return 0;
	file->soft--;
	if (other)
		other->soft--;
	return err;
}

/**
 * kpt_event_file_release() - drop references of kpt_event_file_hold()
 * @files: the events, each as often as references of it are dropped
 * @nr: how many
 *
 * No hit runs their triggers any more. All are disarmed in one batch.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -errno; then nothing has changed.
 */
int kpt_event_file_release(struct kpt_event_file **files, unsigned int nr)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	bool ended = false;
	unsigned int i;
	int err = 0;

	for (i = 0; i < nr; i++) {
		files[i]->soft--;
		err = err ?: file_release_last(files[i], &batch);
	}
	err = kpt_event_file_batch_finish(&batch, err,
					  &files[0]->instance->errlog);
	for (i = 0; err && i < nr; i++)
		files[i]->soft++;
	if (err)
		return err;
	for (i = 0; i < nr; i++)
		ended |= event_end_calls(files[i]->event);
	if (ended)
		kpt_calls_end(KPT_CALLS_UNSEEN);
	return 0;
}

/**
 * kpt_event_file_read_counts() - sum of the counters of a file
 * @file: the file
 * @sum: result
 *
 * Context: any.
 */
void kpt_event_file_read_counts(struct kpt_event_file *file,
				struct kpt_event_file_counts *sum)
{
	const struct kpt_event_file_counts *c;
	int cpu;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(file->counts, cpu);
		sum->recorded += READ_ONCE(c->recorded);
		sum->filtered += READ_ONCE(c->filtered);
		sum->missed += READ_ONCE(c->missed);
		sum->lost += READ_ONCE(c->lost);
	}
}
