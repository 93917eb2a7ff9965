/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parsing of characters, names and numbers. A text is given by address and
 * length, so that a piece of a line needs no copy. Only ASCII characters are
 * spaces, letters or digits.
 */
#ifndef KPTRACE_LEX_H
#define KPTRACE_LEX_H

#include "lib/base/port.h"

static inline bool kpt_lex_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool kpt_lex_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool kpt_lex_is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

size_t kpt_lex_find(const char *s, size_t len, char c);
size_t kpt_lex_find_last(const char *s, size_t len, char c);
bool kpt_lex_is(const char *s, size_t len, const char *word);
size_t kpt_lex_prefix(const char *s, size_t len, const char *word);
bool kpt_lex_is_name(const char *s, size_t len, bool hyphen);
int kpt_lex_u64(const char *s, size_t len, unsigned int base, u64 *value);
int kpt_lex_s64(const char *s, size_t len, unsigned int base, s64 *value);
size_t kpt_lex_digits(const char *s, size_t len, unsigned int base,
		      u64 *value, bool *overflow);

#endif
