// SPDX-License-Identifier: GPL-2.0-only
/* Values that are shown in a form of their own, as people read them. */
#include "lib/base/port.h"
#include "lib/format/format.h"

static void value_put_ipv4(struct kpt_strbuf *sb, const u8 *b)
{
	unsigned int i;

	for (i = 0; i < 4; i++) {
		if (i)
			kpt_strbuf_putc(sb, '.');
		kpt_strbuf_udec(sb, b[i], 0, ' ');
	}
}

static void value_put_mac(struct kpt_strbuf *sb, const u8 *b)
{
	unsigned int i;

	for (i = 0; i < 6; i++)
		kpt_strbuf_printf(sb, "%s%02x", i ? ":" : "", b[i]);
}

static unsigned int ipv6_group(const u8 *b, unsigned int i)
{
	return b[2 * i] << 8 | b[2 * i + 1];
}

/*
 * Do the last 4 bytes hold an IPv4 address? So it is if it is mapped (RFC 4291, 2.5.5.2), or
 * an interface's by ISATAP (RFC 5214, 6.1).
 */
static bool ipv6_ends_in_ipv4(const u8 *b)
{
	static const u8 mapped[12] = { [10] = 0xff, 0xff };

	return !memcmp(b, mapped, sizeof(mapped)) ||
	       (!(b[8] & ~2) && !b[9] && b[10] == 0x5e && b[11] == 0xfe);
}

/* The first longest run of groups that are 0, of two at least. Returns its length. */
static unsigned int ipv6_zeros(const u8 *b, unsigned int nr, unsigned int *from)
{
	unsigned int i, run = 0, longest = 1;

	for (i = 0; i < nr; i++) {
		run = ipv6_group(b, i) ? 0 : run + 1;
		if (run <= longest)
			continue;
		longest = run;
		*from = i + 1 - run;
	}
	return longest;
}

/* As RFC 5952 wants it, and as %pI6c and tools that know it have it. */
static void value_put_ipv6(struct kpt_strbuf *sb, const u8 *b)
{
	bool has_ipv4 = ipv6_ends_in_ipv4(b);
	unsigned int i, nr = has_ipv4 ? 6 : 8, from = nr;
	unsigned int zeros = ipv6_zeros(b, nr, &from);
	bool is_apart = true;

	for (i = 0; i < nr; i++) {
		if (i == from) {
			kpt_strbuf_puts(sb, "::");
			is_apart = true;
			i += zeros - 1;
			continue;
		}
		kpt_strbuf_printf(sb, "%s%x", is_apart ? "" : ":", ipv6_group(b, i));
		is_apart = false;
	}
	if (!has_ipv4)
		return;
	if (!is_apart)
		kpt_strbuf_putc(sb, ':');
	value_put_ipv4(sb, b + 12);
}

static void value_put_named(struct kpt_strbuf *sb, const struct kpt_type_info *info, const u8 *b)
{
	const struct kpt_field_ref ref = { .is_signed = info->is_signed, .size = info->size };
	char name[KPT_NUMBER_NAME_MAX];
	u64 padded = 0;
	s64 v;

	/* A number is read with the 8 bytes that it begins. */
	memcpy(&padded, b, info->size);
	v = (s64)kpt_field_number(&ref, &padded);
	if (kpt_number_name(info->names, v, name))
		kpt_strbuf_puts(sb, name);
	else if (info->is_signed)
		kpt_strbuf_dec(sb, v);
	else
		kpt_strbuf_udec(sb, (u64)v, 0, ' ');
}

/**
 * kpt_format_value() - write a value in the form of its type
 * @sb: where to write
 * @type: enum kpt_type; kpt_type_has_form()
 * @b: the value, as many bytes as the type has
 *
 * Context: process context.
 */
void kpt_format_value(struct kpt_strbuf *sb, u8 type, const u8 *b)
{
	switch (type) {
	case KPT_TYPE_IPV4:
		value_put_ipv4(sb, b);
		break;
	case KPT_TYPE_IPV6:
		value_put_ipv6(sb, b);
		break;
	case KPT_TYPE_MAC:
		value_put_mac(sb, b);
		break;
	default:
		value_put_named(sb, &kpt_type_info[type], b);
	}
}
