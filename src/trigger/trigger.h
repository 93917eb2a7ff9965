/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Triggers: what hits of an event do besides being recorded.
 *
 * Triggers are made, removed and shown under kpt_mutex. Hits walk the list of
 * an event in BRK context without a lock; whoever takes a trigger off the list
 * waits with kpt_arch_quiesce() before it is freed.
 */
#ifndef KPTRACE_TRIGGER_H
#define KPTRACE_TRIGGER_H

#include "event/event_file.h"
#include "lib/hist.h"

/* Addresses in a stack trace. */
#define KPT_TRIGGER_STACK_MAX	64

/* In the order in which an empty trigger file names them. */
enum kpt_trigger_kind {
	KPT_TRIGGER_TRACEON,
	KPT_TRIGGER_TRACEOFF,
	KPT_TRIGGER_SNAPSHOT,
	KPT_TRIGGER_STACKTRACE,
	KPT_TRIGGER_ENABLE_EVENT,
	KPT_TRIGGER_DISABLE_EVENT,
	KPT_TRIGGER_ENABLE_HIST,
	KPT_TRIGGER_DISABLE_HIST,
	KPT_TRIGGER_HIST,
	KPT_NR_TRIGGERS,
};

/**
 * struct kpt_trigger_map - counts of one hist trigger, or of all of one name
 * @list: in the list of those with a name
 * @refs: triggers that count here
 * @off: nobody counts now: it is being cleared
 * @hist: the first of these triggers; the others are alike
 * @map: the counts
 */
struct kpt_trigger_map {
	struct list_head list;
	unsigned int refs;
	bool off;
	struct kpt_hist hist;
	struct kpt_hist_map *map;
};

/**
 * struct kpt_trigger_hist - what a hist trigger has besides
 * @hist: what to count by; events that share a map may have their fields in
 *	different places
 * @paused: it does not count now
 * @shared: its counts
 */
struct kpt_trigger_hist {
	struct kpt_hist hist;
	bool paused;
	struct kpt_trigger_map *shared;
};

/**
 * struct kpt_trigger - one trigger
 * @list: in kpt_event_file.triggers
 * @file: the event whose hits run it
 * @kind: what they do
 * @limited: they do it at most @left times
 * @left: how often yet
 * @filter: only hits that this takes, or NULL
 * @target: the event that is switched, or whose hist triggers are; it is held
 * @hist: of KPT_TRIGGER_HIST
 */
struct kpt_trigger {
	struct list_head list;
	struct kpt_event_file *file;
	enum kpt_trigger_kind kind;
	bool limited;
	atomic64_t left;
	struct kpt_event_filter *filter;
	struct kpt_event_file *target;
	struct kpt_trigger_hist *hist;
};

/**
 * struct kpt_trigger_hit - what triggers know of a hit
 * @record: its record
 * @size: bytes of the record
 * @regs: registers at the probed address
 * @caller: who called the probed function, where no frame record says so: at
 *	its entry and at a return instruction; else 0
 */
struct kpt_trigger_hit {
	void *record;
	size_t size;
	struct pt_regs *regs;
	unsigned long caller;
};

void *kpt_trigger_scratch(size_t *size);
u32 kpt_trigger_run(struct kpt_event_file *file, const struct kpt_trigger_hit *hit);
void kpt_trigger_run_after(struct kpt_event_file *file,
			   const struct kpt_trigger_hit *hit, u32 which);
void kpt_trigger_stack_run(const struct kpt_event_file *file,
			   const struct kpt_trigger_hit *hit);
int kpt_trigger_scratch_get(const struct kpt_fields *fields);

/* Who polls a hist file waits here. */
extern wait_queue_head_t kpt_hist_wait;

void kpt_trigger_hist_exit(void);
void kpt_trigger_exit(void);
int kpt_trigger_command(struct kpt_event_file *file, char *text);
void kpt_trigger_show(struct kpt_strbuf *sb, const struct kpt_trigger *trigger);
void kpt_trigger_show_commands(struct kpt_strbuf *sb);
int kpt_trigger_set_filter(struct kpt_trigger *trigger, const char *text);
int kpt_trigger_publish(struct kpt_trigger *trigger);
void kpt_trigger_free(struct kpt_trigger *trigger);
int kpt_trigger_remove(struct kpt_trigger *trigger);
int kpt_trigger_hist_command(struct kpt_event_file *file, const char *text,
			     bool remove);
void kpt_trigger_hist_free(struct kpt_trigger_hist *hist);
void kpt_trigger_hist_run(const struct kpt_trigger *trigger,
			  const struct kpt_trigger_hit *hit);
int kpt_trigger_truncate(struct kpt_event_file *file);
void kpt_trigger_free_all(void);
int kpt_trigger_remove_all(struct kpt_instance *instance);

#endif
