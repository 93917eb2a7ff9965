/* SPDX-License-Identifier: GPL-2.0-only */
/* Look up addresses by name and names by address. */
#ifndef KPTRACE_SYMBOL_H
#define KPTRACE_SYMBOL_H

#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

struct module;

/**
 * struct kpt_symbol_list - addresses of functions; all zero: an empty list
 * @addr: the addresses
 * @nr: number of addresses
 * @room: number of addresses that there is memory for
 */
struct kpt_symbol_list {
	unsigned long *addr;
	unsigned int nr;
	unsigned int room;
};

/* How many names of functions are kept after their text was freed. */
#define KPT_SYMBOL_KEPT_MAX 64

/**
 * kpt_symbol_lock_modules() - keep the list of modules, and each module in it, as they are
 *
 * Kernels protect the list by RCU or by RCU-sched.
 *
 * Context: any but BRK; the caller must not sleep until kpt_symbol_unlock_modules().
 */
static inline void kpt_symbol_lock_modules(void)
{
	rcu_read_lock();
	preempt_disable();
}

/**
 * kpt_symbol_unlock_modules() - the end of what kpt_symbol_lock_modules() began
 *
 * Context: as that.
 */
static inline void kpt_symbol_unlock_modules(void)
{
	preempt_enable();
	rcu_read_unlock();
}

int kpt_symbol_lookup(const char *module, const char *name,
		      unsigned long *addr);
int kpt_symbol_list(struct kpt_symbol_list *list, const char *module,
		    const char *names, bool is_pattern);
bool kpt_symbol_is_table_entry(unsigned long addr);
int kpt_symbol_list_in_kernel(struct kpt_symbol_list *list, const char *names);
int kpt_symbol_list_in_modules(struct kpt_symbol_list *list, const char *module,
			       const char *names);
int kpt_symbol_list_reserve(struct kpt_symbol_list *list, unsigned int more);
void kpt_symbol_list_put(struct kpt_symbol_list *list, unsigned long addr);
int kpt_symbol_list_add(struct kpt_symbol_list *list, unsigned long addr);
void kpt_symbol_list_sort(struct kpt_symbol_list *list);
void kpt_symbol_list_sort_unique(struct kpt_symbol_list *list);
void kpt_symbol_list_free(struct kpt_symbol_list *list);

/**
 * kpt_symbol_list_below() - find a place in a sorted list
 * @list: the list, ascending
 * @addr: an address
 *
 * Context: any, BRK included.
 * Return: the number of entries that are less than @addr.
 */
static __always_inline unsigned int
kpt_symbol_list_below(const struct kpt_symbol_list *list, unsigned long addr)
{
	unsigned int from = 0, to = list->nr, mid;

	while (from < to) {
		mid = from + (to - from) / 2;
		if (list->addr[mid] < addr)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

int kpt_symbol_each_in_text(int (*found)(void *data, const char *name, unsigned long addr),
			    void *data);
int kpt_symbol_range(unsigned long addr, unsigned long *start,
		     unsigned long *size);
bool kpt_symbol_module_name(unsigned long addr, char *name);
bool kpt_symbol_module_range(unsigned long addr, unsigned long *start,
			     unsigned long *size);
bool kpt_symbol_module_is_plain(unsigned long addr);
void kpt_symbol_module_forget(void);
unsigned long kpt_symbol_modules_seq(void);
bool kpt_symbol_is_text(unsigned long addr);
void kpt_symbol_keep(unsigned long start);
void kpt_symbol_forget_freed(void);
bool kpt_symbol_module_loaded(const char *name);
void kpt_symbol_expect_many(void);
void kpt_symbol_name(unsigned long addr, char *name);
bool kpt_symbol_module_text(const char *name, unsigned long *start, unsigned long *size);
void kpt_symbol_each_module(void (*visit)(const struct module *mod));
bool kpt_symbol_module_of(unsigned long addr, char *name);
size_t kpt_symbol_print(char *dst, size_t size, unsigned long addr, bool is_caller);
void kpt_symbol_exit(void);

#endif
