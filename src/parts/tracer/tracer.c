// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tracers. Each instance has a tracer of its own, which records a builtin event.
 *
 * A tracer of functions that is on has a probe with sites in all functions that it
 * traces. Each instance has a probe of its own. To trace other functions is to replace
 * the probe, in one batch. The profile of functions and what looks for the largest stack
 * are more tracers, which the top instance may run beside its other one. Other tracers
 * have struct kpt_tracer_ops.
 */
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/security.h>
#include <linux/slab.h>
#include "arming/handlers.h"
#include "arming/sites.h"
#include "event/builtin.h"
#include "event/class.h"
#include "event/use.h"
#include "parts/tracer/max_stack.h"
#include "parts/tracer/profile.h"
#include "parts/tracer/repeats.h"
#include "parts/tracer/tracer.h"
#include "kernel/symbol/blacklist.h"
#include "lib/base/similar.h"
#include "lib/format/format.h"
#include "part.h"

static const struct kpt_use use_graph = {
	.at_entry = KPT_ROLE_GRAPH_ENTER,
	.at_return = KPT_ROLE_GRAPH_LEAVE,
	.hit = kpt_hit_graph,
};

static const struct kpt_use use_profile = {
	.at_entry = KPT_ROLE_PROFILE_ENTER,
	.at_return = KPT_ROLE_PROFILE_LEAVE,
	.counts = kpt_profile_counts,
};

static const struct kpt_use use_max_stack = {
	.role = KPT_ROLE_MAX_STACK,
	.hit = kpt_hit_max_stack_only,
};

/* Of function with option func-no-repeats. */
static const struct kpt_use use_repeats = { .role = KPT_ROLE_REPEATS };

static const struct kpt_tracer_kind own_kinds[] = {
	{
		.name = "function_graph",
		.type = KPT_RECORD_GRAPH_ENTRY,
		.use = &use_graph,
		.prog = &kpt_fetch_graph,
		.put_header = kpt_format_graph_header,
	},
	{
		.name = "function",
		.type = KPT_RECORD_FUNCTION,
		.prog = &kpt_fetch_parent,
		.prog_args = &kpt_fetch_call,
	},
};

/* Walk the tracers, those of other parts first; NULL if there are not so many. */
static const struct kpt_tracer_kind *kind_nth(unsigned int nth)
{
	const struct kpt_tracer_kind *kind;
	const struct kpt_part *part;
	unsigned int i;

	for (i = 0; (part = kpt_part_nth(i)); i++)
		for (kind = part->tracers; kind && kind->name; kind++)
			if (!nth--)
				return kind;
	return nth < ARRAY_SIZE(own_kinds) ? &own_kinds[nth] : NULL;
}

/* They have no records. */
#define BESIDE(event, number, shape, label) {			\
	.name = label,						\
	.id = number,						\
	.class = &kpt_class_tracer,				\
	.fields = &shape,					\
	.of = &kpt_group_builtin,				\
	.refs = REFCOUNT_INIT(1),				\
	.probes = LIST_HEAD_INIT(event.probes),			\
	.followers = LIST_HEAD_INIT(event.followers),		\
	.files = LIST_HEAD_INIT(event.files),			\
}

static struct kpt_event event_profile = BESIDE(event_profile, KPT_RECORD_GRAPH_ENTRY,
	kpt_fields_graph_entry, "function_profile");
static struct kpt_event event_max_stack = BESIDE(event_max_stack, KPT_RECORD_FUNCTION,
	kpt_fields_function, "stack_trace");

static const struct kpt_tracer_kind kind_profile = {
	.name = "function_profile",
	.use = &use_profile,
	.beside = &event_profile,
	.prog = &kpt_fetch_graph,
};

static const struct kpt_tracer_kind kind_max_stack = {
	.name = "stack_trace",
	.use = &use_max_stack,
	.beside = &event_max_stack,
	.filter = KPT_TRACER_MAX_STACK,
	.prog = &kpt_fetch_parent,
};

static const struct kpt_tracer_kind *const kinds_beside[] = {
	&kind_profile, &kind_max_stack,
};

/**
 * kpt_tracer_nth_beside() - the events whose probes are those of tracers that run beside
 *	others
 * @nth: number of the tracer, from 0 on
 *
 * Context: any.
 * Return: the event, which is in no list; NULL if there are not so many.
 */
const struct kpt_event *kpt_tracer_nth_beside(unsigned int nth)
{
	return nth < ARRAY_SIZE(kinds_beside) ? kinds_beside[nth]->beside : NULL;
}

static struct kpt_event *kind_event(const struct kpt_tracer_kind *kind)
{
	return kind->beside ?: kpt_builtin_event(kind->type);
}

/* Does a set concern a tracer? */
static bool kind_has_set(const struct kpt_tracer_kind *kind, enum kpt_tracer_set set)
{
	switch (set) {
	case KPT_TRACER_GRAPH:
	case KPT_TRACER_GRAPH_NOTRACE:
		return kind->use == &use_graph;
	case KPT_TRACER_MAX_STACK:
		return kind->use == &use_max_stack;
	default:
		return kind->use != &use_max_stack;
	}
}

/**
 * kpt_tracer_init() - begin with nop, for all functions
 * @instance: the instance
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int kpt_tracer_init(struct kpt_instance *instance)
{
	struct kpt_tracer *tracer = kzalloc(sizeof(*tracer), GFP_KERNEL);
	unsigned int i;

	if (!tracer)
		return -ENOMEM;
	tracer->instance = instance;
	instance->slot.tracer = tracer;
	INIT_LIST_HEAD(&tracer->recording);
	for (i = 0; i < KPT_TRACER_NR_SETS; i++)
		kpt_function_set_init(&tracer->set[i]);
	return 0;
}

/**
 * kpt_tracer_name() - the name of the tracer of an instance
 * @instance: the instance
 *
 * Context: any.
 * Return: a constant string.
 */
const char *kpt_tracer_name(const struct kpt_instance *instance)
{
	const struct kpt_tracer_kind *kind = READ_ONCE(kpt_tracer_of(instance)->run.kind);

	return kind ? kind->name : "nop";
}

/**
 * kpt_tracer_is_graph() - is the tracer of an instance function_graph?
 * @instance: the instance
 *
 * Context: any.
 * Return: true if it is.
 */
bool kpt_tracer_is_graph(const struct kpt_instance *instance)
{
	const struct kpt_tracer_kind *kind = READ_ONCE(kpt_tracer_of(instance)->run.kind);

	return kind && kind->use == &use_graph;
}

/**
 * kpt_tracer_header() - find the function that writes the header of trace
 * @instance: the instance
 *
 * Context: any.
 * Return: a function that writes that of the tracer, for KPT_OPT_*; NULL if it has the
 * usual one.
 */
kpt_tracer_header_t kpt_tracer_header(const struct kpt_instance *instance)
{
	const struct kpt_tracer_kind *kind = READ_ONCE(kpt_tracer_of(instance)->run.kind);

	return kind ? kind->put_header : NULL;
}

/**
 * kpt_tracer_next_name() - the names of all tracers that this kernel can have
 * @at: 0 at first; moved behind the tracer
 *
 * Context: process context, sleeps.
 * Return: a constant string, or NULL at the end.
 */
const char *kpt_tracer_next_name(unsigned int *at)
{
	const struct kpt_tracer_kind *kind;

	while ((kind = kind_nth(*at))) {
		++*at;
		if (!kind->ops || kind->ops->is_possible())
			return kind->name;
	}
	return *at && kind_nth((*at)++ - 1) ? "nop" : NULL;
}

/*
 * Probes.
 */

/* Say that a function is not traced because its place has another user, once per probe. */
static void tracer_tell_held(struct kpt_tracer_probe *probe, unsigned long addr,
			     const struct kpt_diag *why)
{
	char name[KSYM_NAME_LEN];

	if (probe->told || (why->code != KPT_E_FOREIGN_BRK && why->code != KPT_E_TEXT_CHANGED))
		return;
	probe->told = true;
	kpt_symbol_name(addr, name);
	kpt_errlog_add(&probe->instance->errlog, probe->kind->name, name, why);
}

static int tracer_take_site(struct kpt_tracer_probe *probe, unsigned long addr)
{
	struct kpt_diag why = { 0 };
	int err;

	if (probe->graph)
		err = kpt_sites_get_returns(&probe->base, addr, KPT_METHOD_ANY, 0, &why);
	else
		err = kpt_sites_get_hit(&probe->base, addr, addr, &why);
	cond_resched();
	/* Functions that cannot be probed are left out. */
	if (err == -EINVAL)
		tracer_tell_held(probe, addr, &why);
	return err == -EINVAL ? 0 : err;
}

/*
 * Take those of the functions of a list that are chosen, with @filter only those in it, with
 * @mod likewise.
 */
static int tracer_take(struct kpt_tracer_probe *probe, const struct kpt_symbol_list *list,
		       const struct kpt_function_set *filter, const struct module *mod)
{
	const struct kpt_function_set *without =
		&kpt_tracer_of(probe->instance)->set[KPT_TRACER_NOTRACE];
	bool takes_all = !kind_has_set(probe->kind, KPT_TRACER_NOTRACE);
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < list->nr; i++)
		if ((!mod || within_module(list->addr[i], mod)) &&
		    (!filter || kpt_function_set_has(filter, list->addr[i])) &&
		    (takes_all || !kpt_function_set_has(without, list->addr[i])))
			err = kpt_lock_is_killed() ?: tracer_take_site(probe, list->addr[i]);
	return err;
}

/*
 * Does a kind of tracer trace functions of set_graph_function alone? Not what they call, as
 * that has a depth of 1.
 */
static bool tracer_is_flat(const struct kpt_tracer *tracer, const struct kpt_tracer_kind *kind)
{
	return kind_has_set(kind, KPT_TRACER_GRAPH) && tracer->limits.max_depth == 1 &&
	       tracer->set[KPT_TRACER_GRAPH].is_set;
}

/* Take the functions that are chosen, with @mod only those in it. */
static int tracer_take_chosen(struct kpt_tracer_probe *probe, const struct module *mod)
{
	const struct kpt_tracer *tracer = kpt_tracer_of(probe->instance);
	const struct kpt_function_set *filter = &tracer->set[probe->kind->filter];
	struct kpt_symbol_list all;
	int err;

	if (tracer_is_flat(tracer, probe->kind))
		return tracer_take(probe, &tracer->set[KPT_TRACER_GRAPH].list,
				   filter->is_set ? filter : NULL, mod);
	if (filter->is_set)
		return tracer_take(probe, &filter->list, NULL, mod);
	err = kpt_symbol_list(&all, mod ? mod->name : NULL, "*", true);
	err = err ?: tracer_take(probe, &all, NULL, mod);
	kpt_symbol_list_free(&all);
	return err;
}

static void tracer_free_graph(struct kpt_graph *graph)
{
	if (!graph)
		return;
	kpt_function_set_free(&graph->only);
	kpt_function_set_free(&graph->without);
	kfree(graph);
}

/* What function_graph traces in an instance now; NULL without memory. */
static struct kpt_graph *tracer_make_graph(const struct kpt_tracer *tracer,
					   const struct kpt_tracer_kind *kind)
{
	const struct kpt_function_set *set = tracer->set;
	struct kpt_graph *graph = kzalloc(sizeof(*graph), GFP_KERNEL);

	if (!graph)
		return NULL;
	graph->limits = &tracer->limits;
	kpt_function_set_init(&graph->only);
	kpt_function_set_init(&graph->without);
	if (kind->use == &use_profile)
		return graph;
	if (!kpt_function_set_copy(&graph->only, &set[KPT_TRACER_GRAPH]) &&
	    !kpt_function_set_copy(&graph->without, &set[KPT_TRACER_GRAPH_NOTRACE]))
		return graph;
	tracer_free_graph(graph);
	return NULL;
}

static void tracer_free_probe(struct kpt_tracer_probe *probe)
{
	kpt_sites_put(&probe->base);
	kpt_probe_fini(&probe->base);
	if (probe->graph)
		kpt_chains_free(probe->graph->chains);
	tracer_free_graph(probe->graph);
	free_percpu(probe->repeats);
	kfree(probe);
}

/* What a tracer records in an instance now. */
static const struct kpt_fetch_prog *tracer_prog(const struct kpt_instance *instance,
						const struct kpt_tracer_kind *kind)
{
	return kind->prog_args && instance->options & KPT_OPT_FUNC_ARGS ?
		kind->prog_args : kind->prog;
}

/**
 * kpt_tracer_update_graph_limits() - find out what function_graph records, and its stubs
 * @instance: the instance; its limits, or options, have changed
 *
 * Stubs record neither arguments nor return addresses, and calls in interrupts, too,
 * whatever time they took.
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_tracer_update_graph_limits(struct kpt_instance *instance)
{
	const u32 need = KPT_OPT_GRAPH_IRQS | KPT_OPT_SLEEP_TIME;
	struct kpt_graph_limits *limits = &kpt_tracer_of(instance)->limits;
	u32 entry = 0, deepest = 0;

	if (limits->thresh)
		entry |= KPT_GRAPH_NO_ENTRY;
	if (instance->options & KPT_OPT_GRAPH_ARGS)
		entry |= KPT_GRAPH_ARGS;
	if (instance->options & KPT_OPT_GRAPH_RETADDR)
		entry |= KPT_GRAPH_RETADDR;
	if (!entry && (instance->options & need) == need)
		deepest = min_not_zero(limits->max_depth, (unsigned int)KPT_CHAIN_MAX);
	WRITE_ONCE(limits->entry, entry);
	WRITE_ONCE(limits->deepest, deepest);
}

/*
 * The depth of an outermost call is 0. But without a call around it, a stub cannot tell
 * whether set_graph_function has a call.
 */
static struct kpt_chains *tracer_make_chains(const struct kpt_graph *graph)
{
	return kpt_chains_make(&graph->limits->deepest,
			       graph->only.is_set ? KPT_GRAPH_HIDDEN : U64_MAX);
}

static struct kpt_tracer_probe *tracer_make_probe(struct kpt_instance *instance,
						  const struct kpt_tracer_kind *kind)
{
	const struct kpt_fetch_prog *prog = tracer_prog(instance, kind);
	struct kpt_tracer_probe *probe = kzalloc(sizeof(*probe), GFP_KERNEL);
	int err = 0;

	if (!probe)
		return ERR_PTR(-ENOMEM);
	probe->kind = kind;
	probe->instance = instance;
	probe->base.use = kind->use;
	probe->base.prog = kmemdup(prog, kpt_fetch_prog_size(prog), GFP_KERNEL);
	probe->base.args = kstrdup("", GFP_KERNEL);
	probe->base.place = kstrdup(kind->name, GFP_KERNEL);
	kpt_probe_init(&probe->base);
	if (!probe->base.prog || !probe->base.args || !probe->base.place)
		err = -ENOMEM;
	if (probe->base.use->at_return) {
		kpt_tracer_update_graph_limits(instance);
		probe->graph = tracer_make_graph(kpt_tracer_of(instance), kind);
		if (probe->graph)
			probe->graph->chains = tracer_make_chains(probe->graph);
		if (!probe->graph || !probe->graph->chains)
			err = -ENOMEM;
	}
	if (kind->use == &use_max_stack)
		err = err ?: kpt_max_stack_make();
	if (kind->prog_args && instance->options & KPT_OPT_FUNC_NO_REPEATS) {
		probe->base.use = &use_repeats;
		probe->repeats = alloc_percpu(struct kpt_repeats);
		if (!probe->repeats)
			err = -ENOMEM;
	}
	err = err ?: tracer_take_chosen(probe, NULL);
	if (!err)
		return probe;
	tracer_free_probe(probe);
	return ERR_PTR(err);
}

static void tracer_drop_probe(struct kpt_tracer_probe *probe)
{
	list_del(&probe->base.list);
	list_del(&probe->base.sibling);
	tracer_free_probe(probe);
}

/* The probe of one instance records only there. */
static int tracer_arm(struct kpt_probe *base, struct kpt_event_file *file,
		      struct kpt_batch *batch, struct kpt_diag *diag)
{
	if (file->instance != kpt_tracer_probe_of(base)->instance)
		return 0;
	return kpt_sites_arm(base, file, batch, diag);
}

static int tracer_attach(struct kpt_probe *base, const struct module *mod, struct kpt_diag *diag)
{
	return tracer_take_chosen(kpt_tracer_probe_of(base), mod) ?: 1;
}

/* Nobody defines them; all have the probes of tracers, or none. */
const struct kpt_event_class kpt_class_tracer = {
	.letters = "",
	.log_name = "kptrace",
	.is_builtin = true,
	.arm = tracer_arm,
	.disarm = kpt_sites_disarm,
	.attach = tracer_attach,
};

/*
 * Switching.
 */

static struct kpt_event_file *tracer_file(struct kpt_instance *instance,
					  const struct kpt_tracer_kind *kind)
{
	struct kpt_event *event = kind_event(kind);
	struct kpt_event_file *file = kpt_event_file_of(event, instance);

	if (file)
		return file;
	file = kpt_event_file_add_unlisted(event, instance);
	if (file)
		file->is_tracer = true;
	return file;
}

static int tracer_begin_probe(struct kpt_instance *instance, struct kpt_tracer_run *run,
			      const struct kpt_tracer_kind *kind)
{
	struct kpt_event_file *file = tracer_file(instance, kind);
	struct kpt_tracer_probe *probe;
	int err;

	if (!file)
		return -ENOMEM;
	probe = tracer_make_probe(instance, kind);
	if (IS_ERR(probe))
		return PTR_ERR(probe);
	kpt_event_add_probe(file->event, &probe->base);
	run->file = file;
	err = kpt_event_file_set_enabled(&file, 1, true);
	if (err) {
		tracer_drop_probe(probe);
		run->file = NULL;
		return err;
	}
	run->probe = probe;
	return 0;
}

/*
 * Be ready to ask about all functions. Others may take kpt_mutex in between. Returns 0, or
 * -EINTR if the task is being killed.
 */
static int tracer_prepare(void)
{
	enum kpt_hold how = kpt_mutex_pause();

	kpt_blacklist_prepare();
	return kpt_mutex_resume(how);
}

/* The same, if a kind of tracer that is about to begin will trace all. */
static int tracer_prepare_kind(const struct kpt_instance *instance,
			       const struct kpt_tracer_kind *kind)
{
	const struct kpt_tracer *tracer = kpt_tracer_of(instance);
	bool takes_all = !kind->ops && !tracer->set[kind->filter].is_set &&
			 !tracer_is_flat(tracer, kind);

	return takes_all ? tracer_prepare() : 0;
}

static int tracer_begin(struct kpt_instance *instance, struct kpt_tracer_run *run,
			const struct kpt_tracer_kind *kind)
{
	struct kpt_diag diag = { 0 };
	int err;

	if (kind->ops)
		err = kpt_buffer_use(&instance->buffer) ?:
		      kind->ops->begin(instance, &diag);
	else
		err = tracer_begin_probe(instance, run, kind);
	if (diag.code != KPT_E_NONE)
		kpt_errlog_add(&instance->errlog, "current_tracer", kind->name, &diag);
	if (!err)
		WRITE_ONCE(run->kind, kind);
	return err;
}

static int tracer_end(struct kpt_instance *instance, struct kpt_tracer_run *run)
{
	struct kpt_event_file *file = run->file;
	int err;

	if (!run->kind)
		return 0;
	if (run->kind->ops) {
		run->kind->ops->end(instance);
		WRITE_ONCE(run->kind, NULL);
		return 0;
	}
	err = kpt_event_file_set_enabled(&file, 1, false);
	if (err)
		return err;
	tracer_drop_probe(run->probe);
	run->probe = NULL;
	run->file = NULL;
	WRITE_ONCE(run->kind, NULL);
	return 0;
}

static int tracer_refuse(const char *name, struct kpt_diag *diag)
{
	const struct kpt_tracer_kind *kind;
	struct kpt_similar like;
	unsigned int i;

	if (!strcmp(name, "osnoise") || !strcmp(name, "timerlat"))
		return kpt_part_refuse(diag, 0, "noise");
	kpt_similar_begin(&like, name, strlen(name));
	for (i = 0; (kind = kind_nth(i)); i++)
		kpt_similar_see(&like, kind->name);
	kpt_diag_set(diag, KPT_E_NO_TRACER, 0, 0);
	kpt_similar_tell(&like, diag);
	return -EINVAL;
}

/**
 * kpt_tracer_set() - choose the tracer of an instance
 * @instance: the instance
 * @name: its name
 *
 * If it is another one than before, the records of the instance are dropped. Others may take
 * kpt_mutex before anything has changed.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EINVAL if there is no such tracer; -EINTR if the task is being killed;
 * -ENOMEM, -EBUSY, -EPERM or -EIO as kpt_event_file_set_enabled(), or an errno of
 * kpt_tracer_ops.begin: then the instance has the previous tracer, or nop.
 */
int kpt_tracer_set(struct kpt_instance *instance, const char *name)
{
	const struct kpt_tracer_kind *kind;
	struct kpt_diag diag = { 0 };
	unsigned int i;
	int err;

	lockdep_assert_held(&kpt_mutex);
	for (i = 0; (kind = kind_nth(i)); i++)
		if (!strcmp(name, kind->name))
			break;
	if (!kind && strcmp(name, "nop")) {
		err = tracer_refuse(name, &diag);
		kpt_errlog_add(&instance->errlog, "current_tracer", name, &diag);
		return err;
	}
	err = kind ? tracer_prepare_kind(instance, kind) : 0;
	if (err)
		return err;
	if (kind == kpt_tracer_of(instance)->run.kind)
		return 0;
	err = tracer_end(instance, &kpt_tracer_of(instance)->run);
	if (err)
		return err;
	kpt_buffer_reset(&instance->buffer, -1);
	return kind ? tracer_begin(instance, &kpt_tracer_of(instance)->run, kind) : 0;
}

/**
 * kpt_tracer_is_profiling() - are functions profiled?
 *
 * Context: any.
 * Return: true if they are.
 */
bool kpt_tracer_is_profiling(void)
{
	return READ_ONCE(kpt_tracer_of(&kpt_top_instance)->profile.kind);
}

/**
 * kpt_tracer_profile() - begin to profile functions, those that the top instance
 *	traces; or end it
 * @on: begin
 *
 * To begin sets all counters to 0. When it has ended they stay. Others may take kpt_mutex
 * before anything has changed.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or as kpt_tracer_set(), and then to end has changed nothing, and to begin
 * nothing but the counters, which are 0.
 */
int kpt_tracer_profile(bool on)
{
	struct kpt_tracer_run *run = &kpt_tracer_of(&kpt_top_instance)->profile;
	int err;

	lockdep_assert_held(&kpt_mutex);
	err = on ? tracer_prepare_kind(&kpt_top_instance, &kind_profile) : 0;
	if (err)
		return err;
	if (on == kpt_tracer_is_profiling())
		return 0;
	if (!on)
		return tracer_end(&kpt_top_instance, run);
	kpt_profile_reset();
	return tracer_begin(&kpt_top_instance, run, &kind_profile);
}

/**
 * kpt_tracer_is_measuring() - does something look for the largest stack?
 *
 * Context: any.
 * Return: true if it does.
 */
bool kpt_tracer_is_measuring(void)
{
	return READ_ONCE(kpt_tracer_of(&kpt_top_instance)->max_stack.kind);
}

/**
 * kpt_tracer_measure() - begin to look for the largest stack, or end it
 * @on: begin
 *
 * Others may take kpt_mutex before anything has changed.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or as kpt_tracer_set(), and then nothing looks, or all is as before.
 */
int kpt_tracer_measure(bool on)
{
	struct kpt_tracer_run *run = &kpt_tracer_of(&kpt_top_instance)->max_stack;
	int err;

	lockdep_assert_held(&kpt_mutex);
	err = on ? tracer_prepare_kind(&kpt_top_instance, &kind_max_stack) : 0;
	if (err)
		return err;
	if (on == kpt_tracer_is_measuring())
		return 0;
	return on ? tracer_begin(&kpt_top_instance, run, &kind_max_stack) :
		    tracer_end(&kpt_top_instance, run);
}

/* Add to a batch that a tracer traces the functions that are chosen now, by @probe. */
static int tracer_renew(struct kpt_instance *instance, const struct kpt_tracer_run *run,
			struct kpt_batch *batch, struct kpt_tracer_probe **probe)
{
	struct kpt_diag diag = { 0 };
	int err;

	*probe = tracer_make_probe(instance, run->kind);
	if (IS_ERR(*probe)) {
		err = PTR_ERR(*probe);
		*probe = NULL;
		return err;
	}
	kpt_event_add_probe(run->file->event, &(*probe)->base);
	err = tracer_arm(&(*probe)->base, run->file, batch, &diag);
	if (err == -EBUSY)
		kpt_probe_complain(&(*probe)->base, &instance->errlog, &diag);
	return err ?: kpt_sites_disarm(&run->probe->base, run->file, batch);
}

static void tracer_settle(struct kpt_tracer_run *run, struct kpt_tracer_probe *probe, bool failed)
{
	if (!probe)
		return;
	tracer_drop_probe(failed ? probe : run->probe);
	if (!failed)
		run->probe = probe;
}

/* Does a tracer run that a change of a set concerns? */
static bool run_has_set(const struct kpt_tracer_run *run, enum kpt_tracer_set which)
{
	return run->probe && kind_has_set(run->kind, which);
}

/* Tracers that an instance can run beside each other. */
#define TRACER_RUNS 3

/* Replace the probes of tracers that run; in one batch, so all of them or none. */
static int tracers_renew(struct kpt_instance *instance, struct kpt_tracer_run **runs,
			 unsigned int nr)
{
	struct kpt_tracer_probe *probe[TRACER_RUNS] = { NULL };
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	int err = security_locked_down(LOCKDOWN_KPROBES);
	unsigned int i;

	for (i = 0; !err && i < nr; i++)
		err = tracer_renew(instance, runs[i], &batch, &probe[i]);
	err = kpt_event_file_batch_finish(&batch, err, &instance->errlog);
	for (i = 0; i < nr; i++)
		tracer_settle(runs[i], probe[i], err);
	return err;
}

/* Does a tracer run that takes all functions if a set is not set? */
static bool run_takes(const struct kpt_tracer_run *run, enum kpt_tracer_set which)
{
	return run->probe && (run->kind->filter == which ||
			      (which == KPT_TRACER_GRAPH && kind_has_set(run->kind, which)));
}

/**
 * kpt_tracer_prepare() - be ready to trace all functions, if a tracer that runs will
 * @instance: the instance
 * @which: the set from which all functions will be taken out
 *
 * Others may take kpt_mutex in between.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EINTR if the task is being killed.
 */
int kpt_tracer_prepare(const struct kpt_instance *instance, enum kpt_tracer_set which)
{
	const struct kpt_tracer *tracer = kpt_tracer_of(instance);
	bool takes_all = run_takes(&tracer->run, which) ||
			 run_takes(&tracer->profile, which) ||
			 run_takes(&tracer->max_stack, which);

	return takes_all ? tracer_prepare() : 0;
}

/**
 * kpt_tracer_update() - trace the functions that are chosen now
 * @instance: the instance
 * @which: the set that has changed
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or as kpt_tracer_set(), and then the previous ones are traced.
 */
int kpt_tracer_update(struct kpt_instance *instance, enum kpt_tracer_set which)
{
	struct kpt_tracer *tracer = kpt_tracer_of(instance);
	struct kpt_tracer_run *const all[TRACER_RUNS] = {
		&tracer->run, &tracer->profile, &tracer->max_stack,
	};
	struct kpt_tracer_run *runs[TRACER_RUNS];
	unsigned int i, nr = 0;

	lockdep_assert_held(&kpt_mutex);
	for (i = 0; i < TRACER_RUNS; i++)
		if (run_has_set(all[i], which))
			runs[nr++] = all[i];
	return nr ? tracers_renew(instance, runs, nr) : 0;
}

/**
 * kpt_tracer_renew() - option func-args or func-no-repeats of an instance has changed
 * @instance: the instance
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or as kpt_tracer_set(), and then its tracer records what it recorded before.
 */
int kpt_tracer_renew(struct kpt_instance *instance)
{
	struct kpt_tracer_run *run = &kpt_tracer_of(instance)->run;

	lockdep_assert_held(&kpt_mutex);
	return run->kind && run->kind->prog_args ? tracers_renew(instance, &run, 1) : 0;
}

/**
 * kpt_tracer_refresh_graph() - a module has changed the sets of an instance
 * @instance: the instance; function_graph traces what they have now. Without memory it
 *	goes on with what they had
 *
 * Context: module notifier, sleeps, kpt_mutex held.
 */
void kpt_tracer_refresh_graph(struct kpt_instance *instance)
{
	const struct kpt_tracer_run *run = &kpt_tracer_of(instance)->run;
	struct kpt_graph *new, *old = run->probe ? run->probe->graph : NULL;

	if (!old)
		return;
	new = tracer_make_graph(kpt_tracer_of(instance), run->kind);
	if (!new)
		return;
	new->chains = old->chains;
	WRITE_ONCE(run->probe->graph, new);
	kpt_arch_quiesce();
	tracer_free_graph(old);
}

static void tracer_forget_run(struct kpt_instance *instance, struct kpt_tracer_run *run)
{
	if (run->kind && run->kind->ops)
		run->kind->ops->end(instance);
	else if (run->kind)
		tracer_drop_probe(run->probe);
	*run = (struct kpt_tracer_run){ NULL };
}

static void tracer_forget_file(struct kpt_instance *instance, const struct kpt_tracer_kind *kind)
{
	struct kpt_event_file *file = kpt_event_file_of(kind_event(kind), instance);

	if (file)
		kpt_event_file_remove(file);
}

/**
 * kpt_tracer_forget() - free the tracer of an instance that is off the lists
 * @instance: the instance; its tracer is nop, or all points are disarmed
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_tracer_forget(struct kpt_instance *instance)
{
	struct kpt_tracer *tracer = kpt_tracer_of(instance);
	const struct kpt_tracer_kind *kind;
	unsigned int i;

	lockdep_assert_held(&kpt_mutex);
	if (!tracer)
		return;
	tracer_forget_run(instance, &tracer->run);
	tracer_forget_run(instance, &tracer->profile);
	tracer_forget_run(instance, &tracer->max_stack);
	for (i = 0; (kind = kind_nth(i)); i++)
		tracer_forget_file(instance, kind);
	for (i = 0; i < ARRAY_SIZE(kinds_beside); i++)
		tracer_forget_file(instance, kinds_beside[i]);
	if (tracer->functions)
		kpt_event_file_remove(tracer->functions);
	tracer->functions = NULL;
	for (i = 0; i < KPT_TRACER_NR_SETS; i++)
		kpt_function_set_free(&tracer->set[i]);
}
