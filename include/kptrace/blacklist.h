/* SPDX-License-Identifier: GPL-2.0-only */
/* Addresses that must not be probed, whatever the instruction there. */
#ifndef KPTRACE_BLACKLIST_H
#define KPTRACE_BLACKLIST_H

#include <linux/seq_file.h>
#include <kptrace/diag.h>

/**
 * kpt_blacklist_check() - may this address be probed at all?
 * @addr: the address
 * @diag: on refusal the one exact reason, with the owner's name if there is one
 *
 * Knows the text sections that take and return from exceptions, our own
 * text, addresses with exception table entries, the kernel's own kprobe
 * blacklist, and the sites others patch.
 *
 * Context: process context, may sleep.
 * Return: 0 or -EINVAL.
 */
int kpt_blacklist_check(unsigned long addr, struct kpt_diag *diag);

/**
 * kpt_blacklist_check_text() - is there an instruction of somebody else's?
 * @addr: the address
 * @diag: on refusal the one exact reason
 *
 * While kpt_mutex is held it stays there.
 *
 * Context: process context, kpt_mutex held.
 * Return: 0 or -EINVAL.
 */
int kpt_blacklist_check_text(unsigned long addr, struct kpt_diag *diag);

/**
 * kpt_blacklist_check_hook() - may a function's return address be replaced?
 * @addr: its entry
 * @diag: on refusal the one exact reason
 *
 * Context: process context.
 * Return: 0 or -EINVAL.
 */
int kpt_blacklist_check_hook(unsigned long addr, struct kpt_diag *diag);

/**
 * kpt_blacklist_seq_show() - the ranges, as kprobes/blacklist shows them
 * @m: where to
 *
 * Context: process context.
 */
void kpt_blacklist_seq_show(struct seq_file *m);

/**
 * kpt_blacklist_init() - look up sections and names
 *
 * Context: module load, after kpt_ksyms_init().
 * Return: 0 or -errno.
 */
int kpt_blacklist_init(void);

#endif
