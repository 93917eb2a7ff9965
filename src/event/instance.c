// SPDX-License-Identifier: GPL-2.0-only
/* Instances, and the side each event has in each of them. */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "engine/calls.h"
#include "event/filter.h"
#include "event/marker.h"
#include "event/probe.h"
#include "event/snapshot.h"
#include "event/task_filter.h"
#include "trigger/trigger.h"

LIST_HEAD(kpt_instances);
struct kpt_instance kpt_top_instance;

/* Options that are on when nobody chose: mainline's. */
#define DEFAULT_OPTIONS \
	(KPT_OPT_CONTEXT_INFO | KPT_OPT_IRQ_INFO | KPT_OPT_HASH_PTR | \
	 KPT_OPT_ANNOTATE | KPT_OPT_MARKERS | KPT_OPT_PRINT_PARENT)

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

/* Collect what arming or disarming a file means for its points. */
static int collect(struct kpt_event_file *file, bool arm, struct kpt_batch *batch)
{
	struct kpt_probe *probe;
	int err = 0;

	list_for_each_entry(probe, &file->event->probes, sibling) {
		err = arm ? kpt_probe_enable(probe, file, batch) :
			    kpt_probe_disable(probe, file, batch);
		if (err)
			break;
	}
	return err;
}

static int finish(struct kpt_batch *batch, int err)
{
	if (!err)
		return kpt_batch_apply(batch);
	kpt_batch_drop(batch);
	return err;
}

/**
 * kpt_event_file_set_enabled() - switch several events of an instance at once
 * @files: the files
 * @nr: how many
 * @on: what to
 *
 * All are armed or disarmed in one batch, see point.h.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -errno; then nothing has changed.
 */
int kpt_event_file_set_enabled(struct kpt_event_file **files, unsigned int nr, bool on)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	unsigned int i;
	int err = 0;

	/* What a trigger holds is armed and stays so. */
	for (i = 0; !err && i < nr; i++)
		if (!files[i]->soft && files[i]->enabled != on)
			err = collect(files[i], on, &batch);
	err = finish(&batch, err);
	if (err)
		return err;
	for (i = 0; i < nr; i++) {
		WRITE_ONCE(files[i]->enabled, on);
		files[i]->was_enabled |= on;
	}
	if (!on)
		kpt_calls_drop_idle();
	return 0;
}

/* Whether a file is held must be known before a hit comes that has to ask. */
static void add_soft(struct kpt_event_file *file, struct kpt_event_file *other, int n)
{
	WRITE_ONCE(file->soft, file->soft + n);
	kpt_event_file_note_special(file);
	if (other) {
		WRITE_ONCE(other->soft, other->soft + n);
		kpt_event_file_note_special(other);
	}
}

/* Arm or disarm what has one reference and is not enabled. */
static int switch_soft(struct kpt_event_file *file, struct kpt_event_file *other, bool arm)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	int err = 0;

	if (file->soft == 1 && !file->enabled)
		err = collect(file, arm, &batch);
	if (!err && other && other->soft == 1 && !other->enabled)
		err = collect(other, arm, &batch);
	return finish(&batch, err);
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
int kpt_event_file_hold(struct kpt_event_file *file, struct kpt_event_file *other)
{
	int err;

	add_soft(file, other, 1);
	err = switch_soft(file, other, true);
	if (err)
		add_soft(file, other, -1);
	return err;
}

/**
 * kpt_event_file_release() - the reverse of kpt_event_file_hold()
 * @file: the same
 * @other: the same
 *
 * No hit runs the trigger any more.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -errno; then nothing has changed.
 */
int kpt_event_file_release(struct kpt_event_file *file, struct kpt_event_file *other)
{
	int err = switch_soft(file, other, false);

	if (err)
		return err;
	add_soft(file, other, -1);
	kpt_calls_drop_idle();
	return 0;
}

/**
 * kpt_event_file_read_counts() - sum of the counters of a file
 * @file: the file
 * @sum: result
 *
 * Context: any.
 */
void kpt_event_file_read_counts(struct kpt_event_file *file, struct kpt_event_file_counts *sum)
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

/**
 * kpt_instance_set_clock() - change what time stamps mean
 * @instance: the instance; its records are gone, those put aside as well
 * @clock: the clock
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_instance_set_clock(struct kpt_instance *instance, enum kpt_clock clock)
{
	kpt_buffer_set_clock(&instance->buffer, clock);
	kpt_buffer_reset(&instance->snapshot, -1);
}

static void instance_fini(struct kpt_instance *instance)
{
	kpt_errlog_clear(&instance->errlog);
	kpt_task_filter_exit(instance);
	kpt_group_filters_free(instance);
	kpt_snapshot_exit(instance);
	kpt_buffer_fini(&instance->buffer);
}

static int instance_init(struct kpt_instance *instance, const char *name)
{
	int err;

	err = kpt_buffer_init(&instance->buffer, KPT_BUFFER_DEFAULT_KB);
	if (err)
		return err;
	err = kpt_snapshot_init(instance);
	if (err) {
		kpt_buffer_fini(&instance->buffer);
		return err;
	}
	strscpy(instance->name, name, sizeof(instance->name));
	instance->options = DEFAULT_OPTIONS;
	kpt_task_filter_init(instance);
	kpt_errlog_init(&instance->errlog);
	INIT_LIST_HEAD(&instance->files);
	INIT_LIST_HEAD(&instance->group_filters);
	refcount_set(&instance->refs, 1);
	err = kpt_marker_add(instance);
	if (err) {
		instance_fini(instance);
		return err;
	}
	list_add_tail(&instance->list, &kpt_instances);
	return 0;
}

/**
 * kpt_instance_stop() - remove every trigger of an instance and disable its
 * events, these in one batch
 * @instance: the instance
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM; then some of it may be left.
 */
int kpt_instance_stop(struct kpt_instance *instance)
{
	struct kpt_event_file **files, *file;
	unsigned int nr = 0;
	int err;

	err = kpt_trigger_remove_all(instance);
	if (err)
		return err;
	list_for_each_entry(file, &instance->files, instance_link)
		nr += file->enabled;
	if (!nr)
		return 0;
	files = kvmalloc_array(nr, sizeof(*files), GFP_KERNEL);
	if (!files)
		return -ENOMEM;
	nr = 0;
	list_for_each_entry(file, &instance->files, instance_link)
		if (file->enabled)
			files[nr++] = file;
	err = kpt_event_file_set_enabled(files, nr, false);
	kvfree(files);
	return err;
}

static struct kpt_instance *find_instance(const char *name)
{
	struct kpt_instance *instance;

	list_for_each_entry(instance, &kpt_instances, list)
		if (!strcmp(instance->name, name))
			return instance;
	return NULL;
}

/**
 * kpt_instance_create() - make an instance with its side of every event
 * @name: its name
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the instance, or ERR_PTR(): -EEXIST, -ENOMEM.
 */
struct kpt_instance *kpt_instance_create(const char *name)
{
	struct kpt_instance *instance;
	struct kpt_event *event;
	int err;

	if (find_instance(name))
		return ERR_PTR(-EEXIST);
	instance = kzalloc(sizeof(*instance), GFP_KERNEL);
	if (!instance)
		return ERR_PTR(-ENOMEM);
	err = instance_init(instance, name);
	if (err) {
		kfree(instance);
		return ERR_PTR(err);
	}
	list_for_each_entry(event, &kpt_events, list) {
		if (kpt_event_file_add(event, instance))
			continue;
		if (!kpt_instance_remove(instance))
			kpt_instance_free(instance);
		return ERR_PTR(-ENOMEM);
	}
	return instance;
}

/**
 * kpt_instance_remove() - take an instance off the lists
 * @instance: the instance; its events are disabled
 *
 * No file of it can be opened from then on. The caller removes its directories,
 * then calls kpt_instance_free().
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, -EBUSY if files of it are open, or -ENOMEM.
 */
int kpt_instance_remove(struct kpt_instance *instance)
{
	struct kpt_event_file *file, *next;
	int err;

	if (!refcount_dec_if_one(&instance->refs))
		return -EBUSY;
	err = kpt_instance_stop(instance);
	if (err) {
		refcount_set(&instance->refs, 1);
		return err;
	}
	list_for_each_entry_safe(file, next, &instance->files, instance_link)
		kpt_event_file_remove(file);
	list_del(&instance->list);
	return 0;
}

/**
 * kpt_instance_free() - free an instance that left the list
 * @instance: its directories are gone
 *
 * Context: process context, sleeps.
 */
void kpt_instance_free(struct kpt_instance *instance)
{
	instance_fini(instance);
	kfree_rcu(instance, rcu);
}

/**
 * kpt_instance_get() - keep an instance while a file of it is open
 * @instance: the instance; under rcu_read_lock() it may be on its way out
 *
 * Context: any.
 * Return: false if kpt_instance_remove() was called.
 */
bool kpt_instance_get(struct kpt_instance *instance)
{
	return refcount_inc_not_zero(&instance->refs);
}

/**
 * kpt_instance_put() - drop a reference of kpt_instance_get()
 * @instance: the instance
 *
 * Context: any.
 */
void kpt_instance_put(struct kpt_instance *instance)
{
	refcount_dec(&instance->refs);
}

/**
 * kpt_instance_init_top() - make the top instance
 *
 * Context: module load.
 * Return: 0 or -ENOMEM.
 */
int kpt_instance_init_top(void)
{
	kpt_marker_init();
	return instance_init(&kpt_top_instance, "");
}

/**
 * kpt_instance_exit_top() - free the top instance
 *
 * Context: module unload; no event is left.
 */
void kpt_instance_exit_top(void)
{
	kpt_event_file_remove(kpt_top_instance.marker);
	list_del(&kpt_top_instance.list);
	instance_fini(&kpt_top_instance);
}
