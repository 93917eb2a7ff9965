/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bells: kpt_bell_ask() against door_work() and door_timer() (src/kernel/bell.c), with two
 * CPUs and two bells. The hits, the irq_work and the timer of a CPU run in any order here,
 * also at once: a timer that was moved from a CPU that went offline runs on another one.
 *
 * All that was asked for is rung after that, and in the end all doors are open. And a CPU
 * that has rung bells does not do so again before its timer has run, whatever is asked.
 *
 * Where a step orders two accesses, the model without it does them in the other order.
 * Without one of these steps the model fails:
 *
 * @NO_ASK_MB: kpt_bell_ask() looks at the door after the bell is in the list
 * @NO_SHUT: who finds the door open shuts it, and only then queues the irq_work
 * @NO_CLEAR_FIRST: door_ring() clears @is_asked before it calls @ring
 * @NO_TIMER: door_work() leaves the door shut
 * @NO_OPEN_MB: door_open() looks at the list after it has opened
 * @NO_LOOK_AGAIN: it looks at the list itself
 */
bool due[2];		/* kpt_bell: something has to be done by @ring */
bool asked[2];		/* kpt_bell.is_asked */
byte list[2];		/* door.asked, a bit for each bell */
bool shut[2];		/* door.is_shut */
bool work[2];		/* door.work is queued */
bool timer[2];		/* door.timer is armed */
bool has_rung[2];	/* since the timer has run */

/* door_shut(), and irq_work_queue() if it returns true */
inline shut_and_queue(c)
{
#ifdef NO_SHUT
	work[c] = work[c] || !shut[c]
#else
	d_step { was = shut[c]; shut[c] = true };
	work[c] = work[c] || !was
#endif
}

/* Hits of CPU @c that ask @n times for bell @b: kpt_bell_ask() */
proctype hits(byte c; byte b; byte n)
{
	bool was;

	do
	:: n ->
		n--;
		due[b] = true;
		d_step { was = asked[b]; asked[b] = true };
		if
		:: !was ->
#ifdef NO_ASK_MB
			was = shut[c];
			list[c] = list[c] | (1 << b);
			if
			:: !was -> shut_and_queue(c)
			:: else
			fi
#else
			list[c] = list[c] | (1 << b);
			shut_and_queue(c)
#endif
		:: else
		fi
	:: else -> break
	od
}

inline ring(b)
{
	if
	:: taken & (1 << b) ->
#ifdef NO_CLEAR_FIRST
		due[b] = false;
		asked[b] = false
#else
		asked[b] = false;
		due[b] = false
#endif
	:: else
	fi
}

inline door_open(c)
{
#ifdef NO_OPEN_MB
	taken = list[c];
	shut[c] = false;
#else
	shut[c] = false;
	taken = list[c];
#endif
#ifndef NO_LOOK_AGAIN
	if
	:: taken -> shut_and_queue(c)
	:: else
	fi
#endif
}

proctype door_work(byte c)
{
	byte taken;
	bool was;

end:	do
	:: atomic { work[c] -> work[c] = false };
		assert(!has_rung[c]);
		has_rung[c] = true;
#ifdef NO_SHUT
		shut[c] = true;
#endif
		d_step { taken = list[c]; list[c] = 0 };
		ring(0);
		ring(1);
#ifdef NO_TIMER
		door_open(c)
#else
		timer[c] = true
#endif
	od
}

proctype door_timer(byte c)
{
	byte taken;
	bool was;

end:	do
	:: atomic { timer[c] -> timer[c] = false };
		has_rung[c] = false;
		if
		:: !list[c] -> door_open(c)
		:: else -> work[c] = true
		fi
	od
}

init
{
	atomic {
		run hits(0, 0, 2);
		run hits(0, 1, 1);
		run hits(1, 0, 1);
		run door_work(0);
		run door_work(1);
		run door_timer(0);
		run door_timer(1)
	}
	/* Nobody can go on. */
	timeout;
	assert(!due[0] && !due[1] && !shut[0] && !shut[1])
}
