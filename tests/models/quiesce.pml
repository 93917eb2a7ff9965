/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What hits use without a lock is published, and freed behind kpt_arch_quiesce():
 * lists of handlers, by kpt_batch_apply() (src/engine/hook.c) with the machine stops of
 * arch/arm64/patch.c, as the example of all that is freed in this way; the memory of a
 * ring, by rings_exchange() (src/buffer/buffer.c).
 * One CPU hits, another one changes things, and the first may go offline and come back.
 *
 * A hit uses no list before it is complete or after it was freed, and finds one
 * whenever the point is armed and is not about to be disarmed. It writes to no ring's
 * memory that was freed, and to none that it sees half of.
 *
 * The barriers on arm64: quiesce-*.litmus, recorder-publish.litmus, trigger-list.litmus,
 * text-*.litmus, ring-exchange.litmus and owner.litmus of tests/litmus/.
 *
 * Where a step orders two accesses, the model without it does them in the other
 * order. Without one of these steps the model fails:
 *
 * @NO_ASSIGN_RELEASE: batch_swap() publishes a list by rcu_assign_pointer()
 * @NO_SWAP_FIRST: batch_swap() comes before the points are armed
 * @NO_QUIESCE: kpt_batch_apply() waits before it frees old lists
 * @NO_JUMP_SWITCH: kpt_jump_switch() has a stub forget its point before that is freed
 * @NO_RECORDER_OFF: kpt_batch_apply() has stubs forget how they record by themselves before
 *	it publishes lists
 * @NO_RECORDER_WAIT: it tells them anew after it has waited: no CPU executes what was in
 *	the place of the code before
 * @NO_IRQS_OFF: hits run with interrupts masked
 * @NO_FILLING: kpt_arch_quiesce() waits for records that the kernel fills in with
 *	interrupts on, where they stay (src/parts/static/static_record.c)
 * @NO_KICK_MB: kpt_mem_sync_cpus() has what was changed seen before CPUs are kicked
 * @NO_ISB: the kick is a context synchronization on each CPU, also where the idle loop
 *	answers it, or the CPU is the one that asks: then there is no exception
 * @NO_CPUS_LOCK: kpt_arch_quiesce() keeps CPUs from coming and going
 * @NO_OWNER: rings_exchange() turns writers away
 * @NO_OWNER_QUIESCE: rings_exchange() waits for writers before it copies
 * @NO_OWNER_RELEASE: rings_exchange() lets them in by a release
 * @NO_OWNER_ACQUIRE: kpt_buffer_may_write() is an acquire
 */
/* Of the CPU that hits. */
bool masked;		/* interrupts */
bool filling;		/* kpt_cpu.filling */
bool online = true;
bool hotplug;		/* it is going or coming: cpus_write_lock() */
bool cpus_lock;		/* cpus_read_lock() */

/* Handlers: 0 is no list. */
byte handlers;		/* point->hook.handlers */
byte recorder;		/* point->arch.recorder: the list that it is part of */
bool seen[3];		/* the code of @recorder was written before an ISB */
bool complete[3], freed[3];
bool armed, disarming;
bool stub = true;	/* knows its point */
bool point_freed;

/* The memory of a ring: 0 is the old one. */
bool owner;		/* kpt_ring.owner */
byte memory;
bool copied, memory_freed;

/* The CPU has taken an interrupt, outside of a record that is being filled in. */
#ifdef NO_FILLING
#define kick() (!online || !masked)
#else
#define kick() (!online || (!masked && !filling))
#endif

/* kpt_arch_quiesce() */
#ifdef NO_CPUS_LOCK
#define quiesce() kick()
#else
#define quiesce() \
	atomic { !hotplug -> cpus_lock = true }; \
	kick(); \
	cpus_lock = false
#endif

/* And after it the CPU executes the code of list @nr. */
#ifdef NO_ISB
#define quiesce_written(nr) \
	quiesce(); \
	if \
	:: seen[nr] = true \
	:: skip \
	fi
#else
#define quiesce_written(nr) \
	quiesce(); \
	seen[nr] = true
#endif

/* Text is changed while the CPU waits in stop_machine(), or is not there. */
#define machine_stop(what) \
	atomic { !hotplug -> cpus_lock = true }; \
	atomic { !masked -> armed = what }; \
	cpus_lock = false

#ifdef NO_IRQS_OFF
#define MASKED	false
#else
#define MASKED	true
#endif

/* kpt_hit_point(), or a stub on its way there */
inline hit_point()
{
	if
	:: armed ->
		/* The branch or BRK that led to the stub may be long ago. */
		masked = MASKED;
		if
		:: stub ->
			assert(!point_freed);
			used = recorder;
			if
			:: used -> assert(seen[used])
			:: else -> used = handlers
			fi;
			assert(used || disarming);
			assert(!used || complete[used]);
			assert(!freed[used]);
			used = 0
		:: else
		fi;
		masked = false
	:: else
	fi
}

/* kpt_buffer_reserve() and what the hit writes */
inline hit_ring()
{
	masked = MASKED;
#ifdef NO_OWNER_ACQUIRE
	used = memory;
	away = owner;
#else
	away = owner;
	used = memory;
#endif
	if
	:: !away ->
		assert(used || !memory_freed);
		assert(!used || copied)
	:: else
	fi;
	used = 0;
	masked = false
}

/* kpt_hit_reserve(), what the kernel writes, and kpt_hit_publish() */
inline hit_record()
{
	masked = true;
	away = owner;
	used = memory;
	filling = !away;
	masked = false;
	if
	:: !away ->
		assert(used || !memory_freed);
		filling = false
	:: else
	fi;
	used = 0
}

/* The CPU that hits, twice in its way. */
#define CPU(hit) \
	byte used; \
	bool away; \
	do \
	:: hit \
	:: atomic { !cpus_lock -> hotplug = true }; \
		online = false; \
		hit; \
		hotplug = false; \
		atomic { !cpus_lock -> hotplug = true }; \
		hit; \
		online = true; \
		hotplug = false \
	:: break \
	od

proctype cpu_point() { CPU(hit_point()) }
proctype cpu_ring() { CPU(hit_ring()) }
proctype cpu_record() { CPU(hit_record()) }

/* kpt_batch_apply() to arm, to exchange the list, to disarm; then kpt_point_put() */
proctype change_handlers()
{
#ifdef NO_SWAP_FIRST
	machine_stop(true);
#endif
	complete[1] = true;
	handlers = 1;
	machine_stop(true);
#ifndef NO_RECORDER_WAIT
	quiesce_written(1);
#endif
	recorder = 1;
#ifndef NO_RECORDER_OFF
	recorder = 0;
#endif

#ifdef NO_ASSIGN_RELEASE
	handlers = 2;
	complete[2] = true;
#else
	complete[2] = true;
#ifndef NO_KICK_MB
	handlers = 2;
#endif
#endif
#ifdef NO_QUIESCE
	seen[2] = true;
#else
	quiesce_written(2);
#endif
	recorder = 2;
#ifdef NO_KICK_MB
	handlers = 2;
#endif
	freed[1] = true;

	disarming = true;
#ifndef NO_RECORDER_OFF
	recorder = 0;
#endif
	handlers = 0;
	machine_stop(false);
#ifndef NO_QUIESCE
	quiesce();
#endif
	freed[2] = true;

#ifndef NO_JUMP_SWITCH
	stub = false;
#endif
	/* points_free_dead() */
	quiesce();
	point_freed = true
}

/* rings_exchange() */
proctype exchange()
{
#ifndef NO_OWNER
	owner = true;
#endif
#ifndef NO_OWNER_QUIESCE
	quiesce();
#endif
	copied = true;
#ifdef NO_OWNER_RELEASE
	owner = false;
	memory = 1;
#else
	memory = 1;
	owner = false;
#endif
	memory_freed = true
}

init
{
	atomic {
		if
		:: run cpu_point(); run change_handlers()
		:: run cpu_ring(); run exchange()
		:: run cpu_record(); run exchange()
		fi
	}
}
