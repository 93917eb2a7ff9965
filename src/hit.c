// SPDX-License-Identifier: GPL-2.0-only
/*
 * From an armed point to a record in the ring. All of this runs in BRK
 * context: interrupts masked, one hit at a time per CPU, no lock, no sleep,
 * no fault that is not fixed up. What goes wrong is counted.
 */
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <kptrace/cmdline.h>
#include <kptrace/hit.h>

/* How deep a nibble of kpt_record_head.preempt_count can tell. */
static u8 nibble(unsigned int depth)
{
	return depth < 0xf ? depth : 0xf;
}

static u8 resched_flags(void)
{
	unsigned long ti = READ_ONCE(current_thread_info()->flags);
	u8 flags = 0;

	if (ti & _TIF_NEED_RESCHED)
		flags |= KPT_FLAG_NEED_RESCHED;
#ifdef _TIF_NEED_RESCHED_LAZY
	if (ti & _TIF_NEED_RESCHED_LAZY)
		flags |= KPT_FLAG_NEED_RESCHED_LAZY;
#endif
	if (test_preempt_need_resched())
		flags |= KPT_FLAG_PREEMPT_RESCHED;
	return flags;
}

static u8 context_flags(unsigned int pc)
{
	u8 flags = 0;

	if (pc & NMI_MASK)
		flags |= KPT_FLAG_NMI;
	if (pc & HARDIRQ_MASK)
		flags |= KPT_FLAG_HARDIRQ;
	if (pc & SOFTIRQ_OFFSET)
		flags |= KPT_FLAG_SOFTIRQ;
	if (pc & SOFTIRQ_MASK & ~SOFTIRQ_OFFSET)
		flags |= KPT_FLAG_BH_OFF;
	return flags;
}

/* The probed code's own state, not that of the exception it took. */
static void fill_head(struct kpt_record_head *head, u16 type,
		      const struct pt_regs *regs)
{
	unsigned int pc = preempt_count() - kpt_arch_preempt_bias;

	head->type = type;
	head->flags = resched_flags();
	if (!interrupts_enabled(regs))
		head->flags |= KPT_FLAG_IRQS_OFF;
	head->preempt_count = 0;
	if (unlikely(pc)) {
		head->flags |= context_flags(pc);
		head->preempt_count = nibble(pc & PREEMPT_MASK);
	}
#ifdef CONFIG_SMP
	if (unlikely(current->migration_disabled))
		head->preempt_count |= nibble(current->migration_disabled) << 4;
#endif
	head->pid = current->pid;
}

static void fill_place(void *rec, const struct kpt_tap *tap,
		       const struct pt_regs *regs)
{
	if (tap->role == KPT_ROLE_RETURN) {
		struct kpt_record_return *r = rec;

		r->func = tap->probe->addr;
		r->ret_ip = kpt_arch_return_address(regs);
	} else {
		struct kpt_record_probe *r = rec;

		r->ip = regs->pc;
	}
}

/* Write the record of a hit; false if the ring has no room for it. */
static bool record(const struct kpt_tap *tap, struct pt_regs *regs)
{
	const struct kpt_fetch_prog *prog = tap->probe->prog;
	struct kpt_buffer *buf = &tap->file->instance->buffer;
	struct kpt_buffer_cpu *bc = this_cpu_ptr(buf->cpu);
	struct kpt_fetch_source src = { .regs = &regs->user_regs };
	size_t size = prog->size;
	void *rec;

	if (unlikely(READ_ONCE(bc->off)))
		return false;
	if (prog->has_dynamic)
		size += kpt_fetch_dynamic_size(prog, &src);
	rec = kpt_ring_reserve(&bc->ring, size, kpt_clock_stamp(buf->clock));
	if (unlikely(!rec))
		return false;

	fill_head(rec, tap->probe->event->id, regs);
	fill_place(rec, tap, regs);
	kpt_fetch_exec(prog, &src, rec, size);
	kpt_ring_commit(&bc->ring);
	/*
	 * Commit ended with a store-release; the acquire here is not reordered
	 * before it (Arm ARM B2.3.10), so that a reader which goes to sleep
	 * either sees the record or is seen. Pairs with kpt_buffer_wait().
	 */
	if (unlikely(smp_load_acquire(&buf->waiters.counter)))
		irq_work_queue(&buf->wake);
	return true;
}

static void tap_hit(const struct kpt_tap *tap, struct pt_regs *regs)
{
	struct kpt_file_counts *counts = this_cpu_ptr(tap->file->counts);

	if (tap->counted)
		this_cpu_ptr(tap->probe->counts)->hits++;
	counts->handled++;
	if (unlikely(atomic_read(&tap->file->instance->buffer.stops)))
		counts->filtered++;
	else if (record(tap, regs))
		counts->recorded++;
	else
		counts->lost++;
}

void kpt_hit(struct kpt_arch_point *ap, struct pt_regs *regs)
{
	struct kpt_point *point = container_of(ap, struct kpt_point, arch);
	/* Freed only after kpt_arch_quiesce(), which waits for this handler. */
	const struct kpt_taps *taps = rcu_dereference_raw(point->taps);
	unsigned int i;

	if (unlikely(!taps))
		return;
	kpt_cmdline_note();
	for (i = 0; i < taps->nr; i++)
		tap_hit(&taps->tap[i], regs);
}

void kpt_hit_missed(struct kpt_arch_point *ap)
{
	struct kpt_point *point = container_of(ap, struct kpt_point, arch);
	const struct kpt_taps *taps = rcu_dereference_raw(point->taps);
	unsigned int i;

	/* Misses may nest in each other: only an atomic add counts them all. */
	for (i = 0; taps && i < taps->nr; i++) {
		if (taps->tap[i].counted)
			this_cpu_inc(taps->tap[i].probe->counts->missed);
		this_cpu_inc(taps->tap[i].file->counts->missed);
	}
}
