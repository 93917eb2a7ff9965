/* SPDX-License-Identifier: GPL-2.0-only */
/* Names to addresses and back. */
#ifndef KPTRACE_SYMBOL_H
#define KPTRACE_SYMBOL_H

#include <linux/types.h>

/**
 * kpt_symbol_lookup() - address of a symbol that may be probed or read
 * @module: name of the module it must be in, NULL for vmlinux first, then any
 * @name: exact name, suffixes like .isra.0 included
 * @addr: result, written on success only
 *
 * For an unqualified name vmlinux decides if it has the name at all; else the
 * modules do (the rule of the newest kprobe events).
 *
 * Context: process context, may sleep, kpt_mutex held.
 * Return: 0, -ENOENT if there is none, -EADDRNOTAVAIL if it is not unique,
 * -ENXIO if @module is not loaded or already on its way out, -ENOMEM.
 */
int kpt_symbol_lookup(const char *module, const char *name,
		      unsigned long *addr);

/**
 * kpt_symbol_range() - the symbol an address belongs to
 * @addr: the address
 * @start: its first byte, written on success only
 * @size: its bytes, likewise
 *
 * Context: process context.
 * Return: 0 or -ENOENT.
 */
int kpt_symbol_range(unsigned long addr, unsigned long *start,
		     unsigned long *size);

#endif
