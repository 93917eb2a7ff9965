// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replaced return addresses, for functions that may leave by other instructions
 * than their own return instructions.
 *
 * x30 is replaced before the function's first instruction, so the function signs
 * our address, or pushes it to a shadow stack.
 */
#include "kernel/compat.h"
#include <linux/rcupdate.h>
#include <asm/cpufeature.h>
#include <asm/processor.h>
#include <asm/sysreg.h>
#include "kernel/cpu.h"
#include "kernel/ksyms.h"
#include "arch_compat.h"
#include "engine.h"

/* Called by kpt_return_entry. */
asmlinkage unsigned long kpt_return_handle(struct pt_regs *regs);

extern const u32 kpt_return_entry_end[];

/**
 * kpt_return_init() - look up the trampolines that replace return addresses
 *
 * Context: module load.
 */
void kpt_return_init(void)
{
	BUILD_BUG_ON(offsetof(struct kpt_cpu, depth) != KPT_CPU_DEPTH);
	BUILD_BUG_ON(offsetof(struct kpt_cpu, pile) != KPT_CPU_PILE);
	BUILD_BUG_ON(offsetof(struct kpt_arch_pile, task) != 0);
	BUILD_BUG_ON(offsetof(struct kpt_arch_pile, newest) != KPT_PILE_NEWEST);
	BUILD_BUG_ON(offsetof(struct kpt_call, around) != KPT_CALL_AROUND);
	BUILD_BUG_ON(offsetof(struct kpt_call, sp) != KPT_CALL_SP);
	BUILD_BUG_ON(offsetof(struct kpt_call, ret) != KPT_CALL_RET);
	BUILD_BUG_ON(offsetof(struct kpt_call, owner) != KPT_CALL_OWNER);
	kpt_arch_return_words.ours = (unsigned long)kpt_return_entry;
	kpt_arch_return_words.graph =
		kpt_ksyms_addr("return_to_handler");
	kpt_arch_return_words.kretprobe =
		kpt_ksyms_any("__kretprobe_trampoline|kretprobe_trampoline");
}

/**
 * kpt_arch_returns_set() - let code record the returns of calls whose address is replaced
 * @at: kpt_call_owner.recorder
 * @recorder: from kpt_arch_recorder_make(); NULL: they take kpt_hit_return(). After
 *	kpt_arch_quiesce() no CPU uses the old one
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_arch_returns_set(const struct kpt_arch_recorder **at,
			  const struct kpt_arch_recorder *recorder)
{
	/* What @recorder points to is complete before a hit sees @recorder. */
	smp_store_release(at, recorder ?: &kpt_recorder_none);
}

/**
 * kpt_arch_true_return() - a return address before the kernel replaced it
 * @ret: the return address
 * @fp: the caller's frame pointer, by which the kernel identifies the call; at the entry
 *	and at the return it is x29
 *
 * Context: BRK.
 * Return: the address; @ret if it was not replaced, or if the kernel cannot tell
 * the original.
 */
unsigned long kpt_arch_true_return(unsigned long ret, unsigned long fp)
{
	struct llist_node *node = NULL;
	int index = 0, asked = -1;

	/* After a tail call the noted address is the trampoline again: repeat. */
	while (ret == kpt_arch_return_words.graph &&
	       kpt_has(ftrace_graph_ret_addr) && index != asked) {
		asked = index;
		ret = ftrace_graph_ret_addr(current, &index, ret, (void *)fp);
	}
	if (ret == kpt_arch_return_words.kretprobe &&
	    kpt_has(kretprobe_find_ret_addr))
		return kretprobe_find_ret_addr(current, (void *)fp, &node) ?: ret;
	return ret;
}

/**
 * kpt_arch_saved_sp() - the stack pointer of a task that is not running
 * @task: the task
 *
 * Context: any.
 * Return: the stack pointer; for a running task, a stale one.
 */
unsigned long kpt_arch_saved_sp(const struct task_struct *task)
{
	return thread_saved_sp(task);
}

/**
 * kpt_return_handle() - handle a return into kpt_return_entry
 * @regs: registers after the function's return instruction
 *
 * Context: any, exceptions masked; the layers above are called as in a BRK handler.
 * Return: the address to return to.
 */
asmlinkage unsigned long kpt_return_handle(struct pt_regs *regs)
{
	unsigned long ret;

	BUILD_BUG_ON(sizeof(struct pt_regs) + 16 > KPT_RETURN_REGS);
	BUILD_BUG_ON(KPT_RETURN_REGS % 16);
	/* interrupts_enabled() reads this. */
	if (system_uses_irq_prio_masking())
		kpt_regs_pmr(regs) = read_sysreg_s(SYS_ICC_PMR_EL1);
	/* kpt_arch_hits_off() and kpt_arch_hits_on(), without calls. */
	raw_cpu_inc(kpt_cpu.depth);
	barrier();
	ret = kpt_hit_return(regs);
	barrier();
	raw_cpu_dec(kpt_cpu.depth);
	return ret;
}

/**
 * struct return_search - a search of stacks for tasks inside kpt_return_entry
 * @handle: address of kpt_return_handle()
 * @size: its size in bytes
 * @found: a task may be there
 */
static struct return_search {
	unsigned long handle;
	unsigned long size;
	bool found;
} return_search;

/*
 * Do not match the address of kpt_return_entry itself: it is on the stack of
 * every task that has yet to return there, which its kpt_call still counts.
 */
static void return_search_word(unsigned long word)
{
	if (word - return_search.handle < return_search.size ||
	    (word > (unsigned long)kpt_return_entry &&
	     word < (unsigned long)kpt_return_entry_end))
		return_search.found = true;
}

/**
 * kpt_arch_returns_left() - has every task left kpt_return_entry?
 *
 * After its return has been handled, a task still executes some instructions of
 * the module with interrupts enabled. Wait for such tasks if the kernel can.
 *
 * Context: process context, sleeps. One caller at a time.
 * Return: true; false if a task may still be there: call again later.
 */
bool kpt_arch_returns_left(void)
{
	unsigned long offset;

	if (kpt_drain_wait()) {
		/* Also wait for tasks that are running now, on any CPU. */
		synchronize_rcu();
		return true;
	}
	return_search.handle = KPT_ARCH_ADDR(kpt_return_handle);
	return_search.found = false;
	return kallsyms_lookup_size_offset(return_search.handle,
					    &return_search.size, &offset) &&
		kpt_drain_search(return_search_word) && !return_search.found;
}
