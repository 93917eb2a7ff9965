/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Entries of redirected functions of the kernel's exception path. The page that
 * redirect.c writes branches here before the first instruction of the function,
 * so x30 is the return address into the function's caller.
 */
#include <linux/linkage.h>
#include "engine_asm.h"

/* Redirected from do_el1_brk64(esr, regs). Context: BRK. */
SYM_CODE_START(kpt_brk_entry)
	hint	#34			// BTI C
	and	w16, w0, #KPT_BRK_ISS_MASK & ~KPT_BRK_IMM_MASK
	mov	w17, #KPT_BRK_IMM
	cmp	w16, w17
	b.ne	.Lnot_ours
	hint	#25			// PACIASP
	stp	x29, x30, [sp, #-32]!
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	mov	x16, x0
	mov	x0, x1
	mov	x1, x16
	bl	kpt_trap_handle
	mov	w16, w0
	ldp	x0, x1, [sp, #16]
	ldp	x29, x30, [sp], #32
	hint	#29			// AUTIASP
	tbz	w16, #0, .Lnot_ours
	ret
.Lnot_ours:
	adrp	x16, kpt_brk_original
	ldr	x16, [x16, #:lo12:kpt_brk_original]
	br	x16
SYM_CODE_END(kpt_brk_entry)

/*
 * Redirected from el1h_64_sync_handler(regs) if the exception is a BRK; x16
 * holds the syndrome. Context: BRK.
 */
SYM_CODE_START(kpt_fast_entry)
	hint	#34			// BTI C
	and	w1, w16, #KPT_BRK_ISS_MASK & ~KPT_BRK_IMM_MASK
	mov	w2, #KPT_BRK_IMM
	cmp	w1, w2
	b.ne	.Lnot_ours_fast
	hint	#25			// PACIASP
	stp	x29, x30, [sp, #-32]!
	mov	x29, sp
	str	x0, [sp, #16]
	mov	x1, x16
	bl	kpt_trap_fast
	mov	w16, w0
	ldr	x0, [sp, #16]
	ldp	x29, x30, [sp], #32
	hint	#29			// AUTIASP
	tbz	w16, #0, .Lnot_ours_fast
	ret
.Lnot_ours_fast:
	adrp	x16, kpt_fast_original
	ldr	x16, [x16, #:lo12:kpt_fast_original]
	br	x16
SYM_CODE_END(kpt_fast_entry)
