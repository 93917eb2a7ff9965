/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracers: current_tracer of an instance, and the functions that it traces. */
#ifndef KPTRACE_TRACER_H
#define KPTRACE_TRACER_H

#include "event/event.h"
#include "event/instance.h"
#include "parts/tracer/graph.h"

struct kpt_event_file;
struct kpt_instance;
struct kpt_diag;
struct kpt_repeats;
struct kpt_strbuf;
struct kpt_fs_file;
struct kpt_fs_table;

/**
 * struct kpt_tracer_ops - a tracer that has no probe, but records by itself
 * @is_possible: does this kernel have what it needs? If not, @begin fails
 * @begin: begins to record in an instance. Returns 0, or -errno with @diag set
 * @end: ends it; waits until nothing records there
 *
 * The last two are called in process context with kpt_mutex held, and may sleep.
 */
struct kpt_tracer_ops {
	bool (*is_possible)(void);
	int (*begin)(struct kpt_instance *instance, struct kpt_diag *diag);
	void (*end)(struct kpt_instance *instance);
};

/**
 * enum kpt_tracer_set - sets of functions of a tracer
 * @KPT_TRACER_FILTER: set_ftrace_filter: only these are traced
 * @KPT_TRACER_NOTRACE: set_ftrace_notrace: these are not
 * @KPT_TRACER_GRAPH: set_graph_function: function_graph traces only these, and what
 *	they call
 * @KPT_TRACER_GRAPH_NOTRACE: set_graph_notrace: it traces neither these nor what they
 *	call
 * @KPT_TRACER_MAX_STACK: stack_trace_filter: only these look how much of the stack is in
 *	use; only in the top instance
 * @KPT_TRACER_NR_SETS: how many there are
 */
enum kpt_tracer_set {
	KPT_TRACER_FILTER,
	KPT_TRACER_NOTRACE,
	KPT_TRACER_GRAPH,
	KPT_TRACER_GRAPH_NOTRACE,
	KPT_TRACER_MAX_STACK,
	KPT_TRACER_NR_SETS,
};

/**
 * struct kpt_tracer_kind - a tracer
 * @name: its name in current_tracer
 * @type: number of the event that it records
 * @use: what its probe is for; NULL if it has none
 * @beside: the event whose probe it has, if it runs beside others and records nothing
 * @filter: the set of functions that it traces
 * @prog: what its probe records; NULL if it has none
 * @prog_args: the same with option func-args; NULL if that is no option of it, nor
 *	func-no-repeats
 * @ops: without a probe: how it begins and ends
 * @put_header: writes the header of trace; NULL if that is the usual one
 */
struct kpt_tracer_kind {
	const char *name;
	u16 type;
	const struct kpt_use *use;
	struct kpt_event *beside;
	enum kpt_tracer_set filter;
	const struct kpt_fetch_prog *prog;
	const struct kpt_fetch_prog *prog_args;
	const struct kpt_tracer_ops *ops;
	kpt_tracer_header_t put_header;
};

/**
 * struct kpt_tracer_probe - the probe of a tracer
 * @base: the part that probes of all classes have
 * @kind: the tracer
 * @instance: the instance whose tracer it is
 * @graph: of function_graph and the profile: what they trace; else NULL
 * @repeats: of function with option func-no-repeats: the last calls, per CPU; else NULL
 * @told: error_log has a function that it left out because others hold the place
 */
struct kpt_tracer_probe {
	struct kpt_probe base;
	const struct kpt_tracer_kind *kind;
	struct kpt_instance *instance;
	struct kpt_graph *graph;
	struct kpt_repeats __percpu *repeats;
	bool told;
};

/**
 * kpt_tracer_probe_of() - find the probe of a tracer that a probe is part of
 * @base: the probe
 *
 * Context: any, BRK included.
 * Return: the probe of the tracer.
 */
static __always_inline struct kpt_tracer_probe *
kpt_tracer_probe_of(const struct kpt_probe *base)
{
	return container_of(base, struct kpt_tracer_probe, base);
}

/**
 * kpt_graph_of() - find what the probe of function_graph, or of the profile, traces
 * @base: the probe
 *
 * Context: any, BRK included.
 * Return: what it traces.
 */
static __always_inline const struct kpt_graph *kpt_graph_of(const struct kpt_probe *base)
{
	return kpt_tracer_probe_of(base)->graph;
}

/**
 * struct kpt_tracer_run - a tracer that runs, or does not
 * @kind: which one; NULL for none
 * @file: its event, of its instance; NULL without @probe
 * @probe: its probe; NULL for none, and if it has struct kpt_tracer_ops
 */
struct kpt_tracer_run {
	const struct kpt_tracer_kind *kind;
	struct kpt_event_file *file;
	struct kpt_tracer_probe *probe;
};

/**
 * struct kpt_tracer - the tracer of an instance
 * @instance: the instance
 * @run: which one it is, and what it needs
 * @profile: the profile of functions, which only the top instance has
 * @max_stack: what looks for the largest stack, likewise
 * @set: the functions that users chose
 * @recording: among the instances that a tracer with struct kpt_tracer_ops records in;
 *	else empty
 * @worst: longest noise or latency since that tracer began, in ns
 * @limits: of function_graph; hits read them without a lock
 * @functions: the event file of the triggers of functions (function_command.c); NULL
 *	before the first
 *
 * All are under kpt_mutex.
 */
struct kpt_tracer {
	struct kpt_instance *instance;
	struct kpt_tracer_run run;
	struct kpt_tracer_run profile;
	struct kpt_tracer_run max_stack;
	struct kpt_function_set set[KPT_TRACER_NR_SETS];
	struct list_head recording;
	atomic64_t worst;
	struct kpt_graph_limits limits;
	struct kpt_event_file *functions;
};

/**
 * kpt_tracer_of() - find the tracer of an instance
 * @instance: the instance
 *
 * Context: any, BRK included.
 * Return: its tracer, while it is not freed.
 */
static __always_inline struct kpt_tracer *kpt_tracer_of(const struct kpt_instance *instance)
{
	return instance->slot.tracer;
}

int kpt_tracer_init(struct kpt_instance *instance);
void kpt_tracer_forget(struct kpt_instance *instance);
const char *kpt_tracer_next_name(unsigned int *at);
const struct kpt_event *kpt_tracer_nth_beside(unsigned int nth);
bool kpt_tracer_is_profiling(void);
int kpt_tracer_profile(bool on);
bool kpt_tracer_is_measuring(void);
int kpt_tracer_measure(bool on);
void kpt_tracer_update_graph_limits(struct kpt_instance *instance);
int kpt_tracer_set(struct kpt_instance *instance, const char *name);
int kpt_tracer_set_depth(struct kpt_instance *instance, unsigned int depth);
int kpt_tracer_renew(struct kpt_instance *instance);
int kpt_tracer_prepare(const struct kpt_instance *instance, enum kpt_tracer_set which);
int kpt_tracer_update(struct kpt_instance *instance, enum kpt_tracer_set which);
void kpt_tracer_refresh_graph(struct kpt_instance *instance);
int kpt_tracer_choose(struct kpt_instance *instance, enum kpt_tracer_set which,
		      const char *file, const char *words, bool from_empty);
void kpt_tracers_coming(const struct module *mod);
void kpt_tracers_going(const struct module *mod, kpt_going_t is_going);

/* Files of the top directory and of instances. */
extern const struct kpt_fs_table kpt_function_entries;
extern const struct kpt_fs_table kpt_max_stack_entries;
extern const struct kpt_fs_table kpt_profile_entries;
extern const struct kpt_fs_table kpt_tracer_top_entries;
extern const struct kpt_fs_table kpt_tracer_entries;
/* A file of trace_stat/. */
extern const struct kpt_fs_file kpt_profile_entry;

/* Builtin events of tracers of functions. */
extern const struct kpt_event_class kpt_class_tracer;

#endif
