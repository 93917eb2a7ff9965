/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * User events: their fields from text, and the check of what a program writes.
 *
 * The layout is mainline's: fields without gaps, behind the common ones.
 */
#ifndef KPTRACE_USER_H
#define KPTRACE_USER_H

#include "lib/fetch/def.h"
#include "lib/record/record.h"

/* Bytes of a record: it must fit into a page of trace_pipe_raw with its headers. */
#define KPT_USER_RECORD_MAX	(4096 - 24)
/* Elements of a char[N]. */
#define KPT_USER_CHARS_MAX	1024

/**
 * struct kpt_user_shape - the fields of a user event
 * @fields: what the event has; it has no arguments. First member: all is freed with it
 * @head: all fields of the event
 * @list: the fields as dynamic_events lists them
 * @field: array of @head
 */
struct kpt_user_shape {
	struct kpt_fields fields;
	struct kpt_head head;
	const char *list;
	struct kpt_head_field field[];
};

size_t kpt_user_room(const struct kpt_def *def);
int kpt_user_parse(struct kpt_user_shape *shape, size_t room,
		   const struct kpt_def *def, struct kpt_diag *diag);
bool kpt_user_check(const struct kpt_user_shape *shape, const void *record,
		    size_t size);

#endif
