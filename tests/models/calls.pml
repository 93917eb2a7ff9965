/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A bucket of calls in progress (src/engine/calls.c): a task enters a function, sleeps
 * in it and returns, or leaves it without a return, while calls_drop_from() looks for
 * calls that are over, and hits of other tasks in the same bucket come as interrupts.
 *
 * The bit lock is never waited for on the CPU that holds it. A call is dropped only
 * when it is over, and only once.
 *
 * The barriers on arm64: calls-on-cpu.litmus of tests/litmus/.
 *
 * Where a step orders two accesses, the model without it does them in the other
 * order. Without one of these steps the model fails:
 *
 * @NO_LOCK: calls_drop_from() takes the bit lock of the bucket
 * @NO_HITS_OFF: calls_lock_cpu() has hits of this CPU missed
 * @NO_IRQ_SAVE: it masks interrupts, so that the task stays on this CPU
 * @NO_ON_CPU_ACQUIRE: call_is_over() loads on_cpu before the saved SP
 * @NO_ON_CPU: and drops nothing of a task that is running
 */
#define OUTSIDE	3	/* SPs of the task, below each other */
#define ENTRY	2
#define INSIDE	1

bool lock;		/* of the bucket */
bool in_bucket;		/* the task's call */
bool in_progress;	/* its function has not returned */
byte freed;		/* calls that ended without a return */
bool on_cpu;		/* of the task */
byte saved_sp = OUTSIDE; /* where it was switched out last */
byte cpu;		/* where calls_drop_from() runs */
bool held_up;		/* by an interrupt there */
bool masked;		/* interrupts of its CPU */
byte hit_depth[2];	/* kpt_cpu.depth */

inline bit_lock() { atomic { !lock -> lock = true } }

/* __switch_to() and what is behind it: the kernel's own release */
inline switch_out(sp)
{
	saved_sp = sp;
	on_cpu = false
}

/* Its hits run with interrupts masked, on another CPU than calls_drop_from() does. */
active proctype task()
{
	on_cpu = true;
	switch_out(OUTSIDE);
	on_cpu = true;
	/* kpt_call_push() */
	bit_lock();
	in_progress = true;
	in_bucket = true;
	lock = false;
	switch_out(INSIDE);
	on_cpu = true;
	/* kpt_call_pop() */
	bit_lock();
	assert(in_bucket);
	in_bucket = false;
	in_progress = false;
	lock = false;
	/* Another call, which is left without a return. */
	bit_lock();
	in_progress = true;
	in_bucket = true;
	lock = false;
	in_progress = false;
	switch_out(OUTSIDE);
	on_cpu = true;
	/* The next kpt_call_push() drops it, by call_is_stale(). */
	bit_lock();
	if
	:: in_bucket -> in_bucket = false; freed++
	:: else
	fi;
	lock = false;
	assert(freed == 1)
}

/* calls_drop_from() */
active proctype drop() provided (!held_up)
{
	byte sp;
	bool running;

#ifndef NO_IRQ_SAVE
	masked = true;
#endif
#ifndef NO_HITS_OFF
	hit_depth[cpu]++;
#endif
#ifndef NO_LOCK
	bit_lock();
#endif
	if
	:: in_bucket ->
		/* call_is_over() */
#ifdef NO_ON_CPU_ACQUIRE
		sp = saved_sp;
		running = on_cpu;
#else
		running = on_cpu;
		sp = saved_sp;
#endif
		if
#ifdef NO_ON_CPU
		:: sp > ENTRY ->
#else
		:: !running && sp > ENTRY ->
#endif
			assert(!in_progress);
			in_bucket = false;
			freed++
		:: else
		fi
	:: else
	fi;
#ifndef NO_LOCK
	lock = false;
#endif
#ifndef NO_HITS_OFF
	hit_depth[cpu]--;
#endif
	masked = false
}

/* A hit in what interrupts drop(), or in drop() itself: probes may be anywhere. */
active proctype hit()
{
	byte n;

	do
	:: n < 2 ->
		atomic { n++; held_up = true };
		if
		:: !hit_depth[cpu] -> bit_lock(); lock = false
		:: else
		fi;
		held_up = false
	:: else -> break
	od
}

/* The scheduler moves the task that runs drop(). */
active proctype move() provided (!held_up)
{
	atomic { !masked -> cpu = 1 - cpu }
}
