// SPDX-License-Identifier: GPL-2.0-only
/*
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
#include "recorder/recorder_code.h"
#include "lib/ring/epoch.h"

/* Arm ARM C6.2: UBFM, 64-bit, as LSL (immediate) of register @r by @n < 64 */
#define LSL(r, n)	(0xd3400000 | (u32)(-(n) & 63) << 16 | (u32)(63 - (n)) << 10 | \
			 (r) << 5 | (r))

extern const u32 kpt_direct_leave[], kpt_direct_leave_now[], kpt_direct_leave_start[];

#define GRAPH_SAVE						\
	"	stp	x5, x6, [sp, #96]\n"			\
	"	stp	x7, x8, [sp, #112]\n"

#define GRAPH_LOAD						\
	"	ldp	x5, x6, [sp, #96]\n"			\
	"	ldp	x7, x8, [sp, #112]\n"

/* kpt_chains_here(), and kpt_chain_around(): on this stack, and above SP? */
#define ENTER_CHECK						\
	"	ldp	x7, x14, [x9, #%c[g_here]]\n"		\
	"	ldr	x7, [x7, x10]\n"			\
	"	ldr	w6, [x14]\n"				\
	"	ldp	x14, x8, [x7]\n"			\
	"	eor	x14, x14, x12\n"			\
	"	cbnz	x14, 12b\n"				\
	"	ldp	x14, x5, [x8, #-%c[call]]\n"		\
	/* Deep enough, or hidden: KPT_CHAIN_CALL_HIDDEN is more than any depth. */ \
	"	add	x5, x5, #1\n"				\
	"	sub	x6, x5, x6\n"				\
	"	tbz	x6, #63, 12b\n"				\
	"	add	x6, sp, #" __stringify(KPT_DIRECT_FRAME) "\n"			\
	"	sub	x14, x6, x14\n"				\
	"	mvn	x14, x14, asr #%c[stack]\n"		\
	"	cbnz	x14, 12b\n"

/* start and slept */
#define ENTER_TIMED						\
	"	stp	x13, xzr, [x8, #%c[c_func] + 8]\n"

#define ENTER_MADE						\
	"	str	x14, [x8, #%c[c_func]]\n"		\
	"	stp	x6, x5, [x8], #%c[call]\n"		\
	"	str	x5, [x10, #%c[e_depth]]\n"		\
	"	str	x8, [x7, #8]\n"		/* next */

/* The same, and kpt_chain_pop(): is it the newest call? */
#define LEAVE_CHECK						\
	"	ldp	x7, x14, [x9, #%c[g_here]]\n"		\
	"	ldr	x7, [x7, x10]\n"			\
	"	ldr	w14, [x14]\n"				\
	"	ldp	x13, x8, [x7]\n"			\
	"	eor	x13, x13, x12\n"			\
	"	cbnz	x13, 12b\n"				\
	"	ldp	x13, x5, [x8, #-%c[call]]!\n"		\
	"	sub	x14, x5, x14\n"				\
	"	tbz	x14, #63, 12b\n"			\
	"	add	x6, sp, #" __stringify(KPT_DIRECT_FRAME) "\n"			\
	"	eor	x13, x13, x6\n"				\
	"	cbnz	x13, 12b\n"				\
	"	ldp	x13, x6, [x8, #%c[c_func]]\n"		\
	"	ldr	x14, [x9, #%c[d_type] + 8]\n"			\
	"	eor	x13, x13, x14\n"			\
	"	cbnz	x13, 12b\n"				\
	/* Since it began, have the clocks run together? */	\
	"	ldr	x14, [x9, #%c[g_scale]]\n"		\
	"	ldr	x13, [x14, #%c[s_since]]\n"		\
	"	sub	x13, x6, x13\n"				\
	"	tbnz	x13, #63, 12b\n"

/* Depths are less than 2^32, so overrun becomes 0: it is, see kpt_chain_overrun(). */
#define LEAVE_TIMED						\
	"	str	x8, [x7, #8]\n"		/* next */	\
	"	stp	x0, x5, [x10, #%c[x_retval]]\n"		\
	"	ldr	x14, [x9, #%c[g_scale]]\n"		\
	"	ldp	x7, x8, [x14, #%c[s_mult]]\n"		\
	"	.globl	kpt_direct_leave_now\n"			\
	"kpt_direct_leave_now: lsl x13, x13, #1\n"		\
	"	umulh	x13, x13, x7\n"				\
	"	add	x13, x13, x8\n"				\
	"	.globl	kpt_direct_leave_start\n"		\
	"kpt_direct_leave_start: lsl x6, x6, #1\n"		\
	"	umulh	x6, x6, x7\n"				\
	"	add	x6, x6, x8\n"				\
	"	stp	x6, x13, [x10, #%c[x_calltime]]\n"

#define RECORD(name, type, member) \
	[name] "i" (sizeof(struct kpt_ring_header) + offsetof(struct type, member))

/* Never called: only a function can give offsets to assembler code. */
static void __used noinline enter_template(void)
{
	BUILD_BUG_ON(offsetof(struct kpt_arch_graph, deepest) !=
		     offsetof(struct kpt_arch_graph, here) + 8);
	BUILD_BUG_ON(offsetof(struct kpt_arch_chain, task) != 0);
	BUILD_BUG_ON(offsetof(struct kpt_arch_chain, next) != 8);
	BUILD_BUG_ON(offsetof(struct kpt_chain_call, sp) != 0);
	BUILD_BUG_ON(offsetof(struct kpt_chain_call, value) != 8);
	BUILD_BUG_ON(offsetof(struct kpt_chain_call, start) !=
		     offsetof(struct kpt_chain_call, func) + 8);
	BUILD_BUG_ON(offsetof(struct kpt_chain_call, slept) !=
		     offsetof(struct kpt_chain_call, func) + 16);
	asm volatile(
	"	.pushsection .rodata, \"a\"\n"
	RECORDER("kpt_direct_enter", "", GRAPH_SAVE, GRAPH_LOAD, ENTER_CHECK, "", ENTER_TIMED,
		 ENTER_MADE)
	"	.globl	kpt_direct_graph_load\n"
	"kpt_direct_graph_load:\n"
	GRAPH_LOAD
	"	.globl	kpt_direct_graph_load_end\n"
	"kpt_direct_graph_load_end:\n"
	"	.popsection\n"
	: :
	RECORDER_OPERANDS,
	OFFSET(g_here, kpt_arch_direct, graph.here),
	OFFSET(c_func, kpt_chain_call, func),
	RECORD(e_depth, kpt_record_graph_entry, depth),
	[call] "i" (sizeof(struct kpt_chain_call)),
	[stack] "i" (ilog2(THREAD_SIZE)));
}

static void __used noinline leave_template(void)
{
	BUILD_BUG_ON(offsetof(struct kpt_scale, base) !=
		     offsetof(struct kpt_scale, mult) + 8);
	BUILD_BUG_ON(offsetof(struct kpt_record_graph_exit, depth) !=
		     offsetof(struct kpt_record_graph_exit, retval) + 8);
	BUILD_BUG_ON(offsetof(struct kpt_record_graph_exit, overrun) !=
		     offsetof(struct kpt_record_graph_exit, depth) + 4);
	BUILD_BUG_ON(offsetof(struct kpt_record_graph_exit, rettime) !=
		     offsetof(struct kpt_record_graph_exit, calltime) + 8);
	asm volatile(
	"	.pushsection .rodata, \"a\"\n"
	RECORDER("kpt_direct_leave", "", GRAPH_SAVE, GRAPH_LOAD, LEAVE_CHECK, "", LEAVE_TIMED,
		 "")
	"	.popsection\n"
	: :
	RECORDER_OPERANDS,
	OFFSET(g_here, kpt_arch_direct, graph.here),
	OFFSET(g_scale, kpt_arch_direct, graph.scale),
	OFFSET(c_func, kpt_chain_call, func),
	OFFSET(s_mult, kpt_scale, mult),
	OFFSET(s_since, kpt_scale, since),
	RECORD(x_retval, kpt_record_graph_exit, retval),
	RECORD(x_calltime, kpt_record_graph_exit, calltime),
	[call] "i" (sizeof(struct kpt_chain_call)));
}

/**
 * kpt_direct_set_shift() - complete a recorder of returns
 * @words: copy of its template
 * @shift: kpt_scale.shift of the clock
 *
 * Context: process context.
 */
void kpt_direct_set_shift(u32 *words, unsigned int shift)
{
	words[kpt_direct_leave_now - kpt_direct_leave] = LSL(13, shift);
	words[kpt_direct_leave_start - kpt_direct_leave] = LSL(6, shift);
}
