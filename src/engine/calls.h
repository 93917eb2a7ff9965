/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames: what is remembered of a call between its entry and its return.
 *
 * Needed by return events that ask for values of the entry, or for the time
 * the call took, and by those whose function can only be followed by its
 * return address. All others need none.
 */
#ifndef KPTRACE_FRAME_H
#define KPTRACE_FRAME_H

#include <linux/list_bl.h>
#include <linux/llist.h>
#include <linux/sched.h>
#include "event/event_file.h"

/**
 * struct kpt_call - one call in progress
 * @node: in the hash of calls in progress
 * @idle: in a list of free ones, while it is not in use
 * @task: who called; a reference is held
 * @sp: stack pointer at the entry, which it is again at the return
 * @probe: the return event's probe, NULL if that is gone
 * @ret: return address that was replaced, 0 if it was left alone
 * @start: counter at the entry
 * @value: values of the entry, in the order of kpt_fetch_prog.entry_arg
 */
struct kpt_call {
	struct hlist_bl_node node;
	struct llist_node idle;
	struct task_struct *task;
	unsigned long sp;
	struct kpt_probe *probe;
	unsigned long ret;
	u64 start;
	u64 value[KPT_FETCH_ENTRY_MAX];
};

int kpt_calls_get(void);
void kpt_calls_forget(struct kpt_probe *probe);
void kpt_calls_drop_idle(void);
struct kpt_call *kpt_call_push(struct kpt_probe *probe,
				 const struct pt_regs *regs);
struct kpt_call *kpt_call_pop(const struct kpt_probe *probe,
				unsigned long sp);
struct kpt_call *kpt_call_pop_behind(const struct kpt_probe *probe,
				       unsigned long fp);
unsigned long kpt_call_caller(unsigned int nth);

/**
 * kpt_call_true_return() - where a return really leads
 * @ret: what stands in the link register
 *
 * Context: BRK.
 * Return: @ret, or if that is ours the address it replaced.
 */
static inline unsigned long kpt_call_true_return(unsigned long ret)
{
	if (likely(!kpt_arch_is_replaced(ret)))
		return ret;
	return kpt_call_caller(0) ?: ret;
}

void kpt_calls_bury(void);
void kpt_call_free(struct kpt_call *frame);
void kpt_calls_exit(void);

#endif
