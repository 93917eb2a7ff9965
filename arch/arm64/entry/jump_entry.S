/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a stub (see jump.c) to kpt_arch_recorder.hit and back. This code is copied to the
 * start of each page of stubs, not executed here: a task that is interrupted in
 * it before exceptions are masked may resume when its point, or the module, has
 * been freed. So after the masking it relies only on the stub's .quad, which
 * says whether the point still exists.
 *
 * On entry SP is lowered by KPT_JUMP_REGS, x29 and x30 are saved in the struct
 * pt_regs there, and x30 is the address in the stub to return to.
 *
 * x19: this CPU's kpt_cpu.depth; x20: PSTATE.NZCV and .DAIF; x22: where to return to
 */
#include <linux/linkage.h>
#include "engine_asm.h"

	.section .rodata, "a"
	.balign	8
SYM_DATA_START(kpt_jump_template)
	kpt_save_x0_x29
	mrs	x20, nzcv
	mrs	x21, daif
	msr	daifset, #0xf
	orr	x20, x20, x21
	mov	x22, x30

	/* A kernel address while the point is in use; else bit 63 is clear. */
	ldur	x0, [x30, #-KPT_JUMP_RETURN]
	tbz	x0, #63, .Lrestore

	/* A hit inside a hit is only counted. */
	ldr	x19, kpt_jump_depth
SYM_INNER_LABEL(kpt_jump_percpu, SYM_L_GLOBAL)
	mrs	x3, tpidr_el1		// replaced where the kernel runs at EL2
	add	x19, x19, x3
	ldr	w4, [x19]
	cbnz	w4, .Lnested
	str	w30, [x19]		// not 0: lines are aligned, this is behind one's begin

	/* PSTATE in the layout of SPSR_EL1 (Arm ARM C5.2). */
SYM_INNER_LABEL(kpt_jump_mode, SYM_L_GLOBAL)
	add	x5, x20, #0		// replaced: exception level and SP
	add	x3, sp, #KPT_JUMP_REGS
	ldp	x4, x2, [x0, #KPT_POINT_ADDR]	// and KPT_POINT_RECORDER
	stp	x3, x4, [sp, #16 * 15 + 8]
	str	x5, [sp, #16 * 16 + 8]

	mov	x1, sp
	ldr	x16, [x2, #KPT_RECORDER_HIT]
	blr	x16
	tbz	w0, #0, .Lrare
.Ldone:
	str	wzr, [x19]
.Lrestore:
	mov	x30, x22
	msr	nzcv, x20
	msr	daif, x20
	/* The called functions preserve x24 to x29. */
	kpt_load_x0_x23
	ret

.Lrare:
	mov	x0, sp
	ldr	x16, kpt_jump_rare
	blr	x16
	b	.Ldone
.Lnested:
	ldr	x16, kpt_jump_missed
	blr	x16
	b	.Lrestore

	/* kpt_jump_write_page() replaces these by addresses. */
	.balign	8
SYM_INNER_LABEL(kpt_jump_depth, SYM_L_GLOBAL)
	.quad	0			// kpt_cpu.depth
SYM_INNER_LABEL(kpt_jump_rare, SYM_L_GLOBAL)
	.quad	0			// kpt_trap_jump_rare
SYM_INNER_LABEL(kpt_jump_missed, SYM_L_GLOBAL)
	.quad	0			// kpt_trap_jump_missed
SYM_INNER_LABEL(kpt_jump_template_end, SYM_L_GLOBAL)
SYM_DATA_END(kpt_jump_template)
