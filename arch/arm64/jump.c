// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stubs: a stub saves the registers, calls the handlers, performs the displaced
 * instruction and branches back to the probed code. In jump mode the probed instruction
 * is replaced by a branch to the stub, so no exception is taken. Where the instruction
 * must be a BRK, its handler continues at the stub (trap.c).
 *
 * A stub is a line of 128 bytes in a page near the probed text:
 *
 *	.quad	point			// struct kpt_arch_point
 *	nop				// hits begin here
 *	stp	x16, x30, [sp, #-KPT_RECORDER_FRAME]!
 *	stp	x9, x10, [sp, #16]
 *	mrs	x16, daif
 *	msr	daifset, #15
 *	ldr	x9, point
 *	tbz	x9, #63, 3f
 *	ldr	x9, [x9, #KPT_POINT_RECORDER]
 *	ldr	x10, [x9]
 *	blr	x10			// recorder.c
 *	msr	daif, x16
 *	ldp	x9, x10, [sp, #16]
 *	ldp	x16, x30, [sp], #KPT_RECORDER_FRAME
 *  1:	(up to six words)		// relocate.c: the instruction, branches back
 *	.quad	the probed address	// for reports
 *  3:	msr	daif, x16
 *	ldp	x9, x10, [sp, #16]
 *	ldp	x16, x30, [sp], #KPT_RECORDER_FRAME
 *  2:	sub	sp, sp, #KPT_JUMP_REGS
 *	stp	x29, x30, [sp, #232]
 *	bl	the page's first line	// jump_entry.S
 *	ldp	x29, x30, [sp, #232]
 *	add	sp, sp, #KPT_JUMP_REGS
 *	b	1b
 *
 * The code at 2 calls kpt_arch_recorder.hit. What the BLR calls returns to 3 if it has not
 * recorded the hit. Where hits are such that the stub cannot record them by itself, the NOP
 * is a branch to 2. Both ways are always valid, and a NOP and a branch may replace each other
 * while other CPUs execute them (Arm ARM B2.2.5).
 *
 * Before exceptions are masked, a task may be interrupted in the stub and resume
 * much later. So before a point is released, one store clears the upper half of
 * @point in the stub, and the stub passes through without a hit. Only the stub masks and
 * unmasks exceptions: no task is interrupted in what it calls.
 */
#include "kernel/compat.h"
#include <linux/kasan.h>
#include <linux/kernel.h>
#include <asm/cpufeature.h>
#include <asm/virt.h>
#include "kernel/ksyms.h"
#include "engine.h"

#define LINE_WORDS	(KPT_JUMP_LINE / sizeof(u32))
#define CODE		2	/* first instruction of a stub */
#define RECORDED	12	/* where recorders return to */
#define DISPLACED	15
#define ADDRESS		21
#define NOT_RECORDED	23
#define SLOW		26

extern const u32 kpt_jump_template[], kpt_jump_template_end[];
extern const u32 kpt_jump_mode[], kpt_jump_percpu[], kpt_jump_depth[];
extern const u32 kpt_jump_rare[], kpt_jump_missed[];

static bool jump = true;
module_param(jump, bool, 0600);
MODULE_PARM_DESC(jump, "new points may replace instructions by branches");

/* For tests: without it, the BRK handler performs or simulates each instruction. */
static bool stub = true;
module_param(stub, bool, 0600);
MODULE_PARM_DESC(stub, "new points that are breakpoints may have stubs (for tests)");

/* Why stubs cannot work on this kernel, or NULL if they can. */
static const char *kernel_why;

static const char *find_kernel_why(void)
{
	if (IS_ENABLED(CONFIG_TRACE_IRQFLAGS))
		return "lockdep wants to be told of each exception mask";
	if (kpt_mte_is_late)
		return "wrong memory tags are found later";
	if (system_uses_irq_prio_masking())
		return "interrupts are masked by priority";
	return NULL;
}

/**
 * kpt_jump_init() - find out whether stubs can work on this kernel
 *
 * Context: module load.
 */
void kpt_jump_init(void)
{
	BUILD_BUG_ON(sizeof(struct pt_regs) > KPT_JUMP_REGS);
	BUILD_BUG_ON(KPT_JUMP_REGS % 16);
	BUILD_BUG_ON(offsetof(struct pt_regs, regs[29]) != 232);
	BUILD_BUG_ON(offsetof(struct kpt_arch_point, addr) != KPT_POINT_ADDR);
	BUILD_BUG_ON(offsetof(struct kpt_arch_point, recorder) != KPT_POINT_RECORDER);
	BUILD_BUG_ON(offsetof(struct kpt_arch_recorder, hit) != KPT_RECORDER_HIT);
	kernel_why = find_kernel_why();
}

/**
 * kpt_jump_is_possible() - can code of ours run with exceptions masked, in this kernel?
 *
 * Context: any.
 * Return: true if it can.
 */
bool kpt_jump_is_possible(void)
{
	return !kernel_why;
}

/**
 * kpt_jump_status() - show whether probes can be branches
 * @sb: a line is appended
 *
 * Context: process context.
 */
void kpt_jump_status(struct kpt_strbuf *sb)
{
	kpt_strbuf_printf(sb, "probes as branches: %s\n",
			  kernel_why ?: jump ? "where they can be" : "switched off");
}

/* Why a point cannot have a stub, or NULL. */
static const char *why_no_stub(const struct kpt_arch_point *ap)
{
	u32 words[KPT_RELOCATED_MAX];

	if (kernel_why)
		return kernel_why;
	if (ap->trap)
		return "handlers need a breakpoint";
	/* kpt_jump_write_stub() checks reach, when the stub's address is known. */
	if (!kpt_insn_relocate(&ap->insn, ap->addr, ap->addr, words))
		return "works at its own address only";
	return NULL;
}

/* Why a point that can have a stub cannot be a branch, or NULL. */
static const char *why_no_branch(const struct kpt_arch_point *ap)
{
	if (!jump)
		return "switched off";
	if (ap->insn.flags & KPT_INSN_LANDING &&
	    ap->insn.bti == KPT_INSN_BTI_GUARDED)
		return "landing pad of indirect calls";
	/* It must be followed by what it prefixes, or by a BRK. */
	if (kpt_context_is_prefixed(ap))
		return "behind a MOVPRFX";
	if (kpt_context_is_pending(ap))
		return "behind an MSR without an ISB";
	return NULL;
}

/**
 * kpt_jump_mode_of() - the best mode of a point
 * @ap: decoded; @ap->no_jump is set: why it cannot be a branch
 *
 * Context: process context.
 * Return: the mode.
 */
enum kpt_mode kpt_jump_mode_of(struct kpt_arch_point *ap)
{
	ap->no_jump = why_no_stub(ap);
	if (ap->no_jump)
		return kpt_mode_with_brk(ap);
	ap->no_jump = why_no_branch(ap);
	if (!ap->no_jump)
		return KPT_MODE_JUMP;
	return stub ? KPT_MODE_STUB : kpt_mode_with_brk(ap);
}

static void set_address(u32 *words, const u32 *label, unsigned long addr)
{
	words[label - kpt_jump_template] = lower_32_bits(addr);
	words[label + 1 - kpt_jump_template] = upper_32_bits(addr);
}

/**
 * kpt_jump_write_page() - write the code that the stubs of a page share
 * @page: destination, behind the mark: what that leaves of KPT_JUMP_HEAD bytes
 *
 * Context: process context.
 * Return: 0; -EIO if the code is too long, or does not read back.
 */
int kpt_jump_write_page(u32 *page)
{
	unsigned int nr = kpt_jump_template_end - kpt_jump_template;
	u32 words[(KPT_JUMP_HEAD - sizeof(u64)) / sizeof(u32)];

	if (WARN_ON_ONCE(nr > ARRAY_SIZE(words)))
		return -EIO;
	memcpy(words, kpt_jump_template, nr * sizeof(u32));
	words[kpt_jump_mode - kpt_jump_template] =
		a64_add_i(X5, X20, kpt_pstate_mode());
	/* A kernel at EL2 keeps the offset of per-CPU variables in TPIDR_EL2. */
	if (is_kernel_in_hyp_mode())
		words[kpt_jump_percpu - kpt_jump_template] = 
			a64_mrs(X3, A64_TPIDR_EL2);
	set_address(words, kpt_jump_depth, (unsigned long)&kpt_cpu.depth);
	set_address(words, kpt_jump_rare, (unsigned long)kpt_trap_jump_rare);
	set_address(words, kpt_jump_missed,
		    (unsigned long)kpt_trap_jump_missed);
	return kpt_mem_write(page, words, nr);
}

/* The stub tests bit 63 to see if there is a point: KASAN's tag would hide it. */
static unsigned long address_of(const struct kpt_arch_point *ap)
{
	return (unsigned long)kasan_reset_tag(ap);
}

static u32 branch_word(const u32 *from, const u32 *to)
{
	return kpt_branch_word((unsigned long)from, (unsigned long)to);
}

static u32 bl_word(const u32 *from, const u32 *to)
{
	return a64_to(A64_BL, (to - from) * sizeof(u32));
}

/**
 * kpt_jump_write_stub() - write the stub of a point
 * @ap: the point; the stub is at @ap->slot
 * @head: code that kpt_jump_write_page() wrote into the same page
 *
 * Context: process context.
 * Return: 0, -ERANGE if the target of one of its branches is out of reach, or
 * -EIO if the stub does not read back.
 */
int kpt_jump_write_stub(const struct kpt_arch_point *ap, u32 *head)
{
	u32 *stub = (u32 *)ap->slot;
	u32 words[LINE_WORDS] = {
		lower_32_bits(address_of(ap)),
		upper_32_bits(address_of(ap)),
		A64_NOP,
		a64_stp_before(X16, X30, SP, -KPT_RECORDER_FRAME),
		a64_stp(X9, X10, SP, 16),
		a64_mrs(X16, A64_DAIF),
		a64_mask_exceptions(),
		a64_to(a64_ldr_literal(X9), -(CODE + 5) * 4),
		a64_to(a64_tbz(X9, 63), (NOT_RECORDED - (CODE + 6)) * 4),
		a64_ldr(X9, X9, KPT_POINT_RECORDER),
		a64_ldr(X10, X9, 0),
		a64_blr(X10),
		a64_msr(A64_DAIF, X16),
		a64_ldp(X9, X10, SP, 16),
		a64_ldp_behind(X16, X30, SP, KPT_RECORDER_FRAME),
		[ADDRESS] = lower_32_bits(ap->addr),
		[ADDRESS + 1] = upper_32_bits(ap->addr),
		[NOT_RECORDED] = a64_msr(A64_DAIF, X16),
		a64_ldp(X9, X10, SP, 16),
		a64_ldp_behind(X16, X30, SP, KPT_RECORDER_FRAME),
		[SLOW] = a64_add_i(SP, SP, -KPT_JUMP_REGS),
		[SLOW + 1] = a64_stp(X29, X30, SP, 232),
		[SLOW + 2] = bl_word(&stub[SLOW + 2], head),
		[SLOW + 3] = a64_ldp(X29, X30, SP, 232),
		[SLOW + 4] = a64_add_i(SP, SP, KPT_JUMP_REGS),
		[SLOW + 5] = branch_word(&stub[SLOW + 5], &stub[DISPLACED]),
	};

	BUILD_BUG_ON((NOT_RECORDED - RECORDED) * sizeof(u32) != KPT_JUMP_SLOW);
	BUILD_BUG_ON((SLOW + 3) * sizeof(u32) != KPT_JUMP_RETURN);
	BUILD_BUG_ON(DISPLACED + KPT_RELOCATED_MAX > ADDRESS);
	if (!kpt_insn_relocate(&ap->insn, ap->addr,
			       (unsigned long)&stub[DISPLACED],
			       &words[DISPLACED]))
		return -ERANGE;
	return kpt_mem_write(stub, words, LINE_WORDS);
}

/**
 * kpt_jump_entry() - the first instruction of a stub
 * @ap: a point with a stub
 *
 * Context: any.
 * Return: its address. PSTATE.BTYPE must be 0 there.
 */
unsigned long kpt_jump_entry(const struct kpt_arch_point *ap)
{
	return ap->slot + CODE * sizeof(u32);
}

/**
 * kpt_jump_word() - the branch that replaces a probed instruction
 * @ap: a point with a stub
 *
 * Context: any.
 * Return: the instruction word.
 */
u32 kpt_jump_word(const struct kpt_arch_point *ap)
{
	return kpt_branch_word(ap->addr, kpt_jump_entry(ap));
}

/**
 * kpt_jump_switch() - let a stub report hits, or pass through
 * @ap: the point
 * @on: true: hits are reported; false: the stub passes through, and after
 *	kpt_arch_quiesce() no CPU uses @ap
 *
 * Context: process context.
 */
void kpt_jump_switch(const struct kpt_arch_point *ap, bool on)
{
	u32 upper = on ? upper_32_bits(address_of(ap)) : 0;

	kpt_mem_write((u32 *)ap->slot + 1, &upper, 1);
}

const struct kpt_arch_recorder kpt_recorder_none = {
	.code = kpt_recorder_pass, .hit = kpt_hit_current,
};

/**
 * kpt_arch_recorder_set() - let the stub of a point record hits by itself, or not
 * @ap: the point; without a stub, kpt_recorder_run() records them
 * @recorder: from kpt_arch_recorder_make(), with @hit set; NULL: hits take kpt_hit_point(). After
 *	kpt_arch_quiesce() no CPU uses the old one
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_arch_recorder_set(struct kpt_arch_point *ap,
			   const struct kpt_arch_recorder *recorder)
{
	u32 *code = (u32 *)ap->slot + CODE;
	u32 word = A64_NOP;

	if (!recorder) {
		WRITE_ONCE(ap->recorder, &kpt_recorder_none);
		return;
	}
	/* What @recorder points to is complete before a hit sees @recorder. */
	smp_store_release(&ap->recorder, recorder);
	if (!kpt_arch_has_stub(ap))
		return;
	if (recorder->code == kpt_recorder_none.code)
		word = branch_word(code, (u32 *)ap->slot + SLOW);
	if (READ_ONCE(*code) != word)
		kpt_mem_write(code, &word, 1);
}

/**
 * kpt_jump_origin() - the probed code's address for a PC inside a stub
 * @pc: the PC
 *
 * Context: any.
 * Return: the address, or 0 if @pc is in no stub.
 */
unsigned long kpt_jump_origin(unsigned long pc)
{
	const u32 *stub = (const u32 *)(pc & ~(KPT_JUMP_LINE - 1UL));
	const u32 *at = (const u32 *)pc;
	unsigned long addr = stub[ADDRESS] | (u64)stub[ADDRESS + 1] << 32;

	/* At the branch back, the displaced instruction has been performed. */
	if (at > stub + DISPLACED && at < stub + ADDRESS && kpt_insn_is_b(*at))
		addr += 4;
	return addr;
}
