/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bounded text. Unlike a seq_buf, it keeps as much as fits of a text that is
 * too long, and is always terminated.
 */
#ifndef KPTRACE_STRBUF_H
#define KPTRACE_STRBUF_H

#include "lib/base/port.h"

/**
 * struct kpt_strbuf - text under construction in the caller's memory
 * @buf: the text, always terminated by a NUL
 * @size: bytes at @buf
 * @len: characters of the text, without the NUL
 * @overflow: something did not fit and was cut
 */
struct kpt_strbuf {
	char *buf;
	size_t size;
	size_t len;
	bool overflow;
};

void kpt_strbuf_init(struct kpt_strbuf *sb, char *buf, size_t size);
void kpt_strbuf_add(struct kpt_strbuf *sb, const char *s, size_t n);
void kpt_strbuf_fill(struct kpt_strbuf *sb, char c, size_t n);
void kpt_strbuf_escape(struct kpt_strbuf *sb, const char *s, size_t n, bool is_word);
void kpt_strbuf_dec(struct kpt_strbuf *sb, s64 v);
void kpt_strbuf_udec(struct kpt_strbuf *sb, u64 v, unsigned int width, char pad);
void kpt_strbuf_hex(struct kpt_strbuf *sb, u64 v, unsigned int width);

/**
 * kpt_strbuf_puts() - append a string
 * @sb: the text
 * @s: a string; a short literal is stored without a call
 *
 * Context: any.
 */
static __always_inline void kpt_strbuf_puts(struct kpt_strbuf *sb, const char *s)
{
	size_t n = strlen(s);

	if (!__builtin_constant_p(n) || n > 8 || sb->len + n >= sb->size) {
		kpt_strbuf_add(sb, s, n);
		return;
	}
	memcpy(sb->buf + sb->len, s, n);
	sb->len += n;
	sb->buf[sb->len] = '\0';
}

/**
 * kpt_strbuf_putc() - append one character
 * @sb: the text
 * @c: the character
 *
 * Context: any.
 */
static inline void kpt_strbuf_putc(struct kpt_strbuf *sb, char c)
{
	if (sb->len + 1 >= sb->size) {
		sb->overflow = true;
		return;
	}
	sb->buf[sb->len++] = c;
	sb->buf[sb->len] = '\0';
}

/**
 * kpt_strbuf_right() - append a string as "%WIDTHs" does
 * @sb: the text
 * @s: a string
 * @width: blanks come before a shorter one
 *
 * Context: any.
 */
static inline void kpt_strbuf_right(struct kpt_strbuf *sb, const char *s, size_t width)
{
	size_t n = strlen(s);

	kpt_strbuf_fill(sb, ' ', width - min(n, width));
	kpt_strbuf_add(sb, s, n);
}

/**
 * kpt_strbuf_left() - append what makes the last text as wide as "%-WIDTHs" does
 * @sb: the text
 * @start: @sb->len before that text was written
 * @width: blanks come behind a shorter one
 *
 * Context: any.
 */
static inline void kpt_strbuf_left(struct kpt_strbuf *sb, size_t start, size_t width)
{
	kpt_strbuf_fill(sb, ' ', width - min(sb->len - start, width));
}

__printf(2, 0)
void kpt_strbuf_vprintf(struct kpt_strbuf *sb, const char *fmt, va_list args);
__printf(2, 3)
void kpt_strbuf_printf(struct kpt_strbuf *sb, const char *fmt, ...);

#endif
