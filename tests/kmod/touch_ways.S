/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ways to touch memory, for touch.c. Each is a function of a pointer to the memory and a
 * struct touch_state: registers x2 to x7 and q0 to q3 before, and then after it. The
 * instruction finds the pointer in x9.
 */
#include <linux/linkage.h>
#include <asm/assembler.h>

	.arch	armv8-a+fp+simd+lse

/* struct touch_state: six registers, what was added to x9, flags, four vectors. */
#define STATE_BASE	48
#define STATE_FLAGS	56
#define STATE_Q		64
#define STATE_KEPT	128

.macro way_begin name
SYM_FUNC_START(way_\name)
	ldp	x2, x3, [x1, #0]
	ldp	x4, x5, [x1, #16]
	ldp	x6, x7, [x1, #32]
	stp	q0, q1, [x1, #STATE_KEPT]
	stp	q2, q3, [x1, #STATE_KEPT + 32]
	ldp	q0, q1, [x1, #STATE_Q]
	ldp	q2, q3, [x1, #STATE_Q + 32]
	mov	x9, x0
	cmp	x0, #0
.endm

.macro way_end name
	mrs	x10, nzcv
	sub	x9, x9, x0
	stp	x9, x10, [x1, #STATE_BASE]
	stp	x2, x3, [x1, #0]
	stp	x4, x5, [x1, #16]
	stp	x6, x7, [x1, #32]
	stp	q0, q1, [x1, #STATE_Q]
	stp	q2, q3, [x1, #STATE_Q + 32]
	ldp	q0, q1, [x1, #STATE_KEPT]
	ldp	q2, q3, [x1, #STATE_KEPT + 32]
	ret
SYM_FUNC_END(way_\name)
.endm

#define WAY(name, access, needs, ...)	\
	way_begin name;			\
	__VA_ARGS__;			\
	way_end name;

#include "touch_ways.h"
