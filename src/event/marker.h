/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace_marker and trace_marker_raw: records that programs write themselves,
 * and the event ftrace:print that carries the triggers of the first.
 */
#ifndef KPTRACE_MARKER_H
#define KPTRACE_MARKER_H

#include "event/event.h"

/*
 * Characters one write to trace_marker records: the record must fit into a page
 * of trace_pipe_raw with its headers (16 + 8), newline and NUL.
 */
#define KPT_MARKER_MAX (SZ_4K - 24 - sizeof(struct kpt_record_print) - 2)

void kpt_marker_init(void);
int kpt_marker_add(struct kpt_instance *instance);
ssize_t kpt_marker_write(struct kpt_instance *instance, const char __user *from,
			 size_t count);
ssize_t kpt_marker_write_raw(struct kpt_instance *instance,
			     const char __user *from, size_t count);

#endif
