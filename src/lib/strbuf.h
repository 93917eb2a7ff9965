/* SPDX-License-Identifier: GPL-2.0-only */
/* Bounded text: appends never write past the end, overflow is remembered. */
#ifndef KPTRACE_STRBUF_H
#define KPTRACE_STRBUF_H

#include <kptrace/port.h>

/**
 * struct kpt_strbuf - text under construction in the caller's memory
 * @buf: the text, always ends with a NUL once initialised
 * @size: bytes at @buf, the NUL included
 * @len: characters so far, the NUL not counted
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
