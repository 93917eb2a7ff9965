// SPDX-License-Identifier: GPL-2.0-only
/* Bounded text in the caller's memory. */
#include <kptrace/port.h>
#include <kptrace/strbuf.h>

void kpt_strbuf_init(struct kpt_strbuf *sb, char *buf, size_t size)
{
	sb->buf = buf;
	sb->size = size;
	sb->len = 0;
	sb->overflow = false;
	buf[0] = '\0';
}

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

void kpt_strbuf_puts(struct kpt_strbuf *sb, const char *s)
{
	kpt_strbuf_add(sb, s, strlen(s));
}

void kpt_strbuf_putc(struct kpt_strbuf *sb, char c)
{
	kpt_strbuf_add(sb, &c, 1);
}

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
