// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes on events: e. Their hits are the records of another event, the source, in
 * the same instance; their arguments are made of its fields.
 *
 * While an e is armed in an instance, it is one of the followers of the source's
 * event file there, which arms the source without enabling it. The source cannot be
 * deleted before the e. It is never an e itself. An e has no sites.
 */
#include <linux/err.h>
#include <linux/slab.h>
#include "event/similar_event.h"
#include "event/class.h"
#include "event/errlog.h"
#include "event/event_filter.h"
#include "arming/handlers.h"
#include "kernel/scratch.h"

/**
 * struct kpt_eprobe - a probe on an event
 * @base: the part that probes of all classes have
 * @follower: kpt_probe.follows of @base
 * @filter: filter of the definition, or NULL
 */
struct kpt_eprobe {
	struct kpt_probe base;
	struct kpt_follower follower;
	struct kpt_event_filter *filter;
};

static struct kpt_eprobe *eprobe_of(struct kpt_probe *base)
{
	return container_of(base, struct kpt_eprobe, base);
}

/* Of builtin events, only ftrace:print can be followed. */
static bool eprobe_may_follow(const struct kpt_event *source)
{
	return source->class != &kpt_class_eprobe &&
	       (!kpt_event_is_builtin(source) || source->id == KPT_RECORD_PRINT);
}

/* Find the source. */
static int eprobe_find(struct kpt_eprobe *probe, const struct kpt_def *def,
		       struct kpt_diag *diag)
{
	char group[KPT_NAME_MAX], name[KPT_NAME_MAX];
	struct kpt_event *source;

	strscpy(group, def->text + def->source_group.at,
		def->source_group.len + 1);
	strscpy(name, def->text + def->source_event.at,
		def->source_event.len + 1);
	source = kpt_event_find_any(group, name);
	if (!source || !eprobe_may_follow(source)) {
		kpt_diag_set(diag, KPT_E_BAD_ATTACH_EVENT, def->place.at, 0);
		kpt_similar_tell_event(group, name, diag);
		return -ENODEV;
	}
	refcount_inc(&source->refs);
	probe->follower.source = source;
	probe->base.place = kasprintf(GFP_KERNEL, "%s.%s", group, name);
	return probe->base.place ? 0 : -ENOMEM;
}

/* Compile "if FILTER". A mistake is noted as one of a filter, with its own text. */
static int eprobe_take_filter(struct kpt_eprobe *probe,
			      const struct kpt_def *def, struct kpt_diag *diag)
{
	struct kpt_diag why = { 0 };
	int err;

	if (!def->has_filter)
		return 0;
	if (!def->filter.len)
		return kpt_diag_set(diag, KPT_E_NO_EP_FILTER,
				    strlen(def->text) + 1, -EINVAL);
	probe->filter = kpt_event_filter_make(def->text + def->filter.at,
					      probe->follower.source->fields, &why,
					      &err);
	if (!err)
		probe->follower.condition = &probe->filter->prog;
	if (why.code)
		kpt_errlog_add(&kpt_top_instance.errlog,
			       "event filter parse error",
			       def->text + def->filter.at, &why);
	return why.code ? -EINVAL : err;
}

/* List the filter, too: what is listed can be written back. */
static int eprobe_list_filter(struct kpt_eprobe *probe)
{
	char *args;

	if (!probe->filter)
		return 0;
	args = kasprintf(GFP_KERNEL, "%s if %s", probe->base.args,
			 probe->filter->text);
	if (!args)
		return -ENOMEM;
	kpt_probe_set_args(&probe->base, args);
	return 0;
}

static int eprobe_compile(struct kpt_eprobe *probe, const struct kpt_def *def,
			  const struct kpt_fields **fields, struct kpt_diag *diag)
{
	const struct kpt_fetch_place place = {
		.head = &kpt_head_event,
		.source = probe->follower.source->fields,
		.find_types = kpt_probe_find_types,
	};
	int err = kpt_probe_compile(&probe->base, def, &place, fields, diag);

	if (err)
		return err;
	err = eprobe_list_filter(probe);
	if (err)
		kpt_fields_free(*fields);
	return err;
}

static void eprobe_free(struct kpt_probe *base)
{
	struct kpt_eprobe *probe = eprobe_of(base);

	kpt_event_filter_free(probe->filter);
	kpt_event_put(probe->follower.source);
	kpt_probe_fini(base);
	kfree(probe);
}

/* Mistakes are found in mainline's order: source, filter, arguments. */
static struct kpt_probe *eprobe_make(const struct kpt_def *def,
				     const struct kpt_fields **fields,
				     struct kpt_diag *diag)
{
	struct kpt_eprobe *probe;
	int err;

	probe = kzalloc(sizeof(*probe), GFP_KERNEL);
	if (!probe)
		return ERR_PTR(-ENOMEM);
	kpt_probe_init(&probe->base);
	probe->base.follows = &probe->follower;
	probe->follower.probe = &probe->base;
	err = eprobe_find(probe, def, diag) ?:
	      eprobe_take_filter(probe, def, diag) ?:
	      eprobe_compile(probe, def, fields, diag);
	if (err) {
		eprobe_free(&probe->base);
		return ERR_PTR(err);
	}
	return &probe->base;
}

/* A hit makes both records in memory of the CPU, however large they are. */
static int eprobe_grow(const struct kpt_fields *fields, bool second)
{
	if (fields->has_dynamic || fields->size > KPT_SCRATCH_RECORD)
		return kpt_scratch_grow(second);
	return 0;
}

static int eprobe_arm(struct kpt_probe *base, struct kpt_event_file *file,
		      struct kpt_batch *batch, struct kpt_diag *diag)
{
	static const struct kpt_site site = { .role = KPT_ROLE_EVENT };
	struct kpt_event *event = base->follows->source;
	struct kpt_event_file *source;
	int err = eprobe_grow(event->fields, false);

	if (!err)
		err = eprobe_grow(file->event->fields, true);
	if (err)
		return err;
	source = kpt_event_file_of(event, file->instance);
	return kpt_handlers_add(&source->followers, base, file, &site, batch) ?:
	       kpt_event_file_follow(source, batch, diag);
}

static int eprobe_disarm_in(struct kpt_probe *base,
			    struct kpt_event_file *source,
			    struct kpt_batch *batch)
{
	if (!kpt_hook_next(&source->followers))
		return 0;
	return kpt_handlers_remove(&source->followers, base, NULL, batch) ?:
	       kpt_event_file_unfollow(source, batch);
}

static int eprobe_disarm(struct kpt_probe *base, struct kpt_event_file *file,
			 struct kpt_batch *batch)
{
	struct kpt_event_file *source;
	int err = 0;

	list_for_each_entry(source, &base->follows->source->files, event_link)
		if (!file || source->instance == file->instance)
			err = err ?: eprobe_disarm_in(base, source, batch);
	return err;
}

static void eprobe_prefix(const struct kpt_probe *base, struct seq_file *m)
{
	seq_putc(m, 'e');
}

const struct kpt_event_class kpt_class_eprobe = {
	.letters = "e",
	.log_name = "event_probe",
	.default_group = "eprobes",
	.one_probe = true,
	.make = eprobe_make,
	.free = eprobe_free,
	.arm = eprobe_arm,
	.disarm = eprobe_disarm,
	.prefix = eprobe_prefix,
};
