// SPDX-License-Identifier: GPL-2.0-only
/* Hist triggers: make, pause, continue, clear, remove. hist_run.c runs them for hits. */
#include <linux/mm.h>
#include <linux/oom.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "event/instance_clock.h"
#include "event/event_filter.h"
#include "event/declared.h"
#include "event/similar_event.h"
#include "lib/base/similar.h"
#include "parts/hist/synthetic.h"
#include "kernel/ksyms.h"
#include "parts/hist/hist_trigger.h"
#include "trigger/ops.h"
#include "parts/hist/synth_make.h"

/*
 * Maps.
 */

/* The maps with a name, which triggers of any event may share. */
static LIST_HEAD(named_maps);

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
		map = kpt_vmalloc(size, GFP_KERNEL | __GFP_NOWARN);
		clear_current_oom_origin();
	}
	return map;
}

static struct kpt_trigger_map *hist_map_make(const struct kpt_hist *hist)
{
	struct kpt_trigger_map *m;

	m = kvzalloc(sizeof(*m), GFP_KERNEL);
	if (!m)
		return NULL;
	m->map = hist_map_alloc(kpt_hist_map_size(hist));
	if (!m->map) {
		kvfree(m);
		return NULL;
	}
	m->hist = *hist;
	refcount_set(&m->refs, 1);
	kpt_hist_map_init(m->map, hist);
	m->live = m->map;
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
	refcount_inc(&m->refs);
	return m;
}

/**
 * kpt_trigger_map_put() - put a reference of a map
 * @m: the map; freed by the last put
 *
 * Context: process context, sleeps.
 */
void kpt_trigger_map_put(struct kpt_trigger_map *m)
{
	if (!refcount_dec_and_test(&m->refs))
		return;
	vfree(m->map);
	kvfree(m);
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
	WRITE_ONCE(m->live, NULL);
	WRITE_ONCE(m->clears, m->clears + 1);
	/*
	 * Wait for hits that add to the map: they run with interrupts masked. A
	 * reader that has read a cleared entry finds that @clears has changed.
	 */
	kpt_arch_quiesce();
	kpt_hist_map_init(m->map, &m->hist);
	memset(m->snap, 0, sizeof(m->snap));
	smp_store_release(&m->live, m->map); /* pairs: hist_live_map() */
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

	unsigned int i;

	for (i = 0; i < h->hist.nr_actions; i++)
		free_percpu(h->made[i]);
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

/* Find @word, which ends in "=" and may be the end of a variable's name, too. */
static const char *hist_find_word(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	while (at && at > text && at[-1] != ':')
		at = strstr(at + 1, word);
	return at;
}

/* Note a mistake at the value after @word, see hist_find_word(), or at the start. */
static int hist_refuse(const struct kpt_trigger_request *r,
		       enum kpt_diag_code code, const char *word, int err)
{
	const char *at = word ? hist_find_word(r->text, word) : NULL;
	struct kpt_diag diag;
	unsigned int column = 0;

	if (at)
		column = strlen("hist:") + (at - r->text) + strlen(word);
	kpt_diag_set(&diag, code, column, err);
	hist_log(r->file, r->text, &diag);
	return err;
}

/*
 * What the text of a trigger may refer to.
 */

/**
 * struct hist_scope - see struct kpt_hist_scope
 * @base: the part that the parser knows
 * @trigger: the trigger
 * @is_removing: the command removes a trigger that has its variables already
 * @is_helper: the command makes one for another trigger, see scope_field_var()
 */
struct hist_scope {
	struct kpt_hist_scope base;
	const struct kpt_trigger *trigger;
	bool is_removing;
	bool is_helper;
};

static const struct hist_scope *scope_of(const struct kpt_hist_scope *base)
{
	return container_of(base, struct hist_scope, base);
}

/* Is @text, of @len characters, "GROUP.EVENT"? NULL is any event. */
static bool scope_is_event(const struct kpt_event *event, const char *text,
			   size_t len)
{
	size_t n = strlen(event->group);

	return !text || (len == n + 1 + strlen(event->name) &&
			 !memcmp(text, event->group, n) && text[n] == '.' &&
			 !memcmp(text + n + 1, event->name, len - n - 1));
}

/* Find a variable of a trigger. */
static bool scope_find_of(const struct kpt_trigger *t, const char *name, size_t len,
			  struct kpt_hist_ref *ref)
{
	struct kpt_trigger_hist *h = kpt_trigger_hist_of(t);
	unsigned int i;

	if (t->kind != KPT_TRIGGER_HIST)
		return false;
	for (i = 0; i < h->hist.nr_vars; i++) {
		if (strlen(h->hist.var[i].name) != len ||
		    memcmp(h->hist.var[i].name, name, len))
			continue;
		ref->owner = h;
		ref->map = h->shared->map;
		ref->hist = &h->hist;
		ref->var = i;
		return true;
	}
	return false;
}

/* Find a variable of an event's triggers. */
static bool scope_find_in(const struct kpt_event_file *file, const char *name,
			  size_t len, struct kpt_hist_ref *ref)
{
	const struct kpt_trigger *t;

	list_for_each_entry(t, &file->triggers.list, list)
		if (scope_find_of(t, name, len, ref))
			return true;
	return false;
}

/* Find a variable that a trigger of the event reads already. */
static bool scope_find_used(const struct kpt_event_file *file, const char *event,
			    size_t event_len, const char *name, size_t len,
			    struct kpt_hist_ref *ref)
{
	const struct kpt_trigger_hist *owner;
	const struct kpt_hist *hist;
	const struct kpt_trigger *t;
	unsigned int i;

	list_for_each_entry(t, &file->triggers.list, list) {
		if (t->kind != KPT_TRIGGER_HIST)
			continue;
		hist = &kpt_trigger_hist_of(t)->hist;
		for (i = 0; i < hist->nr_refs; i++) {
			owner = hist->ref[i].owner;
			if (scope_is_event(owner->trigger.file->event, event, event_len) &&
			    scope_find_of(&owner->trigger, name, len, ref))
				return true;
		}
	}
	return false;
}

static unsigned int scope_find_var(const struct kpt_hist_scope *base,
				   const char *event, size_t event_len,
				   const char *name, size_t len,
				   struct kpt_hist_ref *ref)
{
	const struct hist_scope *scope = scope_of(base);
	const struct kpt_event_file *file = scope->trigger->file;
	const struct kpt_instance *instance = file->instance;
	unsigned int nr = 0;

	/* Since the trigger was made, other events may have got a variable of that name. */
	if (scope->is_removing &&
	    scope_find_used(file, event, event_len, name, len, ref))
		return 1;
	list_for_each_entry(file, &instance->files, instance_link)
		if (scope_is_event(file->event, event, event_len))
			nr += scope_find_in(file, name, len, ref);
	return nr;
}

static bool scope_has_var(const struct kpt_hist_scope *base, const char *name,
			  size_t len)
{
	const struct hist_scope *scope = scope_of(base);
	struct kpt_hist_ref ref;

	return !scope->is_removing && !scope->is_helper &&
	       scope_find_in(scope->trigger->file, name, len, &ref);
}

static void scope_see_vars(const struct kpt_hist_scope *base, const char *event,
			   size_t event_len, struct kpt_similar *s)
{
	const struct kpt_event_file *file = scope_of(base)->trigger->file;
	const struct kpt_instance *instance = file->instance;
	const struct kpt_hist *hist;
	const struct kpt_trigger *t;
	unsigned int i;

	list_for_each_entry(file, &instance->files, instance_link) {
		if (!scope_is_event(file->event, event, event_len))
			continue;
		list_for_each_entry(t, &file->triggers.list, list) {
			if (t->kind != KPT_TRIGGER_HIST)
				continue;
			hist = &kpt_trigger_hist_of(t)->hist;
			for (i = 0; i < hist->nr_vars; i++)
				kpt_similar_see(s, hist->var[i].name);
		}
	}
}

/* The names of GROUP.EVENT, or of a synthetic event. */
struct scope_names {
	char group[KPT_NAME_MAX];
	char event[KPT_NAME_MAX];
};

static bool scope_split(const char *text, size_t len, struct scope_names *names)
{
	const char *dot = memchr(text, '.', len);

	if (!dot || dot - text >= KPT_NAME_MAX || text + len - dot > KPT_NAME_MAX)
		return false;
	strscpy(names->group, text, dot - text + 1);
	strscpy(names->event, dot + 1, text + len - dot);
	return true;
}

/* A static event that nobody has used has no file yet. */
static void scope_use_static(const char *event, size_t len)
{
	struct scope_names names;

	if (scope_split(event, len, &names))
		kpt_declared_use(names.group, names.event);
}

static struct kpt_event_file *scope_find_file(const struct kpt_hist_scope *base,
					      const char *event, size_t len)
{
	const struct kpt_instance *instance = scope_of(base)->trigger->file->instance;
	struct kpt_event_file *file;

	scope_use_static(event, len);
	list_for_each_entry(file, &instance->files, instance_link)
		if (scope_is_event(file->event, event, len))
			return file;
	return NULL;
}

static bool scope_has_event(const struct kpt_hist_scope *base, const char *event,
			    size_t len)
{
	/* The event may have been deleted since the trigger was made. */
	return scope_of(base)->is_removing || scope_find_file(base, event, len);
}

static bool scope_is_own_event(const struct kpt_hist_scope *base, const char *event,
			       size_t len)
{
	return scope_is_event(scope_of(base)->trigger->file->event, event, len);
}

/* Find a histogram of an event with keys of the types of @hist. */
static const struct kpt_trigger *
scope_find_like(const struct kpt_event_file *file, const struct kpt_hist *hist)
{
	const struct kpt_trigger *t;

	list_for_each_entry(t, &file->triggers.list, list)
		if (t->kind == KPT_TRIGGER_HIST &&
		    kpt_hist_same_key_types(&kpt_trigger_hist_of(t)->hist, hist))
			return t;
	return NULL;
}

/*
 * Find variable @name of a trigger with the keys and filter of @like. Triggers of one event
 * have such variables of the same name if their keys differ.
 */
static bool scope_find_helper(const struct kpt_trigger *like, const char *name,
			      struct kpt_hist_ref *ref)
{
	const struct kpt_hist *hist = &kpt_trigger_hist_of(like)->hist;
	const struct kpt_trigger *t;

	list_for_each_entry(t, &like->file->triggers.list, list)
		if (scope_find_of(t, name, strlen(name), ref) &&
		    kpt_hist_same_keys(ref->hist, hist) && kpt_trigger_same_filter(t, like))
			return true;
	return false;
}

/* The command of a trigger with the keys and filter of @like and variable @name. */
static char *scope_helper_text(const struct kpt_trigger *like, const char *name)
{
	const char *filter = like->filter ? like->filter->text : NULL;
	char *keys = kmalloc(SZ_1K, GFP_KERNEL), *text = NULL;
	struct kpt_strbuf sb;

	if (!keys)
		return NULL;
	kpt_strbuf_init(&sb, keys, SZ_1K);
	kpt_hist_show_keys(&sb, &kpt_trigger_hist_of(like)->hist);
	text = kasprintf(GFP_KERNEL, "hist:keys=%s:%s=%s%s%s", keys, name,
			 name + strlen(KPT_HIST_HELPER), filter ? " if " : "",
			 filter ?: "");
	kfree(keys);
	return text;
}

/* Make a variable that keeps a field for the trigger that asks, as mainline does. */
static enum kpt_diag_code
scope_field_var(const struct kpt_hist_scope *base, const struct kpt_hist *hist,
		const char *event, size_t event_len, const char *field, size_t len,
		struct kpt_hist_ref *ref)
{
	struct kpt_event_file *file = scope_find_file(base, event, event_len);
	char name[KPT_HIST_NAME_MAX], *text;
	const struct kpt_trigger *like;
	struct kpt_field_ref found;
	int err;

	if (!file)
		return KPT_E_HIST_EVENT_FILE_NOT_FOUND;
	if (scnprintf(name, sizeof(name), KPT_HIST_HELPER "%.*s", (int)len,
		      field) == sizeof(name) - 1 ||
	    !kpt_field_find(file->event->fields, field, len, &found))
		return KPT_E_HIST_FIELD_NOT_FOUND;
	like = scope_find_like(file, hist);
	if (!like)
		return KPT_E_HIST_HIST_NOT_FOUND;
	if (scope_find_helper(like, name, ref))
		return KPT_E_NONE;
	text = scope_helper_text(like, name);
	err = text ? kpt_trigger_make(file, text, true) : -ENOMEM;
	kfree(text);
	return err || !scope_find_helper(like, name, ref) ? KPT_E_HIST_HIST_CREATE_FAIL :
							    KPT_E_NONE;
}

static const struct kpt_fields *
scope_synth_fields(const struct kpt_hist_scope *base, const char *name, size_t len,
		   void **synth)
{
	struct kpt_synthetic *found = kpt_synthetic_find(name, len);

	*synth = found;
	return found ? found->base.event->fields : NULL;
}

static void scope_tell_event(const struct kpt_hist_scope *base, const char *name, size_t len,
			     struct kpt_diag *diag)
{
	struct scope_names names = { .group = "synthetic" };

	if (!scope_split(name, len, &names))
		strscpy(names.event, name, min(len + 1, sizeof(names.event)));
	kpt_similar_tell_event(names.group, names.event, diag);
}

/* Take or drop what the trigger refers to: variables and synthetic events. */
static void hist_refer(struct kpt_trigger *t, int by)
{
	struct kpt_trigger_hist *h = kpt_trigger_hist_of(t), *owner;
	struct kpt_synthetic *synth;
	unsigned int i;

	for (i = 0; i < h->hist.nr_refs; i++) {
		owner = h->hist.ref[i].owner;
		owner->users += by;
	}
	for (i = 0; i < h->hist.nr_actions; i++) {
		synth = h->hist.action[i].synth;
		if (synth)
			synth->users += by;
	}
}

static bool hist_uses(const struct kpt_trigger *t, const struct kpt_trigger *other)
{
	const struct kpt_hist *hist = &kpt_trigger_hist_of(t)->hist;
	unsigned int i;

	for (i = 0; i < hist->nr_refs; i++)
		if (hist->ref[i].owner == kpt_trigger_hist_of(other))
			return true;
	return false;
}

static bool hist_is_used(const struct kpt_trigger *t)
{
	return kpt_trigger_hist_of(t)->users;
}

static bool hist_is_spare(const struct kpt_trigger *t)
{
	return kpt_trigger_hist_of(t)->is_helper && !hist_is_used(t);
}

/*
 * Note once that hits may lead to hits of an event: kpt_event.slot of each that is reached
 * points to the one that was reached next, that of @last to itself.
 */
static void hist_reach(struct kpt_event *event, struct kpt_event **last)
{
	if (event->slot.hist)
		return;
	if (*last)
		(*last)->slot.hist = event;
	event->slot.hist = event;
	*last = event;
}

static void hist_reach_by(const struct kpt_event_file *file, struct kpt_event **last)
{
	const struct kpt_hist *hist;
	const struct kpt_synthetic *synth;
	const struct kpt_trigger *t;
	unsigned int i;

	list_for_each_entry(t, &file->triggers.list, list) {
		if (t->kind != KPT_TRIGGER_HIST)
			continue;
		hist = &kpt_trigger_hist_of(t)->hist;
		for (i = 0; i < hist->nr_actions; i++) {
			synth = hist->action[i].synth;
			if (synth)
				hist_reach(synth->base.event, last);
		}
	}
}

/* Hits of an event lead to those of events on it, and of triggers of any instance. */
static void hist_reach_next(const struct kpt_event *event, struct kpt_event **last)
{
	const struct kpt_event_file *file;
	const struct kpt_follower *follower;

	list_for_each_entry(follower, &event->followers, list)
		hist_reach(follower->probe->event, last);
	list_for_each_entry(file, &event->files, event_link)
		hist_reach_by(file, last);
}

/*
 * Does a hit of @from lead to hits of @event? Each event is looked at once, and there is
 * no recursion: there may be a thousand of them, with any number of ways.
 */
static bool hist_leads_to(struct kpt_event *from, const struct kpt_event *event)
{
	struct kpt_event *at = NULL, *next = from, *last = NULL;
	bool found = false;

	hist_reach(from, &last);
	while (at != next) {
		at = next;
		found |= at == event;
		hist_reach_next(at, &last);
		next = at->slot.hist;
	}
	for (at = NULL, next = from; at != next; at->slot.hist = NULL) {
		at = next;
		next = at->slot.hist;
	}
	return found;
}

static int hist_parse(struct kpt_trigger *t, struct kpt_trigger_request *r)
{
	const struct hist_scope scope = {
		.base = {
			.find_var = scope_find_var,
			.has_var = scope_has_var,
			.has_event = scope_has_event,
			.is_own_event = scope_is_own_event,
			.field_var = scope_field_var,
			.synth_fields = scope_synth_fields,
			.see_vars = scope_see_vars,
			.tell_event = scope_tell_event,
		},
		.trigger = t,
		.is_removing = r->remove,
		.is_helper = r->is_helper,
	};
	struct kpt_diag diag = { 0 };
	const char *filter;
	int err;

	if (!r->text || !*r->text)
		return kpt_trigger_refuse(r, KPT_E_HIST_NO_KEYS, NULL, -EINVAL);
	err = kpt_hist_parse(&kpt_trigger_hist_of(t)->hist, r->text, &filter,
			     r->file->event->fields, &scope.base, &diag);
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

	return kpt_trigger_same_filter(a, b) && !strcmp(ha->name, hb->name) &&
	       kpt_hist_same(ha, hb);
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
			kpt_instance_set_clock(instance, i, false);
		return 0;
	}
	return hist_refuse(r, KPT_E_HIST_SET_CLOCK_FAIL, "clock=", -EINVAL);
}

static int hist_prepare_action(struct kpt_trigger_hist *h, unsigned int i,
			       const struct kpt_trigger_request *r)
{
	const struct kpt_event_file *file = h->trigger.file;
	const struct kpt_hist_action *a = &h->hist.action[i];
	const struct kpt_synthetic *synth;

	if (a->deed == KPT_HIST_SNAPSHOT)
		return kpt_trigger_arm_snapshot(&h->trigger, r);
	if (a->deed != KPT_HIST_TRACE)
		return 0;
	synth = a->synth;
	if (hist_leads_to(synth->base.event, file->event))
		return hist_refuse(r, KPT_E_HIST_SYNTH_CYCLE, NULL, -EINVAL);
	h->made[i] = kpt_trigger_synth_alloc(synth);
	return h->made[i] ? 0 : -ENOMEM;
}

static int hist_prepare_actions(struct kpt_trigger_hist *h,
				const struct kpt_trigger_request *r)
{
	unsigned int i;
	int err = 0;

	if (h->hist.uses_stack && !kpt_has_stack_walk())
		return hist_refuse(r, KPT_E_NO_STACK_WALK, NULL, -EOPNOTSUPP);
	for (i = 0; !err && i < h->hist.nr_actions; i++)
		err = hist_prepare_action(h, i, r);
	return err;
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
	h->is_helper = r->is_helper;
	err = hist_prepare_actions(h, r) ?: hist_map_join(h, m);
	if (!err)
		kpt_trigger_hist_code(h);
	/* At the end: another clock clears the buffer. */
	return err ?: hist_set_clock(t, r);
}

static void hist_added(struct kpt_trigger *t)
{
	hist_refer(t, 1);
}

static void hist_show(struct kpt_strbuf *sb, const struct kpt_trigger *t)
{
	const struct kpt_trigger_hist *h = kpt_trigger_hist_of(t);

	kpt_hist_show_trigger(sb, &h->hist, t->filter ? t->filter->text : NULL,
			      h->paused);
}

/*
 * kpt_hit_recorded() has no registers, and is called where PSTATE.PAN must not change, as
 * kernels before 5.11 do when they read user memory.
 */
static const struct kpt_arch_hist *hist_recorded(const struct kpt_trigger *t)
{
	const struct kpt_trigger_hist *h = kpt_trigger_hist_of(t);
	bool reads_user = t->filter && kpt_filter_reads_user(&t->filter->prog);

	if (reads_user || h->hist.uses_user_stack || (h->hist.uses_stack && !h->code.nr))
		return NULL;
	return &h->code;
}

const struct kpt_trigger_ops kpt_trigger_hist_ops = {
	.name = "hist",
	.family = KPT_TRIGGER_HIST,
	.size = sizeof(struct kpt_trigger_hist),
	.is_hist = true,
	.recorded = hist_recorded,
	.parse = hist_parse,
	.same = hist_same,
	.again = hist_again,
	.prepare = hist_prepare,
	.added = hist_added,
	.refer = hist_refer,
	.is_used = hist_is_used,
	.is_spare = hist_is_spare,
	.uses = hist_uses,
	.show = hist_show,
	.free = hist_free,
};
