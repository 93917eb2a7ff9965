// SPDX-License-Identifier: GPL-2.0-only
/* Sieves: which words they hold, and how few others. */
#include "lib/base/port.h"
#include "lib/base/sieve.h"
#include "harness.h"

#define KERNEL	0xffff800008000000ULL
#define MODULE	0xffff800000f00000ULL

/* Words that are held, of those near the kernel's and near a module's. */
static unsigned int held_of_code(const struct kpt_sieve *s)
{
	unsigned int nr = 0;
	u64 at;

	for (at = 0; at < 4 << 20; at += 4)
		nr += kpt_sieve_holds(s, KERNEL + at) + kpt_sieve_holds(s, MODULE + at);
	return nr;
}

static void check(const u64 word[3], unsigned int bits)
{
	struct kpt_sieve s;
	int i;

	kpt_sieve_make(&s, word, bits);
	for (i = 0; i < 3; i++) {
		EXPECT(kpt_sieve_holds(&s, word[i]));
		/* A signature above. */
		EXPECT(kpt_sieve_holds(&s, word[i] ^ test_random() << bits));
	}
	/* Of 2 Mi words 1 in 4,096 is 512; here fewer than twice as many are held. */
	EXPECT(held_of_code(&s) < 2 * 512);
}

TEST(addresses_of_code)
{
	u64 word[3];
	int i;

	for (i = 0; i < 100; i++) {
		word[0] = MODULE + test_random() % (4 << 20) / 4 * 4;
		word[1] = KERNEL + test_random() % (16 << 20) / 4 * 4;
		word[2] = word[1] + (test_random() % 65536 - 32768) * 4;
		check(word, 48);
		check(word, 52);
		check(word, 39);
	}
}

/* The same word twice, or differences that are a power of 2. */
TEST(special_differences)
{
	unsigned int n;

	check((const u64[]){ MODULE, MODULE, MODULE }, 48);
	check((const u64[]){ MODULE, KERNEL, KERNEL }, 48);
	check((const u64[]){ MODULE, MODULE, KERNEL }, 48);
	check((const u64[]){ MODULE, KERNEL, MODULE }, 48);
	for (n = 2; n < 32; n++) {
		check((const u64[]){ KERNEL, KERNEL + (1ULL << n), MODULE }, 48);
		check((const u64[]){ KERNEL, MODULE, KERNEL + (1ULL << n) }, 48);
		check((const u64[]){ KERNEL, KERNEL - (1ULL << n), KERNEL + (1ULL << n) }, 39);
	}
}

TEST_MAIN
