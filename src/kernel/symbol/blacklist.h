/* SPDX-License-Identifier: GPL-2.0-only */
/* Addresses that must not be probed, whatever the instruction there. */
#ifndef KPTRACE_BLACKLIST_H
#define KPTRACE_BLACKLIST_H

#include <linux/seq_file.h>
#include "lib/base/diag.h"

/* Checks for which it is worthwhile to be ready. */
#define KPT_BLACKLIST_MANY 2000

/* Lists of ranges that must not be probed: sections, the kernel's own, and ours. */
#define KPT_BLACKLIST_ROWS 3

int kpt_blacklist_check(unsigned long addr, struct kpt_diag *diag);
int kpt_blacklist_check_text(unsigned long addr, struct kpt_diag *diag);
int kpt_blacklist_check_hook(unsigned long addr, struct kpt_diag *diag);
const char *kpt_blacklist_why_no_hooks(void);
void kpt_blacklist_seq_show(struct seq_file *m, unsigned int nth);
void kpt_blacklist_prepare(void);
int kpt_blacklist_init(void);
void kpt_blacklist_exit(void);

#endif
