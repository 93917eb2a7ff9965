/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a BRK without a stub to a recorder (recorder.c) and back. The recorder has a frame as
 * in a stub, and the registers of the probed code, but for SP and x18: SP is behind the frame.
 */
#include <linux/linkage.h>
#include "engine_asm.h"

/* Behind the recorder's frame: SP, and what it leaves to kpt_trap_resume(). */
#define FRAME		(KPT_RECORDER_FRAME + 32)

	.text
/*
 * bool kpt_recorder_run(struct pt_regs *regs, const struct kpt_arch_recorder *recorder,
 *			 u64 daif). Context: BRK.
 */
SYM_CODE_START(kpt_recorder_run)
	kpt_enter_saving 112
	stp	x0, x1, [sp, #96]

	/* What a stub saves. */
	sub	sp, sp, #FRAME
	ldr	x3, [x0, #8 * 31]
	str	x3, [sp, #KPT_RECORDER_SP_AT]
	ldr	x3, [x0, #8 * 16]
	ldr	x4, [x0, #8 * 30]
	stp	x3, x4, [sp]
	ldp	x3, x4, [x0, #8 * 9]
	stp	x3, x4, [sp, #16]
	mov	x9, x1
	mov	x16, x2

	ldp	x11, x12, [x0, #8 * 11]
	ldp	x13, x14, [x0, #8 * 13]
	ldr	x15, [x0, #8 * 15]
	ldr	x17, [x0, #8 * 17]
	ldp	x19, x20, [x0, #8 * 19]
	ldp	x21, x22, [x0, #8 * 21]
	ldp	x23, x24, [x0, #8 * 23]
	ldp	x25, x26, [x0, #8 * 25]
	ldp	x27, x28, [x0, #8 * 27]
	ldr	x29, [x0, #8 * 29]
	ldp	x2, x3, [x0, #8 * 2]
	ldp	x4, x5, [x0, #8 * 4]
	ldp	x6, x7, [x0, #8 * 6]
	ldr	x8, [x0, #8 * 8]
	ldp	x0, x1, [x0]
	ldr	x10, [x9]
	blr	x10
.Lrecorded:
	mov	w0, #1
.Lreturn:
	add	sp, sp, #FRAME
	kpt_leave_restoring 112

	/* Recorders return to here if they have not recorded the hit. */
	.org	.Lrecorded + KPT_JUMP_SLOW
	mov	w0, #0
	b	.Lreturn

	/* And to here if they leave the rest of it. */
	.org	.Lrecorded + KPT_RECORDER_RUN_REST
	ldp	x2, x3, [sp, #KPT_RECORDER_REST_AT]
	ldr	x4, [sp, #KPT_RECORDER_FOLLOWERS_AT]
	ldp	x0, x1, [sp, #FRAME + 96]
	bl	kpt_trap_resume
	b	.Lrecorded
SYM_CODE_END(kpt_recorder_run)

/* kpt_recorder_none.code; the stub unmasks exceptions. */
SYM_CODE_START(kpt_recorder_pass)
	hint	#34			// BTI C
	add	x30, x30, #KPT_JUMP_SLOW
	ret
SYM_CODE_END(kpt_recorder_pass)
