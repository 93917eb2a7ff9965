/* SPDX-License-Identifier: GPL-2.0-only */
/* The decoder's table and the simulator's handlers; private to arch/arm64. */
#ifndef KPT_ARM64_INSN_H
#define KPT_ARM64_INSN_H

#include "lib/base/port.h"
#include "insn/insn.h"

/* Simulation handlers, one case of kpt_insn_simulate() each. */
#define KPT_SIMS(X)                                                            \
	X(NOP)                                                                 \
	X(ADR)                                                                 \
	X(ADRP)                                                                \
	X(B)                                                                   \
	X(BL)                                                                  \
	X(B_COND)                                                              \
	X(CBZ)                                                                 \
	X(TBZ)                                                                 \
	X(CB_REG)                                                              \
	X(CB_BYTE)                                                             \
	X(CB_HALF)                                                             \
	X(CB_IMM)                                                              \
	X(BR)                                                                  \
	X(BLR)                                                                 \
	X(RET)                                                                 \
	X(LDR_LIT)                                                             \
	X(LDRSW_LIT)                                                           \
	X(LDR_LIT_FP)                                                          \
	X(MRS_DAIF)                                                            \
	X(MSR_DAIF)                                                            \
	X(MSR_DAIFSET)                                                         \
	X(MSR_DAIFCLR)

#define KPT_SIM_ENUM(code) KPT_SIM_##code,
enum kpt_sim {
	KPT_SIMS(KPT_SIM_ENUM)
	KPT_NR_SIMS
};
#undef KPT_SIM_ENUM

/**
 * enum kpt_row_kind - what a row of the table is
 * @KPT_ROW_INSN: an instruction, or a set of encodings with one answer
 * @KPT_ROW_GROUP: heading; for a word that does not match, the whole group is
 *	skipped
 * @KPT_ROW_END: end of a group; a word that no row of it matches is unallocated
 */
enum kpt_row_kind {
	KPT_ROW_INSN,
	KPT_ROW_GROUP,
	KPT_ROW_END,
};

/**
 * struct kpt_insn_row - one row of the decode table
 * @mask: the fixed bits
 * @value: their values
 * @flags: KPT_INSN_MEM and so on
 * @skip: index of the row to try next if this one does not match
 * @kind: enum kpt_row_kind
 * @verdict: enum kpt_insn_verdict
 * @arg: enum kpt_sim or enum kpt_insn_reason, depending on @verdict
 * @name: mnemonic, or the group's title in the manual. This and the next one are not in the
 *	module, where kpt_insn_name() has the mnemonics
 * @feat: the architecture feature that introduced it
 */
struct kpt_insn_row {
	u32 mask;
	u32 value;
	u32 flags : 21;
	u32 skip : 11;
	u8 kind;
	u8 verdict;
	u8 arg;
#if PORT_ON_HOST
	const char *name;
	const char *feat;
#endif
};

extern const struct kpt_insn_row kpt_insn_rows[];
extern const unsigned int kpt_insn_nr_rows;

/* PSTATE as saved in struct user_pt_regs (Arm ARM C5.2, SPSR_EL1). */
#define KPT_PSTATE_N BIT(31)
#define KPT_PSTATE_Z BIT(30)
#define KPT_PSTATE_C BIT(29)
#define KPT_PSTATE_V BIT(28)
#define KPT_PSTATE_BTYPE GENMASK(11, 10)
#define KPT_PSTATE_DAIF GENMASK(9, 6)

#endif
