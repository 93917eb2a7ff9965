// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the frames of functions are on the task's own stack, for stack_trace: the kernel's
 * unwinder does not tell.
 */
#include "kernel/compat.h"
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/processor.h>
#include "arch_compat.h"
#include "engine.h"

/* The registers at an exception that has a frame record in them at @fp. */
static __always_inline const struct pt_regs *frame_regs(unsigned long fp)
{
	return (void *)(fp - offsetof(struct pt_regs, stackframe));
}

static __always_inline bool frame_is_empty(const struct kpt_frame *frame)
{
	return !frame->fp && !frame->lr;
}

/*
 * Where the frame of a function begins whose record is at @next; it has called the
 * function whose record is at @fp. GCC puts the record at the lowest address of the
 * frame. Clang puts it above the variables: there the end of the frame that was called is
 * nearer.
 */
static unsigned long frame_begin(unsigned long stack, unsigned long fp,
				 unsigned long next)
{
	unsigned long end = fp + sizeof(struct kpt_frame);

	if (IS_ENABLED(CONFIG_CC_IS_CLANG) || next < end || !kpt_frame_is_on(stack, next))
		return end;
	/* The code that enters the kernel has saved all registers. */
	if (frame_is_empty((const struct kpt_frame *)next))
		next = (unsigned long)frame_regs(next);
	return max(next, end);
}

/**
 * kpt_arch_frames() - find the callers of a function, and where their frames are
 * @regs: registers at the entry of the function, on the task's stack
 * @to: result: the function and its callers, innermost first; addresses that kptrace has
 *	replaced are not resolved
 * @max: room for them, at least 2
 *
 * Newer kernels mark an exception by an empty record in its registers, which they have
 * since Linux kernel commit c2c6b27b5aa1 ("arm64: stacktrace: unwind exception
 * boundaries") (in v6.13). Older ones have the interrupted address in that record.
 *
 * Context: BRK.
 * Return: number of functions; the walk ends early at what is no frame record.
 */
unsigned int kpt_arch_frames(const struct pt_regs *regs, struct kpt_arch_frame *to,
			     unsigned int max)
{
	unsigned long stack = (unsigned long)task_stack_page(current);
	unsigned long last = (unsigned long)&task_pt_regs(current)->stackframe;
	unsigned long fp = regs->regs[29], above = regs->sp - 1, next, addr;
	const struct kpt_frame *frame;
	unsigned int nr = 2;

	addr = kpt_arch_true_return(kpt_arch_return_address(regs), fp);
	to[0] = (struct kpt_arch_frame){ .addr = regs->pc, .sp = regs->sp };
	to[1] = (struct kpt_arch_frame){ .addr = addr, .sp = regs->sp };
	for (; nr < max && fp > above && fp != last && kpt_frame_is_on(stack, fp); nr++) {
		frame = (const struct kpt_frame *)fp;
		next = frame->fp;
		addr = frame->lr | kpt_arch_return_words.pac_mask;
		if (frame_is_empty(frame)) {
			next = frame_regs(fp)->regs[29];
			addr = frame_regs(fp)->pc;
		}
		to[nr].addr = kpt_arch_true_return(addr, next);
		/* Code that an interrupt has found in a slot. */
		kpt_trap_origin(addr, &to[nr].addr);
		to[nr].sp = frame_begin(stack, fp, next);
		above = fp;
		fp = next;
	}
	return nr;
}
