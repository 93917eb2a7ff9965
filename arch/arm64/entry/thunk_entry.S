/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel calls this through a thunk (see thunk.c), as the function that a
 * tracepoint calls: x0 is the data that was given to register it, x1 to x7 and the
 * stack hold the tracepoint's arguments.
 *
 * A called function may change x0 to x17, so only those registers are saved that
 * the hit reads: x0 to x7, x29, x30 and SP. A recorder (recorder.c) reads them where they
 * are.
 */
#include <linux/linkage.h>
#include "engine_asm.h"

	.text
SYM_CODE_START(kpt_thunk_entry)
	hint	#34			// bti c
	stp	x16, x30, [sp, #-KPT_RECORDER_FRAME]!
	mrs	x16, daif
	msr	daifset, #0xf
	/* Read with exceptions masked: kpt_arch_quiesce() waits for them. */
	ldr	x9, [x0, #KPT_CALLED_RECORDER]
	cbz	x9, .Lnot_recorded
	ldr	x10, [x9]
	blr	x10
.Lrecorded:
	msr	daif, x16
	ldp	x16, x30, [sp], #KPT_RECORDER_FRAME
	ret

	/* Recorders return to here if they have not recorded the hit. */
	.org	.Lrecorded + KPT_JUMP_SLOW
.Lnot_recorded:
	msr	daif, x16
	ldr	x30, [sp, #8]
	sub	sp, sp, #(KPT_RETURN_REGS - KPT_RECORDER_FRAME)
	stp	x0, x1, [sp, #16 * 0]
	stp	x2, x3, [sp, #16 * 1]
	stp	x4, x5, [sp, #16 * 2]
	stp	x6, x7, [sp, #16 * 3]
	add	x9, sp, #KPT_RETURN_REGS
	str	x29, [sp, #8 * 29]
	stp	x30, x9, [sp, #8 * 30]

	/* A frame record, for stack walks inside kpt_thunk_handle(). */
	stp	x29, x30, [sp, #KPT_RETURN_REGS - 16]
	add	x29, sp, #KPT_RETURN_REGS - 16

	mov	x0, sp
	bl	kpt_thunk_handle
	ldp	x29, x30, [sp, #KPT_RETURN_REGS - 16]
	add	sp, sp, #KPT_RETURN_REGS
	ret
SYM_CODE_END(kpt_thunk_entry)
