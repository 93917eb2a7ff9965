// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event files: enabled, held by triggers, armed. One batch arms or disarms many
 * of them, see engine/hook.h.
 */
#include <linux/rculist.h>
#include <linux/security.h>
#include <linux/slab.h>
#include "event/class.h"
#include "event/event_filter.h"
#include "kernel/counters.h"
#include "part.h"

static struct kpt_counters_pool file_counters =
	KPT_COUNTERS_POOL(file_counters, struct kpt_event_file_counts);

/**
 * kpt_event_file_add_unlisted() - make a file that is not in kpt_instance.files
 * @event: the event
 * @instance: the instance
 *
 * For the events of tracers, which the files about all events do not name.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the file, or NULL without memory.
 */
struct kpt_event_file *kpt_event_file_add_unlisted(struct kpt_event *event,
						   struct kpt_instance *instance)
{
	struct kpt_event_file *file;

	lockdep_assert_held(&kpt_mutex);
	file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);
	if (!file)
		return NULL;
	refcount_inc(&event->refs);
	file->event = event;
	file->instance = instance;
	INIT_LIST_HEAD(&file->triggers.list);
	kpt_hook_make(&file->followers, KPT_HOOK_OTHER);
	refcount_set(&file->refs, 1);
	INIT_LIST_HEAD(&file->instance_link);
	list_add_tail_rcu(&file->event_link, &event->files);
	return file;
}

/**
 * kpt_event_file_add() - make the file of an event in an instance
 * @event: the event
 * @instance: the instance
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the file, or NULL without memory.
 */
struct kpt_event_file *kpt_event_file_add(struct kpt_event *event,
					  struct kpt_instance *instance)
{
	struct kpt_event_file *file = kpt_event_file_add_unlisted(event, instance);

	if (file)
		list_add_tail(&file->instance_link, &instance->files);
	return file;
}

/**
 * kpt_event_files_add() - make the file of a new event in all instances
 * @event: the event, without any kpt_event_file
 *
 * Its directories are made when somebody looks them up.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or -ENOMEM, and then the event has no file in some instances.
 */
int kpt_event_files_add(struct kpt_event *event)
{
	struct kpt_instance *instance;

	lockdep_assert_held(&kpt_mutex);
	list_for_each_entry(instance, &kpt_instances, list)
		if (!instance->is_partial && !kpt_event_file_add(event, instance))
			return -ENOMEM;
	return 0;
}

/**
 * kpt_event_file_find() - find the file of an event in an instance
 * @event: the event
 * @instance: the instance
 *
 * Context: any but BRK; needs no lock.
 * Return: the file with a reference for kpt_event_file_put(), or NULL.
 */
struct kpt_event_file *kpt_event_file_find(const struct kpt_event *event,
					   const struct kpt_instance *instance)
{
	struct kpt_event_file *file, *found = NULL;

	rcu_read_lock();
	list_for_each_entry_rcu(file, &event->files, event_link) {
		if (file->instance != instance)
			continue;
		if (refcount_inc_not_zero(&file->refs))
			found = file;
		break;
	}
	rcu_read_unlock();
	return found;
}

/**
 * kpt_event_file_put() - put a reference of a file
 * @file: the file; freed by the last put
 *
 * Context: process context.
 */
void kpt_event_file_put(struct kpt_event_file *file)
{
	if (!refcount_dec_and_test(&file->refs))
		return;
	kpt_hook_fini(&file->followers);
	kpt_event_filter_free(file->filter);
	kfree(file->limit);
	kpt_parts_file_free(file);
	kpt_counters_put(&file_counters, file->hits.counts);
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
	struct kpt_probe *probe;

	lockdep_assert_held(&kpt_mutex);
	list_for_each_entry(probe, &file->event->probes, sibling)
		if (probe->home == file)
			kpt_probe_fold_counts(probe);
	WRITE_ONCE(file->dead, true);
	list_del_rcu(&file->event_link);
	list_del(&file->instance_link);
	file->instance->nr_removed++;
	if (file->event->of->nr_events == 1)
		kpt_group_filter_forget(file->instance, file->event->group);
	kpt_event_file_put(file);
}

/* What a change of an event file does with each of its probes. */
typedef int (*event_file_change_t)(struct kpt_probe *probe,
				   struct kpt_event_file *file,
				   struct kpt_batch *batch, struct kpt_diag *diag);

static int event_file_disarm_probe(struct kpt_probe *probe,
				   struct kpt_event_file *file,
				   struct kpt_batch *batch, struct kpt_diag *diag)
{
	return file->event->class->disarm(probe, file, batch);
}

/* Add to @batch the new handlers of all points of @file, up to the first error. */
static int event_file_change(struct kpt_event_file *file, event_file_change_t change,
			     struct kpt_batch *batch, struct kpt_diag *diag)
{
	struct kpt_probe *probe;
	int err;

	list_for_each_entry(probe, &file->event->probes, sibling) {
		err = change(probe, file, batch, diag);
		if (err == -EBUSY && diag)
			kpt_probe_complain(probe, &file->instance->errlog, diag);
		if (err)
			return err;
	}
	return 0;
}

static int event_file_disarm(struct kpt_event_file *file, struct kpt_batch *batch)
{
	return event_file_change(file, event_file_disarm_probe, batch, NULL);
}

/**
 * kpt_event_file_make_counts() - make the counters of a file, unless it has some
 * @file: a file of which hits will not all count in kpt_probe.own_recorded and the like
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_event_file_make_counts(struct kpt_event_file *file)
{
	lockdep_assert_held(&kpt_mutex);
	/* Hits that cannot be recorded look for it. */
	return kpt_counters_make(&file_counters, &file->hits.counts);
}

/* A file is armed. The rings of an instance are made when the first one is. */
static int event_file_use(struct kpt_event_file *file)
{
	int err;

	if (file->was_armed)
		return 0;
	err = kpt_buffer_use(&file->instance->buffer);
	if (err)
		return err;
	file->was_armed = true;
	kpt_parts_armed(file);
	return 0;
}

/* -EPERM while the kernel is locked down. */
static int event_file_may_arm(void)
{
	return security_locked_down(LOCKDOWN_KPROBES);
}

/*
 * Add to @batch the new handlers of all points where @file is armed, or of none:
 * -EBUSY and an entry in error_log if other code has patched a place; -ENOMEM. The caller
 * has asked event_file_may_arm().
 */
static int event_file_arm(struct kpt_event_file *file, struct kpt_batch *batch)
{
	struct kpt_diag diag = { 0 };
	int err = event_file_use(file);

	err = err ?: event_file_change(file, file->event->class->arm, batch, &diag);
	return err == -EBUSY ? event_file_disarm(file, batch) ?: err : err;
}

/**
 * kpt_event_file_rearm() - replace the sinks of an armed file
 * @file: the file; its filter has changed, or whether it is held
 * @batch: hits see the change when it is applied
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_event_file_rearm(struct kpt_event_file *file, struct kpt_batch *batch)
{
	lockdep_assert_held(&kpt_mutex);
	if (!kpt_event_file_armed(file))
		return 0;
	return event_file_change(file, file->event->class->arm, batch, NULL);
}

/**
 * kpt_event_file_batch_finish() - apply a batch, or cancel it after an error
 * @batch: the batch
 * @err: the error met while it was filled, or 0
 * @log: gets the reason if a place cannot be armed
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: @err if that is not 0; else 0, or -EIO if text cannot be written.
 */
int kpt_event_file_batch_finish(struct kpt_batch *batch, int err,
				struct kpt_errlog *log)
{
	struct kpt_diag diag = { 0 };

	lockdep_assert_held(&kpt_mutex);
	if (err)
		kpt_batch_cancel(batch);
	else
		err = kpt_batch_apply(batch, &diag);
	if (diag.code)
		kpt_errlog_add(log, "kptrace", "enable", &diag);
	return err;
}

/*
 * If no instance has the event armed any more, mark the ends of its calls as
 * KPT_CALLS_UNSEEN; the same for the event that it is on. Returns true if the caller
 * must call kpt_calls_end().
 */
static bool event_end_calls(struct kpt_event *event)
{
	struct kpt_probe *probe;
	bool any = false;

	if (event->source)
		any = event_end_calls(event->source);
	if (kpt_event_in_use(event))
		return any;
	list_for_each_entry(probe, &event->probes, sibling)
		any |= kpt_probe_end_calls(probe, KPT_CALLS_UNSEEN);
	return any;
}

/* The same for several files; then end those calls. */
static void event_files_end_calls(struct kpt_event_file **files, unsigned int nr)
{
	bool ended = false;
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (files[i])
			ended |= event_end_calls(files[i]->event);
	if (ended)
		kpt_calls_end(KPT_CALLS_UNSEEN);
}

/**
 * kpt_event_file_set_enabled() - enable or disable several events of an instance
 * @files: the files, an event before those that are on it, as they were defined;
 *	those that could not be enabled are NULL afterwards
 * @nr: number of @files
 * @on: true to enable, false to disable
 *
 * One batch arms or disarms them all. If other code has patched a place of an event,
 * that event does not change, error_log says so, and the others are switched.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EBUSY if one or more events could not be armed; or -EPERM while the
 * kernel is locked down, -ENOMEM, or -EIO if text cannot be written, and then
 * nothing has changed.
 */
int kpt_event_file_set_enabled(struct kpt_event_file **files, unsigned int nr,
			       bool on)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	struct kpt_errlog *log;
	unsigned int i, n;
	int err, busy = 0;

	lockdep_assert_held(&kpt_mutex);
	if (!nr)
		return 0;
	err = on ? event_file_may_arm() : 0;
	log = &files[0]->instance->errlog;
	for (n = 0; !err && n < nr; n++) {
		i = on ? n : nr - 1 - n;
		/* An event that is held is armed, and stays armed. */
		if (kpt_event_file_is_held(files[i]) || files[i]->enabled == on)
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
	}
	if (!on)
		event_files_end_calls(files, nr);
	return busy;
}

static bool event_is_in(const struct kpt_event *event, const char *module)
{
	return event->class->is_in && event->class->is_in(event, module);
}

/* A piece of chosen files, made for the first choice. Under kpt_mutex. */
static struct kpt_event_file **chosen;

/**
 * kpt_event_files_exit() - free what choices have used
 *
 * Context: module unload.
 */
void kpt_event_files_exit(void)
{
	kvfree(chosen);
	chosen = NULL;
}

/**
 * kpt_event_files_have() - is an event one of those that were chosen?
 * @which: the choice
 * @event: the event; never if it is builtin
 *
 * Context: process context, kpt_mutex held.
 * Return: true if it is.
 */
bool kpt_event_files_have(const struct kpt_event_files *which,
			  const struct kpt_event *event)
{
	if (kpt_event_is_builtin(event))
		return false;
	if (which->group && strcmp(which->group, event->group))
		return false;
	if (which->name && strcmp(which->name, event->name))
		return false;
	if (which->module && !event_is_in(event, which->module))
		return false;
	return !which->either || !strcmp(which->either, event->group) ||
	       !strcmp(which->either, event->name);
}

/**
 * kpt_event_files_begin() - begin to walk the chosen events that there are now
 * @which: the choice; static events are made if they are chosen
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_event_files_begin(struct kpt_event_files *which)
{
	const struct list_head *files = &which->instance->files;
	int err;

	lockdep_assert_held(&kpt_mutex);
	if (!chosen)
		chosen = kvcalloc(KPT_PIECE, sizeof(*chosen), GFP_KERNEL);
	err = chosen ? kpt_parts_choose(which) : -ENOMEM;
	if (err)
		return err;
	which->done = 0;
	which->at = NULL;
	which->last = list_last_entry(files, struct kpt_event_file,
				      instance_link)->event->seq;
	return 0;
}

/**
 * kpt_event_files_have_file() - is an event file one of those that were chosen?
 * @which: the choice
 * @file: the file
 *
 * Context: process context, kpt_mutex held.
 * Return: true if it is.
 */
bool kpt_event_files_have_file(const struct kpt_event_files *which,
			       const struct kpt_event_file *file)
{
	if (file->event->class->is_static && !kpt_event_files_have_unused(which) &&
	    !file->enabled)
		return false;
	if (file->event->class->is_given && !kpt_event_files_are_named(which) &&
	    !file->enabled)
		return false;
	return kpt_event_files_have(which, file->event);
}

/*
 * Of the KPT_PIECE files of a piece, so many are as long in hand as one static event: to switch
 * that, the kernel patches text. On emulated CPUs that are busy it takes tens of milliseconds.
 */
#define STATIC_FILES 4

/**
 * kpt_event_files_next() - find the next piece
 * @which: the choice, from kpt_event_files_begin()
 * @piece: result: the files; valid until kpt_mutex is unlocked
 *
 * Needs no memory. With @which->more, the caller calls kpt_mutex_yield() before the next one.
 *
 * Context: process context, kpt_mutex held.
 * Return: number of files, at most KPT_PIECE.
 */
unsigned int kpt_event_files_next(struct kpt_event_files *which,
				  struct kpt_event_file ***piece)
{
	struct kpt_instance *instance = which->instance;
	struct kpt_event_file *file = which->at;
	int nr = 0, room = KPT_PIECE;

	lockdep_assert_held(&kpt_mutex);
	/* @at may have been removed between two pieces. */
	if (!file || which->nr_removed != instance->nr_removed)
		file = list_entry(&instance->files, struct kpt_event_file, instance_link);
	/* Each instance lists its files in the order of @seq. */
	list_for_each_entry_continue(file, &instance->files, instance_link) {
		if (room <= 0 || file->event->seq > which->last)
			break;
		which->at = file;
		if (file->event->seq <= which->done ||
		    !kpt_event_files_have_file(which, file))
			continue;
		which->done = file->event->seq;
		chosen[nr++] = file;
		room -= file->event->class->is_static ? STATIC_FILES : 1;
	}
	which->more = room <= 0;
	which->nr_removed = instance->nr_removed;
	*piece = chosen;
	return nr;
}

/**
 * kpt_event_files_switch() - enable or disable the chosen events, in pieces
 * @which: the choice
 * @on: true to enable, false to disable
 *
 * Others may take kpt_mutex between two pieces, but for kpt_event_files.holds.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: how many; or -EBUSY if one or more could not be armed, and then all others
 * are switched; or an errno of kpt_event_file_set_enabled(), or -EINTR if the task is
 * being killed, and then only the pieces before are switched.
 */
int kpt_event_files_switch(struct kpt_event_files *which, bool on)
{
	struct kpt_event_file **piece;
	int nr, sum = 0, err, busy = 0;

	err = kpt_event_files_begin(which);
	if (err)
		return err;
	do {
		nr = kpt_event_files_next(which, &piece);
		err = kpt_event_file_set_enabled(piece, nr, on);
		if (err == -EBUSY)
			busy = err;
		else if (err)
			return err;
		sum += nr;
		err = which->more && !which->holds ? kpt_mutex_yield() : 0;
	} while (which->more && !err);
	return err ?: busy ?: sum;
}

/* If @soft has become 1, arm the file; and let its sinks run triggers, or other ones. */
static int file_hold(struct kpt_event_file *file, struct kpt_batch *batch)
{
	if (file->soft != 1)
		return file->triggers.is_changing ? kpt_event_file_rearm(file, batch) : 0;
	return file->enabled ? kpt_event_file_rearm(file, batch) :
			       event_file_may_arm() ?: event_file_arm(file, batch);
}

/*
 * If nothing holds the file any more, disarm it; and let its sinks run no triggers, or other
 * ones.
 */
static int file_release(struct kpt_event_file *file, struct kpt_batch *batch)
{
	if (kpt_event_file_is_held(file))
		return file->triggers.is_changing ? kpt_event_file_rearm(file, batch) : 0;
	return file->enabled ? kpt_event_file_rearm(file, batch) :
			       event_file_disarm(file, batch);
}

/**
 * kpt_event_file_hold() - keep events armed for a trigger
 * @file: the event whose hits run the trigger
 * @other: another event that the trigger switches, or NULL
 *
 * An event that is not enabled is armed, and still records nothing: only triggers
 * see its hits. Both events are armed in one batch.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or -EBUSY if other code has patched a place, -EPERM while the kernel
 * is locked down, -ENOMEM, or -EIO if text cannot be written, and then nothing has
 * changed.
 */
int kpt_event_file_hold(struct kpt_event_file *file,
			struct kpt_event_file *other)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	int err;

	lockdep_assert_held(&kpt_mutex);
	file->soft++;
	err = file_hold(file, &batch);
	if (other) {
		other->soft++;
		err = err ?: file_hold(other, &batch);
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
 * kpt_event_file_release() - put references of kpt_event_file_hold()
 * @files: the events, each once for every reference that is put
 * @nr: number of @files
 *
 * The caller ensures that no hit runs the triggers any more. One batch disarms
 * all events that lose their last reference and are not enabled.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or -ENOMEM, and then nothing has changed.
 */
int kpt_event_file_release(struct kpt_event_file **files, unsigned int nr)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	unsigned int i;
	int err = 0;

	lockdep_assert_held(&kpt_mutex);
	for (i = 0; i < nr; i++) {
		files[i]->soft--;
		err = err ?: file_release(files[i], &batch);
	}
	err = kpt_event_file_batch_finish(&batch, err,
					  &files[0]->instance->errlog);
	for (i = 0; err && i < nr; i++)
		files[i]->soft++;
	if (err)
		return err;
	event_files_end_calls(files, nr);
	return 0;
}

/**
 * kpt_event_file_of() - find the file of an event in an instance
 * @event: the event
 * @instance: the instance
 *
 * Context: process context, kpt_mutex held.
 * Return: the file, or NULL for a builtin event without files.
 */
struct kpt_event_file *kpt_event_file_of(const struct kpt_event *event,
					 const struct kpt_instance *instance)
{
	struct kpt_event_file *file;

	list_for_each_entry(file, &event->files, event_link)
		if (file->instance == instance)
			return file;
	return NULL;
}

/**
 * kpt_event_file_follow() - arm an event for the probes on it
 * @file: the event; @batch has given it @followers
 * @batch: arms it
 * @diag: as for kpt_event_class.arm
 *
 * Its own ring gets its records only if it is enabled.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: as kpt_event_class.arm.
 */
int kpt_event_file_follow(struct kpt_event_file *file, struct kpt_batch *batch,
			  struct kpt_diag *diag)
{
	struct kpt_probe *probe;
	int err = event_file_use(file);

	/* Hits that see it before @batch is applied find no followers. */
	WRITE_ONCE(file->triggers.after, file->triggers.after | KPT_AFTER_FOLLOWERS);
	list_for_each_entry(probe, &file->event->probes, sibling) {
		err = err ?: file->event->class->arm(probe, file, batch, diag);
		/* A probe that was armed already keeps its sinks until they are changed, too. */
		err = err ?: file->event->class->arm(probe, file, batch, NULL);
	}
	return err;
}

/**
 * kpt_event_file_unfollow() - the reverse of kpt_event_file_follow()
 * @file: the event; @batch has taken followers from it
 * @batch: disarms it, unless it is enabled or held: then its sinks do without those
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_event_file_unfollow(struct kpt_event_file *file,
			    struct kpt_batch *batch)
{
	return kpt_event_file_armed(file) ? kpt_event_file_rearm(file, batch) :
					    event_file_disarm(file, batch);
}

/**
 * kpt_event_file_listen() - keep an event armed for its first perf event
 * @file: the event; @listeners becomes 1
 *
 * An event that is not enabled is armed, and records nothing for that.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: as kpt_event_file_hold().
 */
int kpt_event_file_listen(struct kpt_event_file *file)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	bool armed = kpt_event_file_armed(file);
	int err;

	lockdep_assert_held(&kpt_mutex);
	refcount_set(&file->listeners, 1);
	err = armed ? kpt_event_file_rearm(file, &batch) :
		      event_file_may_arm() ?: event_file_arm(file, &batch);
	err = kpt_event_file_batch_finish(&batch, err, &file->instance->errlog);
	if (err)
		refcount_set(&file->listeners, 0);
	return err;
}

/**
 * kpt_event_file_unlisten() - the reverse of kpt_event_file_listen()
 * @file: the event; @listeners is 0
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or -ENOMEM, and then @listeners is 1 and nothing has changed.
 */
int kpt_event_file_unlisten(struct kpt_event_file *file)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	int err;

	lockdep_assert_held(&kpt_mutex);
	err = kpt_event_file_armed(file) ? kpt_event_file_rearm(file, &batch) :
					   event_file_disarm(file, &batch);
	err = kpt_event_file_batch_finish(&batch, err, &file->instance->errlog);
	if (err)
		refcount_set(&file->listeners, 1);
	else
		event_files_end_calls(&file, 1);
	return err;
}

/**
 * kpt_event_file_read_counts() - add up the counters of all CPUs of a file
 * @file: the file
 * @sum: result
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_event_file_read_counts(struct kpt_event_file *file,
				struct kpt_event_file_counts *sum)
{
	const struct kpt_event_file_counts *c;
	const struct kpt_probe *probe;
	int cpu;

	*sum = (struct kpt_event_file_counts){
		.outcomes.recorded = file->hits.recorded,
		.outcomes.filtered = atomic64_read(&file->hits.filtered),
		.missed = atomic64_read(&file->hits.missed),
		.lost = atomic64_read(&file->hits.lost),
	};
	list_for_each_entry(probe, &file->event->probes, sibling)
		if (probe->home == file)
			kpt_probe_read_own(probe, &sum->outcomes);
	if (!file->hits.counts)
		return;
	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(file->hits.counts, cpu);
		sum->outcomes.recorded += READ_ONCE(c->outcomes.recorded);
		sum->outcomes.filtered += READ_ONCE(c->outcomes.filtered);
		sum->missed += READ_ONCE(c->missed);
		sum->lost += READ_ONCE(c->lost);
		sum->limited += READ_ONCE(c->limited);
	}
}
