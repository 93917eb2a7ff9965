// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel gives out the registers: each watch is one of its perf events on each CPU, so that
 * ptrace and perf keep what they have, and that the kernel programs the registers again when a
 * CPU comes, resumes or was lent to a guest. These events have no function of ours. The first
 * function of the kernel that gets watchpoint exceptions alone is redirected to
 * kpt_watchpoint_hit().
 */
#include "kernel/compat.h"
#include <linux/percpu.h>
#include <linux/smp.h>
#include "kernel/ksyms.h"
#include "watch/watch_owner.h"

/* Addresses of functions of the kernel, where watchpoint_entry.S branches to. */
unsigned long kpt_watchpoint_step_end, kpt_install_original;

DEFINE_PER_CPU(const struct perf_event *, kpt_watch_events_of[KPT_WATCHES]);
DEFINE_PER_CPU(u8, kpt_watch_registers_of[KPT_WATCHES]);
/* 0 when the event of a watch has had a register of this CPU. */
static DEFINE_PER_CPU(int, placed[KPT_WATCHES]);

static struct kpt_redirect redirect = {
	.symbols = "do_watchpoint|do_debug_exception",
	.entry = kpt_watchpoint_entry,
	.original = &kpt_watchpoint_original,
};

/* perf calls it through a pointer, so no compiler makes it a part of its caller. */
static struct kpt_redirect install_redirect = {
	.symbols = "hw_breakpoint_add",
	.is_landed = true,
	.entry = kpt_watch_installs,
	.original = &kpt_install_original,
};

/**
 * kpt_watch_owner_init() - begin to receive watchpoint exceptions
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, or an errno of kpt_redirect_install().
 */
int kpt_watch_owner_init(void)
{
	int err;

	/* do_watchpoint() is called with preemption disabled, the older function is not. */
	kpt_watch_bias = IS_ENABLED(CONFIG_PREEMPT_COUNT) && kpt_ksyms_addr("do_watchpoint") ?
		PREEMPT_OFFSET : 0;
	kpt_watchpoint_step_end =
		kpt_ksyms_any("try_step_suspended_breakpoints|reinstall_suspended_bps");
	err = kpt_redirect_install(&install_redirect);
	if (err)
		return err;
	err = kpt_redirect_install(&redirect);
	if (err)
		kpt_redirect_remove(&install_redirect);
	return err;
}

/**
 * kpt_watch_owner_exit() - the reverse of kpt_watch_owner_init()
 *
 * Context: process context, sleeps; no watch is taken.
 */
void kpt_watch_owner_exit(void)
{
	kpt_redirect_remove(&install_redirect);
	kpt_redirect_remove(&redirect);
}

/**
 * kpt_watch_alloc() - get memory for the kernel's events of a watch
 * @watch: the watch
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int kpt_watch_alloc(struct kpt_arch_watch *watch)
{
	watch->events = alloc_percpu(struct perf_event *);
	return watch->events ? 0 : -ENOMEM;
}

/**
 * kpt_watch_free() - the reverse of kpt_watch_alloc()
 * @watch: the watch, which no CPU has
 *
 * Context: process context, sleeps.
 */
void kpt_watch_free(struct kpt_arch_watch *watch)
{
	free_percpu(watch->events);
	watch->events = NULL;
}

/**
 * kpt_watch_stop() - have a CPU not watch any more
 * @watch: the watch
 * @cpu: the CPU
 *
 * Hits there may use the event until kpt_watch_uninstall().
 *
 * Context: as kpt_watch_install().
 * Return: true if it did watch.
 */
bool kpt_watch_stop(struct kpt_arch_watch *watch, int cpu)
{
	struct perf_event *event = *per_cpu_ptr(watch->events, cpu);

	if (!event)
		return false;
	per_cpu(kpt_watch_here, cpu)--;
	perf_event_disable(event);
	return true;
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
	/* A hit on the CPU uses it until it is not there any more. */
	struct perf_event *event = xchg(per_cpu_ptr(watch->events, cpu), NULL);

	if (event)
		perf_event_release_kernel(event);
}

/**
 * kpt_watch_install() - have a CPU watch
 * @watch: the watch, which hits find
 * @cpu: the CPU, which is online
 *
 * Context: process context, sleeps, kpt_mutex held, or the CPU comes.
 * Return: 0; -ENOSPC if others have the registers; -EOPNOTSUPP if it is not seen when the kernel
 * gives one; -ENODEV if debug exceptions are off; an errno of perf.
 */
int kpt_watch_install(struct kpt_arch_watch *watch, int cpu)
{
	struct perf_event_attr attr;
	struct perf_event *event;

	hw_breakpoint_init(&attr);
	attr.bp_addr = READ_ONCE(watch->addr) + (watch->each_cpu ? per_cpu_offset(cpu) : 0);
	attr.bp_len = min_t(u32, watch->length, HW_BREAKPOINT_LEN_8);
	attr.disabled = 1;
	attr.bp_type = HW_BREAKPOINT_RW;
	event = perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
	if (IS_ERR(event))
		return PTR_ERR(event);
	per_cpu(placed[watch->index], cpu) = -EOPNOTSUPP;
	*per_cpu_ptr(watch->events, cpu) = event;
	per_cpu(kpt_watch_here, cpu)++;
	perf_event_enable(event);
	if (!per_cpu(placed[watch->index], cpu))
		return 0;
	kpt_watch_stop(watch, cpu);
	kpt_watch_uninstall(watch, cpu);
	return per_cpu(placed[watch->index], cpu);
}

/**
 * kpt_watch_tell_others() - let the kernel give a hit to others
 * @far: FAR_EL1
 * @esr: ESR_EL1
 * @regs: registers
 *
 * It would step over the instruction then; but that is about to be performed.
 *
 * Context: BRK.
 */
noinline void kpt_watch_tell_others(unsigned long far, unsigned long esr, struct pt_regs *regs)
{
	u64 pstate = regs->pstate;

	if (!kpt_watchpoint_step_end)
		return;
	kpt_watchpoint_pass(far, esr, regs);
	if (regs->pstate != pstate)
		kpt_watchpoint_end_step(regs);
	regs->pstate = pstate;
}

/* The registers of this CPU that have events of ours: a bit for each. */
static u32 own_registers(void)
{
	const struct kpt_arch_watch *w;
	unsigned int i, at;
	struct kpt_watch_pair pair;
	u32 left, own = 0;

	kpt_for_each_watch(w, i, left, READ_ONCE(kpt_all_watches))
		if (kpt_watch_find(w, &at, &pair))
			own |= BIT(at);
	return own;
}

static noinline bool pair_sees(struct kpt_watch_pair pair, const struct kpt_access *access)
{
	u32 bytes = FIELD_GET(WCR_BYTES, pair.wcr);

	return bytes &&
	       ((access->reads && pair.wcr & WCR_READS) ||
		(access->writes && pair.wcr & WCR_WRITES)) &&
	       kpt_watch_touches(access, pair.wvr + __ffs(bytes), hweight32(bytes));
}

static noinline bool others_watch(const struct kpt_access *access)
{
	u32 left;

	for (left = kpt_watch_pairs_with(WCR_ON) & ~own_registers(); left; left &= left - 1)
		if (pair_sees(kpt_watch_pair_read(__ffs(left)), access))
			return true;
	return false;
}

/**
 * kpt_watch_others() - does a register that is not ours watch an access, too?
 * @access: the access
 *
 * Those that are counted as ours are in registers, but while the kernel moves them to others.
 *
 * Context: BRK.
 * Return: true if one does.
 */
bool kpt_watch_others(const struct kpt_access *access)
{
	unsigned int nr = 0;

#define COUNT(n) \
	fallthrough; \
	case n + 1: nr += (read_sysreg(dbgwcr##n##_el1) & WCR_ON) == WCR_ON;
	switch (kpt_watch_registers) {
	default:
	WATCH_FOR_ALL(COUNT)
	}
#undef COUNT
	return unlikely(nr != raw_cpu_read(kpt_watch_here)) && others_watch(access);
}

/*
 * The kernel knows only of bytes of a word, so a block is made of that when its event comes to
 * a register, and when the CPU resumes.
 */

static void block_widen(const struct kpt_arch_watch *watch)
{
	struct perf_event *event = *this_cpu_ptr(watch->events);
	struct kpt_watch_pair pair;
	unsigned int at;

	if (watch->length <= 8 || !kpt_watch_find(watch, &at, &pair))
		return;
	kpt_watch_wcr_write(at, (pair.wcr & ~WCR_RANGE) |
			    kpt_watch_range(watch, counter_arch_bp(event)->address));
	isb();
}

/**
 * kpt_watch_installs() - the kernel gives a register of this CPU to an event
 * @event: one of ours, or of others
 * @flags: what the redirected function has as its second argument
 *
 * Redirected from hw_breakpoint_add().
 *
 * Context: interrupts masked.
 * Return: what that returns.
 */
int kpt_watch_installs(struct perf_event *event, unsigned long flags)
{
	u32 before = kpt_watch_pairs_with(WCR_EL1), left, at;
	int err = kpt_watch_install_original(event, flags);
	struct kpt_arch_watch *w;
	unsigned int i;

	at = kpt_watch_pairs_with(WCR_EL1) & ~before;
	if (err || !at)
		return err;
	raw_cpu_write(kpt_watch_events_of[__ffs(at)], event);
	kpt_for_each_watch(w, i, left, smp_load_acquire(&kpt_all_watches)) {
		if (*this_cpu_ptr(w->events) != event)
			continue;
		raw_cpu_write(kpt_watch_registers_of[i], __ffs(at));
		raw_cpu_write(placed[i], kpt_watch_is_on() ? 0 : -ENODEV);
		block_widen(w);
	}
	return 0;
}

/**
 * kpt_watch_resumes() - this CPU resumes, and the kernel has restored its registers
 *
 * Context: interrupts masked.
 */
void kpt_watch_resumes(void)
{
	struct kpt_arch_watch *w;
	unsigned int i;
	u32 left;

	kpt_for_each_watch(w, i, left, smp_load_acquire(&kpt_all_watches))
		block_widen(w);
}

