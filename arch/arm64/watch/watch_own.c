// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel without hardware breakpoints: it has no code for the registers, nor for their
 * exceptions. So watch N has register N, without asking. Exceptions are taken where the kernel's
 * handler of all synchronous exceptions begins, which is redirected, as for BRKs (brk.c). The
 * kernel's count of those who want debug exceptions on a CPU is kept.
 *
 * An instruction that cannot be performed is stepped over as the kernel would: with watchpoints
 * off on this CPU. An interrupt may come before the step: its first instruction that may cause
 * a debug exception ends it, and the access is seen again.
 */
#include "kernel/compat.h"
#include <linux/percpu.h>
#include <linux/smp.h>
#include <asm/esr.h>
#include <asm/virt.h>
#include "kernel/ksyms.h"
#include "watch/watch_owner.h"

/* MDSCR_EL1 */
#define MDSCR_SS	BIT(0)

/* Exceptions that debug events of the same level cause are among 0x30 to 0x37: ESR_EL1.EC. */
#define DEBUG_CLASSES	(0x30 >> 3)
#define CLASSES_SHIFT	(ESR_ELx_EC_SHIFT + 3)

static struct kpt_redirect redirect = {
	.symbols = "el1h_64_sync_handler|el1_sync_handler",
	.nr_load = 2,
	.value = DEBUG_CLASSES,
	.entry = kpt_watch_sync_entry,
	.original = &kpt_watchpoint_original,
};

/**
 * enum stepping - what this CPU steps over
 * @NOTHING: nothing
 * @OURS: an instruction
 * @BOTH: one that others step over, too
 */
enum stepping { NOTHING, OURS, BOTH };

static DEFINE_PER_CPU(enum stepping, stepping);

/* All that are in use, on or off. */
static void switch_all(bool on)
{
	u32 left;
	u64 wcr;

	for (left = kpt_watch_pairs_with(WCR_EL1); left; left &= left - 1) {
		wcr = kpt_watch_pair_read(__ffs(left)).wcr;
		kpt_watch_wcr_write(__ffs(left), on ? wcr | WCR_ENABLED : wcr & ~WCR_ENABLED);
	}
	isb();
}

static void step_begin(struct pt_regs *regs)
{
	u64 mdscr = read_sysreg(mdscr_el1);

	raw_cpu_write(stepping, mdscr & MDSCR_SS ? BOTH : OURS);
	write_sysreg(mdscr | MDSCR_SS, mdscr_el1);
	regs->pstate |= DBG_SPSR_SS;
	switch_all(false);
}

/* Returns false if the step is for others, too. */
static bool step_end(struct pt_regs *regs)
{
	enum stepping was = raw_cpu_read(stepping);

	if (was == NOTHING)
		return false;
	raw_cpu_write(stepping, NOTHING);
	switch_all(true);
	if (was == BOTH)
		return false;
	write_sysreg(read_sysreg(mdscr_el1) & ~MDSCR_SS, mdscr_el1);
	regs->pstate &= ~DBG_SPSR_SS;
	return true;
}

/* RCU may not watch: the kernel has not noted the exception. */
static void watchpoint(unsigned long far, unsigned long esr, struct pt_regs *regs)
{
	bool may_enter = kpt_has(ct_nmi_enter) && kpt_has(ct_nmi_exit);

	if (may_enter)
		ct_nmi_enter();
	if (!kpt_watchpoint_hit(far, esr, regs))
		step_begin(regs);
	if (may_enter)
		ct_nmi_exit();
}

/**
 * kpt_watch_exception() - handle a debug exception of the kernel
 * @regs: registers
 *
 * Context: BRK, before the kernel has noted the exception.
 * Return: true if it was ours; false if the kernel has to handle it.
 */
bool kpt_watch_exception(struct pt_regs *regs)
{
	unsigned long esr = read_sysreg(esr_el1);

	switch (ESR_ELx_EC(esr)) {
	case ESR_ELx_EC_WATCHPT_CUR:
		watchpoint(read_sysreg(far_el1), esr, regs);
		return true;
	case ESR_ELx_EC_SOFTSTP_CUR:
		return step_end(regs);
	default:
		return false;
	}
}

/**
 * kpt_watch_owner_init() - begin to receive watchpoint exceptions
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EOPNOTSUPP if lockdep has to see each exception, or the kernel lacks a function;
 * an errno of kpt_redirect_install().
 */
int kpt_watch_owner_init(void)
{
	if (IS_ENABLED(CONFIG_TRACE_IRQFLAGS) || !kpt_has(enable_debug_monitors) ||
	    !kpt_has(disable_debug_monitors))
		return -EOPNOTSUPP;
	redirect.load[0] = a64_mrs(X16, A64_ESR_EL1);
	redirect.load[1] = a64_ubfx(X16, X16, CLASSES_SHIFT, 3);
	return kpt_redirect_install(&redirect);
}

/**
 * kpt_watch_owner_exit() - the reverse of kpt_watch_owner_init()
 *
 * Context: process context, sleeps; no watch is taken.
 */
void kpt_watch_owner_exit(void)
{
	kpt_redirect_remove(&redirect);
}

/*
 * Watches on CPUs.
 */

/* Those that this CPU has: a bit for each. */
static DEFINE_PER_CPU(u32, installed);

#define FORGET(n) \
	fallthrough; \
	case n + 1: write_sysreg(0, dbgbcr##n##_el1);

/* Nobody has written the registers since the CPU was switched on: they may hold anything. */
static void forget_all(void)
{
	unsigned int i;

	for (i = 0; i < kpt_watch_registers; i++)
		kpt_watch_wcr_write(i, 0);
	switch (min(get_num_brps(), 16)) {
	default:
	WATCH_FOR_ALL(FORGET)
	}
}

static void program_here(const struct kpt_arch_watch *watch)
{
	unsigned long addr = kpt_watch_addr(watch);

	kpt_watch_wvr_write(watch->index, addr & ~7UL);
	kpt_watch_wcr_write(watch->index, WCR_ON | WCR_TYPES |
			    (is_kernel_in_hyp_mode() ? WCR_EL2 : 0) |
			    kpt_watch_range(watch, addr));
	isb();
}

/**
 * struct install - a watch comes to a CPU
 * @watch: the watch
 * @err: result
 */
struct install {
	const struct kpt_arch_watch *watch;
	int err;
};

/* Context: interrupts masked. */
static void install_here(void *data)
{
	struct install *install = data;
	u32 *set = this_cpu_ptr(&installed);

	if (!*set) {
		forget_all();
		enable_debug_monitors(DBG_ACTIVE_EL1);
	}
	*set |= BIT(install->watch->index);
	program_here(install->watch);
	install->err = kpt_watch_is_on() ? 0 : -ENODEV;
}

/* Context: interrupts masked. */
static void stop_here(void *data)
{
	const struct kpt_arch_watch *watch = data;
	u32 *set = this_cpu_ptr(&installed);

	*set &= ~BIT(watch->index);
	kpt_watch_wcr_write(watch->index, 0);
	isb();
	if (!*set)
		disable_debug_monitors(DBG_ACTIVE_EL1);
}

/**
 * kpt_watch_alloc() - get memory for a watch
 * @watch: the watch
 *
 * Context: process context, sleeps.
 * Return: 0.
 */
int kpt_watch_alloc(struct kpt_arch_watch *watch)
{
	return 0;
}

/**
 * kpt_watch_free() - the reverse of kpt_watch_alloc()
 * @watch: the watch, which no CPU has
 *
 * Context: process context, sleeps.
 */
void kpt_watch_free(struct kpt_arch_watch *watch)
{
}

/**
 * kpt_watch_stop() - have a CPU not watch any more
 * @watch: the watch
 * @cpu: the CPU
 *
 * Context: as kpt_watch_install().
 * Return: true if it did watch.
 */
bool kpt_watch_stop(struct kpt_arch_watch *watch, int cpu)
{
	bool did = per_cpu(installed, cpu) & BIT(watch->index);

	if (did)
		smp_call_function_single(cpu, stop_here, watch, 1);
	return did;
}

/**
 * kpt_watch_uninstall() - give a register back
 * @watch: the watch, after kpt_watch_stop()
 * @cpu: the CPU
 *
 * Context: as kpt_watch_install().
 */
void kpt_watch_uninstall(struct kpt_arch_watch *watch, int cpu)
{
}

/**
 * kpt_watch_install() - have a CPU watch
 * @watch: the watch, which hits find
 * @cpu: the CPU, which is online
 *
 * Context: process context, sleeps, kpt_mutex held, or the CPU comes.
 * Return: 0; -ENOSPC if there are fewer registers; -ENODEV if debug exceptions are off.
 */
int kpt_watch_install(struct kpt_arch_watch *watch, int cpu)
{
	struct install install = { .watch = watch };
	int err;

	if (watch->index >= kpt_watch_registers)
		return -ENOSPC;
	err = smp_call_function_single(cpu, install_here, &install, 1) ?: install.err;
	if (err)
		kpt_watch_stop(watch, cpu);
	return err;
}

/**
 * kpt_watch_resumes() - this CPU resumes, and may have lost its registers, but for MDSCR_EL1
 *
 * Context: interrupts masked.
 */
void kpt_watch_resumes(void)
{
	struct kpt_arch_watch *w;
	unsigned int i;
	u32 left;

	if (raw_cpu_read(installed))
		forget_all();
	kpt_for_each_watch(w, i, left, raw_cpu_read(installed))
		program_here(w);
}
