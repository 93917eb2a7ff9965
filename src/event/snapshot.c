// SPDX-License-Identifier: GPL-2.0-only
/*
 * Snapshots of an instance. While there is none the second buffer has one page
 * per CPU, so that open files need not care.
 */
#include "kernel/compat.h"
#include <linux/mm.h>
#include <linux/workqueue.h>
#include "event/snapshot.h"

/* From a hit to where one may sleep, in two steps. */
static void snapshot_start_work(struct irq_work *irq)
{
	struct kpt_instance *instance =
		container_of(irq, struct kpt_instance, snapshot_irq);

	queue_work(system_highpri_wq, &instance->snapshot_work);
}

static void snapshot_work(struct work_struct *work)
{
	struct kpt_instance *instance =
		container_of(work, struct kpt_instance, snapshot_work);

	/*
	 * A hit may request a snapshot while one is taken that has its record. Another
	 * one would be empty, and the records of the first would be lost.
	 */
	if (!kpt_buffer_is_asked(&instance->buffer))
		return;
	if (kpt_snapshot_take(instance, -1))
		pr_warn_ratelimited("no snapshot was taken\n");
}

/**
 * kpt_snapshot_init() - prepare an instance that has no snapshot
 * @instance: the instance
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int kpt_snapshot_init(struct kpt_instance *instance)
{
	mutex_init(&instance->snapshot_lock);
	INIT_WORK(&instance->snapshot_work, snapshot_work);
	init_irq_work(&instance->snapshot_irq, snapshot_start_work);
	instance->has_snapshot = false;
	return kpt_buffer_init(&instance->snapshot, 1);
}

/**
 * kpt_snapshot_exit() - free what kpt_snapshot_init() made
 * @instance: an instance that nobody uses any more
 *
 * Context: process context, sleeps.
 */
void kpt_snapshot_exit(struct kpt_instance *instance)
{
	irq_work_sync(&instance->snapshot_irq);
	cancel_work_sync(&instance->snapshot_work);
	kpt_buffer_fini(&instance->snapshot);
}

/* As large as the buffer, which may have changed since the last one. */
static int snapshot_alloc(struct kpt_instance *instance)
{
	int err = kpt_buffer_match(&instance->buffer, &instance->snapshot);

	if (!err)
		instance->has_snapshot = true;
	return err;
}

/**
 * kpt_snapshot_alloc() - make sure that taking one needs no memory
 * @instance: the instance
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int kpt_snapshot_alloc(struct kpt_instance *instance)
{
	int err;

	mutex_lock(&instance->snapshot_lock);
	err = snapshot_alloc(instance);
	mutex_unlock(&instance->snapshot_lock);
	return err;
}

/**
 * kpt_snapshot_take() - put the records aside
 * @instance: the instance; records of the last snapshot are forgotten
 * @cpu: a CPU number, or -1 for all
 *
 * Context: process context, sleeps.
 * Return: 0, -ENOMEM or -EBUSY.
 */
int kpt_snapshot_take(struct kpt_instance *instance, int cpu)
{
	int err;

	mutex_lock(&instance->snapshot_lock);
	err = snapshot_alloc(instance);
	if (!err)
		err = kpt_buffer_swap(&instance->buffer, &instance->snapshot,
				      cpu);
	mutex_unlock(&instance->snapshot_lock);
	return err;
}

/**
 * kpt_snapshot_request() - take one soon, of all CPUs
 * @instance: the instance
 *
 * Context: BRK.
 */
void kpt_snapshot_request(struct kpt_instance *instance)
{
	kpt_buffer_ask_swap(&instance->buffer);
	irq_work_queue(&instance->snapshot_irq);
}

/**
 * kpt_snapshot_settle() - wait for all snapshots that hits requested
 * @instance: the instance
 *
 * Context: process context, sleeps.
 */
void kpt_snapshot_settle(struct kpt_instance *instance)
{
	irq_work_sync(&instance->snapshot_irq);
	flush_work(&instance->snapshot_work);
}

/**
 * kpt_snapshot_clear() - forget the records of the snapshot, keep the memory
 * @instance: the instance
 * @cpu: a CPU number, or -1 for all
 *
 * Context: process context, sleeps.
 */
void kpt_snapshot_clear(struct kpt_instance *instance, int cpu)
{
	kpt_buffer_reset(&instance->snapshot, cpu);
}

/**
 * kpt_snapshot_free() - forget it and give the memory back
 * @instance: the instance
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int kpt_snapshot_free(struct kpt_instance *instance)
{
	int err;

	mutex_lock(&instance->snapshot_lock);
	kpt_buffer_reset(&instance->snapshot, -1);
	err = kpt_buffer_resize(&instance->snapshot, -1, 1);
	if (!err)
		instance->has_snapshot = false;
	mutex_unlock(&instance->snapshot_lock);
	return err;
}
