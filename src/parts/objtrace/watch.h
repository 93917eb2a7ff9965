/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Watching objects: the event objtrace:object has a record for each call of a function
 * that is watched and takes an object. Each objtrace trigger that adds objects has a
 * watcher, which is a probe of that event.
 */
#ifndef KPTRACE_WATCH_H
#define KPTRACE_WATCH_H

#include "event/event.h"
#include "parts/objtrace/pool.h"

/**
 * struct kpt_watch_value - what is read of an object
 * @offset: where the value is
 * @size: its bytes: 1, 2, 4 or 8
 * @is_signed: its sign is extended
 * @changes: only calls before which it has changed are recorded
 */
struct kpt_watch_value {
	u32 offset;
	u8 size;
	bool is_signed;
	bool changes;
};

/**
 * struct kpt_watch - what a watcher watches
 * @module: of the functions, or NULL
 * @names: patterns of the functions, for kpt_symbol_list()
 * @size: bytes of an object, for kpt_pool_init()
 * @value: what is read of an object
 */
struct kpt_watch {
	const char *module;
	const char *names;
	u32 size;
	struct kpt_watch_value value;
};

/**
 * struct kpt_watcher - a probe of the entries of some functions
 * @pool: the objects
 * @base: the part that probes of all classes have
 * @list: in the list of all; hits walk it without a lock
 * @instance: whose ring gets the records; NULL of the probe that keeps the event, which
 *	has no functions
 * @module: as in struct kpt_watch
 * @names: as in struct kpt_watch
 * @value: as in struct kpt_watch
 */
struct kpt_watcher {
	struct kpt_pool pool;
	struct kpt_probe base;
	struct list_head list;
	struct kpt_instance *instance;
	char *module;
	char *names;
	struct kpt_watch_value value;
};

/**
 * struct kpt_watch_counts - what all watchers have
 * @functions: functions that are watched
 * @objects: objects in the pools
 * @refused: objects for which a pool had no room
 */
struct kpt_watch_counts {
	unsigned int functions;
	unsigned int objects;
	u64 refused;
};

/**
 * kpt_watcher_of() - find the watcher that a probe is part of
 * @probe: a probe of role KPT_ROLE_WATCH
 *
 * Context: any, BRK included.
 * Return: the watcher.
 */
static __always_inline struct kpt_watcher *kpt_watcher_of(struct kpt_probe *probe)
{
	return container_of(probe, struct kpt_watcher, base);
}

/**
 * kpt_watch_read() - read the value of an object
 * @value: where it is
 * @object: the object
 *
 * Context: BRK.
 * Return: the value; 0 if it cannot be read.
 */
static inline u64 kpt_watch_read(const struct kpt_watch_value *value, u64 object)
{
	unsigned int unused = 64 - 8 * value->size;
	u64 v = 0;

	if (port_read_kernel(&v, object + value->offset, value->size))
		return 0;
	return value->is_signed ? (u64)((s64)(v << unused) >> unused) : v;
}

struct kpt_event_file *kpt_watch_file(const struct kpt_instance *instance,
				      struct kpt_diag *diag);
struct kpt_watcher *kpt_watch_begin(struct kpt_event_file *file,
				    const struct kpt_watch *watch,
				    struct kpt_diag *diag);
void kpt_watch_end(struct kpt_watcher *watcher);
void kpt_watch_forget(const struct kpt_instance *instance, u64 object);
void kpt_watch_read_counts(struct kpt_watch_counts *sum);

/* objtrace:object, which objtrace triggers make. */
extern const struct kpt_event_class kpt_class_watch;

#endif
