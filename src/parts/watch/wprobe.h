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
 * @symbol: the symbol in the definition, NULL if it has none
 * @displacement: added to its address, or to that which the definition has
 * @passed: of a probe on objects: addresses that triggers would have set, but that are no
 *	memory of the kernel, or not in one word
 * @full: likewise, but all watches were set
 * @nr: number of watches: one, or that of objects
 * @watch: the bytes; @watch.addr is 0 while the module that has them is not loaded
 */
struct kpt_wprobe {
	struct kpt_probe base;
	struct list_head list;
	struct kpt_hook hook;
	char *symbol;
	s64 displacement;
	atomic64_t passed;
	atomic64_t full;
	unsigned int nr;
	struct kpt_arch_watch watch[];
};

extern const struct kpt_event_class kpt_class_wprobe;

/**
 * kpt_wprobe_of() - find the probe on data that a probe is
 * @base: the probe, of kpt_class_wprobe
 *
 * Context: any, BRK included.
 * Return: the probe on data.
 */
static inline struct kpt_wprobe *kpt_wprobe_of(const struct kpt_probe *base)
{
	return container_of(base, struct kpt_wprobe, base);
}

void kpt_wprobes_status(struct seq_file *m);
void kpt_wprobes_exit(void);

#endif
