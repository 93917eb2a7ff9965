/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unloading while return addresses are replaced: kpt_call_push(), pin_take() and
 * pin_work() of src/engine/calls.c, against the unloading of the module.
 *
 * The module is not freed while a return leads through it. Its reference is never put
 * too often, and is put in the end, so that it can be unloaded.
 *
 * Each CPU has a task, whose calls are in a bucket of its own. What a hit does behind
 * the lock of the bucket has no other order: it may read @pinned before or after it adds
 * the call, or when it has released the lock.
 *
 * The barriers on arm64: pin.litmus of tests/litmus/.
 *
 * Where a step orders two accesses, the model without it does them in the other
 * order. Without one of these steps the model fails:
 *
 * @NO_LOCK_FIRST: a hit takes the lock of the bucket before it reads @pinned
 * @NO_LOCK: pin_work() takes the lock of a bucket to look for calls
 * @NO_XCHG_FIRST: pin_work() clears @pinned before it looks for calls
 * @NO_RETURNS_LEFT: pin_work() waits until nobody is on the way back
 * @NO_TAKE_ONCE: pin_take() puts its reference if there was one already
 * @NO_WORK_ONCE: pin_work() puts its own if a hit has taken one meanwhile
 * @NO_KICK: pin_take() has the worker started
 * @NO_REFUSAL: pin_take() replaces nothing once the module is going
 * @NO_WITHDRAW: the call of an address that is not replaced is taken out again
 * @NO_QUIESCE: unloading waits for hits after points were disarmed
 */
#define CPUS	2
#define CALLS	2	/* on each */

byte bucket[CPUS];	/* calls whose return address is replaced */
bool lock[CPUS];	/* of the bucket */
bool pinned;
byte refs;		/* of the module */
bool work, working;	/* pin_work() is scheduled, runs */
bool going, disarmed, gone;
byte hits;		/* CPUs in a hit */
byte leaving;		/* CPUs in our code behind kpt_call_pop_replaced() */
byte ended;

/* xchg() */
#define XCHG(old, where, new) d_step { old = where; where = new }

inline bit_lock(n) { atomic { !lock[n] -> lock[n] = true } }

inline take_out(n)
{
	bit_lock(n);
	bucket[n]--;
	lock[n] = false
}

proctype task(byte cpu)
{
	byte calls;
	bool old, may;

	do
	:: calls < CALLS ->
		atomic {
			calls++;
			if
			:: disarmed -> break
			:: else -> hits++
			fi
		};
		assert(!gone);
		/* kpt_call_push() */
#ifdef NO_LOCK_FIRST
		may = pinned;
		bit_lock(cpu);
		bucket[cpu]++;
		lock[cpu] = false;
#else
		bit_lock(cpu);
		if
		:: may = pinned;
			bucket[cpu]++;
			lock[cpu] = false
		:: bucket[cpu]++;
			may = pinned;
			lock[cpu] = false
		:: bucket[cpu]++;
			lock[cpu] = false;
			may = pinned
		fi;
#endif
		if
		:: !may ->
			/* pin_take() */
			if
#ifdef NO_REFUSAL
			:: may = true; refs++
#else
			:: atomic { !going -> may = true; refs++ }
			:: going ->
#ifndef NO_WITHDRAW
				take_out(cpu)
#endif
#endif
			fi;
			if
			:: may ->
				XCHG(old, pinned, true);
				if
#ifndef NO_TAKE_ONCE
				:: old -> refs--
#endif
				:: else ->
#ifndef NO_KICK
					work = true
#endif
				fi
			:: else
			fi
		:: else
		fi;
		assert(!gone);
		hits--;
		if
		:: may ->
			/* The function runs, and returns to us. */
			assert(!gone);
			leaving++;
			take_out(cpu);
			assert(!gone);
			leaving--
		:: else
		fi;
		atomic { may = false; old = false }
	:: else -> break
	od;
	ended++
}

/* kpt_calls_replaced() */
inline look()
{
	do
	:: at < CPUS ->
#ifndef NO_LOCK
		bit_lock(at);
#endif
		busy = busy || bucket[at] != 0;
#ifndef NO_LOCK
		lock[at] = false;
#endif
		at++
	:: else -> break
	od;
	at = 0
}

active proctype pin_work()
{
	bool old, busy;
	byte at;

end:	do
	:: atomic { work -> work = false; working = true };
#ifdef NO_XCHG_FIRST
		look();
		XCHG(old, pinned, false);
#else
		XCHG(old, pinned, false);
		look();
#endif
		if
		:: old ->
#ifndef NO_RETURNS_LEFT
			busy = busy || leaving != 0;
#endif
			if
			:: busy ->
				XCHG(old, pinned, true);
				if
#ifndef NO_WORK_ONCE
				:: old -> refs--
#endif
				:: else
				fi;
				work = true
			:: else -> refs--
			fi
		:: else
		fi;
		assert(!gone);
		atomic { old = false; busy = false; working = false }
	od
}

/* delete_module(), which ends up in kpt_points_disarm_all() and kpt_calls_exit() */
active proctype unload()
{
	do
	:: atomic { refs == 0 -> going = true };
		disarmed = true;
#ifndef NO_QUIESCE
		hits == 0;
#endif
		/* cancel_delayed_work_sync() */
		atomic { !working -> work = false };
		gone = true;
		assert(!bucket[0] && !bucket[1] && !leaving);
		break
	:: ended == CPUS -> break
	od;
	/* In the end nothing hinders. */
	atomic {
		ended == CPUS && !work && (gone || refs == 0) ->
		assert(!bucket[0] && !bucket[1])
	}
}

init { atomic { run task(0); run task(1) } }
