// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watchpoints on data of the kernel: who reads or writes some bytes.
 *
 * A hit is taken before the kernel looks at it: see watch_perf.c and watch_own.c for how.
 *
 * The exception comes before the access. Here debug exceptions are masked, so the instruction is
 * performed here and now: no register is changed for that, no other access is missed, on this
 * CPU or another, and nothing comes in between. It is executed in a slot with the registers of
 * the interrupted code; each word that was seen has a slot. A load-exclusive and its
 * store-exclusive cannot be that, because the return from an exception clears the monitor, and
 * the store would always fail, without an exception. So the load notes what it has read, the
 * code behind it is performed here, too, and the store becomes a compare and swap.
 *
 * Of a memory copy or set some bytes are performed, and the CPU begins again with the others.
 *
 * What cannot be performed is counted as missed. The kernel, or watch_own.c, steps over the
 * instruction with watchpoints off on this CPU.
 */
#include "kernel/compat.h"
#include <linux/bitops.h>
#include <linux/percpu.h>
#include "kernel/cpu.h"
#include "watch/watch_owner.h"
#include "watch/watchpoint.h"

/* Stack that this file takes below the registers of the exception, at most. */
#define OWN_STACK	SZ_2K

/* ESR_EL1.WnR */
#define ESR_WRITES	BIT(6)

/**
 * struct touched - an access to what one watch watches
 * @touch: the access
 * @shift: bits of the word of 8 bytes that are before the watched ones
 */
struct touched {
	struct kpt_arch_touch touch;
	unsigned int shift;
};

/* By number of the watch; of the hit that runs on the CPU. */
static DEFINE_PER_CPU(struct touched, touched[KPT_WATCHES]);

#ifdef CONFIG_HAVE_HW_BREAKPOINT
/* Not in watch_perf.c, where each hit would take an instruction more to find it. */
DEFINE_PER_CPU(unsigned int, kpt_watch_here);
#endif

/**
 * struct hit - an access to watched bytes
 * @regs: registers, which it changes
 * @word: the instruction
 * @slot: its slot; NULL if it has none
 * @access: what it touches
 * @set: the watches that it touches, a bit for each
 * @touched: this CPU's, of those; hits of other CPUs may move the watches meanwhile
 */
struct hit {
	struct pt_regs *regs;
	u32 word;
	u32 set;
	const struct kpt_watch_slot *slot;
	struct kpt_access access;
	struct touched *touched;
};

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

static __always_inline bool perform_slot(const struct kpt_watch_slot *slot,
					 struct pt_regs *regs)
{
	u64 saved;

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

static bool access_is_mapped(const struct kpt_access *access, u64 addr)
{
	return access->writes ? kpt_watch_is_writable(addr) : kpt_arch_is_memory(addr);
}

/* Two pages, if both are there. */
static noinline bool perform_crossing(const struct hit *h)
{
	return !is_below_stack(&h->access, h->regs) &&
	       access_is_mapped(&h->access, h->access.addr) &&
	       access_is_mapped(&h->access, h->access.addr + h->access.size - 1) &&
	       perform_slot(h->slot, h->regs);
}

static bool perform_plain(const struct hit *h)
{
	if (!h->slot)
		return false;
	if (unlikely(!may_perform(&h->access, h->regs)))
		return perform_crossing(h);
	return perform_slot(h->slot, h->regs);
}

static bool perform_literal(u32 word, struct pt_regs *regs)
{
	struct kpt_insn insn;

	kpt_insn_decode(word, &insn);
	return insn.verdict == KPT_INSN_SIMULATE &&
	       kpt_insn_simulate(&insn, &regs->user_regs, regs->pc);
}

/* Returns false, with nothing changed, if that is not possible. May clear @h->access.writes. */
static __always_inline bool perform(struct hit *h)
{
	struct pt_regs *regs = h->regs;

	switch (h->access.kind) {
	case KPT_ACCESS_LITERAL:
		return perform_literal(h->word, regs);
	case KPT_ACCESS_LOAD_EXCLUSIVE:
		kpt_watch_load_exclusive(h->word, &h->access, regs);
		break;
	case KPT_ACCESS_STORE_EXCLUSIVE:
		h->access.writes = kpt_watch_store_exclusive(h->word, &h->access, regs);
		break;
	default:
		if (!perform_plain(h))
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

/* No sanitizer may look. */
static u64 word_at(u64 addr)
{
	u64 value;

	asm volatile("ldr %0, [%1]" : "=r" (value) : "r" (addr & ~7ULL) : "memory");
	return value;
}

/* Watched bytes never cross a word of 8; of a block it is the word that was touched first. */
static u64 value_of(u64 word, const struct touched *t, const struct kpt_arch_watch *watch)
{
	return (word >> t->shift) & (~0ULL >> (64 - 8 * min_t(u32, watch->length, 8)));
}

static bool is_wanted(const struct kpt_arch_watch *watch, const struct kpt_access *access)
{
	return (watch->reads && access->reads) || (watch->writes && access->writes);
}

/* The instruction in the code that was probed, if this one is in a slot. */
static unsigned long true_place(unsigned long pc)
{
	unsigned long place;

	return likely(!kpt_xol_origin(pc, &place)) ? pc : place;
}

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

/* Which watches does the access touch? */
static __always_inline void find_touched(struct hit *h)
{
	const struct kpt_access *access = &h->access;
	const struct kpt_arch_watch *w;
	unsigned long addr;
	unsigned int i;
	u32 left;

	h->set = 0;
	h->touched = this_cpu_ptr(&touched[0]);
	/* Pairs with take_locked(). */
	kpt_for_each_watch(w, i, left, smp_load_acquire(&kpt_all_watches)) {
		addr = kpt_watch_addr(w);
		if (!kpt_watch_touches(access, addr, w->length))
			continue;
		h->touched[i].touch.addr = max_t(u64, access->addr, addr);
		h->touched[i].shift = 8 * (addr & 7);
		h->set |= BIT(i);
	}
}

/* The last access that was missed, and why. Hits of several CPUs may mix them. */
static struct {
	unsigned long place;
	const char *why;
} missed;

static const char hits_off[] = "hits are off there";
static const char not_known[] = "its extent is not known";
static const char not_here[] = "it cannot be performed elsewhere";

static noinline void count_missed(const struct hit *h, unsigned long place, const char *why)
{
	struct kpt_arch_watch *w;
	unsigned int i;
	u32 left;

	kpt_for_each_watch(w, i, left, h->set) {
		if (!is_wanted(w, &h->access))
			continue;
		kpt_hit_touch_missed(w);
		WRITE_ONCE(missed.place, place);
		WRITE_ONCE(missed.why, why);
	}
}

/**
 * kpt_arch_watch_missed() - which access was missed last?
 * @place: on success the instruction
 *
 * Context: any.
 * Return: why it was, or NULL if none was missed since kptrace was loaded.
 */
const char *kpt_arch_watch_missed(unsigned long *place)
{
	const char *why = READ_ONCE(missed.why);

	if (why)
		*place = READ_ONCE(missed.place);
	return why;
}

static __always_inline void note_before(struct touched *t, u32 left)
{
	for (; left; left &= left - 1)
		t[__ffs(left)].touch.old = word_at(t[__ffs(left)].touch.addr);
}

static __always_inline void note_after(struct touched *t, u32 left)
{
	for (; left; left &= left - 1)
		t[__ffs(left)].touch.value = word_at(t[__ffs(left)].touch.addr);
}

/* As perform(), and note the words before and after it. */
static __always_inline bool perform_alone(struct hit *h)
{
	struct touched *t = h->touched;
	bool performed;

	performing_lock();
	note_before(t, h->set);
	performed = perform(h);
	note_after(t, h->set);
	performing_unlock();
	return performed;
}

static __always_inline void report(const struct hit *h, struct kpt_arch_watch *watch,
				   struct touched *t)
{
	t->touch.old = value_of(t->touch.old, t, watch);
	t->touch.value = value_of(t->touch.value, t, watch);
	if (watch->changes && t->touch.value == t->touch.old)
		return;
	kpt_hit_touch(watch, h->regs, &t->touch, kpt_watch_bias);
}

/* The hits are reported after the access, with the place that it was made at. */
static __always_inline void report_all(const struct hit *h, unsigned long place)
{
	unsigned long pc = h->regs->pc;
	struct kpt_arch_watch *w;
	unsigned int i;
	u32 left;

	h->regs->pc = true_place(place);
	kpt_for_each_watch(w, i, left, h->set) {
		if (likely(is_wanted(w, &h->access)))
			report(h, w, &h->touched[i]);
		else if (h->access.kind == KPT_ACCESS_PLAIN)
			kpt_watch_set_types(w, false);
	}
	h->regs->pc = pc;
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

static __always_inline bool take(struct hit *h, bool is_nested)
{
	unsigned long place = h->regs->pc;

	if (unlikely(!perform_alone(h))) {
		count_missed(h, place, not_here);
		return false;
	}
	if (unlikely(is_nested))
		count_missed(h, place, hits_off);
	else
		report_all(h, place);
	return true;
}

/*
 * Behind a load-exclusive: go on to its store-exclusive. If that is not reached, the code
 * either does not store, or cannot expect that the store succeeds.
 */
static noinline void take_exclusive(struct hit *h, bool is_nested)
{
	struct pt_regs *regs = h->regs;
	unsigned int n;

	h->slot = NULL;
	for (n = 0; n < EXCLUSIVE_INSNS; n++) {
		h->word = READ_ONCE(*(const u32 *)regs->pc);
		if (kpt_insn_access(h->word, &regs->user_regs, 0, &h->access)) {
			if (h->access.kind == KPT_ACCESS_STORE_EXCLUSIVE) {
				find_touched(h);
				take(h, is_nested);
			}
			return;
		}
		if (!perform_between(h->word, regs))
			return;
	}
}

/* As take(), of exclusives: the other half has to be seen, too. */
static noinline void take_half(struct hit *h, bool is_nested)
{
	see_exclusives(h->set);
	take(h, is_nested);
	if (h->access.kind == KPT_ACCESS_LOAD_EXCLUSIVE)
		take_exclusive(h, is_nested);
}

/*
 * If this CPU has watched what hits have given up, it does not any more when this returns true:
 * the access is made again.
 */
static __always_inline bool has_followed(void)
{
	return unlikely(raw_cpu_read(kpt_watch_seen) != READ_ONCE(kpt_watch_seq)) &&
	       !raw_cpu_read(kpt_cpu.depth) && kpt_watch_follow();
}

/* Which watches does a half of a copy touch? */
static u32 find_touched_by(struct hit *h, const struct kpt_access *access)
{
	h->access = *access;
	h->set = 0;
	if (access->size)
		find_touched(h);
	return h->set;
}

/* What touches one watch with both halves is one hit. With @why it is missed. */
static void report_bulk(struct hit *h, u32 read, u32 written, unsigned long place,
			const char *why)
{
	const u32 sets[] = { 0, read & ~written, written & ~read, read & written };
	unsigned int i;

	for (i = 1; i < ARRAY_SIZE(sets); i++) {
		h->set = sets[i];
		h->access.reads = i & 1;
		h->access.writes = i & 2;
		if (why)
			count_missed(h, place, why);
		else
			report_all(h, place);
	}
}

/* A copy or set: a portion of it. */
static noinline bool take_bulk(struct hit *h, bool is_nested, struct kpt_access *read,
			       struct kpt_access *write)
{
	unsigned long place = h->regs->pc;
	u32 from = find_touched_by(h, read), to = find_touched_by(h, write);
	bool performed;

	h->set = from | to;
	performing_lock();
	note_before(h->touched, h->set);
	performed = kpt_watch_bulk(h->word, read, write, h->regs);
	note_after(h->touched, h->set);
	performing_unlock();
	/* It may have come less far. */
	from = find_touched_by(h, read);
	to = find_touched_by(h, write);
	report_bulk(h, from, to, place, !performed ? not_here : is_nested ? hits_off : NULL);
	return performed;
}

/*
 * Of what is not decoded the CPU says one address, and whether it is written. The address may
 * be of bytes beside the watched ones, in the same aligned block of FAR_BLOCK.
 */
#define FAR_BLOCK	2048

static noinline bool take_unknown(unsigned long place, unsigned long far, unsigned long esr)
{
	struct hit h = { .access = {
		.addr = far, .size = 1,
		.reads = !(esr & ESR_WRITES), .writes = esr & ESR_WRITES,
	} };

	find_touched(&h);
	for (; !h.set && h.access.size < FAR_BLOCK; find_touched(&h)) {
		h.access.size *= 2;
		h.access.addr = far & ~(u64)(h.access.size - 1);
	}
	count_missed(&h, place, not_known);
	return false;
}

/* What no slot performs. */
static noinline bool take_other(struct hit *h, unsigned long far, unsigned long esr)
{
	struct kpt_access read, write;
	struct kpt_bulk bulk;
	bool taken;

	if (!kpt_bulk_read(h->word, &h->regs->user_regs, &bulk))
		return take_unknown(h->regs->pc, far, esr);
	if (has_followed())
		return true;
	kpt_bulk_portion(&bulk, PAGE_SIZE, &read, &write);
	if (kpt_watch_others(&read) || kpt_watch_others(&write)) {
		if (!find_touched_by(h, &read) && !find_touched_by(h, &write))
			return false;
		kpt_watch_tell_others(far, esr, h->regs);
	}
	taken = take_bulk(h, raw_cpu_inc_return(kpt_cpu.depth) != 1, &read, &write);
	raw_cpu_dec(kpt_cpu.depth);
	return taken;
}

/* What the instruction touches, by its slot if that has room. */
static __always_inline bool read_access(struct hit *h)
{
	kpt_access_reader_t read;

	h->word = READ_ONCE(*(const u32 *)h->regs->pc);
	h->slot = kpt_watch_slot_get(h->word, true);
	read = likely(h->slot) ? h->slot->read : kpt_access_reader(h->word);
	h->access.size = kpt_watch_zeroes;
	return read && read(h->word, &h->regs->user_regs, &h->access);
}

/**
 * kpt_watchpoint_hit() - handle a watchpoint exception of the kernel
 * @far: FAR_EL1
 * @esr: ESR_EL1
 * @regs: registers; the PC is that of the access, which was not made yet
 *
 * An access that is for nobody any more is made, too: this CPU watches what hits have given up,
 * or it is inside a hit, and does not follow. A store-exclusive that the kernel steps over fails.
 *
 * Context: BRK. RCU watches.
 * Return: true if the access was made; false if the kernel has to handle the exception.
 */
bool kpt_watchpoint_hit(unsigned long far, unsigned long esr, struct pt_regs *regs)
{
	struct hit h = { .regs = regs };
	bool is_nested, is_others, taken = true;

	if (unlikely(!read_access(&h)))
		return take_other(&h, far, esr);
	if (has_followed())
		return true;
	find_touched(&h);
	is_others = kpt_watch_others(&h.access);
	if (unlikely(is_others)) {
		if (!h.set)
			return false;
		kpt_watch_tell_others(far, esr, regs);
	}
	is_nested = raw_cpu_inc_return(kpt_cpu.depth) != 1;
	if (unlikely(h.access.kind >= KPT_ACCESS_LOAD_EXCLUSIVE))
		take_half(&h, is_nested);
	else
		taken = take(&h, is_nested);
	raw_cpu_dec(kpt_cpu.depth);
	return taken;
}
