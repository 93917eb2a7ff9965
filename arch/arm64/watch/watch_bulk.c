// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory copy and set instructions on watched bytes. They are not executed in a slot: that
 * would do all that is left, which may be any memory. What is performed is the bytes up to the
 * end of a page, and then the CPU begins again with the rest.
 */
#include "kernel/compat.h"
#include <linux/mm.h>
#include <linux/uaccess.h>
#include "arch_compat.h"
#include "watch/watchpoint.h"

/**
 * kpt_watch_is_writable() - as kpt_arch_is_memory(), and may the kernel write to it?
 * @addr: an address in the kernel's half
 *
 * Context: any, BRK included.
 * Return: true if it may.
 */
bool kpt_watch_is_writable(unsigned long addr)
{
	return kpt_par_is_memory(kpt_watch_translate("at s1e1w", addr));
}

/* Where nothing is watched the same is done by the same instructions, which this CPU has. */
#define PARTS(prologue, part)	\
	".inst " #prologue "\n"	\
	".inst " #prologue " + (1 << " #part ")\n"	\
	".inst " #prologue " + (2 << " #part ")\n"

static void copy_bytes(u64 to_addr, u64 from_addr, u64 nr)
{
	register u64 to asm("x0") = to_addr;
	register u64 from asm("x1") = from_addr;
	register u64 size asm("x2") = nr;

	/* CPYP [X0]!, [X1]!, X2! */
	asm volatile(PARTS(0x1d010440, 22)
		     : "+r" (to), "+r" (from), "+r" (size) : : "cc", "memory");
}

static void set_bytes(u64 to_addr, u8 byte, u64 nr)
{
	register u64 to asm("x0") = to_addr;
	register u64 value asm("x1") = byte;
	register u64 size asm("x2") = nr;

	/* SETP [X0]!, X2!, X1 */
	asm volatile(PARTS(0x19c10440, 14)
		     : "+r" (to), "+r" (size) : "r" (value) : "cc", "memory");
}

/* Accesses of the kernel would fault with nobody to handle that. */
static bool bulk_is_mapped(const struct kpt_bulk *bulk, const struct kpt_access *read,
			   const struct kpt_access *write)
{
	return (bulk->reads_user || !read->size || kpt_arch_is_memory(read->addr)) &&
	       (bulk->writes_user || kpt_watch_is_writable(write->addr));
}

/* As if by a program: the kernel's functions for that stop at a page that is not there. */
static u64 with_user(const struct kpt_bulk *bulk, u64 to, u64 from, u64 size)
{
	u64 failed;

	if (!bulk->is_copy || bulk->is_backward || bulk->reads_user == bulk->writes_user)
		return 0;
	pagefault_disable();
	failed = bulk->reads_user ?
		 raw_copy_from_user((void *)to, (const void __user *)from, size) :
		 raw_copy_to_user((void __user *)to, (const void *)from, size);
	pagefault_enable();
	return size - failed;
}

/**
 * kpt_watch_bulk() - perform a portion of a memory copy or set
 * @word: the instruction
 * @read: what kpt_bulk_portion() has said; changed to what was read
 * @write: likewise
 * @regs: registers, changed
 *
 * Context: BRK.
 * Return: true; false, with nothing changed, if that is not possible.
 */
bool kpt_watch_bulk(u32 word, struct kpt_access *read, struct kpt_access *write,
		    struct pt_regs *regs)
{
	struct kpt_bulk bulk;
	u64 done = write->size, at;

	if (!kpt_bulk_read(word, &regs->user_regs, &bulk) || !bulk_is_mapped(&bulk, read, write))
		return false;
	/* Addresses of registers have the tags. */
	at = bulk.is_backward ? bulk.left - done : 0;
	if (bulk.reads_user || bulk.writes_user)
		done = with_user(&bulk, bulk.to + at, bulk.from + at, done);
	else if (bulk.is_copy)
		copy_bytes(bulk.to + at, bulk.from + at, done);
	else
		set_bytes(bulk.to + at, bulk.value, done);
	if (!done)
		return false;
	write->size = done;
	read->size = min_t(u64, read->size, done);
	kpt_bulk_advance(word, &bulk, done, &regs->user_regs);
	regs->pstate &= ~PSR_BTYPE_MASK;
	return true;
}
