/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waking pollers of a hist file: hist_note() in hits (src/parts/hist/hist_run.c) against a
 * reader that makes a mark, reads the counts, and polls (src/parts/hist/hist_file.c). A, B and C
 * are the labels there. Two CPUs count in one histogram.
 *
 * The reader never waits for ever behind a hit that it has not read.
 *
 * The barriers on arm64: hist-*.litmus of tests/litmus/.
 *
 * Where a step orders two accesses, the model without it does them in the other
 * order. Without one of these steps the model fails:
 *
 * @NO_A: a reader makes its mark before it reads the counts
 * @NO_B: hist_note() loads the mark after the hit was counted
 * @NO_C: hist_note() looks for pollers after @last was changed
 * @NO_POLL_MB: hist_poll() loads @last after it was queued
 * @NO_NOTE_AGAIN: hist_note() tries again when another CPU has changed @last
 */
#define HITS	2	/* on each CPU */

byte count;		/* of the histogram */
byte marks;		/* hist_marks */
byte last;		/* kpt_trigger_map.last */
bool queued, woken;	/* on kpt_hist_wait */
byte busy = 2;		/* CPUs that may still hit */

/* kpt_hist_add() and hist_note() */
active [2] proctype cpu()
{
	byte hits, mark, old, seen;
	bool waits;

	do
	:: hits < HITS ->
		hits++;
#ifdef NO_B
		mark = marks;
		seen = last;
		count++;
#else
		/* @last is loaded early, which does no harm. */
		seen = last;
		count++;
		mark = marks;
#endif
		if
		:: seen < mark ->
#ifdef NO_C
			waits = queued;
#endif
			do
			:: old = seen;
				/* cmpxchg() */
				d_step {
					seen = last;
					last = (seen == old -> mark : last)
				};
				if
#ifndef NO_NOTE_AGAIN
				:: seen != old && seen < mark
#endif
				:: else -> break
				fi
			od;
#ifndef NO_C
			waits = queued;
#endif
			woken = woken || waits
		:: else
		fi;
		atomic { mark = 0; old = 0; seen = 0; waits = false }
	:: else -> break
	od;
	busy--
}

active proctype reader()
{
	byte read, was_last, have;

	do
	::
#ifdef NO_A
		have = count;
#endif
		marks++;
		read = marks;
#ifndef NO_A
		have = count;
#endif
		/* poll(): hist_poll() until it tells of hits */
#ifdef NO_POLL_MB
		was_last = last;
		queued = true;
#else
		queued = true;
		was_last = last;
#endif
		do
		:: was_last >= read -> break
		:: else ->
			if
			:: woken -> woken = false; was_last = last
			:: !busy && !woken && have == count -> goto end_reader
			fi
		od;
		queued = false
	od;
end_reader:
	skip
}
