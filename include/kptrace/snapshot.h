/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots: what was recorded is put aside, and recording goes on in a second
 * buffer of the same size, which is allocated when the first one is taken.
 */
#ifndef KPTRACE_SNAPSHOT_H
#define KPTRACE_SNAPSHOT_H

#include <kptrace/event.h>

/**
 * kpt_snapshot_init() - prepare an instance that has no snapshot
 * @instance: the instance
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int kpt_snapshot_init(struct kpt_instance *instance);

/**
 * kpt_snapshot_exit() - free what kpt_snapshot_init() made
 * @instance: an instance that nobody uses any more
 *
 * Context: process context, sleeps.
 */
void kpt_snapshot_exit(struct kpt_instance *instance);

/**
 * kpt_snapshot_alloc() - make sure that taking one needs no memory
 * @instance: the instance
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int kpt_snapshot_alloc(struct kpt_instance *instance);

/**
 * kpt_snapshot_take() - put aside what was recorded
 * @instance: the instance; what was put aside before is forgotten
 * @cpu: a CPU number, or -1 for all
 *
 * Context: process context, sleeps.
 * Return: 0, -ENOMEM or -EBUSY.
 */
int kpt_snapshot_take(struct kpt_instance *instance, int cpu);

/**
 * kpt_snapshot_request() - take one soon, of all CPUs
 * @instance: the instance
 *
 * Context: BRK.
 */
void kpt_snapshot_request(struct kpt_instance *instance);

/**
 * kpt_snapshot_settle() - wait until what was requested is done
 * @instance: the instance
 *
 * Context: process context, sleeps.
 */
void kpt_snapshot_settle(struct kpt_instance *instance);

/**
 * kpt_snapshot_clear() - forget what was put aside, keep the memory
 * @instance: the instance
 * @cpu: a CPU number, or -1 for all
 *
 * Context: process context, sleeps.
 */
void kpt_snapshot_clear(struct kpt_instance *instance, int cpu);

/**
 * kpt_snapshot_free() - forget it and give the memory back
 * @instance: the instance
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int kpt_snapshot_free(struct kpt_instance *instance);

#endif
