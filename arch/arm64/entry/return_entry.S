/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function whose return address was replaced returns here.
 *
 * If the newest call on the pile of the task is the one that returns, a recorder gets the hit,
 * with a frame as in a stub (recorder.c), and then the call is taken off. While the recorder
 * runs, the call is on its pile, so that what was kept of it is not written over; but its return
 * address is 0 there, so that nobody looks for it.
 *
 * In other cases, and if the recorder has not recorded the hit,
 * all registers are saved in a struct pt_regs, and kpt_return_handle() gives the
 * address to return to, with exceptions masked. Then all registers are restored except
 * x30, which holds that address, as it does after any RET.
 *
 * x20: PSTATE.DAIF
 */
#include <linux/linkage.h>
#include <asm/alternative.h>
#include <asm/assembler.h>
#include "engine_asm.h"

	.text
SYM_CODE_START(kpt_return_entry)
	stp	x16, x30, [sp, #-KPT_RECORDER_FRAME]!
	stp	x9, x10, [sp, #16]
	mrs	x16, daif
	msr	daifset, #0xf
	adr_this_cpu x10, kpt_cpu, x9
	ldr	w9, [x10, #KPT_CPU_DEPTH]
	cbnz	w9, .Lnot_recorded
	ldr	x10, [x10, #KPT_CPU_PILE]
	mrs	x9, sp_el0
	str	x10, [sp, #KPT_RECORDER_PILE]
	ldp	x30, x10, [x10]			// task, newest
	eor	x9, x9, x30
	cbnz	x9, .Lnot_recorded
	ldp	x30, x9, [x10, #KPT_CALL_SP]	// and ret
	sub	x30, sp, x30
	add	x30, x30, #KPT_RECORDER_FRAME
	cbnz	x30, .Lnot_recorded
	ldr	x30, [x10, #KPT_CALL_OWNER]
	cbz	x30, .Lnot_recorded
	str	x9, [sp, #8]			// x30 behind the return
	str	xzr, [x10, #KPT_CALL_RET]
	ldr	x9, [x30, #KPT_OWNER_RECORDER]
	ldr	x10, [x9]
	blr	x10
.Lrecorded:
	ldr	x9, [sp, #KPT_RECORDER_PILE]
	ldr	x10, [x9, #KPT_PILE_NEWEST]
	ldr	x10, [x10, #KPT_CALL_AROUND]
	str	x10, [x9, #KPT_PILE_NEWEST]
	msr	daif, x16
	ldp	x9, x10, [sp, #16]
	ldp	x16, x30, [sp], #KPT_RECORDER_FRAME
	ret

	/* Recorders return to here if they have not recorded the hit. */
	.org	.Lrecorded + KPT_JUMP_SLOW
	ldr	x9, [sp, #KPT_RECORDER_PILE]
	ldr	x9, [x9, #KPT_PILE_NEWEST]
	ldr	x10, [sp, #8]
	str	x10, [x9, #KPT_CALL_RET]
.Lnot_recorded:
	msr	daif, x16
	ldp	x9, x10, [sp, #16]
	ldr	x16, [sp], #KPT_RECORDER_FRAME
	adr	x30, kpt_return_entry

	sub	sp, sp, #KPT_RETURN_REGS
	kpt_save_x0_x29
	add	x0, sp, #KPT_RETURN_REGS
	stp	x30, x0, [sp, #16 * 15]

	/* PSTATE in the layout of SPSR_EL1 (Arm ARM C5.2). */
	mrs	x1, nzcv
	mrs	x20, daif
	msr	daifset, #0xf
	orr	x1, x1, x20
	mrs	x2, CurrentEL
	orr	x1, x1, x2
	mrs	x2, SPSel
	orr	x1, x1, x2
	stp	x30, x1, [sp, #16 * 16]

	/* A frame record, for stack walks inside kpt_return_handle(). */
	stp	x29, x30, [sp, #KPT_RETURN_REGS - 16]
	add	x29, sp, #KPT_RETURN_REGS - 16

	mov	x0, sp
	bl	kpt_return_handle
	mov	x30, x0

	ldr	x1, [sp, #16 * 16 + 8]
	msr	nzcv, x1
	msr	daif, x20
	kpt_load_x0_x23
	ldp	x24, x25, [sp, #16 * 12]
	ldp	x26, x27, [sp, #16 * 13]
	ldp	x28, x29, [sp, #16 * 14]
	add	sp, sp, #KPT_RETURN_REGS
	ret
SYM_INNER_LABEL(kpt_return_entry_end, SYM_L_GLOBAL)
SYM_CODE_END(kpt_return_entry)
