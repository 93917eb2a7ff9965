// SPDX-License-Identifier: GPL-2.0-only
/*
 * The largest stack. Hits take its lock, so other code masks interrupts and turns hits off
 * before it takes the lock, too.
 */
/* It needs cpu_relax(), but does not include that. */
#include <asm/processor.h>
#include <linux/bit_spinlock.h>
#include <linux/slab.h>
#include "parts/tracer/max_stack.h"

struct kpt_max_stack kpt_max_stack;
static unsigned long max_stack_lock;

/**
 * kpt_max_stack_lock() - take the lock
 *
 * It is held for one walk over a stack, at most. A bit, because lockdep must not look at
 * it.
 *
 * Context: BRK; or interrupts masked, hits off.
 */
void kpt_max_stack_lock(void) __acquires(bitlock)
{
	bit_spin_lock(0, &max_stack_lock);
}

/**
 * kpt_max_stack_unlock() - drop the lock
 *
 * Context: as kpt_max_stack_lock().
 */
void kpt_max_stack_unlock(void) __releases(bitlock)
{
	__bit_spin_unlock(0, &max_stack_lock);
}

/**
 * kpt_max_stack_make() - make memory for the functions, before hits look for a stack
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_max_stack_make(void)
{
	if (!kpt_max_stack.frame)
		kpt_max_stack.frame = kcalloc(KPT_MAX_STACK_FRAMES,
					      sizeof(*kpt_max_stack.frame), GFP_KERNEL);
	return kpt_max_stack.frame ? 0 : -ENOMEM;
}

/**
 * kpt_max_stack_free() - free it
 *
 * Context: module unload; no hit looks for a stack.
 */
void kpt_max_stack_free(void)
{
	kfree(kpt_max_stack.frame);
}

/**
 * kpt_max_stack_size() - the size of the largest stack
 *
 * Context: any.
 * Return: bytes.
 */
unsigned long kpt_max_stack_size(void)
{
	return READ_ONCE(kpt_max_stack.size);
}

/**
 * kpt_max_stack_set_size() - look for a stack that is larger than that
 * @size: bytes; 0 to begin again. The functions stay until there is one
 *
 * Context: process context.
 */
void kpt_max_stack_set_size(unsigned long size)
{
	unsigned long flags = kpt_arch_hits_off_save();

	kpt_max_stack_lock();
	WRITE_ONCE(kpt_max_stack.size, size);
	kpt_max_stack_unlock();
	kpt_arch_hits_on_restore(flags);
}

/**
 * kpt_max_stack_copy() - copy the largest stack
 * @to: the copy, with memory for the functions
 *
 * Context: process context.
 */
void kpt_max_stack_copy(struct kpt_max_stack *to)
{
	unsigned long flags = kpt_arch_hits_off_save();

	kpt_max_stack_lock();
	to->size = kpt_max_stack.size;
	to->nr = kpt_max_stack.nr;
	to->top = kpt_max_stack.top;
	memcpy(to->frame, kpt_max_stack.frame, to->nr * sizeof(*to->frame));
	kpt_max_stack_unlock();
	kpt_arch_hits_on_restore(flags);
}
