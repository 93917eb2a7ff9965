// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes on tracepoints: t. A tracepoint is known by name alone; while neither the
 * kernel nor a module has one of that name, the probe waits for a module.
 */
#include "kernel/compat.h"
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/slab.h>
#include "engine/tracepoint.h"
#include "event/class.h"
#include "arming/handlers.h"
#include "arming/sites.h"

/**
 * struct kpt_tracepoint_probe - a probe on a tracepoint
 * @base: the part that probes of all classes have; @base.place is the name of the
 *	tracepoint
 * @tracepoint: the tracepoint, NULL while there is none
 * @by_text: it was defined while there was none
 */
struct kpt_tracepoint_probe {
	struct kpt_probe base;
	struct kpt_tracepoint *tracepoint;
	bool by_text;
};

static struct kpt_tracepoint_probe *tracepoint_probe_of(struct kpt_probe *base)
{
	return container_of(base, struct kpt_tracepoint_probe, base);
}

static struct kpt_tracepoint *tracepoint_of(const struct kpt_probe *base)
{
	return container_of(base, const struct kpt_tracepoint_probe,
			    base)->tracepoint;
}

/**
 * struct tracepoint_fetch - where a program will run, and for which probe
 * @place: where
 * @probe: the probe
 */
struct tracepoint_fetch {
	struct kpt_fetch_place place;
	const struct kpt_tracepoint_probe *probe;
};

/* The function that calls all probes of a tracepoint has their parameters. */
static void tracepoint_find_types(const struct kpt_fetch_place *place,
				  struct kpt_fetch_types *types)
{
	const struct kpt_tracepoint_probe *probe =
		container_of(place, struct tracepoint_fetch, place)->probe;
	unsigned long func = probe->tracepoint ? probe->tracepoint->func : 0;
	char name[KSYM_NAME_LEN];
	struct kpt_strbuf why;

	kpt_strbuf_init(&why, types->why, sizeof(types->why));
	snprintf(name, sizeof(name), "__traceiter_%s", probe->base.place);
	types->btf = kpt_func_types(func, name, &types->func, &why);
}

/* The kernel passes a pointer of ours before the tracepoint's own parameters. */
static int tracepoint_compile(struct kpt_probe *base, const struct kpt_def *def,
			      const struct kpt_fields **fields, struct kpt_diag *diag)
{
	struct kpt_tracepoint_probe *probe = tracepoint_probe_of(base);
	struct tracepoint_fetch fetch = {
		.place = {
			.head = &kpt_head_place,
			.is_entry = true,
			.hidden = 1,
			.is_pending = !probe->tracepoint,
			.find_types = tracepoint_find_types,
		},
		.probe = probe,
	};

	probe->by_text |= fetch.place.is_pending;
	fetch.place.by_text = probe->by_text;
	return kpt_probe_compile(base, def, &fetch.place, fields, diag);
}

static int tracepoint_find(struct kpt_tracepoint_probe *probe,
			   const struct module *mod, struct kpt_diag *diag)
{
	struct kpt_tracepoint *tracepoint;

	tracepoint = kpt_tracepoint_get(probe->base.place, mod, diag);
	if (IS_ERR(tracepoint))
		return PTR_ERR(tracepoint);
	probe->tracepoint = tracepoint;
	return 0;
}

static int tracepoint_fill_in(struct kpt_tracepoint_probe *probe,
			      const struct kpt_def *def,
			      const struct kpt_fields **fields, struct kpt_diag *diag)
{
	int err;

	probe->base.line = kstrdup(def->text, GFP_KERNEL);
	probe->base.place = kpt_probe_dup_span(def, &def->symbol);
	if (!probe->base.line || !probe->base.place)
		return -ENOMEM;
	err = tracepoint_find(probe, NULL, diag);
	if (!IS_ENABLED(CONFIG_TRACEPOINTS))
		err = kpt_diag_set(diag, KPT_E_NO_TRACEPOINTS, 0, -EOPNOTSUPP);
	if (err) {
		diag->column = def->place.at;
		return err;
	}
	return tracepoint_compile(&probe->base, def, fields, diag);
}

static void tracepoint_put(struct kpt_probe *base)
{
	struct kpt_tracepoint_probe *probe = tracepoint_probe_of(base);

	if (probe->tracepoint)
		kpt_tracepoint_put(probe->tracepoint);
	probe->tracepoint = NULL;
}

static void tracepoint_free(struct kpt_probe *base)
{
	tracepoint_put(base);
	kpt_probe_fini(base);
	kfree(tracepoint_probe_of(base));
}

static struct kpt_probe *tracepoint_make(const struct kpt_def *def,
					 const struct kpt_fields **fields,
					 struct kpt_diag *diag)
{
	struct kpt_tracepoint_probe *probe;
	int err;

	probe = kzalloc(sizeof(*probe), GFP_KERNEL);
	if (!probe)
		return ERR_PTR(-ENOMEM);
	kpt_probe_init(&probe->base);
	err = tracepoint_fill_in(probe, def, fields, diag);
	if (err) {
		tracepoint_free(&probe->base);
		return ERR_PTR(err);
	}
	return &probe->base;
}

static int tracepoint_arm(struct kpt_probe *base, struct kpt_event_file *file,
			  struct kpt_batch *batch, struct kpt_diag *diag)
{
	struct kpt_tracepoint *tracepoint = tracepoint_of(base);
	struct kpt_site site = { .role = KPT_ROLE_HIT };

	if (!tracepoint)
		return 0;
	site.func = tracepoint->func;
	return kpt_handlers_add(&tracepoint->hook, base, file, &site, batch);
}

static int tracepoint_disarm(struct kpt_probe *base,
			     struct kpt_event_file *file,
			     struct kpt_batch *batch)
{
	struct kpt_tracepoint *tracepoint = tracepoint_of(base);

	return tracepoint ? kpt_handlers_remove(&tracepoint->hook, base, file, batch) :
			    0;
}

/* Compile again: the module may have been built anew since. */
static int tracepoint_recompile(struct kpt_probe *base, struct kpt_diag *diag)
{
	struct kpt_def *def = kpt_probe_parse_line(base, diag);
	int err;

	if (IS_ERR(def))
		return PTR_ERR(def);
	err = tracepoint_compile(base, def, NULL, diag);
	kvfree(def);
	return err;
}

static int tracepoint_attach(struct kpt_probe *base, const struct module *mod,
			     struct kpt_diag *diag)
{
	struct kpt_tracepoint_probe *probe = tracepoint_probe_of(base);
	int err;

	if (probe->tracepoint)
		return 0;
	err = tracepoint_find(probe, mod, diag);
	if (err || !probe->tracepoint)
		return err;
	err = tracepoint_recompile(base, diag);
	if (err)
		tracepoint_put(base);
	return err ?: 1;
}

static bool tracepoint_stands_in(const struct kpt_probe *base,
				 const struct module *mod, kpt_going_t is_going)
{
	const struct kpt_tracepoint *tracepoint = tracepoint_of(base);

	return tracepoint && is_going(tracepoint->func, mod);
}

static int tracepoint_leave(struct kpt_probe *base, const struct module *mod,
			    kpt_going_t is_going, struct kpt_batch *batch)
{
	return tracepoint_disarm(base, NULL, batch);
}

static void tracepoint_detach(struct kpt_probe *base, const struct module *mod,
			      kpt_going_t is_going)
{
	tracepoint_put(base);
}

static unsigned long tracepoint_function(const struct kpt_probe *base,
					 unsigned int *at)
{
	const struct kpt_tracepoint *tracepoint = tracepoint_of(base);

	return KPT_TRACEPOINT_IS_FUNCTION && tracepoint && !(*at)++ ? tracepoint->func : 0;
}

static void tracepoint_remark(const struct kpt_probe *base, struct seq_file *m)
{
	if (!tracepoint_of(base))
		seq_puts(m, " # waits for a module");
}

static void tracepoint_prefix(const struct kpt_probe *base, struct seq_file *m)
{
	seq_putc(m, 't');
}

const struct kpt_event_class kpt_class_tracepoint = {
	.letters = "t",
	.log_name = "trace_fprobe",
	.default_group = "tracepoints",
	.make = tracepoint_make,
	.free = tracepoint_free,
	.arm = tracepoint_arm,
	.disarm = tracepoint_disarm,
	.attach = tracepoint_attach,
	.stands_in = tracepoint_stands_in,
	.function = tracepoint_function,
	.leave = tracepoint_leave,
	.detach = tracepoint_detach,
	.remark = tracepoint_remark,
	.prefix = tracepoint_prefix,
};
