/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Host half of src/lib/base/port.h: the kernel's names on top of the C
 * library. scripts/check-layers keeps it under 250 lines: portable code must not
 * need more.
 */
#ifndef PORT_HOST_H
#define PORT_HOST_H

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef uint64_t __u64;

#define U32_MAX UINT32_MAX
#define U64_MAX UINT64_MAX
#define S64_MAX INT64_MAX

#define BIT(n) (1UL << (n))
#define BIT_ULL(n) (1ULL << (n))
#define GENMASK(h, l) (((~0UL) << (l)) & (~0UL >> (63 - (h))))
#define GENMASK_ULL(h, l) GENMASK(h, l)
#define FIELD_GET(mask, reg) (((reg) & (mask)) >> __builtin_ctzl(mask))
#define FIELD_PREP(mask, val) (((u64)(val) << __builtin_ctzl(mask)) & (mask))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define sizeof_field(type, member) sizeof(((type *)0)->member)
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define fallthrough __attribute__((__fallthrough__))
#undef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#define noinline __attribute__((__noinline__))
#define __printf(a, b) __attribute__((__format__(printf, a, b)))
#define __aligned(n) __attribute__((__aligned__(n)))
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define min_t(t, a, b) ((t)(a) < (t)(b) ? (t)(a) : (t)(b))
#define max_t(t, a, b) ((t)(a) > (t)(b) ? (t)(a) : (t)(b))
#define round_up(x, a) ((((x) - 1) | ((__typeof__(x))(a) - 1)) + 1)
#define round_down(x, a) ((x) & ~((__typeof__(x))(a) - 1))
#define ALIGN(x, a) round_up(x, a)

#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#define smp_load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define barrier() __asm__ __volatile__("" ::: "memory")
#define cmpxchg(p, o, n)                                                       \
	({                                                                     \
		__typeof__(*(p)) __o = (o);                                    \
		__atomic_compare_exchange_n(p, &__o, n, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
		__o;                                                           \
	})
#define xchg(p, v) __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST)
#define PORT_STACK_SIZE 16384
#define port_peek_begin() ((void)0)
#define port_peek_end() ((void)0)
bool port_peek(void *dst, u64 addr, size_t size);

typedef int (*port_compare_t)(const void *, const void *, void *);
void qsort_r(void *base, size_t nr, size_t size, port_compare_t compare, void *priv);
#define sort_r(a, nr, size, f, swap, p) qsort_r(a, nr, size, (port_compare_t)(f), p)
/* The only names of <stdio.h> that are used: text is written by strbuf. */
int vsnprintf(char *, size_t, const char *, va_list), sscanf(const char *, const char *, ...);

#define __percpu
typedef struct {
	s64 counter;
} atomic64_t;

#define atomic64_read(v) __atomic_load_n(&(v)->counter, __ATOMIC_RELAXED)
#define atomic64_add(i, v) ((void)__atomic_fetch_add(&(v)->counter, i, __ATOMIC_RELAXED))
#define atomic64_inc(v) atomic64_add(1, v)

/* The first members of struct pt_regs, uapi on arm64. */
struct user_pt_regs {
	__u64 regs[31];
	__u64 sp;
	__u64 pc;
	__u64 pstate;
};
#include "port_user_host.h"
#endif
