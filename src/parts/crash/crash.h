/* SPDX-License-Identifier: GPL-2.0-only */
/* Dumps at an oops, and what scripts/vmcore reads. */
#ifndef KPTRACE_CRASH_H
#define KPTRACE_CRASH_H

int kpt_crash_alloc(void);
void kpt_crash_free(void);
int kpt_crash_init(void);
void kpt_crash_exit(void);
int kpt_vmcore_init(void);

#endif
