/* SPDX-License-Identifier: GPL-2.0-only */
/* Filters of events in instances, and of groups of them. */
#ifndef KPTRACE_FILE_FILTER_H
#define KPTRACE_FILE_FILTER_H

#include "event/event_file.h"
#include "lib/filter.h"

/**
 * struct kpt_event_filter - the filter of an event in an instance
 * @next: in a list for kpt_event_filters_free()
 * @text: as it was written
 * @diag: what is wrong with it; with a code other than KPT_E_NONE it is only
 *	shown, and filters nothing
 * @made_for: the program whose records @on_regs is for; NULL if there is none
 * @on_regs: @prog as one that is asked of registers
 * @prog: the compiled filter
 */
struct kpt_event_filter {
	struct kpt_event_filter *next;
	char *text;
	struct kpt_diag diag;
	const struct kpt_fetch_prog *made_for;
	struct kpt_filter *on_regs;
	struct kpt_filter prog;
};

void kpt_event_file_note_special(struct kpt_event_file *file);
void kpt_event_file_forget_program(struct kpt_event_file *file,
			     const struct kpt_fetch_prog *prog);
struct kpt_event_filter *kpt_event_filter_make(const char *text,
					     const struct kpt_fields *fields,
					     struct kpt_diag *diag, int *err);
void kpt_event_filter_free(struct kpt_event_filter *filter);
void kpt_event_filters_free(struct kpt_event_filter *list);
void kpt_event_file_use_filter(struct kpt_event_file *file,
			       struct kpt_event_filter *filter,
			       struct kpt_event_filter **old);
int kpt_event_file_set_filter(struct kpt_event_file *file, const char *text,
			struct kpt_diag *diag);
int kpt_group_filter_set(struct kpt_instance *instance, const char *group,
			 const char *text, struct kpt_diag *diag);
void kpt_group_filter_show(const struct kpt_instance *instance,
			   const char *group, struct kpt_strbuf *sb);
void kpt_group_filter_forget(struct kpt_instance *instance, const char *group);
void kpt_group_filters_free(struct kpt_instance *instance);
void kpt_event_file_show_filter(struct kpt_event_file *file, struct kpt_strbuf *sb);
void kpt_event_file_free_filter(struct kpt_event_file *file);

#endif
