/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waking those who wait for records: kpt_buffer_commit() and kpt_buffer_notify()
 * (src/buffer/write.[ch]) against kpt_waiter_sleep() (src/buffer/wait.c), and
 * kpt_buffer_wake() (src/buffer/wait.c) against the readers of src/fs/pipe.c and
 * src/fs/raw.c, which look at @stops.
 *
 * Nobody sleeps on what has come. A reader may sleep for ever only when the @eager one
 * has read every record, the other one has left less than @percent of those that
 * nobody consumed, and each has seen every change of @stops.
 *
 * Where a step orders two accesses, the model without it does them in the other
 * order, as the CPU may then. Without one of these steps the model fails:
 *
 * @NO_COMMIT_RELEASE: kpt_buffer_has_waiter() loads @waiters after commit is stored
 * @NO_WAITERS_ACQUIRE: kpt_buffer_notify() loads @eager after @waiters
 * @NO_ENLIST_MB: waiter_enlist() is seen before the look for records
 * @NO_SECOND_LOOK: kpt_waiter_sleep() looks for records itself
 * @NO_EARLY_QUEUE: add_wait_queue() comes before waiter_enlist()
 * @NO_WAKES: kpt_waiter_sleep() compares @wakes
 * @NO_WAKES_RMB: a reader loads @wakes before @stops
 * @NO_WAKES_WMB: kpt_buffer_wake() stores @wakes after @stops
 * @NO_WAKES_MB: it loads @wakes after @stops was stored, too
 */
#define PERCENT	2	/* kpt_buffer.percent, in records */

#define LAZY	0
#define EAGER	1

byte writing;		/* processes that still do something */
byte changes;		/* of @stops */
byte commit, tail;	/* kpt_ring, in records */
byte waiters, eager;	/* kpt_buffer */
byte stops;		/* a bit for each change */
byte wakes;
bool irq;		/* kpt_buffer.wake is queued */
bool queued[2];		/* on kpt_buffer.wait, by reader */
bool woken[2];		/* WQ_FLAG_WOKEN */
byte have[2];		/* records read */
byte seen[2];		/* what it has seen of @stops */

inline wake_up_all()
{
	d_step {
		woken[LAZY] = woken[LAZY] || queued[LAZY];
		woken[EAGER] = woken[EAGER] || queued[EAGER]
	}
}

/* A CPU that hits probes: kpt_buffer_commit(). */
proctype hits(byte records)
{
	byte w, e;

	do
	:: commit < records ->
#if defined(NO_COMMIT_RELEASE)
		w = waiters;
		commit++;
		e = eager;
#elif defined(NO_WAITERS_ACQUIRE)
		e = eager;
		commit++;
		w = waiters;
#else
		commit++;
		w = waiters;
		e = eager;
#endif
		if
		:: w && (e || commit >= tail + PERCENT) -> irq = true
		:: else
		fi
	:: else -> break
	od;
	writing--
}

active proctype wake_readers()
{
end:	do
	:: atomic { irq -> irq = false }; wake_up_all()
	od
}

/* Nothing more will happen, and nothing is left to be done by @r. */
#define MAY_REST(r, most) \
	(!writing && !irq && seen[r] == changes && commit < max(have[r], tail) + most)
#define max(a, b)	(a > b -> a : b)

/* kpt_waiter_sleep(); @r waits for @most records */
inline wait(r, most)
{
#ifndef NO_EARLY_QUEUE
	queued[r] = true;
#endif
#ifdef NO_ENLIST_MB
	ready = commit >= have[r] + most;
#endif
	if
	:: r == EAGER -> eager++
	:: else
	fi;
	waiters++;
#if !defined(NO_ENLIST_MB) && !defined(NO_SECOND_LOOK)
	ready = commit >= have[r] + most;
#endif
#ifdef NO_EARLY_QUEUE
	queued[r] = true;
#endif
	if
#ifdef NO_WAKES
	:: !ready ->
#else
	:: !ready && wakes == before ->
#endif
		/* wait_woken() */
		if
		:: woken[r]
		:: MAY_REST(r, most) -> break
		fi
	:: else
	fi;
	woken[r] = false;
	waiters--;
	if
	:: r == EAGER -> eager--
	:: else
	fi;
	queued[r] = false
}

/* wait_for_lines() and next_page(): all it has seen is consumed */
proctype reader(byte r; byte most)
{
	byte before;
	bool ready;

	do
	::
#ifdef NO_WAKES_RMB
		seen[r] = stops;
		before = wakes;
#else
		before = wakes;
		seen[r] = stops;
#endif
		ready = false;
		if
		:: atomic { commit >= have[r] + most ->
			have[r] = commit; tail = commit }
		:: else -> wait(r, most)
		fi
	od
}

/* kpt_buffer_wake(), or kpt_buffer_wake_later() in a hit, after a change */
proctype change(byte one; bool later)
{
	byte w;

#if defined(NO_WAKES_WMB)
	w = wakes;
	wakes = w + 1;
	stops = stops | one;
#elif defined(NO_WAKES_MB)
	w = wakes;
	stops = stops | one;
	wakes = w + 1;
#else
	stops = stops | one;
	w = wakes;
	wakes = w + 1;
#endif
	if
	:: later -> irq = true
	:: else -> wake_up_all()
	fi;
	writing--
}

init
{
	atomic {
		if
		:: writing = 1;
			run hits(3);
			run reader(LAZY, PERCENT)
		:: writing = 2; changes = 3;
			run change(1, false);
			run change(2, true)
		fi;
		run reader(EAGER, 1)
	}
}
