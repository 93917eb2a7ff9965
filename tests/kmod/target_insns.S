/* SPDX-License-Identifier: GPL-2.0-only */
/* A function that no compiler makes. */
#include <linux/linkage.h>

/*
 * Leaves through two return instructions. The second one can not be probed: it
 * follows PACM, which belongs to what comes behind it, and is a NOP to CPUs
 * that do not know it.
 */
SYM_FUNC_START(kpt_target_odd_return)
	cbz	x0, 1f
	mov	x0, #7
	ret
1:	mov	x0, #3
	.inst	0xd50324ff
	ret
SYM_FUNC_END(kpt_target_odd_return)
