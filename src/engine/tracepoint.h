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
#include "engine/hook.h"

struct kpt_diag;
struct module;
struct tracepoint;

/**
 * struct kpt_tracepoint - a tracepoint, shared by all probes on it
 * @hook: the handlers that a hit runs
 * @func: the address that records show: a function of the kernel that belongs to
 *	the tracepoint alone
 * @tp: the kernel's object; valid while @users is not 0
 * @function: the function that the tracepoint calls: a thunk; or the kernel's, which
 *	makes records
 * @data: first argument of @function: this; or @file
 * @file: of the kernel's type, for its function; with CONFIG_EVENT_TRACING
 * @registered: it calls @function
 * @users: number of references; under kpt_mutex
 * @list: in a list of tracepoint.c
 */
struct kpt_tracepoint {
	struct kpt_hook hook;
	unsigned long func;
	struct tracepoint *tp;
	void *function;
	void *data;
#ifdef CONFIG_EVENT_TRACING
	struct trace_event_file file;
#endif
	bool registered;
	unsigned int users;
	struct list_head list;
};

#ifdef CONFIG_TRACEPOINTS
struct kpt_tracepoint *kpt_tracepoint_get(const char *name,
					  const struct module *mod,
					  struct kpt_diag *diag);
struct kpt_tracepoint *kpt_tracepoint_make(struct trace_event_call *call);
void kpt_tracepoint_put(struct kpt_tracepoint *tracepoint);
int kpt_tracepoints_register(struct kpt_batch *batch, struct kpt_diag *diag);
void kpt_tracepoints_unregister(struct kpt_batch *batch);
void kpt_tracepoints_disarm_all(void);
#else
static inline struct kpt_tracepoint *
kpt_tracepoint_get(const char *name, const struct module *mod,
		   struct kpt_diag *diag)
{
	return NULL;
}

static inline struct kpt_tracepoint *kpt_tracepoint_make(struct trace_event_call *call)
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
