/* SPDX-License-Identifier: GPL-2.0-only */
/* Filters of event files, and of all event files of a group. */
#ifndef KPTRACE_EVENT_FILTER_H
#define KPTRACE_EVENT_FILTER_H

#include "event/event_file.h"
#include "lib/filter/filter.h"

/**
 * struct kpt_event_filter - the filter of an event in an instance
 * @text: the text that was written
 * @diag: its mistake: a filter with a code other than KPT_E_NONE is shown, and
 *	filters nothing
 * @prog: the compiled filter
 */
struct kpt_event_filter {
	char *text;
	struct kpt_diag diag;
	struct kpt_filter prog;
};

struct kpt_event_filter *kpt_event_filter_make(const char *text,
					     const struct kpt_fields *fields,
					     struct kpt_diag *diag, int *err);
void kpt_event_filter_free(struct kpt_event_filter *filter);
int kpt_event_file_replace_filter(struct kpt_event_file *file,
				  struct kpt_event_filter *new,
				  struct kpt_batch *batch);
void kpt_event_file_end_replace(struct kpt_event_file *file, int err);
int kpt_event_file_set_filter(struct kpt_event_file *file, const char *text,
			struct kpt_diag *diag);
int kpt_group_filter_set(struct kpt_instance *instance, const char *group,
			 const char *text, struct kpt_diag *diag);
void kpt_group_filter_show(const struct kpt_instance *instance,
			   const char *group, struct kpt_strbuf *sb);
void kpt_group_filter_forget(struct kpt_instance *instance, const char *group);
void kpt_group_filters_free(struct kpt_instance *instance);
void kpt_event_file_show_filter(struct kpt_event_file *file, struct kpt_strbuf *sb);

#endif
