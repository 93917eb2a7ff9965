/* SPDX-License-Identifier: GPL-2.0-only */
/* Places that may be in the blacklist because of the symbol they are in. */
#ifndef KPTRACE_SUSPECT_H
#define KPTRACE_SUSPECT_H

#include <linux/types.h>

int kpt_each_kprobe_blacklisted(int (*found)(void *data, unsigned long start,
					     unsigned long end), void *data);
bool kpt_kprobe_refuses(unsigned long addr);
bool kpt_is_suspect(unsigned long addr, bool (*is_listed)(const char *name));
void kpt_suspects_prepare(bool (*is_listed)(const char *name));
void kpt_suspect_exit(void);

#endif
