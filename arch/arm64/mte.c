// SPDX-License-Identifier: GPL-2.0-only
/*
 * Are accesses with a wrong tag found later (KASAN_HW_TAGS)?
 *
 * A load that finds a wrong tag at once faults as at an address that cannot be read. If it is
 * found later, functions of headers that read where they may not switch off the check of tags
 * for that while, and leave it on. Whether they have to, a static key says, which kernels keep
 * from modules: so the module has one of its own, see src/kernel/ksyms_table.h.
 */
#include "kernel/compat.h"
#include <linux/bitfield.h>
#include <asm/sysreg.h>
#include "kernel/ksyms.h"
#include "engine.h"

#ifdef CONFIG_KASAN_HW_TAGS

/* What accesses of the kernel with a wrong tag do (Arm ARM, SCTLR_EL1.TCF). */
#define TCF		GENMASK_ULL(41, 40)
#define TCF_ASYNC	2	/* it is noted; 3: reads fault, writes are noted; 0: nothing */

DEFINE_STATIC_KEY_FALSE(mte_async_mode);
DEFINE_STATIC_KEY_FALSE(mte_async_or_asymm_mode);

#endif

bool kpt_mte_checks __ro_after_init;
bool kpt_mte_is_late __ro_after_init;

/**
 * kpt_mte_init() - find out whether tags are checked, and when wrong ones are found
 *
 * The kernel has decided that for all CPUs when it started them.
 *
 * Context: module load.
 */
void kpt_mte_init(void)
{
#ifdef CONFIG_KASAN_HW_TAGS
	unsigned long tcf = FIELD_GET(TCF, read_sysreg(sctlr_el1));

	kpt_mte_checks = tcf;
	kpt_mte_is_late = tcf >= TCF_ASYNC;
	if (!kpt_mte_is_late)
		return;
	static_key_slow_inc(&mte_async_mode.key);
	static_key_slow_inc(&mte_async_or_asymm_mode.key);
#endif
}
