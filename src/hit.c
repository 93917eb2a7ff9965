// SPDX-License-Identifier: GPL-2.0-only
/*
 * From an armed point to a record in the ring. All of this runs in BRK
 * context: interrupts masked, one hit at a time per CPU, no lock, no sleep,
 * no fault that is not fixed up. What goes wrong is counted.
 *
 * Most hits go straight through this file. hit_tap.c has what a filter or a
 * trigger makes of them, hit_call.c what return events keep of a call.
 */
#include <kptrace/compat.h>
#include <linux/rcupdate.h>
#include <kptrace/cmdline.h>
#include <kptrace/hit_internal.h>

/* How deep a nibble of kpt_record_head.preempt_count can tell. */
static u16 nibble(unsigned int depth)
{
	return depth < 0xf ? depth : 0xf;
}

u16 kpt_hit_context(unsigned int preempt)
{
	unsigned long ti = READ_ONCE(current_thread_info()->flags);
	u16 flags = 0;

	if (ti & _TIF_NEED_RESCHED)
		flags |= KPT_FLAG_NEED_RESCHED;
#ifdef _TIF_NEED_RESCHED_LAZY
	if (ti & _TIF_NEED_RESCHED_LAZY)
		flags |= KPT_FLAG_NEED_RESCHED_LAZY;
#endif
	if (test_preempt_need_resched())
		flags |= KPT_FLAG_PREEMPT_RESCHED;
	if (preempt & NMI_MASK)
		flags |= KPT_FLAG_NMI;
	if (preempt & HARDIRQ_MASK)
		flags |= KPT_FLAG_HARDIRQ;
	if (preempt & SOFTIRQ_OFFSET)
		flags |= KPT_FLAG_SOFTIRQ;
	if (preempt & SOFTIRQ_MASK & ~SOFTIRQ_OFFSET)
		flags |= KPT_FLAG_BH_OFF;
	return flags | nibble(preempt & PREEMPT_MASK) << 8 |
	       nibble(kpt_migration_disabled()) << 12;
}

noinline bool kpt_hit_wake(struct kpt_buffer *buf)
{
	kpt_buffer_notify(buf, &this_cpu_ptr(buf->cpu)->ring);
	return true;
}

/* Does the event just want its hits recorded? */
static __always_inline bool only_records(const struct kpt_tap *tap)
{
	return !READ_ONCE(tap->file->soft) &&
	       !rcu_access_pointer(tap->file->filter) &&
	       !atomic_read(&tap->buffer->stops);
}

/*
 * The commonest hit: one event, which is recorded, of registers only, by a task
 * that did the last one too. There is no call on its way and so no frame. When
 * anything turns out to be different nothing has been done yet, and NULL is
 * returned; else the buffer that has the record now.
 */
static __always_inline struct kpt_buffer *hit_simple(const struct kpt_tap *tap,
						     struct pt_regs *regs,
						     unsigned int preempt)
{
	unsigned long cpu = __my_cpu_offset, ret_ip = 0;
	struct kpt_buffer *buf = tap->buffer;
	struct kpt_buffer_cpu *bc;
	struct kpt_record_return *ret;
	struct kpt_record_probe *probe;
	void *rec;

	if (unlikely(!only_records(tap) || !kpt_cmdline_is_noted() ||
		     !kpt_hit_is_calm(preempt) ||
		     !kpt_clock_is_raw(buf->clock)))
		return NULL;
	if (tap->role != KPT_ROLE_HIT) {
		ret_ip = kpt_arch_return_address(regs);
		if (unlikely(kpt_arch_is_replaced(ret_ip)))
			return NULL;
	}
	bc = SHIFT_PERCPU_PTR(buf->cpu, cpu);
	/* pairs: buffer.c exchange() */
	if (unlikely(smp_load_acquire(&bc->off)))
		return NULL;
	rec = kpt_ring_try_reserve(&bc->ring, tap->prog->size,
				   kpt_clock_raw());
	if (unlikely(!rec))
		return NULL;

	*(struct kpt_record_head *)rec = kpt_hit_head(tap->type, regs, 0);
	if (likely(!ret_ip)) {
		probe = rec;
		probe->ip = regs->pc;
	} else {
		ret = rec;
		ret->func = tap->addr;
		ret->ret_ip = ret_ip;
	}
	kpt_fetch_registers(tap->prog, &regs->user_regs, rec);
	SHIFT_PERCPU_PTR(tap->hits, cpu)->hits++;
	SHIFT_PERCPU_PTR(tap->counts, cpu)->recorded++;
	kpt_ring_commit(&bc->ring);
	return buf;
}

bool kpt_hit(struct kpt_arch_point *ap, struct pt_regs *regs,
	     unsigned int preempt)
{
	struct kpt_point *point = container_of(ap, struct kpt_point, arch);
	/* Freed only after kpt_arch_quiesce(), which waits for this handler. */
	const struct kpt_taps *taps = rcu_dereference_raw(point->taps);
	struct kpt_buffer *buf = NULL;

	if (likely(taps && taps->simple))
		buf = hit_simple(taps->tap, regs, preempt);
	if (unlikely(!buf))
		return kpt_hit_any(taps, regs, preempt);
	if (unlikely(kpt_hit_has_waiter(buf)))
		return kpt_hit_wake(buf);
	return true;
}

void kpt_hit_missed(struct kpt_arch_point *ap)
{
	struct kpt_point *point = container_of(ap, struct kpt_point, arch);
	const struct kpt_taps *taps = rcu_dereference_raw(point->taps);
	const struct kpt_tap *tap;
	unsigned int i;

	for (i = 0; taps && i < taps->nr; i++) {
		tap = &taps->tap[i];
		/* An entry that is not noted is missed where it returns. */
		if (tap->role != KPT_ROLE_ENTRY)
			kpt_hit_tap_missed(tap);
	}
}
