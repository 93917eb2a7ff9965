/* SPDX-License-Identifier: GPL-2.0-only */
/* SME and SME2. SMSTART and SMSTOP are in rows_branch.h. See decode_rows.h. */

GROUP(SME, 1xx0,000x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "SME encodings")

ROW(1000,000x,0xxx,xxxx,x00x,xxxx,xxxx,xxxx, STEP, FP, SME_MOP4,
    "SME quarter-tile and structured sparsity outer product")
ROW(1000,000x,1xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SME,
    "SME outer product (floating-point, binary)")
ROW(1010,000x,0xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM | FP, SME2, "SME2 multi-vector load/store")
ROW(1010,000x,1xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SME, "SME outer product (integer)")
ROW(1100,0000,xx0x,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SME,
    "SME move, add to array, zero, lookup table")
ROW(1100,0001,xx0x,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SME2, "SME2 multi-vector - indexed")
ROW(1100,0001,xx1x,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, FP, SME2, "SME2 multi-vector - array")
ROW(1100,0001,xx1x,xxxx,1xxx,xxxx,xxxx,xxxx, STEP, FP, SME2, "SME2 multi-vector - registers")
ROW(1110,0000,xxxx,xxxx,xxxx,xxxx,xxx0,xxxx, STEP, MEM | FP, SME, "LD1/ST1 (tile slice)")
ROW(1110,0001,11xx,xxxx,xxxx,xxxx,xxx0,xxxx, STEP, MEM | FP, SME, "LD1Q/ST1Q (tile slice)")
ROW(1110,0001,00x0,0000,0xx0,00xx,xxx0,xxxx, STEP, MEM | FP, SME, "LDR/STR (array vector)")
ROW(1110,0001,00x1,1111,1000,00xx,xxx0,0000, STEP, MEM | FP, SME2, "LDR/STR (table)")

END(SME)
