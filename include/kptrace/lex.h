/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The small change of parsing: characters, names, numbers. Text is given by
 * address and length, so that a piece of a line needs no copy. Only ASCII
 * counts as space, letter or digit.
 */
#ifndef KPTRACE_LEX_H
#define KPTRACE_LEX_H

#include <kptrace/port.h>

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

/**
 * kpt_lex_find() - first place of a character
 * @s: text
 * @len: its characters
 * @c: what to look for
 *
 * Context: any.
 * Return: its index, or @len if it does not occur.
 */
size_t kpt_lex_find(const char *s, size_t len, char c);

/**
 * kpt_lex_find_last() - last place of a character
 * @s: text
 * @len: its characters
 * @c: what to look for
 *
 * Context: any.
 * Return: its index, or @len if it does not occur.
 */
size_t kpt_lex_find_last(const char *s, size_t len, char c);

/**
 * kpt_lex_is() - is the text this word?
 * @s: text
 * @len: its characters
 * @word: a string
 *
 * Context: any.
 */
bool kpt_lex_is(const char *s, size_t len, const char *word);

/**
 * kpt_lex_prefix() - does the text begin with this word?
 * @s: text
 * @len: its characters
 * @word: a string
 *
 * Context: any.
 * Return: length of @word if so, else 0.
 */
size_t kpt_lex_prefix(const char *s, size_t len, const char *word);

/**
 * kpt_lex_is_name() - is the text a C identifier?
 * @s: text
 * @len: its characters
 * @hyphen: allow '-' wherever a letter may stand, as group names do
 *
 * Context: any.
 */
bool kpt_lex_is_name(const char *s, size_t len, bool hyphen);

/**
 * kpt_lex_u64() - a number, and nothing but a number
 * @s: text; one '+' may stand before the digits
 * @len: its characters
 * @base: 10, or 0 for 0x.. (16), 0.. (8), else 10
 * @value: result, written on success only
 *
 * Takes what the kernel's kstrtoull() takes, but no newline.
 *
 * Context: any.
 * Return: 0, -ERANGE if it needs more than 64 bits, else -EINVAL.
 */
int kpt_lex_u64(const char *s, size_t len, unsigned int base, u64 *value);

/**
 * kpt_lex_s64() - a number that may be negative
 * @s: text; one '+' or '-' may stand before the digits
 * @len: its characters
 * @base: 10 or 0, see kpt_lex_u64()
 * @value: result, written on success only
 *
 * Context: any.
 * Return: 0, -ERANGE if it does not fit, else -EINVAL.
 */
int kpt_lex_s64(const char *s, size_t len, unsigned int base, s64 *value);

/**
 * kpt_lex_digits() - the number that a text begins with
 * @s: text, no sign allowed
 * @len: its characters
 * @base: 10 or 0, see kpt_lex_u64()
 * @value: result, modulo 2^64
 * @overflow: result: the number needs more than 64 bits
 *
 * Context: any.
 * Return: characters that belong to the number, 0 if there is none.
 */
size_t kpt_lex_digits(const char *s, size_t len, unsigned int base,
		      u64 *value, bool *overflow);

#endif
