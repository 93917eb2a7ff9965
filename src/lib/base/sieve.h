/* SPDX-License-Identifier: GPL-2.0-only */
/* Tell few words from all others by three instructions. */
#ifndef KPTRACE_SIEVE_H
#define KPTRACE_SIEVE_H

#include "lib/base/port.h"

/* Of other words one in so many, a power of 2, is held back with those that were given. */
#define KPT_SIEVE_BITS 12

/**
 * struct kpt_sieve - a number that is small for three words, and for few others
 * @mul: what a word is multiplied by
 * @add: what is added to that
 */
struct kpt_sieve {
	u64 mul;
	u64 add;
};

void kpt_sieve_make(struct kpt_sieve *s, const u64 word[3], unsigned int bits);

/**
 * kpt_sieve_holds() - may it be one of the three words?
 * @s: the sieve
 * @word: in its bits that count
 *
 * Context: any.
 * Return: true for those, and for 1 of 2^KPT_SIEVE_BITS others.
 */
static inline bool kpt_sieve_holds(const struct kpt_sieve *s, u64 word)
{
	return !((word * s->mul + s->add) >> (64 - KPT_SIEVE_BITS));
}

#endif
