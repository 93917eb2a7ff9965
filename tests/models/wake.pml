/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waking those who wait for records: kpt_buffer_commit() and kpt_buffer_notify()
 * (src/buffer/write.[ch]) against kpt_waiter_sleep() (src/buffer/wait.c), and
 * kpt_buffer_wake() (src/buffer/wait.c) against the readers of src/files/pipe.c and
 * src/parts/raw/raw.c, which look at @stops.
 *
 * Nobody sleeps on what has come, whatever others have read. A reader may sleep for ever
 * only when the @eager one has read every record, each other one has left less than
 * @percent, and each has seen every change of @stops.
 *
 * The barriers on arm64: wake*.litmus of tests/litmus/.
 *
 * Where a step orders two accesses, the model without it does them in the other
 * order, as the CPU may then. Without one of these steps the model fails:
 *
 * @NO_COMMIT_RELEASE: kpt_buffer_has_waiter() loads @waiters after commit is stored. Its
 *	LDAR does: an LDAPR, which smp_load_acquire() may become, would be enough for the
 *	next step alone
 * @NO_WAITERS_ACQUIRE: kpt_buffer_notify() loads @mark after @waiters
 * @NO_CLEAR_FIRST: it clears @waiters before it asks for the wake-up
 * @NO_ENLIST_MB: waiter_enlist() is seen before the look for records
 * @NO_SECOND_LOOK: kpt_waiter_sleep() looks for records itself
 * @NO_EARLY_QUEUE: add_wait_queue() comes before waiter_enlist()
 * @NO_MARK: kpt_buffer_notify() counts from @mark, not from what was consumed
 * @NO_MARK_FIRST: it takes @mark before the wake-up
 * @NO_MARK_MB: waiter_mark() is seen before the look for records
 * @NO_MARK_MIN: it lowers @mark, but does not raise it
 * @NO_WAKES: kpt_waiter_sleep() compares @wakes
 * @NO_WAKES_RMB: a reader loads @wakes before @stops
 * @NO_WAKES_WMB: kpt_buffer_wake() stores @wakes after @stops
 * @NO_WAKES_MB: it loads @wakes after @stops was stored, too
 */
#define PERCENT	2	/* kpt_buffer.percent, in records */

#define NO_POS	100	/* KPT_BUFFER_NO_MARK */

/* Bits of @waiters. */
#define WAITS_ANY	1
#define WAITS_SHARE	2

#define LAZY	0
#define EAGER	1
#define AHEAD	2	/* as LAZY, but it begins behind the first record */

byte writing;		/* processes that still do something */
byte changes;		/* of @stops */
byte commit, tail;	/* kpt_ring, in records */
byte mark;		/* kpt_buffer_cpu */
byte waiters;		/* kpt_buffer */
bool locked;		/* kpt_buffer.lock, of waiter_mark() */
byte stops;		/* a bit for each change */
byte wakes;
bool irq;		/* kpt_buffer.wake was asked for; it is rung later, see bell.pml */
bool queued[3];		/* on kpt_buffer.wait, by reader */
bool woken[3];		/* WQ_FLAG_WOKEN */
byte have[3];		/* records read */
byte seen[3];		/* what it has seen of @stops */

inline wake_up_all()
{
	d_step {
		woken[LAZY] = woken[LAZY] || queued[LAZY];
		woken[EAGER] = woken[EAGER] || queued[EAGER];
		woken[AHEAD] = woken[AHEAD] || queued[AHEAD]
	}
}

/* A CPU that hits probes: kpt_buffer_commit(). */
proctype hits(byte records)
{
	byte w, m;
	bool filled;

	do
	:: commit < records ->
#if defined(NO_COMMIT_RELEASE)
		w = waiters;
		commit++;
		m = mark;
#elif defined(NO_WAITERS_ACQUIRE)
		m = mark;
		commit++;
		w = waiters;
#else
		commit++;
		w = waiters;
		m = mark;
#endif
#ifdef NO_MARK
		filled = commit >= tail + PERCENT;
#else
		filled = commit >= m + PERCENT;
#endif
		if
		:: w && (filled || (w & WAITS_ANY)) ->
#if !defined(NO_MARK) && !defined(NO_MARK_FIRST)
			mark = (filled -> NO_POS : mark);
#endif
#ifndef NO_CLEAR_FIRST
			waiters = 0;
#endif
			irq = true;
#ifdef NO_MARK_FIRST
			mark = (filled -> NO_POS : mark);
#endif
#ifdef NO_CLEAR_FIRST
			waiters = 0
#endif
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
	(!writing && !irq && seen[r] == changes && commit < have[r] + most)

/* waiter_mark() */
inline set_mark(r)
{
	atomic { !locked -> locked = true };
#ifdef NO_MARK_MIN
	mark = have[r];
#else
	old = mark;
	if
	:: have[r] < old -> mark = have[r]
	:: else
	fi;
#endif
	locked = false
}

/* kpt_waiter_sleep(); @r waits for @most records */
inline wait(r, most)
{
#ifndef NO_EARLY_QUEUE
	queued[r] = true;
#endif
#ifdef NO_ENLIST_MB
	ready = commit >= have[r] + most;
#endif
	waiters = waiters | (r == EAGER -> WAITS_ANY : WAITS_SHARE);
#ifdef NO_MARK_MB
	ready = commit >= have[r] + most;
#endif
	if
	:: r != EAGER -> set_mark(r)
	:: else
	fi;
#if !defined(NO_MARK_MB) && !defined(NO_ENLIST_MB) && !defined(NO_SECOND_LOOK)
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
	queued[r] = false
}

/* wait_for_lines() and next_page(): all it has seen is consumed */
proctype reader(byte r; byte most)
{
	byte before, old;
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
			run reader(LAZY, PERCENT);
			run reader(EAGER, 1)
		:: writing = 1; commit = 1; have[AHEAD] = 1;
			run hits(3);
			run reader(LAZY, PERCENT);
			run reader(AHEAD, PERCENT)
		:: writing = 2; changes = 3;
			run change(1, false);
			run change(2, true);
			run reader(EAGER, 1)
		fi
	}
}
