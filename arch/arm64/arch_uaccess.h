/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * User access: may the kernel reach the memory of users now?
 *
 * A hit changes nothing for the probed code, which may run with user access, as a copy from a
 * user does. A function of the kernel that reads user memory switches user access on, and off
 * at its end. An exception return restores what the probed code had, but a hit that came by a
 * stub, a thunk or a replaced return has none. Therefore the handler of a hit calls
 * kpt_uaccess_save() before it calls such a function, and kpt_uaccess_restore() after that.
 */
#ifndef KPT_ARM64_ARCH_UACCESS_H
#define KPT_ARM64_ARCH_UACCESS_H

#include <linux/jump_label.h>
#include <linux/types.h>
#include <asm/barrier.h>
#include <asm/sysreg.h>

/* What user access is, on this kernel and these CPUs: bits of kpt_uaccess_is. */
#define KPT_UACCESS_PAN		BIT(0)	/* PSTATE.PAN */
#define KPT_UACCESS_TTBR0	BIT(1)	/* TTBR0_EL1, and the ASID in TTBR1_EL1 */
#define KPT_UACCESS_TCO		BIT(2)	/* PSTATE.TCO: with it memory tags are not checked */

#define KPT_SYS_PAN		sys_reg(3, 0, 4, 2, 3)
#define KPT_SYS_TCO		sys_reg(3, 3, 4, 2, 7)

extern unsigned int kpt_uaccess_is;

/* Is any of these bits set? Where none is, a hit spends one NOP on each question. */
DECLARE_STATIC_KEY_FALSE(kpt_uaccess_switches);

/**
 * struct kpt_uaccess - user access as it was
 * @pan: PSTATE.PAN
 * @tco: PSTATE.TCO
 * @ttbr0: TTBR0_EL1
 * @ttbr1: TTBR1_EL1
 */
struct kpt_uaccess {
	u64 pan;
	u64 tco;
	u64 ttbr0;
	u64 ttbr1;
};

/**
 * kpt_uaccess_save() - note whether there is user access now
 * @was: result
 *
 * Context: exceptions masked, or user access is off.
 */
static __always_inline void kpt_uaccess_save(struct kpt_uaccess *was)
{
	if (!static_branch_unlikely(&kpt_uaccess_switches))
		return;
	if (kpt_uaccess_is & KPT_UACCESS_PAN)
		was->pan = read_sysreg_s(KPT_SYS_PAN);
	if (kpt_uaccess_is & KPT_UACCESS_TCO)
		was->tco = read_sysreg_s(KPT_SYS_TCO);
	if (kpt_uaccess_is & KPT_UACCESS_TTBR0) {
		was->ttbr0 = read_sysreg(ttbr0_el1);
		was->ttbr1 = read_sysreg(ttbr1_el1);
	}
}

/**
 * kpt_uaccess_restore() - put back user access
 * @was: from kpt_uaccess_save(), in the same hit
 *
 * If the kernel's function has changed anything, TTBR0_EL1 has the reserved tables now, and
 * TTBR1_EL1 the reserved ASID. The ASID is written first: the CPU must not cache entries of a
 * program's tables for the reserved ASID.
 *
 * Context: as there.
 */
static __always_inline void kpt_uaccess_restore(const struct kpt_uaccess *was)
{
	if (!static_branch_unlikely(&kpt_uaccess_switches))
		return;
	if (kpt_uaccess_is & KPT_UACCESS_PAN)
		write_sysreg_s(was->pan, KPT_SYS_PAN);
	if (kpt_uaccess_is & KPT_UACCESS_TCO)
		write_sysreg_s(was->tco, KPT_SYS_TCO);
	if (!(kpt_uaccess_is & KPT_UACCESS_TTBR0) ||
	    (read_sysreg(ttbr0_el1) == was->ttbr0 && read_sysreg(ttbr1_el1) == was->ttbr1))
		return;
	write_sysreg(was->ttbr1, ttbr1_el1);
	isb();
	write_sysreg(was->ttbr0, ttbr0_el1);
	isb();
}

#endif
