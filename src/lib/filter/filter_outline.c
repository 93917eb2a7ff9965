// SPDX-License-Identifier: GPL-2.0-only
/* How large a filter is, found out before it is compiled. */
#include "lib/base/port.h"
#include "lib/filter/filter_outline.h"
#include "lib/base/lex.h"

/* Index of the last parenthesis that is not closed; strings are closed. */
static size_t outline_find_open(const char *text, size_t len)
{
	unsigned int closed = 0;
	char quote = 0, c;

	while (len--) {
		c = text[len];
		if (quote) {
			if (c == quote)
				quote = 0;
		} else if (c == '"' || c == '\'') {
			quote = c;
		} else if (c == ')') {
			closed++;
		} else if (c == '(' && !closed--) {
			break;
		}
	}
	return len;
}

/**
 * kpt_filter_outline() - count predicates and parentheses
 * @o: result
 * @text: a filter
 *
 * Mainline begins with such a pass as well, so its mistakes are reported before others
 * further to the left.
 *
 * Context: any.
 * Return: KPT_E_NONE; or the reason why it is no filter, and then @o->column says where.
 */
enum kpt_diag_code kpt_filter_outline(struct kpt_filter_outline *o, const char *text)
{
	bool in_pred = false;
	size_t i;
	char c;

	*o = (struct kpt_filter_outline){ .levels = 1 };
	for (i = 0; text[i]; i++) {
		c = text[i];
		if (o->quote) {
			if (c == o->quote)
				o->quote = 0;
			continue;
		}
		if (kpt_lex_is_space(c))
			continue;
		if (((c == '&' || c == '|') && text[i + 1] == c) || c == '(' ||
		    c == ')') {
			in_pred = false;
			o->open += c == '(';
			o->levels = max(o->levels, o->open + 1);
			if (c == ')' && !o->open--) {
				o->column = i;
				return KPT_E_FILT_TOO_MANY_CLOSE;
			}
			continue;
		}
		if (c == '"' || c == '\'') {
			o->quote = c;
			o->column = i;
		}
		/* The second & of && counts as the first of a predicate. */
		o->preds += !in_pred;
		in_pred = true;
	}
	if (o->quote)
		return KPT_E_FILT_MISSING_QUOTE;
	if (o->open) {
		o->column = outline_find_open(text, i);
		return KPT_E_FILT_TOO_MANY_OPEN;
	}
	return KPT_E_NONE;
}

/**
 * kpt_filter_tell_operator() - say in a reason which operator may have been meant
 * @text: what is in its place
 * @diag: the reason, already set; gets a detail if the word of another language is there
 *
 * Context: any.
 */
void kpt_filter_tell_operator(const char *text, struct kpt_diag *diag)
{
	static const char *const both[] = { "and ", "AND ", "&" };
	static const char *const either[] = { "or ", "OR ", "|" };
	size_t i, len = strlen(text);

	for (i = 0; i < ARRAY_SIZE(both); i++) {
		if (kpt_lex_prefix(text, len, both[i]))
			kpt_diag_detail(diag, "did you mean &&?");
		else if (kpt_lex_prefix(text, len, either[i]))
			kpt_diag_detail(diag, "did you mean ||?");
	}
}
