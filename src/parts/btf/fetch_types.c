// SPDX-License-Identifier: GPL-2.0-only
/* The type of an argument that ends in the name of a parameter or member, as BTF has it. */
#include "lib/base/port.h"
#include "parts/btf/enum_make.h"
#include "lib/fetch/fetch_internal.h"
#include "parts/btf/member.h"

/* The type of a number of @size bytes; x64 for sizes that no number has. */
static u8 type_number(char sign, u64 size)
{
	u8 first = sign == 'u' ? KPT_TYPE_U8 : sign == 's' ? KPT_TYPE_S8 :
							     KPT_TYPE_X8;

	switch (size) {
	case 1:
		return first;
	case 2:
		return first + 1;
	case 4:
		return first + 2;
	case 8:
		return first + 3;
	default:
		return KPT_TYPE_X64;
	}
}

/*
 * Choose the @size bytes that are loaded for a value of @width bits. If an aligned number
 * holds the value, load that: it lies in one page. Else load bytes that end with the value,
 * because the structure may end there; or, if the structure has too few bytes before the
 * value, bytes that begin with it. Returns false if @size bytes cannot hold the value.
 */
static bool bits_place(struct kpt_fetch_expr *expr, u64 size, u32 width, u64 *shift)
{
	u64 bits = expr->typed.bit + width, before = 0, spare = size - (bits + 7) / 8;

	if (bits > 8 * size)
		return false;
	if (kpt_fetch_is_memory(expr)) {
		before = expr->offset & (size - 1);
		if (8 * before + bits > 8 * size)
			before = (s64)expr->offset >= (s64)spare ? spare : 0;
	}
	expr->offset -= before;
	*shift = expr->typed.bit + 8 * before;
	return true;
}

/* Load a bit field with the bytes of its type, or with eight. */
static int type_bits(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type, char sign,
		     u32 width, struct kpt_fetch_expr *expr)
{
	u64 shift;

	if (!bits_place(expr, kpt_type_info[type->type].size, width, &shift)) {
		type->type = type_number(sign, sizeof(u64));
		if (!bits_place(expr, sizeof(u64), width, &shift))
			return kpt_diag_set(ctx->diag, KPT_E_BAD_BITFIELD,
					    expr->typed.column, -EINVAL);
	}
	type->bits = true;
	type->width = (u8)width;
	type->shift = (u8)shift;
	return 0;
}

/**
 * kpt_fetch_take_type() - the type of an argument that was not given one
 * @ctx: context
 * @type: result; x64 if no type is known
 * @body: column of the argument
 * @expr: what is stored
 *
 * Context: any.
 * Return: 0, or -EINVAL with the reason in @ctx->diag.
 */
int kpt_fetch_take_type(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type,
			unsigned int body, struct kpt_fetch_expr *expr)
{
	const struct kpt_fetch_typed *typed = &expr->typed;
	const struct kpt_btf_type *t;
	char sign = 'x';
	u64 size;

	if (typed->is_unknown)
		return kpt_diag_set(ctx->diag, KPT_E_TYPE_PENDING, body, -EINVAL);
	if (!typed->btf)
		return 0;
	t = kpt_btf_resolve(typed->btf, typed->type);
	size = kpt_btf_size(typed->btf, typed->type);
	if (kpt_btf_kind(t) == KPT_BTF_INT)
		sign = t->more[0] >> 24 & 1 ? 's' : 'u';
	else if (kpt_btf_kind(t) == KPT_BTF_ENUM ||
		 kpt_btf_kind(t) == KPT_BTF_ENUM64)
		sign = 's';
	type->type = type_number(size > 8 ? 'x' : sign, size);
	/* As whole numbers all enumerations are signed, as bit fields few. */
	type->is_signed = sign == 's' && (kpt_btf_kind(t) == KPT_BTF_INT ||
					  kpt_enum_is_signed(t));
	if (typed->width && (typed->width != 8 * size || typed->bit))
		return type_bits(ctx, type, sign, typed->width, expr);
	/* The bytes of a value that has fewer than a number */
	if (size && size < 8 && size != kpt_type_info[type->type].size)
		return type_bits(ctx, type, sign, 8 * (u32)size, expr);
	return 0;
}

/**
 * kpt_fetch_is_wide() - does an argument have a type of eight bytes?
 * @expr: the argument
 *
 * Context: any.
 * Return: true if it has; false also if its type is not known.
 */
bool kpt_fetch_is_wide(const struct kpt_fetch_expr *expr)
{
	return expr->typed.btf &&
	       kpt_btf_size(expr->typed.btf, expr->typed.type) == sizeof(u64);
}

/* Find the enumeration whose names are to be shown: that of the argument, unless given. */
static int enum_find(struct kpt_fetch_ctx *ctx, const struct kpt_fetch_type *type,
		     struct kpt_fetch_typed *found)
{
	if (!type->names.at)
		return 0;
	*found = (struct kpt_fetch_typed){ 0 };
	return kpt_fetch_find_enum(ctx, &type->names, found);
}

/* Why the numbers cannot be shown by names; NULL if they can. */
static const char *enum_refusal(const struct kpt_fetch_type *type,
				const struct kpt_fetch_typed *number,
				const struct kpt_fetch_typed *names)
{
	size_t room;

	if (!names->btf)
		return "its type is not known";
	if (type->count && number->width)
		return "a bit field is no array";
	if (number->btf && kpt_btf_size(number->btf, number->type) > sizeof(u64))
		return "the argument is no number";
	return kpt_enum_room(names->btf, names->type, &room);
}

/**
 * kpt_fetch_take_enum() - the type of an argument that is to be shown by names
 * @ctx: context
 * @type: what was asked for; becomes the type of the numbers: that of the argument, or if
 *	it has none that of the enumeration
 * @expr: what is stored; its type becomes the enumeration
 *
 * Context: process context, sleeps; linear in the number of names, with enum(NAME) in that of
 * types.
 * Return: 0, or with the reason in @ctx->diag -EINVAL, -ENOENT or -EOPNOTSUPP.
 */
int kpt_fetch_take_enum(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type,
			struct kpt_fetch_expr *expr)
{
	struct kpt_fetch_typed *typed = &expr->typed, names;
	const struct kpt_btf_type *t;
	const char *why;
	int err;

	if (typed->btf) {
		t = kpt_btf_resolve(typed->btf, typed->type);
		if (type->count && kpt_btf_kind(t) == KPT_BTF_ARRAY)
			typed->type = t->more[0];
	}
	names = *typed;
	err = enum_find(ctx, type, &names);
	if (err)
		return err;
	why = enum_refusal(type, typed, &names);
	if (why && !typed->is_unknown) {
		kpt_diag_set(ctx->diag, KPT_E_NO_ENUM, type->span.at, -EINVAL);
		kpt_diag_detail(ctx->diag, why);
		return -EINVAL;
	}
	if (!typed->btf && !typed->is_unknown)
		*typed = names;
	err = kpt_fetch_take_type(ctx, type, type->span.at, expr);
	typed->btf = names.btf;
	typed->type = names.type;
	return err;
}

/* Is it a pointer to text, or an array of text? */
static bool type_is_text(const struct kpt_btf *btf, u32 id, enum kpt_btf_kind kind)
{
	const struct kpt_btf_type *t = kpt_btf_resolve(btf, id);

	if (kpt_btf_kind(t) != kind)
		return false;
	return kpt_btf_is_text(btf, kind == KPT_BTF_PTR ? t->type : t->more[0]);
}

/* Is @t, an array or a pointer, of text; if it is for an array, of strings? */
static bool type_is_string(const struct kpt_fetch_typed *typed,
			   const struct kpt_btf_type *t, bool for_array)
{
	enum kpt_btf_kind kind = kpt_btf_kind(t);

	if (!for_array)
		return type_is_text(typed->btf, typed->type, kind);
	return type_is_text(typed->btf,
			    kind == KPT_BTF_ARRAY ? t->more[0] : t->type,
			    KPT_BTF_PTR);
}

/* Is the text that a pointer of this type points to in user memory? */
static bool string_is_user(const struct kpt_btf *btf, u32 id)
{
	return kpt_btf_is_user(btf, kpt_btf_resolve(btf, id)->type);
}

/**
 * kpt_fetch_take_string() - find the text of a string argument by its type
 * @ctx: context
 * @type: string or ustring; of an array, the elements are pointers to text. Gets
 *	@is_user
 * @expr: what the text is at, or a pointer to it; becomes what it is at
 *
 * Context: any.
 * Return: 0, or with the reason in @ctx->diag: -EINVAL, -E2BIG.
 */
int kpt_fetch_take_string(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type,
			  struct kpt_fetch_expr *expr)
{
	const struct kpt_fetch_typed *typed = &expr->typed;
	const struct kpt_btf_type *t;
	bool is_array, user;

	if (!typed->btf)
		return 0;
	t = kpt_btf_resolve(typed->btf, typed->type);
	is_array = kpt_btf_kind(t) == KPT_BTF_ARRAY;
	if ((!is_array && kpt_btf_kind(t) != KPT_BTF_PTR) ||
	    !type_is_string(typed, t, type->count))
		return kpt_diag_set(ctx->diag, KPT_E_BAD_TYPE4STR, typed->column,
				    -EINVAL);
	if (type->count)
		type->is_user = string_is_user(typed->btf,
					       is_array ? t->more[0] : t->type);
	if (is_array)
		return 0;
	if (++expr->ops >= KPT_FETCH_STEPS_MAX)
		return kpt_diag_set(ctx->diag, KPT_E_TOO_MANY_OPS, typed->column,
				    -E2BIG);
	user = kpt_btf_is_user(typed->btf, t->type) ||
	       (type->type == KPT_TYPE_USTRING && !type->count);
	kpt_fetch_read(expr);
	expr->kind = user ? KPT_FETCH_USER : KPT_FETCH_MEMORY;
	expr->offset = 0;
	return 0;
}
