// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recorders (recorder.c) that make several records of a hit, for several events of one
 * ring. The records are behind one another in the ring, all of them are published at
 * once, and they have the same time. This is what each record but the first needs: its
 * head, and the counts of its event. For the second of 48 bytes, behind one of 32:
 *
 *	ldr	w13, [x10, #4]		// number of the first record
 *	mov	w14, #48
 *	add	w13, w13, #1
 *	orr	x14, x14, x13, lsl #32
 *	ldr	x13, [x10, #8]		// its time
 *	stp	x14, x13, [x10, #32]
 *	ldr	x14, [x9, #56]		// kpt_arch_direct.more
 *	ldp	x13, x14, [x14]		// type, ip
 *	bfi	x15, x13, #0, #16
 *	stp	x15, x14, [x10, #48]
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "lib/ring/ring.h"
#include "recorder/recorder.h"
#include "engine.h"

/* Arm ARM C6.2 */
#define IMM7(n)		((u32)(n) / 8 << 15)
#define STP_MAX		504
#define LDR_W13_X10_4	0xb940054d
#define MOV_W14(n)	(0x5280000e | (u32)(n) << 5)
#define ADD_W13_W13(n)	(0x110001ad | (u32)(n) << 10)
#define ORR_X14_X14_X13_LSL_32 0xaa0d81ce
#define LDR_X13_X10_8	0xf940054d
#define STP_X14_X13_X10(n) (0xa900354e | IMM7(n))
#define LDR_X14_X9(n)	(0xf940012e | (u32)(n) / 8 << 10)
#define LDP_X13_X14_X14(n) (0xa94039cd | IMM7(n))
#define BFI_X15_X13_0_16 0xb3403daf
#define STP_X15_X14_X10(n) (0xa900394f | IMM7(n))
#define LDR_X13_X9(n)	(0xf940012d | (u32)(n) / 8 << 10)
#define LDR_X13_X13(n)	(0xf94001ad | (u32)(n) / 8 << 10)
#define LDR_X14_X13_X11	0xf86b69ae
#define ADD_X14_X14_1	0x910005ce
#define STR_X14_X13_X11	0xf82b69ae

/* Where in kpt_arch_direct.more the event of record @i is. */
static unsigned int more_at(unsigned int i, unsigned int member)
{
	return (i - 1) * sizeof(struct kpt_arch_record) + member;
}

/**
 * kpt_direct_put_next() - write code for the head of a record behind the first one
 * @words: code
 * @nr: number of words; those of the head are added
 * @i: number of the record; 1 is the second one
 * @at: bytes from the first record to this one
 * @length: bytes of this one
 *
 * The code leaves x13 and x14 changed, and the common fields of this record in x15.
 *
 * Context: process context.
 * Return: true; false if the record is out of reach.
 */
bool kpt_direct_put_next(u32 *words, int *nr, unsigned int i, unsigned int at,
			 unsigned int length)
{
	const u32 head[] = {
		LDR_W13_X10_4,
		MOV_W14(length),
		ADD_W13_W13(i),
		ORR_X14_X14_X13_LSL_32,
		LDR_X13_X10_8,
		STP_X14_X13_X10(at),
		LDR_X14_X9(offsetof(struct kpt_arch_direct, more)),
		LDP_X13_X14_X14(more_at(i, offsetof(struct kpt_arch_record, type))),
		BFI_X15_X13_0_16,
		STP_X15_X14_X10(at + sizeof(struct kpt_ring_header)),
	};

	BUILD_BUG_ON(ARRAY_SIZE(head) + 5 > KPT_DIRECT_NEXT_MAX);
	if (at + sizeof(struct kpt_ring_header) > STP_MAX)
		return false;
	memcpy(words + *nr, head, sizeof(head));
	*nr += ARRAY_SIZE(head);
	return true;
}

/**
 * kpt_direct_put_count() - write code that counts a record behind the first one
 * @words: code
 * @nr: number of words; those of the code are added
 * @i: number of the record; 1 is the second one
 *
 * The code leaves x13 and x14 changed.
 *
 * Context: process context.
 */
void kpt_direct_put_count(u32 *words, int *nr, unsigned int i)
{
	const u32 count[] = {
		LDR_X13_X9(offsetof(struct kpt_arch_direct, more)),
		LDR_X13_X13(more_at(i, offsetof(struct kpt_arch_record, recorded))),
		LDR_X14_X13_X11,
		ADD_X14_X14_1,
		STR_X14_X13_X11,
	};

	memcpy(words + *nr, count, sizeof(count));
	*nr += ARRAY_SIZE(count);
}
