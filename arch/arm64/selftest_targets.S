/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions for the self-test to probe. Each has its probed instruction at
 * the label that ends in _at, and takes and returns a long as C does.
 */
#include <linux/linkage.h>

.macro	target name
SYM_FUNC_START(kpt_test_\name)
	hint	#34			// BTI C
.endm

.macro	probed name
SYM_INNER_LABEL(kpt_test_\name\()_at, SYM_L_GLOBAL)
.endm

.macro	end name
	ret
SYM_FUNC_END(kpt_test_\name)
.endm

/* a + b, and 1 more if the probed instruction sets the carry */
target	adds
probed	adds
	adds	x0, x0, x1
	adc	x0, x0, xzr
end	adds

/* a - b, and 1 more if the probed instruction sets the carry (no borrow) */
target	subs
probed	subs
	subs	x0, x0, x1
	adc	x0, x0, xzr
end	subs

/* a ? b : b + 1, by a branch */
target	cbz
	mov	x2, x0
	mov	x0, x1
probed	cbz
	cbnz	x2, 1f
	add	x0, x0, #1
1:
end	cbz

/* the address of the probed instruction */
target	adr
probed	adr
	adr	x0, .
end	adr

/* the 64-bit constant that the probed instruction loads */
target	literal
probed	literal
	ldr	x0, .Lliteral
end	literal
	.balign	8
.Lliteral:
	.quad	0x0123456789abcdef

/* a, and the probed instruction is the target of an indirect branch */
target	stub_landing
	adr	x16, kpt_test_stub_landing_at
	br	x16
probed	stub_landing
	hint	#34			// BTI C
end	stub_landing

/* The same functions, for probes that are branches. */

target	jump_adds
probed	jump_adds
	adds	x0, x0, x1
	adc	x0, x0, xzr
end	jump_adds

target	jump_cbz
	mov	x2, x0
	mov	x0, x1
probed	jump_cbz
	cbnz	x2, 1f
	add	x0, x0, #1
1:
end	jump_cbz

target	jump_literal
probed	jump_literal
	ldr	x0, .Ljump_literal
end	jump_literal
	.balign	8
.Ljump_literal:
	.quad	0x0123456789abcdef
