// SPDX-License-Identifier: GPL-2.0-only
/* Shell patterns without recursion. */
#include <kptrace/port.h>
#include "lib/glob.h"

/*
 * Is @c in the class whose '[' is at @p? Returns the character behind its ']',
 * or NULL if it has none.
 */
static const char *match_class(const char *p, const char *end, u8 c,
			       bool *match)
{
	bool inverted, found = false;
	u8 first, last;

	p++;
	inverted = p < end && *p == '!';
	p += inverted;
	/* a ']' that comes first is an ordinary character */
	do {
		if (p >= end)
			return NULL;
		first = last = (u8)*p++;
		if (end - p >= 2 && p[0] == '-' && p[1] != ']') {
			last = (u8)p[1];
			p += 2;
		}
		found |= first <= c && c <= last;
	} while (p >= end || *p != ']');
	*match = found != inverted;
	return p + 1;
}

/*
 * Does one element of the pattern at *@pp, no star, match the character @c?
 * Moves *@pp behind the element.
 */
static bool match_element(const char **pp, const char *end, u8 c)
{
	const char *p = *pp, *behind;
	bool match;

	*pp = p + 1;
	switch (*p) {
	case '?':
		return true;
	case '[':
		behind = match_class(p, end, c, &match);
		if (!behind)
			return c == '[';
		*pp = behind;
		return match;
	case '\\':
		if (p + 1 == end)
			return false;
		*pp = p + 2;
		return (u8)p[1] == c;
	default:
		return (u8)*p == c;
	}
}

/* Stars match nothing, and so does a '\' with nothing behind it. */
static bool matches_nothing(const char *p, const char *end)
{
	while (p < end && *p == '*')
		p++;
	return p == end || (p + 1 == end && *p == '\\');
}

/**
 * kpt_glob_match() - does a pattern match a text as a whole?
 * @pattern: characters; '*', '?', "[a-z]", "[!a-z]" and '\' are special
 * @pattern_len: how many
 * @text: characters
 * @len: how many
 *
 * As in glob(7), but '/' and a leading '.' are like any other character. A '['
 * without its ']' stands for itself, a '\' at the end for nothing.
 *
 * Context: any, BRK included. At most @pattern_len * @len steps.
 * Return: true if it matches.
 */
bool kpt_glob_match(const char *pattern, size_t pattern_len, const char *text,
		    size_t len)
{
	const char *p = pattern, *p_end = pattern + pattern_len;
	const char *s = text, *s_end = text + len;
	const char *star = NULL, *star_s = NULL;

	/*
	 * Only the last star needs another try: what lies before it has
	 * matched the shortest text possible.
	 */
	while (s < s_end) {
		if (p < p_end && *p == '*') {
			star = ++p;
			star_s = s;
		} else if (p < p_end && match_element(&p, p_end, (u8)*s)) {
			s++;
		} else if (star) {
			p = star;
			s = ++star_s;
		} else {
			return false;
		}
	}
	return matches_nothing(p, p_end);
}

/**
 * kpt_glob_reduce() - find the simplest way to compare a pattern
 * @pattern: the pattern; moved behind a leading star that is not needed
 * @len: its characters; likewise without a trailing star
 *
 * Context: any.
 * Return: how to compare what is left.
 */
enum kpt_glob_how kpt_glob_reduce(const char **pattern, size_t *len)
{
	const char *p = *pattern;
	size_t n = *len, i;
	bool front, back;

	front = n && p[0] == '*';
	back = n > 1 && p[n - 1] == '*';
	for (i = front; i < n - back; i++) {
		if (p[i] == '*' || p[i] == '?' || p[i] == '[' || p[i] == '\\')
			return KPT_GLOB_PATTERN;
	}
	*pattern += front;
	*len -= (size_t)front + back;
	if (front)
		return back ? KPT_GLOB_MIDDLE : KPT_GLOB_END;
	return back ? KPT_GLOB_FRONT : KPT_GLOB_FULL;
}

static bool contains(const char *text, size_t len, const char *part,
		     size_t part_len)
{
	for (; len >= part_len; text++, len--) {
		if (!memcmp(text, part, part_len))
			return true;
	}
	return false;
}

/**
 * kpt_glob_test() - compare a text with a reduced pattern
 * @how: from kpt_glob_reduce()
 * @pattern: likewise
 * @pattern_len: likewise
 * @text: characters
 * @len: how many
 *
 * Context: any, BRK included.
 * Return: true if it matches.
 */
bool kpt_glob_test(enum kpt_glob_how how, const char *pattern,
		   size_t pattern_len, const char *text, size_t len)
{
	if (how == KPT_GLOB_PATTERN)
		return kpt_glob_match(pattern, pattern_len, text, len);
	if (len < pattern_len)
		return false;
	switch (how) {
	case KPT_GLOB_FRONT:
		return !memcmp(text, pattern, pattern_len);
	case KPT_GLOB_MIDDLE:
		return contains(text, len, pattern, pattern_len);
	case KPT_GLOB_END:
		return !memcmp(text + len - pattern_len, pattern, pattern_len);
	default:
		return len == pattern_len && !memcmp(text, pattern, len);
	}
}
