// SPDX-License-Identifier: GPL-2.0-only
/* What stands behind the colon of an argument: types, arrays, bit fields. */
#include <kptrace/port.h>
#include "lib/fetch_internal.h"
#include "lib/lex.h"

/* Cut [N] off the type. The text ends where the argument ends. */
static int split_array(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type)
{
	struct kpt_span all = type->span;
	const char *s = kpt_fetch_text(ctx, &all);
	size_t open = kpt_lex_find(s, all.len, '['), close;
	u64 n;

	if (open == all.len)
		return 0;
	type->span.len = (u16)open++;
	close = open + kpt_lex_find(s + open, all.len - open, ']');
	if (close == all.len)
		return kpt_diag_set(ctx->diag, KPT_E_ARRAY_NO_CLOSE,
				    all.at + all.len, -EINVAL);
	if (close + 1 < all.len)
		return kpt_diag_set(ctx->diag, KPT_E_BAD_ARRAY_SUFFIX,
				    (unsigned int)(all.at + close + 1),
				    -EINVAL);
	if (kpt_lex_u64(s + open, close - open, 0, &n) || !n || n > U32_MAX)
		return kpt_diag_set(ctx->diag, KPT_E_BAD_ARRAY_NUM,
				    (unsigned int)(all.at + open), -EINVAL);
	if (n > KPT_ARRAY_MAX)
		return kpt_diag_set(ctx->diag, KPT_E_ARRAY_TOO_BIG,
				    (unsigned int)(all.at + open), -EINVAL);
	type->count = (u8)n;
	return 0;
}

/* The unsigned type that holds a bit field: the number behind the slash. */
static int container_type(const char *s, size_t len)
{
	size_t slash = kpt_lex_find(s, len, '/');
	u64 bits;

	if (slash == len ||
	    kpt_lex_u64(s + slash + 1, len - slash - 1, 0, &bits))
		return -EINVAL;
	switch (bits) {
	case 8:
		return KPT_TYPE_U8;
	case 16:
		return KPT_TYPE_U16;
	case 32:
		return KPT_TYPE_U32;
	case 64:
		return KPT_TYPE_U64;
	default:
		return -EINVAL;
	}
}

static int type_by_name(const char *s, size_t len)
{
	int i;

	for (i = 0; i < KPT_NR_TYPES; i++)
		if (kpt_lex_is(s, len, kpt_type_info[i].name))
			return i;
	return -EINVAL;
}

/* %pd and %pD are strings at the end of a longer way. */
static bool is_path(const struct kpt_fetch_type *type, const char *s)
{
	size_t len = type->span.len;

	return !type->count &&
	       (kpt_lex_is(s, len, "%pd") || kpt_lex_is(s, len, "%pD"));
}

static int find_type(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type)
{
	const char *s = kpt_fetch_text(ctx, &type->span);
	size_t len = type->span.len;
	int found;

	if (is_path(type, s)) {
		type->path = s[2];
		type->type = KPT_TYPE_STRING;
		return 0;
	}
	type->bits = len && s[0] == 'b';
	found = type->bits ? container_type(s, len) : type_by_name(s, len);
	if (found < 0)
		return kpt_diag_set(ctx->diag, KPT_E_BAD_TYPE, type->span.at,
				    -EINVAL);
	type->type = (u8)found;
	return 0;
}

/* $comm and immediate strings are strings and nothing else. */
static bool is_text(const char *s, size_t len)
{
	return kpt_lex_is(s, len, "$comm") || kpt_lex_is(s, len, "$COMM") ||
	       kpt_lex_prefix(s, len, "\\\"");
}

static int check_text_type(struct kpt_fetch_ctx *ctx,
			   struct kpt_fetch_type *type, bool given)
{
	const char *s = kpt_fetch_text(ctx, &type->span);

	if (given &&
	    (type->count || !kpt_lex_is(s, type->span.len, "string")))
		return kpt_diag_set(ctx->diag, KPT_E_NEED_STRING_TYPE,
				    type->span.at, -EINVAL);
	type->type = KPT_TYPE_STRING;
	return 0;
}

/**
 * kpt_fetch_split_type() - type stage
 * @ctx: context
 * @body: FETCHARG[:TYPE]; what remains is FETCHARG
 * @type: result
 *
 * Context: any.
 * Return: 0 or -errno, with the reason in the context.
 */
int kpt_fetch_split_type(struct kpt_fetch_ctx *ctx, struct kpt_span *body,
			 struct kpt_fetch_type *type)
{
	const char *s = kpt_fetch_text(ctx, body);
	size_t len = body->len, colon = kpt_lex_find(s, len, ':');
	bool given = colon < len;
	int err;

	memset(type, 0, sizeof(*type));
	type->type = KPT_TYPE_X64;
	if (given) {
		type->span.at = (u16)(body->at + colon + 1);
		type->span.len = (u16)(len - colon - 1);
		body->len = (u16)colon;
		err = split_array(ctx, type);
		if (err)
			return err;
	}
	if (is_text(s, colon) &&
	    !(given && is_path(type, kpt_fetch_text(ctx, &type->span))))
		return check_text_type(ctx, type, given);
	return given ? find_type(ctx, type) : 0;
}

/* b<width>@<shift>/<container>: the numbers; the container is known. */
static bool parse_bits(const char *s, size_t len, u64 *width, u64 *shift)
{
	bool overflow;
	size_t n, i = 1;

	n = kpt_lex_digits(s + i, len - i, 0, width, &overflow);
	i += n;
	if (!n || overflow || i == len || s[i++] != '@')
		return false;
	n = kpt_lex_digits(s + i, len - i, 0, shift, &overflow);
	i += n;
	return n && !overflow && i < len && s[i] == '/';
}

/**
 * kpt_fetch_bitfield() - take the text of a bit field apart
 * @ctx: context
 * @type: type stage's result; width and shift are filled in
 *
 * Apart from kpt_fetch_split_type() because mainline looks at it last.
 *
 * Context: any.
 * Return: 0 or -EINVAL, with the reason in the context.
 */
int kpt_fetch_bitfield(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type)
{
	const char *s = kpt_fetch_text(ctx, &type->span);
	u64 room = kpt_type_info[type->type].size * 8;
	u64 width, shift;

	if (!parse_bits(s, type->span.len, &width, &shift) || !width ||
	    width > room || shift > room - width)
		return kpt_diag_set(ctx->diag, KPT_E_BAD_BITFIELD,
				    type->span.at, -EINVAL);
	type->width = (u8)width;
	type->shift = (u8)shift;
	return 0;
}
