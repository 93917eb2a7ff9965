// SPDX-License-Identifier: GPL-2.0-only
/*
 * The callers of a hit, from the frame records of the task's own stack: faster than the
 * kernel's unwinder in the common case, because it takes about 100 instructions for each of
 * them. Here is also what makes the unwinder of older kernels look like that of newer ones.
 */
#include "kernel/compat.h"
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/processor.h>
#include <asm/stacktrace.h>
#include "arch_compat.h"
#include "engine.h"
#include "kernel/ksyms.h"
#include "lib/base/port.h"

#if KPT_WALK_TELLS_FRAMES
/* Who takes what walk_stackframe() finds. */
struct walk {
	bool (*take)(void *data, unsigned long addr);
	void *data;
};

static int walk_take(struct stackframe *frame, void *data)
{
	const struct walk *w = data;

	return !w->take(w->data, frame->pc);
}

/**
 * kpt_arch_walk() - arch_stack_walk(), of the function that older kernels have
 * @take: called for each address, until it returns false
 * @data: first argument of @take
 * @task: the current task
 * @regs: where to begin; without, at the caller
 *
 * What start_backtrace() does is to set all else of the first frame to 0.
 *
 * Context: BRK.
 */
void kpt_arch_walk(bool (*take)(void *data, unsigned long addr), void *data,
		   struct task_struct *task, struct pt_regs *regs)
{
	const struct kpt_frame *here = __builtin_frame_address(0);
	struct stackframe frame = {
		.fp = regs ? regs->regs[29] : here->fp,
		.pc = regs ? regs->pc : here->lr,
	};
	struct walk w = { .take = take, .data = data };

	walk_stackframe(task, &frame, walk_take, &w);
}
#endif

/**
 * kpt_arch_callers() - find the callers of probed code, if that is simple
 * @regs: registers of the probed code
 * @caller: the address to put after the first one, or 0
 * @addr: result: addresses, innermost first
 * @max: room for them, at least 2
 *
 * It is simple if all frame records up to the last one are on the task's stack, no
 * exception is between them, and no return address is replaced. Then the result is
 * that of arch_stack_walk(). The last frame record is where the kernel puts it for
 * each task since Linux kernel commit 7d7b720a4b80 ("arm64: Implement stack trace
 * termination record") (in v5.14); older kernels have none there.
 *
 * Context: BRK.
 * Return: number of addresses; 0 if it is not simple.
 */
unsigned int kpt_arch_callers(const struct pt_regs *regs, unsigned long caller,
			      u64 *addr, unsigned int max)
{
	unsigned long stack = (unsigned long)task_stack_page(current);
	unsigned long last = (unsigned long)&task_pt_regs(current)->stackframe;
	unsigned long fp = regs->regs[29], above = regs->sp - 1;
	const struct kpt_frame *frame;
	unsigned int nr = 0;

	addr[nr++] = regs->pc;
	if (caller)
		addr[nr++] = caller;
	for (; fp != last && nr < max; nr++) {
		frame = (const struct kpt_frame *)fp;
		/* Frame records that do not lead outwards might never end. */
		if (fp <= above || !kpt_frame_is_on(stack, fp))
			return 0;
		addr[nr] = frame->lr | kpt_arch_return_words.pac_mask;
		/* An exception, or its end on kernels that mark it. */
		if (!frame->fp || kpt_arch_hides_caller(addr[nr]))
			return 0;
		above = fp;
		fp = frame->fp;
	}
	return nr;
}

/**
 * kpt_arch_user_callers() - find where the task is in its program, and the callers there
 * @addr: result: addresses, innermost first
 * @max: room for them, at least 1
 *
 * By the frame records that its functions keep, as perf does: a program that was built
 * without them has one address, and a function that has made none yet hides its caller.
 *
 * Context: BRK.
 * Return: number of addresses; 0 for a thread of the kernel.
 */
unsigned int kpt_arch_user_callers(u64 *addr, unsigned int max)
{
	const struct pt_regs *regs = task_pt_regs(current);
	/* Pointer signatures are above. */
	const u64 bits = GENMASK_ULL(vabits_actual - 1, 0);
	struct kpt_frame frame = { .fp = regs->regs[29], .lr = regs->pc };
	unsigned int nr = 0;
	unsigned long at;

	if (!current->mm || current->flags & PF_KTHREAD)
		return 0;
	do {
		at = frame.fp;
		addr[nr++] = frame.lr & bits;
		/* Of 32-bit programs it is another register. Those that do not lead outwards */
		if (nr == max || compat_user_mode(regs) || at % sizeof(at) ||
		    port_read_user(&frame, at, sizeof(frame)))
			break;
	} while (frame.lr && frame.fp > at);
	return nr;
}
