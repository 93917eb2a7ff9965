/* SPDX-License-Identifier: GPL-2.0-only */
/* Write one of the CPU's SIMD&FP registers, for simulated literal loads. */
#include <linux/linkage.h>

	.arch_extension fp
	.arch_extension simd

/*
 * void kpt_arch_write_fpreg(unsigned int reg, const u64 value[2]);
 *
 * One block of 16 bytes per register. A BR enters the block, so each begins with
 * a landing pad (BTI J, a NOP on CPUs without FEAT_BTI).
 */
SYM_FUNC_START(kpt_arch_write_fpreg)
	hint	#34			// BTI C
	adr	x2, .Lblocks
	add	x2, x2, w0, uxtw #4
	br	x2
	.balign	16
.Lblocks:
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, \
		17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	hint	#36			// BTI J
	ldr	q\n, [x1]
	ret
	nop
	.endr
SYM_FUNC_END(kpt_arch_write_fpreg)
