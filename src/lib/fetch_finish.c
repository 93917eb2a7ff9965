// SPDX-License-Identifier: GPL-2.0-only
/* From what an expression yields to what the record holds. */
#include <kptrace/port.h>
#include "lib/fetch_internal.h"

static bool is_memory(const struct kpt_fetch_expr *expr)
{
	return expr->kind == KPT_FETCH_MEMORY || expr->kind == KPT_FETCH_USER;
}

static bool is_dynamic(const struct kpt_fetch_type *type)
{
	return kpt_type_info[type->type].is_dynamic;
}

/* Strings have to be somewhere; a number may say where. */
static bool may_be_string(const struct kpt_fetch_expr *expr)
{
	return is_memory(expr) || expr->kind == KPT_FETCH_NUMBER ||
	       expr->kind == KPT_FETCH_COMM || expr->kind == KPT_FETCH_LITERAL;
}

/* Elements follow each other in memory, of the user only if strings. */
static bool may_be_array(const struct kpt_fetch_type *type,
			 const struct kpt_fetch_expr *expr)
{
	if (type->type == KPT_TYPE_SYMSTR)
		return false;
	return expr->kind == KPT_FETCH_MEMORY ||
	       (expr->kind == KPT_FETCH_USER && is_dynamic(type));
}

static int check_type(struct kpt_fetch_ctx *ctx,
		      const struct kpt_fetch_type *type,
		      const struct kpt_fetch_expr *expr)
{
	enum kpt_diag_code code = KPT_E_NONE;

	if (type->type == KPT_TYPE_SYMSTR) {
		if (expr->kind != KPT_FETCH_VALUE &&
		    expr->kind != KPT_FETCH_MEMORY)
			code = KPT_E_BAD_SYMSTRING;
	} else if (is_dynamic(type)) {
		if (!may_be_string(expr))
			code = KPT_E_BAD_STRING;
	}
	return code ? kpt_diag_set(ctx->diag, code, type->span.at, -EINVAL) : 0;
}

/*
 * A store that is no read, a bit field and an array each count as one more
 * step of a way that mainline limits.
 */
static int check_ops(struct kpt_fetch_ctx *ctx,
		     const struct kpt_fetch_type *type,
		     const struct kpt_fetch_expr *expr, unsigned int body)
{
	bool extra = !is_memory(expr) || type->type == KPT_TYPE_SYMSTR ||
		     (is_dynamic(type) && type->count);

	if (expr->ops + extra + type->bits + !!type->count <
	    KPT_FETCH_STEPS_MAX)
		return 0;
	return kpt_diag_set(ctx->diag, KPT_E_TOO_MANY_OPS, body, -E2BIG);
}

static void store_number(const struct kpt_fetch_type *type,
			 struct kpt_fetch_expr *expr, u16 at)
{
	u8 size = kpt_type_info[type->type].size;
	struct kpt_fetch_step *step;

	bool is_reg = expr->nr == 1 && expr->step[0].op == KPT_OP_REG;

	if (is_reg && expr->kind == KPT_FETCH_MEMORY && !type->count) {
		step = &expr->step[0];
		step->op = KPT_OP_LOAD;
		step->b = at;
		step->c = size;
		step->imm = expr->offset;
		return;
	}
	if (expr->kind == KPT_FETCH_MEMORY) {
		step = kpt_fetch_add_step(expr, KPT_OP_COPY);
		step->imm = expr->offset;
	} else if (expr->kind == KPT_FETCH_USER) {
		step = kpt_fetch_add_step(expr, KPT_OP_COPY_USER);
		step->imm = expr->offset;
	} else if (size == 8 && is_reg) {
		step = &expr->step[0];
		step->op = KPT_OP_REG64;
		step->b = at;
		return;
	} else {
		step = kpt_fetch_add_step(expr, KPT_OP_STORE);
	}
	step->a = size;
	step->b = at;
	step->c = type->count ? type->count : 1;
}

static void cut_bits(const struct kpt_fetch_type *type,
		     struct kpt_fetch_expr *expr, u16 at)
{
	struct kpt_fetch_step *step = kpt_fetch_add_step(expr, KPT_OP_BITS);

	step->a = kpt_type_info[type->type].size;
	step->b = at;
	step->c = type->count ? type->count : 1;
	step->imm = (u64)type->shift << 8 | type->width;
}

static void store_string(const struct kpt_fetch_type *type,
			 struct kpt_fetch_expr *expr, u16 at)
{
	struct kpt_fetch_step *step;

	step = kpt_fetch_add_step(expr, type->count ? KPT_OP_STRINGS :
						      KPT_OP_STRING);
	step->b = at;
	step->c = type->count;
	step->imm = expr->offset;
	if (type->type == KPT_TYPE_USTRING)
		step->a |= KPT_STRING_USER;
	if (expr->kind == KPT_FETCH_USER)
		step->a |= type->count ? KPT_POINTER_USER : KPT_STRING_USER;
}

static void store_dynamic(struct kpt_fetch_ctx *ctx,
			  const struct kpt_fetch_type *type,
			  struct kpt_fetch_expr *expr, u16 at)
{
	struct kpt_fetch_step *step;

	if (expr->kind == KPT_FETCH_COMM) {
		kpt_fetch_add_step(expr, KPT_OP_COMM)->b = at;
	} else if (expr->kind == KPT_FETCH_LITERAL) {
		step = kpt_fetch_add_step(expr, KPT_OP_LITERAL);
		step->b = at;
		step->c = expr->literal.len + 1;
	} else if (type->type == KPT_TYPE_SYMSTR) {
		kpt_fetch_read(expr);
		kpt_fetch_add_step(expr, KPT_OP_SYMBOL)->b = at;
		ctx->out->prog.has_symbols = true;
	} else {
		store_string(type, expr, at);
	}
}

/**
 * kpt_fetch_finish() - finish stage
 * @ctx: context
 * @type: type stage's result
 * @expr: parse stage's result; the storing steps are appended
 * @body: column of the argument's body
 * @at: where in the record
 *
 * Context: any.
 * Return: 0 or -errno, with the reason in the context.
 */
int kpt_fetch_finish(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type,
		     struct kpt_fetch_expr *expr, unsigned int body, u16 at)
{
	int err = check_type(ctx, type, expr);

	if (!err)
		err = check_ops(ctx, type, expr, body);
	if (!err && type->bits)
		err = kpt_fetch_bitfield(ctx, type);
	if (err)
		return err;
	if (type->count && !may_be_array(type, expr))
		return kpt_diag_set(ctx->diag, KPT_E_BAD_STRING, type->span.at,
				    -EINVAL);
	if (is_dynamic(type)) {
		store_dynamic(ctx, type, expr, at);
		return 0;
	}
	store_number(type, expr, at);
	if (type->bits)
		cut_bits(type, expr, at);
	return 0;
}
