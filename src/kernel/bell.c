// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bells: hits cannot wake a task or start a worker, so an interrupt after the hit does.
 *
 * What that interrupt calls may be probed, too, and may ask for the same again. If each
 * request had an interrupt of its own, the CPU would never leave its interrupts. So each
 * CPU has a door. The first request shuts it and queues an irq_work, which rings all bells
 * that were asked for. The door stays shut for as long as that took, and for a millisecond
 * at least; then a timer opens it, or has the bells rung that were asked for meanwhile. So
 * tasks have half of the time of a CPU, whatever hits ask for and however many readers
 * wait, and a request at an open door is served at once.
 *
 * A CPU that goes offline: see kpt_irq_work_runs(). A timer that is pending there is moved
 * to another CPU by the kernel, and what it finds is rung there.
 *
 * tests/models/bell.pml is a model of this.
 */
#include "kernel/compat.h"
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include "kernel/bell.h"
#include "kernel/cpu.h"

/* How long a door is shut: at least, and at most, as clocks of virtual machines jump. */
#define SHUT_MIN	NSEC_PER_MSEC
#define SHUT_MAX	(100 * NSEC_PER_MSEC)

/**
 * struct door - what one CPU has of all bells
 * @asked: bells that were asked for
 * @is_shut: @work is queued or runs, or @timer is armed
 * @work: rings the bells of @asked
 * @timer: opens the door, or queues @work again
 * @since: when @timer should have queued @work; 0 if a hit has queued it
 */
struct door {
	struct llist_head asked;
	atomic_t is_shut;
	struct irq_work work;
	struct hrtimer timer;
	ktime_t since;
};

static DEFINE_PER_CPU(struct door, doors);

/* Only one at a time gets true, until the door is open again. */
static bool door_shut(struct door *door)
{
	return !atomic_read(&door->is_shut) && !atomic_xchg(&door->is_shut, 1);
}

static void door_open(struct door *door)
{
	atomic_set(&door->is_shut, 0);
	/* Open, then look for what was asked while it was shut; pairs: kpt_bell_ask() */
	smp_mb();
	if (!llist_empty(&door->asked) && door_shut(door))
		irq_work_queue(&door->work);
}

static void door_ring(struct door *door)
{
	struct llist_node *node, *next;
	struct kpt_bell *bell;

	for (node = llist_del_all(&door->asked); node; node = next) {
		next = node->next;
		bell = llist_entry(node, struct kpt_bell, node);
		/*
		 * First: what is asked from now on is rung once more. Full order: @ring sees what
		 * came before the requests that found @is_asked set.
		 */
		atomic_xchg(&bell->is_asked, 0);
		bell->ring(bell);
		/* The last access; pairs: kpt_bell_sync() */
		atomic_dec_return_release(&bell->nr_owed);
	}
}

static void door_work(struct irq_work *work)
{
	struct door *door = container_of(work, struct door, work);
	ktime_t since = door->since ?: ktime_get(), now, shut;

	door->since = 0;
	door_ring(door);
	/* No timer runs on a CPU that goes offline, and nothing is asked there any more. */
	if (!kpt_irq_work_runs()) {
		door_open(door);
		return;
	}
	now = ktime_get();
	shut = clamp_t(s64, ktime_sub(now, since), SHUT_MIN, SHUT_MAX);
	hrtimer_start(&door->timer, ktime_add(now, shut), HRTIMER_MODE_ABS_PINNED_HARD);
}

static enum hrtimer_restart door_timer(struct hrtimer *timer)
{
	struct door *door = container_of(timer, struct door, timer);

	if (llist_empty(&door->asked)) {
		door_open(door);
		return HRTIMER_NORESTART;
	}
	/* The time of this interrupt counts, too. */
	door->since = hrtimer_get_expires(timer);
	irq_work_queue(&door->work);
	return HRTIMER_NORESTART;
}

/**
 * kpt_bell_init() - make a bell
 * @bell: the bell
 * @ring: see struct kpt_bell
 *
 * Context: any.
 */
void kpt_bell_init(struct kpt_bell *bell, void (*ring)(struct kpt_bell *bell))
{
	*bell = (struct kpt_bell)KPT_BELL_INIT(ring);
}

/**
 * kpt_bell_ask() - have a bell rung, after this hit
 * @bell: the bell; its function begins after all that the caller has done before. On this
 *	CPU, unless it was asked for on another one already, or this one goes offline
 *
 * Context: BRK; or interrupts masked. kpt_irq_work_runs() was true.
 */
void kpt_bell_ask(struct kpt_bell *bell)
{
	struct door *door = this_cpu_ptr(&doors);

	if (atomic_xchg(&bell->is_asked, 1))
		return;
	atomic_inc(&bell->nr_owed);
	/* This orders as smp_mb(): list, then look at the door; pairs: door_open() */
	llist_add(&bell->node, &door->asked);
	if (door_shut(door))
		irq_work_queue(&door->work);
}

/**
 * kpt_bell_sync() - wait until all that was asked for is done
 * @bell: the bell; nobody asks for it any more
 *
 * Context: process context, sleeps.
 */
void kpt_bell_sync(struct kpt_bell *bell)
{
	/* pairs: door_ring() */
	while (atomic_read_acquire(&bell->nr_owed))
		msleep(1);
}

/**
 * kpt_bells_drain() - wait until the door of a CPU is open
 * @cpu: the CPU, on which nobody asks any more
 *
 * Context: process context, sleeps.
 */
void kpt_bells_drain(unsigned int cpu)
{
	while (atomic_read(&per_cpu_ptr(&doors, cpu)->is_shut))
		msleep(1);
}

/**
 * kpt_bells_init() - prepare the doors of all CPUs
 *
 * Context: module load.
 * Return: 0.
 */
int kpt_bells_init(void)
{
	struct door *door;
	int cpu;

	for_each_possible_cpu(cpu) {
		door = per_cpu_ptr(&doors, cpu);
		init_irq_work(&door->work, door_work);
		kpt_timer_init(&door->timer, door_timer);
	}
	return 0;
}

/**
 * kpt_bells_exit() - wait until nothing of this file runs
 *
 * Context: module unload; nobody asks any more.
 */
void kpt_bells_exit(void)
{
	struct door *door;
	int cpu;

	for_each_possible_cpu(cpu) {
		door = per_cpu_ptr(&doors, cpu);
		kpt_bells_drain(cpu);
		hrtimer_cancel(&door->timer);
		irq_work_sync(&door->work);
	}
}
