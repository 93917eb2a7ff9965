/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The A64 encodings, in the order and notation of the Arm ARM (DDI 0487),
 * chapter C4, "A64 instruction set encoding". Included by decode.c alone, more
 * than once, with different meanings of these macros, so no include guard:
 *
 * GROUP(id, bits, title)
 *	Begins a table of the manual. For a word whose fixed bits differ, the
 *	search continues after END(id). Groups nest.
 * ROW(bits, verdict, flags, feature, name)
 *	One instruction, or several that are the same to a probe. The first row
 *	that matches a word decides.
 *	verdict is STEP, SIM(handler) or NO(reason), see KPT_SIMS and
 *	KPT_INSN_REASONS; flags are those of struct kpt_insn without their
 *	prefix; feature is the FEAT_ name, or BASE for Armv8.0.
 * HOLE(bits)
 *	Encodings that the manual leaves unallocated, excluded from the rows
 *	below.
 * END(id)
 *	Ends the group. A word of the group that no row matches is unallocated.
 *
 * bits are eight groups of four, bit 31 first, each 0, 1 or x (not fixed).
 * Fields that the manual shows as (0) or (1) are x: such a word executes.
 *
 * Apart from holes, two rows overlap only if the earlier one is a special case
 * of the later one. tests/host/test_decode.c proves that, and that every row
 * matches some word.
 *
 * The Advanced SIMD, SVE and SME tables have one row for a whole table of the
 * manual if all its instructions are the same to a probe: they compute on
 * registers, or access memory at an address in a register. Unallocated words of
 * such a table are stepped too: in a slot they are undefined as anywhere else.
 */

GROUP(RESERVED, 0xx0,000x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Reserved")
ROW(0000,0000,0000,0000,xxxx,xxxx,xxxx,xxxx, NO(UNDEFINED), STOP, BASE, "UDF")
END(RESERVED)

#include "insn/rows_sme.h"

GROUP(UNALLOCATED, xxx0,0x1x,xxxx,xxxx,xxxx,xxxx,xxxx,xxxx, "Unallocated")
END(UNALLOCATED)

#include "insn/rows_sve.h"
#include "insn/rows_dpimm.h"
#include "insn/rows_branch.h"
#include "insn/rows_ldst.h"
#include "insn/rows_dpreg.h"
#include "insn/rows_simd.h"
