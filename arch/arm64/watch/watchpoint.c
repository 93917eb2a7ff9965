// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watchpoints on data of the kernel: who reads or writes some bytes.
 *
 * The registers are the kernel's to give: each watch is a perf event on each CPU, so that
 * ptrace and perf keep what they have, and that the kernel programs the registers again when a
 * CPU comes, resumes or was lent to a guest. These events have no function of ours. A hit is
 * taken before the kernel looks at it: the first function that gets watchpoint exceptions alone
 * is redirected here.
 *
 * The exception comes before the access. Here debug exceptions are masked, so the instruction is
 * performed here and now: no register is changed for that, no other access is missed, on this
 * CPU or another, and nothing comes in between. It is executed in a slot with the registers of
 * the interrupted code; each word that was seen has a slot. A load-exclusive and its
 * store-exclusive cannot be that, because the return from an exception clears the monitor, and
 * the store would always fail, without an exception. So the load notes what it has read, the
 * code behind it is performed here, too, and the store becomes a compare and swap.
 *
 * What cannot be performed is left to the kernel, which steps over the instruction with its
 * watchpoints off, and is counted as missed.
 */
#include "kernel/compat.h"
#include <linux/bitops.h>
#include <linux/percpu.h>
#include "kernel/cpu.h"
#include "kernel/ksyms.h"
#include "watch/watchpoint.h"

/* Stack that this file takes below the registers of the exception, at most. */
#define OWN_STACK	SZ_2K

/* ESR_EL1.WnR */
#define ESR_WRITES	BIT(6)

/*
 * Let the kernel give the hit to others. It would step over the instruction then; but that is
 * about to be performed.
 */
static noinline void tell_others(unsigned long far, unsigned long esr, struct pt_regs *regs)
{
	u64 pstate = regs->pstate;

	kpt_watchpoint_pass(far, esr, regs);
	if (regs->pstate != pstate)
		kpt_watchpoint_end_step(regs);
	regs->pstate = pstate;
}

/* The registers of the exception are where the instruction would store. */
static bool is_below_stack(const struct kpt_access *access, const struct pt_regs *regs)
{
	return access->addr < regs->sp &&
	       access->addr + access->size > (unsigned long)regs - OWN_STACK;
}

/* It must not fault here. The watched bytes do not, nor do others of the same page. */
static bool may_perform(const struct kpt_access *access, const struct pt_regs *regs)
{
	return !((access->addr ^ (access->addr + access->size - 1)) & PAGE_MASK) &&
	       !is_below_stack(access, regs);
}

static bool perform_plain(u32 word, const struct kpt_access *access, struct pt_regs *regs)
{
	const struct kpt_watch_slot *slot;
	u64 saved;

	if (!may_perform(access, regs))
		return false;
	slot = kpt_watch_slot_get(word, true);
	if (!slot)
		return false;
	if (likely(slot->base == XZR)) {
		kpt_watchpoint_perform(&regs->user_regs, slot->code);
		return true;
	}
	saved = regs->regs[slot->base];
	regs->regs[slot->base] = regs->sp;
	kpt_watchpoint_perform(&regs->user_regs, slot->code);
	regs->sp = regs->regs[slot->base];
	regs->regs[slot->base] = saved;
	return true;
}

static bool perform_literal(u32 word, struct pt_regs *regs)
{
	struct kpt_insn insn;

	kpt_insn_decode(word, &insn);
	return insn.verdict == KPT_INSN_SIMULATE &&
	       kpt_insn_simulate(&insn, &regs->user_regs, regs->pc);
}

/* Returns false, with nothing changed, if that is not possible. May clear @access->writes. */
static bool perform(u32 word, struct kpt_access *access, struct pt_regs *regs)
{
	switch (access->kind) {
	case KPT_ACCESS_LITERAL:
		return perform_literal(word, regs);
	case KPT_ACCESS_LOAD_EXCLUSIVE:
		kpt_watch_load_exclusive(word, access, regs);
		break;
	case KPT_ACCESS_STORE_EXCLUSIVE:
		access->writes = kpt_watch_store_exclusive(word, access, regs);
		break;
	default:
		if (!perform_plain(word, access, regs))
			return false;
	}
	regs->pc += sizeof(u32);
	regs->pstate &= ~PSR_BTYPE_MASK;
	return true;
}

/* Instructions between a load-exclusive and its store-exclusive, at most. */
#define EXCLUSIVE_INSNS	32

/* Perform an instruction that touches no memory. Returns false, with nothing changed, if not. */
static bool perform_between(u32 word, struct pt_regs *regs)
{
	struct kpt_insn insn;
	const struct kpt_watch_slot *slot;

	kpt_insn_decode(word, &insn);
	if (insn.verdict == KPT_INSN_SIMULATE)
		return kpt_insn_simulate(&insn, &regs->user_regs, regs->pc);
	if (insn.verdict != KPT_INSN_STEP || insn.flags & (KPT_INSN_MEM | KPT_INSN_EVENT) ||
	    kpt_access_may_use_sp(word))
		return false;
	slot = kpt_watch_slot_get(word, false);
	if (!slot)
		return false;
	kpt_watchpoint_perform(&regs->user_regs, slot->code);
	regs->pc += sizeof(u32);
	return true;
}

/* What is in watched bytes, which never cross a word of 8. No sanitizer may look. */
static u64 watched_value(unsigned long addr, unsigned int length)
{
	unsigned long word = addr & ~7UL;
	u64 value;

	asm volatile("ldr %0, [%1]" : "=r" (value) : "r" (word) : "memory");
	return (value >> 8 * (addr & 7)) & GENMASK_ULL(8 * length - 1, 0);
}

static bool is_wanted(const struct kpt_arch_watch *watch, const struct kpt_access *access)
{
	return (watch->reads && access->reads) || (watch->writes && access->writes);
}

/* The instruction in the code that was probed, if this one is in a slot. */
static unsigned long true_place(unsigned long pc)
{
	unsigned long place;

	if (core_kernel_text(pc) || !kpt_trap_origin(pc, &place))
		return pc;
	return place;
}

/*
 * Where the watched bytes are, which hits of other CPUs may move meanwhile, and what is in
 * them before and after the access that is performed, by number of the watch.
 */
struct values {
	u64 addr[KPT_WATCHES];
	u64 old[KPT_WATCHES];
	u64 new[KPT_WATCHES];
};

static DEFINE_PER_CPU(struct values, values);

/*
 * Held while an access is performed and the bytes are read before and after it: so an access of
 * another CPU is before it or after it, and values are those that the access has found and left.
 * A CPU that holds it receives no watchpoint exception, so it never waits for itself.
 */
static unsigned long is_performing;

static __always_inline void performing_lock(void)
{
	while (unlikely(test_and_set_bit_lock(0, &is_performing)))
		cpu_relax();
}

static __always_inline void performing_unlock(void)
{
	__clear_bit_unlock(0, &is_performing);
}

/* The watches that an access touches: a bit for each. Their values.addr is set. */
static u32 find_touched(const struct kpt_access *access)
{
	struct values *v = this_cpu_ptr(&values);
	const struct kpt_arch_watch *w;
	unsigned int i;
	u32 set = 0, left;

	/* Pairs with take_locked(). */
	kpt_for_each_watch(w, i, left, smp_load_acquire(&kpt_all_watches)) {
		v->addr[i] = READ_ONCE(w->addr);
		if (kpt_watch_touches(access, v->addr[i], w->length))
			set |= BIT(i);
	}
	return set;
}

static noinline void count_missed(u32 set, const struct kpt_access *access)
{
	struct kpt_arch_watch *w;
	unsigned int i;
	u32 left;

	kpt_for_each_watch(w, i, left, set)
		if (is_wanted(w, access))
			kpt_hit_touch_missed(w);
}

static void note_values(u32 set, const u64 *addr, u64 *value)
{
	struct kpt_arch_watch *w;
	unsigned int i;
	u32 left;

	kpt_for_each_watch(w, i, left, set)
		value[i] = watched_value(addr[i], w->length);
}

/* As perform(), and note the values. */
static bool perform_alone(u32 word, struct kpt_access *access, u32 set, struct pt_regs *regs)
{
	struct values *v = this_cpu_ptr(&values);
	bool performed;

	performing_lock();
	note_values(set, v->addr, v->old);
	performed = perform(word, access, regs);
	note_values(set, v->addr, v->new);
	performing_unlock();
	return performed;
}

static void report(struct kpt_arch_watch *watch, unsigned int i,
		   const struct kpt_access *access, struct pt_regs *regs)
{
	const struct values *v = this_cpu_ptr(&values);
	const struct kpt_arch_touch touch = {
		.addr = max(access->addr, v->addr[i]),
		.value = v->new[i],
		.old = v->old[i],
	};

	if (watch->changes && touch.value == touch.old)
		return;
	kpt_hit_touch(watch, regs, &touch, kpt_watch_bias);
}

/* The hits are reported after the access, with the place that it was made at. */
static void report_all(u32 set, const struct kpt_access *access, unsigned long place,
		       struct pt_regs *regs)
{
	unsigned long pc = regs->pc;
	struct kpt_arch_watch *w;
	unsigned int i;
	u32 left;

	regs->pc = true_place(place);
	kpt_for_each_watch(w, i, left, set) {
		if (is_wanted(w, access))
			report(w, i, access, regs);
		else if (access->kind == KPT_ACCESS_PLAIN)
			kpt_watch_set_types(w, false);
	}
	regs->pc = pc;
}

/* The other half of an exclusive has to be seen, too. */
static noinline void see_exclusives(u32 set)
{
	struct kpt_arch_watch *w;
	unsigned int i;
	u32 left;

	kpt_for_each_watch(w, i, left, set)
		kpt_watch_set_types(w, true);
}

static bool take(u32 word, struct kpt_access *access, u32 set, struct pt_regs *regs,
		 bool is_nested)
{
	unsigned long place = regs->pc;

	if (!perform_alone(word, access, set, regs)) {
		count_missed(set, access);
		return false;
	}
	if (unlikely(is_nested))
		count_missed(set, access);
	else
		report_all(set, access, place, regs);
	return true;
}

/*
 * Behind a load-exclusive: go on to its store-exclusive. If that is not reached, the code
 * either does not store, or cannot expect that the store succeeds.
 */
static noinline void take_exclusive(struct pt_regs *regs, bool is_nested)
{
	struct kpt_access access;
	unsigned int n;
	u32 word;

	for (n = 0; n < EXCLUSIVE_INSNS; n++) {
		word = READ_ONCE(*(const u32 *)regs->pc);
		if (kpt_insn_access(word, &regs->user_regs, 0, &access)) {
			if (access.kind == KPT_ACCESS_STORE_EXCLUSIVE)
				take(word, &access, find_touched(&access), regs, is_nested);
			return;
		}
		if (!perform_between(word, regs))
			return;
	}
}

/* As take(), of exclusives: the other half has to be seen, too. */
static noinline void take_half(u32 word, struct kpt_access *access, u32 set,
			       struct pt_regs *regs, bool is_nested)
{
	see_exclusives(set);
	take(word, access, set, regs, is_nested);
	if (access->kind == KPT_ACCESS_LOAD_EXCLUSIVE)
		take_exclusive(regs, is_nested);
}

/* Of what is not decoded the CPU says one address, and whether it is written. */
static bool take_unknown(unsigned long far, unsigned long esr)
{
	const struct kpt_access access = {
		.addr = far, .size = 1,
		.reads = !(esr & ESR_WRITES), .writes = esr & ESR_WRITES,
	};

	count_missed(find_touched(&access), &access);
	return false;
}

/**
 * kpt_watchpoint_hit() - handle a watchpoint exception of the kernel
 * @far: FAR_EL1
 * @esr: ESR_EL1
 * @regs: registers; the PC is that of the access, which was not made yet
 *
 * Context: BRK. RCU watches.
 * Return: true if the access was made; false if the kernel has to handle the exception.
 */
bool kpt_watchpoint_hit(unsigned long far, unsigned long esr, struct pt_regs *regs)
{
	u32 word = READ_ONCE(*(const u32 *)regs->pc), set;
	struct kpt_access access;
	bool is_nested, taken = true;

	if (!kpt_insn_access(word, &regs->user_regs, kpt_watch_zeroes, &access))
		return take_unknown(far, esr);
	/* If this CPU has watched what hits have given up, the access is made again. */
	if (unlikely(raw_cpu_read(kpt_watch_seen) != READ_ONCE(kpt_watch_seq)) &&
	    !raw_cpu_read(kpt_cpu.depth) && kpt_watch_follow())
		return true;
	set = find_touched(&access);
	if (!set)
		return false;
	if (kpt_watchpoint_step_end && unlikely(kpt_watch_others(&access)))
		tell_others(far, esr, regs);
	is_nested = raw_cpu_inc_return(kpt_cpu.depth) != 1;
	if (unlikely(access.kind >= KPT_ACCESS_LOAD_EXCLUSIVE))
		take_half(word, &access, set, regs, is_nested);
	else
		taken = take(word, &access, set, regs, is_nested);
	raw_cpu_dec(kpt_cpu.depth);
	return taken;
}

