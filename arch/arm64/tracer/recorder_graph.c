// SPDX-License-Identifier: GPL-2.0-only
/*
 * For: recorder.
 *
 * Recorders (recorder.c) of function_graph. Where anything is not as in most calls,
 * src/parts/tracer/graph_hit.c does it, see also src/parts/tracer/chains.h.
 *
 * First, when nothing has changed yet, they find the chain of the task, and look at its
 * newest call. When there is room for the record, they push or pop the call.
 *
 *	x9 to x17, sp: as in all recorders; x7: the chain; x8: where the call is in it, or
 *	will be; x6: the call's SP, at the return its start; x5: its depth
 *	sp + 96 to sp + 127: x5 to x8 as they are in the probed code
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/thread_info.h>
#include "kernel/clock.h"
#include "lib/record/record.h"
#include "lib/ring/epoch.h"
#include "lib/ring/ring.h"
#include "recorder/recorder.h"
#include "engine.h"

#define CALL(member)	offsetof(struct kpt_chain_call, member)
#define CALL_SIZE	((int)sizeof(struct kpt_chain_call))
#define SCALE(member)	offsetof(struct kpt_scale, member)
#define ENTRY(member)	(sizeof(struct kpt_ring_header) + \
			 offsetof(struct kpt_record_graph_entry, member))
#define EXIT(member)	(sizeof(struct kpt_ring_header) + \
			 offsetof(struct kpt_record_graph_exit, member))

/**
 * kpt_recorder_put_graph_save() - save x5 to x8
 * @c: code
 *
 * Context: process context.
 */
void kpt_recorder_put_graph_save(struct kpt_code *c)
{
	kpt_put(c, a64_stp(X5, X6, SP, 96));
	kpt_put(c, a64_stp(X7, X8, SP, 112));
}

/**
 * kpt_recorder_put_graph_load() - load x5 to x8
 * @c: code
 *
 * Context: process context.
 */
void kpt_recorder_put_graph_load(struct kpt_code *c)
{
	kpt_put(c, a64_ldp(X5, X6, SP, 96));
	kpt_put(c, a64_ldp(X7, X8, SP, 112));
}

/* A call that is not as most are is left to C. */
static void put_to_slow(struct kpt_recorder_code *r, u32 word)
{
	kpt_put_to(&r->code, word, kpt_recorder_at(r, KPT_AT_SLOW));
}

/* x7 = the chain, x8 = behind its newest call: kpt_chains_here(). @temp changes. */
static void put_find(struct kpt_recorder_code *r, enum a64_reg deepest, enum a64_reg limit,
		     enum a64_reg temp)
{
	const struct kpt_arch_graph *graph = r->step->graph;
	struct kpt_code *c = &r->code;

	kpt_recorder_put_operands(r, X7, (unsigned long)graph->here,
				  deepest, (unsigned long)graph->deepest);
	kpt_put(c, a64_ldr_at(X7, X7, X10));
	kpt_put(c, a64_ldr_w(limit, deepest, 0));
	kpt_put(c, a64_ldp(temp, X8, X7, 0));			/* task, next */
	kpt_put(c, a64_eor(temp, temp, X12));
	put_to_slow(r, a64_cbnz(temp));
}

/* kpt_chain_around(): on this stack, and above SP? */
static void put_check_enter(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	put_find(r, X14, X6, X14);
	kpt_put(c, a64_ldp(X14, X5, X8, -CALL_SIZE));		/* sp, value */
	/* Deep enough, or hidden: KPT_CHAIN_CALL_HIDDEN is more than any depth. */
	kpt_put(c, a64_add_i(X5, X5, 1));
	kpt_put(c, a64_sub(X6, X5, X6));
	put_to_slow(r, a64_tbz(X6, 63));
	kpt_recorder_put_sp(r, X6);
	kpt_put(c, a64_sub(X14, X6, X14));
	kpt_put(c, a64_mvn_asr(X14, X14, ilog2(THREAD_SIZE)));
	put_to_slow(r, a64_cbnz(X14));
}

/* kpt_chain_pop(): is it the newest call? */
static void put_check_leave(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	put_find(r, X14, X14, X13);
	kpt_put(c, a64_ldp_before(X13, X5, X8, -CALL_SIZE));	/* sp, value */
	kpt_put(c, a64_sub(X14, X5, X14));
	put_to_slow(r, a64_tbz(X14, 63));
	kpt_recorder_put_sp(r, X6);
	kpt_put(c, a64_eor(X13, X13, X6));
	put_to_slow(r, a64_cbnz(X13));
	kpt_put(c, a64_ldp(X13, X6, X8, CALL(func)));		/* and start */
	kpt_recorder_put_field(r, X14, &r->step->record->ip);
	kpt_put(c, a64_eor(X13, X13, X14));
	put_to_slow(r, a64_cbnz(X13));
	/* Since it began, have the clocks run together? */
	kpt_recorder_put_operand(r, X14, (unsigned long)r->step->graph->scale);
	kpt_put(c, a64_ldr(X13, X14, SCALE(since)));
	kpt_put(c, a64_sub(X13, X6, X13));
	put_to_slow(r, a64_tbnz(X13, 63));
}

/**
 * kpt_recorder_put_graph_check() - leave calls that are not as most are to kpt_hit_point()
 * @r: the recorder. x10 is the offset of per-CPU variables, x12 the task; x13 and x14 change
 *
 * Context: process context.
 */
void kpt_recorder_put_graph_check(struct kpt_recorder_code *r)
{
	BUILD_BUG_ON(offsetof(struct kpt_arch_chain, task) != 0);
	BUILD_BUG_ON(offsetof(struct kpt_arch_chain, next) != 8);
	BUILD_BUG_ON(CALL(sp) != 0 || CALL(value) != 8);
	BUILD_BUG_ON(CALL(start) != CALL(func) + 8 || CALL(slept) != CALL(func) + 16);
	if (r->step->op == KPT_ARCH_GRAPH_ENTER)
		put_check_enter(r);
	else
		put_check_leave(r);
}

/* Convert a time by the kpt_scale whose mult and base are in x7 and x8. */
static void put_scale(struct kpt_code *c, enum a64_reg reg)
{
	kpt_put(c, a64_lsl(reg, reg, kpt_clock_scale.shift));
	kpt_put(c, a64_umulh(reg, reg, X7));
	kpt_put(c, a64_add(reg, reg, X8));
}

/**
 * kpt_recorder_put_graph_timed() - push or pop the call
 * @r: the recorder. The time is in x13; x13 and x14 change
 *
 * Context: process context.
 */
void kpt_recorder_put_graph_timed(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	BUILD_BUG_ON(SCALE(base) != SCALE(mult) + 8);
	BUILD_BUG_ON(EXIT(depth) != EXIT(retval) + 8);
	BUILD_BUG_ON(EXIT(overrun) != EXIT(depth) + 4);
	BUILD_BUG_ON(EXIT(rettime) != EXIT(calltime) + 8);
	if (r->step->op == KPT_ARCH_GRAPH_ENTER) {
		kpt_put(c, a64_stp(X13, XZR, X8, CALL(start)));	/* and slept */
		return;
	}
	kpt_put(c, a64_str(X8, X7, offsetof(struct kpt_arch_chain, next)));
	/* Depths are less than 2^32, so overrun becomes 0: it is, see kpt_chain_overrun(). */
	kpt_put(c, a64_stp(X0, X5, X10, EXIT(retval)));
	kpt_recorder_put_operand(r, X14, (unsigned long)r->step->graph->scale);
	kpt_put(c, a64_ldp(X7, X8, X14, SCALE(mult)));		/* and base */
	put_scale(c, X13);
	put_scale(c, X6);
	kpt_put(c, a64_stp(X6, X13, X10, EXIT(calltime)));
}

/**
 * kpt_recorder_put_graph_made() - complete the call that begins
 * @c: code. The head of the record is written, x14 is kpt_arch_record.ip
 *
 * Context: process context.
 */
void kpt_recorder_put_graph_made(struct kpt_code *c)
{
	kpt_put(c, a64_str(X14, X8, CALL(func)));
	kpt_put(c, a64_stp_behind(X6, X5, X8, CALL_SIZE));
	kpt_put(c, a64_str(X5, X10, ENTRY(depth)));
	kpt_put(c, a64_str(X8, X7, offsetof(struct kpt_arch_chain, next)));
}
