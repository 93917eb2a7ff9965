/* SPDX-License-Identifier: GPL-2.0-only */
/* Probes on data: w. */
#ifndef KPTRACE_WPROBE_H
#define KPTRACE_WPROBE_H

#include "event/event.h"
#include "engine/hook.h"

struct seq_file;

/**
 * struct kpt_wprobe - a probe on data
 * @base: the part that probes of all classes have
 * @list: in a list of wprobe.c
 * @hook: what runs at a hit
 * @watch: the bytes; @watch.addr is 0 while the module that has them is not loaded
 * @symbol: the symbol in the definition, NULL if it has none
 * @displacement: added to its address
 * @in_module: the bytes are a module's
 */
struct kpt_wprobe {
	struct kpt_probe base;
	struct list_head list;
	struct kpt_hook hook;
	struct kpt_arch_watch watch;
	char *symbol;
	s64 displacement;
	bool in_module;
};

extern const struct kpt_event_class kpt_class_wprobe;

void kpt_wprobes_status(struct seq_file *m);
void kpt_wprobes_exit(void);

#endif
