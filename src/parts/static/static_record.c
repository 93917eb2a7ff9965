// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records that the kernel's own functions fill in, see arch/arm64/entry/kernel_records.c: room for
 * them, and their way to the sinks.
 *
 * If a ring is all that gets the record, the room is in the ring: the hit is at the
 * reserve, and kpt_arch_quiesce() waits for the commit, as interrupts may be on in between.
 * All other records are filled in aside, and the hit begins at the commit. What happens
 * while a record is filled in, an interrupt or a hit of another event, is no part of it.
 */
#include "kernel/compat.h"
#include <linux/irqflags.h>
#include <linux/rcupdate.h>
#include <linux/trace_events.h>
#include "arch.h"
#include "engine/tracepoint.h"
#include "hit/copy.h"
#include "hit/internal.h"
#include "kernel/comms.h"
#include "kernel/cpu.h"
#include "kernel/scratch.h"
#include "parts/static/syscall.h"

#ifdef CONFIG_EVENT_TRACING

/*
 * What a tracepoint and the kernel's function add to preempt_count(): the kernel takes
 * it off its own records on preemptible kernels only.
 */
#define RECORD_BIAS IS_ENABLED(CONFIG_PREEMPTION)

/* Bytes of the largest record that kpt_ring_hold() takes, less those of its header. */
#define RECORD_SHORT (KPT_RING_SHORT - sizeof(struct kpt_ring_header))

/* Can a record have @size bytes, of @most? */
static __always_inline bool record_has_size(unsigned long size, unsigned long most)
{
	return size >= sizeof(struct kpt_record_head) && size <= most;
}

/* The tracepoint of @file; NULL if no armed event takes its record. */
static __always_inline const struct kpt_tracepoint *
record_tracepoint(const struct trace_event_file *file)
{
	const struct kpt_tracepoint *tracepoint =
		container_of(file, const struct kpt_tracepoint, file);

	/* The file of the self-test is not part of a tracepoint. */
	if (!file->event_call)
		return NULL;
	return likely(!tracepoint->set) ? tracepoint :
					  kpt_hit_syscall_of(tracepoint->set);
}

static __always_inline const struct kpt_handlers *
record_handlers(const struct kpt_tracepoint *tracepoint)
{
	/* Freed only after kpt_arch_quiesce(), which waits for this hit. */
	return tracepoint ? rcu_dereference_raw(tracepoint->hook.handlers) : NULL;
}

static void record_missed(const struct kpt_tracepoint *tracepoint)
{
	const struct kpt_handlers *handlers = record_handlers(tracepoint);
	const struct kpt_handler *handler;

	if (!handlers)
		return;
	kpt_for_each_handler(handler, handlers)
		kpt_hit_missed_by(handler);
}

/* No room: count it. As counts are plain additions, nothing may interrupt them. */
static noinline void *record_refused(const struct kpt_tracepoint *tracepoint)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	record_missed(tracepoint);
	raw_local_irq_restore(flags);
	return NULL;
}

static __always_inline void record_fill_head(void *record, const struct kpt_handler *handler,
					     bool irqs_off)
{
	kpt_hit_fill_head_as(record, handler->type, irqs_off,
			     likely(kpt_hit_is_calm_but(RECORD_BIAS)) ?
				     0 : kpt_hit_context(RECORD_BIAS));
}

/*
 * Room in the ring where the record stays, of RECORD_SHORT or less. NULL, with no side effects,
 * if not one ring alone gets it, or if the ring has to make room first. Interrupts are masked,
 * and hits on this CPU off.
 */
static __always_inline void *record_hold(struct trace_event_buffer *buffer,
					 const struct kpt_tracepoint *tracepoint,
					 unsigned long size, bool irqs_off)
{
	const struct kpt_handlers *handlers =
		rcu_dereference_raw(tracepoint->hook.handlers);
	const struct kpt_handler *handler = &handlers->first;
	const struct kpt_sink *sink = handler->sink;
	unsigned long cpu = __my_cpu_offset;
	struct kpt_buffer_cpu *bc;
	void *rec;

	if (!handlers || handlers->nr_rings != 1 ||
	    atomic_read(&sink->buffer->stops))
		return NULL;
	bc = SHIFT_PERCPU_PTR(sink->buffer->cpu, cpu);
	if (unlikely(!kpt_buffer_may_write(bc)))
		return NULL;
	if (unlikely(!kpt_ring_hold(&bc->ring, kpt_ring_words(size), kpt_clock_raw(), &rec)))
		return NULL;
	kpt_comm_note();
	record_fill_head(rec, handler, irqs_off);
	kpt_hit_count(handler);
	(*SHIFT_PERCPU_PTR(sink->recorded, cpu))++;
	SHIFT_PERCPU_PTR(&kpt_cpu, cpu)->filling++;
	buffer->buffer = (void *)sink->buffer;
	return rec;
}

/* record_hold() as a hit; NULL inside another hit, too. */
static __always_inline void *record_in_ring(struct trace_event_buffer *buffer,
					    const struct kpt_tracepoint *tracepoint,
					    unsigned long size)
{
	unsigned long flags;
	void *rec = NULL;

	raw_local_irq_save(flags);
	if (likely(!raw_cpu_read(kpt_cpu.depth))) {
		raw_cpu_write(kpt_cpu.depth, 1);
		barrier();
		rec = record_hold(buffer, tracepoint, size,
				  raw_irqs_disabled_flags(flags));
		barrier();
		raw_cpu_write(kpt_cpu.depth, 0);
	}
	raw_local_irq_restore(flags);
	return rec;
}

/* Room outside of any ring. */
static noinline void *record_aside(const struct kpt_tracepoint *tracepoint,
				   unsigned long size)
{
	struct kpt_room *room = raw_cpu_ptr(kpt_rooms);
	unsigned int depth;

	if (unlikely(preemptible()))
		return record_refused(tracepoint);
	depth = READ_ONCE(room->depth);
	if (unlikely(depth == KPT_ROOM_DEPTH || !record_has_size(size, KPT_ROOM_RECORD)))
		return record_refused(tracepoint);
	WRITE_ONCE(room->depth, depth + 1);
	room->size[depth] = size;
	return room->record[depth];
}

/**
 * kpt_hit_reserve() - room for a record
 * @buffer: the record; gets what kpt_hit_publish() or kpt_hit_commit() have to know
 * @file: part of the struct kpt_tracepoint that was hit
 * @size: bytes of the record
 *
 * Interrupts may be on: one that makes a record gives its room back before it ends.
 *
 * Context: any, preemption off.
 * Return: the room; or NULL if there is none, and then the hit is counted as missed, or
 * if nobody wants the record.
 */
void *kpt_hit_reserve(struct trace_event_buffer *buffer, struct trace_event_file *file,
		      unsigned long size)
{
	const struct kpt_tracepoint *tracepoint = record_tracepoint(file);
	u64 *rec = NULL;

	buffer->buffer = NULL;
	/* Freed only after tracepoint_synchronize_unregister(), which waits for the commit. */
	buffer->event = (void *)tracepoint;
	buffer->trace_file = file;
	if (likely(tracepoint && !tracepoint->user_mask &&
		   record_has_size(size, RECORD_SHORT) && !preemptible()))
		rec = record_in_ring(buffer, tracepoint, size);
	/* Most system calls are not armed, as a rule. */
	if (unlikely(!rec && (tracepoint || !file->event_call)))
		rec = record_aside(tracepoint, size);
	/* Sinks copy whole words. */
	if (likely(rec))
		rec[(size - 1) / sizeof(u64)] = 0;
	buffer->entry = rec;
	return rec;
}

/**
 * kpt_hit_publish() - end a record that was filled in where it stays
 * @buffer: the record; kpt_hit_reserve() did not leave @buffer->buffer NULL
 *
 * Context: any, preemption off as it was at the reserve.
 */
void kpt_hit_publish(struct trace_event_buffer *buffer)
{
	const struct kpt_tracepoint *tracepoint = (void *)buffer->event;
	struct kpt_buffer *ours = (void *)buffer->buffer;
	struct kpt_buffer_cpu *bc = this_cpu_ptr(ours->cpu);

	/* A record of raw_syscalls has more arguments: cut it. */
	if (unlikely(tracepoint->set))
		kpt_ring_trim(&bc->ring, buffer->entry, tracepoint->size);
	kpt_buffer_commit(ours, bc);
	/* Last: kpt_arch_quiesce() may return now. */
	raw_cpu_dec(kpt_cpu.filling);
}

/* Of a record that was filled in aside. */
static size_t record_finish(const struct kpt_tracepoint *tracepoint, void *record,
			    size_t size)
{
	if (likely(!tracepoint->set))
		return size;
	return likely(!tracepoint->user_mask) ?
		       tracepoint->size : kpt_hit_syscall_finish(record, tracepoint);
}

/**
 * kpt_hit_commit_copy() - copy a record to the rings that are all that gets it
 * @buffer: the record, from kpt_hit_reserve(), which did not find room in a ring
 * @irqs_off: interrupts were masked where it was made
 *
 * Context: like BRK: interrupts masked, hits on this CPU off.
 * Return: true; false, with no side effects, if other sinks get it: call
 * kpt_hit_commit().
 */
bool kpt_hit_commit_copy(struct trace_event_buffer *buffer, bool irqs_off)
{
	const struct kpt_tracepoint *tracepoint = (void *)buffer->event;
	const struct kpt_handlers *handlers = record_handlers(tracepoint);
	struct kpt_room *room = raw_cpu_ptr(kpt_rooms);
	unsigned int depth = room->depth - 1;
	u64 *record = room->record[depth];
	size_t size;

	if (!handlers || !handlers->nr_rings ||
	    !kpt_hit_copy_is_simple(handlers))
		return false;
	size = record_finish(tracepoint, record, room->size[depth]);
	kpt_comm_note();
	record_fill_head(record, &handlers->first, irqs_off);
	kpt_hit_copy(handlers, record, size);
	room->depth = depth;
	return true;
}

/**
 * kpt_hit_commit() - run the handlers of a tracepoint on a record
 * @buffer: the record, from kpt_hit_reserve(), for which kpt_hit_commit_copy() did not do it
 * @regs: registers of the caller of the kernel's function
 *
 * Context: like BRK: interrupts masked, hits on this CPU off.
 */
void kpt_hit_commit(struct trace_event_buffer *buffer, struct pt_regs *regs)
{
	const struct kpt_tracepoint *tracepoint = (void *)buffer->event;
	const struct kpt_handlers *handlers = record_handlers(tracepoint);
	struct kpt_room *room = raw_cpu_ptr(kpt_rooms);
	unsigned int depth = room->depth - 1;
	struct kpt_hit hit = {
		.regs = regs,
		.context = kpt_hit_context(RECORD_BIAS),
		.record = room->record[depth],
	};
	const struct kpt_handler *handler;

	if (likely(handlers)) {
		hit.size = record_finish(tracepoint, hit.record, room->size[depth]);
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

	record_missed((void *)buffer->event);
	room->depth--;
}

#endif
