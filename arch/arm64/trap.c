// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a BRK exception to the handlers of a point, and back to the probed code.
 *
 * Everything from kpt_trap_handle() down runs with all exceptions masked, on
 * whatever stack the probed code had, perhaps in the middle of the scheduler,
 * of RCU or of another hit. The engine keeps no state from one exception to
 * the next: simulating leaves none, and a slot can tell by itself where it
 * belongs. So hits nest to any depth; the depth is only counted because the
 * handlers of a point do not nest.
 */
#include "kernel/compat.h"
#include <linux/kdebug.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/uaccess.h>
#include "kernel/ksyms.h"
#include "engine.h"

DEFINE_PER_CPU(unsigned int, kpt_hit_depth);

/* Nothing that the kernel does before it calls us can be probed. */
static bool slow_way_clear __ro_after_init;

/**
 * kpt_arch_hits_off() - hits on this CPU count as missed from here on
 *
 * For short parts that the hit path must not be entered in. Nests.
 *
 * Context: any, interrupts masked until kpt_arch_hits_on().
 */
void kpt_arch_hits_off(void)
{
	raw_cpu_inc(kpt_hit_depth);
	barrier();
}

/**
 * kpt_arch_hits_on() - the reverse of kpt_arch_hits_off()
 *
 * Context: any, interrupts masked.
 */
void kpt_arch_hits_on(void)
{
	barrier();
	raw_cpu_dec(kpt_hit_depth);
}

/*
 * A literal that can not be read: take the fault that the instruction would
 * have taken. It is not survived, as it would not have been there.
 */
static noinline void take_fault(const struct kpt_arch_point *ap)
{
	READ_ONCE(*(u32 *)kpt_insn_target(&ap->insn, ap->addr));
}

/* Perform the displaced instruction, or go where it is performed. */
static void perform(const struct kpt_arch_point *ap, struct pt_regs *regs)
{
	if (ap->mode != KPT_MODE_SIMULATED)
		regs->pc = ap->slot;
	else if (!kpt_insn_simulate(&ap->insn, &regs->user_regs, ap->addr))
		take_fault(ap);
}

/*
 * The point at the PC, of the self-test or not, is hit: run its handlers.
 *
 * On the fast way RCU may not be watching this CPU, and some handlers need it.
 * Then nothing is done, and the exception comes again by the slow way, which
 * makes RCU watch. But a kernel without kprobes may have probes in what it does
 * on that way: there the hit is missed.
 */
static __always_inline bool point_hit(struct pt_regs *regs, u32 brk, bool test,
				      bool fast)
{
	unsigned int bias = fast ? 0 : kpt_arch_preempt_bias;
	bool first = raw_cpu_inc_return(kpt_hit_depth) == 1;
	struct kpt_arch_point *ap;
	bool ours = false;

	/*
	 * The point may just have been disarmed. If its text is back, the BRK
	 * was fetched before that: execute what is there now.
	 */
	ap = test ? kpt_selftest_find(regs->pc) : kpt_point_find(regs->pc);
	if (unlikely(!ap)) {
		ours = READ_ONCE(*(u32 *)regs->pc) != brk;
		goto out;
	}
	if (unlikely(!first)) {
		test ? kpt_selftest_missed(ap) : kpt_hit_missed(ap);
	} else if (test) {
		/* One of its modes is for the other way. */
		if (fast && ap->mode == KPT_MODE_STEPPED)
			goto out;
		kpt_selftest_hit(ap, regs);
	} else if (unlikely(!kpt_hit(ap, regs, bias))) {
		if (fast && slow_way_clear)
			goto out;
		kpt_hit_missed(ap);
	}
	perform(ap, regs);
	ours = true;
out:
	raw_cpu_dec(kpt_hit_depth);
	return ours;
}

/* The displaced instruction has been executed in a stepped slot. */
static bool slot_left(struct pt_regs *regs)
{
	unsigned long addr;

	if (!kpt_xol_origin(regs->pc, &addr))
		return false;
	regs->pc = addr;
	return true;
}

static __always_inline bool handle(struct pt_regs *regs, unsigned long esr,
				   bool fast)
{
	switch (esr & KPT_BRK_ISS_MASK) {
	case KPT_BRK_IMM_PROBE:
		return point_hit(regs, KPT_BRK_PROBE, false, fast);
	case KPT_BRK_IMM_STEPPED:
		return slot_left(regs);
	case KPT_BRK_IMM_TEST:
		return point_hit(regs, KPT_BRK_TEST, true, fast);
	default:
		return false;
	}
}

/**
 * kpt_trap_handle() - a BRK with one of our immediates was executed
 * @regs: registers; the PC is that of the BRK
 * @esr: the exception syndrome
 *
 * Context: BRK.
 * Return: true if it was ours and @regs say where to go on.
 */
bool kpt_trap_handle(struct pt_regs *regs, unsigned long esr)
{
	return handle(regs, esr, false);
}

/**
 * kpt_trap_fast() - kpt_trap_handle() before the kernel has noted the exception
 * @regs: registers; the PC is that of the BRK
 * @esr: the exception syndrome
 *
 * Context: BRK, RCU perhaps not watching.
 * Return: true if it was ours; false if it is to be taken the usual way.
 */
bool kpt_trap_fast(struct pt_regs *regs, unsigned long esr)
{
	return handle(regs, esr, true);
}

/**
 * kpt_trap_jump_rare() - a hit by a branch that is not simply kpt_hit()
 * @ap: the point: one of the self-test, or one whose hit RCU has to watch
 * @regs: registers
 *
 * If RCU does not watch this CPU and has to, it is made to, as if this was an
 * NMI; where the kernel does not offer that, the hit is missed.
 *
 * Context: as BRK: all exceptions masked.
 */
void kpt_trap_jump_rare(struct kpt_arch_point *ap, struct pt_regs *regs)
{
	if (ap->test) {
		kpt_selftest_hit(ap, regs);
		return;
	}
	if (!kpt_ksyms.rcu_nmi_enter || !kpt_ksyms.rcu_nmi_exit) {
		kpt_hit_missed(ap);
		return;
	}
	kpt_ksyms.rcu_nmi_enter();
	kpt_hit(ap, regs, 0);
	kpt_ksyms.rcu_nmi_exit();
}

/**
 * kpt_trap_jump_missed() - a point was reached by a branch inside another hit
 * @ap: the point
 *
 * Context: as BRK: all exceptions masked.
 */
void kpt_trap_jump_missed(struct kpt_arch_point *ap)
{
	ap->test ? kpt_selftest_missed(ap) : kpt_hit_missed(ap);
}

/*
 * An instruction that faults in a slot, for which the kernel has no fix-up:
 * the report should name the probed code, not the slot.
 */
static int on_die(struct notifier_block *nb, unsigned long event, void *data)
{
	struct pt_regs *regs = ((struct die_args *)data)->regs;
	unsigned long addr;
	u32 word;

	if (!regs || user_mode(regs) ||
	    copy_from_kernel_nofault(&word, (void *)(regs->pc & PAGE_MASK),
				     sizeof(word)))
		return NOTIFY_DONE;
	if (kpt_xol_origin(regs->pc, &addr)) {
		pr_emerg("the PC was in the slot of a probe, it stands for %pS\n",
			 (void *)addr);
		regs->pc = addr;
	}
	return NOTIFY_DONE;
}

static struct notifier_block die_block = { .notifier_call = on_die };

/**
 * kpt_trap_init() - be told when the kernel dies in a slot
 *
 * Context: module load.
 * Return: 0 or -errno.
 */
int kpt_trap_init(void)
{
	slow_way_clear = kpt_ksyms.within_kprobe_blacklist;
	return register_die_notifier(&die_block);
}

/**
 * kpt_trap_exit() - stop being told
 *
 * Context: process context.
 */
void kpt_trap_exit(void)
{
	unregister_die_notifier(&die_block);
}
