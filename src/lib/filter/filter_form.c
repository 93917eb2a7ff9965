// SPDX-License-Identifier: GPL-2.0-only
/* Values of filters in the form that lines show them in. */
#include "lib/base/port.h"
#include "lib/base/lex.h"
#include "lib/filter/filter_form.h"

/* Read one number of "a.b.c.d/n". Returns its characters, 0 if it is none up to @most. */
static size_t form_read_part(const char *s, size_t len, u64 most, u64 *n)
{
	bool overflow;
	size_t digits = kpt_lex_digits(s, len, 10, n, &overflow);

	return overflow || *n > most ? 0 : digits;
}

/* Read "a.b.c.d", or with "/n" a network. Returns its characters, 0 if it is none. */
static size_t form_read_ipv4(const char *s, size_t len, u64 *value, u64 *mask)
{
	u64 byte, bits = 32;
	size_t n, at = 0;
	u32 addr = 0;
	int i;

	for (i = 0; i < 4; i++, at += n) {
		if (i && (at == len || s[at++] != '.'))
			return 0;
		n = form_read_part(s + at, len - at, 255, &byte);
		if (!n)
			return 0;
		addr |= (u32)byte << 8 * i;
	}
	*mask = U32_MAX;
	if (at < len && s[at] == '/') {
		n = form_read_part(s + at + 1, len - at - 1, 32, &bits);
		if (!n)
			return 0;
		at += 1 + n;
		*mask = __builtin_bswap32((u32)(~0ULL << (32 - bits)));
	}
	*value = addr & *mask;
	return at;
}

/* Characters of a name, or of a number with its sign. */
static size_t form_word(const char *s, size_t len)
{
	size_t n = len && s[0] == '-';

	while (n < len && (kpt_lex_is_alpha(s[n]) || kpt_lex_is_digit(s[n]) || s[n] == '_'))
		n++;
	return n;
}

/**
 * kpt_filter_read_form() - read a value in the form that lines show it in
 * @arg: the argument that is compared with it
 * @s: text that begins with the value
 * @len: its characters
 * @value: result: the number that records have for it
 * @mask: result: the bits that are to be compared; ~0 for all of them
 *
 * Names of values; addresses of IPv4, and its networks.
 *
 * Context: process context; long for system calls.
 * Return: characters of the value; 0 if it has no such form.
 */
size_t kpt_filter_read_form(const struct kpt_field *arg, const char *s, size_t len,
			    u64 *value, u64 *mask)
{
	const struct kpt_names *names = kpt_type_info[arg->type].names;
	size_t n = form_word(s, len);

	if (arg->type == KPT_TYPE_IPV4)
		return form_read_ipv4(s, len, value, mask);
	*mask = ~0ULL;
	if (arg->names)
		return kpt_enum_value(arg->names, s, n, value) ? n : 0;
	return names && kpt_number_of_name(names, s, n, (s64 *)value) ? n : 0;
}
