/* SPDX-License-Identifier: GPL-2.0-only */
/* The parser of hist triggers. Only for hist_parse.c, hist_expr.c and hist_action.c. */
#ifndef KPTRACE_HIST_PARSE_H
#define KPTRACE_HIST_PARSE_H

#include "parts/hist/hist.h"
#include "lib/base/lex.h"

/* error_log shows this before the text, and columns count it. */
#define KPT_HIST_COMMAND "hist:"

/**
 * struct kpt_hist_piece - a piece of the trigger
 * @s: its first character, NULL if the trigger has no such piece
 * @len: its length in characters
 */
struct kpt_hist_piece {
	const char *s;
	size_t len;
};

/**
 * struct kpt_hist_parser - the state of parsing
 * @text: the trigger
 * @hist: result
 * @keys: the text after keys=
 * @vals: the text after values=, if any
 * @sort: the text after sort=, if any
 * @var: the texts of the variables
 * @nr_vars: how many
 * @action: the texts of the actions
 * @nr_actions: how many
 * @match: the event that onmatch() of the action names whose parameters are read; or empty
 * @scope: what they may refer to, or NULL
 * @fields: shape of the records
 * @diag: on failure the reason
 */
struct kpt_hist_parser {
	const char *text;
	struct kpt_hist *hist;
	struct kpt_hist_piece keys;
	struct kpt_hist_piece vals;
	struct kpt_hist_piece sort;
	struct kpt_hist_piece var[KPT_HIST_VARS_MAX];
	unsigned int nr_vars;
	struct kpt_hist_piece action[KPT_HIST_ACTIONS_MAX];
	unsigned int nr_actions;
	struct kpt_hist_piece match;
	const struct kpt_hist_scope *scope;
	const struct kpt_fields *fields;
	struct kpt_diag *diag;
};

int kpt_hist_fail(struct kpt_hist_parser *p, enum kpt_diag_code code,
		  const char *at);
int kpt_hist_fail_like(struct kpt_hist_parser *p, enum kpt_diag_code code, const char *at,
		       const struct kpt_similar *like);
int kpt_hist_no_var(struct kpt_hist_parser *p, enum kpt_diag_code code,
		    struct kpt_hist_piece name, const struct kpt_hist_piece *event);

/* What a program is: its text may have different modifiers. */
enum kpt_hist_use { KPT_HIST_AS_KEY, KPT_HIST_AS_VAL, KPT_HIST_AS_VAR };

int kpt_hist_parse_field(struct kpt_hist_parser *p, struct kpt_hist_field *f,
			 struct kpt_hist_piece t, enum kpt_hist_use use);
int kpt_hist_parse_ref(struct kpt_hist_parser *p, struct kpt_hist_field *f,
		       struct kpt_hist_piece t, const struct kpt_hist_ref *ref);
bool kpt_hist_onmatch_event(struct kpt_hist_piece action, struct kpt_hist_piece *event);
int kpt_hist_parse_action(struct kpt_hist_parser *p, struct kpt_hist_piece t);

/* Are two keys or values both numbers, both strings, or both stacks? */
static inline bool kpt_hist_same_kind(const struct kpt_hist_field *a,
				      const struct kpt_hist_field *b)
{
	return kpt_hist_is_text(a) == kpt_hist_is_text(b) &&
	       kpt_hist_is_stack(a) == kpt_hist_is_stack(b);
}

/* Are two keys of the same kind, and at the same place of their histogram's key? */
static inline bool kpt_hist_same_place(const struct kpt_hist_field *a,
				       const struct kpt_hist_field *b)
{
	return a->key_offset == b->key_offset && kpt_hist_same_kind(a, b);
}

static inline bool kpt_hist_piece_is(struct kpt_hist_piece t, const char *word)
{
	return kpt_lex_is(t.s, t.len, word);
}

/*
 * Take the first piece of *@rest, up to @separator; it may be empty. Returns false
 * if there are no more pieces.
 */
static inline bool kpt_hist_piece_next(struct kpt_hist_piece *rest, char separator,
				        struct kpt_hist_piece *piece)
{
	size_t n;

	*piece = *rest;
	if (!rest->s)
		return false;
	n = kpt_lex_find(rest->s, rest->len, separator);
	piece->len = n;
	if (n == rest->len)
		*rest = (struct kpt_hist_piece){ NULL, 0 };
	else
		*rest = (struct kpt_hist_piece){ rest->s + n + 1, rest->len - n - 1 };
	return true;
}

#endif
