// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory is read for recorders (recorder.c) by these routines, which their code calls.
 * They are in the module, not in the recorder, because a load that may fault needs an
 * entry in an exception table.
 *
 * x14 is an address. Bit 55 of it selects the translation table (Arm ARM D8.2.4), so
 * kernel memory cannot be taken for user memory, nor the reverse. A fault on a kernel
 * address never sleeps: the kernel looks into the exception tables at once. For one on a
 * user address it does so while pagefault_disabled() is true.
 *
 * If an address cannot be read, a routine does not return. It branches to the address
 * that is stored at SP + KPT_RECORDER_LEAVE, and kpt_hit_point() handles the hit.
 *
 * A string is read in whole words, none of which crosses a page: the bytes behind its NUL
 * in the last word can be read then. They become 0 in the record.
 *
 * x16 has the stub's DAIF whenever a routine returns or branches, since a recorder that ends
 * early does not load it again.
 *
 *	numbers:	x13 = the number at x14
 *	strings:	x15: to where; 8 less than the end of the room is x17. On return
 *			x15 is behind the NUL, w12 is the kpt_data_loc() of the string
 *			in the record whose struct kpt_ring_header is at x10; x13 and
 *			x14 have changed. x17 and x16 of before are at KPT_RECORDER_RING
 */
#include "kernel/compat.h"
#include <linux/sched.h>
#include <linux/stringify.h>
#include <linux/thread_info.h>
#include <asm/extable.h>
#include <linux/uaccess.h>
#include "lib/ring/ring.h"
#include "recorder/recorder.h"
#include "engine.h"

/* Where routines begin: they are called by BLR. */
#ifdef CONFIG_ARM64_BTI_KERNEL
#define LANDING_PAD	"	hint	#34\n"		/* bti c */
#else
#define LANDING_PAD
#endif

#ifdef _ASM_EXTABLE_UACCESS
#define MAY_FAULT(insn, fixup)	_ASM_EXTABLE_UACCESS(insn, fixup)
#else
#define MAY_FAULT(insn, fixup)	_ASM_EXTABLE(insn, fixup)
#endif

#define SP_SLOT(n)	"[sp, #" __stringify(n) "]"

#define BEGIN(name)						\
	"	.globl	" name "\n"				\
	"	.type	" name ", %%function\n"			\
	name ":\n"						\
	LANDING_PAD

#define NUMBER(name, load)					\
	BEGIN(name)						\
	"	tbz	x14, #55, 9f\n"				\
	"1:	" load "\n"					\
	"	ret\n"						\
	MAY_FAULT(1b, 9f)

/* Add @sign 1 to pagefault_disabled of the task. */
#define PAGEFAULTS(sign)					\
	"	mrs	x12, sp_el0\n"				\
	"	mov	x13, #%c[pagefaults]\n"		\
	"	add	x12, x12, x13\n"			\
	"	ldr	w13, [x12]\n"				\
	"	" sign "	w13, w13, #1\n"			\
	"	str	w13, [x12]\n"

/*
 * SET_TABLES writes x12 to TTBR0_EL1, SET_ASID writes the ASID in x12 to TTBR1_EL1. The CPU must
 * not cache entries of a program's tables for the reserved ASID: the ASID is written first where
 * user access is switched on, and last where it is switched off.
 */
#define SET_ASID						\
	"	mrs	x13, ttbr1_el1\n"			\
	"	extr	x13, x13, x12, #48\n"			\
	"	ror	x13, x13, #16\n"			\
	"	msr	ttbr1_el1, x13\n"			\
	"	isb\n"
#define SET_TABLES						\
	"	msr	ttbr0_el1, x12\n"			\
	"	isb\n"

/*
 * Note TTBR0_EL1. If TTBR1_EL1 has another ASID, the probed code is between its own two writes;
 * then continue at @between, which leaves the hit to C.
 */
#define UACCESS_NOTE(between)					\
	"	mrs	x12, ttbr0_el1\n"			\
	"	str	x12, " SP_SLOT(KPT_RECORDER_TTBR0) "\n"	\
	"	mrs	x13, ttbr1_el1\n"			\
	"	eor	x12, x12, x13\n"			\
	"	lsr	x12, x12, #48\n"			\
	"	cbnz	x12, " #between "\n"

#define UACCESS_ON						\
	"	mrs	x12, sp_el0\n"				\
	"	ldr	x12, [x12, #%c[ttbr0]]\n"		\
	SET_ASID SET_TABLES

#define UACCESS_AS_BEFORE					\
	"	ldr	x12, " SP_SLOT(KPT_RECORDER_TTBR0) "\n"	\
	SET_TABLES SET_ASID

/* @after is done before it returns; if a load faults, it continues at @fixup. */
#define STRING(load, after, fixup)				\
	"	str	x15, " SP_SLOT(KPT_RECORDER_START) "\n"	\
	"	mov	x16, #0x0101010101010101\n"		\
	/* Does the word cross a page, or the end of the room? */	\
	"1:	add	x12, x14, #7\n"				\
	"	eor	x12, x12, x14\n"			\
	"	tbnz	x12, #12, " #fixup "\n"			\
	"	sub	x12, x17, x15\n"			\
	"	tbnz	x12, #63, " #fixup "\n"			\
	"2:	" load "\n"					\
	"	str	x13, [x15], #8\n"			\
	"	add	x14, x14, #8\n"				\
	/* Set the highest bit of the first byte that is 0. */	\
	"	sub	x12, x13, x16\n"			\
	"	bic	x12, x12, x13\n"			\
	"	and	x12, x12, #0x8080808080808080\n"	\
	"	cbz	x12, 1b\n"				\
	/* x12 = all bits below that one: of the string, and 7 bits of the NUL. */	\
	"	sub	x16, x12, #1\n"				\
	"	bic	x12, x16, x12\n"			\
	"	and	x13, x13, x12\n"			\
	"	str	x13, [x15, #-8]\n"			\
	"	clz	x12, x12\n"				\
	"	sub	x15, x15, x12, lsr #3\n"		\
	after							\
	/* What is at KPT_RECORDER_START is next to x16 of the stub. */	\
	"	ldp	x16, x13, " SP_SLOT(KPT_RECORDER_DAIF) "\n"	\
	"	sub	x12, x15, x13\n"			\
	"	sub	x13, x13, x10\n"			\
	"	sub	x13, x13, #%c[header]\n"			\
	"	orr	x12, x13, x12, lsl #16\n"		\
	"	ret\n"						\
	MAY_FAULT(2b, fixup)

/* Where a task keeps TTBR0_EL1 with user access. */
#ifdef CONFIG_ARM64_SW_TTBR0_PAN
#define TTBR0_OF_TASK	offsetof(struct task_struct, thread_info.ttbr0)
#else
#define TTBR0_OF_TASK	0	/* not called */
#endif

/* Never called: only a function can give offsets to assembler code. */
static void __used noinline routines(void)
{
	asm volatile(
	"	.pushsection .text, \"ax\"\n"
	"	.balign	64\n"
	NUMBER("kpt_recorder_read1", "ldrb	w13, [x14]")
	NUMBER("kpt_recorder_read2", "ldrh	w13, [x14]")
	NUMBER("kpt_recorder_read4", "ldr	w13, [x14]")
	NUMBER("kpt_recorder_read8", "ldr	x13, [x14]")
	/* A number cannot be read. */
	"9:	ldr	x13, " SP_SLOT(KPT_RECORDER_LEAVE) "\n"
	"	ret	x13\n"
	BEGIN("kpt_recorder_string")
	"	tbz	x14, #55, 8f\n"
	STRING("ldr	x13, [x14]", "", 8f)
	/* A string of a user, where page tables switch user access. */
	BEGIN("kpt_recorder_ustring_ttbr0")
	"	tbnz	x14, #55, 8f\n"
	UACCESS_NOTE(8f)
	PAGEFAULTS("add")
	UACCESS_ON
	STRING("ldtr	x13, [x14]", UACCESS_AS_BEFORE PAGEFAULTS("sub"), 6f)
	"6:\n"
	UACCESS_AS_BEFORE
	"	b	7f\n"
	BEGIN("kpt_recorder_ustring")
	"	tbnz	x14, #55, 8f\n"
	PAGEFAULTS("add")
	STRING("ldtr	x13, [x14]", PAGEFAULTS("sub"), 7f)
	/* A string of a user cannot be read. */
	"7:\n"
	PAGEFAULTS("sub")
	/* A string cannot be read. */
	"8:	ldp	x17, x16, " SP_SLOT(KPT_RECORDER_RING) "\n"
	"	b	9b\n"
	"	.popsection\n"
	: :
	[pagefaults] "i" (offsetof(struct task_struct, pagefault_disabled)),
	[ttbr0] "i" (TTBR0_OF_TASK),
	[header] "i" (sizeof(struct kpt_ring_header)));
}
