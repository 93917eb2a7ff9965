/* SPDX-License-Identifier: GPL-2.0-only */
/* Data processing, scalar floating-point and Advanced SIMD. See decode_rows.h. */

GROUP(SIMD, xxxx,111x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx,
      "Data Processing -- Scalar Floating-Point and Advanced SIMD")

GROUP(SIMD_SCALAR, 01x1,111x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Advanced SIMD scalar")
ROW(0101,1110,0010,1000,000x,10xx,xxxx,xxxx, STEP, FP, SHA1, "SHA1H/SHA1SU1")
ROW(0101,1110,0010,1000,0010,10xx,xxxx,xxxx, STEP, FP, SHA256, "SHA256SU0")
HOLE(0101,1110,000x,xxxx,0111,00xx,xxxx,xxxx)
ROW(0101,1110,000x,xxxx,0xxx,00xx,xxxx,xxxx, STEP, FP, SHA256, "Cryptographic three-register SHA")
ROW(0101,1110,000x,xxxx,0000,01xx,xxxx,xxxx, STEP, FP, AdvSIMD, "Advanced SIMD scalar copy")
ROW(01x1,1110,x10x,xxxx,00xx,x1xx,xxxx,xxxx, STEP, FP, FP16, "Advanced SIMD scalar three same FP16")
ROW(01x1,1110,x111,100x,xxxx,10xx,xxxx,xxxx, STEP, FP, FP16,
    "Advanced SIMD scalar two-register miscellaneous FP16")
ROW(0111,1110,xx0x,xxxx,1000,x1xx,xxxx,xxxx, STEP, FP, RDM, "SQRDMLAH/SQRDMLSH (scalar)")
ROW(01x1,1110,xx10,000x,xxxx,10xx,xxxx,xxxx, STEP, FP, AdvSIMD,
    "Advanced SIMD scalar two-register miscellaneous")
ROW(01x1,1110,xx11,000x,xxxx,10xx,xxxx,xxxx, STEP, FP, AdvSIMD, "Advanced SIMD scalar pairwise")
ROW(0101,1110,xx1x,xxxx,1xx1,00xx,xxxx,xxxx, STEP, FP, AdvSIMD,
    "Advanced SIMD scalar three different")
ROW(01x1,1110,xx1x,xxxx,xxxx,x1xx,xxxx,xxxx, STEP, FP, AdvSIMD, "Advanced SIMD scalar three same")
HOLE(01x1,1111,0000,0xxx,xxxx,x1xx,xxxx,xxxx)
ROW(01x1,1111,0xxx,xxxx,xxxx,x1xx,xxxx,xxxx, STEP, FP, AdvSIMD,
    "Advanced SIMD scalar shift by immediate")
ROW(01x1,1111,xxxx,xxxx,xxxx,x0xx,xxxx,xxxx, STEP, FP, AdvSIMD,
    "Advanced SIMD scalar x indexed element")
END(SIMD_SCALAR)

GROUP(SIMD_VECTOR, 0xx0,111x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Advanced SIMD vector")
ROW(0100,1110,0010,1000,01xx,10xx,xxxx,xxxx, STEP, FP, AES, "AESE/AESD/AESMC/AESIMC")
ROW(0x00,1110,xx0x,xxxx,0xxx,00xx,xxxx,xxxx, STEP, FP, AdvSIMD, "Advanced SIMD table lookup")
ROW(0x00,1110,xx0x,xxxx,0xxx,10xx,xxxx,xxxx, STEP, FP, AdvSIMD, "Advanced SIMD permute")
ROW(0x10,1110,xx0x,xxxx,0xxx,x0xx,xxxx,xxxx, STEP, FP, AdvSIMD,
    "Advanced SIMD extract; table lookup indexed")
ROW(0xx0,1110,000x,xxxx,0xxx,x1xx,xxxx,xxxx, STEP, FP, AdvSIMD, "Advanced SIMD copy")
ROW(0xx0,1110,x10x,xxxx,00xx,x1xx,xxxx,xxxx, STEP, FP, FP16, "Advanced SIMD three same FP16")
ROW(0xx0,1110,x111,100x,xxxx,10xx,xxxx,xxxx, STEP, FP, FP16,
    "Advanced SIMD two-register miscellaneous FP16")
ROW(0xx0,1110,xx0x,xxxx,1xxx,x1xx,xxxx,xxxx, STEP, FP, RDM,
    "Advanced SIMD three-register extension")
ROW(0xx0,1110,xx10,000x,xxxx,10xx,xxxx,xxxx, STEP, FP, AdvSIMD,
    "Advanced SIMD two-register miscellaneous")
ROW(0xx0,1110,xx11,000x,xxxx,10xx,xxxx,xxxx, STEP, FP, AdvSIMD, "Advanced SIMD across lanes")
ROW(0xx0,1110,xx1x,xxxx,xxxx,00xx,xxxx,xxxx, STEP, FP, AdvSIMD, "Advanced SIMD three different")
ROW(0xx0,1110,xx1x,xxxx,xxxx,x1xx,xxxx,xxxx, STEP, FP, AdvSIMD, "Advanced SIMD three same")
ROW(0xx0,1111,0000,0xxx,xxxx,x1xx,xxxx,xxxx, STEP, FP, AdvSIMD, "Advanced SIMD modified immediate")
ROW(0xx0,1111,0xxx,xxxx,xxxx,x1xx,xxxx,xxxx, STEP, FP, AdvSIMD, "Advanced SIMD shift by immediate")
ROW(0xx0,1111,xxxx,xxxx,xxxx,x0xx,xxxx,xxxx, STEP, FP, AdvSIMD,
    "Advanced SIMD vector x indexed element")
END(SIMD_VECTOR)

GROUP(CRYPTO3, 1100,1110,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Cryptographic SHA512, SHA3, SM3, SM4")
ROW(1100,1110,00xx,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, FP, SHA3, "EOR3/BCAX")
ROW(1100,1110,010x,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, FP, SM3, "SM3SS1")
ROW(1100,1110,010x,xxxx,10xx,xxxx,xxxx,xxxx, STEP, FP, SM3, "SM3TT1A/SM3TT1B/SM3TT2A/SM3TT2B")
ROW(1100,1110,011x,xxxx,1000,xxxx,xxxx,xxxx, STEP, FP, SHA512, "SHA512H/SHA512H2/SHA512SU1/RAX1")
ROW(1100,1110,011x,xxxx,1100,xxxx,xxxx,xxxx, STEP, FP, SM4, "SM3PARTW1/SM3PARTW2/SM4EKEY")
ROW(1100,1110,100x,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, SHA3, "XAR")
ROW(1100,1110,1100,0000,1000,0xxx,xxxx,xxxx, STEP, FP, SHA512, "SHA512SU0/SM4E")
END(CRYPTO3)

/* Only FMOV to and from the upper half uses ptype 10 (bits 23:22). */
GROUP(FP_SCALAR, x0x1,111x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Floating-point")
ROW(1001,1110,1010,111x,0000,00xx,xxxx,xxxx, STEP, FP, FP, "FMOV (to and from the upper half)")
HOLE(x0x1,111x,10xx,xxxx,xxxx,xxxx,xxxx,xxxx)
HOLE(0001,1110,xx0x,xxxx,0xxx,xxxx,xxxx,xxxx)
ROW(x001,1110,xx00,001x,xxxx,xxxx,xxxx,xxxx, STEP, FP, FP, "SCVTF/UCVTF (fixed-point)")
ROW(x001,1110,xx01,100x,xxxx,xxxx,xxxx,xxxx, STEP, FP, FP, "FCVTZS/FCVTZU (fixed-point)")
ROW(x001,1110,xx1x,xxxx,0000,00xx,xxxx,xxxx, STEP, FP, FP,
    "Floating-point conversion to/from integer")
ROW(0001,1110,xx1x,xxxx,x100,00xx,xxxx,xxxx, STEP, FP, FP,
    "Floating-point data-processing (1 source)")
ROW(0001,1110,xx1x,xxxx,xx10,00xx,xxxx,x000, STEP, FP, FP, "Floating-point compare")
ROW(0001,1110,xx1x,xxxx,xxx1,0000,000x,xxxx, STEP, FP, FP, "Floating-point immediate")
ROW(0001,1110,xx1x,xxxx,xxxx,01xx,xxxx,xxxx, STEP, FP, FP, "Floating-point conditional compare")
ROW(0001,1110,xx1x,xxxx,xxxx,10xx,xxxx,xxxx, STEP, FP, FP,
    "Floating-point data-processing (2 source)")
ROW(0001,1110,xx1x,xxxx,xxxx,11xx,xxxx,xxxx, STEP, FP, FP, "Floating-point conditional select")
ROW(0001,1111,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, FP, FP,
    "Floating-point data-processing (3 source)")
END(FP_SCALAR)

END(SIMD)
