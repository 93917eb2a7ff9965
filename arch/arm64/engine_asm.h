/* SPDX-License-Identifier: GPL-2.0-only */
/* Constants that C and assembly of the engine share; private to arch/arm64. */
#ifndef KPT_ARM64_ENGINE_ASM_H
#define KPT_ARM64_ENGINE_ASM_H

/*
 * Our BRK immediates: sixteen that no part of the kernel uses (its own are in
 * asm/brk-imm.h), of which three have a meaning.
 */
#define KPT_BRK_IMM		0x7a0
#define KPT_BRK_IMM_MASK	0x00f
#define KPT_BRK_IMM_PROBE	0x7a0	/* a probed address */
#define KPT_BRK_IMM_STEPPED	0x7a1	/* the end of a stepped slot */
#define KPT_BRK_IMM_TEST	0x7a2	/* an address probed by the self-test */

/* The immediate in a syndrome (Arm ARM D24.2.40, ISS for a BRK exception). */
#define KPT_BRK_ISS_MASK	0xffff

/* Stack that kpt_return_entry takes: struct pt_regs and a frame record. */
#define KPT_RETURN_REGS		400

/* Stack that a stub of jump mode takes, for struct pt_regs. */
#define KPT_JUMP_REGS		352
/* From the start of a stub, its point's address, to where it is returned to. */
#define KPT_JUMP_RETURN		20

#endif
