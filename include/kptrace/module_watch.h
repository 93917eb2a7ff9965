/* SPDX-License-Identifier: GPL-2.0-only */
/* Modules that come and go under probes. */
#ifndef KPTRACE_MODULE_WATCH_H
#define KPTRACE_MODULE_WATCH_H

/**
 * kpt_module_watch_init() - begin to follow modules
 *
 * Context: module load.
 * Return: 0 or -errno.
 */
int kpt_module_watch_init(void);

/**
 * kpt_module_watch_exit() - stop following modules
 *
 * Context: module unload.
 */
void kpt_module_watch_exit(void);

#endif
