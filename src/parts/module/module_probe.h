/* SPDX-License-Identifier: GPL-2.0-only */
/* Probes of other modules, whose hits call functions there: include/kptrace.h. */
#ifndef KPTRACE_MODULE_PROBE_H
#define KPTRACE_MODULE_PROBE_H

#include "engine/point.h"

struct kpt_batch;
struct kpt_symbol_list;

unsigned int kpt_module_probes_nr(void);
int kpt_module_probes_functions(struct kpt_symbol_list *list);
bool kpt_module_probes_leave(const struct module *mod, kpt_going_t is_going,
			     struct kpt_batch *batch);
void kpt_module_probes_detach(const struct module *mod, kpt_going_t is_going);
void kpt_module_probes_end(const struct module *owner);

#endif
