/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Triggers: what hits of an event do besides being recorded.
 *
 * Triggers are made, removed and shown under kpt_mutex. Hits walk the list of
 * an event in BRK context without a lock; whoever takes a trigger off the list
 * waits for an RCU grace period before it is freed.
 */
#ifndef KPTRACE_TRIGGER_H
#define KPTRACE_TRIGGER_H

#include <kptrace/event.h>

enum kpt_trigger_kind {
	KPT_TRIGGER_TRACEON,
	KPT_TRIGGER_TRACEOFF,
	KPT_NR_TRIGGERS,
};

/**
 * struct kpt_trigger - one trigger
 * @list: in kpt_file.triggers
 * @file: the event whose hits run it
 * @kind: what they do
 * @limited: they do it at most @left times
 * @left: how often yet
 * @filter: only hits that this takes, or NULL
 */
struct kpt_trigger {
	struct list_head list;
	struct kpt_file *file;
	enum kpt_trigger_kind kind;
	bool limited;
	atomic64_t left;
	struct kpt_file_filter *filter;
};

/**
 * struct kpt_trigger_hit - what triggers know of a hit
 * @record: its record
 * @size: bytes of the record
 * @regs: registers at the probed address
 */
struct kpt_trigger_hit {
	void *record;
	size_t size;
	struct pt_regs *regs;
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
 * kpt_trigger_scratch_get() - make the room that records of an event need
 * @fields: shape of the records
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_trigger_scratch_get(const struct kpt_fields *fields);

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
 * Mainline's rules: CMD[:COUNT][ if FILTER]; "!" in front removes, whatever
 * count and filter say. Mistakes in a filter go to the instance's error_log.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EINVAL; -EEXIST if the event has a trigger of this sort; -ENOMEM.
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
 * kpt_trigger_remove_all() - remove all triggers of an instance
 * @instance: the instance
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM; then some are left.
 */
int kpt_trigger_remove_all(struct kpt_instance *instance);

#endif
