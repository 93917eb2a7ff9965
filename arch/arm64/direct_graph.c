// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recorders (direct.c) of function_graph: what they do besides making a record, as
 * templates. See src/hit/graph.c, which does the same where anything is not as in most
 * calls, and src/engine/chains.h.
 *
 * The first part is where a fetch program would be: the room for the record is known, and
 * nothing has changed. It finds the chain of the task, and looks at its newest call. The
 * second part is behind the head of the record, and pushes or pops the call.
 *
 *	x9 to x12, x16, x17, sp: as in all recorders; x13 in the second part: the time
 *	sp + 96, sp + 104: registers; sp + 112: the chain; sp + 120: the depth of the call
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/stringify.h>
#include "lib/epoch.h"
#include "lib/record.h"
#include "lib/ring.h"
#include "direct.h"
#include "engine.h"

/* Arm ARM C6.2 */
#define MRS_X15_TPIDR_EL2 0xd53cd04f
/* UBFM, 64-bit, as LSL (immediate) of register @r by @n < 64 */
#define LSL(r, n)	(0xd3400000 | (u32)(-(n) & 63) << 16 | (u32)(63 - (n)) << 10 | \
			 (r) << 5 | (r))

extern const u32 kpt_graph_enter[], kpt_graph_enter_percpu[], kpt_graph_enter_leave[];
extern const u32 kpt_graph_enter_end[], kpt_graph_push[], kpt_graph_push_end[];
extern const u32 kpt_graph_leave[], kpt_graph_leave_percpu[], kpt_graph_leave_leave[];
extern const u32 kpt_graph_leave_end[], kpt_graph_pop[], kpt_graph_pop_now[];
extern const u32 kpt_graph_pop_start[], kpt_graph_pop_end[];

#define LABEL(name)	"	.globl " name "\n" name ":\n"

/* x13: the chain, if it is that of the current task. Clobbers x14 and x15. */
#define CHAIN(name)						\
	LABEL(name "_percpu")					\
	"	mrs	x15, tpidr_el1\n"			\
	"	ldr	x13, [x13, x15]\n"			\
	"	mrs	x14, sp_el0\n"				\
	"	ldr	x15, [x13, #%c[ch_task]]\n"		\
	"	eor	x15, x15, x14\n"			\
	"	cbnz	x15, 1f\n"				\
	"	str	x13, [sp, #112]\n"			\
	"	ldr	x13, [x13, #%c[ch_next]]\n"

/* The end of a first part. 1: kpt_hit() is left the hit. */
#define CHECKED(name)						\
	"	ldp	x13, x15, [sp, #96]\n"			\
	"	b	2f\n"					\
	LABEL(name "_leave")					\
	"1:	b	.\n"					\
	LABEL(name "_end")					\
	"2:\n"

#define OFFSET(name, type, member) [name] "i" (offsetof(struct type, member))
#define NEWEST(name, member) \
	[name] "i" ((int)offsetof(struct kpt_frame, member) - (int)sizeof(struct kpt_frame))
#define RECORD(name, type, member) \
	[name] "i" (sizeof(struct kpt_ring_header) + offsetof(struct type, member))

/* What both functions below need. */
#define OPERANDS						\
	OFFSET(d_graph, kpt_arch_direct, graph),		\
	OFFSET(d_ip, kpt_arch_direct, first.ip),		\
	OFFSET(g_here, kpt_arch_graph, here),			\
	OFFSET(ch_task, kpt_arch_chain, task),			\
	OFFSET(ch_next, kpt_arch_chain, next),			\
	OFFSET(n_start, kpt_frame, start),			\
	NEWEST(f_sp, sp),					\
	[call] "i" (sizeof(struct kpt_frame)),			\
	[hidden] "i" (KPT_FRAME_HIDDEN),			\
	[frame] "i" (KPT_DIRECT_FRAME)

/* Never called: only a function can give offsets to assembler code. */
static void __used noinline enter_templates(void)
{
	BUILD_BUG_ON(offsetof(struct kpt_frame, value) !=
		     offsetof(struct kpt_frame, sp) + 8);
	asm volatile(
	"	.pushsection .rodata, \"a\"\n"
	LABEL("kpt_graph_enter")
	"	stp	x13, x15, [sp, #96]\n"
	"	ldr	x13, [x9, #%c[d_graph]]\n"
	"	ldr	x13, [x13, #%c[g_here]]\n"
	CHAIN("kpt_graph_enter")
	/* kpt_chain_around(): on this stack, and above SP? */
	"	ldp	x14, x15, [x13, #%c[f_sp]]\n"
	"	add	x13, sp, #%c[frame] + 1\n"
	"	sub	x14, x14, x13\n"
	"	lsr	x14, x14, #%c[stack]\n"
	"	cbnz	x14, 1f\n"
	"	tbnz	x15, #%c[hidden], 1f\n"
	"	add	w15, w15, #1\n"
	"	ldr	x14, [x9, #%c[d_graph]]\n"
	"	ldr	x14, [x14, #%c[g_deepest]]\n"
	"	ldr	w14, [x14]\n"
	"	sub	x14, x15, x14\n"
	"	tbz	x14, #63, 1f\n"
	"	str	x15, [sp, #120]\n"
	CHECKED("kpt_graph_enter")

	LABEL("kpt_graph_push")
	"	ldr	x15, [sp, #112]\n"
	"	ldr	x14, [x15, #%c[ch_next]]\n"
	"	str	x13, [x14, #%c[n_start]]\n"
	"	add	x13, sp, #%c[frame]\n"
	"	str	x13, [x14, #%c[n_sp]]\n"
	"	ldr	x13, [x9, #%c[d_ip]]\n"
	"	str	x13, [x14, #%c[n_func]]\n"
	"	ldr	x13, [sp, #120]\n"
	"	str	x13, [x14, #%c[n_value]]\n"
	"	str	xzr, [x14, #%c[n_slept]]\n"
	"	str	x13, [x10, #%c[e_depth]]\n"
	"	add	x14, x14, #%c[call]\n"
	"	str	x14, [x15, #%c[ch_next]]\n"
	LABEL("kpt_graph_push_end")
	"	.popsection\n"
	: :
	OPERANDS,
	OFFSET(g_deepest, kpt_arch_graph, deepest),
	OFFSET(n_sp, kpt_frame, sp),
	OFFSET(n_value, kpt_frame, value),
	OFFSET(n_func, kpt_frame, func),
	OFFSET(n_slept, kpt_frame, slept),
	RECORD(e_depth, kpt_record_graph_entry, depth),
	[stack] "i" (ilog2(THREAD_SIZE)));
}

static void __used noinline leave_templates(void)
{
	BUILD_BUG_ON(offsetof(struct kpt_arch_graph, deepest) !=
		     offsetof(struct kpt_arch_graph, here) + 8);
	BUILD_BUG_ON(offsetof(struct kpt_scale, base) !=
		     offsetof(struct kpt_scale, mult) + 8);
	BUILD_BUG_ON(offsetof(struct kpt_record_graph_exit, overrun) !=
		     offsetof(struct kpt_record_graph_exit, depth) + 4);
	BUILD_BUG_ON(offsetof(struct kpt_record_graph_exit, rettime) !=
		     offsetof(struct kpt_record_graph_exit, calltime) + 8);
	asm volatile(
	"	.pushsection .rodata, \"a\"\n"
	LABEL("kpt_graph_leave")
	"	stp	x13, x15, [sp, #96]\n"
	"	ldr	x13, [x9, #%c[d_graph]]\n"
	"	ldp	x13, x14, [x13, #%c[g_here]]\n"
	"	ldr	w14, [x14]\n"
	"	cbz	w14, 1f\n"
	CHAIN("kpt_graph_leave")
	/* kpt_chain_pop(): is it the newest call? */
	"	ldp	x14, x15, [x13, #%c[f_sp]]\n"
	"	tbnz	x15, #%c[hidden], 1f\n"
	"	str	x15, [sp, #120]\n"
	"	add	x15, sp, #%c[frame]\n"
	"	eor	x14, x14, x15\n"
	"	cbnz	x14, 1f\n"
	"	ldur	x14, [x13, #%c[f_func]]\n"
	"	ldr	x15, [x9, #%c[d_ip]]\n"
	"	eor	x14, x14, x15\n"
	"	cbnz	x14, 1f\n"
	/* Since then, have the clocks run together? */
	"	ldur	x14, [x13, #%c[f_start]]\n"
	"	ldr	x13, [x9, #%c[d_graph]]\n"
	"	ldr	x13, [x13, #%c[g_scale]]\n"
	"	ldr	x13, [x13, #%c[s_since]]\n"
	"	sub	x14, x14, x13\n"
	"	tbnz	x14, #63, 1f\n"
	CHECKED("kpt_graph_leave")

	LABEL("kpt_graph_pop")
	"	str	x0, [x10, #%c[x_retval]]\n"
	"	ldr	x14, [sp, #120]\n"
	"	str	x14, [x10, #%c[x_depth]]\n"
	"	ldr	x15, [sp, #112]\n"
	"	ldr	x14, [x15, #%c[ch_next]]\n"
	"	sub	x14, x14, #%c[call]\n"
	"	str	x14, [x15, #%c[ch_next]]\n"
	"	ldr	x15, [x14, #%c[n_start]]\n"
	"	str	x12, [sp, #96]\n"
	"	ldr	x14, [x9, #%c[d_graph]]\n"
	"	ldr	x14, [x14, #%c[g_scale]]\n"
	"	ldp	x14, x12, [x14, #%c[s_mult]]\n"
	LABEL("kpt_graph_pop_now")
	"	lsl	x13, x13, #1\n"
	"	umulh	x13, x13, x14\n"
	"	add	x13, x13, x12\n"
	LABEL("kpt_graph_pop_start")
	"	lsl	x15, x15, #1\n"
	"	umulh	x15, x15, x14\n"
	"	add	x15, x15, x12\n"
	"	stp	x15, x13, [x10, #%c[x_calltime]]\n"
	"	ldr	x12, [sp, #96]\n"
	LABEL("kpt_graph_pop_end")
	"	.popsection\n"
	: :
	OPERANDS,
	OFFSET(g_scale, kpt_arch_graph, scale),
	OFFSET(s_mult, kpt_scale, mult),
	OFFSET(s_since, kpt_scale, since),
	NEWEST(f_func, func),
	NEWEST(f_start, start),
	RECORD(x_retval, kpt_record_graph_exit, retval),
	RECORD(x_depth, kpt_record_graph_exit, depth),
	RECORD(x_calltime, kpt_record_graph_exit, calltime));
}

static u32 *put(u32 *words, int *nr, const u32 *from, const u32 *end)
{
	u32 *at = words + *nr;

	memcpy(at, from, (u8 *)end - (u8 *)from);
	*nr += end - from;
	return at;
}

/**
 * kpt_direct_put_graph() - write the first part: may the recorder take the hit?
 * @words: code
 * @nr: number of words; those of the part are added
 * @graph: where the hit is
 * @begin: words from the recorder's literals to the part
 * @leave: words from the literals to where hits are left to kpt_hit()
 * @hyp: the kernel runs at EL2
 *
 * Context: process context.
 */
void kpt_direct_put_graph(u32 *words, int *nr, enum kpt_arch_graph_place graph,
			  int begin, int leave, bool hyp)
{
	bool enter = graph == KPT_ARCH_GRAPH_ENTER;
	const u32 *from = enter ? kpt_graph_enter : kpt_graph_leave;
	const u32 *end = enter ? kpt_graph_enter_end : kpt_graph_leave_end;
	int jump = (enter ? kpt_graph_enter_leave : kpt_graph_leave_leave) - from;
	int percpu = (enter ? kpt_graph_enter_percpu : kpt_graph_leave_percpu) - from;
	u32 *at = put(words, nr, from, end);

	at[jump] = KPT_B | ((leave - begin - jump) & ~KPT_B_MASK);
	if (hyp)
		at[percpu] = MRS_X15_TPIDR_EL2;
}

/**
 * kpt_direct_put_call() - write the second part: push or pop the call
 * @words: code
 * @nr: number of words; those of the part are added
 * @graph: where the hit is
 * @shift: kpt_scale.shift of the clock
 *
 * Context: process context.
 */
void kpt_direct_put_call(u32 *words, int *nr, enum kpt_arch_graph_place graph,
			 unsigned int shift)
{
	u32 *at;

	if (graph == KPT_ARCH_GRAPH_ENTER) {
		put(words, nr, kpt_graph_push, kpt_graph_push_end);
		return;
	}
	at = put(words, nr, kpt_graph_pop, kpt_graph_pop_end);
	at[kpt_graph_pop_now - kpt_graph_pop] = LSL(13, shift);
	at[kpt_graph_pop_start - kpt_graph_pop] = LSL(15, shift);
}
