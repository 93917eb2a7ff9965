/* SPDX-License-Identifier: GPL-2.0-only */
/* What a boot configuration says is done when kptrace is loaded. */
#ifndef KPTRACE_BOOT_CONFIG_H
#define KPTRACE_BOOT_CONFIG_H

int kpt_boot_config_init(void);

#endif
