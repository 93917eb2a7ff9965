// SPDX-License-Identifier: GPL-2.0-only
/* Find the function that somebody meant who made a mistake in its name. */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "kernel/ksyms.h"
#include "kernel/symbol/similar.h"
#include "kernel/symbol/symbol.h"

/* Most characters of names that are compared one by one. */
#define COMPARED_MAX	63

/**
 * struct similar - a search for a similar name
 * @name: the wrong name
 * @len: its characters, without a suffix of the compiler
 * @least: what the best one so far differs by; at first more than what is similar
 * @found: the best one so far
 */
struct similar {
	const char *name;
	size_t len;
	unsigned int least;
	char *found;
};

/* How many characters are to be put in, taken out or replaced; or @limit if not fewer. */
static unsigned int similar_distance(const char *a, size_t len_a, const char *b, size_t len_b,
				     unsigned int limit)
{
	u8 row[COMPARED_MAX + 1], left, above, least;
	size_t i, k;

	if (len_a > COMPARED_MAX || max(len_a, len_b) - min(len_a, len_b) >= limit)
		return limit;
	for (k = 0; k <= len_a; k++)
		row[k] = k;
	for (i = 0; i < len_b; i++) {
		left = row[0];
		least = ++row[0];
		for (k = 0; k < len_a; k++) {
			above = row[k + 1];
			row[k + 1] = min(left + (a[k] != b[i]), min(above, row[k]) + 1);
			least = min(least, row[k + 1]);
			left = above;
		}
		if (least >= limit)
			return limit;
	}
	return row[len_a];
}

/* Names that differ by nothing but a suffix, or begin with a word more, are nearest. */
static unsigned int similar_to(const struct similar *s, const char *name)
{
	size_t len = strcspn(name, ".");

	if (len == s->len && !memcmp(name, s->name, len))
		return 0;
	if (len > s->len + 1 && name[len - s->len - 1] == '_' &&
	    !memcmp(name + len - s->len, s->name, s->len))
		return 1;
	return similar_distance(s->name, s->len, name, len, s->least - 1) + 1;
}

static int similar_see(void *data, const char *name, unsigned long addr)
{
	struct similar *s = data;
	unsigned int differs = s->least ? similar_to(s, name) : 0;

	if (differs < s->least) {
		s->least = differs;
		strscpy(s->found, name, KSYM_NAME_LEN);
	}
	return 0;
}

/**
 * kpt_similar_function() - find the function of the kernel whose name is most like another one
 * @name: a name that no function has
 * @found: result: KSYM_NAME_LEN bytes, written on success only
 *
 * Context: process context, sleeps, kpt_mutex not held.
 * Return: true; false if none is similar.
 */
bool kpt_similar_function(const char *name, char *found)
{
	size_t len = strcspn(name, ".");
	struct similar s = {
		.name = name, .len = len, .least = 2 + len / 4, .found = found,
	};
	unsigned int before = s.least;

	kpt_symbol_each_in_text(similar_see, &s);
	return s.least < before;
}
