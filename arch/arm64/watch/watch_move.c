// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watches that hits move. The CPU of the hit watches the new address from its next instruction
 * on; it interrupts the others as soon as it takes interrupts itself, and they do the same.
 * When all CPUs watch the address, a record says so: an access before that record may be
 * missing. An address that is only given up interrupts no CPU: one that still watches it
 * notices at its next hit.
 *
 * One round at a time interrupts all CPUs. What is moved meanwhile is in the next one.
 */
#include "kernel/compat.h"
#include <linux/delay.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include "kernel/bell.h"
#include "kernel/cpu.h"
#include "watch/watchpoint.h"

u32 kpt_watch_seq;
DEFINE_PER_CPU(u32, kpt_watch_seen);

static void round_begin(struct kpt_bell *bell);

/**
 * struct move_round - a round
 * @bell: begins it
 * @runs: it has begun and not ended
 * @left: CPUs that have not followed; one more while it begins
 * @seq: kpt_watch_seq when it began
 */
struct move_round {
	struct kpt_bell bell;
	atomic_t runs;
	atomic_t left;
	u32 seq;
};

static struct move_round round = { .bell = KPT_BELL_INIT(round_begin) };

static DEFINE_PER_CPU(call_single_data_t, follow_calls);

/**
 * kpt_watch_follow() - have this CPU watch what all watches say now
 *
 * Context: BRK, or interrupts masked and hits off. Does not nest.
 * Return: true if it watched something else.
 */
bool kpt_watch_follow(void)
{
	/* What is read behind this is at least as new; pairs with watch_move(). */
	u32 seq = smp_load_acquire(&kpt_watch_seq), left;
	struct kpt_arch_watch *w;
	bool changed = false;
	unsigned int i;

	kpt_for_each_watch(w, i, left, smp_load_acquire(&kpt_all_watches))
		if (w->by_hits)
			changed |= kpt_watch_program(w);
	raw_cpu_write(kpt_watch_seen, seq);
	return changed;
}

static void round_tell(void)
{
	struct kpt_arch_watch *w;
	unsigned int i;
	u32 left;

	kpt_for_each_watch(w, i, left, smp_load_acquire(&kpt_all_watches)) {
		if (!w->by_hits || w->told == w->round)
			continue;
		w->told = w->round;
		kpt_hit_touch_everywhere(w);
	}
}

/* A CPU has followed. The last one ends the round. */
static void round_leave(void)
{
	u32 seq = round.seq;

	if (atomic_dec_return(&round.left))
		return;
	round_tell();
	atomic_set_release(&round.runs, 0);
	/* End, then look for what was moved meanwhile; pairs with round_begin(). */
	smp_mb();
	if (READ_ONCE(kpt_watch_seq) != seq && kpt_irq_work_runs())
		kpt_bell_ask(&round.bell);
}

/* A hit inside that moves a watch would be undone. */
static void follow_here(void *unused)
{
	unsigned long flags = kpt_arch_hits_off_save();

	kpt_watch_follow();
	kpt_arch_hits_on_restore(flags);
	round_leave();
}

static void round_begin_masked(void)
{
	struct kpt_arch_watch *w;
	unsigned int i;
	u32 left;
	int cpu;

	round.seq = READ_ONCE(kpt_watch_seq);
	kpt_for_each_watch(w, i, left, smp_load_acquire(&kpt_all_watches))
		w->round = READ_ONCE(w->seq);
	atomic_set(&round.left, 1);
	for_each_online_cpu(cpu) {
		atomic_inc(&round.left);
		/* A CPU that goes offline now follows when it comes back. */
		if (smp_call_function_single_async(cpu, per_cpu_ptr(&follow_calls, cpu)))
			atomic_dec(&round.left);
	}
	round_leave();
}

/* Watches are freed when no CPU has interrupts masked, which a thread of PREEMPT_RT has not. */
static void round_begin(struct kpt_bell *bell)
{
	unsigned long flags;

	/* What has asked for this is seen by the end of the one that runs. */
	if (atomic_xchg(&round.runs, 1))
		return;
	local_irq_save(flags);
	round_begin_masked();
	local_irq_restore(flags);
}

/* Context: as kpt_arch_watch_move(). */
static void watch_move(struct kpt_arch_watch *watch, unsigned long addr)
{
	u32 seq = kpt_watch_seq;
	bool follows = raw_cpu_read(kpt_watch_seen) == seq;

	WRITE_ONCE(watch->seq, watch->seq + 1);
	/* Who sees the address sees the number: pairs with kpt_hit_touch_everywhere(). */
	smp_wmb();
	WRITE_ONCE(watch->addr, addr);
	smp_store_release(&kpt_watch_seq, seq + 1);
	if (unlikely(!follows)) {
		kpt_watch_follow();
		return;
	}
	/* Nothing else has changed for this CPU. */
	kpt_watch_program(watch);
	raw_cpu_write(kpt_watch_seen, seq + 1);
}

/**
 * kpt_arch_watch_move() - watch another address
 * @watch: the watch, which is taken, @by_hits
 * @addr: the address; the bytes are in one aligned word of 8
 *
 * Watched by this CPU from its next instruction on, and soon by the others.
 *
 * Context: BRK; one CPU at a time moves or clears watches.
 * Return: true; false if this CPU, which goes offline, cannot tell the others.
 */
bool kpt_arch_watch_move(struct kpt_arch_watch *watch, unsigned long addr)
{
	if (!kpt_irq_work_runs())
		return false;
	watch_move(watch, addr);
	kpt_bell_ask(&round.bell);
	return true;
}

/**
 * kpt_arch_watch_clear() - watch nothing until kpt_arch_watch_move()
 * @watch: the watch, which is taken, @by_hits
 *
 * No hit that begins later, on any CPU, is one of this watch.
 *
 * Context: as kpt_arch_watch_move().
 */
void kpt_arch_watch_clear(struct kpt_arch_watch *watch)
{
	watch_move(watch, kpt_watch_nowhere(watch));
}

/**
 * kpt_watch_move_init() - prepare the interrupts
 *
 * Context: process context; no watch is taken.
 */
void kpt_watch_move_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu_ptr(&follow_calls, cpu)->func = follow_here;
}

/**
 * kpt_watch_move_exit() - wait until nothing of this file runs
 *
 * Context: process context, sleeps; no watch is taken.
 */
void kpt_watch_move_exit(void)
{
	do {
		kpt_bell_sync(&round.bell);
		while (atomic_read_acquire(&round.runs))
			msleep(1);
	} while (atomic_read(&round.bell.nr_owed));
}
