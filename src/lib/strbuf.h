/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bounded text. Unlike a seq_buf, it keeps as much as fits of a text that is
 * too long, and is always terminated.
 */
#ifndef KPTRACE_STRBUF_H
#define KPTRACE_STRBUF_H

#include <kptrace/port.h>

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
void kpt_strbuf_puts(struct kpt_strbuf *sb, const char *s);
void kpt_strbuf_putc(struct kpt_strbuf *sb, char c);
__printf(2, 3)
void kpt_strbuf_printf(struct kpt_strbuf *sb, const char *fmt, ...);

#endif
