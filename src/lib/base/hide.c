// SPDX-License-Identifier: GPL-2.0-only
/* Hide addresses of the kernel in texts that its users wrote. */
#include "lib/base/port.h"
#include "lib/base/hide.h"
#include "lib/base/lex.h"

/* Kernel addresses of all page sizes. Above them are small negative numbers and masks. */
#define ADDRESSES_FROM	0xfff0000000000000ULL
#define ADDRESSES_END	0xffffffff00000000ULL

static bool is_word(char c)
{
	return kpt_lex_is_digit(c) || kpt_lex_is_alpha(c) || c == '_';
}

/* A number may be in decimal or octal, too, and the address be its complement. */
static void hide_word(char *s, size_t len, bool is_negative)
{
	size_t digits = len > 2 && s[0] == '0' && (s[1] | ' ') == 'x' ? 2 : 0;
	u64 v;

	if (!kpt_lex_is_digit(s[0]) || kpt_lex_u64(s, len, 0, &v))
		return;
	if (is_negative)
		v = -v;
	if (v >= ADDRESSES_FROM && v < ADDRESSES_END)
		memset(s + digits, '0', len - digits);
}

/**
 * kpt_hide_addresses() - replace addresses of the kernel by as many zeros
 * @s: a text, of definitions or commands
 * @len: its characters
 *
 * Columns stay as they are.
 *
 * Context: any.
 */
void kpt_hide_addresses(char *s, size_t len)
{
	size_t at, end;

	for (at = 0; at < len; at = end + 1) {
		for (end = at; end < len && is_word(s[end]); end++)
			;
		if (end > at)
			hide_word(s + at, end - at, at && s[at - 1] == '-');
	}
}
