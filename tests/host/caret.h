/* SPDX-License-Identifier: GPL-2.0-only */
/* Test lines with the expected column marked by a '^'. */
#ifndef CARET_H
#define CARET_H

#include "lib/fetch/def.h"

struct caret_case {
	const char *file;
	int line;
	const char *text;
	enum kpt_diag_code code;
	int err;
};

#define CASE(text, code, err)                                                  \
	{ __FILE__, __LINE__, text, KPT_E_##code, -(err) },

/*
 * Copies @text without its caret to @line of KPT_DEF_MAX bytes. Words must be
 * joined by single spaces behind the caret for the column to be that of the
 * joined text. Returns where the caret was, or -1.
 */
static inline int caret_strip(const char *text, char *line)
{
	int at = -1;
	char *to = line;

	for (; *text; text++) {
		if (*text == '^' && at < 0)
			at = (int)(to - line);
		else
			*to++ = *text;
	}
	*to = '\0';
	return at;
}

/* Convert offset @at of @line to the column in the joined text. */
static inline unsigned int caret_column(const char *line, int at)
{
	unsigned int col = 0;
	bool word = false;
	int i;

	for (i = 0; i < at; i++) {
		if (line[i] != ' ') {
			word = true;
			col++;
		} else if (word) {
			word = false;
			col++;
		}
	}
	return col;
}

/* Write a line to stderr for each difference of @diag and @err from @c. */
static inline int caret_check(const struct caret_case *c, const char *line,
			      int at, int err, const struct kpt_diag *diag)
{
	unsigned int col = at < 0 ? 0 : caret_column(line, at);

	if (err == c->err && diag->code == c->code &&
	    (at < 0 || diag->column == col))
		return 0;
	fprintf(stderr,
		"%s:%d: %s: errno %d, column %u, %s\n\tnot errno %d, column %u, %s\n",
		c->file, c->line, c->text, err, diag->column,
		kpt_diag_text(diag->code), c->err, col,
		kpt_diag_text(c->code));
	return 1;
}

#endif
