/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writers of a ring that interrupt each other (src/lib/ring/ring.c): a task, an interrupt
 * and an NMI of one CPU, each anywhere in the one below it. Memory order is of no
 * interest on one CPU, but for that of the compiler, which barrier() keeps.
 *
 * All records have one size, the unit of positions here, and heads have none; padding comes from
 * records that are given back. The writer gives up records one by one, not from head to head.
 *
 * No open record is overwritten. A mark that a reader may use is intact and has the
 * right number. What is published is complete. When all writers have ended all is
 * published, and heads have the numbers of the records behind them.
 *
 * Without one of these steps the model fails:
 *
 * @NO_BUSY: kpt_ring_reserve() refuses a writer that interrupted another one there
 * @NO_BARRIER_BUSY: the first barrier() of kpt_ring_reserve()
 * @NO_BARRIER_FREE: the second one
 * @NO_COUNT: a commit with other records open publishes nothing
 * @NO_COMMIT_AGAIN: kpt_ring_commit() looks whether more was reserved meanwhile
 * @NO_COMMIT_ORDER: commit is moved before state is 0
 * @NO_STOP_AT_COMMIT: ring_make_room() stops at commit
 * @NO_MARK_COUNT: ring_mark_commit() counts on to commit when records are open
 * @NO_DISCARD_BUSY: kpt_ring_discard() refuses writers meanwhile
 * @NO_BEGIN_STATE: kpt_ring_begin() leaves it to kpt_ring_reserve() if state is not 0
 * @NO_RENUMBER: ring_forget() decrements the numbers in heads behind
 */
#define SIZE	3	/* of the ring */
#define STEP	1	/* kpt_ring_step() */
#define BUSY	128	/* KPT_RING_BUSY */
#define LEVELS	3

/* The context that runs, and those that have begun: 1 is the task. */
byte level = 1;
bool inside[LEVELS + 1];
byte ended;

/* struct kpt_ring */
byte state, write, claim, commit, first, seq;
byte mark_pos, mark_seq;	/* the newest mark */
bool head[SIZE];		/* is there one before the record? */
byte number[SIZE];		/* in it */
bool padding[SIZE];

/* Not in the ring: what is true. */
bool open[SIZE];		/* a record is being filled */
byte published;			/* records */

#define AT(pos) ((pos) % SIZE)

/* A store to commit. What readers see from now on is complete. */
inline publish(to)
{
	atomic {
		assert(to >= commit);
		do
		:: commit < to ->
			assert(!open[AT(commit)]);
			published = published + !padding[AT(commit)];
			commit++
		:: else -> break
		od
	}
}

/* ring_claim_room(); has_room: there is some */
inline claim_room()
{
	atomic {
		/* ring_make_room() */
		pos = first;
		do
#ifdef NO_STOP_AT_COMMIT
		:: pos + SIZE < start + 1 + STEP -> pos++
#else
		:: pos + SIZE < start + 1 + STEP && pos != commit -> pos++
#endif
		:: else -> break
		od;
		has_room = pos + SIZE >= start + 1;
		first = (has_room -> pos : first);
		pos = 0
	};
	if
	:: has_room ->
		/* ring_mark_commit() */
		if
		:: atomic { commit == write -> mark_pos = commit; mark_seq = seq }
		:: atomic { commit != write ->
#ifndef NO_MARK_COUNT
			do
			:: mark_pos != commit ->
				mark_seq = mark_seq + !padding[AT(mark_pos)];
				mark_pos++
			:: else -> break
			od
#endif
			}
		fi;
		atomic {
			assert(mark_seq == published);
			claim = (start + 1 + STEP < first + SIZE ->
				 start + 1 + STEP : first + SIZE);
			assert(claim <= mark_pos + SIZE);
			/* ring_put_head() */
			head[AT(start)] = true;
			number[AT(start)] = seq
		}
	:: else
	fi
}

/* kpt_ring_reserve(); @has_room: there is a record */
inline reserve()
{
	has_room = false;
	st = state;
	if
	:: st < BUSY ->
#ifdef NO_BARRIER_BUSY
		start = write;
		state = st + BUSY;
#else
#ifndef NO_BUSY
		state = st + BUSY;
#endif
		start = write;
#endif
		has_room = true;
		if
		:: start + 1 > claim -> claim_room()
		:: else -> head[AT(start)] = false
		fi;
		if
		:: has_room ->
			/* kpt_ring_open() */
			atomic {
				assert(!open[AT(start)]);
				open[AT(start)] = true;
				padding[AT(start)] = false
			};
			seq++;
#ifdef NO_BARRIER_FREE
			state = st + 1;
			write = start + 1
#else
			write = start + 1;
			state = st + 1
#endif
		:: else -> state = st
		fi
	:: else
	fi
}

/* kpt_ring_commit() */
inline close()
{
	st = state;
	if
#ifdef NO_COUNT
	:: false ->
#else
	:: st > 1 ->
#endif
		state = st - 1
	:: else ->
		do
		:: to = write;
#ifdef NO_COMMIT_ORDER
			state = 0;
			publish(to);
#else
			publish(to);
			state = 0;
#endif
			if
#ifndef NO_COMMIT_AGAIN
			:: write != to -> state = 1
#endif
			:: else -> break
			fi
		od;
		to = 0
	fi
}

/* kpt_ring_discard() without what kpt_ring_commit() does */
inline give_back()
{
	st = state;
#ifndef NO_DISCARD_BUSY
	state = st + BUSY;
#endif
	to = write;
	if
	:: start + 1 == to ->
		atomic { open[AT(start)] = false; write = to - 1 }
	:: else ->
		/* ring_forget() */
		atomic { open[AT(start)] = false; padding[AT(start)] = true };
		pos = start + 1;
		do
		:: pos < to ->
#ifndef NO_RENUMBER
			number[AT(pos)] = number[AT(pos)] - head[AT(pos)];
#endif
			pos++
		:: else -> break
		od;
		pos = 0
	fi;
	to = seq;
	seq = to - 1;
	state = st;
	to = 0
}

/* kpt_ring_begin() and kpt_ring_finish(), if there is room; nothing interrupts it. */
inline begin_and_finish()
{
	atomic {
		if
#ifdef NO_BEGIN_STATE
		:: write + 1 <= claim ->
#else
		:: !state && write + 1 <= claim ->
#endif
			assert(!open[AT(write)]);
			padding[AT(write)] = false;
			head[AT(write)] = false;
			seq++;
			write++;
			publish(write)
		:: else
		fi
	}
}

/* @records of a context, each of which may come anywhere in lower ones */
proctype context(byte records) provided (level == _pid || level < _pid && !inside[_pid])
{
	byte from, start, st, pos, to;
	bool has_room;

	do
	:: records ->
		atomic { from = level; level = _pid; inside[_pid] = true; records-- };
		if
		:: _pid == LEVELS -> begin_and_finish()
		:: reserve();
			if
			:: has_room ->
				if
				:: open[AT(start)] = false
				:: give_back()
				fi;
				close()
			:: else
			fi;
			atomic { start = 0; st = 0; has_room = false }
		fi;
		atomic { inside[_pid] = false; level = from; from = 0 }
	:: else -> break
	od;
	ended++
}

init
{
	byte n;

	atomic {
		run context(1);
		run context(2);
		run context(2)
	};
	atomic {
		ended == LEVELS ->
		assert(!state && commit == write && published == seq);
		n = seq;
		do
		:: commit > first ->
			commit--;
			n = n - !padding[AT(commit)];
			assert(!head[AT(commit)] || number[AT(commit)] == n)
		:: else -> break
		od
	}
}
