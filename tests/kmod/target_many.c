// SPDX-License-Identifier: GPL-2.0-only
/* A thousand small functions, for tests that probe many at once. */
#include "target_funcs.h"

#define TEN(do, ab) \
	do(ab##0) do(ab##1) do(ab##2) do(ab##3) do(ab##4) \
	do(ab##5) do(ab##6) do(ab##7) do(ab##8) do(ab##9)
#define HUNDRED(do, a) \
	TEN(do, a##0) TEN(do, a##1) TEN(do, a##2) TEN(do, a##3) TEN(do, a##4) \
	TEN(do, a##5) TEN(do, a##6) TEN(do, a##7) TEN(do, a##8) TEN(do, a##9)
#define THOUSAND(do) \
	HUNDRED(do, 0) HUNDRED(do, 1) HUNDRED(do, 2) HUNDRED(do, 3) \
	HUNDRED(do, 4) HUNDRED(do, 5) HUNDRED(do, 6) HUNDRED(do, 7) \
	HUNDRED(do, 8) HUNDRED(do, 9)

/* No two are equal: the compiler would make one of them. */
#define FUNCTION(abc) \
	void kpt_target_many_##abc(void); \
	noinline void kpt_target_many_##abc(void) \
	{ \
		asm volatile("" : : "r" (1##abc)); \
	}
#define POINTER(abc) kpt_target_many_##abc,

THOUSAND(FUNCTION)

void (*const target_many[TARGET_MANY])(void) = { THOUSAND(POINTER) };
