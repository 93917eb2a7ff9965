/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots: recording continues in a second buffer of the same size, and the first
 * one becomes the snapshot. The first snapshot allocates the second buffer.
 */
#ifndef KPTRACE_SNAPSHOT_H
#define KPTRACE_SNAPSHOT_H

#include "event/event_file.h"

int kpt_snapshot_init(struct kpt_instance *instance);
void kpt_snapshot_exit(struct kpt_instance *instance);
int kpt_snapshot_alloc(struct kpt_instance *instance);
int kpt_snapshot_arm(struct kpt_instance *instance);
void kpt_snapshot_disarm(struct kpt_instance *instance);
bool kpt_snapshot_is_armed(struct kpt_instance *instance);
int kpt_snapshot_make(struct kpt_instance *instance, int cpu);
void kpt_snapshot_request(struct kpt_instance *instance);
void kpt_snapshot_wait(struct kpt_instance *instance);
void kpt_snapshot_clear(struct kpt_instance *instance, int cpu);
int kpt_snapshot_free(struct kpt_instance *instance);

#endif
