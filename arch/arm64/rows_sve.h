/* SPDX-License-Identifier: GPL-2.0-only */
/* SVE and SVE2. See decode_rows.h. */

GROUP(SVE, xxx0,010x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "SVE encodings")

ROW(0000,0100,xx01,000x,001x,xxxx,xxxx,xxxx, NO(PREFIX), FP, SVE, "MOVPRFX (predicated)")
ROW(0000,0100,0010,0000,1011,11xx,xxxx,xxxx, NO(PREFIX), FP, SVE, "MOVPRFX (unpredicated)")
ROW(0000,0100,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SVE, "integer, bitwise, element count")
ROW(0000,0101,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SVE, "bitwise immediate, permute, select")
ROW(0010,010x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SVE, "compare, predicate, count, immediate")
ROW(0100,010x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SVE2, "multiply-add, SVE2 integer, crypto")
ROW(0110,010x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SVE, "floating-point")
ROW(1000,010x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE, "memory, 32-bit gather and load broadcast")
ROW(1010,010x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE, "memory, contiguous load")
ROW(1100,010x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE, "memory, 64-bit gather")
ROW(1110,010x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM | FP, SVE, "memory, store")

END(SVE)
