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
	kpt_event_file_free_filter(file);
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

/* Apply a batch, or cancel it if there was an error. */
static int batch_finish(struct kpt_batch *batch, int err,
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
	err = batch_finish(&batch, err, log);
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

/* Whether a file is held must be known before a hit comes that has to ask. */
static void file_add_soft(struct kpt_event_file *file, int n)
{
	WRITE_ONCE(file->soft, file->soft + n);
	kpt_event_file_note_special(file);
}

/* Arm what has its first reference and is not enabled. */
static int file_arm_soft(struct kpt_event_file *file,
			 struct kpt_event_file *other)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	int err = 0;

	if (file->soft == 1 && !file->enabled)
		err = event_file_arm(file, &batch);
	if (!err && other && other->soft == 1 && !other->enabled)
		err = event_file_arm(other, &batch);
	return batch_finish(&batch, err, &file->instance->errlog);
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
	int err;

	file_add_soft(file, 1);
	if (other)
		file_add_soft(other, 1);
	err = file_arm_soft(file, other);
	if (!err)
		return 0;
	file_add_soft(file, -1);
	if (other)
		file_add_soft(other, -1);
	return err;
}

/* Disarm what has no other reference and is not enabled. */
static int file_disarm_soft(struct kpt_event_file **files, unsigned int nr)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < nr; i++)
		if (++files[i]->leaving == files[i]->soft && !files[i]->enabled)
			err = event_file_disarm(files[i], &batch);
	for (i = 0; i < nr; i++)
		files[i]->leaving = 0;
	return batch_finish(&batch, err, &files[0]->instance->errlog);
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
	int err = file_disarm_soft(files, nr);
	bool ended = false;
	unsigned int i;

	if (err)
		return err;
	for (i = 0; i < nr; i++)
		file_add_soft(files[i], -1);
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
