// SPDX-License-Identifier: GPL-2.0-only
/*
 * Return addresses that lead to us: for functions that do not leave by their
 * own return instructions only.
 *
 * x30 is replaced before the function's first instruction, so that whatever
 * the function does with it (sign it, push it to a shadow stack) it does with
 * ours.
 */
#include "kernel/compat.h"
#include <linux/irqflags.h>
#include <linux/rcupdate.h>
#include <asm/cpufeature.h>
#include <asm/processor.h>
#include <asm/sysreg.h>
#include "kernel/ksyms.h"
#include "compat.h"
#include "engine.h"

/* Called by kpt_return_entry. */
asmlinkage unsigned long kpt_return_handle(struct pt_regs *regs);

/* Where that ends; not to be called. */
void kpt_return_entry_end(void);

/**
 * kpt_arch_replace_return() - make a function return to us
 * @regs: registers at its entry; x30 is changed
 *
 * The function will return into kpt_hit_return(), on the same stack pointer.
 *
 * Context: BRK.
 */
void kpt_arch_replace_return(struct pt_regs *regs)
{
	regs->regs[30] = (unsigned long)kpt_return_entry;
}

/**
 * kpt_arch_saved_sp() - the stack pointer of a task that does not run
 * @task: the task
 *
 * Context: any. Of a task that runs it is an old one.
 * Return: the stack pointer.
 */
unsigned long kpt_arch_saved_sp(const struct task_struct *task)
{
	return thread_saved_sp(task);
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
	/* interrupts_enabled() looks there. */
	if (system_uses_irq_prio_masking())
		kpt_regs_pmr(regs) = read_sysreg_s(SYS_ICC_PMR_EL1);
	/* Not the kind that tells lockdep, by functions that may be hooked. */
	raw_local_irq_save(flags);
	kpt_arch_hits_off();
	ret = kpt_hit_return(regs);
	kpt_arch_hits_on();
	raw_local_irq_restore(flags);
	return ret;
}

/**
 * struct way_back - what a return runs of us with interrupts enabled
 * @handle: kpt_return_handle()
 * @size: its bytes
 * @taken: a task may be there
 */
static struct way_back {
	unsigned long handle;
	unsigned long size;
	bool taken;
} way_back;

/*
 * The address of kpt_return_entry itself is on many stacks. Who has yet to go
 * there has a frame.
 */
static void look_for_return(unsigned long word)
{
	if (word - way_back.handle < way_back.size ||
	    (word > (unsigned long)kpt_return_entry &&
	     word < (unsigned long)kpt_return_entry_end))
		way_back.taken = true;
}

/**
 * kpt_arch_returns_left() - is nobody any more on the way back through us?
 *
 * A task whose return has been handled may yet have to run some instructions
 * of the module. Waits for those where the kernel can wait for that.
 *
 * Context: process context, sleeps. One caller at a time.
 * Return: true; false if somebody may be: then ask again later.
 */
bool kpt_arch_returns_left(void)
{
	unsigned long offset;

	if (kpt_drain_wait()) {
		/* Those that are running now, on any CPU. */
		synchronize_rcu();
		return true;
	}
	way_back.handle = (unsigned long)kpt_return_handle;
	way_back.taken = false;
	return kpt_ksyms.lookup_size_offset(way_back.handle, &way_back.size,
					    &offset) &&
		kpt_drain_search(look_for_return) && !way_back.taken;
}
