// SPDX-License-Identifier: GPL-2.0-only
/*
 * Thunks: functions for the kernel to call through a pointer, whose arguments are
 * the registers of a hit.
 *
 * With kCFI a caller compares the word before the function with the type that it
 * expects, and this type differs from tracepoint to tracepoint. So there is a thunk
 * for each type, in a line of 32 bytes:
 *
 *	.word	type
 *	bti	c			// the kernel calls this address
 *	ldr	x16, 1f
 *	br	x16
 *	1: .quad kpt_thunk_entry	// thunk_entry.S
 *
 * Kernels without kCFI need one thunk alone. Thunks are freed at unload.
 */
#include "kernel/compat.h"
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <asm/cpufeature.h>
#include <asm/sysreg.h>
#include "arch_compat.h"
#include "engine.h"

#define LINE_WORDS	8
#define ENTRY		1	/* the word that is called */

/**
 * struct thunk_page - a page of thunks
 * @next: the page that was filled before
 * @nr: number of thunks
 * @words: the page
 */
struct thunk_page {
	struct thunk_page *next;
	unsigned int nr;
	u32 *words;
};

/* The newest page. Under kpt_mutex. */
static struct thunk_page *pages;

extern const u32 kpt_thunk_entry[];
asmlinkage void kpt_thunk_handle(struct pt_regs *regs);

static void *thunk_find(u32 type)
{
	const struct thunk_page *page;
	unsigned int i;

	for (page = pages; page; page = page->next)
		for (i = 0; i < page->nr; i++)
			if (page->words[i * LINE_WORDS] == type)
				return &page->words[i * LINE_WORDS + ENTRY];
	return NULL;
}

static bool thunk_add_page(void)
{
	struct thunk_page *page = kzalloc(sizeof(*page), GFP_KERNEL);

	if (!page)
		return false;
	page->words = kpt_mem_alloc_far(PAGE_SIZE);
	if (!page->words) {
		kfree(page);
		return false;
	}
	page->next = pages;
	pages = page;
	return true;
}

static void *thunk_add(u32 type)
{
	unsigned long entry = (unsigned long)kpt_thunk_entry;
	const u32 words[] = {
		type, A64_BTI_C, a64_to(a64_ldr_literal(X16), 8), a64_br(X16),
		lower_32_bits(entry), upper_32_bits(entry),
	};
	u32 *at;

	BUILD_BUG_ON(ARRAY_SIZE(words) > LINE_WORDS);
	BUILD_BUG_ON(offsetof(struct kpt_arch_called, recorder) != KPT_CALLED_RECORDER);
	if ((!pages || pages->nr == PAGE_SIZE / (LINE_WORDS * sizeof(u32))) &&
	    !thunk_add_page())
		return NULL;
	at = &pages->words[pages->nr * LINE_WORDS];
	if (kpt_mem_write(at, words, ARRAY_SIZE(words)))
		return NULL;
	pages->nr++;
	/* Each CPU executes the new words from now on, so the caller may register it at once. */
	kpt_arch_quiesce();
	return at + ENTRY;
}

/**
 * kpt_arch_thunk() - get a function that has a type
 * @type: from kpt_arch_called_type(), of functions that return nothing and have a pointer as
 *	their first parameter
 *
 * When the kernel calls it, with a pointer to an object that begins with struct
 * kpt_arch_called, it records the hit, or kpt_hit_tracepoint() runs with that pointer.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the function, valid until unload; NULL without memory.
 */
void *kpt_arch_thunk(u32 type)
{
	return thunk_find(type) ?: thunk_add(type);
}

/**
 * kpt_arch_thunk_set() - let a thunk record hits by itself, or not
 * @called: what it is called with
 * @recorder: from kpt_arch_recorder_make(); NULL: hits take kpt_hit_tracepoint(). After
 *	kpt_arch_quiesce() no CPU uses the old one
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_arch_thunk_set(struct kpt_arch_called *called,
			const struct kpt_arch_recorder *recorder)
{
	/* What @recorder points to is complete before a hit sees @recorder. */
	smp_store_release(&called->recorder, recorder && recorder->code != kpt_recorder_none.code ?
					   recorder : NULL);
}

/**
 * kpt_thunk_exit() - free all thunks
 *
 * Context: process context; no CPU and no task is in a thunk.
 */
void kpt_thunk_exit(void)
{
	struct thunk_page *page;

	while ((page = pages)) {
		pages = page->next;
		kpt_mem_free(page->words);
		kfree(page);
	}
}

/**
 * kpt_thunk_handle() - a thunk was called
 * @regs: registers at the call; only x0 to x7, x29, x30 and SP are set
 *
 * Context: any; the layers above are called as in a BRK handler.
 */
asmlinkage void kpt_thunk_handle(struct pt_regs *regs)
{
	void *data = (void *)regs->regs[0];
	unsigned long flags;

	regs->pstate = read_sysreg(daif) | kpt_pstate_mode();
	/* interrupts_enabled() reads this. */
	if (system_uses_irq_prio_masking())
		kpt_regs_pmr(regs) = read_sysreg_s(SYS_ICC_PMR_EL1);
	/* raw_: lockdep would call functions that may be probed. */
	raw_local_irq_save(flags);
	if (likely(raw_cpu_inc_return(kpt_cpu.depth) == 1))
		kpt_hit_tracepoint(data, regs);
	else
		kpt_hit_tracepoint_missed(data);
	raw_cpu_dec(kpt_cpu.depth);
	raw_local_irq_restore(flags);
}
