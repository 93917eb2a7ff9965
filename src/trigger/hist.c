// SPDX-License-Identifier: GPL-2.0-only
/* Hist triggers: made, paused, continued, cleared, removed; and run by hits. */
#include <linux/irq_work.h>
#include <linux/oom.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>
#include "event/filter.h"
#include "trigger/trigger.h"

DECLARE_WAIT_QUEUE_HEAD(kpt_hist_wait);

static void wake_pollers(struct irq_work *work)
{
	wake_up_all(&kpt_hist_wait);
}

static DEFINE_IRQ_WORK(wake, wake_pollers);

/**
 * kpt_trigger_hist_exit() - wait for what hits of hist triggers have begun
 *
 * Context: process context, sleeps; no trigger is left.
 */
void kpt_trigger_hist_exit(void)
{
	irq_work_sync(&wake);
}

/* Those with a name, which triggers of any event may join. */
static LIST_HEAD(named_maps);

/**
 * kpt_trigger_hist_run() - count a hit
 * @t: a hist trigger
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_trigger_hist_run(const struct kpt_trigger *t,
			  const struct kpt_trigger_hit *hit)
{
	const struct kpt_trigger_hist *h = t->hist;
	enum kpt_clock clock = t->file->instance->buffer.clock;
	struct kpt_hist_hit hh = {
		.record = hit->record,
		.size = hit->size,
		.cpu = smp_processor_id(),
		.ts_in_ns = kpt_clock_in_ns(clock),
	};

	/* Acquire pairs with clear_map(): the map is empty when off ends. */
	if (READ_ONCE(h->paused) || smp_load_acquire(&h->shared->off))
		return;
	if (h->hist.uses_time)
		hh.ts = kpt_clock_convert(clock, kpt_clock_stamp(clock));
	kpt_hist_add(&h->hist, h->shared->map, &hh);
	/* pairs: hist_poll(), which lets all hits end before it looks */
	if (unlikely(waitqueue_active(&kpt_hist_wait)))
		irq_work_queue(&wake);
}

/*
 * Maps.
 */

static struct kpt_trigger_map *find_map(const char *name)
{
	struct kpt_trigger_map *m;

	if (*name)
		list_for_each_entry(m, &named_maps, list)
			if (!strcmp(m->hist.name, name))
				return m;
	return NULL;
}

/* What others would have to be killed for is refused, as it is for rings. */
static void *alloc_map(size_t size)
{
	void *map = NULL;

	if (kpt_buffer_affordable(DIV_ROUND_UP(size, PAGE_SIZE))) {
		set_current_oom_origin();
		map = __vmalloc(size, GFP_KERNEL | __GFP_NOWARN);
		clear_current_oom_origin();
	}
	return map;
}

static struct kpt_trigger_map *make_map(const struct kpt_hist *hist)
{
	struct kpt_trigger_map *m;

	m = kzalloc(sizeof(*m), GFP_KERNEL);
	if (!m)
		return NULL;
	m->map = alloc_map(kpt_hist_map_size(hist));
	if (!m->map) {
		kfree(m);
		return NULL;
	}
	m->hist = *hist;
	kpt_hist_map_init(m->map, hist);
	INIT_LIST_HEAD(&m->list);
	if (*hist->name)
		list_add_tail(&m->list, &named_maps);
	return m;
}

static void put_map(struct kpt_trigger_map *m)
{
	if (--m->refs)
		return;
	list_del(&m->list);
	vfree(m->map);
	kfree(m);
}

/* What hits meanwhile is not counted. */
static void clear_map(struct kpt_trigger_map *m)
{
	WRITE_ONCE(m->off, true);
	/* Hits run with interrupts masked: none adds to it after this. */
	kpt_arch_quiesce();
	kpt_hist_map_init(m->map, &m->hist);
	smp_store_release(&m->off, false); /* pairs: kpt_trigger_hist_run() */
}

static int join_map(struct kpt_trigger_hist *h, struct kpt_trigger_map *m)
{
	if (!m)
		m = make_map(&h->hist);
	if (!m)
		return -ENOMEM;
	m->refs++;
	h->shared = m;
	h->hist.bits = m->hist.bits;
	return 0;
}

/**
 * kpt_trigger_hist_free() - free what a hist trigger has besides
 * @h: that, or NULL
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_trigger_hist_free(struct kpt_trigger_hist *h)
{
	if (!h)
		return;
	if (h->shared)
		put_map(h->shared);
	kfree(h);
}

/*
 * Commands.
 */

static void log_mistake(const struct kpt_event_file *file, const char *text,
			const struct kpt_diag *diag)
{
	const struct kpt_event *event = file->event;
	char *loc, *command;

	loc = kasprintf(GFP_KERNEL, "hist:%s:%s", event->group, event->name);
	command = kasprintf(GFP_KERNEL, "hist:%s", text);
	if (loc && command && diag->code)
		kpt_errlog_add(&file->instance->errlog, loc, command, diag);
	kfree(loc);
	kfree(command);
}

/* A mistake at the value behind "word=", or at the beginning. */
static int fail(const struct kpt_event_file *file, const char *text,
		enum kpt_diag_code code, const char *word, int err)
{
	const char *at = word ? strstr(text, word) : NULL;
	struct kpt_diag diag;
	unsigned int column = 0;

	if (at)
		column = strlen("hist:") + (at - text) + strlen(word);
	kpt_diag_set(&diag, code, column, err);
	log_mistake(file, text, &diag);
	return err;
}

/* Its clock becomes that of the instance, as in mainline. */
static int set_clock(const struct kpt_trigger *t, const char *text)
{
	struct kpt_instance *instance = t->file->instance;
	const struct kpt_hist *hist = &t->hist->hist;
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
	return fail(t->file, text, KPT_E_HIST_SET_CLOCK_FAIL, "clock=",
		    -EINVAL);
}

static bool same_filter(const struct kpt_trigger *a,
			const struct kpt_trigger *b)
{
	if (!a->filter || !b->filter)
		return a->filter == b->filter;
	return !strcmp(a->filter->text, b->filter->text);
}

/* The trigger of the event that @t describes. */
static struct kpt_trigger *find_same(const struct kpt_trigger *t)
{
	const struct kpt_hist *hist = &t->hist->hist;
	struct kpt_trigger *old;

	list_for_each_entry(old, &t->file->triggers, list)
		if (old->kind == KPT_TRIGGER_HIST && same_filter(old, t) &&
		    !strcmp(old->hist->hist.name, hist->name) &&
		    kpt_hist_same(&old->hist->hist, hist))
			return old;
	return NULL;
}

/* It is there already: then the text may ask to change it. */
static int change(struct kpt_trigger *old, const struct kpt_hist *asked,
		  const char *text)
{
	if (asked->pause)
		WRITE_ONCE(old->hist->paused, true);
	else if (asked->cont)
		WRITE_ONCE(old->hist->paused, false);
	else if (asked->clear)
		clear_map(old->hist->shared);
	else
		return fail(old->file, text, KPT_E_HIST_TRIGGER_EEXIST, NULL,
			    -EEXIST);
	return 0;
}

static int add(struct kpt_trigger *t, const char *text)
{
	struct kpt_trigger_hist *h = t->hist;
	struct kpt_trigger_map *m = find_map(h->hist.name);
	int err;

	if (m && !kpt_hist_same(&m->hist, &h->hist))
		return fail(t->file, text, KPT_E_HIST_NAMED_MISMATCH, "name=",
			    -EINVAL);
	if (h->hist.cont || h->hist.clear)
		return fail(t->file, text, KPT_E_HIST_TRIGGER_ENOENT_CLEAR,
			    NULL, -ENOENT);
	h->paused = h->hist.pause;
	err = set_clock(t, text);
	if (!err)
		err = join_map(h, m);
	return err ?: kpt_trigger_publish(t);
}

/* Takes the text apart; the trigger is complete but for its map. */
static int describe(struct kpt_trigger *t, const char *text)
{
	struct kpt_diag diag = { 0 };
	const char *filter;
	int err;

	t->kind = KPT_TRIGGER_HIST;
	t->hist = kzalloc(sizeof(*t->hist), GFP_KERNEL);
	if (!t->hist)
		return -ENOMEM;
	err = kpt_hist_parse(&t->hist->hist, text, &filter,
			     t->file->event->fields, &diag);
	if (err) {
		log_mistake(t->file, text, &diag);
		return err;
	}
	return filter ? kpt_trigger_set_filter(t, skip_spaces(filter)) : 0;
}

/**
 * kpt_trigger_hist_command() - obey what was written behind "hist:"
 * @file: the event
 * @text: that
 * @remove: it is to be removed
 *
 * Mistakes go to the instance's error_log.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EINVAL; -ENOENT for one to clear or continue that is not there;
 * -EEXIST; -E2BIG; -ENOMEM.
 */
int kpt_trigger_hist_command(struct kpt_event_file *file, const char *text,
			     bool remove)
{
	struct kpt_trigger *t, *old;
	int err;

	if (!text || !*text)
		return -EINVAL;
	t = kzalloc(sizeof(*t), GFP_KERNEL);
	if (!t)
		return -ENOMEM;
	t->file = file;
	err = describe(t, text);
	if (err)
		goto out;
	old = find_same(t);
	if (remove) {
		err = old ? kpt_trigger_remove(old) : 0;
	} else if (old) {
		err = change(old, &t->hist->hist, text);
	} else {
		err = add(t, text);
		if (!err)
			return 0;
	}
out:
	kpt_trigger_free(t);
	return err;
}
