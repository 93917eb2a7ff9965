/* SPDX-License-Identifier: GPL-2.0-only */
/* The largest stack that calls of functions have seen, and who had used it. */
#ifndef KPTRACE_MAX_STACK_H
#define KPTRACE_MAX_STACK_H

#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include "arch.h"

/* Functions that are kept of it, at most. */
#define KPT_MAX_STACK_FRAMES	500

/**
 * struct kpt_max_stack - a stack
 * @size: bytes of it in use; what a user has written is a size without frames
 * @nr: number of functions
 * @top: its end
 * @frame: the functions, innermost first: memory for KPT_MAX_STACK_FRAMES
 */
struct kpt_max_stack {
	unsigned long size;
	unsigned int nr;
	unsigned long top;
	struct kpt_arch_frame *frame;
};

/* Under kpt_max_stack_lock(); hits read @size without it. */
extern struct kpt_max_stack kpt_max_stack;

void kpt_max_stack_lock(void) __acquires(bitlock);
void kpt_max_stack_unlock(void) __releases(bitlock);

/**
 * kpt_max_stack_used() - how much of its stack the current task uses
 * @sp: a stack pointer
 *
 * Context: any.
 * Return: bytes; if @sp is on another stack a number above THREAD_SIZE.
 */
static __always_inline unsigned long kpt_max_stack_used(unsigned long sp)
{
	return (unsigned long)task_stack_page(current) + THREAD_SIZE - sp;
}

unsigned long kpt_max_stack_size(void);
int kpt_max_stack_make(void);
void kpt_max_stack_free(void);
void kpt_max_stack_set_size(unsigned long size);
void kpt_max_stack_copy(struct kpt_max_stack *to);

int kpt_max_stack_init(void);
void kpt_max_stack_exit(void);

#endif
