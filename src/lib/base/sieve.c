// SPDX-License-Identifier: GPL-2.0-only
/*
 * A multiplication spreads words over all numbers. Here is a factor that leaves three of them
 * together: the differences of the other two from the least, times the factor, have no upper
 * bits. What is added is such that the least gets 0.
 *
 * For one difference, d = odd * 2^n, such factors are known: j / odd + k * 2^(64 - n) for all k
 * and each small j, because the product is j * 2^n. One in 2^KPT_SIEVE_BITS of them does the same
 * to the other difference.
 */
#include "lib/base/port.h"
#include "lib/base/sieve.h"

/* One of 2^KPT_SIEVE_BITS tries succeeds: that none of these does happens once in e^32 times. */
#define TRIES (32 << KPT_SIEVE_BITS)

/* xorshift64*, the same at each load. */
static u64 next_random(u64 *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL;
}

/* 1 / @odd, modulo 2^64: 3 bits are right at first, and twice as many after each step. */
static u64 inverse(u64 odd)
{
	u64 x = odd;
	int i;

	for (i = 0; i < 5; i++)
		x *= 2 - odd * x;
	return x;
}

/* Are multiples of a factor spread? Then words near each other are, which are multiples of 4. */
static bool spreads(u64 factor)
{
	unsigned int nr = 0, i;

	for (i = 1; i <= 1 << KPT_SIEVE_BITS; i++)
		nr += factor * 4 * i + (1ULL << (64 - KPT_SIEVE_BITS)) <
		      2ULL << (64 - KPT_SIEVE_BITS);
	return nr <= 4;
}

/**
 * kpt_sieve_make() - make a sieve that holds three words
 * @s: result
 * @word: the words; some may be the same
 * @bits: so many lower bits of a word count, at most 63
 *
 * Context: any.
 */
void kpt_sieve_make(struct kpt_sieve *s, const u64 word[3], unsigned int bits)
{
	unsigned int up = 64 - bits, least = 0, n, i;
	u64 one, two, odd, factor = 0, state = 1;

	for (i = 1; i < 3; i++)
		if (word[i] << up < word[least] << up)
			least = i;
	one = (word[(least + 1) % 3] - word[least]) << up;
	two = (word[(least + 2) % 3] - word[least]) << up;
	/* Equal words add no condition; this one is met by any even factor. */
	one = one ?: 1ULL << 63;
	n = __builtin_ctzll(one);
	odd = inverse(one >> n);
	for (i = 0; i < TRIES; i++) {
		factor = next_random(&state) << (64 - n);
		if (n + KPT_SIEVE_BITS < 64)
			factor += odd * (next_random(&state) >> (n + KPT_SIEVE_BITS));
		if (!(two * factor >> (64 - KPT_SIEVE_BITS)) && spreads(factor << up))
			break;
		/* All is held then, and nothing lost. */
		factor = 0;
	}
	s->mul = factor << up;
	s->add = -word[least] * s->mul;
}
