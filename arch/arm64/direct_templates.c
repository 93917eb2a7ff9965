// SPDX-License-Identifier: GPL-2.0-only
/*
 * The templates that recorders consist of: see direct.c, which copies them. What stands
 * between them is written for each recorder.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/stringify.h>
#include <linux/thread_info.h>
#include "lib/record.h"
#include "lib/ring.h"
#include "compat.h"
#include "direct.h"
#include "engine.h"

extern const u32 kpt_direct_hit[], kpt_direct_hit_entry[], kpt_direct_hit_percpu[];
extern const u32 kpt_direct_hit_refuse[], kpt_direct_return_refuse[];
extern const u32 kpt_direct_hit_leave[], kpt_direct_return_leave[];
extern const u32 kpt_direct_hit_full[], kpt_direct_return_full[];
extern const u32 kpt_direct_hit_add[], kpt_direct_hit_word[], kpt_direct_hit_end[];
extern const u32 kpt_direct_return[], kpt_direct_return_entry[];
extern const u32 kpt_direct_return_percpu[], kpt_direct_return_add[];
extern const u32 kpt_direct_return_word[], kpt_direct_return_end[];
extern const u32 kpt_direct_hit_stopped[], kpt_direct_return_stopped[];
extern const u32 kpt_direct_hit_slow[], kpt_direct_return_slow[];
extern const u32 kpt_direct_hit_number[], kpt_direct_return_number[];
extern const u32 kpt_direct_biased[], kpt_direct_biased_entry[];
extern const u32 kpt_direct_biased_percpu[], kpt_direct_biased_refuse[];
extern const u32 kpt_direct_biased_leave[], kpt_direct_biased_full[];
extern const u32 kpt_direct_biased_add[], kpt_direct_biased_word[];
extern const u32 kpt_direct_biased_number[], kpt_direct_biased_end[];
extern const u32 kpt_direct_biased_stopped[], kpt_direct_biased_slow[];

#ifdef _TIF_NEED_RESCHED_LAZY
#define TEST_LAZY	"	tbnz	x13, %c[lazy], 14b\n"
#define NOTE_LAZY	"	tbz	x13, %c[lazy], 1f\n"		\
			"	orr	x14, x14, #%c[f_lazy]\n"	\
			"1:\n"
#define LAZY_BIT	ilog2(_TIF_NEED_RESCHED_LAZY)
#else
#define TEST_LAZY
#define NOTE_LAZY
#define LAZY_BIT	0
#endif

#ifdef KPT_TASK_MIGRATION
#define TEST_MIGRATION	"	ldrh	w13, [x12, #%c[migration]]\n"	\
			"	orr	x14, x14, x13\n"
#define NOTE_MIGRATION	"	ldrh	w13, [x12, #%c[migration]]\n"	\
			"	orr	x14, x14, x13, lsl #12\n"	\
			"	lsr	x13, x13, #4\n"			\
			"	cbnz	x13, 12b\n"
#else
#define TEST_MIGRATION
#define NOTE_MIGRATION
#define KPT_TASK_MIGRATION 0
#endif

#ifdef CONFIG_ARM64_BTI_KERNEL
#define LANDING_PAD	"	hint	#36\n"		/* bti j */
#else
#define LANDING_PAD
#endif

#define LOAD_SCRATCH					\
	"	ldp	x9, x10, [sp, #16]\n"		\
	"	ldp	x11, x12, [sp, #32]\n"		\
	"	ldp	x13, x14, [sp, #48]\n"		\
	"	ldp	x15, x17, [sp, #64]\n"

/* Add 1 to the counter at @base of this CPU, with x10 its offset. */
#define COUNT(base, temp)				\
	"	ldr	" temp ", [" base ", x10]\n"	\
	"	add	" temp ", " temp ", #1\n"	\
	"	str	" temp ", [" base ", x10]\n"

/*
 * With @name its label; returns check @caller; @bias is taken from preempt_count(), in x10.
 * Ends before the stores.
 */
#define RECORDER(name, literals, caller, bias)					\
	"	.balign	8\n"							\
	"	.globl	" name "\n"						\
	name ":	.quad	0\n"			/* kpt_cpu */			\
	"	.quad	0, 0, 0, 0, 0, 0\n"	/* direct_read.c */		\
	literals								\
	/* Something is not as in most hits. */					\
	"	.globl	" name "_stopped\n"					\
	name "_stopped:\n"							\
	"11:	ldr	w13, [x11, #%c[c_depth]]\n"				\
	"	cbnz	w13, 12f\n"						\
	"	ldr	x13, [x9, #%c[d_stops]]\n"				\
	"	ldr	w13, [x13]\n"						\
	"	tbz	w13, #0, 12f\n"						\
	/* tracing_on is 0, or the filter has refused the hit. */		\
	"16:	str	w30, [x11, #%c[c_depth]]\n"				\
	"	ldp	x13, x14, [x9, #%c[d_hits]]\n"				\
	COUNT("x13", "x12")							\
	"	ldr	x14, [x9, #%c[d_filtered]]\n"				\
	COUNT("x14", "x12")							\
	"	str	wzr, [x11, #%c[c_depth]]\n"				\
	"	b	13f\n"							\
	/* Memory cannot be read. */						\
	"	.globl	" name "_leave\n"					\
	name "_leave: ldr x30, [sp, #" __stringify(KPT_DIRECT_STUB) "]\n"	\
	/* The ring has no room. */						\
	"	.globl	" name "_full\n"						\
	name "_full:\n"								\
	"10:	str	wzr, [x11, #%c[c_depth]]\n"				\
	"	.globl	" name "_slow\n"					\
	name "_slow:\n"							\
	"12:	add	x30, x30, #%c[slow]\n"					\
	"13:	msr	daif, x16\n"						\
	LOAD_SCRATCH								\
	"	ret\n"								\
	/* The filter refuses the hit. */					\
	"	.globl	" name "_refuse\n"					\
	name "_refuse: mrs x10, tpidr_el1\n"					\
	"	ldr	x11, " name "\n"					\
	"	add	x11, x11, x10\n"					\
	"	ldr	w13, [x11, #%c[c_depth]]\n"				\
	"	cbz	w13, 16b\n"						\
	"	b	12b\n"							\
	/* x14 = kpt_hit_context() */						\
	"14:	ubfx	x13, x10, #4, #4\n"					\
	"	cbnz	x13, 12b\n"						\
	"	ubfiz	x14, x10, #8, #4\n"					\
	NOTE_MIGRATION								\
	"	and	x13, x10, #%c[hardirq]\n"				\
	"	cbz	x13, 1f\n"						\
	"	orr	x14, x14, #%c[f_hardirq]\n"				\
	"1:	and	x13, x10, #%c[nmi]\n"					\
	"	cbz	x13, 1f\n"						\
	"	orr	x14, x14, #%c[f_nmi]\n"					\
	"1:	ubfx	x13, x10, #8, #1\n"					\
	"	orr	x14, x14, x13, lsl #4\n"				\
	"	ubfx	x13, x10, #9, #7\n"					\
	"	cbz	x13, 1f\n"						\
	"	orr	x14, x14, #%c[f_bh_off]\n"				\
	"1:	tbnz	x10, #32, 1f\n"						\
	"	orr	x14, x14, #%c[f_preempt]\n"				\
	"1:	ldr	x13, [x12, #%c[flags]]\n"				\
	NOTE_LAZY								\
	"	tbz	x13, %c[resched], 15f\n"				\
	"	orr	x14, x14, #%c[f_resched]\n"				\
	"	b	15f\n"							\
	/* The recorder begins here. */						\
	"	.globl	" name "_entry\n"					\
	name "_entry:\n"							\
	LANDING_PAD								\
	"	.globl	" name "_percpu\n"					\
	name "_percpu: mrs x10, tpidr_el1\n"					\
	"	ldr	x11, " name "\n"					\
	"	add	x11, x11, x10\n"					\
	"	mrs	x12, sp_el0\n"						\
	/* No hit in progress, and the task's name is noted? */			\
	"	ldp	w13, w14, [x11]\n"					\
	"	ldr	w15, [x12, #%c[pid]]\n"					\
	"	eor	w13, w13, w15\n"					\
	"	orr	w13, w13, w14\n"					\
	"	ldr	x14, [x12, #%c[comm]]\n"				\
	"	ldr	x17, [x11, #%c[c_comm]]\n"				\
	"	eor	x14, x14, x17\n"					\
	"	orr	x13, x13, x14\n"					\
	"	ldr	x14, [x12, #%c[comm] + 8]\n"				\
	"	ldr	x17, [x11, #%c[c_comm] + 8]\n"				\
	"	eor	x14, x14, x17\n"					\
	"	orr	x13, x13, x14\n"					\
	/* No stop, no owner, no open record? */				\
	"	ldp	x14, x17, [x9, #%c[d_stops]]\n"				\
	"	add	x17, x17, x10\n"					\
	"	ldr	w14, [x14]\n"						\
	"	orr	x13, x13, x14\n"					\
	"	ldar	x14, [x17]\n"	/* pairs: rings_exchange() */		\
	"	orr	x13, x13, x14\n"					\
	"	cbnz	x13, 11b\n"						\
	caller									\
	/* kpt_hit_is_calm()? Then x14 is 0. */					\
	"	ldr	x13, [x12, #%c[flags]]\n"				\
	"	ldr	x10, [x12, #%c[preempt]]\n"				\
	bias									\
	"	tbnz	x13, %c[resched], 14b\n"				\
	TEST_LAZY								\
	"	eor	x14, x10, #%c[enabled]\n"				\
	TEST_MIGRATION								\
	"	cbnz	x14, 14b\n"						\
	/* The head of the record. */						\
	"15:	ubfx	x13, x16, #7, #1\n"	/* DAIF.I: IRQS_OFF */		\
	"	orr	x14, x14, x13\n"					\
	"	ldr	x13, [x9, #%c[d_type]]\n"				\
	"	orr	x14, x14, x15, lsl #16\n"				\
	"	orr	x15, x13, x14, lsl #16\n"				\
	/* kpt_ring_begin(). From here on hits in an NMI are missed. */		\
	"	str	w30, [x11, #%c[c_depth]]\n"				\
	"	ldp	x14, x12, [x17, #%c[r_claim]]\n"			\
	"	ldp	x13, x10, [x17, #%c[r_seq]]\n"				\
	"	add	x10, x10, x12\n"					\
	"	.globl	" name "_add\n"						\
	name "_add: add x12, x12, #0\n"		/* its length */		\
	"	sub	x14, x14, x12\n"					\
	"	tbnz	x14, #63, 10b\n"					\
	"	.globl	" name "_word\n"					\
	name "_word: mov w14, #0\n"		/* its length */		\
	"	orr	x14, x14, x13, lsl #32\n"				\
	"	.globl	" name "_number\n"					\
	name "_number: add x13, x13, #1\n"	/* of records */		\
	"	stp	x12, x13, [x17, #%c[r_write]]\n"			\
	"	isb\n"								\
	"	mrs	x13, cntvct_el0\n"					\
	"	stp	x14, x13, [x10]\n"					\
	"	ldr	x14, [x9, #%c[d_ip]]\n"					\
	"	stp	x15, x14, [x10, #16]\n"					\
	"	.globl	" name "_end\n"						\
	name "_end:\n"

/* kpt_arch_return_words, filled in by kpt_arch_direct_make() */
#define RETURN_LITERALS								\
	"2:	.quad	0\n"		/* pac_mask */				\
	"3:	.quad	0\n"		/* ours */				\
	"4:	.quad	0\n"		/* graph */				\
	"5:	.quad	0\n"		/* kretprobe */

/* kpt_arch_hides_caller()? */
#define RETURN_CALLER								\
	"	ldr	x13, [sp, #8]\n"					\
	"	ldr	x14, 2b\n"						\
	"	orr	x13, x13, x14\n"					\
	"	ldr	x14, 3b\n"						\
	"	eor	x14, x14, x13\n"					\
	"	cbz	x14, 12b\n"						\
	"	ldr	x14, 4b\n"						\
	"	eor	x14, x14, x13\n"					\
	"	cbz	x14, 12b\n"						\
	"	ldr	x14, 5b\n"						\
	"	eor	x14, x14, x13\n"					\
	"	cbz	x14, 12b\n"

/* As kpt_hit_tracepoint() does: not all tracepoints have switched preemption off. */
#define TAKE_BIAS								\
	"	and	x14, x10, #0xff\n"					\
	"	cbz	x14, 1f\n"						\
	"	sub	x10, x10, #1\n"						\
	"1:\n"

#if KPT_TRACEPOINT_BIAS
#define BIASED_RECORDER	RECORDER("kpt_direct_biased", "", "", TAKE_BIAS)
#else
#define BIASED_RECORDER
#endif

#define OFFSET(name, type, member) [name] "i" (offsetof(struct type, member))

/* Never called: only a function can give offsets to assembler code. */
static void __used noinline templates(void)
{
	asm volatile(
	"	.pushsection .rodata, \"a\"\n"
	RECORDER("kpt_direct_hit", "", "", "")
	RECORDER("kpt_direct_return", RETURN_LITERALS, RETURN_CALLER, "")
	BIASED_RECORDER
	"	.globl	kpt_direct_tail\n"
	"kpt_direct_tail:\n"
	"	mrs	x10, tpidr_el1\n"
	"	.globl	kpt_direct_tail_count\n"
	"kpt_direct_tail_count: ldp x13, x14, [x9, #%c[d_hits]]\n"
	COUNT("x13", "x15")
	COUNT("x14", "x15")
	"	add	x13, x17, #%c[r_commit]\n"
	"	stlr	x12, [x13]\n"		/* publish:A */
	/* kpt_buffer_has_waiter() */
	"	ldr	x13, [x9, #%c[d_waiters]]\n"
	"	ldar	w13, [x13]\n"
	"	cbnz	w13, 2f\n"
	"1:	str	wzr, [x11, #%c[c_depth]]\n"
	"	msr	daif, x16\n"
	LOAD_SCRATCH
	"	ret\n"
	"2:	sub	sp, sp, #112\n"
	"	stp	x0, x1, [sp]\n"
	"	stp	x2, x3, [sp, #16]\n"
	"	stp	x4, x5, [sp, #32]\n"
	"	stp	x6, x7, [sp, #48]\n"
	"	stp	x8, x18, [sp, #64]\n"
	"	mrs	x0, nzcv\n"
	"	stp	x11, x16, [sp, #80]\n"
	"	stp	x30, x0, [sp, #96]\n"
	"	ldr	x0, [x9, #%c[d_buffer]]\n"
	"	ldr	x16, kpt_direct_tail_wake\n"
	"	blr	x16\n"
	"	ldp	x30, x0, [sp, #96]\n"
	"	ldp	x11, x16, [sp, #80]\n"
	"	msr	nzcv, x0\n"
	"	ldp	x8, x18, [sp, #64]\n"
	"	ldp	x6, x7, [sp, #48]\n"
	"	ldp	x4, x5, [sp, #32]\n"
	"	ldp	x2, x3, [sp, #16]\n"
	"	ldp	x0, x1, [sp]\n"
	"	add	sp, sp, #112\n"
	"	b	1b\n"
	"	.globl	kpt_direct_tail_wake\n"
	"kpt_direct_tail_wake: .quad 0\n"	/* kpt_hit_wake */
	"	.globl	kpt_direct_tail_end\n"
	"kpt_direct_tail_end:\n"
	"	.popsection\n"
	: :
	OFFSET(pid, task_struct, pid),
	/* See kpt_direct_init(). */
	[comm] "i" (offsetof(struct task_struct, comm) & ~7UL),
	OFFSET(flags, task_struct, thread_info.flags),
	OFFSET(preempt, task_struct, thread_info.preempt_count),
	OFFSET(c_depth, kpt_cpu, depth),
	OFFSET(c_comm, kpt_cpu, comm),
	OFFSET(d_stops, kpt_arch_direct, stops),
	OFFSET(d_type, kpt_arch_direct, first.type),
	OFFSET(d_ip, kpt_arch_direct, first.ip),
	OFFSET(d_hits, kpt_arch_direct, first.hits),
	OFFSET(d_filtered, kpt_arch_direct, filtered),
	OFFSET(d_waiters, kpt_arch_direct, waiters),
	OFFSET(d_buffer, kpt_arch_direct, buffer),
	OFFSET(r_write, kpt_ring, write),
	OFFSET(r_claim, kpt_ring, claim),
	OFFSET(r_seq, kpt_ring, seq),
	OFFSET(r_commit, kpt_ring, commit),
	[hardirq] "i" (HARDIRQ_MASK), [nmi] "i" (NMI_MASK),
	[migration] "i" (KPT_TASK_MIGRATION),
	[enabled] "i" (PREEMPT_ENABLED),
	[resched] "i" (ilog2(_TIF_NEED_RESCHED)),
	[lazy] "i" (LAZY_BIT),
	[slow] "i" (KPT_JUMP_SLOW),
	[f_hardirq] "i" (KPT_FLAG_HARDIRQ),
	[f_nmi] "i" (KPT_FLAG_NMI),
	[f_bh_off] "i" (KPT_FLAG_BH_OFF),
	[f_preempt] "i" (KPT_FLAG_PREEMPT_RESCHED),
	[f_resched] "i" (KPT_FLAG_NEED_RESCHED),
	[f_lazy] "i" (KPT_FLAG_NEED_RESCHED_LAZY));
}

#define TEMPLATES(name) { name, name##_stopped, name##_leave, name##_full, \
			  name##_slow,	\
			  name##_refuse, name##_entry, name##_percpu, name##_add, \
			  name##_word, name##_number, name##_end }

const struct kpt_direct_templates kpt_direct_templates_of[] = {
	[KPT_DIRECT_OF_HIT] = TEMPLATES(kpt_direct_hit),
	[KPT_DIRECT_OF_RETURN] = TEMPLATES(kpt_direct_return),
#if KPT_TRACEPOINT_BIAS
	[KPT_DIRECT_OF_BIASED] = TEMPLATES(kpt_direct_biased),
#endif
};
