/* SPDX-License-Identifier: GPL-2.0-only */
/* Notice when the kernel renames a task. */
#ifndef KPTRACE_RENAME_H
#define KPTRACE_RENAME_H

#ifdef CONFIG_TRACEPOINTS
int kpt_rename_init(void);
void kpt_rename_exit(void);
#else
static inline int kpt_rename_init(void)
{
	return 0;
}

static inline void kpt_rename_exit(void)
{
}
#endif

#endif
