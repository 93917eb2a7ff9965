// SPDX-License-Identifier: GPL-2.0-only
/* Names that are like a wrong one. */
#include "lib/base/port.h"
#include "lib/base/lex.h"
#include "lib/base/similar.h"
#include "lib/base/strbuf.h"

/*
 * How many characters are to be put in, taken out or replaced, or changed for the next one; or
 * @limit if not fewer.
 */
static unsigned int similar_distance(const char *a, size_t len_a, const char *b, size_t len_b,
				     unsigned int limit)
{
	/* Distances from the first characters of @b, by those of @a; from one less of @b. */
	u8 row[KPT_SIMILAR_MAX], before[KPT_SIMILAR_MAX], left, above, least, corner = 0;
	size_t i, k;

	if (len_a >= KPT_SIMILAR_MAX || max(len_a, len_b) - min(len_a, len_b) >= limit)
		return limit;
	for (k = 0; k <= len_a; k++) {
		row[k] = k;
		before[k] = k;
	}
	for (i = 0; i < len_b; i++) {
		left = row[0];
		least = ++row[0];
		for (k = 0; k < len_a; k++) {
			above = row[k + 1];
			row[k + 1] = min(left + (a[k] != b[i]), min(above, row[k]) + 1);
			if (i && k && a[k] == b[i - 1] && a[k - 1] == b[i])
				row[k + 1] = min_t(u8, row[k + 1], corner + 1);
			least = min(least, row[k + 1]);
			corner = before[k];
			before[k] = left;
			left = above;
		}
		if (least >= limit)
			return limit;
	}
	return row[len_a];
}

/* The same name is nearest, and then those that begin with words more. */
static unsigned int similar_to(const struct kpt_similar *s, const char *name, size_t len)
{
	unsigned int limit = s->least > 1 ? s->least - 1 : 0;

	if (len == s->len && !memcmp(name, s->name, len))
		return 0;
	if (len > s->len + 1 && name[len - s->len - 1] == '_' &&
	    !memcmp(name + len - s->len, s->name, s->len))
		return 1;
	return 2 + similar_distance(s->name, s->len, name, len, limit);
}

/* Of names that are as near, the one that begins more like the wrong one, then the shortest. */
static bool similar_is_better(const struct kpt_similar *s, const char *name)
{
	size_t i, len = strcspn(name, ".");

	for (i = 0; i < s->len && i < len && s->found[i] == name[i]; i++)
		;
	if (i == s->len)
		return len < strcspn(s->found, ".");
	return name[i] == s->name[i] ||
	       (s->found[i] != s->name[i] && len < strcspn(s->found, "."));
}

/**
 * kpt_similar_begin() - begin a search
 * @s: the search
 * @name: the wrong name; what is behind a dot, as compilers put it there, is not compared
 * @len: its characters
 *
 * Context: any.
 */
void kpt_similar_begin(struct kpt_similar *s, const char *name, size_t len)
{
	s->name = name;
	s->whole = len;
	s->len = kpt_lex_find(name, len, '.');
	s->least = 2 + (unsigned int)s->len / 4;
	s->found[0] = '\0';
}

/**
 * kpt_similar_see() - see a name that may have been meant
 * @s: the search
 * @name: the name, compared as that. The wrong name itself is not meant: there is something of
 *	that name, but not what has to be there
 *
 * Context: any.
 */
void kpt_similar_see(struct kpt_similar *s, const char *name)
{
	size_t len = strcspn(name, "."), whole = strlen(name);
	unsigned int differs;

	if (!s->len || !len || whole >= sizeof(s->found) ||
	    (whole == s->whole && !memcmp(name, s->name, whole)))
		return;
	differs = similar_to(s, name, len);
	if (differs > s->least ||
	    (differs == s->least && s->found[0] && !similar_is_better(s, name)))
		return;
	s->least = differs;
	strcpy(s->found, name);
}

/**
 * kpt_similar_tell() - say in a reason what may have been meant
 * @s: the search
 * @diag: the reason, already set; gets a detail if a name is similar
 *
 * Context: any.
 */
void kpt_similar_tell(const struct kpt_similar *s, struct kpt_diag *diag)
{
	struct kpt_strbuf sb;

	if (!s->found[0])
		return;
	kpt_strbuf_init(&sb, diag->detail, sizeof(diag->detail));
	kpt_strbuf_printf(&sb, "did you mean %s?", s->found);
}
