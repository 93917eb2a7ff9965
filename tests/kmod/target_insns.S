/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that no compiler makes. */
#include <linux/linkage.h>
#include <asm/assembler.h>

/*
 * Leaves through two return instructions. The second one cannot be probed: it
 * follows PACM, which belongs to what comes behind it, and is a NOP to CPUs
 * that do not know it.
 */
SYM_FUNC_START(kpt_target_odd_return)
	cbz	x0, 1f
	mov	x0, #7
	ret
1:	mov	x0, #3
	.inst	0xd50324ff
	ret
SYM_FUNC_END(kpt_target_odd_return)

SYM_START(kpt_target_never, SYM_L_GLOBAL, SYM_A_ALIGN)
	b	kpt_target_never
SYM_END(kpt_target_never, SYM_T_FUNC)

/*
 * The last instruction that is executed is LAST. No branch leads to the words behind it, as
 * clang's instructions of alternatives.
 */
.macro ends_by name:req, last:vararg
SYM_START(kpt_target_ends_by_\name, SYM_L_GLOBAL, SYM_A_ALIGN)
	cbz	x0, 1f
	ret
1:	\last
	mov	x1, x2
	mov	x1, x2
SYM_END(kpt_target_ends_by_\name, SYM_T_FUNC)
.endm

/* A switch, and behind it what no branch leads to. */
SYM_START(kpt_target_ends_by_table, SYM_L_GLOBAL, SYM_A_ALIGN)
	adr	x1, 1f
	add	x1, x1, x0, lsl #2
	br	x1
1:	ret
	ret
	mov	x1, x2
	mov	x1, x2
SYM_END(kpt_target_ends_by_table, SYM_T_FUNC)

SYM_START(kpt_target_ends_by_pointer, SYM_L_GLOBAL, SYM_A_ALIGN)
	cbz	x0, 1f
	br	x0
1:	ret
SYM_END(kpt_target_ends_by_pointer, SYM_T_FUNC)

/* A branch out to which no path leads, and one to which one does. */
SYM_START(kpt_target_ends_by_return, SYM_L_GLOBAL, SYM_A_ALIGN)
	ret
	b	kpt_target_bare
	b	kpt_target_bare
SYM_END(kpt_target_ends_by_return, SYM_T_FUNC)

ends_by out, b kpt_target_bare
ends_by trap, brk #0x5512
ends_by builtin_trap, brk #1
ends_by never, bl kpt_target_never
ends_by branch, b kpt_target_ends_by_branch
ends_by call, bl kpt_target_bare
ends_by kasan, brk #0x900

/* Its first instruction is its return. It has no landing pad: it is called directly. */
SYM_START(kpt_target_bare, SYM_L_GLOBAL, SYM_A_ALIGN)
	ret
SYM_END(kpt_target_bare, SYM_T_FUNC)

/*
 * Fills registers that functions may change, but for x18 where that is the
 * shadow call stack's, and the flags, and returns 0 if they are the same behind the
 * NOP.
 */
#define FLAGS	#0x60000000
#define LOW	1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
#ifdef CONFIG_SHADOW_CALL_STACK
#define FILLED	LOW
#else
#define FILLED	LOW, 18
#endif

SYM_FUNC_START(kpt_target_filled)
	.irp	n, FILLED
	mov	x\n, #3 * \n
	.endr
	mov	x0, FLAGS
	msr	nzcv, x0
	mov	x0, xzr
SYM_INNER_LABEL(kpt_target_filled_at, SYM_L_GLOBAL)
	nop
	.irp	n, FILLED
	sub	x\n, x\n, #3 * \n
	orr	x0, x0, x\n
	.endr
	mrs	x1, nzcv
	eor	x1, x1, FLAGS
	orr	x0, x0, x1
	ret
SYM_FUNC_END(kpt_target_filled)

/*
 * Reads *x0. If that faults, it returns -14 or, with an odd address, -1, by code
 * that lies in another section, as that of fix-ups did up to 5.15: the one returns
 * there, the other comes back. It is not the last function here: behind that may be the
 * type of another one.
 */
.macro	fixed_up insn:vararg
#ifdef _ASM_EXTABLE_UACCESS
	_asm_extable_uaccess \insn
#else
	_asm_extable \insn
#endif
.endm

SYM_FUNC_START(kpt_target_fixup)
	tbnz	x0, #0, 2f
1:	ldr	x0, [x0]
	fixed_up 1b, 4f
	ret
2:	ldr	x0, [x0]
	fixed_up 2b, 5f
3:	ret
SYM_FUNC_END(kpt_target_fixup)

	.pushsection .fixup, "ax"
4:	mov	x0, #-14
	ret
5:	mov	x0, #-1
	b	3b
	.popsection

/*
 * kpt_target_leap() calls kpt_target_lost(), which does not return to it but in
 * its place.
 */
SYM_FUNC_START(kpt_target_leap)
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	bl	kpt_target_lost
	ldp	x29, x30, [sp], #16
	ret
SYM_FUNC_END(kpt_target_leap)

SYM_FUNC_START(kpt_target_lost)
	ldp	x29, x30, [sp], #16
	ret
SYM_FUNC_END(kpt_target_lost)
