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

/* For so many bytes more. */
void make_room(struct buffer *b, size_t len)
{
	b->size = 2 * (b->len + len) + 64;
	b->at = more_memory(b->at, b->size);
}

static void put_blanks(struct buffer *b, size_t nr)
{
	if (nr > b->size - b->len)
		make_room(b, nr);
	memset(b->at + b->len, ' ', nr);
	b->len += nr;
}

/* At least so many columns; at the left of them if @width is negative. */
void put_padded(struct buffer *b, struct text t, int width)
{
	size_t columns = width < 0 ? -width : width, nr = columns > t.len ? columns - t.len : 0;

	if (nr && width > 0)
		put_blanks(b, nr);
	put_text(b, t);
	if (nr && width < 0)
		put_blanks(b, nr);
}

void put_number(struct buffer *b, unsigned int n)
{
	char digits[10], *at = digits + sizeof(digits);

	do
		*--at = '0' + n % 10;
	while (n /= 10);
	put_bytes(b, at, digits + sizeof(digits) - at);
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
	size_t first = t.len && *t.at == '-', len = first;
	char digits[64];
	long n = 0;

	for (; len < t.len && is_digit(t.at[len]) && len < 18; len++)
		n = 10 * n + t.at[len] - '0';
	/* All of it, and exact? */
	if (len == t.len || (len < 18 && t.at[len] != '.'))
		return first ? -n : n;
	for (; len < t.len && len < sizeof(digits) - 1; len++)
		if (!is_digit(t.at[len]) && t.at[len] != '.')
			break;
	memcpy(digits, t.at, len);
	digits[len] = 0;
	return strtod(digits, NULL);
}
