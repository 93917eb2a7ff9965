/* SPDX-License-Identifier: GPL-2.0-only */
/* Look up addresses by name and names by address. */
#ifndef KPTRACE_SYMBOL_H
#define KPTRACE_SYMBOL_H

#include <linux/types.h>

int kpt_symbol_lookup(const char *module, const char *name,
		      unsigned long *addr);
int kpt_symbol_range(unsigned long addr, unsigned long *start,
		     unsigned long *size);
void kpt_symbol_keep(unsigned long start);
size_t kpt_symbol_print(char *dst, size_t size, unsigned long addr);
void kpt_symbol_exit(void);

#endif
