// SPDX-License-Identifier: GPL-2.0-only
/* The tracepoint task_rename: hits note names again, see kpt_comm_renamed(). */
#include <linux/limits.h>
#include <trace/events/task.h>
#include "engine/rename.h"
#include "engine/tracepoint.h"
#include "kernel/comms.h"

#ifdef CONFIG_TRACEPOINTS

static struct tracepoint *rename_tracepoint;

static void rename_seen(void *data, struct task_struct *task, const char *name)
{
	kpt_comm_renamed(task, name);
}

/**
 * kpt_rename_init() - ask the kernel to tell when tasks are renamed
 *
 * Others that listen are called before: some want to know the old name.
 *
 * Context: module load.
 * Return: 0; without the tracepoint kpt_comm_sees_renames is false.
 */
int kpt_rename_init(void)
{
	struct tracepoint *tp = kpt_tracepoint_find("task_rename");

	/* What is registered as an address has the type that kCFI wants to see. */
	check_trace_callback_type_task_rename(rename_seen);
	if (tp && !tracepoint_probe_register_prio(tp, (void *)rename_seen, NULL, INT_MIN))
		rename_tracepoint = tp;
	kpt_comm_sees_renames = rename_tracepoint;
	return 0;
}

/**
 * kpt_rename_exit() - undo kpt_rename_init()
 *
 * Context: module unload.
 */
void kpt_rename_exit(void)
{
	if (!rename_tracepoint)
		return;
	kpt_tracepoint_unregister(rename_tracepoint, (void *)rename_seen, NULL);
	tracepoint_synchronize_unregister();
}

#endif
