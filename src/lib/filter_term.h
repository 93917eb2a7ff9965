/* SPDX-License-Identifier: GPL-2.0-only */
/* Between filter_parse.c, which knows expressions, and filter_term.c. */
#ifndef KPTRACE_FILTER_TERM_H
#define KPTRACE_FILTER_TERM_H

#include "lib/filter.h"

/**
 * struct kpt_filter_reader - how far a filter is read
 * @text: the filter
 * @len: its characters
 * @i: the next of them
 * @filter: the program so far
 * @fields: shape of the records
 * @nr_cpus: CPUS{} may name CPUs below this
 * @diag: what is wrong
 */
struct kpt_filter_reader {
	const char *text;
	size_t len;
	size_t i;
	struct kpt_filter *filter;
	const struct kpt_fields *fields;
	unsigned int nr_cpus;
	struct kpt_diag *diag;
};

int kpt_filter_term_parse(struct kpt_filter_reader *r,
			  struct kpt_filter_pred *pred, bool *swap);

#endif
