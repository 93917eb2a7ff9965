// SPDX-License-Identifier: GPL-2.0-only
/* Records of user events: the event's handler gives them to its sinks. */
#include "kernel/compat.h"
#include <linux/irqflags.h>
#include <linux/rcupdate.h>
#include <kptrace/arch.h>
#include "hit/internal.h"
#include "hit/synth.h"
#include "hit/user.h"
#include "kernel/comms.h"
#include "trigger/synth.h"

/**
 * kpt_hit_user() - give a record that a program has written to its sinks
 * @hook: the handlers of the event
 * @record: the record, up to the next multiple of 8 bytes; its head is filled in here
 * @size: its bytes
 *
 * With interrupts masked and hits off on this CPU, as rings and triggers expect of
 * hits.
 *
 * Context: process context.
 */
void kpt_hit_user(const struct kpt_hook *hook, void *record, size_t size)
{
	struct kpt_hit hit = { .record = record, .size = size };
	const struct kpt_handlers *handlers;
	const struct kpt_handler *handler;
	unsigned long flags;

	local_irq_save(flags);
	kpt_arch_hits_off();
	/* Freed only after kpt_arch_quiesce(), which waits for this. */
	handlers = rcu_dereference_raw(hook->handlers);
	if (handlers) {
		handler = &handlers->first;
		*(struct kpt_record_head *)record = (struct kpt_record_head){
			.type = handler->type, .pid = current->pid,
		};
		kpt_comm_note();
		kpt_hit_deliver_made(handler, &hit);
		if (kpt_trigger_has_synth())
			kpt_hit_deliver_synth(&hit);
	}
	kpt_arch_hits_on();
	local_irq_restore(flags);
}
