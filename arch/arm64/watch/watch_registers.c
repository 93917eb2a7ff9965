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
#define WCR_TYPES	GENMASK(4, 3)
#define WCR_READS	BIT(3)
#define WCR_WRITES	BIT(4)
#define WCR_BYTES	GENMASK(12, 5)

/* PAR_EL1 */
#define PAR_FAULT	BIT(0)
#define PAR_NO_DEVICE	GENMASK_ULL(63, 60)

#define FOR_ALL(X) \
	X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)

static noinline u64 wvr_read(unsigned int n)
{
#define READ_IT(n) case n: return read_sysreg(dbgwvr##n##_el1);
	switch (n) {
	FOR_ALL(READ_IT)
	default: return 0;
	}
#undef READ_IT
}

static noinline u32 wcr_read(unsigned int n)
{
#define READ_IT(n) case n: return read_sysreg(dbgwcr##n##_el1);
	switch (n) {
	FOR_ALL(READ_IT)
	default: return 0;
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

static noinline void wcr_write(unsigned int n, u32 value)
{
#define WRITE_IT(n) case n: write_sysreg(value, dbgwcr##n##_el1); break;
	switch (n) {
	FOR_ALL(WRITE_IT)
	}
#undef WRITE_IT
	isb();
}

static u32 watch_bytes(const struct kpt_arch_watch *watch)
{
	return GENMASK(watch->length - 1, 0) << (watch->addr & 7);
}

static bool watch_is_at(const struct kpt_arch_watch *watch, u64 wvr, u32 wcr)
{
	return (watch->addr & ~7UL) == wvr && watch_bytes(watch) == FIELD_GET(WCR_BYTES, wcr);
}

static bool wcr_is_on(u32 wcr)
{
	return (wcr & (WCR_ENABLED | WCR_EL1)) == (WCR_ENABLED | WCR_EL1);
}

static u32 watch_types(const struct kpt_arch_watch *watch)
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
 * load-exclusive was not seen. Registers of others on the same bytes cannot be told from ours,
 * and are never narrowed.
 *
 * Context: BRK.
 */
void kpt_watch_set_types(const struct kpt_arch_watch *watch, bool all)
{
	u32 types = all ? WCR_TYPES : 0, at = 0, wcr, left;
	const struct kpt_arch_watch *w;
	unsigned int i, ours = 0;

	kpt_for_each_watch(w, i, left, READ_ONCE(kpt_all_watches)) {
		if (w->addr != watch->addr || w->length != watch->length)
			continue;
		types |= watch_types(w);
		ours++;
	}
	for (i = 0; i < kpt_watch_registers; i++)
		if (wcr_is_on(wcr_read(i)) && watch_is_at(watch, wvr_read(i), wcr_read(i)))
			at |= BIT(i);
	if (!all && hweight32(at) != ours)
		return;
	for (i = 0; i < kpt_watch_registers; i++) {
		wcr = wcr_read(i);
		if (at & BIT(i) && (wcr & WCR_TYPES) != types)
			wcr_write(i, (wcr & ~WCR_TYPES) | types);
	}
}

/**
 * kpt_watch_others() - does a register that is not ours watch an access, too?
 * @access: the access
 *
 * Context: BRK.
 * Return: true if one does.
 */
bool kpt_watch_others(const struct kpt_access *access)
{
	const struct kpt_arch_watch *w;
	u32 found = 0, left, wcr, bytes;
	unsigned int n, i;
	bool is_ours;
	u64 wvr;

	for (n = 0; n < kpt_watch_registers; n++) {
		wcr = wcr_read(n);
		bytes = FIELD_GET(WCR_BYTES, wcr);
		if (!wcr_is_on(wcr) || !bytes ||
		    !((access->reads && wcr & WCR_READS) ||
		      (access->writes && wcr & WCR_WRITES)))
			continue;
		wvr = wvr_read(n);
		if (!kpt_watch_touches(access, wvr + __ffs(bytes), hweight32(bytes)))
			continue;
		is_ours = false;
		kpt_for_each_watch(w, i, left, READ_ONCE(kpt_all_watches) & ~found) {
			is_ours = watch_is_at(w, wvr, wcr);
			if (is_ours)
				break;
		}
		if (!is_ours)
			return true;
		found |= BIT(i);
	}
	return false;
}

/* Find the registers that watch these bytes of a word. Returns how many, and the last one. */
static unsigned int find_registers(u64 word, u32 bytes, unsigned int *at)
{
	unsigned int i, nr = 0;
	u32 wcr;

	for (i = 0; i < kpt_watch_registers; i++) {
		wcr = wcr_read(i);
		if (FIELD_GET(WCR_BYTES, wcr) != bytes || !(wcr & WCR_EL1) || wvr_read(i) != word)
			continue;
		*at = i;
		nr++;
	}
	return nr;
}

/* The kernel's own way knows which register an event has. It takes more instructions. */
static noinline void program_by_kernel(struct perf_event *event, u64 word, u32 bytes)
{
	arch_uninstall_hw_breakpoint(event);
	counter_arch_bp(event)->address = word;
	counter_arch_bp(event)->ctrl.len = bytes;
	arch_install_hw_breakpoint(event);
}

/**
 * kpt_watch_program() - have this CPU watch what a watch says now
 * @watch: the watch
 *
 * The kernel's event has what the kernel programs when it moves the event to another register,
 * or the CPU resumes. It is in no register while the kernel does that, or when the watch is about
 * to be released. A register with the same bytes may also be that of somebody else.
 *
 * Context: BRK, or interrupts masked.
 * Return: true if it watched something else.
 */
bool kpt_watch_program(struct kpt_arch_watch *watch)
{
	struct perf_event *event = *this_cpu_ptr(watch->events);
	unsigned long addr = READ_ONCE(watch->addr);
	u32 bytes = GENMASK(watch->length - 1, 0) << (addr & 7);
	struct arch_hw_breakpoint *info;
	u64 word = addr & ~7UL;
	unsigned int nr, at;

	if (!event)
		return false;
	info = counter_arch_bp(event);
	if (info->address == word && info->ctrl.len == bytes)
		return false;
	nr = event->state == PERF_EVENT_STATE_ACTIVE ?
	     find_registers(info->address, info->ctrl.len, &at) : 0;
	if (unlikely(nr > 1) && kpt_has(arch_uninstall_hw_breakpoint) &&
	    kpt_has(arch_install_hw_breakpoint)) {
		program_by_kernel(event, word, bytes);
		return true;
	}
	info->address = word;
	info->ctrl.len = bytes;
	if (nr) {
		wvr_write(at, word);
		wcr_write(at, (wcr_read(at) & ~WCR_BYTES) | FIELD_PREP(WCR_BYTES, bytes));
	}
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
	unsigned long flags;
	u64 saved, par;

	local_irq_save(flags);
	/* Code that was interrupted may be about to read it. */
	saved = read_sysreg(par_el1);
	asm volatile("at s1e1r, %0" : : "r" (addr));
	isb();
	par = read_sysreg(par_el1);
	write_sysreg(saved, par_el1);
	local_irq_restore(flags);
	/* A fault; else the attributes, which of devices are 0b0000xxxx. */
	return !(par & PAR_FAULT) && par & PAR_NO_DEVICE;
}
