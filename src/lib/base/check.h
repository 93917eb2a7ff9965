/* SPDX-License-Identifier: GPL-2.0-only */
/* A checksum against damage, not against forgery. */
#ifndef KPTRACE_CHECK_H
#define KPTRACE_CHECK_H

#include "lib/base/port.h"

/**
 * kpt_check() - compute the checksum of some words
 * @from: the words
 * @bytes: their bytes, a multiple of 8
 *
 * Each step is a permutation of the sum, so a single damaged word always changes it.
 *
 * Context: any, BRK included.
 * Return: the sum, not 0 if all words are.
 */
static __always_inline u64 kpt_check(const void *from, size_t bytes)
{
	const u64 *word = from;
	u64 sum = 0x6b7074726163652eULL;
	size_t i;

	for (i = 0; i < bytes / 8; i++) {
		sum = (sum ^ word[i]) * 0x9e3779b97f4a7c15ULL;
		sum ^= sum >> 32;
	}
	return sum;
}

#endif
