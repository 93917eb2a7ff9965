// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's static events: a list of their names, made when somebody looks and kept up
 * with modules; and the class of those that are used, which are events as any other. At
 * their hits the kernel's own functions make the records, see arch/arm64/entry/kernel_records.c.
 */
#include "kernel/compat.h"
#include <linux/err.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>
#include "engine/tracepoint.h"
#include "event/class.h"
#include "arming/handlers.h"
#include "parts/static/static.h"
#include "kernel/ksyms.h"
#include "kernel/scratch.h"
#include "kernel/symbol/symbol.h"

#ifdef CONFIG_EVENT_TRACING

/*
 * Parameter static_events; between load and unload, can they be listed; has somebody looked
 * for them; and are they listed, or are there none? Under kpt_mutex.
 */
static bool static_wanted = true, static_ready, static_looked, static_listed;

/* An event of the kernel's list, or an ERR_PTR, while static_ready. */
static struct trace_event_file *static_known;

/* Why there are no static events; NULL if there are. */
static const char *why_none = "nobody has looked for them yet";

/**
 * struct kpt_static_probe - the only probe of a static event
 * @base: the part that probes of all classes have
 * @of: the event
 * @tracepoint: its tracepoint; NULL while its module is not loaded
 */
struct kpt_static_probe {
	struct kpt_probe base;
	struct kpt_declared *of;
	struct kpt_tracepoint *tracepoint;
};

static struct kpt_static_probe *static_probe_of(struct kpt_probe *base)
{
	return container_of(base, struct kpt_static_probe, base);
}

static struct kpt_tracepoint *static_tracepoint(const struct kpt_probe *base)
{
	return container_of(base, const struct kpt_static_probe, base)->tracepoint;
}

/*
 * The class. Nobody defines its events.
 */

static void static_put(struct kpt_probe *base)
{
	struct kpt_static_probe *probe = static_probe_of(base);

	if (probe->tracepoint)
		kpt_tracepoint_put(probe->tracepoint);
	probe->tracepoint = NULL;
}

static void static_free(struct kpt_probe *base)
{
	struct kpt_static_probe *probe = static_probe_of(base);

	static_put(base);
	probe->of->event = NULL;
	kpt_probe_fini(base);
	kfree(probe);
}

static struct kpt_tracepoint *static_make_tracepoint(struct trace_event_call *call)
{
	struct trace_event_call *all = kpt_static_of_syscalls(call->class);

	return all ? kpt_tracepoint_make_one(all, call) : kpt_tracepoint_make(call);
}

static struct kpt_probe *static_probe(struct kpt_declared *s,
				      const struct kpt_fields *fields)
{
	struct kpt_static_probe *probe = kzalloc(sizeof(*probe), GFP_KERNEL);
	struct kpt_probe *base;

	if (!probe)
		return NULL;
	base = &probe->base;
	probe->of = s;
	probe->tracepoint = static_make_tracepoint(s->call);
	base->place = kasprintf(GFP_KERNEL, "%s:%s", s->group->name, s->name);
	if (probe->tracepoint && base->place && !kpt_probe_init_shaped(base, fields))
		return base;
	static_free(base);
	return NULL;
}

static int static_arm(struct kpt_probe *base, struct kpt_event_file *file,
		      struct kpt_batch *batch, struct kpt_diag *diag)
{
	static const struct kpt_site nowhere = { .role = KPT_ROLE_HIT };
	struct kpt_tracepoint *tracepoint = static_tracepoint(base);

	if (!tracepoint)
		return 0;
	return (diag ? kpt_arch_records_check(diag) : 0) ?:
	       kpt_rooms_alloc() ?:
	       kpt_handlers_add(&tracepoint->hook, base, file, &nowhere, batch);
}

static int static_disarm(struct kpt_probe *base, struct kpt_event_file *file,
			 struct kpt_batch *batch)
{
	struct kpt_tracepoint *tracepoint = static_tracepoint(base);

	return tracepoint ? kpt_handlers_remove(&tracepoint->hook, base, file, batch) :
			    0;
}

/* kpt_static_coming() has found the event in its module again. */
static int static_attach(struct kpt_probe *base, const struct module *mod,
			 struct kpt_diag *diag)
{
	struct kpt_static_probe *probe = static_probe_of(base);

	if (probe->tracepoint || !probe->of->call)
		return 0;
	probe->tracepoint = static_make_tracepoint(probe->of->call);
	return probe->tracepoint ? 1 : -ENOMEM;
}

static bool static_stands_in(const struct kpt_probe *base,
			     const struct module *mod, kpt_going_t is_going)
{
	const struct kpt_tracepoint *tracepoint = static_tracepoint(base);

	return tracepoint && is_going((unsigned long)tracepoint->function, mod);
}

static int static_leave(struct kpt_probe *base, const struct module *mod,
			kpt_going_t is_going, struct kpt_batch *batch)
{
	return static_disarm(base, NULL, batch);
}

static void static_detach(struct kpt_probe *base, const struct module *mod,
			  kpt_going_t is_going)
{
	static_put(base);
}

static bool static_event_is_in(const struct kpt_event *event, const char *module);

static const struct kpt_event_class class = {
	.letters = "",
	.log_name = "static_events",
	.is_in = static_event_is_in,
	.is_static = true,
	.free = static_free,
	.arm = static_arm,
	.disarm = static_disarm,
	.attach = static_attach,
	.stands_in = static_stands_in,
	.leave = static_leave,
	.detach = static_detach,
};

/*
 * Making events.
 */

/*
 * These are about two tasks: the current one, and one that it switches to or wakes. See
 * kpt_event.other_pid.
 */
static const struct {
	const char *event;
	const char *field;
} about_two[] = {
	{ "sched_switch", "next_pid" },
	{ "sched_waking", "pid" },
	{ "sched_wakeup", "pid" },
	{ "sched_wakeup_new", "pid" },
};

static const char *static_other_field(const struct kpt_declared *s)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(about_two); i++)
		if (!strcmp(s->group->name, "sched") && !strcmp(s->name, about_two[i].event))
			return about_two[i].field;
	return NULL;
}

/* Offset of the number of the other task in records; 0 if they have none. */
static u8 static_other_pid(const struct kpt_declared *s, const struct kpt_fields *fields)
{
	const char *name = static_other_field(s);
	struct kpt_field_ref field;

	if (!name || !kpt_field_find_own(fields, name, strlen(name), &field) ||
	    field.size != sizeof(s32) || field.offset > U8_MAX)
		return 0;
	return field.offset;
}

/* kpt_declared.make */
static struct kpt_event *static_make(struct kpt_declared *s)
{
	struct kpt_fields *fields;
	struct kpt_probe *probe;

	lockdep_assert_held(&kpt_mutex);
	if (s->event || !s->call)
		return s->event;
	fields = kpt_static_shape(s);
	if (!fields)
		return NULL;
	probe = static_probe(s, fields);
	if (probe)
		s->event = kpt_event_add(&class, s->group->name, s->name,
					 s->id, fields);
	if (!s->event) {
		if (probe)
			static_free(probe);
		fields->release(fields);
		return NULL;
	}
	s->event->other_pid = static_other_pid(s, fields);
	kpt_event_add_probe(s->event, probe);
	if (!kpt_event_files_add(s->event))
		return s->event;
	kpt_event_discard(s->event);
	return NULL;
}

/* Its module, if it has one that is loaded, is @module. */
static bool static_is_in(const struct kpt_declared *s, const char *module)
{
	char name[MODULE_NAME_LEN];

	return s->call && kpt_symbol_module_of((unsigned long)s->call, name) &&
	       !strcmp(name, module);
}

/* kpt_event_class.is_in */
static bool static_event_is_in(const struct kpt_event *event, const char *module)
{
	struct kpt_probe *probe;

	probe = list_first_entry(&event->probes, struct kpt_probe, sibling);
	return static_is_in(static_probe_of(probe)->of, module);
}

static bool static_is_chosen(const struct kpt_event_files *which,
			     const struct kpt_declared *s)
{
	if (which->group && strcmp(which->group, s->group->name))
		return false;
	if (which->name && strcmp(which->name, s->name))
		return false;
	if (which->module && !static_is_in(s, which->module))
		return false;
	return !which->either || !strcmp(which->either, s->group->name) ||
	       !strcmp(which->either, s->name);
}

/**
 * kpt_static_make_chosen() - make the events that are chosen
 * @which: the choice
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_static_make_chosen(const struct kpt_event_files *which)
{
	struct kpt_group *group;
	struct kpt_declared *s;

	lockdep_assert_held(&kpt_mutex);
	if (!kpt_event_files_have_unused(which))
		return 0;
	kpt_static_declare();
	list_for_each_entry(group, &kpt_groups, list)
		list_for_each_entry(s, &group->declared, list)
			if (s->call && static_is_chosen(which, s) &&
			    !static_make(s))
				return -ENOMEM;
	return 0;
}

/*
 * The list of names.
 */

static void static_list(struct trace_event_call *call)
{
	const char *name = trace_event_name(call);
	struct kpt_declared *s = kzalloc(sizeof(*s) + strlen(name) + 1, GFP_KERNEL);
	int id = s ? kpt_event_number_alloc() : -ENOMEM;

	if (id >= 0)
		s->group = kpt_group_keep(call->class->system);
	if (id < 0 || !s->group) {
		if (id >= 0)
			kpt_event_number_free(id);
		kfree(s);
		pr_warn("no memory for static event %s\n", name);
		return;
	}
	s->call = call;
	s->id = id;
	s->make = static_make;
	s->seq = kpt_group_next_seq();
	refcount_set(&s->refs, 1);
	strcpy(s->name, name);
	list_add_tail_rcu(&s->list, &s->group->declared);
}

static void static_unlist(struct kpt_declared *s)
{
	WRITE_ONCE(s->dead, true);
	list_del_rcu(&s->list);
	kpt_event_number_free(s->id);
	kpt_group_unkeep(s->group);
	kpt_declared_put(s);
}

/* Do records of the event come from a function that calls those that we redirect? */
static bool static_is_recorded(const struct trace_event_call *call)
{
	if (kpt_static_of_syscalls(call->class))
		return kpt_static_syscall_is_known(call);
	return call->flags & TRACE_EVENT_FL_TRACEPOINT && call->tp &&
	       call->class->probe &&
	       kpt_arch_records_come_from((unsigned long)call->class->probe);
}

/* A defined event that was there before has the name for itself. */
static bool static_name_is_free(struct trace_event_call *call)
{
	const struct kpt_event *event = kpt_event_find(call->class->system,
						       trace_event_name(call));

	return !event || event->class->is_static;
}

static bool static_is_usable(struct trace_event_call *call)
{
	return call->class->fields_array && call->event.funcs &&
	       call->event.funcs->trace &&
	       strlen(trace_event_name(call)) < KPT_NAME_MAX &&
	       strlen(call->class->system) < KPT_NAME_MAX &&
	       static_name_is_free(call) && static_is_recorded(call);
}

/*
 * The kernel's list of events has a head, which is no event, so nothing of a member is
 * trusted before its class is known.
 */
static bool static_is_call(const struct trace_event_call *call)
{
	int (*reg)(struct trace_event_call *call, enum trace_reg type, void *data);
	struct trace_event_class *class;

	if (get_kernel_nofault(class, &call->class))
		return false;
	return kpt_static_of_syscalls(class) ||
	       (!get_kernel_nofault(reg, &class->reg) && reg == trace_event_reg);
}

/* kpt_static_going() of its module may have run already. Under event_read_lock(). */
static bool static_is_going(const struct trace_event_call *call)
{
	const struct module *mod = call->kpt_call_module;

	return mod && mod->state == MODULE_STATE_GOING;
}

static void static_list_call(struct trace_event_call *call)
{
	if (static_is_call(call) && static_is_usable(call) && !static_is_going(call))
		static_list(call);
}

/*
 * An event of the kernel's list. The kernel finds it under event_mutex, which is
 * outside of kpt_mutex.
 */
static struct trace_event_file *static_know(void)
{
	if (!kpt_has(trace_put_event_file))
		return ERR_PTR(-EOPNOTSUPP);
	kpt_static_syscalls_find();
	return trace_get_event_file(NULL, "sched", "sched_switch");
}

static void static_unknow(struct trace_event_file *known)
{
	if (!IS_ERR(known))
		trace_put_event_file(known);
}

static const char *static_list_all(struct trace_event_file *known)
{
	struct trace_event_call *first, *call;
	int err;

	if (IS_ERR(known))
		return "the kernel has no event sched:sched_switch";
	err = kpt_static_text_init(known->tr);
	first = known->event_call;
	kpt_static_syscalls_init();
	trace_event_read_lock();
	list_for_each_entry(call, &first->list, list)
		if (!err)
			static_list_call(call);
	if (!err)
		static_list_call(first);
	trace_event_read_unlock();
	return err ? "no memory" : NULL;
}

/*
 * Modules.
 */

static struct kpt_declared *static_of_call(struct trace_event_call *call)
{
	const struct kpt_group *group = kpt_group_find(call->class->system);

	return group ? kpt_declared_find(group, trace_event_name(call)) : NULL;
}

static void static_come(struct trace_event_call *call)
{
	struct kpt_declared *s;

	if (!static_is_call(call) || !static_is_usable(call))
		return;
	s = static_of_call(call);
	if (!s)
		static_list(call);
	else if (!s->call && kpt_static_same_shape(s, call))
		s->call = call;
}

/**
 * kpt_static_coming() - list the events of a module that is being loaded
 * @mod: the module
 *
 * An event that was made before it was unloaded has its call again, if its fields are
 * the same.
 *
 * Context: module notifier, after the kernel's own; kpt_mutex held.
 */
void kpt_static_coming(const struct module *mod)
{
	unsigned int i;

	if (why_none)
		return;
	for (i = 0; i < mod->num_trace_events; i++)
		static_come(mod->trace_events[i]);
}

/**
 * kpt_static_going() - forget the events of a module that is being unloaded
 * @mod: the module; its events are disarmed
 *
 * Those that were made stay, and wait for the module: their records are shown as
 * fields.
 *
 * Context: module notifier, before the kernel's own; kpt_mutex held.
 */
void kpt_static_going(const struct module *mod)
{
	struct kpt_declared *s;
	unsigned int i;

	for (i = 0; !why_none && i < mod->num_trace_events; i++) {
		s = static_is_call(mod->trace_events[i]) ?
			static_of_call(mod->trace_events[i]) : NULL;
		if (!s || s->call != mod->trace_events[i])
			continue;
		kpt_static_forget(s);
		if (!s->event)
			static_unlist(s);
	}
}

/**
 * kpt_static_why_none() - why are there no static events?
 *
 * Context: any.
 * Return: a constant string; NULL if there are.
 */
const char *kpt_static_why_none(void)
{
	return why_none;
}

/* List them, and prove that they can be recorded. */
static void static_begin(void)
{
	static_listed = true;
	if (!kpt_has(trace_event_read_lock) || !kpt_has(trace_event_read_unlock) ||
	    !kpt_has(trace_put_event_file))
		why_none = "this kernel has no trace_event_read_lock";
	else if (kpt_rooms_alloc())
		why_none = "no memory";
	else
		why_none = kpt_arch_records_init();
	kpt_rooms_free();
	if (!why_none)
		why_none = static_list_all(static_known);
	if (why_none)
		pr_info("no static events: %s\n", why_none);
}

static void static_list_wanted(void)
{
	if (!static_ready || !static_looked || static_listed)
		return;
	why_none = "parameter static_events is 0";
	if (static_wanted)
		static_begin();
}

/**
 * kpt_static_declare() - kpt_part.declare
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_static_declare(void)
{
	lockdep_assert_held(&kpt_mutex);
	static_looked = true;
	static_list_wanted();
}

/* They stay once they are there. */
static int static_param_change(bool on)
{
	int err = 0;

	if (kpt_lock())
		return -EINTR;
	if (!on && static_listed)
		err = -EBUSY;
	else
		static_wanted = on;
	static_list_wanted();
	kpt_unlock();
	return err;
}

static int static_param_set(const char *val, const struct kernel_param *kp)
{
	return kpt_param_set_switch(val, static_param_change);
}

static const struct kernel_param_ops static_param_ops = {
	.set = static_param_set,
	.get = param_get_bool,
};

module_param_cb(static_events, &static_param_ops, &static_wanted, 0600);
MODULE_PARM_DESC(static_events, "0: the kernel's static events are not in events/");

/**
 * kpt_static_init() - let static events be listed
 *
 * Context: module load.
 * Return: 0: without static events the rest works; kpt_static_why_none() tells.
 */
int kpt_static_init(void)
{
	struct trace_event_file *known = static_know();

	mutex_lock(&kpt_mutex);
	static_known = known;
	static_ready = true;
	static_list_wanted();
	mutex_unlock(&kpt_mutex);
	return 0;
}

/**
 * kpt_static_exit() - forget all names
 *
 * Context: module unload; all events are freed.
 */
void kpt_static_exit(void)
{
	struct kpt_group *group, *next_group;
	struct kpt_declared *s, *next;

	mutex_lock(&kpt_mutex);
	/* The parameter can still be written. */
	static_ready = false;
	list_for_each_entry_safe(group, next_group, &kpt_groups, list)
		list_for_each_entry_safe(s, next, &group->declared, list)
			static_unlist(s);
	kpt_static_text_exit();
	mutex_unlock(&kpt_mutex);
	static_unknow(static_known);
}

#endif
