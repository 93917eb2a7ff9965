/* SPDX-License-Identifier: GPL-2.0-only */
/* Watchpoint exceptions of the kernel, and the instructions that have caused them. */
#include <linux/linkage.h>
#include "engine_asm.h"

#define EC_WATCHPOINT	0x35	/* ESR_EL1.EC of one that is taken from the kernel */

/* struct user_pt_regs */
#define REGS_X30	240
#define REGS_PSTATE	264

/* The stack of kpt_watchpoint_perform(), above its frame record. */
#define ROOM_X0		0
#define ROOM_REGS	16
#define ROOM_X18	24
#define ROOM		32

#ifdef CONFIG_HAVE_HW_BREAKPOINT
/*
 * Redirected from do_watchpoint(far, esr, regs) or do_debug_exception(far, esr, regs).
 * Context: BRK.
 */
SYM_CODE_START(kpt_watchpoint_entry)
	hint	#34			// BTI C
	lsr	w16, w1, #26
	cmp	w16, #EC_WATCHPOINT
	b.ne	.Loriginal
	hint	#25			// PACIASP
	stp	x29, x30, [sp, #-48]!
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	str	x2, [sp, #32]
	bl	kpt_watchpoint_hit
	mov	w16, w0
	ldp	x0, x1, [sp, #16]
	ldr	x2, [sp, #32]
	ldp	x29, x30, [sp], #48
	hint	#29			// AUTIASP
	tbz	w16, #0, .Loriginal
	ret
.Loriginal:
	kpt_branch_to kpt_watchpoint_original
SYM_CODE_END(kpt_watchpoint_entry)

/* void kpt_watchpoint_pass(unsigned long far, unsigned long esr, struct pt_regs *regs); */
SYM_FUNC_START(kpt_watchpoint_pass)
	hint	#34			// BTI C
	b	.Loriginal
SYM_FUNC_END(kpt_watchpoint_pass)

/*
 * int kpt_watch_install_original(struct perf_event *event, unsigned long flags);
 * The kernel's function.
 */
SYM_FUNC_START(kpt_watch_install_original)
	hint	#34			// BTI C
	kpt_branch_to kpt_install_original
SYM_FUNC_END(kpt_watch_install_original)

/* void kpt_watchpoint_end_step(struct pt_regs *regs); the kernel's function. */
SYM_FUNC_START(kpt_watchpoint_end_step)
	hint	#34			// BTI C
	kpt_branch_to kpt_watchpoint_step_end
SYM_FUNC_END(kpt_watchpoint_end_step)
#else
/* Redirected from el1h_64_sync_handler(regs). Context: BRK. */
SYM_CODE_START(kpt_watch_sync_entry)
	hint	#34			// BTI C
	hint	#25			// PACIASP
	stp	x29, x30, [sp, #-32]!
	mov	x29, sp
	str	x0, [sp, #16]
	bl	kpt_watch_exception
	mov	w16, w0
	ldr	x0, [sp, #16]
	ldp	x29, x30, [sp], #32
	hint	#29			// AUTIASP
	tbz	w16, #0, .Loriginal
	ret
.Loriginal:
	kpt_branch_to kpt_watchpoint_original
SYM_CODE_END(kpt_watch_sync_entry)
#endif

/*
 * void kpt_watchpoint_perform(struct user_pt_regs *regs, const u32 *slot);
 *
 * Execute the instruction of a slot with the registers in @regs, but for SP, and save what it
 * has done to them. The slot loads x30 as its first instruction, and ends with a branch to
 * kpt_watchpoint_performed. Debug exceptions are masked: a watched access causes none.
 * FP registers are those of the interrupted code anyway.
 */
SYM_FUNC_START(kpt_watchpoint_perform)
	kpt_enter_saving 96
	sub	sp, sp, #ROOM
	stp	x0, x18, [sp, #ROOM_REGS]
	ldr	x2, [x0, #REGS_PSTATE]
	msr	nzcv, x2
	ldr	x2, [x0, #REGS_X30]
	str	x2, [sp, #ROOM_X0]
	mov	x30, x1
	ldp	x2, x3, [x0, #16 * 1]
	ldp	x4, x5, [x0, #16 * 2]
	ldp	x6, x7, [x0, #16 * 3]
	ldp	x8, x9, [x0, #16 * 4]
	ldp	x10, x11, [x0, #16 * 5]
	ldp	x12, x13, [x0, #16 * 6]
	ldp	x14, x15, [x0, #16 * 7]
	ldp	x16, x17, [x0, #16 * 8]
	ldp	x18, x19, [x0, #16 * 9]
	ldp	x20, x21, [x0, #16 * 10]
	ldp	x22, x23, [x0, #16 * 11]
	ldp	x24, x25, [x0, #16 * 12]
	ldp	x26, x27, [x0, #16 * 13]
	ldp	x28, x29, [x0, #16 * 14]
	ldp	x0, x1, [x0]
	isb				// another CPU may just have written the slot
	ret				// to the slot: needs no landing pad
SYM_FUNC_END(kpt_watchpoint_perform)

SYM_CODE_START(kpt_watchpoint_performed)
	stp	x0, x1, [sp, #ROOM_X0]
	ldr	x0, [sp, #ROOM_REGS]
	stp	x2, x3, [x0, #16 * 1]
	stp	x4, x5, [x0, #16 * 2]
	stp	x6, x7, [x0, #16 * 3]
	stp	x8, x9, [x0, #16 * 4]
	stp	x10, x11, [x0, #16 * 5]
	stp	x12, x13, [x0, #16 * 6]
	stp	x14, x15, [x0, #16 * 7]
	stp	x16, x17, [x0, #16 * 8]
	stp	x18, x19, [x0, #16 * 9]
	stp	x20, x21, [x0, #16 * 10]
	stp	x22, x23, [x0, #16 * 11]
	stp	x24, x25, [x0, #16 * 12]
	stp	x26, x27, [x0, #16 * 13]
	stp	x28, x29, [x0, #16 * 14]
	str	x30, [x0, #REGS_X30]
	ldp	x2, x3, [sp, #ROOM_X0]
	stp	x2, x3, [x0]
	mrs	x2, nzcv
	ldr	x3, [x0, #REGS_PSTATE]
	lsr	x2, x2, #28
	bfi	x3, x2, #28, #4
	str	x3, [x0, #REGS_PSTATE]
	ldr	x18, [sp, #ROOM_X18]
	add	sp, sp, #ROOM
	kpt_leave_restoring 96
SYM_CODE_END(kpt_watchpoint_performed)
