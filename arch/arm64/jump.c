// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jump mode: the probed instruction is replaced by a branch to a stub, which
 * saves the registers, calls the handlers, performs the displaced instruction
 * and branches back. No exception is taken.
 *
 * A stub is a line of 64 bytes in a page near the probed text:
 *
 *	.quad	point			// struct kpt_arch_point
 *	sub	sp, sp, #KPT_JUMP_REGS	// the probed instruction branches here
 *	stp	x29, x30, [sp, #232]
 *	bl	the page's first line	// jump_entry.S
 *	ldp	x29, x30, [sp, #232]
 *	add	sp, sp, #KPT_JUMP_REGS
 *	(up to six words)		// relocate.c: the instruction, branches back
 *	.quad	the probed address	// for reports
 *
 * Before exceptions are masked, a task may be interrupted in the stub and resume
 * much later. So before a point is released, one store clears the upper half of
 * @point in the stub, and the stub passes through without a hit.
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
#define DISPLACED	7
#define ADDRESS		14

/* Arm ARM C6.2 */
#define SUB_SP		(0xd10003ff | KPT_JUMP_REGS << 10)
#define ADD_SP		(0x910003ff | KPT_JUMP_REGS << 10)
#define STP_X29_X30_232	0xa90efbfd
#define LDP_X29_X30_232	0xa94efbfd
#define BL		0x94000000
#define NOP		0xd503201f
#define MOV_X2(imm)	(0xd2800002 | (imm) << 5)
#define MRS_X3_TPIDR_EL2 0xd53cd043

extern const u32 kpt_jump_template[], kpt_jump_template_end[];
extern const u32 kpt_jump_get_pan[], kpt_jump_put_pan[], kpt_jump_mode[];
extern const u32 kpt_jump_percpu[], kpt_jump_depth[], kpt_jump_hit[];
extern const u32 kpt_jump_rare[], kpt_jump_missed[];

static bool jump = true;
module_param(jump, bool, 0600);
MODULE_PARM_DESC(jump, "new points may replace instructions by branches");

/* Why jump mode cannot work on this kernel, or NULL if it can. */
static const char *kernel_why;

static const char *find_kernel_why(void)
{
	if (IS_ENABLED(CONFIG_TRACE_IRQFLAGS))
		return "lockdep wants to be told of each exception mask";
	if (IS_ENABLED(CONFIG_KASAN_HW_TAGS))
		return "memory tagging checks depend on exceptions";
	if (system_uses_irq_prio_masking())
		return "interrupts are masked by priority";
	if (system_uses_ttbr0_pan())
		return "user access is switched by page tables";
	return NULL;
}

/* Do all CPUs have PSTATE.PAN? Arm ARM D19.2, ID_AA64MMFR1_EL1.PAN. */
static bool has_pan(void)
{
	return FIELD_GET(GENMASK_ULL(23, 20),
			 read_sanitised_ftr_reg(SYS_ID_AA64MMFR1_EL1));
}

/**
 * kpt_jump_init() - find out whether jump mode can work on this kernel
 *
 * Context: module load.
 */
void kpt_jump_init(void)
{
	BUILD_BUG_ON(sizeof(struct pt_regs) > KPT_JUMP_REGS);
	BUILD_BUG_ON(KPT_JUMP_REGS % 16);
	BUILD_BUG_ON(offsetof(struct pt_regs, regs[29]) != 232);
	BUILD_BUG_ON(offsetof(struct kpt_arch_point, addr) != KPT_POINT_ADDR);
	BUILD_BUG_ON(offsetof(struct kpt_arch_point, test) != KPT_POINT_TEST);
	kernel_why = find_kernel_why();
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
			  !jump ? "switched off" :
			  kernel_why ?: "where they can be");
}

/**
 * kpt_jump_why_not() - why can a point not be a branch?
 * @ap: decoded
 *
 * Context: process context.
 * Return: NULL if it can be one, else the reason.
 */
const char *kpt_jump_why_not(const struct kpt_arch_point *ap)
{
	u32 words[KPT_RELOCATED_MAX];

	if (!jump)
		return "switched off";
	if (kernel_why)
		return kernel_why;
	if (ap->insn.flags & KPT_INSN_LANDING &&
	    ap->insn.bti == KPT_INSN_BTI_GUARDED)
		return "landing pad of indirect calls";
	/* kpt_jump_write_stub() checks reach, when the stub's address is known. */
	if (!kpt_insn_relocate(&ap->insn, ap->addr, ap->addr, words))
		return "works at its own address only";
	return NULL;
}

static void set_address(u32 *words, const u32 *label, unsigned long addr)
{
	words[label - kpt_jump_template] = lower_32_bits(addr);
	words[label + 1 - kpt_jump_template] = upper_32_bits(addr);
}

/**
 * kpt_jump_write_page() - write the code that the stubs of a page share
 * @page: destination, KPT_JUMP_HEAD bytes
 *
 * Context: process context.
 * Return: 0; -EIO if the code is too long, or does not read back.
 */
int kpt_jump_write_page(u32 *page)
{
	unsigned int nr = kpt_jump_template_end - kpt_jump_template;
	u32 words[KPT_JUMP_HEAD / sizeof(u32)];

	if (WARN_ON_ONCE(nr > ARRAY_SIZE(words)))
		return -EIO;
	memcpy(words, kpt_jump_template, nr * sizeof(u32));
	words[kpt_jump_mode - kpt_jump_template] =
		MOV_X2(read_sysreg(CurrentEL) | read_sysreg(SPSel));
	if (!has_pan()) {
		words[kpt_jump_get_pan - kpt_jump_template] = NOP;
		words[kpt_jump_put_pan - kpt_jump_template] = NOP;
	}
	/* A kernel at EL2 keeps the offset of per-CPU variables in TPIDR_EL2. */
	if (is_kernel_in_hyp_mode())
		words[kpt_jump_percpu - kpt_jump_template] = MRS_X3_TPIDR_EL2;
	set_address(words, kpt_jump_depth, (unsigned long)&kpt_hit_depth);
	set_address(words, kpt_jump_hit, (unsigned long)kpt_hit);
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
	unsigned long bl = (unsigned long)&stub[CODE + 2];
	u32 words[LINE_WORDS] = {
		lower_32_bits(address_of(ap)),
		upper_32_bits(address_of(ap)),
		[CODE] = SUB_SP,
		[CODE + 1] = STP_X29_X30_232,
		[CODE + 2] = BL | ((((unsigned long)head - bl) >> 2) &
				   ~KPT_B_MASK),
		[CODE + 3] = LDP_X29_X30_232,
		[CODE + 4] = ADD_SP,
		[ADDRESS] = lower_32_bits(ap->addr),
		[ADDRESS + 1] = upper_32_bits(ap->addr),
	};

	BUILD_BUG_ON((CODE + 3) * sizeof(u32) != KPT_JUMP_RETURN);
	BUILD_BUG_ON(DISPLACED + KPT_RELOCATED_MAX > ADDRESS);
	if (!kpt_insn_relocate(&ap->insn, ap->addr,
			       (unsigned long)&stub[DISPLACED],
			       &words[DISPLACED]))
		return -ERANGE;
	return kpt_mem_write(stub, words, LINE_WORDS);
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
	return kpt_branch_word(ap->addr, ap->slot + CODE * sizeof(u32));
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
	if (at > stub + DISPLACED && kpt_insn_is_b(*at))
		addr += 4;
	return addr;
}
