// SPDX-License-Identifier: GPL-2.0-only
/*
 * From an armed point to a record in the ring. All of this runs in BRK
 * context: interrupts masked, one hit at a time per CPU, no lock, no sleep,
 * no fault that is not fixed up. What goes wrong is counted.
 */
#include <kptrace/compat.h>
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <kptrace/cmdline.h>
#include <kptrace/frame.h>
#include <kptrace/hit.h>
#include <kptrace/trigger.h>

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

/**
 * struct hit - what is being recorded
 * @regs: registers at the probed address
 * @preempt: preempt_count() of the probed code
 * @frame: of the call that returns, if something of its entry is wanted
 * @is_return: a function returns
 * @ret_ip: where to
 */
struct hit {
	struct pt_regs *regs;
	unsigned int preempt;
	struct kpt_frame *frame;
	bool is_return;
	unsigned long ret_ip;
};

/* The probed code's own state, not that of the exception it took. */
static void fill_head(struct kpt_record_head *head, u16 type,
		      const struct hit *hit)
{
	unsigned int pc = hit->preempt;

	head->type = type;
	head->flags = resched_flags();
	if (!interrupts_enabled(hit->regs))
		head->flags |= KPT_FLAG_IRQS_OFF;
	head->preempt_count = 0;
	if (unlikely(pc)) {
		head->flags |= context_flags(pc);
		head->preempt_count = nibble(pc & PREEMPT_MASK);
	}
	if (unlikely(kpt_migration_disabled()))
		head->preempt_count |= nibble(kpt_migration_disabled()) << 4;
	head->pid = current->pid;
}

static void fill_place(void *rec, const struct kpt_tap *tap,
		       const struct hit *hit)
{
	if (hit->is_return) {
		struct kpt_record_return *r = rec;

		r->func = tap->probe->addr;
		r->ret_ip = hit->ret_ip;
	} else {
		struct kpt_record_probe *r = rec;

		r->ip = hit->regs->pc;
	}
}

/* What became of a hit. */
enum outcome {
	RECORDED,
	FILTERED,
	LOST,
};

/* Records up to this size are filtered before they are in the ring. */
#define SCRATCH_SIZE 256

static void fill(void *rec, size_t size, const struct kpt_tap *tap,
		 const struct hit *hit, const struct kpt_fetch_source *src)
{
	fill_head(rec, tap->probe->event->id, hit);
	fill_place(rec, tap, hit);
	kpt_fetch_exec(tap->probe->prog, src, rec, size);
}

/* Room for a record in this CPU's ring, or NULL. */
static void *reserve(struct kpt_buffer *buf, size_t size)
{
	struct kpt_buffer_cpu *bc = this_cpu_ptr(buf->cpu);

	if (unlikely(READ_ONCE(bc->off)))
		return NULL;
	return kpt_ring_reserve(&bc->ring, size, kpt_clock_stamp(buf->clock));
}

static void commit(struct kpt_buffer *buf)
{
	struct kpt_ring *ring = &this_cpu_ptr(buf->cpu)->ring;

	kpt_ring_commit(ring);
	/*
	 * Commit ended with a store-release; the acquire here is not reordered
	 * before it (Arm ARM B2.3.10), so that a reader which goes to sleep
	 * either sees the record or is seen. Pairs with kpt_buffer_wait().
	 */
	if (unlikely(smp_load_acquire(&buf->waiters.counter)))
		kpt_buffer_notify(buf, ring);
}

bool kpt_hit_record(struct kpt_buffer *buf, const void *made, size_t size)
{
	void *rec = reserve(buf, size);

	if (!rec)
		return false;
	memcpy(rec, made, size);
	commit(buf);
	return true;
}

/* A record made aside goes into the ring if it is wanted. */
static enum outcome record_copy(const struct kpt_tap *tap,
				const struct kpt_filter *filter,
				const void *made, size_t size)
{
	struct kpt_buffer *buf = &tap->file->instance->buffer;

	if (filter &&
	    !kpt_filter_match(filter, made, size, smp_processor_id()))
		return FILTERED;
	return kpt_hit_record(buf, made, size) ? RECORDED : LOST;
}

/* A record whose size is known: made aside, and copied if it is wanted. */
static noinline enum outcome record_wanted(const struct kpt_tap *tap,
					   const struct hit *hit,
					   const struct kpt_fetch_source *src,
					   const struct kpt_filter *filter)
{
	size_t size = tap->probe->prog->size;
	u64 scratch[SCRATCH_SIZE / sizeof(u64)];

	fill(scratch, size, tap, hit, src);
	return record_copy(tap, filter, scratch, size);
}

/* A record with strings: made in the ring, and taken back if not wanted. */
static noinline enum outcome record_if(const struct kpt_tap *tap,
				       const struct hit *hit,
				       const struct kpt_fetch_source *src,
				       const struct kpt_filter *filter)
{
	struct kpt_buffer *buf = &tap->file->instance->buffer;
	size_t size = tap->probe->prog->size;
	void *rec;

	if (tap->probe->prog->has_dynamic)
		size += kpt_fetch_dynamic_size(tap->probe->prog, src);
	rec = reserve(buf, size);
	if (!rec)
		return LOST;
	fill(rec, size, tap, hit, src);
	if (!kpt_filter_match(filter, rec, size, smp_processor_id())) {
		kpt_ring_discard(&this_cpu_ptr(buf->cpu)->ring, rec);
		return FILTERED;
	}
	commit(buf);
	return RECORDED;
}

/* The filter of the event, if there is one and it is right. */
static const struct kpt_filter *filter_of(const struct kpt_file *file)
{
	const struct kpt_file_filter *f = rcu_dereference_raw(file->filter);

	return unlikely(f && !f->diag.code) ? &f->prog : NULL;
}

static struct kpt_fetch_source source_of(const struct hit *hit)
{
	struct kpt_fetch_source src = { .regs = &hit->regs->user_regs };

	if (hit->frame) {
		src.entry = hit->frame->value;
		src.elapsed = kpt_clock_elapsed(hit->frame->start);
	}
	return src;
}

static enum outcome record(const struct kpt_tap *tap, const struct hit *hit)
{
	const struct kpt_fetch_prog *prog = tap->probe->prog;
	const struct kpt_filter *filter = filter_of(tap->file);
	struct kpt_buffer *buf = &tap->file->instance->buffer;
	struct kpt_fetch_source src = source_of(hit);
	size_t size = prog->size;
	void *rec;

	if (unlikely(filter)) {
		if (!prog->has_dynamic && size <= SCRATCH_SIZE)
			return record_wanted(tap, hit, &src, filter);
		return record_if(tap, hit, &src, filter);
	}
	if (prog->has_dynamic)
		size += kpt_fetch_dynamic_size(prog, &src);
	rec = reserve(buf, size);
	if (unlikely(!rec))
		return LOST;
	fill(rec, size, tap, hit, &src);
	commit(buf);
	return RECORDED;
}

static void count(const struct kpt_file *file, enum outcome outcome)
{
	struct kpt_file_counts *counts = this_cpu_ptr(file->counts);

	counts->handled++;
	if (likely(outcome == RECORDED))
		counts->recorded++;
	else if (outcome == FILTERED)
		counts->filtered++;
	else
		counts->lost++;
}

static bool is_stopped(const struct kpt_file *file)
{
	return unlikely(atomic_read(&file->instance->buffer.stops));
}

/*
 * At its first instruction and at a return instruction a function has no frame
 * record: only x30 knows its caller. A return that was hooked is over.
 */
static unsigned long caller_of(const struct kpt_tap *tap,
			       const struct hit *hit)
{
	if (tap->role == KPT_ROLE_RETURN)
		return hit->ret_ip;
	if (tap->role == KPT_ROLE_HIT && tap->probe->symbol &&
	    !tap->probe->offset)
		return kpt_arch_return_address(hit->regs);
	return 0;
}

/* The record is made aside, for the triggers; the ring gets a copy of it. */
static void tap_triggers(const struct kpt_tap *tap, const struct hit *hit)
{
	const struct kpt_fetch_prog *prog = tap->probe->prog;
	struct kpt_fetch_source src = source_of(hit);
	u64 scratch[SCRATCH_SIZE / sizeof(u64)];
	struct kpt_trigger_hit th = {
		.record = scratch,
		.size = prog->size,
		.regs = hit->regs,
		.caller = caller_of(tap, hit),
	};
	struct kpt_file *file = tap->file;
	u32 after;

	if (prog->has_dynamic)
		th.size += kpt_fetch_dynamic_size(prog, &src);
	if (th.size > SCRATCH_SIZE)
		th.record = kpt_trigger_scratch(&th.size);
	fill(th.record, th.size, tap, hit, &src);
	after = kpt_trigger_run(file, &th);
	if (READ_ONCE(file->enabled))
		count(file, is_stopped(file) ? FILTERED :
		      record_copy(tap, filter_of(file), th.record, th.size));
	if (after)
		kpt_trigger_run_after(file, &th, after);
}

static void tap_record(const struct kpt_tap *tap, const struct hit *hit)
{
	count(tap->file, is_stopped(tap->file) ? FILTERED : record(tap, hit));
}

/*
 * A trigger holds the event. It is a hit of the event only if it is enabled
 * once its triggers have run.
 */
static noinline void tap_held(const struct kpt_tap *tap, const struct hit *hit)
{
	if (!list_empty(&tap->file->triggers))
		tap_triggers(tap, hit);
	else if (READ_ONCE(tap->file->enabled))
		tap_record(tap, hit);
}

static void tap_hit(const struct kpt_tap *tap, const struct hit *hit)
{
	if (tap->counted)
		this_cpu_ptr(tap->probe->counts)->hits++;
	if (unlikely(READ_ONCE(tap->file->soft)))
		tap_held(tap, hit);
	else
		tap_record(tap, hit);
}

/* Misses may nest in each other: only an atomic add counts them all. */
static void tap_missed(const struct kpt_tap *tap)
{
	if (tap->counted)
		this_cpu_inc(tap->probe->counts->missed);
	if (!READ_ONCE(tap->file->soft) || READ_ONCE(tap->file->enabled))
		this_cpu_inc(tap->file->counts->missed);
}

/* A function is entered whose return is of interest. */
static void tap_entry(const struct kpt_taps *taps, const struct kpt_tap *tap,
		      struct pt_regs *regs)
{
	const struct kpt_tap *end = taps->tap + taps->nr, *t;

	if (!tap->counted)
		return;
	if (kpt_frame_push(tap->probe, regs)) {
		if (tap->role == KPT_ROLE_HOOK)
			kpt_arch_replace_return(regs);
		return;
	}
	/* Nobody will see the return, unless its instruction is probed. */
	for (t = tap; t < end && t->probe == tap->probe; t++)
		if (tap->role == KPT_ROLE_HOOK)
			tap_missed(t);
}

/* A return instruction is reached. */
static void tap_return(const struct kpt_tap *tap, struct hit *hit)
{
	if (!tap->probe->needs_frame) {
		tap_hit(tap, hit);
		return;
	}
	/* Taps of one probe stand together and share the frame. */
	if (tap->counted) {
		if (hit->frame)
			kpt_frame_free(hit->frame);
		hit->frame = kpt_frame_pop(tap->probe, hit->regs->sp);
	}
	if (hit->frame)
		tap_hit(tap, hit);
	else
		tap_missed(tap);
}

void kpt_hit(struct kpt_arch_point *ap, struct pt_regs *regs)
{
	struct kpt_point *point = container_of(ap, struct kpt_point, arch);
	/* Freed only after kpt_arch_quiesce(), which waits for this handler. */
	const struct kpt_taps *taps = rcu_dereference_raw(point->taps);
	struct hit hit = {
		.regs = regs,
		.preempt = preempt_count() - kpt_arch_preempt_bias,
	};
	const struct kpt_tap *tap;

	if (unlikely(!taps))
		return;
	kpt_cmdline_note();
	for (tap = taps->tap; tap < taps->tap + taps->nr; tap++) {
		switch (tap->role) {
		case KPT_ROLE_HIT:
			hit.is_return = false;
			tap_hit(tap, &hit);
			break;
		case KPT_ROLE_ENTRY:
		case KPT_ROLE_HOOK:
			tap_entry(taps, tap, regs);
			break;
		case KPT_ROLE_RETURN:
			hit.is_return = true;
			hit.ret_ip = kpt_frame_true_return(
				kpt_arch_return_address(regs));
			tap_return(tap, &hit);
			break;
		default:
			break;
		}
	}
	if (hit.frame)
		kpt_frame_free(hit.frame);
}

/* The taps of the probe whose frame it is, at the function's entry. */
static void record_return(struct hit *hit, struct kpt_probe *probe)
{
	const struct kpt_taps *taps =
		rcu_dereference_raw(probe->site[0].point->taps);
	unsigned int i;

	for (i = 0; taps && i < taps->nr; i++)
		if (taps->tap[i].probe == probe)
			tap_hit(&taps->tap[i], hit);
}

unsigned long kpt_hit_return(struct pt_regs *regs)
{
	struct kpt_frame *frame = kpt_frame_pop(NULL, regs->sp);
	struct hit hit = {
		.regs = regs,
		.preempt = preempt_count(),
		.frame = frame,
		.is_return = true,
	};
	unsigned long ret = frame->ret;

	hit.ret_ip = kpt_frame_true_return(ret);
	regs->pc = ret;
	regs->regs[30] = ret;
	/* Where RCU does not watch this CPU, nobody waits for us. */
	if (frame->probe && rcu_is_watching()) {
		kpt_cmdline_note();
		record_return(&hit, frame->probe);
	}
	kpt_frame_free(frame);
	return ret;
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
			tap_missed(tap);
	}
}
