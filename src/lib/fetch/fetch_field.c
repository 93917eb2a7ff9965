// SPDX-License-Identifier: GPL-2.0-only
/* Leaves of arguments at the records of another event: the fields of that event. */
#include "lib/base/port.h"
#include "lib/fetch/fetch_internal.h"
#include "lib/base/lex.h"

/**
 * kpt_fetch_is_field() - does the event have a field of this name?
 * @ctx: context
 * @name: the name, without '$'
 * @len: its characters
 *
 * Context: any.
 * Return: true if it has; false also at a place in text.
 */
bool kpt_fetch_is_field(const struct kpt_fetch_ctx *ctx, const char *name,
			size_t len)
{
	struct kpt_field_ref ref;

	return ctx->place->source &&
	       kpt_field_find_own(ctx->place->source, name, len, &ref);
}

/* A number yields its value, anything else its address in the record. */
static int field_add(const struct kpt_field_ref *ref,
		     struct kpt_fetch_expr *expr)
{
	bool is_number = kpt_field_is_number(ref);
	struct kpt_fetch_step *step;

	expr->kind = KPT_FETCH_FIELD;
	step = kpt_fetch_add_step(expr, is_number ? KPT_OP_FIELD :
						    KPT_OP_FIELD_ADDR);
	if (is_number) {
		step->a = kpt_field_shift(ref) |
			  (ref->is_signed ? KPT_FETCH_SIGNED : 0);
		step->c = kpt_field_base(ref);
		step->imm = 64 - 8 * ref->size;
	} else {
		step->a = ref->kind;
		step->b = ref->offset;
		step->c = ref->size;
	}
	return 0;
}

/* Registers and names with '$' are variables that do not exist. */
static int field_refuse(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg)
{
	char c = arg->len ? *kpt_fetch_text(ctx, arg) : '\0';
	enum kpt_diag_code code = KPT_E_BAD_FETCH_ARG;

	if (c == '$' || c == '%')
		code = KPT_E_BAD_VAR;
	else if (kpt_lex_is_alpha(c) || c == '_')
		code = KPT_E_NO_EVENT_FIELD;
	kpt_diag_set(ctx->diag, code, arg->at, 0);
	if (code == KPT_E_NO_EVENT_FIELD)
		kpt_field_tell_similar(ctx->place->source, true, kpt_fetch_text(ctx, arg),
				       arg->len, ctx->diag);
	return -EINVAL;
}

/**
 * kpt_fetch_field() - parse $FIELD, FIELD, $comm or what else the current task has
 * @ctx: context, at the records of an event
 * @arg: the text
 * @expr: result
 *
 * A field of the event named comm hides $comm, and so do others.
 *
 * Context: any.
 * Return: 0, or -EINVAL with the reason in @ctx->diag.
 */
int kpt_fetch_field(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		    struct kpt_fetch_expr *expr)
{
	const char *s = kpt_fetch_text(ctx, arg);
	size_t dollar = arg->len && s[0] == '$', len = arg->len - dollar;
	struct kpt_field_ref ref;

	s += dollar;
	if (kpt_field_find_own(ctx->place->source, s, len, &ref))
		return field_add(&ref, expr);
	if (dollar && kpt_fetch_task(s, len, expr))
		return 0;
	if (!dollar || !(kpt_lex_is(s, len, "comm") || kpt_lex_is(s, len, "COMM")))
		return field_refuse(ctx, arg);
	expr->kind = KPT_FETCH_COMM;
	return 0;
}
