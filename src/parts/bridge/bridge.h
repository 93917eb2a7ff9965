/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bridges: events that are in the kernel's own tracing, too, where perf, BPF programs
 * and the kernel's rings find them as its own.
 */
#ifndef KPTRACE_EVENT_BRIDGE_H
#define KPTRACE_EVENT_BRIDGE_H

#include "kernel/compat.h"
#include <linux/trace_events.h>
#include "event/event_file.h"

struct kpt_bridge;

#ifdef KPT_BRIDGES

/* Most instances of the kernel's tracing in which an event can be enabled at a time. */
#define KPT_BRIDGE_RINGS 8

/**
 * struct kpt_bridge - an event as the kernel's tracing sees it
 * @call: the kernel's object
 * @class: its class, which has its fields
 * @name: has the name of @call
 * @list: in a list of bridge.c
 * @event: the event, with a reference
 * @file: its event file in the top instance, from when somebody first listens to it
 * @types: texts of types of fields that are made for @call
 * @nr_types: number of @types
 * @is_wanted: the event should be in the kernel's tracing. Under kpt_mutex
 * @is_there: it is. Changed by the worker of bridge.c, under kpt_mutex
 * @err: why the last change has failed, or 0. Under kpt_mutex
 * @is_open: perf or BPF programs have it open
 * @nr_rings: members of @ring up to the last that was ever used
 * @ring: its files in those instances of the kernel's tracing that have it enabled;
 *	NULL in between
 *
 * @is_open and @ring are changed under the kernel's event_mutex. Hits read them, where
 * RCU watches.
 */
struct kpt_bridge {
	struct trace_event_call call;
	struct trace_event_class class;
	struct tracepoint name;
	struct list_head list;
	struct kpt_event *event;
	struct kpt_event_file *file;
	char **types;
	unsigned int nr_types;
	bool is_wanted;
	bool is_there;
	int err;
	bool is_open;
	unsigned int nr_rings;
	struct trace_event_file *ring[KPT_BRIDGE_RINGS];
};

struct kpt_bridge *kpt_bridge_make(struct kpt_event *event);
void kpt_bridge_free(struct kpt_bridge *bridge);

int kpt_bridge_want(struct kpt_event *event, bool on, struct kpt_diag *diag);
int kpt_bridge_result(const struct kpt_event *event, bool on, struct kpt_diag *diag);
bool kpt_bridge_is_there(const struct kpt_event *event);
const char *kpt_bridge_user(const struct kpt_event *event);
void kpt_bridge_event_added(struct kpt_event *event);
void kpt_bridge_event_removed(struct kpt_event *event);
int kpt_bridge_wait(void);
const char *kpt_bridge_why_none(void);
unsigned int kpt_bridges_nr(void);
int kpt_bridge_init(void);
void kpt_bridge_exit(void);
#else
static inline const char *kpt_bridge_user(const struct kpt_event *event)
{
	return NULL;
}

static inline void kpt_bridge_event_added(struct kpt_event *event)
{
}

static inline void kpt_bridge_event_removed(struct kpt_event *event)
{
}

static inline int kpt_bridge_wait(void)
{
	return 0;
}

static inline const char *kpt_bridge_why_none(void)
{
	return "this kernel has no tracing, or no perf events";
}

static inline unsigned int kpt_bridges_nr(void)
{
	return 0;
}

static inline int kpt_bridge_init(void)
{
	return 0;
}

static inline void kpt_bridge_exit(void)
{
}
#endif

struct kpt_fs_table;

/* bridge_file.c: in the directory of an event */
extern const struct kpt_fs_table kpt_bridge_entries;

#endif
