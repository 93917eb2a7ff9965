// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stack traces of hits. Where kpt_arch_callers() finds none, the kernel's unwinder
 * starts at the registers of the probed code. It is safe in BRK context, as in an oops
 * or NMI: it knows every stack of the kernel, reads nothing outside them, and takes no
 * lock.
 */
#include <linux/sched.h>
#include "buffer/write.h"
#include "engine/calls.h"
#include "engine/point.h"
#include "event/task_filter.h"
#include "kernel/ksyms.h"
#include "kernel/scratch.h"
#include "trigger/ops.h"

/**
 * struct stack - addresses being collected
 * @caller: the addresses so far
 * @nr: number of them
 * @max: room for them
 * @second: address to put after the first one, or 0
 * @skip: the next address is in this file
 * @replaced: number of replaced return addresses so far
 */
struct stack {
	u64 *caller;
	unsigned int nr;
	unsigned int max;
	unsigned long second;
	bool skip;
	unsigned int replaced;
};

/* A record being made. */
struct stack_record {
	union {
		struct kpt_record_stack fixed;
		struct kpt_record_user_stack user;
	};
	u64 caller[KPT_TRIGGER_STACK_MAX];
};

static_assert(sizeof(struct kpt_record_stack) == sizeof(struct kpt_record_user_stack));

static bool stack_put(struct stack *s, unsigned long addr)
{
	if (s->nr == s->max)
		return false;
	if (kpt_arch_is_replaced(addr))
		addr = kpt_call_caller(s->replaced++) ?: addr;
	s->caller[s->nr++] = addr;
	return true;
}

/* Called by the unwinder for each address, the probed one first. */
static bool stack_take(void *data, unsigned long addr)
{
	struct stack *s = data;
	unsigned long second = s->second;

	if (s->skip) {
		s->skip = false;
		return true;
	}
	if (!stack_put(s, addr))
		return false;
	s->second = 0;
	return !second || stack_put(s, second);
}

/* Find the callers of a hit by the kernel's unwinder. */
static noinline unsigned int stack_walk(const struct kpt_hit *hit, u64 *addr,
					unsigned int max)
{
	struct stack s = { .caller = addr, .max = max, .second = hit->caller,
			   .skip = !hit->regs };

	if (kpt_has_stack_walk())
		kpt_stack_walk(stack_take, &s, current, hit->regs);
	return s.nr;
}

/* The function that returns, if the CPU has left it already for its caller; else 0. */
static unsigned long stack_returned(const struct kpt_hit *hit)
{
	const struct kpt_call_owner *owner = hit->call ? READ_ONCE(hit->call->owner) : NULL;

	if (!owner || !owner->replaces_return)
		return 0;
	return container_of(hit->call->hook, struct kpt_point, hook)->arch.addr;
}

static unsigned int stack_collect(const struct kpt_hit *hit, u64 *addr, unsigned int max)
{
	unsigned int nr = 0;

	/* An interrupt of a program. */
	if (hit->regs && user_mode(hit->regs))
		return 0;
	if (hit->regs && !kpt_arch_is_replaced(hit->caller))
		nr = kpt_arch_callers(hit->regs, hit->caller, addr, max);
	return nr ?: stack_walk(hit, addr, max);
}

/**
 * kpt_trigger_stack_collect() - find the function of a hit, and its callers
 * @hit: the hit; without @hit->regs, the callers of this function
 * @addr: result: addresses, innermost first
 * @max: room for them, at least 3
 *
 * Context: BRK.
 * Return: number of addresses.
 */
unsigned int kpt_trigger_stack_collect(const struct kpt_hit *hit, u64 *addr,
				       unsigned int max)
{
	addr[0] = stack_returned(hit);
	return addr[0] ? 1 + stack_collect(hit, addr + 1, max - 1) :
			 stack_collect(hit, addr, max);
}

/**
 * kpt_trigger_stack_run() - record the stack of a hit
 * @file: the event
 * @hit: the hit, which may be recorded
 *
 * Records the innermost KPT_TRIGGER_STACK_MAX addresses; nothing if the ring has no
 * room.
 *
 * Context: BRK. Uses port_scratch().
 */
void kpt_trigger_stack_run(const struct kpt_event_file *file,
			   const struct kpt_hit *hit)
{
	struct kpt_buffer *buf = &file->instance->buffer;
	struct stack_record *s = port_scratch();

	static_assert(sizeof(*s) <= PORT_SCRATCH_SIZE);
	s->fixed.head = *(struct kpt_record_head *)hit->record;
	s->fixed.head.type = KPT_RECORD_STACK;
	s->fixed.unused = 0;
	s->fixed.nr = kpt_trigger_stack_collect(hit, s->caller,
						KPT_TRIGGER_STACK_MAX);
	if (!s->fixed.nr)
		return;
	kpt_buffer_record(buf, &s->fixed,
			  offsetof(struct stack_record, caller[s->fixed.nr]), 0);
}

/**
 * kpt_trigger_user_stack_run() - record where the program is whose task made a hit
 * @file: the event
 * @hit: the hit, which may be recorded
 *
 * Records at most KPT_TRIGGER_STACK_MAX addresses; nothing of a thread of the kernel, or if
 * the ring has no room.
 *
 * Context: BRK. Uses port_scratch().
 */
void kpt_trigger_user_stack_run(const struct kpt_event_file *file, const struct kpt_hit *hit)
{
	struct kpt_buffer *buf = &file->instance->buffer;
	struct stack_record *s = port_scratch();
	unsigned int nr;

	nr = port_user_stack(s->caller, KPT_TRIGGER_STACK_MAX);
	if (!nr)
		return;
	s->user.head = *(struct kpt_record_head *)hit->record;
	s->user.head.type = KPT_RECORD_USER_STACK;
	s->user.tgid = current->tgid;
	s->user.unused = 0;
	/* Programs rely on so many. */
	for (; nr < KPT_USER_STACK_MIN; nr++)
		s->caller[nr] = 0;
	kpt_buffer_record(buf, &s->user, offsetof(struct stack_record, caller[nr]), 0);
}

/**
 * kpt_trigger_stacktrace_run() - record the stack of a hit for a trigger
 * @t: the trigger
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_trigger_stacktrace_run(struct kpt_trigger *t,
				const struct kpt_hit *hit)
{
	if (kpt_trigger_spend(t) &&
	    (!atomic_read(&t->file->instance->buffer.stops) ||
	     kpt_task_filter_allow(t->file, hit->record)))
		kpt_trigger_stack_run(t->file, hit);
}

static int stack_check(const struct kpt_trigger_request *r)
{
	if (kpt_has_stack_walk())
		return 0;
	return kpt_trigger_refuse(r, KPT_E_NO_STACK_WALK, r->cut, -EOPNOTSUPP);
}

const struct kpt_trigger_ops kpt_trigger_stacktrace_ops = {
	.name = "stacktrace",
	.family = KPT_TRIGGER_STACKTRACE,
	.size = sizeof(struct kpt_trigger),
	.of_functions = true,
	.check = stack_check,
};
