// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recorders (recorder.c) of events whose records histograms read: when the record is in
 * the ring, the recorder calls kpt_hit_recorded().
 *
 * That is C, so a recorder saves what C may change. It does not have struct pt_regs, which
 * few histograms need, but saves all that belongs in there.
 */
#include "recorder/recorder_code.h"

/* Arm ARM C6.2 */
#define LDR_X10_X9(n)	(0xf940012a | (n) / 8 << 10)
#define LDRB_X10_X10	0x3940014a
#define CBZ_X10(words)	(0xb400000a | (words) << 5)
#define CBNZ_X10(words)	(0xb500000a | (words) << 5)
#define ADD_X30_X30(n)	(0x910003de | (n) << 10)

/**
 * struct kpt_arch_saved - registers of the probed code, as the code below saves them
 * @x0: x0 to x8
 * @x18: x18; and x19 to x29 if there is kpt_hit_recorded_synth() to call
 * @recorder: x11 of the recorder
 * @daif: PSTATE.DAIF
 * @stub: the address in the stub to return to
 * @nzcv: PSTATE.NZCV
 * @direct: x9 of the recorder
 * @other: what recorders and stubs have saved, see kpt_direct_saved_at()
 * @sp: the stack of the probed code
 */
struct kpt_arch_saved {
	u64 x0[9];
	u64 x18[12];
	u64 recorder;
	u64 daif;
	u64 stub;
	u64 nzcv;
	u64 direct;
	u64 other[KPT_DIRECT_FRAME / sizeof(u64)];
	u64 sp[];
};

extern const u32 kpt_direct_held_get_pan[], kpt_direct_held_put_pan[];

/* Never called: only a function can give offsets to assembler code. */
static void __used noinline held_template(void)
{
	BUILD_BUG_ON(offsetof(struct kpt_arch_saved, x18) != 72);
	BUILD_BUG_ON(offsetof(struct kpt_arch_saved, other) % 16);
	BUILD_BUG_ON(offsetof(struct kpt_arch_saved, daif) !=
		     offsetof(struct kpt_arch_saved, recorder) + 8);
	BUILD_BUG_ON(offsetof(struct kpt_arch_saved, nzcv) !=
		     offsetof(struct kpt_arch_saved, stub) + 8);
	asm volatile(
	"	.pushsection .rodata, \"a\"\n"
	"	.balign	8\n"
	"	.globl	kpt_direct_held\n"
	"kpt_direct_held:\n"
	"	add	x13, x17, #%c[r_commit]\n"
	"	stlr	x12, [x13]\n"		/* publish:A */
	"	sub	sp, sp, #%c[size]\n"
	SAVE_X0_X8_X18
	"	mrs	x14, nzcv\n"
	"	stp	x11, x16, [sp, #%c[recorder]]\n"
	"	stp	x30, x14, [sp, #%c[stub]]\n"
	"	str	x9, [sp, #%c[direct]]\n"
	"	mov	x0, x9\n"
	"	add	x1, x10, #%c[header]\n"
	"	ldr	x16, kpt_direct_held_hit\n"
	"	blr	x16\n"
	"	tbz	w0, #0, 2f\n"
	"1:	ldp	x11, x16, [sp, #%c[recorder]]\n"
	"	ldp	x30, x14, [sp, #%c[stub]]\n"
	"	msr	nzcv, x14\n"
	LOAD_X0_X8_X18
	"	add	sp, sp, #%c[size]\n"
	"	str	wzr, [x11, #%c[c_depth]]\n"
	LOAD_SCRATCH
	"	ret\n"
	/* Perf may read user memory, which changes PSTATE.PAN. */
	"2:	stp	x19, x20, [sp, #80]\n"
	"	stp	x21, x22, [sp, #96]\n"
	"	stp	x23, x24, [sp, #112]\n"
	"	stp	x25, x26, [sp, #128]\n"
	"	stp	x27, x28, [sp, #144]\n"
	"	str	x29, [sp, #160]\n"
	"	.globl	kpt_direct_held_get_pan\n"
	"kpt_direct_held_get_pan: .inst 0xd5384273\n"	/* mrs x19, pan */
	"	ldr	x0, [sp, #%c[direct]]\n"
	"	mov	x1, sp\n"
	"	ldr	x16, kpt_direct_held_synth\n"
	"	blr	x16\n"
	"	.globl	kpt_direct_held_put_pan\n"
	"kpt_direct_held_put_pan: .inst 0xd5184273\n"	/* msr pan, x19 */
	"	ldr	x19, [sp, #80]\n"
	"	b	1b\n"
	"	.balign	8\n"
	"	.globl	kpt_direct_held_hit\n"
	"kpt_direct_held_hit: .quad 0\n"	/* kpt_hit_recorded */
	"	.globl	kpt_direct_held_synth\n"
	"kpt_direct_held_synth: .quad 0\n"	/* kpt_hit_recorded_synth */
	"	.globl	kpt_direct_held_end\n"
	"kpt_direct_held_end:\n"
	"	.popsection\n"
	: :
	OFFSET(recorder, kpt_arch_saved, recorder),
	OFFSET(stub, kpt_arch_saved, stub),
	OFFSET(direct, kpt_arch_saved, direct),
	OFFSET(size, kpt_arch_saved, other),
	[header] "i" (sizeof(struct kpt_ring_header)),
	OFFSET(r_commit, kpt_ring, commit),
	OFFSET(c_depth, kpt_cpu, depth));
}

/* A hit at which *@offset of struct kpt_arch_direct is @unless is left to kpt_hit(). */
static void put_unless(u32 *words, unsigned int *nr, unsigned int offset, bool unless,
		       unsigned int leave)
{
	words[(*nr)++] = LDR_X10_X9(offset);
	words[(*nr)++] = LDRB_X10_X10;
	words[*nr] = unless ? CBNZ_X10(leave - *nr) : CBZ_X10(leave - *nr);
	(*nr)++;
}

/**
 * kpt_direct_put_held_test() - write a test whether kpt_hit_recorded() may have a hit
 * @words: result, KPT_DIRECT_HELD_WORDS words
 * @entry: where hits continue that it may have, in words behind the test
 *
 * Stubs begin with it, so that events that are not enabled pay little for it.
 *
 * Context: process context.
 * Return: number of words.
 */
unsigned int kpt_direct_put_held_test(u32 *words, unsigned int entry)
{
	unsigned int nr = 0, leave = KPT_DIRECT_HELD_WORDS - 2;

	words[nr++] = IS_ENABLED(CONFIG_ARM64_BTI_KERNEL) ? KPT_BTI_C : KPT_NOP;
	put_unless(words, &nr, offsetof(struct kpt_arch_direct, if_both[0]), false, leave);
	put_unless(words, &nr, offsetof(struct kpt_arch_direct, if_both[1]), false, leave);
	put_unless(words, &nr, offsetof(struct kpt_arch_direct, unless), true, leave);
	words[nr] = KPT_B | (KPT_DIRECT_HELD_WORDS - nr + entry);
	WARN_ON_ONCE(++nr != leave);
	words[nr++] = ADD_X30_X30(KPT_JUMP_SLOW);
	words[nr++] = KPT_RET;
	return nr;
}

/**
 * kpt_direct_put_held() - write the end of a recorder that calls kpt_hit_recorded()
 * @words: room for the template kpt_direct_held
 *
 * Context: process context.
 */
void kpt_direct_put_held(u32 *words)
{
	memcpy(words, kpt_direct_held,
	       (kpt_direct_held_end - kpt_direct_held) * sizeof(u32));
	if (!kpt_jump_has_pan()) {
		words[kpt_direct_held_get_pan - kpt_direct_held] = KPT_NOP;
		words[kpt_direct_held_put_pan - kpt_direct_held] = KPT_NOP;
	}
	kpt_direct_put_address(words + (kpt_direct_held_hit - kpt_direct_held),
			       (unsigned long)kpt_hit_recorded);
	kpt_direct_put_address(words + (kpt_direct_held_synth - kpt_direct_held),
			       (unsigned long)kpt_hit_recorded_synth);
}

/**
 * kpt_arch_saved_regs() - make the registers of a hit of what its recorder has saved
 * @regs: result
 * @saved: what it has saved
 * @pc: the probed address
 *
 * Context: BRK.
 */
void kpt_arch_saved_regs(struct pt_regs *regs, const struct kpt_arch_saved *saved,
			 unsigned long pc)
{
	const u8 *other = (const u8 *)saved->other;
	unsigned int i;

	memset(regs, 0, sizeof(*regs));
	memcpy(regs->regs, saved->x0, sizeof(saved->x0));
	memcpy(&regs->regs[18], saved->x18, sizeof(saved->x18));
	for (i = 9; i <= 30; i++)
		if (kpt_direct_saved_at(i) >= 0)
			regs->regs[i] = *(const u64 *)(other + kpt_direct_saved_at(i));
	regs->sp = (unsigned long)saved->sp;
	regs->pc = pc;
	regs->pstate = saved->nzcv | saved->daif | kpt_pstate_mode();
}
