/* SPDX-License-Identifier: GPL-2.0-only */
/* A first pass over a filter. Only for filter_parse.c. */
#ifndef KPTRACE_FILTER_OUTLINE_H
#define KPTRACE_FILTER_OUTLINE_H

#include "lib/base/diag.h"

/**
 * struct kpt_filter_outline - result of a first pass over a filter
 * @preds: number of predicates, at most
 * @levels: depth of parentheses, the whole expression included
 * @open: number of parentheses that are not closed
 * @quote: the quote of a string that is not closed, or 0
 * @column: column of a mistake
 */
struct kpt_filter_outline {
	unsigned int preds;
	unsigned int levels;
	unsigned int open;
	char quote;
	size_t column;
};

enum kpt_diag_code kpt_filter_outline(struct kpt_filter_outline *o, const char *text);
void kpt_filter_tell_operator(const char *text, struct kpt_diag *diag);

#endif
