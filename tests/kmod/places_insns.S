/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions that cannot be probed, by name kpt_place_NAME, or that stand
 * where nothing can be. Never called. Words that the assembler may not know
 * are given as such.
 */
#include <linux/linkage.h>

/* The word right before a symbol may be data: the type of a function. */
.macro	place name
	nop
SYM_INNER_LABEL(kpt_place_\name, SYM_L_GLOBAL)
.endm

SYM_FUNC_START(kpt_places)
place	ldxr
1:	ldxr	x0, [x1]
place	between
	add	x0, x0, #1
place	stxr
	stxr	w2, x0, [x1]
place	retry
	cbnz	w2, 1b
place	stlxp
	stlxp	w2, x3, x4, [x1]
place	svc
	svc	#0
place	hvc
	hvc	#0
place	smc
	smc	#0
place	brk
	brk	#0x123
place	kgdb
	brk	#0x400
place	hlt
	hlt	#0
place	udf
	.inst	0x00000042
place	eret
	eret
place	wfi
	wfi
place	wfe
	wfe
place	msr_ttbr
	msr	ttbr0_el1, x0
place	mrs_elr
	mrs	x0, elr_el1
place	spsel
	msr	spsel, #1
place	unallocated
	.inst	0xffffffff
place	cpyfp
	.inst	0x19010440
place	hint
	hint	#127
place	dcps1
	dcps1
place	drps
	drps
place	sys
	sys	#7, c15, c15, #7
place	smstart
	.inst	0xd503477f
place	movprfx
	.inst	0x0420bc00
	.inst	0x04c00040	/* add z0.d, p0/m, z0.d, z2.d */
place	ttbr
	msr	ttbr0_el1, x0
	bfi	x1, x2, #0, #4
	isb
	add	x0, x0, #1
place	tstart
	.inst	0xd5233060
place	blraa
	.inst	0xd73f0801
place	retaa
	.inst	0xd65f0bff
place	paciasppc
	.inst	0xdac1a3fe
place	pacm
	.inst	0xd50324ff
	add	x0, x0, #1
place	fine
	add	x0, x0, #1
	ret
SYM_FUNC_END(kpt_places)

/* More ways lead on from here than are followed. */
SYM_FUNC_START(kpt_places_deep)
	ldxr	x0, [x1]
place	deep
	.rept	600
	cbz	x0, . + 84
	.endr
	.rept	100
	nop
	.endr
	ret
SYM_FUNC_END(kpt_places_deep)
