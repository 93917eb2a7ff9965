// SPDX-License-Identifier: GPL-2.0-only
/*
 * For: recorder.
 *
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

/*
 * One in 2^KPT_SIEVE_BITS tries suits the other difference: that none does happens once in e^64
 * times. One in ten of those spreads as well as can be.
 */
#define TRIES (64 << KPT_SIEVE_BITS)

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

/*
 * Return: N such that of any 2^KPT_SIEVE_BITS neighbours, multiples of 4, at most N + 1 are held;
 * at least 1. The products of two words that are held differ, up or down, by less than one part
 * in 2^KPT_SIEVE_BITS of all numbers. The distances for which that is so are counted here.
 */
static unsigned int held_distances(u64 factor)
{
	unsigned int nr = 0, i;

	for (i = 1; i < 1 << KPT_SIEVE_BITS; i++)
		nr += factor * 4 * i + (1ULL << (64 - KPT_SIEVE_BITS)) <
		      2ULL << (64 - KPT_SIEVE_BITS);
	return nr;
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
	unsigned int up = 64 - bits, least = 0, fewest = UINT_MAX, nr, n, i;
	u64 one, two, odd, factor, state = 1;

	for (i = 1; i < 3; i++)
		if (word[i] << up < word[least] << up)
			least = i;
	one = (word[(least + 1) % 3] - word[least]) << up;
	two = (word[(least + 2) % 3] - word[least]) << up;
	/* Equal words add no condition; this one is met by any even factor. */
	one = one ?: 1ULL << 63;
	n = __builtin_ctzll(one);
	odd = inverse(one >> n);
	/* All is held by 0, and nothing lost. */
	s->mul = 0;
	for (i = 0; i < TRIES && fewest > 1; i++) {
		factor = next_random(&state) << (64 - n);
		if (n + KPT_SIEVE_BITS < 64)
			factor += odd * (next_random(&state) >> (n + KPT_SIEVE_BITS));
		if (two * factor >> (64 - KPT_SIEVE_BITS))
			continue;
		nr = held_distances(factor << up);
		if (nr < fewest) {
			fewest = nr;
			s->mul = factor << up;
		}
	}
	s->add = -word[least] * s->mul;
}
