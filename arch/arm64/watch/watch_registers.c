// SPDX-License-Identifier: GPL-2.0-only
/* The watchpoint registers of this CPU. */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "watch/watch_owner.h"

/**
 * kpt_watch_pair_read() - what a pair of registers of this CPU is programmed for
 * @n: its number
 *
 * Context: any, not migrating.
 * Return: the pair; zeros if there is none of that number.
 */
noinline struct kpt_watch_pair kpt_watch_pair_read(unsigned int n)
{
#define READ_IT(n) case n: \
	return (struct kpt_watch_pair){ \
		read_sysreg(dbgwvr##n##_el1), read_sysreg(dbgwcr##n##_el1) \
	};
	switch (n) {
	WATCH_FOR_ALL(READ_IT)
	default: return (struct kpt_watch_pair){ 0 };
	}
#undef READ_IT
}

/**
 * kpt_watch_wvr_write() - write DBGWVR<n>_EL1, the address; an ISB has to follow
 * @n: number of the pair
 * @value: the address
 *
 * Context: any, not migrating.
 */
noinline void kpt_watch_wvr_write(unsigned int n, u64 value)
{
#define WRITE_IT(n) case n: write_sysreg(value, dbgwvr##n##_el1); break;
	switch (n) {
	WATCH_FOR_ALL(WRITE_IT)
	}
#undef WRITE_IT
}

/**
 * kpt_watch_wcr_write() - write DBGWCR<n>_EL1, what is watched there; an ISB has to follow
 * @n: number of the pair
 * @value: WCR_ENABLED and so on
 *
 * Context: any, not migrating.
 */
noinline void kpt_watch_wcr_write(unsigned int n, u64 value)
{
#define WRITE_IT(n) case n: write_sysreg(value, dbgwcr##n##_el1); break;
	switch (n) {
	WATCH_FOR_ALL(WRITE_IT)
	}
#undef WRITE_IT
}

/**
 * kpt_watch_pairs_with() - find pairs by their DBGWCR<n>_EL1
 * @bits: all of these are set
 *
 * Context: any, not migrating.
 * Return: a bit for each.
 */
u32 kpt_watch_pairs_with(u64 bits)
{
	u32 set = 0;

#define COLLECT(n) \
	fallthrough; \
	case n + 1: set |= ((read_sysreg(dbgwcr##n##_el1) & bits) == bits) << n;
	switch (kpt_watch_registers) {
	default:
	WATCH_FOR_ALL(COLLECT)
	}
#undef COLLECT
	return set;
}

/**
 * kpt_watch_find() - which register of this CPU watches some bytes?
 * @watch: the bytes
 * @at: result: its number
 * @pair: result: what it is programmed for
 *
 * Context: BRK, or interrupts masked.
 * Return: false if none does.
 */
__always_inline bool kpt_watch_find(const struct kpt_arch_watch *watch, unsigned int *at,
				    struct kpt_watch_pair *pair)
{
	if (unlikely(!kpt_watch_has(watch, at)))
		return false;
	*pair = kpt_watch_pair_read(*at);
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
	struct kpt_watch_pair pair;
	unsigned int at;

	if (!kpt_watch_find(watch, &at, &pair) ||
	    (pair.wcr & WCR_TYPES) == types)
		return;
	kpt_watch_wcr_write(at, (pair.wcr & ~WCR_TYPES) | types);
	isb();
}

/**
 * kpt_watch_program() - have this CPU watch what a watch says now
 * @watch: the watch
 *
 * It is in no register while the kernel moves it to another one, or when it is about to be
 * released.
 *
 * Context: BRK, or interrupts masked.
 * Return: true if it watched something else.
 */
bool kpt_watch_program(struct kpt_arch_watch *watch)
{
	unsigned long addr = kpt_watch_addr(watch);
	u64 word = addr & ~7UL, range = kpt_watch_range(watch, addr);
	struct kpt_watch_pair pair;
	unsigned int at;

	if (!kpt_watch_note(watch, word, range))
		return false;
	if (!kpt_watch_find(watch, &at, &pair))
		return true;
	kpt_watch_wvr_write(at, word);
	if (unlikely(range != (pair.wcr & WCR_RANGE)))
		kpt_watch_wcr_write(at, (pair.wcr & ~WCR_RANGE) | range);
	isb();
	return true;
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
