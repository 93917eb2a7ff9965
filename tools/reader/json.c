// SPDX-License-Identifier: GPL-2.0-only
/*
 * Values as JSON; json.awk does the same.
 */
#include <string.h>

#include "reader.h"

static bool is_octal(char c) { return c >= '0' && c <= '7'; }

static void put_code(struct buffer *b, unsigned int c)
{
	static const char hex[] = "0123456789abcdef";

	put(b, "\\u00");
	put_bytes(b, &hex[c >> 4], 1);
	put_bytes(b, &hex[c & 15], 1);
}

/* Bytes of the UTF-8 character at @at; 0 if it is none. */
static unsigned int utf8_length(const unsigned char *at, const unsigned char *end)
{
	unsigned int c = *at, i, len = c < 128 ? 1 : c < 194 ? 0 : c < 224 ? 2 : c < 240 ? 3 :
					c < 245 ? 4 : 0;

	if (end - at < (long)len)
		return 0;
	for (i = 1; i < len; i++)
		if (at[i] < 128 || at[i] > 191)
			return 0;
	/* Too long a form, a surrogate, beyond the last character. */
	if (len > 1 && ((c == 224 && at[1] < 160) || (c == 237 && at[1] > 159) ||
			(c == 240 && at[1] < 144) || (c == 244 && at[1] > 143)))
		return 0;
	return len;
}

/* Bytes that a string of JSON has as they are. */
static bool plain[256];

/* When the options are known: for html no text ends the script that it is in. */
void begin_json(void)
{
	unsigned int c;

	for (c = 32; c < 127; c++)
		plain[c] = c != '"' && c != '\\' && !(html && c == '<');
}

/* A string of JSON. */
void put_quoted(struct buffer *b, struct text t)
{
	const unsigned char *at = (const unsigned char *)t.at, *end = at + t.len, *from;
	unsigned int len;

	put(b, "\"");
	for (; at < end; at += len) {
		for (from = at; at < end && plain[*at]; at++)
			;
		put_bytes(b, from, at - from);
		if (at == end)
			break;
		len = utf8_length(at, end);
		if (!len) {
			put(b, "\357\277\275");
			len = 1;
		} else if (*at == '\\' || *at == '"') {
			put(b, "\\");
			put_bytes(b, at, 1);
		} else if (*at < 32 || *at == 127 || (html && *at == '<')) {
			put_code(b, *at);
		} else if (len == 2 && *at == 194 && at[1] < 160) {
			/* Terminals have control characters of two bytes, too. */
			put_code(b, at[1]);
		} else {
			put_bytes(b, at, len);
		}
	}
	put(b, "\"");
}

/* The same of what the kernel has escaped. */
void put_unescaped(struct buffer *b, struct text t)
{
	static struct buffer plain;
	const char *at = t.at, *end = at + t.len;
	char c;

	if (!t.len || !memchr(t.at, '\\', t.len)) {
		put_quoted(b, t);
		return;
	}
	plain.len = 0;
	for (; at < end; at++) {
		c = *at;
		if (c == '\\') {
			c = ++at < end ? *at : 0;
			if (end - at > 2 && is_octal(c)) {
				c = (c - '0') << 6 | (at[1] - '0') << 3 | (at[2] - '0');
				at += 2;
			} else if (c == 'n' || c == 't') {
				c = c == 'n' ? '\n' : '\t';
			}
		}
		if (c)
			put_bytes(&plain, &c, 1);
	}
	put_quoted(b, (struct text){ plain.at, plain.len });
}

/* One that is written as JSON has it. */
static bool is_number(struct text t)
{
	size_t first = t.len && *t.at == '-';

	return text_is_integer(t) && !(t.at[first] == '0' && t.len > first + 1);
}

/* Decimal numbers, strings, lists; all else as a string. */
void put_value(struct buffer *b, struct text t)
{
	const char *at, *end, *from;

	if (is_number(t)) {
		put_text(b, t);
	} else if (text_is(t, "(fault)")) {
		put(b, "null");
	} else if (t.len > 1 && *t.at == '"' && t.at[t.len - 1] == '"') {
		put_unescaped(b, text_from(t.at + 1, t.at + t.len - 1));
	} else if (t.len > 1 && *t.at == '{' && t.at[t.len - 1] == '}') {
		put(b, "[");
		end = t.at + t.len - 1;
		for (at = from = t.at + 1; at < end; at = skip_any(at, end)) {
			if (*at != ',')
				continue;
			put_value(b, text_from(from, at));
			put(b, ",");
			from = at + 1;
		}
		if (end > t.at + 1)
			put_value(b, text_from(from, end));
		put(b, "]");
	} else {
		put_quoted(b, t);
	}
}

void put_json_time(struct buffer *b, struct text time)
{
	if (!times)
		return;
	put(b, "\"time\":");
	put_text(b, time);
	put(b, ",");
}

void put_json_task(struct buffer *b, const struct record *r)
{
	put(b, "\"task\":");
	put_unescaped(b, r->task);
	put(b, ",");
	put_json_numbers(b, r);
}

/* Of the process, if it is known, and of the thread. */
void put_json_numbers(struct buffer *b, const struct record *r)
{
	if (r->pid.len) {
		put(b, "\"pid\":");
		put_text(b, r->pid);
		put(b, ",");
	}
	put(b, "\"tid\":");
	put_text(b, r->tid);
}
