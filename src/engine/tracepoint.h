/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints of the kernel and of modules, as sources of hits.
 *
 * A tracepoint is registered exactly while its hook has handlers.
 */
#ifndef KPTRACE_TRACEPOINT_H
#define KPTRACE_TRACEPOINT_H

#include <linux/list.h>
#include <linux/trace_events.h>
#include <linux/unistd.h>
#include "engine/hook.h"

struct kpt_diag;
struct module;
struct tracepoint;
struct kpt_tracepoint_set;

/**
 * struct kpt_tracepoint - a tracepoint, shared by all probes on it
 * @called: how the thunk records hits by itself; first member, for the thunk
 * @hook: the handlers that a hit runs
 * @func: the address that records show: a function of the kernel that belongs to
 *	the tracepoint alone; 0 if @function makes the records
 * @tp: the kernel's object; valid while @users is not 0
 * @function: the function that the tracepoint calls: a thunk; or the kernel's, which
 *	makes records
 * @data: first argument of @function: this; or @file
 * @file: of the kernel's type, for its function; with CONFIG_EVENT_TRACING
 * @set: of an event of one system call: those of all; also in kpt_tracepoint_set.all
 * @nr: number of the system call
 * @size: bytes of a record of that event, without what @user_mask adds
 * @user_mask: arguments that point to what is recorded, too
 * @registered: it calls @function; or it is in @set
 * @users: number of references; under kpt_mutex
 * @list: in a list of tracepoint.c
 */
struct kpt_tracepoint {
	struct kpt_arch_called called;
	struct kpt_hook hook;
	unsigned long func;
	struct tracepoint *tp;
	void *function;
	void *data;
#ifdef CONFIG_EVENT_TRACING
	struct trace_event_file file;
#endif
	struct kpt_tracepoint_set *set;
	u16 nr;
	u16 size;
	u16 user_mask;
	bool registered;
	unsigned int users;
	struct list_head list;
};

static_assert(!offsetof(struct kpt_tracepoint, called));

/**
 * struct kpt_tracepoint_set - the events of all system calls, at entry or at exit
 * @all: the tracepoint that all system calls hit; registered while @nr is not 0. First
 *	member: the set is freed with it
 * @one: by number of the system call: its event if that is armed; else NULL
 * @nr: how many are armed
 *
 * @one is changed under kpt_mutex, and read by hits.
 */
struct kpt_tracepoint_set {
	struct kpt_tracepoint all;
	struct kpt_tracepoint *one[NR_syscalls];
	unsigned int nr;
};

#ifdef CONFIG_EVENT_TRACING
struct kpt_tracepoint *kpt_tracepoint_make(struct trace_event_call *call);
struct kpt_tracepoint *kpt_tracepoint_make_one(struct trace_event_call *all,
					       struct trace_event_call *call);
#endif

#ifdef CONFIG_TRACEPOINTS
struct tracepoint *kpt_tracepoint_find(const char *name);
void kpt_tracepoint_unregister(struct tracepoint *tp, void *function, void *data);
struct kpt_tracepoint *kpt_tracepoint_get(const char *name,
					  const struct module *mod,
					  struct kpt_diag *diag);
void kpt_tracepoint_put(struct kpt_tracepoint *tracepoint);
int kpt_tracepoints_register(struct kpt_batch *batch, struct kpt_diag *diag);
void kpt_tracepoints_unregister(struct kpt_batch *batch);
void kpt_tracepoints_disarm_all(void);
#else
static inline struct tracepoint *kpt_tracepoint_find(const char *name)
{
	return NULL;
}

static inline struct kpt_tracepoint *
kpt_tracepoint_get(const char *name, const struct module *mod,
		   struct kpt_diag *diag)
{
	return NULL;
}

static inline void kpt_tracepoint_put(struct kpt_tracepoint *tracepoint)
{
}

static inline int kpt_tracepoints_register(struct kpt_batch *batch,
					   struct kpt_diag *diag)
{
	return 0;
}

static inline void kpt_tracepoints_unregister(struct kpt_batch *batch)
{
}

static inline void kpt_tracepoints_disarm_all(void)
{
}
#endif

#endif
