// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions with mistakes, for the recipes of docs/recipes.md: one forgets a reference,
 * one makes its caller wait, one changes a member that it should leave alone.
 */
#include <linux/delay.h>
#include "target_funcs.h"

static struct target_counted counted[4];

noinline __noclone void kpt_target_get(struct target_counted *object)
{
	object->count++;
	barrier();
}

noinline __noclone void kpt_target_put(struct target_counted *object)
{
	object->count--;
	barrier();
}

noinline __noclone void kpt_target_borrow(struct target_counted *object)
{
	kpt_target_get(object);
	kpt_target_put(object);
	barrier();
}

noinline __noclone void kpt_target_forget(struct target_counted *object)
{
	kpt_target_get(object);
	barrier();
}

noinline __noclone void kpt_target_stall(unsigned int us)
{
	mdelay(us / 1000);
	barrier();
}

noinline __noclone void kpt_target_step(unsigned int us)
{
	if (us > 1000)
		kpt_target_stall(us);
	else
		udelay(us);
	barrier();
}

noinline __noclone void kpt_target_quick_caller(void)
{
	kpt_target_step(10);
	barrier();
}

noinline __noclone void kpt_target_slow_caller(void)
{
	kpt_target_step(2000000);
	barrier();
}

noinline __noclone u32 kpt_target_look(const struct target_counted *object)
{
	return READ_ONCE(object->state);
}

noinline __noclone void kpt_target_spoil(struct target_counted *object)
{
	WRITE_ONCE(object->state, object->state + 0x100);
	barrier();
}

noinline __noclone u32 kpt_target_tidy(struct target_counted *object)
{
	u32 state = kpt_target_look(object);

	kpt_target_spoil(object);
	return state + kpt_target_look(object);
}

/*
 * The object as the only argument of a call: the other registers of arguments, which objtrace
 * compares too, hold no address of another object that the compiler worked with.
 */
static __always_inline struct target_counted *alone(struct target_counted *object)
{
	asm volatile("mov x1, xzr; mov x2, xzr; mov x3, xzr; mov x4, xzr\n"
		     "mov x5, xzr; mov x6, xzr; mov x7, xzr"
		     : "+r" (object) : : "x1", "x2", "x3", "x4", "x5", "x6", "x7");
	return object;
}

/* Each object is borrowed three times; the third one is also forgotten twice. */
void target_mistake_refs(void)
{
	unsigned int i;

	for (i = 0; i < 12; i++)
		kpt_target_borrow(alone(&counted[i % 4]));
	kpt_target_forget(alone(&counted[2]));
	kpt_target_forget(alone(&counted[2]));
}

void target_mistake_stall(void)
{
	unsigned int i;

	for (i = 0; i < 10; i++) {
		if (i == 6)
			kpt_target_slow_caller();
		else
			kpt_target_quick_caller();
	}
}

void target_mistake_field(void)
{
	kpt_target_borrow(&counted[0]);
	kpt_target_look(&counted[0]);
	kpt_target_tidy(&counted[0]);
	kpt_target_look(&counted[0]);
}
