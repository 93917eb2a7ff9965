/* SPDX-License-Identifier: GPL-2.0-only */
/* Instance persist, whose records survive a reboot, and last_boot, which has them then. */
#ifndef KPTRACE_EVENT_PERSIST_H
#define KPTRACE_EVENT_PERSIST_H

#include <linux/seq_file.h>
#include "event/event_file.h"

void kpt_persist_armed(struct kpt_event_file *file);
void kpt_past_show(const struct kpt_instance *instance, struct seq_file *m);
void kpt_past_drop(struct kpt_instance *instance);
int kpt_persist_instances_init(void);
void kpt_persist_instances_exit(void);

/* last_boot.c: only in instances/last_boot */
extern const struct kpt_fs_table kpt_last_boot_entries;

#endif
