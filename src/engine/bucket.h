/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The locks of the lists that hits keep calls in. A lock is bit 0 of the head of its list, as
 * for hlist_bl_lock(). That also switches preemption off, which is not needed: all users of
 * these locks have masked interrupts.
 */
#ifndef KPTRACE_BUCKET_H
#define KPTRACE_BUCKET_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/list_bl.h>
#include <linux/processor.h>

/**
 * kpt_bucket_lock() - lock a list
 * @head: its head
 *
 * Context: BRK, or kpt_arch_hits_off_save(): interrupts masked. Does not nest.
 */
static __always_inline void kpt_bucket_lock(struct hlist_bl_head *head)
{
	while (unlikely(test_and_set_bit_lock(0, (unsigned long *)head)))
		cpu_relax();
}

/**
 * kpt_bucket_unlock() - the reverse of kpt_bucket_lock()
 * @head: the same head
 *
 * Context: as of kpt_bucket_lock().
 */
static __always_inline void kpt_bucket_unlock(struct hlist_bl_head *head)
{
	__clear_bit_unlock(0, (unsigned long *)head);
}

#endif
