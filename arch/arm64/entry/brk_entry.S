/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Redirected functions of the kernel's exception path: the page that redirect.c writes branches
 * to kpt_brk_entry, or to kpt_trap_fast(), before the first instruction of the function. So x30
 * is the return address into the function's caller.
 */
#include <linux/linkage.h>
#include "engine_asm.h"

/* Redirected from do_el1_brk64(esr, regs). Context: BRK. */
SYM_CODE_START(kpt_brk_entry)
	hint	#34			// BTI C
	and	w16, w0, #0xffff	// the immediate, see KPT_BRK_ESR
	mov	w17, #KPT_BRK_IMM
	cmp	w16, w17
	b.ne	.Lnot_ours
	hint	#25			// PACIASP
	stp	x29, x30, [sp, #-32]!
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	mov	x0, x1
	bl	kpt_trap_handle
	mov	w16, w0
	ldp	x0, x1, [sp, #16]
	ldp	x29, x30, [sp], #32
	hint	#29			// AUTIASP
	tbz	w16, #0, .Lnot_ours
	ret
.Lnot_ours:
	kpt_branch_to kpt_brk_original
SYM_CODE_END(kpt_brk_entry)

/* Call el1h_64_sync_handler(regs) behind its redirect. Context: BRK. */
SYM_CODE_START(kpt_fast_begin)
	hint	#34			// BTI C
	kpt_branch_to kpt_fast_original
SYM_CODE_END(kpt_fast_begin)
