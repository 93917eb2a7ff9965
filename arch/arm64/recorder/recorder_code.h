/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The template of recorders (recorder.c) as a macro, and its operands. For functions that are
 * never called: only a function can give offsets to assembler code.
 */
#ifndef KPT_ARM64_DIRECT_RECORDER_H
#define KPT_ARM64_DIRECT_RECORDER_H

#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/stringify.h>
#include <linux/thread_info.h>
#include "lib/record/record.h"
#include "lib/ring/ring.h"
#include "arch_compat.h"
#include "recorder/recorder.h"
#include "engine.h"

#ifdef _TIF_NEED_RESCHED_LAZY
#define TEST_LAZY	"	tbnz	x13, %c[lazy], 14b\n"
#define NOTE_LAZY	"	tbz	x13, %c[lazy], 1f\n"		\
			"	orr	x15, x15, %[f_lazy]\n"		\
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
			"	orr	x15, x15, x10, lsl #60\n"	\
			"	lsr	x10, x10, #4\n"			\
			"	cbnz	x10, 12b\n"
#else
#define TEST_MIGRATION	"	cbnz	x14, 14b\n"
#define NOTE_MIGRATION
#define KPT_TASK_MIGRATION 0
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
#define NAME_OPERAND
#else
#define TEST_NAME	"	ldr	x14, [x11, #8]\n"	/* kpt_cpu.comm */ \
			"	mov	x17, #%c[comm]\n"		\
			"	ldr	x17, [x12, x17]\n"		\
			"	eor	x14, x14, x17\n"		\
			"	orr	x13, x13, x14\n"		\
			"	ldr	x14, [x11, #16]\n"		\
			"	mov	x17, #%c[comm] + 8\n"		\
			"	ldr	x17, [x12, x17]\n"		\
			"	eor	x14, x14, x17\n"		\
			"	orr	x13, x13, x14\n"
#define NAME_OPERAND	OFFSET(comm, task_struct, comm),
#endif

#define LOAD_SCRATCH					\
	"	ldp	x11, x12, [sp, #32]\n"		\
	"	ldp	x13, x14, [sp, #48]\n"		\
	"	ldp	x15, x17, [sp, #64]\n"

/* Save what C may change, but for scratch registers, where SP is; and load it again. */
#define SAVE_X0_X8_X18					\
	"	stp	x0, x1, [sp]\n"			\
	"	stp	x2, x3, [sp, #16]\n"		\
	"	stp	x4, x5, [sp, #32]\n"		\
	"	stp	x6, x7, [sp, #48]\n"		\
	"	stp	x8, x18, [sp, #64]\n"
#define LOAD_X0_X8_X18					\
	"	ldp	x8, x18, [sp, #64]\n"		\
	"	ldp	x6, x7, [sp, #48]\n"		\
	"	ldp	x4, x5, [sp, #32]\n"		\
	"	ldp	x2, x3, [sp, #16]\n"		\
	"	ldp	x0, x1, [sp]\n"

/* Add 1 to the counter at @base and @offset. */
#define COUNT(base, offset, temp)				\
	"	ldr	" temp ", [" base ", " offset "]\n"	\
	"	add	" temp ", " temp ", #1\n"		\
	"	str	" temp ", [" base ", " offset "]\n"

/*
 * A recorder whose labels begin with @name. What recorders differ in, "" for nothing:
 *
 *	@literals: behind those that all have, perhaps with code
 *	@save: saves more registers, @load loads them again
 *	@check: leaves hits that are not as most are to kpt_hit(), at 12b; x10: the offset of
 *		per-CPU variables, x12: the task; changes x10, x13 and x14
 *	@bias: is taken from preempt_count(), in x14
 *	@timed: the time is in x13, and in the record at x10; changes x13 and x14
 *	@made: the head is written, x14: kpt_arch_record.ip; changes x13 and x14
 *
 * Ends before the stores.
 */
#define RECORDER(name, literals, save, load, check, bias, timed, made)		\
	"	.balign	8\n"							\
	"	.globl	" name "\n"						\
	name ":	.quad	0\n"			/* kpt_cpu */			\
	"	.quad	0, 0, 0, 0, 0, 0\n"	/* recorder_read.c */		\
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
	"	ldr	x13, [x9, #%c[d_unwanted]]\n"				\
	"	ldr	x13, [x13]\n"						\
	"	cbz	x13, 12f\n"						\
	"	str	w30, [x11, #%c[c_depth]]\n"				\
	COUNT("x13", "x10", "x14")						\
	"	str	wzr, [x11, #%c[c_depth]]\n"				\
	"	b	13f\n"							\
	/* Memory cannot be read. */						\
	"	.globl	" name "_leave\n"					\
	name "_leave: ldr x30, [sp, #" __stringify(KPT_DIRECT_STUB) "]\n"	\
	/* The ring has no room. */						\
	"10:	str	wzr, [x11, #%c[c_depth]]\n"				\
	"	.globl	" name "_slow\n"					\
	name "_slow:\n"							\
	"12:	add	x30, x30, #%c[slow]\n"					\
	"13:\n"									\
	load									\
	LOAD_SCRATCH								\
	"	ret\n"								\
	/*									\
	 * x15 = x15 | kpt_hit_context(0) << 48, from what the task has in x13 and x14 \
	 */									\
	"14:	ubfx	x10, x14, #4, #4\n"					\
	"	cbnz	x10, 12b\n"						\
	"	bfi	x15, x14, #56, #4\n"					\
	NOTE_MIGRATION								\
	"	and	x10, x14, #%c[hardirq] | %c[nmi]\n"			\
	"	cbz	x10, 8f\n"						\
	"	and	x12, x10, #%c[nmi]\n"					\
	"	cbz	x12, 1f\n"						\
	"	orr	x15, x15, %[f_nmi]\n"					\
	"	and	x10, x10, #%c[hardirq]\n"				\
	"	cbz	x10, 8f\n"						\
	"1:	orr	x15, x15, %[f_hardirq]\n"				\
	"8:	ubfx	x10, x14, #8, #1\n"					\
	"	orr	x15, x15, x10, lsl #52\n"				\
	"	ubfx	x10, x14, #9, #7\n"					\
	"	cbz	x10, 1f\n"						\
	"	orr	x15, x15, %[f_bh_off]\n"				\
	"1:	tbz	x14, #32, 1f\n"						\
	"	orr	x15, x15, %[f_preempt]\n"				\
	"1:\n"									\
	NOTE_LAZY								\
	"	tbz	x13, %c[resched], 15f\n"				\
	"	orr	x15, x15, %[f_resched]\n"				\
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
	save									\
	"	.globl	" name "_percpu\n"					\
	name "_percpu: mrs x10, tpidr_el1\n"					\
	"	ldr	x11, " name "\n"					\
	"	add	x11, x11, x10\n"					\
	"	mrs	x12, sp_el0\n"						\
	/* No hit in progress, and the task's name is noted? See kpt_comm_renamed(). */ \
	"	ldr	x13, [x11]\n"		/* kpt_cpu.pid, .depth */	\
	"	ldr	w15, [x12, #%c[pid]]\n"					\
	"	eor	x13, x13, x15\n"					\
	TEST_NAME								\
	/* No stop, no owner, no open record? */				\
	"	ldp	x14, x17, [x9, #%c[d_stops]]\n"				\
	"	add	x17, x17, x10\n"					\
	"	ldr	w14, [x14]\n"						\
	"	orr	x13, x13, x14\n"					\
	"	ldar	x14, [x17]\n"	/* pairs: rings_exchange() */		\
	"	orr	x13, x13, x14\n"					\
	"	cbnz	x13, 11b\n"						\
	check									\
	/* kpt_hit_is_calm()? Then interrupts may be masked, and nothing else is recorded. */ \
	LOAD_FLAGS								\
	bias									\
	"	eor	x14, x14, #%c[enabled]\n"				\
	"	tbnz	x13, %c[resched], 14b\n"				\
	TEST_LAZY								\
	TEST_MIGRATION								\
	"15:	tbz	x16, #7, 16f\n"		/* DAIF.I */			\
	"	orr	x15, x15, #1 << 48\n"	/* KPT_FLAG_IRQS_OFF */		\
	/* kpt_ring_begin(). From here on hits in an NMI are missed. */		\
	"16:	str	w30, [x11, #%c[c_depth]]\n"				\
	"	ldp	x14, x12, [x17, #%c[r_claim]]\n"	/* write */	\
	"	ldp	x13, x10, [x17, #%c[r_claim] + 16]\n"				\
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
	"	stp	x12, x13, [x17, #%c[r_claim] + 8]\n"			\
	"	.globl	" name "_clock\n"					\
	name "_clock: isb\n"							\
	"	mrs	x13, cntvct_el0\n"					\
	"	stp	x14, x13, [x10]\n"					\
	"	.globl	" name "_timed\n"					\
	name "_timed:\n"							\
	timed									\
	/* The head of the record: what is in x15 changes its halves. */	\
	"	ldp	x13, x14, [x9, #%c[d_type]]\n"				\
	"	orr	x15, x13, x15, ror #32\n"				\
	"	stp	x15, x14, [x10, #16]\n"					\
	made									\
	"	.globl	" name "_end\n"						\
	name "_end:\n"

#define OFFSET(name, type, member) [name] "i" (offsetof(struct type, member))
/* A flag of a record's head, in x15. */
#define FLAG(name, flag) [name] "i" ((u64)(flag) << 48)

/* An asm has 30 operands at most. */
#define RECORDER_OPERANDS						\
	NAME_OPERAND							\
	OFFSET(pid, task_struct, pid),					\
	OFFSET(flags, task_struct, thread_info.flags),			\
	OFFSET(preempt, task_struct, thread_info.preempt_count),	\
	OFFSET(c_depth, kpt_cpu, depth),				\
	OFFSET(d_stops, kpt_arch_direct, stops),			\
	OFFSET(d_type, kpt_arch_direct, first.type),			\
	OFFSET(d_unwanted, kpt_arch_direct, unwanted),			\
	OFFSET(r_claim, kpt_ring, claim),				\
	[hardirq] "i" (HARDIRQ_MASK), [nmi] "i" (NMI_MASK),		\
	[migration] "i" (KPT_TASK_MIGRATION),				\
	[enabled] "i" (PREEMPT_ENABLED),				\
	[resched] "i" (ilog2(_TIF_NEED_RESCHED)),			\
	[lazy] "i" (LAZY_BIT),						\
	[slow] "i" (KPT_JUMP_SLOW),					\
	FLAG(f_hardirq, KPT_FLAG_HARDIRQ),				\
	FLAG(f_nmi, KPT_FLAG_NMI),					\
	FLAG(f_bh_off, KPT_FLAG_BH_OFF),				\
	FLAG(f_preempt, KPT_FLAG_PREEMPT_RESCHED),			\
	FLAG(f_resched, KPT_FLAG_NEED_RESCHED),				\
	FLAG(f_lazy, KPT_FLAG_NEED_RESCHED_LAZY)

/* The entry of a recorder in kpt_direct_templates_of. */
#define DECLARE_TEMPLATES(name)						\
	extern const u32 name[], name##_stopped[], name##_leave[], name##_slow[], \
			 name##_entry[], name##_saved[], name##_percpu[], name##_add[], \
			 name##_word[], name##_number[], name##_clock[], \
			 name##_timed[], name##_end[]
#define TEMPLATES(name) { name, name##_stopped, name##_leave, name##_slow,	\
			  name##_entry, name##_saved, name##_percpu, name##_add, \
			  name##_word, name##_number, name##_clock, name##_timed, \
			  name##_end }

#endif
