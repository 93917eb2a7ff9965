/* SPDX-License-Identifier: GPL-2.0-only */
/* SVE and SVE2. See decode_rows.h. */

GROUP(SVE, xxx0,010x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "SVE encodings")

GROUP(SVE_INT, 0000,0100,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "SVE integer and bitwise")
/* The instruction after a MOVPRFX must be one that it can prefix, or a BRK. */
ROW(0000,0100,xx01,000x,001x,xxxx,xxxx,xxxx, NO(PREFIX), FP, SVE, "MOVPRFX (predicated)")
ROW(0000,0100,0010,0000,1011,11xx,xxxx,xxxx, NO(PREFIX), FP, SVE, "MOVPRFX (unpredicated)")
ROW(0000,0100,xx0x,xxxx,000x,xxxx,xxxx,xxxx, STEP, FP, SVE,
    "SVE integer binary arithmetic - predicated")
ROW(0000,0100,xx0x,xxxx,001x,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE integer reduction")
ROW(0000,0100,xx0x,xxxx,x1xx,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE integer multiply-add - predicated")
ROW(0000,0100,xx0x,xxxx,100x,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE bitwise shift - predicated")
ROW(0000,0100,xx0x,xxxx,101x,xxxx,xxxx,xxxx, STEP, FP, SVE,
    "SVE integer unary arithmetic - predicated")
ROW(0000,0100,xx1x,xxxx,000x,xxxx,xxxx,xxxx, STEP, FP, SVE,
    "SVE integer add/subtract vectors (unpredicated)")
ROW(0000,0100,xx1x,xxxx,0011,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE bitwise logical - unpredicated")
ROW(0000,0100,xx1x,xxxx,0100,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE index generation")
ROW(0000,0100,xx1x,xxxx,0101,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE stack allocation")
ROW(0000,0100,xx1x,xxxx,011x,xxxx,xxxx,xxxx, STEP, FP, SVE2, "SVE2 integer multiply - unpredicated")
ROW(0000,0100,xx1x,xxxx,100x,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE bitwise shift - unpredicated")
/* ADR (vectors) adds to a base register: its result does not depend on the PC. */
ROW(0000,0100,xx1x,xxxx,1010,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE address generation")
ROW(0000,0100,xx1x,xxxx,1011,0xxx,xxxx,xxxx, STEP, FP, SVE, "FTSSEL")
ROW(0000,0100,xx10,0000,1011,10xx,xxxx,xxxx, STEP, FP, SVE, "FEXPA")
ROW(0000,0100,xx1x,xxxx,11xx,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE element count")
END(SVE_INT)

GROUP(SVE_PERM, 0000,0101,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "SVE immediates, permute, select")
ROW(0000,0101,xx00,00xx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE bitwise immediate")
ROW(0000,0101,xx01,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, FP, SVE,
    "SVE copy integer immediate (predicated)")
ROW(0000,0101,xx01,xxxx,110x,xxxx,xxxx,xxxx, STEP, FP, SVE, "FCPY")
ROW(0000,0101,xx1x,xxxx,000x,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE extract, permute vector segments")
ROW(0000,0101,xx1x,xxxx,001x,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE permute vector - unpredicated")
ROW(0000,0101,xx1x,xxxx,010x,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE permute predicate")
ROW(0000,0101,xx1x,xxxx,011x,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE permute vector - interleaving")
ROW(0000,0101,xx1x,xxxx,10xx,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE permute vector - predicated")
ROW(0000,0101,xx1x,xxxx,11xx,xxxx,xxxx,xxxx, STEP, FP, SVE, "SEL (vectors)")
END(SVE_PERM)

GROUP(SVE_PRED, 0010,010x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx,
      "SVE compare, predicate, count, wide immediate")
ROW(0010,0100,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE integer compare")
ROW(0010,0101,xx0x,xxxx,x0xx,xxxx,xxxx,xxxx, STEP, FP, SVE,
    "SVE integer compare with signed immediate")
ROW(0010,0101,xx0x,xxxx,01xx,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE predicate logical operations")
ROW(0010,0101,xx0x,xxxx,11xx,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE propagate break, predicate misc")
ROW(0010,0101,xx1x,xxxx,00xx,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE integer compare scalars")
ROW(0010,0101,xx1x,xxxx,01xx,xxxx,xxxx,xxxx, STEP, FP, SVE2p1,
    "SVE while, predicate pair and counter, PSEL")
ROW(0010,0101,xx1x,xxxx,10xx,xxxx,xxxx,xxxx, STEP, FP, SVE,
    "SVE predicate count, increment, write FFR")
ROW(0010,0101,xx1x,xxxx,11xx,xxxx,xxxx,xxxx, STEP, FP, SVE,
    "SVE integer wide immediate - unpredicated")
END(SVE_PRED)

GROUP(SVE_MLA, 0100,010x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "SVE multiply-add, SVE2 integer, crypto")
ROW(0100,0100,xx0x,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, FP, SVE2,
    "SVE integer multiply-add - unpredicated")
ROW(0100,0100,xx0x,xxxx,10xx,xxxx,xxxx,xxxx, STEP, FP, SVE2, "SVE2 integer - predicated")
ROW(0100,0100,xx0x,xxxx,11xx,xxxx,xxxx,xxxx, STEP, FP, SVE2p1,
    "SVE clamp, dot product, quadword permute")
ROW(0100,0100,xx1x,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE multiply - indexed")
ROW(0100,0101,xx0x,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, FP, SVE2, "SVE2 widening integer arithmetic")
ROW(0100,0101,xx0x,xxxx,10xx,xxxx,xxxx,xxxx, STEP, FP, SVE2,
    "SVE misc: permute, matrix multiply, shift long")
ROW(0100,0101,xx0x,xxxx,11xx,xxxx,xxxx,xxxx, STEP, FP, SVE2, "SVE2 accumulate")
ROW(0100,0101,xx1x,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, FP, SVE2, "SVE2 narrowing")
ROW(0100,0101,xx1x,xxxx,100x,xxxx,xxxx,xxxx, STEP, FP, SVE2, "SVE2 character match")
ROW(0100,0101,xx1x,xxxx,101x,xxxx,xxxx,xxxx, STEP, FP, SVE2,
    "SVE2 histogram (segment), lookup table")
ROW(0100,0101,xx1x,xxxx,110x,xxxx,xxxx,xxxx, STEP, FP, SVE2, "HISTCNT")
ROW(0100,0101,xx1x,xxxx,111x,xxxx,xxxx,xxxx, STEP, FP, SVE_AES, "SVE2 crypto extensions")
END(SVE_MLA)

GROUP(SVE_FP, 0110,010x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "SVE floating-point")
ROW(0110,0100,xx0x,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, FP, SVE, "FCMLA (vectors)")
ROW(0110,0100,xx0x,xxxx,1xxx,xxxx,xxxx,xxxx, STEP, FP, SVE2,
    "SVE2 floating-point pairwise, convert, round")
ROW(0110,0100,xx1x,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SVE,
    "SVE floating-point multiply - indexed, widening")
ROW(0110,0101,xx0x,xxxx,000x,xxxx,xxxx,xxxx, STEP, FP, SVE,
    "SVE floating-point arithmetic - unpredicated")
ROW(0110,0101,xx0x,xxxx,001x,xxxx,xxxx,xxxx, STEP, FP, SVE,
    "SVE floating-point reduction, unary, accumulate")
ROW(0110,0101,xx0x,xxxx,x1xx,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE floating-point compare vectors")
ROW(0110,0101,xx0x,xxxx,100x,xxxx,xxxx,xxxx, STEP, FP, SVE,
    "SVE floating-point arithmetic - predicated")
ROW(0110,0101,xx0x,xxxx,101x,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE floating-point unary - predicated")
ROW(0110,0101,xx1x,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE floating-point multiply-add")
END(SVE_FP)

GROUP(SVE_LD32, 1000,010x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx,
      "SVE memory - 32-bit gather, broadcast, unsized contiguous")
ROW(1000,0100,xx0x,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE,
    "SVE 32-bit gather load (scalar plus 32-bit offsets)")
ROW(1000,0100,xx1x,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE,
    "SVE 32-bit gather (prefetch, scaled halfwords)")
ROW(1000,0100,x0xx,xxxx,1xxx,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE,
    "SVE 32-bit gather (vector plus immediate), LDNT1, PRFB/PRFH")
ROW(1000,010x,x1xx,xxxx,1xxx,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE, "SVE load and broadcast element")
ROW(1000,0101,0xxx,xxxx,01xx,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE, "SVE 32-bit gather load (words)")
ROW(1000,0101,000x,xxxx,101x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE2, "LDNT1W (vector plus scalar)")
ROW(1000,0101,x00x,xxxx,11xx,xxxx,xxxx,xxxx, STEP, FP, SVE, "PRFW/PRFD (scalar, vector)")
ROW(1000,0101,001x,xxxx,11xx,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE,
    "LD1W/LDFF1W (vector plus immediate)")
ROW(1000,0101,10xx,xxxx,0x0x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE, "LDR (predicate, vector)")
ROW(1000,0101,11xx,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, FP, SVE, "SVE contiguous prefetch")
END(SVE_LD32)

GROUP(SVE_LDC, 1010,010x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "SVE memory - contiguous load")
ROW(1010,010x,xxxx,xxxx,00xx,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE,
    "SVE load and broadcast quadword, LD1W/LD1D (quadword)")
ROW(1010,010x,xxxx,xxxx,01xx,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE,
    "SVE contiguous load, first-fault (scalar plus scalar)")
ROW(1010,0100,101x,xxxx,100x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE2p1, "LD2Q (scalar plus scalar)")
ROW(1010,0101,x00x,xxxx,100x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE2p1,
    "LD1W/LD1D (quadword, scalar plus scalar)")
ROW(1010,0101,x01x,xxxx,100x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE2p1,
    "LD3Q/LD4Q (scalar plus scalar)")
ROW(1010,010x,xxxx,xxxx,101x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE,
    "SVE contiguous load, non-fault (scalar plus immediate)")
ROW(1010,010x,xxxx,xxxx,11xx,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE,
    "SVE non-temporal load, load multiple structures")
END(SVE_LDC)

GROUP(SVE_LD64, 1100,010x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "SVE memory - 64-bit gather")
ROW(1100,0100,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE,
    "SVE 64-bit gather load and prefetch (bytes, halfwords)")
ROW(1100,0101,xxxx,xxxx,x1xx,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE,
    "SVE 64-bit gather load and prefetch (words, doublewords)")
ROW(1100,0101,0xxx,xxxx,x0xx,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE,
    "SVE 64-bit gather load (signed words)")
END(SVE_LD64)

GROUP(SVE_ST, 1110,010x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "SVE memory - store")
ROW(1110,0100,xxxx,xxxx,000x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE2p1, "ST2Q/ST3Q/ST4Q")
ROW(1110,0100,xx0x,xxxx,001x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE2,
    "STNT1 (vector plus scalar, bytes, halfwords)")
ROW(1110,0100,001x,xxxx,001x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE2p1, "ST1Q")
ROW(1110,0101,xx0x,xxxx,001x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE2,
    "STNT1 (vector plus scalar, words, doublewords)")
ROW(1110,0101,10xx,xxxx,000x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE, "STR (predicate)")
ROW(1110,0101,10xx,xxxx,010x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE, "STR (vector)")
ROW(1110,010x,xxxx,xxxx,010x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE,
    "SVE contiguous store (scalar plus scalar)")
ROW(1110,010x,xxxx,xxxx,011x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE,
    "SVE non-temporal store, store multiple (scalar plus scalar)")
ROW(1110,010x,xxxx,xxxx,1x0x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE,
    "SVE scatter store (32-bit offsets)")
ROW(1110,010x,xxxx,xxxx,101x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE,
    "SVE scatter store (64-bit offsets, vector plus immediate)")
ROW(1110,010x,xxxx,xxxx,111x,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE,
    "SVE store (scalar plus immediate)")
END(SVE_ST)

END(SVE)
