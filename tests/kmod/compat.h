/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What older kernels name differently. KPT_HAVE_PROC_OPS is from Kbuild here, the others
 * are from scripts/features.c.
 */
#ifndef KMOD_COMPAT_H
#define KMOD_COMPAT_H

#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <uapi/linux/sched/types.h>

#include "../../kpt_features.h"

#if !KPT_HAVE_NOFAULT
#define copy_from_kernel_nofault(to, from, size) probe_kernel_read(to, from, size)
#endif

#if !KPT_HAVE_SCHED_FIFO
#define sched_set_fifo(task) set_fifo(task, MAX_RT_PRIO / 2)
#define sched_set_fifo_low(task) set_fifo(task, 1)

static inline void set_fifo(struct task_struct *task, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	sched_setscheduler(task, SCHED_FIFO, &param);
}
#endif

#ifndef KPT_HAVE_PROC_OPS
#define proc_ops file_operations
#define proc_open open
#define proc_read read
#define proc_lseek llseek
#define proc_release release
#define proc_write write
#define proc_ioctl unlocked_ioctl
#endif

#endif
