// SPDX-License-Identifier: GPL-2.0-only
/* Hits of probes on data. Runs in BRK context, see hit_point.c. */
#include "kernel/compat.h"
#include <linux/rcupdate.h>
#include "hit/internal.h"
#include "hit/limited.h"
#include "kernel/comms.h"
#include "kernel/scratch.h"
#include "parts/watch/wprobe.h"

static const struct kpt_handlers *handlers_of(struct kpt_arch_watch *watch)
{
	struct kpt_wprobe *probe = container_of(watch - watch->nth, struct kpt_wprobe, watch[0]);

	/* Freed only after kpt_arch_quiesce(), which waits for this hit. */
	return rcu_dereference_raw(probe->hook.handlers);
}

/* Room for any record is there since the event was armed. */
static noinline void make_large(const struct kpt_handler *handler, struct kpt_hit *hit,
				const struct kpt_fetch_source *src)
{
	hit->size = kpt_fetch_size(handler->prog, src);
	hit->record = kpt_scratch_large(false, &hit->size);
	if (!WARN_ON_ONCE(!hit->record))
		kpt_fetch_exec(handler->prog, src, hit->record, hit->size);
}

static void make_record(const struct kpt_handler *handler, struct kpt_hit *hit,
			const struct kpt_fetch_source *src)
{
	hit->record = this_cpu_ptr(kpt_scratch)->record[0];
	hit->size = kpt_fetch_try(handler->prog, src, hit->record, KPT_SCRATCH_RECORD);
	if (unlikely(!hit->size))
		make_large(handler, hit, src);
}

/*
 * Make the record in the ring, which is the only sink and takes all hits. Returns false, with
 * no side effects, if that is not so, or the record is not of a few numbers.
 */
static bool touch_in_ring(const struct kpt_handlers *handlers, const struct pt_regs *regs,
			  const struct kpt_arch_touch *touch, unsigned int bias)
{
	const struct kpt_handler *handler = &handlers->first;
	const struct kpt_fetch_prog *prog = handler->prog;
	struct kpt_buffer *buf = handler->sink->buffer;
	struct kpt_buffer_cpu *bc;
	void *rec;

	if (unlikely(handlers->nr_rings != 1 || atomic_read(&buf->stops) ||
		     !kpt_comm_is_noted() || !prog->only_fields))
		return false;
	bc = this_cpu_ptr(buf->cpu);
	if (unlikely(!kpt_buffer_may_write(bc) ||
		     !kpt_ring_begin(&bc->ring, handler->words, kpt_clock_raw(), &rec)))
		return false;
	kpt_hit_begin_record(rec, handler, regs, likely(kpt_hit_is_calm_but(bias)) ? 0 :
			     kpt_hit_context(bias), 0);
	kpt_fetch_fields(prog, touch, rec);
	kpt_hit_count(handler);
	(*this_cpu_ptr(handler->sink->recorded))++;
	kpt_ring_finish(&bc->ring);
	return kpt_buffer_published(buf);
}

/**
 * kpt_hit_touch() - record an access to watched bytes
 * @watch: the bytes
 * @regs: registers after the access, with the PC of the instruction that has made it
 * @touch: what it was
 * @bias: what the exception path has added to preempt_count()
 *
 * Context: BRK; RCU watches.
 */
void kpt_hit_touch(struct kpt_arch_watch *watch, struct pt_regs *regs,
		   const struct kpt_arch_touch *touch, unsigned int bias)
{
	const struct kpt_handlers *handlers = handlers_of(watch);
	const struct kpt_fetch_source src = {
		.regs = &regs->user_regs, .record = touch, .size = sizeof(*touch),
	};
	struct kpt_hit hit = { .regs = regs };

	/* An event has one probe, and its hook one handler. */
	if (unlikely(!handlers))
		return;
	if (likely(touch_in_ring(handlers, regs, touch, bias)))
		return;
	kpt_comm_note();
	if (unlikely(!kpt_hit_is_calm_but(bias)))
		hit.context = kpt_hit_context(bias);
	make_record(&handlers->first, &hit, &src);
	if (unlikely(!hit.record))
		return;
	kpt_hit_begin_record(hit.record, &handlers->first, regs, hit.context, 0);
	kpt_hit_deliver_made(&handlers->first, &hit);
}

/**
 * kpt_hit_touch_missed() - count an access that could not be recorded
 * @watch: the bytes
 *
 * Context: BRK, nested in a hit or not.
 */
void kpt_hit_touch_missed(struct kpt_arch_watch *watch)
{
	const struct kpt_handlers *handlers = handlers_of(watch);

	if (handlers)
		kpt_hit_missed_by(&handlers->first);
}

/* A line in each buffer that gets records of the event. Context: interrupts masked. */
static void tell_all(const struct kpt_handlers *handlers, const char *what, unsigned long number)
{
	unsigned long flags = kpt_arch_hits_off_save();
	struct kpt_record_head head;
	const struct kpt_sink *sink;
	struct kpt_hit hit = { .record = &head };

	kpt_hit_fill_head_as(&head, 0, true, kpt_hit_context(0));
	kpt_for_each_sink(sink, &handlers->first) {
		if (!READ_ONCE(sink->file->enabled))
			continue;
		hit.stamp = kpt_buffer_stamp(sink->buffer);
		kpt_hit_tell(sink->file, &hit, what, number);
	}
	kpt_arch_hits_on_restore(flags);
}

/**
 * kpt_hit_touch_everywhere() - record that all CPUs watch an address which a hit has set
 * @watch: the bytes; unless @watch->seq is @watch->told, they are others by now
 *
 * Context: interrupts masked, no BRK.
 */
void kpt_hit_touch_everywhere(struct kpt_arch_watch *watch)
{
	const struct kpt_handlers *handlers = handlers_of(watch);
	unsigned long addr = READ_ONCE(watch->addr);

	smp_rmb();	/* pairs with watch_move() */
	if (handlers && READ_ONCE(watch->seq) == watch->told && !IS_ERR_VALUE(addr))
		tell_all(handlers, "ALL CPUS WATCH 0x%lx", addr);
}

/**
 * kpt_hit_touch_here() - record that this CPU has begun to watch, or has stopped
 * @watch: the bytes, of an event that has several the first ones
 * @watches: it has begun
 *
 * Context: interrupts masked, no BRK.
 */
void kpt_hit_touch_here(struct kpt_arch_watch *watch, bool watches)
{
	const struct kpt_handlers *handlers = handlers_of(watch);

	if (handlers)
		tell_all(handlers, watches ? "CPU %lu WATCHES" : "CPU %lu WATCHES NO MORE",
			 smp_processor_id());
}
