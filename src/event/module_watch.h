/* SPDX-License-Identifier: GPL-2.0-only */
/* Modules that come and go under probes. */
#ifndef KPTRACE_MODULE_WATCH_H
#define KPTRACE_MODULE_WATCH_H

int kpt_module_watch_init(void);
void kpt_module_watch_exit(void);

#endif
