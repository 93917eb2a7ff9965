// SPDX-License-Identifier: GPL-2.0-only
/* What user access is on this kernel, see arch_uaccess.h. */
#include "kernel/compat.h"
#include <linux/bitfield.h>
#include <asm/cpufeature.h>
#include "engine.h"

unsigned int kpt_uaccess_is __ro_after_init;
DEFINE_STATIC_KEY_FALSE(kpt_uaccess_switches);

/* Do all CPUs have PSTATE.PAN (Arm ARM D19.2, ID_AA64MMFR1_EL1.PAN)? */
static bool has_pan(void)
{
	return FIELD_GET(GENMASK_ULL(23, 20), read_sanitised_ftr_reg(SYS_ID_AA64MMFR1_EL1));
}

/**
 * kpt_uaccess_init() - find out what user access is on this kernel
 *
 * Context: module load, after kpt_mte_init().
 */
void kpt_uaccess_init(void)
{
	if (has_pan())
		kpt_uaccess_is |= KPT_UACCESS_PAN;
	if (kpt_mte_checks)
		kpt_uaccess_is |= KPT_UACCESS_TCO;
	if (system_uses_ttbr0_pan())
		kpt_uaccess_is |= KPT_UACCESS_TTBR0;
	if (kpt_uaccess_is)
		static_key_slow_inc(&kpt_uaccess_switches.key);
}
