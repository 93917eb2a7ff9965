// SPDX-License-Identifier: GPL-2.0-only
/* The functions to probe, see target_funcs.h. */
#include <linux/delay.h>
#include <linux/sched.h>
#include "target.h"
#include "target_funcs.h"

/* Take a value from where the caller left it, and do nothing with it. */
#define keep(x) asm volatile("" : : "r" (x))

noinline void kpt_target_none(void)
{
	asm volatile("");
}

noinline u64 kpt_target_two(u64 a, u64 b)
{
	return a + b;
}

noinline u64 kpt_target_six(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f)
{
	return a + b + c + d + e + f;
}

noinline u64 kpt_target_ten(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g,
			    u64 h, u64 i, u64 j)
{
	return a + b + c + d + e + f + g + h + i + j;
}

noinline void kpt_target_ints(u8 a, s8 b, u16 c, s16 d, u32 e, s32 f, u64 g,
			      s64 h)
{
	keep(a);
	keep(b);
	keep(c);
	keep(d);
	keep(e);
	keep(f);
	keep(g);
	keep(h);
}

noinline s32 kpt_target_object(const struct target_object *object)
{
	return READ_ONCE(object->s32);
}

u64 kpt_target_word;

noinline void kpt_target_store(u64 value)
{
	WRITE_ONCE(kpt_target_word, value);
}

noinline void kpt_target_exclusive(void)
{
	u64 value;
	u32 failed;

	asm volatile("1:	ldxr	%0, %2\n"
		     "	add	%0, %0, #1\n"
		     "	stxr	%w1, %0, %2\n"
		     "	cbnz	%w1, 1b\n"
		     : "=&r" (value), "=&r" (failed), "+Q" (kpt_target_word));
}

noinline const char *kpt_target_string(const char *text)
{
	keep(text);
	return text;
}

noinline void kpt_target_strings(const char *const *word, unsigned int nr)
{
	keep(word);
	keep(nr);
}

noinline void kpt_target_mistagged(const struct target_object *object)
{
	keep(object);
}

noinline void kpt_target_user(const char __user *text, size_t len)
{
	keep(text);
	keep(len);
}

noinline void kpt_target_bad(const void *null, const void *kernel,
			     const void *odd)
{
	keep(null);
	keep(kernel);
	keep(odd);
}

noinline u8 kpt_target_ret_u8(void)
{
	asm volatile("");
	return 200;
}

noinline s8 kpt_target_ret_s8(void)
{
	asm volatile("");
	return -8;
}

noinline s16 kpt_target_ret_s16(void)
{
	asm volatile("");
	return -1616;
}

noinline s32 kpt_target_ret_s32(void)
{
	asm volatile("");
	return -323232;
}

noinline s64 kpt_target_ret_s64(void)
{
	asm volatile("");
	return -64646464646464LL;
}

/* The asm between keep the compiler from selecting one result without branch. */
noinline long kpt_target_returns(long x)
{
	if (x < 0) {
		asm volatile("nop");
		return -1;
	}
	if (!x)
		return 0;
	if (x & 1) {
		asm volatile("nop; nop");
		return 1;
	}
	return 10 * READ_ONCE(x);
}

/*
 * Kernels with frame pointers are built without sibling calls, so this one has
 * to be asked for.
 */
#if __has_attribute(musttail)
noinline u64 kpt_target_tail(u64 x, u64 one)
{
	__attribute__((musttail)) return kpt_target_two(x, one);
}
#else
noinline __attribute__((optimize("optimize-sibling-calls")))
u64 kpt_target_tail(u64 x, u64 one)
{
	return kpt_target_two(x, one);
}
#endif

noinline unsigned long kpt_target_recurse(unsigned long depth)
{
	unsigned long below = 0;

	if (depth)
		below = kpt_target_recurse(depth - 1);
	/* Something left to do after the call makes it a real one. */
	asm volatile("" : "+r" (below));
	return below + 1;
}

noinline u64 kpt_target_large(u64 a, u64 b)
{
	u8 large[TARGET_LARGE];
	u64 sum;

	keep(large);
	sum = kpt_target_two(a, b);
	keep(large);
	return sum;
}

noinline unsigned long kpt_target_sleep(unsigned int ms)
{
	return msleep_interruptible(ms);
}

noinline void kpt_target_spin(unsigned int us)
{
	u64 end = target_now() + us * 1000ULL;

	while (target_now() < end)
		cpu_relax();
}

noinline u64 kpt_target_pair(u64 id, unsigned int then)
{
	if (then == TARGET_THEN_YIELD)
		yield();
	if (then == TARGET_THEN_DIE)
		target_die();
	return 3 * id + 1;
}

noinline void kpt_target_wait(void)
{
	target_gate_wait();
}

noinline void kpt_target_context(unsigned int context)
{
	keep(context);
}

/*
 * The second addition is at kpt_target_mid_at, which is byte kpt_target_mid_byte; b to f are still
 * in x1 to x5. The assembler has the address of the function itself: in C it may be that of an
 * entry in a table of calls.
 */
noinline long kpt_target_mid(long a, long b, long c, long d, long e, long f)
{
	long sum = 0;

	asm volatile("add %0, %0, %1\n"
		     "1: add %0, %0, %2\n"
		     "add %0, %0, %3\n"
		     ".pushsection .rodata, \"a\"\n"
		     ".balign 8\n"
		     ".globl kpt_target_mid_at\n"
		     "kpt_target_mid_at: .quad 1b\n"
		     ".globl kpt_target_mid_byte\n"
		     "kpt_target_mid_byte: .quad 1b - kpt_target_mid\n"
		     ".popsection\n"
		     : "+r" (sum)
		     : "r" (a), "r" (b), "r" (c), "r" (d), "r" (e), "r" (f));
	return sum;
}
