/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints of the kernel and of modules, as sources of hits.
 *
 * A tracepoint is registered exactly while its hook has handlers.
 */
#ifndef KPTRACE_TRACEPOINT_H
#define KPTRACE_TRACEPOINT_H

#include <linux/list.h>
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
 * @thunk: the function that the tracepoint calls
 * @registered: it calls @thunk
 * @users: number of references; under kpt_mutex
 * @list: in a list of tracepoint.c
 */
struct kpt_tracepoint {
	struct kpt_hook hook;
	unsigned long func;
	struct tracepoint *tp;
	void *thunk;
	bool registered;
	unsigned int users;
	struct list_head list;
};

#ifdef CONFIG_TRACEPOINTS
struct kpt_tracepoint *kpt_tracepoint_get(const char *name,
					  const struct module *mod,
					  struct kpt_diag *diag);
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
