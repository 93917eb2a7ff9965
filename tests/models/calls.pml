/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pile of a task (src/engine/calls.c): the task enters a function, sleeps in it and
 * returns, or leaves it without a return, while bucket_reap() looks for calls that are over,
 * and hits of other tasks in the same bucket come as interrupts. A hit of the task takes the
 * lock of the bucket, or is that of a recorder, which finds the pile open, and takes none.
 *
 * The bit lock is never waited for on the CPU that holds it. A call is dropped only
 * when it is over, and only once. The pile is freed only when it has no call, and no hit uses it.
 *
 * What else closes piles waits for hits that have found one open, see pin.pml. That is not needed
 * here: a task that is in a hit is running.
 *
 * The barriers on arm64: calls-on-cpu.litmus of tests/litmus/.
 *
 * Where a step orders two accesses, the model without it does them in the other
 * order. Without one of these steps the model fails:
 *
 * @NO_LOCK: bucket_reap() takes the bit lock of the bucket
 * @NO_CLOSE: piles_close() closes the pile
 * @NO_CLOSED: nobody opens it meanwhile
 * @NO_HITS_OFF: bucket_visit() and bucket_reap() have hits of this CPU missed
 * @NO_IRQ_SAVE: and mask interrupts, so that the task stays on this CPU
 * @NO_ON_CPU_ACQUIRE: pile_is_over() loads on_cpu before the saved SP
 * @NO_ON_CPU: and drops nothing of a task that is running
 */
#define OUTSIDE	3	/* SPs of the task, below each other */
#define ENTRY	2
#define INSIDE	1

bool lock;		/* of the bucket */
bool closed;
bool open;		/* the pile */
bool in_bucket = true;	/* it is found */
bool on_pile;		/* the task's call */
bool in_progress;	/* its function has not returned */
byte freed;		/* calls that ended without a return */
bool on_cpu;		/* of the task */
byte saved_sp = OUTSIDE; /* where it was switched out last */
byte cpu;		/* where bucket_reap() runs */
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

/* pile_find(), pile_make(), pile_open(); and the unlock at the end */
inline find() { in_bucket = true }
inline unlock()
{
	if
#ifdef NO_CLOSED
	:: true -> open = true
#else
	:: !closed -> open = true
	:: else
#endif
	fi;
	lock = false
}

/* The entry. What is left on the pile is no call around the new one: that is not for recorders. */
inline push()
{
	if
	:: open && !on_pile ->
		/* recorder_keep.c */
		in_progress = true;
		on_pile = true;
		assert(in_bucket)
	:: !open || on_pile ->
		bit_lock();
		find();
		if
		:: on_pile -> freed++
		:: else
		fi;
		in_progress = true;
		on_pile = true;
		unlock()
	fi
}

inline pop()
{
	if
	:: open ->
		/* kpt_return_entry */
		assert(on_pile && in_bucket);
		on_pile = false;
		in_progress = false;
		assert(in_bucket)
	:: !open ->
		bit_lock();
		assert(on_pile && in_bucket);
		on_pile = false;
		in_progress = false;
		unlock();
		/* What was kept of it is used until the hit ends. */
		assert(in_bucket)
	fi
}

/* Its hits run with interrupts masked, on another CPU than bucket_reap() does. */
active proctype task()
{
	on_cpu = true;
	switch_out(OUTSIDE);
	on_cpu = true;
	push();
	switch_out(INSIDE);
	on_cpu = true;
	pop();
	/* Another call, which is left without a return. */
	push();
	in_progress = false;
	switch_out(OUTSIDE);
	on_cpu = true;
	/* The next call drops it, by call_is_stale(). */
	push();
	pop();
	assert(freed == 1)
}

inline begin_visit()
{
#ifndef NO_IRQ_SAVE
	masked = true;
#endif
#ifndef NO_HITS_OFF
	hit_depth[cpu]++;
#endif
#ifndef NO_LOCK
	bit_lock();
#endif
}

inline end_visit()
{
#ifndef NO_LOCK
	lock = false;
#endif
#ifndef NO_HITS_OFF
	hit_depth[cpu]--;
#endif
	masked = false
}

/* piles_close(), bucket_reap(), piles_open() */
active proctype drop() provided (!held_up)
{
	byte sp;
	bool running;

	closed = true;
#ifndef NO_CLOSE
	begin_visit();
	open = false;
	end_visit();
#endif
	begin_visit();
	/* pile_is_over() */
#ifdef NO_ON_CPU_ACQUIRE
	sp = saved_sp;
	running = on_cpu;
#else
	running = on_cpu;
	sp = saved_sp;
#endif
	if
#ifdef NO_ON_CPU
	:: in_bucket ->
#else
	:: in_bucket && !running ->
#endif
		if
		:: on_pile && sp > ENTRY ->
			assert(!in_progress);
			on_pile = false;
			freed++
		:: else
		fi;
		if
		:: !on_pile -> in_bucket = false; open = false
		:: else
		fi
	:: else
	fi;
	end_visit();
	closed = false
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
