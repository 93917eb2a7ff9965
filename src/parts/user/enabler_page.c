// SPDX-License-Identifier: GPL-2.0-only
/* Bits in pages of processes: written without waiting for the pages. */
#include "kernel/compat.h"
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include "parts/user/enabler_page.h"

#if KPT_ENABLERS

/*
 * Files on disks are left out if a write to their pages waits for the file system,
 * perhaps for a program that is one.
 */
static bool enabler_page_may_wait(struct mm_struct *mm, unsigned long addr)
{
	struct vm_area_struct *vma = find_vma(mm, addr);

	return !vma || vma->vm_start > addr ||
	       (vma->vm_flags & VM_SHARED && vma->vm_ops &&
		vma->vm_ops->page_mkwrite);
}

/* Is it in a mapping of a file that a process may write, but for itself? */
static bool enabler_page_is_of_file(struct mm_struct *mm, unsigned long addr)
{
	struct vm_area_struct *vma = find_vma(mm, addr);

	return vma && vma->vm_start <= addr && vma->vm_file &&
	       (vma->vm_flags & (VM_WRITE | VM_SHARED)) == VM_WRITE;
}

/*
 * Has the process a copy of the page, perhaps together with one that it was forked from? Then
 * a write needs no file, unless the program drops its copy before. A kernel without
 * FOLL_NOFAULT cannot tell: there the write is tried, and its page fault may wait for the file
 * even with FOLL_NOWAIT.
 */
static bool enabler_page_is_copy(struct mm_struct *mm, unsigned long addr)
{
	struct page *page;
	bool is_copy;

	if (!KPT_FOLL_NOFAULT)
		return true;
	if (kpt_get_page(mm, addr, KPT_FOLL_NOFAULT, &page) != 1)
		return false;
	is_copy = PageAnon(page);
	put_page(page);
	return is_copy;
}

/**
 * kpt_enabler_pin() - pin a page that is written
 * @mm: the memory of a process, locked
 * @addr: the address
 * @page: result: the page
 *
 * Does not wait for the page.
 *
 * Context: process context.
 * Return: 0; -EFAULT if it cannot be written now.
 */
int kpt_enabler_pin(struct mm_struct *mm, unsigned long addr, struct page **page)
{
	if (enabler_page_may_wait(mm, addr) ||
	    kpt_pin_page(mm, addr, FOLL_WRITE | FOLL_NOWAIT, page) != 1)
		return -EFAULT;
	return 0;
}

/**
 * kpt_enabler_change() - write a bit
 * @place: the bit
 * @page: its page, pinned
 * @on: the value
 *
 * Programs use atomic operations on the word, too.
 *
 * Context: any.
 */
void kpt_enabler_change(const struct kpt_enabler_place *place, struct page *page,
			bool on)
{
	void *word = page_address(page) + offset_in_page(place->addr);

	if (place->size == 8 && on)
		atomic64_or(BIT_ULL(place->bit), word);
	else if (place->size == 8)
		atomic64_andnot(BIT_ULL(place->bit), word);
	else if (on)
		atomic_or(BIT(place->bit), word);
	else
		atomic_andnot(BIT(place->bit), word);
}

/**
 * kpt_enabler_write() - write a bit of any process
 * @place: the bit
 * @mm: the memory, which stays
 * @on: the value
 *
 * Context: process context; waits for nobody.
 * Return: 0; -EIO if the page has to be read from a file, perhaps: kpt_enabler_read(); -EFAULT
 * if it cannot be written now for another reason; -EAGAIN if the memory or the page is
 * locked, perhaps for long.
 */
int kpt_enabler_write(const struct kpt_enabler_place *place, struct mm_struct *mm,
		      bool on)
{
	struct page *page;
	bool is_of_file;
	int err;

	if (!mmap_read_trylock(mm))
		return -EAGAIN;
	is_of_file = enabler_page_is_of_file(mm, place->addr);
	if (is_of_file && !enabler_page_is_copy(mm, place->addr))
		err = -EIO;
	else
		err = kpt_enabler_pin(mm, place->addr, &page);
	if (err && is_of_file)
		err = -EIO;
	mmap_read_unlock(mm);
	if (err)
		return err;
	if (trylock_page(page)) {
		kpt_enabler_change(place, page, on);
		set_page_dirty(page);
		unlock_page(page);
	} else {
		err = -EAGAIN;
	}
	unpin_user_page(page);
	return err;
}

/**
 * kpt_enabler_read() - have a page read from its file, and copied
 * @mm: the memory of a process, which stays
 * @addr: an address in the page
 * @cred: the credentials with which the file is read
 *
 * A write need not wait for the file then.
 *
 * Context: a thread of the kernel, no lock held. The file may take forever.
 */
void kpt_enabler_read(struct mm_struct *mm, unsigned long addr, const struct cred *cred)
{
	const struct cred *before = override_creds(cred);
	bool unlocked = false;

	mmap_read_lock(mm);
	/* If that fails, so does the write. */
	(void)fixup_user_fault(KPT_FAULT_TASK mm, addr, FAULT_FLAG_WRITE, &unlocked);
	mmap_read_unlock(mm);
	revert_creds(before);
}

#endif
