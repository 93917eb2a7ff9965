// SPDX-License-Identifier: GPL-2.0-only
/* Instances: make, stop, remove. */
#include <linux/err.h>
#include <linux/idr.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "event/event_filter.h"
#include "event/builtin.h"
#include "event/set_event.h"
#include "event/snapshot.h"
#include "event/task_filter.h"
#include "part.h"

LIST_HEAD(kpt_instances);
struct kpt_instance kpt_top_instance;

struct kpt_profile_options kpt_profile_options = { .inner = true };

static DEFINE_IDA(instance_numbers);

/* Options that are on by default, as in mainline. */
#define DEFAULT_OPTIONS \
	(KPT_OPT_CONTEXT_INFO | KPT_OPT_IRQ_INFO | KPT_OPT_HASH_PTR | \
	 KPT_OPT_ANNOTATE | KPT_OPT_MARKERS | KPT_OPT_PRINT_PARENT | \
	 KPT_OPT_GRAPH_CPU | KPT_OPT_GRAPH_OVERHEAD | KPT_OPT_GRAPH_DURATION | \
	 KPT_OPT_GRAPH_IRQS | KPT_OPT_SLEEP_TIME | KPT_OPT_TRACE_PRINTK | \
	 KPT_OPT_FUNCTION_TRACE)

static void instance_fini(struct kpt_instance *instance)
{
	kpt_errlog_clear(&instance->errlog);
	kpt_task_filter_exit(instance);
	kpt_group_filters_free(instance);
	kpt_set_event_forget(instance);
	kpt_snapshot_exit(instance);
	kpt_buffer_fini(&instance->buffer);
	kpt_parts_instance_exit(instance);
	ida_free(&instance_numbers, instance->number);
}

/* Buffers and number of an instance. */
static int instance_alloc(struct kpt_instance *instance)
{
	int err;

	instance->number = ida_alloc(&instance_numbers, GFP_KERNEL);
	if (instance->number < 0)
		return instance->number;
	err = kpt_buffer_init(&instance->buffer, KPT_BUFFER_DEFAULT_KB);
	if (err)
		goto free_number;
	err = kpt_snapshot_init(instance);
	if (!err)
		return 0;
	kpt_buffer_fini(&instance->buffer);
free_number:
	ida_free(&instance_numbers, instance->number);
	return err;
}

static int instance_init(struct kpt_instance *instance, const char *name)
{
	int err;

	err = instance_alloc(instance);
	if (err)
		return err;
	strscpy(instance->name, name, sizeof(instance->name));
	instance->options = DEFAULT_OPTIONS;
	kpt_task_filter_init(instance);
	kpt_errlog_init(&instance->errlog);
	INIT_LIST_HEAD(&instance->files);
	INIT_LIST_HEAD(&instance->group_filters);
	INIT_LIST_HEAD(&instance->waiting_words);
	refcount_set(&instance->holders, 1);
	err = kpt_parts_instance_init(instance) ?: kpt_builtin_add(instance);
	if (err) {
		instance_fini(instance);
		return err;
	}
	list_add_tail(&instance->list, &kpt_instances);
	return 0;
}

/**
 * kpt_instance_find() - find an instance
 * @name: its name
 *
 * Context: process context, kpt_mutex held.
 * Return: the instance, or NULL.
 */
struct kpt_instance *kpt_instance_find(const char *name)
{
	struct kpt_instance *instance;

	lockdep_assert_held(&kpt_mutex);
	list_for_each_entry(instance, &kpt_instances, list)
		if (!strcmp(instance->name, name))
			return instance;
	return NULL;
}

/**
 * kpt_instance_close() - make open() fail for all files of an instance
 * @instance: the instance
 *
 * Context: process context, kpt_mutex held.
 * Return: 0, or -EBUSY if a file of it is open; then nothing has changed.
 */
int kpt_instance_close(struct kpt_instance *instance)
{
	lockdep_assert_held(&kpt_mutex);
	return refcount_dec_if_one(&instance->refs) ? 0 : -EBUSY;
}

/**
 * kpt_instance_open() - the reverse of kpt_instance_close()
 * @instance: the instance; new, or closed
 *
 * Context: any. Nobody else opens it.
 */
void kpt_instance_open(struct kpt_instance *instance)
{
	refcount_set(&instance->refs, 1);
}

/**
 * kpt_instance_unlist() - take an instance off the lists
 * @instance: the instance; it is closed, none of its events is armed
 *
 * Others may take kpt_mutex between two pieces.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_instance_unlist(struct kpt_instance *instance)
{
	unsigned int nr = 0;

	lockdep_assert_held(&kpt_mutex);
	instance->is_partial = true;
	while (!list_empty(&instance->files)) {
		kpt_event_file_remove(list_first_entry(&instance->files,
						       struct kpt_event_file,
						       instance_link));
		/* Yield only while files are left: tasks that find the instance expect some. */
		if (++nr % KPT_PIECE == 0 && !list_empty(&instance->files))
			kpt_mutex_yield();
	}
	kpt_parts_instance_disarmed(instance);
	list_del_init(&instance->list);
}

/**
 * kpt_instance_remove() - disable all events of an instance and take it off the
 * lists
 * @instance: the instance; it is closed and has no triggers
 *
 * The caller removes its directories, then calls kpt_instance_free(). Others may
 * take kpt_mutex between two pieces.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or -ENOMEM, or -EINTR if the task is being killed, and then it stays on
 * the list, with some of its events disabled.
 */
int kpt_instance_remove(struct kpt_instance *instance)
{
	struct kpt_event_files all = { .instance = instance };
	int nr;

	lockdep_assert_held(&kpt_mutex);
	nr = kpt_parts_instance_stop(instance);
	if (!nr)
		nr = kpt_event_files_switch(&all, false);
	if (nr < 0)
		return nr;
	kpt_instance_unlist(instance);
	return 0;
}

/**
 * kpt_instance_free() - free an instance that left the list
 * @instance: the instance; its directories are already removed
 *
 * Context: process context, sleeps.
 */
void kpt_instance_free(struct kpt_instance *instance)
{
	instance_fini(instance);
	kpt_instance_drop(instance);
}

/**
 * kpt_instance_hold() - keep the memory of an instance, even if it is removed
 * @instance: the instance
 *
 * Context: any.
 */
void kpt_instance_hold(struct kpt_instance *instance)
{
	refcount_inc(&instance->holders);
}

/**
 * kpt_instance_drop() - the reverse of kpt_instance_hold()
 * @instance: the instance; freed by the last drop
 *
 * Context: any.
 */
void kpt_instance_drop(struct kpt_instance *instance)
{
	if (refcount_dec_and_test(&instance->holders))
		kfree_rcu(instance, rcu);
}

/**
 * kpt_instance_get() - get a reference of an instance
 * @instance: the instance, which may already be closed
 *
 * Context: any.
 * Return: true, or false if the instance is closed.
 */
bool kpt_instance_get(struct kpt_instance *instance)
{
	return refcount_inc_not_zero(&instance->refs);
}

/**
 * kpt_instance_put() - put a reference of kpt_instance_get()
 * @instance: the instance
 *
 * Context: any.
 */
void kpt_instance_put(struct kpt_instance *instance)
{
	refcount_dec(&instance->refs);
}

/*
 * Make files for the next KPT_PIECE events, those behind @seq, which is moved. Returns
 * how many, or -ENOMEM.
 */
static int instance_add_files(struct kpt_instance *instance, u64 *seq)
{
	struct kpt_event *event;
	int nr = 0;

	list_for_each_entry(event, &kpt_events, list) {
		if (event->seq <= *seq)
			continue;
		if (nr == KPT_PIECE)
			break;
		if (!kpt_event_file_add(event, instance))
			return -ENOMEM;
		*seq = event->seq;
		nr++;
	}
	return nr;
}

/**
 * kpt_instance_create() - make an instance, with a file for every event
 * @name: its name
 *
 * It is closed, so nobody uses it if it is to be freed again: not even a dump of an oops,
 * which takes no lock. Others may take kpt_mutex between two pieces.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the instance, or ERR_PTR(): -EEXIST, -ENOMEM, -EINTR if the task is being
 * killed.
 */
struct kpt_instance *kpt_instance_create(const char *name)
{
	struct kpt_instance *instance;
	u64 seq = 0;
	int err, nr;

	lockdep_assert_held(&kpt_mutex);
	if (kpt_instance_find(name))
		return ERR_PTR(-EEXIST);
	instance = kzalloc(sizeof(*instance), GFP_KERNEL);
	if (!instance)
		return ERR_PTR(-ENOMEM);
	err = instance_init(instance, name);
	if (err) {
		kfree(instance);
		return ERR_PTR(err);
	}
	instance->is_partial = true;
	do {
		nr = instance_add_files(instance, &seq);
		err = nr < 0 ? nr : nr == KPT_PIECE ? kpt_mutex_yield() : 0;
	} while (!err && nr == KPT_PIECE);
	if (err) {
		kpt_instance_unlist(instance);
		kpt_instance_free(instance);
		return ERR_PTR(err);
	}
	instance->is_partial = false;
	return instance;
}

/**
 * kpt_instance_init_top() - make the top instance
 *
 * Context: module load.
 * Return: 0 or -ENOMEM.
 */
int kpt_instance_init_top(void)
{
	int err;

	mutex_lock(&kpt_mutex);
	err = instance_init(&kpt_top_instance, "");
	if (!err)
		kpt_instance_open(&kpt_top_instance);
	mutex_unlock(&kpt_mutex);
	return err;
}

/**
 * kpt_instance_exit_top() - free the top instance
 *
 * Context: module unload; all events are freed.
 */
void kpt_instance_exit_top(void)
{
	mutex_lock(&kpt_mutex);
	kpt_event_file_remove(kpt_top_instance.marker);
	kpt_parts_instance_disarmed(&kpt_top_instance);
	list_del(&kpt_top_instance.list);
	mutex_unlock(&kpt_mutex);
	instance_fini(&kpt_top_instance);
	ida_destroy(&instance_numbers);
}
