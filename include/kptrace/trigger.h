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

#include <kptrace/event.h>
#include <kptrace/hist.h>

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
 * @list: in kpt_file.triggers
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
	struct kpt_file *file;
	enum kpt_trigger_kind kind;
	bool limited;
	atomic64_t left;
	struct kpt_file_filter *filter;
	struct kpt_file *target;
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

/**
 * kpt_trigger_scratch() - room of this CPU for a large record
 * @size: bytes wanted; made smaller if no record can use so many
 *
 * Made before the first trigger of an event with large records is there.
 *
 * Context: BRK; used until the hit ends.
 * Return: the memory.
 */
void *kpt_trigger_scratch(size_t *size);

/**
 * kpt_trigger_run() - run what comes before a hit is recorded
 * @file: the event
 * @hit: the hit
 *
 * The filter of the event and tracing_on do not matter.
 *
 * Context: BRK.
 * Return: what kpt_trigger_run_after() has to run, 0 for nothing.
 */
u32 kpt_trigger_run(struct kpt_file *file, const struct kpt_trigger_hit *hit);

/**
 * kpt_trigger_run_after() - run what comes after a hit is recorded
 * @file: the event
 * @hit: the hit
 * @which: from kpt_trigger_run()
 *
 * Context: BRK.
 */
void kpt_trigger_run_after(struct kpt_file *file,
			   const struct kpt_trigger_hit *hit, u32 which);

/**
 * kpt_trigger_stack_run() - record the stack of a hit
 * @file: the event
 * @hit: the hit
 *
 * The innermost KPT_TRIGGER_STACK_MAX addresses. Without room in the ring there
 * is none.
 *
 * Context: BRK. Half a KiB of stack.
 */
void kpt_trigger_stack_run(const struct kpt_file *file,
			   const struct kpt_trigger_hit *hit);

/**
 * kpt_trigger_scratch_get() - make the room that records of an event need
 * @fields: shape of the records
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_trigger_scratch_get(const struct kpt_fields *fields);

/* Who polls a hist file waits here. */
extern wait_queue_head_t kpt_hist_wait;

/**
 * kpt_trigger_hist_exit() - wait for what hits of hist triggers have begun
 *
 * Context: process context, sleeps; no trigger is left.
 */
void kpt_trigger_hist_exit(void);

/**
 * kpt_trigger_exit() - free what triggers shared
 *
 * Context: module unload; no trigger is left.
 */
void kpt_trigger_exit(void);

/**
 * kpt_trigger_command() - obey what was written to a trigger file
 * @file: the event
 * @text: the command, blanks at both ends cut off; is taken apart
 *
 * Mainline's rules: CMD[:GRP:EVENT][:COUNT][ if FILTER]; "!" in front removes, whatever
 * count and filter say. Mistakes in a filter go to the instance's error_log.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EINVAL; -EEXIST if the event has a trigger of this sort; -ENOMEM;
 * -EOPNOTSUPP for stacktrace on a kernel that can not walk its stacks.
 */
int kpt_trigger_command(struct kpt_file *file, char *text);

/**
 * kpt_trigger_show() - the line of a trigger in its file
 * @sb: where to
 * @trigger: the trigger
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_trigger_show(struct kpt_strbuf *sb, const struct kpt_trigger *trigger);

/**
 * kpt_trigger_show_commands() - what a trigger file says if there is none
 * @sb: where to
 *
 * Context: any.
 */
void kpt_trigger_show_commands(struct kpt_strbuf *sb);

/**
 * kpt_trigger_set_filter() - give a new trigger its filter
 * @trigger: a trigger with its event
 * @text: what stands behind "if"
 *
 * Mistakes go to the instance's error_log.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, -EINVAL, -E2BIG or -ENOMEM.
 */
int kpt_trigger_set_filter(struct kpt_trigger *trigger, const char *text);

/**
 * kpt_trigger_publish() - let hits run a new trigger
 * @trigger: the trigger
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -errno; then nothing has changed.
 */
int kpt_trigger_publish(struct kpt_trigger *trigger);

/**
 * kpt_trigger_free() - free a trigger that no hit runs
 * @trigger: the trigger
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_trigger_free(struct kpt_trigger *trigger);

/**
 * kpt_trigger_remove() - take a trigger from its event and free it
 * @trigger: the trigger
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM; then it is still there.
 */
int kpt_trigger_remove(struct kpt_trigger *trigger);

/**
 * kpt_trigger_hist_command() - obey what was written behind "hist:"
 * @file: the event
 * @text: that
 * @remove: it is to be removed
 *
 * Mistakes go to the instance's error_log.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EINVAL; -ENOENT for one to clear or continue that is not there;
 * -EEXIST; -E2BIG; -ENOMEM.
 */
int kpt_trigger_hist_command(struct kpt_file *file, const char *text,
			     bool remove);

/**
 * kpt_trigger_hist_free() - free what a hist trigger has besides
 * @hist: that, or NULL
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_trigger_hist_free(struct kpt_trigger_hist *hist);

/**
 * kpt_trigger_hist_run() - count a hit
 * @trigger: a hist trigger
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_trigger_hist_run(const struct kpt_trigger *trigger,
			  const struct kpt_trigger_hit *hit);

/**
 * kpt_trigger_truncate() - the trigger file was opened with O_TRUNC
 * @file: the event
 *
 * Hist triggers and those that switch them go, others stay, as in mainline.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM; then some are left.
 */
int kpt_trigger_truncate(struct kpt_file *file);

/**
 * kpt_trigger_remove_all() - remove all triggers of an instance
 * @instance: the instance
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM; then some are left.
 */
int kpt_trigger_remove_all(struct kpt_instance *instance);

#endif
