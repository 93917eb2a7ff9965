// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events: names that probes are defined under. A line of kprobe_events either
 * puts a probe on the lists here, or changes nothing.
 */
#include <linux/err.h>
#include <linux/idr.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/stringhash.h>
#include "buffer/places.h"
#include "event/builtin.h"
#include "event/class.h"
#include "engine/tracepoint.h"
#include "kernel/hash.h"
#include "lib/base/similar.h"
#include "part.h"

LIST_HEAD(kpt_events);
LIST_HEAD(kpt_probes);

/*
 * Numbers are allocated cyclically, so that a record of a deleted event is not
 * shown as one of the next event. They begin above the numbers of the kernel's
 * events: perf_event_open() refuses one of ours instead of opening another event.
 */
static DEFINE_IDR(event_ids);
#define FIRST_ID 8192

/* kpt_events by name, so that a delete line does not walk thousands of events. */
static KPT_HASH(by_name, 12);

static u32 event_hash(const char *name, size_t len)
{
	return full_name_hash(NULL, name, len);
}

/**
 * kpt_event_find() - find an event that was defined
 * @group: name of its group
 * @name: its name
 *
 * Context: kpt_mutex held, or under rcu_read_lock().
 * Return: the event, or NULL; without kpt_mutex it may already be off the lists.
 */
struct kpt_event *kpt_event_find(const char *group, const char *name)
{
	struct kpt_event *event;

	hlist_for_each_entry_rcu(event, kpt_hash_row(&by_name, event_hash(name, strlen(name))),
				 by_name, lockdep_is_held(&kpt_mutex))
		if (!strcmp(event->name, name) && !strcmp(event->group, group))
			return event;
	return NULL;
}

/**
 * kpt_event_get_id() - find the event that a record belongs to
 * @id: kpt_record_head.type
 *
 * The id, names and fields of an event do not change while a reference is held.
 *
 * Context: any but BRK; needs no lock.
 * Return: the event with a reference for kpt_event_put(), or NULL.
 */
struct kpt_event *kpt_event_get_id(u16 id)
{
	struct kpt_event *event;

	rcu_read_lock();
	event = id < FIRST_ID ? kpt_builtin_event(id) :
				idr_find(&event_ids, id);
	if (event && !refcount_inc_not_zero(&event->refs))
		event = NULL;
	rcu_read_unlock();
	return event;
}

/**
 * kpt_event_put_in_crash() - kpt_event_put() without a lock
 * @event: the event, or NULL; not freed, not even with the last reference
 *
 * Context: any.
 */
void kpt_event_put_in_crash(struct kpt_event *event)
{
	/*
	 * The last reference is kept: a crash frees nothing. There is nothing else to do
	 * then, but the compiler wants the result to be looked at.
	 */
	if (event && !refcount_dec_not_one(&event->refs))
		return;
}

/**
 * kpt_fields_free() - free the shape of records
 * @fields: the shape, or NULL
 *
 * Context: process context, sleeps.
 */
void kpt_fields_free(const struct kpt_fields *fields)
{
	if (fields && fields->release)
		fields->release(fields);
	else
		kfree(fields);
}

/**
 * kpt_event_put() - drop a reference of an event
 * @event: the event, or NULL; freed with the last reference
 *
 * Context: process context.
 */
void kpt_event_put(struct kpt_event *event)
{
	if (!event || !refcount_dec_and_test(&event->refs))
		return;
	kpt_event_put(event->source);
	kpt_fields_free(event->fields);
	kpt_group_put(event->of);
	kfree_rcu(event, rcu);
}

/**
 * kpt_event_number_alloc() - allocate the number of an event
 *
 * Readers find nothing under the number until kpt_event_add().
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the number; -ENOSPC if all are in use, -ENOMEM.
 */
int kpt_event_number_alloc(void)
{
	lockdep_assert_held(&kpt_mutex);
	return idr_alloc_cyclic(&event_ids, NULL, FIRST_ID, U16_MAX + 1,
				GFP_KERNEL);
}

/**
 * kpt_event_number_free() - free the number of an event that is not made
 * @id: the number
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_event_number_free(u16 id)
{
	lockdep_assert_held(&kpt_mutex);
	idr_remove(&event_ids, id);
}

/**
 * kpt_event_add() - make an event without probes
 * @class: its class
 * @group: name of its group
 * @name: its name
 * @id: its number
 * @fields: shape of its records
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the event; NULL without memory, and then nothing has changed.
 */
struct kpt_event *kpt_event_add(const struct kpt_event_class *class,
				const char *group, const char *name, u16 id,
				const struct kpt_fields *fields)
{
	struct kpt_event *event;
	size_t size = strlen(name) + 1;

	if (kpt_hash_make(&by_name))
		return NULL;
	event = kzalloc(sizeof(*event) + size, GFP_KERNEL_ACCOUNT);
	if (!event)
		return NULL;
	event->name = memcpy(event + 1, name, size);
	event->id = id;
	event->fields = fields;
	event->class = class;
	INIT_LIST_HEAD(&event->probes);
	INIT_LIST_HEAD(&event->followers);
	INIT_LIST_HEAD(&event->files);
	refcount_set(&event->refs, 1);
	if (kpt_group_join(event, group))
		goto free_event;
	if (kpt_parts_event_make(event))
		goto leave_group;
	list_add_tail(&event->list, &kpt_events);
	hlist_add_head_rcu(&event->by_name,
			   kpt_hash_row(&by_name, event_hash(event->name, strlen(event->name))));
	idr_replace(&event_ids, event, id);
	kpt_parts_event_made(event);
	return event;

leave_group:
	kpt_group_leave(event);
	kpt_group_put(event->of);
free_event:
	/* Readers of the directory of its group may still look at it, under RCU. */
	kfree_rcu(event, rcu);
	return NULL;
}

/**
 * kpt_event_make() - make an event without probes, with a new number
 * @class: its class
 * @group: name of its group
 * @name: its name
 * @fields: shape of its records
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the event; ERR_PTR(): -ENOSPC if all numbers are in use, -ENOMEM; then nothing
 * has changed.
 */
struct kpt_event *kpt_event_make(const struct kpt_event_class *class,
				 const char *group, const char *name,
				 const struct kpt_fields *fields)
{
	int id = kpt_event_number_alloc();
	struct kpt_event *event;

	if (id < 0)
		return ERR_PTR(id);
	event = kpt_event_add(class, group, name, id, fields);
	if (event)
		return event;
	kpt_event_number_free(id);
	return ERR_PTR(-ENOMEM);
}

/**
 * kpt_event_add_probe() - add a probe to its event
 * @event: the event
 * @probe: the probe
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_event_add_probe(struct kpt_event *event, struct kpt_probe *probe)
{
	lockdep_assert_held(&kpt_mutex);
	probe->event = event;
	list_add_tail(&probe->sibling, &event->probes);
	list_add_tail(&probe->list, &kpt_probes);
}

/* The first instance in which an event is armed, or NULL. */
static const struct kpt_event_file *event_user(const struct kpt_event *event)
{
	struct kpt_event_file *file;

	list_for_each_entry(file, &event->files, event_link)
		if (kpt_event_file_armed(file))
			return file;
	return NULL;
}

/**
 * kpt_event_in_use() - is an event armed in some instance?
 * @event: the event
 *
 * Context: process context, kpt_mutex held.
 * Return: true if it is.
 */
bool kpt_event_in_use(const struct kpt_event *event)
{
	lockdep_assert_held(&kpt_mutex);
	return event_user(event);
}

/* Tell what uses an event in another way than arming it, or NULL. */
static const char *event_used_by(const struct kpt_event *event)
{
	if (!event->class->used_by)
		return NULL;
	return event->class->used_by(list_first_entry(&event->probes,
						      struct kpt_probe, sibling));
}

static const char *event_file_user(const struct kpt_event_file *file)
{
	if (file->enabled)
		return "is enabled";
	if (!list_empty(&file->triggers.list))
		return "has a trigger";
	if (file->soft)
		return "is switched by a trigger";
	if (refcount_read(&file->listeners))
		return kpt_parts_event_user(file->event);
	return "has an enabled event on it";
}

/* Report what uses the event that a delete line names: the first instance, or else. */
static int event_refuse_in_use(const struct kpt_event *event,
			 const struct kpt_def *def, struct kpt_diag *diag)
{
	const struct kpt_event_file *file = event_user(event);
	const char *instance;

	kpt_diag_set(diag, KPT_E_EVENT_IN_USE, def->event.at, 0);
	if (!file) {
		scnprintf(diag->detail, sizeof(diag->detail), "%s/%s %s",
			  event->group, event->name, event_used_by(event));
		return -EBUSY;
	}
	instance = file->instance->name;
	scnprintf(diag->detail, sizeof(diag->detail), "%s/%s %s in %s%s",
		  event->group, event->name, event_file_user(file),
		  *instance ? "instance " : "the top instance", instance);
	return -EBUSY;
}

/* A probe on the event that is not itself in a list of kpt_probe.leaving, or NULL. */
static const struct kpt_probe *event_follower(const struct kpt_event *event)
{
	const struct kpt_follower *follower;

	list_for_each_entry(follower, &event->followers, list)
		if (list_empty(&follower->probe->leaving))
			return follower->probe;
	return NULL;
}

static int event_refuse_followed(const struct kpt_event *event,
				 const struct kpt_probe *follower,
				 const struct kpt_def *def,
				 struct kpt_diag *diag)
{
	kpt_diag_set(diag, KPT_E_EVENT_IN_USE, def->event.at, 0);
	scnprintf(diag->detail, sizeof(diag->detail), "%s/%s is used by %s/%s",
		  event->group, event->name, follower->event->group,
		  follower->event->name);
	return -EBUSY;
}

/**
 * kpt_event_is_listed() - does a file of definitions list an event?
 * @event: the event
 * @file: the file
 *
 * Context: process context, kpt_mutex held.
 * Return: true if it does.
 */
bool kpt_event_is_listed(const struct kpt_event *event, enum kpt_listing file)
{
	if (event->class->is_static || event->class->is_unlisted ||
	    kpt_event_is_builtin(event))
		return false;
	switch (file) {
	case KPT_LISTS_KPROBE:
		return event->class->in_kprobe_events;
	case KPT_LISTS_SYNTHETIC:
		return event->class->in_synthetic_events;
	default:
		return true;
	}
}

/* Collect the probes of @event that a delete line names. */
static void event_collect_probes(struct kpt_event *event,
				 const struct kpt_def *def,
				 struct list_head *leaving)
{
	struct kpt_probe *probe;

	list_for_each_entry(probe, &event->probes, sibling)
		if (kpt_probe_is(probe, def))
			list_add_tail(&probe->leaving, leaving);
}

/* Refuse if the event would lose its last probe and something needs it. */
static int event_check_leaving(const struct kpt_event *event,
			       const struct kpt_def *def, struct kpt_diag *diag)
{
	const struct kpt_probe *probe;

	list_for_each_entry(probe, &event->probes, sibling)
		if (list_empty(&probe->leaving))
			return 0;
	probe = event_follower(event);
	if (probe)
		return event_refuse_followed(event, probe, def, diag);
	if (kpt_event_in_use(event) || event_used_by(event))
		return event_refuse_in_use(event, def, diag);
	return 0;
}

static int event_no_such(const struct kpt_def *def, enum kpt_listing file,
			 struct kpt_diag *diag)
{
	const struct kpt_span *named = def->event.len ? &def->event : &def->group;
	const struct kpt_event *event;
	struct kpt_similar like;

	kpt_similar_begin(&like, def->text + named->at, named->len);
	list_for_each_entry(event, &kpt_events, list)
		if (kpt_event_is_listed(event, file))
			kpt_similar_see(&like, named == &def->event ? event->name :
									    event->group);
	kpt_diag_set(diag, KPT_E_NO_SUCH_EVENT, 0, 0);
	kpt_similar_tell(&like, diag);
	return -ENOENT;
}

/* Collect the probes that a delete line names: in its event, or in all events. */
static int event_collect_leaving(const struct kpt_def *def, enum kpt_listing file,
			   struct list_head *leaving, struct kpt_diag *diag)
{
	const char *name = def->text + def->event.at;
	const struct kpt_event *checked = NULL;
	struct kpt_event *event;
	struct kpt_probe *probe;
	int err = 0;

	if (def->event.len) {
		hlist_for_each_entry(event, kpt_hash_row(&by_name,
				     event_hash(name, def->event.len)), by_name)
			if (kpt_event_is_listed(event, file))
				event_collect_probes(event, def, leaving);
	} else {
		list_for_each_entry(event, &kpt_events, list)
			if (kpt_event_is_listed(event, file))
				event_collect_probes(event, def, leaving);
	}
	if (list_empty(leaving))
		return event_no_such(def, file, diag);
	/* The probes of an event follow each other, and each check looks at all of them. */
	list_for_each_entry(probe, leaving, leaving) {
		if (probe->event != checked)
			err = err ?: event_check_leaving(probe->event, def, diag);
		checked = probe->event;
	}
	return err;
}

static void event_cancel_leaving(struct list_head *leaving)
{
	struct kpt_probe *probe, *next;

	list_for_each_entry_safe(probe, next, leaving, leaving)
		list_del_init(&probe->leaving);
}

/* Disarm the probes in all instances, in one batch. */
static int event_disarm_leaving(struct list_head *leaving)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	struct kpt_probe *probe;
	int err;

	list_for_each_entry(probe, leaving, leaving) {
		err = probe->event->class->disarm(probe, NULL, &batch);
		if (err) {
			kpt_batch_cancel(&batch);
			return err;
		}
	}
	return kpt_batch_apply(&batch, NULL);
}

static bool event_was_enabled(const struct kpt_event *event)
{
	const struct kpt_event_file *file;

	list_for_each_entry(file, &event->files, event_link)
		if (file->was_enabled)
			return true;
	return false;
}

/* A ring must not keep records of a deleted event, which readers cannot find. */
static void event_mark_stale_rings(struct kpt_event *event)
{
	struct kpt_event_file *file;

	list_for_each_entry(file, &event->files, event_link)
		if (file->was_enabled)
			file->instance->is_stale = true;
}

static void event_reset_stale_rings(void)
{
	struct kpt_instance *instance;

	list_for_each_entry(instance, &kpt_instances, list) {
		if (!instance->is_stale)
			continue;
		instance->is_stale = false;
		kpt_buffer_reset(&instance->buffer, -1);
		kpt_buffer_reset(&instance->snapshot.buffer, -1);
	}
}

/* Free disarmed probes; events that lose their last probe are moved to @dead. */
static void event_free_leaving(struct list_head *leaving, struct list_head *dead)
{
	struct kpt_probe *probe, *next;
	struct kpt_event *event;
	bool ended = false;

	list_for_each_entry(probe, leaving, leaving)
		ended |= kpt_probe_end_calls(probe, KPT_CALLS_ORPHANED);
	if (ended)
		kpt_calls_end(KPT_CALLS_ORPHANED);
	list_for_each_entry_safe(probe, next, leaving, leaving) {
		event = probe->event;
		list_del(&probe->leaving);
		list_del(&probe->sibling);
		list_del(&probe->list);
		if (probe->follows)
			list_del(&probe->follows->list);
		event->class->free(probe);
		if (!list_empty(&event->probes))
			continue;
		if (!event->records_stay)
			event_mark_stale_rings(event);
		kpt_parts_event_gone(event);
		hlist_del_init_rcu(&event->by_name);
		list_move_tail(&event->list, dead);
	}
	event_reset_stale_rings();
}

/* Take the probes off the lists; on failure nothing has changed. */
static int event_remove_leaving(struct list_head *leaving, struct list_head *dead,
			  int err)
{
	if (!err)
		err = event_disarm_leaving(leaving);
	if (err)
		event_cancel_leaving(leaving);
	else
		event_free_leaving(leaving, dead);
	return err;
}

/**
 * kpt_event_delete() - take the probes that a delete line names off the lists
 * @def: a parsed delete definition
 * @file: the file that the line was written to, which does not delete events that
 *	it does not list
 * @diag: on -EBUSY the instance that uses the event
 * @dead: gets the events that lose their last probe, off kpt_events, for
 *	kpt_event_free()
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or -ENOENT if nothing matches, -EBUSY if an event is in use, -ENOMEM,
 * and then nothing has changed.
 */
int kpt_event_delete(const struct kpt_def *def, enum kpt_listing file,
		     struct kpt_diag *diag, struct list_head *dead)
{
	LIST_HEAD(leaving);

	lockdep_assert_held(&kpt_mutex);
	return event_remove_leaving(&leaving, dead,
			      event_collect_leaving(def, file, &leaving, diag));
}

static const struct kpt_def event_everything = { .kind = KPT_DEF_DELETE };

/**
 * kpt_event_may_delete() - may what a delete line names be deleted?
 * @def: as for kpt_event_delete(); NULL: everything
 * @file: as for kpt_event_delete()
 * @diag: as for kpt_event_delete()
 *
 * Context: process context, kpt_mutex held.
 * Return: 0; -ENOENT if nothing matches, -EBUSY if an event is in use.
 */
int kpt_event_may_delete(const struct kpt_def *def, enum kpt_listing file,
			 struct kpt_diag *diag)
{
	LIST_HEAD(leaving);
	int err;

	lockdep_assert_held(&kpt_mutex);
	err = event_collect_leaving(def ?: &event_everything, file, &leaving, diag);
	event_cancel_leaving(&leaving);
	return err;
}

/* Collect the probes of the newest KPT_PIECE events that @def names. Returns how many. */
static int event_collect_piece(const struct kpt_def *def, enum kpt_listing file, u64 last,
			       struct list_head *leaving, struct kpt_diag *diag)
{
	struct list_head *before;
	struct kpt_event *event;
	int nr = 0, err = 0;

	list_for_each_entry_reverse(event, &kpt_events, list) {
		if (err || nr == KPT_PIECE)
			break;
		if (event->seq > last || !kpt_event_is_listed(event, file))
			continue;
		before = leaving->prev;
		event_collect_probes(event, def, leaving);
		if (leaving->prev == before)
			continue;
		err = event_check_leaving(event, def, diag);
		nr++;
	}
	return err ?: nr;
}

/**
 * kpt_event_delete_some() - delete what a delete line names of KPT_PIECE events, the newest
 *	first
 * @def: as for kpt_event_delete(); NULL: everything
 * @file: as for kpt_event_delete()
 * @last: kpt_event.seq of the last event to delete
 * @diag: as for kpt_event_delete()
 * @dead: as for kpt_event_delete()
 *
 * An event on another event is newer than that, so it is deleted first.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: of how many events; 0 if there is none left; or -EBUSY if one of them is in use,
 * or -ENOMEM, and then nothing has changed.
 */
int kpt_event_delete_some(const struct kpt_def *def, enum kpt_listing file, u64 last,
			  struct kpt_diag *diag, struct list_head *dead)
{
	LIST_HEAD(leaving);
	int nr;

	lockdep_assert_held(&kpt_mutex);
	nr = event_collect_piece(def ?: &event_everything, file, last, &leaving, diag);
	return event_remove_leaving(&leaving, dead, min(nr, 0)) ?: nr;
}

/**
 * kpt_event_remove() - delete one event with all its probes
 * @event: the event, not in use
 * @dead: as for kpt_event_delete()
 *
 * Nobody has asked for that, so records of it stay, too: see kpt_event_linger().
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM; then nothing has changed.
 */
int kpt_event_remove(struct kpt_event *event, struct list_head *dead)
{
	struct kpt_probe *probe;
	LIST_HEAD(leaving);
	int err;

	lockdep_assert_held(&kpt_mutex);
	list_for_each_entry(probe, &event->probes, sibling)
		list_add_tail(&probe->leaving, &leaving);
	event->records_stay = event_was_enabled(event);
	err = event_remove_leaving(&leaving, dead, 0);
	if (err)
		event->records_stay = false;
	return err;
}

/**
 * kpt_event_free() - free an event that left the lists
 * @event: the event
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_event_free(struct kpt_event *event)
{
	struct kpt_event_file *file, *next;

	lockdep_assert_held(&kpt_mutex);
	list_for_each_entry_safe(file, next, &event->files, event_link)
		kpt_event_file_remove(file);
	list_del(&event->list);
	kpt_group_leave(event);
	if (event->records_stay) {
		kpt_event_linger(event);
		return;
	}
	kpt_places_free(&event->places);
	/* A static event keeps its number. */
	if (event->class->is_static)
		idr_replace(&event_ids, NULL, event->id);
	else
		idr_remove(&event_ids, event->id);
	kpt_event_put(event);
}

/**
 * kpt_event_discard() - take back an event that was just made, and has no directories
 * @event: the event, which has never been armed
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_event_discard(struct kpt_event *event)
{
	LIST_HEAD(dead);

	if (!kpt_event_remove(event, &dead))
		kpt_event_free(event);
}

/**
 * kpt_event_names_init() - make the builtin events and their group
 *
 * Context: module load.
 * Return: 0.
 */
int kpt_event_names_init(void)
{
	mutex_lock(&kpt_mutex);
	kpt_builtin_init();
	mutex_unlock(&kpt_mutex);
	return 0;
}

/**
 * kpt_event_names_exit() - free the numbers of events and groups
 *
 * Context: module unload; all events are freed.
 */
void kpt_event_names_exit(void)
{
	kpt_group_exit();
	kpt_hash_free(&by_name);
	idr_destroy(&event_ids);
}

/**
 * kpt_event_init() - make the top instance
 *
 * Context: module load.
 * Return: 0, -ENOMEM, or -ENOSPC from kpt_buffers_init().
 */
int kpt_event_init(void)
{
	int err = kpt_buffers_init();

	if (err)
		return err;
	err = kpt_instance_init_top();
	if (err)
		kpt_buffers_exit();
	return err;
}

/**
 * kpt_event_exit() - free all events and instances
 *
 * Allocates nothing and cannot fail: it disarms the points of the hash table one by
 * one, while a batch would have to allocate shorter lists of handlers.
 *
 * Context: module unload; all files are closed, all triggers freed.
 */
void kpt_event_exit(void)
{
	struct kpt_instance *instance;
	struct kpt_event *event, *next;
	struct kpt_probe *probe;
	LIST_HEAD(leaving);
	LIST_HEAD(dead);

	mutex_lock(&kpt_mutex);
	kpt_points_disarm_all();
	kpt_tracepoints_disarm_all();
	list_for_each_entry(instance, &kpt_instances, list)
		kpt_parts_instance_disarmed(instance);
	list_for_each_entry(probe, &kpt_probes, list)
		list_add_tail(&probe->leaving, &leaving);
	event_free_leaving(&leaving, &dead);
	list_for_each_entry_safe(event, next, &dead, list)
		kpt_event_free(event);
	while (!list_is_singular(&kpt_instances)) {
		instance = list_last_entry(&kpt_instances, struct kpt_instance,
					   list);
		kpt_instance_unlist(instance);
		kpt_instance_free(instance);
	}
	kpt_events_lingering_free();
	kpt_points_free_unused();
	mutex_unlock(&kpt_mutex);
	kpt_calls_exit();
	kpt_instance_exit_top();
	kpt_buffers_exit();
}
