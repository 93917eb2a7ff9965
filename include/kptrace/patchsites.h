/* SPDX-License-Identifier: GPL-2.0-only */
/* Addresses in text that somebody else patches, or that only look like text. */
#ifndef KPTRACE_PATCHSITES_H
#define KPTRACE_PATCHSITES_H

#include <kptrace/diag.h>

/**
 * kpt_patchsites_check() - does an address in text belong to somebody else?
 * @addr: the address, in kernel or module text
 * @diag: on refusal who that is
 *
 * Knows exception table entries (whose fix-up looks for the PC of the
 * instruction, which an instruction in a slot does not have), BUG and WARN,
 * ftrace's locations and what it keeps before functions, kCFI types, jump
 * labels and static calls. Alternatives are not a reason: they are patched
 * before the text can be probed, and never again.
 *
 * Context: process context.
 * Return: 0 or -EINVAL.
 */
int kpt_patchsites_check(unsigned long addr, struct kpt_diag *diag);

#endif
