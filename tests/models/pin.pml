/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unloading while return addresses are replaced: pin_get(), pin_take(), pin_put() and
 * pin_work() of src/engine/calls.c, against the unloading of the module.
 *
 * The module is not freed while a return leads through it. Its reference is never put
 * too often, and is put in the end, so that it can be unloaded.
 *
 * Where a step orders two accesses, the model without it does them in the other
 * order. Without one of these steps the model fails:
 *
 * @NO_PIN_MB: pin_get() counts in @replaced before it reads @pinned
 * @NO_XCHG_FIRST: pin_work() clears @pinned before it reads @replaced
 * @NO_RETURNS_LEFT: pin_work() waits until nobody is on the way back
 * @NO_TAKE_ONCE: pin_take() puts its reference if there was one already
 * @NO_WORK_ONCE: pin_work() puts its own if a hit has taken one meanwhile
 * @NO_KICK: pin_take() has the worker started
 * @NO_REFUSAL: pin_take() replaces nothing once the module is going
 * @NO_QUIESCE: unloading waits for hits after points were disarmed
 */
#define CPUS	2
#define CALLS	2	/* on each */

byte replaced;		/* return addresses */
bool pinned;
byte refs;		/* of the module */
bool work, working;	/* pin_work() is scheduled, runs */
bool going, disarmed, gone;
byte hits;		/* CPUs in a hit */
byte leaving;		/* CPUs in our code behind pin_put() */
byte ended;

/* xchg() */
#define XCHG(old, where, new) d_step { old = where; where = new }

proctype task()
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
		/* pin_get() */
#ifdef NO_PIN_MB
		may = pinned;
		replaced++;
#else
		replaced++;
		may = pinned;
#endif
		if
		:: !may ->
			/* pin_take() */
			if
#ifdef NO_REFUSAL
			:: may = true; refs++
#else
			:: atomic { !going -> may = true; refs++ }
			:: atomic { going -> replaced-- }
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
			/* pin_put() */
			replaced--;
			assert(!gone);
			leaving--
		:: else
		fi;
		atomic { may = false; old = false }
	:: else -> break
	od;
	ended++
}

active proctype pin_work()
{
	bool old, busy;

end:	do
	:: atomic { work -> work = false; working = true };
#ifdef NO_XCHG_FIRST
		busy = replaced != 0;
		XCHG(old, pinned, false);
#else
		XCHG(old, pinned, false);
		busy = replaced != 0;
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
		assert(!replaced && !leaving);
		break
	:: ended == CPUS -> break
	od;
	/* In the end nothing hinders. */
	atomic { ended == CPUS && !work && (gone || refs == 0) -> assert(!replaced) }
}

init { atomic { run task(); run task() } }
