// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records that the kernel's own functions fill in, see arch/arm64/records.c: room for
 * them, and their way to the sinks. A hit begins at the commit: what happens while the
 * record is filled in, an interrupt or a hit of another event, is no part of it.
 */
#include "kernel/compat.h"
#include <linux/irqflags.h>
#include <linux/rcupdate.h>
#include <linux/trace_events.h>
#include <kptrace/arch.h>
#include "engine/tracepoint.h"
#include "hit/internal.h"
#include "kernel/comms.h"
#include "kernel/scratch.h"

#ifdef CONFIG_EVENT_TRACING

/*
 * What a tracepoint and the kernel's function add to preempt_count(): the kernel takes
 * it off its own records on preemptible kernels only.
 */
#define RECORD_BIAS IS_ENABLED(CONFIG_PREEMPTION)

/* What was hit; NULL if nothing of that is armed. */
static const struct kpt_tracepoint *record_tracepoint(const struct trace_event_file *file)
{
	const struct kpt_tracepoint *tracepoint =
		container_of(file, const struct kpt_tracepoint, file);

	/* The file of the self-test is not part of a tracepoint. */
	if (!file->event_call)
		return NULL;
	return likely(!tracepoint->set) ? tracepoint :
					  kpt_hit_syscall_of(tracepoint->set);
}

static const struct kpt_handlers *record_handlers(const struct kpt_tracepoint *tracepoint)
{
	/* Freed only after kpt_arch_quiesce(), which waits for this hit. */
	return tracepoint ? rcu_dereference_raw(tracepoint->hook.handlers) : NULL;
}

static void record_missed(const struct trace_event_file *file)
{
	const struct kpt_handlers *handlers = record_handlers(record_tracepoint(file));
	const struct kpt_handler *handler;

	if (!handlers)
		return;
	kpt_for_each_handler(handler, handlers)
		kpt_hit_missed_by(handler);
}

/* No room: count it. As counts are plain additions, nothing may interrupt them. */
static noinline void *record_refused(const struct trace_event_file *file)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	record_missed(file);
	raw_local_irq_restore(flags);
	return NULL;
}

/**
 * kpt_hit_reserve() - room for a record
 * @file: part of the struct kpt_tracepoint that was hit
 * @size: its bytes
 *
 * Interrupts may be on: one that makes a record gives its room back before it ends.
 *
 * Context: any, preemption off.
 * Return: the room; or NULL if there is none, and then the hit is counted as missed.
 */
void *kpt_hit_reserve(struct trace_event_file *file, unsigned long size)
{
	struct kpt_room *room;
	unsigned int depth;

	if (unlikely(preemptible()))
		return record_refused(file);
	room = raw_cpu_ptr(kpt_rooms);
	depth = READ_ONCE(room->depth);
	if (unlikely(depth == KPT_ROOM_DEPTH || size > KPT_ROOM_RECORD ||
		     size < sizeof(struct kpt_record_head)))
		return record_refused(file);
	WRITE_ONCE(room->depth, depth + 1);
	room->size[depth] = size;
	/* Sinks copy whole words. */
	room->record[depth][(size - 1) / sizeof(u64)] = 0;
	return room->record[depth];
}

/**
 * kpt_hit_commit() - run the handlers of a tracepoint on a record
 * @buffer: the record, from kpt_hit_reserve()
 * @regs: registers of the caller of the kernel's function
 *
 * Context: like BRK: interrupts masked, hits on this CPU off.
 */
void kpt_hit_commit(struct trace_event_buffer *buffer, struct pt_regs *regs)
{
	const struct kpt_tracepoint *tracepoint = record_tracepoint(buffer->trace_file);
	const struct kpt_handlers *handlers = record_handlers(tracepoint);
	struct kpt_room *room = raw_cpu_ptr(kpt_rooms);
	unsigned int depth = room->depth - 1;
	struct kpt_hit hit = {
		.regs = regs,
		.context = kpt_hit_context(RECORD_BIAS),
		.record = room->record[depth],
		.size = room->size[depth],
	};
	const struct kpt_handler *handler;

	if (likely(handlers)) {
		if (unlikely(tracepoint->set))
			hit.size = kpt_hit_syscall_finish(hit.record, tracepoint);
		kpt_comm_note();
		kpt_for_each_handler(handler, handlers) {
			kpt_hit_fill_head(hit.record, handler->type, regs,
					  hit.context);
			kpt_hit_deliver_made(handler, &hit);
		}
	}
	room->depth = depth;
}

/**
 * kpt_hit_commit_missed() - count a record made inside another hit
 * @buffer: the record, which is not used
 *
 * Context: like BRK, nested.
 */
void kpt_hit_commit_missed(struct trace_event_buffer *buffer)
{
	struct kpt_room *room = raw_cpu_ptr(kpt_rooms);

	record_missed(buffer->trace_file);
	room->depth--;
}

#endif
