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

extern const u32 kpt_direct_hit[], kpt_direct_hit_entry[], kpt_direct_hit_saved[];
extern const u32 kpt_direct_hit_percpu[], kpt_direct_return_saved[];
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
extern const u32 kpt_direct_biased_percpu[], kpt_direct_biased_saved[];
extern const u32 kpt_direct_biased_leave[], kpt_direct_biased_full[];
extern const u32 kpt_direct_biased_add[], kpt_direct_biased_word[];
extern const u32 kpt_direct_biased_number[], kpt_direct_biased_end[];
extern const u32 kpt_direct_biased_stopped[], kpt_direct_biased_slow[];

#ifdef _TIF_NEED_RESCHED_LAZY
#define TEST_LAZY	"	tbnz	x13, %c[lazy], 14b\n"
#define NOTE_LAZY	"	tbz	x13, %c[lazy], 1f\n"		\
			"	orr	x15, x15, #%c[f_lazy]\n"	\
			"1:\n"
#define LAZY_BIT	ilog2(_TIF_NEED_RESCHED_LAZY)
#else
#define TEST_LAZY
#define NOTE_LAZY
#define LAZY_BIT	0
#endif

#ifdef KPT_TASK_MIGRATION
#define TEST_MIGRATION	"	ldrh	w10, [x12, #%c[migration]]\n"	\
			"	orr	x10, x10, x14\n"		\
			"	cbnz	x10, 14b\n"
#define NOTE_MIGRATION	"	ldrh	w10, [x12, #%c[migration]]\n"	\
			"	orr	x15, x15, x10, lsl #12\n"	\
			"	lsr	x10, x10, #4\n"			\
			"	cbnz	x10, 12b\n"
#else
#define TEST_MIGRATION	"	cbnz	x14, 14b\n"
#define NOTE_MIGRATION
#define KPT_TASK_MIGRATION 0
#endif

#ifdef CONFIG_ARM64_BTI_KERNEL
#define LANDING_PAD	"	hint	#34\n"		/* bti c */
#else
#define LANDING_PAD
#endif

#ifdef KPT_TASK_FLAGS_BESIDE_COUNT
#define LOAD_FLAGS	"	ldp	x13, x14, [x12, #%c[flags]]\n"
#else
#define LOAD_FLAGS	"	ldr	x13, [x12, #%c[flags]]\n"	\
			"	ldr	x14, [x12, #%c[preempt]]\n"
#endif

/*
 * Without tracepoints nobody tells that a task is renamed, see kpt_comm_renamed(): its name
 * is compared, too.
 */
#ifdef CONFIG_TRACEPOINTS
#define TEST_NAME
#else
#define TEST_NAME	"	ldr	x14, [x11, #%c[c_comm]]\n"		\
			"	mov	x17, #%c[comm]\n"			\
			"	ldr	x17, [x12, x17]\n"			\
			"	eor	x14, x14, x17\n"			\
			"	orr	x13, x13, x14\n"			\
			"	ldr	x14, [x11, #%c[c_comm] + 8]\n"	\
			"	mov	x17, #%c[comm] + 8\n"			\
			"	ldr	x17, [x12, x17]\n"			\
			"	eor	x14, x14, x17\n"			\
			"	orr	x13, x13, x14\n"
#endif

#define LOAD_SCRATCH					\
	"	ldp	x11, x12, [sp, #32]\n"		\
	"	ldp	x13, x14, [sp, #48]\n"		\
	"	ldp	x15, x17, [sp, #64]\n"

/* Add 1 to the counter at @base and @offset. */
#define COUNT(base, offset, temp)				\
	"	ldr	" temp ", [" base ", " offset "]\n"	\
	"	add	" temp ", " temp ", #1\n"		\
	"	str	" temp ", [" base ", " offset "]\n"

/*
 * With @name its label; returns check @caller; @bias is taken from preempt_count(), in x14.
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
	/* tracing_on is 0. */							\
	"	str	w30, [x11, #%c[c_depth]]\n"				\
	"	ldr	x13, [x9, #%c[d_filtered]]\n"				\
	COUNT("x13", "x10", "x14")						\
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
	"13:\n"									\
	LOAD_SCRATCH								\
	"	ret\n"								\
	/*									\
	 * x15 = x15 << 16 | kpt_hit_context(0), from what the task has in x13 and x14 \
	 */									\
	"14:	ubfx	x10, x14, #4, #4\n"					\
	"	cbnz	x10, 12b\n"						\
	"	lsl	x15, x15, #16\n"					\
	"	bfi	x15, x14, #8, #4\n"					\
	NOTE_MIGRATION								\
	"	and	x10, x14, #%c[hardirq] | %c[nmi]\n"			\
	"	cbz	x10, 8f\n"						\
	"	and	x12, x10, #%c[nmi]\n"					\
	"	cbz	x12, 1f\n"						\
	"	orr	x15, x15, #%c[f_nmi]\n"					\
	"	and	x10, x10, #%c[hardirq]\n"				\
	"	cbz	x10, 8f\n"						\
	"1:	orr	x15, x15, #%c[f_hardirq]\n"				\
	"8:	ubfx	x10, x14, #8, #1\n"					\
	"	orr	x15, x15, x10, lsl #4\n"				\
	"	ubfx	x10, x14, #9, #7\n"					\
	"	cbz	x10, 1f\n"						\
	"	orr	x15, x15, #%c[f_bh_off]\n"				\
	"1:	tbz	x14, #32, 1f\n"						\
	"	orr	x15, x15, #%c[f_preempt]\n"				\
	"1:	ubfx	x10, x16, #7, #1\n"	/* DAIF.I: IRQS_OFF */		\
	"	orr	x15, x15, x10\n"					\
	NOTE_LAZY								\
	"	tbz	x13, %c[resched], 15f\n"				\
	"	orr	x15, x15, #%c[f_resched]\n"				\
	"	b	15f\n"							\
	/* The recorder begins here, or, behind a filter, where x11 and x12 are saved. */ \
	"	.globl	" name "_entry\n"					\
	name "_entry:\n"							\
	LANDING_PAD								\
	"	stp	x11, x12, [sp, #32]\n"					\
	"	.globl	" name "_saved\n"					\
	name "_saved:\n"							\
	"	stp	x13, x14, [sp, #48]\n"					\
	"	stp	x15, x17, [sp, #64]\n"					\
	"	.globl	" name "_percpu\n"					\
	name "_percpu: mrs x10, tpidr_el1\n"					\
	"	ldr	x11, " name "\n"					\
	"	add	x11, x11, x10\n"					\
	"	mrs	x12, sp_el0\n"						\
	/* No hit in progress, and the task's name is noted? See kpt_comm_renamed(). */ \
	"	ldp	w13, w14, [x11]\n"					\
	"	ldr	w15, [x12, #%c[pid]]\n"					\
	"	eor	w13, w13, w15\n"					\
	"	orr	w13, w13, w14\n"					\
	TEST_NAME								\
	/* No stop, no owner, no open record? */				\
	"	ldp	x14, x17, [x9, #%c[d_stops]]\n"				\
	"	add	x17, x17, x10\n"					\
	"	ldr	w14, [x14]\n"						\
	"	orr	x13, x13, x14\n"					\
	"	ldar	x14, [x17]\n"	/* pairs: rings_exchange() */		\
	"	orr	x13, x13, x14\n"					\
	"	cbnz	x13, 11b\n"						\
	caller									\
	/* kpt_hit_is_calm()? Then interrupts may be masked, and nothing else is recorded. */ \
	LOAD_FLAGS								\
	bias									\
	"	eor	x14, x14, #%c[enabled]\n"				\
	"	tbnz	x13, %c[resched], 14b\n"				\
	TEST_LAZY								\
	TEST_MIGRATION								\
	"	ubfx	x14, x16, #7, #1\n"	/* DAIF.I: IRQS_OFF */		\
	"	orr	x15, x14, x15, lsl #16\n"				\
	/* kpt_ring_begin(). From here on hits in an NMI are missed. */		\
	"15:	str	w30, [x11, #%c[c_depth]]\n"				\
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
	/* The head of the record. */						\
	"	ldp	x13, x14, [x9, #%c[d_type]]\n"				\
	"	orr	x15, x13, x15, lsl #16\n"				\
	"	stp	x15, x14, [x10, #16]\n"					\
	"	.globl	" name "_end\n"						\
	name "_end:\n"

/*
 * kpt_arch_return_words: addresses by which return addresses are replaced, which bits they
 * have in common, and how these are set. Filled in by put_literals() in direct.c.
 */
#define RETURN_LITERALS								\
	"2:	.quad	0, 0\n"		/* bits, set */				\
	"3:	.quad	0\n"		/* ours */				\
	"4:	.quad	0\n"		/* graph */				\
	"5:	.quad	0\n"		/* kretprobe */				\
	"6:\n"									\
	"	.globl	kpt_direct_return_sign\n"				\
	"kpt_direct_return_sign:\n"						\
	"	orr	x13, x13, #0x8000000000000000\n" /* pac_mask */		\
	"	ldr	x14, 3b\n"						\
	"	eor	x14, x14, x13\n"					\
	"	cbz	x14, 12f\n"						\
	"	ldr	x14, 4b\n"						\
	"	eor	x14, x14, x13\n"					\
	"	cbz	x14, 12f\n"						\
	"	ldr	x14, 5b\n"						\
	"	eor	x14, x14, x13\n"					\
	"	cbnz	x14, 7f\n"						\
	"	b	12f\n"

/* kpt_arch_hides_caller()? Most addresses differ from all of them in a common bit. */
#define RETURN_CALLER								\
	"	ldr	x13, [sp, #8]\n"					\
	"	ldr	x14, 2b\n"						\
	"	ldr	x10, 2b + 8\n"						\
	"	and	x14, x14, x13\n"					\
	"	eor	x14, x14, x10\n"					\
	"	cbz	x14, 6b\n"						\
	"7:\n"

/* As kpt_hit_tracepoint() does: not all tracepoints have switched preemption off. */
#define TAKE_BIAS								\
	"	and	x10, x14, #0xff\n"					\
	"	cbz	x10, 9f\n"						\
	"	sub	x14, x14, #1\n"						\
	"9:\n"

#if KPT_TRACEPOINT_BIAS
#define BIASED_RECORDER	RECORDER("kpt_direct_biased", "", "", TAKE_BIAS)
#else
#define BIASED_RECORDER
#endif

#define OFFSET(name, type, member) [name] "i" (offsetof(struct type, member))

/* Never called: only a function can give offsets to assembler code. */
static void __used noinline templates(void)
{
	BUILD_BUG_ON(offsetof(struct task_struct, comm) >= 65536 - 8);
	asm volatile(
	"	.pushsection .rodata, \"a\"\n"
	RECORDER("kpt_direct_hit", "", "", "")
	RECORDER("kpt_direct_return", RETURN_LITERALS, RETURN_CALLER, "")
	BIASED_RECORDER
	"	.globl	kpt_direct_tail\n"
	"kpt_direct_tail:\n"
	"	ldr	x13, [x9, #%c[d_recorded]]\n"
	COUNT("x13", "x11", "x14")	/* kpt_arch_counter_at() */
	"	.globl	kpt_direct_tail_count\n"
	"kpt_direct_tail_count:\n"
	"	add	x13, x17, #%c[r_commit]\n"
	"	stlr	x12, [x13]\n"		/* publish:A */
	/* kpt_buffer_has_waiter() */
	"	ldr	x13, [x9, #%c[d_waiters]]\n"
	"	ldar	w13, [x13]\n"
	"	cbnz	w13, 2f\n"
	"1:	str	wzr, [x11, #%c[c_depth]]\n"
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
	OFFSET(flags, task_struct, thread_info.flags),
	OFFSET(preempt, task_struct, thread_info.preempt_count),
	OFFSET(comm, task_struct, comm),
	OFFSET(c_depth, kpt_cpu, depth),
	OFFSET(c_comm, kpt_cpu, comm),
	OFFSET(d_stops, kpt_arch_direct, stops),
	OFFSET(d_type, kpt_arch_direct, first.type),
	OFFSET(d_recorded, kpt_arch_direct, first.recorded),
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
			  name##_entry, name##_saved, name##_percpu, name##_add, \
			  name##_word, name##_number, name##_end }

const struct kpt_direct_templates kpt_direct_templates_of[] = {
	[KPT_DIRECT_OF_HIT] = TEMPLATES(kpt_direct_hit),
	[KPT_DIRECT_OF_RETURN] = TEMPLATES(kpt_direct_return),
#if KPT_TRACEPOINT_BIAS
	[KPT_DIRECT_OF_BIASED] = TEMPLATES(kpt_direct_biased),
#endif
};
