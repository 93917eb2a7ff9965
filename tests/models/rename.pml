/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of tasks that each CPU keeps by number alone: kpt_comm_note_slow() against
 * kpt_comm_renamed() (src/kernel/comms.c), which the kernel calls before it changes a name.
 *
 * A hit that begins after a task was renamed finds the new name.
 *
 * The barriers on arm64: rename.litmus and comm-seq-*.litmus of tests/litmus/.
 *
 * Where a step orders two accesses, the model without it does them in the other order.
 * Without one of these steps the model fails:
 *
 * @NO_EARLY_COPY: kpt_comm_renamed() copies the name before the kernel does
 * @NO_FORGET: it has CPUs forget the task
 * @NO_RENAMED_MB: it looks at what CPUs have noted after it has copied the name
 * @NO_SECOND_LOOK: kpt_comm_note_slow() reads the task's name once more
 * @NO_NOTE_MB: it does so after it has stored the number
 */
#define NEW	1

byte comm;		/* task->comm; what the task is renamed to is NEW */
bool renamed;		/* the kernel is done */
bool is_last;		/* kpt_cpu.pid is that of the task */
byte noted;		/* kpt_cpu.comm */

proctype renames()
{
	bool found;

#ifdef NO_RENAMED_MB
	found = is_last;
#endif
#ifndef NO_EARLY_COPY
	comm = NEW;
#endif
#ifndef NO_RENAMED_MB
	found = is_last;
#endif
#ifndef NO_FORGET
	if
	:: found -> is_last = false
	:: else
	fi;
#endif
	comm = NEW;
	renamed = true
}

/* A CPU on which the task hits, and others. */
proctype hits()
{
	byte hit, used, again;
	bool after;

	for (hit : 1 .. 3) {
		after = renamed;
		if
		:: is_last -> used = noted
		:: else ->
			noted = comm;
			used = noted;
#ifdef NO_NOTE_MB
			again = comm;
#endif
			is_last = true;
#ifndef NO_NOTE_MB
			again = comm;
#endif
#ifndef NO_SECOND_LOOK
			if
			:: again != noted -> is_last = false
			:: else
			fi
#endif
		fi;
		assert(!after || used == NEW);
		if
		:: is_last = false	/* another task hits */
		:: skip
		fi
	}
}

init
{
	atomic {
		run renames();
		run hits()
	}
}
