/* SPDX-License-Identifier: GPL-2.0-only */
/* Look many symbols of the kernel up at once. */
#ifndef KPTRACE_SYMBOL_MANY_H
#define KPTRACE_SYMBOL_MANY_H

struct kpt_symbol_many;

struct kpt_symbol_many *kpt_symbol_many_make(void);
void kpt_symbol_many_add(struct kpt_symbol_many *many, const char *names);
void kpt_symbol_many_walk(struct kpt_symbol_many *many);
unsigned long kpt_symbol_many_addr(struct kpt_symbol_many *many, const char *names);
void kpt_symbol_many_free(struct kpt_symbol_many *many);

#endif
