/* SPDX-License-Identifier: GPL-2.0-only */
/* Which functions have had an armed probe since kptrace was loaded. */
#ifndef KPTRACE_TOUCHED_H
#define KPTRACE_TOUCHED_H

#include "engine/hook.h"
#include "engine/point.h"

struct kpt_symbol_list;
struct module;

int kpt_touched_list(struct kpt_symbol_list *list);
void kpt_touched_forget(const struct module *mod, kpt_going_t is_going);
void kpt_touched_exit(void);

#endif
