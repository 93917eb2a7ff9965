/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of the kernel's functions by hash, for kernels that can not look for
 * all symbols of one name (before 6.1, without live patching).
 */
#ifndef KPTRACE_SYMBOL_INDEX_H
#define KPTRACE_SYMBOL_INDEX_H

#include <linux/types.h>

int kpt_symbol_index_find(const char *name,
			  int (*found)(void *data, unsigned long addr),
			  void *data);
void kpt_symbol_index_free(void);

#endif
