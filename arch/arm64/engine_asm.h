/* SPDX-License-Identifier: GPL-2.0-only */
/* Constants that C and assembly of the engine share; private to arch/arm64. */
#ifndef KPT_ARM64_ENGINE_ASM_H
#define KPT_ARM64_ENGINE_ASM_H

/*
 * The immediate of our BRKs; no part of the kernel uses it (its own are in asm/brk-imm.h).
 * They are at probed addresses and at the end of stepped slots.
 */
#define KPT_BRK_IMM		0x7a0

/*
 * ESR_EL1 at a BRK (Arm ARM D24.2.40): the exception class, an instruction of 32 bits, the
 * immediate.
 */
#define KPT_BRK_ESR		(0x3cUL << 26 | 1 << 25 | KPT_BRK_IMM)

/* Stack that kpt_return_entry and kpt_thunk_entry take: pt_regs, a frame record. */
#define KPT_RETURN_REGS		400

/* Stack that a stub takes, for struct pt_regs. */
#define KPT_JUMP_REGS		352
/* Stack that a stub takes to record a hit by itself, and where a recorder keeps there */
#define KPT_RECORDER_FRAME	192
#define KPT_RECORDER_STUB		80	/* x30, the address in the stub */
#define KPT_RECORDER_LEAVE	88	/* where it continues if it cannot read memory */
#define KPT_RECORDER_RING		96	/* x17 and x16, while strings are read */
#define KPT_RECORDER_DAIF		104	/* x16 of these: DAIF of the probed code */
#define KPT_RECORDER_START	112	/* where a string begins in the record */
#define KPT_RECORDER_TTBR0	120	/* while a string of a user is read */
#define KPT_RECORDER_PILE	128	/* in kpt_return_entry: the pile of calls */
#define KPT_RECORDER_WANTED	136	/* bit 0: the task is wanted, as the first step found */
#define KPT_RECORDER_READ_AT	144	/* four numbers that filters have read */
#define KPT_RECORDER_TIME_AT	176	/* times of two clocks that are no counter, or 0 */
/* Behind that, for hits without a stub (recorder_entry.S): SP; what kpt_trap_resume() gets */
#define KPT_RECORDER_SP_AT	192
#define KPT_RECORDER_FOLLOWERS_AT	200
#define KPT_RECORDER_REST_AT	208
/* Bytes from the start of a stub, its .quad, to the return address of its BL. */
#define KPT_JUMP_RETURN		116
/*
 * Bytes in it from where a recorder returns to the code for a hit that it did not record;
 * also in kpt_thunk_entry and kpt_return_entry.
 */
#define KPT_JUMP_SLOW		44
/* The same for a hit without a stub of which it has left a rest. */
#define KPT_RECORDER_RUN_REST	52
/* Bytes at the start of a page of stubs: the mark and the shared code. */
#define KPT_JUMP_HEAD		512

/* struct kpt_arch_point */
#define KPT_POINT_ADDR		16
#define KPT_POINT_RECORDER	24

/* struct kpt_arch_recorder */
#define KPT_RECORDER_HIT		8

/* struct kpt_cpu */
#define KPT_CPU_DEPTH		4
#define KPT_CPU_PILE		48

/* struct kpt_arch_pile */
#define KPT_PILE_NEWEST		8

/* struct kpt_call */
#define KPT_CALL_AROUND		0
#define KPT_CALL_SP		16
#define KPT_CALL_RET		24
#define KPT_CALL_OWNER		32

/* struct kpt_call_owner */
#define KPT_OWNER_RECORDER	0

/* struct kpt_arch_called */
#define KPT_CALLED_RECORDER	0

#ifdef __ASSEMBLER__
/* Save x0-x29 in the struct pt_regs that SP points to. */
.macro kpt_save_x0_x29
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
.endm

/*
 * Restore the registers that a function may change (AAPCS64 6.1.1), and x19 to
 * x23. With a shadow call stack x18 is its pointer, which has the same value
 * again; without one x18 is a register like x17.
 */
.macro kpt_load_x0_x23
	ldp	x0, x1, [sp, #16 * 0]
	ldp	x2, x3, [sp, #16 * 1]
	ldp	x4, x5, [sp, #16 * 2]
	ldp	x6, x7, [sp, #16 * 3]
	ldp	x8, x9, [sp, #16 * 4]
	ldp	x10, x11, [sp, #16 * 5]
	ldp	x12, x13, [sp, #16 * 6]
	ldp	x14, x15, [sp, #16 * 7]
	ldp	x16, x17, [sp, #16 * 8]
	ldp	x18, x19, [sp, #16 * 9]
	ldp	x20, x21, [sp, #16 * 10]
	ldp	x22, x23, [sp, #16 * 11]
.endm

/*
 * Begin and end a function that changes the registers which a caller expects to keep (AAPCS64
 * 6.1.1). They are in a frame of \size bytes, of which those from 96 on are the function's.
 */
.macro kpt_enter_saving size
	hint	#34			// BTI C
	hint	#25			// PACIASP
	stp	x29, x30, [sp, #-\size]!
	mov	x29, sp
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
.endm

.macro kpt_leave_restoring size
	ldp	x19, x20, [sp, #16]
	ldp	x21, x22, [sp, #32]
	ldp	x23, x24, [sp, #48]
	ldp	x25, x26, [sp, #64]
	ldp	x27, x28, [sp, #80]
	ldp	x29, x30, [sp], #\size
	hint	#29			// AUTIASP
	ret
.endm

/* Continue at the address that a variable has. For functions that the kernel calls: x16 changes. */
.macro kpt_branch_to variable
	adrp	x16, \variable
	ldr	x16, [x16, #:lo12:\variable]
	br	x16
.endm
#endif

#endif
