// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module stays while a return address is replaced: the way back leads
 * through it.
 *
 * One reference is held for all of them. It is not given back with the last
 * return, which may be followed by the next call, but by a worker that finds
 * that there has been none for a while, and nobody on the way back any more.
 */
#include "kernel/compat.h"
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/workqueue.h>
#include "engine/calls.h"
#include "engine/pin.h"
#include <kptrace/arch.h>

/* Return addresses that are replaced now. */
static atomic_t replaced;
/* The reference is held. */
static int pinned;

static void unpin_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(unpin, unpin_work);

static void schedule_unpin(struct irq_work *work)
{
	schedule_delayed_work(&unpin, HZ);
}

static DEFINE_IRQ_WORK(kick, schedule_unpin);

static void unpin_work(struct work_struct *work)
{
	kpt_calls_bury();
	/*
	 * Ordered before the read behind it; pairs with kpt_pin_get(). Who asked
	 * for this may be late: then there is no reference any more.
	 */
	if (!xchg(&pinned, 0))
		return;
	if (atomic_read(&replaced) || !kpt_arch_returns_left()) {
		if (xchg(&pinned, 1))
			module_put(THIS_MODULE);
		schedule_delayed_work(&unpin, HZ);
		return;
	}
	module_put(THIS_MODULE);
}

/* Not while the module is on its way out: nobody would wait for the return. */
static bool pin(void)
{
	if (!try_module_get(THIS_MODULE))
		return false;
	if (xchg(&pinned, 1))
		module_put(THIS_MODULE);
	else
		irq_work_queue(&kick);
	return true;
}

/**
 * kpt_pin_get() - a return address is going to be replaced
 *
 * Context: BRK.
 * Return: true, or false if the module is being unloaded: then it must not be.
 */
bool kpt_pin_get(void)
{
	atomic_inc(&replaced);
	/* Counted before we look; pairs with unpin_work(). */
	smp_mb__after_atomic();
	if (likely(READ_ONCE(pinned)) || pin())
		return true;
	atomic_dec(&replaced);
	return false;
}

/**
 * kpt_pin_put() - the return happened, or never will
 *
 * Context: any.
 */
void kpt_pin_put(void)
{
	atomic_dec(&replaced);
}

/**
 * kpt_pin_count() - how many return addresses are replaced now
 *
 * Context: any.
 * Return: the count.
 */
unsigned int kpt_pin_count(void)
{
	return atomic_read(&replaced);
}

/**
 * kpt_pin_settle() - let the module be unloaded at once, if nothing hinders it
 *
 * Else that is possible up to a second after the last return.
 *
 * Context: process context, sleeps.
 */
void kpt_pin_settle(void)
{
	/* The worker may be at it: it holds the reference to its end. */
	irq_work_sync(&kick);
	flush_delayed_work(&unpin);
}

/**
 * kpt_pin_exit() - stop the worker
 *
 * Context: module unload.
 */
void kpt_pin_exit(void)
{
	irq_work_sync(&kick);
	cancel_delayed_work_sync(&unpin);
}
