// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the kernel resumes after a fault: its exception table.
 *
 * search_exception_tables() takes some 500 instructions to find that there is no entry, as
 * for nearly every address. The kernel tells no module where its own table is; but what it
 * finds once is in the table, and so are the neighbours of that entry which it finds, too.
 * So the first entry that is found leads to a list of all of them.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/uaccess.h>
#include "kernel/ksyms.h"
#include "kernel/lock.h"
#include "engine.h"

/* The instructions of the kernel's own entries, ascending. Under kpt_mutex. */
static unsigned long *listed;
static unsigned int nr_listed;
static bool is_listed;

/* The instruction of the kernel's entry at @ex; 0 if the table has none there. */
static unsigned long entry_insn(const struct exception_table_entry *ex)
{
	unsigned long addr;
	int offset;

	if (get_kernel_nofault(offset, &ex->insn))
		return 0;
	addr = (unsigned long)&ex->insn + offset;
	return kpt_ksyms.search_exception_tables(addr) ? addr : 0;
}

/* List the entries around @ex. Without memory there is no list, now or later. */
static void list_make(const struct exception_table_entry *ex)
{
	const struct exception_table_entry *first = ex, *last = ex;

	is_listed = true;
	while (entry_insn(first - 1))
		first--;
	while (entry_insn(last + 1))
		last++;
	listed = kvmalloc_array(last - first + 1, sizeof(*listed), GFP_KERNEL);
	if (!listed)
		return;
	for (ex = first; ex <= last; ex++)
		listed[nr_listed++] = entry_insn(ex);
}

/**
 * kpt_fixup_of() - where does the kernel resume when an instruction faults?
 * @addr: the instruction
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the address; 0 if the instruction has no entry in the exception table.
 */
unsigned long kpt_fixup_of(unsigned long addr)
{
	const struct exception_table_entry *ex;

	lockdep_assert_held(&kpt_mutex);
	ex = kpt_ksyms.search_exception_tables(addr);
	if (!ex)
		return 0;
	if (!is_listed && kpt_ksyms.core_kernel_text(addr))
		list_make(ex);
	/* Every type of entry has the address there. */
	return (unsigned long)&ex->fixup + ex->fixup;
}

/**
 * kpt_fixups_may_be() - may instructions of some text have entries?
 * @start: address of the first one
 * @size: bytes of the text
 *
 * Context: process context, kpt_mutex held.
 * Return: true; false if it is known that none has.
 */
bool kpt_fixups_may_be(unsigned long start, unsigned long size)
{
	unsigned int from = 0, to = nr_listed, mid;

	lockdep_assert_held(&kpt_mutex);
	if (!nr_listed || !kpt_ksyms.core_kernel_text(start))
		return true;
	while (from < to) {
		mid = from + (to - from) / 2;
		if (listed[mid] < start)
			from = mid + 1;
		else
			to = mid;
	}
	return from < nr_listed && listed[from] - start < size;
}

/**
 * kpt_fixups_exit() - free the list
 *
 * Context: module unload.
 */
void kpt_fixups_exit(void)
{
	kvfree(listed);
}
