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
#include <linux/uaccess.h>
#include "kernel/ksyms.h"
#include "kernel/lock.h"
#include "kernel/symbol/symbol.h"
#include "engine.h"

/* The instructions of the kernel's own entries, ascending. Under kpt_mutex. */
static struct kpt_symbol_list listed;
static bool is_listed;

/* The instruction of the kernel's entry at @ex; 0 if the table has none there. */
static unsigned long entry_insn(const struct exception_table_entry *ex)
{
	unsigned long addr;
	int offset;

	if (get_kernel_nofault(offset, &ex->insn))
		return 0;
	addr = (unsigned long)&ex->insn + offset;
	return search_exception_tables(addr) ? addr : 0;
}

/* List the entries around @ex. Without memory there is no list, now or later. */
static void list_make(const struct exception_table_entry *ex)
{
	unsigned long addr;
	int err = 0;

	is_listed = true;
	while (entry_insn(ex - 1))
		ex--;
	for (; !err && (addr = entry_insn(ex)); ex++)
		err = kpt_symbol_list_add(&listed, addr);
	if (!err)
		return;
	kpt_symbol_list_free(&listed);
	listed = (struct kpt_symbol_list){ 0 };
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
	ex = search_exception_tables(addr);
	if (!ex)
		return 0;
	if (!is_listed && core_kernel_text(addr))
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
	unsigned int i;

	lockdep_assert_held(&kpt_mutex);
	if (!listed.nr || !core_kernel_text(start))
		return true;
	i = kpt_symbol_list_below(&listed, start);
	return i < listed.nr && listed.addr[i] - start < size;
}

/**
 * kpt_fixups_exit() - free the list
 *
 * Context: module unload.
 */
void kpt_fixups_exit(void)
{
	kpt_symbol_list_free(&listed);
}
