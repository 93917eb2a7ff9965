/* SPDX-License-Identifier: GPL-2.0-only */
/* Look up addresses by name and names by address. */
#ifndef KPTRACE_SYMBOL_H
#define KPTRACE_SYMBOL_H

#include <linux/types.h>

/**
 * struct kpt_symbol_list - addresses of functions, each once
 * @addr: the addresses: of the kernel's own functions, then of modules; both ascending
 * @nr: number of addresses
 * @room: number of addresses that there is memory for
 */
struct kpt_symbol_list {
	unsigned long *addr;
	unsigned int nr;
	unsigned int room;
};

/**
 * kpt_symbol_is_mapping() - is it a mapping symbol of a module, such as $d or $d.1?
 * @name: the symbol
 *
 * They mark data in text: type words of kCFI, which the kernel compares before it calls
 * the function behind. Format: ELF for the Arm 64-bit Architecture, 5.5.4.
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool kpt_symbol_is_mapping(const char *name)
{
	return name[0] == '$' && (name[1] == 'd' || name[1] == 'x') &&
	       (!name[2] || name[2] == '.');
}

int kpt_symbol_lookup(const char *module, const char *name,
		      unsigned long *addr);
int kpt_symbol_list(struct kpt_symbol_list *list, const char *module,
		    const char *names, bool is_pattern);
void kpt_symbol_list_sort(struct kpt_symbol_list *list);
void kpt_symbol_list_free(struct kpt_symbol_list *list);
int kpt_symbol_range(unsigned long addr, unsigned long *start,
		     unsigned long *size);
void kpt_symbol_keep(unsigned long start);
bool kpt_symbol_module_loaded(const char *name);
bool kpt_symbol_module_of(unsigned long addr, char *name);
size_t kpt_symbol_print(char *dst, size_t size, unsigned long addr);
void kpt_symbol_exit(void);

#endif
