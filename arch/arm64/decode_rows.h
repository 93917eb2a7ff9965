/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The A64 encodings, in the order and notation of the Arm ARM (DDI 0487),
 * chapter C4, "A64 instruction set encoding". Included by decode.c alone, more
 * than once, with different meanings of these macros, so no include guard:
 *
 * GROUP(id, bits, title)
 *	Begins a table of the manual. A word whose fixed bits differ skips to
 *	what follows END(id). Groups nest.
 * ROW(bits, verdict, flags, feature, name)
 *	One instruction, or several that differ in nothing that matters to a
 *	probe. The first row that matches a word decides.
 *	verdict is STEP, SIM(handler) or NO(reason), see KPT_SIMS and
 *	KPT_INSN_REASONS; flags are those of struct kpt_insn without their
 *	prefix; feature is the FEAT_ name, or BASE for Armv8.0.
 * HOLE(bits)
 *	Encodings that the manual leaves unallocated, cut out of the rows below.
 * END(id)
 *	Ends the group. A word that gets here is unallocated.
 *
 * bits are eight groups of four, bit 31 first, each 0, 1 or x (not fixed).
 * Fields that the manual shows as (0) or (1) are x: such a word executes.
 *
 * Apart from holes, rows overlap in one way only: an earlier row may be a special
 * case of a later one. tests/host/test_decode.c proves that, and that no row is
 * dead.
 *
 * The Advanced SIMD, SVE and SME tables have one row for a whole table of the
 * manual where all its instructions are alike to a probe: they compute on
 * registers, or access memory by a register address. Holes inside such a table
 * are stepped too; they are undefined at any address, the slot included.
 */

GROUP(RESERVED, 0xx0,000x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Reserved")
ROW(0000,0000,0000,0000,xxxx,xxxx,xxxx,xxxx, NO(UNDEFINED), STOP, BASE, "UDF")
END(RESERVED)

#include "rows_sme.h"

GROUP(UNALLOCATED, xxx0,0x1x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Unallocated")
END(UNALLOCATED)

#include "rows_sve.h"
#include "rows_dpimm.h"
#include "rows_branch.h"
#include "rows_ldst.h"
#include "rows_dpreg.h"
#include "rows_simd.h"
