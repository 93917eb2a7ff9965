// SPDX-License-Identifier: GPL-2.0-only
/*
 * Return addresses that lead to us: for functions that do not leave by their
 * own return instructions only.
 *
 * x30 is replaced before the function's first instruction, so that whatever
 * the function does with it (sign it, push it to a shadow stack) it does with
 * ours.
 */
#include <kptrace/compat.h>
#include <linux/irqflags.h>
#include <linux/rcupdate.h>
#include "engine.h"

/* Called by kpt_return_entry. */
asmlinkage unsigned long kpt_return_handle(struct pt_regs *regs);

void kpt_arch_replace_return(struct pt_regs *regs)
{
	regs->regs[30] = (unsigned long)kpt_return_entry;
}

/**
 * kpt_return_handle() - a function returned into kpt_return_entry
 * @regs: registers after its return instruction
 *
 * Context: that which the function returned into, any; made like a BRK
 * handler's before the layers above are called.
 * Return: where to go on.
 */
asmlinkage unsigned long kpt_return_handle(struct pt_regs *regs)
{
	unsigned long flags, ret;

	BUILD_BUG_ON(sizeof(struct pt_regs) + 16 > KPT_RETURN_REGS);
	BUILD_BUG_ON(KPT_RETURN_REGS % 16);
	local_irq_save(flags);
	kpt_arch_hits_off();
	ret = kpt_hit_return(regs);
	kpt_arch_hits_on();
	local_irq_restore(flags);
	return ret;
}

bool kpt_arch_text_left(void)
{
	bool left = kpt_drain_wait();

	/* Those that are running now, on any CPU. */
	synchronize_rcu();
	return left;
}
