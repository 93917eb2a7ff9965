// SPDX-License-Identifier: GPL-2.0-only
/* Bounded text. */
#include <kptrace/port.h>
#include "lib/strbuf.h"

/**
 * kpt_strbuf_init() - start an empty text
 * @sb: the text
 * @buf: memory that outlives @sb
 * @size: bytes at @buf, at least 1
 *
 * Context: any.
 */
void kpt_strbuf_init(struct kpt_strbuf *sb, char *buf, size_t size)
{
	sb->buf = buf;
	sb->size = size;
	sb->len = 0;
	sb->overflow = false;
	buf[0] = '\0';
}

/**
 * kpt_strbuf_add() - append characters
 * @sb: the text
 * @s: characters, not necessarily terminated
 * @n: number of characters
 *
 * Context: any.
 */
void kpt_strbuf_add(struct kpt_strbuf *sb, const char *s, size_t n)
{
	size_t room = sb->size - 1 - sb->len;

	if (n > room) {
		n = room;
		sb->overflow = true;
	}
	memcpy(sb->buf + sb->len, s, n);
	sb->len += n;
	sb->buf[sb->len] = '\0';
}

/**
 * kpt_strbuf_puts() - append a string
 * @sb: the text
 * @s: a string
 *
 * Context: any.
 */
void kpt_strbuf_puts(struct kpt_strbuf *sb, const char *s)
{
	kpt_strbuf_add(sb, s, strlen(s));
}

/**
 * kpt_strbuf_putc() - append one character
 * @sb: the text
 * @c: the character
 *
 * Context: any.
 */
void kpt_strbuf_putc(struct kpt_strbuf *sb, char c)
{
	kpt_strbuf_add(sb, &c, 1);
}

/**
 * kpt_strbuf_printf() - append formatted text
 * @sb: the text
 * @fmt: as vsnprintf() of the C library; the kernel's %p extensions are not
 *	portable and not allowed
 *
 * Context: any.
 */
void kpt_strbuf_printf(struct kpt_strbuf *sb, const char *fmt, ...)
{
	size_t room = sb->size - sb->len;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(sb->buf + sb->len, room, fmt, ap);
	va_end(ap);
	if (n < 0)
		n = 0;
	if ((size_t)n >= room) {
		n = (int)room - 1;
		sb->overflow = true;
	}
	sb->len += (size_t)n;
	sb->buf[sb->len] = '\0';
}
