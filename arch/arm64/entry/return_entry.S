/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function whose return address was replaced returns here.
 *
 * All registers are saved in a struct pt_regs, and kpt_return_handle() gives the
 * address to return to, with exceptions masked. Then all registers are restored except
 * x30, which holds that address, as it does after any RET.
 *
 * x20: PSTATE.DAIF
 */
#include <linux/linkage.h>
#include "engine_asm.h"

	.text
SYM_CODE_START(kpt_return_entry)
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
