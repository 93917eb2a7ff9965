// SPDX-License-Identifier: GPL-2.0-only
/*
 * For: noise sample user.
 *
 * Hits without a place in text: records that are made without a hit, of user events and of
 * osnoise:*, and interrupts. The event's handler gives them to its sinks.
 */
#include "kernel/compat.h"
#include <linux/irqflags.h>
#include <linux/rcupdate.h>
#include "arch.h"
#include "hit/internal.h"
#include "hit/made_record.h"
#include "kernel/comms.h"
#include "kernel/cpu.h"
#include "trigger/trigger.h"

/*
 * With interrupts masked and hits off on this CPU, as rings and triggers expect of
 * hits. Returns the event's handler; NULL if there is none, or if this has interrupted a
 * hit: then it counts as missed.
 */
static const struct kpt_handler *made_begin(const struct kpt_hook *hook, unsigned long *flags)
{
	const struct kpt_handlers *handlers;
	bool is_nested;

	local_irq_save(*flags);
	is_nested = this_cpu_read(kpt_cpu.depth);
	kpt_arch_hits_off();
	/* Freed only after kpt_arch_quiesce(), which waits for this. */
	handlers = rcu_dereference_raw(hook->handlers);
	if (handlers && is_nested)
		kpt_hit_missed_by(&handlers->first);
	if (!handlers || is_nested)
		return NULL;
	kpt_comm_note();
	return &handlers->first;
}

static void made_end(unsigned long flags)
{
	kpt_arch_hits_on();
	local_irq_restore(flags);
}

/**
 * kpt_hit_made() - give a record that was made without a hit to its sinks
 * @hook: the handlers of the event
 * @record: the record, up to the next multiple of 8 bytes; its head is filled in here
 * @size: its bytes
 * @context: state of the code that has made it: kpt_record_head.flags and, from bit 8
 *	on, .preempt_count
 *
 * In an NMI that has interrupted a hit, it counts as missed.
 *
 * Context: any but BRK; RCU watches.
 */
void kpt_hit_made(const struct kpt_hook *hook, void *record, size_t size, u16 context)
{
	const struct kpt_handler *handler;
	unsigned long flags;
	struct kpt_hit hit;

	kpt_hit_clear(&hit);
	hit.record = record;
	hit.size = size;
	hit.context = context;
	handler = made_begin(hook, &flags);
	if (handler) {
		*(struct kpt_record_head *)record = (struct kpt_record_head){
			.type = handler->type,
			.flags = context & 0xff,
			.preempt_count = context >> 8,
			.pid = current->pid,
		};
		kpt_hit_deliver_made(handler, &hit);
		if (kpt_trigger_has_synth())
			kpt_hit_deliver_synth(&hit);
	}
	made_end(flags);
}

/**
 * kpt_hit_interrupt() - let an interrupt be a hit of what it has interrupted
 * @hook: the handlers of the event
 * @regs: registers of the interrupted code; NULL if nobody knows them, and then the hit
 *	counts as missed
 *
 * Context: hard interrupt.
 */
void kpt_hit_interrupt(const struct kpt_hook *hook, struct pt_regs *regs)
{
	const struct kpt_handler *handler;
	unsigned long flags;
	struct kpt_hit hit;

	kpt_hit_clear(&hit);
	hit.regs = regs;
	hit.context = kpt_hit_context(HARDIRQ_OFFSET);
	handler = made_begin(hook, &flags);
	if (handler && regs)
		kpt_hit_deliver(handler, &hit);
	else if (handler)
		kpt_hit_missed_by(handler);
	made_end(flags);
}
