// SPDX-License-Identifier: GPL-2.0-only
/*
 * The templates that recorders consist of: see recorder.c, which copies them. What stands
 * between them is written for each recorder.
 */
#include "recorder/recorder_code.h"

DECLARE_TEMPLATES(kpt_direct_hit);
DECLARE_TEMPLATES(kpt_direct_return);
DECLARE_TEMPLATES(kpt_direct_biased);
DECLARE_TEMPLATES(kpt_direct_enter);	/* recorder_graph.c */
DECLARE_TEMPLATES(kpt_direct_leave);

/*
 * kpt_arch_return_words: addresses by which return addresses are replaced. Filled in by
 * put_literals() in recorder.c.
 */
#define RETURN_LITERALS								\
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
	"	ldp	x14, x10, [x11, #%c[c_returns]]\n"			\
	"	and	x14, x14, x13\n"					\
	"	eor	x14, x14, x10\n"					\
	"	cbz	x14, 6b\n"						\
	"7:\n"

/* How much before its place a CPU may read the counter: less than 1 << this. */
#define EARLY_BITS	12

/* As kpt_hit_tracepoint() does: not all tracepoints have switched preemption off. */
#define TAKE_BIAS								\
	"	and	x10, x14, #0xff\n"					\
	"	cbz	x10, 9f\n"						\
	"	sub	x14, x14, #1\n"						\
	"9:\n"

#if KPT_TRACEPOINT_BIAS
#define BIASED_RECORDER	RECORDER("kpt_direct_biased", "", "", "", "", TAKE_BIAS, "", "")
#else
#define BIASED_RECORDER
#endif

/* Never called: only a function can give offsets to assembler code. */
static void __used noinline templates(void)
{
	BUILD_BUG_ON(offsetof(struct task_struct, comm) >= 65536 - 8);
	BUILD_BUG_ON(offsetof(struct kpt_cpu, comm) != 8);
	BUILD_BUG_ON(offsetof(struct kpt_cpu, return_set) !=
		     offsetof(struct kpt_cpu, return_bits) + 8);
	BUILD_BUG_ON(offsetof(struct kpt_arch_direct, waiters) !=
		     offsetof(struct kpt_arch_direct, first.recorded) + 8);
	asm volatile(
	"	.pushsection .rodata, \"a\"\n"
	RECORDER("kpt_direct_hit", "", "", "", "", "", "", "")
	RECORDER("kpt_direct_return", RETURN_LITERALS, "", "", RETURN_CALLER, "", "", "")
	BIASED_RECORDER
	/*
	 * Without an ISB the counter may be read before what the ring's last record was
	 * timed by. A count much before that has another reason, such as hibernation.
	 */
	"	.globl	kpt_direct_unordered\n"
	"kpt_direct_unordered:\n"
	"	mrs	x13, cntvct_el0\n"
	"	str	x14, [x10]\n"
	"	ldr	x14, [x17, #%c[r_stamp]]\n"
	"	sub	x14, x13, x14\n"
	"	mvn	x14, x14, asr #%c[early]\n"
	"	cbnz	x14, 1f\n"
	"	ldr	x13, [x17, #%c[r_stamp]]\n"
	"1:	str	x13, [x10, #8]\n"
	"	str	x13, [x17, #%c[r_stamp]]\n"
	"	.globl	kpt_direct_unordered_end\n"
	"kpt_direct_unordered_end:\n"
	"	.globl	kpt_direct_tail\n"
	"kpt_direct_tail:\n"
	"	ldp	x13, x15, [x9, #%c[d_recorded]]\n"
	COUNT("x13", "x11", "x14")	/* kpt_arch_counter_at() */
	"	.globl	kpt_direct_tail_count\n"
	"kpt_direct_tail_count:\n"
	"	add	x13, x17, #%c[r_commit]\n"
	"	stlr	x12, [x13]\n"		/* publish:A */
	/* kpt_buffer_has_waiter() */
	"	ldar	w13, [x15]\n"
	"	cbnz	w13, 2f\n"
	"1:	str	wzr, [x11, #%c[c_depth]]\n"
	LOAD_SCRATCH
	"	ret\n"
	"2:	sub	sp, sp, #112\n"
	SAVE_X0_X8_X18
	"	mrs	x0, nzcv\n"
	"	stp	x11, x16, [sp, #80]\n"
	"	stp	x30, x0, [sp, #96]\n"
	"	ldr	x0, [x9, #%c[d_buffer]]\n"
	"	ldr	x16, kpt_direct_tail_wake\n"
	"	blr	x16\n"
	"	ldp	x30, x0, [sp, #96]\n"
	"	ldp	x11, x16, [sp, #80]\n"
	"	msr	nzcv, x0\n"
	LOAD_X0_X8_X18
	"	add	sp, sp, #112\n"
	"	b	1b\n"
	"	.globl	kpt_direct_tail_wake\n"
	"kpt_direct_tail_wake: .quad 0\n"	/* kpt_hit_wake */
	"	.globl	kpt_direct_tail_end\n"
	"kpt_direct_tail_end:\n"
	"	.popsection\n"
	: :
	RECORDER_OPERANDS,
	OFFSET(c_returns, kpt_cpu, return_bits),
	OFFSET(d_recorded, kpt_arch_direct, first.recorded),
	OFFSET(d_buffer, kpt_arch_direct, buffer),
	OFFSET(r_commit, kpt_ring, commit),
	OFFSET(r_stamp, kpt_ring, stamp),
	[early] "i" (EARLY_BITS));
}

const struct kpt_direct_templates kpt_direct_templates_of[] = {
	[KPT_DIRECT_OF_HIT] = TEMPLATES(kpt_direct_hit),
	[KPT_DIRECT_OF_RETURN] = TEMPLATES(kpt_direct_return),
#if KPT_TRACEPOINT_BIAS
	[KPT_DIRECT_OF_BIASED] = TEMPLATES(kpt_direct_biased),
#endif
	[KPT_DIRECT_OF_ENTER] = TEMPLATES(kpt_direct_enter),
	[KPT_DIRECT_OF_LEAVE] = TEMPLATES(kpt_direct_leave),
};
