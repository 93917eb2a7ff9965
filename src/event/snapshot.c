// SPDX-License-Identifier: GPL-2.0-only
/*
 * Snapshots of an instance. kpt_snapshot.buffer is there even without a snapshot, so
 * that open files always have one to read; then it has no memory, or a page per CPU.
 */
#include "kernel/compat.h"
#include <linux/mm.h>
#include <linux/workqueue.h>
#include "event/snapshot.h"
#include "kernel/cpu.h"

/* A hit asks for this; it queues snapshot_work(), which may sleep. */
static void snapshot_start_work(struct kpt_bell *bell)
{
	struct kpt_instance *instance =
		container_of(bell, struct kpt_instance, snapshot.bell);

	queue_work(system_highpri_wq, &instance->snapshot.work);
}

/* Take the snapshot that hits have requested, if they have. */
static void snapshot_take(struct kpt_instance *instance)
{
	/*
	 * A snapshot that another task took since the request has the record of the
	 * hit. A second one would be empty and replace it, so take none.
	 */
	if (!kpt_buffer_is_asked(&instance->buffer))
		return;
	if (kpt_snapshot_make(instance, -1))
		pr_warn_ratelimited("no snapshot was taken\n");
}

static void snapshot_work(struct work_struct *work)
{
	snapshot_take(container_of(work, struct kpt_instance, snapshot.work));
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
	mutex_init(&instance->snapshot.lock);
	INIT_WORK(&instance->snapshot.work, snapshot_work);
	kpt_bell_init(&instance->snapshot.bell, snapshot_start_work);
	atomic_set(&instance->snapshot.arms, 0);
	instance->snapshot.is_full = false;
	return kpt_buffer_init(&instance->snapshot.buffer, 1);
}

/**
 * kpt_snapshot_exit() - free what kpt_snapshot_init() made
 * @instance: the instance, no longer in use
 *
 * Context: process context, sleeps.
 */
void kpt_snapshot_exit(struct kpt_instance *instance)
{
	kpt_bell_sync(&instance->snapshot.bell);
	cancel_work_sync(&instance->snapshot.work);
	kpt_buffer_fini(&instance->snapshot.buffer);
}

/* Make the snapshot as large as the buffer, which may have been resized since. */
static int snapshot_alloc(struct kpt_instance *instance)
{
	int err;

	if (kpt_buffer_is_fixed(&instance->buffer, -1))
		return -EBUSY;
	err = kpt_buffer_match(&instance->buffer, &instance->snapshot.buffer);
	if (!err)
		instance->snapshot.is_full = true;
	return err;
}

/**
 * kpt_snapshot_alloc() - allocate the memory for a snapshot beforehand
 * @instance: the instance
 *
 * Context: process context, sleeps.
 * Return: 0, -EBUSY if kpt_buffer_is_fixed(), or -ENOMEM.
 */
int kpt_snapshot_alloc(struct kpt_instance *instance)
{
	int err;

	mutex_lock(&instance->snapshot.lock);
	err = snapshot_alloc(instance);
	mutex_unlock(&instance->snapshot.lock);
	return err;
}

/**
 * kpt_snapshot_arm() - prepare for snapshots that hits will request
 * @instance: the instance; until kpt_snapshot_disarm(), no program can map pages of
 *	its buffer
 *
 * Context: process context, sleeps.
 * Return: 0, -EBUSY if kpt_buffer_is_fixed(), or -ENOMEM.
 */
int kpt_snapshot_arm(struct kpt_instance *instance)
{
	int err;

	atomic_inc(&instance->snapshot.arms);
	/* Pairs with kpt_snapshot_is_armed(): one of the two sees the other. */
	smp_mb__after_atomic();
	err = kpt_snapshot_alloc(instance);
	if (err)
		kpt_snapshot_disarm(instance);
	return err;
}

/**
 * kpt_snapshot_disarm() - the reverse of kpt_snapshot_arm()
 * @instance: the instance
 *
 * Context: process context.
 */
void kpt_snapshot_disarm(struct kpt_instance *instance)
{
	atomic_dec(&instance->snapshot.arms);
}

/**
 * kpt_snapshot_is_armed() - may hits request snapshots?
 * @instance: the instance
 *
 * A caller that maps pages of the buffer counts them in kpt_buffer_cpu.maps first.
 *
 * Context: any.
 * Return: true if they may.
 */
bool kpt_snapshot_is_armed(struct kpt_instance *instance)
{
	/* The caller's count before @arms. Pairs with kpt_snapshot_arm(). */
	smp_mb();
	return atomic_read(&instance->snapshot.arms);
}

/**
 * kpt_snapshot_make() - exchange the buffer and the snapshot
 * @instance: the instance; the records of its last snapshot are dropped
 * @cpu: a CPU number, or -1 for all
 *
 * Context: process context, sleeps.
 * Return: 0, -ENOMEM, or -EBUSY if a CPU was always in the middle of a record, or if
 * kpt_buffer_is_fixed().
 */
int kpt_snapshot_make(struct kpt_instance *instance, int cpu)
{
	int err;

	mutex_lock(&instance->snapshot.lock);
	err = snapshot_alloc(instance);
	if (!err)
		err = kpt_buffer_swap(&instance->buffer, &instance->snapshot.buffer,
				      cpu);
	mutex_unlock(&instance->snapshot.lock);
	return err;
}

/**
 * kpt_snapshot_request() - have a snapshot of all CPUs taken soon
 * @instance: the instance
 *
 * Nothing happens on a CPU that comes online or goes offline, see kpt_irq_work_runs().
 *
 * Context: BRK.
 */
void kpt_snapshot_request(struct kpt_instance *instance)
{
	if (!kpt_irq_work_runs())
		return;
	kpt_buffer_ask_swap(&instance->buffer);
	kpt_bell_ask(&instance->snapshot.bell);
}

/**
 * kpt_snapshot_wait() - wait for the snapshots that hits have requested before
 * @instance: the instance
 *
 * Hits may request others all the time, so this does not wait for the bell, but takes what it
 * would have taken.
 *
 * Context: process context, sleeps.
 */
void kpt_snapshot_wait(struct kpt_instance *instance)
{
	/* One that has begun. */
	flush_work(&instance->snapshot.work);
	snapshot_take(instance);
}

/**
 * kpt_snapshot_clear() - drop the records of the snapshot, keep its memory
 * @instance: the instance
 * @cpu: a CPU number, or -1 for all
 *
 * Context: process context, sleeps.
 */
void kpt_snapshot_clear(struct kpt_instance *instance, int cpu)
{
	kpt_buffer_reset(&instance->snapshot.buffer, cpu);
}

/**
 * kpt_snapshot_free() - drop the records of the snapshot and free its memory
 * @instance: the instance
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int kpt_snapshot_free(struct kpt_instance *instance)
{
	int err;

	mutex_lock(&instance->snapshot.lock);
	kpt_buffer_reset(&instance->snapshot.buffer, -1);
	err = kpt_buffer_resize(&instance->snapshot.buffer, -1, 1);
	if (!err)
		instance->snapshot.is_full = false;
	mutex_unlock(&instance->snapshot.lock);
	return err;
}
