/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's static events, such as sched:sched_switch. */
#ifndef KPTRACE_STATIC_H
#define KPTRACE_STATIC_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include "event/event_file.h"

struct kpt_tracepoint;
struct module;
struct trace_array;
struct trace_event_call;
struct trace_event_class;
struct trace_event_fields;

/**
 * struct kpt_static - a static event of the kernel or of a module
 * @list: in kpt_group.static_events, in the order of @seq
 * @seq: larger than that of all groups and events made before
 * @group: its group, which it keeps
 * @call: the kernel's object; NULL while its module is not loaded
 * @event: made when it is used for the first time; else NULL
 * @id: number of @event
 * @dead: its module was unloaded, and it has no @event
 * @refs: one for each inode about it, and one for @list
 * @rcu: frees it after a grace period: lookups find it under rcu_read_lock()
 * @name: its name
 *
 * Changed under kpt_mutex. @list and @name are read under RCU too, @call also with the
 * lock of static_shape.c.
 */
struct kpt_static {
	struct list_head list;
	u64 seq;
	struct kpt_group *group;
	struct trace_event_call *call;
	struct kpt_event *event;
	u16 id;
	bool dead;
	refcount_t refs;
	struct rcu_head rcu;
	char name[];
};

#ifdef CONFIG_EVENT_TRACING
struct kpt_event *kpt_static_make(struct kpt_static *s);
struct kpt_event *kpt_static_find(const char *group, const char *name);
struct kpt_static *kpt_static_lookup(const struct kpt_group *group,
				     const char *name);
void kpt_static_put(struct kpt_static *s);
int kpt_static_make_chosen(const struct kpt_event_files *which);
void kpt_static_coming(const struct module *mod);
void kpt_static_going(const struct module *mod);
bool kpt_static_is_in(const struct kpt_event *event, const char *module);
const char *kpt_static_why_none(void);
int kpt_static_init(void);
void kpt_static_exit(void);
#else
static inline struct kpt_event *kpt_static_make(struct kpt_static *s)
{
	return NULL;
}

static inline struct kpt_event *kpt_static_find(const char *group, const char *name)
{
	return NULL;
}

static inline struct kpt_static *kpt_static_lookup(const struct kpt_group *group,
						   const char *name)
{
	return NULL;
}

static inline void kpt_static_put(struct kpt_static *s)
{
}

static inline int kpt_static_make_chosen(const struct kpt_event_files *which)
{
	return 0;
}

static inline void kpt_static_coming(const struct module *mod)
{
}

static inline void kpt_static_going(const struct module *mod)
{
}

static inline bool kpt_static_is_in(const struct kpt_event *event,
				    const char *module)
{
	return false;
}

static inline const char *kpt_static_why_none(void)
{
	return "this kernel has no event tracing";
}

static inline int kpt_static_init(void)
{
	return 0;
}

static inline void kpt_static_exit(void)
{
}
#endif

/* static_syscalls.c */

/* Adds a field to the shape @to. Returns false without memory. */
typedef bool (*kpt_static_put_t)(void *to, const struct trace_event_fields *f);

/* Most fields that kpt_static_syscall_fields() lists. */
#define KPT_STATIC_SYSCALL_FIELDS 12

void kpt_static_syscalls_find(void);
void kpt_static_syscalls_init(void);
struct trace_event_call *kpt_static_of_syscalls(const struct trace_event_class *class);
bool kpt_static_syscall_is_known(const struct trace_event_call *call);
bool kpt_static_syscall_fields(const struct trace_event_call *call,
			       kpt_static_put_t put, void *to);

/* static_shape.c */

struct kpt_fields *kpt_static_shape(struct kpt_static *s);
bool kpt_static_same_shape(const struct kpt_static *s,
			   struct trace_event_call *call);
void kpt_static_forget(struct kpt_static *s);
int kpt_static_text_init(struct trace_array *tr);
void kpt_static_text_exit(void);

#endif
