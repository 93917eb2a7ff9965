/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A test program is a list of TEST() functions and one TEST_MAIN. EXPECT()
 * records a failure and continues, so that one run shows all failures. SEED in the
 * environment repeats a run whose tests use test_random().
 */
#ifndef HARNESS_H
#define HARNESS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct test {
	const char *name;
	void (*run)(void);
	struct test *next;
};

static struct test *test_list, **test_tail = &test_list;
static int test_failures;
static uint64_t test_rand_state;

#define TEST(fn)                                                               \
	static void fn(void);                                                  \
	static struct test fn##_entry = { #fn, fn, NULL };                     \
	__attribute__((constructor)) static void fn##_register(void)           \
	{                                                                      \
		*test_tail = &fn##_entry;                                      \
		test_tail = &fn##_entry.next;                                  \
	}                                                                      \
	static void fn(void)

#define EXPECT(cond)                                                           \
	do {                                                                   \
		if (!(cond)) {                                                 \
			test_failures++;                                       \
			fprintf(stderr, "%s:%d: expected %s\n", __FILE__,      \
				__LINE__, #cond);                              \
		}                                                              \
	} while (0)

#define EXPECT_EQ(a, b)                                                        \
	do {                                                                   \
		long long __a = (long long)(a), __b = (long long)(b);          \
		if (__a != __b) {                                              \
			test_failures++;                                       \
			fprintf(stderr, "%s:%d: %s is %lld (%#llx), not %s %lld (%#llx)\n", \
				__FILE__, __LINE__, #a, __a,                   \
				(unsigned long long)__a, #b, __b,              \
				(unsigned long long)__b);                      \
		}                                                              \
	} while (0)

#define EXPECT_STR(a, b)                                                       \
	do {                                                                   \
		const char *__a = (a), *__b = (b);                             \
		if (strcmp(__a, __b)) {                                        \
			test_failures++;                                       \
			fprintf(stderr, "%s:%d: %s is\n\t'%s', not\n\t'%s'\n", \
				__FILE__, __LINE__, #a, __a, __b);             \
		}                                                              \
	} while (0)

/* xorshift64*: good enough to spread test cases, the same on every machine. */
static inline uint64_t test_random(void)
{
	test_rand_state ^= test_rand_state >> 12;
	test_rand_state ^= test_rand_state << 25;
	test_rand_state ^= test_rand_state >> 27;
	return test_rand_state * 0x2545f4914f6cdd1dULL;
}

static int test_run_all(void)
{
	const char *seed = getenv("SEED");
	int passed = 0, failed = 0, before;
	struct test *t;

	test_rand_state = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
	test_rand_state |= 1;
	printf("SEED=%llu\n", (unsigned long long)test_rand_state);
	for (t = test_list; t; t = t->next) {
		before = test_failures;
		t->run();
		if (test_failures == before) {
			passed++;
		} else {
			failed++;
			printf("not ok %s\n", t->name);
		}
	}
	printf("%d passed, %d failed, 0 skipped\n", passed, failed);
	return failed != 0;
}

#define TEST_MAIN                                                              \
	int main(void)                                                         \
	{                                                                      \
		return test_run_all();                                         \
	}

#endif
