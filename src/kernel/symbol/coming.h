/* SPDX-License-Identifier: GPL-2.0-only */
/* Modules that are being loaded: which of them may be used? */
#ifndef KPTRACE_COMING_H
#define KPTRACE_COMING_H

#include <linux/types.h>

struct module;

void kpt_coming_note(const struct module *mod);
bool kpt_coming_forget(const struct module *mod);
void kpt_coming_exit(void);
bool kpt_module_is_usable(const struct module *mod);

#endif
