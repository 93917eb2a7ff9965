// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a BRK exception to the handlers of a point, and back to the probed code.
 *
 * kpt_trap_handle() and all functions called by it run with all exceptions
 * masked, on the stack of the probed code, perhaps inside the scheduler, RCU or
 * another hit. The engine keeps no state from one exception to the next:
 * simulation leaves none, and a PC in a slot is enough to find the probed
 * address. So hits may nest to any depth. The depth is counted only because the
 * handlers of a point do not nest.
 */
#include "kernel/compat.h"
#include <linux/kdebug.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/uaccess.h>
#include "kernel/ksyms.h"
#include "lib/ring/ring.h"
#include "arch_compat.h"
#include "engine.h"

/* More than the stack that a hit takes, its registers included; see -Wframe-larger-than. */
#define HIT_STACK SZ_2K

/**
 * kpt_arch_hits_off() - count hits on this CPU as missed
 *
 * For short sections during which the hit path must not be entered. Nests.
 *
 * Context: any, interrupts masked until kpt_arch_hits_on().
 */
void kpt_arch_hits_off(void)
{
	raw_cpu_inc(kpt_cpu.depth);
	barrier();
}

/**
 * kpt_arch_hits_on() - undo one kpt_arch_hits_off()
 *
 * Context: any, interrupts masked.
 */
void kpt_arch_hits_on(void)
{
	barrier();
	raw_cpu_dec(kpt_cpu.depth);
}

/*
 * A literal cannot be read: take the fault that the instruction would have
 * taken. The fault is fatal, as it would have been at the probed address.
 */
static noinline void take_fault(const struct kpt_arch_point *ap)
{
	READ_ONCE(*(u32 *)kpt_insn_target(&ap->insn, ap->addr));
}

/* Simulate the displaced instruction, or continue in its slot. */
static void perform(const struct kpt_arch_point *ap, struct pt_regs *regs)
{
	if (ap->mode != KPT_MODE_SIMULATED)
		regs->pc = ap->slot;
	else if (!kpt_insn_simulate(&ap->insn, &regs->user_regs, ap->addr))
		take_fault(ap);
}

/* Perform it, unless a handler wants to continue elsewhere, and let others see it. */
static noinline void perform_trapped(struct kpt_arch_point *ap,
				     struct pt_regs *regs, bool first)
{
	if (regs->pc != ap->addr) {
		/* There need not be a landing pad. */
		regs->pstate &= ~PSR_BTYPE_MASK;
		return;
	}
	perform(ap, regs);
	if (ap->after && ap->mode == KPT_MODE_SIMULATED && first)
		kpt_hit_after(ap, regs);
}

/*
 * If a point has a stub, continue there: the stub runs the handlers and performs the
 * instruction, as if the probed code had branched to it. PSTATE.BTYPE is cleared because a
 * stub does not begin with a landing pad. Returns false if there is no point, or no stub.
 */
static __always_inline bool enter_stub(const struct kpt_arch_point *ap,
				       struct pt_regs *regs)
{
	if (unlikely(!ap || !ap->stub))
		return false;
	regs->pc = ap->stub;
	regs->pstate &= ~PSR_BTYPE_MASK;
	return true;
}

/*
 * Let the recorder of a point without a stub have a hit. It looks at preempt_count(), to which
 * some kernels have added on the other way here. Returns false, with no side effects, if it
 * leaves the hit.
 */
static __always_inline bool point_record(const struct kpt_arch_point *ap,
					 struct pt_regs *regs, bool fast)
{
	const struct kpt_arch_recorder *recorder = READ_ONCE(ap->recorder);

	return likely(recorder->code != kpt_recorder_none.code) &&
	       likely(fast || !kpt_arch_preempt_bias) &&
	       kpt_recorder_run(regs, recorder, interrupts_enabled(regs) ? 0 : PSR_I_BIT);
}

/*
 * Handle a hit of a point without a stub. @fast: called from the fast entry.
 *
 * At the fast entry RCU may not be watching this CPU, but some handlers need it.
 * Then do nothing and return false: the exception continues to the backend, and
 * the kernel makes RCU watch on the way there.
 */
static bool point_hit(struct kpt_arch_point *ap, struct pt_regs *regs, bool fast)
{
	unsigned int bias = fast ? 0 : kpt_arch_preempt_bias;
	bool first, ours = false;

	if (likely(point_record(ap, regs, fast))) {
		if (unlikely(ap->trap))
			perform_trapped(ap, regs, true);
		else
			perform(ap, regs);
		return true;
	}
	first = raw_cpu_inc_return(kpt_cpu.depth) == 1;
	if (unlikely(!first)) {
		ap->test ? kpt_selftest_missed(ap) : kpt_hit_missed(ap);
	} else if (unlikely(ap->test)) {
		/* The stepped test uses the backend, so both entries are tested. */
		if (fast && ap->mode == KPT_MODE_STEPPED)
			goto out;
		kpt_selftest_hit(ap, regs);
	} else if (unlikely(!kpt_hit_point(ap, regs, bias))) {
		if (fast)
			goto out;
		kpt_hit_missed(ap);
	}
	if (unlikely(ap->trap))
		perform_trapped(ap, regs, first);
	else
		perform(ap, regs);
	ours = true;
out:
	raw_cpu_dec(kpt_cpu.depth);
	return ours;
}

/* Run what handlers have to do after the instruction. A hit inside a hit has nothing. */
static bool slot_after(struct kpt_arch_point *ap, struct pt_regs *regs)
{
	bool first = raw_cpu_inc_return(kpt_cpu.depth) == 1;
	bool done = !first || kpt_hit_after(ap, regs);

	raw_cpu_dec(kpt_cpu.depth);
	return done;
}

/* The BRK of a stepped slot: return to the probed code at @addr. @fast: see point_hit() */
static bool slot_left(struct pt_regs *regs, unsigned long addr, bool fast)
{
	struct kpt_arch_point *ap = kpt_point_find(addr - sizeof(u32));
	unsigned long slot = regs->pc;

	regs->pc = addr;
	if (likely(!ap || !ap->after) || slot_after(ap, regs) || !fast)
		return true;
	regs->pc = slot;
	return false;
}

/*
 * Handle a BRK that does not lead to a stub. @ap: the point there, or NULL: then the BRK is
 * the end of a slot, or the point has just been disarmed. In that case the text may have
 * changed since this CPU fetched the BRK: execute the word that is there now.
 */
static bool handle(struct kpt_arch_point *ap, struct pt_regs *regs, bool fast)
{
	unsigned long addr;

	if (likely(ap))
		return point_hit(ap, regs, fast);
	if (kpt_xol_origin(regs->pc, &addr))
		return slot_left(regs, addr, fast);
	return READ_ONCE(*(u32 *)regs->pc) != KPT_BRK;
}

/**
 * kpt_trap_handle() - handle a BRK with our immediate
 * @regs: registers; the PC is that of the BRK
 *
 * Context: BRK.
 * Return: true if it was ours; @regs->pc is the address to continue at.
 */
bool kpt_trap_handle(struct pt_regs *regs)
{
	struct kpt_arch_point *ap = kpt_point_find(regs->pc);

	return enter_stub(ap, regs) || handle(ap, regs, false);
}

/*
 * For a function that never stores its return address: signing it would protect nothing, and
 * takes two instructions. With BTI the function still begins with a landing pad.
 */
#ifdef CONFIG_ARM64_BTI_KERNEL
#define KEEPS_RETURN __attribute__((target("branch-protection=bti")))
#elif defined(__clang__) || __GNUC__ >= 9
#define KEEPS_RETURN __attribute__((target("branch-protection=none")))
#else
#define KEEPS_RETURN
#endif

/**
 * kpt_trap_fast() - kpt_trap_handle() in place of el1h_64_sync_handler()
 * @regs: registers; the PC is that of the BRK
 *
 * brk.c redirects that function here for BRKs with our immediate.
 *
 * Context: BRK, before the kernel has noted the exception: RCU may not watch.
 */
KEEPS_RETURN void kpt_trap_fast(struct pt_regs *regs)
{
	struct kpt_arch_point *ap = kpt_point_find(regs->pc);

	if (!enter_stub(ap, regs))
		kpt_trap_fast_other(regs, ap);
}

/* Let the kernel handle a BRK, as if its handler had not been redirected. */
static noinline void slow_way(struct pt_regs *regs)
{
	raw_cpu_write(kpt_cpu.on_slow_way, true);
	kpt_fast_begin(regs);
	raw_cpu_write(kpt_cpu.on_slow_way, false);
}

/* A BRK on that way. What is not ours ends the task, or the machine. */
static noinline void slow_way_hit(struct kpt_arch_point *ap, struct pt_regs *regs)
{
	raw_cpu_inc(kpt_cpu.depth);
	if (!handle(ap, regs, true))
		kpt_fast_begin(regs);
	raw_cpu_dec(kpt_cpu.depth);
}

/**
 * kpt_trap_fast_other() - kpt_trap_fast() for a BRK that does not lead to a stub
 * @regs: registers; the PC is that of the BRK
 * @ap: the point there, or NULL
 *
 * If the backend must handle it, the function begins. What that calls before and behind the
 * backend may have BRKs of ours, too, without an end if each of them did the same: so of
 * these the hit is missed, as any other inside a hit.
 *
 * Context: as of kpt_trap_fast().
 */
void kpt_trap_fast_other(struct pt_regs *regs, struct kpt_arch_point *ap)
{
	if (unlikely(raw_cpu_read(kpt_cpu.on_slow_way)))
		slow_way_hit(ap, regs);
	/* Lockdep must see every exception, but those that its own work for one causes. */
	else if (IS_ENABLED(CONFIG_TRACE_IRQFLAGS) || unlikely(!handle(ap, regs, true)))
		slow_way(regs);
}

/**
 * kpt_trap_jump_rare() - handle a hit of a stub that kpt_hit_point() alone cannot
 * @regs: registers at a point whose handlers need RCU to watch
 *
 * If the handlers need RCU and it does not watch this CPU, make it watch, as for
 * an NMI. If the kernel does not offer that, count the hit as missed.
 *
 * Context: as BRK: all exceptions masked.
 */
void kpt_trap_jump_rare(struct pt_regs *regs)
{
	struct kpt_arch_point *ap = kpt_point_find(regs->pc);

	/* It has just been disarmed: this is no hit any more. */
	if (!ap)
		return;
	if (!kpt_has(ct_nmi_enter) || !kpt_has(ct_nmi_exit)) {
		kpt_hit_missed(ap);
		return;
	}
	ct_nmi_enter();
	kpt_hit_point(ap, regs, 0);
	ct_nmi_exit();
}

/**
 * kpt_trap_jump_missed() - count a hit of a stub inside another hit
 * @ap: the point
 *
 * Context: as BRK: all exceptions masked.
 */
void kpt_trap_jump_missed(struct kpt_arch_point *ap)
{
	ap->test ? kpt_selftest_missed(ap) : kpt_hit_missed(ap);
}

/**
 * kpt_trap_resume() - handle what a recorder leaves of a hit
 * @regs: registers of the probed code; the PC is not known
 * @recorder: what the recorder is part of
 * @rest: kpt_arch_step.rest
 * @ring: the struct kpt_ring_header of the first record that is copied next, or NULL
 * @followers: kpt_arch_step.followers
 *
 * A hit inside another one is missed from here on; what it has been till now, filters
 * have decided.
 *
 * Context: as BRK: all exceptions masked.
 */
void kpt_trap_resume(struct pt_regs *regs, const struct kpt_arch_recorder *recorder,
		     struct kpt_arch_rest rest, struct kpt_ring_header *ring,
		     const struct kpt_handlers *followers)
{
	void *record = ring ? ring + 1 : NULL;

	regs->pstate |= kpt_pstate_mode();
	if (raw_cpu_read(kpt_cpu.depth)) {
		kpt_hit_resume_missed(recorder, rest, followers);
		return;
	}
	kpt_arch_hits_off();
	if (!kpt_hit_resume(recorder, regs, rest, record, followers)) {
		if (kpt_has(ct_nmi_enter) && kpt_has(ct_nmi_exit)) {
			ct_nmi_enter();
			kpt_hit_resume(recorder, regs, rest, record, followers);
			ct_nmi_exit();
		} else {
			kpt_hit_resume_missed(recorder, rest, followers);
		}
	}
	kpt_arch_hits_on();
}

/*
 * A handler of another module faulted: its hit will not end, so end it here, or all
 * later hits on this CPU would be missed. The kernel kills the task, or panics.
 */
static void end_hit(void)
{
	if (!raw_cpu_read(kpt_cpu.depth))
		return;
	pr_emerg("the fault was inside a hit\n");
	raw_cpu_write(kpt_cpu.depth, 0);
	/* A task that exits may have interrupts masked, but not these. */
	asm volatile("msr daifclr, #12" : : : "memory");	/* D and A */
}

/**
 * kpt_trap_origin() - the probed code's address for any PC
 * @pc: the PC
 * @addr: result: as of kpt_xol_origin()
 *
 * Context: any, BRK included.
 * Return: true if @pc is inside a slot.
 */
bool kpt_trap_origin(unsigned long pc, unsigned long *addr)
{
	u32 word;

	return !copy_from_kernel_nofault(&word, (void *)(pc & PAGE_MASK), sizeof(word)) &&
	       kpt_xol_origin(pc, addr);
}

/*
 * An instruction in a slot faulted, and the exception table has no entry for it:
 * make the report name the probed code, not the slot.
 */
static int on_die(struct notifier_block *nb, unsigned long event, void *data)
{
	struct pt_regs *regs = ((struct die_args *)data)->regs;
	unsigned long addr;

	if (event == DIE_OOPS)
		end_hit();
	if (regs && !user_mode(regs) && kpt_trap_origin(regs->pc, &addr)) {
		pr_emerg("the PC was in the slot of a probe, it stands for %pS\n",
			 (void *)addr);
		regs->pc = addr;
	}
	return NOTIFY_DONE;
}

static struct notifier_block die_block = { .notifier_call = on_die };

#ifdef CONFIG_VMAP_STACK
/*
 * The registers at the exception that found no room on its stack; NULL if this panic has
 * another cause. The kernel saves them on another stack (__bad_stack in entry.S), with
 * the last frame record there: it leads away, or is 0 since Linux kernel commit
 * c2c6b27b5aa1 ("arm64: stacktrace: unwind exception boundaries") (in v6.13). Stacks are
 * aligned so that a bit of the addresses below them is set.
 */
static const struct pt_regs *overflow_regs(void)
{
	const u64 *record = __builtin_frame_address(0);
	const struct pt_regs *regs;

	while (record[0] > (u64)record && record[0] - (u64)record < OVERFLOW_STACK_SIZE)
		record = (const u64 *)record[0];
	regs = (void *)record - offsetof(struct pt_regs, stackframe);
	if (record[0] && (record[0] != regs->regs[29] || record[1] != regs->pc))
		return NULL;
	return !user_mode(regs) && (regs->sp - sizeof(*regs)) & THREAD_SIZE ? regs : NULL;
}
#else
static const struct pt_regs *overflow_regs(void)
{
	return NULL;
}
#endif

/*
 * The probed code's address if a stub, or what it calls, was interrupted. What it calls
 * has the stub's address in x30 (recorders) or x22 (jump_entry.S), or has saved x22 on
 * the stack.
 */
static bool find_hit(const struct pt_regs *regs, unsigned long *addr)
{
	unsigned long at, word;

	if (kpt_trap_origin(regs->pc, addr) || kpt_trap_origin(regs->regs[30], addr) ||
	    kpt_trap_origin(regs->regs[22], addr))
		return true;
	if (!raw_cpu_read(kpt_cpu.depth))
		return false;
	for (at = regs->sp; at < regs->sp + HIT_STACK; at += sizeof(word))
		if (!copy_from_kernel_nofault(&word, (void *)at, sizeof(word)) &&
		    kpt_trap_origin(word, addr))
			return true;
	return false;
}

/* A stack overflow is a panic without on_die(). The report is on the console by now. */
static int on_panic(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct pt_regs *regs = overflow_regs();
	unsigned long addr;

	if (regs && find_hit(regs, &addr))
		pr_emerg("the stack overflowed in a hit at %pS\n", (void *)addr);
	return NOTIFY_DONE;
}

/* Before the dump of records: a later notifier may reboot. */
static struct notifier_block panic_block = {
	.notifier_call = on_panic, .priority = INT_MAX,
};

/**
 * kpt_trap_init() - register the notifiers of oopses and panics
 *
 * Context: module load.
 * Return: 0; -EEXIST if they are registered already.
 */
int kpt_trap_init(void)
{
	int err = register_die_notifier(&die_block);

	if (!err)
		atomic_notifier_chain_register(&panic_notifier_list, &panic_block);
	return err;
}

/**
 * kpt_trap_exit() - unregister the notifiers
 *
 * Context: process context.
 */
void kpt_trap_exit(void)
{
	atomic_notifier_chain_unregister(&panic_notifier_list, &panic_block);
	unregister_die_notifier(&die_block);
}
