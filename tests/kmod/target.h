/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kpt_target.ko calls functions of target_funcs.h when told to.
 *
 * Commands are written to /proc/kpt_target; reading it gives the result of the
 * last one. An act is one way to call one function, with known arguments.
 *
 *	call ACT [COUNT [VALUE]]	call it; result: what the last call gave
 *	threads N ACT COUNT [USEC]	N threads, spread over the CPUs, COUNT
 *					calls each; with USEC also from IPIs on
 *					all other CPUs every so often, while they
 *					run; result: calls made
 *	mortal N COUNT			N threads, COUNT calls of kpt_target_pair()
 *					each, which are numbered from 1 on over
 *					all of them, and then one more, which the
 *					thread dies in; result: calls made
 *	contexts COUNT			kpt_target_context() COUNT times from
 *					each of task, task with softirqs
 *					off, softirq and hardirq
 *	bench ACT [CALLS [BLOCKS]]	ns that CALLS (1000) calls take, with
 *					interrupts off: the least of BLOCKS (64)
 *	marked ACT CALLS ID		the calls with interrupts off, between
 *					two faults that an emulator's log shows,
 *					at -4096 + 2 * ID and one byte further
 *	fifo [low]			the task that writes this gets real-time
 *					priority, for good, or the lowest one
 *	fifo PID			that task gets a higher one than both
 *	hold ADDRESS			a task locks the mutex there, and keeps it
 *	release				until this
 *	hold_mm PID, release_mm		the same, with the mmap_lock of a process
 *	where				place of the mid-function instruction, as
 *					a definition has it
 *	word				address of what acts store to
 *	now				ns by the CPU's counter
 *
 * A VALUE replaces the act's own where the function takes one.
 */
#ifndef TARGET_H
#define TARGET_H

#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/seq_file.h>
#include <linux/types.h>
#include <asm/sysreg.h>

/**
 * struct target_input - what a caller may hand on to the function
 * @user: memory of the task that wrote the command; NULL in other contexts
 * @user_len: bytes there
 * @value: the act's value, or the command's
 */
struct target_input {
	const char __user *user;
	size_t user_len;
	long value;
};

/**
 * struct target_act - one way to call one function
 * @name: what commands call it
 * @call: calls the function once
 * @value: target_input.value where the command has none
 * @sleeps: it may only be called from a task
 * @bh_off: "bench" and "marked" call it with softirqs off, as under a spinlock
 * @count: they add this to preempt_count(): preemption is off, or an interrupt runs
 */
struct target_act {
	const char *name;
	long (*call)(const struct target_input *in);
	long value;
	bool sleeps;
	bool bh_off;
	int count;
};

/* Room for the result of a command. */
#define TARGET_RESULT_SIZE 256

/**
 * target_act_find() - look an act up
 * @name: its name, or NULL
 *
 * Return: the act or NULL.
 */
const struct target_act *target_act_find(const char *name);

/**
 * target_call() - call the function of an act
 * @act: the act
 * @in: its input
 *
 * Warns, which fails the boot, if a probe has changed DAIF.
 *
 * Return: what @act->call() returns.
 */
static __always_inline long target_call(const struct target_act *act,
					const struct target_input *in)
{
	unsigned long daif = read_sysreg(daif);
	long ret = act->call(in);

	WARN_ONCE(read_sysreg(daif) != daif, "%s has changed the masks of exceptions\n",
		  act->name);
	return ret;
}

/**
 * target_run_threads() - call an act from many tasks
 * @act: the act
 * @value: target_input.value
 * @nr: tasks
 * @count: calls each
 * @usec: also from IPIs, with this long a pause in between; 0: not
 * @calls: result: how many calls were made
 *
 * Context: process context, sleeps.
 * Return: 0 or -errno.
 */
int target_run_threads(const struct target_act *act, long value,
		       unsigned int nr, unsigned long count, unsigned int usec,
		       u64 *calls);

/**
 * target_run_mortal() - call kpt_target_pair() from tasks that die in it
 * @nr: tasks
 * @count: calls each, before the last one
 * @calls: result: how many calls were made, the last ones included
 *
 * Context: process context, sleeps.
 * Return: 0 or -errno.
 */
int target_run_mortal(unsigned int nr, unsigned long count, u64 *calls);

/** target_next_id() - a number that no other call of the command has */
u64 target_next_id(void);

/** target_die() - end the current task, one of target_run_mortal() */
void __noreturn target_die(void);

/**
 * target_run_contexts() - kpt_target_context() in each context it can be in
 * @count: how often in each
 *
 * Context: process context, sleeps.
 */
void target_run_contexts(unsigned long count);

/**
 * target_run_bench() - time calls
 * @act: the act
 * @in: its input
 * @calls: calls in a block
 * @blocks: blocks
 *
 * Context: process context, sleeps between blocks.
 * Return: ns of the fastest block.
 */
u64 target_run_bench(const struct target_act *act,
		     const struct target_input *in, unsigned int calls,
		     unsigned int blocks);

/**
 * target_run_marked() - calls between two marks in an emulator's log
 * @act: the act
 * @in: its input
 * @calls: how many
 * @id: 0 to 2047: tells the marks from others
 *
 * Context: process context.
 */
void target_run_marked(const struct target_act *act,
		       const struct target_input *in, unsigned int calls,
		       unsigned int id);

/**
 * target_now() - time by the kernel's clock
 *
 * Return: ns.
 */
u64 target_now(void);

/**
 * target_gate_open() - let kpt_target_wait() return
 *
 * It returns when all threads of target_run_threads() are in it.
 */
bool target_gate_open(void);

/** target_gate_wait() - the body of kpt_target_wait() */
void target_gate_wait(void);

#endif
