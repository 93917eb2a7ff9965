/* SPDX-License-Identifier: GPL-2.0-only */
/* Data processing, immediate. See decode_rows.h. */

GROUP(DPIMM, xxx1,00xx,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Data Processing -- Immediate")

GROUP(PCREL, xxx1,0000,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "PC-rel. addressing")
ROW(0xx1,0000,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, SIM(ADR), PC, BASE, "ADR")
ROW(1xx1,0000,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, SIM(ADRP), PC, BASE, "ADRP")
END(PCREL)

GROUP(ADDSUB_IMM, xxx1,0001,0xxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Add/subtract (immediate)")
ROW(x001,0001,0xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "ADD (immediate)")
ROW(x011,0001,0xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "ADDS (immediate)")
ROW(x101,0001,0xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "SUB (immediate)")
ROW(x111,0001,0xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "SUBS (immediate)")
END(ADDSUB_IMM)

GROUP(ADDSUB_TAGS, xxx1,0001,10xx,xxxx,xxxx,xxxx,xxxx,xxxx, "Add/subtract (immediate, with tags)")
ROW(1001,0001,10xx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, MTE, "ADDG")
ROW(1101,0001,10xx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, MTE, "SUBG")
END(ADDSUB_TAGS)

GROUP(MINMAX_IMM, xxx1,0001,11xx,xxxx,xxxx,xxxx,xxxx,xxxx, "Min/max (immediate)")
ROW(x001,0001,1100,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, CSSC, "SMAX/UMAX/SMIN/UMIN (immediate)")
END(MINMAX_IMM)

/*
 * N:immr:imms encodes a bit mask. The word is unallocated if it encodes none
 * (imms all ones in its element size, or no valid element size).
 */
GROUP(LOGICAL_IMM, xxx1,0010,0xxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Logical (immediate)")
HOLE(0xx1,0010,01xx,xxxx,xxxx,xxxx,xxxx,xxxx)
HOLE(xxx1,0010,01xx,xxxx,1111,11xx,xxxx,xxxx)
HOLE(xxx1,0010,00xx,xxxx,0111,11xx,xxxx,xxxx)
HOLE(xxx1,0010,00xx,xxxx,1011,11xx,xxxx,xxxx)
HOLE(xxx1,0010,00xx,xxxx,1101,11xx,xxxx,xxxx)
HOLE(xxx1,0010,00xx,xxxx,1110,11xx,xxxx,xxxx)
HOLE(xxx1,0010,00xx,xxxx,1111,x1xx,xxxx,xxxx)
HOLE(xxx1,0010,00xx,xxxx,1111,10xx,xxxx,xxxx)
ROW(x001,0010,0xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "AND (immediate)")
ROW(x011,0010,0xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "ORR (immediate)")
ROW(x101,0010,0xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "EOR (immediate)")
ROW(x111,0010,0xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "ANDS (immediate)")
END(LOGICAL_IMM)

GROUP(MOVE_WIDE, xxx1,0010,1xxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Move wide (immediate)")
HOLE(0xx1,0010,11xx,xxxx,xxxx,xxxx,xxxx,xxxx)
ROW(x001,0010,1xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "MOVN")
ROW(x101,0010,1xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "MOVZ")
ROW(x111,0010,1xxx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "MOVK")
END(MOVE_WIDE)

GROUP(BITFIELD, xxx1,0011,0xxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Bitfield")
ROW(0001,0011,000x,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "SBFM (32-bit)")
ROW(1001,0011,01xx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "SBFM (64-bit)")
ROW(0011,0011,000x,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "BFM (32-bit)")
ROW(1011,0011,01xx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "BFM (64-bit)")
ROW(0101,0011,000x,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "UBFM (32-bit)")
ROW(1101,0011,01xx,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "UBFM (64-bit)")
END(BITFIELD)

GROUP(EXTRACT, xxx1,0011,1xxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Extract; 1-source immediate")
ROW(0001,0011,100x,xxxx,0xxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "EXTR (32-bit)")
ROW(1001,0011,110x,xxxx,xxxx,xxxx,xxxx,xxxx, STEP, 0, BASE, "EXTR (64-bit)")
ROW(1111,0011,100x,xxxx,xxxx,xxxx,xxx1,1111, NO(PAUTH_PC), PC | LR, PAuth_LR, "AUTIASPPC")
ROW(1111,0011,101x,xxxx,xxxx,xxxx,xxx1,1111, NO(PAUTH_PC), PC | LR, PAuth_LR, "AUTIBSPPC")
END(EXTRACT)

END(DPIMM)
