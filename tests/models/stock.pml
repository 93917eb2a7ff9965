/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Free memory for calls, of a CPU: kpt_stock_get() in hits, stock_kick() in an
 * interrupt behind a hit, stock_work() on any CPU (src/engine/stock.c).
 *
 * No call is lost or handed out twice. No hit misses a call as long as there is memory
 * (and stock_work() is not held up for as many hits as it has made calls).
 * A request never stays open with nobody to serve it: the CPU would not ask again.
 *
 * @wanted is released after the calls only so that a hit that finds it false finds
 * them as well and does not ask too early: nothing here depends on it.
 *
 * Without one of these steps the model fails:
 *
 * @NO_WORK_CLEARS: stock_work() ends the request even without memory
 * @NO_WORK_LOOKS: but only one that it has seen, and tried to serve
 * @NO_KICK_WORK: stock_kick() has stock_work() try again
 * @NO_DEL_ALL: stock_take_refill() takes all at once, by xchg()
 * @NO_ASK_AGAIN: a hit that finds the stock low asks
 * @NO_TAKE_REFILL: a hit that finds the stock low takes what was made
 */
#define LOW	1	/* STOCK_LOW */
#define FILL	4	/* STOCK */
#define CALLS	8

byte nr = LOW + 1, refill;	/* struct stock */
bool wanted, kick, work;
byte made = LOW + 1, used, missed;
bool memory;		/* there is some */
bool always;		/* and was from the start */
bool done;

/* stock_deliver(); @last: nobody will try after this */
inline deliver(last)
{
	if
	:: wanted ->
		if
		:: memory ->
			atomic { refill = refill + FILL; made = made + FILL };
			wanted = false
#ifndef NO_WORK_CLEARS
		:: !memory && last -> wanted = false
#endif
		:: else
		fi
	:: else
	fi
}

/* Hits, and the interrupt behind each. */
proctype cpu()
{
	byte calls, got;

	do
	:: calls < CALLS ->
		calls++;
		if
		:: nr > LOW -> atomic { nr--; used++ }
		:: else ->
			/* kpt_stock_get() */
#ifndef NO_TAKE_REFILL
#ifdef NO_DEL_ALL
			got = refill;
			refill = 0;
#else
			atomic { got = refill; refill = 0 };
#endif
			nr = nr + got;
			got = 0;
#endif
			if
			:: nr -> atomic { nr--; used++ }
			:: else -> missed++
			fi;
#ifndef NO_ASK_AGAIN
			if
			:: nr <= LOW && !wanted -> wanted = true; kick = true
			:: else
			fi
#endif
		fi;
		/* stock_kick() */
		if
		:: kick ->
			kick = false;
			deliver(false);
#ifndef NO_KICK_WORK
			work = true
#endif
		:: else
		fi
	:: else -> break
	od;
	done = true
}

proctype stock_work()
{
	do
	:: atomic { work -> work = false };
		deliver(true);
#ifdef NO_WORK_LOOKS
		wanted = false
#endif
	:: done && !work -> break
	od;
	assert(nr + refill + used == made);
	assert(!wanted);
	assert(!missed || !always)
}

init
{
	if
	:: always = true; memory = true
	:: skip
	fi;
	atomic { run cpu(); run stock_work() };
	if
	:: memory = true
	:: skip
	fi
}
