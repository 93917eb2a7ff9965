/* SPDX-License-Identifier: GPL-2.0-only */
/* For those who define a struct kpt_head with the struct of its records. */
#ifndef KPTRACE_HEAD_H
#define KPTRACE_HEAD_H

#include "lib/record/record.h"

/* A number: the C type that the format file shows, its name, struct and member. */
#define KPT_HEAD_FIELD(type, name, record, member, is_signed)                  \
	{ name, type " " name,                                                 \
	  { KPT_FIELD_NUMBER, is_signed, offsetof(struct record, member),      \
	    sizeof_field(struct record, member) } }

void kpt_fields_keep(const struct kpt_fields *fields);

#endif
