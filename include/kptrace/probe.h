/* SPDX-License-Identifier: GPL-2.0-only */
/* One definition as an object: made, armed, disarmed, freed. */
#ifndef KPTRACE_PROBE_H
#define KPTRACE_PROBE_H

#include <kptrace/event.h>

/**
 * kpt_probe_make() - a probe from a definition
 * @def: a parsed p or r definition
 * @fields: result: the shape of its records, from kmalloc()
 * @diag: on failure the reason
 *
 * Finds the place, compiles the arguments, asks whether the place may be
 * probed; arms nothing. A place in a module that is not loaded gives a probe
 * without sites, which kpt_probe_attach() completes later.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the probe, or ERR_PTR().
 */
struct kpt_probe *kpt_probe_make(const struct kpt_def *def,
				 struct kpt_fields **fields,
				 struct kpt_diag *diag);

/**
 * kpt_probe_free() - free a probe
 * @probe: not armed, and on no list
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_probe_free(struct kpt_probe *probe);

/**
 * kpt_probe_attach() - the module that a probe waited for has come
 * @probe: a probe without sites, in a module
 * @diag: on failure the reason, and where in @probe->line
 *
 * Finds the place, compiles the arguments again, and takes the sites.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, also if the module is not loaded; or -errno.
 */
int kpt_probe_attach(struct kpt_probe *probe, struct kpt_diag *diag);

/**
 * kpt_probe_detach() - give the sites of a probe back
 * @probe: not armed
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_probe_detach(struct kpt_probe *probe);

/**
 * kpt_probe_enable() - let a probe record into an instance
 * @probe: the probe; without sites nothing happens
 * @file: its event in the instance
 * @batch: takes the change
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM; then the batch is to be dropped.
 */
int kpt_probe_enable(struct kpt_probe *probe, struct kpt_file *file,
		     struct kpt_batch *batch);

/**
 * kpt_probe_disable() - the reverse of kpt_probe_enable()
 * @probe: the probe
 * @file: its event in the instance, or NULL for all instances
 * @batch: takes the change
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM; then the batch is to be dropped.
 */
int kpt_probe_disable(struct kpt_probe *probe, struct kpt_file *file,
		      struct kpt_batch *batch);

/**
 * kpt_probe_is() - is this the probe a delete line means?
 * @probe: the probe
 * @def: a parsed delete definition
 *
 * Group and event may be missing in @def, place and arguments too; arguments
 * that are given must be the probe's first ones.
 *
 * Context: process context, kpt_mutex held.
 */
bool kpt_probe_is(const struct kpt_probe *probe, const struct kpt_def *def);

#endif
