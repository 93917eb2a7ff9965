/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event classes: kinds of events, by what their definitions look like.
 *
 * A class is one file: it turns parsed definitions into probes, arms them and
 * lists them. Everything else (names, instances, filters, triggers, rings,
 * readers) is the same for all classes.
 */
#ifndef KPTRACE_CLASS_H
#define KPTRACE_CLASS_H

#include "engine/point.h"
#include "event/event_file.h"

struct kpt_btf;
struct kpt_symbol_list;
struct module;

/**
 * struct kpt_event_class - a kind of event
 * @letters: first letters of its definitions; empty for builtin events
 * @log_name: the tracer that error_log names for a mistake
 * @default_group: group of an event whose definition names no group; NULL if nobody
 *	defines its events
 * @one_probe: an event has one probe; a second one cannot join
 * @in_kprobe_events: kprobe_events and kprobe_profile list its probes
 * @in_synthetic_events: synthetic_events does. Every class is in dynamic_events
 * @is_static: its events are the kernel's: nobody defines, lists or deletes them
 * @is_given: its events exist without a definition: enabling all events leaves them alone
 * @is_unlisted: its events are made when they are needed: no file of definitions lists
 *	or deletes them
 * @is_builtin: nobody defines its events, and no list has them
 * @define: as kpt_command_define() for lines of its letter, if there may be such an event
 *	that is not from a definition; NULL: that function
 * @make: makes a probe from a definition, and the shape of its records with
 *	kmalloc(); arms nothing. Returns ERR_PTR() with @diag set on failure
 * @free: frees a probe that is not armed
 * @arm: adds to @batch the handlers that let a probe record into @file. Returns 0,
 *	-ENOMEM, or -EBUSY with @diag set if other code has patched a place; then
 *	@disarm removes what it has added. @diag is NULL if the probe is armed and
 *	only its sinks for @file change: then the places are not checked
 * @disarm: the reverse of @arm; @file is NULL for all instances
 * @used_by: says what uses the probe in other ways than arming it; NULL if nothing
 *	does. May be missing
 * @attach: module @mod is being loaded: takes the places in it that the probe
 *	waits for. Returns 1 if the probe can be armed now, 0 if it does not wait
 *	for @mod, or -errno with @diag set. NULL if it never waits
 * @stands_in: does the probe have a site, or know a function, in text of @mod that
 *	@is_going accepts? NULL: as kpt_sites_stand_in() says
 * @leave: adds to @batch the handlers without which these sites are disarmed in all
 *	instances, and marks their calls as KPT_CALLS_ORPHANED. Returns 0 or -ENOMEM.
 *	NULL: as kpt_sites_leave() does
 * @detach: puts these sites; the probe waits for the module again, or is freed. NULL: as
 *	kpt_sites_detach() does
 * @is_in: is an event one of module @module? Missing if events of the class are of none
 * @function: as kpt_probe_function(), which calls it; NULL: the functions of its sites
 * @waits_for: as kpt_probe_waits_for(), which calls it; NULL if it waits for none
 * @left_out: as @function, of the functions that the definition matches and that are
 *	not probed, and why; NULL if there never are any
 * @remark: shows what a definition matches, for dynamic_events; NULL if that is always
 *	one place
 * @choose_name: writes group and name of a new event; NULL if the definition names
 *	them, or its place does
 * @list: shows a whole definition; NULL if that is @prefix, event, place and arguments
 * @prefix: shows the beginning of a listed definition: its letter and all up to
 *	the colon
 *
 * All are called in process context with kpt_mutex held, and may sleep.
 */
struct kpt_event_class {
	const char *letters;
	const char *log_name;
	const char *default_group;
	bool one_probe;
	bool in_kprobe_events;
	bool in_synthetic_events;
	bool is_static;
	bool is_given;
	bool is_unlisted;
	bool is_builtin;

	int (*define)(const struct kpt_def *def, struct kpt_diag *diag);
	struct kpt_probe *(*make)(const struct kpt_def *def,
				  const struct kpt_fields **fields,
				  struct kpt_diag *diag);
	void (*free)(struct kpt_probe *probe);
	int (*arm)(struct kpt_probe *probe, struct kpt_event_file *file,
		   struct kpt_batch *batch, struct kpt_diag *diag);
	int (*disarm)(struct kpt_probe *probe, struct kpt_event_file *file,
		      struct kpt_batch *batch);
	const char *(*used_by)(const struct kpt_probe *probe);
	int (*attach)(struct kpt_probe *probe, const struct module *mod,
		      struct kpt_diag *diag);
	bool (*stands_in)(const struct kpt_probe *probe,
			  const struct module *mod, kpt_going_t is_going);
	int (*leave)(struct kpt_probe *probe, const struct module *mod,
		     kpt_going_t is_going, struct kpt_batch *batch);
	void (*detach)(struct kpt_probe *probe, const struct module *mod,
		       kpt_going_t is_going);
	bool (*is_in)(const struct kpt_event *event, const char *module);
	unsigned long (*function)(const struct kpt_probe *probe,
				  unsigned int *at);
	const char *(*waits_for)(const struct kpt_probe *probe);
	unsigned long (*left_out)(const struct kpt_probe *probe,
				  unsigned int *at, enum kpt_diag_code *why);
	void (*choose_name)(const struct kpt_def *def, char *group, char *name);
	void (*list)(const struct kpt_probe *probe, struct seq_file *m);
	void (*remark)(const struct kpt_probe *probe, struct seq_file *m);
	void (*prefix)(const struct kpt_probe *probe, struct seq_file *m);
};

/* p and r: places in text, and returns of functions. */
extern const struct kpt_event_class kpt_class_kprobe;
/* f: entries and returns of functions. */
extern const struct kpt_event_class kpt_class_fprobe;
/* t: tracepoints. */
extern const struct kpt_event_class kpt_class_tracepoint;
/* e: records of other events. */
extern const struct kpt_event_class kpt_class_eprobe;
/* Builtin events, such as ftrace:print. */
extern const struct kpt_event_class kpt_class_builtin;

/**
 * kpt_event_is_builtin() - does an event exist without a definition?
 * @event: the event
 *
 * A builtin event is not in kpt_events, so users cannot list, enable or delete it. Its only
 * probes are those of tracers.
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool kpt_event_is_builtin(const struct kpt_event *event)
{
	return event->class->is_builtin;
}

const struct kpt_event_class *kpt_class_of(const struct kpt_def *def);
int kpt_function_list_anywhere(struct kpt_symbol_list *list, const char *names);

/* Of the part btf: types of the kernel or a module, and of a function. */
const struct kpt_btf *kpt_btf_of(const char *module, struct kpt_strbuf *why);
int kpt_btf_offset(const char *type, const char *path, u64 *offset, u64 *size);
const struct kpt_btf *kpt_func_types(unsigned long addr, const char *name,
				     u32 *func, struct kpt_strbuf *why);

#endif
