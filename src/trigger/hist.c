// SPDX-License-Identifier: GPL-2.0-only
/* Hist triggers: make, pause, continue, clear, remove; and run for hits. */
#include <linux/irq_work.h>
#include <linux/oom.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>
#include "event/filter.h"
#include "trigger/hist.h"
#include "trigger/ops.h"

DECLARE_WAIT_QUEUE_HEAD(kpt_hist_wait);

static void hist_wake_pollers(struct irq_work *work)
{
	wake_up_all(&kpt_hist_wait);
}

static DEFINE_IRQ_WORK(hist_wake, hist_wake_pollers);

/**
 * kpt_trigger_hist_exit() - wait for the wake-ups that hist triggers have queued
 *
 * Context: process context, sleeps; all triggers are freed.
 */
void kpt_trigger_hist_exit(void)
{
	irq_work_sync(&hist_wake);
}

/* The maps with a name, which triggers of any event may share. */
static LIST_HEAD(named_maps);

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

	list_for_each_entry(t, &file->triggers, list)
		if (t->kind == KPT_TRIGGER_HIST)
			last = max(last, READ_ONCE(kpt_trigger_hist_of(t)->shared->last));
	return last;
}

/*
 * Note that a map has counted. @last only grows. Only the first hit after a mark
 * wakes pollers: until there is a new mark, poll() finds that @last has reached it.
 * tests/models/hist.pml is a model of A, B and C.
 */
static void hist_note(struct kpt_trigger_map *m)
{
	u64 last = READ_ONCE(m->last), mark, old;

	smp_mb__after_atomic(); /* B: the count, then the mark; pairs with A */
	mark = atomic64_read(&hist_marks);
	if (likely(last >= mark))
		return;
	do {
		old = last;
		last = cmpxchg(&m->last, old, mark); /* C: pairs with hist_poll() */
	} while (last != old && last < mark);
	if (waitqueue_active(&kpt_hist_wait))
		irq_work_queue(&hist_wake);
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
	const struct kpt_trigger_hist *h = kpt_trigger_hist_of(t);
	enum kpt_clock clock = READ_ONCE(t->file->instance->buffer.clock);
	struct kpt_hist_hit hh = {
		.record = hit->record,
		.size = hit->size,
		.cpu = smp_processor_id(),
		.ts_in_ns = kpt_clock_in_ns(clock),
	};

	/* Acquire pairs with hist_map_clear(): the map is empty when off ends. */
	if (READ_ONCE(h->paused) || smp_load_acquire(&h->shared->off))
		return;
	if (h->hist.uses_time)
		hh.ts = kpt_clock_convert(clock, kpt_clock_stamp(clock));
	if (kpt_hist_add(&h->hist, h->shared->map, &hh))
		hist_note(h->shared);
}

/*
 * Maps.
 */

static struct kpt_trigger_map *hist_map_find(const char *name)
{
	struct kpt_trigger_map *m;

	if (*name)
		list_for_each_entry(m, &named_maps, list)
			if (!strcmp(m->hist.name, name))
				return m;
	return NULL;
}

/* Refuse a size that would wake the OOM killer, as for rings. */
static void *hist_map_alloc(size_t size)
{
	void *map = NULL;

	if (kpt_buffer_affordable(DIV_ROUND_UP(size, PAGE_SIZE))) {
		set_current_oom_origin();
		map = __vmalloc(size, GFP_KERNEL | __GFP_NOWARN);
		clear_current_oom_origin();
	}
	return map;
}

static struct kpt_trigger_map *hist_map_make(const struct kpt_hist *hist)
{
	struct kpt_trigger_map *m;

	m = kzalloc(sizeof(*m), GFP_KERNEL);
	if (!m)
		return NULL;
	m->map = hist_map_alloc(kpt_hist_map_size(hist));
	if (!m->map) {
		kfree(m);
		return NULL;
	}
	m->hist = *hist;
	m->refs = 1;
	kpt_hist_map_init(m->map, hist);
	INIT_LIST_HEAD(&m->list);
	if (*hist->name)
		list_add_tail(&m->list, &named_maps);
	return m;
}

/**
 * kpt_trigger_map_get() - get a reference of a map
 * @m: the map of a trigger
 *
 * Context: process context, kpt_mutex held.
 * Return: @m.
 */
struct kpt_trigger_map *kpt_trigger_map_get(struct kpt_trigger_map *m)
{
	m->refs++;
	return m;
}

/**
 * kpt_trigger_map_put() - put a reference of a map
 * @m: the map; freed by the last put
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_trigger_map_put(struct kpt_trigger_map *m)
{
	if (--m->refs)
		return;
	vfree(m->map);
	kfree(m);
}

/* Without triggers a map gives up its name, even if a reader still holds it. */
static void hist_map_leave(struct kpt_trigger_map *m)
{
	if (--m->triggers)
		return;
	list_del(&m->list);
	kpt_trigger_map_put(m);
}

/* Hits during this are not counted. */
static void hist_map_clear(struct kpt_trigger_map *m)
{
	WRITE_ONCE(m->off, true);
	WRITE_ONCE(m->clears, m->clears + 1);
	/*
	 * Wait for hits that add to the map: they run with interrupts masked. A
	 * reader that has read a cleared entry finds that @clears has changed.
	 */
	kpt_arch_quiesce();
	kpt_hist_map_init(m->map, &m->hist);
	smp_store_release(&m->off, false); /* pairs: kpt_trigger_hist_run() */
}

static int hist_map_join(struct kpt_trigger_hist *h, struct kpt_trigger_map *m)
{
	if (!m)
		m = hist_map_make(&h->hist);
	if (!m)
		return -ENOMEM;
	m->triggers++;
	h->shared = m;
	h->hist.bits = m->hist.bits;
	return 0;
}

static void hist_free(struct kpt_trigger *t)
{
	struct kpt_trigger_hist *h = kpt_trigger_hist_of(t);

	if (h->shared)
		hist_map_leave(h->shared);
}

/*
 * Commands.
 */

static void hist_log(const struct kpt_event_file *file, const char *text,
		     const struct kpt_diag *diag)
{
	const struct kpt_event *event = file->event;
	char *loc, *command;

	loc = kasprintf(GFP_KERNEL, "hist:%s:%s", event->group, event->name);
	command = kasprintf(GFP_KERNEL, "hist:%s", text);
	if (loc && command)
		kpt_errlog_add(&file->instance->errlog, loc, command, diag);
	kfree(loc);
	kfree(command);
}

/* Note a mistake at the value after @word, which ends in "=", or at the start. */
static int hist_refuse(const struct kpt_trigger_request *r,
		       enum kpt_diag_code code, const char *word, int err)
{
	const char *at = word ? strstr(r->text, word) : NULL;
	struct kpt_diag diag;
	unsigned int column = 0;

	if (at)
		column = strlen("hist:") + (at - r->text) + strlen(word);
	kpt_diag_set(&diag, code, column, err);
	hist_log(r->file, r->text, &diag);
	return err;
}

static int hist_parse(struct kpt_trigger *t, struct kpt_trigger_request *r)
{
	struct kpt_diag diag = { 0 };
	const char *filter;
	int err;

	if (!r->text || !*r->text)
		return kpt_trigger_refuse(r, KPT_E_HIST_NO_KEYS, NULL, -EINVAL);
	err = kpt_hist_parse(&kpt_trigger_hist_of(t)->hist, r->text, &filter,
			     r->file->event->fields, &diag);
	if (err)
		hist_log(r->file, r->text, &diag);
	else if (filter)
		r->filter = skip_spaces(filter);
	r->params = NULL;
	return err;
}

/* Do two triggers of an event ask for the same histogram? */
static bool hist_same(const struct kpt_trigger *a, const struct kpt_trigger *b)
{
	const struct kpt_hist *ha = &kpt_trigger_hist_of(a)->hist;
	const struct kpt_hist *hb = &kpt_trigger_hist_of(b)->hist;

	if (!a->filter || !b->filter ? a->filter != b->filter :
	    strcmp(a->filter->text, b->filter->text))
		return false;
	return !strcmp(ha->name, hb->name) && kpt_hist_same(ha, hb);
}

/* The event has this trigger already: pause, continue or clear it, or refuse. */
static int hist_again(struct kpt_trigger *old, const struct kpt_trigger *t,
		      const struct kpt_trigger_request *r)
{
	const struct kpt_hist *asked = &kpt_trigger_hist_of(t)->hist;
	struct kpt_trigger_hist *h = kpt_trigger_hist_of(old);

	if (asked->pause)
		WRITE_ONCE(h->paused, true);
	else if (asked->cont)
		WRITE_ONCE(h->paused, false);
	else if (asked->clear)
		hist_map_clear(h->shared);
	else
		return hist_refuse(r, KPT_E_HIST_TRIGGER_EEXIST, NULL, -EEXIST);
	return 0;
}

/* The clock of a trigger becomes that of its instance, as in mainline. */
static int hist_set_clock(const struct kpt_trigger *t,
			  const struct kpt_trigger_request *r)
{
	const struct kpt_hist *hist = &kpt_trigger_hist_of(t)->hist;
	struct kpt_instance *instance = t->file->instance;
	int i;

	if (!hist->uses_time)
		return 0;
	for (i = 0; i < KPT_NR_CLOCKS; i++) {
		if (!kpt_clock_name(i) || strcmp(kpt_clock_name(i), hist->clock))
			continue;
		if (instance->buffer.clock != i)
			kpt_instance_set_clock(instance, i);
		return 0;
	}
	return hist_refuse(r, KPT_E_HIST_SET_CLOCK_FAIL, "clock=", -EINVAL);
}

static int hist_prepare(struct kpt_trigger *t,
			const struct kpt_trigger_request *r)
{
	struct kpt_trigger_hist *h = kpt_trigger_hist_of(t);
	struct kpt_trigger_map *m = hist_map_find(h->hist.name);
	int err;

	if (m && !kpt_hist_same(&m->hist, &h->hist))
		return hist_refuse(r, KPT_E_HIST_NAMED_MISMATCH, "name=",
				   -EINVAL);
	if (h->hist.cont || h->hist.clear)
		return hist_refuse(r, KPT_E_HIST_TRIGGER_ENOENT_CLEAR, NULL,
				   -ENOENT);
	h->paused = h->hist.pause;
	err = hist_set_clock(t, r);
	return err ?: hist_map_join(h, m);
}

static void hist_show(struct kpt_strbuf *sb, const struct kpt_trigger *t)
{
	const struct kpt_trigger_hist *h = kpt_trigger_hist_of(t);

	kpt_hist_show_trigger(sb, &h->hist, t->filter ? t->filter->text : NULL,
			      h->paused);
}

const struct kpt_trigger_ops kpt_trigger_hist_ops = {
	.name = "hist",
	.family = KPT_TRIGGER_HIST,
	.size = sizeof(struct kpt_trigger_hist),
	.is_hist = true,
	.parse = hist_parse,
	.same = hist_same,
	.again = hist_again,
	.prepare = hist_prepare,
	.show = hist_show,
	.free = hist_free,
};
