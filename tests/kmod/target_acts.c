// SPDX-License-Identifier: GPL-2.0-only
/* The callers: each gives one function its known arguments. */
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <linux/unistd.h>
#include <asm/cpufeature.h>
#include "compat.h"
#include "target.h"
#include "target_funcs.h"
#include "target_trace.h"

static const struct target_object inner = {
	.u8 = 18, .s8 = -18, .u16 = 1600, .s16 = -1600, .u32 = 320000,
	.s32 = -320000, .u64 = 6400000000ULL, .s64 = -6400000000LL,
	.name = "inner",
	.text = "text of inner",
	.word = { "five", "six", "seven", "eight" },
	.number = { 9, 10, 11, 12, 13, 14, 15, 16 },
	.low = 2, .middle = 66, .high = 222222,
};

static const struct target_object outer = {
	.u8 = 8, .s8 = -8, .u16 = 16, .s16 = -16, .u32 = 32, .s32 = -32,
	.u64 = 64, .s64 = -64,
	.name = "outer",
	.text = "text of outer",
	.word = { "one", "two", "three", "four" },
	.number = { 1, 2, 3, 4, 5, 6, 7, 8 },
	.low = 5, .middle = 100, .high = 1000000,
	.next = &inner,
};

static long act_none(const struct target_input *in)
{
	kpt_target_none();
	return 0;
}

static long act_two(const struct target_input *in)
{
	return kpt_target_two(0x1111111111111111, 2);
}

static long act_six(const struct target_input *in)
{
	return kpt_target_six(1, 2, 3, 4, 5, 6);
}

static long act_ten(const struct target_input *in)
{
	return kpt_target_ten(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
}

static long act_ints(const struct target_input *in)
{
	kpt_target_ints(0xf8, -8, 0xf616, -1616, 0xf3232323, -323232,
			0xf646464646464646, -6464646464646464);
	return 0;
}

/* A register that callers need not set has the same value in each call, too. */
static long act_object(const struct target_input *in)
{
	register const struct target_object *object asm("x0") = &outer;

	asm volatile("mov	x9, #27" : "+r" (object) : : "x9");
	return kpt_target_object(object);
}

static long act_store(const struct target_input *in)
{
	kpt_target_store(in->value);
	return 0;
}

static long act_exclusive(const struct target_input *in)
{
	kpt_target_exclusive();
	return 0;
}

static long act_string(const struct target_input *in)
{
	return (long)kpt_target_string("a string");
}

static long act_strings(const struct target_input *in)
{
	kpt_target_strings(outer.word, ARRAY_SIZE(outer.word));
	return 0;
}

static long act_user(const struct target_input *in)
{
	kpt_target_user(in->user, in->user_len);
	return 0;
}

/* PSTATE.PAN where all CPUs have it (ID_AA64MMFR1_EL1), and tables with their ASID. */
#define PAN sys_reg(3, 0, 4, 2, 3)

/* PSTATE.TCO where the kernel checks memory tags (SCTLR_EL1.TCF). */
#define TCO sys_reg(3, 3, 4, 2, 7)

struct access {
	u64 pan;
	u64 tco;
	u64 ttbr0;
	u64 ttbr1;
};

static bool has_pan(void)
{
	return read_sanitised_ftr_reg(SYS_ID_AA64MMFR1_EL1) >> 20 & 15;
}

static bool has_tco(void)
{
	return read_sysreg(sctlr_el1) >> 40 & 3;
}

static struct access access_now(void)
{
	return (struct access){
		.pan = has_pan() ? read_sysreg_s(PAN) : 0,
		.tco = has_tco() ? read_sysreg_s(TCO) : 0,
		.ttbr0 = read_sysreg(ttbr0_el1),
		.ttbr1 = read_sysreg(ttbr1_el1),
	};
}

/* Return how much of user access has changed. */
static long call_user(const struct target_input *in)
{
	struct access old = access_now(), new;

	kpt_target_user(in->user, in->user_len);
	new = access_now();
	return (old.pan != new.pan) + (old.tco != new.tco) + (old.ttbr0 != new.ttbr0) +
	       (old.ttbr1 != new.ttbr1);
}

/* Where the kernel may not reach user memory, and where it may. */
static long act_no_access(const struct target_input *in)
{
	unsigned long flags;
	long changed;

	local_irq_save(flags);
	changed = call_user(in);
	local_irq_restore(flags);
	return changed;
}

static long act_access(const struct target_input *in)
{
	struct access old;
	unsigned long flags;
	long changed;

	local_irq_save(flags);
	old = access_now();
	if (has_pan())
		write_sysreg_s(0, PAN);
	if (has_tco())
		write_sysreg_s(1UL << 25, TCO);
	uaccess_ttbr0_enable();
	changed = call_user(in);
	uaccess_ttbr0_disable();
	if (has_pan())
		write_sysreg_s(old.pan, PAN);
	if (has_tco())
		write_sysreg_s(old.tco, TCO);
	local_irq_restore(flags);
	return changed;
}

/*
 * A pointer as to memory that was freed and used again: where the kernel checks memory tags, it
 * cannot be read.
 */
static long act_mistagged(const struct target_input *in)
{
	struct target_object *copy = kmemdup(&outer, sizeof(outer), GFP_KERNEL);

	if (!copy)
		return -ENOMEM;
	kpt_target_mistagged((void *)((unsigned long)copy ^ 1UL << 56));
	kfree(copy);
	return 0;
}

/* The second lies between user and kernel addresses on every configuration. */
static long act_bad(const struct target_input *in)
{
	kpt_target_bad(NULL, (void *)0x00dead0000000000, (void *)-1L);
	return 0;
}

static long act_ret_u8(const struct target_input *in)
{
	return kpt_target_ret_u8();
}

static long act_ret_s8(const struct target_input *in)
{
	return kpt_target_ret_s8();
}

static long act_ret_s16(const struct target_input *in)
{
	return kpt_target_ret_s16();
}

static long act_ret_s32(const struct target_input *in)
{
	return kpt_target_ret_s32();
}

static long act_ret_s64(const struct target_input *in)
{
	return kpt_target_ret_s64();
}

static long act_returns(const struct target_input *in)
{
	return kpt_target_returns(in->value);
}

static long act_odd_return(const struct target_input *in)
{
	return kpt_target_odd_return(in->value);
}

static long act_bare(const struct target_input *in)
{
	kpt_target_bare();
	return in->value;
}

static long act_filled(const struct target_input *in)
{
	return kpt_target_filled();
}

static long act_leap(const struct target_input *in)
{
	return kpt_target_leap(in->value);
}

static long act_fixup(const struct target_input *in)
{
	return kpt_target_fixup(-4096UL + in->value);
}

static long act_tail(const struct target_input *in)
{
	return kpt_target_tail(in->value, 1);
}

static long act_recurse(const struct target_input *in)
{
	return kpt_target_recurse(in->value);
}

static long act_large(const struct target_input *in)
{
	return kpt_target_large(1, in->value);
}

static long act_sleep(const struct target_input *in)
{
	return kpt_target_sleep(in->value);
}

/* Noise: for so many us, with interrupts masked. */
static long act_masked(const struct target_input *in)
{
	unsigned long flags;

	local_irq_save(flags);
	kpt_target_spin(in->value);
	local_irq_restore(flags);
	return 0;
}

static unsigned int spin_us;

static void spin_now(struct irq_work *work)
{
	kpt_target_spin(spin_us);
}

/* The same in an interrupt of its own. */
static long act_in_irq(const struct target_input *in)
{
	static DEFINE_MUTEX(lock);
	static struct irq_work work;

	mutex_lock(&lock);
	spin_us = in->value;
	init_irq_work(&work, spin_now);
	irq_work_queue(&work);
	irq_work_sync(&work);
	mutex_unlock(&lock);
	return 0;
}

/* Each call has a number of its own; some let others run meanwhile. */
static long act_pair(const struct target_input *in)
{
	u64 id = target_next_id();

	return kpt_target_pair(id, id % 64 ? TARGET_THEN_RETURN :
					     TARGET_THEN_YIELD);
}

static long act_wait(const struct target_input *in)
{
	kpt_target_wait();
	return 0;
}

static long act_context(const struct target_input *in)
{
	kpt_target_context(TARGET_IN_TASK);
	return 0;
}

static long act_mid(const struct target_input *in)
{
	return kpt_target_mid(1, 2, 3, 4, 5, 6);
}

/* Each of the thousand functions once. */
static long act_many(const struct target_input *in)
{
	unsigned int n;

	for (n = 0; n < TARGET_MANY; n++)
		target_many[n]();
	return TARGET_MANY;
}

/* Another function on each of four CPUs. */
static long act_by_cpu(const struct target_input *in)
{
	switch (raw_smp_processor_id() % 4) {
	case 0:
		return kpt_target_two(0x1111111111111111, 2);
	case 1:
		return kpt_target_mid(1, 2, 3, 4, 5, 6);
	case 2:
		kpt_target_none();
		return 0;
	default:
		return act_six(in);
	}
}

static long act_trace_pair(const struct target_input *in)
{
	trace_kpt_target_pair(in->value, 2);
	return 0;
}

#ifdef CONFIG_TRACEPOINTS
/* A tracepoint of the kernel, which modules cannot link to. */
struct kernel_tracepoint {
	const char *name;
	struct tracepoint *tp;
};

static void find_tracepoint(struct tracepoint *tp, void *data)
{
	struct kernel_tracepoint *wanted = data;

	if (!strcmp(tp->name, wanted->name))
		wanted->tp = tp;
}

/* The function that calls all who are registered; NULL if nobody is, or the kernel has none. */
static void *iterator_of(struct kernel_tracepoint *wanted)
{
	if (!wanted->tp)
		for_each_kernel_tracepoint(find_tracepoint, wanted);
	if (!wanted->tp || !rcu_access_pointer(wanted->tp->funcs))
		return NULL;
#if KPT_HAVE_TRACEPOINT_ITERATOR
	return wanted->tp->iterator;
#else
	return NULL;
#endif
}

/* A task that is switched to itself. Before 6.0 there is one argument less. */
static long act_trace_switch(const struct target_input *in)
{
	static struct kernel_tracepoint sched_switch = { .name = "sched_switch" };
	void (*call)(void *data, bool preempt, struct task_struct *prev,
		     struct task_struct *next, unsigned int state);

	call = iterator_of(&sched_switch);
	if (!call)
		return 0;
	preempt_disable_notrace();
	call(NULL, false, current, current, 0);
	preempt_enable_notrace();
	return 0;
}

/* The system call that the task is in, as if it opened a file of the name at @in->user. */
static long act_trace_openat(const struct target_input *in)
{
	static struct kernel_tracepoint sys_enter = { .name = "sys_enter" };
	void (*call)(void *data, struct pt_regs *regs, long id) = iterator_of(&sys_enter);
	struct pt_regs *regs = task_pt_regs(current);
	u64 true_x1 = regs->regs[1];
	int true_nr = regs->syscallno;

	if (!call || !in->user)
		return 0;
	regs->syscallno = __NR_openat;
	regs->regs[1] = (unsigned long)in->user;
	preempt_disable_notrace();
	call(NULL, regs, __NR_openat);
	preempt_enable_notrace();
	regs->regs[1] = true_x1;
	regs->syscallno = true_nr;
	return 0;
}
#else
static long act_trace_switch(const struct target_input *in)
{
	return -EOPNOTSUPP;
}

static long act_trace_openat(const struct target_input *in)
{
	return -EOPNOTSUPP;
}
#endif

static long act_trace_nine(const struct target_input *in)
{
	trace_kpt_target_nine(0xf1, -2, true, 0xf4444444, -5, "six", 7, 0xf008,
			      -in->value);
	return 0;
}

/* The function that fills in the record of the kernel's event follows it. */
static long act_trace_bad(const struct target_input *in)
{
	trace_kpt_target_nine(0, 0, false, 0, 0, (const char *)8, 0, 0, 0);
	return 0;
}

static long act_refs(const struct target_input *in)
{
	target_mistake_refs();
	return 0;
}

static long act_stall(const struct target_input *in)
{
	target_mistake_stall();
	return 0;
}

static long act_field(const struct target_input *in)
{
	target_mistake_field();
	return 0;
}

static const struct target_act acts[] = {
	{ "by_cpu", act_by_cpu },
	{ "none", act_none },
	{ "two", act_two },
	{ "two_bh_off", act_two, .bh_off = true },
	{ "two_preempt_off", act_two, .count = PREEMPT_OFFSET },
	{ "two_hardirq", act_two, .count = HARDIRQ_OFFSET },
	{ "six", act_six },
	{ "ten", act_ten },
	{ "ints", act_ints },
	{ "object", act_object },
	{ "store", act_store, .value = 1 },
	{ "exclusive", act_exclusive },
	{ "string", act_string },
	{ "strings", act_strings },
	{ "user", act_user },
	{ "no_access", act_no_access },
	{ "access", act_access },
	{ "mistagged", act_mistagged, .sleeps = true },
	{ "bad", act_bad },
	{ "ret_u8", act_ret_u8 },
	{ "ret_s8", act_ret_s8 },
	{ "ret_s16", act_ret_s16 },
	{ "ret_s32", act_ret_s32 },
	{ "ret_s64", act_ret_s64 },
	{ "returns", act_returns, .value = 2 },
	{ "odd_return", act_odd_return },
	{ "bare", act_bare },
	{ "filled", act_filled },
	{ "leap", act_leap },
	{ "fixup", act_fixup },
	{ "tail", act_tail, .value = 41 },
	{ "recurse", act_recurse, .value = 10 },
	{ "recurse_deep", act_recurse, .value = 205 },
	{ "large", act_large, .value = 41 },
	{ "sleep", act_sleep, .value = 10, .sleeps = true },
	{ "masked", act_masked, .value = 300, .sleeps = true },
	{ "in_irq", act_in_irq, .value = 300, .sleeps = true },
	{ "pair", act_pair, .sleeps = true },
	{ "wait", act_wait, .sleeps = true },
	{ "context", act_context },
	{ "mid", act_mid },
	{ "many", act_many },
	{ "refs", act_refs },
	{ "stall", act_stall },
	{ "field", act_field },
	{ "trace_pair", act_trace_pair, .value = 1 },
	{ "trace_switch", act_trace_switch },
	{ "trace_openat", act_trace_openat },
	{ "trace_nine", act_trace_nine, .value = 9 },
	{ "trace_bad", act_trace_bad },
};

const struct target_act *target_act_find(const char *name)
{
	unsigned int n;

	for (n = 0; name && n < ARRAY_SIZE(acts); n++)
		if (!strcmp(acts[n].name, name))
			return &acts[n];
	return NULL;
}
