/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of the kernel's functions by hash, for kernels that can not look for
 * all symbols of one name (before 6.1, without live patching).
 */
#ifndef KPTRACE_SYMBOL_INDEX_H
#define KPTRACE_SYMBOL_INDEX_H

#include <linux/types.h>

/**
 * kpt_symbol_index_find() - visit the functions of one name
 * @name: the name
 * @found: told the address of each
 * @data: for @found
 *
 * The first call makes the index, which takes some 0.2 s. Aliases of one
 * address are seen as one, under the name that the kernel prints.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_symbol_index_find(const char *name,
			  int (*found)(void *data, unsigned long addr),
			  void *data);

/**
 * kpt_symbol_index_free() - forget the index
 *
 * Context: process context.
 */
void kpt_symbol_index_free(void);

#endif
