/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions to probe.
 *
 * They are alone in their files: a compiler that does not see callers and
 * callees together cannot inline, clone or drop arguments. Each takes what the
 * callers of target_acts.c give it, always the same, and keeps every argument
 * alive in its register or stack slot at entry.
 */
#ifndef TARGET_FUNCS_H
#define TARGET_FUNCS_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/stddef.h>
#include <linux/types.h>

/* An object with members of every size, at places that tests may write down. */
struct target_object {
	u8 u8;
	s8 s8;
	u16 u16;
	u32 u32;
	u64 u64;
	s16 s16;
	s32 s32;
	s64 s64;
	char name[16];
	const char *text;
	const char *word[4];
	u16 number[8];
	u32 low : 3;
	u32 middle : 7;
	u32 high : 22;
	const struct target_object *next;
};

static_assert(offsetof(struct target_object, s8) == 1);
static_assert(offsetof(struct target_object, u16) == 2);
static_assert(offsetof(struct target_object, u32) == 4);
static_assert(offsetof(struct target_object, u64) == 8);
static_assert(offsetof(struct target_object, s16) == 16);
static_assert(offsetof(struct target_object, s32) == 20);
static_assert(offsetof(struct target_object, s64) == 24);
static_assert(offsetof(struct target_object, name) == 32);
static_assert(offsetof(struct target_object, text) == 48);
static_assert(offsetof(struct target_object, word) == 56);
static_assert(offsetof(struct target_object, number) == 88);
/* the three bitfields share the four bytes at 104 */
static_assert(offsetof(struct target_object, next) == 112);

/* No argument, nothing called: the smallest function there is. */
void kpt_target_none(void);
/* Return the sum of their arguments; the ninth and tenth are on the stack. */
u64 kpt_target_two(u64 a, u64 b);
u64 kpt_target_six(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f);
u64 kpt_target_ten(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h,
		   u64 i, u64 j);
/* One argument of each integer type. */
void kpt_target_ints(u8 a, s8 b, u16 c, s16 d, u32 e, s32 f, u64 g, s64 h);

/* Return the object's s32. */
s32 kpt_target_object(const struct target_object *object);
/* What these two store to: one by a store, the other one adds 1 by exclusives. */
extern u64 kpt_target_word;
void kpt_target_store(u64 value);
void kpt_target_exclusive(void);
/* Returns @text. */
const char *kpt_target_string(const char *text);
void kpt_target_strings(const char *const *word, unsigned int nr);
/* Memory of the task that wrote the command; not looked at. */
void kpt_target_mistagged(const struct target_object *object);
void kpt_target_user(const char __user *text, size_t len);
/* Pointers that cannot be read. */
void kpt_target_bad(const void *null, const void *kernel, const void *odd);

/* Return values of each size; negative for the signed ones. */
u8 kpt_target_ret_u8(void);
s8 kpt_target_ret_s8(void);
s16 kpt_target_ret_s16(void);
s32 kpt_target_ret_s32(void);
s64 kpt_target_ret_s64(void);

/* Leaves through one of several returns: -1, 0, 1 or 10 * x. */
long kpt_target_returns(long x);
/* 3 if x is 0, through a return that cannot be probed; else 7. */
long kpt_target_odd_return(long x);
void kpt_target_bare(void);
/* Calls kpt_target_lost(x), which returns x to the caller of this. */
long kpt_target_leap(long x);
/* Reads *p; returns -14 if that faults, or -1 if @p is odd. */
long kpt_target_fixup(unsigned long p);
/* Ends in a branch to kpt_target_two(). */
u64 kpt_target_tail(u64 x, u64 one);
/* Calls itself @depth times; returns the depth reached. */
unsigned long kpt_target_recurse(unsigned long depth);
/* Calls kpt_target_two() with so many bytes of variables on the stack. */
#define TARGET_LARGE 1536
u64 kpt_target_large(u64 a, u64 b);
/* Sleeps; returns 0, or what was left when a signal came. */
unsigned long kpt_target_sleep(unsigned int ms);
/* Keeps the CPU busy, by its counter. */
void kpt_target_spin(unsigned int us);
/* Returns 3 * id + 1, unless it is told to let the task die. */
u64 kpt_target_pair(u64 id, unsigned int then);
/* Sleeps until target_gate_open() is true. */
void kpt_target_wait(void);
/* @context tells where it was called from: TARGET_IN_*. */
void kpt_target_context(unsigned int context);

/* Its instruction to probe in mid-function is at byte kpt_target_mid_byte. */
long kpt_target_mid(long a, long b, long c, long d, long e, long f);
extern const unsigned long kpt_target_mid_byte;

/* 0 if its registers are what they were, at kpt_target_filled_at, else not. */
long kpt_target_filled(void);

/* An object whose references are counted. */
struct target_counted {
	s32 count;
	u32 state;
};

static_assert(offsetof(struct target_counted, state) == 4);

/* Count a reference up and down; both; only up. */
void kpt_target_get(struct target_counted *object);
void kpt_target_put(struct target_counted *object);
void kpt_target_borrow(struct target_counted *object);
void kpt_target_forget(struct target_counted *object);
/* Wait, if it is long in the first one; call the second one. */
void kpt_target_stall(unsigned int us);
void kpt_target_step(unsigned int us);
void kpt_target_quick_caller(void);
void kpt_target_slow_caller(void);
/* Read the state; change it; call both. */
u32 kpt_target_look(const struct target_counted *object);
void kpt_target_spoil(struct target_counted *object);
u32 kpt_target_tidy(struct target_counted *object);
/* Their callers. */
void target_mistake_refs(void);
void target_mistake_stall(void);
void target_mistake_field(void);

/* kpt_target_many_000() to kpt_target_many_999(). */
#define TARGET_MANY 1000
extern void (*const target_many[TARGET_MANY])(void);

enum {
	TARGET_THEN_RETURN,
	TARGET_THEN_YIELD,
	TARGET_THEN_DIE,
};

enum {
	TARGET_IN_TASK,
	TARGET_IN_SOFTIRQ,
	TARGET_IN_HARDIRQ,
	TARGET_IN_BH_OFF,
};

#endif
