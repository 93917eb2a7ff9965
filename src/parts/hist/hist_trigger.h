/* SPDX-License-Identifier: GPL-2.0-only */
/* Histograms of events, for src/fs, which shows and polls them, and target.c. */
#ifndef KPTRACE_TRIGGER_HIST_H
#define KPTRACE_TRIGGER_HIST_H

#include <linux/refcount.h>
#include "parts/hist/hist.h"
#include "trigger/trigger.h"

/**
 * struct kpt_trigger_map - counts of one hist trigger, or of all with one name
 * @list: in named_maps of hist.c
 * @triggers: number of triggers that count here
 * @refs: one for all triggers together, and one for each reader
 * @clears: number of times it was cleared; changes before the counts do
 * @last: the mark that was the newest one when a hit counted last, see
 *	kpt_trigger_hist_mark()
 * @map: the counts
 * @live: @map; NULL while it is being cleared, and hits do not count
 * @snap: of each action of these triggers: its last snapshot. Cleared with the map, as it
 *	points to entries
 * @hist: the first of these triggers; the others are the same by kpt_hist_same()
 */
struct kpt_trigger_map {
	struct list_head list;
	unsigned int triggers;
	refcount_t refs;
	unsigned int clears;
	u64 last;
	struct kpt_hist_map *map;
	struct kpt_hist_map *live;
	struct kpt_hist_snap snap[KPT_HIST_ACTIONS_MAX];
	struct kpt_hist hist;
};

/**
 * struct kpt_trigger_hist - a hist trigger
 * @trigger: the part that all triggers have
 * @shared: its counts
 * @paused: hits do not count
 * @hist: its keys and values; events that share a map may have their fields at
 *	different offsets
 * @made: of its actions that record synthetic events: the record, per CPU
 * @users: number of references of other triggers to its variables
 * @code: how recorders count
 * @is_helper: it was made to keep a field for another trigger, see scope_field_var()
 */
struct kpt_trigger_hist {
	struct kpt_trigger trigger;
	struct kpt_trigger_map *shared;
	bool paused;
	struct kpt_hist hist;
	struct kpt_synth_made __percpu *made[KPT_HIST_ACTIONS_MAX];
	unsigned int users;
	struct kpt_arch_hist code;
	bool is_helper;
};

/**
 * kpt_trigger_hist_of() - convert a pointer to a hist trigger
 * @t: a trigger of kind KPT_TRIGGER_HIST
 *
 * Context: any, BRK included.
 * Return: the struct that contains @t.
 */
static inline struct kpt_trigger_hist *
kpt_trigger_hist_of(const struct kpt_trigger *t)
{
	return container_of(t, struct kpt_trigger_hist, trigger);
}

/* poll() on hist files waits here. */
extern wait_queue_head_t kpt_hist_wait;

void kpt_trigger_hist_exit(void);
void kpt_trigger_hist_code(struct kpt_trigger_hist *h);
u64 kpt_trigger_hist_mark(void);
u64 kpt_trigger_hist_last(const struct kpt_event_file *file);
struct kpt_trigger_map *kpt_trigger_map_get(struct kpt_trigger_map *m);
void kpt_trigger_map_put(struct kpt_trigger_map *m);

struct kpt_fs_table;

/* hist_file.c: hist and hist_escaped of an event */
extern const struct kpt_fs_table kpt_hist_entries;

#endif
