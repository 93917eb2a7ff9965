// SPDX-License-Identifier: GPL-2.0-only
/* Hist triggers at hits: count, run actions, wake pollers. BRK context. */
#include <linux/wait.h>
#include "event/snapshot.h"
#include "kernel/bell.h"
#include "kernel/cpu.h"
#include "kernel/scratch.h"
#include "parts/hist/hist_hit.h"
#include "parts/hist/hist_trigger.h"
#include "trigger/ops.h"
#include "parts/hist/synth_make.h"

DECLARE_WAIT_QUEUE_HEAD(kpt_hist_wait);

static void hist_wake_pollers(struct kpt_bell *bell)
{
	wake_up_all(&kpt_hist_wait);
}

static struct kpt_bell hist_wake = KPT_BELL_INIT(hist_wake_pollers);

/**
 * kpt_trigger_hist_exit() - wait for the wake-ups that hist triggers have asked for
 *
 * Context: process context, sleeps; all triggers are freed.
 */
void kpt_trigger_hist_exit(void)
{
	kpt_bell_sync(&hist_wake);
}

/* The newest mark, see kpt_trigger_hist_mark(). */
static atomic64_t hist_marks;

/**
 * kpt_trigger_hist_mark() - make a mark, to find out later if hits were counted
 *
 * A histogram has counted hits since the mark if its kpt_trigger_map.last is not
 * less than the mark. A count from before the mark is visible to the caller, or is
 * reported as a later one.
 *
 * Context: any.
 * Return: the mark, at least 1.
 */
u64 kpt_trigger_hist_mark(void)
{
	return atomic64_inc_return(&hist_marks); /* A: pairs with B */
}

/**
 * kpt_trigger_hist_last() - find when the histograms of an event counted last
 * @file: the event
 *
 * Context: process context, kpt_mutex held.
 * Return: the mark that was the newest one then; 0 if they have not counted since
 * the first mark.
 */
u64 kpt_trigger_hist_last(const struct kpt_event_file *file)
{
	const struct kpt_trigger *t;
	u64 last = 0;

	list_for_each_entry(t, &file->triggers.list, list)
		if (t->kind == KPT_TRIGGER_HIST)
			last = max(last, READ_ONCE(kpt_trigger_hist_of(t)->shared->last));
	return last;
}

/* Only the first hit after a mark gets here, as a rule. Returns true, for tail calls. */
static noinline bool hist_note_mark(struct kpt_trigger_map *m, u64 last, u64 mark)
{
	u64 old;

	/* Leave it to a hit on another CPU. */
	if (!kpt_irq_work_runs())
		return true;
	do {
		old = last;
		last = cmpxchg(&m->last, old, mark); /* C: pairs with hist_poll() */
	} while (last != old && last < mark);
	if (waitqueue_active(&kpt_hist_wait))
		kpt_bell_ask(&hist_wake);
	return true;
}

/*
 * Note that a map has counted. @last only grows. Only the first hit after a mark
 * wakes pollers: until there is a new mark, poll() finds that @last has reached it.
 * tests/models/hist.pml is a model of A, B and C. Returns true, for tail calls.
 */
static __always_inline bool hist_note(struct kpt_trigger_map *m)
{
	u64 last = READ_ONCE(m->last), mark;

	smp_mb__after_atomic(); /* B: the count, then the mark; pairs with A */
	mark = atomic64_read(&hist_marks);
	return unlikely(last < mark) ? hist_note_mark(m, last, mark) : true;
}

/* Action @i lets value @v have a snapshot taken, if it beats those of other keys, too. */
static void hist_snap(struct kpt_trigger_hist *h, unsigned int i,
		      struct kpt_hist_entry *e, u64 v)
{
	/* Without it kpt_snapshot_request() does nothing: leave it to a hit on another CPU. */
	if (kpt_irq_work_runs() &&
	    kpt_hist_snap(&h->shared->snap[i], &h->hist.action[i], e, v))
		kpt_snapshot_request(h->trigger.file->instance);
}

/* Run action @i. */
static noinline void hist_run_action(struct kpt_trigger_hist *h, unsigned int i,
				     const struct kpt_hist_hit *hh)
{
	const struct kpt_hist_action *a = &h->hist.action[i];
	u64 v;

	if (a->handler != KPT_HIST_ONMATCH &&
	    !kpt_hist_fires(&h->hist, h->shared->map, a, hh, &v))
		return;
	if (a->deed == KPT_HIST_SNAPSHOT)
		hist_snap(h, i, hh->entry, v);
	else if (a->deed == KPT_HIST_TRACE)
		kpt_trigger_synth_make(this_cpu_ptr(h->made[i]), h, a, hh);
}

static noinline void hist_run_actions(struct kpt_trigger_hist *h,
				      const struct kpt_hist_hit *hh)
{
	unsigned int i;

	for (i = 0; i < h->hist.nr_actions; i++)
		hist_run_action(h, i, hh);
}

/*
 * The hit is counted. Run the actions when its record is in the ring, so that those of
 * synthetic events may follow at once. Returns false if some are queued.
 */
static noinline bool hist_run_actions_at_once(struct kpt_trigger_hist *h,
					      const struct kpt_hist_hit *hh)
{
	const struct kpt_hist_action *a = h->hist.action, *end = a + h->hist.nr_actions;

	hist_note(h->shared);
	for (; a < end; a++)
		if (a->handler != KPT_HIST_ONMATCH || !a->only_numbers ||
		    !kpt_trigger_synth_record(h, a, hh))
			hist_run_action(h, a - h->hist.action, hh);
	return !kpt_trigger_has_synth();
}

/**
 * struct hist_pad - what port_scratch() holds while a trigger runs
 * @key: the key; then strings and stacks while they are copied
 * @stack: kpt_hist_hit.stack
 * @var: kpt_hist_hit.var
 * @own: kpt_hist_hit.own
 * @hit: the hit
 */
struct hist_pad {
	u8 key[KPT_HIST_KEY_MAX];
	u64 stack[KPT_HIST_STACK_MAX / sizeof(u64)];
	u64 var[KPT_HIST_REFS_MAX];
	u64 own[KPT_HIST_VARS_MAX];
	struct kpt_hist_hit hit;
};

static __always_inline void hist_set_time(struct kpt_hist_hit *hh,
					  const struct kpt_trigger_hist *h,
					  const struct kpt_hit *hit)
{
	enum kpt_clock clock;

	if (!h->hist.uses_time)
		return;
	clock = READ_ONCE(h->trigger.file->instance->buffer.clock);
	hh->ts = kpt_clock_convert(clock, hit->stamp);
	hh->ts_in_ns = kpt_clock_in_ns(clock);
}

/* What all triggers need of a hit. */
static __always_inline struct hist_pad *hist_pad_init(const struct kpt_trigger_hist *h,
						      const struct kpt_hit *hit)
{
	struct hist_pad *pad = (void *)this_cpu_ptr(kpt_scratch)->work;

	static_assert(sizeof(*pad) <= PORT_SCRATCH_SIZE);
	pad->hit.record = hit->record;
	pad->hit.size = hit->size;
	pad->hit.var = pad->var;
	pad->hit.own = pad->own;
	hist_set_time(&pad->hit, h, hit);
	return pad;
}

/* The hit is counted. Actions run by a tail call, to save stack. */
static __always_inline void hist_counted(struct kpt_trigger_hist *h, struct hist_pad *pad)
{
	hist_note(h->shared);
	if (h->hist.nr_actions)
		hist_run_actions(h, &pad->hit);
}

/* Count a hit of any trigger. */
static noinline void hist_run_any(struct kpt_trigger_hist *h, struct kpt_hist_map *map,
				  const struct kpt_hit *hit)
{
	struct hist_pad *pad = hist_pad_init(h, hit);

	pad->hit.cpu = smp_processor_id();
	pad->hit.stack = pad->stack;
	if (h->hist.uses_stack)
		pad->stack[0] = kpt_trigger_stack_collect(hit, pad->stack + 1,
						ARRAY_SIZE(pad->stack) - 1);
	if (h->hist.is_related ? kpt_hist_add_related(&h->hist, map, &pad->hit) :
				 kpt_hist_add(&h->hist, map, &pad->hit))
		hist_counted(h, pad);
}

/* Count a hit of a trigger whose variables are numbers. */
static noinline void hist_run_numbers(struct kpt_trigger_hist *h, struct kpt_hist_map *map,
				      const struct kpt_hit *hit)
{
	struct hist_pad *pad = hist_pad_init(h, hit);

	if (likely(kpt_hist_add_numbers(&h->hist, map, &pad->hit)))
		hist_counted(h, pad);
}

/* Count a hit of a trigger that needs no call for that, as a rule. */
static noinline void hist_run_leaf(struct kpt_trigger_hist *h, struct kpt_hist_map *map,
				   const struct kpt_hit *hit)
{
	struct hist_pad *pad = hist_pad_init(h, hit);

	switch (kpt_hist_add_leaf(&h->hist, map, &pad->hit, (u64 *)pad->key, (void *)pad->stack,
				  false)) {
	case KPT_HIST_COUNTED:
		hist_counted(h, pad);
		break;
	case KPT_HIST_UNMATCHED:
		break;
	default:
		if (h->hist.is_numeric)
			hist_run_numbers(h, map, hit);
		else
			hist_run_any(h, map, hit);
	}
}

/* The map that a trigger counts in; NULL if hits do not count. */
static __always_inline struct kpt_hist_map *hist_live_map(const struct kpt_trigger_hist *h)
{
	/* Pairs with hist_map_clear(): the map is empty when it is back. */
	struct kpt_hist_map *map = smp_load_acquire(&h->shared->live);

	return likely(!READ_ONCE(h->paused)) ? map : NULL;
}

/* Needs no stack frame for the commonest triggers; for others it makes a tail call. */
static __always_inline void hist_run(struct kpt_trigger *t, const struct kpt_hit *hit)
{
	struct kpt_trigger_hist *h = kpt_trigger_hist_of(t);
	struct kpt_hist_map *map = hist_live_map(h);

	if (unlikely(!map))
		return;
	if (likely(h->hist.is_quick && kpt_hist_add_quick(&h->hist, map, hit->record)))
		hist_note(h->shared);
	else if (likely(h->hist.is_leaf))
		hist_run_leaf(h, map, hit);
	else if (h->hist.is_numeric)
		hist_run_numbers(h, map, hit);
	else
		hist_run_any(h, map, hit);
}

/**
 * kpt_trigger_hist_run() - count a hit
 * @t: a hist trigger
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_trigger_hist_run(struct kpt_trigger *t,
			  const struct kpt_hit *hit)
{
	hist_run(t, hit);
}

/* The general way; @near: for kpt_ring_stamp() */
static noinline bool hist_run_other(struct kpt_trigger_hist *h, void *record, u64 near)
{
	struct kpt_hit hit;

	hit.regs = NULL;
	hit.call = NULL;
	hit.caller = 0;
	hit.record = record;
	hit.size = kpt_ring_size(record);
	hit.stamp = kpt_ring_stamp(record, near);
	hist_run(&h->trigger, &hit);
	return !kpt_trigger_has_synth();
}

/* kpt_hist_add_leaf() has counted a hit. */
static __always_inline bool hist_leaf_counted(struct kpt_trigger_hist *h, struct hist_pad *pad,
				     const struct kpt_hist_hit *hit)
{
	if (!h->hist.nr_actions)
		return hist_note(h->shared);
	pad->hit.record = hit->record;
	pad->hit.size = kpt_ring_size(hit->record);
	pad->hit.ts = hit->ts;
	pad->hit.ts_in_ns = true;
	pad->hit.entry = hit->entry;
	pad->hit.own = hit->own;
	pad->hit.var = hit->var;
	return hist_run_actions_at_once(h, &pad->hit);
}

/*
 * Run a histogram that is_leaf. All calls are tail calls, so those that are @plain need no stack
 * frame. Returns false if kpt_trigger_has_synth().
 */
static __always_inline bool hist_run_recorded_leaf(struct kpt_trigger_hist *h,
						   struct kpt_hist_map *map, void *record,
						   const bool plain)
{
	struct hist_pad *pad = (void *)this_cpu_ptr(kpt_scratch)->work;
	struct kpt_hist_hit hit;

	hit.record = record;
	/* What is plain has numbers alone, which any record has. */
	hit.size = plain ? 0 : kpt_ring_size(record);
	hit.ts = 0;
	hit.var = pad->var;
	hit.own = pad->own;
	/* As if its low bits were the whole time: of others it says that they are not new. */
	if (h->hist.uses_time && !kpt_clock_convert_new(kpt_ring_stamp(record, 0), &hit.ts))
		return hist_run_other(h, record, kpt_clock_recent());
	switch (kpt_hist_add_leaf(&h->hist, map, &hit, (u64 *)pad->key, (void *)pad->stack,
				  plain)) {
	case KPT_HIST_COUNTED:
		return hist_leaf_counted(h, pad, &hit);
	case KPT_HIST_UNMATCHED:
		return true;
	default:
		return hist_run_other(h, record, kpt_clock_recent());
	}
}

static noinline bool hist_run_recorded_words(struct kpt_trigger_hist *h, struct kpt_hist_map *map,
					     void *record)
{
	return hist_run_recorded_leaf(h, map, record, false);
}

static __always_inline bool hist_run_recorded(struct kpt_trigger_hist *h, void *record)
{
	struct kpt_hist_map *map = hist_live_map(h);

	if (unlikely(!map))
		return true;
	if (h->hist.is_quick && likely(kpt_hist_add_quick(&h->hist, map, record)))
		return hist_note(h->shared);
	if (likely(h->hist.is_plain))
		return hist_run_recorded_leaf(h, map, record, true);
	if (h->hist.is_leaf)
		return hist_run_recorded_words(h, map, record);
	return hist_run_other(h, record, kpt_clock_recent());
}

/**
 * kpt_hit_recorded() - let a histogram count a hit when a stub has made its record
 * @trigger: the struct kpt_trigger_hist, one that needs no registers
 * @record: the record, behind a struct kpt_ring_header, whose time is the counter; or which
 *	has no time, if the histogram does not want it
 *
 * Context: BRK.
 * Return: true; or false if kpt_trigger_has_synth().
 */
bool kpt_hit_recorded(void *trigger, void *record)
{
	return hist_run_recorded(trigger, record);
}

/**
 * kpt_hit_recorded_slow() - the same if the clock of the ring is not the counter
 * @trigger: as for kpt_hit_recorded()
 * @record: the record
 *
 * Context: BRK.
 * Return: as kpt_hit_recorded().
 */
bool kpt_hit_recorded_slow(void *trigger, void *record)
{
	struct kpt_trigger_hist *h = trigger;
	const struct kpt_buffer *buf = &h->trigger.file->instance->buffer;

	return hist_run_other(h, record, kpt_ring_near(&this_cpu_ptr(buf->cpu)->ring));
}

/**
 * kpt_hit_marked() - note that a stub has counted a hit in a histogram
 * @trigger: as for kpt_hit_recorded()
 * @record: the record
 *
 * Context: BRK.
 * Return: true.
 */
bool kpt_hit_marked(void *trigger, void *record)
{
	return hist_note(((struct kpt_trigger_hist *)trigger)->shared);
}

/*
 * How recorders count.
 */

static const u8 code_of[] = {
	[KPT_HIST_NUMBER] = KPT_ARCH_HIST_LOAD,
	[KPT_HIST_CONST] = KPT_ARCH_HIST_CONST,
	[KPT_HIST_CPU] = KPT_ARCH_HIST_CPU,
	[KPT_HIST_TO_LOG2] = KPT_ARCH_HIST_LOG2,
	[KPT_HIST_TO_BUCKET] = KPT_ARCH_HIST_BUCKET,
	[KPT_HIST_NEGATE] = KPT_ARCH_HIST_NEGATE,
	[KPT_HIST_PLUS] = KPT_ARCH_HIST_PLUS,
	[KPT_HIST_MINUS] = KPT_ARCH_HIST_MINUS,
	[KPT_HIST_TIMES] = KPT_ARCH_HIST_TIMES,
	[KPT_HIST_DIVIDE] = KPT_ARCH_HIST_DIVIDE,
};

static bool code_add(struct kpt_arch_hist *code, const struct kpt_arch_hist_op *op)
{
	if (code->nr == ARRAY_SIZE(code->op))
		return false;
	code->op[code->nr++] = *op;
	return true;
}

/* Add a key that is a string or a stack. */
static bool code_add_text(struct kpt_arch_hist *code, const struct kpt_hist_field *f)
{
	struct kpt_arch_hist_op to = { .code = KPT_ARCH_HIST_COMM, .key = f->key_offset };

	if (f->op->code == KPT_HIST_TEXT) {
		to.code = KPT_ARCH_HIST_TEXT;
		to.offset = f->op->ref.offset;
	}
	if (f->op->code == KPT_HIST_STACK)
		to.code = KPT_ARCH_HIST_STACK;
	return (f->op->code == KPT_HIST_COMM || f->op->code == KPT_HIST_STACK ||
		(f->op->code == KPT_HIST_TEXT && f->op->ref.kind == KPT_FIELD_TEXT)) &&
	       code_add(code, &to);
}

/* Add the program of a number, and what becomes of it. Returns false if it is not for code. */
static bool code_add_number(struct kpt_arch_hist *code, const struct kpt_hist_field *f,
			    enum kpt_arch_hist_code what)
{
	const struct kpt_hist_op *op = f->op, *end = op + f->nr_ops;
	struct kpt_arch_hist_op to;

	for (; op < end; op++) {
		if (!kpt_hist_is_number(f) || op->code == KPT_HIST_TIME ||
		    op->code == KPT_HIST_TASK || op->code == KPT_HIST_VAR ||
		    op->code == KPT_HIST_OWN)
			return false;
		to = (struct kpt_arch_hist_op){ .code = code_of[op->code] };
		if (op->code == KPT_HIST_NUMBER) {
			to.is_signed = op->ref.is_signed;
			to.size = op->ref.size;
			to.offset = op->ref.offset;
		} else {
			to.number = op->number;
		}
		if (!code_add(code, &to))
			return false;
	}
	to = (struct kpt_arch_hist_op){ .code = what, .key = f->key_offset };
	return code_add(code, &to);
}

static bool code_add_fields(struct kpt_arch_hist *code, const struct kpt_hist *hist)
{
	unsigned int i;

	if (hist->nr_vars || hist->nr_refs || hist->nr_actions)
		return false;
	for (i = 0; i < hist->nr_keys; i++)
		if (!code_add_text(code, &hist->key[i]) &&
		    !code_add_number(code, &hist->key[i], KPT_ARCH_HIST_KEY))
			return false;
	code->nr_keys = code->nr;
	for (i = 1; i < hist->nr_vals; i++)
		if (!code_add_number(code, &hist->val[i], KPT_ARCH_HIST_SUM))
			return false;
	return true;
}

/**
 * kpt_trigger_hist_code() - find out how recorders count in a histogram
 * @h: the histogram, which has its map; @h->code is set
 *
 * Context: process context.
 */
void kpt_trigger_hist_code(struct kpt_trigger_hist *h)
{
	struct kpt_trigger_map *m = h->shared;
	unsigned int i;

	BUILD_BUG_ON(KPT_HIST_KEYS_MAX > 3);
	h->code = (struct kpt_arch_hist){
		.trigger = h,
		.wants_time = h->hist.uses_time,
		.paused = &h->paused,
		.live = (void *const *)&m->live,
		.last = &m->last,
		.mark = &hist_marks,
		.entries = kpt_hist_map_entry(m->map, 0),
		.entry_size = m->map->entry_size,
		.slots = offsetof(struct kpt_hist_map, slot),
		.shift = m->map->shift,
		.key = offsetof(struct kpt_hist_entry, key),
		.sum = offsetof(struct kpt_hist_entry, sum),
	};
	for (i = 0; i < h->hist.nr_actions; i++)
		h->code.makes_events |= h->hist.action[i].deed == KPT_HIST_TRACE;
	if (!code_add_fields(&h->code, &h->hist))
		h->code.nr = h->code.nr_keys = 0;
}
