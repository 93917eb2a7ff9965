/* SPDX-License-Identifier: GPL-2.0-only */
/* Find in a list the name that somebody meant who made a mistake. */
#ifndef KPTRACE_SIMILAR_H
#define KPTRACE_SIMILAR_H

#include "lib/base/diag.h"

/* Most characters of names that are compared, and the NUL. */
#define KPT_SIMILAR_MAX	64

/**
 * struct kpt_similar - a search for a similar name
 * @name: the wrong name
 * @whole: its characters
 * @len: those before a dot, which are compared
 * @least: what the best one so far differs by; at first the most that is similar
 * @found: the best one so far, or empty
 */
struct kpt_similar {
	const char *name;
	size_t whole;
	size_t len;
	unsigned int least;
	char found[KPT_SIMILAR_MAX];
};

void kpt_similar_begin(struct kpt_similar *s, const char *name, size_t len);
void kpt_similar_see(struct kpt_similar *s, const char *name);
void kpt_similar_tell(const struct kpt_similar *s, struct kpt_diag *diag);

#endif
