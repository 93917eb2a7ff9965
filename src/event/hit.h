/* SPDX-License-Identifier: GPL-2.0-only */
/* A hit, as sinks and triggers see it. */
#ifndef KPTRACE_EVENT_HIT_H
#define KPTRACE_EVENT_HIT_H

#include <linux/types.h>

struct kpt_call;
struct pt_regs;

/**
 * struct kpt_hit - a hit, or a record that a program wrote itself
 * @regs: registers at the probed address
 * @context: state of the probed code: kpt_record_head.flags and, from bit 8 on,
 *	.preempt_count
 * @is_return: the hit is the return of a function
 * @size: bytes of the record, 0 until known; a record that is too large for the
 *	scratch memory is measured and has a @size without a @record
 * @ret_ip: the address that the function returns to
 * @call: the call that returns, if something of its entry was kept
 * @caller: the caller of the probed function, where no frame record names it: at
 *	its entry and at a return instruction; else 0. Set before triggers run
 * @record: its record, NULL until a sink needs it outside the ring
 * @stamp: time of the record, in the clock of the sink whose triggers run, and until
 *	its ring has the record; else 0
 */
struct kpt_hit {
	struct pt_regs *regs;
	u16 context;
	bool is_return;
	u32 size;
	unsigned long ret_ip;
	struct kpt_call *call;
	unsigned long caller;
	void *record;
	u64 stamp;
};

/**
 * kpt_hit_clear() - a hit of which nothing is known
 * @hit: the hit
 *
 * Of an initializer that leaves fields out compilers may make a call of memset().
 *
 * Context: any.
 */
static __always_inline void kpt_hit_clear(struct kpt_hit *hit)
{
	hit->regs = NULL;
	hit->context = 0;
	hit->is_return = false;
	hit->size = 0;
	hit->ret_ip = 0;
	hit->call = NULL;
	hit->caller = 0;
	hit->record = NULL;
	hit->stamp = 0;
}

#endif
