/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a stub (see jump.c) to kpt_trap_jump() and back. This is copied to the
 * beginning of each page of stubs, not executed here: a task that is
 * interrupted in it before exceptions are masked may go on when its point, or
 * the module, is gone. Only the word that tells the point is trusted then.
 *
 * On entry SP is lowered by KPT_JUMP_REGS, x29 and x30 are in their places of
 * struct pt_regs, and x30 is the address in the stub to return to.
 */
#include <linux/linkage.h>
#include "engine_asm.h"

	.section .rodata, "a"
	.balign	8
SYM_DATA_START(kpt_jump_template)
	stp	x0, x1, [sp, #16 * 0]
	stp	x2, x3, [sp, #16 * 1]
	stp	x4, x5, [sp, #16 * 2]
	stp	x6, x7, [sp, #16 * 3]
	stp	x8, x9, [sp, #16 * 4]
	stp	x10, x11, [sp, #16 * 5]
	stp	x12, x13, [sp, #16 * 6]
	stp	x14, x15, [sp, #16 * 7]
	stp	x16, x17, [sp, #16 * 8]
	stp	x18, x19, [sp, #16 * 9]
	stp	x20, x21, [sp, #16 * 10]
	stp	x22, x23, [sp, #16 * 11]
	stp	x24, x25, [sp, #16 * 12]
	stp	x26, x27, [sp, #16 * 13]
	stp	x28, x29, [sp, #16 * 14]

	mrs	x20, nzcv
	mrs	x21, daif
	msr	daifset, #0xf
	/* A handler may read user memory, which changes PSTATE.PAN. */
SYM_INNER_LABEL(kpt_jump_get_pan, SYM_L_GLOBAL)
	.inst	0xd5384277		// mrs x23, pan; NOP without FEAT_PAN
	mov	x22, x30

	/* An address of the kernel's as long as the point is there. */
	ldur	x0, [x30, #-KPT_JUMP_RETURN]
	tbz	x0, #63, 1f

	/* PSTATE in the layout of SPSR_EL1 (Arm ARM C5.2). */
SYM_INNER_LABEL(kpt_jump_mode, SYM_L_GLOBAL)
	mov	x2, #0			// replaced: exception level and SP
	orr	x2, x2, x20
	orr	x2, x2, x21
	add	x3, sp, #KPT_JUMP_REGS
	str	x3, [sp, #16 * 15 + 8]
	str	x2, [sp, #16 * 16 + 8]
	mov	x1, sp
	ldr	x16, 2f
	blr	x16
1:
	mov	x30, x22
	msr	nzcv, x20
SYM_INNER_LABEL(kpt_jump_put_pan, SYM_L_GLOBAL)
	.inst	0xd5184277		// msr pan, x23; NOP without FEAT_PAN
	msr	daif, x21
	ldp	x0, x1, [sp, #16 * 0]
	ldp	x2, x3, [sp, #16 * 1]
	ldp	x4, x5, [sp, #16 * 2]
	ldp	x6, x7, [sp, #16 * 3]
	ldp	x8, x9, [sp, #16 * 4]
	ldp	x10, x11, [sp, #16 * 5]
	ldp	x12, x13, [sp, #16 * 6]
	ldp	x14, x15, [sp, #16 * 7]
	ldp	x16, x17, [sp, #16 * 8]
	/* Functions keep the others. */
	ldr	x18, [sp, #16 * 9]
	ldp	x20, x21, [sp, #16 * 10]
	ldp	x22, x23, [sp, #16 * 11]
	ret
	.balign	8
2:
SYM_INNER_LABEL(kpt_jump_handler, SYM_L_GLOBAL)
	.quad	0			// replaced: kpt_trap_jump
SYM_INNER_LABEL(kpt_jump_template_end, SYM_L_GLOBAL)
SYM_DATA_END(kpt_jump_template)
