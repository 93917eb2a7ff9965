/* SPDX-License-Identifier: GPL-2.0-only */
/* Parameters of objtrace triggers: their text. */
#ifndef KPTRACE_OBJTRACE_H
#define KPTRACE_OBJTRACE_H

#include "lib/base/diag.h"
#include "lib/base/strbuf.h"

/* Most bytes of an object, and largest offset of a value in it. */
#define KPT_OBJTRACE_SIZE_MAX	(1U << 20)
#define KPT_OBJTRACE_OFFSET_MAX	0x7fffffff

/**
 * struct kpt_objtrace_text - a part of the text
 * @at: its first character; NULL if it was not given
 * @len: its characters
 */
struct kpt_objtrace_text {
	const char *at;
	size_t len;
};

/**
 * struct kpt_objtrace - what the parameters say
 * @removes: a hit takes an object out of the pools, and does not add it
 * @changes: only calls before which the value has changed are recorded
 * @has_value: @offset or @type was given
 * @is_limited: there may be @count hits only
 * @type: enum kpt_type of the value
 * @offset: of the value in the object
 * @size: bytes of an object
 * @count: how many hits
 * @field: the field of the event that is the address of an object
 * @where: patterns of the functions that are watched: "GLOB,…" or "MODULE:GLOB,…"
 * @module: the first part of @where
 * @names: the rest of @where
 */
struct kpt_objtrace {
	bool removes;
	bool changes;
	bool has_value;
	bool is_limited;
	u8 type;
	u32 offset;
	u32 size;
	u64 count;
	struct kpt_objtrace_text field;
	struct kpt_objtrace_text where;
	struct kpt_objtrace_text module;
	struct kpt_objtrace_text names;
};

int kpt_objtrace_parse(struct kpt_objtrace *o, const char *text, size_t len,
		       struct kpt_diag *diag);
void kpt_objtrace_show(struct kpt_strbuf *sb, const struct kpt_objtrace *o, u64 left);

#endif
