/* SPDX-License-Identifier: GPL-2.0-only */
/* The places, and the ways in and out of them. See cpu.h and cpu.c. */
#include <linux/linkage.h>
#include <asm/assembler.h>

/* Must agree with struct cpu_now and struct cpu_state. */
#define NOW_STATE	0
#define NOW_SP		8
#define NOW_X1		16
#define STATE_SP	248
#define STATE_PC	256
#define STATE_PSTATE	264
#define EXIT_BYTES	36

	.arch	armv8.2-a+sve

/* An entry of the exception table; 5.10 has one kind of them. */
.macro	fixed_up insn:vararg
#ifdef _ASM_EXTABLE_UACCESS
	_asm_extable_uaccess \insn
#else
	_asm_extable \insn
#endif
.endm

/*
 * void cpu_run(struct cpu_state *state, unsigned long pc, unsigned long pstate)
 *
 * All exceptions are masked; the exception return loads PC and PSTATE without
 * a register.
 */
SYM_FUNC_START(cpu_run)
	hint	#34			// BTI C
	stp	x29, x30, [sp, #-96]!
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	adrp	x3, cpu_now
	add	x3, x3, :lo12:cpu_now
	mov	x4, sp
	stp	x0, x4, [x3, #NOW_STATE]
	msr	elr_el1, x1
	msr	spsr_el1, x2
	ldr	x1, [x0, #STATE_SP]
	mov	sp, x1
	ldp	x2, x3, [x0, #16 * 1]
	ldp	x4, x5, [x0, #16 * 2]
	ldp	x6, x7, [x0, #16 * 3]
	ldp	x8, x9, [x0, #16 * 4]
	ldp	x10, x11, [x0, #16 * 5]
	ldp	x12, x13, [x0, #16 * 6]
	ldp	x14, x15, [x0, #16 * 7]
	ldp	x16, x17, [x0, #16 * 8]
	ldp	x18, x19, [x0, #16 * 9]
	ldp	x20, x21, [x0, #16 * 10]
	ldp	x22, x23, [x0, #16 * 11]
	ldp	x24, x25, [x0, #16 * 12]
	ldp	x26, x27, [x0, #16 * 13]
	ldp	x28, x29, [x0, #16 * 14]
	ldr	x30, [x0, #16 * 15]
	ldp	x0, x1, [x0]
	eret

/* One way out for each word of a place, and one for faults: w1 says which. */
cpu_exits:
	.set	i, 0
	.rept	65
	msr	tpidr_el0, x0
	mrs	x0, daif
	msr	daifset, #15
	msr	tpidrro_el0, x0
	adrp	x0, cpu_now
	add	x0, x0, :lo12:cpu_now
	str	x1, [x0, #NOW_X1]
	mov	w1, #i
	b	cpu_out
	.set	i, i + 1
	.endr

cpu_out:
	stp	x2, x3, [sp, #-16]!
	ldr	x2, [x0, #NOW_STATE]
	str	x1, [x2, #STATE_PC]
	stp	x4, x5, [x2, #16 * 2]
	stp	x6, x7, [x2, #16 * 3]
	stp	x8, x9, [x2, #16 * 4]
	stp	x10, x11, [x2, #16 * 5]
	stp	x12, x13, [x2, #16 * 6]
	stp	x14, x15, [x2, #16 * 7]
	stp	x16, x17, [x2, #16 * 8]
	stp	x18, x19, [x2, #16 * 9]
	stp	x20, x21, [x2, #16 * 10]
	stp	x22, x23, [x2, #16 * 11]
	stp	x24, x25, [x2, #16 * 12]
	stp	x26, x27, [x2, #16 * 13]
	stp	x28, x29, [x2, #16 * 14]
	str	x30, [x2, #16 * 15]
	mrs	x4, tpidr_el0
	ldr	x5, [x0, #NOW_X1]
	stp	x4, x5, [x2]
	ldp	x4, x5, [sp], #16
	stp	x4, x5, [x2, #16 * 1]
	mov	x4, sp
	str	x4, [x2, #STATE_SP]
	mrs	x4, nzcv
	mrs	x5, tpidrro_el0
	orr	x4, x4, x5
	str	x4, [x2, #STATE_PSTATE]
	ldr	x4, [x0, #NOW_SP]
	mov	sp, x4
	ldp	x19, x20, [sp, #16]
	ldp	x21, x22, [sp, #32]
	ldp	x23, x24, [sp, #48]
	ldp	x25, x26, [sp, #64]
	ldp	x27, x28, [sp, #80]
	ldp	x29, x30, [sp], #96
	ret
SYM_FUNC_END(cpu_run)

/* void cpu_fp_load(const u8 *z), cpu_fp_save(u8 *z): V0 to V31 */
.macro	each_q	insn
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, \
		17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\insn	q\n, [x0, #16 * \n]
	.endr
	ret
.endm

.macro	each_z	insn
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, \
		17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\insn	z\n, [x0, #\n, mul vl]
	.endr
.endm

.macro	each_p	insn
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	\insn	p\n, [x1, #\n, mul vl]
	.endr
.endm

SYM_FUNC_START(cpu_fp_load)
	hint	#34
	each_q	ldr
SYM_FUNC_END(cpu_fp_load)

SYM_FUNC_START(cpu_fp_save)
	hint	#34
	each_q	str
SYM_FUNC_END(cpu_fp_save)

/* void cpu_sve_load(const u8 *z, const u8 *p), cpu_sve_save(u8 *z, u8 *p) */
SYM_FUNC_START(cpu_sve_load)
	hint	#34
	each_z	ldr
	ldr	p0, [x1, #16, mul vl]
	wrffr	p0.b
	each_p	ldr
	ret
SYM_FUNC_END(cpu_sve_load)

SYM_FUNC_START(cpu_sve_save)
	hint	#34
	each_z	str
	each_p	str
	rdffr	p0.b
	str	p0, [x1, #16, mul vl]
	ldr	p0, [x1]
	ret
SYM_FUNC_END(cpu_sve_save)

/* u64 cpu_sign(u64 pointer, u64 modifier, unsigned int key) */
SYM_FUNC_START(cpu_sign)
	hint	#34
	cmp	w2, #2
	b.lo	1f
	b.eq	2f
	cmp	w2, #3
	b.eq	3f
	.inst	0xdac10c20		// pacdb x0, x1
	ret
1:	.inst	0xdac10020		// pacia x0, x1
	ret
2:	.inst	0xdac10420		// pacib x0, x1
	ret
3:	.inst	0xdac10820		// pacda x0, x1
	ret
SYM_FUNC_END(cpu_sign)

	.balign	4096
SYM_CODE_START(cpu_places)
	.rept	512
	.set	i, 0
	.rept	64
	b	cpu_exits + EXIT_BYTES * i
	.set	i, i + 1
	.endr
9:	/* The word behind the one in the middle may fault. */
	fixed_up 9b - 4 * 31, cpu_exits + EXIT_BYTES * 64
	.endr
SYM_CODE_END(cpu_places)
