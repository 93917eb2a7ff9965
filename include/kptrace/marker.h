/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace_marker and trace_marker_raw: records that programs write themselves,
 * and the event ftrace:print that carries the triggers of the first.
 */
#ifndef KPTRACE_MARKER_H
#define KPTRACE_MARKER_H

#include <kptrace/event.h>

/*
 * Characters one write to trace_marker records: the record must fit into a page
 * of trace_pipe_raw with its headers (16 + 8), newline and NUL.
 */
#define KPT_MARKER_MAX (SZ_4K - 24 - sizeof(struct kpt_record_print) - 2)

/**
 * kpt_marker_init() - make the event ftrace:print
 *
 * Context: module load, before the first instance.
 */
void kpt_marker_init(void);

/**
 * kpt_marker_add() - give an instance its side of ftrace:print
 * @instance: the instance
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_marker_add(struct kpt_instance *instance);

/**
 * kpt_marker_write() - record a text
 * @instance: where
 * @from: the text
 * @count: its characters; KPT_MARKER_MAX are recorded at most
 *
 * Runs the triggers of ftrace:print.
 *
 * Context: process context, sleeps; @instance is held.
 * Return: characters recorded, -EINVAL without option markers, -EBADF if the
 * instance does not record now, -EFAULT or -ENOMEM.
 */
ssize_t kpt_marker_write(struct kpt_instance *instance, const char __user *from,
			 size_t count);

/**
 * kpt_marker_write_raw() - record a number and bytes
 * @instance: where
 * @from: a u32 and the bytes
 * @count: of both
 *
 * Context: process context, sleeps; @instance is held.
 * Return: @count, or as kpt_marker_write(); -EINVAL also if there are too few
 * or too many.
 */
ssize_t kpt_marker_write_raw(struct kpt_instance *instance,
			     const char __user *from, size_t count);

#endif
