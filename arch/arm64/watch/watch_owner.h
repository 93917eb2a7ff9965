/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whose the watchpoint registers are. A kernel with hardware breakpoints gives them out, and
 * each watch is one of its perf events on each CPU (watch_perf.c). To one without they are
 * nothing, and watch N has register N of each CPU (watch_own.c).
 */
#ifndef KPT_ARM64_WATCH_OWNER_H
#define KPT_ARM64_WATCH_OWNER_H

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <asm/hw_breakpoint.h>
#include "arch_compat.h"
#include "watch/watchpoint.h"

/* DBGWCR<n>_EL1 */
#define WCR_ENABLED	BIT(0)
#define WCR_EL1		BIT(1)
#define WCR_ON		(WCR_ENABLED | WCR_EL1)
#define WCR_TYPES	GENMASK(4, 3)
#define WCR_READS	BIT(3)
#define WCR_WRITES	BIT(4)
#define WCR_BYTES	GENMASK(12, 5)
#define WCR_EL2		BIT(13)
#define WCR_MASK	GENMASK(28, 24)
#define WCR_RANGE	(WCR_BYTES | WCR_MASK)

#define WATCH_FOR_ALL(X) \
	X(15) X(14) X(13) X(12) X(11) X(10) X(9) X(8) X(7) X(6) X(5) X(4) X(3) X(2) X(1) X(0)

/* Does this CPU take debug exceptions of the kernel? Else "nodebugmon" or a file has it off. */
static inline bool kpt_watch_is_on(void)
{
	const u64 enabled = BIT(15) | BIT(13);	/* MDE, KDE */

	return (read_sysreg(mdscr_el1) & enabled) == enabled;
}

/* A pair of registers. */
struct kpt_watch_pair {
	u64 wvr;
	u64 wcr;
};

/* watch_registers.c: registers of this CPU */
struct kpt_watch_pair kpt_watch_pair_read(unsigned int n);
void kpt_watch_wvr_write(unsigned int n, u64 value);
void kpt_watch_wcr_write(unsigned int n, u64 value);
u32 kpt_watch_pairs_with(u64 bits);
bool kpt_watch_find(const struct kpt_arch_watch *watch, unsigned int *at,
		    struct kpt_watch_pair *pair);

/*
 * Which bytes, as DBGWCR<n>_EL1 has it: up to 8 of a word; or a block. A block that no hit has set
 * has no address of memory, and is a word.
 */
static __always_inline u64 kpt_watch_range(const struct kpt_arch_watch *watch, unsigned long addr)
{
	if (likely(watch->length <= 8))
		return FIELD_PREP(WCR_BYTES, GENMASK(watch->length - 1, 0) << (addr & 7));
	return WCR_BYTES | (IS_ERR_VALUE(addr) ? 0 : FIELD_PREP(WCR_MASK, ilog2(watch->length)));
}

#ifdef CONFIG_HAVE_HW_BREAKPOINT
/*
 * Which of the kernel's events came last to each register of this CPU, as far as the kernel can
 * be seen to give some, and to which register the event of each watch came last. An event is in
 * its register if no other one came there since, and the register is in use for the kernel.
 */
DECLARE_PER_CPU(const struct perf_event *, kpt_watch_events_of[KPT_WATCHES]);
DECLARE_PER_CPU(u8, kpt_watch_registers_of[KPT_WATCHES]);
/* How many of the kernel's events for watches watch on this CPU, at least. */
DECLARE_PER_CPU(unsigned int, kpt_watch_here);

/* The register of this CPU that a watch has, if it is in use. Returns false if it has none. */
static __always_inline bool kpt_watch_has(const struct kpt_arch_watch *watch, unsigned int *at)
{
	const struct perf_event *event = *this_cpu_ptr(watch->events);

	*at = raw_cpu_read(kpt_watch_registers_of[watch->index]);
	return likely(event && raw_cpu_read(kpt_watch_events_of[*at]) == event);
}

/*
 * Note which bytes of a word this CPU is about to watch: what the kernel programs when it moves
 * the event to another register, or the CPU resumes. Returns false if that is so already, or the
 * watch is about to be released.
 */
static __always_inline bool kpt_watch_note(const struct kpt_arch_watch *watch, u64 word,
					   u64 range)
{
	struct perf_event *event = *this_cpu_ptr(watch->events);
	u32 bytes = FIELD_GET(WCR_BYTES, range);
	struct arch_hw_breakpoint *info;

	if (!event)
		return false;
	info = counter_arch_bp(event);
	if (info->address == word && info->ctrl.len == bytes)
		return false;
	info->address = word;
	info->ctrl.len = bytes;
	return true;
}
#else
static __always_inline bool kpt_watch_has(const struct kpt_arch_watch *watch, unsigned int *at)
{
	*at = watch->index;
	return true;
}

static __always_inline bool kpt_watch_note(const struct kpt_arch_watch *watch, u64 word,
					   u64 range)
{
	struct kpt_watch_pair pair = kpt_watch_pair_read(watch->index);

	return pair.wvr != word || (pair.wcr & WCR_RANGE) != range;
}
#endif

#endif
