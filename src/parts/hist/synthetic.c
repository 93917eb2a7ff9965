// SPDX-License-Identifier: GPL-2.0-only
/*
 * Synthetic events. They have no place: an action of a trigger makes their records
 * and gives them to the sinks of the event's only probe.
 */
#include <linux/err.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include "event/class.h"
#include "arming/handlers.h"
#include "parts/hist/synthetic.h"
#include "parts/hist/synth.h"
#include "fs/fs.h"

static const char group[] = "synthetic";

static struct kpt_synthetic *synthetic_of(struct kpt_probe *base)
{
	return container_of(base, struct kpt_synthetic, base);
}

/**
 * kpt_synthetic_find() - find a synthetic event
 * @name: its name
 * @len: characters of @name
 *
 * Context: process context, kpt_mutex held.
 * Return: its probe, or NULL.
 */
struct kpt_synthetic *kpt_synthetic_find(const char *name, size_t len)
{
	char copy[KPT_NAME_MAX];
	struct kpt_event *event;

	if (len >= sizeof(copy))
		return NULL;
	strscpy(copy, name, len + 1);
	event = kpt_event_find(group, copy);
	if (!event || event->class != &kpt_class_synthetic)
		return NULL;
	return synthetic_of(list_first_entry(&event->probes, struct kpt_probe,
					     sibling));
}

static void synthetic_free(struct kpt_probe *base)
{
	struct kpt_synthetic *synth = synthetic_of(base);

	kpt_hook_fini(&synth->hook);
	kpt_probe_fini(base);
	kfree(synth);
}

/* No definition of a probe is compiled: records are made before sinks get them. */
static struct kpt_probe *synthetic_alloc(const struct kpt_fields *fields)
{
	struct kpt_synthetic *synth = kzalloc(sizeof(*synth), GFP_KERNEL);

	if (!synth)
		return NULL;
	kpt_hook_make(&synth->hook, KPT_HOOK_OTHER);
	if (!kpt_probe_init_shaped(&synth->base, fields))
		return &synth->base;
	synthetic_free(&synth->base);
	return NULL;
}

/* Check the name and parse the fields. Returns them, or ERR_PTR(). */
static struct kpt_fields *synthetic_parse(const struct kpt_def *def,
					  struct kpt_diag *diag)
{
	const char *name = def->text + def->event.at;
	struct kpt_synth_shape *shape;
	char copy[KPT_NAME_MAX];
	struct kpt_fields *fields;
	int err;

	if (def->event.len >= sizeof(copy))
		return ERR_PTR(kpt_diag_set(diag, KPT_E_EVENT_TOO_LONG,
					    def->event.at, -EINVAL));
	strscpy(copy, name, def->event.len + 1);
	shape = kmalloc(sizeof(*shape), GFP_KERNEL);
	if (!shape)
		return ERR_PTR(-ENOMEM);
	err = kpt_synth_parse(shape, def, diag);
	if (kpt_event_find(group, copy))
		err = kpt_diag_set(diag, KPT_E_SYNTH_EVENT_EXISTS,
				   def->event.at, -EEXIST);
	fields = err ? ERR_PTR(err) :
		 kmemdup(&shape->fields, kpt_fields_size(&shape->fields),
			 GFP_KERNEL) ?: ERR_PTR(-ENOMEM);
	kfree(shape);
	return fields;
}

static struct kpt_probe *synthetic_make(const struct kpt_def *def,
					const struct kpt_fields **fields,
					struct kpt_diag *diag)
{
	struct kpt_fields *shape = synthetic_parse(def, diag);
	struct kpt_probe *probe;

	if (IS_ERR(shape))
		return ERR_CAST(shape);
	probe = synthetic_alloc(shape);
	if (!probe) {
		kfree(shape);
		return ERR_PTR(-ENOMEM);
	}
	*fields = shape;
	return probe;
}

static int synthetic_arm(struct kpt_probe *base, struct kpt_event_file *file,
			 struct kpt_batch *batch, struct kpt_diag *diag)
{
	static const struct kpt_site nowhere = { .role = KPT_ROLE_EVENT };

	return kpt_handlers_add(&synthetic_of(base)->hook, base, file, &nowhere,
				batch);
}

static int synthetic_disarm(struct kpt_probe *base, struct kpt_event_file *file,
			    struct kpt_batch *batch)
{
	return kpt_handlers_remove(&synthetic_of(base)->hook, base, file, batch);
}

static const char *synthetic_used_by(const struct kpt_probe *base)
{
	const struct kpt_synthetic *synth =
		container_of(base, const struct kpt_synthetic, base);

	return synth->users ? "is recorded by an action of a hist trigger" : NULL;
}

/* As in synthetic_events; in dynamic_events it follows "s:synthetic/". */
static void synthetic_list(const struct kpt_probe *probe, struct seq_file *m)
{
	struct kpt_strbuf sb;

	kpt_seq_begin(m, &sb);
	kpt_strbuf_printf(&sb, "%s\t", probe->event->name);
	kpt_synth_list(&sb, probe->event->fields);
	kpt_strbuf_putc(&sb, '\n');
	kpt_seq_end(m, &sb);
}

const struct kpt_event_class kpt_class_synthetic = {
	.letters = "s",
	.log_name = "synthetic_events",
	.default_group = group,
	.in_synthetic_events = true,
	.make = synthetic_make,
	.free = synthetic_free,
	.arm = synthetic_arm,
	.disarm = synthetic_disarm,
	.used_by = synthetic_used_by,
	.list = synthetic_list,
};
