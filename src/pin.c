// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module stays while a return address is replaced: the way back leads
 * through it.
 *
 * One reference is held for all of them. It is not given back with the last
 * return, which may be followed by the next call, but by a worker that finds
 * that there has been none for a while, and nobody on the way back any more.
 */
#include <kptrace/compat.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/workqueue.h>
#include <kptrace/arch.h>
#include <kptrace/frame.h>
#include <kptrace/pin.h>

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
	kpt_frames_bury();
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

void kpt_pin_put(void)
{
	atomic_dec(&replaced);
}

unsigned int kpt_pin_count(void)
{
	return atomic_read(&replaced);
}

void kpt_pin_settle(void)
{
	/* The worker may be at it: it holds the reference to its end. */
	irq_work_sync(&kick);
	flush_delayed_work(&unpin);
}

void kpt_pin_exit(void)
{
	irq_work_sync(&kick);
	cancel_delayed_work_sync(&unpin);
}
