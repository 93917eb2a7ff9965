// SPDX-License-Identifier: GPL-2.0-only
/* Branches to places. */
#include "lib/base/port.h"
#include "insn/asm.h"

/* TBZ and TBNZ; B and BL; ADR. The others have the same field as B.cond. */
#define IS_TBZ(word)	(((word) & 0x7e000000) == 0x36000000)
#define IS_B(word)	(((word) & 0x7c000000) == 0x14000000)
#define IS_ADR(word)	(((word) & 0x9f000000) == 0x10000000)

/**
 * a64_to() - complete a branch, ADR or LDR (literal)
 * @word: the instruction, without a place
 * @distance: bytes from it to the place
 *
 * Context: any.
 * Return: the instruction, 0 if the place is out of reach.
 */
u32 a64_to(u32 word, s64 distance)
{
	if (!word)
		return 0;
	if (IS_ADR(word)) {
		word = a64_signed_field(word, distance >> 2, 19, 5);
		return word ? word | (u32)(distance & 3) << 29 : 0;
	}
	if (distance & 3)
		return 0;
	if (IS_B(word))
		return a64_signed_field(word, distance >> 2, 26, 0);
	return a64_signed_field(word, distance >> 2, IS_TBZ(word) ? 14 : 19, 5);
}
