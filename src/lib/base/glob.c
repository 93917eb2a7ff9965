// SPDX-License-Identifier: GPL-2.0-only
/* Shell patterns without recursion. */
#include "lib/base/port.h"
#include "lib/base/glob.h"
#include "lib/base/lex.h"

/*
 * Is @c in the class whose '[' is at @p? Returns the address behind its ']', or
 * NULL if there is none.
 */
static const char *glob_match_class(const char *p, const char *end, u8 c,
				    bool *match)
{
	bool inverted, found = false;
	u8 first, last;

	p++;
	inverted = p < end && *p == '!';
	p += inverted;
	/* A ']' at the beginning is an ordinary character. */
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
 * Does the element of the pattern at *@pp, which is not a star, match @c? Moves
 * *@pp behind the element.
 */
static bool glob_match_element(const char **pp, const char *end, u8 c)
{
	const char *p = *pp, *behind;
	bool match;

	*pp = p + 1;
	switch (*p) {
	case '?':
		return true;
	case '[':
		behind = glob_match_class(p, end, c, &match);
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

/* Does the rest of a pattern match an empty text? So does a '\' at its end. */
static bool glob_matches_empty(const char *p, const char *end)
{
	while (p < end && *p == '*')
		p++;
	return p == end || (p + 1 == end && *p == '\\');
}

/**
 * kpt_glob_match() - does a pattern match a whole text?
 * @pattern: the pattern; '*', '?', "[a-z]", "[!a-z]" and '\' are special
 * @pattern_len: its characters
 * @text: the text
 * @len: its characters
 *
 * As in glob(7), but '/' and a leading '.' are ordinary characters. A '['
 * without a ']' is an ordinary character, a '\' at the end is ignored.
 *
 * Context: any, BRK included. Takes at most @pattern_len * @len steps.
 * Return: true if it matches.
 */
bool kpt_glob_match(const char *pattern, size_t pattern_len, const char *text,
		    size_t len)
{
	const char *p = pattern, *p_end = pattern + pattern_len;
	const char *s = text, *s_end = text + len;
	const char *star = NULL, *star_s = NULL;

	/*
	 * Only the last star is tried again with a longer text: the pattern
	 * before it has matched the shortest text possible.
	 */
	while (s < s_end) {
		if (p < p_end && *p == '*') {
			star = ++p;
			star_s = s;
		} else if (p < p_end && glob_match_element(&p, p_end, (u8)*s)) {
			s++;
		} else if (star) {
			p = star;
			s = ++star_s;
		} else {
			return false;
		}
	}
	return glob_matches_empty(p, p_end);
}

/**
 * kpt_glob_reduce() - find the fastest way to compare with a pattern
 * @pattern: the pattern; moved past a leading star that is not needed
 * @len: its characters; reduced by a leading and a trailing star
 *
 * Context: any.
 * Return: how kpt_glob_test() compares with the rest.
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

static bool glob_contains(const char *text, size_t len, const char *part,
			  size_t part_len)
{
	for (; len >= part_len; text++, len--) {
		if (!memcmp(text, part, part_len))
			return true;
	}
	return false;
}

/**
 * kpt_glob_test() - does a reduced pattern match a text?
 * @how: from kpt_glob_reduce()
 * @pattern: from kpt_glob_reduce()
 * @pattern_len: its characters
 * @text: the text
 * @len: its characters
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
		return glob_contains(text, len, pattern, pattern_len);
	case KPT_GLOB_END:
		return !memcmp(text + len - pattern_len, pattern, pattern_len);
	default:
		return len == pattern_len && !memcmp(text, pattern, len);
	}
}

/**
 * kpt_glob_list_check() - is a text a list of patterns?
 * @list: the text
 * @len: its characters
 * @is_pattern: result: it can match several names
 *
 * A list is one or more patterns, separated by commas. A '!' before a pattern excludes
 * what it matches. One pattern at least must have none.
 *
 * Context: any.
 * Return: true if it is.
 */
bool kpt_glob_list_check(const char *list, size_t len, bool *is_pattern)
{
	bool any = false;
	size_t i, n;

	*is_pattern = false;
	for (i = 0; i <= len; i += n + 1) {
		n = kpt_lex_find(list + i, len - i, ',');
		if (!n || (n == 1 && list[i] == '!'))
			return false;
		any |= list[i] != '!';
	}
	for (i = 0; i < len; i++)
		*is_pattern |= list[i] == '*' || list[i] == '?' ||
			       list[i] == '[' || list[i] == '\\' ||
			       list[i] == ',';
	return any;
}

/**
 * kpt_glob_list_match() - does a list of patterns match a text?
 * @list: a list that kpt_glob_list_check() accepts
 * @len: its characters
 * @text: the text
 * @text_len: its characters
 *
 * Context: any.
 * Return: true if a pattern matches it, and none that excludes does.
 */
bool kpt_glob_list_match(const char *list, size_t len, const char *text,
			 size_t text_len)
{
	bool match = false, excludes;
	size_t i, n;

	for (i = 0; i <= len; i += n + 1) {
		n = kpt_lex_find(list + i, len - i, ',');
		excludes = list[i] == '!';
		if (!excludes && match)
			continue;
		if (!kpt_glob_match(list + i + excludes, n - excludes, text,
				    text_len))
			continue;
		if (excludes)
			return false;
		match = true;
	}
	return match;
}
