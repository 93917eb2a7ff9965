/* SPDX-License-Identifier: GPL-2.0-only */
/* SME and SME2. See decode_rows.h. */

GROUP(SME, 1xx0,000x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "SME encodings")

ROW(10x0,000x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM | FP, SME, "outer product, multi-vector memory")
ROW(1100,0000,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SME, "move, add to array, zero, lookup table")
ROW(1100,0001,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SME2, "multi-vector")
ROW(1110,000x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, MEM | FP, SME, "memory")

END(SME)
