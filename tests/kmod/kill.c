// SPDX-License-Identifier: GPL-2.0-only
/*
 * kpt_kill.ko: a task that calls a function for the n-th time is killed there. It tells how
 * often the task has called it since.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <kptrace.h>

static char *place;
module_param(place, charp, 0444);
MODULE_PARM_DESC(place, "the function: kptrace_probe.place. The kernel calls it without siglock");
static char *task;
module_param(task, charp, 0444);
MODULE_PARM_DESC(task, "the task, by its name");
static ulong nth;
module_param(nth, ulong, 0644);
MODULE_PARM_DESC(nth, "the call at which it is killed; 0: none");
static ulong calls;
module_param(calls, ulong, 0644);
MODULE_PARM_DESC(calls, "how often tasks of that name have called it");

static int kill_pre(struct kptrace_probe *p, struct pt_regs *regs)
{
	if (!strcmp(current->comm, task) && ++calls == nth)
		send_sig(SIGKILL, current, 1);
	return 0;
}

static struct kptrace_probe probe = { .pre = kill_pre };

static int __init kill_init(void)
{
	probe.place = place;
	return kptrace_register(&probe, NULL);
}

static void __exit kill_exit(void)
{
	kptrace_unregister(&probe);
}

module_init(kill_init);
module_exit(kill_exit);
MODULE_DESCRIPTION("Test module of kptrace: kills a task at a call");
MODULE_LICENSE("GPL");
