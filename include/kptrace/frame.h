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
#include <kptrace/event.h>

/**
 * struct kpt_frame - one call in progress
 * @node: in the hash of calls in progress
 * @idle: in a list of free ones, while it is not in use
 * @task: who called; a reference is held
 * @sp: stack pointer at the entry, which it is again at the return
 * @probe: the return event's probe, NULL if that is gone
 * @ret: return address that was replaced, 0 if it was left alone
 * @start: counter at the entry
 * @value: values of the entry, in the order of kpt_fetch_prog.entry_arg
 */
struct kpt_frame {
	struct hlist_bl_node node;
	struct llist_node idle;
	struct task_struct *task;
	unsigned long sp;
	struct kpt_probe *probe;
	unsigned long ret;
	u64 start;
	u64 value[KPT_FETCH_ENTRY_MAX];
};

/**
 * kpt_frames_get() - a probe that needs frames was made
 *
 * The first call allocates the hash and a stock of frames for each CPU.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_frames_get(void);

/**
 * kpt_frames_forget() - a probe is going away
 * @probe: its sites are disarmed
 *
 * When it returns nobody uses @probe through a frame any more.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_frames_forget(struct kpt_probe *probe);

/**
 * kpt_frames_drop_idle() - events were disabled
 *
 * Returns of calls in progress will not be seen; so when the events are enabled
 * again, the next call at the same place must not find their frames.
 *
 * Context: process context, sleeps, kpt_mutex held, no hit runs on the lists that
 * were.
 */
void kpt_frames_drop_idle(void);

/**
 * kpt_frame_push() - remember the call that is being entered
 * @probe: for this probe; what its program wants of the entry is kept
 * @regs: registers at the entry
 *
 * Frames of calls of the same task that never returned are dropped: those that it
 * is above of on its stack, and one of the same probe and stack pointer unless the
 * return address is replaced.
 *
 * Context: BRK.
 * Return: the frame, or NULL: the stock is used up, as many calls as the probe
 * may have are in progress, or the module is being unloaded.
 */
struct kpt_frame *kpt_frame_push(struct kpt_probe *probe,
				 const struct pt_regs *regs);

/**
 * kpt_frame_pop() - take the frame of the call that returns now
 * @probe: the probe, or NULL for the newest frame whose return address was
 *	replaced
 * @sp: the stack pointer at the return
 *
 * Context: BRK.
 * Return: the frame, for kpt_frame_free(), or NULL if the entry was not seen.
 */
struct kpt_frame *kpt_frame_pop(const struct kpt_probe *probe,
				unsigned long sp);

/**
 * kpt_frame_pop_behind() - the same, if a trampoline called the function's body
 * @probe: the probe
 * @fp: the trampoline's frame pointer
 *
 * BPF programs behind a function (fexit) have it called by a trampoline that its
 * entry calls. So it returns further down the stack than it was entered: there is
 * the trampoline's frame between, which begins with one or two frame records. A
 * call of the same function below that is too far away to be taken for it.
 *
 * Context: BRK.
 * Return: as kpt_frame_pop().
 */
struct kpt_frame *kpt_frame_pop_behind(const struct kpt_probe *probe,
				       unsigned long fp);

/**
 * kpt_frame_caller() - what a replaced return address of this task stands for
 * @nth: which of them on its stack, 0 for the innermost
 *
 * Context: BRK.
 * Return: the address, or 0 if there are not as many.
 */
unsigned long kpt_frame_caller(unsigned int nth);

/**
 * kpt_frame_true_return() - where a return really leads
 * @ret: what stands in the link register
 *
 * Context: BRK.
 * Return: @ret, or if that is ours the address it replaced.
 */
static inline unsigned long kpt_frame_true_return(unsigned long ret)
{
	if (likely(!kpt_arch_is_replaced(ret)))
		return ret;
	return kpt_frame_caller(0) ?: ret;
}

/**
 * kpt_frames_bury() - drop the frames of calls that are over without a return
 *
 * The task died in the function, or is seen to have left it.
 *
 * Context: process context, sleeps.
 */
void kpt_frames_bury(void);

/**
 * kpt_frame_free() - done with a frame
 * @frame: from kpt_frame_pop()
 *
 * Context: BRK.
 */
void kpt_frame_free(struct kpt_frame *frame);

/**
 * kpt_frames_exit() - free all frames
 *
 * Context: module unload; no probe is left, and no return address is replaced:
 * while one is, the module can not be unloaded.
 */
void kpt_frames_exit(void);

#endif
