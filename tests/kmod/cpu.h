/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kpt_cpu.ko runs one instruction, anywhere among many places, from a given
 * state of the processor, and says in which state that ended. What is probed,
 * and whether it made a difference, is up to who asks: tests/cpu/guest.c.
 */
#ifndef KPT_CPU_H
#define KPT_CPU_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* Places; each is some words, of which one in the middle is the instruction. */
#define CPU_PLACES 512
#define CPU_PLACE_WORDS 64
#define CPU_PLACE_AT 32

/* Where a fault behind the instruction leads, as an index of a word. */
#define CPU_FIXED_UP CPU_PLACE_WORDS

/* Memory for loads and stores; addresses are around its middle. */
#define CPU_MEMORY 8192
/* What lies at the stack pointer. */
#define CPU_STACK 512

/* Bytes of an SVE vector: as short as all have, so that more fits into memory. */
#define CPU_VL 32

/**
 * struct cpu_state - the registers and memory that an instruction can see
 * @x: x0 to x30
 * @sp: stack pointer
 * @pc: index of the word, of the place, that is executed next; CPU_FIXED_UP if
 *	that one faulted
 * @pstate: NZCV and DAIF
 * @fpcr: FPCR
 * @fpsr: FPSR
 * @more: PAN, UAO, DIT, SSBS, TCO, each where the CPU has it
 * @z: vector registers; without SVE the first 512 bytes are V0 to V31
 * @p: predicate registers and FFR
 * @memory: at &cpu_info.memory - CPU_MEMORY / 2
 * @stack: at the stack pointer
 */
struct cpu_state {
	__u64 x[31];
	__u64 sp;
	__u64 pc;
	__u64 pstate;
	__u64 fpcr;
	__u64 fpsr;
	__u64 more[5];
	__u8 z[32 * CPU_VL];
	__u8 p[18 * CPU_VL / 8];
	__u8 memory[CPU_MEMORY];
	__u8 stack[CPU_STACK];
};

/**
 * struct cpu_info - what there is
 * @code: address of the first place
 * @memory: address of the middle of the memory
 * @sve: the CPU has it
 * @pan: it has PAN, and so on
 * @uao: -
 * @dit: -
 * @ssbs: -
 * @mte: -
 * @ats1e1: it has AT S1E1RP
 * @specres: it has CFP RCTX
 */
struct cpu_info {
	__u64 code;
	__u64 memory;
	__u8 sve;
	__u8 pan;
	__u8 uao;
	__u8 dit;
	__u8 ssbs;
	__u8 mte;
	__u8 ats1e1;
	__u8 specres;
};

/**
 * struct cpu_set - put an instruction in a place
 * @place: number of the place
 * @word: the instruction
 */
struct cpu_set {
	__u32 place;
	__u32 word;
};

/**
 * struct cpu_run - run it
 * @place: number of the place
 * @sign: key to sign a pointer with: 1 IA, 2 IB, 3 DA, 4 DB, or 0
 * @signed_reg: the register with the pointer
 * @modifier: register with the modifier, 31 for SP, 32 for zero
 * @fault: if not 0, a load through this register stands behind the instruction,
 *	with an entry in the exception table
 * @pad: 0
 * @state: from which state, and the one it ended in
 */
struct cpu_run {
	__u32 place;
	__u32 sign;
	__u32 signed_reg;
	__u32 modifier;
	__u32 fault;
	__u32 pad;
	struct cpu_state state;
};

#define CPU_INFO _IOR('k', 1, struct cpu_info)
#define CPU_SET _IOW('k', 2, struct cpu_set)
#define CPU_RUN _IO('k', 3)

#endif
