/* SPDX-License-Identifier: GPL-2.0-only */
/* Modules with probes in them, as they are loaded and unloaded. */
#ifndef KPTRACE_MODULE_WATCH_H
#define KPTRACE_MODULE_WATCH_H

int kpt_module_watch_init(void);
void kpt_module_watch_exit(void);

#endif
