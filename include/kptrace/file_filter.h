/* SPDX-License-Identifier: GPL-2.0-only */
/* Filters of events in instances, and of groups of them. */
#ifndef KPTRACE_FILE_FILTER_H
#define KPTRACE_FILE_FILTER_H

#include <kptrace/event.h>
#include <kptrace/filter.h>

/**
 * struct kpt_file_filter - the filter of an event in an instance
 * @text: as it was written
 * @diag: what is wrong with it; with a code other than KPT_E_NONE it is only
 *	shown, and filters nothing
 * @made_for: the program whose records @on_regs is for; NULL if there is none
 * @on_regs: @prog as one that is asked of registers
 * @prog: the compiled filter
 */
struct kpt_file_filter {
	char *text;
	struct kpt_diag diag;
	const struct kpt_fetch_prog *made_for;
	struct kpt_filter *on_regs;
	struct kpt_filter prog;
};

/**
 * kpt_file_note_special() - say whether hits of a file do more than record
 * @file: its filter or its references by triggers have changed
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_file_note_special(struct kpt_file *file);

/**
 * kpt_file_forget_program() - a probe's program is about to be freed
 * @file: a file of its event
 * @prog: the program, which no hit uses any more
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_file_forget_program(struct kpt_file *file,
			     const struct kpt_fetch_prog *prog);

/**
 * kpt_file_filter_make() - compile a filter
 * @text: the filter
 * @fields: shape of the records
 * @diag: what is wrong with it
 * @err: result: 0, -EINVAL or -E2BIG for a wrong filter, -ENOMEM
 *
 * Context: process context, sleeps.
 * Return: the filter; a wrong one only has a text and a reason. NULL without
 * memory.
 */
struct kpt_file_filter *kpt_file_filter_make(const char *text,
					     const struct kpt_fields *fields,
					     struct kpt_diag *diag, int *err);

/**
 * kpt_file_filter_free() - free a filter
 * @filter: no hit uses it; or NULL
 *
 * Context: process context.
 */
void kpt_file_filter_free(struct kpt_file_filter *filter);

/**
 * kpt_file_use_filter() - exchange the filter of an event
 * @file: the file
 * @filter: from kpt_file_filter_make(), now owned by @file; or NULL for none
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_file_use_filter(struct kpt_file *file, struct kpt_file_filter *filter);

/**
 * kpt_file_set_filter() - choose which hits are recorded
 * @file: the file
 * @text: the filter; "0" for none
 * @diag: what is wrong with it
 *
 * The old filter is gone in any case; a wrong one is kept to be shown.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, -EINVAL or -E2BIG for a wrong filter, -ENOMEM.
 */
int kpt_file_set_filter(struct kpt_file *file, const char *text,
			struct kpt_diag *diag);

/**
 * kpt_group_filter_set() - choose which hits of several events are recorded
 * @instance: the instance
 * @group: the events' group
 * @text: the filter; "0" for none
 * @diag: what is wrong with it
 *
 * Events without one of its fields keep the filter they have. If that is true
 * of all, or the filter is wrong, the group shows it with what is wrong.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, -EINVAL or -ENOMEM.
 */
int kpt_group_filter_set(struct kpt_instance *instance, const char *group,
			 const char *text, struct kpt_diag *diag);

/**
 * kpt_group_filter_show() - the text of a group's filter file
 * @instance: the instance
 * @group: the group
 * @sb: where to
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_group_filter_show(const struct kpt_instance *instance,
			   const char *group, struct kpt_strbuf *sb);

/**
 * kpt_group_filter_forget() - an event of a group is gone
 * @instance: the instance, which does not list it any more
 * @group: the group; if that was its last event its file shows nothing more
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_group_filter_forget(struct kpt_instance *instance, const char *group);

/**
 * kpt_group_filters_free() - forget what the files of groups show
 * @instance: the instance
 *
 * Context: process context.
 */
void kpt_group_filters_free(struct kpt_instance *instance);

/**
 * kpt_file_show_filter() - the text of a filter file
 * @file: the file
 * @sb: where to
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_file_show_filter(struct kpt_file *file, struct kpt_strbuf *sb);

/**
 * kpt_file_free_filter() - free the filter of a file that no hit uses
 * @file: the file
 *
 * Context: process context.
 */
void kpt_file_free_filter(struct kpt_file *file);

#endif
