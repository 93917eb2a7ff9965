/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What hits of which tasks and CPUs an instance records. As long as that is all
 * of them, hits see nothing of this; else kpt_buffer.stops makes them ask.
 */
#ifndef KPTRACE_LIMITS_H
#define KPTRACE_LIMITS_H

#include <kptrace/event.h>

/**
 * kpt_limits_init() - no limits
 * @instance: the instance
 *
 * Context: process context.
 */
void kpt_limits_init(struct kpt_instance *instance);

/**
 * kpt_limits_exit() - free what limits took
 * @instance: an instance that no hit uses any more
 *
 * Context: process context.
 */
void kpt_limits_exit(struct kpt_instance *instance);

/**
 * kpt_limits_update() - after an option or the mask of CPUs was changed
 * @instance: the instance
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_limits_update(struct kpt_instance *instance);

/**
 * kpt_limits_allow() - is a hit recorded?
 * @instance: the instance, whose kpt_buffer.stops is not 0
 *
 * Context: BRK, or process context with interrupts masked.
 * Return: true if tracing is on and neither task nor CPU are excluded.
 */
bool kpt_limits_allow(const struct kpt_instance *instance);

/**
 * kpt_limits_allow_cpu() - is what a program writes itself recorded?
 * @instance: the instance
 *
 * Context: interrupts masked.
 * Return: as kpt_limits_allow(), but the task does not matter.
 */
bool kpt_limits_allow_cpu(const struct kpt_instance *instance);

/**
 * kpt_pids_add() - add to a list of tasks
 * @instance: the instance
 * @which: KPT_PIDS_*
 * @text: numbers, separated by white space; is taken apart
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, -EINVAL or -ENOMEM; then nothing has changed.
 */
int kpt_pids_add(struct kpt_instance *instance, unsigned int which, char *text);

/**
 * kpt_pids_clear() - forget a list of tasks
 * @instance: the instance
 * @which: KPT_PIDS_*
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_pids_clear(struct kpt_instance *instance, unsigned int which);

#endif
