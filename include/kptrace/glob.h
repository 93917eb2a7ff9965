/* SPDX-License-Identifier: GPL-2.0-only */
/* Shell patterns, as filters use them. */
#ifndef KPTRACE_GLOB_H
#define KPTRACE_GLOB_H

#include <kptrace/port.h>

/**
 * enum kpt_glob_how - what is left to compare of a pattern
 * @KPT_GLOB_FULL: the whole text, character by character
 * @KPT_GLOB_FRONT: the beginning ("abc*")
 * @KPT_GLOB_MIDDLE: any part ("*abc*")
 * @KPT_GLOB_END: the end ("*abc")
 * @KPT_GLOB_PATTERN: none of these: kpt_glob_match()
 */
enum kpt_glob_how {
	KPT_GLOB_FULL,
	KPT_GLOB_FRONT,
	KPT_GLOB_MIDDLE,
	KPT_GLOB_END,
	KPT_GLOB_PATTERN,
};

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
		    size_t len);

/**
 * kpt_glob_reduce() - find the simplest way to compare a pattern
 * @pattern: the pattern; moved behind a leading star that is not needed
 * @len: its characters; likewise without a trailing star
 *
 * Context: any.
 * Return: how to compare what is left.
 */
enum kpt_glob_how kpt_glob_reduce(const char **pattern, size_t *len);

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
		   size_t pattern_len, const char *text, size_t len);

#endif
