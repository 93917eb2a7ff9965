/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unloading while return addresses are replaced: kpt_call_push(), pin_take() and
 * watch_work() of src/engine/calls.c, and recorders, against the unloading of the module.
 *
 * The module is not freed while a return leads through it. Its reference is never put
 * too often, and is put in the end, so that it can be unloaded.
 *
 * Each CPU has a task, whose calls are in a bucket of its own. What a hit does behind
 * the lock of the bucket has no other order: it may read @pinned before or after it adds
 * the call, or when it has released the lock. A recorder takes no lock, and adds a call only if
 * it has found @pinned set.
 *
 * The barriers on arm64: quiesce-before.litmus, quiesce-after.litmus of tests/litmus/.
 *
 * Where a step orders two accesses, the model without it does them in the other
 * order. Without one of these steps the model fails:
 *
 * @NO_CLOSE: piles_close() waits for hits, as those of recorders
 * @NO_XCHG_FIRST: watch_work() clears @pinned before it looks for calls
 * @NO_RETURNS_LEFT: watch_work() waits until nobody is on the way back
 * @NO_TAKE_ONCE: pin_take() puts its reference if there was one already
 * @NO_WORK_ONCE: watch_work() puts its own if a hit has taken one meanwhile
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
bool work, working;	/* watch_work() is scheduled, runs */
bool going, disarmed, gone;
byte hits;		/* CPUs in a hit */
bool in_hit[CPUS];
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
			:: else -> hits++; in_hit[cpu] = true
			fi
		};
		assert(!gone);
		/* recorder_keep.c */
		may = pinned;
		if
		:: may -> bucket[cpu]++; goto kept
		:: skip
		fi;
		/* kpt_call_push() */
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
kept:		assert(!gone);
		atomic { hits--; in_hit[cpu] = false };
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
		bit_lock(at);
		busy = busy || bucket[at] != 0;
		lock[at] = false;
		at++
	:: else -> break
	od;
	at = 0
}

/* piles_close() */
inline close()
{
#ifdef NO_CLOSE
	skip;
#else
	!in_hit[0];
	!in_hit[1];
#endif
}

active proctype watch_work()
{
	bool old, busy;
	byte at;

end:	do
	:: atomic { work -> work = false; working = true };
#ifdef NO_XCHG_FIRST
		close();
		look();
		XCHG(old, pinned, false);
#else
		XCHG(old, pinned, false);
		close();
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
