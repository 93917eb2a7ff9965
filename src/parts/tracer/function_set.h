/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of functions, as set_ftrace_filter and files like it have them. */
#ifndef KPTRACE_FUNCTION_SET_H
#define KPTRACE_FUNCTION_SET_H

#include <linux/list.h>
#include "engine/point.h"
#include "kernel/symbol/symbol.h"

/**
 * struct kpt_function_set - a set of functions
 * @is_set: it was chosen; else it is empty, and means all functions, or none
 * @list: entries of the functions, ascending
 * @waiting: functions of modules that are not loaded, struct function_wait
 * @changes: how often it changed; kpt_function_set_swap() leaves it as it is
 */
struct kpt_function_set {
	bool is_set;
	struct kpt_symbol_list list;
	struct list_head waiting;
	unsigned long changes;
};

int kpt_function_list(struct kpt_symbol_list *list, const char *module, const char *names,
		      struct kpt_diag *diag);
void kpt_function_set_exit(void);
int kpt_function_count(unsigned int *nr);
void kpt_function_set_init(struct kpt_function_set *set);
void kpt_function_set_free(struct kpt_function_set *set);
int kpt_function_set_copy(struct kpt_function_set *to,
			  const struct kpt_function_set *from);
void kpt_function_set_swap(struct kpt_function_set *a, struct kpt_function_set *b);
int kpt_function_set_change(struct kpt_function_set *set, char *word, struct kpt_diag *diag);
bool kpt_function_set_has(const struct kpt_function_set *set, unsigned long addr);
bool kpt_function_set_coming(struct kpt_function_set *set, const struct module *mod);
bool kpt_function_set_going(struct kpt_function_set *set, const struct module *mod,
			    kpt_going_t is_going);
int kpt_function_set_show(const struct kpt_function_set *set, struct seq_file *m);

#endif
