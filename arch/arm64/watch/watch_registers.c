// SPDX-License-Identifier: GPL-2.0-only
/* The watchpoint registers of this CPU. */
#include "kernel/compat.h"
#include <linux/hw_breakpoint.h>
#include <linux/kernel.h>
#include <linux/perf_event.h>
#include <asm/hw_breakpoint.h>
#include "kernel/ksyms.h"
#include "watch/watchpoint.h"

/* DBGWCR<n>_EL1 */
#define WCR_ENABLED	BIT(0)
#define WCR_EL1		BIT(1)
#define WCR_ON		(WCR_ENABLED | WCR_EL1)
#define WCR_TYPES	GENMASK(4, 3)
#define WCR_READS	BIT(3)
#define WCR_WRITES	BIT(4)
#define WCR_BYTES	GENMASK(12, 5)
#define WCR_MASK	GENMASK(28, 24)
#define WCR_RANGE	(WCR_BYTES | WCR_MASK)

#define FOR_ALL(X) \
	X(15) X(14) X(13) X(12) X(11) X(10) X(9) X(8) X(7) X(6) X(5) X(4) X(3) X(2) X(1) X(0)

/* A pair of registers. */
struct pair {
	u64 wvr;
	u64 wcr;
};

static noinline struct pair pair_read(unsigned int n)
{
#define READ_IT(n) case n: \
	return (struct pair){ read_sysreg(dbgwvr##n##_el1), read_sysreg(dbgwcr##n##_el1) };
	switch (n) {
	FOR_ALL(READ_IT)
	default: return (struct pair){ 0 };
	}
#undef READ_IT
}

static noinline void wvr_write(unsigned int n, u64 value)
{
#define WRITE_IT(n) case n: write_sysreg(value, dbgwvr##n##_el1); break;
	switch (n) {
	FOR_ALL(WRITE_IT)
	}
#undef WRITE_IT
}

static noinline void wcr_write(unsigned int n, u64 value)
{
#define WRITE_IT(n) case n: write_sysreg(value, dbgwcr##n##_el1); break;
	switch (n) {
	FOR_ALL(WRITE_IT)
	}
#undef WRITE_IT
}

/* The pairs of which all of some bits of DBGWCR are set: a bit for each. */
static __always_inline u32 pairs_with(u64 bits)
{
	u32 set = 0;

#define COLLECT(n) \
	fallthrough; \
	case n + 1: set |= ((read_sysreg(dbgwcr##n##_el1) & bits) == bits) << n;
	switch (kpt_watch_registers) {
	default:
	FOR_ALL(COLLECT)
	}
#undef COLLECT
	return set;
}

/* Up to 8 bytes of a word; or a block, of which each hit has set the address. */
static u64 wcr_range(const struct kpt_arch_watch *watch, unsigned long addr)
{
	if (watch->length <= 8)
		return FIELD_PREP(WCR_BYTES, GENMASK(watch->length - 1, 0) << (addr & 7));
	return WCR_BYTES | (IS_ERR_VALUE(addr) ? 0 : FIELD_PREP(WCR_MASK, ilog2(watch->length)));
}

/*
 * Which of the kernel's events came last to each register of this CPU, as far as the kernel can
 * be seen to give some, and to which register the event of each watch came last. An event is in
 * its register if no other one came there since, and the register is in use for the kernel.
 */
static DEFINE_PER_CPU(const struct perf_event *, events_of[KPT_WATCHES]);
static DEFINE_PER_CPU(u8, registers_of[KPT_WATCHES]);

/* Find the register that the event of a watch is in. Returns false if it is in none. */
static __always_inline bool find_register(const struct kpt_arch_watch *watch,
					  const struct perf_event *event, unsigned int *at,
					  struct pair *pair)
{
	*at = raw_cpu_read(registers_of[watch->index]);
	if (unlikely(!event || raw_cpu_read(events_of[*at]) != event))
		return false;
	*pair = pair_read(*at);
	return pair->wcr & WCR_EL1;
}

static u64 watch_types(const struct kpt_arch_watch *watch)
{
	return (watch->reads ? WCR_READS : 0) | (watch->writes ? WCR_WRITES : 0);
}

/**
 * kpt_watch_set_types() - choose what this CPU watches of some bytes
 * @watch: the bytes
 * @all: reads and writes; else only what is wanted of them
 *
 * The kernel watches reads and writes for each of our events. If only one of them is wanted,
 * and the other one comes, this CPU watches what is wanted, until a store-exclusive comes whose
 * load-exclusive was not seen.
 *
 * Context: BRK.
 */
void kpt_watch_set_types(const struct kpt_arch_watch *watch, bool all)
{
	u64 types = all ? WCR_TYPES : watch_types(watch);
	struct pair pair;
	unsigned int at;

	if (!find_register(watch, *this_cpu_ptr(watch->events), &at, &pair) ||
	    (pair.wcr & WCR_TYPES) == types)
		return;
	wcr_write(at, (pair.wcr & ~WCR_TYPES) | types);
	isb();
}

/* The registers of this CPU that have events of ours: a bit for each. */
static u32 own_registers(void)
{
	const struct kpt_arch_watch *w;
	unsigned int i, at;
	struct pair pair;
	u32 left, own = 0;

	kpt_for_each_watch(w, i, left, READ_ONCE(kpt_all_watches))
		if (find_register(w, *this_cpu_ptr(w->events), &at, &pair))
			own |= BIT(at);
	return own;
}

static noinline bool pair_sees(struct pair pair, const struct kpt_access *access)
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

	for (left = pairs_with(WCR_ON) & ~own_registers(); left; left &= left - 1)
		if (pair_sees(pair_read(__ffs(left)), access))
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
	FOR_ALL(COUNT)
	}
#undef COUNT
	return unlikely(nr != raw_cpu_read(kpt_watch_here)) && others_watch(access);
}

/**
 * kpt_watch_program() - have this CPU watch what a watch says now
 * @watch: the watch
 *
 * The kernel's event has what the kernel programs when it moves the event to another register,
 * or the CPU resumes. It is in no register while the kernel does that, or when the watch is about
 * to be released.
 *
 * Context: BRK, or interrupts masked.
 * Return: true if it watched something else.
 */
bool kpt_watch_program(struct kpt_arch_watch *watch)
{
	struct perf_event *event = *this_cpu_ptr(watch->events);
	unsigned long addr = kpt_watch_addr(watch);
	u64 word = addr & ~7UL, range = wcr_range(watch, addr);
	u32 bytes = FIELD_GET(WCR_BYTES, range);
	struct arch_hw_breakpoint *info;
	struct pair pair;
	unsigned int at;

	if (!event)
		return false;
	info = counter_arch_bp(event);
	if (info->address == word && info->ctrl.len == bytes)
		return false;
	info->address = word;
	info->ctrl.len = bytes;
	if (!find_register(watch, event, &at, &pair))
		return true;
	wvr_write(at, word);
	if (unlikely(range != (pair.wcr & WCR_RANGE)))
		wcr_write(at, (pair.wcr & ~WCR_RANGE) | range);
	isb();
	return true;
}

/*
 * The kernel knows only of bytes of a word, so a block is made of that when its event comes to
 * a register, and when the CPU resumes.
 */

static void block_widen(const struct kpt_arch_watch *watch)
{
	struct perf_event *event = *this_cpu_ptr(watch->events);
	struct pair pair;
	unsigned int at;

	if (watch->length <= 8 || !find_register(watch, event, &at, &pair))
		return;
	wcr_write(at, (pair.wcr & ~WCR_RANGE) |
		      wcr_range(watch, counter_arch_bp(event)->address));
	isb();
}

/**
 * kpt_watch_installs() - the kernel gives a register of this CPU to an event
 * @event: one of ours, or of others
 * @flags: what the redirected function has as its second argument
 *
 * Redirected from arch_install_hw_breakpoint(), or what calls that.
 *
 * Context: interrupts masked.
 * Return: what that returns.
 */
int kpt_watch_installs(struct perf_event *event, unsigned long flags)
{
	u32 before = pairs_with(WCR_EL1), left, at;
	int err = kpt_watch_install_original(event, flags);
	struct kpt_arch_watch *w;
	unsigned int i;

	at = pairs_with(WCR_EL1) & ~before;
	if (err || !at)
		return err;
	raw_cpu_write(events_of[__ffs(at)], event);
	kpt_for_each_watch(w, i, left, smp_load_acquire(&kpt_all_watches)) {
		if (*this_cpu_ptr(w->events) != event)
			continue;
		raw_cpu_write(registers_of[i], __ffs(at));
		raw_cpu_write(kpt_watch_placed[i], true);
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

/**
 * kpt_arch_is_memory() - is an address mapped, and no device?
 * @addr: an address in the kernel's half
 *
 * Context: any, BRK included.
 * Return: true if it is.
 */
bool kpt_arch_is_memory(unsigned long addr)
{
	return kpt_par_is_memory(kpt_watch_translate("at s1e1r", addr));
}
