// SPDX-License-Identifier: GPL-2.0-only
/* Calls that look how much of the stack is in use. Runs in BRK context, see hit_point.c. */
#include "kernel/compat.h"
#include "parts/tracer/max_stack.h"
#include "hit/internal.h"

/* Not on another stack, and more than the largest size up to now? */
static __always_inline bool max_stack_is_exceeded(unsigned long used)
{
	return unlikely(used > READ_ONCE(kpt_max_stack.size)) && used <= THREAD_SIZE;
}

/* Addresses that kptrace has replaced are those of calls in progress. */
static void max_stack_resolve(struct kpt_max_stack *max)
{
	unsigned int replaced = 0, i;

	for (i = 0; i < max->nr; i++)
		if (kpt_arch_is_replaced(max->frame[i].addr))
			max->frame[i].addr = kpt_call_caller(replaced++) ?:
					     max->frame[i].addr;
}

static noinline void max_stack_take(const struct pt_regs *regs, unsigned long used)
{
	struct kpt_max_stack *max = &kpt_max_stack;

	kpt_max_stack_lock();
	/* Another CPU may have taken a larger one meanwhile. */
	if (max_stack_is_exceeded(used)) {
		max->top = regs->sp + used;
		max->nr = kpt_arch_frames(regs, max->frame, KPT_MAX_STACK_FRAMES);
		max_stack_resolve(max);
		WRITE_ONCE(max->size, used);
	}
	kpt_max_stack_unlock();
}

/**
 * kpt_hit_max_stack() - a function is called that looks how much of the stack is in use
 * @regs: registers at its entry
 *
 * Context: BRK.
 */
void kpt_hit_max_stack(const struct pt_regs *regs)
{
	unsigned long used = kpt_max_stack_used(regs->sp);

	if (max_stack_is_exceeded(used))
		max_stack_take(regs, used);
}

/**
 * kpt_hit_max_stack_only() - run the list that a stub has found, which does only that
 * @ap: the point
 * @regs: as for kpt_hit_point()
 * @recorder: part of the list
 *
 * Context: BRK, as for kpt_hit_point().
 * Return: as kpt_hit_point().
 */
bool kpt_hit_max_stack_only(struct kpt_arch_point *ap, struct pt_regs *regs,
			    const struct kpt_arch_recorder *recorder)
{
	kpt_hit_max_stack(regs);
	return true;
}
