/* SPDX-License-Identifier: GPL-2.0-only */
/* Fields of a record by name, as filters and histograms name them. */
#ifndef KPTRACE_FIELD_H
#define KPTRACE_FIELD_H

#include "lib/record.h"

/**
 * enum kpt_field_kind - what a field name stands for
 * @KPT_FIELD_NUMBER: bytes of the record; a number if there are 1, 2, 4 or 8
 * @KPT_FIELD_TEXT: a dynamic string of the record (of several the first)
 * @KPT_FIELD_CPU: the current CPU
 * @KPT_FIELD_COMM: the current task's name
 */
enum kpt_field_kind {
	KPT_FIELD_NUMBER,
	KPT_FIELD_TEXT,
	KPT_FIELD_CPU,
	KPT_FIELD_COMM,
};

/**
 * struct kpt_named_field - what a field name stands for
 * @kind: enum kpt_field_kind
 * @is_signed: of numbers
 * @offset: in the record
 * @size: bytes there, 0 if it is not in the record
 */
struct kpt_named_field {
	u8 kind;
	bool is_signed;
	u16 offset;
	u16 size;
};

bool kpt_field_find(const struct kpt_fields *fields, const char *name,
		    size_t len, struct kpt_named_field *field);

#endif
