// SPDX-License-Identifier: GPL-2.0-only
/* Characters, names and numbers. */
#include "lib/base/port.h"
#include "lib/base/lex.h"

/**
 * kpt_lex_find() - find the first occurrence of a character
 * @s: text
 * @len: its characters
 * @c: the character
 *
 * Context: any.
 * Return: its index, or @len if it does not occur.
 */
size_t kpt_lex_find(const char *s, size_t len, char c)
{
	const char *at = len ? memchr(s, c, len) : NULL;

	return at ? (size_t)(at - s) : len;
}

/**
 * kpt_lex_find_last() - find the last occurrence of a character
 * @s: text
 * @len: its characters
 * @c: the character
 *
 * Context: any.
 * Return: its index, or @len if it does not occur.
 */
size_t kpt_lex_find_last(const char *s, size_t len, char c)
{
	size_t i;

	for (i = len; i-- > 0;)
		if (s[i] == c)
			return i;
	return len;
}

/**
 * kpt_lex_is() - is a text equal to a word?
 * @s: text
 * @len: its characters
 * @word: a string
 *
 * Context: any.
 * Return: true if it is.
 */
bool kpt_lex_is(const char *s, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(s, word, len);
}

/**
 * kpt_lex_prefix() - does a text begin with a word?
 * @s: text
 * @len: its characters
 * @word: a string
 *
 * Context: any.
 * Return: length of @word if so, else 0.
 */
size_t kpt_lex_prefix(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word);

	return n <= len && !memcmp(s, word, n) ? n : 0;
}

/**
 * kpt_lex_is_name() - is a text a C identifier?
 * @s: text
 * @len: its characters
 * @hyphen: allow '-' in place of a letter, as in names of groups
 *
 * Context: any.
 * Return: true if it is.
 */
bool kpt_lex_is_name(const char *s, size_t len, bool hyphen)
{
	size_t i;

	if (!len || kpt_lex_is_digit(s[0]))
		return false;
	for (i = 0; i < len; i++)
		if (!kpt_lex_is_alpha(s[i]) && !kpt_lex_is_digit(s[i]) &&
		    s[i] != '_' && !(hyphen && s[i] == '-'))
			return false;
	return true;
}

/* Value of a digit in a base up to 16; 16 for other characters. */
static unsigned int lex_digit_value(char c)
{
	if (kpt_lex_is_digit(c))
		return (unsigned int)(c - '0');
	c |= 0x20;
	if (c >= 'a' && c <= 'f')
		return (unsigned int)(c - 'a') + 10;
	return 16;
}

/* The base by the prefix, of which *@skip characters are not digits. */
static unsigned int lex_base(const char *s, size_t len, size_t *skip)
{
	*skip = 0;
	if (!len || s[0] != '0')
		return 10;
	if (len > 2 && (s[1] | 0x20) == 'x' && lex_digit_value(s[2]) < 16) {
		*skip = 2;
		return 16;
	}
	return 8;
}

/**
 * kpt_lex_digits() - read the number at the beginning of a text
 * @s: text, without a sign
 * @len: its characters
 * @base: 10 or 0, see kpt_lex_u64()
 * @value: result, modulo 2^64
 * @overflow: result: the number does not fit into 64 bits
 *
 * Context: any.
 * Return: characters of the number, 0 if there is none.
 */
size_t kpt_lex_digits(const char *s, size_t len, unsigned int base,
		      u64 *value, bool *overflow)
{
	u64 v = 0;
	size_t i = 0;

	if (!base)
		base = lex_base(s, len, &i);
	*overflow = false;
	for (; i < len; i++) {
		unsigned int d = lex_digit_value(s[i]);

		if (d >= base)
			break;
		if (v > (U64_MAX - d) / base)
			*overflow = true;
		v = v * base + d;
	}
	*value = v;
	return i;
}

/* kpt_lex_u64() without a sign. */
static int lex_parse_u64(const char *s, size_t len, unsigned int base, u64 *value)
{
	bool overflow;
	size_t n;
	u64 v;

	n = kpt_lex_digits(s, len, base, &v, &overflow);
	if (overflow)
		return -ERANGE;
	if (!n || n != len)
		return -EINVAL;
	*value = v;
	return 0;
}

/**
 * kpt_lex_u64() - read a text that is a number
 * @s: text: an optional '+', then digits
 * @len: its characters
 * @base: 10; or 0: 16 after the prefix 0x, 8 after 0, else 10
 * @value: result, written on success only
 *
 * Accepts what the kernel's kstrtoull() accepts, except a newline.
 *
 * Context: any.
 * Return: 0, -ERANGE if the number does not fit into 64 bits, or -EINVAL.
 */
int kpt_lex_u64(const char *s, size_t len, unsigned int base, u64 *value)
{
	size_t sign = len && s[0] == '+';

	return lex_parse_u64(s + sign, len - sign, base, value);
}

/**
 * kpt_lex_s64() - read a text that is a number with a sign
 * @s: text: an optional '+' or '-', then digits
 * @len: its characters
 * @base: 10 or 0, see kpt_lex_u64()
 * @value: result, written on success only
 *
 * Context: any.
 * Return: 0, -ERANGE if the number does not fit into s64, or -EINVAL.
 */
int kpt_lex_s64(const char *s, size_t len, unsigned int base, s64 *value)
{
	u64 v = 0;
	int err;

	if (len && s[0] == '-') {
		err = lex_parse_u64(s + 1, len - 1, base, &v);
		if (!err && v > (u64)S64_MAX + 1)
			err = -ERANGE;
		v = 0 - v;
	} else {
		err = kpt_lex_u64(s, len, base, &v);
		if (!err && v > S64_MAX)
			err = -ERANGE;
	}
	if (err)
		return err;
	*value = (s64)v;
	return 0;
}
