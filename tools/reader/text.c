// SPDX-License-Identifier: GPL-2.0-only
/*
 * Texts, which are parts of what was read, and buffers.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

void die(const char *what)
{
	fprintf(stderr, "kptrace: %s: %s\n", what, strerror(errno));
	exit(1);
}

void *more_memory(void *at, size_t size)
{
	at = realloc(at, size);
	if (!at)
		die("reader");
	return at;
}

void put_bytes(struct buffer *b, const void *bytes, size_t len)
{
	if (b->len + len > b->size) {
		b->size = 2 * (b->len + len) + 64;
		b->at = more_memory(b->at, b->size);
	}
	if (len)
		memcpy(b->at + b->len, bytes, len);
	b->len += len;
}

void put(struct buffer *b, const char *string)
{
	put_bytes(b, string, strlen(string));
}

void put_text(struct buffer *b, struct text t)
{
	put_bytes(b, t.at, t.len);
}

/* At least so many columns; at the left of them if @width is negative. */
void put_padded(struct buffer *b, struct text t, int width)
{
	size_t len;

	for (len = t.len; width > 0 && len < (size_t)width; len++)
		put(b, " ");
	put_text(b, t);
	for (; width < 0 && len < (size_t)-width; len++)
		put(b, " ");
}

/* Numbers and short words. */
void put_format(struct buffer *b, const char *format, ...)
{
	char text[512];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	put(b, text);
}

struct text text_from(const char *at, const char *end)
{
	return (struct text){ at, end - at };
}

struct text text_of(const char *string)
{
	return (struct text){ string, strlen(string) };
}

struct text text_in(const struct buffer *b)
{
	return (struct text){ b->at, b->len };
}

bool text_is(struct text t, const char *string)
{
	return text_is_same(t, text_of(string));
}

bool text_is_same(struct text a, struct text b)
{
	return a.len == b.len && (!a.len || !memcmp(a.at, b.at, a.len));
}

bool text_begins(struct text t, const char *string)
{
	size_t len = strlen(string);

	return t.len >= len && !memcmp(t.at, string, len);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool text_is_integer(struct text t)
{
	size_t i = t.len && *t.at == '-', first = i;

	for (; i < t.len; i++)
		if (!is_digit(t.at[i]))
			return false;
	return i > first;
}

/* As awk has it: of what the text begins with, in decimal. */
double number_of(struct text t)
{
	char digits[64];
	size_t len;

	for (len = 0; len < t.len && len < sizeof(digits) - 1; len++)
		if (!is_digit(t.at[len]) && t.at[len] != '.' && !(t.at[len] == '-' && !len))
			break;
	if (!len)
		return 0;
	memcpy(digits, t.at, len);
	digits[len] = 0;
	return strtod(digits, NULL);
}
