/* SPDX-License-Identifier: GPL-2.0-only */
/* What sinks and triggers know of a hit. */
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
 * @is_return: a function returns
 * @ret_ip: where to
 * @call: the call that returns, if something of its entry was kept
 * @caller: the caller of the probed function, where no frame record names it: at
 *	its entry and at a return instruction; else 0. Set before triggers run
 * @record: its record, NULL before a sink has asked for it
 * @size: bytes of the record; also of one that is too large to be made aside, once
 *	it was measured
 */
struct kpt_hit {
	struct pt_regs *regs;
	u16 context;
	bool is_return;
	unsigned long ret_ip;
	struct kpt_call *call;
	unsigned long caller;
	void *record;
	size_t size;
};

#endif
