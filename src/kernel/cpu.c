// SPDX-License-Identifier: GPL-2.0-only
/*
 * When CPUs run what hits queue as irq_work. Only for PREEMPT_RT: elsewhere all CPUs that
 * are online do.
 */
#include <linux/irq_work.h>
#include "kernel/bell.h"
#include "kernel/cpu.h"

#ifdef CONFIG_PREEMPT_RT
/**
 * kpt_irq_work_start() - irq_works that are queued on this CPU run from now on
 *
 * Context: CPU hotplug, on the CPU, whose thread for irq_works runs.
 */
void kpt_irq_work_start(void)
{
	this_cpu_write(kpt_cpu.runs_irq_works, true);
}

static void irq_work_do_nothing(struct irq_work *work)
{
}

/* One for all: CPUs go offline one by one. Static: it is still used when it has run. */
static DEFINE_IRQ_WORK(last, irq_work_do_nothing);

/**
 * kpt_irq_work_stop() - the reverse of kpt_irq_work_start()
 *
 * No irq_work that a hit has queued here is left when the thread is parked, although that
 * does not run what it has not begun by then: no hit queues anything after @last, and when
 * @last runs, the thread has taken all that was queued, and is not parked before it has run
 * all that it has taken.
 *
 * Context: CPU hotplug, on the CPU, whose thread for irq_works runs; sleeps.
 */
void kpt_irq_work_stop(void)
{
	/* Hits here see this at once: none is under way on this CPU. */
	this_cpu_write(kpt_cpu.runs_irq_works, false);
	kpt_bells_drain(raw_smp_processor_id());
	irq_work_queue(&last);
	irq_work_sync(&last);
}
#endif
