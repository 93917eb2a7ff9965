/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's symbols by name, for symbol.c. */
#ifndef KPTRACE_SYMBOL_MAP_H
#define KPTRACE_SYMBOL_MAP_H

int kpt_symbol_map_find(const char *name, int (*found)(void *data, unsigned long addr),
			void *data);
void kpt_symbol_map_free(void);

#endif
