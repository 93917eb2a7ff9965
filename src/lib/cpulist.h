/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of CPUs as text: "0-3,8". */
#ifndef KPTRACE_CPULIST_H
#define KPTRACE_CPULIST_H

#include <kptrace/port.h>

/* Words of a set of @nr CPUs. */
#define KPT_CPULIST_WORDS(nr) (((nr) + 63) / 64)

int kpt_cpulist_parse(const char *s, size_t len, u64 *set, unsigned int nr);

#endif
