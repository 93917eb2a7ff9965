// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stack traces of hits. The kernel's unwinder starts at the registers of the probed
 * code. It is safe in BRK context, as in an oops or NMI: it knows every stack of the
 * kernel, reads nothing outside them, and takes no lock.
 */
#include <linux/sched.h>
#include "buffer/write.h"
#include "engine/calls.h"
#include "event/task_filter.h"
#include "kernel/ksyms.h"
#include "kernel/scratch.h"
#include "trigger/ops.h"

/**
 * struct stack - a record being made
 * @record: its fixed part
 * @caller: the addresses so far, record.nr of them
 * @second: address to put after the first one, or 0
 * @replaced: number of replaced return addresses so far
 */
struct stack {
	struct kpt_record_stack record;
	u64 caller[KPT_TRIGGER_STACK_MAX];
	unsigned long second;
	unsigned int replaced;
};

static bool stack_put(struct stack *s, unsigned long addr)
{
	if (s->record.nr == KPT_TRIGGER_STACK_MAX)
		return false;
	if (kpt_arch_is_replaced(addr))
		addr = kpt_call_caller(s->replaced++) ?: addr;
	s->caller[s->record.nr++] = addr;
	return true;
}

/* Called by the unwinder for each address, the probed one first. */
static bool stack_take(void *data, unsigned long addr)
{
	struct stack *s = data;
	unsigned long second = s->second;

	if (!stack_put(s, addr))
		return false;
	s->second = 0;
	return !second || stack_put(s, second);
}

/**
 * kpt_trigger_stack_run() - record the stack of a hit
 * @file: the event
 * @hit: the hit
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
	struct stack *s = port_scratch();

	static_assert(sizeof(*s) <= PORT_SCRATCH_SIZE);
	if (atomic_read(&buf->stops) && !kpt_task_filter_allow(file->instance))
		return;
	s->record.head = *(struct kpt_record_head *)hit->record;
	s->record.head.type = KPT_RECORD_STACK;
	s->record.nr = 0;
	s->record.unused = 0;
	s->second = hit->caller;
	s->replaced = 0;
	kpt_ksyms.stack_walk(stack_take, s, current, hit->regs);
	kpt_buffer_record(buf, &s->record,
			  offsetof(struct stack, caller[s->record.nr]));
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
	if (kpt_trigger_take(t))
		kpt_trigger_stack_run(t->file, hit);
}

static int stack_check(const struct kpt_trigger_request *r)
{
	if (kpt_ksyms.stack_walk)
		return 0;
	return kpt_trigger_refuse(r, KPT_E_NO_STACK_WALK, r->cut, -EOPNOTSUPP);
}

const struct kpt_trigger_ops kpt_trigger_stacktrace_ops = {
	.name = "stacktrace",
	.family = KPT_TRIGGER_STACKTRACE,
	.size = sizeof(struct kpt_trigger),
	.check = stack_check,
};
