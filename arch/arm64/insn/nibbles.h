/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Convert four bits of an encoding, as the manual prints them with 0, 1 and x,
 * to a mask and a value. Only decode.c includes this.
 */
#ifndef KPT_ARM64_NIBBLES_H
#define KPT_ARM64_NIBBLES_H

#define KPT_M_0000 0xfu
#define KPT_V_0000 0x0u
#define KPT_M_0001 0xfu
#define KPT_V_0001 0x1u
#define KPT_M_000x 0xeu
#define KPT_V_000x 0x0u
#define KPT_M_0010 0xfu
#define KPT_V_0010 0x2u
#define KPT_M_0011 0xfu
#define KPT_V_0011 0x3u
#define KPT_M_001x 0xeu
#define KPT_V_001x 0x2u
#define KPT_M_00x0 0xdu
#define KPT_V_00x0 0x0u
#define KPT_M_00x1 0xdu
#define KPT_V_00x1 0x1u
#define KPT_M_00xx 0xcu
#define KPT_V_00xx 0x0u
#define KPT_M_0100 0xfu
#define KPT_V_0100 0x4u
#define KPT_M_0101 0xfu
#define KPT_V_0101 0x5u
#define KPT_M_010x 0xeu
#define KPT_V_010x 0x4u
#define KPT_M_0110 0xfu
#define KPT_V_0110 0x6u
#define KPT_M_0111 0xfu
#define KPT_V_0111 0x7u
#define KPT_M_011x 0xeu
#define KPT_V_011x 0x6u
#define KPT_M_01x0 0xdu
#define KPT_V_01x0 0x4u
#define KPT_M_01x1 0xdu
#define KPT_V_01x1 0x5u
#define KPT_M_01xx 0xcu
#define KPT_V_01xx 0x4u
#define KPT_M_0x00 0xbu
#define KPT_V_0x00 0x0u
#define KPT_M_0x01 0xbu
#define KPT_V_0x01 0x1u
#define KPT_M_0x0x 0xau
#define KPT_V_0x0x 0x0u
#define KPT_M_0x10 0xbu
#define KPT_V_0x10 0x2u
#define KPT_M_0x11 0xbu
#define KPT_V_0x11 0x3u
#define KPT_M_0x1x 0xau
#define KPT_V_0x1x 0x2u
#define KPT_M_0xx0 0x9u
#define KPT_V_0xx0 0x0u
#define KPT_M_0xx1 0x9u
#define KPT_V_0xx1 0x1u
#define KPT_M_0xxx 0x8u
#define KPT_V_0xxx 0x0u
#define KPT_M_1000 0xfu
#define KPT_V_1000 0x8u
#define KPT_M_1001 0xfu
#define KPT_V_1001 0x9u
#define KPT_M_100x 0xeu
#define KPT_V_100x 0x8u
#define KPT_M_1010 0xfu
#define KPT_V_1010 0xau
#define KPT_M_1011 0xfu
#define KPT_V_1011 0xbu
#define KPT_M_101x 0xeu
#define KPT_V_101x 0xau
#define KPT_M_10x0 0xdu
#define KPT_V_10x0 0x8u
#define KPT_M_10x1 0xdu
#define KPT_V_10x1 0x9u
#define KPT_M_10xx 0xcu
#define KPT_V_10xx 0x8u
#define KPT_M_1100 0xfu
#define KPT_V_1100 0xcu
#define KPT_M_1101 0xfu
#define KPT_V_1101 0xdu
#define KPT_M_110x 0xeu
#define KPT_V_110x 0xcu
#define KPT_M_1110 0xfu
#define KPT_V_1110 0xeu
#define KPT_M_1111 0xfu
#define KPT_V_1111 0xfu
#define KPT_M_111x 0xeu
#define KPT_V_111x 0xeu
#define KPT_M_11x0 0xdu
#define KPT_V_11x0 0xcu
#define KPT_M_11x1 0xdu
#define KPT_V_11x1 0xdu
#define KPT_M_11xx 0xcu
#define KPT_V_11xx 0xcu
#define KPT_M_1x00 0xbu
#define KPT_V_1x00 0x8u
#define KPT_M_1x01 0xbu
#define KPT_V_1x01 0x9u
#define KPT_M_1x0x 0xau
#define KPT_V_1x0x 0x8u
#define KPT_M_1x10 0xbu
#define KPT_V_1x10 0xau
#define KPT_M_1x11 0xbu
#define KPT_V_1x11 0xbu
#define KPT_M_1x1x 0xau
#define KPT_V_1x1x 0xau
#define KPT_M_1xx0 0x9u
#define KPT_V_1xx0 0x8u
#define KPT_M_1xx1 0x9u
#define KPT_V_1xx1 0x9u
#define KPT_M_1xxx 0x8u
#define KPT_V_1xxx 0x8u
#define KPT_M_x000 0x7u
#define KPT_V_x000 0x0u
#define KPT_M_x001 0x7u
#define KPT_V_x001 0x1u
#define KPT_M_x00x 0x6u
#define KPT_V_x00x 0x0u
#define KPT_M_x010 0x7u
#define KPT_V_x010 0x2u
#define KPT_M_x011 0x7u
#define KPT_V_x011 0x3u
#define KPT_M_x01x 0x6u
#define KPT_V_x01x 0x2u
#define KPT_M_x0x0 0x5u
#define KPT_V_x0x0 0x0u
#define KPT_M_x0x1 0x5u
#define KPT_V_x0x1 0x1u
#define KPT_M_x0xx 0x4u
#define KPT_V_x0xx 0x0u
#define KPT_M_x100 0x7u
#define KPT_V_x100 0x4u
#define KPT_M_x101 0x7u
#define KPT_V_x101 0x5u
#define KPT_M_x10x 0x6u
#define KPT_V_x10x 0x4u
#define KPT_M_x110 0x7u
#define KPT_V_x110 0x6u
#define KPT_M_x111 0x7u
#define KPT_V_x111 0x7u
#define KPT_M_x11x 0x6u
#define KPT_V_x11x 0x6u
#define KPT_M_x1x0 0x5u
#define KPT_V_x1x0 0x4u
#define KPT_M_x1x1 0x5u
#define KPT_V_x1x1 0x5u
#define KPT_M_x1xx 0x4u
#define KPT_V_x1xx 0x4u
#define KPT_M_xx00 0x3u
#define KPT_V_xx00 0x0u
#define KPT_M_xx01 0x3u
#define KPT_V_xx01 0x1u
#define KPT_M_xx0x 0x2u
#define KPT_V_xx0x 0x0u
#define KPT_M_xx10 0x3u
#define KPT_V_xx10 0x2u
#define KPT_M_xx11 0x3u
#define KPT_V_xx11 0x3u
#define KPT_M_xx1x 0x2u
#define KPT_V_xx1x 0x2u
#define KPT_M_xxx0 0x1u
#define KPT_V_xxx0 0x0u
#define KPT_M_xxx1 0x1u
#define KPT_V_xxx1 0x1u
#define KPT_M_xxxx 0x0u
#define KPT_V_xxxx 0x0u

#define KPT_BITS(p, a, b, c, d, e, f, g, h)                                    \
	((p##a << 28) | (p##b << 24) | (p##c << 20) | (p##d << 16) |           \
	 (p##e << 12) | (p##f << 8) | (p##g << 4) | p##h)
#define KPT_MASK(a, b, c, d, e, f, g, h)                                       \
	KPT_BITS(KPT_M_, a, b, c, d, e, f, g, h)
#define KPT_VALUE(a, b, c, d, e, f, g, h)                                      \
	KPT_BITS(KPT_V_, a, b, c, d, e, f, g, h)

#endif
