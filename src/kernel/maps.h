/* SPDX-License-Identifier: GPL-2.0-only */
/* What programs have mapped as code. */
#ifndef KPTRACE_MAPS_H
#define KPTRACE_MAPS_H

#include <linux/types.h>

void kpt_maps_note(void);
size_t kpt_maps_place(char *dst, size_t size, s32 tgid, u64 addr);
void kpt_maps_exit(void);

#endif
