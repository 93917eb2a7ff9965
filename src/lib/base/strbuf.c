// SPDX-License-Identifier: GPL-2.0-only
/* Bounded text. */
#include "lib/base/port.h"
#include "lib/base/strbuf.h"

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
 * kpt_strbuf_fill() - append one character several times
 * @sb: the text
 * @c: the character
 * @n: how many times
 *
 * Context: any.
 */
void kpt_strbuf_fill(struct kpt_strbuf *sb, char c, size_t n)
{
	size_t room = sb->size - 1 - sb->len;

	if (n > room) {
		n = room;
		sb->overflow = true;
	}
	memset(sb->buf + sb->len, c, n);
	sb->len += n;
	sb->buf[sb->len] = '\0';
}

/* Bytes of the UTF-8 character that begins at @s; 0 if none does, or one that controls. */
static size_t utf8_length(const u8 *s, size_t n)
{
	static const u32 least[] = { 0, 0, 0xa0, 0x800, 0x10000 };
	size_t len = s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf8 ? 4 : 0;
	u32 c = s[0] & (0x7f >> len);
	size_t i;

	if (len > n)
		return 0;
	for (i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	return c < least[len] || c >> 11 == 0x1b || c > 0x10ffff ? 0 : len;
}

static void strbuf_escape_byte(struct kpt_strbuf *sb, u8 c)
{
	kpt_strbuf_putc(sb, '\\');
	if (c == '\\' || c == '"') {
		kpt_strbuf_putc(sb, (char)c);
	} else if (c == '\n' || c == '\t') {
		kpt_strbuf_putc(sb, c == '\n' ? 'n' : 't');
	} else {
		kpt_strbuf_putc(sb, (char)('0' + (c >> 6)));
		kpt_strbuf_putc(sb, (char)('0' + (c >> 3 & 7)));
		kpt_strbuf_putc(sb, (char)('0' + (c & 7)));
	}
}

/**
 * kpt_strbuf_escape() - append characters as a string of C has them
 * @sb: the text
 * @s: characters, not necessarily terminated
 * @n: number of characters
 * @is_word: escape blanks, too
 *
 * Quotes, backslashes, control characters and what is no UTF-8 have a backslash before
 * them, or before three octal digits. So the end of the text is known, and a terminal
 * shows nothing but text.
 *
 * Context: any.
 */
void kpt_strbuf_escape(struct kpt_strbuf *sb, const char *s, size_t n, bool is_word)
{
	size_t i, len;
	u8 c;

	for (i = 0; i < n; i += len) {
		c = (u8)s[i];
		if (c >= (is_word ? '!' : ' ') && c < 127 && c != '"' && c != '\\')
			len = 1;
		else
			len = c < 128 ? 0 : utf8_length((const u8 *)s + i, n - i);
		if (len) {
			kpt_strbuf_add(sb, s + i, len);
		} else {
			strbuf_escape_byte(sb, c);
			len = 1;
		}
	}
}

/* Characters of the longest number. */
#define DIGITS_MAX 20

static unsigned int dec_length(u64 v)
{
	static const u64 power[] = {
		1ULL, 10ULL, 100ULL, 1000ULL, 10000ULL, 100000ULL, 1000000ULL,
		10000000ULL, 100000000ULL, 1000000000ULL, 10000000000ULL,
		100000000000ULL, 1000000000000ULL, 10000000000000ULL,
		100000000000000ULL, 1000000000000000ULL, 10000000000000000ULL,
		100000000000000000ULL, 1000000000000000000ULL,
		10000000000000000000ULL,
	};
	/* 1233 / 4096 is the logarithm of 2 to the base 10: that many, or one more. */
	unsigned int n = (64 - (unsigned int)__builtin_clzll(v | 1)) * 1233 >> 12;

	return n + ((v | 1) >= power[n]);
}

/* Write a number that ends before @end; at least one digit. */
static char *dec_write(char *end, u64 v)
{
	u64 tens;

	do {
		tens = v / 10;
		*--end = (char)('0' + (v - 10 * tens));
		v = tens;
	} while (v);
	return end;
}

static char *hex_write(char *end, u64 v)
{
	do {
		*--end = "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (v);
	return end;
}

/*
 * Append @v, which has @n digits, and @pad before it up to @width. In place, unless it has to
 * be cut.
 */
static __always_inline void strbuf_add_number(struct kpt_strbuf *sb, u64 v, unsigned int n,
					      unsigned int width, char pad,
					      char *(*write)(char *end, u64 v))
{
	char digits[DIGITS_MAX], *start, *to;

	if (width < n)
		width = n;
	if (sb->len + width >= sb->size) {
		kpt_strbuf_fill(sb, pad, width - n);
		start = write(digits + sizeof(digits), v);
		kpt_strbuf_add(sb, start, n);
		return;
	}
	start = sb->buf + sb->len;
	for (to = write(start + width, v); to > start;)
		*--to = pad;
	sb->len += width;
	sb->buf[sb->len] = '\0';
}

/**
 * kpt_strbuf_udec() - append a number as "%WIDTHllu" does
 * @sb: the text
 * @v: the number
 * @width: @pad comes before a shorter one; 0 or 1: before none
 * @pad: a blank, or '0'
 *
 * Most of a line of trace is numbers, and vsnprintf() takes a multiple of the time.
 *
 * Context: any.
 */
void kpt_strbuf_udec(struct kpt_strbuf *sb, u64 v, unsigned int width, char pad)
{
	strbuf_add_number(sb, v, dec_length(v), width, pad, dec_write);
}

/**
 * kpt_strbuf_dec() - append a number as "%lld" does
 * @sb: the text
 * @v: the number
 *
 * Context: any.
 */
void kpt_strbuf_dec(struct kpt_strbuf *sb, s64 v)
{
	if (v < 0)
		kpt_strbuf_putc(sb, '-');
	kpt_strbuf_udec(sb, v < 0 ? 0 - (u64)v : (u64)v, 0, ' ');
}

/**
 * kpt_strbuf_hex() - append a number as "%0WIDTHllx" does
 * @sb: the text
 * @v: the number
 * @width: zeros come before a shorter one; 0 or 1: before none
 *
 * Context: any.
 */
void kpt_strbuf_hex(struct kpt_strbuf *sb, u64 v, unsigned int width)
{
	unsigned int n = (67 - (unsigned int)__builtin_clzll(v | 1)) / 4;

	strbuf_add_number(sb, v, n, width, '0', hex_write);
}

/**
 * kpt_strbuf_vprintf() - append formatted text
 * @sb: the text
 * @fmt: as vsnprintf() of the C library; the kernel's %p extensions are not
 *	portable and not allowed
 * @args: what it formats
 *
 * Context: any.
 */
void kpt_strbuf_vprintf(struct kpt_strbuf *sb, const char *fmt, va_list args)
{
	size_t room = sb->size - sb->len;
	int n = vsnprintf(sb->buf + sb->len, room, fmt, args);

	if (n < 0)
		n = 0;
	if ((size_t)n >= room) {
		n = (int)room - 1;
		sb->overflow = true;
	}
	sb->len += (size_t)n;
	sb->buf[sb->len] = '\0';
}

/**
 * kpt_strbuf_printf() - append formatted text
 * @sb: the text
 * @fmt: as for kpt_strbuf_vprintf()
 *
 * Context: any.
 */
void kpt_strbuf_printf(struct kpt_strbuf *sb, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	kpt_strbuf_vprintf(sb, fmt, args);
	va_end(args);
}
