// SPDX-License-Identifier: GPL-2.0-only
/*
 * The callers of a hit, from the frame records of the task's own stack: where they are,
 * which the kernel's unwinder does not tell; and who they are, faster than it, in the
 * common case, because it takes about 100 instructions for each of them. Here is also what
 * makes the unwinder of older kernels look like that of newer ones.
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

/* A frame record (AAPCS64, 6.2.3). */
struct frame {
	unsigned long fp;
	unsigned long lr;
};

/* Is a whole frame record at @fp on the stack at @stack? Those of exceptions are words. */
static __always_inline bool frame_is_on(unsigned long stack, unsigned long fp)
{
	return fp - stack <= THREAD_SIZE - sizeof(struct frame) &&
	       !(fp % sizeof(unsigned long));
}

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
	const struct frame *here = __builtin_frame_address(0);
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
	struct frame frame = { .fp = regs->regs[29], .lr = regs->pc };
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

/* The registers at an exception that has a frame record in them at @fp. */
static __always_inline const struct pt_regs *frame_regs(unsigned long fp)
{
	return (void *)(fp - offsetof(struct pt_regs, stackframe));
}

static __always_inline bool frame_is_empty(const struct frame *frame)
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
	unsigned long end = fp + sizeof(struct frame);

	if (IS_ENABLED(CONFIG_CC_IS_CLANG) || next < end || !frame_is_on(stack, next))
		return end;
	/* The code that enters the kernel has saved all registers. */
	if (frame_is_empty((const struct frame *)next))
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
	const struct frame *frame;
	unsigned int nr = 2;

	addr = kpt_arch_true_return(kpt_arch_return_address(regs), fp);
	to[0] = (struct kpt_arch_frame){ .addr = regs->pc, .sp = regs->sp };
	to[1] = (struct kpt_arch_frame){ .addr = addr, .sp = regs->sp };
	for (; nr < max && fp > above && fp != last && frame_is_on(stack, fp); nr++) {
		frame = (const struct frame *)fp;
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
