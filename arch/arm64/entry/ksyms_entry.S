/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Entries of functions of the kernel that were found by name: see src/kernel/ksyms_table.h.
 *
 * An entry leaves all registers of the call as they are but x16, which calls may change
 * (AAPCS64 6.1.1), so it is the function for those that call it. Where calls through
 * pointers are checked by kCFI, the word in front of it has the hash of its type; the
 * compiler defines that for functions whose addresses are taken.
 */
#include <linux/linkage.h>

	.text
/* The function that this kernel does not have. */
SYM_FUNC_START_LOCAL(ksym_none)
	mov	x0, xzr
	ret
SYM_FUNC_END(ksym_none)

	.pushsection .data..ro_after_init, "aw"
	.balign	8
SYM_DATA(kpt_ksym_none, .quad ksym_none)
	.popsection

.macro ksym_entry name
	.pushsection .data..ro_after_init, "aw"
SYM_DATA(kpt_to_\name\()_at, .quad ksym_none)
	.popsection
#if defined(CONFIG_CFI) || (defined(CONFIG_CFI_CLANG) && __has_include(<linux/cfi_types.h>))
	.balign	4
	.weak	__kcfi_typeid_kpt_to_\name
	.4byte	__kcfi_typeid_kpt_to_\name
#endif
	/* Not SYM_FUNC_START(): nothing may come between the word and the function. */
SYM_START(kpt_to_\name, SYM_L_GLOBAL, SYM_A_NONE)
	hint	#34			// bti c
	adrp	x16, kpt_to_\name\()_at
	ldr	x16, [x16, :lo12:kpt_to_\name\()_at]
	br	x16
SYM_FUNC_END(kpt_to_\name)
.endm

.macro ksym_data name
	.pushsection .data..ro_after_init, "aw"
	.weak	\name
SYM_DATA(kpt_to_\name\()_at, .quad \name)
	.popsection
.endm

#define KPT_KSYM_DATA(name, without) ksym_data name
#define KPT_KSYM_KEY(name)
#define KPT_KSYM(name, without) ksym_entry name
#define KPT_KSYM_AS(name, names, without) ksym_entry name
#include "kernel/ksyms_table.h"
