/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory order of a ring in overwrite mode: a writer (src/lib/ring/ring.c) that laps its
 * readers, one that consumes, and kpt_ring_stats() (src/lib/ring/ring_read.c). The labels
 * are those of the table in ring.c. Interrupts of the writer are in ring_nest.pml.
 *
 * All records have one size, the unit of positions here, and none is given back. So
 * the number of a record is its position. A record is one word, its number, which a
 * reader loads once as the header and once as the payload. Heads are read as records are, and
 * are not here; the writer gives up records one by one, not from head to head.
 *
 * @claimed of the ring is CLAIM; @claim is the writer's own.
 *
 * A reader gets no half or overwritten record, and each has its true number; the
 * number at commit is right; the tail is never past the commit that its reader sees;
 * and no more is read than was passed by the tail.
 *
 * The barriers on arm64: ring-*.litmus of tests/litmus/.
 *
 * Either a reader follows the writer; or counts are read while others consume.
 *
 * The writer's stores stay in a buffer and leave it in any order; smp_wmb() and a
 * release wait until it is empty. What it does between two such waits is one step. Loads are made in
 * their order; where a step of a reader orders two loads, the model without it has
 * the later one first. Without one of these steps the model fails:
 *
 * @NO_PUBLISH_A: commit is stored by a release
 * @NO_FIND_A: ring_find() loads commit by an acquire
 * @NO_CLAIM_A: claimed is stored before the room is written to: smp_wmb()
 * @NO_INTACT_A: claimed is loaded after the copy: smp_rmb()
 * @NO_INTACT: a copy is compared with claimed
 * @NO_ROOM_B: tail is moved after commit was stored: cmpxchg()
 * @NO_TAIL_B: kpt_ring_stats() loads tail before commit, by an acquire
 * @NO_MARK_A: marks is stored by a release
 * @NO_NUMBER_A: marks is loaded before the mark
 * @NO_NUMBER_B: and again after it: smp_rmb()
 * @NO_NUMBER_AGAIN: and is the same
 * @NO_NUMBER_C: ring_number_at_commit() loads commit by an acquire
 * @NO_STATS_AGAIN: kpt_ring_stats() loads tail again
 * @NO_STATS_RMB: after read
 *
 * Not needed on arm64 is the acquire of room:A: stores wait for the branch on tail.
 * It is for compilers, and for the thread sanitizer.
 */
#define SIZE	2	/* of the ring */
#define STEP	1	/* kpt_ring_step() */
#define RECORDS	4	/* that are written */

/* What the writer stores and others load. */
#define COMMIT	0
#define CLAIM	1
#define MARKS	2
#define MARK_POS 3	/* two */
#define MARK_SEQ 5	/* two */
#define FIRST	7
#define WORD	8	/* SIZE of them */
#define NR	10
byte mem[NR];
/* Stores that others do not see yet. */
#define NONE	255
byte late[NR] = NONE;
byte nr_late;
/* Changed by cmpxchg() alone. */
byte tail, read;
/* Counts are read, else the marks are of no interest. */
bool counting;
bool done;

inline store(where, what)
{
	nr_late = nr_late + (late[where] == NONE);
	late[where] = what
}

#define smp_wmb()	(nr_late == 0)

#define LEAVES(where) \
	d_step { late[where] != NONE -> mem[where] = late[where]; \
		 late[where] = NONE; nr_late-- }

active proctype store_buffer()
{
end:	do
	:: LEAVES(0) :: LEAVES(1) :: LEAVES(2) :: LEAVES(3) :: LEAVES(4)
	:: LEAVES(5) :: LEAVES(6) :: LEAVES(7) :: LEAVES(8) :: LEAVES(9)
	od
}

/* ring_make_room(), ring_set_mark() and the rest of ring_claim_room() */
inline claim_room()
{
	d_step {
		wish = write + 1 + STEP;
		new = (first + SIZE < wish -> wish - SIZE : first);
		new = (new > write -> write : new)
	};
	do
	:: old = tail;
		if
		:: old >= new -> break
		:: else
		fi;
#ifndef NO_ROOM_B
		smp_wmb();
#endif
		if
		:: atomic { tail == old -> tail = new; break }
		:: else
		fi
	od;
	first = new;
	d_step { store(FIRST, first) };
	if
	:: counting ->
		d_step {
			marks++;
			store(MARK_POS + marks % 2, write);
			store(MARK_SEQ + marks % 2, write)
		};
#ifndef NO_MARK_A
		smp_wmb();
#endif
		d_step { store(MARKS, marks) }
	:: else
	fi;
	d_step {
		claim = (wish < new + SIZE -> wish : new + SIZE);
		store(CLAIM, claim);
		wish = 0; old = 0; new = 0
	};
#ifndef NO_CLAIM_A
	smp_wmb()
#endif
}

active proctype writer()
{
	byte write, claim, first, marks, wish, old, new;

	do
	:: write < RECORDS ->
		if
		:: write + 1 > claim -> claim_room()
		:: else
		fi;
		d_step {
			store(WORD + write % SIZE, write);
			write++
		};
#ifndef NO_PUBLISH_A
		smp_wmb();
#endif
		d_step { store(COMMIT, write) }
	:: else -> break
	od;
	done = true
}

/* ring_intact(), with claim that is loaded already */
#ifdef NO_INTACT
#define INTACT(claim, pos) true
#else
#define INTACT(claim, pos) (claim <= pos + SIZE)
#endif

/* The loads of ring_view_at() */
inline view(pos)
{
#ifdef NO_INTACT_A
	claim = mem[CLAIM];
#endif
	word = mem[WORD + pos % SIZE];
#ifndef NO_INTACT_A
	claim = mem[CLAIM]
#endif
}

/* The copy of kpt_ring_next() */
inline copy(pos)
{
#ifdef NO_INTACT_A
	claim = mem[CLAIM];
#endif
	word = mem[WORD + pos % SIZE];
#ifndef NO_INTACT_A
	claim = mem[CLAIM]
#endif
}

/* kpt_ring_next() and kpt_ring_consume() */
proctype reader()
{
	byte pos, wanted, commit, claim, word, old;

	do
	:: done -> break
	:: else ->
#ifdef NO_FIND_A
		view(pos);
		commit = mem[COMMIT];
#else
		if
		:: pos >= commit -> commit = mem[COMMIT]
		:: else
		fi;
		view(pos);
#endif
		if
		:: pos >= commit
		:: pos < commit && !INTACT(claim, pos) ->
			pos = mem[FIRST]
		:: atomic { pos < commit && INTACT(claim, pos) ->
			assert(word == pos);
			if
			:: pos < wanted -> pos++
			:: else -> goto found
			fi }
		fi;
		goto next_one;
found:
		copy(pos);
		if
		:: atomic { INTACT(claim, pos) ->
			assert(word == pos);
			pos++;
			wanted = pos }
			do
			:: old = tail;
				if
				:: old >= pos -> break
				:: atomic { old < pos && tail == old ->
					tail = pos; break }
				:: else
				fi
			od
		:: else
		fi;
next_one:
		atomic { claim = 0; word = 0; old = 0 }
	od
}

/* Another reader, which consumes all that it finds. */
proctype consumer()
{
	byte commit, old;

	do
	:: done -> break
	:: commit = mem[COMMIT];
		if
		:: atomic { tail < commit -> old = tail; tail = commit };
			atomic { read = read + commit - old; commit = 0; old = 0 }
		:: atomic { else -> commit = 0 }
		fi
	od
}

/* kpt_ring_stats(), with ring_number_at_commit() */
proctype stats()
{
	byte first, start, pos, at, commit, claim, word, was_read, marks, again;
	bool right;
#ifdef NO_NUMBER_A
	byte pos2[2], at2[2];
#endif

retry:
#ifndef NO_TAIL_B
	first = tail;
#endif
number:
#ifdef NO_NUMBER_B
	again = mem[MARKS];
#endif
#ifdef NO_NUMBER_A
	pos2[0] = mem[MARK_POS]; at2[0] = mem[MARK_SEQ];
	pos2[1] = mem[MARK_POS + 1]; at2[1] = mem[MARK_SEQ + 1];
	marks = mem[MARKS];
	pos = pos2[marks % 2];
	at = at2[marks % 2];
#else
	marks = mem[MARKS];
	pos = mem[MARK_POS + marks % 2];
	at = mem[MARK_SEQ + marks % 2];
#endif
#ifndef NO_NUMBER_B
	again = mem[MARKS];
#endif
#ifndef NO_NUMBER_AGAIN
	if
	:: again != marks -> goto number
	:: else
	fi;
#endif
	atomic { marks = 0; again = 0 };
	/* ring_count_to() */
#ifdef NO_INTACT_A
	claim = mem[CLAIM];
#endif
#ifdef NO_NUMBER_C
	word = mem[WORD + pos % SIZE];
	commit = mem[COMMIT];
#else
	commit = mem[COMMIT];
	word = mem[WORD + pos % SIZE];
#endif
	atomic { start = pos; right = true };
	do
	:: pos >= commit -> break
	:: atomic { pos < commit -> right = right && word == pos; at++; pos++ };
		word = mem[WORD + pos % SIZE]
	od;
#ifndef NO_INTACT_A
	claim = mem[CLAIM];
#endif
	if
	:: !INTACT(claim, start) ->
		atomic { commit = 0; claim = 0; word = 0; start = 0; goto number }
	:: else
	fi;
	atomic {
		assert(right && at == pos);
		at = 0; commit = 0; claim = 0; word = 0; start = 0
	};
#ifdef NO_TAIL_B
	first = tail;
#endif
	assert(first <= pos);
	pos = 0;
#ifdef NO_STATS_RMB
	again = tail;
	was_read = read;
#else
	was_read = read;
	again = tail;
#endif
#ifndef NO_STATS_AGAIN
	if
	:: again != first -> was_read = 0; again = 0; goto retry
	:: else
	fi;
#endif
	assert(was_read <= first)
}

init
{
	atomic {
		if
		:: run reader()
		:: counting = true;
			run stats();
			run consumer()
		fi
	}
}
