/* SPDX-License-Identifier: GPL-2.0-only */
/* Shell patterns, as filters and definitions of functions use them. */
#ifndef KPTRACE_GLOB_H
#define KPTRACE_GLOB_H

#include "lib/base/port.h"

/**
 * enum kpt_glob_how - how to compare a text with a reduced pattern
 * @KPT_GLOB_FULL: the whole text, character by character
 * @KPT_GLOB_FRONT: the beginning ("abc*")
 * @KPT_GLOB_MIDDLE: any part ("*abc*")
 * @KPT_GLOB_END: the end ("*abc")
 * @KPT_GLOB_PATTERN: kpt_glob_match()
 */
enum kpt_glob_how {
	KPT_GLOB_FULL,
	KPT_GLOB_FRONT,
	KPT_GLOB_MIDDLE,
	KPT_GLOB_END,
	KPT_GLOB_PATTERN,
};

bool kpt_glob_match(const char *pattern, size_t pattern_len, const char *text,
		    size_t len);
enum kpt_glob_how kpt_glob_reduce(const char **pattern, size_t *len);
bool kpt_glob_test(enum kpt_glob_how how, const char *pattern,
		   size_t pattern_len, const char *text, size_t len);
bool kpt_glob_list_check(const char *list, size_t len, bool *is_pattern);
bool kpt_glob_list_match(const char *list, size_t len, const char *text,
			 size_t text_len);

#endif
