/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * WAY(name, access, needs, instructions): R reads, W writes, B does both in one instruction,
 * X reads in one and writes in another one. Needs ANY, or what the CPU has to have. Included more
 * than once. Instructions that assemblers may not know are words, whose operands are beside them.
 */
WAY(ldrb, R, ANY, ldrb w2, [x9])
WAY(ldrh, R, ANY, ldrh w2, [x9, #2])
WAY(ldr_w, R, ANY, ldr w2, [x9, #4])
WAY(ldr_x, R, ANY, ldr x2, [x9])
WAY(ldrsb_w, R, ANY, ldrsb w2, [x9])
WAY(ldrsb_x, R, ANY, ldrsb x2, [x9, #7])
WAY(ldrsh_w, R, ANY, ldrsh w2, [x9])
WAY(ldrsh_x, R, ANY, ldrsh x2, [x9, #6])
WAY(ldrsw, R, ANY, ldrsw x2, [x9])
WAY(ldur, R, ANY, add x9, x9, #8; ldur x2, [x9, #-8])
WAY(ldur_odd, R, ANY, ldur w2, [x9, #-2])
WAY(ldr_post, R, ANY, ldr x2, [x9], #24)
WAY(ldr_pre, R, ANY, sub x9, x9, #16; ldr x2, [x9, #16]!)
WAY(ldr_reg, R, ANY, mov x3, #8; sub x9, x9, #8; ldr x2, [x9, x3])
WAY(ldr_scaled, R, ANY, mov x3, #-1; add x9, x9, #8; ldr x2, [x9, x3, lsl #3])
WAY(ldr_uxtw, R, ANY, mov x3, #4; sub x9, x9, #4; ldr w2, [x9, w3, uxtw])
WAY(ldr_sxtw, R, ANY, mov w3, #-2; add x9, x9, #8; ldr w2, [x9, w3, sxtw #2])
WAY(ldr_base, R, ANY, ldr x9, [x9]; add x9, x9, x0)
WAY(ldr_zr, R, ANY, ldr xzr, [x9])
WAY(ldp_x, R, ANY, ldp x2, x3, [x9])
WAY(ldp_second, R, ANY, sub x9, x9, #8; ldp x2, x3, [x9])
WAY(ldp_w, R, ANY, ldp w2, w3, [x9])
WAY(ldp_pre, R, ANY, add x9, x9, #32; ldp x2, x3, [x9, #-32]!)
WAY(ldp_post, R, ANY, ldp x2, x3, [x9], #-16)
WAY(ldpsw, R, ANY, ldpsw x2, x3, [x9])
WAY(ldnp, R, ANY, ldnp x2, x3, [x9])
WAY(ldar_b, R, ANY, ldarb w2, [x9])
WAY(ldar_h, R, ANY, ldarh w2, [x9])
WAY(ldar_w, R, ANY, ldar w2, [x9])
WAY(ldar_x, R, ANY, ldar x2, [x9])
WAY(ldr_b0, R, ANY, ldr b0, [x9])
WAY(ldr_h0, R, ANY, ldr h0, [x9])
WAY(ldr_s0, R, ANY, ldr s0, [x9])
WAY(ldr_d0, R, ANY, ldr d0, [x9])
WAY(ldr_q0, R, ANY, ldr q0, [x9])
WAY(ldr_q_post, R, ANY, ldr q1, [x9], #16)
WAY(ldur_q, R, ANY, ldur q2, [x9, #-8])
WAY(ldp_q, R, ANY, ldp q0, q1, [x9])
WAY(ldnp_d, R, ANY, ldnp d0, d1, [x9])
WAY(ld1_one, R, ANY, ld1 {v0.16b}, [x9])
WAY(ld1_four, R, ANY, ld1 {v0.16b-v3.16b}, [x9])
WAY(ld2_two, R, ANY, ld2 {v0.8h, v1.8h}, [x9])
WAY(ld3, R, ANY, ld3 {v0.8b-v2.8b}, [x9])
WAY(ld4_post, R, ANY, ld4 {v0.4s-v3.4s}, [x9], #64)
WAY(ld1_lane, R, ANY, ld1 {v0.b}[9], [x9])
WAY(ld2_lane, R, ANY, ld2 {v0.d, v1.d}[1], [x9])
WAY(ld1r, R, ANY, ld1r {v3.4s}, [x9])
WAY(strb, W, ANY, strb w2, [x9, #1])
WAY(strh, W, ANY, strh w2, [x9])
WAY(str_w, W, ANY, str w2, [x9])
WAY(str_x, W, ANY, str x2, [x9])
WAY(str_zr, W, ANY, str xzr, [x9])
WAY(str_same, W, ANY, str x9, [x9])
WAY(stur, W, ANY, stur x2, [x9, #-4])
WAY(str_post, W, ANY, str x2, [x9], #8)
WAY(str_pre, W, ANY, sub x9, x9, #8; str x2, [x9, #8]!)
WAY(str_reg, W, ANY, mov x3, #-24; add x9, x9, #24; str x2, [x9, x3])
WAY(stp_x, W, ANY, stp x2, x3, [x9])
WAY(stp_w_post, W, ANY, stp w2, w3, [x9], #8)
WAY(stp_pre, W, ANY, add x9, x9, #16; stp x2, x3, [x9, #-16]!)
WAY(stp_second, W, ANY, sub x9, x9, #8; stp x2, x3, [x9])
WAY(stnp, W, ANY, stnp x2, x3, [x9])
WAY(stlr_b, W, ANY, stlrb w2, [x9])
WAY(stlr_h, W, ANY, stlrh w2, [x9])
WAY(stlr_w, W, ANY, stlr w2, [x9])
WAY(stlr_x, W, ANY, stlr x2, [x9])
WAY(str_b0, W, ANY, str b0, [x9])
WAY(str_h0, W, ANY, str h0, [x9])
WAY(str_s0, W, ANY, str s0, [x9])
WAY(str_d0, W, ANY, str d0, [x9])
WAY(str_q0, W, ANY, str q0, [x9])
WAY(stp_q, W, ANY, stp q0, q1, [x9])
WAY(st1_one, W, ANY, st1 {v0.16b}, [x9])
WAY(st1_four, W, ANY, st1 {v0.16b-v3.16b}, [x9])
WAY(st2, W, ANY, st2 {v0.8b, v1.8b}, [x9])
WAY(st3_post, W, ANY, st3 {v0.2d-v2.2d}, [x9], #48)
WAY(st4, W, ANY, st4 {v0.8b-v3.8b}, [x9])
WAY(st1_lane, W, ANY, st1 {v0.d}[1], [x9])
WAY(st3_lane, W, ANY, st3 {v0.h, v1.h, v2.h}[5], [x9])
WAY(dc_zva, W, ZVA, dc zva, x9)
WAY(exclusive_b, X, ANY, 1: ldxrb w2, [x9]; add w3, w2, #1; stxrb w4, w3, [x9]; cbnz w4, 1b)
WAY(exclusive_h, X, ANY, 1: ldaxrh w2, [x9]; add w3, w2, #1; stxrh w4, w3, [x9]; cbnz w4, 1b)
WAY(exclusive_w, X, ANY, 1: ldaxr w2, [x9]; add w3, w2, #1; stlxr w4, w3, [x9]; cbnz w4, 1b)
WAY(exclusive_x, X, ANY, 1: ldxr x2, [x9]; add x3, x2, #1; stxr w4, x3, [x9]; cbnz w4, 1b)
WAY(exclusive_pw, X, ANY, 1: ldxp w2, w3, [x9]; stxp w4, w3, w2, [x9]; cbnz w4, 1b)
WAY(exclusive_px, X, ANY, 1: ldaxp x2, x3, [x9]; stlxp w4, x3, x2, [x9]; cbnz w4, 1b)
WAY(stadd, B, LSE, stadd x2, [x9])
WAY(cas_not, B, LSE, cas x2, x3, [x9])
WAY(cas_zero, B, LSE, mov x2, #0; casal x2, x3, [x9])
WAY(casp, B, LSE, casp x2, x3, x4, x5, [x9])

/* Each way to name an address, of a load or store of some bytes: SCALE is their logarithm. */
#define MODES(name, access, op, t, scale, bytes)					\
	WAY(name##_imm, access, ANY, sub x9, x9, bytes; op t, [x9, bytes])		\
	WAY(name##_unscaled, access, ANY, add x9, x9, 3; op t, [x9, -3])		\
	WAY(name##_after, access, ANY, op t, [x9], 5)					\
	WAY(name##_before, access, ANY, sub x9, x9, 9; op t, [x9, 9]!)		\
	WAY(name##_reg, access, ANY, mov x3, -8; add x9, x9, 8; op t, [x9, x3])	\
	WAY(name##_lsl, access, ANY, mov x3, 1; sub x9, x9, bytes;			\
	    op t, [x9, x3, lsl scale])							\
	WAY(name##_uxtw, access, ANY, mov x3, 1; sub x9, x9, bytes;			\
	    op t, [x9, w3, uxtw scale])						\
	WAY(name##_sxtw, access, ANY, mov w3, -1; add x9, x9, bytes;			\
	    op t, [x9, w3, sxtw scale])

MODES(m_ldrb, R, ldrb, w2, 0, 1)
MODES(m_ldrh, R, ldrh, w2, 1, 2)
MODES(m_ldr_w, R, ldr, w2, 2, 4)
MODES(m_ldr_x, R, ldr, x2, 3, 8)
MODES(m_ldrsb_w, R, ldrsb, w2, 0, 1)
MODES(m_ldrsb_x, R, ldrsb, x2, 0, 1)
MODES(m_ldrsh_w, R, ldrsh, w2, 1, 2)
MODES(m_ldrsh_x, R, ldrsh, x2, 1, 2)
MODES(m_ldrsw, R, ldrsw, x2, 2, 4)
MODES(m_ldr_b0, R, ldr, b0, 0, 1)
MODES(m_ldr_h0, R, ldr, h0, 1, 2)
MODES(m_ldr_s0, R, ldr, s0, 2, 4)
MODES(m_ldr_d0, R, ldr, d0, 3, 8)
MODES(m_ldr_q0, R, ldr, q0, 4, 16)
MODES(m_strb, W, strb, w2, 0, 1)
MODES(m_strh, W, strh, w2, 1, 2)
MODES(m_str_w, W, str, w2, 2, 4)
MODES(m_str_x, W, str, x2, 3, 8)
MODES(m_str_b0, W, str, b0, 0, 1)
MODES(m_str_h0, W, str, h0, 1, 2)
MODES(m_str_s0, W, str, s0, 2, 4)
MODES(m_str_d0, W, str, d0, 3, 8)
MODES(m_str_q0, W, str, q0, 4, 16)

/* Each size and order of an atomic. */
#define ORDERED(op, order)						\
	WAY(op##order##_b, B, LSE, op##order##b w2, w3, [x9])		\
	WAY(op##order##_h, B, LSE, op##order##h w2, w3, [x9])		\
	WAY(op##order##_w, B, LSE, op##order w2, w3, [x9])		\
	WAY(op##order##_x, B, LSE, op##order x2, x3, [x9])
#define ATOMIC(op) ORDERED(op, ) ORDERED(op, a) ORDERED(op, l) ORDERED(op, al)

ATOMIC(ldadd)
ATOMIC(ldclr)
ATOMIC(ldeor)
ATOMIC(ldset)
ATOMIC(ldsmax)
ATOMIC(ldsmin)
ATOMIC(ldumax)
ATOMIC(ldumin)
ATOMIC(swp)
ATOMIC(cas)

/* Two registers at a time. */
#define PAIRS(op, access, t, u, bytes)						\
	WAY(p_##op##_##t, access, ANY, add x9, x9, 2 * bytes; op t, u, [x9, -2 * bytes])	\
	WAY(p_##op##_##t##_after, access, ANY, op t, u, [x9], 4 * bytes)		\
	WAY(p_##op##_##t##_before, access, ANY, sub x9, x9, 2 * bytes; op t, u, [x9, 2 * bytes]!)
#define NEAR_PAIRS(op, access, t, u, bytes)						\
	WAY(p_##op##_##t, access, ANY, sub x9, x9, bytes; op t, u, [x9, bytes])
#define ALL_PAIRS(load, store, t, u, bytes)						\
	PAIRS(load##p, R, t, u, bytes)							\
	PAIRS(store##p, W, t, u, bytes)							\
	NEAR_PAIRS(load##np, R, t, u, bytes)						\
	NEAR_PAIRS(store##np, W, t, u, bytes)

ALL_PAIRS(ld, st, w2, w3, 4)
ALL_PAIRS(ld, st, x2, x3, 8)
ALL_PAIRS(ld, st, s0, s1, 4)
ALL_PAIRS(ld, st, d0, d1, 8)
ALL_PAIRS(ld, st, q0, q1, 16)
PAIRS(ldpsw, R, x2, x3, 4)

/* One element of one to four vectors; its bytes are those of all of them. */
#define LANE(op, access, t, i, bytes)							\
	WAY(lane_##op##1_##t, access, ANY, op##1 {v0.t}[i], [x9])			\
	WAY(lane_##op##2_##t, access, ANY, op##2 {v0.t, v1.t}[i], [x9])		\
	WAY(lane_##op##3_##t, access, ANY, op##3 {v0.t, v1.t, v2.t}[i], [x9])		\
	WAY(lane_##op##4_##t, access, ANY, op##4 {v0.t, v1.t, v2.t, v3.t}[i], [x9])	\
	WAY(lane_##op##1_##t##_after, access, ANY, op##1 {v1.t}[i], [x9], bytes)	\
	WAY(lane_##op##2_##t##_after, access, ANY, op##2 {v1.t, v2.t}[i], [x9], x3)	\
	WAY(lane_##op##3_##t##_after, access, ANY, op##3 {v1.t, v2.t, v3.t}[i], [x9], x3)	\
	WAY(lane_##op##4_##t##_after, access, ANY, op##4 {v0.t, v1.t, v2.t, v3.t}[i],	\
	    [x9], 4 * bytes)
#define LANES(op, access)		\
	LANE(op, access, b, 9, 1)	\
	LANE(op, access, h, 6, 2)	\
	LANE(op, access, s, 3, 4)	\
	LANE(op, access, d, 1, 8)

LANES(ld, R)
LANES(st, W)

/* Whole vectors: interleaved or not. NAME tells vectors of the same number. */
#define VECTORS(op, access, name, nr, ...)						\
	WAY(v_##op##nr##_##name, access, ANY, op##nr {__VA_ARGS__}, [x9])		\
	WAY(v_##op##nr##_##name##_after, access, ANY, op##nr {__VA_ARGS__}, [x9], x3)
#define ALL_VECTORS(op, access)						\
	VECTORS(op, access, one, 1, v0.8b)				\
	VECTORS(op, access, two, 1, v0.8h, v1.8h)			\
	VECTORS(op, access, three, 1, v0.1d, v1.1d, v2.1d)		\
	VECTORS(op, access, four, 1, v0.4s, v1.4s, v2.4s, v3.4s)	\
	VECTORS(op, access, bytes, 2, v1.16b, v2.16b)			\
	VECTORS(op, access, halves, 2, v1.4h, v2.4h)			\
	VECTORS(op, access, words, 3, v1.4s, v2.4s, v3.4s)		\
	VECTORS(op, access, doubles, 3, v0.2d, v1.2d, v2.2d)		\
	VECTORS(op, access, bytes, 4, v0.8b, v1.8b, v2.8b, v3.8b)	\
	VECTORS(op, access, words, 4, v0.2s, v1.2s, v2.2s, v3.2s)

ALL_VECTORS(ld, R)
ALL_VECTORS(st, W)
VECTORS(ld, R, bytes, 1r, v2.16b)
VECTORS(ld, R, doubles, 2r, v0.2d, v1.2d)
VECTORS(ld, R, halves, 3r, v0.8h, v1.8h, v2.8h)
VECTORS(ld, R, words, 4r, v0.2s, v1.2s, v2.2s, v3.2s)

/* Each order of an exclusive, and a load without its store. */
#define EXCLUSIVE(load, store, t, s)							\
	WAY(e_##load##_##store##_##t, X, ANY, 1: load t, [x9]; add x3, x2, 3;		\
	    store w4, s, [x9]; cbnz w4, 1b)
#define EXCLUSIVES(suffix, t, s)			\
	EXCLUSIVE(ldxr##suffix, stxr##suffix, t, s)	\
	EXCLUSIVE(ldaxr##suffix, stxr##suffix, t, s)	\
	EXCLUSIVE(ldxr##suffix, stlxr##suffix, t, s)	\
	EXCLUSIVE(ldaxr##suffix, stlxr##suffix, t, s)	\
	WAY(e_ldxr##suffix##_##t, R, ANY, ldxr##suffix t, [x9]; clrex)

EXCLUSIVES(b, w2, w3)
EXCLUSIVES(h, w2, w3)
EXCLUSIVES(, w2, w3)
EXCLUSIVES(, x2, x3)

/* What later versions of the architecture have: of each size, then of some bytes before X9. */
#define SIZES(name, access, needs, op, t)		\
	WAY(name##_b, access, needs, .inst op + t)	\
	WAY(name##_h, access, needs, .inst op + (1 << 30) + t)	\
	WAY(name##_w, access, needs, .inst op + (2 << 30) + t)	\
	WAY(name##_x, access, needs, .inst op + (3 << 30) + t)
#define BEFORE(name, access, needs, op)			\
	WAY(name, access, needs, add x9, x9, 8; .inst op + (0x1f8 << 12) + 0x122)

SIZES(ldlar, R, LOR, 0x08df7c00, 0x122)		/* ldlar w2|x2, [x9] */
SIZES(stllr, W, LOR, 0x089f7c00, 0x122)
SIZES(ldapr, R, RCPC, 0x38bfc000, 0x122)
BEFORE(stlur_b, W, RCPC2, 0x19000000)		/* stlurb w2, [x9, -8] */
BEFORE(stlur_h, W, RCPC2, 0x59000000)
BEFORE(stlur_w, W, RCPC2, 0x99000000)
BEFORE(stlur_x, W, RCPC2, 0xd9000000)
BEFORE(ldapur_b, R, RCPC2, 0x19400000)
BEFORE(ldapur_h, R, RCPC2, 0x59400000)
BEFORE(ldapur_w, R, RCPC2, 0x99400000)
BEFORE(ldapur_x, R, RCPC2, 0xd9400000)
BEFORE(ldapursb_x, R, RCPC2, 0x19800000)
BEFORE(ldapursb_w, R, RCPC2, 0x19c00000)
BEFORE(ldapursh_x, R, RCPC2, 0x59800000)
BEFORE(ldapursh_w, R, RCPC2, 0x59c00000)
BEFORE(ldapursw, R, RCPC2, 0x99800000)
BEFORE(stlur_q, W, RCPC3, 0x1d800800)
BEFORE(ldapur_d, R, RCPC3, 0xdd400800)
WAY(ldap1, R, RCPC3, .inst 0x4d418522)		/* ldap1 {v2.d}[1], [x9] */
WAY(stl1, W, RCPC3, .inst 0x4d018522)
WAY(ldiapp, R, RCPC3, .inst 0xd9431922)		/* ldiapp x2, x3, [x9] */
WAY(ldiapp_after, R, RCPC3, .inst 0x99430922)	/* ldiapp w2, w3, [x9], 8 */
WAY(stilp, W, RCPC3, .inst 0x99031922)
WAY(stilp_before, W, RCPC3, add x9, x9, 16; .inst 0xd9030922)
WAY(ldapr_after, R, RCPC3, .inst 0xd9c00922)	/* ldapr x2, [x9], 8 */
WAY(stlr_before, W, RCPC3, add x9, x9, 4; .inst 0x99800922)
#define ATOMIC_PAIR(name, op)							\
	WAY(name, B, LSE128, .inst op + 0x30122)	/* x2, x3, [x9] */	\
	WAY(name##_al, B, LSE128, .inst op + (3 << 22) + 0x30122)
ATOMIC_PAIR(ldclrp, 0x19201000)
ATOMIC_PAIR(ldsetp, 0x19203000)
ATOMIC_PAIR(swpp, 0x19208000)

/* Sets of X4 bytes at X9 to X2, and copies: to X3, or from there; also both on watched bytes. */
#define SET_PARTS .inst 0x19c20489; .inst 0x19c24489; .inst 0x19c28489
#define COPY_PARTS(op) .inst op; .inst op + (1 << 22); .inst op + (2 << 22)
#define CPYF_TO 0x19090483
#define CPYF_FROM 0x19030489
#define CPY_FROM 0x1d030489
WAY(mops_set, W, MOPS, sub x9, x9, 30; mov x4, 100; SET_PARTS)
WAY(mops_set_some, W, MOPS, add x9, x9, 3; mov x4, 2; SET_PARTS)
WAY(mops_copy_to, R, MOPS, add x3, x9, 100; sub x9, x9, 1; mov x4, 60; COPY_PARTS(CPYF_TO);
    sub x3, x3, x0)
WAY(mops_copy_from, W, MOPS, sub x3, x9, 99; sub x9, x9, 20; mov x4, 70; COPY_PARTS(CPYF_FROM);
    sub x3, x3, x0)
WAY(mops_move, W, MOPS, sub x3, x9, 99; mov x4, 5; COPY_PARTS(CPY_FROM); sub x3, x3, x0)
WAY(mops_move_up, B, MOPS, sub x3, x9, 5; mov x4, 16; COPY_PARTS(CPY_FROM); sub x3, x3, x0)
WAY(mops_move_down, B, MOPS, add x3, x9, 1; sub x9, x9, 9; mov x4, 32; COPY_PARTS(CPY_FROM);
    sub x3, x3, x0)

#undef MODES
#undef ORDERED
#undef ATOMIC
#undef PAIRS
#undef NEAR_PAIRS
#undef ALL_PAIRS
#undef LANE
#undef LANES
#undef VECTORS
#undef ALL_VECTORS
#undef EXCLUSIVE
#undef EXCLUSIVES
#undef SIZES
#undef BEFORE
#undef ATOMIC_PAIR
#undef SET_PARTS
#undef COPY_PARTS
#undef CPYF_TO
#undef CPYF_FROM
#undef CPY_FROM
