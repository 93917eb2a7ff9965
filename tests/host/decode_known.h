/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions as an assembler encodes them, and what a probe may do with each:
 * word, verdict and reason, flags, the row's name. Included by test_decode.c.
 */
/* udf #0 */
	{ 0x00000000, REFUSE(UNDEFINED), KPT_INSN_STOP, "UDF" },
/* .inst 0x02000000 */
	{ 0x02000000, REFUSE(UNALLOCATED), 0, "unallocated" },
/* .inst 0xffffffff */
	{ 0xffffffff, REFUSE(UNALLOCATED), 0, "unallocated" },
/* .inst 0x12400000 */
	{ 0x12400000, REFUSE(UNALLOCATED), 0, "unallocated" },
/* adr x0, #4 */
	{ 0x10000020, SIMULATE, KPT_INSN_PC, "ADR" },
/* adrp x0, #4096 */
	{ 0xb0000000, SIMULATE, KPT_INSN_PC, "ADRP" },
/* add x0, x1, #1 */
	{ 0x91000420, STEP, 0, "ADD (immediate)" },
/* subs wzr, w1, #1 */
	{ 0x7100043f, STEP, 0, "SUBS (immediate)" },
/* addg x0, x1, #16, #1 */
	{ 0x91810420, STEP, 0, "ADDG" },
/* smax x0, x1, #1 */
	{ 0x91c00420, STEP, 0, "SMAX/UMAX/SMIN/UMIN (immediate)" },
/* ands x0, x1, #0xff */
	{ 0xf2401c20, STEP, 0, "ANDS (immediate)" },
/* movk x0, #1, lsl #16 */
	{ 0xf2a00020, STEP, 0, "MOVK" },
/* ubfm w0, w1, #1, #2 */
	{ 0x53010820, STEP, 0, "UBFM (32-bit)" },
/* extr x0, x1, x2, #3 */
	{ 0x93c20c20, STEP, 0, "EXTR (64-bit)" },
/* autiasppc #-4 */
	{ 0xf380003f, REFUSE(PAUTH_PC), KPT_INSN_PC | KPT_INSN_LR, "AUTIASPPC" },
/* b.eq #8 */
	{ 0x54000040, SIMULATE, KPT_INSN_PC | KPT_INSN_BRANCH | KPT_INSN_COND, "B.cond" },
/* bc.ne #8 */
	{ 0x54000051, SIMULATE, KPT_INSN_PC | KPT_INSN_BRANCH | KPT_INSN_COND, "BC.cond" },
/* retaasppc #-4 */
	{ 0x5500003f, REFUSE(PAUTH_PC), KPT_INSN_PC | KPT_INSN_RET, "RETAASPPC" },
/* svc #0 */
	{ 0xd4000001, REFUSE(EXCEPTION), 0, "SVC" },
/* hvc #0 */
	{ 0xd4000002, REFUSE(EXCEPTION), 0, "HVC" },
/* smc #0 */
	{ 0xd4000003, REFUSE(EXCEPTION), 0, "SMC" },
/* brk #0x800 */
	{ 0xd4210000, REFUSE(BREAKPOINT), 0, "BRK" },
/* hlt #0 */
	{ 0xd4400000, REFUSE(DEBUG_STATE), 0, "HLT" },
/* dcps1 */
	{ 0xd4a00001, REFUSE(DEBUG_STATE), 0, "DCPS1" },
/* .inst 0xd4600000 */
	{ 0xd4600000, REFUSE(TRANSACTION), 0, "TCANCEL" },
/* wfet x0 */
	{ 0xd5031000, SIMULATE, KPT_INSN_EVENT, "WFET" },
/* wfit x0 */
	{ 0xd5031020, REFUSE(WAIT), 0, "WFIT" },
/* nop */
	{ 0xd503201f, SIMULATE, 0, "NOP" },
/* yield */
	{ 0xd503203f, SIMULATE, 0, "YIELD" },
/* wfe */
	{ 0xd503205f, SIMULATE, KPT_INSN_EVENT, "WFE" },
/* wfi */
	{ 0xd503207f, REFUSE(WAIT), 0, "WFI" },
/* sev */
	{ 0xd503209f, STEP, 0, "SEV" },
/* esb */
	{ 0xd503221f, STEP, 0, "ESB" },
/* csdb */
	{ 0xd503229f, STEP, 0, "CSDB" },
/* xpaclri */
	{ 0xd50320ff, STEP, KPT_INSN_LR, "XPACLRI" },
/* paciasp */
	{ 0xd503233f, STEP, KPT_INSN_LR | KPT_INSN_LANDING, "PACIASP" },
/* autiasp */
	{ 0xd50323bf, STEP, KPT_INSN_LR, "AUTIASP" },
/* pacia1716 */
	{ 0xd503211f, STEP, 0, "PACIA1716" },
/* bti */
	{ 0xd503241f, STEP, 0, "BTI" },
/* bti c */
	{ 0xd503245f, STEP, KPT_INSN_LANDING, "BTI c" },
/* bti j */
	{ 0xd503249f, STEP, KPT_INSN_LANDING, "BTI j" },
/* pacm */
	{ 0xd50324ff, REFUSE(PAUTH_PC), KPT_INSN_PACM, "PACM" },
/* hint #99 */
	{ 0xd5032c7f, REFUSE(HINT_UNKNOWN), 0, "HINT" },
/* clrex */
	{ 0xd5033f5f, STEP, KPT_INSN_CLREX, "CLREX" },
/* dsb sy */
	{ 0xd5033f9f, STEP, 0, "DSB" },
/* dmb ish */
	{ 0xd5033bbf, STEP, 0, "DMB" },
/* isb */
	{ 0xd5033fdf, STEP, 0, "ISB" },
/* sb */
	{ 0xd50330ff, STEP, 0, "SB" },
/* dsb synxs */
	{ 0xd5033e3f, STEP, 0, "DSB nXS" },
/* .inst 0xd503307f */
	{ 0xd503307f, REFUSE(TRANSACTION), 0, "TCOMMIT" },
/* cfinv */
	{ 0xd500401f, STEP, 0, "CFINV" },
/* msr pan, #1 */
	{ 0xd500419f, STEP, 0, "MSR PAN (immediate)" },
/* msr uao, #1 */
	{ 0xd500417f, STEP, 0, "MSR UAO (immediate)" },
/* msr spsel, #1 */
	{ 0xd50041bf, REFUSE(STACK_SELECT), 0, "MSR SPSel (immediate)" },
/* msr allint, #1 */
	{ 0xd501411f, STEP, 0, "MSR ALLINT (immediate)" },
/* msr daifset, #2 */
	{ 0xd50342df, SIMULATE, 0, "MSR DAIFSet" },
/* msr daifclr, #15 */
	{ 0xd5034fff, SIMULATE, 0, "MSR DAIFClr" },
/* smstart */
	{ 0xd503477f, REFUSE(STREAMING), KPT_INSN_FP, "SMSTART/SMSTOP" },
/* smstop za */
	{ 0xd503447f, REFUSE(STREAMING), KPT_INSN_FP, "SMSTART/SMSTOP" },
/* .inst 0xd5233060 */
	{ 0xd5233060, REFUSE(TRANSACTION), 0, "TSTART" },
/* dc civac, x0 */
	{ 0xd50b7e20, STEP, KPT_INSN_MEM, "IC/DC" },
/* dc zva, x0 */
	{ 0xd50b7420, STEP, KPT_INSN_MEM, "IC/DC" },
/* ic ivau, x0 */
	{ 0xd50b7520, STEP, KPT_INSN_MEM, "IC/DC" },
/* at s1e1r, x0 */
	{ 0xd5087800, STEP, 0, "AT" },
/* tlbi vaae1is, x0 */
	{ 0xd5088360, STEP, 0, "TLBI" },
/* gcspushm x0 */
	{ 0xd50b7700, STEP, KPT_INSN_MEM, "GCSPUSHM/GCSSS1/GCSPUSHX/GCSPOPX/GCSPOPCX" },
/* sys #0, c15, c0, #0 */
	{ 0xd508f01f, REFUSE(SYS_UNKNOWN), 0, "SYS/SYSL" },
/* sysl x0, #0, c11, c0, #0 */
	{ 0xd528b000, REFUSE(SYS_UNKNOWN), 0, "SYS/SYSL" },
/* msr nzcv, x0 */
	{ 0xd51b4200, STEP, 0, "MSR NZCV" },
/* msr daif, x0 */
	{ 0xd51b4220, SIMULATE, 0, "MSR DAIF" },
/* msr fpcr, x0 */
	{ 0xd51b4400, STEP, KPT_INSN_FP, "MSR FPCR/FPSR" },
/* msr tpidr_el0, x0 */
	{ 0xd51bd040, STEP, 0, "MSR TPIDR_EL0" },
/* msr tpidr_el1, x0 */
	{ 0xd518d080, REFUSE(SYSREG), 0, "MSR" },
/* msr ttbr0_el1, x0 */
	{ 0xd5182000, REFUSE(SYSREG), 0, "MSR" },
/* msr sctlr_el1, x0 */
	{ 0xd5181000, REFUSE(SYSREG), 0, "MSR" },
/* msr sp_el0, x0 */
	{ 0xd5184100, REFUSE(SYSREG), 0, "MSR" },
/* msr vbar_el1, x0 */
	{ 0xd518c000, REFUSE(SYSREG), 0, "MSR" },
/* msr mdscr_el1, x0 */
	{ 0xd5100240, REFUSE(SYSREG), 0, "MSR" },
/* msr elr_el1, x0 */
	{ 0xd5184020, REFUSE(EXC_REG), 0, "MSR SPSR_ELx/ELR_ELx" },
/* msr spsr_el2, x0 */
	{ 0xd51c4000, REFUSE(EXC_REG), 0, "MSR SPSR_ELx/ELR_ELx" },
/* msr spsel, x0 */
	{ 0xd5184200, REFUSE(STACK_SELECT), 0, "MSR SPSel" },
/* msr cntv_cval_el0, x0 */
	{ 0xd51be340, STEP, 0, "MSR timers and event counters (EL0)" },
/* msr icc_eoir1_el1, x0 */
	{ 0xd518cc20, STEP, 0, "MSR GIC CPU interface (EL1)" },
/* mrs x0, daif */
	{ 0xd53b4220, SIMULATE, 0, "MRS DAIF" },
/* mrs x0, nzcv */
	{ 0xd53b4200, STEP, 0, "MRS" },
/* mrs x0, tpidr_el1 */
	{ 0xd538d080, STEP, 0, "MRS" },
/* mrs x0, sp_el0 */
	{ 0xd5384100, STEP, 0, "MRS" },
/* mrs x0, cntvct_el0 */
	{ 0xd53be040, STEP, 0, "MRS" },
/* mrs x0, currentel */
	{ 0xd5384240, STEP, 0, "MRS" },
/* mrs x0, esr_el1 */
	{ 0xd5385200, REFUSE(EXC_REG), 0, "MRS ESR_ELx" },
/* mrs x0, far_el2 */
	{ 0xd53c6000, REFUSE(EXC_REG), 0, "MRS FAR_ELx" },
/* mrs x0, elr_el1 */
	{ 0xd5384020, REFUSE(EXC_REG), 0, "MRS SPSR_ELx/ELR_ELx" },
/* mrs x0, elr_el12 */
	{ 0xd53d4020, STEP, 0, "MRS" },
/* tlbip vae1, x0, x1 */
	{ 0xd5488720, STEP, 0, "TLBIP" },
/* msrr ttbr0_el1, x0, x1 */
	{ 0xd5582000, REFUSE(SYSREG), 0, "MSRR" },
/* mrrs x0, x1, ttbr0_el1 */
	{ 0xd5782000, STEP, 0, "MRRS" },
/* br x0 */
	{ 0xd61f0000, SIMULATE, KPT_INSN_INDIRECT, "BR" },
/* blr x0 */
	{ 0xd63f0000, SIMULATE, KPT_INSN_INDIRECT | KPT_INSN_CALL | KPT_INSN_LR, "BLR" },
/* ret */
	{ 0xd65f03c0, SIMULATE, KPT_INSN_RET, "RET" },
/* ret x0 */
	{ 0xd65f0000, SIMULATE, KPT_INSN_RET, "RET" },
/* retaa */
	{ 0xd65f0bff, STEP, KPT_INSN_RET | KPT_INSN_LEAVES, "RETAA" },
/* retabsppcr x0 */
	{ 0xd65f0fe0, STEP, KPT_INSN_RET | KPT_INSN_LEAVES, "RETAASPPCR/RETABSPPCR" },
/* braa x0, x1 */
	{ 0xd71f0801, STEP, KPT_INSN_INDIRECT | KPT_INSN_LEAVES, "BRAA/BRAB" },
/* brabz x0 */
	{ 0xd61f0c1f, STEP, KPT_INSN_INDIRECT | KPT_INSN_LEAVES, "BRABZ" },
/* blraa x0, x1 */
	{ 0xd73f0801, REFUSE(PAUTH_CALL),
	  KPT_INSN_INDIRECT | KPT_INSN_CALL | KPT_INSN_LR, "BLRAA/BLRAB" },
/* blrabz x0 */
	{ 0xd63f0c1f, REFUSE(PAUTH_CALL),
	  KPT_INSN_INDIRECT | KPT_INSN_CALL | KPT_INSN_LR, "BLRAAZ/BLRABZ" },
/* eret */
	{ 0xd69f03e0, REFUSE(ERET), KPT_INSN_STOP, "ERET" },
/* eretaa */
	{ 0xd69f0bff, REFUSE(ERET), KPT_INSN_STOP, "ERETAA/ERETAB" },
/* drps */
	{ 0xd6bf03e0, REFUSE(DEBUG_STATE), KPT_INSN_STOP, "DRPS" },
/* b #4 */
	{ 0x14000001, SIMULATE, KPT_INSN_PC | KPT_INSN_BRANCH, "B" },
/* bl #4 */
	{ 0x94000001, SIMULATE,
	  KPT_INSN_PC | KPT_INSN_BRANCH | KPT_INSN_CALL | KPT_INSN_LR, "BL" },
/* cbz x0, #4 */
	{ 0xb4000020, SIMULATE, KPT_INSN_PC | KPT_INSN_BRANCH | KPT_INSN_COND, "CBZ" },
/* cbnz w0, #4 */
	{ 0x35000020, SIMULATE, KPT_INSN_PC | KPT_INSN_BRANCH | KPT_INSN_COND, "CBNZ" },
/* tbz x0, #33, #4 */
	{ 0xb6080020, SIMULATE, KPT_INSN_PC | KPT_INSN_BRANCH | KPT_INSN_COND, "TBZ" },
/* tbnz w0, #3, #4 */
	{ 0x37180020, SIMULATE, KPT_INSN_PC | KPT_INSN_BRANCH | KPT_INSN_COND, "TBNZ" },
/* cbgt x0, x1, #4 */
	{ 0xf4010020, SIMULATE,
	  KPT_INSN_PC | KPT_INSN_BRANCH | KPT_INSN_COND, "CB<cc> (register)" },
/* cbbhs w0, w1, #4 */
	{ 0x74618020, SIMULATE, KPT_INSN_PC | KPT_INSN_BRANCH | KPT_INSN_COND, "CBB<cc>" },
/* cbheq w0, w1, #4 */
	{ 0x74c1c020, SIMULATE, KPT_INSN_PC | KPT_INSN_BRANCH | KPT_INSN_COND, "CBH<cc>" },
/* cblo w0, #63, #4 */
	{ 0x757f8020, SIMULATE,
	  KPT_INSN_PC | KPT_INSN_BRANCH | KPT_INSN_COND, "CB<cc> (immediate)" },
/* ld1 {v0.8b}, [x0] */
	{ 0x0c407000, STEP, KPT_INSN_MEM | KPT_INSN_FP, "LD1/ST1 (three or one registers)" },
/* ld4 {v0.s, v1.s, v2.s, v3.s}[1], [x0], #16 */
	{ 0x0dffb000, STEP, KPT_INSN_MEM | KPT_INSN_FP, "LDn/STn (single, S, post-indexed)" },
/* stxr w0, x1, [x2] */
	{ 0xc8007c41, REFUSE(EXCLUSIVE), KPT_INSN_MEM | KPT_INSN_STX, "STXR" },
/* ldxr x0, [x1] */
	{ 0xc85f7c20, REFUSE(EXCLUSIVE), KPT_INSN_MEM | KPT_INSN_LDX, "LDXR" },
/* ldaxp x0, x1, [x2] */
	{ 0xc87f8440, REFUSE(EXCLUSIVE), KPT_INSN_MEM | KPT_INSN_LDX, "LDAXP" },
/* stlxp w0, x1, x2, [x3] */
	{ 0xc8208861, REFUSE(EXCLUSIVE), KPT_INSN_MEM | KPT_INSN_STX, "STLXP" },
/* ldtxr x0, [x1] */
	{ 0xc95f7c20, REFUSE(EXCLUSIVE), KPT_INSN_MEM | KPT_INSN_LDX, "LDTXR" },
/* sttxr w0, x1, [x2] */
	{ 0xc9007c41, REFUSE(EXCLUSIVE), KPT_INSN_MEM | KPT_INSN_STX, "STTXR" },
/* stlr x0, [x1] */
	{ 0xc89ffc20, STEP, KPT_INSN_MEM, "STLR" },
/* ldar w0, [x1] */
	{ 0x88dffc20, STEP, KPT_INSN_MEM, "LDAR" },
/* casal x0, x1, [x2] */
	{ 0xc8e0fc41, STEP, KPT_INSN_MEM, "CAS" },
/* casp x0, x1, x2, x3, [x4] */
	{ 0x48207c82, STEP, KPT_INSN_MEM, "CASP" },
/* stg x0, [x1] */
	{ 0xd9200820, STEP, KPT_INSN_MEM, "STG" },
/* ldgm x0, [x1] */
	{ 0xd9e00020, STEP, KPT_INSN_MEM, "LDGM" },
/* rcwcas x0, x1, [x2] */
	{ 0x19200841, STEP, KPT_INSN_MEM, "RCWCAS/RCWSCAS" },
/* swpp x0, x1, [x2] */
	{ 0x19218040, STEP, KPT_INSN_MEM, "SWPP" },
/* ldtadd x0, x1, [x2] */
	{ 0x59200441, STEP, KPT_INSN_MEM, "LDTADD" },
/* stlur x0, [x1, #1] */
	{ 0xd9001020, STEP, KPT_INSN_MEM, "STLUR/LDAPUR" },
/* ldapur q0, [x1, #1] */
	{ 0x1dc01820, STEP, KPT_INSN_MEM | KPT_INSN_FP, "STLUR/LDAPUR (SIMD&FP, 128-bit)" },
/* ldiapp x0, x1, [x2] */
	{ 0xd9411840, STEP, KPT_INSN_MEM, "STILP/LDIAPP" },
/* gcsstr x0, [x1] */
	{ 0xd91f0c20, STEP, KPT_INSN_MEM, "GCSSTR" },
/* cpyfp [x0]!, [x1]!, x2! */
	{ 0x19010440, REFUSE(MOPS), KPT_INSN_MEM | KPT_INSN_MOPS_P, "CPYFP" },
/* cpym [x0]!, [x1]!, x2! */
	{ 0x1d410440, REFUSE(MOPS), KPT_INSN_MEM | KPT_INSN_MOPS_M, "CPYM" },
/* sete [x0]!, x1!, x2 */
	{ 0x19c28420, REFUSE(MOPS), KPT_INSN_MEM | KPT_INSN_MOPS_E, "SETE/SETGE" },
/* setgp [x0]!, x1!, x2 */
	{ 0x1dc20420, REFUSE(MOPS), KPT_INSN_MEM | KPT_INSN_MOPS_P, "SETP/SETGP" },
/* ldr x0, #8 */
	{ 0x58000040, SIMULATE, KPT_INSN_PC | KPT_INSN_MEM, "LDR (literal)" },
/* ldr w0, #8 */
	{ 0x18000040, SIMULATE, KPT_INSN_PC | KPT_INSN_MEM, "LDR (literal)" },
/* ldrsw x0, #8 */
	{ 0x98000040, SIMULATE, KPT_INSN_PC | KPT_INSN_MEM, "LDRSW (literal)" },
/* ldr s0, #8 */
	{ 0x1c000040, SIMULATE,
	  KPT_INSN_PC | KPT_INSN_MEM | KPT_INSN_FP, "LDR (literal, SIMD&FP, 32 or 64 bits)" },
/* ldr q0, #16 */
	{ 0x9c000080, SIMULATE,
	  KPT_INSN_PC | KPT_INSN_MEM | KPT_INSN_FP, "LDR (literal, SIMD&FP, 128 bits)" },
/* prfm pldl1keep, #8 */
	{ 0xd8000040, SIMULATE, KPT_INSN_PC, "PRFM (literal)" },
/* stp x29, x30, [sp, #-16]! */
	{ 0xa9bf7bfd, STEP, KPT_INSN_MEM, "STP/LDP (offset, pre-indexed)" },
/* ldp q0, q1, [x0] */
	{ 0xad400400, STEP, KPT_INSN_MEM | KPT_INSN_FP, "STP/LDP (SIMD&FP); STTP/LDTP" },
/* ldpsw x0, x1, [x2] */
	{ 0x69400440, STEP, KPT_INSN_MEM, "LDPSW" },
/* stgp x0, x1, [x2] */
	{ 0x69000440, STEP, KPT_INSN_MEM, "STGP" },
/* ldtp x0, x1, [x2] */
	{ 0xe9400440, STEP, KPT_INSN_MEM, "STTP/LDTP/STTNP/LDTNP" },
/* ldur x0, [x1, #1] */
	{ 0xf8401020, STEP, KPT_INSN_MEM, "STUR/LDUR" },
/* str x0, [x1], #8 */
	{ 0xf8008420, STEP, KPT_INSN_MEM, "STR/LDR (post-indexed)" },
/* sttr w0, [x1] */
	{ 0xb8000820, STEP, KPT_INSN_MEM, "STTR/LDTR" },
/* ldrb w0, [x1, #1]! */
	{ 0x38401c20, STEP, KPT_INSN_MEM, "STR/LDR (pre-indexed)" },
/* ldr d0, [x1], #8 */
	{ 0xfc408420, STEP, KPT_INSN_MEM | KPT_INSN_FP, "STUR/STR/LDUR/LDR (SIMD&FP, indexed)" },
/* prfum pldl1keep, [x0, #1] */
	{ 0xf8801000, STEP, 0, "PRFUM" },
/* ldadd x0, x1, [x2] */
	{ 0xf8200041, STEP, KPT_INSN_MEM, "LDADD" },
/* swpal x0, x1, [x2] */
	{ 0xf8e08041, STEP, KPT_INSN_MEM, "SWP" },
/* ldapr x0, [x1] */
	{ 0xf8bfc020, STEP, KPT_INSN_MEM, "LDAPR" },
/* st64b x0, [x8] */
	{ 0xf83f9100, STEP, KPT_INSN_MEM, "ST64B" },
/* ldfadd d0, d1, [x2] */
	{ 0xfc200041, STEP, KPT_INSN_MEM | KPT_INSN_FP, "LDFADD/LDBFADD" },
/* ldr x0, [x1, x2, lsl #3] */
	{ 0xf8627820, STEP, KPT_INSN_MEM, "STR/LDR (register)" },
/* prfm pldl1keep, [x0, x1] */
	{ 0xf8a16800, STEP, 0, "PRFM (register)" },
/* ldraa x0, [x1] */
	{ 0xf8200420, STEP, KPT_INSN_MEM, "LDRAA/LDRAB" },
/* str x0, [x1, #8] */
	{ 0xf9000420, STEP, KPT_INSN_MEM, "STR/LDRSB/LDRSH/LDRSW (immediate)" },
/* ldrsw x0, [x1, #8] */
	{ 0xb9800820, STEP, KPT_INSN_MEM, "STR/LDRSB/LDRSH/LDRSW (immediate)" },
/* ldr q0, [x1, #16] */
	{ 0x3dc00420, STEP, KPT_INSN_MEM | KPT_INSN_FP, "STR/LDR (immediate, SIMD&FP, 128-bit)" },
/* prfm pldl1keep, [x0, #8] */
	{ 0xf9800400, STEP, 0, "PRFM (immediate)" },
/* udiv x0, x1, x2 */
	{ 0x9ac20820, STEP, 0, "UDIV" },
/* crc32cx w0, w1, x2 */
	{ 0x9ac25c20, STEP, 0, "CRC32X/CRC32CX" },
/* rbit x0, x1 */
	{ 0xdac00020, STEP, 0, "RBIT" },
/* ctz x0, x1 */
	{ 0xdac01820, STEP, 0, "CTZ" },
/* pacia x0, x1 */
	{ 0xdac10020, STEP, 0, "PACIA/PACIB/PACDA/PACDB" },
/* autdza x0 */
	{ 0xdac13be0, STEP, 0, "AUTIZA/AUTIZB/AUTDZA/AUTDZB" },
/* paciasppc */
	{ 0xdac1a3fe, REFUSE(PAUTH_PC),
	  KPT_INSN_PC | KPT_INSN_LR | KPT_INSN_LANDING, "PACIASPPC/PACIBSPPC" },
/* pacnbiasppc */
	{ 0xdac183fe, REFUSE(PAUTH_PC), KPT_INSN_PC | KPT_INSN_LR, "PACNBIASPPC/PACNBIBSPPC" },
/* autiasppcr x0 */
	{ 0xdac1901e, STEP, KPT_INSN_LR, "AUTIASPPCR/AUTIBSPPCR" },
/* bic x0, x1, x2, lsl #3 */
	{ 0x8a220c20, STEP, 0, "AND/BIC (shifted register)" },
/* add x0, x1, x2, lsl #3 */
	{ 0x8b020c20, STEP, 0, "ADD/SUB (shifted register)" },
/* subs x0, x1, w2, uxtw #2 */
	{ 0xeb224820, STEP, 0, "ADDS/SUBS (extended register)" },
/* adc x0, x1, x2 */
	{ 0x9a020020, STEP, 0, "ADC/SBC" },
/* rmif x0, #1, #2 */
	{ 0xba008402, STEP, 0, "RMIF" },
/* ccmp x0, #1, #2, eq */
	{ 0xfa410802, STEP, 0, "CCMN/CCMP (immediate)" },
/* csel x0, x1, x2, ne */
	{ 0x9a821020, STEP, 0, "CSEL/CSINC" },
/* madd x0, x1, x2, x3 */
	{ 0x9b020c20, STEP, KPT_INSN_MADD, "MADD/MSUB" },
/* umulh x0, x1, x2 */
	{ 0x9bc27c20, STEP, 0, "UMULH" },
/* aese v0.16b, v1.16b */
	{ 0x4e284820, STEP, KPT_INSN_FP, "AESE/AESD/AESMC/AESIMC" },
/* add d0, d1, d2 */
	{ 0x5ee28420, STEP, KPT_INSN_FP, "Advanced SIMD scalar three same" },
/* add v0.4s, v1.4s, v2.4s */
	{ 0x4ea28420, STEP, KPT_INSN_FP, "Advanced SIMD three same" },
/* movi v0.16b, #0 */
	{ 0x4f00e400, STEP, KPT_INSN_FP, "Advanced SIMD modified immediate" },
/* eor3 v0.16b, v1.16b, v2.16b, v3.16b */
	{ 0xce020c20, STEP, KPT_INSN_FP, "EOR3/BCAX" },
/* fmov x0, d0 */
	{ 0x9e660000, STEP, KPT_INSN_FP, "Floating-point conversion to/from integer" },
/* fadd d0, d1, d2 */
	{ 0x1e622820, STEP, KPT_INSN_FP, "Floating-point data-processing (2 source)" },
/* movprfx z0, z1 */
	{ 0x0420bc20, REFUSE(PREFIX), KPT_INSN_FP, "MOVPRFX (unpredicated)" },
/* movprfx z0.s, p0/m, z1.s */
	{ 0x04912020, REFUSE(PREFIX), KPT_INSN_FP, "MOVPRFX (predicated)" },
/* add z0.s, z1.s, z2.s */
	{ 0x04a20020, STEP, KPT_INSN_FP, "SVE integer add/subtract vectors (unpredicated)" },
/* rdvl x0, #1 */
	{ 0x04bf5020, STEP, KPT_INSN_FP, "SVE stack allocation" },
/* wrffr p0.b */
	{ 0x25289000, STEP, KPT_INSN_FP, "SVE predicate count, increment, write FFR" },
/* adr z0.s, [z1.s, z2.s] */
	{ 0x04a2a020, STEP, KPT_INSN_FP, "SVE address generation" },
/* ldr z0, [x0] */
	{ 0x85804000, STEP, KPT_INSN_MEM | KPT_INSN_FP, "LDR (predicate, vector)" },
/* str p0, [x0] */
	{ 0xe5800000, STEP, KPT_INSN_MEM | KPT_INSN_FP, "STR (predicate)" },
/* prfb pldl1keep, p0, [x0] */
	{ 0x85c00000, STEP, KPT_INSN_FP, "SVE contiguous prefetch" },
/* ld1w {z0.s}, p0/z, [x0] */
	{ 0xa540a000, STEP,
	  KPT_INSN_MEM | KPT_INSN_FP, "SVE contiguous load, non-fault (scalar plus immediate)" },
/* st1d {z0.d}, p0, [x0] */
	{ 0xe5e0e000, STEP, KPT_INSN_MEM | KPT_INSN_FP, "SVE store (scalar plus immediate)" },
/* fmopa za0.s, p0/m, p1/m, z0.s, z1.s */
	{ 0x80812000, STEP, KPT_INSN_FP, "SME outer product (floating-point, binary)" },
/* zero {za} */
	{ 0xc00800ff, STEP, KPT_INSN_FP, "SME move, add to array, zero, lookup table" },
/* ldr za[w12, 0], [x0] */
	{ 0xe1000000, STEP, KPT_INSN_MEM | KPT_INSN_FP, "LDR/STR (array vector)" },
/* ld1w {za0h.s[w12, 0]}, p0/z, [x0] */
	{ 0xe09f0000, STEP, KPT_INSN_MEM | KPT_INSN_FP, "LD1/ST1 (tile slice)" },
