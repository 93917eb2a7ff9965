// SPDX-License-Identifier: GPL-2.0-only
/*
 * The callers of a hit, from the frame records of the task's own stack. This is the
 * common case only, because the kernel's unwinder takes about 100 instructions for
 * each of them.
 */
#include "kernel/compat.h"
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/processor.h>
#include "engine.h"

/* A frame record (AAPCS64, 6.2.3). */
struct frame {
	unsigned long fp;
	unsigned long lr;
};

/* Is a whole frame record at @fp on the stack at @stack? */
static __always_inline bool frame_is_on(unsigned long stack, unsigned long fp)
{
	return fp - stack <= THREAD_SIZE - sizeof(struct frame) &&
	       !(fp % sizeof(struct frame));
}

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
	const struct frame *frame;
	unsigned int nr = 0;

	addr[nr++] = regs->pc;
	if (caller)
		addr[nr++] = caller;
	for (; fp != last && nr < max; nr++) {
		frame = (const struct frame *)fp;
		/* Frame records that do not lead outwards might never end. */
		if (fp <= above || !frame_is_on(stack, fp))
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
