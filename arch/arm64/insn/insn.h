/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decoded instructions, and how a probe may perform them. Portable: built into the
 * module and into host tests. The encodings are in arch/arm64/insn/decode_rows.h;
 * docs/insns.md is that table as text.
 */
#ifndef KPTRACE_INSN_H
#define KPTRACE_INSN_H

#include "lib/base/port.h"

/**
 * enum kpt_insn_verdict - how a displaced instruction can be performed
 * @KPT_INSN_REFUSE: not at all; &kpt_insn.reason says why
 * @KPT_INSN_SIMULATE: by kpt_insn_simulate(); must never run from a slot
 * @KPT_INSN_STEP: by the CPU, from a slot anywhere in memory, with the PSTATE
 *	of the probed code, exception masks included
 */
enum kpt_insn_verdict {
	KPT_INSN_REFUSE,
	KPT_INSN_SIMULATE,
	KPT_INSN_STEP,
};

/*
 * X(code, short name in counts and in kprobes lists, text for users): the reasons
 * to refuse an instruction or an address.
 */
#define KPT_INSN_REASONS(X)                                                    \
	X(NONE, "none", "may be probed")                                       \
	X(UNALLOCATED, "unallocated", "not an A64 instruction")                \
	X(UNDEFINED, "udf", "permanently undefined instruction")               \
	X(BREAKPOINT, "breakpoint", "is itself a breakpoint")                  \
	X(EXCEPTION, "exception", "generates an exception")                    \
	X(DEBUG_STATE, "debug-state", "belongs to external debug")             \
	X(ERET, "eret", "returns from an exception")                           \
	X(EXCLUSIVE, "exclusive",                                              \
	  "load-exclusive or store-exclusive, a probe clears the monitor")     \
	X(EXCLUSIVE_SEQ, "exclusive-sequence",                                 \
	  "between a load-exclusive and its store-exclusive")                  \
	X(EXCLUSIVE_WAIT, "exclusive-wait",                                    \
	  "between a load-exclusive and the WFE that waits for a store there") \
	X(EXCLUSIVE_DEEP, "exclusive-unclear",                                 \
	  "too many branches to tell whether an exclusive sequence is here")   \
	X(MOPS, "mops", "part of a memory copy or set that must not be split") \
	X(WAIT, "wait", "stops the CPU until an interrupt")                    \
	X(EXC_REG, "exception-register",                                       \
	  "uses a register that the probe's own exception overwrites")         \
	X(STACK_SELECT, "stack-select", "changes which stack pointer is used") \
	X(SYSREG, "sysreg", "writes a system register the kernel runs on")     \
	X(SYS_UNKNOWN, "sys-unknown", "system instruction of unknown effect")  \
	X(HINT_UNKNOWN, "hint-unknown", "hint without a known meaning")        \
	X(STREAMING, "streaming", "changes the SME streaming or ZA mode")      \
	X(PAUTH_CALL, "pauth-call",                                            \
	  "authenticated call, it would return into the slot")                 \
	X(PAUTH_PC, "pauth-pc", "signs or authenticates with its own address") \
	X(PAUTH_SEQ, "pauth-sequence",                                         \
	  "follows PACM, so it signs or authenticates with its own address")   \
	X(PREFIX, "prefix", "must be followed by the instruction it prefixes") \
	X(TRANSACTION, "transaction", "memory transaction, a probe aborts it")

#define KPT_INSN_REASON_ENUM(code, name, text) KPT_INSN_REASON_##code,
enum kpt_insn_reason {
	KPT_INSN_REASONS(KPT_INSN_REASON_ENUM)
	KPT_INSN_NR_REASONS
};
#undef KPT_INSN_REASON_ENUM

/**
 * enum kpt_insn_bti - whether an indirect branch leaves a mark in PSTATE.BTYPE
 * @KPT_INSN_BTI_NONE: the CPU has no FEAT_BTI: BTYPE stays 0
 * @KPT_INSN_BTI_OPEN: the CPU has FEAT_BTI, the probed page is not guarded
 * @KPT_INSN_BTI_GUARDED: the CPU has FEAT_BTI, the probed page is guarded
 */
enum kpt_insn_bti {
	KPT_INSN_BTI_NONE,
	KPT_INSN_BTI_OPEN,
	KPT_INSN_BTI_GUARDED,
};

/* Flags of an instruction, &kpt_insn.flags. */

/* Accesses memory other than by fetching, so it may fault. */
#define KPT_INSN_MEM BIT(0)
/* The result depends on the address it runs at. */
#define KPT_INSN_PC BIT(1)
/* Branch to an address that kpt_insn_target() computes. */
#define KPT_INSN_BRANCH BIT(2)
/* A branch that may also continue at the next instruction. */
#define KPT_INSN_COND BIT(3)
/* Branch with link: the callee returns to the next instruction. */
#define KPT_INSN_CALL BIT(4)
/* Branch to an address in a register, RET excepted. */
#define KPT_INSN_INDIRECT BIT(5)
/* RET, RETAA, RETAB and the like: leaves the function. */
#define KPT_INSN_RET BIT(6)
/* Writes x30 without naming it as an operand. */
#define KPT_INSN_LR BIT(7)
/*
 * In a slot, its own branch leaves the slot, so the rest of the slot is never
 * reached.
 */
#define KPT_INSN_LEAVES BIT(8)
/* Accepted as the target of an indirect call in a guarded page. */
#define KPT_INSN_LANDING BIT(9)
/* Load-exclusive, store-exclusive, CLREX. */
#define KPT_INSN_LDX BIT(10)
#define KPT_INSN_STX BIT(11)
#define KPT_INSN_CLREX BIT(12)
/* Prologue, main part and epilogue of a memory copy or set. */
#define KPT_INSN_MOPS_P BIT(13)
#define KPT_INSN_MOPS_M BIT(14)
#define KPT_INSN_MOPS_E BIT(15)
/* PACM: modifies the next instruction. */
#define KPT_INSN_PACM BIT(16)
/* The next instruction is never reached: ERET, UDF, DRPS. */
#define KPT_INSN_STOP BIT(17)
/* Reads or writes a SIMD&FP, SVE or SME register. */
#define KPT_INSN_FP BIT(18)
/* WFE, WFET: may wait for an event. */
#define KPT_INSN_EVENT BIT(19)
/* MADD and its like: adds a product to register Ra, bits 14:10, or subtracts it. */
#define KPT_INSN_MADD BIT(20)

/**
 * struct kpt_insn - one decoded instruction
 * @word: its encoding
 * @flags: KPT_INSN_MEM and so on
 * @row: its row in arch/arm64/insn/decode_rows.h, for kpt_insn_name()
 * @verdict: enum kpt_insn_verdict
 * @sim: handler, private to simulate.c; valid if @verdict is KPT_INSN_SIMULATE
 * @reason: enum kpt_insn_reason, not NONE if @verdict is KPT_INSN_REFUSE
 * @bti: enum kpt_insn_bti. kpt_insn_decode() writes KPT_INSN_BTI_NONE; the
 *	caller, which knows the page and the CPU, corrects it before simulating.
 */
struct kpt_insn {
	u32 word;
	u32 flags;
	u16 row;
	u8 verdict;
	u8 sim;
	u8 reason;
	u8 bti;
};

void kpt_insn_decode(u32 word, struct kpt_insn *insn);
const char *kpt_insn_name(const struct kpt_insn *insn);
const char *kpt_insn_reason_text(unsigned int reason);
const char *kpt_insn_reason_name(unsigned int reason);
u64 kpt_insn_target(const struct kpt_insn *insn, u64 pc);
bool kpt_insn_falls_through(const struct kpt_insn *insn);
bool kpt_insn_simulate(const struct kpt_insn *insn, struct user_pt_regs *regs,
		       u64 pc);

/* How many instructions kpt_insn_relocate() may need for one. */
#define KPT_RELOCATED_MAX 6

unsigned int kpt_insn_relocate(const struct kpt_insn *insn, u64 pc, u64 at,
			       u32 words[KPT_RELOCATED_MAX]);
enum kpt_insn_reason kpt_insn_context(const u32 *text, size_t nr, size_t at,
				      size_t *culprit);

/* Words that share a mark of kpt_insn_mark_exclusive(). */
#define KPT_INSN_MARK_WORDS 4

void kpt_insn_mark_exclusive(const u32 *text, size_t nr, size_t from, size_t to,
			     u32 *marks);

/* Number of names that kpt_reg_name() knows: x0..x30, sp, pc, pstate. */
#define KPT_NR_REGS 34

int kpt_reg_by_name(const char *name, size_t len);
const char *kpt_reg_name(unsigned int reg);
u64 kpt_reg_get(const struct user_pt_regs *regs, unsigned int reg);

/**
 * kpt_arch_write_fpreg() - write a live SIMD&FP register
 * @reg: number of the register, 0 to 31
 * @value: the 128 bits of V<reg>, low half first; SVE bits above are zeroed
 *
 * The interrupted code owns the register, because it was about to load it. Defined
 * in arch/ for the kernel, and in the host tests.
 *
 * Context: BRK.
 */
void kpt_arch_write_fpreg(unsigned int reg, const u64 value[2]);

/* Is it a BRK with any immediate (Arm ARM C6.2)? */
static inline bool kpt_insn_is_brk(u32 word)
{
	return (word & 0xffe0001f) == 0xd4200000;
}

/* Is it a NOP? */
static inline bool kpt_insn_is_nop(u32 word)
{
	return word == 0xd503201f;
}

/* Is it an unconditional branch, B? */
static inline bool kpt_insn_is_b(u32 word)
{
	return (word & 0xfc000000) == 0x14000000;
}

/* Is it a call, BL? */
static inline bool kpt_insn_is_bl(u32 word)
{
	return (word & 0xfc000000) == 0x94000000;
}

#endif
