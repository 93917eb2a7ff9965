/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record of a hit that has one sink, a ring without a filter, and whose size is known:
 * it is made in the ring.
 */
#ifndef KPTRACE_HIT_SIMPLE_H
#define KPTRACE_HIT_SIMPLE_H

#include "hit/internal.h"

/**
 * kpt_hit_begin_record() - write a record, except its arguments
 * @rec: the record
 * @handler: its handler
 * @regs: registers at the probed address
 * @context: kpt_hit.context
 * @ret_ip: the address that the function returns to; 0: the hit is no return
 *
 * Context: BRK.
 */
static __always_inline void kpt_hit_begin_record(void *rec,
						 const struct kpt_handler *handler,
						 const struct pt_regs *regs,
						 u16 context, unsigned long ret_ip)
{
	struct kpt_record_return *ret = rec;
	struct kpt_record_probe *probe = rec;

	kpt_hit_fill_head(rec, handler->type, regs, context);
	if (likely(!ret_ip)) {
		probe->ip = regs->pc;
	} else {
		ret->func = handler->func;
		ret->ret_ip = ret_ip;
	}
}

/**
 * kpt_hit_make_simple() - fill in the record of a simple hit, and count the hit
 * @rec: the record
 * @handler: its handler
 * @regs: registers at the probed address
 * @context: kpt_hit.context
 * @ret_ip: the address that the function returns to; 0: the hit is no return
 * @call: the call that returns, NULL if nothing of its entry was kept
 * @only_registers: kpt_fetch_prog.only_registers; then no function is called, so no stack
 *	frame is needed
 *
 * Context: BRK.
 */
static __always_inline void kpt_hit_make_simple(void *rec,
						const struct kpt_handler *handler,
						const struct pt_regs *regs,
						u16 context, unsigned long ret_ip,
						const struct kpt_call *call,
						const bool only_registers)
{
	const struct kpt_fetch_prog *prog = handler->prog;

	kpt_hit_begin_record(rec, handler, regs, context, ret_ip);
	if (only_registers) {
		kpt_fetch_registers(prog, &regs->user_regs, rec);
	} else {
		struct kpt_fetch_source src = { .regs = &regs->user_regs };

		if (call)
			kpt_hit_add_call(&src, prog, call);
		kpt_fetch_exec(prog, &src, rec, prog->size + prog->room);
	}
	kpt_hit_count(handler);
}

/**
 * kpt_hit_record_simple() - record a simple hit
 * @handler: its handler
 * @buf: the buffer of its only sink, or of the first; kpt_buffer.stops is 0
 * @regs: as for kpt_hit_make_simple()
 * @context: likewise
 * @ret_ip: likewise
 * @call: likewise
 * @only_registers: likewise
 * @made: result: the record, valid until the ring is written to again
 *
 * Context: BRK.
 * Return: true; or false, with no side effects, if the ring has no room.
 */
static __always_inline bool kpt_hit_record_simple(const struct kpt_handler *handler,
						  struct kpt_buffer *buf,
						  const struct pt_regs *regs,
						  u16 context, unsigned long ret_ip,
						  const struct kpt_call *call,
						  const bool only_registers,
						  void **made)
{
	unsigned long cpu = __my_cpu_offset;
	struct kpt_buffer_cpu *bc = SHIFT_PERCPU_PTR(buf->cpu, cpu);
	void *rec;

	if (unlikely(!kpt_buffer_may_write(bc)))
		return false;
	/* Nothing else writes: exceptions are masked, hits in an NMI are missed. */
	if (unlikely(!kpt_ring_begin(&bc->ring, handler->words, kpt_clock_raw(),
				     &rec)))
		return false;
	kpt_hit_make_simple(rec, handler, regs, context, ret_ip, call, only_registers);
	(*SHIFT_PERCPU_PTR(handler->sink->recorded, cpu))++;
	kpt_ring_finish(&bc->ring);
	*made = rec;
	return true;
}

#endif
