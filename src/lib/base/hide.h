/* SPDX-License-Identifier: GPL-2.0-only */
/* Hide addresses of the kernel in texts that its users wrote. */
#ifndef KPTRACE_LIB_HIDE_H
#define KPTRACE_LIB_HIDE_H

#include "lib/base/port.h"

void kpt_hide_addresses(char *s, size_t len);

#endif
