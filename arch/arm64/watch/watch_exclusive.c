// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exclusive accesses to watched bytes. The return from an exception clears the monitor, so a
 * store-exclusive behind one would always fail.
 */
#include "kernel/compat.h"
#include <linux/percpu.h>
#include <linux/sched.h>
#include "watch/watchpoint.h"

/* How far behind a load-exclusive its store-exclusive is, at most. */
#define EXCLUSIVE_REACH	256

/**
 * struct exclusive - what the last load-exclusive of this CPU has read
 * @task: the task that did; NULL if there is none, or it was stored to
 * @pc: the instruction
 * @sp: its stack, which tells an interrupt from what it has interrupted
 * @addr: address
 * @size: bytes
 * @value: what was there
 */
struct exclusive {
	struct task_struct *task;
	unsigned long pc;
	unsigned long sp;
	u64 addr;
	u32 size;
	u64 value[2];
};

static DEFINE_PER_CPU(struct exclusive, exclusive);

static u64 get_x(const struct pt_regs *regs, unsigned int reg)
{
	return reg == XZR ? 0 : regs->regs[reg];
}

static void set_x(struct pt_regs *regs, unsigned int reg, u64 value)
{
	if (reg != XZR)
		regs->regs[reg] = value;
}

/**
 * kpt_watch_load_exclusive() - perform a load-exclusive, and note what it has read
 * @word: the instruction. Bit 21: there are two registers, which share one word if both are small
 * @access: what it reads
 * @regs: registers, changed; not the PC
 *
 * Context: BRK.
 */
void kpt_watch_load_exclusive(u32 word, const struct kpt_access *access,
			      struct pt_regs *regs)
{
	struct exclusive *e = this_cpu_ptr(&exclusive);
	const void *at = (void *)access->addr;
	u64 *value = e->value;

	*e = (struct exclusive){
		.task = current, .pc = regs->pc, .sp = regs->sp,
		.addr = access->addr, .size = access->size,
	};
	switch (access->size) {
	case 1:
		value[0] = READ_ONCE(*(const u8 *)at);
		break;
	case 2:
		value[0] = READ_ONCE(*(const u16 *)at);
		break;
	case 4:
		value[0] = READ_ONCE(*(const u32 *)at);
		break;
	default:
		value[0] = READ_ONCE(*(const u64 *)at);
		if (access->size == 16)
			value[1] = READ_ONCE(((const u64 *)at)[1]);
	}
	if (word & BIT(15))
		smp_mb();	/* LDAXR: nothing later is done before it */
	if (!(word & BIT(21))) {
		set_x(regs, word & 31, value[0]);
	} else {
		set_x(regs, word & 31, access->size == 8 ? (u32)value[0] : value[0]);
		set_x(regs, word >> 10 & 31, access->size == 8 ? value[0] >> 32 : value[1]);
	}
}

static bool swap_pair(u64 *at, const u64 old[2], const u64 new[2])
{
	u64 a, b;
	u32 failed;

	asm volatile("1:	ldaxp	%0, %1, %3\n"
		     "	cmp	%0, %4\n"
		     "	ccmp	%1, %5, #0, eq\n"
		     "	b.ne	2f\n"
		     "	stlxp	%w2, %6, %7, %3\n"
		     "	cbnz	%w2, 1b\n"
		     "	b	3f\n"
		     "2:	clrex\n"
		     "	mov	%w2, #1\n"
		     "3:"
		     : "=&r" (a), "=&r" (b), "=&r" (failed), "+Q" (*(u64 (*)[2])at)
		     : "r" (old[0]), "r" (old[1]), "r" (new[0]), "r" (new[1])
		     : "cc", "memory");
	return !failed;
}

static bool swap_value(void *at, u32 size, const u64 old[2], const u64 new[2])
{
	switch (size) {
	case 1:
		return cmpxchg((u8 *)at, (u8)old[0], (u8)new[0]) == (u8)old[0];
	case 2:
		return cmpxchg((u16 *)at, (u16)old[0], (u16)new[0]) == (u16)old[0];
	case 4:
		return cmpxchg((u32 *)at, (u32)old[0], (u32)new[0]) == (u32)old[0];
	case 8:
		return cmpxchg((u64 *)at, old[0], new[0]) == old[0];
	default:
		return swap_pair(at, old, new);
	}
}

/* Does the store belong to the load that was noted? Then it is used up. */
static bool exclusive_is_of(struct exclusive *e, const struct kpt_access *access,
			    const struct pt_regs *regs)
{
	struct task_struct *task = e->task;

	e->task = NULL;
	return task == current && e->sp == regs->sp && e->addr == access->addr &&
	       e->size == access->size && regs->pc - e->pc < EXCLUSIVE_REACH;
}

/**
 * kpt_watch_store_exclusive() - perform a store-exclusive
 * @word: the instruction
 * @access: what it writes
 * @regs: registers, changed; not the PC
 *
 * It may always fail, and its code then loads again.
 *
 * Context: BRK.
 * Return: true if it has stored.
 */
bool kpt_watch_store_exclusive(u32 word, const struct kpt_access *access,
			       struct pt_regs *regs)
{
	struct exclusive *e = this_cpu_ptr(&exclusive);
	u64 new[2] = { get_x(regs, word & 31) };
	bool stored = false;

	if (word & BIT(21)) {
		new[1] = get_x(regs, word >> 10 & 31);
		if (access->size == 8)
			new[0] = (u32)new[0] | new[1] << 32;
	}
	if (exclusive_is_of(e, access, regs))
		stored = swap_value((void *)access->addr, access->size, e->value, new);
	set_x(regs, word >> 16 & 31, !stored);
	return stored;
}

