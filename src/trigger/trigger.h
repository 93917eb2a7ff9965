/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Triggers: actions at the hits of an event.
 *
 * Triggers are made, removed and shown under kpt_mutex. Hits walk the list of
 * an event in BRK context without a lock, so a trigger that was taken off the list
 * is freed only after kpt_arch_quiesce().
 */
#ifndef KPTRACE_TRIGGER_H
#define KPTRACE_TRIGGER_H

#include "event/event_file.h"
#include "event/hit.h"

/* Most addresses in a stack trace. */
#define KPT_TRIGGER_STACK_MAX	64

/*
 * Every kind of trigger has one row here: X(KIND, name, when). Kinds that belong together
 * share a file. The file defines kpt_trigger_NAME_ops (see ops.h) and kpt_trigger_NAME_run(),
 * which hits call BEFORE or AFTER their record is written; if that of a GATE returns
 * false, nothing behind it runs, and there is no record. An empty trigger file names the
 * kinds in this order, but for those that only functions have.
 */
#define KPT_TRIGGERS(X)				\
	X(TRACEON, traceon, BEFORE)		\
	X(TRACEOFF, traceoff, AFTER)		\
	X(SNAPSHOT, snapshot, AFTER)		\
	X(STACKTRACE, stacktrace, AFTER)	\
	X(ENABLE_EVENT, enable_event, BEFORE)	\
	X(DISABLE_EVENT, disable_event, BEFORE)	\
	X(ENABLE_HIST, enable_hist, BEFORE)	\
	X(DISABLE_HIST, disable_hist, BEFORE)	\
	X(HIST, hist, BEFORE)			\
	X(LIMIT, limit, GATE)			\
	X(OBJTRACE, objtrace, BEFORE)		\
	X(SET_WPROBE, set_wprobe, BEFORE)	\
	X(CLEAR_WPROBE, clear_wprobe, AFTER)	\
	X(DUMP, dump, AFTER)			\
	X(CPUDUMP, cpudump, AFTER)

#define KPT_TRIGGER_ENUM(KIND, name, when) KPT_TRIGGER_##KIND,
enum kpt_trigger_kind {
	KPT_TRIGGERS(KPT_TRIGGER_ENUM)
	KPT_NR_TRIGGERS,
};
#undef KPT_TRIGGER_ENUM

/**
 * struct kpt_trigger - the part that all triggers have
 * @list: in kpt_file_triggers.list
 * @gone: in a set of triggers that are removed together
 * @file: the event whose hits run the trigger
 * @kind: its kind
 * @arms_snapshot: kpt_trigger_arm_snapshot() was called for it
 * @limited: it acts at most @left more times
 * @left: the number of times that remain, if @limited
 * @filter: accepts the hits that run the trigger; NULL for all
 * @target: the event that the command names, which the trigger holds; or NULL
 *
 * A kind that needs more embeds this as the first member of its own struct.
 */
struct kpt_trigger {
	struct list_head list;
	struct list_head gone;
	struct kpt_event_file *file;
	enum kpt_trigger_kind kind;
	bool arms_snapshot;
	bool limited;
	atomic64_t left;
	struct kpt_event_filter *filter;
	struct kpt_event_file *target;
};

struct kpt_synth_made;

/**
 * struct kpt_synth_queue - the records that a hit has caused and nobody has got yet
 * @first: the next one to deliver
 * @last: the last one that was queued since one was taken, or NULL
 */
struct kpt_synth_queue {
	struct kpt_synth_made *first;
	struct kpt_synth_made *last;
};

DECLARE_PER_CPU(struct kpt_synth_queue, kpt_synth_queue);

/**
 * kpt_trigger_has_synth() - did triggers make records of synthetic events?
 *
 * Context: BRK.
 * Return: true if kpt_hit_deliver_synth() has to be called.
 */
static inline bool kpt_trigger_has_synth(void)
{
	return raw_cpu_read(kpt_synth_queue.first);
}

void kpt_hit_deliver_synth(struct kpt_hit *cause);
u32 kpt_trigger_run(struct kpt_event_file *file, const struct kpt_hit *hit);
void kpt_trigger_run_after(struct kpt_event_file *file,
			   const struct kpt_hit *hit, u32 which);
void kpt_trigger_run_one(struct kpt_trigger *t, const struct kpt_hit *hit);
unsigned int kpt_trigger_stack_collect(const struct kpt_hit *hit, u64 *addr,
				       unsigned int max);
void kpt_trigger_user_stack_run(const struct kpt_event_file *file,
				const struct kpt_hit *hit);
void kpt_trigger_stack_run(const struct kpt_event_file *file,
			   const struct kpt_hit *hit);
void kpt_trigger_exit(void);
int kpt_trigger_command(struct kpt_event_file *file, char *text);
void kpt_trigger_show(struct kpt_strbuf *sb, const struct kpt_trigger *trigger);
void kpt_trigger_show_commands(struct kpt_strbuf *sb);
int kpt_trigger_truncate(struct kpt_event_file *file);
void kpt_trigger_free_all(void);
int kpt_trigger_remove_all(struct kpt_instance *instance);

#endif
