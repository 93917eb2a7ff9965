// SPDX-License-Identifier: GPL-2.0-only
/*
 * From an armed point to a record in the ring. All of this runs in BRK
 * context: interrupts masked, one hit at a time per CPU, no lock, no sleep,
 * no fault that is not fixed up. What goes wrong is counted.
 *
 * Most hits go straight through this file. All others go on to roles.c, which runs
 * all handlers, and from there to deliver.c, where sinks take the record.
 */
#include "kernel/compat.h"
#include <linux/rcupdate.h>
#include "hit/internal.h"
#include "kernel/comms.h"

/*
 * The commonest hit: recorded as it is, by a task that did the last one too, of
 * registers only. There is no call on its way and so no frame. When anything
 * turns out to be different nothing has been done yet, and false is returned.
 */
static __always_inline bool record_simple(const struct kpt_handler *handler,
					  struct kpt_buffer *buf,
					  struct pt_regs *regs,
					  const bool only_registers)
{
	unsigned long cpu = __my_cpu_offset, ret_ip = 0;
	struct kpt_buffer_cpu *bc;
	struct kpt_record_return *ret;
	struct kpt_record_probe *probe;
	void *rec;

	if (unlikely(atomic_read(&buf->stops) || !kpt_hit_is_calm() ||
		     !kpt_comm_is_noted()))
		return false;
	if (handler->role != KPT_ROLE_HIT) {
		ret_ip = kpt_arch_return_address(regs);
		if (unlikely(kpt_arch_hides_caller(ret_ip)))
			return false;
	}
	bc = SHIFT_PERCPU_PTR(buf->cpu, cpu);
	if (unlikely(!kpt_buffer_may_write(bc)))
		return false;
	/* All exceptions are masked, and an NMI's hits would be missed. */
	if (unlikely(!kpt_ring_begin(&bc->ring, handler->length, kpt_clock_raw(),
				     &rec)))
		return false;

	kpt_hit_fill_head(rec, handler->type, regs, 0);
	if (likely(!ret_ip)) {
		probe = rec;
		probe->ip = regs->pc;
	} else {
		ret = rec;
		ret->func = handler->func;
		ret->ret_ip = ret_ip;
	}
	if (only_registers) {
		kpt_fetch_registers(handler->prog, &regs->user_regs, rec);
	} else {
		struct kpt_fetch_source src = { .regs = &regs->user_regs };

		kpt_fetch_exec(handler->prog, &src, rec,
			       handler->prog->size + handler->prog->room);
	}
	SHIFT_PERCPU_PTR(handler->hits, cpu)->hits++;
	SHIFT_PERCPU_PTR(handler->sink->counts, cpu)->recorded++;
	kpt_ring_finish(&bc->ring);
	return true;
}

/* The only handler of a point is simple, but not this hit. */
static noinline bool hit_slow(const struct kpt_handlers *handlers,
			      struct pt_regs *regs, unsigned int bias)
{
	const struct kpt_sink *sink = handlers->first.sink;

	if (!(atomic_read(&sink->buffer->stops) & KPT_STOP_SWITCH))
		return kpt_hit_any(handlers, regs, bias);
	/* tracing_on is 0 */
	this_cpu_ptr(handlers->first.hits)->hits++;
	this_cpu_ptr(sink->counts)->filtered++;
	return true;
}

/* The only handler of a point, and it is simple. */
static __always_inline bool hit_simple(const struct kpt_handlers *handlers,
				       struct pt_regs *regs, unsigned int bias,
				       const bool only_registers)
{
	struct kpt_buffer *buf = handlers->first.sink->buffer;

	if (unlikely(!record_simple(&handlers->first, buf, regs, only_registers)))
		return hit_slow(handlers, regs, bias);
	if (unlikely(kpt_buffer_has_waiter(buf)))
		return kpt_buffer_notify(buf);
	return true;
}

/* Likewise, but there is a filter, which looks at registers only. */
static noinline bool hit_filtered(const struct kpt_handlers *handlers,
				  struct pt_regs *regs, unsigned int bias)
{
	const struct kpt_handler *handler = &handlers->first;
	const struct kpt_filter_pred *other;
	unsigned long cpu;

	if (kpt_filter_match_numbers(handlers->on_regs, &regs->user_regs, &other))
		return hit_simple(handlers, regs, bias, true);
	cpu = __my_cpu_offset;
	SHIFT_PERCPU_PTR(handler->hits, cpu)->hits++;
	SHIFT_PERCPU_PTR(handler->sink->counts, cpu)->filtered++;
	return true;
}

/* Memory, names of tasks and the like: with calls, and so with a frame. */
static noinline bool hit_known_size(const struct kpt_handlers *handlers,
				    struct pt_regs *regs, unsigned int bias)
{
	return hit_simple(handlers, regs, bias, false);
}

/* Any other list than one of KPT_HANDLERS_REGISTERS, or none. */
static bool hit_other(const struct kpt_handlers *handlers, struct pt_regs *regs,
		      unsigned int bias)
{
	if (handlers && handlers->kind == KPT_HANDLERS_FILTERED)
		return hit_filtered(handlers, regs, bias);
	if (handlers && handlers->kind == KPT_HANDLERS_KNOWN_SIZE)
		return hit_known_size(handlers, regs, bias);
	return kpt_hit_any(handlers, regs, bias);
}

/**
 * kpt_hit() - an armed point was reached
 * @ap: the point
 * @regs: registers as they were at the probed address. Only x30 is changed, by
 *	kpt_arch_replace_return()
 * @bias: what the way here has added to preempt_count()
 *
 * Context: BRK. RCU need not be watching this CPU.
 * Return: true; or false if nothing was done because RCU would have to watch.
 */
bool kpt_hit(struct kpt_arch_point *ap, struct pt_regs *regs, unsigned int bias)
{
	struct kpt_point *point = container_of(ap, struct kpt_point, arch);
	/* Freed only after kpt_arch_quiesce(), which waits for this handler. */
	const struct kpt_handlers *handlers = 
		rcu_dereference_raw(point->hook.handlers);

	if (unlikely(!handlers || handlers->kind != KPT_HANDLERS_REGISTERS))
		return hit_other(handlers, regs, bias);
	return hit_simple(handlers, regs, bias, true);
}

/**
 * kpt_hit_missed() - an armed point was reached inside another hit
 * @ap: the point, whose handlers are not run
 *
 * Context: BRK, nested.
 */
void kpt_hit_missed(struct kpt_arch_point *ap)
{
	struct kpt_point *point = container_of(ap, struct kpt_point, arch);
	const struct kpt_handlers *handlers = 
		rcu_dereference_raw(point->hook.handlers);
	const struct kpt_handler *handler;

	if (!handlers)
		return;
	/* An entry that is not noted is missed where it returns. */
	kpt_for_each_handler(handler, handlers)
		if (handler->role != KPT_ROLE_ENTRY)
			kpt_hit_missed_by(handler);
}
