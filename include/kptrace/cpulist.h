/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of CPUs as text: "0-3,8". */
#ifndef KPTRACE_CPULIST_H
#define KPTRACE_CPULIST_H

#include <kptrace/port.h>

/* Words of a set of @nr CPUs. */
#define KPT_CPULIST_WORDS(nr) (((nr) + 63) / 64)

/**
 * kpt_cpulist_parse() - read a list of CPUs
 * @s: text
 * @len: its characters
 * @set: result, KPT_CPULIST_WORDS(@nr) words; bit n % 64 of word n / 64 is CPU n
 * @nr: CPUs are numbered below this
 *
 * Elements are separated by commas or spaces: "3", "0-7", "N" (the last),
 * "all", and of ranges "0-7:2/4" (the first 2 of every 4), as in the kernel's
 * Documentation/admin-guide/kernel-parameters.rst.
 *
 * Context: any.
 * Return: 0 or -EINVAL, -ERANGE for a CPU beyond the last.
 */
int kpt_cpulist_parse(const char *s, size_t len, u64 *set, unsigned int nr);

#endif
