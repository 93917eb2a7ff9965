/* SPDX-License-Identifier: GPL-2.0-only */
/* Bits in pages of processes. */
#ifndef KPTRACE_ENABLER_PAGE_H
#define KPTRACE_ENABLER_PAGE_H

#include <linux/mm_types.h>
#include "parts/user/enabler.h"

struct cred;

int kpt_enabler_pin(struct mm_struct *mm, unsigned long addr, struct page **page);
void kpt_enabler_change(const struct kpt_enabler_place *place, struct page *page, bool on);
int kpt_enabler_write(const struct kpt_enabler_place *place, struct mm_struct *mm, bool on);
void kpt_enabler_read(struct mm_struct *mm, unsigned long addr, const struct cred *cred);

#endif
