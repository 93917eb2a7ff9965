/* SPDX-License-Identifier: GPL-2.0-only */
/* What hist_parse.c and hist_expr.c share: for these two files alone. */
#ifndef KPTRACE_HIST_PARSE_H
#define KPTRACE_HIST_PARSE_H

#include "lib/hist.h"
#include "lib/lex.h"

/* What error_log shows before the text; columns count it. */
#define KPT_HIST_COMMAND "hist:"

/**
 * struct kpt_span - a piece of the trigger
 * @s: its first character, NULL if it is not there
 * @len: its characters
 */
struct kpt_span {
	const char *s;
	size_t len;
};

/**
 * struct kpt_hist_parser - the state of parsing
 * @text: the trigger
 * @hist: result
 * @keys: what stands behind keys=
 * @vals: behind values=, or nothing
 * @sort: behind sort=, or nothing
 * @fields: shape of the records
 * @diag: what is wrong
 */
struct kpt_hist_parser {
	const char *text;
	struct kpt_hist *hist;
	struct kpt_span keys;
	struct kpt_span vals;
	struct kpt_span sort;
	const struct kpt_fields *fields;
	struct kpt_diag *diag;
};

int kpt_hist_fail(struct kpt_hist_parser *p, enum kpt_diag_code code,
		  const char *at);
int kpt_hist_parse_field(struct kpt_hist_parser *p, struct kpt_hist_field *f,
			 struct kpt_span t, bool is_key);

static inline bool kpt_span_is(struct kpt_span t, const char *word)
{
	return kpt_lex_is(t.s, t.len, word);
}

/*
 * Takes the first piece of *@rest, up to @separator. Returns false when there
 * are no more; an empty piece is one too.
 */
static inline bool kpt_span_next(struct kpt_span *rest, char separator,
				 struct kpt_span *piece)
{
	size_t n;

	*piece = *rest;
	if (!rest->s)
		return false;
	n = kpt_lex_find(rest->s, rest->len, separator);
	piece->len = n;
	if (n == rest->len)
		*rest = (struct kpt_span){ NULL, 0 };
	else
		*rest = (struct kpt_span){ rest->s + n + 1, rest->len - n - 1 };
	return true;
}

#endif
