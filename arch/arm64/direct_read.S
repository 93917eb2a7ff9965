/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recorders (direct.c) read memory by calling these. They are in the module, not in
 * the recorder, because a load that may fault needs an entry in an exception table.
 *
 * x14 is an address. Bit 55 of it selects the translation table (Arm ARM D8.2.4): only
 * kernel memory is read. A fault there never sleeps: the kernel looks into the exception
 * tables at once.
 *
 * Where the address is another one or cannot be read, they do not return to x30: all is
 * left to kpt_hit(). KPT_DIRECT_LEAVE is where SP has the address for that.
 */
#include <linux/linkage.h>
#include <asm/assembler.h>
#include "engine_asm.h"

	.text

/* If @insn faults, leave. */
.macro	may_fault insn
#ifdef _ASM_EXTABLE_UACCESS
	_asm_extable_uaccess \insn, .Lleave
#else
	_asm_extable \insn, .Lleave
#endif
.endm

SYM_CODE_START_LOCAL(kpt_direct_leave)
.Lleave:
	ldr	x13, [sp, #KPT_DIRECT_LEAVE]
	ret	x13
SYM_CODE_END(kpt_direct_leave)

/* x13 = the number at x14 */
.macro	read name, load:vararg
SYM_CODE_START(\name)
#ifdef CONFIG_ARM64_BTI_KERNEL
	hint	#34			// bti c
#endif
	tbz	x14, #55, .Lleave
.Lload\@:
	\load
	may_fault .Lload\@
	ret
SYM_CODE_END(\name)
.endm

	read	kpt_direct_read1, ldrb w13, [x14]
	read	kpt_direct_read2, ldrh w13, [x14]
	read	kpt_direct_read4, ldr w13, [x14]
	read	kpt_direct_read8, ldr x13, [x14]
