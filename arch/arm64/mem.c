// SPDX-License-Identifier: GPL-2.0-only
/*
 * Executable pages within branch reach of the text they serve.
 *
 * With KASLR the kernel's module area lies up to 2 GiB away from its text, but
 * vmalloc space around the text is free.
 */
#include "kernel/compat.h"
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/vmalloc.h>
#include <asm/barrier.h>
#include <asm/cpufeature.h>
#include "kernel/ksyms.h"
#include "arch_compat.h"
#include "engine.h"

/* All kernel text is within branch reach of every address in this window. */
static unsigned long window_start __ro_after_init;
static unsigned long window_end __ro_after_init;

static unsigned int nr_near, nr_far;

/**
 * kpt_mem_init() - compute the window for pages that serve kernel text
 *
 * Context: module load.
 */
void kpt_mem_init(void)
{
	unsigned long stext = kpt_ksyms_addr("_stext");
	unsigned long etext = kpt_ksyms_addr("_etext");

	if (!stext || etext - stext >= KPT_BRANCH_REACH)
		return;
	window_start = etext - KPT_BRANCH_REACH;
	window_end = stext + KPT_BRANCH_REACH;
}

/* Stay inside the module and vmalloc areas: other mappings are below them. */
static void *alloc_between(unsigned long start, unsigned long end, size_t size)
{
	start = max_t(unsigned long, start, MODULES_VADDR);
	end = min_t(unsigned long, end, VMALLOC_END);
	return __vmalloc_node_range_noprof(size, PAGE_SIZE, start, end,
				       GFP_KERNEL | __GFP_NOWARN | __GFP_ZERO,
				       PAGE_KERNEL_ROX, VM_FLUSH_RESET_PERMS,
				       NUMA_NO_NODE,
				       __builtin_return_address(0));
}

/**
 * kpt_mem_alloc_near() - allocate a page for code within branch reach of text
 * @addr: address of the text. If it is kernel text, all kernel text is within
 *	reach of the page.
 *
 * Context: process context, sleeps.
 * Return: the page, read-only and executable, or NULL.
 */
void *kpt_mem_alloc_near(unsigned long addr)
{
	unsigned long start = addr - KPT_BRANCH_REACH;
	unsigned long end = addr + KPT_BRANCH_REACH;
	void *page;

	if (window_end && core_kernel_text(addr)) {
		start = window_start;
		end = window_end;
	}
	page = alloc_between(PAGE_ALIGN(start), end & PAGE_MASK, PAGE_SIZE);
	if (page)
		nr_near++;
	return page;
}

/**
 * kpt_mem_alloc_far() - allocate pages for code anywhere
 * @size: their bytes
 *
 * Context: process context, sleeps.
 * Return: the pages, read-only and executable, or NULL.
 */
void *kpt_mem_alloc_far(size_t size)
{
	void *pages = alloc_between(VMALLOC_START, VMALLOC_END, size);

	if (pages)
		nr_far += size / PAGE_SIZE;
	return pages;
}

/**
 * kpt_mem_free() - free a page, or more of them
 * @page: from kpt_mem_alloc_near() or kpt_mem_alloc_far(); no CPU and no task is
 *	in it
 *
 * Context: process context, sleeps.
 */
void kpt_mem_free(void *page)
{
	vfree(page);
}

/*
 * Write through the linear map, where the page is writable as all memory that the
 * kernel has not protected there. No mapping is made or changed: a write by
 * aarch64_insn_patch_text_nosync() makes one for each word, and each ends with a TLB
 * invalidation that all CPUs wait for. Returns -EFAULT if the page is protected.
 */
static int write_by_alias(u32 *at, const u32 *words, unsigned int nr)
{
	size_t size = nr * sizeof(u32);
	u32 *alias = page_address(vmalloc_to_page(at));
	int err;

	if (!kpt_has(copy_to_kernel_nofault))
		return -EFAULT;
	err = copy_to_kernel_nofault((void *)alias + offset_in_page(at), words,
				      size);
	if (!err)
		kpt_sync_text((unsigned long)at, (unsigned long)at + size);
	return err;
}

static int write_by_words(u32 *at, const u32 *words, unsigned int nr)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < nr; i++)
		err = aarch64_insn_patch_text_nosync(at + i, words[i]);
	return err;
}

/* Write words that lie in one page. -EIO if they do not read back. */
static int write_in_page(u32 *at, const u32 *words, unsigned int nr)
{
	if (write_by_alias(at, words, nr) && write_by_words(at, words, nr))
		return -EIO;
	return memcmp(at, words, nr * sizeof(u32)) ? -EIO : 0;
}

/**
 * kpt_mem_write() - write instructions into pages of this file
 * @at: destination
 * @words: the instructions
 * @nr: number of @words
 *
 * A single word is written as a whole. A CPU executes the new words after its next
 * context synchronization event, for instance an exception or the return from one; all do
 * after kpt_mem_sync_cpus().
 *
 * Context: process context.
 * Return: 0, or -EIO if they do not read back.
 */
int kpt_mem_write(void *at, const u32 *words, unsigned int nr)
{
	u32 *to = at;
	int err = 0;

	while (nr && !err) {
		unsigned int room = (PAGE_SIZE - offset_in_page(to)) / sizeof(u32);
		unsigned int some = min(nr, room);

		err = write_in_page(to, words, some);
		to += some;
		words += some;
		nr -= some;
	}
	return err;
}

/**
 * kpt_mem_write_anywhere() - write instructions in any context
 * @at: destination, in a page of this file
 * @words: the instructions, which lie in one page there
 * @nr: number of @words
 *
 * As kpt_mem_write(), but takes no lock, and does not try all ways.
 *
 * Context: any, BRK included.
 * Return: 0; -EFAULT if the page cannot be written so.
 */
int kpt_mem_write_anywhere(u32 *at, const u32 *words, unsigned int nr)
{
	return write_by_alias(at, words, nr);
}

static void execute_new(void *unused)
{
	isb();
}

/**
 * kpt_mem_sync_cpus() - have each CPU execute what was written
 *
 * A CPU that takes an interrupt executes new words behind it. But the idle loop and the
 * CPU of the caller call the function without one, and the caller may be on another CPU by
 * now: so the function does what an interrupt would do (Arm ARM B2.2.5).
 *
 * When this returns, each CPU has also left each section with interrupts masked that it was
 * in, and saw in later ones what was changed before. tests/litmus/text-recorder.litmus.
 *
 * Context: process context, sleeps; the caller holds cpus_read_lock(), or no CPU that
 * comes later can have old words.
 */
void kpt_mem_sync_cpus(void)
{
	/* What was changed is seen by a CPU before it is called. */
	smp_mb();
	on_each_cpu(execute_new, NULL, 1);
}

/**
 * kpt_arch_clean() - write cached data back to memory
 * @from: address of the first byte
 * @bytes: how many
 *
 * Other observers than CPUs see it then, and a reset that drops caches loses none. The
 * kernel's function knows the smallest line of all CPUs and their errata, and cleans to the
 * point of persistence where there is one.
 *
 * Context: any.
 */
void kpt_arch_clean(void *from, size_t bytes)
{
	/* CTR_EL0.DminLine is log2 of the words of the smallest line, here of all CPUs. */
	size_t line = 4UL << (read_sanitised_ftr_reg(SYS_CTR_EL0) >> 16 & 15);
	unsigned long addr = (unsigned long)from & ~(line - 1);

	if (kpt_has(arch_wb_cache_pmem)) {
		arch_wb_cache_pmem(from, bytes);
	} else {
		/* CVAC would not do: Cortex-A53 errata 819472, 824069, 826319 and 827319. */
		for (; addr < (unsigned long)from + bytes; addr += line)
			asm volatile("dc civac, %0" : : "r" (addr) : "memory");
	}
	dsb(sy);
}

/**
 * kpt_mem_status() - show how many pages were allocated near text, and elsewhere
 * @sb: a line is appended
 *
 * Context: process context.
 */
void kpt_mem_status(struct kpt_strbuf *sb)
{
	kpt_strbuf_printf(sb,
			  "code pages taken: %u within branch reach, %u not\n",
			  nr_near, nr_far);
}
