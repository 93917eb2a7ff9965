// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events: names that probes are defined under. A line of kprobe_events ends
 * here as a probe on the lists, or leaves everything as it was.
 */
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/idr.h>
#include <linux/slab.h>
#include <linux/stringhash.h>
#include "engine/calls.h"
#include "event/filter.h"
#include "event/probe.h"
#include "trigger/trigger.h"

LIST_HEAD(kpt_events);
LIST_HEAD(kpt_probes);

/* Numbers are handed out in turn: records of a deleted event stay unknown. */
static DEFINE_IDR(event_ids);
#define FIRST_ID 256

/* The same events by the hash of their names: there may be thousands. */
static DEFINE_HASHTABLE(by_name, 10);

static u32 hash_of(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

static struct kpt_event *find_event(const char *group, const char *name)
{
	struct kpt_event *event;

	hash_for_each_possible(by_name, event, by_name, hash_of(name))
		if (!strcmp(event->group, group) && !strcmp(event->name, name))
			return event;
	return NULL;
}

/**
 * kpt_event_get_id() - find the event a record belongs to
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
	event = idr_find(&event_ids, id);
	if (event && !refcount_inc_not_zero(&event->refs))
		event = NULL;
	rcu_read_unlock();
	return event;
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
	kfree(event->fields);
	kfree_rcu(event, rcu);
}

/* Group and name, given or automatic. */
static void name_event(const struct kpt_def *def, char *group, char *name)
{
	char hashed[24] = "";

	strscpy(group, def->of_function ? "fprobes" : "kprobes", KPT_NAME_MAX);
	if (def->group.len)
		strscpy(group, def->text + def->group.at, def->group.len + 1);
	if (def->event.len) {
		strscpy(name, def->text + def->event.at, def->event.len + 1);
		return;
	}
	if (!def->symbol.len)
		snprintf(hashed, sizeof(hashed), "0x%llx", def->address);
	kpt_def_auto_name(def, hashed, name);
}

/* May the probe share the event? Mainline's order of checks and errno. */
static int may_join(const struct kpt_event *event, const struct kpt_def *def,
		    const struct kpt_probe *probe,
		    const struct kpt_fields *fields, struct kpt_diag *diag)
{
	const struct kpt_probe *other;
	unsigned int n;

	if (event->of_functions != def->of_function)
		return kpt_diag_set(diag, KPT_E_EVENT_EXIST, 0, -EEXIST);
	if (event->kind != def->kind)
		return kpt_diag_set(diag, KPT_E_DIFF_PROBE_TYPE, 0, -EEXIST);
	n = kpt_fields_same(event->fields, fields);
	if (n) {
		unsigned int col = n <= def->nr_args ? def->arg[n - 1].at :
						       strlen(def->text) + 1;
		return kpt_diag_set(diag, KPT_E_DIFF_ARG_TYPE, col, -EEXIST);
	}
	list_for_each_entry(other, &event->probes, sibling)
		if (!strcmp(other->place, probe->place) &&
		    !strcmp(other->args, probe->args))
			return kpt_diag_set(diag, KPT_E_SAME_PROBE, 0,
					    -EEXIST);
	return 0;
}

/* Arm a probe that joins an event in every instance where that is armed. */
static int arm_joined(struct kpt_event *event, struct kpt_probe *probe)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	struct kpt_event_file *file;
	int err;

	list_for_each_entry(file, &event->files, event_link) {
		if (!kpt_event_file_armed(file))
			continue;
		err = kpt_probe_enable(probe, file, &batch);
		if (err) {
			kpt_batch_drop(&batch);
			return err;
		}
	}
	return kpt_batch_apply(&batch);
}

static int join_event(struct kpt_event *event, const struct kpt_def *def,
		      struct kpt_probe *probe, const struct kpt_fields *fields,
		      struct kpt_diag *diag)
{
	int err;

	err = may_join(event, def, probe, fields, diag);
	if (err)
		return err;
	probe->event = event;
	return arm_joined(event, probe);
}

static struct kpt_event *new_event(const char *group, const char *name,
				   const struct kpt_def *def)
{
	struct kpt_event *event;
	int id;

	event = kzalloc(sizeof(*event), GFP_KERNEL);
	if (!event)
		return NULL;
	/* Readers find nothing under the number until the event is complete. */
	id = idr_alloc_cyclic(&event_ids, NULL, FIRST_ID, U16_MAX + 1,
			      GFP_KERNEL);
	if (id < 0) {
		kfree(event);
		return NULL;
	}
	event->id = id;
	event->kind = def->kind;
	event->of_functions = def->of_function;
	strscpy(event->group, group, sizeof(event->group));
	strscpy(event->name, name, sizeof(event->name));
	INIT_LIST_HEAD(&event->probes);
	INIT_LIST_HEAD(&event->files);
	refcount_set(&event->refs, 1);
	list_add_tail(&event->list, &kpt_events);
	hash_add(by_name, &event->by_name, hash_of(event->name));
	return event;
}

/**
 * kpt_event_define() - make a probe, and its event if that is new
 * @def: a parsed p or r definition
 * @diag: on failure the reason
 * @made: result: the event, if it was made by this call, else NULL
 *
 * A new event has no kpt_event_file yet: the caller calls kpt_event_file_add() for each
 * instance. A probe joining an event that is enabled is armed at once.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or the errno of the write; then nothing has changed.
 */
int kpt_event_define(const struct kpt_def *def, struct kpt_diag *diag,
		     struct kpt_event **made)
{
	char group[KPT_NAME_MAX], name[KPT_NAME_MAX];
	struct kpt_fields *fields;
	struct kpt_event *event;
	struct kpt_probe *probe;
	int err;

	*made = NULL;
	probe = kpt_probe_make(def, &fields, diag);
	if (IS_ERR(probe))
		return PTR_ERR(probe);

	name_event(def, group, name);
	event = find_event(group, name);
	if (event) {
		err = join_event(event, def, probe, fields, diag);
		kfree(fields);
		if (err) {
			kpt_probe_free(probe);
			return err;
		}
	} else {
		event = new_event(group, name, def);
		if (!event) {
			kfree(fields);
			kpt_probe_free(probe);
			return -ENOMEM;
		}
		event->fields = fields;
		idr_replace(&event_ids, event, event->id);
		probe->event = event;
		*made = event;
	}
	list_add_tail(&probe->sibling, &event->probes);
	list_add_tail(&probe->list, &kpt_probes);
	return 0;
}

/**
 * kpt_event_in_use() - is an event enabled, or held, in some instance?
 * @event: the event
 *
 * Context: process context, kpt_mutex held.
 * Return: true if it is.
 */
bool kpt_event_in_use(const struct kpt_event *event)
{
	const struct kpt_event_file *file;

	list_for_each_entry(file, &event->files, event_link)
		if (kpt_event_file_armed(file))
			return true;
	return false;
}

/* How many of an event's probes the line does not mean. */
static unsigned int probes_left(const struct kpt_event *event,
				const struct kpt_def *def)
{
	const struct kpt_probe *probe;
	unsigned int left = 0;

	list_for_each_entry(probe, &event->probes, sibling)
		left += !kpt_probe_is(probe, def);
	return left;
}

/* Is there something to delete, and may all of it go? */
static int may_delete(const struct kpt_def *def)
{
	const struct kpt_probe *probe;
	int err = -ENOENT;

	list_for_each_entry(probe, &kpt_probes, list) {
		if (!kpt_probe_is(probe, def))
			continue;
		if (kpt_event_in_use(probe->event) &&
		    !probes_left(probe->event, def))
			return -EBUSY;
		err = 0;
	}
	return err;
}

/* Move the probes a line means from the lists to @dead_probes, disarmed. */
static int unlink_probes(const struct kpt_def *def,
			 struct list_head *dead_probes)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	struct kpt_probe *probe, *next;
	int err;

	list_for_each_entry(probe, &kpt_probes, list) {
		if (!kpt_probe_is(probe, def))
			continue;
		err = kpt_probe_disable(probe, NULL, &batch);
		if (err) {
			kpt_batch_drop(&batch);
			return err;
		}
	}
	err = kpt_batch_apply(&batch);
	if (err)
		return err;
	list_for_each_entry_safe(probe, next, &kpt_probes, list) {
		if (!kpt_probe_is(probe, def))
			continue;
		list_del_init(&probe->sibling);
		list_move_tail(&probe->list, dead_probes);
	}
	return 0;
}

/* The rings must not hold records whose number nobody knows. */
static void forget_records(struct kpt_event *event)
{
	struct kpt_event_file *file;

	list_for_each_entry(file, &event->files, event_link)
		if (file->was_enabled) {
			kpt_buffer_reset(&file->instance->buffer, -1);
			kpt_buffer_reset(&file->instance->snapshot, -1);
		}
}

/**
 * kpt_event_delete() - take the probes a delete line names off the lists
 * @def: a parsed delete definition
 * @dead: events that lost their last probe are moved here, for
 *	kpt_event_free(); they have left kpt_events already
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, -ENOENT if nothing matches, -EBUSY if one is in use; then nothing
 * has changed.
 */
int kpt_event_delete(const struct kpt_def *def, struct list_head *dead)
{
	struct kpt_probe *probe, *next;
	struct kpt_event *event, *ev_next;
	LIST_HEAD(dead_probes);
	int err;

	err = may_delete(def);
	if (!err)
		err = unlink_probes(def, &dead_probes);
	if (err)
		return err;

	list_for_each_entry_safe(probe, next, &dead_probes, list)
		kpt_probe_free(probe);
	list_for_each_entry_safe(event, ev_next, &kpt_events, list) {
		if (!list_empty(&event->probes))
			continue;
		forget_records(event);
		hash_del(&event->by_name);
		list_move_tail(&event->list, dead);
	}
	return 0;
}

/**
 * kpt_event_delete_all() - delete every event
 * @spare_functions: but those of f
 * @dead: as for kpt_event_delete()
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, or -EBUSY if one is in use; then nothing has changed.
 */
int kpt_event_delete_all(bool spare_functions, struct list_head *dead)
{
	static struct kpt_def everything = { .kind = KPT_DEF_DELETE };
	int err;

	everything.spares_functions = spare_functions;
	err = kpt_event_delete(&everything, dead);
	return err == -ENOENT ? 0 : err;
}

/**
 * kpt_event_free() - free an event that left the lists
 * @event: its directories are gone
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_event_free(struct kpt_event *event)
{
	struct kpt_event_file *file, *next;

	list_for_each_entry_safe(file, next, &event->files, event_link)
		kpt_event_file_remove(file);
	hash_del(&event->by_name);
	list_del(&event->list);
	idr_remove(&event_ids, event->id);
	kpt_event_put(event);
}

/**
 * kpt_event_init() - make the top instance
 *
 * Context: module load.
 * Return: 0 or -ENOMEM.
 */
int kpt_event_init(void)
{
	return kpt_instance_init_top();
}

/**
 * kpt_event_exit() - disarm and free everything
 *
 * Context: module unload; all files are closed.
 */
void kpt_event_exit(void)
{
	struct kpt_instance *instance;
	struct kpt_event *event, *next;
	LIST_HEAD(dead);

	mutex_lock(&kpt_mutex);
	list_for_each_entry(instance, &kpt_instances, list)
		kpt_instance_stop(instance);
	kpt_event_delete_all(false, &dead);
	list_for_each_entry_safe(event, next, &dead, list)
		kpt_event_free(event);
	while (!list_is_singular(&kpt_instances)) {
		instance = list_last_entry(&kpt_instances, struct kpt_instance,
					   list);
		if (!kpt_instance_remove(instance))
			kpt_instance_free(instance);
	}
	mutex_unlock(&kpt_mutex);
	kpt_trigger_exit();
	kpt_calls_exit();
	kpt_instance_exit_top();
	idr_destroy(&event_ids);
}
