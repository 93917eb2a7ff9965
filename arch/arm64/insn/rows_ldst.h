/* SPDX-License-Identifier: GPL-2.0-only */
/* Loads and stores. See decode_rows.h. */

GROUP(LDST, xxxx,1x0x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Loads and Stores")

GROUP(LDST_00, xx00,1x0x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx,
      "Structures, exclusive, ordered, compare and swap")

GROUP(SIMD_LDST, 0x00,110x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Advanced SIMD load/store structures")
/* Multiple structures: opcode in bits 15:12, L in bit 22, size 11 needs Q. */
HOLE(0000,1100,xxxx,xxxx,0x00,11xx,xxxx,xxxx)
HOLE(0000,1100,xxxx,xxxx,1000,11xx,xxxx,xxxx)
ROW(0x00,1100,0x00,0000,0000,xxxx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LD4/ST4 (multiple structures)")
ROW(0x00,1100,0x00,0000,0010,xxxx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD, "LD1/ST1 (four registers)")
ROW(0x00,1100,0x00,0000,0100,xxxx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LD3/ST3 (multiple structures)")
ROW(0x00,1100,0x00,0000,011x,xxxx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LD1/ST1 (three or one registers)")
ROW(0x00,1100,0x00,0000,1000,xxxx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LD2/ST2 (multiple structures)")
ROW(0x00,1100,0x00,0000,1010,xxxx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD, "LD1/ST1 (two registers)")
ROW(0x00,1100,1x0x,xxxx,0000,xxxx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LD4/ST4 (multiple, post-indexed)")
ROW(0x00,1100,1x0x,xxxx,0010,xxxx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LD1/ST1 (four, post-indexed)")
ROW(0x00,1100,1x0x,xxxx,0100,xxxx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LD3/ST3 (multiple, post-indexed)")
ROW(0x00,1100,1x0x,xxxx,011x,xxxx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LD1/ST1 (three or one, post-indexed)")
ROW(0x00,1100,1x0x,xxxx,1000,xxxx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LD2/ST2 (multiple, post-indexed)")
ROW(0x00,1100,1x0x,xxxx,1010,xxxx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD, "LD1/ST1 (two, post-indexed)")
/* Single structure: opcode in bits 15:13, R in bit 21, L in bit 22. */
ROW(0x00,1101,0xx0,0000,00xx,xxxx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LDn/STn (single structure, B)")
ROW(0x00,1101,0xx0,0000,01xx,x0xx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LDn/STn (single structure, H)")
ROW(0x00,1101,0xx0,0000,10xx,00xx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LDn/STn (single structure, S)")
ROW(0x00,1101,0xx0,0000,10x0,01xx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LDn/STn (single structure, D)")
ROW(0x00,1101,01x0,0000,11x0,xxxx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD, "LDnR")
ROW(0x00,1101,0x00,0001,1000,01xx,xxxx,xxxx, STEP, MEM | FP, LRCPC3, "LDAP1/STL1")
ROW(0x00,1101,1xxx,xxxx,00xx,xxxx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LDn/STn (single, B, post-indexed)")
ROW(0x00,1101,1xxx,xxxx,01xx,x0xx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LDn/STn (single, H, post-indexed)")
ROW(0x00,1101,1xxx,xxxx,10xx,00xx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LDn/STn (single, S, post-indexed)")
ROW(0x00,1101,1xxx,xxxx,10x0,01xx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD,
    "LDn/STn (single, D, post-indexed)")
ROW(0x00,1101,11xx,xxxx,11x0,xxxx,xxxx,xxxx, STEP, MEM | FP, AdvSIMD, "LDnR (post-indexed)")
END(SIMD_LDST)

/* o2 is bit 23, L bit 22, o1 bit 21. */
GROUP(EXCLUSIVE, xx00,1000,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx,
      "Load/store exclusive, ordered, compare and swap")
ROW(xx00,1000,000x,xxxx,0xxx,xxxx,xxxx,xxxx, NO(EXCLUSIVE), MEM | STX, BASE, "STXR")
ROW(xx00,1000,000x,xxxx,1xxx,xxxx,xxxx,xxxx, NO(EXCLUSIVE), MEM | STX, BASE, "STLXR")
ROW(xx00,1000,010x,xxxx,0xxx,xxxx,xxxx,xxxx, NO(EXCLUSIVE), MEM | LDX, BASE, "LDXR")
ROW(xx00,1000,010x,xxxx,1xxx,xxxx,xxxx,xxxx, NO(EXCLUSIVE), MEM | LDX, BASE, "LDAXR")
ROW(1x00,1000,001x,xxxx,0xxx,xxxx,xxxx,xxxx, NO(EXCLUSIVE), MEM | STX, BASE, "STXP")
ROW(1x00,1000,001x,xxxx,1xxx,xxxx,xxxx,xxxx, NO(EXCLUSIVE), MEM | STX, BASE, "STLXP")
ROW(1x00,1000,011x,xxxx,0xxx,xxxx,xxxx,xxxx, NO(EXCLUSIVE), MEM | LDX, BASE, "LDXP")
ROW(1x00,1000,011x,xxxx,1xxx,xxxx,xxxx,xxxx, NO(EXCLUSIVE), MEM | LDX, BASE, "LDAXP")
ROW(xx00,1000,100x,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, MEM, LOR, "STLLR")
ROW(xx00,1000,100x,xxxx,1xxx,xxxx,xxxx,xxxx, STEP, MEM, BASE, "STLR")
ROW(xx00,1000,110x,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, MEM, LOR, "LDLAR")
ROW(xx00,1000,110x,xxxx,1xxx,xxxx,xxxx,xxxx, STEP, MEM, BASE, "LDAR")
ROW(0x00,1000,0x1x,xxx0,x111,11xx,xxxx,xxx0, STEP, MEM, LSE, "CASP")
ROW(xx00,1000,1x1x,xxxx,x111,11xx,xxxx,xxxx, STEP, MEM, LSE, "CAS")
END(EXCLUSIVE)

GROUP(UNPRIV_EXCLUSIVE, xx00,1001,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx,
      "Unprivileged load/store exclusive, compare and swap")
ROW(1x00,1001,000x,xxxx,0xxx,xxxx,xxxx,xxxx, NO(EXCLUSIVE), MEM | STX, LSUI, "STTXR")
ROW(1x00,1001,000x,xxxx,1xxx,xxxx,xxxx,xxxx, NO(EXCLUSIVE), MEM | STX, LSUI, "STLTXR")
ROW(1x00,1001,010x,xxxx,0xxx,xxxx,xxxx,xxxx, NO(EXCLUSIVE), MEM | LDX, LSUI, "LDTXR")
ROW(1x00,1001,010x,xxxx,1xxx,xxxx,xxxx,xxxx, NO(EXCLUSIVE), MEM | LDX, LSUI, "LDATXR")
ROW(0100,1001,1x0x,xxx0,xxxx,xxxx,xxxx,xxx0, STEP, MEM, LSUI, "CASPT")
ROW(1100,1001,1x0x,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM, LSUI, "CAST")
END(UNPRIV_EXCLUSIVE)

END(LDST_00)

GROUP(LDST_01, xx01,1x0x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx,
      "Literals, tags, RCpc, copy and set")

/* RCW: read, check, write. Pairs of 64 bits, and 128-bit atomics. */
GROUP(RCW, xx01,1001,xx1x,xxxx,xxxx,xxxx,xxxx,xxxx,
      "Memory tags, 128-bit atomics, RCW and unprivileged atomics")
ROW(1101,1001,0010,0000,0000,00xx,xxxx,xxxx, STEP, MEM, MTE2, "STZGM")
ROW(1101,1001,1010,0000,0000,00xx,xxxx,xxxx, STEP, MEM, MTE2, "STGM")
ROW(1101,1001,1110,0000,0000,00xx,xxxx,xxxx, STEP, MEM, MTE2, "LDGM")
ROW(1101,1001,011x,xxxx,xxxx,00xx,xxxx,xxxx, STEP, MEM, MTE, "LDG")
ROW(1101,1001,001x,xxxx,xxxx,01xx,xxxx,xxxx, STEP, MEM, MTE, "STG (post-indexed)")
ROW(1101,1001,001x,xxxx,xxxx,1xxx,xxxx,xxxx, STEP, MEM, MTE, "STG")
ROW(1101,1001,011x,xxxx,xxxx,01xx,xxxx,xxxx, STEP, MEM, MTE, "STZG (post-indexed)")
ROW(1101,1001,011x,xxxx,xxxx,1xxx,xxxx,xxxx, STEP, MEM, MTE, "STZG")
ROW(1101,1001,101x,xxxx,xxxx,01xx,xxxx,xxxx, STEP, MEM, MTE, "ST2G (post-indexed)")
ROW(1101,1001,101x,xxxx,xxxx,1xxx,xxxx,xxxx, STEP, MEM, MTE, "ST2G")
ROW(1101,1001,111x,xxxx,xxxx,01xx,xxxx,xxxx, STEP, MEM, MTE, "STZ2G (post-indexed)")
ROW(1101,1001,111x,xxxx,xxxx,1xxx,xxxx,xxxx, STEP, MEM, MTE, "STZ2G")
ROW(0x01,1001,xx1x,xxxx,0000,10xx,xxxx,xxxx, STEP, MEM, THE, "RCWCAS/RCWSCAS")
ROW(0x01,1001,xx1x,xxx0,0000,11xx,xxxx,xxx0, STEP, MEM, THE, "RCWCASP/RCWSCASP")
/* Encodings with register 31 are unallocated: they would be XZR. */
HOLE(0x01,1001,xx1x,xxxx,xxxx,00xx,xxx1,1111)
HOLE(0x01,1001,xx11,1111,xxxx,00xx,xxxx,xxxx)
ROW(0001,1001,xx1x,xxxx,0001,00xx,xxxx,xxxx, STEP, MEM, LSE128, "LDCLRP")
ROW(0001,1001,xx1x,xxxx,0011,00xx,xxxx,xxxx, STEP, MEM, LSE128, "LDSETP")
ROW(0001,1001,xx1x,xxxx,1000,00xx,xxxx,xxxx, STEP, MEM, LSE128, "SWPP")
ROW(0x01,1001,xx1x,xxxx,1001,00xx,xxxx,xxxx, STEP, MEM, D128, "RCWCLRP/RCWSCLRP")
ROW(0x01,1001,xx1x,xxxx,1010,00xx,xxxx,xxxx, STEP, MEM, D128, "RCWSWPP/RCWSSWPP")
ROW(0x01,1001,xx1x,xxxx,1011,00xx,xxxx,xxxx, STEP, MEM, D128, "RCWSETP/RCWSSETP")
ROW(0x01,1001,xx1x,xxxx,0000,01xx,xxxx,xxxx, STEP, MEM, LSUI, "LDTADD")
ROW(0x01,1001,xx1x,xxxx,0001,01xx,xxxx,xxxx, STEP, MEM, LSUI, "LDTCLR")
ROW(0x01,1001,xx1x,xxxx,0011,01xx,xxxx,xxxx, STEP, MEM, LSUI, "LDTSET")
ROW(0x01,1001,xx1x,xxxx,1000,01xx,xxxx,xxxx, STEP, MEM, LSUI, "SWPT")
END(RCW)

GROUP(RCPC, xx01,1x01,xx0x,xxxx,xxxx,x0xx,xxxx,xxxx, "LDAPR/STLR, ordered pairs")
ROW(xx01,1001,0x0x,xxxx,xxxx,00xx,xxxx,xxxx, STEP, MEM, LRCPC2, "STLUR/LDAPUR")
HOLE(1101,1001,1x0x,xxxx,xxxx,00xx,xxxx,xxxx)
HOLE(1001,1001,110x,xxxx,xxxx,00xx,xxxx,xxxx)
ROW(xx01,1001,1x0x,xxxx,xxxx,00xx,xxxx,xxxx, STEP, MEM, LRCPC2, "LDAPURSB/LDAPURSH/LDAPURSW")
ROW(xx01,1101,0x0x,xxxx,xxxx,10xx,xxxx,xxxx, STEP, MEM | FP, LRCPC3, "STLUR/LDAPUR (SIMD&FP)")
ROW(0001,1101,1x0x,xxxx,xxxx,10xx,xxxx,xxxx, STEP, MEM | FP, LRCPC3,
    "STLUR/LDAPUR (SIMD&FP, 128-bit)")
ROW(1x01,1001,0x0x,xxxx,000x,10xx,xxxx,xxxx, STEP, MEM, LRCPC3, "STILP/LDIAPP")
ROW(1101,1001,0x0x,xxxx,0101,10xx,xxxx,xxxx, STEP, MEM, LSCP, "STLP/LDAP")
ROW(1101,1001,010x,xxxx,0111,10xx,xxxx,xxxx, STEP, MEM, LSCP, "LDAPP")
ROW(1x01,1001,1x00,0000,0000,10xx,xxxx,xxxx, STEP, MEM, LRCPC3,
    "STLR (pre-indexed)/LDAPR (post-indexed)")
/* SETGO has no size register; bits 15:14 select P, M or E. */
ROW(0001,1101,1101,1111,00xx,00xx,xxxx,xxxx, NO(MOPS), MEM | MOPS_P, MOPS_GO, "SETGOP")
ROW(0001,1101,1101,1111,01xx,00xx,xxxx,xxxx, NO(MOPS), MEM | MOPS_M, MOPS_GO, "SETGOM")
ROW(0001,1101,1101,1111,10xx,00xx,xxxx,xxxx, NO(MOPS), MEM | MOPS_E, MOPS_GO, "SETGOE")
END(RCPC)

GROUP(GCS_LDST, 1101,1001,0001,1111,xxxx,11xx,xxxx,xxxx, "Guarded control stack store")
ROW(1101,1001,0001,1111,0000,11xx,xxxx,xxxx, STEP, MEM, GCS, "GCSSTR")
ROW(1101,1001,0001,1111,0001,11xx,xxxx,xxxx, STEP, MEM, GCS, "GCSSTTR")
END(GCS_LDST)

/* Bit 26 clear: CPYF, SET; set: CPY, SETG. */
GROUP(MOPS, 0001,1x01,xx0x,xxxx,xxxx,01xx,xxxx,xxxx, "Memory Copy and Memory Set")
ROW(0001,1001,000x,xxxx,xxxx,01xx,xxxx,xxxx, NO(MOPS), MEM | MOPS_P, MOPS, "CPYFP")
ROW(0001,1001,010x,xxxx,xxxx,01xx,xxxx,xxxx, NO(MOPS), MEM | MOPS_M, MOPS, "CPYFM")
ROW(0001,1001,100x,xxxx,xxxx,01xx,xxxx,xxxx, NO(MOPS), MEM | MOPS_E, MOPS, "CPYFE")
ROW(0001,1101,000x,xxxx,xxxx,01xx,xxxx,xxxx, NO(MOPS), MEM | MOPS_P, MOPS, "CPYP")
ROW(0001,1101,010x,xxxx,xxxx,01xx,xxxx,xxxx, NO(MOPS), MEM | MOPS_M, MOPS, "CPYM")
ROW(0001,1101,100x,xxxx,xxxx,01xx,xxxx,xxxx, NO(MOPS), MEM | MOPS_E, MOPS, "CPYE")
ROW(0001,1x01,110x,xxxx,00xx,01xx,xxxx,xxxx, NO(MOPS), MEM | MOPS_P, MOPS, "SETP/SETGP")
ROW(0001,1x01,110x,xxxx,01xx,01xx,xxxx,xxxx, NO(MOPS), MEM | MOPS_M, MOPS, "SETM/SETGM")
ROW(0001,1x01,110x,xxxx,10xx,01xx,xxxx,xxxx, NO(MOPS), MEM | MOPS_E, MOPS, "SETE/SETGE")
END(MOPS)

GROUP(LITERAL, xx01,1x00,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Load register (literal)")
ROW(0x01,1000,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, SIM(LDR_LIT), PC | MEM, BASE, "LDR (literal)")
ROW(1001,1000,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, SIM(LDRSW_LIT), PC | MEM, BASE, "LDRSW (literal)")
/* A prefetch is a hint: it changes nothing that a program can see. */
ROW(1101,1000,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, SIM(NOP), PC, BASE, "PRFM (literal)")
ROW(0x01,1100,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, SIM(LDR_LIT_FP), PC | MEM | FP, FP,
    "LDR (literal, SIMD&FP, 32 or 64 bits)")
ROW(1001,1100,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, SIM(LDR_LIT_FP), PC | MEM | FP, FP,
    "LDR (literal, SIMD&FP, 128 bits)")
END(LITERAL)

END(LDST_01)

/* opc 11 are the unprivileged pairs; bits 24:23 are the addressing mode. */
GROUP(PAIR, xx10,1x0x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Load/store pair")
ROW(x010,1000,0xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM, BASE, "STNP/LDNP")
ROW(xx10,1100,0xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM | FP, FP, "STNP/LDNP (SIMD&FP); STTNP/LDTNP")
ROW(x010,1000,1xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM, BASE, "STP/LDP (post-indexed)")
ROW(x010,1001,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM, BASE, "STP/LDP (offset, pre-indexed)")
ROW(xx10,1100,1xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM | FP, FP,
    "STP/LDP (SIMD&FP, post-indexed); STTP/LDTP")
ROW(xx10,1101,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM | FP, FP, "STP/LDP (SIMD&FP); STTP/LDTP")
ROW(0110,1000,11xx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM, BASE, "LDPSW (post-indexed)")
ROW(0110,1001,x1xx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM, BASE, "LDPSW")
ROW(0110,1000,10xx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM, MTE, "STGP (post-indexed)")
ROW(0110,1001,x0xx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM, MTE, "STGP")
ROW(1110,100x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM, LSUI, "STTP/LDTP/STTNP/LDTNP")
END(PAIR)

GROUP(LDST_11, xx11,1x0x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx,
      "Load/store register, atomics")

/* size is bits 31:30, opc bits 23:22; bits 11:10 are the addressing mode. */
GROUP(REG_IMM9, xx11,1x00,xx0x,xxxx,xxxx,xxxx,xxxx,xxxx,
      "Load/store register (unscaled, post-indexed, unprivileged, pre-indexed)")
ROW(1111,1000,100x,xxxx,xxxx,00xx,xxxx,xxxx, STEP, 0, BASE, "PRFUM")
HOLE(1x11,1000,110x,xxxx,xxxx,xxxx,xxxx,xxxx)
HOLE(1111,1000,100x,xxxx,xxxx,xxxx,xxxx,xxxx)
ROW(xx11,1000,xx0x,xxxx,xxxx,00xx,xxxx,xxxx, STEP, MEM, BASE, "STUR/LDUR")
ROW(xx11,1000,xx0x,xxxx,xxxx,01xx,xxxx,xxxx, STEP, MEM, BASE, "STR/LDR (post-indexed)")
ROW(xx11,1000,xx0x,xxxx,xxxx,10xx,xxxx,xxxx, STEP, MEM, BASE, "STTR/LDTR")
ROW(xx11,1000,xx0x,xxxx,xxxx,11xx,xxxx,xxxx, STEP, MEM, BASE, "STR/LDR (pre-indexed)")
HOLE(xx11,1100,xx0x,xxxx,xxxx,10xx,xxxx,xxxx)
ROW(xx11,1100,0x0x,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM | FP, FP,
    "STUR/STR/LDUR/LDR (SIMD&FP, indexed)")
ROW(0011,1100,1x0x,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM | FP, FP,
    "STUR/STR/LDUR/LDR (SIMD&FP, 128-bit, indexed)")
END(REG_IMM9)

/* A, R: bits 23:22; o3: bit 15; opc: bits 14:12. */
GROUP(ATOMIC, xx11,1x00,xx1x,xxxx,xxxx,00xx,xxxx,xxxx, "Atomic memory operations")
ROW(xx11,1000,xx1x,xxxx,0000,00xx,xxxx,xxxx, STEP, MEM, LSE, "LDADD")
ROW(xx11,1000,xx1x,xxxx,0001,00xx,xxxx,xxxx, STEP, MEM, LSE, "LDCLR")
ROW(xx11,1000,xx1x,xxxx,0010,00xx,xxxx,xxxx, STEP, MEM, LSE, "LDEOR")
ROW(xx11,1000,xx1x,xxxx,0011,00xx,xxxx,xxxx, STEP, MEM, LSE, "LDSET")
ROW(xx11,1000,xx1x,xxxx,01xx,00xx,xxxx,xxxx, STEP, MEM, LSE, "LDSMAX/LDSMIN/LDUMAX/LDUMIN")
ROW(xx11,1000,xx1x,xxxx,1000,00xx,xxxx,xxxx, STEP, MEM, LSE, "SWP")
ROW(0x11,1000,xx1x,xxxx,1001,00xx,xxxx,xxxx, STEP, MEM, THE, "RCWCLR/RCWSCLR")
ROW(0x11,1000,xx1x,xxxx,1010,00xx,xxxx,xxxx, STEP, MEM, THE, "RCWSWP/RCWSSWP")
ROW(0x11,1000,xx1x,xxxx,1011,00xx,xxxx,xxxx, STEP, MEM, THE, "RCWSET/RCWSSET")
ROW(xx11,1000,1011,1111,1100,00xx,xxxx,xxxx, STEP, MEM, LRCPC, "LDAPR")
/* 64 bytes from or to eight registers, Rt an even one below 24. */
HOLE(1111,1000,001x,xxxx,1x01,00xx,xxx1,1xxx)
HOLE(1111,1000,001x,xxxx,101x,00xx,xxx1,1xxx)
ROW(1111,1000,0011,1111,1001,00xx,xxxx,xxx0, STEP, MEM, LS64, "ST64B")
ROW(1111,1000,001x,xxxx,1010,00xx,xxxx,xxx0, STEP, MEM, LS64_ACCDATA, "ST64BV0")
ROW(1111,1000,001x,xxxx,1011,00xx,xxxx,xxx0, STEP, MEM, LS64_V, "ST64BV")
ROW(1111,1000,0011,1111,1101,00xx,xxxx,xxx0, STEP, MEM, LS64, "LD64B")
ROW(xx11,1100,xx1x,xxxx,0000,00xx,xxxx,xxxx, STEP, MEM | FP, LSFE, "LDFADD/LDBFADD")
ROW(xx11,1100,xx1x,xxxx,01xx,00xx,xxxx,xxxx, STEP, MEM | FP, LSFE,
    "LDFMAX/LDFMIN/LDFMAXNM/LDFMINNM")
ROW(xx11,1100,0x1x,xxxx,1000,00xx,xxx1,1111, STEP, MEM | FP, LSFE, "STFADD/STBFADD")
ROW(xx11,1100,0x1x,xxxx,11xx,00xx,xxx1,1111, STEP, MEM | FP, LSFE,
    "STFMAX/STFMIN/STFMAXNM/STFMINNM")
END(ATOMIC)

/* option, bits 15:13, is UXTW, LSL, SXTW or SXTX: bit 14 is set. */
GROUP(REG_OFFSET, xx11,1x00,xx1x,xxxx,xxxx,10xx,xxxx,xxxx, "Load/store register (register offset)")
ROW(1111,1000,101x,xxxx,x1xx,10xx,xxx1,1xxx, STEP, 0, RPRFM, "RPRFM")
ROW(1111,1000,101x,xxxx,x1xx,10xx,xxxx,xxxx, STEP, 0, BASE, "PRFM (register)")
HOLE(1x11,1000,111x,xxxx,xxxx,10xx,xxxx,xxxx)
ROW(xx11,1000,xx1x,xxxx,x1xx,10xx,xxxx,xxxx, STEP, MEM, BASE, "STR/LDR (register)")
ROW(xx11,1100,0x1x,xxxx,x1xx,10xx,xxxx,xxxx, STEP, MEM | FP, FP, "STR/LDR (register, SIMD&FP)")
ROW(0011,1100,1x1x,xxxx,x1xx,10xx,xxxx,xxxx, STEP, MEM | FP, FP,
    "STR/LDR (register, SIMD&FP, 128-bit)")
END(REG_OFFSET)

GROUP(PAC_LOAD, xx11,1000,xx1x,xxxx,xxxx,x1xx,xxxx,xxxx, "Load register (pac)")
ROW(1111,1000,xx1x,xxxx,xxxx,x1xx,xxxx,xxxx, STEP, MEM, PAuth, "LDRAA/LDRAB")
END(PAC_LOAD)

GROUP(REG_UIMM, xx11,1x01,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Load/store register (unsigned immediate)")
ROW(1111,1001,10xx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "PRFM (immediate)")
HOLE(1x11,1001,11xx,xxxx,xxxx,xxxx,xxxx,xxxx)
ROW(xx11,1001,x0xx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM, BASE, "STR/LDRSB/LDRSH/LDRSW (immediate)")
ROW(xx11,1001,x1xx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM, BASE, "LDR/LDRSB/LDRSH (immediate)")
ROW(xx11,1101,0xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM | FP, FP, "STR/LDR (immediate, SIMD&FP)")
ROW(0011,1101,1xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM | FP, FP,
    "STR/LDR (immediate, SIMD&FP, 128-bit)")
END(REG_UIMM)

END(LDST_11)

END(LDST)
